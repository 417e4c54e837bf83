// See dense_rows.hpp. A = y . r over all pairs: the responses of a run of blocks are spread over x and read by the rows of every later run
// whose path shares coordinates with it (the metric is symmetric).
#include "engine/solve/dense_rows.hpp"

#include <cmath>

#include "engine/solve/sweep.hpp"

namespace vertebra::solve {

void formDense(RowProblem& p) {
  DenseWork& w = p.work.dense;
  const int n = static_cast<int>(p.rows.size());
  const std::size_t size = static_cast<std::size_t>(n);
  for (auto* list : {&w.b, &w.scale, &w.lo, &w.hi}) list->assign(size, 0.0);
  w.A.assign(size * size, 0.0);
  w.dead.assign(size, 0);
  auto A = [&](int i, int j) -> double& { return w.A[i * size + j]; };
  int end = 0;
  for (const Piece& piece : p.pieces) end = std::max(end, piece.offset + piece.count);
  if (p.work.spread.size() < static_cast<std::size_t>(end)) p.work.spread.resize(end);
  prepareSweeps(p, false);
  const std::vector<Run>& runs = p.work.sweep.runs;
  double* const x = p.x;
  double* const local = p.scratch.data();
  auto forRows = [&](const Run& run, auto&& f) {
    for (int b = run.first; b < run.last; b++)
      for (int k = 0; k < p.blocks[b].size; k++) f(p.blocks[b].row + k);
  };
  auto forPieces = [&](int path, auto&& f) {
    for (int k = 0; k < p.paths[path].pieces; k++) f(p.pieces[p.paths[path].firstPiece + k]);
  };
  // One response at a time on the spread copy of x; gathered once for all rows of a run.
  p.x = p.work.spread.data();
  for (std::size_t f = 0; f < runs.size(); f++) {
    const int from = p.blocks[runs[f].first].path;
    w.sharing.clear();
    forPieces(from, [&](const Piece& piece) { std::fill_n(p.x + piece.offset, piece.count, 1.0); });
    for (std::size_t t = f; t < runs.size(); t++) {
      bool shares = false;
      forPieces(p.blocks[runs[t].first].path, [&](const Piece& piece) {
        for (int k = 0; k < piece.count; k++) shares = shares || p.x[piece.offset + k] != 0;
      });
      if (shares) w.sharing.push_back(static_cast<int>(t));
    }
    forPieces(from, [&](const Piece& piece) { std::fill_n(p.x + piece.offset, piece.count, 0.0); });
    forRows(runs[f], [&](int j) {
      p.apply(j, from, 1);
      for (const int t : w.sharing) {
        const Path& to = p.paths[p.blocks[runs[t].first].path];
        gather(p, to, local);
        forRows(runs[t], [&](int i) { A(std::max(i, j), std::min(i, j)) = dot(p.y(i), local, to.length); });
      }
      forPieces(from, [&](const Piece& piece) { std::fill_n(p.x + piece.offset, piece.count, 0.0); });
    });
  }
  p.x = x;
  for (const Block& block : p.blocks)
    for (int k = 0; k < block.size; k++) {
      const int i = block.row + k;
      const Row& row = p.rows[i];
      const double d = A(i, i) + row.sigma, u = p.velocity(i, block.path) + row.bias;
      A(i, i) = d;
      w.dead[i] = !(row.inverse > 0 && d > 0 && std::isfinite(d) && std::isfinite(u));
      w.scale[i] = w.dead[i] ? 1 : 1 / std::sqrt(d);
      w.b[i] = w.dead[i] ? 0 : u * w.scale[i];
      if (k == 0 || block.law == FrictionLaw::Fixed || block.law == FrictionLaw::Estimated) {
        w.lo[i] = row.lo / w.scale[i];
        w.hi[i] = std::max(row.lo, row.hi) / w.scale[i];
      }
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      const double scaled = A(i, j) * w.scale[i] * w.scale[j];
      A(i, j) = A(j, i) = w.dead[i] || w.dead[j] || !std::isfinite(scaled) ? 0 : scaled;
    }
}

void storeDense(RowProblem& p, const double* lambda) {
  for (std::size_t i = 0; i < p.rows.size(); i++) p.rows[i].lambda = lambda[i] * p.work.dense.scale[i];
  for (const Block& block : p.blocks) p.clampBlock(block);
}

void reserveDense(SolveWork& work, int rows) {
  const std::size_t n = static_cast<std::size_t>(std::min(rows, kLargestDense));
  work.dense.A.reserve(n * n);
  for (auto* list : {&work.dense.b, &work.dense.scale, &work.dense.lo, &work.dense.hi}) list->reserve(n);
  work.dense.dead.reserve(n);
  work.dense.sharing.reserve(n);
}

}  // namespace vertebra::solve
