// Tools for clips by their properties: filters against their gains, derivatives of what has closed forms, mirror images, joined clips.
#include <cmath>

#include "engine/figure/motion_analysis.hpp"
#include "engine/figure/motion_channels.hpp"
#include "engine/figure/motion_combine.hpp"
#include "engine/figure/motion_contacts.hpp"
#include "engine/figure/motion_derivatives.hpp"
#include "engine/figure/motion_edit.hpp"
#include "engine/figure/motion_filter.hpp"
#include "engine/math/rotation.hpp"
#include "tests/engine/figure/made_clips.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::figure;
using namespace test;

namespace {
Quat rotationOf(const Motion& m, int joint, int frame) { return motionLocalPose(m, joint, m.frame(frame)).q; }

double lowPassGain(double f, double cutoff, double fps) {
  const double r = std::tan(kPi * f / fps) / std::tan(kPi * cutoff / fps);
  return 1 / (1 + (std::sqrt(2.0) - 1) * r * r * r * r);
}
double splineGain(double f, double cutoff, double fps) {
  const auto s = [&](double x) { return std::pow(2 - 2 * std::cos(2 * kPi * x / fps), 2); };
  const auto r = [&](double x) { return (2 + std::cos(2 * kPi * x / fps)) / 3; };
  const double L = (std::sqrt(2.0) - 1) * r(cutoff) / s(cutoff);
  return r(f) / (r(f) + L * s(f));
}
}  // namespace

TEST_CASE("filters keep the phase and have the gain that they say, for positions and for rotations") {
  const double fps = 100, cutoff = 6;
  for (const FilterKind kind : {FilterKind::LowPass, FilterKind::Spline})
    for (const double f : {0.5, 2.0, 6.0, 15.0}) {
      INFO(f);
      Motion m = figureClip(800, fps), out;
      for (int i = 0; i < m.frames(); i++) {
        value(m, i, 1) = 80 + 5 * std::sin(2 * kPi * f * i / fps);
        value(m, i, 7) = 0.5 * std::sin(2 * kPi * f * i / fps);  // degrees
      }
      REQUIRE(motionFiltered(m, kind, cutoff, out).empty());
      const double gain = kind == FilterKind::LowPass ? lowPassGain(f, cutoff, fps) : splineGain(f, cutoff, fps);
      for (int i = 250; i < 550; i++) {
        REQUIRE(value(out, i, 1) == Approx(80 + gain * (value(m, i, 1) - 80)).margin(1e-5));
        REQUIRE(value(out, i, 7) == Approx(gain * value(m, i, 7)).margin(1e-4));
      }
    }
  CHECK(lowPassGain(cutoff, cutoff, fps) == Approx(std::sqrt(0.5)));
  CHECK(splineGain(cutoff, cutoff, fps) == Approx(std::sqrt(0.5)));
}

TEST_CASE("filters leave what is constant, straight, or turns at a constant rate, the ends and full turns included") {
  for (const FilterKind kind : {FilterKind::LowPass, FilterKind::Spline}) {
    Motion m = figureClip(240, 60), out;
    const Quat tilt = quatFromEuler({2, 0, 1}, Vec3(0.3, -0.4, 0.5));
    std::vector<double> row(static_cast<std::size_t>(m.channelCount), 0.0);
    for (int i = 0; i < m.frames(); i++) {
      const Quat q = tilt * quatFromAxisAngle(Vec3(1, 2, 0.5), 2 * kPi * i / 80.0);  // three turns
      setLocalPose(m.joints[0], {Vec3(i, 90, -2 * i), q}, row.data());
      std::copy(row.begin(), row.end(), m.values.begin() + i * m.channelCount);
    }
    REQUIRE(motionFiltered(m, kind, 5, out).empty());
    for (int i = 0; i < m.frames(); i++) {
      REQUIRE((motionLocalPose(out, 0, out.frame(i)).p - Vec3(i, 90, -2 * i)).norm() < 1e-3);
      REQUIRE(angleBetween(rotationOf(out, 0, i), rotationOf(m, 0, i)) < 1e-4);
    }
  }
}

