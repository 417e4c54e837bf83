// See world_object.hpp and handle.hpp.
#include "capi/src/world_object.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>

namespace vertebra::capi {

WorldTag nextWorldTag() noexcept {
  static std::atomic<std::uint32_t> created{0};
  const std::uint32_t n = created.fetch_add(1, std::memory_order_relaxed);
  return {static_cast<std::uint16_t>(n % 65535 + 1), static_cast<std::uint16_t>(n / 65535)};
}

namespace {
void log(vtb_world& world, vtb_status status, const char* text) noexcept {
  if (!world.calls.log) return;
  const ErrorText kept = lastError();
  try {
    const CallbackScope scope(world);
    world.calls.log(world.calls.user, status, text);
  } catch (...) {  // a callback in C++ threw; what it was told of is what the caller gets to know
  }
  lastError() = kept;
}
}  // namespace

void logFailure(vtb_world& world, vtb_status status) noexcept {
  const ErrorText text = lastError();
  log(world, status, text.text);
}

void logRemainder(vtb_world& world) noexcept {
  if (!world.calls.log) return;
  const Statistics& s = world.engine.statistics();
  if (s.unsolved == 0 && s.capped == 0) return;
  char text[200];
  std::snprintf(text, sizeof text,
                "up to %.6g s: %d islands unsolved, the last step's rows off by %.3g m/s at most; %d bodies or figures slowed down to the "
                "largest speed",
                world.engine.time(), s.unsolved, s.solverResidual, s.capped);
  log(world, VTB_OK, text);
}

vtb_status statusOf(const Failure& failure) {
  switch (failure.kind()) {
    case Failure::None:
      return VTB_OK;
    case Failure::Argument:
      return VTB_E_ARG;
    case Failure::Unsupported:
      return VTB_E_UNSUPPORTED;
    case Failure::Diverged:
      return VTB_E_DIVERGED;
    case Failure::Infeasible:
      return VTB_E_INFEASIBLE;
    case Failure::Unsolved:
      return VTB_E_UNSOLVED;
    case Failure::TooDeep:  // such a step is undone and made in parts
      break;
  }
  return VTB_E_INTERNAL;
}

void requirePotential(double potential) {
  if (!std::isfinite(potential)) refuse(VTB_E_ARG, "a force field's user.potential gave a number that is not finite");
}

void check(const Failure& failure) {
  if (failure) refuse(statusOf(failure), failure.text());
}

namespace {
int find(const HandleTable& table, std::uint64_t bits, const char* name) {
  if (bits == 0) refuse(VTB_E_ARG, std::string(name) + " is the zero handle");
  const int id = table.find(bits);
  if (id < 0) refuse(VTB_E_STALE, std::string(name) + " no longer exists, or belongs to another world");
  return id;
}
}  // namespace

const HandleTable& tableOf(const vtb_world& w, int kind) {
  const HandleTable* tables[kNameKinds] = {&w.bodies,  &w.shapes,      &w.joints,    &w.couplings, &w.fields,
                                           &w.figures, &w.constraints, &w.particles, &w.sensors};
  return *tables[kind];
}

int bodyOf(const vtb_world& world, vtb_body body, const char* name) { return find(world.bodies, body.bits, name); }
int bodyOrWorld(const vtb_world& world, vtb_body body, const char* name) { return body.bits == 0 ? -1 : bodyOf(world, body, name); }
int shapeOf(const vtb_world& world, vtb_shape shape) { return find(world.shapes, shape.bits, "shape"); }
int jointOf(const vtb_world& world, vtb_joint joint, const char* name) { return find(world.joints, joint.bits, name); }
CouplingTerm termFrom(const vtb_world& world, const vtb_coupling_term& t, const char* name) {
  const int joint = jointOf(world, t.joint, name);
  return {joint, inRange(t.axis, static_cast<std::size_t>(world.engine.jointAxes(joint)), "axis"), finite(t.coefficient, "coefficient")};
}
int couplingOf(const vtb_world& world, vtb_coupling coupling) { return find(world.couplings, coupling.bits, "coupling"); }
int constraintOf(const vtb_world& world, vtb_constraint constraint) { return find(world.constraints, constraint.bits, "constraint"); }
int fieldOf(const vtb_world& world, vtb_field field) { return find(world.fields, field.bits, "field"); }
int particlesOf(const vtb_world& world, vtb_particles particles) { return find(world.particles, particles.bits, "particles"); }
int sensorOf(const vtb_world& world, vtb_sensor sensor) { return find(world.sensors, sensor.bits, "sensor"); }
const figure::Figure& figureOf(const vtb_world& world, vtb_figure figure) {
  return *world.figureSlots[find(world.figures, figure.bits, "figure")];
}

void dropDestroyed(vtb_world& world) {
  const Destroyed& gone = world.engine.lastDestroyed();
  for (int id : gone.bodies) world.bodies.drop(id);
  for (int id : gone.shapes) world.shapes.drop(id);
  for (int id : gone.joints) world.joints.drop(id);
  for (int id : gone.couplings) world.couplings.drop(id);
  for (int id : gone.constraints) world.constraints.drop(id);
  for (int id : gone.fields) world.fields.drop(id);
  for (int id : gone.particles) world.particles.drop(id);
  for (int id : gone.sensors) world.sensors.drop(id);
}

void settle(vtb_world& w) {
  world::World& engine = w.engine;
  for (std::size_t i = 0; i < w.figureSlots.size(); i++) {
    if (!w.figureSlots[i] || (static_cast<int>(i) < w.figures.size() && w.figures.alive(static_cast<int>(i)))) continue;
    w.figureSlots[i]->destroy(engine);
    w.figureSlots[i].reset();
    w.firstFreeFigure = std::min(w.firstFreeFigure, i);
  }
  // A thing without a handle is in a free slot of its table or one behind its end. Bodies alone, of a figure, may be more; what is tied to
  // them is destroyed with them.
  const auto each = [](HandleTable& table, int count, auto&& alive, auto&& destroy) {
    for (int id = 0; id < std::max(count, table.size() + 1); id++) {
      const bool known = id < table.size() && table.alive(id);
      if (alive(id) && !known) destroy(id);
      if (known && !alive(id)) table.drop(id);
    }
  };
  each(
      w.bodies, engine.bodyCapacity(), [&](int id) { return engine.bodyAlive(id); }, [&](int id) { engine.destroyBody(id); });
  each(
      w.shapes, 0, [&](int id) { return engine.shapeAlive(id); }, [&](int id) { engine.destroyShape(id); });
  each(
      w.joints, 0, [&](int id) { return engine.jointAlive(id); }, [&](int id) { engine.destroyJoint(id); });
  each(
      w.couplings, 0, [&](int id) { return engine.couplingAlive(id); }, [&](int id) { engine.destroyCoupling(id); });
  each(
      w.constraints, 0, [&](int id) { return engine.constraintAlive(id); }, [&](int id) { engine.destroyConstraint(id); });
  each(
      w.fields, 0, [&](int id) { return engine.fieldAlive(id); }, [&](int id) { engine.destroyField(id); });
  each(
      w.particles, 0, [&](int id) { return engine.particlesAlive(id); }, [&](int id) { engine.destroyParticles(id); });
  each(
      w.sensors, 0, [&](int id) { return engine.sensorAlive(id); }, [&](int id) { engine.destroySensor(id); });
  w.unsettled = false;
}

}  // namespace vertebra::capi
