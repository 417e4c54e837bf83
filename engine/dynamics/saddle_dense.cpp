// The tree solver `dense`: A = J M^-1 J^T + C over all rows of all joints, symmetric positive definite, factored by Cholesky (Vondrak 2006
// ch. 6). A reference for the other tree solvers: it uses nothing of the tree but which joints share a body. The factor is written here, in
// tiles of 4 x 4, because the blocking of a library, and with it the rounding, depends on the size of the processor's caches.
//
// Twists u of parts that lack inertia, or have some added (L), are not eliminated and stay unknowns beside the rows; the system is then
// indefinite and is solved by LU with row exchanges (M_L with the added inertia):
//   [ M_L  -J_L^T                  ] [ u ]   [ b_L              ]
//   [ J_L  J_R M_R^-1 J_R^T + C    ] [ l ] = [ c - J_R M_R^-1 b ]    R: all other parts
// divided by the tree's least mass, so that l has the size of a velocity; a row that is mostly compliance is divided by that, too. Twists
// are eliminated first, leaves before roots: the first one without a pivot is the motion that articulated elimination would refuse.
#include <algorithm>
#include <cmath>

#include "engine/dynamics/saddle.hpp"

namespace vertebra::dynamics {
namespace {

using Tile = Eigen::Map<Eigen::Matrix<double, 4, 4>>;
using ConstTile = Eigen::Map<const Eigen::Matrix<double, 4, 4>>;
using Four = Eigen::Map<Eigen::Matrix<double, 4, 1>>;
using ConstFour = Eigen::Map<const Eigen::Matrix<double, 4, 1>>;

// Lower triangle in panels of four rows; a panel holds its columns one after another. Rows beyond the last are those of the identity.
class PanelMatrix {
 public:
  void reserve(std::size_t rows) {
    const std::size_t panels = (rows + 3) / 4;
    values_.resize(8 * panels * (panels + 1));
  }
  void setZero(int rows) {
    panels_ = (static_cast<std::size_t>(rows) + 3) / 4;
    std::fill(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(8 * panels_ * (panels_ + 1)), 0.0);
    for (std::size_t r = static_cast<std::size_t>(rows); r < 4 * panels_; r++) at(r, r) = 1;
  }
  double& at(std::size_t row, std::size_t column) { return panel(row / 4)[4 * column + row % 4]; }

  int factor() {  // diagonal becomes reciprocals; -1 or the first row without a positive pivot
    for (std::size_t p = 0; p < panels_; p++) {
      double* const own = panel(p);
      for (std::size_t q = 0; q <= p; q++) {
        const double* const other = panel(q);
        Eigen::Matrix<double, 4, 4> x = Tile(own + 16 * q);
        for (std::size_t k = 0; k < 16 * q; k += 4) x.noalias() -= ConstFour(own + k) * ConstFour(other + k).transpose();
        if (q < p) {
          const ConstTile L(other + 16 * q);
          for (int c = 0; c < 4; c++) {
            for (int e = 0; e < c; e++) x.col(c) -= L(c, e) * x.col(e);
            x.col(c) *= L(c, c);
          }
        } else {
          for (int c = 0; c < 4; c++) {
            for (int e = 0; e < c; e++) x.col(c) -= x(c, e) * x.col(e);
            if (!(x(c, c) > 0)) return static_cast<int>(4 * p) + c;
            const double reciprocal = 1 / std::sqrt(x(c, c));
            x.col(c) *= reciprocal;
            x(c, c) = reciprocal;
          }
        }
        Tile(own + 16 * q) = x;
      }
    }
    return -1;
  }
  void solve(double* x) const {  // x has room for whole panels, zero beyond the rows
    for (std::size_t p = 0; p < panels_; p++) {
      const double* const own = panel(p);
      Eigen::Matrix<double, 4, 1> y = Four(x + 4 * p);
      for (std::size_t k = 0; k < 4 * p; k++) y -= x[k] * ConstFour(own + 4 * k);
      const ConstTile L(own + 16 * p);
      for (int c = 0; c < 4; c++) {
        for (int e = 0; e < c; e++) y[c] -= L(c, e) * y[e];
        y[c] *= L(c, c);
      }
      Four(x + 4 * p) = y;
    }
    for (std::size_t p = panels_; p-- > 0;) {
      const double* const own = panel(p);
      const ConstTile L(own + 16 * p);
      Eigen::Matrix<double, 4, 1> y = Four(x + 4 * p);
      for (int c = 3; c >= 0; c--) {
        for (int e = c + 1; e < 4; e++) y[c] -= L(e, c) * y[e];
        y[c] *= L(c, c);
      }
      Four(x + 4 * p) = y;
      for (std::size_t k = 0; k < 4 * p; k++) x[k] -= ConstFour(own + 4 * k).dot(y);
    }
  }

