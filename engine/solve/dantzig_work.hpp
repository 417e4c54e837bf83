// Memory of the direct solver, kept from step to step so that nothing is allocated once its sizes have been seen.
#pragma once
#include <vector>

#include "engine/solve/ldlt.hpp"

namespace vertebra {

struct DantzigWork {
  IncrementalLdlt factor;  // of the clamped rows
  std::vector<double> A;   // n x n, rows scaled to a diagonal of one
  std::vector<double> b, scale, lo, hi, lambda, a, deltaA, delta, limit, spread, start, kept, warm;
  std::vector<int> clamped;
  std::vector<unsigned char> state, ignored;

  void reserve(int rows, int coordinates, int pathNumbers);  // pathNumbers: of x, over all pieces; dantzig.cpp
};

}  // namespace vertebra
