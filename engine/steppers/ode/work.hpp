// The work of a physics step of the stepper `ode`, counted so that it has a bound that does not depend on the machine. Unit: a visit of a
// row in a sweep, some 50 ns.
#pragma once
#include "engine/constraints/acceleration_rows.hpp"
#include "engine/state/world_data.hpp"

namespace vertebra::steppers {

// Beyond this a step fails: about two seconds, more in large worlds.
inline std::int64_t mostWork(const WorldData& w) { return 40'000'000 + 20'000 * static_cast<std::int64_t>(w.links.size()); }

// Rows that were built and solved, in so many iterations of the world's solver, and products of pivots in a dense matrix.
inline std::int64_t workOfRows(const WorldSettings& settings, std::int64_t rows, std::int64_t iterations, double products) {
  constexpr std::int64_t kBuilding = 20;
  constexpr double kProducts = 40;  // for a visit
  // A direct solver, which has memory beyond that of sweeps, goes through a dense matrix; its iterations may be sweeps that ended it.
  const std::int64_t dense = solve::traitsOf(settings.solver).reserve ? rows : 0;
  return rows * (kBuilding + dense + iterations) + static_cast<std::int64_t>(products / kProducts);
}

// Rows that are solved exactly: each goes through the trees, and all through a dense factor that is built, ranked and balanced.
inline std::int64_t workOfBilateralRows(std::int64_t rows, std::int64_t links) {
  constexpr std::int64_t kTree = 10, kDense = 8;  // visits for each link; products for a visit
  return rows * (kTree * links + rows * rows / kDense);
}

// Placed with their velocities, at five places where the drift of rows is found.
inline std::int64_t workOfLinks(std::int64_t links, bool drift) {
  constexpr std::int64_t kPlacing = 20;
  return links * kPlacing * (drift ? 5 : 1);
}

inline std::int64_t workOfSearch(const WorldData& w, std::int64_t distances) {
  constexpr std::int64_t kShape = 10, kContact = 40, kDistance = 20;
  return kDistance * distances + kShape * static_cast<std::int64_t>(w.shapes.size()) +
         kContact * static_cast<std::int64_t>(w.contacts.size());
}

inline Failure tooMuchWork(const WorldData& w) {
  return {Failure::Diverged,
          "the step at " + std::to_string(w.time) + " s takes too long (" + std::to_string(w.statistics.evaluations) +
              " evaluations of the accelerations so far) and was undone; for the stepper ode allow a larger tolerance or "
              "smallest step, shorter time steps, longer steps of bodies, or take the stepper impulse"};
}

}  // namespace vertebra::steppers