 private:
  double* panel(std::size_t p) { return values_.data() + 8 * p * (p + 1); }
  const double* panel(std::size_t p) const { return values_.data() + 8 * p * (p + 1); }

  std::vector<double> values_;
  std::size_t panels_ = 0;
};

// LU with partial pivoting, P A = L U, row by row; L has a unit diagonal.
class PivotedMatrix {
 public:
  void reserve(std::size_t size) {
    if (values_.size() < size * size) values_.resize(size * size);
    if (largest_.size() < size) largest_.resize(size);
    if (exchange_.size() < size) exchange_.resize(size);
  }
  void setZero(int size) {
    size_ = size;
    reserve(static_cast<std::size_t>(size));
    std::fill_n(values_.begin(), static_cast<std::ptrdiff_t>(size) * size, 0.0);
  }
  double& at(int row, int column) {
    return values_[static_cast<std::size_t>(row) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(column)];
  }

  int factor() {  // -1 or the first column that depends on those before it, to within round-off
    for (int k = 0; k < size_; k++) {
      largest_[k] = 0;
      for (int r = 0; r < size_; r++) largest_[k] = std::max(largest_[k], std::fabs(at(r, k)));
    }
    for (int k = 0; k < size_; k++) {
      int best = k;
      for (int r = k + 1; r < size_; r++)
        if (std::fabs(at(r, k)) > std::fabs(at(best, k))) best = r;
      if (!(std::fabs(at(best, k)) > 1e-14 * largest_[k])) return k;
      exchange_[k] = best;
      if (best != k) std::swap_ranges(&at(k, 0), &at(k, 0) + size_, &at(best, 0));
      const Row pivot(&at(k, 0) + k + 1, size_ - k - 1);
      for (int r = k + 1; r < size_; r++) {
        if (at(r, k) == 0) continue;
        at(r, k) /= at(k, k);
        Row(&at(r, 0) + k + 1, size_ - k - 1) -= at(r, k) * pivot;
      }
    }
    return -1;
  }
  void solve(double* x) {
    for (int k = 0; k < size_; k++) std::swap(x[k], x[exchange_[k]]);
    for (int r = 1; r < size_; r++) x[r] -= Row(&at(r, 0), r).dot(Row(x, r));
    for (int r = size_ - 1; r >= 0; r--) {
      const int behind = size_ - r - 1;
      x[r] = (x[r] - Row(&at(r, 0) + r + 1, behind).dot(Row(x + r + 1, behind))) / at(r, r);
    }
  }

 private:
  using Row = Eigen::Map<Eigen::VectorXd>;
  std::vector<double> values_, largest_;
  std::vector<int> exchange_;
  int size_ = 0;
};

class DenseOperator final : public SaddleOperator {
  PanelMatrix A_;
  PivotedMatrix K_;  // [ u; l ], where parts lack inertia
  std::vector<double> x_;
  std::vector<int> index_;  // of each part's six columns among the rows, or -1
  std::vector<int> partOfRow_;
  std::vector<int> lacking_;    // parts without inertia, leaves first
  std::vector<double> weight_;  // of each row in K
  double mass_ = 1;             // K is divided by it

  void reserveFactor(int parts, int lacking) override {
    const std::size_t rows = 6 * static_cast<std::size_t>(parts);
    A_.reserve(rows);
    x_.resize(rows + 6 * static_cast<std::size_t>(parts) + 3);
    index_.resize(rows);
    partOfRow_.resize(rows + 3);
    weight_.resize(rows);
    lacking_.reserve(static_cast<std::size_t>(parts));
    if (lacking > 0) K_.reserve(rows + 6 * static_cast<std::size_t>(lacking));
  }

  // Adds the effect of a force by row k of joint j on row k' of joint i, where both act on one body.
  void addBlock(int i, const Mat6& onI, int j, const Mat6& onJ, const Vec6& mass) {
    const Mat6 block = onI.transpose() * mass.cwiseInverse().asDiagonal() * onJ;
    for (int r = 0; r < 6; r++)
      for (int c = 0; c < 6; c++) {
        const int row = index_[6 * i + r], column = index_[6 * j + c];
        if (row >= column && column >= 0) A_.at(static_cast<std::size_t>(row), static_cast<std::size_t>(column)) += block(r, c);
      }
  }

