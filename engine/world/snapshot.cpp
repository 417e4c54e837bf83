// Snapshots: the whole changing state as bytes of this build. Layout: magic, topology hash, checksum of the rest, then which joints are
// broken (they decide the topology), then fixed fields in the order of `visit`, which serves both directions, so that nothing is written
// that is not read. The checksum shows damage before a byte is used. Derived quantities (poses, motion subspaces) are not stored.
#include "engine/world/snapshot.hpp"
#include "engine/world/world.hpp"

#include <algorithm>
#include <cstring>

#include "engine/constraints/joint_forces.hpp"
#include "engine/driveline/driveline.hpp"
#include "engine/particles/particles.hpp"
#include "engine/state/growth.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::world {
namespace {

constexpr std::uint64_t kMagic = 0x3930425456ull;  // "VTB09"

std::uint64_t checksum(const std::uint8_t* data, std::size_t size) {  // FNV-1a
  std::uint64_t h = 1469598103934665603ull;
  for (std::size_t i = 0; i < size; i++) h = (h ^ data[i]) * 1099511628211ull;
  return h;
}

struct Writer {
  std::vector<std::uint8_t>& out;
  void bytes(void* data, std::size_t n) {
    const std::uint8_t* p = static_cast<const std::uint8_t*>(data);
    out.insert(out.end(), p, p + n);
  }
  std::size_t count(std::size_t n) {
    std::uint64_t x = n;
    bytes(&x, sizeof x);
    return n;
  }
};
struct Reader {
  const std::uint8_t* at;
  const std::uint8_t* end;
  bool good = true;
  void bytes(void* data, std::size_t n) {
    if (!good || static_cast<std::size_t>(end - at) < n) {
      good = false;
      return;
    }
    if (n > 0) std::memcpy(data, at, n);  // an empty array has no address
    at += n;
  }
  std::size_t count(std::size_t) {
    std::uint64_t x = 0;
    bytes(&x, sizeof x);
    if (x > static_cast<std::uint64_t>(end - at)) good = false;
    return good ? static_cast<std::size_t>(x) : 0;
  }
};

template <class A>
struct Archive {
  A& a;
  template <class T>
  void one(T& x) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    a.bytes(&x, sizeof x);
  }
  void one(Vec3& x) { a.bytes(x.data(), 3 * sizeof(double)); }
  void one(Vec6& x) { a.bytes(x.data(), 6 * sizeof(double)); }
  void one(Quat& x) { a.bytes(x.coeffs().data(), 4 * sizeof(double)); }
  void one(Pose& x) {
    one(x.p);
    one(x.q);
  }
  template <class... T>
  void operator()(T&... x) {
    (one(x), ...);
  }
  // Whether a value differs from its default, written or read; a default takes no other space.
  bool flag(bool there) {
    one(there);
    return there;
  }
  void plain(double* x, int count) {  // 0 where nothing acted
    if (flag(std::any_of(x, x + count, [](double e) { return e != 0; })))
      a.bytes(x, count * sizeof(double));
    else
      std::fill_n(x, count, 0.0);
  }
  void numbers(std::vector<double>& x) { a.bytes(x.data(), x.size() * sizeof(double)); }
  template <class T, class F>
  void list(std::vector<T>& x, F&& each) {
    x.resize(a.count(x.size()));
    for (T& e : x) each(e);
  }
};

template <class A>
void visitBody(Archive<A>& v, BodySlot& b) {
  v(b.asleep, b.gravityScale, b.arrived, b.launched, b.integration.step, b.integration.integrator);
  if (b.link < 0) {  // otherwise its link holds them
    v(b.velocity, b.omega, b.pose);
    if (v.flag(static_cast<bool>(b.target))) {
      PrescribedTarget& target = b.target.make();
      v(target.pose, target.time);
    } else {
      b.target.reset();
    }
  }
  if (!v.flag(b.applied->any())) {
    b.applied.reset();
    return;
  }
  AppliedForces& f = b.applied.make();
  v(f.force, f.torque, f.persistentForce, f.persistentTorque, f.impulse, f.angularImpulse, f.fieldForce, f.fieldTorque, f.lastFieldForce,
    f.lastFieldTorque, f.fieldKnown);
}

