// A figure fitted to synthesised markers: exact where markers are, to 2 degrees with noise and gaps; exchanged names; calibration.
#include "engine/retarget/marker_fit.hpp"

#include <limits>

#include "engine/figure/marker_synthesis.hpp"
#include "engine/figure/skeleton_edit.hpp"
#include "engine/retarget/bone_lengths.hpp"
#include "loaders/bvh/bvh.hpp"
#include "loaders/bvh/figure.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using namespace vertebra::retarget;

namespace {

struct Actor {
  figure::Motion motion;
  std::shared_ptr<const figure::FigureModel> model;
};

Actor actorOf(const std::string& path) {
  Actor a;
  Diagnostics findings;
  REQUIRE(loadBvhFile(path, {}, a.motion, findings));
  auto skeleton = std::make_shared<figure::Skeleton>();
  REQUIRE(skeletonFromMotion(a.motion, {}, *skeleton, findings));
  a.model = figure::makeFigureModel(skeleton, figure::BaseKind::Floating);
  return a;
}

// Around the bones of our motions' skeleton: forty-one markers as a full-body set has them, or twenty. Metres; the arms lie along x.
std::vector<figure::MarkerPlace> places(int count) {
  std::vector<figure::MarkerPlace> out;
  const auto add = [&](const std::string& joint, double x, double y, double z) {
    out.push_back({"M" + std::to_string(out.size()), joint, Vec3(x, y, z)});
  };
  const bool all = count == 41;
  for (double x : {0.14, -0.14}) {
    add("Hips", x, 0.05, 0.1);
    if (all) add("Hips", 0.4 * x, 0.06, -0.12);
  }
  add("Chest", 0, 0.1, 0.13);
  add("Chest", 0, 0.18, -0.12);
  if (all) add("Chest", 0.12, 0.05, 0.1);
  if (all) add("Spine", 0.03, 0.05, -0.11);
  add("Head", 0.08, 0.12, 0.08);
  add("Head", -0.08, 0.12, 0.08);
  if (all) add("Head", 0.08, 0.12, -0.09);
  for (const char* side : {"Left", "Right"}) {
    const double s = side[0] == 'L' ? 1 : -1;
    const std::string name = side;
    add(name + "Shoulder", s * 0.13, 0.06, 0);
    if (all) add(name + "Arm", s * 0.18, 0.02, -0.06);
    add(name + "Arm", s * 0.31, 0, -0.05);
    if (all) add(name + "ForeArm", s * 0.14, 0.05, 0);
    add(name + "ForeArm", s * 0.25, 0, 0.04);
    if (all) add(name + "ForeArm", s * 0.25, 0, -0.04);
    if (all) add(name + "Hand", s * 0.1, 0.02, 0.04);
    if (all) add(name + "UpLeg", s * 0.09, -0.22, 0.04);
    add(name + "UpLeg", s * 0.07, -0.42, 0);
    if (all) add(name + "Leg", s * 0.06, -0.22, 0.05);
    add(name + "Leg", s * 0.05, -0.42, 0);
    add(name + "Foot", 0, -0.03, -0.06);
    if (all) add(name + "Foot", s * 0.05, -0.05, 0.1);
    add(name + "ToeBase", -s * 0.04, 0.02, 0.04);
    if (all) add(name + "ToeBase", s * 0.04, 0.02, 0.04);
  }
  REQUIRE(out.size() == static_cast<std::size_t>(count));
  return out;
}

struct Errors {
  double rms = 0, largest = 0;  // degrees: between a joint's fitted and true rotation against its parent
  double position = 0;          // m: largest distance of a link
};

// From frame `first` on. Joints whose markers cannot tell them (end of the list `free`) are left out.
Errors errorsOf(const Actor& a, MarkerFit& fit, const figure::MarkerRecord& record, int latency, int first) {
  Errors out;
  Kinematics kinematics(a.model);
  std::vector<Pose> poses(a.motion.joints.size());
  std::vector<double> q;
  double squares = 0;
  long count = 0;
  for (int at = 0; at < record.frames() + latency; at++) {
    const int i = at - latency;
    const bool given = at < record.frames() ? fit.push(record.frame(at), q) : fit.finish(q);
    REQUIRE(given == (i >= 0));
    if (i < first) continue;
    kinematics.update(q.data());
    figure::motionWorldPoses(a.motion, a.motion.frame(i), false, poses.data());
    for (std::size_t j = 0; j < poses.size(); j++) {
      const int link = a.model->skeleton->findLink(a.motion.joints[j].name), parent = a.motion.joints[j].parent;
      REQUIRE(link >= 0);
      const Pose is = kinematics.linkPose(link);
      out.position = std::max(out.position, (is.p - poses[j].p).norm());
      if (parent < 0) continue;
      const Pose above = kinematics.linkPose(a.model->skeleton->findLink(a.motion.joints[static_cast<std::size_t>(parent)].name));
      const Quat turn = above.q.conjugate() * is.q, wanted = poses[static_cast<std::size_t>(parent)].q.conjugate() * poses[j].q;
      const double angle = 2 * std::atan2((turn.conjugate() * wanted).vec().norm(), std::fabs((turn.conjugate() * wanted).w())) * 180 / kPi;
      squares += angle * angle;
      count++;
      out.largest = std::max(out.largest, angle);
    }
  }
  REQUIRE(count > 0);
  out.rms = std::sqrt(squares / static_cast<double>(count));
  return out;
}

std::unique_ptr<MarkerFit> fitOf(const Actor& a, const std::vector<figure::MarkerPlace>& set, double noise, int latency) {
  MarkerFitSettings settings;
  settings.noise = noise;
  settings.latency = latency;
  settings.frameTime = a.motion.frameTime;
  std::unique_ptr<MarkerFit> fit;
  const std::string wrong = MarkerFit::create(a.model, set, settings, fit);
  INFO(wrong);
  REQUIRE(wrong.empty());
  return fit;
}

}  // namespace

