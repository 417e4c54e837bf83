// See sensors.hpp. Accelerations and forces are means over the step (trees/tree_bodies.cpp, constraints/joint_forces.cpp); of a body that
// is moved by prescription the acceleration is the change of its velocity from one sample to the next.
#include "engine/sensors/sensors.hpp"

#include "engine/constraints/joint_forces.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::sensors {
namespace {

struct Site {
  Pose pose;                // in the world
  Vec3 arm = Vec3::Zero();  // from the origin of the body's link frame, world axes
  Vec3 velocity = Vec3::Zero(), omega = Vec3::Zero();
  Vec3 originVelocity = Vec3::Zero();
};

Site siteOf(const ContactWorld& w, const SensorDefinition& d) {
  Site site;
  const Pose link = d.body < 0 ? Pose() : trees::poseOf(w, d.body);
  site.pose = link * d.site;
  site.pose.q = normalized(site.pose.q);
  if (d.body < 0) return site;
  trees::twistOf(w, d.body, site.originVelocity, site.omega);
  site.arm = site.pose.p - link.p;
  site.velocity = site.originVelocity + site.omega.cross(site.arm);
  return site;
}

Vec3 seen(const SensorDefinition& d, const Pose& site, const Vec3& x) { return d.worldAxes ? x : Vec3(site.q.conjugate() * x); }

void put(const SensorDefinition& d, const Pose& site, const Vec3& first, const Vec3& second, double* values) {
  const Vec3 a = seen(d, site, first), b = seen(d, site, second);
  for (int k = 0; k < 3; k++) {
    values[k] = a[k];
    values[3 + k] = b[k];
  }
}

// Of the site, and angular; h = 0: none is known yet.
void accelerationOf(const ContactWorld& w, const SensorSlot& s, const Site& site, double h, Vec3& linear, Vec3& angular) {
  linear.setZero();
  angular.setZero();
  if (s.def.body < 0 || !(h > 0)) return;
  const BodySlot& b = w.bodies[s.def.body];
  if (b.link >= 0) {
    trees::accelerationOf(w, s.def.body, linear, angular);
  } else if (s.sampled) {
    linear = (site.originVelocity - s.velocity) / h;
    angular = (site.omega - s.omega) / h;
  }
  linear += angular.cross(site.arm) + site.omega.cross(site.omega.cross(site.arm));
}

Vec3 gravityAt(const ContactWorld& w, int body) { return (body < 0 ? 1.0 : w.bodies[body].gravityScale) * w.settings.gravity; }

void readForceTorque(ContactWorld& w, SensorSlot& s) {
  const JointSlot& j = w.joints[s.def.joint];
  const Pose frame = j.b < 0 ? j.def->frameB : trees::poseOf(w, j.b) * j.def->frameB;
  const Pose site = frame * s.def.site;
  JointForces f;
  constraints::jointForces(w, s.def.joint, w.beyond, f);
  const Vec3 force = f.force + f.motors.force + f.springs.force + f.frictions.force + f.limits.force;
  const Vec3 torque = f.torque + f.motors.torque + f.springs.torque + f.frictions.torque + f.limits.torque;
  put(s.def, site, force, torque + (frame.p - site.p).cross(force), s.values);
}

bool inRegion(const SensorDefinition& d, const Vec3& local) {
  switch (d.region) {
    case SensorRegion::Sphere:
      return local.squaredNorm() <= d.size.x() * d.size.x();
    case SensorRegion::Box:
      return (local.cwiseAbs().array() <= d.size.array()).all();
    case SensorRegion::All:
      break;
  }
  return true;
}

double touch(const ContactWorld& w, const SensorDefinition& d) {
  const Pose world = siteOf(w, d).pose.inverse();
  double sum = 0;
  for (const Contact& c : w.contacts)
    if ((c.bodyA == d.body) != (c.bodyB == d.body) && inRegion(d, world * c.position)) sum += c.force.dot(c.normal);
  return sum;
}

// All but forces, which a step alone knows.
void readSite(const ContactWorld& w, SensorSlot& s, double h) {
  const SensorDefinition& d = s.def;
  const Site site = siteOf(w, d);
  Vec3 linear, angular;
  switch (d.type) {
    case SensorType::Pose:
      for (int k = 0; k < 3; k++) s.values[k] = site.pose.p[k];
      for (int k = 0; k < 4; k++) s.values[3 + k] = site.pose.q.coeffs()[k];
      break;
    case SensorType::Velocity:
      put(d, site.pose, site.velocity, site.omega, s.values);
      break;
    case SensorType::Acceleration:
      accelerationOf(w, s, site, h, linear, angular);
      put(d, site.pose, linear, angular, s.values);
      break;
    case SensorType::Imu:
      accelerationOf(w, s, site, h, linear, angular);
      put(d, site.pose, linear - gravityAt(w, d.body), site.omega, s.values);
      break;
    case SensorType::ForceTorque:
    case SensorType::Touch:
      break;
  }
  if (h > 0) {
    s.velocity = site.originVelocity;
    s.omega = site.omega;
  }
}

}  // namespace

void sampleSensors(ContactWorld& w, double h) {
  for (SensorSlot& s : w.sensors) {
    if (!s.alive) continue;
    if (s.def.type == SensorType::ForceTorque)
      readForceTorque(w, s);
    else if (s.def.type == SensorType::Touch)
      s.values[0] = touch(w, s.def);
    else
      readSite(w, s, h);
    s.sampled = true;
  }
}

void readAtPresent(const ContactWorld& w, SensorSlot& sensor) { readSite(w, sensor, 0); }

}  // namespace vertebra::sensors
