// Figures made from clips, clips as coordinates of figures, and edits of clips.
#include <cmath>

#include <Eigen/Eigenvalues>

#include "engine/figure/figure_model.hpp"
#include "engine/figure/motion_coordinates.hpp"
#include "engine/figure/motion_edit.hpp"
#include "engine/math/rotation.hpp"
#include "loaders/bvh/figure.hpp"
#include "tests/loaders/bvh/bvh_support.hpp"
#include "tests/support.hpp"

using namespace vertebra;

namespace {
std::vector<std::string> clips() {
  std::vector<std::string> files = test::bvhFiles(test::sourceDir() + "/models/motions");
  if (!test::sharedData().empty())
    for (const std::string& f : test::bvhFiles(test::sharedData() + "/bvh")) files.push_back(f);
  return files;
}

figure::Skeleton figureOf(const figure::Motion& m, const MotionFigureOptions& options = {}) {
  figure::Skeleton s;
  Diagnostics d;
  bool good = skeletonFromMotion(m, options, s, d);
  INFO(d.text());
  REQUIRE(good);
  return s;
}

double distance(const Quat& a, const Quat& b) { return quatLog(a.conjugate() * b).norm(); }

// The channels of one joint under test, behind a root at rest.
std::string clip(const std::string& channels, const std::vector<std::string>& rows, const char* offset = "0 1 0") {
  std::string text = "HIERARCHY\nROOT base\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT mid\n{\nOFFSET 0 0.5 0\nCHANNELS 0\nJOINT part\n{\nOFFSET " +
                     std::string(offset) + "\nCHANNELS " + channels +
                     "\nEnd Site\n{\nOFFSET 0 0.7 0\n}\n}\n}\n}\nMOTION\nFrames: " + std::to_string(rows.size()) + "\nFrame Time: 0.1\n";
  for (const std::string& r : rows) text += r + "\n";
  return text;
}
}  // namespace

TEST_CASE("a figure from a clip follows the clip") {
  for (const std::string& file : clips()) {
    INFO(file);
    figure::Motion m = test::loadedFile(file);
    auto s = std::make_shared<figure::Skeleton>(figureOf(m));
    auto model = figure::makeFigureModel(s, figure::BaseKind::Default);
    figure::FigureWorkspace workspace(model);
    figure::MotionBinding binding(m, *s, model->coordinates);
    CHECK(binding.sameFrames());
    CHECK(binding.matched() + 1 == static_cast<int>(model->coordinates.parts.size()));
    std::vector<double> q(model->nq());
    std::vector<Pose> expected(m.joints.size());
    double tolerance = 1e-9;  // position channels that vary by less than a thousandth of the height are held still
    for (const figure::MotionJoint& j : m.joints)
      if (j.parent >= 0 && m.joints[j.parent].parent >= 0 && j.channels.size() == 6) tolerance = 0.006;
    for (double t : {0.0, 0.4 * m.duration(), 0.71 * m.duration() + 0.3 * m.frameTime, m.duration()}) {
      binding.coordinates(t, q.data());
      figure::motionWorldPosesAt(m, t, false, expected.data());
      const Pose* poses = workspace.poses(q.data());
      for (std::size_t l = 0; l < s->links.size(); l++) {
        const int j = m.findJoint(s->links[l].name);
        REQUIRE(j >= 0);
        INFO(s->links[l].name);
        CHECK((poses[l].p - expected[j].p).norm() < tolerance);
        CHECK(distance(poses[l].q, expected[j].q) < 1e-9);
      }
    }
  }
}

