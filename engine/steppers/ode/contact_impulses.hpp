// What contacts give in a step of the stepper `ode`, which finds, leaves and finds them again: impulses of its flow, of impacts within it
// and of the solution at its end are summed by shapes and feature, so that the force that is told is the mean over the step.
#pragma once
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

class OdeFlow;

// In the lists, in the order of shapes and features, force and torque are impulses on b [N s, N m s].
void addFlow(std::vector<Contact>& told, const OdeFlow& flow, const std::vector<double>& y);
void addSolution(std::vector<Contact>& told, const RowWorkspace& work, const std::vector<Contact>& contacts);
void addTold(std::vector<Contact>& told, const std::vector<Contact>& more);

// At the end of a step of h [s]: forces of the contacts found last, and, as contacts of their own that are `past`, of those that are not
// among them.
void tellContacts(WorldData& w, double h);
void listPastContacts(WorldData& w);    // among the world's, once those are remembered for the next step,
void forgetPastContacts(WorldData& w);  // which must not take them for present ones

}  // namespace vertebra::steppers
