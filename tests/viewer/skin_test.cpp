// Skins of figures: closed, around the bones, and going with the links.
#include <cmath>

#include <osg/Quat>
#include <osg/ref_ptr>

#include "tests/support.hpp"
#include "vertebra/vertebra.h"
#include "viewer/closed.hpp"
#include "viewer/skin.hpp"

using namespace vertebra::viewer;

namespace {

using Points = osg::ref_ptr<osg::Vec3Array>;
Points array() { return new osg::Vec3Array; }

struct Model {
  vtb_skeleton* skeleton = nullptr;
  vtb_workspace* workspace = nullptr;
  std::vector<double> q, poses;
  int links = 0;

  explicit Model(vtb_skeleton* given) : skeleton(given) {
    vtb_skeleton_info info{};
    info.struct_size = sizeof info;
    REQUIRE(vtb_skeleton_get_info(skeleton, &info) == VTB_OK);
    links = info.links;
    REQUIRE(vtb_workspace_create(skeleton, VTB_BASE_FIXED, 0, &workspace) == VTB_OK);
    int32_t nq = 0, nv = 0;
    REQUIRE(vtb_workspace_get_size(workspace, &nq, &nv) == VTB_OK);
    q.resize(static_cast<std::size_t>(nq));
    REQUIRE(vtb_workspace_neutral(workspace, q.data()) == VTB_OK);
    pose();
  }
  ~Model() {
    vtb_workspace_destroy(workspace);
    vtb_skeleton_release(skeleton);
  }
  void pose() {
    poses.resize(7 * static_cast<std::size_t>(links));
    std::size_t total = 0;
    REQUIRE(vtb_dynamics_poses(workspace, q.data(), poses.data(), static_cast<std::size_t>(links), 0, &total) == VTB_OK);
  }
};

vtb_skeleton* clip() {
  vtb_motion* motion = nullptr;
  vtb_skeleton* made = nullptr;
  REQUIRE(vtb_motion_load_bvh((test::sourceDir() + "/models/motions/walk.bvh").c_str(), nullptr, nullptr, &motion) == VTB_OK);
  REQUIRE(vtb_skeleton_from_motion(motion, nullptr, nullptr, &made) == VTB_OK);
  vtb_motion_release(motion);
  return made;
}

vtb_skeleton* robot(const char* name) {
  vtb_skeleton* made = nullptr;
  REQUIRE(vtb_skeleton_load_urdf((test::sourceDir() + "/models/urdf/" + name + ".urdf").c_str(), nullptr, nullptr, &made) == VTB_OK);
  return made;
}

std::vector<double> numbers(const osg::Vec3Array& points) {
  std::vector<double> all;
  for (const osg::Vec3& p : points)
    for (int k = 0; k < 3; k++) all.push_back(p[k]);
  return all;
}

// How often the surface goes round a point: the sum of the solid angles of its triangles over 4 pi.
double winding(const osg::Vec3Array& points, const std::vector<std::uint32_t>& triangles, const osg::Vec3d& p) {
  double sum = 0;
  for (std::size_t t = 0; t + 2 < triangles.size(); t += 3) {
    const osg::Vec3d a = osg::Vec3d(points[triangles[t]]) - p, b = osg::Vec3d(points[triangles[t + 1]]) - p,
                     c = osg::Vec3d(points[triangles[t + 2]]) - p;
    const double la = a.length(), lb = b.length(), lc = c.length();
    sum += 2 * std::atan2(a * (b ^ c), la * lb * lc + (a * b) * lc + (b * c) * la + (c * a) * lb);
  }
  return sum / (4 * M_PI);
}

double volume(const osg::Vec3Array& points, const std::vector<std::uint32_t>& triangles) {
  double sum = 0;
  for (std::size_t t = 0; t + 2 < triangles.size(); t += 3)
    sum += osg::Vec3d(points[triangles[t]]) * (osg::Vec3d(points[triangles[t + 1]]) ^ osg::Vec3d(points[triangles[t + 2]])) / 6;
  return sum;
}

}  // namespace

TEST_CASE("A skin is closed, and around the joints of its figure") {
  for (vtb_skeleton* skeleton : {clip(), robot("humanoid"), robot("arm7")}) {
    const Model model(skeleton);
    const Skin skin(model.skeleton, model.poses);
    const Points pointsHeld = array(), normalsHeld = array();
    osg::Vec3Array &points = *pointsHeld, &normals = *normalsHeld;
    skin.follow(model.poses, points, normals);
    CHECK(isClosed(numbers(points), skin.triangles()));
    CHECK(skin.triangles().size() / 3 < 100000);
    int around = 0, joints = 0;
    for (int j = 0; j < model.links - 1; j++) {
      vtb_joint_info joint{};
      joint.struct_size = sizeof joint;
      if (vtb_skeleton_get_joint(model.skeleton, j, &joint) != VTB_OK || joint.axes == 0) continue;
      const double* pose = &model.poses[7 * static_cast<std::size_t>(joint.child)];
      around += winding(points, skin.triangles(), {pose[0], pose[1], pose[2]}) > 0.5;
      joints++;
    }
    CHECK(joints > 5);
    CHECK(around == joints);
    CHECK(std::fabs(winding(points, skin.triangles(), {10, 10, 10})) < 1e-3);
  }
}

TEST_CASE("A skin moves as a rigid body where its links do") {
  const Model model(clip());
  const Skin skin(model.skeleton, model.poses);
  const Points beforeHeld = array(), afterHeld = array(), normalsHeld = array(), turnedHeld = array();
  osg::Vec3Array &before = *beforeHeld, &after = *afterHeld, &normals = *normalsHeld, &turned = *turnedHeld;
  skin.follow(model.poses, before, normals);
  const double move[7] = {1, -2, 3, 0, std::sin(0.4), 0, std::cos(0.4)};
  std::vector<double> moved(model.poses.size());
  for (std::size_t i = 0; i < moved.size(); i += 7) REQUIRE(vtb_pose_multiply(move, &model.poses[i], &moved[i]) == VTB_OK);
  skin.follow(moved, after, turned);
  const osg::Quat turn(move[3], move[4], move[5], move[6]);
  for (std::size_t i = 0; i < before.size(); i++) {
    CHECK((turn * osg::Vec3d(before[i]) + osg::Vec3d(move[0], move[1], move[2]) - osg::Vec3d(after[i])).length() < 1e-5);
    CHECK(normals[i].length() == Approx(1).epsilon(1e-4));
  }
}

TEST_CASE("A skin keeps its volume where the figure bends") {
  Model model(robot("arm7"));
  const Skin skin(model.skeleton, model.poses);
  const Points pointsHeld = array(), normalsHeld = array();
  osg::Vec3Array &points = *pointsHeld, &normals = *normalsHeld;
  skin.follow(model.poses, points, normals);
  const double straight = volume(points, skin.triangles());
  for (std::size_t i = 0; i < 7; i++) model.q[i] = 0.5;
  model.pose();
  skin.follow(model.poses, points, normals);
  CHECK(straight > 0);
  CHECK(volume(points, skin.triangles()) == Approx(straight).epsilon(0.1));
}
