// Trees, loops, roots, mimic chains and pairs that never collide.
#include "engine/math/rotation.hpp"
#include "loaders/urdf/urdf.hpp"
#include "tests/loaders/urdf/urdf_support.hpp"

using namespace vertebra;
using test::jointText;
using test::loadText;
using test::solidLink;

namespace {

std::string robot(const std::string& inside) { return "<robot name='r'>" + inside + "</robot>"; }
const std::string kHinge = "<axis xyz='0 0 1'/>";
std::string follows(const std::string& master, const std::string& rest = "") {
  return kHinge + "<mimic joint='" + master + "' " + rest + "/>";
}
bool apart(const figure::Skeleton& s, const char* a, const char* b) {
  int i = s.findLink(a), k = s.findLink(b);
  std::pair<int, int> pair(std::min(i, k), std::max(i, k));
  return std::find(s.uncollidable.begin(), s.uncollidable.end(), pair) != s.uncollidable.end();
}

}  // namespace

TEST_CASE("Links and joints keep the order of the file, whatever the order of the tree") {
  figure::Skeleton s = loadText(robot(jointText("two", "continuous", "b", "c", kHinge) + solidLink("c") + solidLink("a") +
                                      jointText("one", "continuous", "a", "b", kHinge) + solidLink("b")));
  CHECK(s.links[0].name == "c");
  CHECK(s.links[2].name == "b");
  CHECK(s.joints[0].name == "two");
  CHECK(s.links[s.root].name == "a");
  CHECK(s.floatingByDefault);
}

TEST_CASE("A link in which the robot only floats is the world, not its root") {
  const std::string body =
      solidLink("pelvis") + solidLink("thigh") + solidLink("shin") + jointText("hip", "continuous", "pelvis", "thigh", kHinge);
  const std::string floats = jointText("base", "floating", "world", "pelvis", "<origin xyz='0 0 0.8'/>");
  const std::string knee = jointText("knee", "continuous", "thigh", "shin", follows("hip"));
  for (const std::string& text : {"<link name='world'/>" + floats + body + knee, body + knee + floats + "<link name='world'/>"}) {
    const figure::Skeleton s = loadText(robot(text)), plain = loadText(robot(body + knee));
    CHECK(s.links[s.root].name == "pelvis");
    CHECK(s.floatingByDefault);
    REQUIRE(s.links.size() == plain.links.size());
    REQUIRE(s.joints.size() == plain.joints.size());
    for (std::size_t i = 0; i < s.joints.size(); i++) {
      CHECK(s.joints[i].name == plain.joints[i].name);
      CHECK(s.links[s.joints[i].parent].name == plain.links[plain.joints[i].parent].name);
      CHECK(s.links[s.joints[i].child].name == plain.links[plain.joints[i].child].name);
      CHECK(s.joints[i].mimic.master == plain.joints[i].mimic.master);
    }
  }
  // With more than that to it, the root stays: a weight, a shape, a second joint.
  for (const std::string& more : {solidLink("world") + floats + body, "<link name='world'/>" + floats + body + solidLink("wall") +
                                                                          jointText("stands", "fixed", "world", "wall")}) {
    const figure::Skeleton s = loadText(robot(more));
    CHECK(s.links[s.root].name == "world");
    CHECK(s.findJoint("base") >= 0);
  }
}

TEST_CASE("A root named world, or weighing 0 by its own account, stands still") {
  CHECK(!loadText(robot("<link name='world'/>" + solidLink("a") + jointText("j", "fixed", "world", "a"))).floatingByDefault);
  CHECK(
      !loadText(
           robot(
               "<link name='base'><inertial><mass value='0'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial></link>"))
           .floatingByDefault);
  CHECK(loadText(robot("<link name='base'/>" + solidLink("a") + jointText("j", "fixed", "base", "a"))).floatingByDefault);
}

TEST_CASE("Mimic: chains keep each master, offsets and factors") {
  figure::Skeleton s =
      loadText(robot(solidLink("a") + solidLink("b") + solidLink("c") + solidLink("d") +
                     jointText("third", "continuous", "c", "d", follows("second", "multiplier='-2' offset='0.5'")) +
                     jointText("second", "continuous", "b", "c", follows("first")) + jointText("first", "continuous", "a", "b", kHinge)));
  CHECK(s.joints[0].mimic.master == 1);
  CHECK(s.joints[0].mimic.multiplier == -2);
  CHECK(s.joints[0].mimic.offset == 0.5);
  CHECK(s.joints[1].mimic.master == 2);
  CHECK(s.joints[1].mimic.multiplier == 1);
  CHECK(s.joints[2].mimic.master == -1);
}

