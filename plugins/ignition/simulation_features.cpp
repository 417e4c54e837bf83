// Features of worlds: a step with the commands given for it, poses that changed, contact points with forces, gravity and solver.
#include "plugins/ignition/simulation_features.hpp"

#include <chrono>
#include <cmath>
#include <ignition/common/Console.hh>
#include <limits>

#include "plugins/ignition/joints_made.hpp"

namespace ignition::physics::vertebra {

namespace {

const char* const kSolvers[] = {"pgs", "dantzig", "jacobi", "cg", "lemke"};  // by vtb_solver

vtb_world_def settingsOf(const World& world) {
  vtb_world_def def;
  vtb_world_def_init(&def, sizeof def);
  done(vtb_world_get_settings(world.world, &def), "settings of world '" + world.name + "'");
  return def;
}

bool set(World& world, const vtb_world_def& def) {
  return done(vtb_world_set_settings(world.world, &def), "settings of world '" + world.name + "'");
}

}  // namespace

void SimulationFeatures::WorldForwardStep(const Identity& id, ForwardStep::Output& output, ForwardStep::State&,
                                          const ForwardStep::Input& input) {
  World& world = at<World>(id);
  if (const auto* duration = input.Query<std::chrono::steady_clock::duration>()) {
    const double step = std::chrono::duration<double>(*duration).count();
    if (step != world.timeStep) {
      vtb_world_def def = settingsOf(world);
      def.time_step = step;
      if (!set(world, def)) return;
      world.timeStep = step;
    }
  }
  drive(world);
  const vtb_status status = vtb_world_step(world.world, 1);
  ++world.step;
  // A contradiction, such as a commanded velocity into a wall: the step was made, within all bounds.
  if (status == VTB_E_INFEASIBLE)
    igndbg << "vertebra: step of world '" << world.name << "': " << vtb_last_error() << "\n";
  else if (!done(status, "step of world '" + world.name + "'"))
    return;
  writePoses(world, output);
}

void SimulationFeatures::writePoses(World& world, ForwardStep::Output& output) {
  std::size_t total = 0;
  if (world.linksChanged) {
    vtb_world_get_bodies(world.world, nullptr, 0, &total);
    world.bodies.resize(total), world.links.resize(total), world.poses.resize(7 * total);
    vtb_world_get_bodies(world.world, world.bodies.data(), total, &total);
    for (std::size_t i = 0; i < total; ++i) {
      std::uint64_t value = 0;
      vtb_world_get_user_value(world.world, VTB_NAMED_BODY, world.bodies[i].bits, &value);
      world.links[i] = static_cast<std::size_t>(value);
    }
    world.lastPoses.assign(7 * total, std::numeric_limits<double>::quiet_NaN());  // all count as changed
    world.linksChanged = false;
  }
  total = world.bodies.size();
  vtb_world_get_poses(world.world, world.poses.data(), total, 0, &total);
  auto& all = output.Get<WorldPoses>().entries;
  auto& changed = output.Get<ChangedWorldPoses>().entries;
  all.clear(), changed.clear();
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    const double* p = &world.poses[7 * i];
    all.push_back({math::Pose3d(p[0], p[1], p[2], p[6], p[3], p[4], p[5]), world.links[i]});
    if (!std::equal(p, p + 7, &world.lastPoses[7 * i])) changed.push_back(all.back());
  }
  world.lastPoses = world.poses;
}

std::vector<SimulationFeatures::ContactInternal> SimulationFeatures::GetContactsFromLastStep(const Identity& id) const {
  const World& world = at<World>(id);
  std::size_t total = 0;
  vtb_world_get_contacts(world.world, nullptr, 0, 0, &total);
  std::vector<vtb_contact> points(total);
  if (!done(vtb_world_get_contacts(world.world, points.data(), total, 0, &total), "contacts of world '" + world.name + "'")) return {};
  std::vector<ContactInternal> contacts;
  for (const vtb_contact& point : points) {
    const Eigen::Map<const Vector> force(point.force), normal(point.normal);
    if (point.gap > 0 && force.isZero()) continue;  // seen coming, but not there
    std::uint64_t a = 0, b = 0;
    vtb_world_get_user_value(world.world, VTB_NAMED_SHAPE, point.shape_a.bits, &a);
    vtb_world_get_user_value(world.world, VTB_NAMED_SHAPE, point.shape_b.bits, &b);
    const auto first = record(a), second = record(b);
    if (!first || !second) continue;  // removed since
    CompositeData extra;
    auto& data = extra.Get<GetContactsFromLastStepFeature::ExtraContactDataT<FeaturePolicy3d>>();
    data.force = -force;  // the engine tells what acts on b
    data.normal = -normal;
    data.depth = -point.gap;
    contacts.push_back({identityOf(first), identityOf(second), Eigen::Map<const Vector>(point.position), extra});
  }
  return contacts;
}

void SimulationFeatures::SetWorldGravity(const Identity& id, const LinearVector3d& gravity) {
  World& world = at<World>(id);
  vtb_world_def def = settingsOf(world);
  Eigen::Map<Vector>(def.gravity) = gravity;
  set(world, def);
}
LinearVector3d SimulationFeatures::GetWorldGravity(const Identity& id) const {
  const vtb_world_def def = settingsOf(at<World>(id));
  return Eigen::Map<const Vector>(def.gravity);
}

void SimulationFeatures::SetWorldCollisionDetector(const Identity& id, const std::string& name) {
  if (name != at<World>(id).detector) ignerr << "vertebra: there is no collision detector '" << name << "' but 'vertebra'\n";
}
const std::string& SimulationFeatures::GetWorldCollisionDetector(const Identity& id) const { return at<World>(id).detector; }

void SimulationFeatures::SetWorldSolver(const Identity& id, const std::string& name) {
  World& world = at<World>(id);
  for (int i = 0; i < 5; ++i)
    if (name == kSolvers[i]) {
      vtb_world_def def = settingsOf(world);
      def.solver.type = static_cast<vtb_solver>(i);
      if (set(world, def)) world.solver = name;
      return;
    }
  ignerr << "vertebra: there is no solver '" << name << "' but pgs, dantzig, jacobi, cg and lemke\n";
}
const std::string& SimulationFeatures::GetWorldSolver(const Identity& id) const { return at<World>(id).solver; }

}  // namespace ignition::physics::vertebra
