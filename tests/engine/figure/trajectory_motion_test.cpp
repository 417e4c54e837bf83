// Coordinates as a clip and back; clips mended; records of markers as clips. Random figures: poses of the clip are the figure's links, and
// the coordinates come back, whole turns included.
#include <limits>

#include "engine/figure/motion_mend.hpp"
#include "engine/figure/trajectory_motion.hpp"
#include "loaders/bvh/bvh.hpp"
#include "tests/engine/figure/made_clips.hpp"
#include "tests/engine/figure/random_skeleton.hpp"

using namespace vertebra;
using namespace vertebra::figure;
using namespace test;

namespace {

const std::vector<dynamics::JointType> kTypes = {dynamics::JointType::Revolute,  dynamics::JointType::Continuous,
                                                 dynamics::JointType::Prismatic, dynamics::JointType::Universal,
                                                 dynamics::JointType::Spherical, dynamics::JointType::Fixed};

std::shared_ptr<Skeleton> figureOf(std::uint64_t seed, bool mimic) {
  RandomSkeletonOptions options;
  options.types = kTypes;
  options.mimic = mimic;
  auto s = randomSkeleton(seed, options);
  Random r(seed + 100);
  for (JointDescription& d : s->joints) {
    d.axis2 = unit(Vec3(d.axis2 - d.axis * d.axis.dot(d.axis2)));
    const int k = r.below(4);
    if (k < 3) d.axis = Vec3::Unit(k) * (r.below(2) ? 1 : -1), d.axis2 = Vec3::Unit((k + 1) % 3);
    if (r.below(2)) d.inParent.q = Quat::Identity();
    if (r.below(3)) d.inChild = Pose();
  }
  REQUIRE(checkSkeleton(*s).empty());
  return s;
}

Trajectory movingTrajectory(const FigureModel& model, std::uint64_t seed, int frames) {
  Random r(seed);
  Trajectory t;
  t.name = model.skeleton->name;
  t.names = model.coordinates.qNames;
  t.frameTime = 0.05;
  std::vector<double> q = randomCoordinates(r, model.coordinates, 8);  // hinges begin beyond half a turn
  for (int i = 0; i < frames; i++) {
    t.q.insert(t.q.end(), q.begin(), q.end());
    const std::vector<double> v = randomValues(r, model.nv(), 10);
    integrate(model.coordinates, q.data(), v.data(), t.frameTime, q.data());
  }
  return t;
}

double largestDifference(const Trajectory& a, const Trajectory& b, const Coordinates& c) {
  double worst = 0;
  std::vector<double> d(static_cast<std::size_t>(c.nv));
  for (int i = 0; i < a.frames(); i++) {
    difference(c, a.frame(i), b.frame(i), d.data());
    for (double x : d) worst = std::max(worst, std::fabs(x));
  }
  return worst;
}

}  // namespace

TEST_CASE("coordinates of random figures as a clip and back") {
  for (std::uint64_t seed = 1; seed <= 40; seed++) {
    const auto model = makeFigureModel(figureOf(seed, seed % 2 == 0), BaseKind::Floating);
    const Trajectory t = movingTrajectory(*model, seed, 6);
    Motion clip;
    REQUIRE(motionFromTrajectory(t, *model, clip).empty());
    REQUIRE(clip.frames() == t.frames());
    FigureWorkspace workspace(model);
    std::vector<Pose> joints(clip.joints.size());
    const Skeleton& s = *model->skeleton;
    for (int i = 0; i < t.frames(); i++) {
      motionWorldPoses(clip, clip.frame(i), false, joints.data());
      const Pose* links = workspace.poses(t.frame(i));
      REQUIRE((joints[0].p - links[s.root].p).norm() < 1e-9);
      REQUIRE(angleBetween(joints[0].q, links[s.root].q) < 1e-7);
      for (const JointDescription& d : s.joints) {  // a joint's origin is where it is in its child
        const Pose& joint = joints[static_cast<std::size_t>(clip.findJoint(d.name))];
        REQUIRE((joint.p - links[d.child] * d.inChild.p).norm() < 1e-9);
      }
    }
    Trajectory back;
    int matched = 0;
    REQUIRE(trajectoryFromMotion(clip, *model, back, matched).empty());
    REQUIRE(matched == static_cast<int>(model->coordinates.parts.size()) - 1);
    REQUIRE(largestDifference(t, back, model->coordinates) < 1e-7);
    Motion read;  // and through a file, whose axes and units are told
    Diagnostics findings;
    BvhOptions options;
    options.unit = 1;
    options.upAxis = clip.turn.x() > 0.5 ? 1 : 2;
    REQUIRE(loadBvhText(writeBvhText(clip), "again.bvh", options, read, findings));
    REQUIRE(trajectoryFromMotion(read, *model, back, matched).empty());
    REQUIRE(largestDifference(t, back, model->coordinates) < 1e-7);
  }
}

