// Roles found by names of the usual families, by shape where names say nothing or mislead, and by maps.
#include "engine/retarget/guess.hpp"
#include "engine/retarget/retarget.hpp"
#include "engine/retarget/target.hpp"
#include "tests/engine/retarget/walker.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::retarget;

namespace {

// The names of one family; in `n` the marks left and right stand before a part, or behind it.
struct Family {
  const char* name;
  walker::Names n;
};

walker::Names before(const char* left, const char* right, const char* hips, const char* upLeg, const char* leg, const char* foot,
                     const char* toe, const char* clavicle, const char* arm, const char* foreArm, const char* hand, const char* head) {
  return {hips, upLeg, leg, foot, toe, clavicle, arm, foreArm, hand, left, right, head, false};
}
walker::Names behind(const char* left, const char* right, const char* hips, const char* upLeg, const char* leg, const char* foot,
                     const char* toe, const char* clavicle, const char* arm, const char* foreArm, const char* hand, const char* head) {
  return {hips, upLeg, leg, foot, toe, clavicle, arm, foreArm, hand, left, right, head, true};
}

const Family kFamilies[] = {
    {"MotionBuilder, HumanIK", {}},
    {"Mixamo", before("mixamorig:Left", "mixamorig:Right", "mixamorig:Hips", "UpLeg", "Leg", "Foot", "ToeBase", "Shoulder", "Arm",
                      "ForeArm", "Hand", "mixamorig:Head")},
    {"CMU, as of ASF", before("l", "r", "root", "femur", "tibia", "foot", "toes", "clavicle", "humerus", "radius", "hand", "head")},
    {"Bandai",
     behind("L", "R", "Hips", "UpperLeg_", "LowerLeg_", "Foot_", "Toes_", "Shoulder_", "UpperArm_", "LowerArm_", "Hand_", "Head")},
    {"LAFAN1", before("Left", "Right", "Hips", "UpLeg", "Leg", "Foot", "Toe", "Shoulder", "Arm", "ForeArm", "Hand", "Head")},
    {"SOMA: a thigh named LeftLeg",
     before("Left", "Right", "Hips", "Leg", "Shin", "Foot", "ToeBase", "Shoulder", "Arm", "ForeArm", "Hand", "Head")},
    {"Xsens", before("Left", "Right", "Hips", "UpperLeg", "LowerLeg", "Foot", "Toe", "Shoulder", "UpperArm", "ForeArm", "Hand", "Head")},
    {"Xsens MVN as BVH", before("Left", "Right", "Hips", "Hip", "Knee", "Ankle", "Toe", "Collar", "Shoulder", "Elbow", "Wrist", "Head")},
    {"Rokoko", before("Left", "Right", "Hips", "Thigh", "Shin", "Foot", "Toe", "Shoulder", "Arm", "ForeArm", "Hand", "Head")},
    {"Biped", before("Bip01_L_", "Bip01_R_", "Bip01_Pelvis", "Thigh", "Calf", "Foot", "Toe0", "Clavicle", "UpperArm", "Forearm", "Hand",
                     "Bip01_Head")},
    {"DAZ", before("l", "r", "hip", "Thigh", "Shin", "Foot", "Toe", "Collar", "Shldr", "ForeArm", "Hand", "head")},
    {"Rigify", behind(".L", ".R", "spine", "thigh", "shin", "foot", "toe", "shoulder", "upper_arm", "forearm", "hand", "head")},
    {"SMPL", before("L_", "R_", "Pelvis", "Hip", "Knee", "Ankle", "Foot", "Collar", "Shoulder", "Elbow", "Wrist", "Head")},
    {"Unreal", behind("_l", "_r", "pelvis", "thigh", "calf", "foot", "ball", "clavicle", "upperarm", "lowerarm", "hand", "head")},
    {"VRoid", before("J_Bip_L_", "J_Bip_R_", "J_Bip_C_Hips", "UpperLeg", "LowerLeg", "Foot", "ToeBase", "Shoulder", "UpperArm", "LowerArm",
                     "Hand", "J_Bip_C_Head")},
    {"left and right in small letters",
     before("left", "right", "hip", "Hip", "Knee", "Ankle", "Toe", "Collar", "Shoulder", "Elbow", "Wrist", "head")},
    {"names that say nothing", before("a", "b", "p0", "1", "2", "3", "4", "5", "6", "7", "8", "q9")},
};

constexpr Role kPoints[] = {Role::LeftHip,      Role::LeftKnee,  Role::LeftFoot, Role::LeftToe,
                            Role::LeftShoulder, Role::LeftElbow, Role::LeftHand};

void checkRoles(const figure::Motion& m, const Roles& roles, const walker::Names& n) {
  const auto name = [&](Role r) { return roles[r] < 0 ? "" : m.joints[static_cast<std::size_t>(roles[r])].name; };
  CHECK(name(Role::Pelvis) == n.hips);
  CHECK(name(Role::Head) == n.head);
  for (int side = 0; side < 2; side++) {
    const std::string wanted[] = {n.upLeg, n.leg, n.foot, n.toe, n.arm, n.foreArm, n.hand};
    for (std::size_t k = 0; k < std::size(kPoints); k++) CHECK(name(sided(side, kPoints[k])) == n.of(side, wanted[k]));
  }
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

// A biped whose joints and links are named otherwise: pairs of what walker::robot says and what to say instead, {side} as given.
std::string renamed(const std::vector<std::pair<std::string, std::string>>& parts, const std::string& left, const std::string& right) {
  std::string urdf = walker::robot();
  for (int side = 0; side < 2; side++)
    for (const auto& [from, to] : parts) {
      std::string name = to;
      replaceAll(name, "{}", side ? right : left);
      const std::string old = std::string(side ? "right_" : "left_") + from;
      replaceAll(urdf, "\"" + old + "_joint\"", "\"" + name + "\"");
      replaceAll(urdf, "\"" + old + "\"", "\"" + name + "_part\"");
    }
  return urdf;
}

const std::vector<std::string> kParts = {"hip_yaw",    "hip_roll",       "hip_pitch",     "knee",         "ankle_pitch",
                                         "ankle_roll", "shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow"};

std::vector<std::pair<std::string, std::string>> style(const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t i = 0; i < kParts.size(); i++) out.emplace_back(kParts[i], names[i]);
  return out;
}

}  // namespace

