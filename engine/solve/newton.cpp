// See newton.hpp.
#include "engine/solve/newton.hpp"

#include <algorithm>
#include <cmath>

#include "engine/solve/sweep.hpp"

namespace vertebra {
namespace {

constexpr int kPieces = 2;         // of a path: two bodies, free or on one joint. Longer ones share joints: H is dense, nothing is gained
constexpr double kSoftest = 1e-4;  // least softness in a step, as a share of 1 / inverse: rows that contradict each other stay tame
constexpr double kInside = 1e-4;   // of its bound, by which friction that sticks stays below
constexpr double kPivot = 0.1;     // least, of H, whose diagonal begins at 1

// a += t b
void add(double* a, double t, const double* b, int n) {
  int k = 0;
  for (; k + 1 < n; k += 2) addPair(a + k, t * pairAt(b + k));
  if (k < n) a[k] += t * b[k];
}

// out += sum over the rows r of left[r] right[r][0]: of a piece of `size` numbers those that begin at `from`.
void addProducts(double* out, const double* left, int stride, const double* right, int rightStride, int count, int from, int size) {
  if (size == 6) {
    Pair sum[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int r = 0; r < count; r++, left += stride, right += rightStride)
      for (int k = 0; k < 3; k++) sum[k] += *right * pairAt(left + 2 * k);
    for (int k = from; k < 6; k++) out[k] += sum[k / 2][k % 2];
    return;
  }
  for (int r = 0; r < count; r++, left += stride, right += rightStride)
    for (int k = from; k < size; k++) out[k] += left[k] * *right;
}

}  // namespace

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
  if (!number()) return;
  double sweep = 0, step = 0;  // multiplications
  for (const Run& run : p.work.sweep.runs) {
    double rows = 0;
    for (int i = run.first; i < run.last; i++) rows += p.blocks[i].size;
    const double length = p.paths[p.blocks[run.first].path].length;
    sweep += 2 * rows * length;
    step += rows * length * (0.5 * length + 4);
  }
  for (std::size_t i = 0; i < w_.nodes.size(); i++) {
    const NewtonNode& node = w_.nodes[i];
    const double reach = node.end - node.first;
    step += node.count * (0.5 * reach * reach + 2 * reach);
  }
  cost_ = step / sweep;
}

