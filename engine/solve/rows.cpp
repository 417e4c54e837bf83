// See rows.hpp.
#include "engine/solve/rows.hpp"

#include <algorithm>
#include <cmath>

#include "engine/solve/fallback.hpp"
#include "engine/solve/sweep.hpp"

namespace vertebra::solve {

int RowProblem::addPath(const Piece* first, int count) {
  Path p;
  p.firstPiece = static_cast<int>(pieces.size());
  p.pieces = count;
  for (int i = 0; i < count; i++) {
    pieces.push_back(first[i]);
    p.length += first[i].count;
  }
  p.padding = p.length & 1;
  p.length += p.padding;
  paths.push_back(p);
  return static_cast<int>(paths.size()) - 1;
}

int RowProblem::addRow(int path, int count) {
  const int first = static_cast<int>(rows.size()), length = paths[path].length;
  int at = static_cast<int>(numbers.size());
  numbers.resize(numbers.size() + static_cast<std::size_t>(count * length), 0.0);
  rows.resize(rows.size() + count);
  for (int k = first; k < first + count; k++, at += length) rows[k].y = rows[k].r = at;
  return first;
}

void RowProblem::separateResponse(int row, int path) {
  rows[row].r = static_cast<int>(numbers.size());
  numbers.resize(numbers.size() + paths[path].length, 0.0);
}

void RowProblem::finishRow(int row, int path, double sigma) {
  double d = dot(y(row), r(row), paths[path].length);
  rows[row].sigma = sigma;
  d += sigma;
  rows[row].inverse = d > 0 ? 1 / d : 0;  // an impulse that changes no velocity stays zero
}

double RowProblem::velocity(int row, int path) const {
  const Path& p = paths[path];
  const double* a = numbers.data() + rows[row].y;
  double u = 0;
  for (int i = 0; i < p.pieces; i++) {
    const Piece& piece = pieces[p.firstPiece + i];
    const double* const at = x + piece.offset;
    if (piece.count == 3)
      u += a[0] * at[0] + a[1] * at[1] + a[2] * at[2];
    else
      for (int k = 0; k < piece.count; k++) u += a[k] * at[k];
    a += piece.count;
  }
  return u;
}

void RowProblem::apply(int row, int path, double impulse) {
  const Path& p = paths[path];
  const double* b = numbers.data() + rows[row].r;
  for (int i = 0; i < p.pieces; i++) {
    const Piece& piece = pieces[p.firstPiece + i];
    double* const at = x + piece.offset;
    if (piece.count == 3)
      at[0] += b[0] * impulse, at[1] += b[1] * impulse, at[2] += b[2] * impulse;
    else
      for (int k = 0; k < piece.count; k++) at[k] += b[k] * impulse;
    b += piece.count;
  }
}

void frictionStep(FrictionLaw law, const Row* row, int rows, double bound, double relaxation, const double* u, double* next) {
  for (int k = 0; k < rows; k++) next[k] = row[k].lambda - relaxation * u[k] * row[k].inverse;
  if (law == FrictionLaw::Fixed || law == FrictionLaw::Estimated) {
    for (int k = 0; k < rows; k++) next[k] = std::min(row[k].hi, std::max(row[k].lo, next[k]));
    return;
  }
  if (law == FrictionLaw::Pyramid || rows == 1) {
    for (int k = 0; k < rows; k++) next[k] = std::min(bound, std::max(-bound, next[k]));
    return;
  }
  if (!(next[0] * next[0] + next[1] * next[1] > bound * bound)) return;
  const double step = std::min(1.0, relaxation) * slipStep(row[0], row[1]);  // over-relaxed slip may cycle
  for (int k = 0; k < 2; k++) next[k] = row[k].lambda - step * u[k];
  const double length2 = next[0] * next[0] + next[1] * next[1];
  if (!(length2 > bound * bound)) return;
  const double shrink = bound / std::sqrt(length2);
  next[0] *= shrink;
  next[1] *= shrink;
}

void RowProblem::clampBlock(const Block& block) {
  Row* const row = &rows[block.row];
  row->lambda = std::min(std::max(row->lo, row->hi), std::max(row->lo, row->lambda));
  FrictionRows groups[3];
  const int count = frictionRows(block, groups);
  for (int i = 0; i < count; i++) {
    Row* const f = row + groups[i].first;
    const double still[2] = {0, 0};
    double next[2];
    frictionStep(block.law, f, groups[i].rows, frictionBound(groups[i].coefficient, row->lambda), 0, still, next);
    for (int k = 0; k < groups[i].rows; k++) f[k].lambda = next[k];
  }
}

void RowProblem::keepStart() {
  work.start.clear();
  for (const Piece& piece : pieces) work.start.insert(work.start.end(), x + piece.offset, x + piece.offset + piece.count);
}

void RowProblem::takeBack() {
  const double* from = work.start.data();
  for (const Piece& piece : pieces) {
    std::copy_n(from, piece.count, x + piece.offset);
    from += piece.count;
  }
}

void RowProblem::applyAll() {
  for (const Block& block : blocks)
    for (int k = block.row; k < block.row + block.size; k++)
      if (rows[k].lambda != 0) apply(k, block.path, rows[k].lambda);
}

bool RowProblem::heapOfFigures() const {
  if (rows.size() <= kMostDirect) return false;
  bool joints = false, contacts = false;
  for (const Block& block : blocks) {
    joints |= block.tree >= 0;
    contacts |= block.contact();
    if (block.tree < 0 && !block.contact()) return false;
  }
  return joints && contacts;
}

Remainder RowProblem::remainder() const {
  Remainder left;
  double arm = 1;
  auto lacks = [&](double impulse, double inverse) {  // that its row still lacks
    const double velocity = std::fabs(impulse) / inverse;
    left.worst = std::max(left.worst, velocity);
    left.speed = std::max(left.speed, arm * velocity);
    left.energy += 0.5 * std::fabs(impulse) * velocity;
  };
  for (const Block& block : blocks) {
    const Row* const row = &rows[block.row];
    arm = block.arm;
    auto slack = [&](int k) { return velocity(block.row + k, block.path) + row[k].sigma * row[k].lambda + row[k].bias; };
    if (row->inverse > 0) {
      const double next = std::min(row->hi, std::max(row->lo, row->lambda - slack(0) * row->inverse));
      lacks(next - row->lambda, row->inverse);
    }
    FrictionRows groups[3];
    const int count = frictionRows(block, groups);
    for (int i = 0; i < count; i++) {
      const FrictionRows& g = groups[i];
      const Row* const f = row + g.first;
      // One step for both rows of a pair: friction must oppose the slip.
      const double step = slipStep(f[0], f[g.rows - 1]), bound = frictionBound(g.coefficient, row->lambda);
      if (!(step > 0)) continue;
      Row even[2] = {f[0], f[g.rows - 1]};
      double u[2], next[2];
      for (int k = 0; k < g.rows; k++) {
        even[k].inverse = step;
        u[k] = slack(g.first + k);
      }
      frictionStep(block.law, even, g.rows, bound, 1, u, next);
      for (int k = 0; k < g.rows; k++) lacks(next[k] - f[k].lambda, step);
    }
  }
  return left;
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

void RowProblem::reserveWork(Solver solver, int rowCount, int coordinates, int pathNumbers) {
  const std::size_t n = static_cast<std::size_t>(rowCount);
  work.start.reserve(pathNumbers);
  work.spread.reserve(coordinates);
  for (auto* list : {&work.kept, &work.best, &work.warm}) list->reserve(n);
  work.sweep.runs.reserve(n);
  work.sweep.order.reserve(n);
  work.sweep.coupling.reserve(2 * n);
  work.sweep.own.reserve(6 * n);
  work.sweep.weight.reserve(n);
  work.sweep.visits.reserve(coordinates);
  work.sweep.coordinates.reserve(coordinates);
  for (auto* list : {&work.sweep.xBefore, &work.sweep.xDirection, &work.sweep.startX}) list->reserve(coordinates);
  work.sweep.startImpulses.reserve(n);
  for (auto* list : {&work.sweep.slack, &work.sweep.otherSlack, &work.sweep.direction, &work.sweep.change}) list->reserve(n);
  work.newton.reserve(rowCount, coordinates, pathNumbers);
  reserveCertificate(work);
  if (const auto reserve = traitsOf(solver).reserve) reserve(work, rowCount);
  if (const auto reserve = traitsOf(Solver::Dantzig).reserve) reserve(work, std::min(rowCount, kMostDirect));  // see tryHarder
}

}  // namespace vertebra::solve
