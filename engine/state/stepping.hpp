// The clock of a world, and the data that undo a step. Times in s.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/state/results.hpp"

namespace vertebra::inline state {

struct PrescribedMotion {  // of a kinematic body in the present step
  int body;
  Pose pose, end;  // at the start of the step, at its end
  Vec3 velocity, omega;
  double moveTime;
  bool arrived, launched;
};

struct KeptLink {  // what a step changes of a LinkRuntime and of its body's motion
  Vec3 reactionLinear, reactionAngular, startV, startW, startC, v, w;
  Vec6 t;
};
struct KeptTree {  // and of a TreeRuntime
  double step, idle, interval;
  Vec3 baseVelocity, baseOmega;
  bool asPlaced, smooth, expectHalving, fresh, ahead, shifted, falls, asleep, settled, movingBase, divided;
  bool motion;  // its motion is kept, too: all of this and its links
};
struct KeptStart {    // of the present step, see steppers/undo.hpp
  bool open = false;  // a step is being made
  std::vector<KeptTree> trees;
  std::vector<KeptLink> links;
  std::vector<std::uint8_t> bytes;  // of all that few worlds have; the first `size` are in use
  std::size_t size = 0;
  bool contacts = false;  // startContacts and startMemory hold those of the start
  bool touched = false;   // touchingNext does
  std::size_t events = 0, jointEvents = 0;
};

struct SteppingState {
  double time = 0;
  std::uint64_t steps = 0;
  double lastStep = 0;    // length of the last physics step
  bool ownSteps = false;  // some body asks for its own step or integrator
  bool inParts = false;   // and the present step is therefore made in parts
  bool partial = false;   // some trees are held while others make their parts
  bool collided = false;  // contacts of this step are known; contactsBefore holds those of the last
  bool anyForce = false;  // some body carries an applied force or impulse
  double deadline = 0;    // wall clock; 0: none
  Stage stage = Stage::Forces;
  double stageSince = 0;  // wall clock: counted so far

  // At the start of the step, for undoing it.
  KeptStart kept;
  std::vector<double> stepQ, stepV, stepA, stepShift, stepIncrement;
  std::vector<PrescribedMotion> stepPrescribed;
  EnergyAccount stepAccount;
  std::vector<std::vector<std::uint8_t>> stepStates;  // before each part of a step that may be repeated

  std::vector<Contact> contacts;  // of the last search, with the forces through them
  Statistics statistics;
  EnergyAccount account;
};
bool pastDeadline(const SteppingState& s);  // the time budget of the call is used up

}  // namespace vertebra::inline state
