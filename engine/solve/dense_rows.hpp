// The rows of a problem in dense form, a = A lambda + b with a unit diagonal: rows are scaled by 1 / sqrt(y . r + sigma), so that
// velocities a and impulses lambda are in sqrt(J) and one tolerance suits all rows. Rows whose impulse changes no velocity, or that are not
// finite, are dead: their line is zero.
#pragma once
#include "engine/solve/rows.hpp"

namespace vertebra::solve {

constexpr int kLargestDense = 2500;  // rows: a larger dense matrix is slower than sweeps and takes more than 50 MB

void formDense(RowProblem& p);  // into SolveWork::dense; x is read, not changed
// Writes scaled impulses back into the rows, within their bounds.
void storeDense(RowProblem& p, const double* lambda);
void reserveDense(SolveWork& work, int rows);

}  // namespace vertebra::solve