TEST_CASE("roles of motions are found in the usual families of names, and by shape where names say nothing") {
  for (const Family& family : kFamilies)
    for (const double heading : {0.0, 2.0}) {
      const figure::Motion m = walker::motion(walker::bvh(1, 30, family.n, 1, heading));
      Roles roles;
      INFO(family.name);
      const std::string wrong = findRoles(m, {}, roles);
      INFO(wrong);
      REQUIRE(wrong.empty());
      checkRoles(m, roles, family.n);
    }
  CHECK(words("mixamorig:LeftUpLeg") == std::vector<std::string>{"left", "up", "leg"});
  CHECK(words("RLEG_HIP_R") == std::vector<std::string>{"r", "leg", "hip", "r"});
  CHECK(words("l_wrist_prosup") == std::vector<std::string>{"l", "wrist", "prosup"});
  CHECK(sideOf(words("LHipJoint")) == 0);
  CHECK(sideOf(words("arm_right_1_joint")) == 1);
  CHECK(sideOf(words("head_roll")) == -1);
}

TEST_CASE("a motion whose names say nothing gives the same result as one with names, standing still too") {
  const auto model = walker::model(walker::robot());
  const walker::Names none = kFamilies[std::size(kFamilies) - 1].n;
  for (const double seconds : {0.0, 1.0}) {
    Result named, bare;
    REQUIRE(retarget::retarget(walker::motion(walker::bvh(seconds)), model, {}, named).empty());
    REQUIRE(retarget::retarget(walker::motion(walker::bvh(seconds, 30, none)), model, {}, bare).empty());
    CHECK((named.trajectory.q == bare.trajectory.q));
  }
}

TEST_CASE("without names a long clavicle is no upper arm, and clavicles that start at one point do not exchange the arms") {
  const walker::Names none = kFamilies[std::size(kFamilies) - 1].n;
  for (const walker::Arm& arm :
       {walker::Arm{0, 20, 28, 18}, walker::Arm{0, 27, 28, 20}, walker::Arm{6, 24, 28, 20}, walker::Arm{0, 12, 28, 25}})
    for (const double heading : {0.0, 2.0}) {
      const figure::Motion m = walker::motion(walker::bvh(1, 30, none, 1, heading, arm));
      Roles roles;
      INFO("clavicle " << arm.clavicle << ", upper arm " << arm.upper << ", forearm " << arm.fore << " cm");
      REQUIRE(findRoles(m, {}, roles).empty());
      checkRoles(m, roles, none);
    }
}