TEST_CASE("the low-pass takes noise off a full turn, and refuses a spin of which it would leave nothing") {
  Motion clean = figureClip(300, 60), noisy, out;
  for (int i = 0; i < 300; i++) value(clean, i, 5) = 360 * i / 100.0;
  noisy = clean;
  for (int i = 0; i < 300; i++)
    for (int c = 3; c < 6; c++) value(noisy, i, c) += 3 * std::sin(1.7 * i * (c + 1));
  REQUIRE(motionFiltered(noisy, FilterKind::LowPass, 3, out).empty());
  for (int i = 20; i < 280; i++) REQUIRE(angleBetween(rotationOf(out, 0, i), rotationOf(clean, 0, i)) < 0.02);
  for (int i = 1; i < 300; i++)
    for (int c = 3; c < 6; c++) REQUIRE(std::fabs(value(out, i, c) - value(out, i - 1, c)) < 10);
  for (int i = 0; i < 300; i++) value(noisy, i, 5) = 150.0 * i;  // 25 turns a second
  CHECK(motionFiltered(noisy, FilterKind::LowPass, 3, out).find("Hips") != std::string::npos);
}

TEST_CASE("velocities of a constant rotation and of constant acceleration are exact, in every frame") {
  Motion m = figureClip(12, 50);
  std::vector<double> row(static_cast<std::size_t>(m.channelCount), 0.0);
  const Vec3 axis = Vec3(1, -2, 2) / 3;
  for (int i = 0; i < m.frames(); i++) {
    const double t = i * m.frameTime;
    setLocalPose(m.joints[0], {Vec3(100 * t, 50 * t * t, 3), quatFromAxisAngle(axis, 9 * t)}, row.data());
    std::copy(row.begin(), row.end(), m.values.begin() + i * m.channelCount);
  }
  std::vector<Vec6> v(5), a(5);
  for (int i = 0; i < m.frames(); i++) {
    INFO(i);
    motionDerivatives(m, i, v.data(), a.data());
    const double t = i * m.frameTime;
    CHECK((v[0].head<3>() - m.turn * Vec3(1, t, 0)).norm() < 1e-10);
    CHECK((v[0].tail<3>() - 9 * (m.turn * axis)).norm() < 1e-10);
    CHECK((a[0].head<3>() - m.turn * Vec3(0, 1, 0)).norm() < 1e-8);
    CHECK(a[0].tail<3>().norm() < 1e-8);
  }
}

TEST_CASE("velocities and accelerations of a turning leg converge by second order to those of a rigid body") {
  double error[2][2];
  for (int k = 0; k < 2; k++) {
    const double fps = 100 * (k + 1), w = 3;
    Motion m = figureClip(static_cast<int>(fps) + 1, fps);
    for (int i = 0; i < m.frames(); i++) value(m, i, 7) = 60 * std::sin(w * i / fps);  // left thigh about x
    const int at = static_cast<int>(fps) / 2;
    std::vector<Vec6> v(5), a(5);
    motionDerivatives(m, at, v.data(), a.data());
    const double t = at / fps, s = kPi / 3, angle = s * std::sin(w * t), rate = s * w * std::cos(w * t), turn = -w * w * angle;
    const Vec3 arm(0, -0.4 * std::cos(angle), -0.4 * std::sin(angle)), x = Vec3::UnitX();  // of the knee, file axes
    const Vec3 velocity = rate * x.cross(arm), acceleration = turn * x.cross(arm) - rate * rate * arm;
    error[0][k] = (v[2].head<3>() - m.turn * velocity).norm() + (v[2].tail<3>() - m.turn * (rate * x)).norm();
    error[1][k] = (a[2].head<3>() - m.turn * acceleration).norm() + (a[2].tail<3>() - m.turn * (turn * x)).norm();
  }
  for (const auto& e : error) {
    CHECK(e[0] < 0.01);
    CHECK(e[0] / e[1] == Approx(4).margin(0.2));
  }
}

TEST_CASE("a mirrored clip is the mirror image, and twice mirrored the clip itself") {
  const Motion m = walking(60, 30);
  Motion once, twice;
  REQUIRE(motionMirrored(m, -1, once).empty());
  REQUIRE(motionMirrored(once, -1, twice).empty());
  CHECK(twice.values == m.values);
  std::vector<Pose> a(5), b(5);
  const int other[] = {0, 3, 4, 1, 2};
  for (int i = 0; i < m.frames(); i++) {
    motionWorldPoses(m, m.frame(i), true, a.data());
    motionWorldPoses(once, once.frame(i), true, b.data());
    for (int j = 0; j < 5; j++) {
      const Pose &from = a[static_cast<std::size_t>(other[j])], &to = b[static_cast<std::size_t>(j)];
      REQUIRE((Vec3(-from.p.x(), from.p.y(), from.p.z()) - to.p).norm() < 1e-9);
      const Vec3 d = Vec3(-1, 1, 1);  // R' = S R S
      REQUIRE((d.asDiagonal() * from.q.toRotationMatrix() * d.asDiagonal() - to.q.toRotationMatrix()).norm() < 1e-12);
    }
  }
  Motion named = m, lone = m;
  const char* names[] = {"hip", "LThigh", "shin_L", "RThigh", "shin_R"};
  for (std::size_t j = 0; j < 5; j++) named.joints[j].name = names[j], lone.joints[j].name = "part" + std::to_string(j);
  Motion out;
  REQUIRE(motionMirrored(named, -1, out).empty());
  CHECK(out.values == once.values);
  CHECK(motionMirrored(lone, -1, out).find("by their names") != std::string::npos);
  CHECK(motionMirrored(lone, 0, out).empty());  // each joint is its own partner
}

