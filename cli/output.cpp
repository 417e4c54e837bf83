// Text output for people; see output.hpp.
#include "cli/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "cli/arguments.hpp"

namespace vertebra::cli {

namespace {

// Characters of a UTF-8 text, for columns that line up.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

void print(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) throw Failure(std::string("cannot write the result: ") + std::strerror(errno));
}

std::string readable(double number) {
  char buffer[48];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::general, 6).ptr;
  return std::string(buffer, end);
}

std::string readable(const double* values, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += (i ? " " : "") + readable(values[i]);
  return text;
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], characters(row[i]));
  }
  std::string result;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += row[i] + std::string(widths[i] - characters(row[i]) + 2, ' ');
    while (!line.empty() && line.back() == ' ') line.pop_back();
    result += line + "\n";
  }
  return result;
}

Progress::Progress(std::string what) : what_(std::move(what)), wanted_(isatty(STDERR_FILENO) == 1) {
  next_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);  // short work shows nothing
}

Progress::~Progress() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::update(double share) {
  if (!wanted_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  std::fprintf(stderr, "\r%s %d %%\033[K", what_.c_str(), static_cast<int>(100 * share));
  std::fflush(stderr);
}

}  // namespace vertebra::cli