TEST_CASE("real motions whose names are taken away have the same limbs on the same sides") {
  REQUIRE_SHARED_DATA();
  for (const auto& file : std::filesystem::directory_iterator(test::sharedData() + "/bvh")) {
    if (file.path().extension() != ".bvh") continue;
    INFO(file.path().filename().string());
    figure::Motion motion;
    Diagnostics findings;
    REQUIRE(loadBvhFile(file.path().string(), {}, motion, findings));
    Roles named, bare;
    REQUIRE(findRoles(motion, {}, named).empty());
    for (std::size_t j = 0; j < motion.joints.size(); j++) motion.joints[j].name = "j" + std::to_string(j);
    REQUIRE(findRoles(motion, {}, bare).empty());
    for (int r = 0; r < kRoles; r++)
      if (static_cast<Role>(r) != Role::Head) CHECK(named[static_cast<Role>(r)] == bare[static_cast<Role>(r)]);
  }
}

TEST_CASE("a map's names count before those found, and the others are found around them") {
  const figure::Motion m = walker::motion(walker::bvh(1));
  RoleMap map;
  map.joint[Role::LeftFoot] = "LeftToeBase";  // nonsense, but said so
  map.joint[Role::Head] = "Neck";
  Roles roles;
  REQUIRE(findRoles(m, map, roles).empty());
  const auto name = [&](Role r) { return m.joints[static_cast<std::size_t>(roles[r])].name; };
  CHECK(name(Role::LeftFoot) == "LeftToeBase");
  CHECK(name(Role::LeftKnee) == "LeftFoot");
  CHECK(name(Role::LeftHip) == "LeftLeg");
  CHECK(name(Role::Head) == "Neck");
  CHECK(name(Role::RightFoot) == "RightFoot");
  map = {};
  map.joint[Role::LeftKnee] = "RightLeg";
  CHECK(findRoles(m, map, roles).find("not one below the other") != std::string::npos);
  map = {};
  map.joint[Role::LeftHand] = "LeftPaw";
  CHECK(findRoles(m, map, roles).find("no joint 'LeftPaw'") != std::string::npos);
}

