// Maps of retargeting, for what takes them.
#pragma once
#include "capi/src/check.hpp"
#include "capi/src/objects.hpp"
#include "engine/retarget/retarget.hpp"

namespace vertebra::capi {

// Refuses with VTB_E_UNSUPPORTED, and the nearest name, a map that names what is not there.
void checkMap(const retarget::RoleMap& map, const figure::Motion& motion, const figure::Skeleton& skeleton);

// Settings of a definition, whose map is checked; null: the defaults.
retarget::Settings retargetSettings(const vtb_retarget_def* given, const figure::Motion& motion, const figure::Skeleton& skeleton);

}  // namespace vertebra::capi
