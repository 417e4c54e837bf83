// See newton.hpp.
#include "engine/solve/newton.hpp"

#include <algorithm>
#include <cmath>

#include "engine/solve/sweep.hpp"

namespace vertebra::solve {
namespace {

// Pieces of a path: two bodies, free or on one joint. Longer paths share joints: H is then dense and saves nothing.
constexpr int kPieces = 2;
constexpr double kSoftest = 1e-4;   // least softness in a step, as a share of 1 / inverse: limits the impulses of infeasible rows
constexpr double kInside = 1e-4;    // share of its bound by which sticking friction stays inside
constexpr double kMostSweeps = 50;  // sweeps that one step may cost

}  // namespace

void NewtonWork::reserve(int rows, int coordinates, int pathNumbers) {
  H.reserve(coordinates);
  nodeAt.reserve(coordinates);
  step.reserve(coordinates);
  pathNodes.reserve(pathNumbers);
  for (auto* list : {&left, &right}) list->reserve(static_cast<std::size_t>(rows) * kPieces * BlockFactor::kMostNumbers);
  for (auto* list : {&slack, &share, &weight}) list->reserve(rows);
  part.reserve(rows);
}

NewtonStep::NewtonStep(RowProblem& p) : p_(p), w_(p.work.newton) {
  for (const Block& b : p.blocks)
    for (int k = b.row; k < b.row + b.size; k++)
      if (p.rows[k].y != p.rows[k].r) return;
  for (const Path& path : p.paths)
    if (path.pieces > kPieces) return;
  for (const Block& b : p.blocks) {
    const Row& row = p.rows[b.row];
    const bool runs = row.inverse > 0 && !(row.sigma > 0) && !(std::isfinite(row.lo) && std::isfinite(row.hi));
    if (runs && row.lambda != 0) return;
  }
  double sweep = 0, step = 0;  // cost in multiplications
  for (const Run& run : p.work.sweep.runs) {
    double rows = 0;
    for (int i = run.first; i < run.last; i++) rows += p.blocks[i].size;
    const double length = p.paths[p.blocks[run.first].path].length;
    sweep += 2 * rows * length;
    step += rows * length * (0.5 * length + 4);
  }
  if (number(kMostSweeps * sweep - step)) cost_ = (step + w_.H.cost()) / sweep;
}

// The pieces of x are the nodes of H, linked by the paths that contain them.
bool NewtonStep::number(double most) {
  int end = 0;
  for (const Piece& piece : p_.pieces) end = std::max(end, piece.offset + piece.count);
  std::vector<int>& at = w_.nodeAt;
  if (static_cast<int>(at.size()) < end) at.resize(end, -1);
  w_.H.clear();
  w_.pathNodes.clear();
  bool whole = true;  // any two pieces are identical or disjoint
  for (const Piece& piece : p_.pieces) {
    const bool known = at[piece.offset] >= 0;
    const int node = known ? at[piece.offset] : w_.H.addNode(piece.count);
    whole &= piece.count <= BlockFactor::kMostNumbers && w_.H.size(node) == piece.count;
    for (int k = piece.offset; k < piece.offset + piece.count; k++) {
      whole &= at[k] == (known ? node : -1);
      at[k] = node;
    }
    w_.pathNodes.push_back(node);
  }
  for (const Piece& piece : p_.pieces) std::fill_n(at.begin() + piece.offset, piece.count, -1);
  if (!whole) return false;
  for (const Path& path : p_.paths) w_.H.link(w_.pathNodes.data() + path.firstPiece, path.pieces);
  return w_.H.order(most);
}

// Which rows take part, and what a slipping contact's friction adds to its normal row.
void NewtonStep::choose(bool slides) {
  w_.part.assign(p_.rows.size(), 0);
  w_.share.resize(p_.rows.size());
  slides_ = false;
  for (const Block& b : p_.blocks) {
    const Row* const row = &p_.rows[b.row];
    if (!(row->inverse > 0) || !(row->lambda > row->lo && row->lambda < row->hi)) continue;
    w_.part[b.row] = NewtonWork::kFree;
    FrictionRows group[3];
    const int groups = frictionRows(b, group);
    const bool bounded = b.law == FrictionLaw::Fixed || b.law == FrictionLaw::Estimated;
    const bool rowByRow = bounded || b.law == FrictionLaw::Pyramid;
    for (int g = 0; g < groups; g++) {
      const int size = rowByRow ? 1 : group[g].rows;
      for (int first = group[g].first; first < group[g].first + group[g].rows; first += size) {
        double length2 = 0;
        for (int k = first; k < first + size; k++) length2 += row[k].lambda * row[k].lambda;
        const double bound = bounded ? std::min(-row[first].lo, row[first].hi) : frictionBound(group[g].coefficient, row->lambda);
        const double inside = (1 - kInside) * bound;
        const bool sticks = length2 < inside * inside;
        if (!sticks && (bounded || !slides || !(bound > 0))) continue;
        for (int k = first; k < first + size; k++) {
          if (!(row[k].inverse > 0)) continue;
          w_.part[b.row + k] = sticks ? NewtonWork::kFree : NewtonWork::kSlides;
          if (!sticks) w_.share[b.row + k] = row[k].lambda / row->lambda;
          if (!sticks && size == 2 && k == first + 1 && w_.part[b.row + first] == NewtonWork::kSlides)
            w_.part[b.row + k] = NewtonWork::kTurns;
          slides_ |= !sticks;
        }
      }
    }
  }
}

// Adds a run's rows to H and to the right side.
void NewtonStep::assemble(const Run& run, const double* x) {
  const Path& path = p_.paths[p_.blocks[run.first].path];
  const int length = path.length;
  w_.left.clear();
  w_.right.clear();
  int count = 0;
  double* const gradient = p_.scratch.data() + length;
  std::fill_n(gradient, length, 0.0);
  auto y = [&](int k) { return p_.numbers.data() + p_.rows[k].y; };
  auto slack = [&](int k) { return dot(y(k), x, length) + p_.rows[k].sigma * p_.rows[k].lambda + p_.rows[k].bias; };
  // The row that reads velocities is the last one of `right`; the result is the response to its impulse, which is the same so far.
  auto enter = [&](int k, double softness, double rowSlack) {
    w_.left.insert(w_.left.end(), w_.right.end() - length, w_.right.end());
    double* const l = w_.left.data() + count++ * length;
    w_.weight[k] = 1 / std::max(softness, kSoftest / p_.rows[k].inverse);
    w_.slack[k] = rowSlack;
    return l;
  };
  auto finish = [&](int k, double* l) {
    for (int e = 0; e < length; e++) l[e] *= w_.weight[k];
    axpy(gradient, -w_.slack[k], l, length);
  };
  for (int i = run.first; i < run.last; i++) {
    const Block& b = p_.blocks[i];
    for (int k = b.row + 1; slides_ && k < b.row + b.size; k++) {  // the direction of sliding friction no longer slides: it sticks
      if (w_.part[k] != NewtonWork::kSlides) continue;
      const int last = k + 1 < b.row + b.size && w_.part[k + 1] == NewtonWork::kTurns ? k + 1 : k;
      double power = 0;
      for (int s = k; s <= last; s++) power += slack(s) * p_.rows[s].lambda;
      if (power > 0)
        for (int s = k; s <= last; s++) w_.part[s] = NewtonWork::kFree;
      k = last;
    }
    for (int k = b.row; k < b.row + b.size; k++) {
      if (w_.part[k] == NewtonWork::kFree) {
        w_.right.insert(w_.right.end(), y(k), y(k) + length);
        double* const l = enter(k, p_.rows[k].sigma, slack(k));
        if (slides_ && k == b.row)
          for (int s = k + 1; s < k + b.size; s++)
            if (w_.part[s] == NewtonWork::kSlides || w_.part[s] == NewtonWork::kTurns) axpy(l, w_.share[s], y(s), length);
        finish(k, l);
      } else if (w_.part[k] == NewtonWork::kTurns) {  // the second of a pair: across the slip, friction changes direction
        const double us = slack(k - 1), ut = slack(k), mu = std::sqrt(w_.share[k - 1] * w_.share[k - 1] + w_.share[k] * w_.share[k]);
        const double cs = -w_.share[k] / mu, ct = w_.share[k - 1] / mu;
        w_.right.resize(w_.right.size() + length, 0.0);
        double* const r = w_.right.data() + w_.right.size() - length;
        axpy(r, cs, y(k - 1), length);
        axpy(r, ct, y(k), length);
        finish(k, enter(k, std::sqrt(us * us + ut * ut) / (mu * p_.rows[b.row].lambda), cs * us + ct * ut));
      }
    }
  }
  BlockFactor& H = w_.H;
  const int* const node = w_.pathNodes.data() + path.firstPiece;
  int rowA = 0;
  for (int a = 0; a < path.pieces; a++) {
    const int rows = H.size(node[a]);
    for (int k = 0; k < rows; k++) w_.step[H.first(node[a]) + k] += gradient[rowA + k];
    int rowB = 0;
    for (int c = 0; c < path.pieces; c++) {
      const int columns = H.size(node[c]);
      if (count > 0 && H.isLower(node[a], node[c])) {
        double* const low = H.lower(node[a], node[c]);
        for (int j = 0; j < columns; j++)
          addProducts(low + j * rows, 1, w_.left.data() + rowA, length, w_.right.data() + rowB + j, length, count, rows);
        double* const up = slides_ && a != c ? H.upper(node[a], node[c]) : nullptr;
        for (int j = 0; up && j < columns; j++)
          addProducts(up + j * rows, 1, w_.right.data() + rowA, length, w_.left.data() + rowB + j, length, count, rows);
      }
      rowB += columns;
    }
    rowA += rows;
  }
}

// The impulses of a run's rows from the step of x.
void NewtonStep::advance(const Run& run) {
  const Path& path = p_.paths[p_.blocks[run.first].path];
  const int length = path.length;
  double *const x = p_.scratch.data(), *const step = x + length;
  gather(p_, path, x);
  int o = 0;
  for (int i = 0; i < path.pieces; i++) {
    const int node = w_.pathNodes[path.firstPiece + i];
    for (int k = 0; k < w_.H.size(node); k++) step[o++] = w_.step[w_.H.first(node) + k];
  }
  if (o & 1) step[o] = 0;
  for (int i = run.first; i < run.last; i++) {
    const Block& b = p_.blocks[i];
    Row* const row = &p_.rows[b.row];
    const unsigned char* const part = &w_.part[b.row];
    if (part[0] != NewtonWork::kFree) continue;
    double before[6], first = 0;
    for (int k = 0; k < b.size; k++) {
      before[k] = row[k].lambda;
      const double* const share = &w_.share[b.row + k];
      auto reads = [&](int i) { return dot(p_.numbers.data() + row[i].y, step, length); };
      if (part[k] == NewtonWork::kSlides || part[k] == NewtonWork::kTurns) row[k].lambda += share[0] * first;
      if (part[k] == NewtonWork::kTurns) {
        const double mu = std::sqrt(share[-1] * share[-1] + share[0] * share[0]), cs = -share[0] / mu, ct = share[-1] / mu;
        const double by = -w_.weight[b.row + k] * (w_.slack[b.row + k] + cs * reads(k - 1) + ct * reads(k));
        row[k - 1].lambda += cs * by;
        row[k].lambda += ct * by;
      } else if (part[k] == NewtonWork::kFree) {
        const double by = -w_.weight[b.row + k] * (w_.slack[b.row + k] + reads(k));
        row[k].lambda += by;
        if (k == 0) first = by;
      }
    }
    double wanted[6];
    for (int k = 0; k < b.size; k++) wanted[k] = row[k].lambda;
    p_.clampBlock(b);
    for (int k = 0; k < b.size; k++) bent_ |= part[k] == NewtonWork::kFree && row[k].lambda != wanted[k];
    for (int k = 0; k < b.size; k++)
      if (const double by = row[k].lambda - before[k]; by != 0) axpy(x, by, p_.numbers.data() + row[k].y, length);
  }
  scatter(p_, path, x);
}

bool NewtonStep::take() {
  if (!once(true) && !once(false)) return false;
  // Rows that left their bounds now rest on them, which changes the load of the others.
  if (bent_) once(true);
  return true;
}

bool NewtonStep::once(bool slides) {
  bent_ = false;
  choose(slides);
  w_.H.setIdentity(!slides_);
  w_.step.assign(w_.H.numbers(), 0.0);
  w_.slack.resize(p_.rows.size());
  w_.weight.resize(p_.rows.size());
  double* const x = p_.scratch.data();
  for (const Run& run : p_.work.sweep.runs) {
    gather(p_, p_.paths[p_.blocks[run.first].path], x);
    assemble(run, x);
  }
  if (!w_.H.factor()) return false;
  w_.H.solve(w_.step.data());
  for (const Run& run : p_.work.sweep.runs) advance(run);
  return true;
}

}  // namespace vertebra::solve
