// See csv.hpp.
#include "loaders/trajectory/csv.hpp"

#include "loaders/xml_text.hpp"

namespace vertebra {

std::string trajectoryColumn(const figure::Trajectory& t, std::size_t c) {
  return c < std::size(kRootColumns) ? std::string(kRootColumns[c]) : t.names[c];
}

std::string unwritableName(const figure::Trajectory& t) {
  for (std::size_t c = 0; c < t.names.size(); c++) {
    const std::string name = trajectoryColumn(t, c);
    if (name.empty() || name.find_first_of(",\r\n") != std::string::npos || trimmed(name).size() != name.size())
      return "coordinate '" + name + "' has a name that a CSV cannot hold: a comma, an end of line or outer blanks; rename the joint, or " +
             "write JSON";
  }
  return {};
}

std::string writeTrajectoryText(const figure::Trajectory& t) {
  std::string out = "# fps=";
  out += formatNumber(1 / t.frameTime);
  out += "\n# figure=" + t.name + "\n# metres, radians, Z up; quaternion x, y, z, w turns link axes into world axes\n";
  for (std::size_t c = 0; c < t.names.size(); c++) {
    if (c > 0) out += ',';
    out += trajectoryColumn(t, c);
  }
  out += '\n';
  for (int i = 0; i < t.frames(); i++) {
    for (int c = 0; c < t.nq(); c++) {
      if (c > 0) out += ',';
      out += formatNumber(t.frame(i)[c]);
    }
    out += '\n';
  }
  return out;
}

}  // namespace vertebra
