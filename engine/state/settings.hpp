// Settings of a world. SI units, world axes.
#pragma once
#include <cstdint>
#include <string>

#include "engine/math/ode.hpp"
#include "engine/math/types.hpp"
#include "engine/solve/solver.hpp"
#include "engine/state/failure.hpp"

namespace vertebra::solve {
struct RowProblem;
}

namespace vertebra::inline state {

enum class TreeSolver : std::uint8_t { Articulated, Sparse, Dense };
enum class Stepper : std::uint8_t { Impulse = 0, Variational = 1, Ode = 2, Spook = 3, Displacement = 4 };
// Bound of the friction impulse: the Coulomb cone; a pyramid along two fixed tangents or along the slip; a polygon in the cone (under
// Lemke; the cone under other solvers); bounds from a solution without friction; bounds from the last step's normal impulses (Lötstedt
// 1982).
enum class ContactFriction : std::uint8_t { Cone, Pyramid, PyramidAlongSliding, Polyhedral, Estimated, Loetstedt };
// How joints outside trees (of cycles; with free poses all joints) are kept closed: not at all, by a velocity against their error
// (Baumgarte), or by Newton's method in the coordinates after each step.
enum class Stabilisation : std::uint8_t { Newton, Baumgarte, None };

struct WorldSettings {
  Vec3 gravity = Vec3(0, 0, -9.81);
  double timeStep = 1.0 / 240;
  int substeps = 1;
  TreeSolver treeSolver = TreeSolver::Articulated;
  solve::Solver solver = solve::Solver::Pgs;
  int solverIterations = 50;
  double solverTolerance = 1e-5;   // m/s
  double contactMargin = 0.01;     // m
  double contactSlop = 0;          // m
  double contactCorrection = 0.2;  // share of penetration removed per step
  double contactSpeed = 1;         // m/s
  double restitutionSpeed = 0.05;  // m/s
  bool poisson = false;            // restitution by impulses, in two phases; otherwise by velocities
  double maxSpeed = 1000, maxAngularSpeed = 1000;
  double sleepSpeed = 0.01, sleepAngularSpeed = 0.02, sleepTime = 0.5;
  int maxHalvings = 4;
  // A physics step that diverges or drives a contact deeper by more than adaptiveDepth [m] is repeated in two parts; these likewise, down
  // to 1 / adaptiveSubsteps of the step.
  int adaptiveSubsteps = 8;
  double adaptiveDepth = 2e-3;
  int threads = 1;        // that a step uses, including the calling one; results are the same for any number
  double timeBudget = 0;  // s of wall-clock time for a call of step(); beyond it rows are solved with few sweeps; 0: none
  Stepper stepper = Stepper::Impulse;
  Stabilisation stabilisation = Stabilisation::Newton;
  double baumgarte = 50;  // 1/s: J v = -baumgarte C
  // SPOOK, for rows whose own softness is rigid: compliance [m/N, rad/(N m)], relaxation time [s], and of velocity rows [m/(N s), ...].
  double spookCompliance = 1e-9, spookRelaxation = 0.01, spookGamma = 1e-9;
  // Of the stepper `ode`, see steppers/ode/step.cpp.
  Integrator odeIntegrator = Integrator::RungeKutta4;
  StepControl odeControl = StepControl::Fixed;  // not Taylor: the history of a step ends at each contact
  double odeTolerance = 1e-6;                   // largest error of one integration step in any coordinate or velocity
  double odeSmallest = 1e-6;                    // s, shortest step of adaptive ones
  // Rows without bounds are met at acceleration level; otherwise in velocity, after each integration step.
  bool bilateralAccelerations = true;
  bool unilateralAccelerations = true;  // likewise contacts, limits and dry friction; otherwise at the end of a physics step
  double rollbackDepth = 1e-4;  // m or rad; new contacts and limits that are deeper are rolled back to their beginning; 0: no rollback
  // Of the stepper `displacement`, whose number of sweeps, tolerance, order and relaxation are those of the solvers: whether joints are
  // solved along their error instead of by blocks of all their directions; whether inverse masses are of the predicted poses instead of the
  // newest; whether the gyroscopic part of the inertia is included; the regularisation, as a share of a row's inverse mass; and the warm
  // start, a share of the last step's impulses (negative: kContactsStart where only contacts act, otherwise zero).
  bool displacementAlongErrors = false, displacementFrozen = false, displacementGyroscopic = false;
  double displacementRegularisation = 0, displacementWarmStart = -1;
  bool freePoses = false;  // every body is a tree of its own, every joint is rows
  bool planar = false;     // free bodies have x, z and an angle about y, measured from where they were created
  bool sleeping = true, energyCorrection = true, energyAccount = false, persistEvents = false, continuous = true;
  bool stageTimes = false;        // read the clock between the stages of a step
  bool tellUnsolved = false;      // by a failure of the step, which stands; otherwise by the statistics alone
  bool contactPositions = false;  // penetration is removed by displacements, which add no velocity (impulse, variational)
  // Options of the solvers, as in SolverSettings.
  double solverRelaxation = 1;
  solve::SweepOrder solverOrder = solve::SweepOrder::Forward;
  bool solverWholeContacts = false, solverAccelerate = true;
  ContactFriction frictionLaw = ContactFriction::Cone;
  int frictionDirections = 8;
};

// What a body asks for besides the world's settings: a longest step [s] (steppers impulse, SPOOK, ode; 0: none) and an integrator (ode;
// none: -1). Connected bodies take the finest step and, of the integrators, the one with the highest rank (`rankOf`); see
// steppers/multirate.cpp and steppers/ode/step.cpp.
struct Integration {
  double step = 0;
  int integrator = -1;
  bool asks() const { return step > 0 || integrator >= 0; }
};

// Callbacks during a step; null = none. None of them may change the world.
struct Callbacks {
  void* user = nullptr;
  void (*beforeStep)(void* user) = nullptr;                    // before each physics step
  void (*afterStep)(void* user) = nullptr;                     // after each physics step that stands
  bool (*filter)(void* user, int bodyA, int bodyB) = nullptr;  // for each new candidate pair of bodies; false: they pass through each other
  void (*seeRows)(void* user, const solve::RowProblem& rows,
                  const solve::SolverSettings& settings) = nullptr;  // each island's, before they are solved
};

}  // namespace vertebra::inline state
