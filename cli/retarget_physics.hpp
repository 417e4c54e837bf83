// vertebra retarget --physics: options, the call and the report.
#pragma once
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/json.hpp"
#include "vertebra/vertebra.h"

namespace vertebra::cli {

struct Tracked {
  vtb_track_info info;
  bool assisted = true;
  double seconds = 0;
};

std::vector<Option> physicsOptions();
bool wantsPhysics(const Arguments& arguments);  // a usage error for options of it alone
// The caller owns what is returned.
vtb_trajectory* trackByPhysics(const vtb_trajectory* trajectory, const vtb_skeleton* skeleton, const Arguments& arguments, Tracked& out);
void write(Json& json, const Tracked& tracked);  // as member "physics"
void print(const Tracked& tracked);
std::string outcomeOf(const Tracked& tracked);  // how it ended, a sentence

}  // namespace vertebra::cli
