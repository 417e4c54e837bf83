// The clock of a world, and the data that undo a step. Times in s.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/state/results.hpp"
#include "engine/state/sizes.hpp"
#include "engine/state/trees.hpp"

namespace vertebra::inline state {

struct PrescribedMotion {  // of a kinematic body in the present step
  int body;
  Pose pose, end;  // at the start of the step, at its end
  Vec3 velocity, omega;
  double moveTime;
  bool arrived, launched;
};

// Coordinates and velocities of a tree at the start of a step are where saveTree puts them when it begins to move: q0, v0 and the starts of
// its links.
struct KeptTree : TreeMotion {
  bool moves = false;  // its links are kept, too
  bool saved = false;  // its start was saved in this step
  bool apart = false;  // its start is in TreeRare::undone, because it was saved again or changed before
};
struct KeptStart {    // of the present step, see steppers/undo.hpp
  bool open = false;  // a step is being made
  std::vector<KeptTree> trees;
  std::vector<LinkMotion> links;
  std::vector<Vec6> twists;         // of links; of a free body its velocities are
  std::vector<std::uint8_t> bytes;  // of all that few worlds have; the first `size` are in use
  std::size_t size = 0;
  bool slots = false;     // these hold impulses, forces or particles
  bool contacts = false;  // startContacts holds those of the start
  bool touched = false;   // touchingNext does
  std::size_t events = 0, jointEvents = 0;
};

struct JointSum {          // N s or N m s
  double axis[6][4] = {};  // by motors, springs, friction, limits
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
};
// A physics step that is made again in parts (steppers/divided_step.cpp). Lists: sums over the parts so far.
struct DividedStep {
  bool inParts = false;
  double whole = 0;                  // s, the step of which the present one is a part, or itself
  double next = 0;                   // s, of the move after the present part, where it is longer than the part
  double least = kInf;               // m: contacts that get deeper by more than this divide the present step
  double scale = 0;                  // s, of the step to which impulses for warm starts belong; 0: the last one
  std::vector<StartVelocity> start;  // of the whole step, by link
  std::vector<JointSum> joints;
  std::vector<std::pair<Vec3, Vec3>> bodies;  // force, torque
  std::vector<double> rows;                   // of callers' constraints
  std::vector<TwistedContact> contacts;       // in the order of shapes and features
  std::vector<std::uint8_t> state;            // of the world before the step
  std::vector<double> shift;                  // displacements of trees for the whole move, of which each part makes its share
  std::vector<std::uint8_t> shifts;           // by tree: whether it has such
};

struct SteppingState {
  double time = 0;
  std::uint64_t steps = 0;
  double lastStep = 0;    // length of the last physics step
  double aheadStep = 0;   // of the one for which trees that are `ahead` hold half of the forces; 0: none was made
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
  std::vector<double> stepA, stepIncrement;
  std::vector<PrescribedMotion> stepPrescribed;
  EnergyAccount stepAccount;
  DividedStep divided;
  bool pastContacts = false;  // `contacts` holds some that are past
  // Of contacts that are found more than once in a step: their impulses since its start, in the order of shapes and features; and those of
  // them that the last search did not find, with their mean force over the step.
  std::vector<TwistedContact> told, gone;

  std::vector<Contact> contacts;  // of the last search, with the forces through them
  std::vector<Vec3> torques;      // of these
  Statistics statistics;
  EnergyAccount account;

  void reserve(const Sizes& n);
};
bool pastDeadline(const SteppingState& s);  // the time budget of the call is used up
// s, of the move that follows a step of h: of a part that ends a divided step it is that of the next one.
inline double moveAfter(const SteppingState& s, double h) { return s.inParts ? h : std::max(h, s.divided.next); }

}  // namespace vertebra::inline state
