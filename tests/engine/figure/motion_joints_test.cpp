// Joints of clips hung on other parents and dropped: whatever stays keeps its pose in every frame, to round-off, also through a file.
#include <algorithm>

#include "engine/figure/motion_joints.hpp"
#include "loaders/bvh/bvh.hpp"
#include "tests/engine/figure/made_clips.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::figure;
using namespace test;

namespace {

bool below(const Motion& m, int joint, int above) {
  while (joint >= 0 && joint != above) joint = m.joints[static_cast<std::size_t>(joint)].parent;
  return joint == above;
}

// The largest differences of poses of joints of one name: by the clip's size, and rad.
struct Off {
  double place = 0, turn = 0;
};
Off poseDifference(const Motion& before, const Motion& after) {
  Off off;
  std::vector<Pose> a(before.joints.size()), b(after.joints.size());
  for (int i = 0; i < before.frames(); i++) {
    motionWorldPoses(before, before.frame(i), true, a.data());
    motionWorldPoses(after, after.frame(i), true, b.data());
    double size = 1;
    for (const Pose& pose : a) size = std::max(size, pose.p.norm());
    for (std::size_t k = 0; k < after.joints.size(); k++) {
      const Pose& was = a[static_cast<std::size_t>(before.findJoint(after.joints[k].name))];
      off.place = std::max(off.place, (b[k].p - was.p).norm() / size);
      off.turn = std::max(off.turn, angleBetween(b[k].q, was.q));
    }
  }
  return off;
}

// A file's order, whole rows, and the poses of all joints that stay.
void checkKept(const Motion& before, const Motion& after, std::size_t joints) {
  REQUIRE(after.joints.size() == joints);
  REQUIRE(after.frames() == before.frames());
  int column = 0;
  for (std::size_t k = 0; k < joints; k++) {
    REQUIRE(after.joints[k].parent < static_cast<int>(k));
    REQUIRE(after.joints[k].firstChannel == column);
    column += static_cast<int>(after.joints[k].channels.size());
  }
  REQUIRE(after.channelCount == column);
  const Off off = poseDifference(before, after);
  REQUIRE(off.place < 1e-8);
  REQUIRE(off.turn < 1e-7);
}

void checkThroughFile(const Motion& before, const Motion& after) {
  Motion again;
  Diagnostics findings;
  BvhOptions options;
  options.unit = before.unit;
  options.upAxis = before.turn.isApprox(Quat::Identity()) ? 2 : 1;
  REQUIRE(loadBvhText(writeBvhText(after), "again", options, again, findings));
  const Off off = poseDifference(before, again);
  REQUIRE(off.place < 1e-8);
  REQUIRE(off.turn < 1e-7);
}

// Two roots, any tree below them, joints with any channels in any order, angles of several turns and at the poles of their orders.
Motion oddClip(std::uint64_t seed, int frames) {
  Random random(seed);
  Motion m;
  m.frameTime = 0.02;
  for (int j = 0; j < 8; j++) {
    MotionJoint joint;
    joint.name = "joint" + std::to_string(j);
    joint.parent = j < 2 ? j - 1 - j : random.below(j);
    joint.offset = Vec3(random.range(-3, 3), random.range(-3, 3), random.range(-3, 3));
    const int kind = random.below(6);
    const Channel x = Channel::Xrotation, y = Channel::Yrotation, z = Channel::Zrotation;
    if (kind == 0) joint.channels = {z, x, y};
    if (kind == 1) joint.channels = {Channel::Zposition, Channel::Xposition, Channel::Yposition, x, z, x};
    if (kind == 2) joint.channels = {y};
    if (kind == 3) joint.channels = {Channel::Yposition, x, z};
    if (kind == 4) joint.channels = {y, x, z, Channel::Xposition};
    joint.firstChannel = m.channelCount;
    m.channelCount += static_cast<int>(joint.channels.size());
    m.joints.push_back(joint);
  }
  for (const int j : {6, 7}) m.joints[static_cast<std::size_t>(j)].endSites = {Vec3(0, 1, 0)};
  for (int i = 0; i < frames; i++)
    for (const MotionJoint& joint : m.joints)
      for (const Channel c : joint.channels)
        m.values.push_back(static_cast<int>(c) < 3 ? random.range(-5, 5)
                           : random.below(3) == 0  ? 90.0 * (random.below(9) - 4)
                                                   : random.range(-400, 400));
  return m;
}

int countWhere(const Motion& m, int parent) {
  return static_cast<int>(std::count_if(m.joints.begin(), m.joints.end(), [&](const MotionJoint& j) { return j.parent == parent; }));
}

// Every joint on every parent, and without every joint.
void checkAll(const Motion& m, bool files) {
  const int n = static_cast<int>(m.joints.size());
  for (int joint = 0; joint < n; joint++) {
    INFO(m.joints[static_cast<std::size_t>(joint)].name);
    Motion out;
    for (int parent = -1; parent < n; parent++) {
      INFO(parent);
      const std::string wrong = motionReparented(m, joint, parent, out);
      REQUIRE(wrong.empty() == !(parent >= 0 && below(m, parent, joint)));
      if (!wrong.empty()) continue;
      checkKept(m, out, m.joints.size());
      const MotionJoint& moved = out.joints[static_cast<std::size_t>(out.findJoint(m.joints[static_cast<std::size_t>(joint)].name))];
      REQUIRE((parent < 0 ? moved.parent < 0
                          : out.joints[static_cast<std::size_t>(moved.parent)].name == m.joints[static_cast<std::size_t>(parent)].name));
      if (files) checkThroughFile(m, out);
    }
    const std::string wrong = motionDropped(m, joint, out);
    const bool crown = m.joints[static_cast<std::size_t>(joint)].parent < 0 && countWhere(m, joint) > 1;
    REQUIRE(wrong.empty() == !crown);
    if (!wrong.empty()) continue;
    checkKept(m, out, m.joints.size() - 1);
    if (files) checkThroughFile(m, out);
  }
}

}  // namespace

