// Which joint of a motion and which link of a figure play which role, in names: as a map, and as the findings of a retargeting.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/retarget/source.hpp"
#include "engine/retarget/target.hpp"

namespace vertebra::retarget {

struct Match {                    // of a role
  std::string role, joint, link;  // joint of the motion, link of the figure; empty = it has none
};

std::vector<Match> matchesOf(const figure::Motion& motion, const Roles& roles, const Target& target);

// All that is found, also where it does not suffice for retargeting. An empty string, or what is missing or wrong of motion and figure.
std::string guess(const figure::Motion& motion, std::shared_ptr<const figure::FigureModel> model, const RoleMap& given, RoleMap& out);

}  // namespace vertebra::retarget
