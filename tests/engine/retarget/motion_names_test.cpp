// Motions whose names mislead or say only a part: segments of limbs, helpers named as feet and hands, arms without hands.
#include <sstream>

#include "engine/retarget/roles.hpp"
#include "tests/engine/retarget/walker.hpp"

using namespace vertebra;
using namespace vertebra::retarget;

namespace {

// The walk with joints that do not move, each written before the joint of that name; `within`: as its parent, else beside it.
std::string withJoint(std::string text, const std::string& before, const std::string& name, const std::string& offset, bool within) {
  const std::size_t at = text.find("JOINT " + before + "\n");
  REQUIRE(at != std::string::npos);
  const std::string open = "JOINT " + name + "\n{\nOFFSET " + offset + "\nCHANNELS 0\n";
  if (within) text.insert(text.find("}\n}\n}\n", at), "}\n");
  text.insert(at, within ? open : open + "End Site\n{\nOFFSET 0 0 5\n}\n}\n");
  return text;
}

// The walk's arms end with their forearms.
std::string withoutHands() {
  std::string text = walker::bvh(1);
  for (const char* name : {"LeftHand", "RightHand"}) {
    const std::size_t at = text.find(std::string("JOINT ") + name), end = text.find("End Site", at), close = text.find("}\n", end);
    text.erase(close, 2).erase(at, end - at);
  }
  std::istringstream in(text);
  std::string out, line;
  for (bool motion = false; std::getline(in, line);) {
    std::istringstream numbers(line);
    std::string number;
    for (int column = 0; motion && numbers >> number; column++)
      if (column < 45 || (column > 47 && column < 57) || column > 59) out += number + " ";
    out += motion ? "\n" : line + "\n";
    motion = motion || line.rfind("Frame Time", 0) == 0;
  }
  return out;
}

void checkLimbs(const std::string& text, bool hands = true) {
  const figure::Motion m = walker::motion(text);
  Roles roles;
  const std::string wrong = findRoles(m, {}, roles);
  INFO(wrong);
  REQUIRE(wrong.empty());
  const auto name = [&](Role r) { return roles[r] < 0 ? "" : m.joints[static_cast<std::size_t>(roles[r])].name; };
  for (int side = 0; side < 2; side++) {
    const std::string s = side ? "Right" : "Left";
    CHECK(name(sided(side, Role::LeftHip)) == s + "UpLeg");
    CHECK(name(sided(side, Role::LeftKnee)) == s + "Leg");
    CHECK(name(sided(side, Role::LeftFoot)) == s + "Foot");
    CHECK(name(sided(side, Role::LeftShoulder)) == s + "Arm");
    CHECK(name(sided(side, Role::LeftElbow)) == s + "ForeArm");
    CHECK(name(sided(side, Role::LeftHand)) == (hands ? s + "Hand" : ""));
  }
  CHECK(name(Role::Head) == "Head");
}

}  // namespace

TEST_CASE("segments of a thigh, shin or arm that never bend are no knee or elbow, whatever their names") {
  std::string text = walker::bvh(1);
  for (const std::string s : {"Left", "Right"}) {
    const std::string out = s == "Left" ? "" : "-";
    text = withJoint(text, s + "Foot", s + "LegPart", "0 -15 0", true);
    text = withJoint(text, s + "Leg", s + "UpLegPart", "0 -20 0", true);
    text = withJoint(text, s + "Hand", s + "ForeArmPart", out + "10 0 0", true);
  }
  checkLimbs(text);
  checkLimbs(walker::bvh(0));  // a straight elbow or knee is one where no other bends
}

TEST_CASE("helpers below the hips that are named as feet and hands are passed over") {
  std::string text = walker::bvh(1);
  for (const char* name : {"FloorContactLeftFoot", "FloorContactRightFoot", "LeftHandProp", "RightHandProp"})
    text = withJoint(text, "LeftUpLeg", name, "5 -80 0", false);
  checkLimbs(text);
}

TEST_CASE("an arm without a hand ends with its forearm") { checkLimbs(withoutHands(), false); }

TEST_CASE("a head without a name is the highest end") {
  walker::Names names;
  names.head = "spine.006";
  std::string text = walker::bvh(1, 30, names);
  text.replace(text.find("JOINT Neck"), 10, "JOINT spine.005");
  const figure::Motion m = walker::motion(text);
  Roles roles;
  REQUIRE(findRoles(m, {}, roles).empty());
  REQUIRE(roles[Role::Head] >= 0);
  CHECK(m.joints[static_cast<std::size_t>(roles[Role::Head])].name == "spine.006");
}
