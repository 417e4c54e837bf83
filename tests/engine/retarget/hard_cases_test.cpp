// What is no two-legged figure, or hardly a motion: a clear refusal, or a result that is sensible.
#include "engine/retarget/measure.hpp"
#include "engine/retarget/retarget.hpp"
#include "tests/engine/retarget/walker.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::retarget;

namespace {

std::string link(const std::string& name) {
  return "<link name=\"" + name +
         "\"><inertial><mass value=\"1\"/><inertia ixx=\"0.01\" iyy=\"0.01\" izz=\"0.01\" ixy=\"0\" ixz=\"0\" "
         "iyz=\"0\"/></inertial></link>\n";
}
std::string joint(const std::string& name, const std::string& parent, const std::string& at) {
  return link(name) + "<joint name=\"" + name + "_j\" type=\"revolute\"><parent link=\"" + parent + "\"/><child link=\"" + name +
         "\"/><origin xyz=\"" + at + "\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" effort=\"9\" velocity=\"9\"/></joint>\n";
}
std::string leg(const std::string& prefix, const std::string& at, const std::string& last = "foot") {
  std::string out = joint(prefix + "thigh", "base", at) + joint(prefix + "shin", prefix + "thigh", "0 0 -0.3");
  return last.empty() ? out : out + joint(prefix + last, prefix + "shin", "0 0 -0.3");
}
std::string robot(const std::string& parts) { return "<robot name=\"made\">" + link("base") + parts + "</robot>"; }

std::string refused(const std::string& urdf) {
  Result result;
  const std::string wrong = retarget::retarget(walker::motion(walker::bvh(0.5)), walker::model(urdf), {}, result);
  CHECK(result.trajectory.frames() == 0);
  return wrong;
}
bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("figures with one leg, no leg, or more than two are refused with the reason") {
  CHECK(contains(refused(robot(leg("left_", "0 0.1 0"))), "right_hip"));
  CHECK(contains(refused(robot(leg("a", "0 0.1 0"))), "left_hip"));
  CHECK(contains(refused(robot("")), "left_hip"));
  const std::string four = leg("a", "0.3 0.1 0") + leg("b", "0.3 -0.1 0") + leg("c", "-0.3 0.1 0") + leg("d", "-0.3 -0.1 0");
  CHECK(contains(refused(robot(four)), "more than two legs"));
  const std::string named = leg("front_left_", "0.3 0.1 0") + leg("front_right_", "0.3 -0.1 0") + leg("rear_left_", "-0.3 0.1 0") +
                            leg("rear_right_", "-0.3 -0.1 0");
  CHECK(contains(refused(robot(named)), "more than one leg on a side"));
  // A map says which legs to take.
  Settings settings;
  for (int side = 0; side < 2; side++) settings.map.link[sided(side, Role::LeftFoot)] = side ? "rear_right_foot" : "rear_left_foot";
  Result result;
  const std::string wrong = retarget::retarget(walker::motion(walker::bvh(0.5)), walker::model(robot(named)), settings, result);
  INFO(wrong);
  REQUIRE(wrong.empty());
  CHECK(result.matches[static_cast<std::size_t>(Role::LeftHip)].link == "rear_left_thigh");
}

TEST_CASE("a figure without feet walks on the ends of its shins") {
  std::string legs = leg("left_", "0 0.1 0", "") + leg("right_", "0 -0.1 0", "");
  for (const char* name : {"left_shin", "right_shin"}) {
    const std::string open = std::string("<link name=\"") + name + "\">";
    legs.insert(legs.find(open) + open.size(),
                "<collision><origin xyz=\"0 0 -0.15\"/><geometry><box size=\"0.06 0.06 0.3\"/></geometry></collision>");
  }
  const auto model = walker::model(robot(legs));
  const figure::Motion motion = walker::motion(walker::bvh(1));
  Result result;
  const std::string wrong = retarget::retarget(motion, model, {}, result);
  INFO(wrong);
  REQUIRE(wrong.empty());
  Measures m;
  REQUIRE(measure(motion, model, {}, result.trajectory, m).empty());
  CHECK(m.limitFrames == 0);
  CHECK(m.depthMost < 5e-3);
  CHECK(m.contactKept == 1);
  for (int i = 0; i < result.trajectory.frames(); i++) CHECK(result.trajectory.frame(i)[2] == Approx(0.5).margin(0.15));
}

TEST_CASE("one frame, one frame a second and a thousand are motions like others") {
  const auto model = walker::model(walker::robot());
  for (const double rate : {1.0, 1000.0})
    for (const double seconds : {0.0, 1.0}) {
      Result result;
      const std::string wrong = retarget::retarget(walker::motion(walker::bvh(seconds, rate)), model, {}, result);
      INFO(wrong);
      REQUIRE(wrong.empty());
      CHECK(result.trajectory.frames() == static_cast<int>(seconds * rate) + 1);
      for (const double x : result.trajectory.q) REQUIRE(std::isfinite(x));
      for (int i = 0; i < result.trajectory.frames(); i++) CHECK(result.trajectory.frame(i)[2] == Approx(0.75).margin(0.15));
    }
}

TEST_CASE("numbers of a BVH that are none are refused by its reader") {
  std::string text = walker::bvh(0.1);
  const std::size_t at = text.rfind("20");
  REQUIRE(at != std::string::npos);
  for (const char* bad : {"nan", "inf", "-nan"}) {
    std::string broken = text;
    broken.replace(at, 2, bad);
    figure::Motion m;
    Diagnostics findings;
    BvhOptions options;
    options.unit = 0.01;
    if (!loadBvhText(broken, "bad.bvh", options, m, findings)) {
      CHECK(findings.hasErrors());
      continue;
    }
    Result result;  // repaired by the reader, and said so
    CHECK(!findings.entries.empty());
    retarget::retarget(m, walker::model(walker::robot()), {}, result);
    for (const double x : result.trajectory.q) REQUIRE(std::isfinite(x));
  }
}

TEST_CASE("a real quadruped is refused: it walks on more than two legs") {
  REQUIRE_SHARED_DATA();
  figure::Skeleton skeleton;
  Diagnostics findings;
  REQUIRE(loadUrdfFile(test::sharedData() + "/urdf/a1_description/urdf/a1.urdf", {}, skeleton, findings));
  const auto model = figure::makeFigureModel(std::make_shared<const figure::Skeleton>(std::move(skeleton)), figure::BaseKind::Floating);
  Result result;
  CHECK(contains(retarget::retarget(walker::motion(walker::bvh(0.5)), model, {}, result), "more than two legs"));
}
