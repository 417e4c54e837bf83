// TRC files; see markers.hpp.
#include <cmath>
#include <limits>

#include "loaders/markers/markers.hpp"
#include "loaders/read_file.hpp"
#include "loaders/xml_text.hpp"

namespace vertebra {

namespace {
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string_view> fieldsOf(std::string_view line) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t end = line.find('\t');
    out.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  while (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

class TrcReader {
 public:
  TrcReader(std::string_view text, const std::string& file, bool zUp, figure::MarkerRecord& out, Diagnostics& findings)
      : rest_(text), file_(file), zUp_(zUp), out_(out), findings_(findings) {}

  bool read() {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
    std::string_view line;
    if (!next(line) || !line.starts_with("PathFileType")) return error("trc.head", "a TRC file begins with PathFileType");
    if (!rates() || !names()) return false;
    while (next(line)) {
      if (trimmed(line).empty()) continue;
      const std::vector<std::string_view> fields = fieldsOf(line);
      double number = 0;
      if (fields[0].empty() || !parseNumber(fields[0], number)) {
        if (out_.positions.empty() && fields.size() > 2 && fields[0].empty() && fields[1].empty() && fields[2].starts_with('X'))
          continue;  // X1 Y1 Z1 ...
        return error("trc.row", "a row begins with the number of its frame");
      }
      double time = 0;
      if (fields.size() > 1 && parseNumber(fields[1], time)) checkTime(time);
      if (!row(fields)) return false;
    }
    if (out_.positions.empty()) return error("trc.empty", "there is no frame");
    if (stated_ >= 0 && stated_ != out_.frames())
      warning("trc.frames",
              "NumFrames is " + std::to_string(static_cast<long long>(stated_)) + ", there are " + std::to_string(out_.frames()));
    return true;
  }

 private:
  bool error(const char* code, const std::string& message) {
    findings_.add(Severity::Error, code, file_, line_, "", message);
    return false;
  }
  void warning(const char* code, const std::string& message) { findings_.add(Severity::Warning, code, file_, line_, "", message); }

  bool next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find_first_of("\r\n");
    line = rest_.substr(0, end);
    line_++;
    if (end == std::string_view::npos)
      rest_ = {};
    else
      rest_.remove_prefix(end + (rest_[end] == '\r' && end + 1 < rest_.size() && rest_[end + 1] == '\n' ? 2 : 1));
    return true;
  }

  // Frames are rows: a record with rows left out, or another rate than it states, does not say when they were.
  void checkTime(double time) {
    const double rows = static_cast<double>(rows_++), wanted = rows * out_.frameTime;
    if (rows_ == 1) first_ = time;
    if (toldTime_ || std::fabs(time - first_ - wanted) <= 0.5 * out_.frameTime + 1e-6 * std::fabs(time)) return;
    toldTime_ = true;
    warning("trc.time", "Time is " + formatNumber(time) + " s where DataRate says " + formatNumber(first_ + wanted) +
                            " s; times are taken from DataRate, so rows that are left out shift those behind");
  }

  bool rates() {
    std::string_view keys, values;
    if (!next(keys) || !next(values)) return error("trc.head", "the lines with DataRate and its value are missing");
    const std::vector<std::string_view> k = fieldsOf(keys), v = fieldsOf(values);
    double rate = 0;
    for (std::size_t i = 0; i < std::min(k.size(), v.size()); i++) {
      double x = 0;
      const bool number = parseNumber(v[i], x) && std::isfinite(x);
      if (k[i] == "DataRate" && number) rate = x;
      if (k[i] == "NumFrames" && number && std::fabs(x) < 1e15) stated_ = x;
      if (k[i] == "NumMarkers" && number) markers_ = x;
      if (k[i] == "Units") unit_ = v[i] == "mm" ? 1e-3 : v[i] == "cm" ? 1e-2 : v[i] == "m" ? 1 : 0;
    }
    if (!(rate >= 1e-9 && rate <= 1e9)) return error("trc.rate", "DataRate is missing or no rate; it is frames a second, 1e-9 to 1e9");
    if (!(unit_ > 0)) return error("trc.units", "Units is missing or unknown; it is mm, cm or m");
    out_.frameTime = 1 / rate;
    return true;
  }

  bool names() {
    std::string_view line;
    if (!next(line)) return error("trc.head", "the line with the names of the markers is missing");
    const std::vector<std::string_view> fields = fieldsOf(line);
    if (fields.size() < 3 || !fields[0].starts_with("Frame"))
      return error("trc.head", "the line of names begins with Frame#, Time, and the first marker, with tabs between");
    for (std::size_t i = 2; i < fields.size(); i++) {
      if ((i - 2) % 3 == 0 && fields[i].empty()) return error("trc.names", "the marker in field " + std::to_string(i + 1) + " has no name");
      if ((i - 2) % 3 != 0 && !fields[i].empty())
        return error("trc.names", "'" + std::string(fields[i]) + "' is not three fields behind the name before");
      if ((i - 2) % 3 == 0) out_.names.emplace_back(fields[i]);
    }
    if (markers_ >= 0 && markers_ != static_cast<double>(out_.names.size()))
      warning("trc.markers", "NumMarkers does not say how many names there are, " + std::to_string(out_.names.size()));
    return true;
  }

  bool row(const std::vector<std::string_view>& fields) {
    if (fields.size() > 2 + 3 * out_.names.size())
      return error("trc.row", "the row has values for more than " + std::to_string(out_.names.size()) + " markers");
    for (std::size_t m = 0; m < out_.names.size(); m++) {
      Vec3 p = Vec3::Constant(kNone);
      int given = 0;
      for (std::size_t k = 0; k < 3; k++) {
        const std::size_t at = 2 + 3 * m + k;
        double x = 0;
        if (at >= fields.size() || fields[at].empty()) continue;
        if (!parseNumber(fields[at], x) || std::fabs(unit_ * x) > 1e90)
          return error("trc.number", "'" + std::string(fields[at]) + "' of marker '" + out_.names[m] + "' is no number");
        if (std::isnan(x)) continue;
        p[static_cast<Eigen::Index>(k)] = unit_ * x;
        given++;
      }
      if (given != 0 && given != 3)
        return error("trc.row", "marker '" + out_.names[m] + "' has " + std::to_string(given) + " coordinates of 3");
      out_.positions.push_back(zUp_ ? p : Vec3(p.x(), -p.z(), p.y()));
    }
    return true;
  }

  std::string_view rest_;
  std::string file_;
  bool zUp_;
  figure::MarkerRecord& out_;
  Diagnostics& findings_;
  int line_ = 0;
  long long rows_ = 0;
  double first_ = 0;  // s
  bool toldTime_ = false;
  double unit_ = 0, stated_ = -1, markers_ = -1;
};
}  // namespace

bool loadTrcText(std::string_view text, const std::string& name, bool zUp, figure::MarkerRecord& out, Diagnostics& diagnostics) {
  out = {};
  return TrcReader(text, name, zUp, out, diagnostics).read();
}

bool loadTrcFile(const std::string& path, bool zUp, figure::MarkerRecord& out, Diagnostics& diagnostics) {
  std::string text;
  if (const std::string wrong = readTableFile(path, text); !wrong.empty()) {
    diagnostics.add(Severity::Error, "trc.file", path, 0, "", wrong);
    return false;
  }
  return loadTrcText(text, path, zUp, out, diagnostics);
}

std::string writeTrcText(const figure::MarkerRecord& r) {
  const std::string rate = formatNumber(1 / r.frameTime), frames = std::to_string(r.frames());
  std::string out = "PathFileType\t4\t(X/Y/Z)\tmarkers.trc\n";
  out += "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n";
  out += rate + "\t" + rate + "\t" + frames + "\t" + std::to_string(r.names.size()) + "\tmm\t" + rate + "\t1\t" + frames + "\nFrame#\tTime";
  for (const std::string& name : r.names) out += "\t" + name + "\t\t";
  out += "\n\t";
  for (std::size_t m = 1; m <= r.names.size(); m++)
    for (const char* axis : {"\tX", "\tY", "\tZ"}) out += axis + std::to_string(m);
  out += "\n\n";
  for (int i = 0; i < r.frames(); i++) {
    out += std::to_string(i + 1) + "\t" + formatNumber(i * r.frameTime);
    for (std::size_t m = 0; m < r.names.size(); m++) {
      const Vec3& p = r.frame(i)[m];
      for (const double x : {p.x(), p.z(), -p.y()}) out += std::isnan(x) ? "\t" : "\t" + formatNumber(std::round(1e9 * x) / 1e6);
    }
    out += "\n";
  }
  return out;
}

}  // namespace vertebra
