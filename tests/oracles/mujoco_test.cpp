// Agreement with MuJoCo, at random states. The model is MJCF text written from our skeleton, so the test compares dynamics, not the reading
// of files. A MuJoCo body's frame is the child's joint frame; hinges, slides and balls represent all joints but inner floating ones. Its
// free joint has velocities v (world) and omega (body): ours = T^-1 theirs, T = diag(1, R^T).
#include <mujoco/mujoco.h>

#include <cstring>

#include "tests/oracles/oracle.hpp"

using namespace vertebra;
using namespace test;

namespace {

struct Text {
  std::string s;
  Text& operator<<(const std::string& x) {
    s += x;
    return *this;
  }
  Text& operator<<(double x) {
    char b[40];
    std::snprintf(b, sizeof b, " %.17g", x);
    s += b;
    return *this;
  }
  Text& operator<<(const Vec3& x) { return *this << x[0] << x[1] << x[2]; }
  Text& operator<<(const Quat& q) { return *this << q.w() << q.x() << q.y() << q.z(); }
};

class Mujoco {
 public:
  Mujoco(const figure::Skeleton& skeleton, const figure::FigureModel& model) : skeleton_(skeleton), model_(model) {
    Text t;
    t << "<mujoco><compiler angle=\"radian\" coordinate=\"local\" inertiafromgeom=\"false\" balanceinertia=\"true\"/><size nconmax=\"0\" "
         "njmax=\"10\"/><option gravity=\""
      << kOracleGravity << "\"><flag constraint=\"disable\" contact=\"disable\"/></option><worldbody>";
    write(t, skeleton.root, -1);
    t << "</worldbody></mujoco>";
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    REQUIRE(mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(t.s.size())) == 0);
    std::memcpy(files->filedata[0], t.s.data(), t.s.size());
    char error[500] = "";
    m_ = mj_loadXML("model.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    INFO(error);
    REQUIRE(m_);
    d_ = mj_makeData(m_);
    // Some real files have inertias that violate the triangle inequality; the compiler "balances" them, so they are restored.
    for (std::size_t l = 0; l < skeleton.links.size(); l++) {
      if (skeleton.links[l].mass == 0) continue;
      const Vec3 moments = Eigen::SelfAdjointEigenSolver<Mat3>(skeleton.links[l].inertia).eigenvalues();
      double* inertia = m_->body_inertia + 3 * mj_name2id(m_, mjOBJ_BODY, bodyName(static_cast<int>(l)).c_str());
      for (int k = 0; k < 3; k++) inertia[k] = moments[k];
    }
    mj_setConst(m_, d_);
    REQUIRE(m_->nv == model.nv());
    REQUIRE(m_->nq == model.nq());
  }
  ~Mujoco() {
    mj_deleteData(d_);
    mj_deleteModel(m_);
  }

  Answers answers(const State& s) {
    const int nv = m_->nv;
    Answers o;
    Matrix T = Matrix::Zero(nv, nv);  // theirs = T ours
    set(s, T);
    mj_forward(m_, d_);
    for (std::size_t l = 0; l < skeleton_.links.size(); l++) {
      const int body = mj_name2id(m_, mjOBJ_BODY, bodyName(static_cast<int>(l)).c_str());
      const double *x = d_->xpos + 3 * body, *q = d_->xquat + 4 * body;
      const Pose inBody = linkInBody(static_cast<int>(l));
      const Pose pose{Vec3(x[0], x[1], x[2]), Quat(q[0], q[1], q[2], q[3])};
      o.poses.push_back(pose * inBody);
      double twist[6];
      mj_objectVelocity(m_, d_, mjOBJ_XBODY, body, twist, 0);
      const Vec3 w(twist[0], twist[1], twist[2]), v(twist[3], twist[4], twist[5]);
      Vec6 t;
      t << v + w.cross(pose.q * inBody.p), w;
      o.twists.push_back(t);
    }
    Matrix M(nv, nv);
    mj_fullM(m_, M.data(), d_->qM);
    o.M = T.transpose() * M * T;
    o.bias = T.transpose() * Eigen::Map<Vector>(d_->qfrc_bias, nv);
    o.a = T.inverse() * Eigen::Map<Vector>(d_->qacc, nv);
    o.com = Vec3(d_->subtree_com[0], d_->subtree_com[1], d_->subtree_com[2]);
    Eigen::Map<Vector>(d_->qacc, nv) = T * Eigen::Map<const Vector>(s.a.data(), nv);
    mj_inverse(m_, d_);
    o.tau = T.transpose() * Eigen::Map<Vector>(d_->qfrc_inverse, nv);
    State still = s;
    std::fill(still.v.begin(), still.v.end(), 0.0);
    set(still, T);
    mj_forward(m_, d_);
    o.gravity = T.transpose() * Eigen::Map<Vector>(d_->qfrc_bias, nv);
    return o;
  }

