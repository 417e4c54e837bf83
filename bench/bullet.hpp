// Common to both Bullet programs: conversions, shapes, the ground, output of their state.
#pragma once
#include <btBulletDynamicsCommon.h>

#include "bench/harness.hpp"

namespace bench {

inline btVector3 toBullet(Vec a) { return btVector3(btScalar(a.x), btScalar(a.y), btScalar(a.z)); }
inline btQuaternion toBullet(Quat q) { return btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)); }
inline btTransform poseOf(const Body& b) { return btTransform(toBullet(b.orientation), toBullet(b.position)); }
inline Vec fromBullet(const btVector3& a) { return {a.x(), a.y(), a.z()}; }
inline State stateOf(const btTransform& pose, const btVector3& velocity, const btVector3& omega) {
  const btQuaternion q = pose.getRotation();
  return {fromBullet(pose.getOrigin()), {q.w(), q.x(), q.y(), q.z()}, fromBullet(velocity), fromBullet(omega)};
}

inline btCollisionShape* makeShape(const Body& b) {
  if (b.shape == Shape::capsule) return new btCapsuleShapeZ(btScalar(b.size.x), btScalar(2 * b.size.z));
  if (b.shape == Shape::box) return new btBoxShape(toBullet(b.size));
  return new btSphereShape(btScalar(b.size.x));
}

constexpr int kGroundGroup = 1;

inline void addGround(btDiscreteDynamicsWorld& world, double friction) {
  auto* ground = new btRigidBody(0, nullptr, new btStaticPlaneShape(btVector3(0, 0, 1), 0));
  ground->setFriction(btScalar(friction));
  world.addRigidBody(ground, kGroundGroup, ~kGroundGroup);
}

inline std::string bulletName(const std::string& kind) {
  return "bullet-" + std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100) + "-" + kind;
}

inline std::string bulletNotes(btDispatcher& dispatcher, const Scene& scene, int iterations) {
  int contacts = 0;
  for (int i = 0; i < dispatcher.getNumManifolds(); i++) contacts += dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
  return std::string(sizeof(btScalar) == 8 ? "double" : "float") + "; iterations " + std::to_string(iterations) +
         (scene.ground ? ", contacts " + std::to_string(contacts) : "");
}

}  // namespace bench
