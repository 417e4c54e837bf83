// vertebra_demo: a person made from a walking clip walks under force-limited drives, a ball is thrown at it, and drives that are too far
// from their target go limp; beside it an arm holds its pose under gravity. Reads the options, runs the simulation (simulation.hpp), writes
// a film strip (film.hpp) and prints a report.
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "viewer/demo/film.hpp"
#include "viewer/demo/simulation.hpp"

using namespace vertebra::viewer;

namespace {

struct Options {
  std::string folder = ".";
  double seconds = 4.2;
};

void report(const Simulation& simulation, double seconds, int steps, const Film& film, const std::string& picture) {
  const Walker& walker = simulation.walker();
  const Measures& m = simulation.measures();
  std::printf("simulated        %g s in %d steps of 1/240 s, %.0f us each\n", seconds, steps, 1e6 * m.wall / steps);
  std::printf("walker           %d links, %d velocities, %.1f kg; its root is held by at most half its weight\n", walker.links, walker.nv,
              walker.weight() / kGravity);
  std::printf("largest error    of a joint's drive %.2f rad before the ball hits, %.2f rad after\n", m.errorBefore, m.errorAfter);
  if (m.hitTime >= 0) std::printf("ball             of %g kg hits at %.2f s\n", kBallMass, m.hitTime);
  if (m.limpTime >= 0) std::printf("first limp joint %.2f s\n", m.limpTime);
  std::printf("outcome          the walker %s, %d of its %d joints limp\n", walker.rootHeight() < 0.5 ? "fell" : "is on its feet",
              walker.limpCount(), walker.joints);
  std::printf("arm              off its pose by at most %.4f rad\n", m.sag);
  std::printf("joints apart     by at most %.1e m; contacts overlap by at most %.1f mm\n", m.separation, 1e3 * m.penetration);
  std::printf("picture          %s (%s)\n", picture.c_str(), film.size().c_str());
}

void run(const Options& options) {
  Film film;
  Simulation simulation(VERTEBRA_MODELS, options.seconds);
  const int steps = static_cast<int>(std::lround(options.seconds / kStep));
  for (int step = 0; step <= steps; step++) {
    const double time = step * kStep;
    simulation.control(time);
    while (film.due(time, options.seconds)) film.shoot(simulation, time);
    if (step < steps) simulation.step();
  }
  const std::string picture = (std::filesystem::path(options.folder) / "vertebra_demo.png").string();
  film.write(picture);
  report(simulation, options.seconds, steps, film, picture);
}

constexpr const char* kUsage =
    "usage: vertebra_demo [--out DIR] [--seconds T]\n"
    "Simulates a walking person hit by a ball, and an arm; writes DIR/vertebra_demo.png (default: here) of T seconds (default: 4.2, at "
    "most 5.5).\n";

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 == argc) return false;
    const std::string_view value = argv[i + 1];
    if (name == "--out") {
      options.folder = value;
    } else if (name == "--seconds") {
      const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), options.seconds);
      if (code != std::errc() || end != value.data() + value.size() || !(options.seconds >= 0.1 && options.seconds <= 5.5)) return false;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && !std::strcmp(argv[1], "--help")) {
    std::fputs(kUsage, stdout);
    return 0;
  }
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  try {
    std::filesystem::create_directories(options.folder);
    run(options);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "vertebra_demo: %s\n", e.what());
    return 1;
  }
}
