// Worlds: creation, settings, stepping, statistics and what concerns all bodies at once.
#include "capi/src/play.hpp"
#include "capi/src/world_object.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

void fillDef(const WorldSettings& s, vtb_world_def& def) {
  def.flags = (s.sleeping ? 0u : uint32_t(VTB_WORLD_NO_SLEEP)) | (s.energyCorrection ? 0u : uint32_t(VTB_WORLD_NO_ENERGY_CORRECTION)) |
              (s.energyAccount ? uint32_t(VTB_WORLD_ENERGY_ACCOUNT) : 0u) | (s.persistEvents ? uint32_t(VTB_WORLD_PERSIST_EVENTS) : 0u) |
              (s.continuous ? 0u : uint32_t(VTB_WORLD_NO_CONTINUOUS)) | (s.freePoses ? uint32_t(VTB_WORLD_FREE_POSES) : 0u) |
              (s.planar ? uint32_t(VTB_WORLD_PLANAR) : 0u) | (s.stageTimes ? uint32_t(VTB_WORLD_STAGE_TIMES) : 0u) |
              (s.contactPositions ? uint32_t(VTB_WORLD_CONTACT_POSITIONS) : 0u);
  write(s.gravity, def.gravity);
  def.time_step = s.timeStep;
  def.substeps = s.substeps;
  def.tree_solver = static_cast<int32_t>(s.treeSolver);
  def.solver = static_cast<int32_t>(s.solver);
  def.solver_iterations = s.solverIterations;
  def.solver_tolerance = s.solverTolerance;
  def.contact_margin = s.contactMargin;
  def.contact_slop = s.contactSlop;
  def.contact_correction = s.contactCorrection;
  def.contact_speed = s.contactSpeed;
  def.restitution_speed = s.restitutionSpeed;
  def.max_speed = s.maxSpeed;
  def.max_angular_speed = s.maxAngularSpeed;
  def.sleep_speed = s.sleepSpeed;
  def.sleep_angular_speed = s.sleepAngularSpeed;
  def.sleep_time = s.sleepTime;
  def.max_halvings = s.maxHalvings;
  def.stepper = static_cast<int32_t>(s.stepper);
  def.stabilisation = static_cast<int32_t>(s.stabilisation);
  def.baumgarte = s.baumgarte;
  def.spook_compliance = s.spookCompliance;
  def.spook_relaxation = s.spookRelaxation;
  def.spook_gamma = s.spookGamma;
  def.solver_relaxation = s.solverRelaxation;
  def.solver_order = static_cast<int32_t>(s.solverOrder);
  def.solver_whole_contacts = s.solverWholeContacts;
  def.solver_accelerate = s.solverAccelerate;
  def.friction_directions = s.frictionDirections;
  def.friction_law = static_cast<int32_t>(s.frictionLaw);
  def.ode_velocity_rows = (s.bilateralAccelerations ? 0u : uint32_t(VTB_ODE_VELOCITY_BILATERAL)) |
                          (s.unilateralAccelerations ? 0u : uint32_t(VTB_ODE_VELOCITY_UNILATERAL));
  def.ode_integrator = static_cast<int32_t>(s.odeIntegrator);
  def.ode_control = static_cast<int32_t>(s.odeControl);
  def.ode_tolerance = s.odeTolerance;
  def.ode_smallest_step = s.odeSmallest;
  def.ode_rollback_depth = s.rollbackDepth;
  def.restitution_law = s.poisson ? VTB_RESTITUTION_POISSON : VTB_RESTITUTION_NEWTON;
  def.adaptive_substeps = s.adaptiveSubsteps;
  def.adaptive_depth = s.adaptiveDepth;
  def.time_budget = s.timeBudget;
  def.displacement_regularisation = s.displacementRegularisation;
  def.displacement_warm_start = s.displacementWarmStart;
  def.displacement_flags = (s.displacementBlocks ? uint32_t(VTB_DISPLACEMENT_BLOCKS) : 0u) |
                           (s.displacementFrozen ? uint32_t(VTB_DISPLACEMENT_FROZEN) : 0u) |
                           (s.displacementGyroscopic ? uint32_t(VTB_DISPLACEMENT_GYROSCOPIC) : 0u);
}