TEST_CASE("figures of people: mass by height, left as right, every link has mass and a sound inertia") {
  for (const std::string& file : clips()) {
    INFO(file);
    figure::Motion m = test::loadedFile(file);
    figure::Skeleton s;
    Diagnostics d;
    REQUIRE(skeletonFromMotion(m, {}, s, d));
    INFO(d.text());
    REQUIRE(test::find(d, "bvh.figure.segments"));
    CHECK(test::find(d, "bvh.figure.segments")->message.find("a human body") == 0);
    CHECK_FALSE(d.hasErrors());
    CHECK(test::find(d, "bvh.figure.position") == nullptr);
    double mass = 0, largest = 0;
    for (const figure::LinkDescription& l : s.links) {
      INFO(l.name);
      CHECK(l.mass > 0);
      mass += l.mass;
      largest = std::max(largest, l.mass);
      Eigen::SelfAdjointEigenSolver<Mat3> eigen(l.inertia);
      const Vec3 e = eigen.eigenvalues();
      CHECK(e[0] > 0);
      CHECK(e[0] + e[1] >= e[2] * (1 - 1e-9));
      for (const geometry::Shape& shape : l.shapes) CHECK(shape.geometry.size.allFinite());
    }
    CHECK(mass > 40);
    CHECK(mass < 85);
    CHECK(largest < 0.35 * mass);
    for (const figure::LinkDescription& l : s.links) {
      std::string other = l.name;
      if (std::size_t at = other.find("Left"); at != std::string::npos)
        other.replace(at, 4, "Right");
      else if (other.size() > 2 && other.substr(other.size() - 2) == "_L")
        other.back() = 'R';
      else
        continue;
      const int k = s.findLink(other);
      if (k < 0) continue;
      INFO(l.name);
      CHECK(std::fabs(l.mass - s.links[k].mass) < 0.25 * (l.mass + 0.01));
    }
    MotionFigureOptions heavy;
    heavy.mass = 100;
    mass = 0;
    for (const figure::LinkDescription& l : figureOf(m, heavy).links) mass += l.mass;
    CHECK(mass == Approx(100));
  }
}

TEST_CASE("velocities are the derivative of the coordinates") {
  const std::vector<std::string> files = clips();
  for (const std::string& file : files) {
    INFO(file);
    figure::Motion whole = test::loadedFile(file);
    auto s = std::make_shared<figure::Skeleton>(figureOf(whole));
    const int middle = whole.frames() / 2;
    figure::Motion m =
        figure::motionResampled(figure::motionTrimmed(whole, middle, middle + 1), 64 / whole.frameTime);  // fine enough to differentiate
    auto model = figure::makeFigureModel(s, figure::BaseKind::Floating);
    figure::FigureWorkspace workspace(model);
    figure::MotionBinding binding(m, *s, model->coordinates);
    std::vector<double> q(model->nq()), v(model->nv());
    const double t = 30 * m.frameTime;
    binding.coordinates(t, q.data());
    binding.velocities(t, v.data());
    std::vector<Pose> before(m.joints.size()), after(m.joints.size());
    figure::motionWorldPosesAt(m, t - m.frameTime, false, before.data());
    figure::motionWorldPosesAt(m, t + m.frameTime, false, after.data());
    const Vec6* twists = workspace.twists(q.data(), v.data());
    for (std::size_t l = 0; l < s->links.size(); l++) {
      const int j = m.findJoint(s->links[l].name);
      const Vec3 velocity = (after[j].p - before[j].p) / (2 * m.frameTime);
      INFO(s->links[l].name);
      CHECK((twists[l].head<3>() - velocity).norm() < 2e-3 + 1e-3 * velocity.norm());
    }
    // At the start from the first two frames alone.
    std::vector<double> next(model->nq()), way(model->nv());
    binding.coordinates(0, q.data());
    binding.coordinates(m.frameTime, next.data());
    binding.velocities(0, v.data());
    figure::difference(model->coordinates, q.data(), next.data(), way.data());
    for (std::size_t k = 0; k < way.size(); k++) CHECK(v[k] == Approx(way[k] / m.frameTime).margin(1e-9));
  }
}