TEST_CASE("markers without noise give the pose", "[markers]") {
  for (const char* name : {"walk", "wave", "squat"}) {
    CAPTURE(name);
    const Actor a = actorOf(test::sourceDir() + "/models/motions/" + name + ".bvh");
    const std::vector<figure::MarkerPlace> set = places(41);
    const std::unique_ptr<MarkerFit> fit = fitOf(a, set, 1e-5, 0);
    const Errors e = errorsOf(a, *fit, figure::synthesiseMarkers(a.motion, set, {}), 0, 0);
    CHECK(e.rms < 1);  // what no marker tells, as how neck and head share a turn, is left to the zero pose
    CHECK(e.position < 5e-3);
    CHECK(fit->counts().residual < 5e-4);
    CHECK(fit->counts().swaps == 0);
  }
}

TEST_CASE("markers with noise and gaps give joint angles to some degrees", "[markers]") {
  const struct {
    const char* name;
    int markers;
    double now, later;  // degrees, r.m.s. over all joints: without latency, and with 0.1 s
  } bounds[] = {{"walk", 41, 4.6, 3.3}, {"wave", 41, 3.6, 2.4}, {"squat", 41, 3.9, 3.1},
                {"walk", 20, 12, 11},   {"wave", 20, 8, 7.5},   {"squat", 20, 9, 8.5}};
  for (const auto& b : bounds)
    for (int latency : {0, 6}) {
      CAPTURE(b.name, b.markers, latency);
      const Actor a = actorOf(test::sourceDir() + "/models/motions/" + b.name + ".bvh");
      const std::vector<figure::MarkerPlace> set = places(b.markers);
      figure::MarkerFaults faults;
      faults.noise = 0.005;
      faults.dropout = 0.1;
      faults.seed = 3;
      const figure::MarkerRecord record = figure::synthesiseMarkers(a.motion, set, faults);
      const std::unique_ptr<MarkerFit> fit = fitOf(a, set, 0.005, latency);
      const Errors e = errorsOf(a, *fit, record, latency, 10);
      CHECK(e.rms < (latency > 0 ? b.later : b.now));
      CHECK(fit->counts().swaps == 0);
      CHECK(fit->counts().residual < 0.009);
      CHECK(fit->counts().hidden > record.frames() * b.markers / 41);  // a tenth
    }
}