vtb_world_def worldDefaults() {
  vtb_world_def def{};
  fillDef(WorldSettings{}, def);
  return def;
}

WorldSettings settingsFrom(const vtb_world_def& def) {
  const uint32_t flags = flagsOf(def.flags,
                                 VTB_WORLD_NO_SLEEP | VTB_WORLD_NO_ENERGY_CORRECTION | VTB_WORLD_ENERGY_ACCOUNT | VTB_WORLD_FREE_POSES |
                                     VTB_WORLD_PERSIST_EVENTS | VTB_WORLD_NO_CONTINUOUS | VTB_WORLD_PLANAR | VTB_WORLD_STAGE_TIMES |
                                     VTB_WORLD_CONTACT_POSITIONS,
                                 "flags");
  reserved(static_cast<uint32_t>(def.reserved));
  reserved(def.reserved2);
  WorldSettings s;
  s.sleeping = !(flags & VTB_WORLD_NO_SLEEP);
  s.energyCorrection = !(flags & VTB_WORLD_NO_ENERGY_CORRECTION);
  s.energyAccount = flags & VTB_WORLD_ENERGY_ACCOUNT;
  s.gravity = vector(def.gravity, "gravity");
  s.timeStep = positive(def.time_step, "time_step");
  s.substeps = choice(def.substeps, 1, 1000000, "substeps");
  s.treeSolver = static_cast<TreeSolver>(choice(def.tree_solver, VTB_TREE_SOLVER_ARTICULATED, VTB_TREE_SOLVER_DENSE, "tree_solver"));
  s.solver = static_cast<Solver>(choice(def.solver, VTB_SOLVER_PGS, VTB_SOLVER_LEMKE, "solver"));
  s.solverIterations = choice(def.solver_iterations, 1, 1000000, "solver_iterations");
  s.solverTolerance = finiteNotNegative(def.solver_tolerance, "solver_tolerance");
  s.contactMargin = finiteNotNegative(def.contact_margin, "contact_margin");
  s.contactSlop = finiteNotNegative(def.contact_slop, "contact_slop");
  s.contactCorrection = finiteNotNegative(def.contact_correction, "contact_correction");
  if (s.contactCorrection > 1) refuse(VTB_E_ARG, "contact_correction is above 1");
  s.contactSpeed = finiteNotNegative(def.contact_speed, "contact_speed");
  s.restitutionSpeed = finiteNotNegative(def.restitution_speed, "restitution_speed");
  s.maxSpeed = positive(def.max_speed, "max_speed");
  s.maxAngularSpeed = positive(def.max_angular_speed, "max_angular_speed");
  s.sleepSpeed = finiteNotNegative(def.sleep_speed, "sleep_speed");
  s.sleepAngularSpeed = finiteNotNegative(def.sleep_angular_speed, "sleep_angular_speed");
  s.sleepTime = finiteNotNegative(def.sleep_time, "sleep_time");
  s.freePoses = flags & VTB_WORLD_FREE_POSES;
  s.planar = flags & VTB_WORLD_PLANAR;
  s.stageTimes = flags & VTB_WORLD_STAGE_TIMES;
  s.contactPositions = flags & VTB_WORLD_CONTACT_POSITIONS;
  s.persistEvents = flags & VTB_WORLD_PERSIST_EVENTS;
  s.continuous = !(flags & VTB_WORLD_NO_CONTINUOUS);
  if (def.stepper != VTB_STEPPER_IMPULSE && def.stepper != VTB_STEPPER_VARIATIONAL && def.stepper != VTB_STEPPER_ODE &&
      def.stepper != VTB_STEPPER_SPOOK && def.stepper != VTB_STEPPER_DISPLACEMENT)
    refuse(VTB_E_ARG, "stepper is " + std::to_string(def.stepper) + ", which is no VTB_STEPPER_ of this library");
  s.stepper = static_cast<Stepper>(def.stepper);
  s.stabilisation = static_cast<Stabilisation>(choice(def.stabilisation, VTB_STABILISE_NEWTON, VTB_STABILISE_NONE, "stabilisation"));
  s.baumgarte = finiteNotNegative(def.baumgarte, "baumgarte");
  s.spookCompliance = finiteNotNegative(def.spook_compliance, "spook_compliance");
  s.spookRelaxation = finiteNotNegative(def.spook_relaxation, "spook_relaxation");
  s.spookGamma = finiteNotNegative(def.spook_gamma, "spook_gamma");
  s.solverRelaxation = positive(def.solver_relaxation, "solver_relaxation");
  if (s.solverRelaxation >= 2) refuse(VTB_E_ARG, "solver_relaxation is not below 2");
  s.solverOrder = static_cast<SweepOrder>(choice(def.solver_order, VTB_SWEEP_FORWARD, VTB_SWEEP_SHUFFLED, "solver_order"));
  s.solverWholeContacts = choice(def.solver_whole_contacts, 0, 1, "solver_whole_contacts");
  s.solverAccelerate = choice(def.solver_accelerate, 0, 1, "solver_accelerate");
  s.frictionLaw = static_cast<ContactFriction>(choice(def.friction_law, VTB_FRICTION_CONE, VTB_FRICTION_LOETSTEDT, "friction_law"));
  s.frictionDirections = choice(def.friction_directions, 3, 256, "friction_directions");
  s.displacementRegularisation = finiteNotNegative(def.displacement_regularisation, "displacement_regularisation");
  s.displacementWarmStart = def.displacement_warm_start;
  if (s.displacementWarmStart != -1 && !(s.displacementWarmStart >= 0 && s.displacementWarmStart <= 1))
    refuse(VTB_E_ARG, "displacement_warm_start is neither -1 nor from 0 to 1");
  const uint32_t displacement = flagsOf(
      def.displacement_flags, VTB_DISPLACEMENT_BLOCKS | VTB_DISPLACEMENT_FROZEN | VTB_DISPLACEMENT_GYROSCOPIC, "displacement_flags");
  s.displacementBlocks = displacement & VTB_DISPLACEMENT_BLOCKS;
  s.displacementFrozen = displacement & VTB_DISPLACEMENT_FROZEN;
  s.displacementGyroscopic = displacement & VTB_DISPLACEMENT_GYROSCOPIC;
  s.maxHalvings = choice(def.max_halvings, 0, 20, "max_halvings");
  const uint32_t velocityRows =
      flagsOf(def.ode_velocity_rows, VTB_ODE_VELOCITY_BILATERAL | VTB_ODE_VELOCITY_UNILATERAL, "ode_velocity_rows");
  s.bilateralAccelerations = !(velocityRows & VTB_ODE_VELOCITY_BILATERAL);
  s.unilateralAccelerations = !(velocityRows & VTB_ODE_VELOCITY_UNILATERAL);
  s.odeIntegrator = static_cast<Integrator>(choice(def.ode_integrator, VTB_ODE_EXPLICIT_EULER, VTB_ODE_DORMAND_PRINCE, "ode_integrator"));
  s.odeControl = static_cast<StepControl>(choice(def.ode_control, VTB_ODE_FIXED, VTB_ODE_EMBEDDED, "ode_control"));
  if (s.odeControl == StepControl::Embedded && s.odeIntegrator != Integrator::DormandPrince)
    refuse(VTB_E_ARG, "ode_control embedded goes with ode_integrator VTB_ODE_DORMAND_PRINCE only");
  s.odeTolerance = positive(def.ode_tolerance, "ode_tolerance");
  s.odeSmallest = positive(def.ode_smallest_step, "ode_smallest_step");
  s.rollbackDepth = finiteNotNegative(def.ode_rollback_depth, "ode_rollback_depth");
  s.poisson = choice(def.restitution_law, VTB_RESTITUTION_NEWTON, VTB_RESTITUTION_POISSON, "restitution_law") == VTB_RESTITUTION_POISSON;
  s.adaptiveSubsteps = choice(def.adaptive_substeps, 1, 65536, "adaptive_substeps");
  s.adaptiveDepth = finiteNotNegative(def.adaptive_depth, "adaptive_depth");
  s.timeBudget = finiteNotNegative(def.time_budget, "time_budget");
  return s;
}

