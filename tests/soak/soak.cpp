// Steps a scene for a long time through vertebra.h and watches the memory of the process, which must be constant after a time to settle.
// Once a simulated minute all bodies are pushed upwards, so that islands wake, fly, meet and fall asleep again. `./dev soak` runs it for an
// hour under the address sanitizer; a short run is in the tests.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "vertebra/vertebra.h"

namespace {

constexpr const char* kUsage =
    "usage: soak SCENE [--seconds T] [--settle T] [--step H] [--bound MB] [--ballast BYTES]\n"
    "Steps a scene file for T simulated seconds (3600). Fails where the resident memory grows by more than the bound (1 MB) after the\n"
    "time to settle (60 s), or a step fails. Steps are the scene's or of H seconds. Ballast is kept with every step, to see that the "
    "check\n"
    "can fail.\n";

struct Options {
  const char* scene = nullptr;
  double seconds = 3600, settle = 60, step = 0, bound = 1, ballast = 0;
};

void check(vtb_status status) {
  if (status != VTB_OK) throw std::runtime_error(std::string(vtb_status_name(status)) + ": " + vtb_last_error());
}

double residentMegabytes() {
  long total = 0, resident = 0;
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  const bool read = file && std::fscanf(file, "%ld %ld", &total, &resident) == 2;
  if (file) std::fclose(file);
  if (!read) throw std::runtime_error("/proc/self/statm cannot be read");
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024 * 1024);
}

void stir(vtb_world* world, std::vector<vtb_body>& bodies) {
  std::size_t count = 0;
  check(vtb_world_get_bodies(world, bodies.data(), bodies.size(), &count));
  for (std::size_t i = 0; i < std::min(count, bodies.size()); i++) {
    double twist[6];
    check(vtb_body_get_twist(world, bodies[i], twist));
    twist[2] += 1.5;
    check(vtb_body_set_twist(world, bodies[i], twist, nullptr));
  }
}

double wallSeconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void showProgress(double share, double simulated, double memory, double wall) {
  constexpr int kWidth = 40;
  const int filled = static_cast<int>(share * kWidth);
  std::string bar(static_cast<std::size_t>(filled), '#');
  bar.resize(kWidth, '.');
  const bool terminal = isatty(fileno(stderr)) != 0;
  std::fprintf(stderr, "%s[%s] %3.0f %%  %6.1f s simulated  %6.0f s gone  %8.3f MB%s", terminal ? "\r" : "", bar.c_str(), 100 * share,
               simulated, wall, memory, terminal ? "" : "\n");
}

int run(const Options& options) {
  vtb_scene* scene = nullptr;
  vtb_world* world = nullptr;
  check(vtb_scene_load(options.scene, nullptr, &scene));
  vtb_world_def settings;
  settings.struct_size = sizeof settings;
  check(vtb_scene_get_settings(scene, &settings));
  if (options.step > 0) settings.time_step = options.step;
  check(vtb_scene_create_world(scene, &settings, &world));
  std::size_t count = 0;
  check(vtb_world_get_bodies(world, nullptr, 0, &count));
  std::vector<vtb_body> bodies(count);

  const long steps = std::lround(options.seconds / settings.time_step), settled = std::lround(options.settle / settings.time_step);
  const long minute = std::lround(60 / settings.time_step), sample = std::max(1L, steps / 60);
  const double start = wallSeconds();
  std::vector<char*> ballast;
  ballast.reserve(options.ballast > 0 ? static_cast<std::size_t>(steps) : 0);
  double before = 0, most = 0, now = 0;
  for (long step = 1; step <= steps; step++) {
    check(vtb_world_step(world, 1));
    if (step % minute == 0) stir(world, bodies);
    if (options.ballast > 0) {
      ballast.push_back(static_cast<char*>(std::malloc(static_cast<std::size_t>(options.ballast))));
      std::memset(ballast.back(), 1, static_cast<std::size_t>(options.ballast));
    }
    if (step % sample != 0 && step != settled && step != steps) continue;
    now = residentMegabytes();
    if (step <= settled) before = now;
    most = std::max(step <= settled ? 0 : most, now);
    showProgress(static_cast<double>(step) / static_cast<double>(steps), static_cast<double>(step) * settings.time_step, now,
                 wallSeconds() - start);
  }
  for (char* kept : ballast) std::free(kept);
  check(vtb_world_destroy(world));
  check(vtb_scene_release(scene));
  const double grown = most - before;
  const bool flat = grown <= options.bound;
  std::printf("\n%s: %zu bodies, %ld steps of %g s, %g s simulated in %.0f s\n", options.scene, count, steps, settings.time_step,
              options.seconds, wallSeconds() - start);
  std::printf("memory %.3f MB after %g s, %.3f MB at most later, %.3f MB at the end: grown by %.3f MB, %s %g MB\n", before, options.settle,
              most, now, grown, flat ? "within" : "more than", options.bound);
  return flat ? 0 : 1;
}

bool parse(int argc, char** argv, Options& options) {
  if (argc % 2 != 0 || argc < 2) return false;
  options.scene = argv[1];
  for (int i = 2; i < argc; i += 2) {
    const std::string name = argv[i];
    char* end = nullptr;
    const double value = std::strtod(argv[i + 1], &end);
    if (end == argv[i + 1] || *end || !(value >= 0) || !std::isfinite(value)) return false;
    if (name == "--seconds")
      options.seconds = value;
    else if (name == "--settle")
      options.settle = value;
    else if (name == "--step")
      options.step = value;
    else if (name == "--bound")
      options.bound = value;
    else if (name == "--ballast")
      options.ballast = value;
    else
      return false;
  }
  return options.settle < options.seconds;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(kUsage, stderr);
    return 2;
  }
  try {
    return run(options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "soak: %s\n", e.what());
    return 1;
  }
}