TEST_CASE("exchanged names are found and told", "[markers]") {
  const Actor a = actorOf(test::sourceDir() + "/models/motions/walk.bvh");
  const std::vector<figure::MarkerPlace> set = places(41);
  figure::MarkerRecord record = figure::synthesiseMarkers(a.motion, set, {});
  const std::size_t count = set.size();
  for (int i = 0; i < record.frames(); i++) {
    Vec3* row = record.positions.data() + static_cast<std::size_t>(i) * count;
    if (i >= 100) std::swap(row[0], row[2]);    // left and right of the hips
    if (i >= 200) std::swap(row[12], row[13]);  // two of the left arm
  }
  const std::unique_ptr<MarkerFit> fit = fitOf(a, set, 0.001, 0);
  const Errors e = errorsOf(a, *fit, record, 0, 10);
  CHECK(fit->counts().swaps == 2);
  CHECK(fit->counts().outliers == 0);
  CHECK(e.rms < 1.5);

  // What is predicted has the names of the record: the next frame is where it is expected.
  std::vector<Vec3> next(count);
  fit->predict(next.data());
  const Vec3* last = record.frame(record.frames() - 1);
  for (std::size_t k = 0; k < count; k++) CHECK((next[k] - last[k]).norm() < 0.05);
}

TEST_CASE("a limb that is hidden goes on, and is found again", "[markers]") {
  const Actor a = actorOf(test::sourceDir() + "/models/motions/walk.bvh");
  const std::vector<figure::MarkerPlace> set = places(41);
  figure::MarkerRecord record = figure::synthesiseMarkers(a.motion, set, {});
  for (int i = 120; i < 150; i++)
    for (std::size_t k = 0; k < set.size(); k++)
      if (set[k].joint.rfind("Left", 0) == 0 && set[k].joint.find("Arm") != std::string::npos)
        record.positions[static_cast<std::size_t>(i) * set.size() + k] = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  const std::unique_ptr<MarkerFit> fit = fitOf(a, set, 0.001, 0);
  std::vector<double> q;
  Kinematics kinematics(a.model);
  std::vector<Pose> poses(a.motion.joints.size());
  const int hand = a.motion.findJoint("LeftHand"), link = a.model->skeleton->findLink("LeftHand");
  double hidden = 0, after = 0;
  for (int i = 0; i < record.frames(); i++) {
    REQUIRE(fit->push(record.frame(i), q));
    kinematics.update(q.data());
    figure::motionWorldPoses(a.motion, a.motion.frame(i), false, poses.data());
    const double off = (kinematics.linkPose(link).p - poses[static_cast<std::size_t>(hand)].p).norm();
    if (i >= 120 && i < 150) hidden = std::max(hidden, off);
    if (i >= 160) after = std::max(after, off);
  }
  CHECK(hidden < 0.5);  // half a second without it
  CHECK(after < 0.015);
}

TEST_CASE("where markers sit is calibrated on a record", "[markers]") {
  const Actor a = actorOf(test::sourceDir() + "/models/motions/squat.bvh");
  const std::vector<figure::MarkerPlace> real = places(41);
  std::vector<figure::MarkerPlace> believed = real;
  for (std::size_t k = 0; k < believed.size(); k++)  // up to 2 cm off
    believed[k].offset +=
        0.02 *
        Vec3(std::sin(3.0 * static_cast<double>(k)), std::cos(5.0 * static_cast<double>(k)), std::sin(7.0 * static_cast<double>(k) + 1)) /
        std::sqrt(3.0);
  const figure::MarkerRecord record = figure::synthesiseMarkers(a.motion, real, {});
  const std::unique_ptr<MarkerFit> as = fitOf(a, believed, 0.002, 0), better = fitOf(a, believed, 0.002, 0);
  const Errors before = errorsOf(a, *as, record, 0, 10);
  REQUIRE(better->calibrate(record.positions));
  const Errors after = errorsOf(a, *better, record, 0, 10);
  CHECK(better->counts().residual < 0.3 * as->counts().residual);
  CHECK(after.rms < 0.8 * before.rms);
}

