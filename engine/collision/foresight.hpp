// From when, and how far, continuous collision looks ahead: see continuous.cpp.
#pragma once
#include <cstdint>

namespace vertebra::collision {

struct Foresight {
  // Bodies move on as they will in the next step, with the velocities of the start of the last and gravity (the poses are those at its
  // end); with their present velocities, before a step; or so within a step, whose prescribed motions are known.
  enum class From : std::uint8_t { NextStep, Now, Within };

  double time = 0;  // s; 0: nothing is sought
  From from = From::NextStep;
};

}  // namespace vertebra::collision
