// Scratch of the stepper `ode`: see steppers/ode/step.cpp.
#pragma once
#include <vector>

#include "engine/math/ode.hpp"
#include "engine/state/collision.hpp"
#include "engine/state/definitions.hpp"
#include "engine/state/islands.hpp"

namespace vertebra::inline state {

// A tree system: trees that `ode` integrates as one state, from contact to contact.
struct TreeSystem {
  Island island;  // of its own members; its contacts are indices into `contacts`
  IslandLists members;
  std::vector<Contact> contacts;       // at the present state
  std::vector<TwistedContact> told;    // contacts that pressed since the window's start: force and torque are impulses [N s, N m s]
  std::vector<double> start, y, next;  // of OdeFlow: at the start of the window, at the present,
                                       // and at the end of the window if no event comes first
  Integration own;                     // integrator and step that its members ask for
  double time = 0;                     // present time, s since the step began
  bool flown = false;                  // next is computed
  bool stopped = false;                // until the window ends
  bool leavesLimits = false;           // joints that pass their limits are brought back at the end of the window
  bool leavesContacts = false;         // so are contacts
};

struct OdeWork {  // scratch of steppers/ode/step.cpp
  OdeSolver solver{OdeSettings()};
  std::vector<TreeSystem> systems;
  int systemCount = 0;
  std::vector<int> systemOf, rollbacksOf;  // by tree; the second: in this step
  std::vector<double> drift, sample;
  std::vector<Contact> before;  // contacts at the start of the step
  std::int64_t work = 0;        // of the present step: steppers/ode/work.hpp
};

}  // namespace vertebra::inline state
