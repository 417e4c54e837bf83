// Contact forces as means over a step in which contacts are found, left and found again: the integrations of the stepper `ode`,
// impacts of bodies that were set in motion before it (foresight.cpp), the parts of a divided step (part_means.hpp). In the lists, in the
// order of shapes and features, force and torque are impulses on b [N s, N m s].
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

void addTold(std::vector<TwistedContact>& told, const Contact& c, const Vec3& impulse, const Vec3& angular);
void addTold(std::vector<TwistedContact>& told, const WorldData& w, double h);  // all contacts of the world, whose forces acted for h [s]

// At the end of a step of h [s]: forces of the contacts found last, and in the world's `gone`, as contacts of their own that are `past`, of
// those that are not among them.
void tellContacts(WorldData& w, std::vector<TwistedContact>& told, double h);
void listPastContacts(WorldData& w);    // among the world's, once those are remembered for the next step,
void forgetPastContacts(WorldData& w);  // which must not take them for present ones

}  // namespace vertebra::steppers
