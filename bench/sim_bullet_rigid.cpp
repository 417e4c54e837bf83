// Bullet in maximal coordinates (rigid bodies, constraints by sequential impulses) on the scenes of the benchmark.
// options: iters= (10)
#include <btBulletDynamicsCommon.h>

#include "bench/harness.hpp"

namespace {

using namespace bench;

btVector3 toBullet(Vec a) { return btVector3(btScalar(a.x), btScalar(a.y), btScalar(a.z)); }
btQuaternion toBullet(Quat q) { return btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)); }
Vec fromBullet(const btVector3& a) { return {a.x(), a.y(), a.z()}; }

constexpr int kGroundGroup = 1, kBodyGroup = 2;

// The process ends with the run, so what Bullet leaves to its user to delete is left.
class BulletRigid : public Engine {
 public:
  std::string name() override {
    return "bullet-" + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100) + "-rigid";
  }

  void build(const Scene& scene, const Arguments& a) override {
    scene_ = scene;
    step_ = a.step;
    iterations_ = static_cast<int>(a.number("iters", 10));
    world_.setGravity(btVector3(0, 0, btScalar(-kGravity)));
    world_.getSolverInfo().m_numIterations = iterations_;
    // A pair takes the product of both frictions.
    const double friction = scene_.bodiesCollide ? std::sqrt(scene_.friction) : scene_.friction;
    if (scene_.ground) {
      auto* ground = new btRigidBody(0, nullptr, new btStaticPlaneShape(btVector3(0, 0, 1), 0));
      ground->setFriction(btScalar(scene_.bodiesCollide ? friction : 1));
      world_.addRigidBody(ground, kGroundGroup, kBodyGroup);
    }
    const int mask = !scene_.ground ? 0 : scene_.bodiesCollide ? kGroundGroup | kBodyGroup : kGroundGroup;
    for (const Body& b : scene_.bodies) {
      btRigidBody::btRigidBodyConstructionInfo info(btScalar(b.mass), nullptr, makeShape(b), toBullet(b.inertia));
      info.m_startWorldTransform = btTransform(toBullet(b.orientation), toBullet(b.position));
      info.m_friction = btScalar(friction);
      auto* body = new btRigidBody(info);
      body->setDamping(0, 0);
      body->setActivationState(DISABLE_DEACTIVATION);
      body->setFlags(body->getFlags() | BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY);
      world_.addRigidBody(body, kBodyGroup, mask);
      bodies_.push_back(body);
    }
    for (const Joint& j : scene_.joints) addJoint(j);
  }

  void step() override {
    for (std::size_t i = 0; i < springs_.size(); i++) {
      const Joint& j = springs_[i];
      const State a = get(j.parent), b = get(j.child);
      const Vec r = rotate(a.orientation, rotationVector(conjugate(a.orientation) * b.orientation * conjugate(rest_[i])));
      const btVector3 torque = toBullet((-j.stiffness) * r + (-j.damping) * (b.spin - a.spin));
      bodies_[j.child]->applyTorque(torque);
      bodies_[j.parent]->applyTorque(-torque);
    }
    world_.stepSimulation(btScalar(step_), 0, btScalar(step_));
  }

  State get(int i) override {
    const btTransform t = bodies_[i]->getWorldTransform();
    const btQuaternion q = t.getRotation();
    return {fromBullet(t.getOrigin()),
            {q.w(), q.x(), q.y(), q.z()},
            fromBullet(bodies_[i]->getLinearVelocity()),
            fromBullet(bodies_[i]->getAngularVelocity())};
  }

  std::string notes() override {
    int contacts = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); i++) contacts += dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
    return std::string(sizeof(btScalar) == 8 ? "double" : "float") + "; iterations " + std::to_string(iterations_) + ", damping 0" +
           (scene_.ground ? ", contacts " + std::to_string(contacts) : "") + (springs_.empty() ? "" : ", springs as explicit torques");
  }

 private:
  static btCollisionShape* makeShape(const Body& b) {
    if (b.shape == Shape::capsule) return new btCapsuleShapeZ(btScalar(b.size.x), btScalar(2 * b.size.z));
    if (b.shape == Shape::box) return new btBoxShape(toBullet(b.size));
    return new btSphereShape(btScalar(b.size.x));
  }

  // The frame at a joint's anchor with these axes, in a body (or the world).
  btTransform frame(int body, Vec anchor, Vec x, Vec y, Vec z) const {
    const btMatrix3x3 axes(btScalar(x.x), btScalar(y.x), btScalar(z.x), btScalar(x.y), btScalar(y.y), btScalar(z.y), btScalar(x.z),
                           btScalar(y.z), btScalar(z.z));
    const btTransform world(axes, toBullet(anchor));
    if (body < 0) return world;
    const Body& b = scene_.bodies[body];
    return btTransform(toBullet(b.orientation), toBullet(b.position)).inverse() * world;
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