TEST_CASE("links of robots are found in the common styles of names, and by shape where names say nothing") {
  struct Style {
    const char* name;
    std::vector<std::string> parts;
    const char *left, *right;
  };
  const Style styles[] = {
      {"side first",
       {"{}_hip_yaw_joint", "{}_hip_roll_joint", "{}_hip_pitch_joint", "{}_knee_joint", "{}_ankle_pitch_joint", "{}_ankle_roll_joint",
        "{}_shoulder_pitch_joint", "{}_shoulder_roll_joint", "{}_shoulder_yaw_joint", "{}_elbow_joint"},
       "left",
       "right"},
      {"Atlas",
       {"{}_leg_hpz", "{}_leg_hpx", "{}_leg_hpy", "{}_leg_kny", "{}_leg_aky", "{}_leg_akx", "{}_arm_shz", "{}_arm_shx", "{}_arm_ely",
        "{}_arm_elx"},
       "l",
       "r"},
      {"HRP",
       {"{}LEG_JOINT0", "{}LEG_JOINT1", "{}LEG_JOINT2", "{}LEG_JOINT3", "{}LEG_JOINT4", "{}LEG_JOINT5", "{}ARM_JOINT0", "{}ARM_JOINT1",
        "{}ARM_JOINT2", "{}ARM_JOINT3"},
       "L",
       "R"},
      {"axes as letters",
       {"{}_HIP_Y", "{}_HIP_R", "{}_HIP_P", "{}_KNEE", "{}_ANKLE_P", "{}_ANKLE_R", "{}_SHOULDER_P", "{}_SHOULDER_R", "{}_SHOULDER_Y",
        "{}_ELBOW"},
       "L",
       "R"},
      {"NAO",
       {"{}HipYaw", "{}HipRoll", "{}HipPitch", "{}KneePitch", "{}AnklePitch", "{}AnkleRoll", "{}ShoulderPitch", "{}ShoulderRoll",
        "{}ElbowYaw", "{}ElbowRoll"},
       "L",
       "R"},
      {"numbered",
       {"leg_{}_1_joint", "leg_{}_2_joint", "leg_{}_3_joint", "leg_{}_4_joint", "leg_{}_5_joint", "leg_{}_6_joint", "arm_{}_1_joint",
        "arm_{}_2_joint", "arm_{}_3_joint", "arm_{}_4_joint"},
       "left",
       "right"},
      {"one word",
       {"{}HipYaw", "{}HipRoll", "{}HipPitch", "{}KneePitch", "{}AnklePitch", "{}AnkleRoll", "{}ShoulderPitch", "{}ShoulderRoll",
        "{}ShoulderYaw", "{}ElbowPitch"},
       "left",
       "right"},
      {"side last",
       {"hip_yaw_{}", "hip_roll_{}", "hip_pitch_{}", "knee_{}", "ankle_pitch_{}", "ankle_roll_{}", "shoulder_pitch_{}", "shoulder_roll_{}",
        "shoulder_yaw_{}", "elbow_{}"},
       "L",
       "R"},
      {"LimX: legs whose first joints do not say so",
       {"yaw_{}_Joint", "abad_{}_Joint", "hip_{}_Joint", "knee_pitch_{}_Joint", "ankle_pitch_{}_Joint", "ankle_roll_{}_Joint",
        "shoulder_pitch_{}_Joint", "shoulder_roll_{}_Joint", "shoulder_yaw_{}_Joint", "elbow_pitch_{}_Joint"},
       "L",
       "R"},
      {"COMAN: arms of which few joints say so; ankles that do not",
       {"{}HipYaw", "{}HipLat", "{}HipSag", "{}KneeSag", "{}x1", "{}x2", "{}ShSag", "{}ShLat", "{}ForearmYaw", "{}Forearm"},
       "left",
       "right"},
      {"names that say nothing", {"x{}0", "x{}1", "x{}2", "x{}3", "x{}4", "x{}5", "y{}0", "y{}1", "y{}2", "y{}3"}, "4", "7"},
  };
  const figure::Motion m = walker::motion(walker::bvh(0));
  for (const Style& s : styles)
    for (const double turn : {0.0, kPi}) {
      INFO(s.name);
      std::string urdf = renamed(style(s.parts), s.left, s.right);
      if (turn > 0) {
        urdf = walker::robot(turn);
        if (std::string(s.name) != "side first") continue;
      }
      const auto model = walker::model(urdf);
      RoleMap found;
      const std::string wrong = guess(m, model, {}, found);
      INFO(wrong);
      REQUIRE(wrong.empty());
      for (int side = 0; side < 2; side++) {
        const auto link = [&](std::size_t part) {
          if (turn > 0) return std::string(side ? "right_" : "left_") + kParts[part];
          std::string name = s.parts[part] + "_part";
          replaceAll(name, "{}", side ? s.right : s.left);
          return name;
        };
        CHECK(found.link[sided(side, Role::LeftHip)] == link(0));
        CHECK(found.link[sided(side, Role::LeftKnee)] == link(3));
        CHECK(found.link[sided(side, Role::LeftFoot)] == link(5));
        CHECK(found.link[sided(side, Role::LeftShoulder)] == link(6));
        CHECK(found.link[sided(side, Role::LeftElbow)] == link(9));
        CHECK(found.link[sided(side, Role::LeftHand)] == link(9));
      }
    }
}

TEST_CASE("fingers that are named as the hand is are no part of the arm") {
  std::string fingers;
  for (const char* s : {"left", "right"})
    for (int k = 0; k < 6; k++) {  // three of two joints
      const std::string name = s + std::string("_hand_") + std::to_string(k), above = s + std::string("_hand_") + std::to_string(k - 1);
      fingers += "<link name=\"" + name + "\"><inertial><mass value=\"0.1\"/><inertia ixx=\"1e-4\" iyy=\"1e-4\" izz=\"1e-4\" ixy=\"0\" " +
                 "ixz=\"0\" iyz=\"0\"/></inertial></link><joint name=\"" + name + "_joint\" type=\"revolute\"><parent link=\"" +
                 (k % 2 ? above : s + std::string("_elbow")) + "\"/><child link=\"" + name + "\"/><origin xyz=\"0 0.0" +
                 std::to_string(k / 2) + (k % 2 ? " -0.04" : " -0.25") +
                 "\"/><axis xyz=\"0 1 0\"/><limit lower=\"0\" upper=\"1\" effort=\"1\" velocity=\"5\"/></joint>";
    }
  std::string urdf = walker::robot();
  urdf.insert(urdf.find("</robot>"), fingers);
  RoleMap found;
  REQUIRE(guess(walker::motion(walker::bvh(0)), walker::model(urdf), {}, found).empty());
  CHECK(found.link[Role::LeftHand] == "left_elbow");
  CHECK(found.link[Role::RightHand] == "right_elbow");
}

