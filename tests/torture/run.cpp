// Steps one torture world and says how far it kept its bounds; the bounds; the combinations of stepper, solver and step.
// Units: SI.
#include <algorithm>
#include <chrono>

#include "tests/torture/watch.hpp"

namespace torture {

const char* stepperName(vtb_stepper stepper) {
  constexpr const char* kNames[] = {"impulse", "variational", "ode", "spook", "displacement"};
  return kNames[stepper];
}

const char* solverName(vtb_solver solver) {
  constexpr const char* kNames[] = {"pgs", "dantzig", "jacobi", "cg", "lemke"};
  return kNames[solver];
}

const char* measureName(Measure measure) {
  constexpr const char* kNames[] = {"depth", "joint", "energy", "regain", "account", "momentum", "number", "status"};
  return kNames[measure];
}

const std::vector<Combination>& combinations() {
  static const std::vector<Combination> all = [] {
    std::vector<Combination> list;
    for (const int rate : {240, 60})
      for (const int stepper : {0, 1, 2, 3, 4})
        for (const int solver : {0, 1, 2, 3, 4})
          if (stepper != VTB_STEPPER_DISPLACEMENT || solver == VTB_SOLVER_PGS)
            list.push_back({static_cast<vtb_stepper>(stepper), static_cast<vtb_solver>(solver), rate});
    return list;
  }();
  return all;
}

namespace {

// Of step x weight. variational tells velocities half a step ahead while rows act, so a step in which that begins or ends differs by half
// of its forces; ode tells the forces of its last solution, which are those of the step to first order.
double momentumBoundOf(vtb_stepper stepper) { return stepper == VTB_STEPPER_VARIATIONAL ? 0.51 : stepper == VTB_STEPPER_ODE ? 0.05 : 1e-6; }

}  // namespace

double boundOf(Measure measure, const Combination& combination) {
  const double depth = combination.rate == 240 ? 5e-3 : 20e-3;  // m
  // spook and displacement promise no exact joints; they get what contacts get.
  const bool soft = combination.stepper == VTB_STEPPER_SPOOK || combination.stepper == VTB_STEPPER_DISPLACEMENT;
  switch (measure) {
    case DEPTH:
      return depth;
    case JOINT:
      return soft ? depth : 1e-9;  // m or rad
    case ENERGY:
    case ACCOUNT:
      return 0.01;  // of weight x 1 m
    case REGAIN:
      return 0.1;  // of weight x 1 m; pushing bodies apart at contact.speed, 1 m/s, gives half of it
    case MOMENTUM:
      return momentumBoundOf(combination.stepper);
    default:
      return 0;  // none may happen
  }
}

bool Result::fails(const Combination& combination) const {
  for (int m = 0; m < MEASURES; m++)
    if (fails(static_cast<Measure>(m), combination)) return true;
  return false;
}

Measure Result::chief(const Combination& combination) const {
  Measure chief = MEASURES;
  double most = 0;
  for (const Measure m : {STATUS, NUMBER, DEPTH, JOINT, ENERGY, REGAIN, ACCOUNT, MOMENTUM}) {
    if (!fails(m, combination)) continue;
    if (m == STATUS || m == NUMBER) return m;
    if (chief != MEASURES && (m == ACCOUNT || m == MOMENTUM)) break;
    const double ratio = worst[m] / boundOf(m == JOINT ? DEPTH : m, combination);  // joints to round-off would outweigh all else
    if (ratio > most) most = ratio, chief = m;
  }
  return chief;
}

Result run(const Recipe& recipe, const Combination& combination, const Options& options, Measure until, double level) {
  using Clock = std::chrono::steady_clock;
  Result result;
  const World world(recipe, combination, options);
  Watch watch(world.get(), recipe, combination);
  const long steps = std::lround(recipe.seconds * combination.rate);
  for (long i = 0; i < steps; i++) {
    watch.before();
    const Clock::time_point start = Clock::now();
    const vtb_status status = vtb_world_step(world.get(), 1);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    result.seconds += seconds, result.slowest = std::max(result.slowest, seconds), result.steps++;
    if (status != VTB_OK) {
      if (result.worst[STATUS] == 0) result.when[STATUS] = static_cast<double>(i + 1) / combination.rate;
      result.worst[STATUS]++;
      result.text = std::string(vtb_status_name(status)) + ": " + vtb_last_error();
      if (status != VTB_E_INFEASIBLE) break;  // the step was undone, so the next would fail likewise
    }
    watch.after(result);
    if (result.worst[NUMBER] > 0) break;
    if (until != MEASURES && result.worst[until] > level) break;
    result.late = result.seconds > options.timeAllowed;
    if (result.late) break;
  }
  return result;
}

}  // namespace torture
