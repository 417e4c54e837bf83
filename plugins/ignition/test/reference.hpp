// What worlds of the comparison must do, from mechanics alone: pendulums by Runge and Kutta's method of order 4 in steps so short that its
// error is round-off, sliding and falling in closed form. A rod hangs at its end, starts level and turns down by positive angles; m, s,
// rad.
#pragma once

#include <array>
#include <cmath>

namespace compare {

constexpr double kGravity = 9.8;
constexpr double kLength = 1, kMass = 1, kInertia = kMass * (kLength * kLength + 0.1 * 0.1) / 12;  // rods 1 m long, 0.1 m thick

template <std::size_t N, class Rates>
std::array<double, N> integrate(std::array<double, N> state, double time, int steps, Rates rates) {
  const double h = time / steps;
  const auto along = [](std::array<double, N> from, const std::array<double, N>& rate, double by) {
    for (std::size_t i = 0; i < N; ++i) from[i] += by * rate[i];
    return from;
  };
  for (int step = 0; step < steps; ++step) {
    const auto a = rates(state), b = rates(along(state, a, h / 2)), c = rates(along(state, b, h / 2)), d = rates(along(state, c, h));
    for (std::size_t i = 0; i < N; ++i) state[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return state;
}

// The angle of one rod.
inline double pendulum(double time) {
  const double rate = kMass * kGravity * kLength / 2 / (kInertia + kMass * kLength * kLength / 4);
  return integrate<2>({0, 0}, time, 20000, [&](const std::array<double, 2>& s) {
    return std::array<double, 2>{s[1], rate * std::cos(s[0])};
  })[0];
}

// The joint angles of two rods, from Lagrange's equations for their angles against the level.
inline std::array<double, 2> doublePendulum(double time) {
  const double l = kLength / 2, first = kInertia + kMass * l * l + kMass * kLength * kLength, second = kInertia + kMass * l * l,
               both = kMass * kLength * l;
  const auto s = integrate<4>({0, 0, 0, 0}, time, 40000, [&](const std::array<double, 4>& s) {
    const double c = both * std::cos(s[0] - s[1]), d = both * std::sin(s[0] - s[1]);
    const double f = kGravity * kMass * (l + kLength) * std::cos(s[0]) - d * s[3] * s[3],
                 g = kGravity * kMass * l * std::cos(s[1]) + d * s[2] * s[2];
    const double determinant = first * second - c * c;
    return std::array<double, 4>{s[2], s[3], (second * f - c * g) / determinant, (first * g - c * f) / determinant};
  });
  return {s[0], s[1] - s[0]};
}

}  // namespace compare
