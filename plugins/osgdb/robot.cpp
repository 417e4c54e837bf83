// See robot.hpp.
#include "plugins/osgdb/robot.hpp"

#include <osg/ValueObject>

#include "plugins/osgdb/abi.hpp"
#include "plugins/osgdb/reader.hpp"
#include "viewer/surface.hpp"

namespace vertebra::osgdb {

namespace {

std::string nameOf(const vtb_skeleton* skeleton) {
  std::size_t needed = 0;
  check(vtb_skeleton_get_name(skeleton, nullptr, 0, &needed));
  std::string name(needed, '\0');
  check(vtb_skeleton_get_name(skeleton, name.data(), name.size(), &needed));
  return name.c_str();
}

std::vector<double> neutralPoses(vtb_skeleton* skeleton, int links) {
  vtb_workspace* made = nullptr;
  check(vtb_workspace_create(skeleton, VTB_BASE_FIXED, 0, &made));
  const Workspace workspace(made);
  int32_t nq = 0, nv = 0;
  check(vtb_workspace_get_size(made, &nq, &nv));
  std::vector<double> q(static_cast<std::size_t>(nq) + 1), poses(7 * static_cast<std::size_t>(links));
  check(vtb_workspace_neutral(made, q.data()));
  std::size_t total = 0;
  check(vtb_dynamics_poses(made, q.data(), poses.data(), static_cast<std::size_t>(links), 0, &total));
  return poses;
}

// Moves with its joint: an optimiser must not fold it into what is below.
osg::ref_ptr<osg::MatrixTransform> transform(const char* name, const osg::Matrixd& matrix) {
  osg::ref_ptr<osg::MatrixTransform> node = new osg::MatrixTransform(matrix);
  node->setName(name);
  node->setDataVariance(osg::Object::DYNAMIC);
  return node;
}

}  // namespace

std::vector<osg::ref_ptr<osg::Geode>> drawn(const vtb_skeleton* skeleton, bool collision) {
  auto info = sized<vtb_skeleton_info>();
  check(vtb_skeleton_get_info(skeleton, &info));
  const int which = collision || info.visuals == 0;
  std::vector<osg::ref_ptr<osg::Geode>> geodes(static_cast<std::size_t>(info.links));
  for (int32_t i = 0; i < (which ? info.shapes : info.visuals); i++) {
    auto visual = sized<vtb_visual_info>();
    check(vtb_skeleton_get_visual(skeleton, which, i, &visual));
    std::vector<double> vertices(3 * std::size_t{visual.vertices});
    std::vector<std::uint32_t> triangles(3 * std::size_t{visual.triangles});
    check(vtb_skeleton_get_visual_mesh(skeleton, which, i, vertices.data(), visual.vertices, triangles.data(), visual.triangles));
    osg::ref_ptr<osg::Geode>& geode = geodes[static_cast<std::size_t>(visual.link)];
    if (!geode) {
      geode = new osg::Geode;
      geode->setName(which ? "collision" : "visual");
    }
    geode->addDrawable(viewer::surface(vertices, triangles, {visual.rgba[0], visual.rgba[1], visual.rgba[2], visual.rgba[3]}));
  }
  return geodes;
}

osg::ref_ptr<osg::Node> robotNode(vtb_skeleton* skeleton, const Settings& settings) {
  auto info = sized<vtb_skeleton_info>();
  check(vtb_skeleton_get_info(skeleton, &info));
  const std::vector<double> poses = neutralPoses(skeleton, info.links);
  const auto poseOf = [&](int link) { return matrixOf(&poses[7 * static_cast<std::size_t>(link)]); };
  const std::vector<osg::ref_ptr<osg::Geode>> geodes = drawn(skeleton, settings.collision);
  osg::ref_ptr<osg::MatrixTransform> root = makeRoot(nameOf(skeleton), settings);
  std::vector<osg::ref_ptr<osg::MatrixTransform>> links;
  for (int32_t i = 0; i < info.links; i++) {
    auto link = sized<vtb_link_info>();
    check(vtb_skeleton_get_link(skeleton, i, &link));
    links.push_back(transform(link.name, osg::Matrixd::identity()));
    if (geodes[static_cast<std::size_t>(i)]) links.back()->addChild(geodes[static_cast<std::size_t>(i)]);
  }
  for (int32_t i = 0; i < info.links; i++) {
    auto link = sized<vtb_link_info>();
    check(vtb_skeleton_get_link(skeleton, i, &link));
    osg::MatrixTransform& node = *links[static_cast<std::size_t>(i)];
    if (link.parent_joint < 0) {
      node.setMatrix(poseOf(i));
      root->addChild(&node);
      continue;
    }
    auto info = sized<vtb_joint_info>();
    check(vtb_skeleton_get_joint(skeleton, link.parent_joint, &info));
    // Where the neutral coordinates of a joint move it (a mimic joint with an offset), its frame holds that.
    const osg::Matrixd below = osg::Matrixd::inverse(matrixOf(info.child_frame));
    const osg::Matrixd relative = poseOf(i) * osg::Matrixd::inverse(poseOf(info.parent));
    osg::ref_ptr<osg::MatrixTransform> joint = transform(info.name, osg::Matrixd::inverse(below) * relative);
    joint->setUserValue("type", std::string(info.type_name));
    joint->setUserValue("axis", osg::Vec3d(info.axis[0], info.axis[1], info.axis[2]));
    node.setMatrix(below);
    joint->addChild(&node);
    links[static_cast<std::size_t>(info.parent)]->addChild(joint);
  }
  return root;
}

}  // namespace vertebra::osgdb
