// A sparse matrix of small dense blocks and its factors H = L U, without pivoting: for matrices near enough to symmetric positive ones.
// Nodes are eliminated by least degree, so that chains and stacks of them, and what hangs on a few links, fill hardly anything.
// No units. Source: George, Liu 1981, "Computer Solution of Large Sparse Positive Definite Systems" (minimum degree).
#pragma once
#include <vector>

namespace vertebra {

class BlockFactor {
 public:
  static constexpr int kMostNumbers = 6;

  void clear();
  void reserve(int numbers);               // room for as many, and for a few neighbours of each node
  int addNode(int size);                   // of up to kMostNumbers; returns its index
  void link(const int* nodes, int count);  // these have blocks with each other
  // Finds the order and room for the factors. False: it would take more multiplications than `most`.
  bool order(double most);
  double cost() const { return cost_; }  // multiplications of factor() and solve(), of a symmetric matrix

  int nodes() const { return static_cast<int>(size_.size()); }
  int size(int node) const { return size_[node]; }
  int first(int node) const { return first_[node]; }  // of its numbers in a vector
  int numbers() const { return numbers_; }

  void setIdentity(bool symmetric);
  // Whether (a, b), in this order, are a row and a column of what lower() holds; else of what upper() does, transposed.
  bool isLower(int a, int b) const { return place_[a] >= place_[b]; }
  // Block of row a and column b, isLower(a, b), column by column; upper(): the block of row b and column a, row by row.
  double* lower(int a, int b) { return low_.data() + blockAt(a, b); }
  double* upper(int a, int b) { return up_.data() + blockAt(a, b); }
  bool factor();  // false: a pivot is too small for that
  void solve(double* x) const;

 private:
  struct Block {
    int node, at;
  };
  int blockAt(int a, int b) const;
  bool factorNode(int node);

  std::vector<int> size_, first_, place_, sequence_;
  std::vector<std::vector<int>> neighbours_;  // sorted; of an eliminated node those that came after it
  std::vector<int> merged_;
  std::vector<int> firstBlock_;  // of each node's column, itself first
  std::vector<Block> blocks_;
  std::vector<double> low_, up_;
  int numbers_ = 0;
  double cost_ = 0;
  bool symmetric_ = true;
};

// out += factor times the sum over r < count of left[r * leftStride ..] right[r * rightStride], for `size` numbers.
void addProducts(double* out, double factor, const double* left, int leftStride, const double* right, int rightStride, int count, int size);

}  // namespace vertebra
