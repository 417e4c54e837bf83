// The clips of this project (models/motions): feet on the ground without sliding, balance, and that the script still produces them.
#include <cmath>
#include <cstdlib>

#include "engine/figure/figure_model.hpp"
#include "engine/figure/motion_coordinates.hpp"
#include "loaders/bvh/figure.hpp"
#include "tests/loaders/bvh/bvh_support.hpp"
#include "tests/support.hpp"

using namespace vertebra;

namespace {
struct Loaded {
  figure::Motion motion;
  std::shared_ptr<figure::Skeleton> skeleton = std::make_shared<figure::Skeleton>();
  std::shared_ptr<const figure::FigureModel> model;
};
Loaded load(const std::string& name) {
  Loaded l;
  l.motion = test::loadedFile(test::sourceDir() + "/models/motions/" + name + ".bvh");
  Diagnostics d;
  REQUIRE(skeletonFromMotion(l.motion, {}, *l.skeleton, d));
  l.model = figure::makeFigureModel(l.skeleton, figure::BaseKind::Floating);
  return l;
}

// The four lower corners of the boxes of feet and toes.
std::vector<Vec3> soleCorners(const figure::Skeleton& s, const Pose* poses) {
  std::vector<Vec3> out;
  for (const char* name : {"LeftFoot", "LeftToeBase", "RightFoot", "RightToeBase"}) {
    const int l = s.findLink(name);
    REQUIRE(l >= 0);
    REQUIRE(s.links[l].shapes.size() == 1);
    const geometry::Shape& box = s.links[l].shapes[0];
    REQUIRE(box.geometry.type == geometry::ShapeType::Box);
    for (double x : {-1.0, 1.0})
      for (double y : {-1.0, 1.0})
        out.push_back(poses[l] * (box.local * Vec3(x * box.geometry.size.x(), y * box.geometry.size.y(), -box.geometry.size.z())));
  }
  return out;
}
}  // namespace

TEST_CASE("in the clips one foot always stands: soles at ground level, and feet on the ground do not slide") {
  for (const char* name : {"walk", "wave", "squat"}) {
    INFO(name);
    Loaded l = load(name);
    figure::FigureWorkspace workspace(l.model);
    figure::MotionBinding binding(l.motion, *l.skeleton, l.model->coordinates);
    std::vector<double> q(l.model->nq());
    std::vector<Vec3> before;
    double lowest = 1, highestLowest = -1, slide = 0;
    for (int f = 0; f < l.motion.frames(); f++) {
      INFO(f);
      binding.coordinates(f * l.motion.frameTime, q.data());
      std::vector<Vec3> corners = soleCorners(*l.skeleton, workspace.poses(q.data()));
      double low = 1;
      for (std::size_t k = 0; k < corners.size(); k++) {
        low = std::min(low, corners[k].z());
        if (!before.empty() && corners[k].z() < 2e-4 && before[k].z() < 2e-4)
          slide = std::max(slide, (corners[k] - before[k]).head<2>().norm() / l.motion.frameTime);
      }
      lowest = std::min(lowest, low);
      highestLowest = std::max(highestLowest, low);
      before = corners;
    }
    CHECK(lowest > -0.01);
    CHECK(highestLowest < 0.01);
    CHECK(slide < 0.1);
  }
}

TEST_CASE("the walk goes straight ahead at 1.3 m/s; the person is 1.75 m tall") {
  Loaded l = load("walk");
  std::vector<Pose> first(l.motion.joints.size()), last(first.size());
  figure::motionWorldPoses(l.motion, l.motion.frame(0), false, first.data());
  figure::motionWorldPoses(l.motion, l.motion.frame(l.motion.frames() - 1), false, last.data());
  CHECK(l.motion.duration() > 4);
  const Vec3 way = last[0].p - first[0].p;
  CHECK(way.norm() / l.motion.duration() == Approx(1.3).epsilon(0.02));
  CHECK(std::fabs(way.z()) < 0.01);
  CHECK(std::fabs(way.x()) < 0.01);  // file z is ahead: world -y
  CHECK(way.y() < 0);
  Loaded stand = load("wave");
  std::vector<Pose> poses(stand.motion.joints.size());
  figure::motionWorldPoses(stand.motion, stand.motion.frame(0), false, poses.data());
  const int head = stand.motion.findJoint("Head");
  const double top = (poses[head] * (stand.motion.unit * stand.motion.joints[head].endSites[0])).z();
  CHECK(top == Approx(1.75).epsilon(0.01));
}

TEST_CASE("standing and squatting, the centre of mass is over the feet") {
  for (const char* name : {"wave", "squat"}) {
    INFO(name);
    Loaded l = load(name);
    figure::FigureWorkspace workspace(l.model);
    figure::MotionBinding binding(l.motion, *l.skeleton, l.model->coordinates);
    std::vector<double> q(l.model->nq());
    for (int f = 0; f < l.motion.frames(); f += 5) {
      INFO(f);
      binding.coordinates(f * l.motion.frameTime, q.data());
      Vec3 com;
      REQUIRE(workspace.centerOfMass(q.data(), nullptr, com, nullptr));
      Vec3 lo = Vec3::Constant(10), hi = -lo;
      for (const Vec3& c : soleCorners(*l.skeleton, workspace.poses(q.data()))) lo = lo.cwiseMin(c), hi = hi.cwiseMax(c);
      for (int k = 0; k < 2; k++) {
        CHECK(com[k] > lo[k] + 0.02);
        CHECK(com[k] < hi[k] - 0.02);
      }
    }
  }
}

TEST_CASE("the script makes the clips that are kept") {
  if (std::system("/usr/bin/python3 -c 'import numpy' >/dev/null 2>&1") != 0) {
    WARN("skipped: no python with numpy");
    return;
  }
  const std::filesystem::path dir = std::filesystem::temp_directory_path() / "vertebra_motions_test";
  std::filesystem::create_directories(dir);
  const std::string command =
      "/usr/bin/python3 '" + test::sourceDir() + "/models/motions/make_motions.py' '" + dir.string() + "' >/dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  for (const char* name : {"walk", "wave", "squat"}) {
    INFO(name);
    figure::Motion made = test::loadedFile((dir / (std::string(name) + ".bvh")).string());
    figure::Motion kept = test::loadedFile(test::sourceDir() + "/models/motions/" + name + ".bvh");
    REQUIRE(made.values.size() == kept.values.size());
    double worst = 0;
    for (std::size_t i = 0; i < made.values.size(); i++) worst = std::max(worst, std::fabs(made.values[i] - kept.values[i]));
    CHECK(worst < 1e-3);
  }
  std::filesystem::remove_all(dir);
}
