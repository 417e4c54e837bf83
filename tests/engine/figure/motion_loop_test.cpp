// Clips in place and in a period: the path put back gives the clip; a period that is repeated, travelling, has no seam.
#include <algorithm>

#include "engine/figure/motion_analysis.hpp"
#include "engine/figure/motion_channels.hpp"
#include "engine/figure/motion_combine.hpp"
#include "engine/figure/motion_edit.hpp"
#include "engine/figure/motion_loop.hpp"
#include "loaders/bvh/bvh.hpp"
#include "tests/engine/figure/made_clips.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::figure;
using namespace test;

namespace {

using Poses = std::vector<Pose>;

// Of the shared clips, those whose hips walk below a root that stays.
bool walksBelowRoot(const Motion& m) {
  return m.joints[0].name == "joint_Root" && std::equal(m.frame(0), m.frame(0) + 6, m.frame(m.frames() - 1));
}

Poses worldOf(const Motion& m, int frame) {
  Poses out(m.joints.size());
  motionWorldPoses(m, m.frame(frame), false, out.data());
  return out;
}

Pose placed(const std::array<double, 3>& place) { return {Vec3(place[0], place[1], 0), quatFromAxisAngle(Vec3::UnitZ(), place[2])}; }

// first: the joint that carries the others over the ground.
void checkInPlace(const Motion& m, std::size_t first = 0) {
  GroundPath path;
  Motion out;
  REQUIRE(motionInPlace(m, path, out).empty());
  REQUIRE(path.size() == static_cast<std::size_t>(m.frames()));
  for (int i = 0; i < m.frames(); i++) {
    const Poses was = worldOf(m, i), now = worldOf(out, i);
    const auto& place = path[static_cast<std::size_t>(i)];
    for (std::size_t j = first; j < was.size(); j++) {
      const Pose back = placed(place) * now[j];
      REQUIRE((back.p - was[j].p).norm() < 1e-9 * (1 + was[j].p.norm()));
      REQUIRE(angleBetween(back.q, was[j].q) < 1e-7);
    }
    REQUIRE(now[first].p.head<2>().norm() < 1e-9 * (1 + was[first].p.norm()));
    const Quat rest = now[first].q * m.turn.conjugate();  // the turn from the rest pose: none about the vertical
    REQUIRE(std::fabs(rest.z()) < 1e-9);
    if (i > 0) REQUIRE(std::fabs(place[2] - path[static_cast<std::size_t>(i - 1)][2]) < kPi + 1e-9);
  }
  if (m.joints[0].name == "joint_Root") return;  // it stays now, so that the hips carry what is left
  GroundPath none;
  Motion again;
  REQUIRE(motionInPlace(out, none, again).empty());
  for (const auto& place : none) REQUIRE(Vec3(place[0], place[1], place[2]).norm() < 1e-9);
}

// The clip so many times, each time on from where it has come to.
std::vector<Poses> travelling(const Motion& period, int times) {
  GroundPath path;
  Motion still;
  REQUIRE(motionInPlace(period, path, still).empty());
  const Pose on = placed(path.back()) * placed(path.front()).inverse();
  std::vector<Poses> out;
  Pose move;
  for (int k = 0; k < times; k++) {
    for (int i = 0; i + 1 < period.frames(); i++) {
      Poses poses = worldOf(period, i);
      for (Pose& pose : poses) pose = move * pose;
      out.push_back(std::move(poses));
    }
    move = move * Pose(on);
  }
  return out;
}

// Of all joints from one on, from one frame to the next and the next: the largest step and the largest change of it, m and rad.
struct Roughness {
  double step = 0, change = 0, turn = 0, turnChange = 0;
};
Roughness roughness(const std::vector<Poses>& clip, int from, int to, std::size_t joint = 0) {
  Roughness out;
  for (int i = from; i < to; i++)
    for (std::size_t j = joint; j < clip[0].size(); j++) {
      const Pose &a = clip[static_cast<std::size_t>(i - 1)][j], &b = clip[static_cast<std::size_t>(i)][j],
                 &c = clip[static_cast<std::size_t>(i + 1)][j];
      const Vec3 first = quatLog(b.q * a.q.conjugate()), second = quatLog(c.q * b.q.conjugate());
      out.step = std::max(out.step, (b.p - a.p).norm());
      out.change = std::max(out.change, (c.p - 2 * b.p + a.p).norm());
      out.turn = std::max(out.turn, first.norm());
      out.turnChange = std::max(out.turnChange, (second - first).norm());
    }
  return out;
}

// Walking that nearly repeats itself after a second: everything drifts, the hips turn.
Motion drifting(int frames, double fps) {
  Motion m = walking(frames, fps);
  for (int i = 0; i < frames; i++) {
    const double t = i / fps;
    value(m, i, 1) += 3 * t * t;
    value(m, i, 3) += 4 * t, value(m, i, 5) += 15 * t;
    for (const int c : {6, 7, 8, 10, 12, 13, 16}) value(m, i, c) += (c % 2 ? 9 : -7) * t + 3 * std::sin(1.3 * t + c);
  }
  return m;
}

}  // namespace

