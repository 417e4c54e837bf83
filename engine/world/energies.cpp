// World: energies and momenta of bodies, joints and all together, now. See world.hpp. SI units, world axes; gravity's potential is zero at
// the origin.
#include "engine/forces/fields.hpp"
#include "engine/state/world_data.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"
#include "engine/world/world.hpp"

namespace vertebra::world {
namespace {

struct Motion {  // of a body's centre of mass; omega in inertial axes
  Pose inertial;
  Vec3 velocity, omega;
};

bool moves(const BodySlot& b) { return b.alive && !b.hidden && b.kind == BodyKind::Dynamic && b.enabled; }

Motion motionOf(const WorldData& w, int body) {
  const Pose link = trees::poseOf(w, body);
  Motion m;
  m.inertial = link * w.bodies[body].inertialInLink();
  trees::twistOf(w, body, m.velocity, m.omega);
  m.velocity += m.omega.cross(m.inertial.p - link.p);
  m.omega = m.inertial.q.conjugate() * m.omega;
  return m;
}

}  // namespace

void World::bodyEnergy(int body, double& kinetic, double& potential) const {
  const WorldData& w = *data_;
  const BodySlot& b = w.bodies[body];
  kinetic = potential = 0;
  if (!moves(b)) return;
  const Motion m = motionOf(w, body);
  kinetic = 0.5 * (b.mass() * m.velocity.squaredNorm() + m.omega.dot(b.def->moments.cwiseProduct(m.omega)));
  potential = forces::fieldPotential(w, body) - b.mass() * b.gravityScale * w.settings.gravity.dot(m.inertial.p);
}

void World::bodyMomentum(int body, const Vec3& about, Vec3& linear, Vec3& angular) const {
  const WorldData& w = *data_;
  const BodySlot& b = w.bodies[body];
  linear.setZero();
  angular.setZero();
  if (!moves(b)) return;
  const Motion m = motionOf(w, body);
  linear = b.mass() * m.velocity;
  angular = m.inertial.q * b.def->moments.cwiseProduct(m.omega) + (m.inertial.p - about).cross(linear);
}

Vec3 World::bodyCentre(int body) const { return (bodyPose(body) * data_->bodies[body].inertialInLink()).p; }

void World::jointEnergy(int joint, double& kinetic, double& potential) const {
  WorldData& w = *data_;
  if (!w.current) (void)trees::updateTopology(w);  // springs and rotors belong to trees
  kinetic = potential = 0;
  const JointSlot& j = w.joints[joint];
  if (!w.current || j.link < 0 || !w.links[j.link].hasAxisForces) return;
  potential = trees::springEnergyOf(w, j.link, w.q.data());
  for (int k = 0; k < j.nv; k++) {
    const double v = w.v[w.model[j.link].vOffset + k];
    kinetic += 0.5 * j.axes[k].parameters->armature * v * v;
  }
}

EnergyAccount World::energy() const {
  WorldData& w = *data_;
  if (!w.current) (void)trees::updateTopology(w);  // new joints may move the bodies that they take
  EnergyAccount e = w.account;
  e.kinetic = e.potential = 0;
  const auto add = [&e](double kinetic, double potential) {
    e.kinetic += kinetic;
    e.potential += potential;
  };
  double kinetic, potential;
  for (std::size_t i = 0; i < w.bodies.size(); i++) {
    bodyEnergy(static_cast<int>(i), kinetic, potential);
    add(kinetic, potential);
  }
  for (std::size_t i = 0; i < w.joints.size(); i++) {
    if (!w.joints[i].alive) continue;
    jointEnergy(static_cast<int>(i), kinetic, potential);
    add(kinetic, potential);
  }
  return e;
}

void World::momentum(Vec3& linear, Vec3& angular) const {
  linear.setZero();
  angular.setZero();
  Vec3 p, l;
  for (std::size_t i = 0; i < data_->bodies.size(); i++) {
    bodyMomentum(static_cast<int>(i), Vec3::Zero(), p, l);
    linear += p;
    angular += l;
  }
}

}  // namespace vertebra::world
