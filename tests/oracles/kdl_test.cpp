// Agreement with KDL on a fixed base, with KDL trees made from our skeletons: kinematics, Jacobians, inverse dynamics, bias and gravity on
// whole trees; mass matrix and forward dynamics, which KDL has for chains only, on the path to every leaf.
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl/treejnttojacsolver.hpp>

#include "tests/oracles/oracle.hpp"

using namespace vertebra;
using namespace test;

namespace {

KDL::Vector toKdl(const Vec3& p) { return {p.x(), p.y(), p.z()}; }
KDL::Frame toKdl(const Pose& p) { return {KDL::Rotation::Quaternion(p.q.x(), p.q.y(), p.q.z(), p.q.w()), toKdl(p.p)}; }
Vec3 fromKdl(const KDL::Vector& p) { return {p.x(), p.y(), p.z()}; }

KDL::Segment segment(const figure::Skeleton& s, int joint) {
  const figure::JointDescription& j = s.joints[joint];
  const figure::LinkDescription& l = s.links[j.child];
  const Vec3 axis = j.inParent.q * j.axis;
  const Mat3& i = l.inertia;
  // RigidBodyInertia takes the inertia about the point given by the centre of mass.
  const KDL::RigidBodyInertia inertia(l.mass, toKdl(l.com), KDL::RotationalInertia(i(0, 0), i(1, 1), i(2, 2), i(0, 1), i(0, 2), i(1, 2)));
  const KDL::Joint kdl = j.type == dynamics::JointType::Fixed ? KDL::Joint(j.name, KDL::Joint::None)
                         : j.type == dynamics::JointType::Prismatic
                             ? KDL::Joint(j.name, toKdl(j.inParent.p), toKdl(axis), KDL::Joint::TransAxis)
                             : KDL::Joint(j.name, toKdl(j.inParent.p), toKdl(axis), KDL::Joint::RotAxis);
  return KDL::Segment(l.name, kdl, toKdl(j.inParent * j.inChild.inverse()), inertia);
}

struct KdlTree {
  const figure::Skeleton& skeleton;
  const figure::FigureModel& model;
  KDL::Tree tree;
  std::vector<int> velocity;  // KDL's joint number -> ours

  KdlTree(const figure::Skeleton& s, const figure::FigureModel& m) : skeleton(s), model(m), tree(s.links[s.root].name) {
    add(s.root);
    velocity.assign(tree.getNrOfJoints(), -1);
    for (std::size_t j = 0; j < s.joints.size(); j++)
      if (model.coordinates.jointV(static_cast<int>(j)) >= 0)
        velocity[tree.getSegment(s.links[s.joints[j].child].name)->second.q_nr] = model.coordinates.jointV(static_cast<int>(j));
    REQUIRE(static_cast<int>(velocity.size()) == model.nv());
  }
  void add(int link) {
    for (std::size_t j = 0; j < skeleton.joints.size(); j++)
      if (!skeleton.joints[j].loop && skeleton.joints[j].parent == link) {
        REQUIRE(tree.addSegment(segment(skeleton, static_cast<int>(j)), skeleton.links[link].name));
        add(skeleton.joints[j].child);
      }
  }
  KDL::JntArray theirs(const std::vector<double>& x) const {
    KDL::JntArray a(static_cast<unsigned>(velocity.size()));
    for (std::size_t k = 0; k < velocity.size(); k++) a(static_cast<unsigned>(k)) = x[velocity[k]];
    return a;
  }
  Vector inverse(KDL::TreeIdSolver_RNE& solver, const KDL::JntArray& q, const KDL::JntArray& v, const KDL::JntArray& a) const {
    KDL::JntArray out(q.rows());
    REQUIRE(solver.CartToJnt(q, v, a, KDL::WrenchMap(), out) == 0);
    Vector tau(model.nv());
    for (std::size_t k = 0; k < velocity.size(); k++) tau[velocity[k]] = out(static_cast<unsigned>(k));
    return tau;
  }
  Answers answers(const State& s) {
    Answers o;
    const KDL::JntArray q = theirs(s.q), v = theirs(s.v), a = theirs(s.a), zero(q.rows());
    KDL::TreeFkSolverPos_recursive kinematics(tree);
    KDL::TreeJntToJacSolver jacobians(tree);
    for (const figure::LinkDescription& link : skeleton.links) {
      KDL::Frame frame;
      REQUIRE(kinematics.JntToCart(q, frame, link.name) == 0);
      double x, y, z, w;
      frame.M.GetQuaternion(x, y, z, w);
      Mat3 R;
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) R(r, c) = frame.M(r, c);
      o.poses.push_back({fromKdl(frame.p), quatFromMatrix(R)});
      KDL::Jacobian J(q.rows());
      Vec6 t = Vec6::Zero();
      if (&link != &skeleton.links[skeleton.root]) {
        REQUIRE(jacobians.JntToJac(q, J, link.name) == 0);
        t = J.data * v.data;
      }
      o.twists.push_back(t);
    }
    KDL::TreeIdSolver_RNE solver(tree, toKdl(kOracleGravity)), weightless(tree, KDL::Vector::Zero());
    o.tau = inverse(solver, q, v, a);
    o.bias = inverse(solver, q, v, zero);
    o.gravity = inverse(solver, q, zero, zero);
    o.M.resize(model.nv(), model.nv());
    for (std::size_t k = 0; k < velocity.size(); k++) {
      KDL::JntArray unit(q.rows());
      unit(static_cast<unsigned>(k)) = 1;
      o.M.col(velocity[k]) = inverse(weightless, q, zero, unit);
    }
    return o;
  }
};

