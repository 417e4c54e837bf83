// Bullet's reduced-coordinate multibodies (Featherstone) on the scenes of the benchmark; free bodies (pile) are rigid bodies.
// options: iters= (10), clamp= largest joint velocity (Bullet's own default is 100)
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointLimitConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodySphericalJointLimit.h>

#include "bench/bullet.hpp"

namespace {

using namespace bench;

// The process ends with the run, so objects that Bullet leaves to its user to delete are not deleted.
class BulletMultibody : public Engine {
 public:
  std::string name() override { return bulletName("multibody"); }

  void build(const Scene& scene, const Arguments& a) override {
    scene_ = scene;
    step_ = a.step;
    iterations_ = static_cast<int>(a.number("iters", 10));
    world_.setGravity(btVector3(0, 0, btScalar(-kGravity)));
    world_.getSolverInfo().m_numIterations = iterations_;
    if (scene_.ground) addGround(world_, scene_.joints.empty() ? std::sqrt(scene_.friction) : 1);  // Bullet takes the product for a pair
    if (scene_.joints.empty())
      addFreeBodies();
    else
      addTree(a);
  }

  void step() override {
    for (const Joint& j : springs_) {
      const btMultibodyLink& link = tree_->getLink(links_[j.child]);
      const btScalar *q = link.m_jointPos, *v = tree_->getJointVelMultiDof(links_[j.child]);
      const Vec r = rotationVector({q[3], q[0], q[1], q[2]});
      btScalar torque[3] = {btScalar(-j.stiffness * r.x - j.damping * v[0]), btScalar(-j.stiffness * r.y - j.damping * v[1]),
                            btScalar(-j.stiffness * r.z - j.damping * v[2])};
      tree_->addJointTorqueMultiDof(links_[j.child], torque);
    }
    world_.stepSimulation(btScalar(step_), 0, btScalar(step_));
  }

  void sync() override {
    if (tree_ == nullptr) return;
    omegas_.resize(tree_->getNumLinks() + 1);
    velocities_.resize(tree_->getNumLinks() + 1);
    tree_->compTreeLinkVelocities(omegas_.data(), velocities_.data());
    btAlignedObjectArray<btQuaternion> rotations;
    btAlignedObjectArray<btVector3> origins;
    tree_->forwardKinematics(rotations, origins);
  }

  State get(int i) override {
    btTransform t;
    btVector3 v, w;
    if (tree_ == nullptr) {
      t = free_[i]->getWorldTransform();
      v = free_[i]->getLinearVelocity();
      w = free_[i]->getAngularVelocity();
    } else {
      const int link = links_[i];
      t = link < 0 ? btTransform(tree_->getWorldToBaseRot().inverse(), tree_->getBasePos()) : tree_->getLink(link).m_cachedWorldTransform;
      v = t.getBasis() * velocities_[link + 1];
      w = t.getBasis() * omegas_[link + 1];
    }
    return stateOf(t, v, w);
  }

  std::string notes() override {
    return bulletNotes(dispatcher_, scene_, iterations_) +
           (tree_ ? ", damping 0, joint velocity clamp " + std::to_string(static_cast<int>(tree_->getMaxCoordinateVelocity()))
                  : ", free bodies are btRigidBody") +
           (springs_.empty() ? "" : ", springs as explicit joint torques");
  }

 private:
  void addFreeBodies() {
    for (const Body& b : scene_.bodies) {
      auto* body = new btRigidBody(btScalar(b.mass), new btDefaultMotionState(poseOf(b)), makeShape(b), toBullet(b.inertia));
      body->setFriction(btScalar(std::sqrt(scene_.friction)));
      body->setActivationState(DISABLE_DEACTIVATION);
      const Filter filter = filterOf(scene_, b);
      world_.addRigidBody(body, static_cast<int>(filter.group), static_cast<int>(filter.mask));
      free_.push_back(body);
    }
  }