// Numbers the pieces of x as nodes of a graph whose edges are the paths, nearest first from one with few neighbours (Cuthill, McKee), and
// finds how far down each column of H's factor reaches.
bool NewtonStep::number() {
  int end = 0;
  for (const Piece& piece : p_.pieces) end = std::max(end, piece.offset + piece.count);
  std::vector<int>& at = w_.nodeAt;
  if (static_cast<int>(at.size()) < end) at.resize(end, -1);
  w_.nodes.clear();
  w_.pathNodes.clear();
  for (const Piece& piece : p_.pieces) {
    int& node = at[piece.offset];
    if (node < 0) {
      node = static_cast<int>(w_.nodes.size());
      w_.nodes.push_back({piece.count, 0, 0, 0, 0});
    }
    w_.nodes[node].paths++;
    w_.pathNodes.push_back(node);
  }
  for (const Piece& piece : p_.pieces) at[piece.offset] = -1;
  // Paths of each node, one after the other.
  int total = 0;
  for (NewtonNode& n : w_.nodes) {
    n.firstPath = total;
    total += n.paths;
    n.paths = 0;
  }
  w_.nodePaths.resize(total);
  for (std::size_t path = 0; path < p_.paths.size(); path++)
    for (int i = 0; i < p_.paths[path].pieces; i++) {
      NewtonNode& n = w_.nodes[w_.pathNodes[p_.paths[path].firstPiece + i]];
      w_.nodePaths[n.firstPath + n.paths++] = static_cast<int>(path);
    }
  w_.order.clear();
  for (NewtonNode& n : w_.nodes) n.first = -1;
  int columns = 0;
  auto take = [&](int node) {
    NewtonNode& n = w_.nodes[node];
    if (n.first >= 0) return;
    n.first = columns;
    columns += n.count;
    w_.order.push_back(node);
  };
  std::size_t done = 0;
  while (w_.order.size() < w_.nodes.size()) {
    int least = -1;
    for (std::size_t i = 0; i < w_.nodes.size(); i++)
      if (w_.nodes[i].first < 0 && (least < 0 || w_.nodes[i].paths < w_.nodes[least].paths)) least = static_cast<int>(i);
    take(least);
    for (; done < w_.order.size(); done++) {
      const NewtonNode n = w_.nodes[w_.order[done]];
      for (int k = n.firstPath; k < n.firstPath + n.paths; k++) {
        const Path& path = p_.paths[w_.nodePaths[k]];
        for (int i = 0; i < path.pieces; i++) take(w_.pathNodes[path.firstPiece + i]);
      }
    }
  }
  for (NewtonNode& n : w_.nodes) n.end = n.first + n.count;
  for (const Path& path : p_.paths) {
    int last = 0;
    for (int i = 0; i < path.pieces; i++) {
      const NewtonNode& n = w_.nodes[w_.pathNodes[path.firstPiece + i]];
      last = std::max(last, n.first + n.count);
    }
    for (int i = 0; i < path.pieces; i++) {
      NewtonNode& n = w_.nodes[w_.pathNodes[path.firstPiece + i]];
      n.end = std::max(n.end, last);
    }
  }
  int reach = 0;
  for (int node : w_.order) {
    NewtonNode& n = w_.nodes[node];
    reach = n.end = std::max(reach, n.end);
  }
  w_.size = columns;
  return columns > 0;
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
    FrictionGroup group[3];
    const int groups = frictionGroups(b, group);
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
  // The row as velocities read it is the last one of `right`; returned: what its impulse moves, as yet the same.
  auto enter = [&](int k, double softness, double rowSlack) {
    w_.left.insert(w_.left.end(), w_.right.end() - length, w_.right.end());
    double* const l = w_.left.data() + count++ * length;
    w_.weight[k] = 1 / std::max(softness, kSoftest / p_.rows[k].inverse);
    w_.slack[k] = rowSlack;
    return l;
  };
  auto finish = [&](int k, double* l) {
    for (int e = 0; e < length; e++) l[e] *= w_.weight[k];
    add(gradient, -w_.slack[k], l, length);
  };
  for (int i = run.first; i < run.last; i++) {
    const Block& b = p_.blocks[i];
    for (int k = b.row + 1; slides_ && k < b.row + b.size; k++) {  // what friction moves along has come to stick
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
            if (w_.part[s] == NewtonWork::kSlides || w_.part[s] == NewtonWork::kTurns) add(l, w_.share[s], y(s), length);
        finish(k, l);
      } else if (w_.part[k] == NewtonWork::kTurns) {  // the second of a pair: across the slip, friction turns
        const double us = slack(k - 1), ut = slack(k), mu = std::sqrt(w_.share[k - 1] * w_.share[k - 1] + w_.share[k] * w_.share[k]);
        const double cs = -w_.share[k] / mu, ct = w_.share[k - 1] / mu;
        w_.right.resize(w_.right.size() + length, 0.0);
        double* const r = w_.right.data() + w_.right.size() - length;
        add(r, cs, y(k - 1), length);
        add(r, ct, y(k), length);
        finish(k, enter(k, std::sqrt(us * us + ut * ut) / (mu * p_.rows[b.row].lambda), cs * us + ct * ut));
      }
    }
  }
  int rowA = 0;
  for (int a = 0; a < path.pieces; a++) {
    const NewtonNode& A = w_.nodes[w_.pathNodes[path.firstPiece + a]];
    for (int k = 0; k < A.count; k++) w_.step[A.first + k] += gradient[rowA + k];
    int rowB = 0;
    for (int c = 0; c < path.pieces; c++) {
      const NewtonNode& B = w_.nodes[w_.pathNodes[path.firstPiece + c]];
      if (B.first <= A.first)
        for (int j = 0; j < B.count; j++) {
          const int below = A.first - B.first - j, from = a == c ? j : 0;
          double* const low = w_.lower.data() + w_.column[B.first + j] + below;
          addProducts(low, w_.left.data() + rowA, length, w_.right.data() + rowB + j, length, count, from, A.count);
          if (!slides_) continue;
          double* const up = w_.upper.data() + w_.column[B.first + j] + below;
          addProducts(up, w_.right.data() + rowA, length, w_.left.data() + rowB + j, length, count, from, A.count);
        }
      rowB += B.count;
    }
    rowA += A.count;
  }
}

