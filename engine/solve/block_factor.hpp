// A sparse matrix of small dense blocks and its factors H = L U, without pivoting, for matrices close to symmetric positive definite ones.
// Nodes are eliminated by least degree, so that chains, stacks and trees with few loops cause hardly any fill-in. No units. Source: George
// and Liu, "Computer Solution of Large Sparse Positive Definite Systems" (1981), minimum degree.
#pragma once
#include <vector>

namespace vertebra::solve {

class BlockFactor {
 public:
  static constexpr int kMostNumbers = 6;

  void clear();
  void reserve(int numbers);               // room for this many numbers, and for a few neighbours of each node
  int addNode(int size);                   // of up to kMostNumbers; returns its index
  void link(const int* nodes, int count);  // the nodes have blocks with each other
  // Finds the order and makes room for the factors. False: factor() would take more multiplications than `most`.
  bool order(double most);
  double cost() const { return cost_; }  // multiplications of factor() and solve(), of a symmetric matrix

  int nodes() const { return static_cast<int>(size_.size()); }
  int size(int node) const { return size_[node]; }
  int first(int node) const { return first_[node]; }  // index of the node's first number in a vector
  int numbers() const { return numbers_; }

  void setIdentity(bool symmetric);
  // Whether block (a, b), in this order, is one that lower() holds; otherwise upper() holds it, transposed.
  bool isLower(int a, int b) const { return place_[a] >= place_[b]; }
  // Block of row a and column b, isLower(a, b), column by column; upper(): the block of row b and column a, row by row.
  double* lower(int a, int b) { return low_.data() + blockAt(a, b); }
  double* upper(int a, int b) { return up_.data() + blockAt(a, b); }
  bool factor();  // false: a pivot is too small for elimination without pivoting
  void solve(double* x) const;

 private:
  struct Block {
    int node, at;
  };
  int blockAt(int a, int b) const;
  bool factorNode(int node);

  std::vector<int> size_, first_, place_, sequence_;
  std::vector<std::vector<int>> neighbours_;  // sorted; for an eliminated node only those eliminated after it
  std::vector<int> merged_;
  std::vector<int> firstBlock_;  // index of the first block of each node's column; that is the diagonal block
  std::vector<Block> blocks_;
  std::vector<double> low_, up_;
  int numbers_ = 0;
  double cost_ = 0;
  bool symmetric_ = true;
};

// out += factor times the sum over r < count of left[r * leftStride ..] right[r * rightStride], for `size` numbers.
void addProducts(double* out, double factor, const double* left, int leftStride, const double* right, int rightStride, int count, int size);

}  // namespace vertebra::solve
