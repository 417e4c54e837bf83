// Agreement with DART, which reads the same URDF files with its own reader. DART's free joint has the root's twist in the root's own
// axes, angular part first: theirs = T ours with T = [0 R^T; R^T 0]; its acceleration is the time derivative of that.
#include <dart/dart.hpp>
#include <dart/utils/urdf/urdf.hpp>
#include <fstream>
#include <sstream>

#include "tests/oracles/oracle.hpp"

using namespace vertebra;
using namespace test;

namespace {

// The text without all elements of one name: geometry needs files and does not affect dynamics.
std::string without(std::string text, const std::string& tag) {
  for (std::size_t from = 0, at; (at = text.find("<" + tag, from)) != std::string::npos;) {
    const char next = text[at + 1 + tag.size()];
    if (next != '>' && next != ' ' && next != '/' && next != '\n' && next != '\t') {
      from = at + 1;
      continue;
    }
    const std::size_t close = text.find('>', at);
    const std::size_t end = text[close - 1] == '/' ? close + 1 : text.find("</" + tag + ">", at) + tag.size() + 3;
    text.erase(at, end - at);
  }
  return text;
}

class Dart {
 public:
  Dart(const Robot& robot, const figure::Skeleton& skeleton, const figure::FigureModel& model) : skeleton_(skeleton), model_(model) {
    std::ifstream file(robot.file);
    std::stringstream text;
    text << file.rdbuf();
    using Loader = dart::utils::DartLoader;
    Loader::Options options;
    options.mDefaultRootJointType = model.coordinates.floatingBase ? Loader::RootJointType::FLOATING : Loader::RootJointType::FIXED;
    // For links without <inertial>, which have none in ours; DART wants a positive mass.
    options.mDefaultInertia = dart::dynamics::Inertia(1e-15, Eigen::Vector3d::Zero(), 1e-18 * Eigen::Matrix3d::Identity());
    Loader loader(options);
    dart_ = loader.parseSkeletonString(without(without(text.str(), "visual"), "collision"), dart::common::Uri("file:///"));
    REQUIRE(dart_);
    dart_->setGravity(kOracleGravity);
    const int nv = model.nv();
    REQUIRE(static_cast<int>(dart_->getNumDofs()) == nv);
    for (int k = 0; k < nv; k++) {
      auto* dof = dart_->getDof(k);
      dof->setDampingCoefficient(0);
      dof->setCoulombFriction(0);
      dof->setSpringStiffness(0);
      dof->getJoint()->setActuatorType(dart::dynamics::Joint::FORCE);  // mimic joints too
      const int joint = skeleton.findJoint(dof->getJoint()->getName());
      REQUIRE((joint >= 0 || model.coordinates.floatingBase));
      dofOf_.push_back(joint >= 0 ? model.coordinates.jointV(joint) : -1);
    }
  }

  Answers answers(const State& s) {
    const int nv = model_.nv();
    const bool floating = model_.coordinates.floatingBase;
    Answers o;
    Matrix T = Matrix::Zero(nv, nv);
    Vector q = Vector::Zero(nv), drift = Vector::Zero(nv);  // their acceleration = T a + drift
    for (int k = 0; k < nv; k++)
      if (dofOf_[k] >= 0) {
        T(k, dofOf_[k]) = 1;
        q[k] = s.q[dofOf_[k] + (floating ? 1 : 0)];  // one-axis joints only, so the base's quaternion makes the difference
      }
    if (floating) {
      Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
      const Mat3 R = Quat(s.q[6], s.q[3], s.q[4], s.q[5]).toRotationMatrix();
      pose.linear() = R;
      pose.translation() = Vec3(s.q[0], s.q[1], s.q[2]);
      const int at = static_cast<int>(dart_->getRootJoint()->getIndexInSkeleton(0));
      q.segment<6>(at) = dart::dynamics::FreeJoint::convertToPositions(pose);
      T.block<3, 3>(at, 3) = R.transpose();
      T.block<3, 3>(at + 3, 0) = R.transpose();
      drift.segment<3>(at + 3) = -R.transpose() * Vec3(s.v[3], s.v[4], s.v[5]).cross(Vec3(s.v[0], s.v[1], s.v[2]));
    }
    const auto ours = [&](const std::vector<double>& x) { return Eigen::Map<const Vector>(x.data(), nv); };
    dart_->setPositions(q);
    dart_->setVelocities(T * ours(s.v));
    for (std::size_t l = 0; l < skeleton_.links.size(); l++) {
      const auto* body = dart_->getBodyNode(skeleton_.links[l].name);
      if (!body) {  // DART treats a root link "world" as the world itself
        REQUIRE(static_cast<int>(l) == skeleton_.root);
        o.poses.push_back({});
        o.twists.push_back(Vec6::Zero());
        continue;
      }
      const auto& x = body->getWorldTransform();
      o.poses.push_back({x.translation(), Quat(Mat3(x.linear()))});
      Vec6 t;
      t << body->getLinearVelocity(), body->getAngularVelocity();
      o.twists.push_back(t);
    }
    o.M = T.transpose() * dart_->getMassMatrix() * T;
    const auto inverse = [&](const Vector& a) {
      dart_->setAccelerations(a);
      dart_->computeInverseDynamics();
      return Vector(T.transpose() * dart_->getForces());
    };
    o.tau = inverse(T * ours(s.a) + drift);
    o.bias = inverse(drift);
    o.gravity = T.transpose() * dart_->getGravityForces();
    dart_->setForces(T.transpose().inverse() * ours(s.tau));
    dart_->computeForwardDynamics();
    o.a = T.inverse() * (dart_->getAccelerations() - drift);
    o.com = dart_->getCOM();
    o.kinetic = dart_->computeKineticEnergy();
    // Not computePotentialEnergy(), which uses a body's frame as its centre of mass.
    o.potential = -dart_->getMass() * kOracleGravity.dot(dart_->getCOM());
    return o;
  }

 private:
  const figure::Skeleton& skeleton_;
  const figure::FigureModel& model_;
  dart::dynamics::SkeletonPtr dart_;
  std::vector<int> dofOf_;  // DART's degree of freedom -> our velocity; -1 for the base
};

void compareWithDart(const Robot& robot) {
  const auto skeleton = loadRobot(robot);
  for (const figure::BaseKind base : {figure::BaseKind::Fixed, figure::BaseKind::Floating}) {
    if (base == figure::BaseKind::Floating && !skeleton->floatingByDefault) continue;  // DART fixes a link "world"
    const auto model = figure::makeFigureModel(skeleton, base, false);
    figure::FigureWorkspace work(model);
    Dart dart(robot, *skeleton, *model);
    Comparison comparison("DART", robot.name, base == figure::BaseKind::Floating);
    Random r(43);
    for (int k = 0; k < kOracleStates; k++) {
      const State s = randomState(r, *model);
      comparison.compare(ourAnswers(work, s), dart.answers(s));
    }
  }
}

}  // namespace

TEST_CASE("DART agrees on our own robots") {
  for (const Robot& robot : ownRobots()) compareWithDart(robot);
}

TEST_CASE("DART agrees on real robots") {
  REQUIRE_SHARED_DATA();
  for (const Robot& robot : realRobots()) compareWithDart(robot);
}
