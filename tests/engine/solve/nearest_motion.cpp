// Bodies of nearest_motion.hpp, compiled once (row_cases.cpp).
#include "tests/engine/solve/nearest_motion.hpp"

namespace test {

Vector leastSquares(const Matrix& B, const Vector& e, const std::vector<char>& anySign) {
  const int n = static_cast<int>(B.cols());
  std::vector<char> in = anySign;
  auto solveThose = [&] {
    std::vector<int> set;
    for (int i = 0; i < n; i++)
      if (in[i]) set.push_back(i);
    Matrix part(B.rows(), set.size());
    for (std::size_t k = 0; k < set.size(); k++) part.col(k) = B.col(set[k]);
    Vector z = Vector::Zero(n);
    if (set.empty()) return z;
    const Vector t = part.completeOrthogonalDecomposition().solve(e);
    for (std::size_t k = 0; k < set.size(); k++) z[set[k]] = t[k];
    return z;
  };
  Vector d = solveThose();
  for (int round = 0; round < 50 * n + 50; round++) {
    const Vector gain = B.transpose() * (e - B * d);
    int best = -1;
    for (int i = 0; i < n; i++)
      if (!in[i] && gain[i] > (best < 0 ? 1e-13 : gain[best])) best = i;
    if (best < 0) break;
    in[best] = 1;
    for (bool inside = false; !inside;) {
      const Vector z = solveThose();
      double share = 1;
      inside = true;
      for (int i = 0; i < n; i++)
        if (in[i] && !anySign[i] && z[i] <= 0) inside = false, share = std::min(share, d[i] / (d[i] - z[i] + 1e-300));
      d += share * (z - d);
      for (int i = 0; i < n && !inside; i++)
        if (in[i] && !anySign[i] && d[i] <= 1e-15) in[i] = 0, d[i] = 0;
    }
  }
  return d;
}

NearestMotion nearestMotion(const Case& c) {
  const Vector bias = c.bias();
  const int size = static_cast<int>(c.x.size());
  Matrix B(size + 1, 0);
  std::vector<char> anySign;
  for (const solve::Block& block : c.p.blocks) {
    const solve::Row& row = c.p.rows[block.row];
    const bool up = !std::isfinite(row.hi), down = !std::isfinite(row.lo);
    if (!(up || down) || !(c.Y.row(block.row).squaredNorm() > 0)) continue;
    const double sign = up ? 1 : -1;
    B.conservativeResize(size + 1, B.cols() + 1);
    B.col(B.cols() - 1) << sign * c.Y.row(block.row).transpose(), sign * bias[block.row];
    anySign.push_back(up && down);
  }
  Vector e = Vector::Zero(size + 1);
  e[size] = -1;
  const Vector s = B.cols() ? Vector(B * leastSquares(B, e, anySign) - e) : Vector(-e);
  NearestMotion m;
  m.exists = s[size] > 1e-13;
  if (!m.exists) return m;
  m.distance = std::sqrt(std::max(0.0, 1 / s[size] - 1));
  m.change = s.head(size) / s[size];
  return m;
}

}  // namespace test
