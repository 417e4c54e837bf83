// BVH files through osgDB: poses at every frame against the C ABI's, bones, paths.
#include <cmath>
#include <tuple>

#include <osg/AnimationPath>
#include <osgDB/WriteFile>
#include <osgUtil/UpdateVisitor>

#include "tests/osgdb/loaded.hpp"

namespace {

struct Motion {
  vtb_motion* handle = nullptr;
  vtb_motion_info info{};

  explicit Motion(const std::string& path) {
    REQUIRE(vtb_motion_load_bvh(path.c_str(), nullptr, nullptr, &handle) == VTB_OK);
    info.struct_size = sizeof info;
    REQUIRE(vtb_motion_get_info(handle, &info) == VTB_OK);
  }
  ~Motion() { vtb_motion_release(handle); }
  std::vector<double> poses(int frame) const {
    std::vector<double> all(7 * static_cast<std::size_t>(info.joints));
    std::size_t total = 0;
    REQUIRE(vtb_motion_get_poses(handle, frame, 0, all.data(), all.size() / 7, 0, &total) == VTB_OK);
    return all;
  }
  std::string name(int joint) const {
    vtb_motion_joint found{};
    found.struct_size = sizeof found;
    REQUIRE(vtb_motion_get_joint(handle, joint, &found) == VTB_OK);
    return found.name;
  }
};

// As a viewer brings a graph to a time.
void update(osg::Node& root, double time) {
  osg::ref_ptr<osg::FrameStamp> stamp = new osg::FrameStamp;
  stamp->setSimulationTime(time);
  stamp->setReferenceTime(time);
  osgUtil::UpdateVisitor visitor;
  visitor.setFrameStamp(stamp);
  root.accept(visitor);
}

// Largest difference over frames and joints, m or of a rotation's columns.
double worst(const std::string& path) {
  INFO(path);
  const Motion motion(path);
  auto result = test::readNode(path);
  REQUIRE(result.validNode());
  test::Found found(*result.getNode());
  update(*result.getNode(), 0);
  double most = 0;
  for (int frame = 0; frame < motion.info.frames - 1; frame++) {  // at the time of the last the clip begins again
    update(*result.getNode(), frame * motion.info.frame_time);
    const std::vector<double> poses = motion.poses(frame);
    for (int j = 0; j < motion.info.joints; j++) {
      REQUIRE(found.transforms.count(motion.name(j)) == 1);
      most = std::max(most, test::difference(test::worldOf(*found.transforms[motion.name(j)]), &poses[7 * static_cast<std::size_t>(j)]));
    }
  }
  return most;
}

}  // namespace

TEST_CASE("A clip in osgDB has the poses of the C ABI at every frame") {
  for (const char* name : {"walk", "squat", "wave"}) CHECK(worst(test::sourceDir() + "/models/motions/" + name + ".bvh") < 1e-6);
}

TEST_CASE("Real clips in osgDB have the poses of the C ABI at every frame") {
  REQUIRE_SHARED_DATA();
  for (const char* name :
       {"bandai1_bow_normal_001", "cmu_example_278", "hvha_8walk_1064", "mixamo_69", "mocapbank_walk_455", "xia_neutral_327"})
    CHECK(worst(test::sharedData() + "/bvh/" + name + ".bvh") < 1e-6);
}

TEST_CASE("A clip in osgDB has the figure's bones, as many as the C ABI makes") {
  const std::string path = test::sourceDir() + "/models/motions/walk.bvh";
  const Motion motion(path);
  vtb_skeleton* skeleton = nullptr;
  REQUIRE(vtb_skeleton_from_motion(motion.handle, nullptr, nullptr, &skeleton) == VTB_OK);
  vtb_skeleton_info info{};
  info.struct_size = sizeof info;
  REQUIRE(vtb_skeleton_get_info(skeleton, &info) == VTB_OK);
  auto result = test::readNode(path), bare = test::readNode(path, "noBones");
  REQUIRE(result.validNode());
  REQUIRE(bare.validNode());
  test::Found found(*result.getNode());
  CHECK(found.geometries.size() == static_cast<std::size_t>(info.visuals));
  CHECK(test::Found(*bare.getNode()).geometries.empty());
  for (int i = 0; i < info.visuals; i++) {  // each below the joint of its link's name
    vtb_visual_info visual{};
    visual.struct_size = sizeof visual;
    REQUIRE(vtb_skeleton_get_visual(skeleton, 0, i, &visual) == VTB_OK);
    vtb_link_info link{};
    link.struct_size = sizeof link;
    REQUIRE(vtb_skeleton_get_link(skeleton, visual.link, &link) == VTB_OK);
    const osg::MatrixTransform* joint = found.transforms.at(link.name);
    int geodes = 0;
    for (unsigned c = 0; c < joint->getNumChildren(); c++) geodes += joint->getChild(c)->asGeode() != nullptr;
    CHECK(geodes == 1);
  }
  vtb_skeleton_release(skeleton);
}