  int factorRows() override {
    const int n = static_cast<int>(joints_.size());
    int rows = 0;
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 6; k++) {
        index_[6 * i + k] = joints_[i].row[k] ? rows : -1;
        if (joints_[i].row[k]) partOfRow_[rows++] = i;
      }
    lacking_.clear();
    for (int i = n - 1; i >= 0; i--)
      if (joints_[i].lacksInertia) lacking_.push_back(i);
    A_.setZero(rows);
    for (int i = 0; i < n; i++) {
      const Joint& own = joints_[i];
      if (!own.lacksInertia) addBlock(i, own.onChild, i, own.onChild, own.mass);
      for (int k = 0; k < 6; k++)
        if (own.row[k]) A_.at(index_[6 * i + k], index_[6 * i + k]) += own.compliance[k];
      if (own.parent < 0 || joints_[own.parent].lacksInertia) continue;
      const Vec6& mass = joints_[own.parent].mass;
      addBlock(i, own.onParent, own.parent, joints_[own.parent].onChild, mass);
      for (int j = own.parent + 1; j <= i; j++)
        if (joints_[j].parent == own.parent) addBlock(i, own.onParent, j, joints_[j].onParent, mass);
    }
    if (!lacking_.empty()) return factorWithTwists(rows);
    const int failed = A_.factor();
    return failed < 0 ? -1 : partOfRow_[failed];
  }

  int factorWithTwists(int rows) {
    const int twists = 6 * static_cast<int>(lacking_.size());
    mass_ = kInf;
    for (const Joint& j : joints_)
      if (j.mass[5] > 0) mass_ = std::min(mass_, j.mass[5]);
    if (mass_ == kInf) mass_ = 1;
    K_.setZero(twists + rows);
    for (int r = 0; r < rows; r++) {
      const Joint& j = joints_[partOfRow_[r]];
      for (int k = 0; k < 6; k++)
        if (index_[6 * partOfRow_[r] + k] == r) weight_[r] = 1 / std::max(1.0, mass_ * j.compliance[k]);
      for (int c = 0; c < rows; c++) K_.at(twists + r, twists + c) = weight_[r] * mass_ * A_.at(std::max(r, c), std::min(r, c));
    }
    for (int t = 0; t < twists; t += 6) {
      const int part = lacking_[t / 6];
      for (int k = 0; k < 6; k++) K_.at(t + k, t + k) = joints_[part].mass[k] / mass_;
      if (joints_[part].added >= 0)
        for (int r = 0; r < 6; r++)
          for (int c = 0; c < 6; c++) K_.at(t + r, t + c) += added_[joints_[part].added](r, c) / mass_;
      for (int i = part; i < static_cast<int>(joints_.size()); i++) {
        if (i != part && joints_[i].parent != part) continue;
        const Mat6& on = i == part ? joints_[i].onChild : joints_[i].onParent;
        for (int c = 0; c < 6; c++) {
          const int row = index_[6 * i + c];
          if (row < 0) continue;
          for (int k = 0; k < 6; k++) {
            K_.at(t + k, twists + row) = -on(k, c);
            K_.at(twists + row, t + k) = weight_[row] * on(k, c);
          }
        }
      }
    }
    const int failed = K_.factor();
    return failed < 0 ? -1 : failed < twists ? lacking_[failed / 6] : partOfRow_[failed - twists];
  }

  void solveRows(const Vec6* b, const Vec6* c, Vec6* u, Vec6* l) override {
    const int n = static_cast<int>(joints_.size()), twists = 6 * static_cast<int>(lacking_.size());
    std::fill(x_.begin(), x_.end(), 0.0);
    double* const rows = x_.data() + twists;
    for (int i = 0; i < n; i++) u[i] = joints_[i].lacksInertia ? Vec6(Vec6::Zero()) : Vec6(b[i].cwiseQuotient(joints_[i].mass));
    for (int i = 0; i < n; i++) {
      const Joint& j = joints_[i];
      for (int k = 0; k < 6; k++) {
        if (!j.row[k]) continue;
        double& x = rows[index_[6 * i + k]];
        x = c[i][k] - j.onChild.col(k).dot(u[i]);
        if (j.parent >= 0) x -= j.onParent.col(k).dot(u[j.parent]);
        if (twists > 0) x *= weight_[index_[6 * i + k]];
      }
    }
    for (int t = 0; t < twists; t++) x_[t] = b[lacking_[t / 6]][t % 6] / mass_;
    if (twists > 0)
      K_.solve(x_.data());
    else
      A_.solve(x_.data());
    const double unit = twists > 0 ? mass_ : 1;
    for (int i = 0; i < n; i++) u[i] = b[i];
    for (int i = 0; i < n; i++) {
      const Joint& j = joints_[i];
      for (int k = 0; k < 6; k++) l[i][k] = j.row[k] ? unit * rows[index_[6 * i + k]] : 0;
      u[i] += j.onChild * l[i];
      if (j.parent >= 0) u[j.parent] += j.onParent * l[i];
    }
    for (int i = 0; i < n; i++)
      if (!joints_[i].lacksInertia) u[i] = u[i].cwiseQuotient(joints_[i].mass);
    for (int t = 0; t < twists; t++) u[lacking_[t / 6]][t % 6] = x_[t];
  }
};

}  // namespace

std::unique_ptr<SaddleOperator> makeDenseOperator() { return std::make_unique<DenseOperator>(); }

}  // namespace vertebra::dynamics
