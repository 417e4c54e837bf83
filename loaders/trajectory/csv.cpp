// See csv.hpp.
#include "loaders/trajectory/csv.hpp"

#include <charconv>

#include "loaders/write_file.hpp"

namespace vertebra {

namespace {

constexpr const char* kRoot[] = {"root_x", "root_y", "root_z", "root_qx", "root_qy", "root_qz", "root_qw"};

void number(std::string& out, double value) {
  char text[32];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

}  // namespace

std::string writeTrajectoryText(const figure::Trajectory& t) {
  std::string out = "# fps=";
  number(out, 1 / t.frameTime);
  out += "\n# figure=" + t.name + "\n# metres, radians, Z up; quaternion x, y, z, w turns link axes into world axes\n";
  for (std::size_t c = 0; c < t.names.size(); c++) {
    if (c > 0) out += ',';
    out += c < std::size(kRoot) ? std::string(kRoot[c]) : t.names[c];
  }
  out += '\n';
  for (int i = 0; i < t.frames(); i++) {
    for (int c = 0; c < t.nq(); c++) {
      if (c > 0) out += ',';
      number(out, t.frame(i)[c]);
    }
    out += '\n';
  }
  return out;
}

bool writeTrajectoryFile(const figure::Trajectory& t, const std::string& path, Diagnostics& diagnostics) {
  return writeFile(writeTrajectoryText(t), path, diagnostics);
}

}  // namespace vertebra
