// The rows of a problem as a dense one, a = A lambda + b with a diagonal of one: rows are scaled by 1 / sqrt(y . r + sigma), so that
// velocities a and impulses lambda are in sqrt(J) and what is small can be told from what is not. Rows that can move nothing, or are no
// numbers, are dead: their line is zero.
#pragma once
#include "engine/solve/rows.hpp"

namespace vertebra {

constexpr int kLargestDense = 2500;  // rows: a dense matrix beyond is slower than sweeps and takes more than 50 MB

void formDense(RowProblem& p);  // into SolveWork::dense; x is read, not changed
// Impulses as they were found, scaled: into the rows, inside their bounds.
void storeDense(RowProblem& p, const double* lambda);
void reserveDense(SolveWork& work, int rows);

}  // namespace vertebra
