// Settings of a world, and what a call that fails answers. SI units, world axes.
#pragma once
#include <cstdint>
#include <string>

#include "engine/math/ode.hpp"
#include "engine/math/types.hpp"
#include "engine/solve/solver.hpp"

namespace vertebra {

enum class TreeSolver : std::uint8_t { Articulated, Sparse, Dense };
enum class Stepper : std::uint8_t { Impulse = 0, Variational = 1, Ode = 2, Spook = 3, Displacement = 4 };
// How friction is bounded: the true cone; a pyramid along two fixed tangents or along the sliding; a polygon in the cone (under Lemke, else
// the cone); limits from a solution without friction; limits from the last step's normal impulses (Lötstedt).
enum class ContactFriction : std::uint8_t { Cone, Pyramid, PyramidAlongSliding, Polyhedral, Estimated, Loetstedt };
// What keeps joints outside trees (of cycles; all of them with free poses) together: nothing, a velocity against their error, or
// Newton's method in the coordinates after each step.
enum class Stabilisation : std::uint8_t { Newton, Baumgarte, None };

struct Failure {  // of a call; converts to true when something is wrong
  enum Kind { None, Argument, Unsupported, Diverged, Infeasible } kind = None;
  std::string text;
  int body = -1;  // that it is about, if it is one; the engine knows no names
  explicit operator bool() const { return kind != None; }
};

struct WorldSettings {
  Vec3 gravity = Vec3(0, 0, -9.81);
  double timeStep = 1.0 / 240;
  int substeps = 1;
  TreeSolver treeSolver = TreeSolver::Articulated;
  Solver solver = Solver::Pgs;
  int solverIterations = 50;
  double solverTolerance = 1e-5;   // m/s
  double contactMargin = 0.01;     // m
  double contactSlop = 0;          // m
  double contactCorrection = 0.2;  // share of penetration a step
  double contactSpeed = 1;         // m/s
  double restitutionSpeed = 0.05;  // m/s
  bool poisson = false;            // restitution by impulses, in two phases; otherwise by velocities
  double maxSpeed = 1000, maxAngularSpeed = 1000;
  double sleepSpeed = 0.01, sleepAngularSpeed = 0.02, sleepTime = 0.5;
  int maxHalvings = 4;
  // A physics step that diverges or drives a contact deeper by more than adaptiveDepth [m] is made again in two parts, these likewise, down
  // to an adaptiveSubsteps-th.
  int adaptiveSubsteps = 1;
  double adaptiveDepth = 1e-3;
  int threads = 1;        // that a step works on, the one that calls included; results are the same for any number
  double timeBudget = 0;  // s of the clock for a call of step(); beyond it rows are solved with few sweeps; 0: none
  Stepper stepper = Stepper::Impulse;
  Stabilisation stabilisation = Stabilisation::Newton;
  double baumgarte = 50;  // 1/s: J v = -baumgarte C
  // SPOOK, for rows whose own softness is rigid: compliance [m/N, rad/(N m)], relaxation time [s], and of velocity rows [m/(N s), ...].
  double spookCompliance = 1e-9, spookRelaxation = 0.01, spookGamma = 1e-9;
  // Of the stepper `ode`, see ode_step.cpp.
  Integrator odeIntegrator = Integrator::RungeKutta4;
  StepControl odeControl = StepControl::Fixed;  // not Taylor: steps have no history beyond a contact
  double odeTolerance = 1e-6;                   // largest error of one integration step in any coordinate or velocity
  double odeSmallest = 1e-6;                    // s, shortest step of adaptive ones
  bool bilateralAccelerations = true;   // rows without bounds hold at acceleration level, otherwise after each integration step in velocity
  bool unilateralAccelerations = true;  // likewise contacts, limits and dry friction; otherwise at the end of a physics step
  double rollbackDepth = 1e-4;          // m or rad; new contacts and limits that pass it are taken back to where they began; 0: none are
  // Of the stepper `displacement`, which takes its sweeps' number, tolerance, order and relaxation from those of the solvers: joints' held
  // directions by blocks rather than along their error; inverse masses of the predicted poses rather than the newest; the gyroscopic part
  // of the inertia; what is added to a row's inverse mass, as a share of it; and the share of the last step's impulses to start from,
  // negative for kContactsStart where only contacts act and nothing elsewhere.
  bool displacementBlocks = false, displacementFrozen = false, displacementGyroscopic = false;
  double displacementRegularisation = 0, displacementWarmStart = -1;
  bool freePoses = false;  // every body a tree of its own, every joint rows
  bool planar = false;     // free bodies have x, z and an angle about y, from where they were created
  bool sleeping = true, energyCorrection = true, energyAccount = false, persistEvents = false, continuous = true;
  bool stageTimes = false;        // read the clock between the stages of a step
  bool contactPositions = false;  // penetration is removed by displacements, which give no speed (impulse, variational)
  // Options of the solvers, as in SolverSettings.
  double solverRelaxation = 1;
  SweepOrder solverOrder = SweepOrder::Forward;
  bool solverWholeContacts = false, solverAccelerate = true;
  ContactFriction frictionLaw = ContactFriction::Cone;
  int frictionDirections = 8;
};

// What a body asks for beside the world's: a longest step [s] (steppers impulse, SPOOK, ode; 0: none) and an integrator (ode; none: -1).
// What moves together takes the finest step and, of the integrators, the one of most say (`sayOf`); see groups.cpp and ode_step.cpp.
struct Integration {
  double step = 0;
  int integrator = -1;
  bool asks() const { return step > 0 || integrator >= 0; }
};

struct RowProblem;  // engine/solve/rows.hpp

// What the caller is asked or told during a step; null = not. None of them may change the world.
struct Callbacks {
  void* user = nullptr;
  void (*beforeStep)(void* user) = nullptr;                    // before each physics step
  bool (*filter)(void* user, int bodyA, int bodyB) = nullptr;  // for each new candidate pair of bodies; false: they pass through each other
  void (*seeRows)(void* user, const RowProblem& rows, const SolverSettings& settings) = nullptr;  // each island's, before they are solved
};

}  // namespace vertebra
