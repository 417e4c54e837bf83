// See clip.hpp.
#include "plugins/osgdb/clip.hpp"

#include <algorithm>
#include <vector>

#include <osg/BoundingBox>
#include <osg/MatrixTransform>

#include "plugins/osgdb/abi.hpp"
#include "plugins/osgdb/reader.hpp"
#include "plugins/osgdb/robot.hpp"

namespace vertebra::osgdb {

namespace {

vtb_motion_joint jointOf(const vtb_motion* motion, int index) {
  auto joint = sized<vtb_motion_joint>();
  check(vtb_motion_get_joint(motion, index, &joint));
  return joint;
}

// World poses of all joints in a frame. A clip without frames has its rest pose.
void posesOf(const vtb_motion* motion, const vtb_motion_info& info, int frame, std::vector<double>& poses) {
  const auto joints = static_cast<std::size_t>(info.joints);
  poses.resize(7 * joints);
  if (info.frames > 0) {
    std::size_t total = 0;
    check(vtb_motion_get_poses(motion, frame, 0, poses.data(), joints, 0, &total));
    return;
  }
  const double turn[7] = {0, 0, 0, info.turn[0], info.turn[1], info.turn[2], info.turn[3]};
  for (std::size_t j = 0; j < joints; j++) {
    const vtb_motion_joint joint = jointOf(motion, static_cast<int>(j));
    const double local[7] = {info.unit * joint.offset[0], info.unit * joint.offset[1], info.unit * joint.offset[2], 0, 0, 0, 1};
    check(vtb_pose_multiply(joint.parent < 0 ? turn : &poses[7 * static_cast<std::size_t>(joint.parent)], local, &poses[7 * j]));
  }
}

osg::AnimationPath::ControlPoint controlPoint(const double pose[7]) {
  return {osg::Vec3d(pose[0], pose[1], pose[2]), osg::Quat(pose[3], pose[4], pose[5], pose[6])};
}

vtb_motion_info infoOf(const vtb_motion* motion) {
  auto info = sized<vtb_motion_info>();
  check(vtb_motion_get_info(motion, &info));
  return info;
}

// Bones of the figure that starts at a root. Its links are the last joints below that root: what only carries a figure comes before it.
void addBones(const vtb_motion* motion, int root, int number, const std::vector<int>& parents,
              std::vector<osg::ref_ptr<osg::MatrixTransform>>& nodes) {
  vtb_motion_figure_def def{};
  check(vtb_motion_figure_def_init(&def, sizeof def));
  def.root = number;
  vtb_diagnostics* findings = nullptr;
  vtb_skeleton* made = nullptr;
  const vtb_status status = vtb_skeleton_from_motion(motion, &def, &findings, &made);
  const Skeleton skeleton(made);
  try {
    tell(findings, status);
  } catch (const Failure& failure) {
    throw Failure(std::string(failure.what()) + "; option noBones reads the joints alone");
  }
  std::vector<std::size_t> below;
  std::vector<char> in(parents.size());
  for (std::size_t j = static_cast<std::size_t>(root); j < parents.size(); j++) {
    in[j] = static_cast<int>(j) == root || (parents[j] >= 0 && in[static_cast<std::size_t>(parents[j])]);
    if (in[j]) below.push_back(j);
  }
  const std::vector<osg::ref_ptr<osg::Geode>> bones = drawn(made, false);
  if (bones.size() > below.size()) throw Failure("the figure of the clip has more links than joints");
  for (std::size_t link = 0; link < bones.size(); link++)
    if (bones[link]) nodes[below[below.size() - bones.size() + link]]->addChild(bones[link]);
}

}  // namespace

osg::ref_ptr<osg::Node> clipNode(const vtb_motion* motion, const std::string& name, const Settings& settings) {
  const vtb_motion_info info = infoOf(motion);
  const auto count = static_cast<std::size_t>(info.joints);
  osg::ref_ptr<osg::MatrixTransform> root = makeRoot(name, settings);
  std::vector<osg::ref_ptr<osg::MatrixTransform>> nodes;
  std::vector<osg::ref_ptr<osg::AnimationPath>> paths;
  std::vector<int> parents;
  for (std::size_t j = 0; j < count; j++) {
    const vtb_motion_joint joint = jointOf(motion, static_cast<int>(j));
    parents.push_back(joint.parent);
    nodes.push_back(new osg::MatrixTransform);
    nodes[j]->setName(joint.name);
    nodes[j]->setDataVariance(osg::Object::DYNAMIC);
    (joint.parent < 0 ? root : nodes[static_cast<std::size_t>(joint.parent)])->addChild(nodes[j]);
    paths.push_back(new osg::AnimationPath);
    paths[j]->setName(joint.name);
    if (info.frames > 1) nodes[j]->setUpdateCallback(new osg::AnimationPathCallback(paths[j]));
  }
  osg::BoundingBoxd everywhere;  // where the clip goes, so that a viewer's first look takes in all of it
  std::vector<double> poses;
  for (int frame = 0; frame < std::max(1, info.frames); frame++) {
    posesOf(motion, info, frame, poses);
    for (std::size_t j = 0; j < count; j++) {
      everywhere.expandBy(osg::Vec3d(poses[7 * j], poses[7 * j + 1], poses[7 * j + 2]) * settings.scale);
      double local[7];
      std::copy_n(&poses[7 * j], 7, local);
      if (parents[j] >= 0) {
        double parent[7];
        check(vtb_pose_inverse(&poses[7 * static_cast<std::size_t>(parents[j])], parent));
        check(vtb_pose_multiply(parent, &poses[7 * j], local));
      }
      if (frame == 0) nodes[j]->setMatrix(matrixOf(local));
      paths[j]->insert(frame * info.frame_time, controlPoint(local));
    }
  }
  root->setInitialBound(osg::BoundingSphere(osg::Vec3(everywhere.center()), static_cast<float>(everywhere.radius())));
  if (settings.noBones) return root;
  int number = 0;
  for (std::size_t j = 0; j < count; j++)
    if (parents[j] < 0) addBones(motion, static_cast<int>(j), number++, parents, nodes);
  return root;
}

osg::ref_ptr<osg::AnimationPath> clipPath(const vtb_motion* motion, const std::string& joint, const Settings& settings) {
  const vtb_motion_info info = infoOf(motion);
  int32_t index = 0;
  if (!joint.empty()) check(vtb_motion_find_joint(motion, joint.c_str(), &index));
  osg::ref_ptr<osg::AnimationPath> path = new osg::AnimationPath;
  path->setName(jointOf(motion, index).name);
  std::vector<double> poses;
  for (int frame = 0; frame < std::max(1, info.frames); frame++) {
    posesOf(motion, info, frame, poses);
    osg::AnimationPath::ControlPoint point = controlPoint(&poses[7 * static_cast<std::size_t>(index)]);
    point.setPosition(point.getPosition() * settings.scale);
    path->insert(frame * info.frame_time, point);
  }
  return path;
}

}  // namespace vertebra::osgdb