TEST_CASE("an appended clip goes on where the first is, in its heading, without a jump") {
  const double fps = 60;
  const Motion a = walking(120, fps);
  Motion b = walking(100, fps, 0.4);
  for (int i = 0; i < b.frames(); i++) {  // elsewhere, looking elsewhere
    const Pose p = motionLocalPose(b, 0, b.frame(i));
    const Quat turn = quatFromAxisAngle(Vec3::UnitY(), 2);
    setLocalPose(b.joints[0], {turn * p.p + Vec3(500, 0, -300), turn * p.q}, b.values.data() + i * b.channelCount);
  }
  const auto fastest = [](const Motion& m) {
    double v = 0, w = 0;
    std::vector<Vec6> rates(5);
    for (int i = 0; i < m.frames(); i++) {
      motionDerivatives(m, i, rates.data(), nullptr);
      for (const Vec6& r : rates) v = std::max(v, r.head<3>().norm()), w = std::max(w, r.tail<3>().norm());
    }
    return std::pair<double, double>(v, w);
  };
  Motion out;
  REQUIRE(motionAppended(a, b, 0.5, out).empty());
  CHECK(out.frames() == 120 + 100 - 30);
  const auto before = fastest(a), after = fastest(out);
  CHECK(after.first < 1.6 * before.first);
  CHECK(after.second < 1.6 * before.second);
  for (int i = 0; i < 90; i++)
    for (int c = 0; c < a.channelCount; c++) REQUIRE(out.frame(i)[c] == a.frame(i)[c]);
  for (int i = 120; i < out.frames(); i++)  // behind the blend: b, moved
    for (int j = 1; j < 5; j++) REQUIRE(angleBetween(rotationOf(out, j, i), rotationOf(b, j, i - 90)) < 1e-12);
  const Pose first = motionLocalPose(out, 0, out.frame(150)), last = motionLocalPose(out, 0, out.frame(189));
  const Vec3 was = motionLocalPose(b, 0, b.frame(99)).p - motionLocalPose(b, 0, b.frame(60)).p;
  CHECK((last.p - first.p).norm() == Approx(was.norm()));
  CHECK(last.p.y() == Approx(motionLocalPose(b, 0, b.frame(99)).p.y()));

  Motion metres = b;  // the same clip in metres, at another rate
  metres = motionScaled(metres, 0.01);
  metres.unit = 1;
  Motion joined;
  REQUIRE(motionAppended(a, metres, 0.5, joined).empty());
  for (std::size_t k = 0; k < joined.values.size(); k++) REQUIRE(joined.values[k] == Approx(out.values[k]).margin(1e-7));
  b.joints[2].name = "tail";
  CHECK(motionAppended(a, b, 0.5, out).find("LeftLeg") != std::string::npos);
}

TEST_CASE("a clip of twice the speed takes half of the time, through the same poses") {
  const Motion m = walking(101, 50), fast = motionSpeed(m, 2), same = motionSpeed(fast, 0.5);
  CHECK(fast.frames() == 51);
  CHECK(fast.frameTime == m.frameTime);
  for (int i = 0; i < 51; i++)
    for (int c = 0; c < m.channelCount; c++) REQUIRE(fast.frame(i)[c] == Approx(m.frame(2 * i)[c]).margin(1e-9));
  CHECK(same.frames() == 101);
}

