// The search order by which meshes are found.
#include <cstdlib>
#include <filesystem>

#include "loaders/urdf/resolve.hpp"
#include "tests/loaders/urdf/urdf_support.hpp"

using namespace vertebra;
namespace fs = std::filesystem;

namespace {

struct Tree {
  fs::path root = fs::temp_directory_path() / ("vertebra_resolve_test_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
  Tree() { fs::create_directories(root); }
  ~Tree() {
    std::error_code ec;
    fs::remove_all(root, ec);
    unsetenv("ROS_PACKAGE_PATH");
    unsetenv("AMENT_PREFIX_PATH");
  }
  std::string file(const std::string& name) {
    fs::create_directories((root / name).parent_path());
    std::ofstream((root / name).string()) << "x";
    return (root / name).string();
  }
};

}  // namespace

TEST_CASE("Meshes are found in the order of the chain") {
  Tree tree;
  std::string urdf = tree.file("ws/my_robot/urdf/r.urdf");
  const std::string uri = "package://my_robot/meshes/a.stl";
  UrdfOptions options;
  ResolvedMesh missing = resolveMeshPath(uri, urdf, options);
  CHECK(missing.path.empty());
  CHECK(missing.tried.size() > 3);

  std::string byEnvironment = tree.file("ros/my_robot/meshes/a.stl");
  setenv("ROS_PACKAGE_PATH", ("/nowhere:" + (tree.root / "ros").string()).c_str(), 1);
  CHECK(resolveMeshPath(uri, urdf, options).path == byEnvironment);
  std::string byAment = tree.file("install/share/my_robot/meshes/a.stl");
  setenv("AMENT_PREFIX_PATH", (tree.root / "install").string().c_str(), 1);
  CHECK(resolveMeshPath(uri, urdf, options).path == byEnvironment);
  unsetenv("ROS_PACKAGE_PATH");
  CHECK(resolveMeshPath(uri, urdf, options).path == byAment);
  std::string byFolder = tree.file("ws/my_robot/meshes/a.stl");  // the folder's name is the package's
  CHECK(resolveMeshPath(uri, urdf, options).path == byFolder);
  std::string byRoot = tree.file("extra/my_robot/meshes/a.stl");
  options.meshRoots = {(tree.root / "extra").string()};
  CHECK(resolveMeshPath(uri, urdf, options).path == byRoot);
  std::string byCaller = tree.file("own.stl");
  std::string asked;
  options.resolveMesh = [&](const std::string& u, std::string& path) {
    asked = u;
    path = byCaller;
    return true;
  };
  CHECK(resolveMeshPath(uri, urdf, options).path == byCaller);
  CHECK(asked == uri);
  options.resolveMesh = [](const std::string&, std::string&) { return false; };
  CHECK(resolveMeshPath(uri, urdf, options).path == byRoot);
}

TEST_CASE("package.xml names the package whatever its folder is called") {
  Tree tree;
  std::string urdf = tree.file("checkout/urdf/deep/r.urdf");
  std::string mesh = tree.file("checkout/meshes/a.stl");
  tree.file("checkout/package.xml");
  ResolvedMesh found = resolveMeshPath("package://my_robot/meshes/a.stl", urdf, {});
  CHECK(found.path == mesh);
  CHECK(!found.guessed);
}

TEST_CASE("Relative, absolute, file and model paths; a moved package is found by the end of its path, and said") {
  Tree tree;
  std::string urdf = tree.file("robots/arm/urdf/r.urdf");
  std::string mesh = tree.file("robots/arm/meshes/a b.stl");
  CHECK(resolveMeshPath("../meshes/a b.stl", urdf, {}).path == mesh);
  CHECK(resolveMeshPath("..\\meshes\\a b.stl", urdf, {}).path == mesh);
  CHECK(resolveMeshPath(mesh, urdf, {}).path == mesh);
  CHECK(resolveMeshPath("file://" + mesh, urdf, {}).path == mesh);
  std::string encoded = mesh;
  encoded.replace(encoded.find(' '), 1, "%20");
  CHECK(resolveMeshPath("file://" + encoded, urdf, {}).path == mesh);
  CHECK(resolveMeshPath("model://arm/meshes/a b.stl", urdf, {}).path == mesh);
  for (const char* moved : {"package://big_repo/robots/arm/meshes/a b.stl", "package:///big_repo/robots/arm/meshes/a b.stl",
                            "/home/someone/arm/meshes/a b.stl"}) {
    INFO(moved);
    ResolvedMesh found = resolveMeshPath(moved, urdf, {});
    CHECK(found.path == mesh);
    CHECK(found.guessed);
  }
  CHECK(resolveMeshPath("https://example.org/a b.stl", urdf, {}).path.empty());
  CHECK(resolveMeshPath("", urdf, {}).path.empty());
  CHECK(resolveMeshPath("package://", urdf, {}).path.empty());
  CHECK(resolveMeshPath(std::string(100000, '/') + std::string(100000, 'a'), urdf, {}).path.empty());
}

TEST_CASE("A mesh that is nowhere: every path tried is reported") {
  Tree tree;
  std::string urdf = tree.file("arm/urdf/r.urdf");
  figure::Skeleton s;
  Diagnostics d;
  const std::string text =
      "<robot name='r'><link name='a'><visual><geometry><mesh filename='package://arm/meshes/a.stl'/></geometry></visual></link></robot>";
  REQUIRE(loadUrdfText(text, urdf, {}, s, d));
  REQUIRE(test::countOf(d, "urdf.mesh.not-found") == 1);
  for (const std::string& path : resolveMeshPath("package://arm/meshes/a.stl", urdf, {}).tried)
    CHECK(d.text().find(path) != std::string::npos);
  UrdfOptions strict;
  strict.strict = true;
  CHECK(!loadUrdfText(text, urdf, strict, s, d));
}
