// Load, save, load: the same skeleton, for the faulty files of the tests, the models of this project and the shared robots.
#include <filesystem>

#include "engine/math/rotation.hpp"
#include "tests/loaders/urdf/urdf_support.hpp"

using namespace vertebra;

namespace {

void same(const figure::Skeleton& a, const figure::Skeleton& b) {
  REQUIRE(a.links.size() == b.links.size());
  REQUIRE(a.joints.size() == b.joints.size());
  CHECK(a.name == b.name);
  CHECK(a.root == b.root);
  CHECK(a.floatingByDefault == b.floatingByDefault);
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    const figure::LinkDescription &x = a.links[i], &y = b.links[i];
    INFO(x.name);
    CHECK(x.name == y.name);
    CHECK(x.mass == y.mass);
    CHECK(x.com == y.com);
    CHECK(x.inertia == y.inertia);
    CHECK(x.shapes.size() == y.shapes.size());
  }
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    const figure::JointDescription &x = a.joints[i], &y = b.joints[i];
    INFO(x.name);
    CHECK(x.name == y.name);
    CHECK(dynamics::jointNv(x.type) == dynamics::jointNv(y.type));
    CHECK(x.parent == y.parent);
    CHECK(x.child == y.child);
    CHECK(x.loop == y.loop);
    CHECK(x.inParent.p == y.inParent.p);
    CHECK(std::abs(std::abs(x.inParent.q.dot(y.inParent.q)) - 1) < 1e-14);
    if (dynamics::jointNv(x.type) == 1 || x.type == dynamics::JointType::Planar) CHECK((x.axis - y.axis).norm() < 1e-15);
    CHECK(x.mimic.master == y.mimic.master);
    CHECK(x.mimic.multiplier == y.mimic.multiplier);
    CHECK(x.mimic.offset == y.mimic.offset);
    CHECK(x.hasSafety == y.hasSafety);
    CHECK(x.safetyKVelocity == y.safetyKVelocity);
    for (int k = 0; k < dynamics::jointNv(x.type); ++k) {
      CHECK(x.axes[k].damping == y.axes[k].damping);
      CHECK(x.axes[k].friction == y.axes[k].friction);
      if (dynamics::jointNv(x.type) > 1) continue;
      CHECK(x.axes[k].lower == y.axes[k].lower);
      CHECK(x.axes[k].upper == y.axes[k].upper);
      CHECK(x.axes[k].velocity == y.axes[k].velocity);
      CHECK(x.axes[k].effort == y.axes[k].effort);
    }
  }
}

int roundTrips(const std::string& folder) {
  int count = 0;
  for (const auto& e : std::filesystem::recursive_directory_iterator(folder)) {
    if (e.path().extension() != ".urdf") continue;
    INFO(e.path().string());
    UrdfOptions options;
    options.loadMeshes = false;
    figure::Skeleton first, second;
    Diagnostics d;
    if (!loadUrdfFile(e.path().string(), options, first, d)) continue;
    std::string text;
    REQUIRE(writeUrdf(first, text, d));
    options.invalidInertia = UrdfOptions::InvalidInertia::Keep;  // repaired values must not be repaired again
    bool good = loadUrdfText(text, "written.urdf", options, second, d);
    INFO(d.text());
    REQUIRE(good);
    same(first, second);
    ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("A written file loads as the same skeleton") {
  CHECK(roundTrips(test::sourceDir() + "/tests/urdf") > 60);
  CHECK(roundTrips(test::sourceDir() + "/models") >= 4);
  if (!test::sharedData().empty()) CHECK(roundTrips(test::sharedData() + "/urdf") >= 29);
}

TEST_CASE("What URDF cannot express is reported, or refused") {
  figure::Skeleton s =
      test::loadText(test::twoLinks("revolute", "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='1' velocity='1'/>"));
  s.joints[0].axes[0].armature = 0.1;
  std::string text;
  Diagnostics d;
  CHECK(writeUrdf(s, text, d));
  CHECK(d.text().find("armature") != std::string::npos);
  s.joints[0].inChild.p = Vec3(0, 0, 1);
  text = "untouched";
  CHECK(!writeUrdf(s, text, d));
  CHECK(text == "untouched");
  CHECK(d.firstError()->code == "urdf.write.frame");
}