TEST_CASE("outliers: a first frame that jumps, a spike and a jump are found, and a clean clip has none") {
  Motion m = walking(200, 60);
  CHECK(motionOutliers(m).empty());
  for (int c = 3; c < m.channelCount; c++) value(m, 0, c) = 0;  // a T-pose first
  value(m, 90, 7) += 40;
  for (int i = 150; i < 200; i++) value(m, i, 0) += 50;
  const std::vector<Outlier> found = motionOutliers(m);
  REQUIRE(found.size() == 3);
  CHECK((found[0].frame == 0 && found[0].kind == OutlierKind::First && found[0].joint == 2));
  CHECK((found[1].frame == 90 && found[1].kind == OutlierKind::Spike && found[1].joint == 1));
  CHECK(found[1].angle == Approx(40 * kPi / 180).margin(0.1));
  CHECK((found[2].frame == 150 && found[2].kind == OutlierKind::Jump && found[2].joint == 0));
  CHECK(found[2].path == Approx(0.5).margin(0.03));
}

TEST_CASE("a spike in the second frame is one, and joints concerned are counted frame by frame") {
  Motion m = walking(60, 60);
  value(m, 1, 7) += 40;
  const std::vector<Outlier> found = motionOutliers(m);
  REQUIRE(found.size() == 1);
  CHECK((found[0].frame == 1 && found[0].kind == OutlierKind::Spike));
  Motion two = walking(200, 60);  // the root turns and moves at once, in two frames
  for (const int i : {60, 120}) value(two, i, 0) += 50, value(two, i, 5) += 60;
  for (const Outlier& o : motionOutliers(two)) CHECK(o.joints == 1);
}

TEST_CASE("the loop of a periodic clip is its period") {
  Motion m = figureClip(170, 60);  // 2.8 periods of a second, walking ahead
  const Motion w = walking(170, 60);
  m.values = w.values;
  for (int i = 0; i < m.frames(); i++) value(m, i, 5) = 0;  // no heading
  const Loop loop = motionLoop(m, 0.5);
  CHECK(loop.last - loop.first == 60);
  CHECK(loop.error < 1e-3);
  const Loop two = motionLoop(m, 1.5);
  CHECK(two.last - two.first == 120);
  CHECK(motionLoop(m, 5).first == -1);
}

TEST_CASE("of a clip of more frames than all pairs are compared of, the loop is still the period") {
  const int period = 397, frames = 6007;  // no multiple of the stride
  Motion m = figureClip(frames, 120);
  for (int i = 0; i < frames; i++) {
    const double s = 2 * kPi * i / period;
    value(m, i, 1) = 80 + 2 * std::cos(2 * s);
    value(m, i, 7) = 25 * std::sin(s), value(m, i, 13) = -25 * std::sin(s), value(m, i, 10) = 30 + 30 * std::cos(s);
  }
  const Loop loop = motionLoop(m, 1);
  CHECK(loop.error <= 1e-3);  // the shortest within 1 mm of the least, which is 0
  CHECK(loop.last - loop.first <= period);
  CHECK(loop.last - loop.first >= period - 3);
}

TEST_CASE("a spline of the lowest cutoff keeps its digits: a vibration keeps what its gain says") {
  const double fps = 100, cutoff = 0.11, f = 0.1;
  Motion m = figureClip(12000, fps), out;
  for (int i = 0; i < m.frames(); i++) value(m, i, 1) = 80 + 5 * std::sin(2 * kPi * f * i / fps);
  REQUIRE(motionFiltered(m, FilterKind::Spline, cutoff, out).empty());
  const double gain = splineGain(f, cutoff, fps);
  for (int i = 5000; i < 7000; i++) REQUIRE(value(out, i, 1) == Approx(80 + gain * (value(m, i, 1) - 80)).margin(1e-4));
}

TEST_CASE("a foot that steps rests while it is low and slow, and a blink is no rest") {
  Motion m = figureClip(180, 60);
  for (int i = 0; i < 180; i++) {
    const int k = i % 60;
    value(m, i, 1) = k < 30 ? 8 : 8 + 15 * std::sin(kPi * (k - 30) / 30);
    value(m, i, 2) = 2.0 * (i / 60 * 30 + std::max(0, k - 30));
  }
  const std::vector<bool> on = motionContacts(m, 0, std::nan(""), {});
  for (int i = 0; i < 180; i++) {
    const int k = i % 60;
    if (k > 2 && k < 28) CHECK(on[static_cast<std::size_t>(i)]);
    if (k > 32 && k < 58) CHECK(!on[static_cast<std::size_t>(i)]);
  }
  ContactRule rule;
  rule.shortest = 0.6;
  const std::vector<bool> none = motionContacts(m, 0, std::nan(""), rule);
  CHECK(std::count(none.begin(), none.end(), true) == 0);
}