TEST_CASE("joint types come from the rotation channels") {
  struct Case {
    const char *channels, *rowA, *rowB;
    dynamics::JointType type;
  };
  const Case cases[] = {{"0", "", "", dynamics::JointType::Fixed},
                        {"1 Yrotation", "10", "20", dynamics::JointType::Continuous},
                        {"2 Zrotation Xrotation", "10 20", "20 30", dynamics::JointType::Universal},
                        {"3 Zrotation Xrotation Yrotation", "10 20 30", "20 30 40", dynamics::JointType::Spherical},
                        {"2 Xrotation Xrotation", "10 20", "20 30", dynamics::JointType::Continuous},
                        {"4 Yposition Zrotation Xrotation Yrotation", "1 10 20 30", "1 20 30 40", dynamics::JointType::Spherical},
                        {"4 Yposition Zrotation Xrotation Yrotation", "1 10 20 30", "1.5 20 30 40", dynamics::JointType::Floating},
                        {"1 Yposition", "1", "1.4", dynamics::JointType::Prismatic}};
  for (const Case& c : cases) {
    INFO(c.channels << " " << c.rowB);
    BvhOptions o;
    o.unit = 1;
    figure::Motion m;
    Diagnostics d;
    REQUIRE(loadBvhText(clip(c.channels, *c.rowA ? std::vector<std::string>{c.rowA, c.rowB} : std::vector<std::string>{}), "t", o, m, d));
    auto s = std::make_shared<figure::Skeleton>(figureOf(m));
    REQUIRE(s->joints.size() == 2);
    CHECK(s->joints[1].type == c.type);
    auto model = figure::makeFigureModel(s, figure::BaseKind::Fixed);
    figure::FigureWorkspace workspace(model);
    figure::MotionBinding binding(m, *s, model->coordinates);
    std::vector<double> q(model->nq() + 1);
    for (double t : {0.0, 0.03, 0.1}) {
      binding.coordinates(t, q.data());
      std::vector<Pose> expected(3);
      figure::motionWorldPosesAt(m, t, true, expected.data());
      const Pose* poses = workspace.poses(q.data());
      CHECK((poses[2].p - expected[2].p).norm() < 1e-12);
      CHECK(distance(poses[2].q, expected[2].q) < 1e-12);
    }
  }
}

TEST_CASE("OFFSETs of zero with positions that carry the bones make a figure with these bones") {
  BvhOptions o;
  o.unit = 1;
  figure::Motion m;
  Diagnostics d;
  REQUIRE(loadBvhText(clip("6 Xposition Yposition Zposition Zrotation Xrotation Yrotation", {"0 2 0 1 2 3", "0 2 0 4 5 6"}, "0 0 0"), "t",
                      o, m, d));
  figure::Skeleton s;
  REQUIRE(skeletonFromMotion(m, {}, s, d));
  CHECK(s.joints[1].type == dynamics::JointType::Spherical);
  CHECK((s.joints[1].inParent.p - Vec3(0, 2, 0)).norm() < 1e-15);
  CHECK(test::find(d, "bvh.figure.offset"));
}

TEST_CASE("a root that only carries another is left out; other roots can be chosen; none is an error") {
  const std::string text =
      "HIERARCHY\nROOT ground\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nJOINT "
      "body\n{\nOFFSET 0 1 0\n"
      "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 0.5 0\n}\n}\n}\nROOT other\n{\nOFFSET "
      "3 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
      "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n1 0 0 10 20 30 0 1 0 1 2 3 0 0 0\n1 0 0 10 20 30 0 1.5 0.5 4 5 "
      "6 7 8 9\n";
  figure::Motion m = test::loaded(text);
  figure::Skeleton s;
  Diagnostics d;
  REQUIRE(skeletonFromMotion(m, {}, s, d));
  CHECK(s.links.size() == 1);
  CHECK(s.links[0].name == "body");
  CHECK(test::find(d, "bvh.figure.reference"));
  MotionFigureOptions o;
  o.root = 1;
  REQUIRE(skeletonFromMotion(m, o, s, d));
  CHECK(s.links[0].name == "other");
  o.root = 2;
  CHECK_FALSE(skeletonFromMotion(m, o, s, d));
  CHECK(test::find(d, "bvh.figure.root"));
}

TEST_CASE("a clip on a robot's own joint names: one angle, unwrapped; an unturned root stands") {
  BvhOptions o;
  o.unit = 1;
  o.upAxis = 1;
  figure::Motion m;
  Diagnostics d;
  REQUIRE(loadBvhText(clip("1 Yrotation", {"170", "179", "-178", "-170"}), "t", o, m, d));
  auto s = std::make_shared<figure::Skeleton>();
  s->links.resize(2);
  s->links[0].name = "pedestal";
  s->links[1].name = "rotor";
  s->joints.resize(1);
  s->joints[0].name = "part";
  s->joints[0].type = dynamics::JointType::Continuous;
  s->joints[0].parent = 0;
  s->joints[0].child = 1;
  s->joints[0].inParent.p = Vec3(0.1, 0.2, 0.3);
  figure::Coordinates c = figure::makeCoordinates(*s, true, true);
  figure::MotionBinding binding(m, *s, c);
  CHECK(binding.matched() == 1);
  CHECK_FALSE(binding.sameFrames());
  std::vector<double> q(c.nq), v(c.nv);
  const double degrees = kPi / 180;
  for (auto [t, angle] : {std::pair{0.0, 170.0}, {0.1, 179.0}, {0.15, 180.5}, {0.2, 182.0}, {0.3, 190.0}, {9.0, 190.0}}) {
    binding.coordinates(t, q.data());
    CHECK(q[7] == Approx(angle * degrees).epsilon(1e-12));
    CHECK(distance(Quat(q[6], q[3], q[4], q[5]), Quat::Identity()) < 1e-12);
  }
  binding.velocities(0.1, v.data());
  CHECK(v[6] == Approx(12 * degrees / 0.2));
  binding.velocities(0, v.data());
  CHECK(v[6] == Approx(9 * degrees / 0.1));
}

