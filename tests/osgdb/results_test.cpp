// What comes back where a file cannot be read: osgDB's statuses with our text, nothing printed but through osg::notify; and calls from
// several threads.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <osg/Notify>

#include "tests/osgdb/loaded.hpp"

namespace {

// What goes through osg::notify.
struct Heard : osg::NotifyHandler {
  std::string warnings, remarks;
  void notify(osg::NotifySeverity severity, const char* message) override { (severity <= osg::WARN ? warnings : remarks) += message; }
};

struct Listening {
  osg::ref_ptr<Heard> heard = new Heard;
  osg::NotifySeverity level = osg::getNotifyLevel();
  osg::ref_ptr<osg::NotifyHandler> before = osg::getNotifyHandler();
  Listening() {
    osg::setNotifyLevel(osg::INFO);
    osg::setNotifyHandler(heard);
  }
  ~Listening() {
    osg::setNotifyHandler(before);
    osg::setNotifyLevel(level);
  }
};

std::string written(const char* name, const std::string& text) {
  std::ofstream(name, std::ios::binary) << text;
  return name;
}

std::string model(const char* name) { return test::sourceDir() + "/models/" + name; }

}  // namespace

TEST_CASE("A file that is not there is not found, and an extension of others is not handled") {
  for (const char* name : {"nowhere.urdf", "nowhere.bvh"}) {
    auto result = test::readNode(name);
    CHECK(result.notFound());
    CHECK_FALSE(result.validNode());
  }
  test::readNode(model("urdf/arm7.urdf"));
  osgDB::ReaderWriter* reader = test::registry().getReaderWriterForExtension("urdf");
  REQUIRE(reader != nullptr);
  CHECK(reader->readNode("some.obj", nullptr).status() == osgDB::ReaderWriter::ReadResult::FILE_NOT_HANDLED);
}

TEST_CASE("A broken file comes back with file, line and what is wrong") {
  auto robot = test::readNode(written("osgdb_broken.urdf", "<robot name='x'>\n<link name='a'>\n</robot>"));
  CHECK(robot.error());
  CHECK_THAT(robot.message(), Catch::Contains("osgdb_broken.urdf:") && Catch::Contains("[urdf."));
  auto loop = test::readNode(written("osgdb_orphan.urdf",
                                     "<robot name='x'><link name='a'/><joint name='j' type='fixed'><parent link='a'/>"
                                     "<child link='nobody'/></joint></robot>"),
                             "strict");
  CHECK(loop.error());
  CHECK_THAT(loop.message(), Catch::Contains("nobody"));
  auto clip = test::readNode(written("osgdb_broken.bvh", "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 zero\n"));
  CHECK(clip.error());
  CHECK_THAT(clip.message(), Catch::Contains("osgdb_broken.bvh:4"));
  CHECK(test::readNode(written("osgdb_empty.urdf", "")).error());
  CHECK(test::readNode(written("osgdb_empty.bvh", "")).error());
}

TEST_CASE("An option of ours that makes no sense is told, words of other readers are not") {
  for (const char* words : {"scale=0", "scale=-1", "scale=ten", "scale=1,5", "scale=nan", "scale="}) {
    INFO(words);
    auto result = test::readNode(model("urdf/arm7.urdf"), words);
    CHECK(result.error());
    CHECK_THAT(result.message(), Catch::Contains(words));
  }
  for (const char* words : {"unit=0", "up=w"}) CHECK(test::readNode(model("motions/walk.bvh"), words).error());
  CHECK(test::readNode(model("urdf/arm7.urdf"), "noRotation dds_flip scale=2").validNode());
}

TEST_CASE("What a reader mends or leaves out is told through osg::notify") {
  const std::string path = written("osgdb_mesh.urdf",
                                   "<robot name='x'><link name='a'><visual><geometry><mesh filename='nowhere.stl'/></geometry></visual>"
                                   "<visual><geometry><box size='1 1 1'/></geometry></visual></link></robot>");
  const Listening listening;
  auto result = test::readNode(path);
  REQUIRE(result.validNode());
  CHECK(test::Found(*result.getNode()).geometries.size() == 1);
  CHECK_THAT(listening.heard->warnings, Catch::Contains("nowhere.stl") && Catch::Contains("osgdb_mesh.urdf:1"));
}

TEST_CASE("Streams are read, and meshes found in the caller's folders") {
  const std::string text =
      "<robot name='x'><link name='a'><visual><geometry><mesh filename='tetra.stl'/></geometry></visual></link></robot>";
  std::filesystem::create_directories("osgdb_meshes");
  written("osgdb_meshes/tetra.stl",
          "solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid t\n");
  test::readNode(model("urdf/arm7.urdf"));
  test::readNode(model("motions/walk.bvh"), "noBones");
  osgDB::ReaderWriter* reader = test::registry().getReaderWriterForExtension("urdf");
  REQUIRE(reader != nullptr);
  osg::ref_ptr<osgDB::Options> options = test::options("");
  options->getDatabasePathList().push_back("osgdb_meshes");
  std::istringstream in(text);
  auto result = reader->readNode(in, options);
  REQUIRE(result.validNode());
  CHECK(test::Found(*result.getNode()).geometries.size() == 1);
  std::istringstream broken("HIERARCHY\nROOT");
  auto failed = test::registry().getReaderWriterForExtension("bvh")->readNode(broken, nullptr);
  CHECK(failed.error());
  CHECK_THAT(failed.message(), Catch::Contains("stream.bvh"));
}

TEST_CASE("Several threads read at once") {
  test::readNode(model("urdf/arm7.urdf"));
  std::atomic<int> read{0}, failed{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 6; i++) {
        const char* const names[] = {"urdf/humanoid.urdf", "motions/walk.bvh", "urdf/quadruped.urdf", "motions/nothing.bvh"};
        auto result = test::readNode(model(names[(t + i) % 4]), (t + i) % 4 == 2 ? "scale=0.1" : "");
        (result.validNode() ? read : failed)++;
      }
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(read == 18);
  CHECK(failed == 6);  // those of the file that is not there
}
