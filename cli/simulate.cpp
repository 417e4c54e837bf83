// vertebra simulate: a figure under gravity, on the ground or hung from a fixed base, free or driven by a clip; or a scene.
#include <cstdio>

#include "cli/output.hpp"
#include "cli/scene.hpp"
#include "cli/simulation.hpp"
#include "cli/verbs.hpp"

namespace vertebra::cli {

namespace {

constexpr long kMostSteps = 1000000000;

Plan planOf(const Arguments& arguments) {
  if (!arguments.has("time") || !arguments.has("dt")) throw UsageError("--time and --dt are needed");
  if (arguments.has("every") && !arguments.has("trace")) throw UsageError("--every needs --trace");
  Plan plan;
  plan.time = arguments.positive("time", 0);
  plan.step = arguments.positive("dt", 0);
  if (plan.time / plan.step > static_cast<double>(kMostSteps)) throw UsageError("--time / --dt is more than 1e9 steps");
  if (plan.time < plan.step * (1 - 1e-9)) throw UsageError("--time is shorter than one --dt");
  plan.substeps = static_cast<int>(arguments.integer("substeps", 1, 1, 1000));
  plan.tree_solver =
      static_cast<vtb_tree_solver>(arguments.choice("tree-solver", {"articulated", "sparse", "dense"}, VTB_TREE_SOLVER_ARTICULATED));
  plan.solver = static_cast<vtb_solver>(arguments.choice("solver", {"pgs", "dantzig", "jacobi", "cg", "lemke"}, VTB_SOLVER_PGS));
  plan.stepper = stepperOf(arguments, VTB_STEPPER_IMPULSE);
  plan.sleep = !arguments.has("no-sleep");
  plan.stages = arguments.has("stages");
  plan.drop = arguments.number("drop", 0);
  plan.trace = arguments.text("trace");
  plan.every = arguments.integer("every", 1, 1, kMostSteps);
  baseOf(arguments);
  return plan;
}

// Does --q0 say how high a floating base is? Then the figure stays there unless --drop is given.
bool saysHeight(const Arguments& arguments, const std::string& heightName) {
  if (!arguments.has("q0")) return false;
  const std::string given = arguments.text("q0");
  return given.find('=') == std::string::npos || ("," + given).find("," + heightName + "=") != std::string::npos;
}

std::string asJson(const Measures& m) {
  Json json;
  json.beginObject().member("steps", static_cast<std::int64_t>(m.steps)).member("wall_s", m.wall);
  json.member("us_per_step", m.wall / static_cast<double>(m.steps) * 1e6).member("max_joint_error", m.jointError);
  json.member("energy_drift", m.drift).member("energy_drift_max", m.driftMax);
  json.member("energy_rise", m.rise).member("energy_corrected", m.corrected);
  json.member("max_penetration", m.penetration).member("rest_penetration", m.restPenetration).member("contacts_mean", m.contacts);
  json.member("infeasible", static_cast<std::int64_t>(m.infeasible)).member("unsolved", static_cast<std::int64_t>(m.unsolved));
  json.member("capped", static_cast<std::int64_t>(m.capped)).member("diverged", m.diverged);
  m.stages.write(json, m.steps);
  return json.endObject().text() + "\n";
}

std::string asText(const Measures& m) {
  Table table({"measure", "value", "unit"});
  table.add({"steps", std::to_string(m.steps), ""});
  table.add({"time in steps", readable(m.wall), "s"});
  table.add({"time per step", readable(m.wall / static_cast<double>(m.steps) * 1e6), "us"});
  m.stages.write(table, m.steps);
  table.add({"largest joint error", readable(m.jointError), "m"});
  table.add({"energy drift", readable(m.drift), "weight x 1 m"});
  table.add({"largest energy drift", readable(m.driftMax), "weight x 1 m"});
  table.add({"largest rise of energy", readable(m.rise), "weight x 1 m"});
  table.add({"energy corrected", readable(m.corrected), "weight x 1 m"});
  table.add({"largest penetration", readable(m.penetration), "m"});
  table.add({"penetration at rest", readable(m.restPenetration), "m"});
  table.add({"mean contact points", readable(m.contacts), ""});
  table.add({"infeasible steps", std::to_string(m.infeasible), ""});
  table.add({"islands left unsolved", std::to_string(m.unsolved), ""});
  table.add({"speeds cut", std::to_string(m.capped), ""});
  table.add({"diverged", m.diverged ? "yes" : "no", ""});
  return table.text();
}

int run(const Arguments& arguments) {
  if (isScene(arguments.operand(0))) return simulateScene(arguments);
  if (arguments.has("save")) throw UsageError("--save works with scene files only");
  Plan plan = planOf(arguments);
  const Model model = loadModel(arguments.operand(0), arguments);
  printDiagnostics(model.diagnostics, arguments);
  Motion clip;
  const vtb_motion* motion = nullptr;
  if (arguments.has("motion") && model.motion && arguments.text("motion") == arguments.operand(0)) {
    motion = model.motion.get();
  } else if (arguments.has("motion")) {
    std::vector<Diagnostic> diagnostics;
    clip = loadMotion(arguments.text("motion"), arguments, diagnostics);
    printDiagnostics(diagnostics, arguments);
    motion = clip.get();
  }

  const Coordinates coordinates = coordinatesOf(model, arguments);
  std::vector<double> q0 = neutral(coordinates), v0(coordinates.v.size());
  if (motion) check(vtb_workspace_from_motion(coordinates.workspace.get(), motion, 0, at(q0), at(v0), nullptr), "sampling the motion");
  q0 = namedNumbers(arguments, "q0", coordinates.q, q0);
  const bool floating = floats(model, arguments);
  plan.ground = floating || arguments.has("ground");
  plan.place = arguments.has("drop") || (floating && !saysHeight(arguments, coordinates.q[2]));

  Simulation simulation(model, arguments, plan, q0, v0, motion);
  Measures measures;
  try {
    measures = simulation.run();
  } catch (const Failure& failure) {
    // The engine knows numbers only; the file's own diagnostics name the link that cannot be moved and say how to mend it.
    for (const Diagnostic& d : model.diagnostics)
      if (d.code == "urdf.inertia.on-axis" || d.code == "urdf.inertia.massless-end")
        throw Failure(std::string(failure.what()) + "; " + d.element + ": " + d.message);
    throw;
  }
  print(arguments.has("json") ? asJson(measures) : asText(measures));
  return measures.diverged ? 1 : 0;
}

}  // namespace

Verb simulateVerb() {
  Syntax syntax;
  syntax.verb = "simulate";
  syntax.operands = "FILE --time T --dt H";
  syntax.operandCount = 1;
  syntax.summary = "Steps a figure under gravity, or a scene, and reports speed, joint error, energy drift and contacts.";
  syntax.options = {
      {"time", "T", "how long, in s"},
      {"dt", "H", "one step, in s; 1/240 may be written so; of a scene by default its own"},
      {"substeps", "N", "physics steps in each (default 1)"},
      {"stepper", "METHOD", "how time goes on: impulse (default), variational, ode (Runge-Kutta between blows), spook, displacement"},
      {"tree-solver", "METHOD", "how joints are kept: articulated (default), sparse, dense"},
      {"solver", "METHOD", "how contacts and limits are solved: pgs (default), dantzig, jacobi, cg, lemke"},
      {"drop", "HEIGHT",
       "lowest point of the collision shapes above z = 0 at the start, in m (default 0 for a floating base unless --q0 says "
       "how high it is)"},
      {"q0", "VALUES", "first coordinates, as v,v,... or name=v,...; the others neutral, or those of the motion's start"},
      {"motion", "F.bvh", "joints follow this clip by name, with bounded motors; a floating root by a drive of at most half the weight"},
      {"ground", "", "a ground at z = 0 under a fixed base too; under a floating base it is always there"},
      {"no-sleep", "", "what rests is computed on"},
      {"stages", "", "tell the time of each stage of a step too"},
      {"trace", "OUT.csv", "write time, coordinates, energies and contacts"},
      {"every", "N", "steps between rows of the trace (default 1)"},
      {"save", "OUT.xml", "scene: write it as it then is"},
  };
  for (Option& option : loadOptions()) syntax.options.push_back(std::move(option));
  syntax.options.push_back(baseOptions().front());
  syntax.details =
      "Of a scene, dt, stepper, tree-solver and solver are its own unless given; the trace has its named bodies' poses, JSON "
      "energy_unexplained "
      "[J]\nin place of the energy_ members.\n\n"
      "JSON: steps, wall_s (inside the steps), us_per_step, max_joint_error (largest anchor distance of any step, m), energy_drift and\n"
      "energy_drift_max: (E - E0 - work of drives and applied forces + what dampers, friction, impacts and clamps took) / (weight x 1 m) "
      "at\n"
      "the end and its largest size at any step, energy_rise: largest rise of E - work of drives and applied forces above its least value "
      "so far,\n"
      "whatever was lost before, energy_corrected (what the energy correction gave, same scale, part of the drift),\n"
      "max_penetration, rest_penetration (largest in the last tenth of the time, m), contacts_mean, infeasible (steps whose constraints\n"
      "could not all be met), diverged; with --stages us_by_stage. A run that diverges ends there, what was measured until then\n"
      "is printed, and the exit status is 1.\n"
      "Motors of --motion: up to 0.15 x weight x size of the figure (or the file's effort where lower), reached at an error of 0.1 rad.\n";
  return {syntax, run};
}

}  // namespace vertebra::cli
