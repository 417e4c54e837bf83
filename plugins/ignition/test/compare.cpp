// ignition_compare VERTEBRA_PLUGIN [--rounds N] [--json] - runs the same worlds in the DART and the Bullet plugin of Debian and in ours,
// through ignition-physics alone, and prints errors and times. Exit 0: ours is within its bounds everywhere; 1: it is not; 2: usage;
// 77: a plugin or package is missing.
#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <ignition/common/Console.hh>
#include <iostream>

#include "plugins/ignition/test/scenes.hpp"

namespace {

using namespace compare;

constexpr int kSkipped = 77;

struct Cell {
  bool offered = false;
  std::string reason;
  Result result;
};

bool load(const std::string& name, const std::string& file, std::vector<Engine>& engines) {
  static ignition::plugin::Loader loader;
  dlopen(file.c_str(), RTLD_LAZY | RTLD_NODELETE);  // it stays: what its globals hold is no leak at the end
  const auto found = std::filesystem::exists(file) ? loader.LoadLib(file) : std::unordered_set<std::string>{};
  if (found.empty()) return false;
  engines.push_back({name, [instance = *found.begin()] { return loader.Instantiate(instance); }});
  return !engines.back().plugin().IsEmpty();
}

// The least time of all rounds counts; errors do not differ between rounds.
void measure(const SceneRow& row, const Engine& engine, bool first, Cell& cell) {
  try {
    const Result result = row.run(engine);
    if (first) cell.result = result;
    cell.result.microseconds = std::min(cell.result.microseconds, result.microseconds);
    cell.offered = true;
  } catch (const NotOffered& missing) {
    cell.reason = missing.what();
  }
}

std::string number(const Cell& cell, bool time) {
  if (!cell.offered) return "not offered";
  char text[32];
  std::snprintf(text, sizeof text, time ? "%.1f" : "%.1e", time ? cell.result.microseconds : cell.result.error);
  return text;
}

void printTable(const std::vector<SceneRow>& rows, const std::vector<Engine>& engines, const std::vector<std::vector<Cell>>& cells) {
  std::printf("| world | measure |");
  for (const Engine& engine : engines) std::printf(" error, %s |", engine.name.c_str());
  for (const Engine& engine : engines) std::printf(" us a step, %s |", engine.name.c_str());
  std::printf(" ours / faster peer |\n|---|---|--:|--:|--:|--:|--:|--:|--:|\n");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::printf("| %s | %s, %s |", rows[r].name.c_str(), rows[r].measure.c_str(), rows[r].unit.c_str());
    double peer = HUGE_VAL;
    for (bool time : {false, true})
      for (const Cell& cell : cells[r]) std::printf(" %s |", number(cell, time).c_str());
    for (std::size_t e = 0; e + 1 < engines.size(); ++e)
      if (cells[r][e].offered) peer = std::min(peer, cells[r][e].result.microseconds);
    std::printf(" %.2f |\n", cells[r].back().result.microseconds / peer);
  }
}

void printJson(const std::vector<SceneRow>& rows, const std::vector<Engine>& engines, const std::vector<std::vector<Cell>>& cells) {
  std::printf("{\"features\": {");
  for (std::size_t e = 0; e < engines.size(); ++e) {
    std::printf("%s\"%s\": {", e ? ", " : "", engines[e].name.c_str());
    const Offered features = offered(engines[e].plugin());
    for (std::size_t f = 0; f < features.size(); ++f)
      std::printf("%s\"%s\": %s", f ? ", " : "", features[f].first.c_str(), features[f].second ? "true" : "false");
    std::printf("}");
  }
  std::printf("}, \"worlds\": [");
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::printf("%s{\"world\": \"%s\", \"measure\": \"%s\", \"unit\": \"%s\", \"bound\": %g", r ? ", " : "", rows[r].name.c_str(),
                rows[r].measure.c_str(), rows[r].unit.c_str(), rows[r].bound);
    for (std::size_t e = 0; e < engines.size(); ++e) {
      const Cell& cell = cells[r][e];
      if (cell.offered)
        std::printf(", \"%s\": {\"error\": %.9g, \"microseconds\": %.4g}", engines[e].name.c_str(), cell.result.error,
                    cell.result.microseconds);
      else
        std::printf(", \"%s\": {\"not_offered\": \"%s\"}", engines[e].name.c_str(), cell.reason.c_str());
    }
    std::printf("}");
  }
  std::printf("]}\n");
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 1;
  bool json = false, usable = argc > 1;
  for (int i = 2; i < argc; ++i) {
    if (!std::strcmp(argv[i], "--json"))
      json = true;
    else if (!std::strcmp(argv[i], "--rounds") && i + 1 < argc)
      rounds = std::atoi(argv[++i]);
    else
      usable = false;
  }
  if (!usable || rounds < 1) return std::fprintf(stderr, "usage: ignition_compare VERTEBRA_PLUGIN [--rounds N] [--json]\n"), 2;
  ignition::common::Console::SetVerbosity(1);
  std::vector<Engine> engines;
  for (const char* peer : {"dartsim", "bullet"})
    if (!load(peer, std::string(ENGINE_PLUGINS "/libignition-physics-") + peer + "-plugin.so", engines))
      return std::printf("skipped: install libignition-physics5-%s-plugin5\n", peer), kSkipped;
  if (!load("vertebra", argv[1], engines)) return std::fprintf(stderr, "%s is no plugin of ignition-physics\n", argv[1]), 1;

  const std::vector<SceneRow> rows = sceneRows(engines[0]);
  std::vector<std::vector<Cell>> cells(rows.size(), std::vector<Cell>(engines.size()));
  for (int round = 0; round < rounds; ++round)
    for (std::size_t r = 0; r < rows.size(); ++r) {
      std::fprintf(stderr, "round %d of %d: %s\n", round + 1, rounds, rows[r].name.c_str());
      for (std::size_t e = 0; e < engines.size(); ++e) measure(rows[r], engines[e], round == 0, cells[r][e]);
    }
  if (json)
    printJson(rows, engines, cells);
  else
    printTable(rows, engines, cells);
  int status = 0;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (const Cell& ours = cells[r].back(); !ours.offered || !(ours.result.error <= rows[r].bound)) {
      std::fprintf(stderr, "vertebra: %s: error %.3g %s, the bound is %.3g %s\n", rows[r].name.c_str(), ours.result.error,
                   rows[r].unit.c_str(), rows[r].bound, ours.reason.c_str());
      status = 1;
    }
  return status;
}