bool isDefault(const MotorSettings& m) {
  const MotorSettings none;
  return m.mode == none.mode && m.position == none.position && m.velocity == none.velocity && m.force == none.force &&
         m.stiffness == none.stiffness && m.damping == none.damping && m.maxForce == none.maxForce;
}

bool acted(const JointBetween& b) {
  const auto any = [](const double(&x)[6]) { return std::any_of(x, x + 6, [](double e) { return e != 0; }); };
  return b.force != Vec3::Zero() || b.torque != Vec3::Zero() || any(b.hold) || any(b.drive) || any(b.spring);
}

template <class A>
void visitJoint(Archive<A>& v, JointSlot& j) {
  v(j.orientationMotor);
  if (v.flag(static_cast<bool>(j.orientation))) {
    JointOrientation& o = j.orientation.make();
    v(o.targetQuat, o.targetPosition, o.targetVelocity, o.targetOmega);
  } else {
    j.orientation.reset();
  }
  if (v.flag(acted(*j.between))) {
    JointBetween& b = j.between.make();
    v(b.force, b.torque);
    for (double* x : {b.hold, b.drive, b.spring}) v.plain(x, 6);
  } else if (JointBetween* b = j.between.get()) {
    *b = JointBetween();
  }
  for (int k = 0; k < j.nv; k++) {
    MotorSettings& m = j.axes[k].motor;
    if (v.flag(!isDefault(m)))
      v(m.mode, m.position, m.velocity, m.force, m.stiffness, m.damping, m.maxForce);
    else
      m = MotorSettings();
    JointAxis& a = j.axes[k];
    v(a.saturated);
    double forces[4] = {a.motorForce, a.springForce, a.frictionForce, a.limitForce};
    v.plain(a.impulse, 4);
    v.plain(forces, 4);
    a.motorForce = forces[0], a.springForce = forces[1], a.frictionForce = forces[2], a.limitForce = forces[3];
  }
  if (j.nv == 0) return;
  if (j.link >= 0) return;  // its link holds coordinates and rates
  for (int k = 0; k < j.nq; k++) v(j.q[k]);
  for (int k = 0; k < j.nv; k++) v(j.axes[k].v);
}