TEST_CASE("Mimic of a fixed master: held at the offset, through a chain too") {
  Diagnostics d;
  figure::Skeleton s = loadText(
      robot(solidLink("a") + solidLink("b") + solidLink("c") + solidLink("d") + jointText("first", "fixed", "a", "b") +
            jointText("second", "continuous", "b", "c", follows("first", "offset='0.5'")) +
            jointText("third", "prismatic", "c", "d",
                      "<limit lower='-9' upper='9' effort='1' velocity='1'/>" + follows("second", "multiplier='2' offset='0.25'"))),
      {}, &d);
  CHECK(s.joints[1].type == dynamics::JointType::Fixed);
  CHECK(s.joints[2].type == dynamics::JointType::Fixed);
  CHECK(s.joints[1].inParent.q.isApprox(quatFromAxisAngle(Vec3::UnitZ(), 0.5), 1e-15));
  CHECK((s.joints[2].inParent.p - Vec3(0, 0, 1.25)).norm() < 1e-15);  // 2 * 0.5 + 0.25
  CHECK(test::countOf(d, "urdf.mimic.fixed-master") == 2);
}

TEST_CASE("Mimic cycles are cut once, wherever they are entered") {
  for (int n : {2, 3, 7}) {
    std::string text = solidLink("l0");
    for (int i = 0; i < n; ++i) {
      std::string k = std::to_string(i);
      text += solidLink("l" + std::to_string(i + 1)) +
              jointText("j" + k, "continuous", "l" + k, "l" + std::to_string(i + 1), follows("j" + std::to_string((i + 1) % n)));
    }
    text += solidLink("tail") + jointText("tail", "continuous", "l0", "tail", follows("j0"));
    Diagnostics d;
    figure::Skeleton s = loadText(robot(text), {}, &d);
    CHECK(test::countOf(d, "urdf.mimic.cycle") == 1);
    int free = 0;
    for (const figure::JointDescription& j : s.joints) free += j.mimic.master < 0;
    CHECK(free == 1);
  }
}

TEST_CASE("A second parent and a cycle become loop joints, the rest stays one tree") {
  Diagnostics d;
  figure::Skeleton s = loadText(robot(solidLink("a") + solidLink("b") + solidLink("c") + jointText("ab", "continuous", "a", "b", kHinge) +
                                      jointText("ac", "continuous", "a", "c", kHinge) + jointText("bc", "continuous", "b", "c", kHinge)),
                                {}, &d);
  CHECK(!s.joints[0].loop);
  CHECK(!s.joints[1].loop);
  CHECK(s.joints[2].loop);
  s = loadText(robot(solidLink("a") + solidLink("b") + solidLink("c") + jointText("ab", "continuous", "a", "b", kHinge) +
                     jointText("bc", "continuous", "b", "c", kHinge) + jointText("ca", "continuous", "c", "a", kHinge)),
               {}, &d);
  CHECK(s.joints[2].loop);
  CHECK(s.links[s.root].name == "a");
}

TEST_CASE("Several roots hang under one world link that stands still") {
  figure::Skeleton s = loadText(robot(solidLink("a") + solidLink("b") + solidLink("c") + jointText("ab", "continuous", "a", "b", kHinge)));
  CHECK(s.links[s.root].name == "world");
  CHECK(s.links[s.root].mass == 0);
  CHECK(!s.floatingByDefault);
  REQUIRE(s.joints.size() == 3);
  CHECK(s.joints[1].type == dynamics::JointType::Fixed);
  s = loadText(robot(solidLink("a") + "<link name='world'/>"));
  CHECK(s.links.size() == 2);
  CHECK(s.links[s.root].name == "world");
}