 private:
  static std::string bodyName(int link) { return "link " + std::to_string(link); }  // "world" is MuJoCo's own
  int jointOf(int link) const {
    for (std::size_t j = 0; j < skeleton_.joints.size(); j++)
      if (!skeleton_.joints[j].loop && skeleton_.joints[j].child == link) return static_cast<int>(j);
    return -1;
  }
  Pose linkInBody(int link) const {
    const int j = jointOf(link);
    return j < 0 ? Pose{} : skeleton_.joints[j].inChild.inverse();
  }
  void write(Text& t, int link, int joint) {
    const figure::LinkDescription& l = skeleton_.links[link];
    const Pose inBody = linkInBody(link);
    t << "<body name=\"" + bodyName(link) + "\"";
    if (joint >= 0) {
      const figure::JointDescription& j = skeleton_.joints[joint];
      const Pose at = linkInBody(j.parent) * j.inParent;
      t << " pos=\"" << at.p << "\" quat=\"" << at.q << "\"";
    }
    t << ">";
    if (l.mass > 0) {
      const Eigen::SelfAdjointEigenSolver<Mat3> solver(l.inertia);
      Mat3 axes = solver.eigenvectors();
      if (axes.determinant() < 0) axes.col(0) = -axes.col(0);
      t << "<inertial mass=\"" << l.mass << "\" pos=\"" << Vec3(inBody * l.com) << "\" quat=\"" << Quat(inBody.q * Quat(axes))
        << "\" diaginertia=\"" << Vec3(solver.eigenvalues()) << "\"/>";
    } else {
      t << "<inertial mass=\"0\" pos=\"0 0 0\" diaginertia=\"0 0 0\"/>";
    }
    if (joint >= 0) {
      const figure::JointDescription& j = skeleton_.joints[joint];
      int axis = 0;
      const auto add = [&](const char* type, const Vec3& direction) {
        t << "<joint name=\"" + j.name + "." + std::to_string(axis) + "\" type=\"" + type + "\" axis=\"" << direction << "\" armature=\""
          << j.axes[axis].armature << "\"/>";
        axis++;
      };
      const Quat turn = quatBetween(Vec3::UnitZ(), j.axis);
      switch (j.type) {
        case dynamics::JointType::Fixed:
        case dynamics::JointType::FreeRoot:  // not a joint that a skeleton has
          break;
        case dynamics::JointType::Revolute:
        case dynamics::JointType::Continuous:
          add("hinge", j.axis);
          break;
        case dynamics::JointType::Prismatic:
          add("slide", j.axis);
          break;
        case dynamics::JointType::Universal:
          add("hinge", j.axis);
          add("hinge", j.axis2);
          break;
        case dynamics::JointType::Planar:
          add("slide", turn * Vec3::UnitX());
          add("slide", turn * Vec3::UnitY());
          add("hinge", j.axis);
          break;
        case dynamics::JointType::Spherical:
          add("ball", Vec3::UnitZ());
          break;
        case dynamics::JointType::Cylindrical:
          add("hinge", j.axis);
          add("slide", j.axis);
          break;
        case dynamics::JointType::Wheel:
          add("slide", j.axis);
          add("hinge", j.axis);
          add("hinge", j.axis2);
          break;
        case dynamics::JointType::Screw:
          FAIL("MuJoCo has no screw joint");
        case dynamics::JointType::Floating:
          FAIL("MuJoCo has no inner floating joint");
      }
      for (; axis < dynamics::jointNv(j.type); axis++) REQUIRE((axis == 0 || j.type == dynamics::JointType::Spherical));
    } else if (model_.coordinates.floatingBase) {
      t << "<freejoint name=\"base\"/>";
    }
    for (std::size_t j = 0; j < skeleton_.joints.size(); j++)
      if (!skeleton_.joints[j].loop && skeleton_.joints[j].parent == link) write(t, skeleton_.joints[j].child, static_cast<int>(j));
    t << "</body>";
  }
  // Positions, velocities and applied forces in MuJoCo's order.
  void set(const State& s, Matrix& T) {
    T.setZero();
    for (const figure::CoordinatePart& part : model_.coordinates.parts) {
      const std::string name = part.joint < 0 ? "base" : skeleton_.joints[part.joint].name + ".0";
      const int id = mj_name2id(m_, mjOBJ_JOINT, name.c_str());
      REQUIRE(id >= 0);
      double* q = d_->qpos + m_->jnt_qposadr[id];
      const int v = m_->jnt_dofadr[id], nq = dynamics::jointNq(part.type);
      for (int k = 0; k < nq; k++) q[k] = s.q[part.q + k];
      T.block(v, part.v, dynamics::jointNv(part.type), dynamics::jointNv(part.type)).setIdentity();
      if (nq == dynamics::jointNv(part.type)) continue;
      double* r = q + nq - 4;  // x y z w -> w x y z
      std::rotate(r, r + 3, r + 4);
      if (part.joint < 0) T.block(v + 3, part.v + 3, 3, 3) = Quat(r[0], r[1], r[2], r[3]).toRotationMatrix().transpose();
    }
    const int nv = m_->nv;
    Eigen::Map<Vector>(d_->qvel, nv) = T * Eigen::Map<const Vector>(s.v.data(), nv);
    Eigen::Map<Vector>(d_->qfrc_applied, nv) = T.transpose().inverse() * Eigen::Map<const Vector>(s.tau.data(), nv);
  }