TEST_CASE("lengths of bones are found on a record, with noise and gaps; lengths that no marker tells stay", "[markers]") {
  const Actor a = actorOf(test::sourceDir() + "/models/motions/squat.bvh");
  const figure::Skeleton& real = *a.model->skeleton;
  for (const double noise : {0.0, 0.005}) {
    CAPTURE(noise);
    figure::Skeleton believed = real;
    const std::pair<const char*, double> wrong[] = {{"LeftUpLeg", 1.1}, {"RightUpLeg", 1.1}, {"LeftLeg", 0.9},
                                                    {"RightLeg", 0.92}, {"LeftArm", 1.08},   {"RightForeArm", 0.9}};
    for (const auto& [link, factor] : wrong) REQUIRE(figure::scaleLink(believed, believed.findLink(link), factor, 1).empty());
    MarkerFitSettings settings;
    settings.noise = std::max(noise, 0.001);
    settings.frameTime = a.motion.frameTime;
    const std::vector<figure::MarkerPlace> set = places(41);
    const figure::MarkerRecord record = figure::synthesiseMarkers(a.motion, set, {noise, noise > 0 ? 0.1 : 0, 0, 3});
    BoneLengths found;
    REQUIRE(calibrateBones(believed, set, settings, record.positions, found).empty());
    for (const auto& [link, factor] : wrong) {
      CAPTURE(link, found.factors[static_cast<std::size_t>(real.findLink(link))]);
      CHECK(found.factors[static_cast<std::size_t>(real.findLink(link))] * factor == Approx(1).epsilon(noise > 0 ? 0.02 : 0.01));
    }
    CHECK(found.before > 1.4 * noise * std::sqrt(3.0));
    CHECK(found.after < (noise > 0 ? noise * std::sqrt(3.0) : 0.1 * found.before));  // nothing beyond the noise is left
    const double hand = found.factors[static_cast<std::size_t>(real.findLink("LeftHand"))];
    CHECK(hand == 1);  // a tip leads to no joint
  }
  figure::Skeleton same = real;
  BoneLengths found;
  CHECK(calibrateBones(same, {{"A", "Hip", Vec3::Zero()}, {"B", "Hips", Vec3::Zero()}, {"C", "Head", Vec3::Zero()}}, {}, {}, found)
            .find("'Hip'") != std::string::npos);
}

TEST_CASE("a marker set that does not fit is refused", "[markers]") {
  const Actor a = actorOf(test::sourceDir() + "/models/motions/squat.bvh");
  std::unique_ptr<MarkerFit> fit;
  CHECK(MarkerFit::create(a.model, {{"A", "Hips", Vec3::Zero()}, {"B", "Hips", Vec3::Zero()}}, {}, fit).find("three") != std::string::npos);
  const std::string wrong =
      MarkerFit::create(a.model, {{"A", "Hip", Vec3::Zero()}, {"B", "Hips", Vec3::Zero()}, {"C", "Head", Vec3::Zero()}}, {}, fit);
  CHECK(wrong.find("'Hip'") != std::string::npos);
  const std::unique_ptr<MarkerFit> good = fitOf(a, places(20), 0.005, 0);
  std::vector<double> q;
  const std::vector<Vec3> none(20, Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
  CHECK_FALSE(good->push(none.data(), q));
  CHECK_FALSE(good->calibrate(none));
}
