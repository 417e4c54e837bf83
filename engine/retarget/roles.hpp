// Roles found in a motion: by names (any of the usual families) for the ends of limbs, by descent and lengths for what lies between,
// because names of thighs and shins mislead; by topology, lengths and symmetry where names say nothing.
#pragma once
#include <string>
#include <vector>

#include "engine/figure/motion.hpp"
#include "engine/retarget/role_map.hpp"

namespace vertebra::retarget {

using Roles = ByRole<int>;  // joint of a motion; -1 = none

// Words of a name, lower case: prefixes up to a colon are left out, "LeftUpLeg", "left_up_leg" and "LLEG" are parted.
std::vector<std::string> words(const std::string& name);
int sideOf(const std::vector<std::string>& words);  // 0 left, 1 right, -1 neither
bool anyOf(const std::vector<std::string>& words, std::initializer_list<const char*> of);

// Fills in what it finds; names given for joints count before those found. An empty string, or what is missing or wrong.
std::string findRoles(const figure::Motion& motion, const RoleMap& given, Roles& out);

}  // namespace vertebra::retarget
