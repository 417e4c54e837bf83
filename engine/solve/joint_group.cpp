// See joint_group.hpp.
#include "engine/solve/joint_group.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::solve {
namespace {

constexpr int kMost = JointGroup::kMost;
constexpr int kRounds = 20, kPivotsOn = 3;  // of pivots; without gain before single ones follow
constexpr double kDependent = 1e-9;         // of the diagonal: a smaller pivot is one of a row that others imply
constexpr double kGroupRoundOff = 1e-13;
constexpr int kSweeps = 10;  // of rows one by one, where pivots do not settle

// y of one row times r of another. Both lead from a joint to the root: they share the last pieces.
double product(const RowProblem& p, int yRow, const Path& yPath, int rRow, const Path& rPath) {
  int shared = 0;
  for (int i = 1; i <= std::min(yPath.pieces, rPath.pieces); i++) {
    const Piece& piece = p.pieces[yPath.firstPiece + yPath.pieces - i];
    if (piece.offset != p.pieces[rPath.firstPiece + rPath.pieces - i].offset) break;
    shared += piece.count;
  }
  const double* const y = p.numbers.data() + p.rows[yRow].y + yPath.length - yPath.padding - shared;
  const double* const r = p.numbers.data() + p.rows[rRow].r + rPath.length - rPath.padding - shared;
  double sum = 0;
  for (int k = 0; k < shared; k++) sum += y[k] * r[k];
  return sum;
}

// The bounded problem of one group.
class GroupProblem {
 public:
  GroupProblem(RowProblem& p, JointGroup& g)
      : p_(p),
        g_(g),
        n_(g.last - g.first),
        A_(p.work.sweep.groupNumbers.data() + g.matrix),
        L_(p.work.sweep.groupNumbers.data() + g.matrix + n_ * n_) {
    for (int i = 0; i < n_; i++) row_[i] = &p.rows[p.blocks[g.first + i].row];
  }

  // u: present velocities, biases included. `change`: of the impulses, on return.
  void solve(const double* u, double* change) {
    if (pivot(u, change)) return;
    for (int i = 0; i < n_; i++) {
      change[i] = 0;
      need(i);
    }
    for (int sweep = 0; sweep < kSweeps; sweep++)
      for (int i = 0; i < n_; i++) {
        const double now = row_[i]->lambda + change[i];
        change[i] += bounded(i, now - velocity(i, u, change) * row_[i]->inverse) - now;
      }
  }

 private:
  enum State : unsigned char { Low, High, Free, Held };  // Held: implied by free rows

  double velocity(int i, const double* u, const double* change) const {
    double sum = u[i];
    for (int j = 0; j < n_; j++)
      if (change[j] != 0) sum += A_[j * n_ + i] * change[j];
    return sum;
  }
  // Of all rows, by columns: few impulses change.
  void velocities(const double* u, const double* change, double* now) const {
    std::copy_n(u, n_, now);
    for (int j = 0; j < n_; j++) {
      const double by = change[j], *const column = A_ + j * n_;
      if (by == 0) continue;
      for (int i = 0; i < n_; i++) now[i] += column[i] * by;
    }
  }
  // What an impulse of row j does to all rows; most rows of a group rest on a bound, and their columns are never asked for.
  void need(int j) {
    if (g_.columns >> j & 1) return;
    g_.columns |= 1u << j;
    const Block& b = p_.blocks[g_.first + j];
    for (int i = 0; i < n_; i++) {
      const Block& a = p_.blocks[g_.first + i];
      A_[j * n_ + i] = product(p_, a.row, p_.paths[a.path], b.row, p_.paths[b.path]);
    }
    A_[j * n_ + j] += row_[j]->sigma;
  }
  double bounded(int i, double lambda) const { return std::min(row_[i]->hi, std::max(row_[i]->lo, lambda)); }

  // Index sets from a step of each row alone, corrected by block pivots; after some rounds without gain only the last row that is wrong
  // changes (Murty's rule). False: they do not settle.
  bool pivot(const double* u, double* change) {
    double scale = 0;
    for (int i = 0; i < n_; i++) {
      const double next = bounded(i, row_[i]->lambda - u[i] * row_[i]->inverse);
      state_[i] = !(row_[i]->inverse > 0) ? Held : next <= row_[i]->lo ? Low : next >= row_[i]->hi ? High : Free;
      scale = std::max({scale, std::fabs(u[i]), std::fabs(row_[i]->bias)});
    }
    const double rest = kGroupRoundOff * scale;
    int least = n_ + 1, waited = 0;
    for (int round = 0; round < kRounds; round++) {
      settleFree(u, change);
      double now[kMost];
      velocities(u, change, now);
      int wrong[kMost], count = 0;
      for (int i = 0; i < n_; i++) {
        if (state_[i] == Free) {
          const double give = rest * row_[i]->inverse, next = row_[i]->lambda + change[i];
          if (next < row_[i]->lo - give || next > row_[i]->hi + give) wrong[count++] = i;
        } else if (row_[i]->inverse > 0) {
          if (state_[i] == Held ? std::fabs(now[i]) > 1e3 * rest : state_[i] == Low ? now[i] < -rest : now[i] > rest) wrong[count++] = i;
        }
      }
      if (count == 0) return true;
      waited = count < least ? 0 : waited + 1;
      least = std::min(least, count);
      for (int k = waited > kPivotsOn ? count - 1 : 0; k < count; k++) {
        const int i = wrong[k];
        if (state_[i] != Free)
          state_[i] = Free;
        else
          state_[i] = row_[i]->lambda + change[i] < row_[i]->lo ? Low : High;
      }
    }
    return false;
  }

