// URDF files through osgDB: poses of every link against the C ABI's, joints that turn, meshes, scale, what is written and read again.
#include <cmath>
#include <filesystem>
#include <sstream>

#include <osg/ValueObject>
#include <osgDB/WriteFile>

#include "tests/osgdb/loaded.hpp"

namespace {

struct Robot {
  vtb_skeleton* skeleton = nullptr;
  vtb_workspace* workspace = nullptr;
  vtb_skeleton_info info{};
  std::vector<double> q;

  explicit Robot(const std::string& path) {
    REQUIRE(vtb_skeleton_load_urdf(path.c_str(), nullptr, nullptr, &skeleton) == VTB_OK);
    REQUIRE(vtb_workspace_create(skeleton, VTB_BASE_FIXED, 0, &workspace) == VTB_OK);
    info.struct_size = sizeof info;
    REQUIRE(vtb_skeleton_get_info(skeleton, &info) == VTB_OK);
    int32_t nq = 0, nv = 0;
    REQUIRE(vtb_workspace_get_size(workspace, &nq, &nv) == VTB_OK);
    q.resize(static_cast<std::size_t>(nq) + 1);
    REQUIRE(vtb_workspace_neutral(workspace, q.data()) == VTB_OK);
  }
  ~Robot() {
    vtb_workspace_destroy(workspace);
    vtb_skeleton_release(skeleton);
  }
  std::vector<double> poses() const {
    std::vector<double> all(7 * static_cast<std::size_t>(info.links));
    std::size_t total = 0;
    REQUIRE(vtb_dynamics_poses(workspace, q.data(), all.data(), all.size() / 7, 0, &total) == VTB_OK);
    return all;
  }
  std::string link(int index) const {
    vtb_link_info found{};
    found.struct_size = sizeof found;
    REQUIRE(vtb_skeleton_get_link(skeleton, index, &found) == VTB_OK);
    return found.name;
  }
  vtb_joint_info joint(int index) const {
    vtb_joint_info found{};
    found.struct_size = sizeof found;
    REQUIRE(vtb_skeleton_get_joint(skeleton, index, &found) == VTB_OK);
    return found;
  }
};

double worst(const Robot& robot, osg::Node& root) {
  test::Found found(root);
  const std::vector<double> poses = robot.poses();
  double most = 0;
  for (int i = 0; i < robot.info.links; i++) {
    REQUIRE(found.transforms.count(robot.link(i)) == 1);
    most = std::max(most, test::difference(test::worldOf(*found.transforms[robot.link(i)]), &poses[7 * static_cast<std::size_t>(i)]));
  }
  return most;
}

std::size_t trianglesOf(const std::vector<osg::Geometry*>& all) {
  std::size_t sum = 0;
  for (const osg::Geometry* geometry : all)
    for (unsigned i = 0; i < geometry->getNumPrimitiveSets(); i++) sum += geometry->getPrimitiveSet(i)->getNumPrimitives();
  return sum;
}

// Links, meshes and triangles of a file are those of the C ABI.
void compare(const std::string& path, const std::string& words, int collision) {
  INFO(path << " '" << words << "'");
  const Robot robot(path);
  auto result = test::readNode(path, words);
  REQUIRE(result.validNode());
  CHECK(worst(robot, *result.getNode()) < 1e-6);
  const int which = robot.info.visuals == 0 ? 1 : collision;
  std::size_t triangles = 0;
  const int count = which ? robot.info.shapes : robot.info.visuals;
  for (int i = 0; i < count; i++) {
    vtb_visual_info visual{};
    visual.struct_size = sizeof visual;
    REQUIRE(vtb_skeleton_get_visual(robot.skeleton, which, i, &visual) == VTB_OK);
    triangles += visual.triangles;
  }
  const test::Found found(*result.getNode());
  CHECK(found.geometries.size() == static_cast<std::size_t>(count));
  CHECK(trianglesOf(found.geometries) == triangles);
  CHECK(triangles > 0);
}

void near(const osg::BoundingSphere& a, const osg::BoundingSphere& b) {
  CHECK((a.center() - b.center()).length() < 1e-5);
  CHECK(std::fabs(a.radius() - b.radius()) < 1e-5);
}

std::string model(const char* name) { return test::sourceDir() + "/models/urdf/" + name + ".urdf"; }

}  // namespace

TEST_CASE("A robot in osgDB has the poses, meshes and triangles of the C ABI") {
  for (const char* name : {"arm7", "car", "humanoid", "quadruped"})
    for (int collision : {0, 1}) compare(model(name), collision ? "collision" : "", collision);
}