// The links from the root to a leaf, as a skeleton of their own.
std::shared_ptr<figure::Skeleton> pathTo(const figure::Skeleton& s, int leaf) {
  std::vector<int> joints;
  for (int at = leaf; at != s.root;)
    for (std::size_t j = 0; j < s.joints.size(); j++)
      if (!s.joints[j].loop && s.joints[j].child == at) {
        joints.insert(joints.begin(), static_cast<int>(j));
        at = s.joints[j].parent;
        break;
      }
  auto path = std::make_shared<figure::Skeleton>();
  path->links.push_back(s.links[s.root]);
  for (int j : joints) {
    figure::JointDescription d = s.joints[j];
    d.parent = static_cast<int>(path->links.size()) - 1;
    d.mimic = {};
    path->links.push_back(s.links[d.child]);
    d.child = d.parent + 1;
    path->joints.push_back(d);
  }
  return path;
}

void compareChains(const std::string& name, const figure::Skeleton& s) {
  Comparison comparison("KDL", name + " chains", false);
  for (int leaf = 0; leaf < static_cast<int>(s.links.size()); leaf++) {
    const bool inner = std::any_of(s.joints.begin(), s.joints.end(), [&](const auto& j) { return !j.loop && j.parent == leaf; });
    if (inner) continue;
    const auto skeleton = pathTo(s, leaf);
    const auto model = figure::makeFigureModel(skeleton, figure::BaseKind::Fixed, false);
    const int n = model->nv();
    if (n == 0 || model->bodies.back().mass == 0) continue;  // a massless tip: M is singular
    KDL::Chain chain;
    for (std::size_t j = 0; j < skeleton->joints.size(); j++) chain.addSegment(segment(*skeleton, static_cast<int>(j)));
    KDL::ChainDynParam parameters(chain, toKdl(kOracleGravity));
    KDL::ChainFdSolver_RNE forward(chain, toKdl(kOracleGravity));
    figure::FigureWorkspace work(model);
    Random r(leaf);
    for (int k = 0; k < kOracleStates; k++) {
      const State state = randomState(r, *model);
      KDL::JntArray q(n), v(n), tau(n), a(n), coriolis(n), gravity(n);
      for (int i = 0; i < n; i++) q(i) = state.q[i], v(i) = state.v[i], tau(i) = state.tau[i];
      KDL::JntSpaceInertiaMatrix M(n);
      Answers o;
      REQUIRE(parameters.JntToMass(q, M) == 0);
      REQUIRE(parameters.JntToCoriolis(q, v, coriolis) == 0);
      REQUIRE(parameters.JntToGravity(q, gravity) == 0);
      REQUIRE(forward.CartToJnt(q, v, tau, KDL::Wrenches(chain.getNrOfSegments()), a) == 0);
      o.M = M.data;
      o.bias = coriolis.data + gravity.data;
      o.gravity = gravity.data;
      o.a = a.data;
      comparison.compare(ourAnswers(work, state), o);
    }
  }
}

void compareWithKdl(const std::string& name, std::shared_ptr<const figure::Skeleton> skeleton) {
  const auto model = figure::makeFigureModel(skeleton, figure::BaseKind::Fixed, false);
  figure::FigureWorkspace work(model);
  KdlTree kdl(*skeleton, *model);
  {
    Comparison comparison("KDL", name, false);
    Random r(44);
    for (int k = 0; k < kOracleStates; k++) {
      const State s = randomState(r, *model);
      comparison.compare(ourAnswers(work, s), kdl.answers(s));
    }
  }
  compareChains(name, *skeleton);
}

}  // namespace

TEST_CASE("KDL agrees on random trees of one-axis joints") {
  for (std::uint64_t seed = 1; seed <= 4; seed++) {
    RandomSkeletonOptions options;
    options.links = 20;
    options.armature = false;
    options.types = {dynamics::JointType::Revolute, dynamics::JointType::Prismatic, dynamics::JointType::Continuous,
                     dynamics::JointType::Fixed};
    compareWithKdl("random" + std::to_string(seed), randomSkeleton(seed, options));
  }
}

TEST_CASE("KDL agrees on our own robots") {
  for (const Robot& robot : ownRobots()) compareWithKdl(robot.name, loadRobot(robot));
}

TEST_CASE("KDL agrees on real robots") {
  REQUIRE_SHARED_DATA();
  for (const Robot& robot : realRobots()) compareWithKdl(robot.name, loadRobot(robot));
}
