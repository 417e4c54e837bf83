// Map files of retargeting: <retarget_map><role name="left_foot" joint="LeftAnkle" link="left_ankle_roll_link"/></retarget_map>.
#pragma once
#include <string>
#include <vector>

#include "engine/retarget/role_map.hpp"
#include "loaders/diagnostics.hpp"

namespace vertebra {

// False where the text makes no sense; the findings say why, with lines.
bool parseRetargetMap(const std::string& text, const std::string& file, retarget::RoleMap& out, Diagnostics& diagnostics);
std::string writeRetargetMap(const retarget::RoleMap& map);

// What to say of names that are not among those of the motion's joints and the figure's links: one finding each, with the nearest name.
void checkRetargetMap(const retarget::RoleMap& map, const std::vector<std::string>& joints, const std::vector<std::string>& links,
                      Diagnostics& diagnostics);

}  // namespace vertebra
