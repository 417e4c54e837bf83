// torture [options]: see kUsage. Random worlds under steppers, solvers and steps; the answer is 1 if a world fails (with --known: if the
// failures are not those listed), 2 for wrong arguments.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/torture/torture.hpp"

namespace torture {
namespace {

constexpr const char* kUsage =
    "usage: torture [--worlds N] [--seed S] [--stepper X] [--solver Y] [--step 1/240|1/60] [--every] [--json] [--seconds T] [--limit T]\n"
    "               [--shrink T] [--known FILE] [--other-build] [--models DIR] [--out DIR]\n"
    "N random worlds (42) of the seeds S (1), S + 1, ...; each under one of the chosen combinations of stepper, solver and step, by its\n"
    "seed; with --every under each of them. T simulated seconds (4), at most T seconds of the clock for a world (20) and for cutting it\n"
    "down where it fails (3; 0: it is not cut down). Scenes of worlds that failed go to DIR (build/torture).\n";

bool parse(int argc, char** argv, Options& options) {
  std::string stepper, solver, step;
  options.models = "models", options.out = "build/torture";
  for (int i = 1; i < argc; i++) {
    const std::string name = argv[i];
    if (name == "--every" || name == "--json" || name == "--other-build") {
      (name == "--json" ? options.json : name == "--every" ? options.every : options.otherBuild) = true;
      continue;
    }
    if (i + 1 >= argc) return false;
    const std::string value = argv[++i];
    char* end = nullptr;
    const double number = std::strtod(value.c_str(), &end);
    const bool isNumber = end != value.c_str() && *end == 0 && number >= 0 && number < 1e15;
    if (name == "--stepper")
      stepper = value;
    else if (name == "--solver")
      solver = value;
    else if (name == "--step")
      step = value;
    else if (name == "--known")
      options.known = value;
    else if (name == "--models")
      options.models = value;
    else if (name == "--out")
      options.out = value;
    else if (!isNumber)
      return false;
    else if (name == "--worlds")
      options.worlds = static_cast<int>(number);
    else if (name == "--seed")
      options.seed = static_cast<std::uint64_t>(number);
    else if (name == "--seconds")
      options.seconds = number;
    else if (name == "--limit")
      options.timeAllowed = number;
    else if (name == "--shrink")
      options.shrinkTime = number;
    else
      return false;
  }
  for (const Combination& c : combinations())
    if ((stepper.empty() || stepper == stepperName(c.stepper)) && (solver.empty() || solver == solverName(c.solver)) &&
        (step.empty() || step == "1/" + std::to_string(c.rate)))
      options.combinations.push_back(c);
  return !options.combinations.empty() && options.worlds > 0 && options.seconds > 0;
}

// Cuts down a world that failed and saves it as a scene file.
void save(const Recipe& recipe, const Options& options, Outcome& outcome) {
  const Recipe small = shrink(recipe, outcome.combination, options, outcome.result);
  outcome.bodiesLeft = small.bodies.size(), outcome.jointsLeft = small.joints.size();
  std::filesystem::create_directories(options.out);
  outcome.scene = options.out + "/" + std::to_string(outcome.seed) + "_" + outcome.family + "_" + stepperName(outcome.combination.stepper) +
                  "_" + solverName(outcome.combination.solver) + "_" + std::to_string(outcome.combination.rate) + "_" +
                  measureName(outcome.result.chief(outcome.combination)) + ".xml";
  for (std::size_t i = 0; i < small.bodies.size(); i++)
    if (!small.bodies[i].model.empty()) std::ofstream(modelFile(small, i, options)) << modelText(small, i, options);
  const World world(small, outcome.combination, options);
  if (vtb_world_save_scene(world.get(), outcome.scene.c_str()) != VTB_OK) throw std::runtime_error(vtb_last_error());
}

Outcome torture(std::uint64_t seed, const Combination& combination, const Options& options) {
  Recipe recipe = draw(seed);
  recipe.seconds = options.seconds;
  separate(recipe, options);
  Outcome outcome{seed,
                  recipe.family,
                  combination,
                  recipe.substeps,
                  recipe.contactPositions,
                  recipe.sleep,
                  recipe.bodies.size(),
                  recipe.joints.size(),
                  {},
                  {}};
  outcome.result = run(recipe, combination, options);
  if (options.shrinkTime > 0 && outcome.result.fails(combination)) save(recipe, options, outcome);
  return outcome;
}

int runAll(Options options) {
  options.models = std::filesystem::absolute(options.models).string();  // scenes name files from another folder
  options.out = std::filesystem::absolute(options.out).string();
  std::vector<Outcome> outcomes;
  const std::size_t count = options.combinations.size(), each = options.every ? count : 1;
  const std::size_t all = static_cast<std::size_t>(options.worlds) * each;
  std::size_t failing = 0;
  for (std::uint64_t seed = options.seed; outcomes.size() < all; seed++)
    for (std::size_t i = 0; i < each; i++) {
      outcomes.push_back(torture(seed, options.combinations[options.every ? i : seed % count], options));
      failing += outcomes.back().result.fails(outcomes.back().combination);
      showProgress(outcomes.size(), all, failing);
    }
  if (options.json) {
    printJson(outcomes);
  } else {
    printTable(outcomes);
    printFailures(outcomes);
    std::printf("%zu worlds, %zu failing\n", all, failing);
  }
  if (options.known.empty()) return failing ? 1 : 0;
  return differences(outcomes, options.known, options.otherBuild) ? 1 : 0;
}

}  // namespace
}  // namespace torture

int main(int argc, char** argv) {
  torture::Options options;
  if (!torture::parse(argc, argv, options)) {
    std::fputs(torture::kUsage, stderr);
    return 2;
  }
  try {
    return torture::runAll(options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "torture: %s\n", e.what());
    return 1;
  }
}
