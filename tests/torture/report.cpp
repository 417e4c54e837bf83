// What a run of torture worlds tells: a bar while it goes on, a table by stepper, solver and step, each world that failed, or all of it as
// one JSON object. Units: depth m, joint m or rad, energy, regain and account shares of weight x 1 m, momentum share of step x weight.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>

#include "tests/torture/torture.hpp"

namespace torture {
namespace {

struct Line {  // of the table
  int worlds = 0, failing = 0, late = 0, unsolved = 0, failingAndUnsolved = 0;
  std::array<double, MEASURES> worst{};
  std::array<int, MEASURES> beyond{};  // worlds, by measure
  double seconds = 0, slowest = 0;
  long steps = 0;
};

using Key = std::tuple<int, int, int>;  // -rate, stepper, solver: the order of the table

std::map<Key, Line> linesOf(const std::vector<Outcome>& outcomes) {
  std::map<Key, Line> lines;
  for (const Outcome& o : outcomes) {
    Line& line = lines[{-o.combination.rate, o.combination.stepper, o.combination.solver}];
    const bool failing = o.result.fails(o.combination);
    line.worlds++, line.failing += failing, line.late += o.result.late;
    line.unsolved += o.result.unsolved > 0, line.failingAndUnsolved += failing && o.result.unsolved > 0;
    line.seconds += o.result.seconds, line.steps += o.result.steps, line.slowest = std::max(line.slowest, o.result.slowest);
    for (int m = 0; m < MEASURES; m++) {
      line.worst[m] = std::max(line.worst[m], o.result.worst[m]);
      line.beyond[m] += o.result.fails(static_cast<Measure>(m), o.combination);
    }
  }
  return lines;
}

double perStep(const Line& line) { return 1e6 * line.seconds / static_cast<double>(std::max(1L, line.steps)); }

void printNumbers(const char* name, const std::array<double, MEASURES>& values) {
  std::printf("\"%s\": {", name);
  for (int m = 0; m < MEASURES; m++) std::printf("%s\"%s\": %.6g", m ? ", " : "", measureName(static_cast<Measure>(m)), values[m]);
  std::printf("}");
}

}  // namespace

void showProgress(std::size_t done, std::size_t all, std::size_t failing) {
  constexpr std::size_t kWidth = 40;
  const bool terminal = isatty(fileno(stderr)) != 0;
  if (!terminal && done * 10 / all == (done - 1) * 10 / all) return;
  std::string bar(kWidth * done / all, '#');
  bar.resize(kWidth, '.');
  std::fprintf(stderr, "%s[%s] %zu of %zu worlds, %zu failing%s", terminal ? "\r" : "", bar.c_str(), done, all, failing,
               terminal && done < all ? "" : "\n");
}

void printTable(const std::vector<Outcome>& outcomes) {
  std::printf(
      "| step | stepper | solver | worlds | failing | depth, m | joint | energy | regain | account | momentum | number | status | unsolved "
      "| "
      "failing and unsolved | us a step | slowest, ms | late "
      "|\n|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
  for (const auto& [key, line] : linesOf(outcomes)) {
    std::printf("| 1/%d | %s | %s | %d | %d |", -std::get<0>(key), stepperName(static_cast<vtb_stepper>(std::get<1>(key))),
                solverName(static_cast<vtb_solver>(std::get<2>(key))), line.worlds, line.failing);
    for (int m = 0; m < NUMBER; m++) std::printf(" %.1e (%d) |", line.worst[m], line.beyond[m]);
    std::printf(" %d | %d | %d | %d | %.0f | %.1f | %d |\n", line.beyond[NUMBER], line.beyond[STATUS], line.unsolved,
                line.failingAndUnsolved, perStep(line), 1e3 * line.slowest, line.late);
  }
}

void printFailures(const std::vector<Outcome>& outcomes) {
  for (const Outcome& o : outcomes) {
    if (!o.result.fails(o.combination)) continue;
    std::printf("--seed %llu --stepper %s --solver %s --step 1/%d: %s, %zu bodies, %zu joints, %d substeps%s%s:",
                static_cast<unsigned long long>(o.seed), stepperName(o.combination.stepper), solverName(o.combination.solver),
                o.combination.rate, o.family.c_str(), o.bodies, o.joints, o.substeps, o.contactPositions ? ", contact positions" : "",
                o.sleep ? "" : ", no sleep");
    for (int i = 0; i < MEASURES; i++) {
      const Measure m = static_cast<Measure>(i);
      if (o.result.fails(m, o.combination)) std::printf(" %s %.2e from %.3f s,", measureName(m), o.result.worst[m], o.result.when[m]);
    }
    std::printf(" unsolved %d%s%s", o.result.unsolved, o.result.text.empty() ? "" : "; ", o.result.text.c_str());
    if (!o.scene.empty()) std::printf("; %zu bodies, %zu joints left in %s", o.bodiesLeft, o.jointsLeft, o.scene.c_str());
    std::printf("\n");
  }
}

void printJson(const std::vector<Outcome>& outcomes) {
  std::printf("{\"table\": [");
  bool first = true;
  for (const auto& [key, line] : linesOf(outcomes)) {
    std::printf("%s\n  {\"rate\": %d, \"stepper\": \"%s\", \"solver\": \"%s\", \"worlds\": %d, \"failing\": %d, ", first ? "" : ",",
                -std::get<0>(key), stepperName(static_cast<vtb_stepper>(std::get<1>(key))),
                solverName(static_cast<vtb_solver>(std::get<2>(key))), line.worlds, line.failing);
    printNumbers("worst", line.worst);
    std::printf(", \"unsolved\": %d, \"failing_and_unsolved\": %d, \"us_per_step\": %.3g, \"slowest_ms\": %.3g, \"late\": %d}",
                line.unsolved, line.failingAndUnsolved, perStep(line), 1e3 * line.slowest, line.late);
    first = false;
  }
  std::printf("],\n \"worlds\": [");
  for (std::size_t i = 0; i < outcomes.size(); i++) {
    const Outcome& o = outcomes[i];
    std::printf(
        "%s\n  {\"seed\": %llu, \"family\": \"%s\", \"rate\": %d, \"stepper\": \"%s\", \"solver\": \"%s\", \"bodies\": %zu, "
        "\"joints\": %zu, \"substeps\": %d, \"contact_positions\": %s, \"sleep\": %s, \"steps\": %d, \"seconds\": %.4g, \"slowest\": %.4g, "
        "\"late\": %s, \"unsolved\": %d, \"failing\": %s, ",
        i ? "," : "", static_cast<unsigned long long>(o.seed), o.family.c_str(), o.combination.rate, stepperName(o.combination.stepper),
        solverName(o.combination.solver), o.bodies, o.joints, o.substeps, o.contactPositions ? "true" : "false", o.sleep ? "true" : "false",
        o.result.steps, o.result.seconds, o.result.slowest, o.result.late ? "true" : "false", o.result.unsolved,
        o.result.fails(o.combination) ? "true" : "false");
    printNumbers("worst", o.result.worst);
    std::printf(", ");
    printNumbers("from", o.result.when);
    std::printf(", \"scene\": \"%s\"}", o.scene.c_str());
  }
  std::printf("]}\n");
}

}  // namespace torture