void callBeforeStep(void* context) {
  auto& world = *static_cast<vtb_world*>(context);
  const CallbackScope scope(world);
  world.beforeStep(world.user, &world);
}

bool callFilter(void* context, int bodyA, int bodyB) {
  auto& world = *static_cast<vtb_world*>(context);
  const CallbackScope scope(world);
  return world.filter(world.user, &world, {world.bodies.handle(bodyA)}, {world.bodies.handle(bodyB)}) != 0;
}

void setCallbacks(vtb_world& world, const vtb_world_def& def) {
  world.log = def.log;
  world.beforeStep = def.before_step;
  world.filter = def.filter;
  world.user = def.user;
  world.engine.callbacks().beforeStep = def.before_step ? callBeforeStep : nullptr;
  world.engine.callbacks().filter = def.filter ? callFilter : nullptr;
  world.engine.callbacks().user = &world;
}

// Calls visit(place, body) for each living body in the order of vtb_world_get_bodies, and returns their number.
template <class Visit>
std::size_t eachBody(const vtb_world& world, Visit&& visit) {
  std::size_t count = 0;
  const int capacity = world.engine.bodyCapacity();
  for (int body = 0; body < capacity; body++)
    if (world.engine.bodyAlive(body)) visit(count++, body);
  return count;
}

