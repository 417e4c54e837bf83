// The same numbers under a locale whose decimal point is a comma, in C and in C++; and no output on the terminal.
#include <console_bridge/console.h>

#include <clocale>
#include <cstring>
#include <locale>

#include "loaders/urdf/urdf.hpp"
#include "tests/loaders/urdf/urdf_support.hpp"

using namespace vertebra;

namespace {

const char* const kText =
    "<robot name='r'><link name='a'><inertial><origin xyz='0.125 -1.5e-3 1e3' rpy='0.1 0.2 0.3'/><mass value='1.25'/>"
    "<inertia ixx='0.11' ixy='0.001' ixz='0' iyy='0.12' iyz='0' izz='0.13'/></inertial>"
    "<visual><geometry><mesh filename='meshes/tetrahedron.stl' scale='0.5 0.25 0.125'/></geometry></visual>"
    "<collision><geometry><cylinder radius='0.3' length='0.7'/></geometry></collision></link>"
    "<link name='b'><inertial><mass value='0.1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial></link>"
    "<joint name='j' type='revolute'><origin xyz='0.1 0.2 0.3'/><parent link='a'/><child link='b'/><axis xyz='0.6 0 0.8'/>"
    "<limit lower='-1.5' upper='2.5' effort='87.5' velocity='2.175'/><dynamics damping='0.5' friction='0.25'/></joint></robot>";

struct Restore {
  std::string c = std::setlocale(LC_ALL, nullptr);
  std::locale cpp;
  ~Restore() {
    std::locale::global(cpp);
    std::setlocale(LC_ALL, c.c_str());
  }
};

void same(const figure::Skeleton& a, const figure::Skeleton& b) {
  CHECK(a.links[0].mass == b.links[0].mass);
  CHECK(a.links[0].com == b.links[0].com);
  CHECK(a.links[0].inertia == b.links[0].inertia);
  CHECK(a.links[0].shapes[0].geometry.size == b.links[0].shapes[0].geometry.size);
  REQUIRE(a.links[0].visuals.size() == 1);
  REQUIRE(b.links[0].visuals.size() == 1);
  for (std::size_t i = 0; i < a.links[0].visuals[0].geometry.mesh->vertices.size(); ++i)
    CHECK(a.links[0].visuals[0].geometry.mesh->vertices[i] == b.links[0].visuals[0].geometry.mesh->vertices[i]);
  CHECK(a.joints[0].inParent.p == b.joints[0].inParent.p);
  CHECK(a.joints[0].axis == b.joints[0].axis);
  CHECK(a.joints[0].axes[0].lower == b.joints[0].axes[0].lower);
  CHECK(a.joints[0].axes[0].velocity == b.joints[0].axes[0].velocity);
  CHECK(a.joints[0].axes[0].friction == b.joints[0].axes[0].friction);
}

class Listener : public console_bridge::OutputHandler {
 public:
  int heard = 0;
  void log(const std::string&, console_bridge::LogLevel, const char*, int) override { ++heard; }
};

}  // namespace

TEST_CASE("Numbers are the same under de_DE") {
  const std::string path = test::sourceDir() + "/tests/urdf/robot.urdf";
  Restore restore;
  figure::Skeleton before, after;
  Diagnostics d, e;
  REQUIRE(loadUrdfText(kText, path, {}, before, d));
  CHECK(before.joints[0].axes[0].effort == 87.5);
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) {
    WARN("skipped: locale de_DE.UTF-8 is not installed");
    return;
  }
  std::locale::global(std::locale("de_DE.UTF-8"));
  REQUIRE(std::strcmp(std::localeconv()->decimal_point, ",") == 0);
  REQUIRE(loadUrdfText(kText, path, {}, after, e));
  same(before, after);
  CHECK(d.text() == e.text());
  CHECK(std::strcmp(std::localeconv()->decimal_point, ",") == 0);  // the host's setting is unchanged
}

TEST_CASE("The host's log handler is back after a load and received no message of the library") {
  Listener listener;
  console_bridge::OutputHandler* before = console_bridge::getOutputHandler();
  console_bridge::useOutputHandler(&listener);
  figure::Skeleton s;
  Diagnostics d;
  for (const char* text : {kText, "<robot name='r'><link name='a'/><link name='a'/></robot>", "<robot/>", ""})
    loadUrdfText(text, "x", {}, s, d);
  CHECK(console_bridge::getOutputHandler() == &listener);
  CHECK(listener.heard == 0);
  CONSOLE_BRIDGE_logError("the host's own word");
  CHECK(listener.heard == 1);
  console_bridge::useOutputHandler(before);
}
