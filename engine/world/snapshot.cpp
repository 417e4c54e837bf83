// Snapshots: the whole changing state as bytes of this build. Layout: magic, topology hash, checksum of the rest, then which joints are
// broken (they decide the topology), then fixed fields in the order of `visit`, which serves both directions, so that nothing is written
// that is not read. The checksum shows damage before a byte is used. Derived quantities (poses, motion subspaces) are not stored.
#include "engine/world/snapshot.hpp"
#include "engine/world/world.hpp"

#include <algorithm>
#include <cstring>

#include "engine/collision/contact_starts.hpp"
#include "engine/constraints/joint_forces.hpp"
#include "engine/state/growth.hpp"
#include "engine/steppers/changing_state.hpp"
#include "engine/trees/axis_summary.hpp"
#include "engine/trees/topology.hpp"

namespace vertebra::world {
namespace {

constexpr std::uint64_t kMagic = 0x3431425456ull;  // "VTB14"

std::uint64_t checksum(const std::uint8_t* data, std::size_t size) {  // FNV-1a
  std::uint64_t h = 1469598103934665603ull;
  for (std::size_t i = 0; i < size; i++) h = (h ^ data[i]) * 1099511628211ull;
  return h;
}

template <class A>
void visitBody(trees::Archive<A>& v, BodySlot& b) {
  v(b.asleep, b.gravityScale, b.arrived, b.launched);
  if (v.flag(b.rare->integration->asks())) {
    Integration& own = b.rare.make().integration.make();
    v(own.step, own.integrator);
  } else if (b.rare) {
    b.rare.make().integration.reset();
  }
  if (b.link < 0) {  // otherwise its link holds them
    v(b.velocity, b.omega, b.pose);
    if (v.flag(static_cast<bool>(b.rare->target))) {
      PrescribedTarget& target = b.rare.make().target.make();
      v(target.pose, target.time);
    } else {
      b.dropTarget();
    }
  }
  if (!v.flag(b.applied->any())) {
    if (b.applied) b.applied.make() = {};  // its memory stays, as steps allocate nothing after an identical run
    return;
  }
  trees::visitApplied(v, b.applied.make());
}

bool isDefault(const MotorSettings& m) {
  const MotorSettings none;
  return m.mode == none.mode && m.position == none.position && m.velocity == none.velocity && m.force == none.force &&
         m.stiffness == none.stiffness && m.damping == none.damping && m.maxForce == none.maxForce;
}

template <class A>
void visitJoint(trees::Archive<A>& v, JointSlot& j) {
  v(j.orientationMotor);
  if (v.flag(static_cast<bool>(j.orientation))) {
    JointOrientation& o = j.orientation.make();
    v(o.targetQuat, o.targetPosition, o.targetVelocity, o.targetOmega);
  } else {
    j.orientation.reset();
  }
  trees::visitBetween(v, j);
  for (int k = 0; k < j.nv; k++) {
    if (v.flag(!isDefault(*j.axes[k].motor))) {
      MotorSettings& m = j.axes[k].motor.make();
      v(m.mode, m.position, m.velocity, m.force, m.stiffness, m.damping, m.maxForce);
    } else {
      j.axes[k].motor.reset();
    }
    trees::visitAxis(v, j.axes[k]);
  }
  if (j.link < 0) trees::visitOwnCoordinates(v, j);  // otherwise its link holds them
}

template <class A>
void visitSensor(trees::Archive<A>& v, SensorSlot& s) {
  s.sampled = v.flag(s.sampled);
  if (!s.sampled) {
    std::fill(std::begin(s.values), std::end(s.values), 0.0);  // forces that are not known yet
    return;
  }
  for (double& x : s.values) v(x);
  v(s.velocity, s.omega);
}

template <class A>
void visitTorque(trees::Archive<A>& v, Vec3& torque) {
  if (v.flag(torque != Vec3::Zero()))
    v(torque);
  else
    torque.setZero();
}

template <class A>
void visitStart(trees::Archive<A>& v, Contact& c, Vec3& torque) {
  v(c.shapeA, c.shapeB, c.feature, c.force);
  visitTorque(v, torque);
}

// Among those of `count` contacts.
void putTorque(WorldData& w, std::vector<Vec3>& torques, std::size_t at, std::size_t count, const Vec3& torque) {
  w.anyTwist |= torque != Vec3::Zero();
  if (torques.size() != count) torques.resize(w.anyTwist ? count : 0, Vec3::Zero());
  if (!torques.empty()) torques[at] = torque;
}

// Before the contacts.
void visitStarts(WorldData& w, trees::Archive<trees::Writer>& v) {
  std::size_t count = 0;
  collision::eachStart(w, [&](const Contact&, const Vec3&) { count++; });
  v.a.count(count);
  collision::eachStart(w, [&](Contact c, Vec3 torque) { visitStart(v, c, torque); });
}
void visitStarts(WorldData& w, trees::Archive<trees::Reader>& v) {
  growTo(w.memory, v.a.count(0));
  w.memoryTorques.clear();
  for (std::size_t i = 0; i < w.memory.size(); i++) {
    Vec3 torque = Vec3::Zero();
    visitStart(v, w.memory[i], torque);
    w.memory[i].speculative = Contact::kFound;
    putTorque(w, w.memoryTorques, i, w.memory.size(), torque);
  }
}

template <class A>
void visitContacts(trees::Archive<A>& v, WorldData& w) {
  std::size_t at = 0;
  v.list(w.contacts, [&](Contact& c) {
    bool past = c.past();
    v(c.bodyA, c.bodyB, c.shapeA, c.shapeB, c.position, c.normal, c.gap, c.feature, past, c.force);
    if (past != c.past()) c.speculative = past ? Contact::kPast : Contact::kFound;
    Vec3 torque = at < w.torques.size() ? w.torques[at] : Vec3(Vec3::Zero());
    visitTorque(v, torque);
    putTorque(w, w.torques, at++, w.contacts.size(), torque);
  });
}

// The starts that were read may be those of the contacts.
void settleStarts(WorldData& w) {
  std::size_t at = 0;
  bool same = true;
  w.startsAt = StartsAt::Contacts;
  collision::eachStart(w, [&](const Contact& c, const Vec3& torque) {
    same = same && at < w.memory.size();
    if (!same) return;
    const Contact& m = w.memory[at];
    same = m.shapeA == c.shapeA && m.shapeB == c.shapeB && m.feature == c.feature && m.force == c.force &&
           torqueAt(w.memoryTorques, at) == torque;
    at++;
  });
  if (!same || at < w.memory.size()) w.startsAt = StartsAt::Memory;
}

template <class A>
void visit(WorldData& w, A& archive) {
  trees::Archive<A> v{archive};
  v(w.time, w.steps, w.lastStep, w.aheadStep, w.anyForce);
  for (BodySlot& b : w.bodies) visitBody(v, b);
  for (JointSlot& j : w.joints) visitJoint(v, j);
  for (CouplingSlot& c : w.couplings) v(c.impulse, c.endForce);
  for (UserConstraintSlot& c : w.constraints) steppers::visitConstraint(v, c);
  for (particles::ParticleSystem& s : w.particles) steppers::visitParticles(v, s);
  for (SensorSlot& s : w.sensors) visitSensor(v, s);
  for (TreeRuntime& t : w.trees) trees::visitTree(v, t);
  for (TreeRuntime& t : w.trees) trees::visitLinks(v, w, t);
  v.numbers(w.q);
  v.numbers(w.v);
  v.numbers(w.a);
  if (v.flag(std::any_of(w.increment.begin(), w.increment.end(), [](double x) { return x != 0; }))) {  // of the stepper variational
    growTo(w.increment, w.v.size());
    v.numbers(w.increment);
  } else {
    std::fill(w.increment.begin(), w.increment.end(), 0.0);
  }
  for (const TreeRuntime& t : w.trees)  // what is left of displacements that were made is no state
    if (!t.shifted) std::fill_n(w.shift.begin() + t.vFirst, t.nv, 0.0);
  v.plain(w.shift.data(), static_cast<int>(w.shift.size()));
  visitStarts(w, v);
  v.list(w.touching, [&](std::pair<int, int>& p) { v(p.first, p.second); });
  visitContacts(v, w);
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

// What a snapshot must match: the topology, the particle systems and the sensors.
std::uint64_t shapeOfState(const WorldData& w) {
  std::uint64_t h = topologyHash(w);
  for (const particles::ParticleSystem& s : w.particles)
    h = (h ^ (s.alive ? static_cast<std::uint64_t>(s.def.maxCount) : 0)) * 1099511628211ull;
  for (const SensorSlot& s : w.sensors) h = (h ^ (s.alive ? 1 + static_cast<std::uint64_t>(s.def.type) : 0)) * 1099511628211ull;
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
  trees::Writer writer{out};
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
    return {Failure::Argument, "the snapshot is of a world with other bodies, shapes, joints or sensors; build this one by the same calls"};
  }
  trees::Reader reader{data + sizeof head + w.joints.size(), data + size};
  try {
    visit(w, reader);
  } catch (...) {  // memory: the world goes on from what has been read, without particles, whose lists may differ in length
    for (particles::ParticleSystem& s : w.particles) s.clear();
    for (TreeRuntime& t : w.trees) trees::standAgain(w, t);
    throw;
  }
  settleStarts(w);
  trees::updateAxisForces(w);
  w.anyAsleep = true;
  w.broad.forget();  // from here on the same boxes are searched, and the same memory is needed, whatever was before
  w.pastContacts = std::any_of(w.contacts.begin(), w.contacts.end(), [](const Contact& c) { return c.past(); });
  w.ownSteps = std::any_of(w.bodies.begin(), w.bodies.end(), [](const BodySlot& b) { return b.rare->integration->step > 0; });
  for (TreeRuntime& t : w.trees) {
    t.asPlaced = false;
    trees::standAgain(w, t);
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