TEST_CASE("a clip in place and its path give the clip; the heading has no jumps of whole turns") {
  checkInPlace(walking(90, 30));
  Motion round = walking(120, 30);
  for (int i = 0; i < 120; i++) value(round, i, 5) = -9.0 * i;  // three turns
  checkInPlace(round);
  GroundPath path;
  Motion out;
  REQUIRE(motionInPlace(round, path, out).empty());
  CHECK(path.back()[2] - path.front()[2] == Approx(-119 * 9 * kPi / 180).margin(0.02));
  checkInPlace(motionTrimmed(walking(90, 30), 40, 40));
}

TEST_CASE("in place: two roots move together, one root after the other in the file") {
  Motion m = walking(30, 30);
  MotionJoint box;
  box.name = "Box";
  box.channels.assign(kSix, kSix + 6);
  box.firstChannel = m.channelCount;
  Motion two = m;
  two.joints.push_back(box);
  two.channelCount += 6;
  two.values.clear();
  for (int i = 0; i < 30; i++) {
    two.values.insert(two.values.end(), m.frame(i), m.frame(i) + m.channelCount);
    for (const double v : {50.0, 30 + 2.0 * i, 4.0 * i, 5.0 * i, 0.0, -20.0 * i}) two.values.push_back(v);
  }
  checkInPlace(two);
  Motion out;
  GroundPath path;
  two.joints[5].channels = {Channel::Xposition, Channel::Zrotation, Channel::Xrotation,
                            Channel::Yrotation, Channel::Xrotation, Channel::Yrotation};
  CHECK(motionInPlace(two, path, out).find("Box") != std::string::npos);
  CHECK(motionLooped(two, 0, 10, 0.1, out).find("Box") != std::string::npos);
}

TEST_CASE("hips that walk below a root that stays carry the clip: in place, in a period, joined") {
  const Motion m = drifting(120, 60);
  Motion below = m;  // the same with a root at (100, 0, 50), turned about the vertical
  MotionJoint root;
  root.name = "Root";
  root.channels.assign(kSix, kSix + 6);
  for (MotionJoint& joint : below.joints) joint.parent++, joint.firstChannel += 6;
  below.joints.insert(below.joints.begin(), root);
  below.channelCount += 6;
  below.values.clear();
  const Pose stays{Vec3(100, 0, 50), quatFromAxisAngle(Vec3::UnitY(), 70 * kPi / 180)};
  std::vector<double> row(static_cast<std::size_t>(below.channelCount), 0.0);
  for (int i = 0; i < m.frames(); i++) {
    std::copy_n(m.frame(i), m.channelCount, row.begin() + 6);
    setLocalPose(below.joints[0], stays, row.data());
    setLocalPose(below.joints[1], stays.inverse() * motionLocalPose(m, 0, m.frame(i)), row.data());
    below.values.insert(below.values.end(), row.begin(), row.end());
  }
  checkInPlace(below, 1);
  const Loop loop = motionLoop(m, 0.5), same = motionLoop(below, 0.5);
  CHECK((same.first == loop.first && same.last == loop.last));
  CHECK(same.error == Approx(loop.error).margin(1e-6));
  const auto checkSame = [](const Motion& a, const Motion& b) {
    REQUIRE(a.frames() == b.frames());
    for (int i = 0; i < a.frames(); i++) {
      const Poses x = worldOf(a, i), y = worldOf(b, i);
      for (std::size_t j = 0; j < x.size(); j++) {
        REQUIRE((x[j].p - y[j + 1].p).norm() < 1e-9);
        REQUIRE(angleBetween(x[j].q, y[j + 1].q) < 1e-7);
      }
    }
  };
  Motion out, other;
  REQUIRE(motionLooped(m, 20, 80, 0.3, out).empty());
  REQUIRE(motionLooped(below, 20, 80, 0.3, other).empty());
  checkSame(out, other);
  REQUIRE(motionAppended(m, motionTrimmed(m, 30, 90), 0.3, out).empty());
  REQUIRE(motionAppended(below, motionTrimmed(below, 30, 90), 0.3, other).empty());
  checkSame(out, other);
}

