// See block_factor.hpp.
#include "engine/solve/block_factor.hpp"

#include <algorithm>

#include "engine/solve/sweep.hpp"

namespace vertebra::solve {
namespace {

constexpr double kPivot = 0.1;   // least pivot; the matrix is 1 plus a positive semidefinite one
constexpr int kNeighbours = 16;  // room reserved for the neighbours of one node

void add(double* a, double t, const double* b, int n) {
  int k = 0;
  for (; k + 1 < n; k += 2) addPair(a + k, t * pairAt(b + k));
  if (k < n) a[k] += t * b[k];
}

}  // namespace

void addProducts(double* out, double factor, const double* left, int leftStride, const double* right, int rightStride, int count,
                 int size) {
  if (size == 6) {
    Pair sum[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int r = 0; r < count; r++, left += leftStride, right += rightStride)
      for (int k = 0; k < 3; k++) sum[k] += *right * pairAt(left + 2 * k);
    for (int k = 0; k < 3; k++) addPair(out + 2 * k, factor * sum[k]);
    return;
  }
  for (int r = 0; r < count; r++, left += leftStride, right += rightStride) add(out, factor * *right, left, size);
}

void BlockFactor::clear() {
  size_.clear();
  first_.clear();
  numbers_ = 0;
}

void BlockFactor::reserve(int numbers) {
  const std::size_t n = static_cast<std::size_t>(numbers), blocks = (kNeighbours + 1) * n;
  for (auto* list : {&size_, &first_, &place_, &sequence_, &firstBlock_, &merged_}) list->reserve(n);
  if (neighbours_.size() < n) neighbours_.resize(n);
  for (auto& list : neighbours_) list.reserve(kNeighbours);
  blocks_.reserve(blocks);
  for (auto* list : {&low_, &up_}) list->reserve(blocks * kMostNumbers);
}

int BlockFactor::addNode(int size) {
  const int node = nodes();
  size_.push_back(size);
  first_.push_back(numbers_);
  numbers_ += size;
  if (static_cast<int>(neighbours_.size()) <= node) neighbours_.emplace_back();
  neighbours_[node].clear();
  return node;
}

void BlockFactor::link(const int* nodes, int count) {
  for (int i = 0; i < count; i++) {
    std::vector<int>& list = neighbours_[nodes[i]];
    for (int k = 0; k < count; k++) {
      if (k == i) continue;
      const auto at = std::lower_bound(list.begin(), list.end(), nodes[k]);
      if (at == list.end() || *at != nodes[k]) list.insert(at, nodes[k]);
    }
  }
}

bool BlockFactor::order(double most) {
  const int count = nodes();
  place_.assign(count, count);
  sequence_.clear();
  firstBlock_.resize(count);
  blocks_.clear();
  cost_ = 0;
  int total = 0;
  for (int step = 0; step < count; step++) {
    int node = -1;
    for (int i = 0; i < count; i++)
      if (place_[i] == count && (node < 0 || neighbours_[i].size() < neighbours_[node].size())) node = i;
    const std::vector<int>& around = neighbours_[node];
    place_[node] = step;
    sequence_.push_back(node);
    firstBlock_[node] = static_cast<int>(blocks_.size());
    const double own = size_[node];
    double beside = 0;
    blocks_.push_back({node, total});
    total += size_[node] * size_[node];
    for (int other : around) {
      blocks_.push_back({other, total});
      total += size_[other] * size_[node];
      beside += size_[other];
    }
    cost_ += own * own * own / 3 + own * own * (beside + 1) + own * beside * (0.5 * beside + 2);
    if (cost_ > most) return false;
    for (int other : around) {
      std::vector<int>& list = neighbours_[other];
      merged_.clear();
      std::set_union(list.begin(), list.end(), around.begin(), around.end(), std::back_inserter(merged_));
      std::erase_if(merged_, [&](int n) { return n == other || n == node; });
      list.assign(merged_.begin(), merged_.end());
    }
  }
  low_.resize(total);
  up_.resize(total);
  return true;
}

int BlockFactor::blockAt(int a, int b) const {
  const Block* block = blocks_.data() + firstBlock_[b];
  while (block->node != a) block++;
  return block->at;
}

void BlockFactor::setIdentity(bool symmetric) {
  symmetric_ = symmetric;
  std::fill(low_.begin(), low_.end(), 0.0);
  if (!symmetric) std::fill(up_.begin(), up_.end(), 0.0);
  for (int node = 0; node < nodes(); node++) {
    double* const own = low_.data() + blocks_[firstBlock_[node]].at;
    for (int k = 0; k < size_[node]; k++) own[k * (size_[node] + 1)] = 1;
  }
}

// Factors the diagonal block in place, L with a unit diagonal; the blocks below it then hold their parts of L and U.
bool BlockFactor::factorNode(int node) {
  const int n = size_[node], first = firstBlock_[node], last = first + static_cast<int>(neighbours_[node].size());
  double* const own = low_.data() + blocks_[first].at;  // entry (i, k) at k n + i
  double inverse[kMostNumbers];
  for (int k = 0; k < n; k++) {
    if (!(own[k * n + k] > kPivot)) return false;
    inverse[k] = 1 / own[k * n + k];
    for (int i = k + 1; i < n; i++) own[k * n + i] *= inverse[k];
    for (int j = k + 1; j < n; j++) add(own + j * n + k + 1, -own[j * n + k], own + k * n + k + 1, n - k - 1);
  }
  for (int b = first + 1; b <= last; b++) {
    const int rows = size_[blocks_[b].node];
    double *const l = low_.data() + blocks_[b].at, *const u = up_.data() + blocks_[b].at;
    if (symmetric_) std::copy_n(l, n * rows, u);
    for (int j = 0; j < n; j++) {
      for (int p = 0; p < j; p++) add(u + j * rows, -own[p * n + j], u + p * rows, rows);
      if (symmetric_) {
        for (int i = 0; i < rows; i++) l[j * rows + i] = inverse[j] * u[j * rows + i];
      } else {
        for (int p = 0; p < j; p++) add(l + j * rows, -own[j * n + p], l + p * rows, rows);
        for (int i = 0; i < rows; i++) l[j * rows + i] *= inverse[j];
      }
    }
  }
  return true;
}

bool BlockFactor::factor() {
  for (int node : sequence_) {
    if (!factorNode(node)) return false;
    const int n = size_[node], first = firstBlock_[node] + 1, last = first + static_cast<int>(neighbours_[node].size());
    for (int b = first; b < last; b++)
      for (int c = first; c < last; c++) {
        const int rowNode = blocks_[b].node, columnNode = blocks_[c].node;
        if (!isLower(rowNode, columnNode)) continue;
        const int rows = size_[rowNode], columns = size_[columnNode], at = blockAt(rowNode, columnNode);
        for (int j = 0; j < columns; j++)
          addProducts(low_.data() + at + j * rows, -1, low_.data() + blocks_[b].at, rows, up_.data() + blocks_[c].at + j, columns, n, rows);
        if (symmetric_ || b == c) continue;
        for (int j = 0; j < columns; j++)
          addProducts(up_.data() + at + j * rows, -1, up_.data() + blocks_[b].at, rows, low_.data() + blocks_[c].at + j, columns, n, rows);
      }
  }
  return true;
}

void BlockFactor::solve(double* x) const {
  for (int node : sequence_) {
    const int n = size_[node], first = firstBlock_[node];
    const double* const own = low_.data() + blocks_[first].at;
    double* const y = x + first_[node];
    for (int k = 0; k < n; k++) add(y + k + 1, -y[k], own + k * n + k + 1, n - k - 1);
    for (std::size_t b = 1; b <= neighbours_[node].size(); b++) {
      const Block& block = blocks_[first + b];
      addProducts(x + first_[block.node], -1, low_.data() + block.at, size_[block.node], y, 1, n, size_[block.node]);
    }
  }
  for (auto node = sequence_.rbegin(); node != sequence_.rend(); ++node) {
    const int n = size_[*node], first = firstBlock_[*node];
    const double* const own = low_.data() + blocks_[first].at;
    double* const y = x + first_[*node];
    for (std::size_t b = 1; b <= neighbours_[*node].size(); b++) {
      const Block& block = blocks_[first + b];
      const int rows = size_[block.node];
      const double* const other = x + first_[block.node];
      for (int k = 0; k < n; k++)
        for (int i = 0; i < rows; i++) y[k] -= up_[block.at + k * rows + i] * other[i];
    }
    for (int k = n - 1; k >= 0; k--) {
      y[k] /= own[k * n + k];
      for (int i = 0; i < k; i++) y[i] -= own[k * n + i] * y[k];
    }
  }
}

}  // namespace vertebra::solve
