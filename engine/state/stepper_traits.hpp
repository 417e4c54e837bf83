// What a stepper offers and which settings it takes: one row a stepper, in steppers/steppers.cpp. The rest of the engine reads these traits
// and never compares steppers.
#pragma once
#include "engine/state/settings.hpp"

namespace vertebra::inline state {

struct TreeWorld;
struct WorldData;

struct StepperTraits {
  const char* name;                                               // the word of scene files
  Failure (*step)(WorldData& w, double h);                        // moves all trees that are awake by h [s]
  void (*resize)(TreeWorld& w) = nullptr;                         // its scratch in the trees, after the topology was rebuilt
  void (*reserve)(WorldData& w, std::size_t contacts) = nullptr;  // room for this many contacts, see World::reserve
  Failure (*foresee)(WorldData& w, double h) = nullptr;           // continuous collision before anything moves
  bool freePoses = false;                                         // bodies keep their own poses whatever the settings say
  bool exactRows = true;           // rigid rows without bounds are met exactly; otherwise every row has a compliance
  bool smoothSteps = true;         // islands without rows make steps of second order
  bool accelerationRows = false;   // rows hold accelerations between impacts, and velocities at the end of a step
  bool mildSprings = true;         // springs between bodies are forces where they are mild; otherwise rows
  bool implicitFields = true;      // force fields may be implicit
  bool shiftsPenetration = false;  // contactPositions has an effect
  bool divides = true;             // a step that diverges or goes too deep is made again in parts
  bool searchesOften = false;      // searches for contacts more than once in a step
  bool multirate = false;          // divides the step for bodies with a step of their own (steppers/multirate.cpp)
  bool ownSteps = false;           // bodies may ask for a step of their own
  bool ownIntegrators = false;     // and for an integrator
  bool sweepsPositions = false;    // takes solver pgs, the friction cone and Newton's restitution only, and no planar worlds
};
const StepperTraits& traitsOf(Stepper stepper);

inline bool keepsFreePoses(const WorldSettings& s) { return s.freePoses || traitsOf(s.stepper).freePoses; }

}  // namespace vertebra::inline state