  // The impulses of the free rows, the others on their bounds; those that others imply keep theirs.
  void settleFree(const double* u, double* change) {
    int count = 0;
    bool same = true;
    for (int i = 0; i < n_; i++) {
      if (state_[i] != Free) continue;
      need(i);
      same &= count < g_.free && g_.freeRow[count] == i;
      free_[count++] = i;
    }
    if (!same || count != g_.free) count = factor(count);
    for (int i = 0; i < n_; i++) {
      change[i] = state_[i] == Low ? row_[i]->lo - row_[i]->lambda : state_[i] == High ? row_[i]->hi - row_[i]->lambda : 0;
      if (change[i] != 0) need(i);
    }
    double b[kMost], now[kMost];
    velocities(u, change, now);
    for (int k = 0; k < count; k++) {
      b[k] = -now[free_[k]];
      for (int j = 0; j < k; j++) b[k] -= L_[k * n_ + j] * b[j];
    }
    for (int k = count - 1; k >= 0; k--) {
      b[k] *= L_[k * n_ + k];
      for (int j = k + 1; j < count; j++) b[k] -= L_[j * n_ + k] * b[j];
      change[free_[k]] = b[k];
    }
  }

  // L D L^T of the part of the free rows, the reciprocals of D on its diagonal, kept with the group: from sweep to sweep they are mostly
  // the same. Rows that others imply are left out. Returns how many are in it.
  int factor(int count) {
    int kept = 0;
    for (int k = 0; k < count; k++) {
      const int i = free_[k];
      double* const l = L_ + kept * n_;
      double w[kMost], left = A_[i * n_ + i];
      for (int j = 0; j < kept; j++) {
        w[j] = 0.5 * (A_[i * n_ + free_[j]] + A_[free_[j] * n_ + i]);
        for (int e = 0; e < j; e++) w[j] -= L_[j * n_ + e] * w[e];
      }
      for (int j = 0; j < kept; j++) {
        l[j] = w[j] * L_[j * n_ + j];
        left -= l[j] * w[j];
      }
      if (!(left > kDependent * A_[i * n_ + i])) {
        state_[i] = Held;
        continue;
      }
      l[kept] = 1 / left;
      g_.freeRow[kept] = static_cast<unsigned char>(i);
      free_[kept++] = i;
    }
    return g_.free = kept;
  }

  const RowProblem& p_;
  JointGroup& g_;
  int n_;
  double* A_;  // by columns
  double* L_;
  const Row* row_[kMost];
  State state_[kMost];
  int free_[kMost];
};

}  // namespace

void SolveWork::reserveGroups(std::size_t jointRows) {
  sweep.groups.reserve(jointRows / 2);
  sweep.groupNumbers.reserve(2 * kMost * jointRows);
}

void findJointGroups(RowProblem& p) {
  SweepWork& w = p.work.sweep;
  w.groups.clear();
  int numbers = 0;
  const int blocks = static_cast<int>(p.blocks.size());
  for (int i = 0; i < blocks;) {
    const int first = i, tree = p.blocks[i].tree;
    while (i < blocks && p.blocks[i].tree == tree && (tree < 0 || i - first < kMost)) i++;
    if (tree < 0 || i - first < 2) continue;
    w.groups.push_back({first, i, numbers});
    numbers += 2 * (i - first) * (i - first);
  }
  if (static_cast<int>(w.groupNumbers.size()) < numbers) w.groupNumbers.resize(numbers);
}

double visitJointGroup(RowProblem& p, JointGroup& group, double relaxation) {
  const int n = group.last - group.first;
  double u[kMost], worst = 0;
  bool any = false;
  for (int i = 0; i < n; i++) {
    const Block& b = p.blocks[group.first + i];
    const Row& row = p.rows[b.row];
    u[i] = p.velocity(b.row, b.path) + row.sigma * row.lambda + row.bias;
    const double d = std::fabs(std::min(row.hi, std::max(row.lo, row.lambda - u[i] * row.inverse)) - row.lambda);
    any |= d > 0;
    if (d > worst * row.inverse && row.inverse > 0) worst = d / row.inverse;
  }
  if (!any) return 0;
  double change[kMost];
  GroupProblem(p, group).solve(u, change);
  for (int i = 0; i < n; i++) {
    const Block& b = p.blocks[group.first + i];
    Row& row = p.rows[b.row];
    const double next = std::min(row.hi, std::max(row.lo, row.lambda + relaxation * change[i]));
    if (next == row.lambda) continue;
    p.apply(b.row, b.path, next - row.lambda);
    row.lambda = next;
  }
  return worst;
}

}  // namespace vertebra::solve
