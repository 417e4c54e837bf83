// A table of a clip: poses, velocities and accelerations of all joints in the world, at its frames or at given times. Metres, radians,
// seconds, Z up.
#include <algorithm>
#include <cmath>
#include <fstream>

#include "cli/motion_files.hpp"

namespace vertebra::cli {

namespace {

constexpr double kMostRows = 1e7;

struct Columns {
  const char* name;
  std::vector<const char*> suffixes;
};
const Columns kColumns[] = {{"positions", {".x", ".y", ".z", ".qx", ".qy", ".qz", ".qw"}},
                            {"velocities", {".vx", ".vy", ".vz", ".wx", ".wy", ".wz"}},
                            {"accelerations", {".ax", ".ay", ".az", ".bx", ".by", ".bz"}}};

std::vector<bool> columnsOf(const Arguments& arguments) {
  std::vector<bool> wanted(3, false);
  const std::string text = arguments.text("columns", "positions");
  for (const std::string_view word : split(text, ',')) {
    const auto* found = std::find_if(std::begin(kColumns), std::end(kColumns), [&](const Columns& c) { return word == c.name; });
    if (found == std::end(kColumns))
      throw UsageError("--columns: '" + std::string(word) + "' is not one of positions, velocities, accelerations");
    wanted[static_cast<std::size_t>(found - kColumns)] = true;
  }
  return wanted;
}

double secondsOf(std::string_view text) {
  double seconds = 0;
  if (!parseNumber(text, seconds)) throw UsageError("--at: '" + std::string(text) + "' is not a number of seconds");
  return seconds;
}

// T,T,... or FIRST:LAST:STEP; without, the frames.
std::vector<double> timesOf(const Arguments& arguments, const vtb_motion_info& info) {
  std::vector<double> times;
  const double end = (info.frames - 1) * info.frame_time;
  if (!arguments.has("at")) {
    for (int i = 0; i < info.frames; ++i) times.push_back(i * info.frame_time);
    return times;
  }
  const std::string text = arguments.text("at");
  if (const auto parts = split(text, ':'); parts.size() == 3) {
    const double first = secondsOf(parts[0]), last = secondsOf(parts[1]), step = secondsOf(parts[2]);
    if (!(step > 0) || last < first) throw UsageError("--at: " + text + " is not FIRST:LAST:STEP with a step above 0");
    const double count = std::floor((last - first) / step + 1e-9) + 1;
    if (count > kMostRows) throw UsageError("--at: " + text + " has more than 1e7 times");
    for (double k = 0; k < count; ++k) times.push_back(first + k * step);
  } else {
    for (const std::string_view word : split(text, ',')) times.push_back(secondsOf(word));
  }
  for (double& time : times) {
    if (time < -1e-9 || time > end + 1e-9)
      throw UsageError("--at: the motion lasts from 0 to " + shortest(end) + " s, and has nothing at " + shortest(time) + " s");
    time = std::clamp(time, 0.0, end);
  }
  return times;
}

using Rows = std::vector<double>;
using Call = vtb_status (*)(const vtb_motion*, int32_t, double*, size_t, size_t, size_t*);

// Six numbers of each joint at a time: between frames on the line between theirs.
Rows ratesAt(const vtb_motion* motion, Call call, double time, const vtb_motion_info& info) {
  const double at = time / info.frame_time;
  const int first = std::min(static_cast<int>(at + 1e-9), info.frames - 1), second = std::min(first + 1, info.frames - 1);
  const double u = std::max(0.0, at - first);
  Rows a(6 * static_cast<std::size_t>(info.joints)), b(a.size());
  size_t total = 0;
  check(call(motion, first, a.data(), a.size() / 6, 0, &total), "reading the motion");
  check(call(motion, second, b.data(), b.size() / 6, 0, &total), "reading the motion");
  for (std::size_t k = 0; k < a.size(); ++k) a[k] += u * (b[k] - a[k]);
  return a;
}

}  // namespace

void writeMotionTable(const std::string& path, const vtb_motion* motion, const Arguments& arguments) {
  const vtb_motion_info info = infoOf(motion);
  const std::vector<bool> wanted = columnsOf(arguments);
  const std::vector<double> times = timesOf(arguments, info);
  std::string text = "time";
  for (int j = 0; j < info.joints; ++j) {
    auto joint = sized<vtb_motion_joint>();
    check(vtb_motion_get_joint(motion, j, &joint), "reading the motion");
    const std::string name = joint.name;
    if (name.find_first_of(",\"\r\n") != std::string::npos)
      throw Failure("writing " + path + ": joint '" + name + "' has a name that a CSV cannot hold");
    for (std::size_t c = 0; c < 3; ++c)
      if (wanted[c])
        for (const char* suffix : kColumns[c].suffixes) text += "," + name + suffix;
  }
  text += "\n";
  std::ofstream out(path, std::ios::binary);
  const auto joints = static_cast<std::size_t>(info.joints);
  for (const double time : times) {
    Rows values[3];
    size_t total = 0;
    if (wanted[0]) {
      values[0].resize(7 * joints);
      check(vtb_motion_sample_poses(motion, time, 0, values[0].data(), joints, 0, &total), "reading the motion");
    }
    if (wanted[1]) values[1] = ratesAt(motion, vtb_motion_get_velocities, time, info);
    if (wanted[2]) values[2] = ratesAt(motion, vtb_motion_get_accelerations, time, info);
    text += shortest(time);
    for (std::size_t j = 0; j < joints; ++j)
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t k = 0; wanted[c] && k < kColumns[c].suffixes.size(); ++k)
          text += "," + shortest(values[c][j * kColumns[c].suffixes.size() + k]);
    out << text << '\n';
    text.clear();
  }
  if (!out.flush()) throw Failure("cannot write " + path);
}

}  // namespace vertebra::cli