TEST_CASE("Real robots in osgDB have the poses, meshes and triangles of the C ABI") {
  REQUIRE_SHARED_DATA();
  int robots = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::sharedData() + "/urdf"))
    for (const char* name : {"g1_29dof_rev_1_0.urdf", "panda.urdf", "icub.urdf", "a1.urdf"})
      if (entry.path().filename() == name) compare(entry.path(), "", 0), robots++;
  CHECK(robots >= 3);
}

TEST_CASE("A joint's transform moves what hangs from it as its coordinate does") {
  Robot robot(model("arm7"));
  auto result = test::readNode(model("arm7"));
  REQUIRE(result.validNode());
  test::Found found(*result.getNode());
  int moved = 0;
  const auto valueOf = [](int j) { return 0.02 * (j + 1); };
  for (int j = 0; j < robot.info.joints; j++) {
    const vtb_joint_info joint = robot.joint(j);
    int32_t at = -1, v = -1;
    REQUIRE(vtb_workspace_get_joint(robot.workspace, j, &at, &v) == VTB_OK);
    if (at < 0 && joint.mimic < 0) continue;
    osg::MatrixTransform* node = found.transforms.at(joint.name);
    std::string type;
    osg::Vec3d axis;
    REQUIRE(node->getUserValue("type", type));
    REQUIRE(node->getUserValue("axis", axis));
    CHECK(type == joint.type_name);
    const double value = joint.mimic < 0 ? valueOf(j) : joint.mimic_multiplier * valueOf(joint.mimic) + joint.mimic_offset;
    node->preMult(joint.type == VTB_JOINT_TYPE_PRISMATIC ? osg::Matrixd::translate(axis * value) : osg::Matrixd::rotate(value, axis));
    if (at >= 0) robot.q[static_cast<std::size_t>(at)] = value, moved++;
  }
  CHECK(moved == 8);
  CHECK(worst(robot, *result.getNode()) < 1e-6);
}

TEST_CASE("The option scale makes the whole robot larger") {
  auto plain = test::readNode(model("humanoid")), small = test::readNode(model("humanoid"), "scale=0.01");
  REQUIRE(plain.validNode());
  REQUIRE(small.validNode());
  const osg::BoundingSphere a = plain.getNode()->getBound(), b = small.getNode()->getBound();
  CHECK(b.radius() == Approx(0.01 * a.radius()).epsilon(1e-5));
  CHECK((osg::Vec3(a.center()) * 0.01f - osg::Vec3(b.center())).length() < 1e-6);
}

TEST_CASE("Colours of a URDF are in the graph, and blend where they are transparent") {
  const std::string text = R"(<robot name="two"><link name="a">
    <visual><geometry><box size="1 1 1"/></geometry><material name="m"><color rgba="0.2 0.4 0.6 0.5"/></material></visual>
    <visual><geometry><sphere radius="1"/></geometry><material name="n"><color rgba="1 0 0 1"/></material></visual></link></robot>)";
  std::istringstream in(text);
  test::readNode(model("arm7"));  // loads the plugin
  osgDB::ReaderWriter* reader = test::registry().getReaderWriterForExtension("urdf");
  REQUIRE(reader != nullptr);
  auto result = reader->readNode(in, nullptr);
  REQUIRE(result.validNode());
  const test::Found found(*result.getNode());
  REQUIRE(found.geometries.size() == 2);
  const auto colour = [&](int i) {
    return (*static_cast<const osg::Vec4Array*>(found.geometries[static_cast<std::size_t>(i)]->getColorArray()))[0];
  };
  CHECK((colour(0) - osg::Vec4(0.2f, 0.4f, 0.6f, 0.5f)).length() < 1e-6);
  CHECK((colour(1) - osg::Vec4(1, 0, 0, 1)).length() < 1e-6);
  CHECK(found.geometries[0]->getStateSet()->getMode(GL_BLEND) == osg::StateAttribute::ON);
  CHECK(found.geometries[1]->getOrCreateStateSet()->getMode(GL_BLEND) != osg::StateAttribute::ON);
}

TEST_CASE("A robot that osgDB writes reads again with the same bounds") {
  auto result = test::readNode(model("quadruped"));
  REQUIRE(result.validNode());
  const osg::BoundingSphere bound = result.getNode()->getBound();
  for (const char* extension : {"osgt", "ive"}) {
    const std::string path = std::string("osgdb_robot.") + extension;
    REQUIRE(osgDB::writeNodeFile(*result.getNode(), path));
    auto again = test::readNode(path);
    REQUIRE(again.validNode());
    near(bound, again.getNode()->getBound());
    CHECK(worst(Robot(model("quadruped")), *again.getNode()) < 1e-6);
  }
}
