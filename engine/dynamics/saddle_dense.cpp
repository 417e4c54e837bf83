// The dense treatment: A = J M^-1 J^T + C over all rows of all joints, symmetric positive, factored by Cholesky (Vondrak 2006 ch. 6).
// A reference beside which the others are judged: it knows nothing of trees but which joints share a body. The factor is our own, in
// tiles of 4 x 4, since a library's blocking, and with it the rounding, follows the size of the processor's caches.
#include <algorithm>
#include <cmath>

#include "engine/dynamics/saddle.hpp"

namespace vertebra {
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

class DenseOperator final : public SaddleOperator {
  PanelMatrix A_;
  std::vector<double> x_;
  std::vector<int> index_;       // of each link's six columns among the rows, or -1
  std::vector<int> linkOfRow_;

  void reserveFactor(int links) override {
    const std::size_t rows = 6 * static_cast<std::size_t>(links);
    A_.reserve(rows);
    x_.resize(rows + 3);
    index_.resize(rows);
    linkOfRow_.resize(rows + 3);
  }

  // Adds what a force by row k of joint j does to row k' of joint i, both on one body.
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
        if (joints_[i].row[k]) linkOfRow_[rows++] = i;
      }
    A_.setZero(rows);
    for (int i = 0; i < n; i++) {
      const Joint& own = joints_[i];
      addBlock(i, own.onChild, i, own.onChild, own.mass);
      for (int k = 0; k < 6; k++)
        if (own.row[k]) A_.at(index_[6 * i + k], index_[6 * i + k]) += own.compliance[k];
      if (own.parent < 0) continue;
      const Vec6& mass = joints_[own.parent].mass;
      addBlock(i, own.onParent, own.parent, joints_[own.parent].onChild, mass);
      for (int j = own.parent + 1; j <= i; j++)
        if (joints_[j].parent == own.parent) addBlock(i, own.onParent, j, joints_[j].onParent, mass);
    }
    const int failed = A_.factor();
    return failed < 0 ? -1 : linkOfRow_[failed];
  }

  void solveRows(const Vec6* b, const Vec6* c, Vec6* u, Vec6* l) override {
    const int n = static_cast<int>(joints_.size());
    std::fill(x_.begin(), x_.end(), 0.0);
    for (int i = 0; i < n; i++) u[i] = b[i].cwiseQuotient(joints_[i].mass);
    for (int i = 0; i < n; i++) {
      const Joint& j = joints_[i];
      for (int k = 0; k < 6; k++) {
        if (!j.row[k]) continue;
        double& x = x_[index_[6 * i + k]];
        x = c[i][k] - j.onChild.col(k).dot(u[i]);
        if (j.parent >= 0) x -= j.onParent.col(k).dot(u[j.parent]);
      }
    }
    A_.solve(x_.data());
    for (int i = 0; i < n; i++) u[i] = b[i];
    for (int i = 0; i < n; i++) {
      const Joint& j = joints_[i];
      for (int k = 0; k < 6; k++) l[i][k] = j.row[k] ? x_[index_[6 * i + k]] : 0;
      u[i] += j.onChild * l[i];
      if (j.parent >= 0) u[j.parent] += j.onParent * l[i];
    }
    for (int i = 0; i < n; i++) u[i] = u[i].cwiseQuotient(joints_[i].mass);
  }
};

}  // namespace

std::unique_ptr<SaddleOperator> makeDenseOperator() { return std::make_unique<DenseOperator>(); }

}  // namespace vertebra