TEST_CASE("joints of a walking figure on any parent, or without one of them: poses of the others stay") { checkAll(walking(40, 30), true); }

TEST_CASE("the same with two roots, joints with some channels or none, angles at poles, and one frame") {
  for (std::uint64_t seed = 1; seed <= 30; seed++) {
    INFO(seed);
    checkAll(oddClip(seed, seed % 3 == 0 ? 1 : 6), false);
  }
}

TEST_CASE("the same for every clip of the shared data") {
  REQUIRE_SHARED_DATA();
  int clips = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::sharedData() + "/bvh")) {
    if (entry.path().extension() != ".bvh") continue;
    clips++;
    INFO(entry.path().filename().string());
    Motion whole, m;
    Diagnostics findings;
    REQUIRE(loadBvhFile(entry.path().string(), {}, whole, findings));
    m = whole;  // 25 frames of all: each joint is dropped and hung on three others
    m.values.clear();
    for (int i = 0; i < 25; i++) {
      const double* row = whole.frame(i * (whole.frames() - 1) / 24);
      m.values.insert(m.values.end(), row, row + whole.channelCount);
    }
    const int n = static_cast<int>(m.joints.size());
    for (int joint = 0; joint < n; joint++) {
      INFO(m.joints[static_cast<std::size_t>(joint)].name);
      Motion out;
      if (motionDropped(m, joint, out).empty()) checkKept(m, out, m.joints.size() - 1);
      for (const int parent : {-1, (joint * 7 + 3) % n, (joint * 5 + 11) % n})
        if (motionReparented(m, joint, parent, out).empty()) checkKept(m, out, m.joints.size());
    }
    Motion out;
    REQUIRE(motionDropped(m, n - 1, out).empty());
    checkThroughFile(m, out);
  }
  CHECK(clips > 0);
}

TEST_CASE("a joint keeps its channels where they do for the new parent, and gets others where they do not") {
  const Motion m = walking(20, 30);
  Motion out;
  REQUIRE(motionReparented(m, 2, 3, out).empty());  // the left shin on the right thigh
  const MotionJoint& shin = out.joints[static_cast<std::size_t>(out.findJoint("LeftLeg"))];
  CHECK(shin.channels.size() == 6);  // it moves there
  CHECK(out.joints[static_cast<std::size_t>(out.findJoint("RightLeg"))].channels == m.joints[4].channels);
  REQUIRE(motionReparented(out, out.findJoint("LeftLeg"), out.findJoint("LeftUpLeg"), out).empty());
  const Off back = poseDifference(m, out);
  CHECK(back.place < 1e-9);
  Motion rigid = figureClip(20, 30);  // nothing moves but the hips: no position channels are needed
  for (int i = 0; i < 20; i++) value(rigid, i, 5) = 9 * i;
  REQUIRE(motionReparented(rigid, 2, 3, out).empty());
  CHECK(out.joints[static_cast<std::size_t>(out.findJoint("LeftLeg"))].channels.size() == 3);
  CHECK((out.joints[static_cast<std::size_t>(out.findJoint("LeftLeg"))].offset - Vec3(20, -40, 0)).norm() < 1e-12);
}

TEST_CASE("ends of bones: a joint without followers keeps the place of what hung on it") {
  Motion m = walking(5, 30), out;
  m.joints[2].endSites = m.joints[4].endSites = {Vec3(0, -40, 0)};
  REQUIRE(motionDropped(m, 2, out).empty());  // the left shin
  const MotionJoint& thigh = out.joints[static_cast<std::size_t>(out.findJoint("LeftUpLeg"))];
  REQUIRE(thigh.endSites.size() == 1);
  CHECK(thigh.endSites[0] == Vec3(0, -40, 0));
  REQUIRE(motionReparented(m, 4, 0, out).empty());
  CHECK(out.joints[static_cast<std::size_t>(out.findJoint("RightUpLeg"))].endSites.size() == 1);
  CHECK(out.joints[static_cast<std::size_t>(out.findJoint("RightLeg"))].endSites.size() == 1);
  REQUIRE(motionDropped(m, 1, out).empty());  // the thigh: its shin hangs on the hips
  CHECK(out.joints[static_cast<std::size_t>(out.findJoint("Hips"))].endSites.empty());
}

TEST_CASE("what cannot be hung or dropped is told by name") {
  Motion m = walking(5, 30), out;
  CHECK(motionReparented(m, 1, 1, out).find("LeftUpLeg") != std::string::npos);
  CHECK(motionReparented(m, 1, 2, out).find("LeftLeg") != std::string::npos);
  CHECK(motionDropped(m, 0, out).find("Hips") != std::string::npos);
  Motion lone = m;
  lone.joints.resize(1);
  lone.channelCount = 6;
  lone.values.resize(6);
  CHECK(motionDropped(lone, 0, out).find("Hips") != std::string::npos);
}
