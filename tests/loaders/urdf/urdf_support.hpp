// Shared by the URDF tests.
#pragma once
#include <algorithm>
#include <fstream>
#include <sstream>

#include "loaders/urdf/urdf.hpp"
#include "tests/support.hpp"

namespace test {

// Must load; single quotes may stand for double ones.
inline vertebra::figure::Skeleton loadText(const std::string& text, const vertebra::UrdfOptions& options = {},
                                           vertebra::Diagnostics* said = nullptr) {
  vertebra::figure::Skeleton s;
  vertebra::Diagnostics d;
  bool good = vertebra::loadUrdfText(text, "text.urdf", options, s, d);
  INFO(d.text());
  REQUIRE(good);
  CHECK(vertebra::figure::checkSkeleton(s) == "");
  if (said != nullptr) *said = d;
  return s;
}

inline std::string solidLink(const std::string& name) {
  return "<link name='" + name +
         "'><inertial><mass value='1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial></link>";
}

inline std::string jointText(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                             const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child + "'/>" + inside +
         "</joint>";
}

inline std::string twoLinks(const std::string& type, const std::string& inside) {
  return "<robot name='r'>" + solidLink("a") + solidLink("b") + jointText("j", type, "a", "b", inside) + "</robot>";
}

inline int countOf(const vertebra::Diagnostics& d, const std::string& code) {
  return static_cast<int>(std::count_if(d.entries.begin(), d.entries.end(), [&](const auto& e) { return e.code == code; }));
}

inline std::string readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace test
