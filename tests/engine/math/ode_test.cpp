// Integrators against closed forms: orders, step control, stiff and Hamiltonian systems, failures.
#include <cmath>
#include <functional>

#include "engine/math/ode.hpp"
#include "tests/support.hpp"

using namespace vertebra;

namespace {

struct Problem : OdeSystem {
  int n, p;
  std::function<bool(double, const double*, double*)> f;
  Problem(int size, int positions, std::function<bool(double, const double*, double*)> rhs) : n(size), p(positions), f(std::move(rhs)) {}
  int size() const override { return n; }
  int positions() const override { return p; }
  bool derivative(double t, const double* y, double* dy) override { return f(t, y, dy); }
};

// x'' = -x + sin(2 t) / 2, with x(0) = 1, x'(0) = -1/3: x = cos t - sin(2 t) / 6.
Problem forced() {
  return Problem(2, 1, [](double t, const double* y, double* dy) {
    dy[0] = y[1];
    dy[1] = -y[0] + 0.5 * std::sin(2 * t);
    return true;
  });
}
double exact(double t) { return std::cos(t) - std::sin(2 * t) / 6; }

double errorOf(Integrator integrator, double h) {
  OdeSettings s;
  s.integrator = integrator;
  s.step = h;
  OdeSolver solver(s);
  Problem problem = forced();
  double y[2] = {1, -1.0 / 3}, t = 0;
  const OdeReport r = solver.advance(problem, t, y, 2);
  REQUIRE_FALSE(r.failed);
  REQUIRE(t == 2);
  return std::fabs(y[0] - exact(2));
}

const Integrator kAll[] = {Integrator::ExplicitEuler, Integrator::SymplecticEuler, Integrator::ImplicitEuler,
                           Integrator::Midpoint,      Integrator::RungeKutta4,     Integrator::DormandPrince};

}  // namespace

TEST_CASE("the error of each integrator falls with its order", "[ode]") {
  for (Integrator integrator : kAll) {
    const double h = orderOf(integrator) >= 4 ? 0.1 : 0.01;
    const double slope = std::log2(errorOf(integrator, h) / errorOf(integrator, 0.5 * h));
    INFO("integrator " << static_cast<int>(integrator) << " slope " << slope);
    CHECK(slope == Approx(orderOf(integrator)).margin(0.3));
  }
}

TEST_CASE("adaptive steps hold their tolerance and differ by control alone", "[ode]") {
  // A pulse: the solution changes only around t = 1. Steps must shrink there and grow again.
  Problem pulse(1, 0, [](double t, const double*, double* dy) {
    dy[0] = 20 / std::cosh(20 * (t - 1)) / std::cosh(20 * (t - 1));  // y = tanh(20 (t - 1)) + tanh(20)
    return true;
  });
  for (Integrator integrator : kAll)
    for (StepControl control : {StepControl::Doubling, StepControl::Taylor, StepControl::Embedded}) {
      if (control == StepControl::Embedded && integrator != Integrator::DormandPrince) continue;
      const bool low = orderOf(integrator) == 1;
      OdeSettings s;
      s.integrator = integrator;
      s.control = control;
      s.tolerance = low ? 1e-5 : 1e-7;
      s.step = 1e-3;
      s.largest = 0.2;
      OdeSolver solver(s);
      double y[1] = {0}, t = 0;
      const OdeReport r = solver.advance(pulse, t, y, 2);
      INFO("integrator " << static_cast<int>(integrator) << " control " << static_cast<int>(control) << " steps " << r.steps << " rejected "
                         << r.rejected << " error " << std::fabs(y[0] - 2 * std::tanh(20)));
      CHECK_FALSE(r.failed);
      CHECK(t == 2);
      CHECK(r.atSmallest == 0);
      CHECK(r.worstError <= s.tolerance);
      // Taylor's estimate uses past derivatives: it sees a pulse late.
      CHECK(std::fabs(y[0] - 2 * std::tanh(20)) < (low || control == StepControl::Taylor ? 2000 : 100) * s.tolerance);
      CHECK(r.steps < (low ? 6000 : 1500));
      CHECK(solver.nextStep() > 0.01);
    }
}