TEST_CASE("Links that overlap at the zero pose never collide and are reported; those apart, or only touching, do") {
  auto ball = [](const std::string& n) {
    return "<link name='" + n +
           "'><inertial><mass value='1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial>"
           "<collision><geometry><sphere radius='0.5'/></geometry></collision></link>";
  };
  auto hinge = [](const std::string& n, const std::string& p, const std::string& c, const std::string& xyz) {
    return jointText(n, "continuous", p, c, "<origin xyz='" + xyz + "'/>" + kHinge);
  };
  // a - b - c - d: c comes back into a; d stands a diameter from a, and b far out.
  const std::string text = robot(ball("a") + ball("b") + ball("c") + ball("d") + hinge("ab", "a", "b", "5 0 0") +
                                 hinge("bc", "b", "c", "-5 0.75 0") + hinge("cd", "c", "d", "0 -0.75 1"));
  Diagnostics d;
  figure::Skeleton s = loadText(text, {}, &d);
  CHECK(apart(s, "a", "c"));
  CHECK(!apart(s, "a", "d"));
  CHECK(!apart(s, "b", "d"));
  REQUIRE(test::countOf(d, "urdf.pairs.overlap") == 1);
  CHECK(d.text().find("link 'a' and link 'c': their collision shapes overlap by 250 mm") != std::string::npos);
  UrdfOptions options;
  options.separateOverlaps = false;
  CHECK(!apart(loadText(text, options), "a", "c"));
}

TEST_CASE("Many overlaps are one finding that counts them and names the deepest") {
  auto sphereAt = [](const std::string& n, double x) {
    const std::string origin = "<origin xyz='" + std::to_string(x) + " 0 0'/>";
    return "<link name='" + n + "'><inertial>" + origin +
           "<mass value='1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial>"
           "<collision>" +
           origin + "<geometry><sphere radius='0.1'/></geometry></collision></link>";
  };
  // n links on hinges of a base, in a row: link i overlaps the next by 10 i mm.
  auto row = [&](int n) {
    std::string text = sphereAt("base", -9);
    for (int i = 0; i < n; i++) {
      const std::string name = "l" + std::to_string(i);
      text += sphereAt(name, 0.2 * i - 0.01 * i * (i - 1) / 2);
      text += jointText("j" + std::to_string(i), "continuous", "base", name, kHinge);
    }
    return robot(text);
  };
  Diagnostics few, many;
  loadText(row(4), {}, &few);
  REQUIRE(test::countOf(few, "urdf.pairs.overlap") == 2);
  loadText(row(8), {}, &many);
  REQUIRE(test::countOf(many, "urdf.pairs.overlap") == 1);
  const std::string text = many.text();
  INFO(text);
  CHECK(text.find("robot: 6 pairs of links") != std::string::npos);
  CHECK(text.find("deepest: link 'l6' and link 'l7' by 60 mm, link 'l5' and link 'l6' by 50 mm, link 'l4' and link 'l5' by 40 mm") !=
        std::string::npos);
  CHECK(text.find("'l3'") == std::string::npos);
  const figure::Skeleton s = loadText(row(8), {}, &many);
  for (int i = 1; i < 7; i++) CHECK(apart(s, ("l" + std::to_string(i)).c_str(), ("l" + std::to_string(i + 1)).c_str()));
  CHECK(!apart(s, "l0", "l1"));
}

TEST_CASE("Neighbours never touch, also across links that are fixed together") {
  auto shaped = [](const std::string& n) {
    return "<link name='" + n +
           "'><inertial><mass value='1'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial>"
           "<collision><geometry><sphere radius='0.1'/></geometry></collision></link>";
  };
  UrdfOptions options;
  options.separateOverlaps = false;
  figure::Skeleton s = loadText(robot(shaped("a") + shaped("a2") + shaped("b") + shaped("b2") + shaped("c") +
                                      jointText("f", "fixed", "a", "a2") + jointText("ab", "continuous", "a", "b", kHinge) +
                                      jointText("g", "fixed", "b", "b2") + jointText("bc", "continuous", "b2", "c", kHinge)),
                                options);
  for (auto [x, y] : {std::pair("a", "a2"), std::pair("a", "b"), std::pair("a2", "b2"), std::pair("a2", "b"), std::pair("b", "c"),
                      std::pair("b2", "c")}) {
    INFO(x << " " << y);
    CHECK(apart(s, x, y));
  }
  CHECK(!apart(s, "a", "c"));
  CHECK(!apart(s, "a2", "c"));
}