TEST_CASE("scaled: every position times the factor, rotations as they were") {
  figure::Motion m = test::loadedFile(test::sourceDir() + "/tests/bvh/crlf_mixed_orders.bvh"), b = figure::motionScaled(m, 2.5);
  std::vector<Pose> pm(m.joints.size()), pb(m.joints.size());
  for (int f = 0; f < m.frames(); f++) {
    figure::motionWorldPoses(m, m.frame(f), true, pm.data());
    figure::motionWorldPoses(b, b.frame(f), true, pb.data());
    for (std::size_t j = 0; j < pm.size(); j++) {
      CHECK((2.5 * pm[j].p - pb[j].p).norm() < 1e-12 * (1 + pb[j].p.norm()));
      CHECK(pm[j].q.coeffs() == pb[j].q.coeffs());
    }
  }
  CHECK((b.joints[1].endSites[0] - 2.5 * m.joints[1].endSites[0]).norm() == 0);
}

TEST_CASE("resampled: on the rotation group, in the joint's own channels; on old frames exact") {
  for (const char* order : {"Zrotation Xrotation Yrotation", "Xrotation Yrotation Zrotation", "Yrotation Xrotation Zrotation",
                            "Zrotation Xrotation Zrotation"}) {
    INFO(order);
    test::Random random(7);
    std::vector<std::string> rows;
    Vec3 a(0, 10, 0);
    for (int i = 0; i < 30; i++) {
      for (int k = 0; k < 3; k++) a[k] += random.range(-40, 40);
      rows.push_back(std::to_string(a[0]) + " " + std::to_string(a[1]) + " " + std::to_string(a[2]));
    }
    figure::Motion m = test::loaded(clip(std::string("3 ") + order, rows));
    figure::Motion fine = figure::motionResampled(m, 35);
    CHECK(fine.frames() == 102);  // 2.9 s * 35 = 101.5
    CHECK(fine.frameTime == 1.0 / 35);
    for (int f = 0; f < fine.frames(); f++)
      CHECK(distance(figure::motionLocalPose(fine, 2, fine.frame(f)).q, figure::motionLocalPoseAt(m, 2, f * fine.frameTime).q) < 1e-9);
    figure::Motion twice = figure::motionResampled(m, 20), same = figure::motionResampled(m, 10);
    CHECK(same.values == m.values);
    REQUIRE(twice.frames() == 59);
    for (int f = 0; f < m.frames(); f++)
      for (int k = 0; k < 3; k++) CHECK(twice.frame(2 * f)[k] == m.frame(f)[k]);
  }
}

TEST_CASE("resampled angles stay on their turn and branch") {
  figure::Motion m = test::loaded(clip("3 Zrotation Xrotation Yrotation", {"350 100 720", "370 110 730", "390 120 740"}));
  figure::Motion fine = figure::motionResampled(m, 40);
  for (int f = 1; f < fine.frames(); f++)
    for (int k = 0; k < 3; k++) CHECK(std::fabs(fine.frame(f)[k] - fine.frame(f - 1)[k]) < 8);
}

TEST_CASE("trimmed: frames first to last, clamped") {
  figure::Motion m = test::loaded(clip("1 Yrotation", {"0", "1", "2", "3", "4"}));
  CHECK(figure::motionTrimmed(m, 1, 3).values == std::vector<double>{1, 2, 3});
  CHECK(figure::motionTrimmed(m, -5, 99).values == m.values);
  CHECK(figure::motionTrimmed(m, 3, 2).frames() == 0);
}