TEST_CASE("a mass on a spring under the three Eulers", "[ode]") {
  // m = 20, k = 3000, h = 0.01 (Servin 4.1.1; GAMES105 lecture 8): explicit gains energy, implicit loses, symplectic keeps it.
  Problem spring(2, 1, [](double, const double* y, double* dy) {
    dy[0] = y[1];
    dy[1] = -3000.0 / 20 * y[0];
    return true;
  });
  auto energy = [](const double* y) { return 0.5 * 20 * y[1] * y[1] + 0.5 * 3000 * y[0] * y[0]; };
  const double hw2 = 0.01 * 0.01 * 150;  // (h omega)^2
  for (Integrator integrator : {Integrator::ExplicitEuler, Integrator::SymplecticEuler, Integrator::ImplicitEuler}) {
    OdeSettings s;
    s.integrator = integrator;
    s.step = 0.01;
    OdeSolver solver(s);
    double y[2] = {0.1, 0}, t = 0, least = 1e9, most = 0;
    const double start = energy(y);
    for (int i = 0; i < 200; i++) {
      solver.advance(spring, t, y, 0.01 * (i + 1));
      least = std::min(least, energy(y));
      most = std::max(most, energy(y));
    }
    INFO(energy(y) / start);
    if (integrator == Integrator::ExplicitEuler) CHECK(energy(y) / start == Approx(std::pow(1 + hw2, 200)).epsilon(1e-9));
    if (integrator == Integrator::ImplicitEuler) CHECK(energy(y) / start == Approx(std::pow(1 + hw2, -200)).epsilon(1e-6));
    if (integrator == Integrator::SymplecticEuler) {
      CHECK(most / start < 1.15);
      CHECK(least / start > 0.87);
    }
  }
}

TEST_CASE("a stiff decay needs small explicit steps, not small implicit ones", "[ode]") {
  Problem decay(1, 0, [](double t, const double* y, double* dy) {
    dy[0] = -1000 * (y[0] - std::cos(t));
    return true;
  });
  OdeSettings s;
  s.integrator = Integrator::ImplicitEuler;
  s.step = 0.02;
  OdeSolver implicitly(s);
  double y[1] = {0}, t = 0;
  CHECK_FALSE(implicitly.advance(decay, t, y, 1).failed);
  CHECK(y[0] == Approx(std::cos(1.0)).margin(2e-3));
  s.integrator = Integrator::ExplicitEuler;
  OdeSolver explicitly(s);
  y[0] = 0, t = 0;
  (void)explicitly.advance(decay, t, y, 1);
  CHECK_FALSE(std::fabs(y[0]) < 1e6);
}

TEST_CASE("implicit Euler solves nonlinear systems to round-off", "[ode]") {
  Problem pendulum(2, 1, [](double, const double* y, double* dy) {
    dy[0] = y[1];
    dy[1] = -40 * std::sin(y[0]) - 3 * y[1] * std::fabs(y[1]);
    return true;
  });
  OdeSettings s;
  s.integrator = Integrator::ImplicitEuler;
  s.step = 0.05;
  OdeSolver solver(s);
  double y[2] = {2.5, 3}, t = 0;
  for (int i = 0; i < 40; i++) {
    const double before[2] = {y[0], y[1]}, from = t;
    REQUIRE_FALSE(solver.advance(pendulum, t, y, from + 0.05).failed);
    double f[2];
    pendulum.derivative(t, y, f);
    CHECK(std::fabs(y[0] - before[0] - (t - from) * f[0]) < 1e-12);
    CHECK(std::fabs(y[1] - before[1] - (t - from) * f[1]) < 1e-11);
  }
}