  const figure::Skeleton& skeleton_;
  const figure::FigureModel& model_;
  mjModel* m_ = nullptr;
  mjData* d_ = nullptr;
};

void compareWithMujoco(const std::string& name, std::shared_ptr<const figure::Skeleton> skeleton) {
  for (const figure::BaseKind base : {figure::BaseKind::Fixed, figure::BaseKind::Floating}) {
    const auto model = figure::makeFigureModel(skeleton, base, false);
    figure::FigureWorkspace work(model);
    Mujoco mujoco(*skeleton, *model);
    Comparison comparison("MuJoCo", name, base == figure::BaseKind::Floating);
    Random r(42);
    for (int k = 0; k < kOracleStates; k++) {
      const State s = randomState(r, *model);
      comparison.compare(ourAnswers(work, s), mujoco.answers(s));
    }
  }
}

}  // namespace

TEST_CASE("MuJoCo agrees on random trees with every joint it has") {
  for (std::uint64_t seed = 1; seed <= 6; seed++) {
    RandomSkeletonOptions options;
    options.links = 8 + 4 * static_cast<int>(seed);
    options.massless = false;
    options.types = {dynamics::JointType::Revolute,   dynamics::JointType::Spherical,   dynamics::JointType::Prismatic,
                     dynamics::JointType::Universal,  dynamics::JointType::Cylindrical, dynamics::JointType::Wheel,
                     dynamics::JointType::Continuous, dynamics::JointType::Planar,      dynamics::JointType::Fixed};
    auto skeleton = randomSkeleton(seed, options);
    for (figure::JointDescription& j : skeleton->joints) {
      if (j.type == dynamics::JointType::Spherical)  // a ball has one armature for its three axes
        for (int k = 1; k < 3; k++) j.axes[k].armature = j.axes[0].armature;
      REQUIRE((j.type != dynamics::JointType::Planar || j.axes[1].armature == 0));
    }
    compareWithMujoco("random" + std::to_string(seed), skeleton);
  }
}

TEST_CASE("MuJoCo agrees on our own robots") {
  for (const Robot& robot : ownRobots()) compareWithMujoco(robot.name, loadRobot(robot));
}

TEST_CASE("MuJoCo agrees on real robots") {
  REQUIRE_SHARED_DATA();
  for (const Robot& robot : realRobots())
    if (robot.name != "icub") compareWithMujoco(robot.name, loadRobot(robot));  // MuJoCo rejects its massless moving links
}
