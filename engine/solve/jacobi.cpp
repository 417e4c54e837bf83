// Block Jacobi: every block takes its Gauss-Seidel step from the same x, times a share: one over the largest number of blocks that reach
// one of the coordinates on its path. Each step alone lowers the (convex) energy of the rows, so their weighted mean does too: the method
// converges for any rows. A mean of impulses inside a cone stays in the cone. Sources: Servin 9.4.2; Tonge, Benevolenski and Voroshilov
// 2012, "Mass splitting for jitter-free parallel rigid body simulation" (the shares).
#include "engine/solve/sweep.hpp"

namespace vertebra::solve {
namespace {

// Shares from the number of blocks at each coordinate.
void weigh(RowProblem& p) {
  SweepWork& w = p.work.sweep;
  int end = 0;
  for (const Piece& piece : p.pieces) end = std::max(end, piece.offset + piece.count);
  w.visits.assign(end, 0);
  auto forPieces = [&](const Block& b, auto&& f) {
    const Path& path = p.paths[b.path];
    for (int k = 0; k < path.pieces; k++) f(p.pieces[path.firstPiece + k]);
  };
  for (const Block& b : p.blocks)
    forPieces(b, [&](const Piece& piece) {
      for (int k = 0; k < piece.count; k++) w.visits[piece.offset + k]++;
    });
  w.weight.resize(p.blocks.size());
  for (std::size_t i = 0; i < p.blocks.size(); i++) {
    int most = 1;
    forPieces(p.blocks[i], [&](const Piece& piece) {
      for (int k = 0; k < piece.count; k++) most = std::max(most, w.visits[piece.offset + k]);
    });
    w.weight[i] = 1.0 / most;
  }
  if (static_cast<int>(p.work.spread.size()) < end) p.work.spread.resize(end, 0.0);
}

}  // namespace

SolveReport solveJacobi(RowProblem& p, const SolverSettings& settings) {
  SolveReport report;
  prepareSweeps(p, settings.wholeContacts);
  warmStart(p);
  weigh(p);
  const SweepWork& w = p.work.sweep;
  double* const change = p.work.spread.data();
  int longest = 0;
  for (const Run& run : w.runs) longest = std::max(longest, p.paths[p.blocks[run.first].path].length);  // prepareSweeps made room for two
  double* const common = p.scratch.data() + longest;
  Visit<InMemory> visit{p, {p.scratch.data(), 0}, settings.relaxation};
  for (int it = 0; it < settings.iterations; it++) {
    visit.worst = 0;
    for (const Run& run : w.runs) {
      const Path& path = p.paths[p.blocks[run.first].path];
      gather(p, path, common);
      for (int i = run.first; i < run.last; i++) {
        const Block& b = p.blocks[i];
        Row* const row = &p.rows[b.row];
        std::copy_n(common, path.length, visit.local.x);
        visit.local.length = path.length;
        for (int k = 0; k < b.size; k++) row[k].before = row[k].lambda;
        visit.block(b, &w.coupling[2 * i], settings.wholeContacts && solvedWhole(b) ? &w.own[6 * i] : nullptr);
        for (int k = 0; k < b.size; k++) {
          const double step = w.weight[i] * (row[k].lambda - row[k].before);
          if (step == 0) continue;
          row[k].lambda = row[k].before + step;
          const double* r = p.numbers.data() + row[k].r;
          for (int e = 0; e < path.pieces; e++) {
            const Piece& piece = p.pieces[path.firstPiece + e];
            for (int c = 0; c < piece.count; c++) change[piece.offset + c] += step * *r++;
          }
        }
      }
    }
    for (const Piece& piece : p.pieces)
      for (int k = piece.offset; k < piece.offset + piece.count; k++) {
        p.x[k] += change[k];
        change[k] = 0;
      }
    report.residual = visit.worst / settings.relaxation;
    report.iterations = it + 1;
    if (it == 0) report.first = report.residual;
    if (report.residual < settings.tolerance) break;
  }
  // Friction may be left beyond a bound that fell to zero with its normal impulse. What the bound takes is taken from x, too.
  for (const Block& b : p.blocks) {
    Row* const row = &p.rows[b.row];
    for (int k = 0; k < b.size; k++) row[k].before = row[k].lambda;
    p.clampBlock(b);
    for (int k = 0; k < b.size; k++)
      if (const double by = row[k].lambda - row[k].before; by != 0) p.apply(b.row + k, b.path, by);
  }
  return report;
}

}  // namespace vertebra::solve