std::string linkName(const vtb_world& world, int body) {  // as a text begins, or nothing for a body of no figure
  for (const std::optional<Figure>& figure : world.figureSlots) {
    if (!figure) continue;
    const std::vector<int>& bodies = figure->bodies();
    for (std::size_t link = 0; link < bodies.size(); link++)
      if (bodies[link] == body) return "link '" + figure->model().skeleton->links[link].name + "': ";
  }
  return {};
}

}  // namespace

vtb_status vtb_world_def_init(vtb_world_def* def, uint32_t struct_size) {
  return guarded(__func__, [&] { initStruct(def, struct_size, worldDefaults()); });
}

vtb_status vtb_world_create(const vtb_world_def* given, vtb_world** out) {
  return guarded(__func__, [&] {
    required(out, "out");
    const vtb_world_def def = given ? readStruct(given, worldDefaults(), "def") : worldDefaults();
    auto world = std::make_unique<vtb_world>(settingsFrom(def), nextWorldTag());
    setCallbacks(*world, def);
    *out = world.release();
  });
}

vtb_status vtb_world_destroy(vtb_world* world) {
  return guarded(__func__, [&] {
    if (world && world->inCallback) refuse(VTB_E_BUSY, "called from inside a callback of this world");
    delete world;
  });
}

vtb_status vtb_world_get_settings(const vtb_world* world, vtb_world_def* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    vtb_world_def def{};
    fillDef(w.engine.settings(), def);
    def.log = w.log;
    def.before_step = w.beforeStep;
    def.filter = w.filter;
    def.user = w.user;
    writeStruct(out, def);
  });
}

vtb_status vtb_world_set_settings(vtb_world* world, const vtb_world_def* given) {
  return changing(__func__, world, [&](vtb_world& w) {
    const vtb_world_def def = readStruct(given, worldDefaults(), "def");
    WorldSettings settings = settingsFrom(def);
    settings.threads = w.engine.settings().threads;  // vtb_world_set_threads
    check(w.engine.setSettings(settings));
    setCallbacks(w, def);
  });
}

vtb_status vtb_world_reserve(vtb_world* world, int32_t contacts) {
  return changing(__func__, world, [&](vtb_world& w) { check(w.engine.reserve(choice(contacts, 0, 10000000, "contacts"))); });
}

void vertebra::capi::stepWorld(vtb_world& w, uint32_t steps) {
  w.engine.resetStatistics();
  Failure infeasible;
  for (uint32_t i = 0; i < steps; i++) {
    playMotions(w);
    Failure failure = w.engine.step();
    if (failure.kind == Failure::Infeasible) {
      if (!infeasible) infeasible = std::move(failure);
    } else {
      if (failure.body >= 0) failure.text = linkName(w, failure.body) + failure.text;
      check(failure);
    }
  }
  check(infeasible);
}

vtb_status vtb_world_step(vtb_world* world, uint32_t steps) {
  return changing(__func__, world, [&](vtb_world& w) { stepWorld(w, steps); });
}

vtb_status vtb_world_get_time(const vtb_world* world, double* seconds) {
  return reading(__func__, world, [&](const vtb_world& w) { required(seconds, "seconds") = w.engine.time(); });
}