TEST_CASE("a head is found by the name of its joint, and where one letter stands before the word") {
  for (const auto& [joint, link] : {std::pair("AAHead_yaw", "H1"), std::pair("zhead_1_joint", "zhead_1_link")}) {
    std::string urdf = walker::robot();
    replaceAll(urdf, "\"head_joint\"", "\"" + std::string(joint) + "\"");
    replaceAll(urdf, "\"head\"", "\"" + std::string(link) + "\"");
    RoleMap found;
    REQUIRE(guess(walker::motion(walker::bvh(0)), walker::model(urdf), {}, found).empty());
    CHECK(found.link[Role::Head] == link);
  }
}

TEST_CASE("real robots whose names are taken away have the same legs on the same sides, and face the same way") {
  REQUIRE_SHARED_DATA();
  for (const char* robot : {"/urdf/g1_description/g1_29dof_rev_1_0.urdf", "/urdf/talos_data/robots/talos_reduced.urdf",
                            "/urdf/icub_description/robots/icub.urdf", "/urdf/simple_humanoid_description/urdf/simple_humanoid.urdf"}) {
    INFO(robot);
    Target named, bare;
    REQUIRE(readTarget(walker::modelAt(test::sharedData() + robot), {}, named).empty());
    REQUIRE(readTarget(walker::modelAt(test::sharedData() + robot, false), {}, bare).empty());
    CHECK((named.stand - bare.stand).norm() < 1e-9);
    for (const Role r : {Role::LeftHip, Role::LeftKnee, Role::LeftFoot, Role::LeftShoulder, Role::LeftElbow})
      for (int side = 0; side < 2; side++) CHECK(named.at[sided(side, r)].body == bare.at[sided(side, r)].body);
  }
}

TEST_CASE("what is guessed, given as a map, gives the same result; a map replaces names that say nothing or mislead") {
  const figure::Motion m = walker::motion(walker::bvh(0.5));
  const auto model = walker::model(walker::robot());
  RoleMap found;
  REQUIRE(guess(m, model, {}, found).empty());
  Result plain, mapped;
  REQUIRE(retarget::retarget(m, model, {}, plain).empty());
  Settings settings;
  settings.map = found;
  REQUIRE(retarget::retarget(m, model, settings, mapped).empty());
  CHECK((plain.trajectory.q == mapped.trajectory.q));
  // Left for right: the figure crosses its legs, as told.
  RoleMap swapped = found;
  for (int r = 0; r < kSide; r++) std::swap(swapped.joint[static_cast<Role>(r)], swapped.joint[static_cast<Role>(r + kSide)]);
  settings.map = swapped;
  REQUIRE(retarget::retarget(m, model, settings, mapped).empty());
  CHECK(mapped.matches[static_cast<std::size_t>(Role::LeftHip)].joint == "RightUpLeg");
  // Wrong links.
  const auto refused = [&](Role role, const char* link) {
    Settings s;
    s.map.link[role] = link;
    Result none;
    return retarget::retarget(m, model, s, none);
  };
  CHECK(refused(Role::LeftFoot, "paw").find("no link 'paw'") != std::string::npos);
  CHECK(refused(Role::LeftToe, "left_ankle_roll").find("toes") != std::string::npos);
  CHECK(refused(Role::LeftKnee, "right_knee").find("both sides") != std::string::npos);
  CHECK(refused(Role::Pelvis, "left_knee").find("does not carry both legs") != std::string::npos);
  CHECK(refused(Role::LeftHip, "left_ankle_roll").find("left_hip") != std::string::npos);
}