TEST_CASE("every clip of the shared data in place: the path put back gives the clip") {
  REQUIRE_SHARED_DATA();
  int clips = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::sharedData() + "/bvh")) {
    if (entry.path().extension() != ".bvh") continue;
    clips++;
    INFO(entry.path().filename().string());
    Motion m;
    Diagnostics findings;
    REQUIRE(loadBvhFile(entry.path().string(), {}, m, findings));
    checkInPlace(m, walksBelowRoot(m) ? 1 : 0);
  }
  CHECK(clips > 0);
}

TEST_CASE("a period that is closed repeats itself, travelling, without a seam: the finer the frames, the smaller every step there") {
  double change[2], turnChange[2];
  for (int k = 0; k < 2; k++) {
    const double fps = 60 << k;
    const int length = static_cast<int>(fps), first = length / 4;
    const Motion m = drifting(2 * length, fps);
    Motion open = motionTrimmed(m, first, first + length), closed;
    REQUIRE(motionLooped(m, first, first + length, 0.3, closed).empty());
    REQUIRE(closed.frames() == length + 1);
    const std::vector<Poses> broken = travelling(open, 3), whole = travelling(closed, 3);
    const int blended = static_cast<int>(0.3 * fps);
    const Roughness seam = roughness(whole, length - 2, length + 3), rest = roughness(broken, blended, length - 2),
                    all = roughness(whole, 1, 3 * length - 2), jump = roughness(broken, length - 2, length + 3);
    CHECK(jump.change > 8 * rest.change);  // it is worth closing
    CHECK(jump.turnChange > 8 * rest.turnChange);
    CHECK(seam.change < 2 * rest.change);
    CHECK(seam.turnChange < 2 * rest.turnChange);
    CHECK(all.step < 1.5 * rest.step);
    CHECK(all.turn < 2 * rest.turn);
    change[k] = seam.change, turnChange[k] = seam.turnChange;
    for (int i = blended; i <= length; i++)  // later frames are as they were
      for (int c = 0; c < m.channelCount; c++) REQUIRE(closed.frame(i)[c] == m.frame(first + i)[c]);
    const Poses begin = worldOf(closed, 0), end = worldOf(closed, length);
    GroundPath path;
    Motion still;
    REQUIRE(motionInPlace(closed, path, still).empty());
    const Pose on = placed(path.back()) * placed(path.front()).inverse();
    for (std::size_t j = 0; j < begin.size(); j++) {
      const Pose moved = on * begin[j];
      CHECK((moved.p - end[j].p).norm() < 1e-9);
      CHECK(angleBetween(moved.q, end[j].q) < 1e-7);
    }
  }
  CHECK(change[1] < 0.35 * change[0]);  // second order, as of a smooth motion: a jump of velocity would only be halved
  CHECK(turnChange[1] < 0.35 * turnChange[0]);
}

