// Every solver of bounded rows and its options on the same problems, taken from the scenes of the benchmark as the stepper poses them (warm
// starts included): the residual after a number of iterations, and the time to the default tolerance. Prints markdown.
//
// Direct solvers are left out above 600 rows.
//
// usage: solver_table [SCENE ...]; scenes: falling, resting (the ragdoll), pile, tower, ring
// The residual is RowProblem::violation(): the largest change of a row's velocity, in m/s or rad/s, that a projection on its bounds or its
// cone would still make. Times are microseconds of processor time for one problem, without copies.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "bench/engine_scene.hpp"
#include "engine/solve/rows.hpp"
#include "engine/world/world.hpp"

namespace {

using namespace vertebra;

struct Problem {
  solve::RowProblem rows;
  std::vector<double> x;
};
struct Capture {
  std::vector<Problem> problems;
  bool on = false;
  static void see(void* user, const solve::RowProblem& rows, const solve::SolverSettings&) {
    auto& c = *static_cast<Capture*>(user);
    if (!c.on) return;
    Problem p;
    p.rows = rows;
    int end = 0;
    for (const solve::Piece& piece : rows.pieces) end = std::max(end, piece.offset + piece.count);
    p.x.assign(rows.x, rows.x + end);
    c.problems.push_back(std::move(p));
  }
};

bench::Scene tower() {
  bench::Scene s;
  s.ground = s.bodiesCollide = true;
  s.friction = 0.6;
  for (int i = 0; i < 20; i++) s.bodies.push_back(bench::box("b" + std::to_string(i), 1, {0.1, 0.1, 0.1}, {0, 0, 0.1 + 0.2 * i}));
  return s;
}
// Twelve links in a closed ring that falls on the ground: contacts together with rows that close a loop.
bench::Scene ring() {
  bench::Scene s;
  s.ground = true;
  s.friction = 0.6;
  const int count = 12;
  const double radius = 0.2 / (2 * std::sin(bench::kPi / count));
  auto corner = [&](int i) {
    return bench::Vec{radius * std::cos(2 * bench::kPi * i / count), radius * std::sin(2 * bench::kPi * i / count), 0.1};
  };
  for (int i = 0; i < count; i++) {
    const bench::Vec from = corner(i), to = corner(i + 1), along = bench::unit(to - from);
    const bench::Quat q = bench::axisAngle(bench::cross({0, 0, 1}, along), bench::kPi / 2);
    s.bodies.push_back(bench::capsule("l" + std::to_string(i), 1, 0.03, 0.07, 0.5 * (from + to), q));
    if (i > 0) s.joints.push_back({bench::JointType::ball, i - 1, i, from, {0, 0, 1}});
  }
  s.joints.push_back({bench::JointType::ball, count - 1, 0, corner(0), {0, 0, 1}});
  return s;
}

struct Sample {
  const char *name, *what;
  bench::Scene scene;
  int first, last;  // steps
};

double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e6 * t.tv_sec + 1e-3 * t.tv_nsec;
}

struct Option {
  const char* name;
  solve::SolverSettings settings;
};
std::vector<Option> options() {
  solve::SolverSettings pgs, plain, backward, symmetric, shuffled, sor, whole, wholePlain, jacobi, cg, cgWhole, dantzig, lemke8, lemke16;
  plain.accelerate = backward.accelerate = symmetric.accelerate = shuffled.accelerate = sor.accelerate = wholePlain.accelerate = false;
  backward.order = solve::SweepOrder::Backward;
  symmetric.order = solve::SweepOrder::Symmetric;
  shuffled.order = solve::SweepOrder::Shuffled;
  sor.relaxation = 1.3;
  whole.wholeContacts = wholePlain.wholeContacts = cgWhole.wholeContacts = true;
  jacobi.solver = solve::Solver::Jacobi;
  cg.solver = cgWhole.solver = solve::Solver::Cg;
  dantzig.solver = solve::Solver::Dantzig;
  lemke8.solver = lemke16.solver = solve::Solver::Lemke;
  lemke16.frictionDirections = 16;
  return {{"pgs (default)", pgs},
          {"pgs, whole contacts", whole},
          {"pgs, plain sweeps", plain},
          {"plain, whole contacts", wholePlain},
          {"plain, backward", backward},
          {"plain, there and back", symmetric},
          {"plain, shuffled", shuffled},
          {"plain, relaxation 1.3", sor},
          {"jacobi", jacobi},
          {"cg", cg},
          {"cg, whole contacts", cgWhole},
          {"dantzig", dantzig},
          {"lemke, 8 directions", lemke8},
          {"lemke, 16 directions", lemke16}};
}
double quantile(std::vector<double> v, double q) {
  std::sort(v.begin(), v.end());
  return v[static_cast<std::size_t>(q * (v.size() - 1) + 0.5)];
}