TEST_CASE("what a clip has no channels for is refused by name") {
  for (const auto type : {dynamics::JointType::Planar, dynamics::JointType::Cylindrical, dynamics::JointType::Screw}) {
    RandomSkeletonOptions options;
    options.types = {type};
    options.links = 2;
    options.massless = false;
    const auto model = makeFigureModel(randomSkeleton(3, options), BaseKind::Floating);
    Motion clip;
    const std::string wrong = motionFromTrajectory(movingTrajectory(*model, 1, 2), *model, clip);
    REQUIRE(wrong.find("joint 'joint1'") == 0);
    REQUIRE(wrong.find(dynamics::jointTypeName(type)) != std::string::npos);
  }
  const auto model = makeFigureModel(figureOf(1, false), BaseKind::Floating);
  Trajectory none;
  int matched = 0;
  REQUIRE(!trajectoryFromMotion(walking(5, 30), *model, none, matched).empty());
}

TEST_CASE("frames that do not fit are mended") {
  const Motion was = walking(60, 60);
  Motion odd = was;
  for (int c = 6; c < odd.channelCount; c++) value(odd, 0, c) += 60, value(odd, 30, c) += 60, value(odd, 59, c) += 60;
  for (int i = 45; i < 59; i++) value(odd, i, 9) += 90;  // a jump that lasts
  const std::vector<Outlier> found = motionOutliers(odd);
  std::vector<int> mended;
  const Motion cut = motionMended(odd, Mend::Cut, found, mended);
  REQUIRE(mended == std::vector<int>{0, 30, 59});
  REQUIRE(cut.frames() == 57);
  REQUIRE(cut.frame(0)[0] == odd.frame(1)[0]);
  REQUIRE(cut.frame(29)[7] == odd.frame(31)[7]);
  const Motion between = motionMended(odd, Mend::Interpolate, found, mended);
  REQUIRE(between.frames() == 60);
  std::vector<Pose> a(was.joints.size()), b(was.joints.size());
  motionWorldPoses(was, was.frame(30), false, a.data());
  motionWorldPoses(between, between.frame(30), false, b.data());
  for (std::size_t j = 0; j < a.size(); j++) REQUIRE((a[j].p - b[j].p).norm() < 5e-3);  // half a step's curvature
  for (int c = 0; c < odd.channelCount; c++) {
    REQUIRE(between.frame(0)[c] == odd.frame(1)[c]);
    REQUIRE(between.frame(59)[c] == odd.frame(58)[c]);
    REQUIRE(between.frame(50)[c] == odd.frame(50)[c]);
  }
  REQUIRE(motionMended(was, Mend::Cut, motionOutliers(was), mended).values == was.values);
  REQUIRE(mended.empty());
}

TEST_CASE("markers as a clip: gaps lie on straight lines") {
  MarkerRecord record;
  record.names = {"A", "B", "none"};
  record.frameTime = 0.1;
  const Vec3 gone = Vec3::Constant(std::numeric_limits<double>::quiet_NaN());
  for (int i = 0; i < 6; i++) {
    record.positions.push_back(i == 0 || i == 2 || i == 3 ? gone : Vec3(i, 2 * i, -i));
    record.positions.push_back(i < 4 ? Vec3(1, i * i, 0) : gone);
    record.positions.push_back(gone);
  }
  std::vector<int> missing;
  const Motion clip = motionFromMarkers(record, missing);
  REQUIRE(missing == std::vector<int>{3, 2, 6});
  std::vector<Pose> poses(3);
  for (int i = 0; i < 6; i++) {
    motionWorldPoses(clip, clip.frame(i), false, poses.data());
    const double x = std::max(i, 1);
    REQUIRE((poses[0].p - Vec3(x, 2 * x, -x)).norm() < 1e-12);
    REQUIRE(poses[1].p == Vec3(1, std::min(i, 3) * std::min(i, 3), 0));
  }
}