template <class A>
void visit(WorldData& w, A& archive) {
  Archive<A> v{archive};
  v(w.time, w.steps, w.lastStep, w.anyForce);
  for (BodySlot& b : w.bodies) visitBody(v, b);
  for (JointSlot& j : w.joints) visitJoint(v, j);
  for (CouplingSlot& c : w.couplings) v(c.impulse);
  for (UserConstraintSlot& c : w.constraints) {
    v.numbers(c.impulse);
    v.numbers(c.force);
    if (!c.driveline) continue;
    driveline::DrivelineInput& in = c.driveline->in;
    driveline::DrivelineState& s = c.driveline->state;
    v(in.gear, in.throttle, in.speed, in.clutch, in.lock, in.stroke, s.powerIn, s.powerOut, s.workIn, s.workOut, s.throttle, s.fuelRate,
      s.fuel, s.ratio, s.pressure, s.integral, s.shiftLeft, s.change, s.input);
    for (double& x : s.torque) v(x);
  }
  for (particles::ParticleSystem& s : w.particles) {
    for (std::vector<Vec3>* list : {&s.x, &s.v, &s.a}) v.list(*list, [&](Vec3& x) { v(x); });
    for (std::vector<double>* list : {&s.mass, &s.radius, &s.life}) v.list(*list, [&](double& x) { v(x); });
    v.list(s.id, [&](std::uint64_t& x) { v(x); });
    v.list(s.memory, [&](particles::ParticleMemory& m) { v(m.other, m.impulse, m.tangentImpulse); });
    for (std::vector<int>* list : {&s.memoryFirst, &s.wasAt}) v.list(*list, [&](int& x) { v(x); });
    v.list(s.emitters, [&](particles::EmitterDefinition& e) {
      v(e.position, e.direction, e.discRadius, e.coneAngle, e.speed, e.speedSpread, e.rate, e.mass, e.radius, e.life, e.seed);
    });
    v.list(s.emitterState, [&](particles::ParticleSystem::EmitterState& e) { v(e.due, e.random); });
    v.list(s.sinks, [&](particles::SinkDefinition& k) { v(k.type, k.pose, k.size); });
    particles::ParticleCounts& c = s.counts;
    v(s.fresh, s.lastId, c.emitted, c.expired, c.absorbed, c.refused, c.contacts, c.penetration);
  }
  for (TreeRuntime& t : w.trees)
    v(t.smooth, t.expectHalving, t.fresh, t.ahead, t.shifted, t.asleep, t.settled, t.movingBase, t.baseVelocity, t.baseOmega, t.idle,
      t.interval, t.step);
  for (TreeRuntime& t : w.trees) {
    bool divided = false;
    for (int i = 0; i < t.tree.count; i++) {
      LinkRuntime& l = w.links[t.first + i];
      dynamics::LinkState& s = w.state[t.first + i];
      StartVelocity start = startOfStep(t, l, i);
      v(l.reactionLinear, l.reactionAngular, l.startV, l.startW, l.startC, s.v, s.w, s.t);
      const bool differs = v.flag(start.v != l.startV || start.w != l.startW);
      if (differs)
        v(start.v, start.w);
      else
        start = {l.startV, l.startW};
      if (differs && !t.asleep && t.stepStart.empty()) trees::keepStepStart(w, t);
      if (!t.stepStart.empty()) t.stepStart[i] = start;
      divided |= differs;
    }
    t.divided = divided && !t.asleep;
  }
  v.numbers(w.q);
  v.numbers(w.v);
  v.numbers(w.a);
  if (v.flag(std::any_of(w.increment.begin(), w.increment.end(), [](double x) { return x != 0; }))) {  // of the stepper variational
    growTo(w.increment, w.v.size());
    v.numbers(w.increment);
  } else {
    std::fill(w.increment.begin(), w.increment.end(), 0.0);
  }
  v.plain(w.shift.data(), static_cast<int>(w.shift.size()));
  v.list(w.memory, [&](ContactMemory& m) {
    v(m.shapeA, m.shapeB, m.feature);
    for (double& x : m.impulse) v(x);
  });
  v.list(w.touching, [&](std::pair<int, int>& p) { v(p.first, p.second); });
  v.list(w.contacts,
         [&](Contact& c) { v(c.bodyA, c.bodyB, c.shapeA, c.shapeB, c.position, c.normal, c.gap, c.feature, c.force, c.torque); });
  EnergyAccount& e = w.account;
  v(e.workDrives, e.workApplied, e.lostDamping, e.lostFriction, e.lostImpact, e.lostClamp, e.corrected, e.discretisation);
}

// Older versions, whose snapshots stay valid, knew the free root as a kind of floating joint.
int typeInSnapshots(const dynamics::LinkModel& m) { return static_cast<int>(m.velocityIsTwist ? dynamics::JointType::Floating : m.type); }

// Topology in one number.
std::uint64_t topologyHash(const WorldData& w) {
  std::uint64_t h = 1469598103934665603ull;
  auto mix = [&](std::uint64_t x) { h = (h ^ x) * 1099511628211ull; };
  for (const dynamics::LinkModel& m : w.model) mix(m.parent + 2), mix(typeInSnapshots(m)), mix(m.velocityIsTwist), mix(m.qOffset);
  for (const LinkRuntime& l : w.links) mix(l.body), mix(l.joint + 1);
  for (const BodySlot& s : w.bodies) mix(s.alive), mix(static_cast<int>(s.kind)), mix(s.firstShape + 1);
  for (const JointSlot& s : w.joints) mix(s.alive), mix(static_cast<int>(s.role)), mix(static_cast<int>(s.def->constraint));
  for (const CouplingSlot& s : w.couplings) {
    mix(s.alive);
    for (const CouplingTerm& t : s.def.terms) mix(t.joint + 1), mix(t.axis);
  }
  for (const UserConstraintSlot& s : w.constraints)
    mix(s.alive), mix(s.rows.size()), mix(s.blocks.size()), mix(s.driveline ? 1 + static_cast<int>(s.driveline->def.type) : 0);
  for (const ShapeSlot& s : w.shapes) mix(s.alive), mix(s.body + 2), mix(static_cast<int>(s.def->geometry.type));
  return h;
}

