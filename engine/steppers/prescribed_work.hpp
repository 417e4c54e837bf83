// Work of prescribed bodies, for the energy account: see prescribed_work.cpp.
#pragma once

namespace vertebra::inline state {
struct WorldData;
}  // namespace vertebra::inline state

namespace vertebra::steppers {

// Books what the prescribed bodies of a step of h did on what they touch and hold. `inLosses`: the step took it for a loss of its
// constraints.
void accountPrescribed(WorldData& w, double h, bool inLosses);

}  // namespace vertebra::steppers
