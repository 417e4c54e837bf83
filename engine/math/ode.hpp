// Initial-value problems y' = f(t, y): integrators with fixed or adaptive steps that know only the state and derivative of a system.
// Explicit, symplectic and implicit Euler (orders 1), explicit midpoint (2), classical Runge-Kutta (4), Dormand-Prince 5(4) (5).
// Sources: Vondrák 2006, ch. 2 (interface, step doubling, Taylor estimate); Hairer, Nørsett, Wanner 1993, Solving Ordinary Differential
// Equations I, II.4-II.5 (embedded pair).
// Nothing is allocated after reserve().
#pragma once
#include <cstdint>
#include <vector>

namespace vertebra::inline math {

enum class Integrator : std::uint8_t { ExplicitEuler, SymplecticEuler, ImplicitEuler, Midpoint, RungeKutta4, DormandPrince };
int orderOf(Integrator integrator);

// How the error of a step is estimated. Fixed: not at all. Doubling: against two half steps. Embedded: against the pair's lower order
// (Dormand-Prince only). Taylor: by the first neglected term, from the history of derivatives.
enum class StepControl : std::uint8_t { Fixed, Doubling, Embedded, Taylor };

class OdeSystem {
 public:
  virtual ~OdeSystem() = default;
  virtual int size() const = 0;
  // The leading numbers of y that are positions; in symplectic Euler their derivatives use the newest velocities.
  virtual int positions() const { return 0; }
  // The last numbers of y that no derivative depends on: integrals along the way. They take part neither in the control of steps nor in
  // the iterations of implicit ones.
  virtual int integrals() const { return 0; }
  virtual bool derivative(double t, const double* y, double* dy) = 0;  // false: not defined at y
  virtual void project(double /*t*/, double* /*y*/) {}                 // after each step: unit quaternions and similar
};

struct OdeSettings {
  Integrator integrator = Integrator::RungeKutta4;
  StepControl control = StepControl::Fixed;
  double step = 1e-3;       // of fixed steps; the first one of adaptive ones [s]
  double tolerance = 1e-6;  // largest error of one step in any number of y, absolute
  double smallest = 1e-9, largest = 0.1;
};

struct OdeReport {
  int steps = 0, rejected = 0, evaluations = 0;
  int atSmallest = 0;   // steps taken at the smallest size although their error exceeds the tolerance
  bool failed = false;  // no derivative, a value that is not finite, or an implicit step that did not converge even at the smallest size: y
                        // is the last valid state
  double worstError = 0;  // of the steps taken, as estimated
};

class OdeSolver {
 public:
  explicit OdeSolver(const OdeSettings& settings) : settings_(settings), next_(settings.step) {}
  const OdeSettings& settings() const { return settings_; }
  void configure(const OdeSettings& settings) { settings_ = settings; }  // takes effect at the next restart; call reserve() in between
  void reserve(int size, int integrals = 0);
  void restart();  // y was changed from outside: forgets the history and the present step size
  // Moves y from t to `until`, which may be before t with fixed steps only; the last step ends there exactly.
  OdeReport advance(OdeSystem& system, double& t, double* y, double until);
  double nextStep() const { return next_; }

 private:
  bool step(OdeSystem& system, Integrator integrator, double t, double h, const double* y, double* out);
  bool implicitEuler(OdeSystem& system, double t, double h, const double* y, double* out);
  bool evaluate(OdeSystem& system, double t, const double* y, double* dy);
  double taylorError(double h) const;
  void remember(double t, const double* dy);

  OdeSettings settings_;
  double next_;
  int n_ = 0, states_ = 0, evaluations_ = 0;  // states_: without integrals
  std::vector<double> k_[7], trial_, half_, doubled_, lower_, jacobian_, matrix_, residual_;
  std::vector<double> history_[6];  // derivatives at the last steps, newest first
  double times_[6] = {};
  int remembered_ = 0;
};

}  // namespace vertebra::inline math