TEST_CASE("a derivative that fails leaves the last good state", "[ode]") {
  Problem wall(1, 0, [](double, const double* y, double* dy) {
    dy[0] = 1;
    return y[0] < 0.505;
  });
  for (StepControl control : {StepControl::Fixed, StepControl::Doubling}) {
    OdeSettings s;
    s.step = 0.01;
    s.control = control;
    s.smallest = 1e-4;
    OdeSolver solver(s);
    double y[1] = {0}, t = 0;
    const OdeReport r = solver.advance(wall, t, y, 1);
    CHECK(r.failed);
    CHECK(y[0] == Approx(t).margin(1e-12));
    CHECK(y[0] < 0.506);
    CHECK(y[0] > (control == StepControl::Fixed ? 0.48 : 0.5));
  }
}

TEST_CASE("equal runs give equal bits", "[ode]") {
  for (Integrator integrator : kAll) {
    OdeSettings s;
    s.integrator = integrator;
    s.control = StepControl::Doubling;
    double end[2][2];
    for (double* y : {end[0], end[1]}) {
      OdeSolver solver(s);
      Problem problem = forced();
      double t = 0;
      y[0] = 1, y[1] = 0;
      (void)solver.advance(problem, t, y, 0.3);
    }
    CHECK(end[0][0] == end[1][0]);
    CHECK(end[0][1] == end[1][1]);
  }
}

TEST_CASE("integrals along the way are those of the motion and change neither it nor its steps", "[ode]") {
  // The forced oscillator with the integral of x^2, which no derivative reads and no bound sees.
  struct Measured : Problem {
    Measured()
        : Problem(3, 1, [](double t, const double* y, double* dy) {
            dy[0] = y[1];
            dy[1] = -y[0] + 0.5 * std::sin(2 * t);
            dy[2] = 1e6 * y[0] * y[0];
            return true;
          }) {}
    int integrals() const override { return 1; }
  };
  // Of cos^2 t - cos t sin 2t / 3 + sin^2 2t / 36.
  const auto exactIntegral = [](double t) {
    const double c = std::cos(t);
    return 0.5 * t + 0.25 * std::sin(2 * t) + 2.0 / 9 * (c * c * c - 1) + (0.5 * t - 0.125 * std::sin(4 * t)) / 36;
  };
  for (Integrator integrator : kAll)
    for (StepControl control : {StepControl::Fixed, StepControl::Doubling, StepControl::Taylor}) {
      OdeSettings s;
      s.integrator = integrator;
      s.control = control;
      s.tolerance = 1e-7;
      s.step = 1e-3;
      OdeSolver one(s), other(s);
      Problem plain = forced();
      Measured measured;
      double y[2] = {1, -1.0 / 3}, z[3] = {1, -1.0 / 3, 0}, t = 0, tz = 0;
      const OdeReport a = one.advance(plain, t, y, 2), b = other.advance(measured, tz, z, 2);
      INFO("integrator " << static_cast<int>(integrator) << ", control " << static_cast<int>(control));
      REQUIRE_FALSE(a.failed);
      REQUIRE_FALSE(b.failed);
      CHECK(a.steps == b.steps);
      CHECK(y[0] == z[0]);
      CHECK(y[1] == z[1]);
      CHECK(1e-6 * z[2] == Approx(exactIntegral(2)).epsilon(orderOf(integrator) > 1 ? 1e-4 : 3e-3));
    }
}

// The two solutions of Dormand and Prince's pair are of fifth and fourth order: they part by h^5 in one step.
TEST_CASE("the embedded solution of Dormand and Prince is of fourth order", "[ode]") {
  double apart[2];
  for (int k = 0; k < 2; k++) {
    OdeSettings s;
    s.integrator = Integrator::DormandPrince;
    s.control = StepControl::Embedded;
    s.step = s.largest = k ? 0.05 : 0.1;
    s.tolerance = 1e9;
    OdeSolver solver(s);
    Problem problem = forced();
    double y[2] = {1, -1.0 / 3}, t = 0;
    const OdeReport r = solver.advance(problem, t, y, s.step);
    REQUIRE(r.steps == 1);
    apart[k] = r.worstError;
  }
  INFO(apart[0] << " and " << apart[1]);
  CHECK(std::log2(apart[0] / apart[1]) == Approx(5).margin(0.5));
}
