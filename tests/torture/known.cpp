// The list of failures known, one a line: seed, stepper, solver, step, measure, what it may reach (in the measure's unit), reason. A
// failure that is not listed, one that is worse than listed, and one that is listed but did not occur are differences, so that the list
// shrinks as the engine is mended. By another compiler's rounding, or without optimisation, some of what is listed keeps its bound: that
// is told and no difference then.
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "tests/torture/torture.hpp"

namespace torture {
namespace {

std::string keyOf(const Outcome& o, Measure measure) {
  return std::to_string(o.seed) + " " + stepperName(o.combination.stepper) + " " + solverName(o.combination.solver) + " 1/" +
         std::to_string(o.combination.rate) + " " + measureName(measure);
}

std::map<std::string, double> listOf(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file);
  std::map<std::string, double> list;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string seed, stepper, solver, step, measure, reason;
    double most = 0;
    if (!(words >> seed >> stepper >> solver >> step >> measure >> most >> reason))
      throw std::runtime_error(file + ": not seed, stepper, solver, step, measure, bound, reason: " + line);
    list[seed + " " + stepper + " " + solver + " " + step + " " + measure] = most;
  }
  return list;
}

}  // namespace

int differences(const std::vector<Outcome>& outcomes, const std::string& file, bool otherBuild) {
  std::map<std::string, double> list = listOf(file);
  int count = 0;
  for (const Outcome& o : outcomes)
    for (int i = 0; i < MEASURES; i++) {
      const Measure m = static_cast<Measure>(i);
      const std::string key = keyOf(o, m);
      const auto known = list.find(key);
      const bool fails = o.result.fails(m, o.combination), listed = known != list.end();
      const double value = o.result.worst[m];
      if (fails && !listed) std::fprintf(stderr, "not listed: %s %.2e\n", key.c_str(), value);
      if (fails && listed && value > known->second) std::fprintf(stderr, "worse than listed: %s %.2e\n", key.c_str(), value);
      if (!fails && listed) std::fprintf(stderr, "listed, but keeps its bound now; take it off the list: %s %.2e\n", key.c_str(), value);
      count += fails ? !listed || value > known->second : listed && !otherBuild;
      if (listed) list.erase(known);
    }
  for (const auto& [key, most] : list) std::fprintf(stderr, "listed, but not run: %s\n", key.c_str());
  return count + static_cast<int>(list.size());
}

}  // namespace torture
