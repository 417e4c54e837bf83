// Reading a trajectory's CSV; see csv.hpp.
#include <cmath>
#include <set>
#include <string_view>

#include "loaders/read_file.hpp"
#include "loaders/trajectory/csv.hpp"
#include "loaders/xml_text.hpp"

namespace vertebra {

namespace {
constexpr std::size_t kRootNumbers = 7;
constexpr double kUnitTolerance = 1e-3;

std::vector<std::string_view> cellsOf(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t end = line.find(',');
    cells.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

class CsvReader {
 public:
  CsvReader(const std::string& file, figure::Trajectory& out, Diagnostics& findings) : file_(file), out_(out), findings_(findings) {}

  bool read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    while (!text.empty() && !failed_) {
      const std::size_t end = text.find_first_of("\r\n");
      line_++;
      take(trimmed(text.substr(0, end)));
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + (text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n' ? 2 : 1));
    }
    if (failed_) return false;
    if (out_.names.empty()) return error("csv.header", "there is no header; the first line that is no comment names the columns");
    if (!hasRate_) return error("csv.fps", "there is no line such as '# fps=30', so the times of the frames are unknown");
    if (out_.q.empty()) return error("csv.empty", "there is no frame behind the header");
    return true;
  }

 private:
  bool error(const char* code, const std::string& message) {
    findings_.add(Severity::Error, code, file_, line_, "", message);
    failed_ = true;
    return false;
  }

  void take(std::string_view line) {
    if (line.empty()) return;
    if (line.front() == '#')
      comment(trimmed(line.substr(1)));
    else if (out_.names.empty())
      header(cellsOf(line));
    else
      row(cellsOf(line));
  }

  void comment(std::string_view text) {
    if (text.starts_with("figure=")) out_.name = std::string(text.substr(7));
    if (!text.starts_with("fps=")) return;
    if (hasRate_) {
      error("csv.fps", "a second line with fps=; a file has one rate");
      return;
    }
    double fps = 0;
    if (!parseNumber(text.substr(4), fps) || !(fps >= 1e-9 && fps <= 1e9)) {
      error("csv.fps", "'" + std::string(text.substr(4)) + "' is no rate from 1e-9 to 1e9; write frames a second, such as '# fps=30'");
      return;
    }
    out_.frameTime = 1 / fps;
    hasRate_ = true;
  }

  void header(const std::vector<std::string_view>& cells) {
    std::set<std::string_view> known;
    for (std::size_t c = 0; c < cells.size(); c++) {
      if (c < kRootNumbers && cells[c] != kRootColumns[c]) {
        error("csv.header", "column " + std::to_string(c + 1) + " is '" + std::string(cells[c]) + "', should be '" + kRootColumns[c] + "'");
        return;
      }
      if (cells[c].empty() || !known.insert(cells[c]).second) {
        error("csv.header", "column " + std::to_string(c + 1) + (cells[c].empty() ? " has no name" : " is named as one before"));
        return;
      }
    }
    if (cells.size() < kRootNumbers) {
      error("csv.header", "the header has " + std::to_string(cells.size()) + " columns; the root alone has 7, root_x to root_qw");
      return;
    }
    out_.names.assign(cells.begin(), cells.end());
    quaternions_ = {3};
    for (std::size_t c = kRootNumbers; c + 3 < cells.size(); c++) {  // of ball joints: NAME.x to NAME.w
      const std::string joint = out_.names[c].substr(0, out_.names[c].rfind('.'));
      bool all = true;
      for (std::size_t k = 0; k < 4; k++) all = all && out_.names[c + k] == joint + "." + "xyzw"[k];
      if (all) quaternions_.push_back(c);
    }
  }

  void row(const std::vector<std::string_view>& cells) {
    if (cells.size() != out_.names.size()) {
      error("csv.row", "the row has " + std::to_string(cells.size()) + " values, the header " + std::to_string(out_.names.size()));
      return;
    }
    const std::size_t begin = out_.q.size();
    for (std::size_t c = 0; c < cells.size(); c++) {
      double x = 0;
      if (!parseNumber(cells[c], x) || !(std::fabs(x) <= 1e100)) {
        error("csv.number", "'" + std::string(cells[c]) + "' in column '" + out_.names[c] + "' is no number from -1e100 to 1e100");
        return;
      }
      out_.q.push_back(x);
    }
    for (std::size_t at : quaternions_)
      if (!makeUnit(out_.q.data() + begin + at, at)) return;
  }

  bool makeUnit(double* q, std::size_t column) {
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (std::fabs(length - 1) <= kUnitTolerance) return true;
    if (!(length > kUnitTolerance) || !std::isfinite(length)) {
      error("csv.quaternion", "the quaternion from column '" + out_.names[column] + "' on has no direction");
      return false;
    }
    for (int k = 0; k < 4; k++) q[k] /= length;
    if (warned_++ == 0)
      findings_.add(
          Severity::Warning, "csv.quaternion", file_, line_, "",
          "the quaternion from column '" + out_.names[column] + "' on is not of unit length; it and all further ones are made so");
    return true;
  }

  std::string file_;
  figure::Trajectory& out_;
  Diagnostics& findings_;
  std::vector<std::size_t> quaternions_;  // their first columns
  int line_ = 0, warned_ = 0;
  bool failed_ = false, hasRate_ = false;
};
}  // namespace

bool loadTrajectoryText(std::string_view text, const std::string& name, figure::Trajectory& out, Diagnostics& diagnostics) {
  out = {};
  return CsvReader(name, out, diagnostics).read(text);
}

bool loadTrajectoryFile(const std::string& path, figure::Trajectory& out, Diagnostics& diagnostics) {
  std::string text;
  if (const std::string wrong = readTableFile(path, text); !wrong.empty()) {
    diagnostics.add(Severity::Error, "csv.file", path, 0, "", wrong);
    return false;
  }
  return loadTrajectoryText(text, path, out, diagnostics);
}

}  // namespace vertebra
