// Scratch of the stepper `ode`: see steppers/ode/step.cpp.
#pragma once
#include <vector>

#include "engine/math/ode.hpp"
#include "engine/state/collision.hpp"
#include "engine/state/definitions.hpp"
#include "engine/state/islands.hpp"

namespace vertebra {

// Trees that the stepper `ode` moves together, from contact to contact.
struct TreeSystem {
  Island island;                       // its contacts are indices into `contacts`
  std::vector<Contact> contacts;       // where it stands
  std::vector<double> start, y, next;  // coordinates of all its trees, then velocities: at the start of the window, where it stands, and
                                       // at the end of the window if nothing hinders
  Integration own;                     // what its members ask for
  double time = 0;                     // where it stands, s since the step began
  int rollbacks = 0;
  bool flown = false;    // next is there
  bool stopped = false;  // by a contact that it could not leave
};

struct OdeWork {  // scratch of ode_step.cpp
  OdeSolver solver{OdeSettings()};
  std::vector<TreeSystem> systems;
  int systemCount = 0;
  std::vector<int> systemOf;  // by tree
  std::vector<double> rates, targets, drift, sample;
  std::vector<ContactMemory> held;  // what contacts bear at acceleration level, N and N m for its impulses
};

}  // namespace vertebra
