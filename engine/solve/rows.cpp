// See rows.hpp.
#include "engine/solve/rows.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra {

int RowProblem::addPath(const Piece* first, int count) {
  Path p;
  p.firstPiece = static_cast<int>(pieces.size());
  p.pieces = count;
  for (int i = 0; i < count; i++) {
    pieces.push_back(first[i]);
    p.length += first[i].count;
  }
  p.length = (p.length + 1) & ~1;
  paths.push_back(p);
  return static_cast<int>(paths.size()) - 1;
}

int RowProblem::addRow(int path) {
  Row row;
  row.y = row.r = static_cast<int>(numbers.size());
  numbers.resize(numbers.size() + paths[path].length, 0.0);
  rows.push_back(row);
  return static_cast<int>(rows.size()) - 1;
}

void RowProblem::separateResponse(int row, int path) {
  rows[row].r = static_cast<int>(numbers.size());
  numbers.resize(numbers.size() + paths[path].length, 0.0);
}

void RowProblem::finishRow(int row, int path, double sigma) {
  const double *a = y(row), *b = r(row);
  double d = 0;
  for (int k = 0; k < paths[path].length; k++) d += a[k] * b[k];
  rows[row].sigma = sigma;
  d += sigma;
  rows[row].inverse = d > 0 ? 1 / d : 0;  // a row that can move nothing stays without impulse
}

double RowProblem::velocity(int row, int path) const {
  const Path& p = paths[path];
  const double* a = numbers.data() + rows[row].y;
  double u = 0;
  for (int i = 0; i < p.pieces; i++) {
    const Piece& piece = pieces[p.firstPiece + i];
    for (int k = 0; k < piece.count; k++) u += *a++ * x[piece.offset + k];
  }
  return u;
}

void RowProblem::apply(int row, int path, double impulse) {
  const Path& p = paths[path];
  const double* b = numbers.data() + rows[row].r;
  for (int i = 0; i < p.pieces; i++) {
    const Piece& piece = pieces[p.firstPiece + i];
    for (int k = 0; k < piece.count; k++) x[piece.offset + k] += *b++ * impulse;
  }
}

double RowProblem::violation() const {
  double worst = 0;
  for (const Block& block : blocks) {
    const Row* const row = &rows[block.row];
    auto slack = [&](int k) { return velocity(block.row + k, block.path) + row[k].sigma * row[k].lambda + row[k].bias; };
    if (row->inverse > 0) {
      const double next = std::min(row->hi, std::max(row->lo, row->lambda - slack(0) * row->inverse));
      worst = std::max(worst, std::fabs(next - row->lambda) / row->inverse);
    }
    // One step for both tangents: friction has to point against the slip.
    const double step = block.contact ? slipStep(row[1], row[2]) : 0;
    if (!(step > 0)) continue;
    double s = row[1].lambda - step * slack(1), t = row[2].lambda - step * slack(2);
    const double bound = frictionBound(block.friction, row->lambda), length = std::sqrt(s * s + t * t);
    if (length > bound) {
      s *= bound / length;
      t *= bound / length;
    }
    worst = std::max({worst, std::fabs(s - row[1].lambda) / step, std::fabs(t - row[2].lambda) / step});
  }
  return worst;
}

double RowProblem::complementarity() const {
  double worst = 0;
  for (const Block& block : blocks) {
    const Row& row = rows[block.row];
    if (row.lo != 0 || !(row.lambda > 0)) continue;
    worst = std::max(worst, std::fabs(row.lambda * (velocity(block.row, block.path) + row.sigma * row.lambda + row.bias)));
  }
  return worst;
}

}  // namespace vertebra