// What a snapshot must match: the topology, and the particle systems.
std::uint64_t shapeOfState(const WorldData& w) {
  std::uint64_t h = topologyHash(w);
  for (const particles::ParticleSystem& s : w.particles)
    h = (h ^ (s.alive ? static_cast<std::uint64_t>(s.def.maxCount) : 0)) * 1099511628211ull;
  return h;
}

// Which breakable joints are broken in a snapshot.
bool isBroken(const JointSlot& j, std::uint8_t flag) { return flag == 1 && j.alive && j.def->breakable(); }
bool differInBroken(const WorldData& w, const std::uint8_t* flags, std::size_t size) {
  for (std::size_t i = 0; i < w.joints.size() && i < size; i++)
    if (isBroken(w.joints[i], flags[i]) != w.joints[i].broken) return true;
  return false;
}
void takeBroken(WorldData& w, const std::uint8_t* flags, std::size_t size) {  // and the topology with them
  for (std::size_t i = 0; i < w.joints.size() && i < size; i++) w.joints[i].broken = isBroken(w.joints[i], flags[i]);
  trees::invalidateTopology(w);
  (void)trees::updateTopology(w);
}

}  // namespace

void saveState(WorldData& w, std::vector<std::uint8_t>& out) {
  constraints::dropBroken(w);
  (void)trees::updateTopology(w);
  out.clear();
  Writer writer{out};
  std::uint64_t head[3] = {kMagic, shapeOfState(w), 0};
  writer.bytes(head, sizeof head);
  for (JointSlot& j : w.joints) writer.bytes(&j.broken, sizeof j.broken);
  visit(w, writer);
  head[2] = checksum(out.data() + sizeof head, out.size() - sizeof head);
  std::memcpy(out.data(), head, sizeof head);
}

Failure restoreState(WorldData& w, const std::uint8_t* data, std::size_t size) {
  constraints::dropBroken(w);
  if (Failure f = trees::updateTopology(w)) return f;
  std::uint64_t head[3] = {};
  if (size < sizeof head) return {Failure::Argument, "the snapshot is too short"};
  std::memcpy(head, data, sizeof head);
  if (head[0] != kMagic) return {Failure::Argument, "these bytes are no snapshot of this version"};
  if (head[2] != checksum(data + sizeof head, size - sizeof head)) return {Failure::Argument, "the snapshot is damaged or cut short"};
  const bool rebuilds = differInBroken(w, data + sizeof head, size - sizeof head);
  std::vector<std::uint8_t> before;  // making the trees again forgets what is known of the last step
  if (rebuilds) {
    saveState(w, before);
    takeBroken(w, data + sizeof head, size - sizeof head);
  }
  if (head[1] != shapeOfState(w)) {
    if (rebuilds) (void)restoreState(w, before.data(), before.size());
    return {Failure::Argument, "the snapshot is of a world with other bodies, shapes or joints; build this one by the same calls"};
  }
  Reader reader{data + sizeof head + w.joints.size(), data + size};
  visit(w, reader);
  trees::updateAxisForces(w);
  w.anyAsleep = true;
  w.ownSteps = std::any_of(w.bodies.begin(), w.bodies.end(), [](const BodySlot& b) { return b.integration.step > 0; });
  for (TreeRuntime& t : w.trees) {
    t.asPlaced = false;
    trees::placeBase(w, t);
    // Velocities and twists of bodies are stored: they were computed during the solve, whose last bits differ.
    dynamics::updatePoses(t.tree, w.q.data());
    t.tree.O = t.tree.state[0].c;
    trees::moveBase(w, t);
    dynamics::updateSubspaces(t.tree);
  }
  return {};
}

void World::save(std::vector<std::uint8_t>& out) const { saveState(*data_, out); }
Failure World::restore(const std::uint8_t* data, std::size_t size) { return restoreState(*data_, data, size); }
std::uint64_t World::hash() const {
  std::vector<std::uint8_t> bytes;
  save(bytes);
  return checksum(bytes.data(), bytes.size());
}

}  // namespace vertebra::world
