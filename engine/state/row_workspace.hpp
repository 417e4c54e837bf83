// Memory in which the rows of one island are built and solved: rows, bilateral rows, and scratch. One workspace serves one island at a
// time; its contents end with the island's solution.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/dynamics/link.hpp"
#include "engine/solve/bilateral.hpp"
#include "engine/solve/rows.hpp"
#include "engine/state/sizes.hpp"

namespace vertebra::inline state {

struct RowMeta {  // what a row of the island belongs to
  enum Kind : std::uint8_t { Normal, Tangent, Limit, Friction, Drive, Spring, Hold, Coupling, User } kind = Normal;
  // Whether a contact or limit with restitution rebounds; a contact that bears nothing waits until an impact closes it.
  enum Impact : std::uint8_t { None, Waits, Bounces } impact = None;
  std::int8_t axis = 0, slot = 0;
  int index = -1;                 // contact, joint, coupling or user constraint
  int part = 0;                   // row of a user constraint
  int shares = -1;                // into loopShares
  double shift = -kInf;           // m or rad, of a contact and of a limit of position: least displacement along the row in the next move
  double touch = 0;               // s, of a row that bounces: from now until its impact
  double gap = 0;                 // m or rad, of a row with restitution,
  double restitution = 0;         // its restitution; negative: it takes no part in impacts,
  double rebound = 0;             // and what it adds to the velocity of zero approach, m/s
  double before = 0;              // velocity from which the energy account starts: of WorldData::reference
  double base = 0;                // velocity that x does not contain: prescribed motion, share of the loops
  Vec3 direction = Vec3::Zero();  // limits: parts along the three axes, `axis` being one of them; contacts: of the row
};

// A bounded drive of a tree joint's axis while the side of its bounds on which it acts is sought: impulse clamp(g - E v) over the step.
struct DrivePoint {
  std::int8_t* side;  // JointSlot::saturated
  double E, g, bound;
  double v, impulse;  // of the velocities found, and the drive's impulse in the solve that found them
  double wanted(double at) const { return g - E * at; }
  std::int8_t sideAt(double at) const { return wanted(at) > bound * (1 + 1e-9) ? 1 : wanted(at) < -bound * (1 + 1e-9) ? -1 : 0; }
};

struct RowWorkspace {
  std::vector<Mat6> inertias;  // A of the links of the tree that is being factored, see lendInertias
  std::vector<Vec6> pushes;    // P of these
  solve::RowProblem rows;
  solve::BilateralRows bilateral;
  std::vector<RowMeta> rowMeta;                    // beside rows.rows
  std::vector<int> passedOver;                     // contacts that are too far to be rows
  std::vector<int> reachedContacts, reachedLinks;  // these, and links whose limits were, that a solution brought near: rows in the next
  std::vector<solve::Row> statedRows;              // as they were before an infeasible problem changed them
  std::vector<double> loopShares;                  // of other rows in the bilateral ones
  std::vector<solve::Piece> pieceScratch;
  std::vector<int> treeStart;
  std::vector<double> fullScratch, errorScratch, lambdaScratch, impactScratch;
  // Of the impact stage (constraints/impact_rows.cpp), and the rows before it. Rates: of each row without impacts, then minus what forces
  // add.
  std::vector<double> impactForces, impactImpulses, impactRates;
  std::vector<solve::Row> impactRows;
  double impactFalls = 0;  // J, of rebounds: what the forces of the step give and take after the touch
  std::vector<DrivePoint> drivePoints, drivePointsBefore;
  std::vector<double> drift, driftSample;        // of the bilateral rows (constraints/held_accelerations.cpp)
  std::vector<dynamics::LinkState> driftStates;  // of the island's links
  bool counted = true;                           // the clock of stages counts its time: the thread that called the step works in it

  void reserve(const Sizes& sizes, solve::Solver solver);
};

}  // namespace vertebra::inline state