TEST_CASE("A clip's first look takes in all of its way") {
  const std::string path = test::sourceDir() + "/models/motions/walk.bvh";
  const Motion motion(path);
  for (const char* words : {"", "scale=2"}) {
    auto result = test::readNode(path, words);
    REQUIRE(result.validNode());
    const osg::BoundingSphere bound = result.getNode()->getBound();
    const double scale = *words ? 2 : 1;
    for (int frame = 0; frame < motion.info.frames; frame++) {
      const std::vector<double> hips = motion.poses(frame);
      CHECK(bound.contains(osg::Vec3(osg::Vec3d(hips[0], hips[1], hips[2]) * scale)));
    }
  }
}

TEST_CASE("readObject answers the path of a joint in the world where that is asked for") {
  const std::string path = test::sourceDir() + "/models/motions/wave.bvh";
  const Motion motion(path);
  const auto read = [&](const char* words) { return test::registry().readObject(path, test::options(words)); };
  int32_t head = -1;
  REQUIRE(vtb_motion_find_joint(motion.handle, "Head", &head) == VTB_OK);
  for (const auto& [words, joint, scale] :
       {std::tuple{"animationPath", 0, 1.0}, std::tuple{"animationPath=Head scale=10", static_cast<int>(head), 10.0}}) {
    auto result = read(words);
    auto* found = dynamic_cast<osg::AnimationPath*>(result.getObject());
    REQUIRE(found != nullptr);
    CHECK(found->getTimeControlPointMap().size() == static_cast<std::size_t>(motion.info.frames));
    CHECK(found->getPeriod() == Approx((motion.info.frames - 1) * motion.info.frame_time).epsilon(1e-9));
    double most = 0;
    for (int frame = 0; frame < motion.info.frames - 1; frame++) {
      osg::Matrixd matrix;
      REQUIRE(found->getMatrix(frame * motion.info.frame_time, matrix));
      std::vector<double> pose = motion.poses(frame);
      pose.erase(pose.begin(), pose.begin() + 7 * joint);
      for (int k = 0; k < 3; k++) pose[static_cast<std::size_t>(k)] *= scale;
      most = std::max(most, test::difference(matrix, pose.data()));
    }
    CHECK(most < 1e-6);
  }
  CHECK(read("").validNode());  // else the graph
  auto missing = read("animationPath=Tail");
  CHECK(missing.error());
  CHECK_THAT(missing.message(), Catch::Contains("Tail"));
}

TEST_CASE("Unit and upward axis of a clip may be given") {
  const std::string path = test::sourceDir() + "/models/motions/walk.bvh";
  auto metres = test::readNode(path, "unit=1 noBones"), halves = test::readNode(path, "unit=0.5 noBones");
  REQUIRE(metres.validNode());
  REQUIRE(halves.validNode());
  CHECK(metres.getNode()->getBound().radius() == Approx(2 * halves.getNode()->getBound().radius()).epsilon(1e-5));
  const auto height = [&](const char* words) {
    auto result = test::readNode(path, words);
    REQUIRE(result.validNode());
    test::Found found(*result.getNode());
    return test::worldOf(*found.transforms.at("Head")).getTrans().z() - test::worldOf(*found.transforms.at("LeftFoot")).getTrans().z();
  };
  CHECK(height("up=y unit=0.01") > 1);
  CHECK(std::fabs(height("up=z unit=0.01")) < 0.3);  // it lies
}

TEST_CASE("A clip that osgDB writes reads again and plays") {
  const std::string path = test::sourceDir() + "/models/motions/squat.bvh";
  const Motion motion(path);
  auto result = test::readNode(path);
  REQUIRE(result.validNode());
  const osg::BoundingSphere bound = result.getNode()->getBound();
  for (const char* extension : {"osgt", "ive"}) {
    const std::string name = std::string("osgdb_clip.") + extension;
    REQUIRE(osgDB::writeNodeFile(*result.getNode(), name));
    auto again = test::readNode(name);
    REQUIRE(again.validNode());
    const osg::BoundingSphere same = again.getNode()->getBound();
    CHECK((bound.center() - same.center()).length() < 1e-5);
    CHECK(std::fabs(bound.radius() - same.radius()) < 1e-5);
    test::Found found(*again.getNode());
    const int frame = motion.info.frames / 2;
    update(*again.getNode(), 0);
    update(*again.getNode(), frame * motion.info.frame_time);
    const std::vector<double> poses = motion.poses(frame);
    for (int j = 0; j < motion.info.joints; j++)  // text files keep six digits
      CHECK(test::difference(test::worldOf(*found.transforms.at(motion.name(j))), &poses[7 * static_cast<std::size_t>(j)]) < 1e-4);
  }
}