  void addTree(const Arguments& a) {
    std::vector<int> jointOf(scene_.bodies.size(), -1);
    for (std::size_t k = 0; k < scene_.joints.size(); k++) jointOf[scene_.joints[k].child] = static_cast<int>(k);
    const bool fixed = jointOf[0] >= 0, welded = fixed && scene_.joints[jointOf[0]].type == JointType::fixed;
    const bool baseIsBody = !fixed || welded;  // a welded root becomes the fixed base itself
    const int linkCount = static_cast<int>(scene_.bodies.size()) - (baseIsBody ? 1 : 0);
    const Body& first = scene_.bodies[0];
    const Vec basePosition = baseIsBody ? first.position : Vec{};
    const Quat baseOrientation = baseIsBody ? first.orientation : Quat{};
    tree_ = new btMultiBody(linkCount, baseIsBody ? btScalar(first.mass) : 0, baseIsBody ? toBullet(first.inertia) : btVector3(0, 0, 0),
                            fixed, false);
    tree_->setBasePos(toBullet(basePosition));
    tree_->setWorldToBaseRot(toBullet(baseOrientation).inverse());
    links_.assign(scene_.bodies.size(), -1);
    for (std::size_t i = baseIsBody ? 1 : 0; i < scene_.bodies.size(); i++) {
      const int link = static_cast<int>(i) - (baseIsBody ? 1 : 0);
      links_[i] = link;
      const Joint& j = scene_.joints[jointOf[i]];
      const Body& b = scene_.bodies[i];
      const Vec parentPosition = j.parent < 0 ? basePosition : scene_.bodies[j.parent].position;
      const Quat parentOrientation = j.parent < 0 ? baseOrientation : scene_.bodies[j.parent].orientation;
      const int parent = j.parent < 0 ? -1 : links_[j.parent];
      const btVector3 toPivot = toBullet(rotate(conjugate(parentOrientation), j.anchor - parentPosition));
      const btVector3 toCentre = toBullet(rotate(conjugate(b.orientation), b.position - j.anchor));
      const btQuaternion parentToThis = toBullet(conjugate(b.orientation) * parentOrientation);
      if (j.type == JointType::hinge)
        tree_->setupRevolute(link, btScalar(b.mass), toBullet(b.inertia), parent, parentToThis,
                             toBullet(rotate(conjugate(b.orientation), j.axis)), toPivot, toCentre, true);
      else
        tree_->setupSpherical(link, btScalar(b.mass), toBullet(b.inertia), parent, parentToThis, toPivot, toCentre, true);
      if (j.stiffness > 0) springs_.push_back(j);
    }
    tree_->finalizeMultiDof();
    tree_->setLinearDamping(0);
    tree_->setAngularDamping(0);
    tree_->setUseGyroTerm(true);
    if (a.has("clamp")) tree_->setMaxCoordinateVelocity(btScalar(a.number("clamp", 100)));
    tree_->setCanSleep(false);
    tree_->setHasSelfCollision(false);
    world_.addMultiBody(tree_);
    for (int link = 0; link < linkCount; link++) {
      tree_->getLink(link).m_jointDamping = 0;
      btScalar none[4] = {0, 0, 0, 1};
      if (tree_->getLink(link).m_jointType == btMultibodyLink::eSpherical) tree_->setJointPosMultiDof(link, none);
    }
    addLimits();
    btAlignedObjectArray<btQuaternion> rotations;
    btAlignedObjectArray<btVector3> origins;
    tree_->forwardKinematics(rotations, origins);
    if (scene_.ground) addColliders();
  }

  void addLimits() {
    for (const Joint& j : scene_.joints) {
      if (!j.limited) continue;
      const int link = links_[j.child];
      if (j.type == JointType::hinge)
        world_.addMultiBodyConstraint(new btMultiBodyJointLimitConstraint(tree_, link, btScalar(j.lower), btScalar(j.upper)));
      else
        world_.addMultiBodyConstraint(
            new btMultiBodySphericalJointLimit(tree_, link, btScalar(j.cone), btScalar(j.cone), btScalar(j.twist), btScalar(1e6)));
    }
  }

  void addColliders() {
    for (std::size_t i = 0; i < scene_.bodies.size(); i++) {
      const Body& b = scene_.bodies[i];
      auto* collider = new btMultiBodyLinkCollider(tree_, links_[i]);
      collider->setCollisionShape(makeShape(b));
      collider->setFriction(btScalar(scene_.friction));
      collider->setWorldTransform(poseOf(b));
      collider->setActivationState(DISABLE_DEACTIVATION);
      const Filter filter = filterOf(scene_, b);
      world_.addCollisionObject(collider, static_cast<int>(filter.group), static_cast<int>(filter.mask));
      if (links_[i] < 0)
        tree_->setBaseCollider(collider);
      else
        tree_->getLink(links_[i]).m_collider = collider;
    }
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  Scene scene_;
  double step_ = 0;
  int iterations_ = 0;
  btMultiBody* tree_ = nullptr;
  std::vector<int> links_;  // of each body; -1 = the base
  std::vector<Joint> springs_;
  std::vector<btRigidBody*> free_;
  std::vector<btVector3> velocities_, omegas_;
};

}  // namespace

int main(int argc, char** argv) { return bench::run<BulletMultibody>(argc, argv); }