TEST_CASE("a period that closes by itself stays as it is, inside of a clip and at its ends") {
  const Motion m = [] {
    Motion made = walking(190, 60);
    for (int i = 0; i < made.frames(); i++) value(made, i, 5) = 0;  // 0.3 of the pace
    return made;
  }();
  Motion out;
  for (const auto& [first, last, tolerance] : {std::array<double, 3>{10, 70, 1e-9}, {0, 180, 2e-3}, {129, 189, 2e-3}}) {
    const int from = static_cast<int>(first), to = static_cast<int>(last);
    REQUIRE(motionLooped(m, from, to, 0.3, out).empty());
    for (int i = 0; i < out.frames(); i++) {
      const Poses was = worldOf(m, from + i), now = worldOf(out, i);
      for (std::size_t j = 0; j < was.size(); j++) {
        REQUIRE((now[j].p - was[j].p).norm() < tolerance);
        REQUIRE(angleBetween(now[j].q, was[j].q) < std::max(1e-7, 5 * tolerance));
      }
    }
  }
}

TEST_CASE("joints with one axis or none close on their own channels, over whole turns") {
  Motion m = drifting(100, 60);
  for (int i = 0; i < 100; i++) {  // the left shin has one axis
    for (const int c : {9, 11}) value(m, i, c) = 0;
    value(m, i, 10) += 360 * (i / 50);
  }
  Motion one = m;
  one.joints[2].channels = {Channel::Xrotation};
  one.channelCount = 0;
  for (MotionJoint& joint : one.joints) {
    joint.firstChannel = one.channelCount;
    one.channelCount += static_cast<int>(joint.channels.size());
  }
  one.values.clear();
  for (int i = 0; i < 100; i++)
    for (int c = 0; c < m.channelCount; c++)
      if (c != 9 && c != 11) one.values.push_back(value(m, i, c));
  Motion out, full;
  REQUIRE(motionLooped(one, 20, 80, 0.3, out).empty());
  REQUIRE(motionLooped(m, 20, 80, 0.3, full).empty());
  for (int i = 0; i < out.frames(); i++)
    REQUIRE(angleBetween(motionLocalPose(out, 2, out.frame(i)).q, motionLocalPose(full, 2, full.frame(i)).q) < 1e-7);
}

TEST_CASE("the shortest period of two frames, the shortest blend and the longest") {
  const Motion m = drifting(60, 60);
  Motion out;
  for (const double blend : {0.0, 0.02, 100.0}) {
    for (const int first : {0, 20, 57}) {
      REQUIRE(motionLooped(m, first, first + 2, blend, out).empty());
      REQUIRE(out.frames() == 3);
      const std::vector<Poses> clip = travelling(out, 3);
      for (const Poses& poses : clip)
        for (const Pose& pose : poses) REQUIRE(pose.p.allFinite());
      GroundPath path;
      Motion still;
      REQUIRE(motionInPlace(out, path, still).empty());
      for (int j = 1; j < 5; j++)
        CHECK(angleBetween(motionLocalPose(out, j, out.frame(0)).q, motionLocalPose(out, j, out.frame(2)).q) < 1e-7);
    }
  }
}

TEST_CASE("the loops found in the clips of the shared data, closed: no step at the seam is larger than within the clip") {
  REQUIRE_SHARED_DATA();
  int closedClips = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::sharedData() + "/bvh")) {
    if (entry.path().extension() != ".bvh") continue;
    Motion m, closed;
    Diagnostics findings;
    INFO(entry.path().filename().string());
    REQUIRE(loadBvhFile(entry.path().string(), {}, m, findings));
    const Loop loop = motionLoop(m, 0.5);
    if (loop.first < 0) continue;
    REQUIRE(motionLooped(m, loop.first, loop.last, 0.2, closed).empty());
    const int length = loop.last - loop.first;
    const std::vector<Poses> whole = travelling(closed, 2), open = travelling(motionTrimmed(m, loop.first, loop.last), 1);
    const std::size_t joint = walksBelowRoot(m) ? 1 : 0;
    const Roughness seam = roughness(whole, length - 1, length + 2, joint), rest = roughness(open, 1, length - 1, joint);
    CHECK(seam.step < 1.5 * rest.step + 0.002);
    CHECK(seam.change < 1.5 * rest.change + 0.002);
    CHECK(seam.turnChange < 1.5 * rest.turnChange + 0.02);
    closedClips++;
  }
  CHECK(closedClips > 0);
}
