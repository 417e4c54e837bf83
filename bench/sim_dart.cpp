// DART (reduced coordinates) on the scenes of the benchmark.
// options: col=bullet|ode|fcl|dart, the collision detector
#include <dart/collision/bullet/bullet.hpp>
#include <dart/collision/ode/ode.hpp>
#include <dart/dart.hpp>

#include "bench/harness.hpp"

namespace {

using namespace bench;
namespace dynamics = dart::dynamics;

Eigen::Vector3d toEigen(Vec a) { return {a.x, a.y, a.z}; }
Vec fromEigen(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }
Eigen::Isometry3d toEigen(Vec p, Quat q) {
  Eigen::Isometry3d t = Eigen::Isometry3d::Identity();
  t.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
  t.translation() = toEigen(p);
  return t;
}
// A rotation whose third axis is the joint's.
Quat alongZ(Vec axis) {
  const Vec z = unit(axis), x = perpendicular(z), y = cross(z, x);
  Eigen::Matrix3d m;
  m << x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z;
  const Eigen::Quaterniond q(m);
  return {q.w(), q.x(), q.y(), q.z()};
}

class Dart : public Engine {
 public:
  std::string name() override { return "dart"; }

  void build(const Scene& scene, const Arguments& a) override {
    scene_ = scene;
    world_->setTimeStep(a.step);
    world_->setGravity(Eigen::Vector3d(0, 0, -kGravity));
    // With the default of 1000 a larger pile falls through the ground.
    world_->getConstraintSolver()->getCollisionOption().maxNumContacts = 100000;
    if (scene_.ground) addGround(a.text("col", "bullet"));
    std::vector<int> jointOf(scene_.bodies.size(), -1);
    for (std::size_t k = 0; k < scene_.joints.size(); k++) jointOf[scene_.joints[k].child] = static_cast<int>(k);
    for (std::size_t i = 0; i < scene_.bodies.size(); i++) {
      const Body& b = scene_.bodies[i];
      if (jointOf[i] < 0) {
        makeSkeleton(b.name);
        const auto [joint, node] = skeleton_->createJointAndBodyNodePair<dynamics::FreeJoint>();
        joint->setTransform(toEigen(b.position, b.orientation));
        fill(node, b);
      } else {
        if (!skeleton_) makeSkeleton(b.name);
        addJoint(scene_.joints[jointOf[i]], b);
      }
    }
  }

  void step() override { world_->step(); }

  State get(int i) override {
    const Eigen::Isometry3d& t = nodes_[i]->getWorldTransform();
    const Eigen::Quaterniond q(t.linear());
    return {fromEigen(t.translation()),
            {q.w(), q.x(), q.y(), q.z()},
            fromEigen(nodes_[i]->getCOMLinearVelocity()),
            fromEigen(nodes_[i]->getAngularVelocity())};
  }

  std::string notes() override {
    if (!scene_.ground) return "double";
    return "double; collisions by " + world_->getConstraintSolver()->getCollisionDetector()->getType() + ", contacts " +
           std::to_string(world_->getLastCollisionResult().getNumContacts());
  }

 private:
  void addGround(const std::string& detector) {
    auto* solver = world_->getConstraintSolver();
    if (detector == "bullet") solver->setCollisionDetector(dart::collision::BulletCollisionDetector::create());
    if (detector == "ode") solver->setCollisionDetector(dart::collision::OdeCollisionDetector::create());
    if (detector == "dart") solver->setCollisionDetector(dart::collision::DARTCollisionDetector::create());
    const auto ground = dynamics::Skeleton::create("ground");
    const auto [joint, node] = ground->createJointAndBodyNodePair<dynamics::WeldJoint>();
    joint->setTransformFromParentBodyNode(toEigen({0, 0, -1}, {}));
    addShape(node, std::make_shared<dynamics::BoxShape>(Eigen::Vector3d(100, 100, 2)));
    world_->addSkeleton(ground);
  }

  void makeSkeleton(const std::string& name) {
    skeleton_ = dynamics::Skeleton::create("figure " + name);
    skeleton_->disableSelfCollisionCheck();
    world_->addSkeleton(skeleton_);
  }

  void addShape(dynamics::BodyNode* node, const dynamics::ShapePtr& shape) const {
    auto* shapeNode = node->createShapeNodeWith<dynamics::CollisionAspect, dynamics::DynamicsAspect>(shape);
    shapeNode->getDynamicsAspect()->setFrictionCoeff(scene_.friction);
  }

  void fill(dynamics::BodyNode* node, const Body& b) {
    node->setInertia(dynamics::Inertia(b.mass, Eigen::Vector3d::Zero(), toEigen(b.inertia).asDiagonal()));
    nodes_.push_back(node);
    if (!scene_.ground) return;
    if (b.shape == Shape::capsule)
      addShape(node, std::make_shared<dynamics::CapsuleShape>(b.size.x, 2 * b.size.z));
    else if (b.shape == Shape::box)
      addShape(node, std::make_shared<dynamics::BoxShape>(2 * toEigen(b.size)));
    else
      addShape(node, std::make_shared<dynamics::SphereShape>(b.size.x));
  }

  void addJoint(const Joint& j, const Body& b) {
    dynamics::BodyNode* parent = j.parent < 0 ? nullptr : nodes_[j.parent];
    const Vec parentPosition = j.parent < 0 ? Vec{} : scene_.bodies[j.parent].position;
    const Quat parentOrientation = j.parent < 0 ? Quat{} : scene_.bodies[j.parent].orientation;
    dynamics::Joint* joint = nullptr;
    dynamics::BodyNode* node = nullptr;
    const auto make = [&](const auto& pair) {
      joint = pair.first;
      node = pair.second;
    };
    if (j.type == JointType::hinge) {
      dynamics::RevoluteJoint::Properties properties;
      properties.mAxis = Eigen::Vector3d::UnitZ();
      make(skeleton_->createJointAndBodyNodePair<dynamics::RevoluteJoint>(parent, properties));
    } else if (j.type == JointType::ball) {
      make(skeleton_->createJointAndBodyNodePair<dynamics::BallJoint>(parent));
    } else {
      make(skeleton_->createJointAndBodyNodePair<dynamics::WeldJoint>(parent));
    }
    const Quat frame = alongZ(j.axis);
    joint->setTransformFromParentBodyNode(
        toEigen(rotate(conjugate(parentOrientation), j.anchor - parentPosition), conjugate(parentOrientation) * frame));
    joint->setTransformFromChildBodyNode(
        toEigen(rotate(conjugate(b.orientation), j.anchor - b.position), conjugate(b.orientation) * frame));
    fill(node, b);
    for (std::size_t d = 0; d < joint->getNumDofs(); d++) {
      joint->setDampingCoefficient(d, j.damping);
      joint->setSpringStiffness(d, j.stiffness);
      joint->setRestPosition(d, 0);
      if (!j.limited) continue;
      const double ball = d == 2 ? j.twist : j.cone;
      joint->setPositionLowerLimit(d, j.type == JointType::hinge ? j.lower : -ball);
      joint->setPositionUpperLimit(d, j.type == JointType::hinge ? j.upper : ball);
    }
    if (j.limited) joint->setLimitEnforcement(true);
  }

  dart::simulation::WorldPtr world_ = dart::simulation::World::create();
  Scene scene_;
  dynamics::SkeletonPtr skeleton_;
  std::vector<dynamics::BodyNode*> nodes_;
};

}  // namespace

int main(int argc, char** argv) { return bench::run<Dart>(argc, argv); }