// H = L D U in place, column by column; each column is contiguous, its part of U likewise. No pivoting: without slip H is positive.
bool NewtonStep::factor() {
  for (int node : w_.order) {
    const NewtonNode& n = w_.nodes[node];
    for (int k = n.first; k < n.first + n.count; k++) {
      const int size = n.end - k;
      double* const l = w_.lower.data() + w_.column[k];
      if (!(l[0] > kPivot)) return false;
      const double inverse = w_.inverse[k] = 1 / l[0];
      const double* const u = slides_ ? w_.upper.data() + w_.column[k] : l;
      for (int j = 1; j < size; j++) {
        if (u[j] != 0) add(w_.lower.data() + w_.column[k + j], -u[j] * inverse, l + j, size - j);
        if (slides_ && l[j] != 0) add(w_.upper.data() + w_.column[k + j], -l[j] * inverse, u + j, size - j);
      }
    }
  }
  return true;
}

void NewtonStep::solve() {
  double* const x = w_.step.data();
  const std::vector<double>& up = slides_ ? w_.upper : w_.lower;
  auto columns = [&](int k) { return w_.column[k + 1] - w_.column[k]; };
  for (int k = 0; k < w_.size; k++) add(x + k + 1, -x[k] * w_.inverse[k], w_.lower.data() + w_.column[k] + 1, columns(k) - 1);
  for (int k = w_.size - 1; k >= 0; k--) {
    const double* const u = up.data() + w_.column[k];
    double sum = x[k];
    for (int j = 1; j < columns(k); j++) sum -= u[j] * x[k + j];
    x[k] = sum * w_.inverse[k];
  }
}

// The impulses of a run's rows, from the step of x.
void NewtonStep::advance(const Run& run) {
  const Path& path = p_.paths[p_.blocks[run.first].path];
  const int length = path.length;
  double *const x = p_.scratch.data(), *const step = x + length;
  gather(p_, path, x);
  int o = 0;
  for (int i = 0; i < path.pieces; i++) {
    const NewtonNode& n = w_.nodes[w_.pathNodes[path.firstPiece + i]];
    for (int k = 0; k < n.count; k++) step[o++] = w_.step[n.first + k];
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
  // What left its bounds rests on them now, which changes what the others have to bear.
  if (bent_) once(true);
  return true;
}

bool NewtonStep::once(bool slides) {
  bent_ = false;
  choose(slides);
  w_.column.resize(w_.size + 1);
  int total = 0;
  for (int node : w_.order) {
    const NewtonNode& n = w_.nodes[node];
    for (int k = n.first; k < n.first + n.count; k++) {
      w_.column[k] = total;
      total += n.end - k;
    }
  }
  w_.column[w_.size] = total;
  w_.lower.assign(total, 0.0);
  if (slides_) w_.upper.assign(total, 0.0);
  w_.inverse.resize(w_.size);
  w_.step.assign(w_.size, 0.0);
  w_.slack.resize(p_.rows.size());
  w_.weight.resize(p_.rows.size());
  for (int k = 0; k < w_.size; k++) {
    w_.lower[w_.column[k]] = 1;
    if (slides_) w_.upper[w_.column[k]] = 1;
  }
  double* const x = p_.scratch.data();
  for (const Run& run : p_.work.sweep.runs) {
    gather(p_, p_.paths[p_.blocks[run.first].path], x);
    assemble(run, x);
  }
  if (!factor()) return false;
  solve();
  for (const Run& run : p_.work.sweep.runs) advance(run);
  return true;
}

}  // namespace vertebra