solve::SolveReport solve(const Problem& from, Problem& scratch, const solve::SolverSettings& s, bool bare, double& time) {
  scratch.rows.rows = from.rows.rows;
  scratch.rows.blocks = from.rows.blocks;
  scratch.rows.paths = from.rows.paths;
  scratch.rows.pieces = from.rows.pieces;
  scratch.rows.numbers = from.rows.numbers;
  scratch.rows.size = from.rows.size;
  scratch.x = from.x;
  scratch.rows.x = scratch.x.data();
  const double start = now();
  if (bare) scratch.rows.keepStart();
  const solve::SolveReport report = bare ? solve::runSolver(scratch.rows, s) : solve::solveRows(scratch.rows, s);
  time = now() - start;
  return report;
}

void table(const Sample& sample) {
  WorldSettings settings;
  settings.sleeping = false;
  world::World world(settings);
  Capture capture;
  world.callbacks().seeRows = Capture::see;
  world.callbacks().user = &capture;
  bench::addScene(world, sample.scene);
  const int apart = std::max(1, (sample.last - sample.first) / 40);
  for (int step = 0; step < sample.last; step++) {
    capture.on = step >= sample.first && (step - sample.first) % apart == 0;
    bench::must(world.step());
  }
  std::vector<Problem>& problems = capture.problems;
  problems.erase(std::remove_if(problems.begin(), problems.end(), [](const Problem& p) { return p.rows.rows.size() < 6; }), problems.end());
  if (problems.empty()) return;
  std::vector<double> rows;
  for (const Problem& p : problems) rows.push_back(static_cast<double>(p.rows.rows.size()));
  std::printf("### %s\n\n%s: %zu problems of %.0f to %.0f rows.\n\n", sample.name, sample.what, problems.size(), quantile(rows, 0),
              quantile(rows, 1));
  std::printf(
      "| solver | 5 | 10 | 20 | 50 | 200 | to 1e-5: iterations | worst | solved | µs |\n|---|---|---|---|---|---|---|---|---|---|\n");
  Problem scratch;
  for (const Option& option : options()) {
    const bool direct = option.settings.solver == solve::Solver::Dantzig || option.settings.solver == solve::Solver::Lemke;
    if (direct && quantile(rows, 1) > 600) continue;  // would take minutes
    std::printf("| %s |", option.name);
    for (int iterations : {5, 10, 20, 50, 200}) {
      if (direct && iterations != 50) {
        std::printf(" |");
        continue;
      }
      std::vector<double> left;
      for (const Problem& p : problems) {
        solve::SolverSettings s = option.settings;
        s.iterations = iterations;
        s.tolerance = direct ? 1e-5 : 0;
        double time;
        solve(p, scratch, s, true, time);
        left.push_back(scratch.rows.violation());
      }
      std::printf(" %.0e |", quantile(left, 0.5));
    }
    std::vector<double> took, times;
    int solved = 0;
    for (const Problem& p : problems) {
      solve::SolverSettings s = option.settings;
      s.iterations = direct ? 50 : 2000;
      s.tolerance = 1e-5;
      double best = 1e30;
      solve::SolveReport report;
      for (int repeat = 0; repeat < 3; repeat++) {
        double time;
        report = solve(p, scratch, s, false, time);
        best = std::min(best, time);
      }
      took.push_back(report.iterations);
      times.push_back(best);
      solved += report.converged;
    }
    double mean = 0;
    for (double t : times) mean += t / static_cast<double>(times.size());
    std::printf(" %.0f | %.0f | %.0f %% | %.1f |\n", quantile(took, 0.5), quantile(took, 1),
                100.0 * solved / static_cast<double>(problems.size()), mean);
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  const Sample samples[] = {{"falling", "The ragdoll from touch-down on, 1 s", bench::ragdoll(), 96, 336},
                            {"resting", "The ragdoll after 4 s", bench::ragdoll(), 960, 1200},
                            {"pile", "100 boxes, from 0.2 s to 2 s", bench::pile(100), 48, 480},
                            {"tower", "20 boxes on one another, 2 s from the start", tower(), 0, 480},
                            {"ring", "A closed ring of 12 links that falls flat, 1 s", ring(), 20, 260}};
  for (const Sample& s : samples) {
    bool wanted = argc < 2;
    for (int i = 1; i < argc; i++) wanted |= std::strcmp(argv[i], s.name) == 0;
    if (wanted) table(s);
  }
  return 0;
}
