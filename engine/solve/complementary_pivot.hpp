// The pure linear complementarity problem w = q + M z, w, z >= 0, w . z = 0 by Lemke's complementary pivots.
#pragma once
#include <vector>

namespace vertebra {

struct PivotWork {
  std::vector<double> tableau, rowScratch;
  std::vector<int> basic, nonbasic, place;  // variable of a line, of a column; column of a variable, or -1 - line where it is basic
  std::vector<int> tied, active;
  std::vector<double> system;
  void reserve(int size);
};
struct PivotReport {
  int pivots = 0;
  bool solved = false;  // false: a ray, which a copositive problem has only where it cannot be solved; or far too many pivots
};
// M: n x n by lines. z and w are written; of an unsolved problem z is where the pivots ended, with its artificial variable left out.
PivotReport complementaryPivot(int n, const double* M, const double* q, double* z, double* w, PivotWork& work);

}  // namespace vertebra
