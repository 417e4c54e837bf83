// What contacts give in a step of the stepper `ode`, which finds, leaves and finds them again: impulses of its flow, of impacts within it
// and of the solution at its end, added to lists of told_contacts.hpp.
#pragma once
#include "engine/steppers/told_contacts.hpp"

namespace vertebra::steppers {

class OdeFlow;

void addFlow(std::vector<TwistedContact>& told, const OdeFlow& flow, const std::vector<double>& y);
void addSolution(std::vector<TwistedContact>& told, const RowWorkspace& work, const std::vector<Contact>& contacts);

}  // namespace vertebra::steppers