vtb_status vtb_world_wake_all(vtb_world* world) {
  return changing(__func__, world, [&](vtb_world& w) { w.engine.wakeAll(); });
}

vtb_status vtb_world_get_hash(const vtb_world* world, uint64_t* hash) {
  return reading(__func__, world, [&](const vtb_world& w) { required(hash, "hash") = w.engine.hash(); });
}

vtb_status vtb_world_get_stats(const vtb_world* world, vtb_world_stats* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const Statistics& s = w.engine.statistics();
    vtb_world_stats stats{};
    stats.bodies = s.bodies;
    stats.joints = s.joints;
    stats.islands = s.islands;
    stats.sleeping_bodies = s.sleepingBodies;
    stats.pairs = s.pairs;
    stats.contacts = s.contacts;
    stats.rows = s.rows;
    stats.solver_iterations = s.solverIterations;
    stats.halvings = s.halvings;
    stats.infeasible = s.infeasible;
    stats.first_order = s.firstOrder;
    stats.solver_residual = s.solverResidual;
    stats.complementarity = s.complementarity;
    stats.max_penetration = s.maxPenetration;
    stats.max_joint_error = s.maxJointError;
    stats.max_energy_correction = s.maxEnergyCorrection;
    stats.speculative_contacts = s.speculative;
    stats.rollbacks = s.rollbacks;
    stats.merges = s.merges;
    stats.stops = s.stops;
    stats.evaluations = s.evaluations;
    stats.restarts = s.restarts;
    stats.hurried = s.hurried;
    stats.parts = s.parts;
    static_assert(sizeof stats.stage_seconds == sizeof s.seconds);
    std::copy_n(s.seconds, kStages, stats.stage_seconds);
    writeStruct(out, stats);
  });
}

vtb_status vtb_world_get_energy(const vtb_world* world, vtb_energy* out) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const EnergyAccount a = w.engine.energy();
    vtb_energy energy{};
    energy.kinetic = a.kinetic;
    energy.potential = a.potential;
    energy.work_drives = a.workDrives;
    energy.work_applied = a.workApplied;
    energy.lost_damping = a.lostDamping;
    energy.lost_friction = a.lostFriction;
    energy.lost_impact = a.lostImpact;
    energy.lost_clamp = a.lostClamp;
    energy.corrected = a.corrected;
    energy.discretisation = a.discretisation;
    writeStruct(out, energy);
  });
}

vtb_status vtb_world_get_momentum(const vtb_world* world, double* linear, double* angular) {
  return reading(__func__, world, [&](const vtb_world& w) {
    required(linear, "linear");
    required(angular, "angular");
    Vec3 p, l;
    w.engine.momentum(p, l);
    write(p, linear);
    write(l, angular);
  });
}

vtb_status vtb_world_get_bodies(const vtb_world* world, vtb_body* handles, size_t capacity, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<vtb_body> out(handles, 1, capacity, 0, total, "handles");
    out.setTotal(eachBody(w, [&](std::size_t i, int body) {
      const vtb_body handle{w.bodies.handle(body)};
      out.put(i, &handle);
    }));
  });
}

vtb_status vtb_world_get_poses(const vtb_world* world, double* poses, size_t capacity, size_t stride_bytes, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<double> out(poses, 7, capacity, stride_bytes, total, "poses");
    out.setTotal(eachBody(w, [&](std::size_t i, int body) {
      if (i >= out.capacity()) return;
      double row[7];
      write(w.engine.bodyPose(body), row);
      out.put(i, row);
    }));
  });
}

vtb_status vtb_world_get_twists(const vtb_world* world, double* twists, size_t capacity, size_t stride_bytes, size_t* total) {
  return reading(__func__, world, [&](const vtb_world& w) {
    ArrayOut<double> out(twists, 6, capacity, stride_bytes, total, "twists");
    out.setTotal(eachBody(w, [&](std::size_t i, int body) {
      if (i >= out.capacity()) return;
      Vec3 velocity, omega;
      w.engine.bodyTwist(body, velocity, omega);
      double row[6];
      write(velocity, row);
      write(omega, row + 3);
      out.put(i, row);
    }));
  });
}
