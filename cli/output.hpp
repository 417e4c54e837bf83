// Plain text for people: tables, numbers with six digits, progress on a terminal. Independent of the locale.
#pragma once
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace vertebra::cli {

// Writes to stdout; Failure if that does not work (a full disk, a closed pipe).
void print(std::string_view text);

std::string readable(double number);                    // six significant digits
std::string readable(const double* values, int count);  // "1 2 3"

// Rows of cells, columns as wide as their widest cell.
class Table {
 public:
  explicit Table(std::vector<std::string> heads) : rows_{std::move(heads)} {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.size() == 1; }
  std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

// One line on stderr that is written over while work goes on; silent unless stderr is a terminal.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void update(double share);  // done so far, 0..1; cheap, may be called as often as one likes

 private:
  std::string what_;
  bool shown_ = false, wanted_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace vertebra::cli
