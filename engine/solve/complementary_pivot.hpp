// The pure linear complementarity problem w = q + M z, w, z >= 0, w . z = 0 by Lemke's complementary pivots.
#pragma once
#include <vector>

namespace vertebra::solve {

struct PivotWork {
  std::vector<double> tableau, rowScratch;
  std::vector<int> basic, nonbasic, place;  // variable of a line, of a column; column of a variable, or -1 - line where it is basic
  std::vector<int> tied, active;
  std::vector<double> system;
  void reserve(int size);
};
struct PivotReport {
  int pivots = 0;
  bool solved = false;  // false: ended on a ray, which for a copositive M means that there is no solution, or after far too many pivots
};
double productsOfPivot(int n);  // the numbers of the dictionary of n variables

// M: n x n, row by row. Writes z and w; of an unsolved problem z is the last iterate without its artificial variable.
PivotReport complementaryPivot(int n, const double* M, const double* q, double* z, double* w, PivotWork& work);

}  // namespace vertebra::solve
