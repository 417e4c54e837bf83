// What is no two-legged figure, or hardly a motion: a clear refusal, or a result that is sensible.
#include <fstream>
#include <iterator>

#include "engine/retarget/goals.hpp"
#include "engine/retarget/measure.hpp"
#include "engine/retarget/online.hpp"
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
  std::string arms;  // are no legs for want of others
  for (const char* side : {"left_", "right_"}) {
    const std::string s = side;
    arms += joint(s + "shoulder", "base", s == "left_" ? "0 0.2 0.4" : "0 -0.2 0.4") + joint(s + "elbow", s + "shoulder", "0 0 -0.3") +
            joint(s + "hand", s + "elbow", "0 0 -0.3");
  }
  CHECK(contains(refused(robot(arms)), "left_hip"));
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

TEST_CASE("a leg whose ankle lacks an axis stands on soles as that leg can turn them, and the body keeps still above them") {
  // Were the soles to lie as the motion's, feet and hands would jerk 221 and 25 times as much as the motion's, and soles slide by 0.8 mm.
  std::ifstream file(test::sourceDir() + "/models/urdf/humanoid.urdf");
  std::string urdf((std::istreambuf_iterator<char>(file)), {});
  for (const char* name : {"left_ankle_roll", "right_ankle_roll"}) {
    const std::string open = std::string("<joint name=\"") + name + "\" type=\"revolute\"";
    const std::size_t at = urdf.find(open);
    REQUIRE(at != std::string::npos);
    urdf.replace(at, open.size(), std::string("<joint name=\"") + name + "\" type=\"fixed\"");
  }
  const auto model = walker::model(urdf);
  figure::Motion squat;
  Diagnostics findings;
  REQUIRE(loadBvhFile(test::sourceDir() + "/models/motions/squat.bvh", {}, squat, findings));
  Result result;
  REQUIRE(retarget::retarget(squat, model, {}, result).empty());
  Measures m;
  REQUIRE(measure(squat, model, {}, result.trajectory, m).empty());
  CHECK(m.contactKept == 1);
  CHECK(m.slideMost < 1e-4);
  CHECK(m.footJerk < 0.5);
  CHECK(m.handJerk < 1.5);
  CHECK(m.limitFrames == 0);
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

namespace {

// Without these links and the joints that carry them, and what hangs from them.
std::string without(std::string urdf, const std::vector<std::string>& links) {
  for (const std::string& link : links)
    for (const std::string& tag : {"<link name=\"" + link + "\">", "<joint name=\"" + link + "_joint\""}) {
      const std::size_t at = urdf.find(tag);
      REQUIRE(at != std::string::npos);
      urdf.erase(at, urdf.find('\n', at) + 1 - at);
    }
  return urdf;
}
std::vector<std::string> arm(const std::string& side) {
  return {side + "shoulder_pitch", side + "shoulder_roll", side + "shoulder_yaw", side + "elbow"};
}

// Joints below these, and they themselves, taken out of a motion.
figure::Motion cutOff(const figure::Motion& m, const std::vector<std::string>& tops) {
  figure::Motion out = m;
  out.joints.clear();
  out.values.clear();
  out.channelCount = 0;
  std::vector<int> at(m.joints.size(), -1);
  for (std::size_t j = 0; j < m.joints.size(); j++) {
    figure::MotionJoint joint = m.joints[j];
    const bool root = joint.parent < 0;
    if (std::find(tops.begin(), tops.end(), joint.name) != tops.end() || (!root && at[static_cast<std::size_t>(joint.parent)] < 0))
      continue;
    at[j] = static_cast<int>(out.joints.size());
    if (!root) joint.parent = at[static_cast<std::size_t>(joint.parent)];
    joint.firstChannel = out.channelCount;
    out.channelCount += static_cast<int>(joint.channels.size());
    out.joints.push_back(joint);
  }
  for (int i = 0; i < m.frames(); i++)
    for (std::size_t j = 0; j < m.joints.size(); j++)
      if (at[j] >= 0)
        out.values.insert(out.values.end(), m.frame(i) + m.joints[j].firstChannel,
                          m.frame(i) + m.joints[j].firstChannel + m.joints[j].channels.size());
  return out;
}

// Largest angle of the root link's z axis from the vertical, in both forms.
double largestTilt(const figure::Motion& motion, const std::shared_ptr<const figure::FigureModel>& model, const RoleMap& map = {}) {
  double worst = 0;
  const auto look = [&](const double* q) {
    for (int c = 0; c < model->nq(); c++) REQUIRE(std::isfinite(q[c]));
    const Quat turn(q[6], q[3], q[4], q[5]);
    worst = std::max(worst, std::acos(std::clamp((turn * Vec3::UnitZ()).z(), -1.0, 1.0)));
  };
  Settings settings;
  settings.map = map;
  Result result;
  const std::string wrong = retarget::retarget(motion, model, settings, result);
  INFO(wrong);
  REQUIRE(wrong.empty());
  for (int i = 0; i < result.trajectory.frames(); i++) look(result.trajectory.frame(i));
  std::unique_ptr<Online> online;
  REQUIRE(Online::create(motion, model, settings, 0.1, online).empty());
  std::vector<Pose> poses(motion.joints.size());
  std::vector<double> q(static_cast<std::size_t>(model->nq()));
  for (int i = 0; i < motion.frames(); i++) {
    figure::motionWorldPoses(motion, motion.frame(i), false, poses.data());
    if (online->push(poses.data(), q.data())) look(q.data());
  }
  while (online->finish(q.data())) look(q.data());
  return worst;
}

}  // namespace

TEST_CASE("motions and figures without an arm, both, a hand, a head: the figure stays upright, no arm is drawn to the pelvis") {
  const std::string whole = walker::robot();
  const auto with = walker::model(whole);
  const figure::Motion walk = walker::motion(walker::bvh(0.5));
  std::vector<std::string> arms = arm("left_"), right = arm("right_");
  const auto lone = walker::model(without(whole, arms)), other = walker::model(without(whole, right));
  arms.insert(arms.end(), right.begin(), right.end());
  const auto none = walker::model(without(whole, arms));
  arms.insert(arms.end(), {"torso", "head"});
  const auto legs = walker::model(without(whole, arms));
  const figure::Motion left = cutOff(walk, {"RightShoulder"}), armless = cutOff(walk, {"LeftShoulder", "RightShoulder"}),
                       handless = cutOff(walk, {"RightHand"}), low = cutOff(walk, {"Spine"}), headless = cutOff(walk, {"Neck"});
  const double most = kPi / 6;
  for (const auto& model : {with, lone, other, none, legs})
    for (const figure::Motion* m : {&walk, &left, &armless, &handless, &low, &headless}) {
      INFO(model->nv() << " velocities, " << m->joints.size() << " joints");
      CHECK(largestTilt(*m, model) < most);
    }
  // The height of a lone arm's shoulder above the hips is that of a pair's.
  for (const auto& model : {other, with}) {
    Source source;
    Target target;
    REQUIRE(readSource(left, 0, {}, source).empty());
    REQUIRE(readTarget(model, {}, target).empty());
    const FrameGoal goal = goalOf(source, target, 0, 1);
    CHECK(goal.wanted[Role::LeftHand]);
    CHECK(!goal.wanted[Role::RightHand]);
    CHECK(!goal.wanted[Role::RightShoulder]);
    CHECK(goal.p[Role::LeftShoulder].z() == Approx(0.45).margin(0.06));
    CHECK((goal.p[Role::LeftElbow] - goal.p[Role::LeftShoulder]).norm() == Approx(0.25).margin(0.01));
  }
}

TEST_CASE("a map that gives an elbow where no hand is found is completed upwards, or refused") {
  const figure::Motion handless = cutOff(walker::motion(walker::bvh(0.3)), {"LeftHand"});
  RoleMap map;
  map.joint[Role::LeftElbow] = "LeftForeArm";
  Roles roles;
  REQUIRE(findRoles(handless, map, roles).empty());
  REQUIRE(roles[Role::LeftShoulder] >= 0);
  CHECK(handless.joints[static_cast<std::size_t>(roles[Role::LeftShoulder])].name == "LeftArm");
  CHECK(largestTilt(handless, walker::model(walker::robot()), map) < kPi / 6);
  map.joint[Role::LeftShoulder] = "RightArm";
  CHECK(contains(findRoles(handless, map, roles), "not below"));
  map.joint[Role::LeftShoulder].clear();
  map.joint[Role::LeftElbow] = "Hips";
  CHECK(contains(findRoles(handless, map, roles), "left_shoulder"));
}

TEST_CASE("a map that takes the link that nothing moves for a part of a limb is refused, and no place is read from it") {
  const auto model =
      walker::model(robot(joint("one", "base", "0 0 0.1") + joint("two", "one", "0 0 0.3") + joint("three", "two", "0 0 0.3")));
  for (const Role role : {Role::LeftHip, Role::LeftKnee, Role::RightFoot, Role::LeftShoulder, Role::RightElbow, Role::LeftHand}) {
    RoleMap map;
    map.link[role] = "base";
    Target target;
    const std::string wrong = readTarget(model, map, target);
    INFO(nameOf(role) << ": " << wrong);
    CHECK(!wrong.empty());
    CHECK(target.link[role] == -1);
  }
}

TEST_CASE("rates, ranges and latencies that make no number of frames are refused") {
  const figure::Motion walk = walker::motion(walker::bvh(0.5));
  const auto model = walker::model(walker::robot());
  for (const double rate : {1e-310, 1e-10, 1e10, 1e300}) {
    Result result;
    CHECK(contains(retarget::retarget(walk, model, {.rate = rate}, result), "rate"));
  }
  Result result;
  CHECK(contains(retarget::retarget(walk, model, {.start = 0.21, .end = 0.22}, result), "no frame lies between"));
  CHECK(retarget::retarget(walk, model, {.start = 0.2, .end = 0.22}, result).empty());
  CHECK(result.trajectory.frames() == 1);
  std::unique_ptr<Online> online;
  figure::Motion quick = walk;
  quick.frameTime = 1e-8;
  CHECK(contains(Online::create(quick, model, {}, 9, online), "latency"));
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
