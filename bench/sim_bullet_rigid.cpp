// Bullet in maximal coordinates (rigid bodies, constraints by sequential impulses) on the scenes of the benchmark.
// options: iters= (10)
#include "bench/bullet.hpp"

namespace {

using namespace bench;

// The process ends with the run, so objects that Bullet leaves to its user to delete are not deleted.
class BulletRigid : public Engine {
 public:
  std::string name() override { return bulletName("rigid"); }

  void build(const Scene& scene, const Arguments& a) override {
    scene_ = scene;
    step_ = a.step;
    iterations_ = static_cast<int>(a.number("iters", 10));
    world_.setGravity(btVector3(0, 0, btScalar(-kGravity)));
    world_.getSolverInfo().m_numIterations = iterations_;
    // For a pair Bullet takes the product of both frictions.
    const double friction = scene_.bodiesCollide ? std::sqrt(scene_.friction) : scene_.friction;
    if (scene_.ground) addGround(world_, scene_.bodiesCollide ? friction : 1);
    for (const Body& b : scene_.bodies) {
      btRigidBody::btRigidBodyConstructionInfo info(btScalar(b.mass), nullptr, makeShape(b), toBullet(b.inertia));
      info.m_startWorldTransform = poseOf(b);
      info.m_friction = btScalar(friction);
      auto* body = new btRigidBody(info);
      body->setDamping(0, 0);
      body->setActivationState(DISABLE_DEACTIVATION);
      body->setFlags(body->getFlags() | BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
      const Filter filter = filterOf(scene_, b);
      world_.addRigidBody(body, static_cast<int>(filter.group), scene_.ground ? static_cast<int>(filter.mask) : 0);
      bodies_.push_back(body);
    }
    for (const Joint& j : scene_.joints) addJoint(j);
  }

  void step() override {
    for (std::size_t i = 0; i < springs_.size(); i++) {
      const Joint& j = springs_[i];
      const State a = get(j.parent), b = get(j.child);
      const Vec r = rotate(a.orientation, rotationVector(conjugate(a.orientation) * b.orientation * conjugate(rest_[i])));
      const btVector3 torque = toBullet((-j.stiffness) * r + (-j.damping) * (b.omega - a.omega));
      bodies_[j.child]->applyTorque(torque);
      bodies_[j.parent]->applyTorque(-torque);
    }
    world_.stepSimulation(btScalar(step_), 0, btScalar(step_));
  }

  State get(int i) override {
    const btRigidBody& b = *bodies_[i];
    return stateOf(b.getWorldTransform(), b.getLinearVelocity(), b.getAngularVelocity());
  }

  std::string notes() override {
    return bulletNotes(dispatcher_, scene_, iterations_) + ", damping 0" + (springs_.empty() ? "" : ", springs as explicit torques");
  }

 private:
  // The frame at a joint's anchor with these axes, in a body (or the world).
  btTransform frame(int body, Vec anchor, Vec x, Vec y, Vec z) const {
    const btMatrix3x3 axes(btScalar(x.x), btScalar(y.x), btScalar(z.x), btScalar(x.y), btScalar(y.y), btScalar(z.y), btScalar(x.z),
                           btScalar(y.z), btScalar(z.z));
    const btTransform world(axes, toBullet(anchor));
    if (body < 0) return world;
    return poseOf(scene_.bodies[body]).inverse() * world;
  }

  void addJoint(const Joint& j) {
    static btRigidBody fixed(0, nullptr, nullptr);
    btRigidBody &parent = j.parent < 0 ? fixed : *bodies_[j.parent], &child = *bodies_[j.child];
    const Vec along = unit(j.axis), across = perpendicular(along), third = cross(along, across);
    const auto hingeFrame = [&](int body) { return frame(body, j.anchor, across, third, along); };
    const auto ballFrame = [&](int body) { return frame(body, j.anchor, along, across, third); };
    if (j.type == JointType::hinge) {
      auto* hinge = new btHingeConstraint(parent, child, hingeFrame(j.parent), hingeFrame(j.child));
      if (j.limited) hinge->setLimit(btScalar(-j.upper), btScalar(-j.lower));
      world_.addConstraint(hinge, true);
    } else if (j.type == JointType::ball) {
      if (j.limited) {
        auto* cone = new btConeTwistConstraint(parent, child, ballFrame(j.parent), ballFrame(j.child));
        cone->setLimit(btScalar(j.cone), btScalar(j.cone), btScalar(j.twist));
        world_.addConstraint(cone, true);
      } else {
        const btVector3 inParent = ballFrame(j.parent).getOrigin(), inChild = ballFrame(j.child).getOrigin();
        world_.addConstraint(new btPoint2PointConstraint(parent, child, inParent, inChild), true);
      }
      if (j.stiffness > 0) {
        springs_.push_back(j);
        rest_.push_back(conjugate(scene_.bodies[j.parent].orientation) * scene_.bodies[j.child].orientation);
      }
    } else {
      child.setMassProps(0, btVector3(0, 0, 0));  // welded to the world
    }
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  Scene scene_;
  double step_ = 0;
  int iterations_ = 0;
  std::vector<btRigidBody*> bodies_;
  std::vector<Joint> springs_;
  std::vector<Quat> rest_;
};

}  // namespace

int main(int argc, char** argv) { return bench::run<BulletRigid>(argc, argv); }
