// Meshes of every supported kind, small and written here: coordinates, units, axes, mirroring, colours, hulls, invalid files.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "engine/geometry/convex_hull.hpp"
#include "loaders/mesh/collision_hull.hpp"
#include "loaders/mesh/mesh.hpp"
#include "tests/loaders/urdf/urdf_support.hpp"

using namespace vertebra;

namespace {

struct Folder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("vertebra_mesh_test_" + std::to_string(reinterpret_cast<std::uintptr_t>(this)));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() {
    std::error_code ec;
    std::filesystem::remove_all(path, ec);
  }
  std::string write(const std::string& name, const std::string& content) const {
    std::string file = (path / name).string();
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }
};

std::vector<MeshPart> load(const std::string& path) {
  std::vector<MeshPart> parts;
  std::string problem = loadMesh(path, parts);
  INFO(problem);
  REQUIRE(problem.empty());
  return parts;
}

Eigen::AlignedBox3d boxOf(const std::vector<MeshPart>& parts) {
  Eigen::AlignedBox3d box;
  for (const MeshPart& p : parts)
    for (const Vec3& v : p.mesh->vertices) box.extend(v);
  return box;
}

// Six times the volume enclosed: positive when the triangles face outwards.
double signedVolume(const geometry::TriangleMesh& m) {
  double v = 0;
  for (const Eigen::Vector3i& t : m.triangles) v += m.vertices[t[0]].dot(m.vertices[t[1]].cross(m.vertices[t[2]]));
  return v;
}

// The tetrahedron (0,0,0) (1,0,0) (0,2,0) (0,0,3).
const float kCorners[4][3][3] = {{{0, 0, 0}, {0, 2, 0}, {1, 0, 0}},
                                 {{0, 0, 0}, {1, 0, 0}, {0, 0, 3}},
                                 {{0, 0, 0}, {0, 0, 3}, {0, 2, 0}},
                                 {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}};

std::string binaryStl(std::uint32_t claimed = 4) {
  std::string out(80, ' ');
  out.append(reinterpret_cast<const char*>(&claimed), 4);
  for (const auto& t : kCorners) {
    out.append(12, '\0');
    out.append(reinterpret_cast<const char*>(t), sizeof t);
    out.append(2, '\0');
  }
  return out;
}

const char* const kObj = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

std::string dae(const std::string& unit, const std::string& up, const std::string& matrix = "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1") {
  return "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\"><asset><unit name=\"u\" "
         "meter=\"" +
         unit + "\"/><up_axis>" + up +
         "</up_axis></asset><library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"c\"><phong><diffuse><color>0.25 0.5 0.75 "
         "1</color></diffuse>"
         "</phong></technique></profile_COMMON></effect></library_effects><library_materials><material id=\"m\" "
         "name=\"m\"><instance_effect url=\"#e\"/></material>"
         "</library_materials><library_geometries><geometry id=\"g\"><mesh><source id=\"p\"><float_array id=\"pa\" count=\"12\">0 0 0 1 0 "
         "0 0 2 0 0 0 3</float_array>"
         "<technique_common><accessor source=\"#pa\" count=\"4\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" "
         "type=\"float\"/><param name=\"Z\" type=\"float\"/>"
         "</accessor></technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
         "<triangles count=\"4\" material=\"s\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 2 1 0 1 3 0 3 2 1 2 "
         "3</p></triangles></mesh></geometry>"
         "</library_geometries><library_visual_scenes><visual_scene id=\"scene\"><node id=\"n\"><matrix>" +
         matrix +
         "</matrix><instance_geometry url=\"#g\"><bind_material><technique_common><instance_material symbol=\"s\" "
         "target=\"#m\"/></technique_common></bind_material>"
         "</instance_geometry></node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
         "url=\"#scene\"/></scene></COLLADA>";
}

std::string base64(const std::string& in) {
  const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < in.size(); i += 3) {
    unsigned v = 0;
    for (int k = 0; k < 3; ++k) v = v << 8 | (i + k < in.size() ? static_cast<unsigned char>(in[i + k]) : 0);
    for (int k = 0; k < 4; ++k) out += i + k <= in.size() ? digits[v >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string gltf() {
  const float p[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3};
  const std::uint16_t index[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  std::string data(reinterpret_cast<const char*>(p), sizeof p);
  data.append(reinterpret_cast<const char*>(index), sizeof index);
  return "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":0}]}],"
         "\"materials\":[{\"name\":\"m\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.25,0.5,0.75,1]}}],"
         "\"buffers\":[{\"byteLength\":72,\"uri\":\"data:application/octet-stream;base64," +
         base64(data) +
         "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":24}],"
         "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,2,3]},"
         "{\"bufferView\":1,\"componentType\":5123,\"count\":12,\"type\":\"SCALAR\"}]}";
}

}  // namespace

// Binary files are read here, text files by assimp: a sphere of triangles whose corners meet, once with the other sign of zero.
TEST_CASE("A binary STL gives the vertices and triangles of the same file as text") {
  Folder folder;
  const int rings = 9, sides = 14;
  const auto corner = [&](int ring, int side) {
    const double a = kPi * ring / rings, b = 2 * kPi * (side % sides) / sides;
    const bool pole = ring == 0 || ring == rings;
    return std::array<float, 3>{pole ? (side % 2 ? -0.0f : 0.0f) : static_cast<float>(std::sin(a) * std::cos(b)),
                                pole ? 0.0f : static_cast<float>(std::sin(a) * std::sin(b)), static_cast<float>(std::cos(a))};
  };
  std::string text = "solid s\n", binary(80, ' ');
  binary.append(4, '\0');
  std::uint32_t count = 0;
  const auto add = [&](const std::array<float, 3>& p, const std::array<float, 3>& q, const std::array<float, 3>& r) {
    count++;
    text += "facet normal 0 0 0\nouter loop\n";
    binary.append(12, '\0');
    for (const auto* x : {&p, &q, &r}) {
      char line[100];
      std::snprintf(line, sizeof line, "vertex %.9g %.9g %.9g\n", (*x)[0], (*x)[1], (*x)[2]);
      text += line;
      binary.append(reinterpret_cast<const char*>(x->data()), 12);
    }
    text += "endloop\nendfacet\n";
    binary.append(2, '\0');
  };
  for (int ring = 0; ring < rings; ring++)
    for (int side = 0; side < sides; side++) {
      const auto a = corner(ring, side), b = corner(ring + 1, side), c = corner(ring + 1, side + 1), d = corner(ring, side + 1);
      if (ring + 1 < rings) add(a, b, c);
      if (ring > 0) add(a, c, d);
    }
  std::memcpy(binary.data() + 80, &count, 4);
  const std::vector<MeshPart> byUs = load(folder.write("b.stl", binary)), byAssimp = load(folder.write("t.stl", text + "endsolid s\n"));
  REQUIRE(byUs.size() == 1);
  REQUIRE(byAssimp.size() == 1);
  CHECK_FALSE(byUs[0].hasColour);
  CHECK(byUs[0].mesh->vertices.size() == (rings - 1) * sides + 2);
  REQUIRE(byUs[0].mesh->vertices.size() == byAssimp[0].mesh->vertices.size());
  REQUIRE(byUs[0].mesh->triangles.size() == byAssimp[0].mesh->triangles.size());
  CHECK(byUs[0].mesh->triangles.size() == count);
  for (std::size_t i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      const Vec3 ours = byUs[0].mesh->vertices[byUs[0].mesh->triangles[i][k]];
      const Vec3 theirs = byAssimp[0].mesh->vertices[byAssimp[0].mesh->triangles[i][k]];
      REQUIRE((ours - theirs).norm() < 1e-6);  // assimp's numbers from text are not the nearest
    }
}

TEST_CASE("Every format gives the file's own coordinates, facing outwards") {
  Folder folder;
  std::string ascii = "solid s\n";
  for (const auto& t : kCorners) {
    ascii += "facet normal 0 0 0\nouter loop\n";
    for (const auto& v : t)
      ascii += "vertex " + std::to_string(int(v[0])) + " " + std::to_string(int(v[1])) + ".0e0 " + std::to_string(int(v[2])) + "\n";
    ascii += "endloop\nendfacet\n";
  }
  const std::pair<const char*, std::string> files[] = {{"a.stl", ascii + "endsolid s\n"}, {"b.STL", binaryStl()},      {"c.obj", kObj},
                                                       {"d.dae", dae("1", "Z_UP")},       {"e.dae", dae("1", "Y_UP")}, {"f.gltf", gltf()}};
  for (const auto& [name, content] : files) {
    INFO(name);
    std::vector<MeshPart> parts = load(folder.write(name, content));
    REQUIRE(parts.size() == 1);
    CHECK(parts[0].mesh->triangles.size() == 4);
    CHECK((boxOf(parts).min() - Vec3(0, 0, 0)).norm() < 1e-6);
    CHECK((boxOf(parts).max() - Vec3(1, 2, 3)).norm() < 1e-6);
    CHECK(std::abs(signedVolume(*parts[0].mesh) - 6) < 1e-5);
  }
}

TEST_CASE("DAE: the unit is applied, up_axis is not, nodes place their meshes") {
  Folder folder;
  for (const char* up : {"X_UP", "Y_UP", "Z_UP"}) {
    INFO(up);
    CHECK((boxOf(load(folder.write("u.dae", dae("0.01", up)))).max() - Vec3(0.01, 0.02, 0.03)).norm() < 1e-7);
  }
  // A node that rotates x to y and moves along z, in the file's units.
  auto parts = load(folder.write("n.dae", dae("0.1", "Z_UP", "0 -1 0 0 1 0 0 0 0 0 1 10 0 0 0 1")));
  CHECK((boxOf(parts).min() - Vec3(-0.2, 0, 1)).norm() < 1e-6);
  CHECK((boxOf(parts).max() - Vec3(0, 0.1, 1.3)).norm() < 1e-6);
  // A mirroring node keeps the outside outside.
  CHECK(signedVolume(*load(folder.write("m.dae", dae("1", "Z_UP", "-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1")))[0].mesh) > 0);
}

TEST_CASE("Colours of materials, none where the file gives none") {
  Folder folder;
  for (const auto& [name, content] : {std::pair<const char*, std::string>("d.dae", dae("1", "Z_UP")), {"f.gltf", gltf()}}) {
    INFO(name);
    MeshPart part = load(folder.write(name, content))[0];
    REQUIRE(part.hasColour);
    CHECK(part.rgba[0] == 0.25f);
    CHECK(part.rgba[1] == 0.5f);
    CHECK(part.rgba[2] == 0.75f);
    CHECK(part.rgba[3] == 1);
  }
  CHECK(!load(folder.write("b.stl", binaryStl()))[0].hasColour);
  CHECK(!load(folder.write("c.obj", kObj))[0].hasColour);
}

TEST_CASE("Scale: plain, per axis, mirrored once and twice") {
  Folder folder;
  auto mesh = load(folder.write("c.obj", kObj))[0].mesh;
  CHECK(scaledMesh(mesh, Vec3::Ones()) == mesh);
  for (Vec3 s : {Vec3(2, 3, 4), Vec3(-1, 1, 1), Vec3(1, -2, -3), Vec3(-1, -1, -1)}) {
    auto out = scaledMesh(mesh, s);
    CHECK(std::abs(signedVolume(*out) - 6 * std::abs(s.prod())) < 1e-4);
    for (std::size_t i = 0; i < mesh->vertices.size(); ++i) CHECK((out->vertices[i] - mesh->vertices[i].cwiseProduct(s)).norm() < 1e-12);
  }
}

TEST_CASE("Junk is refused with a reason") {
  Folder folder;
  const std::pair<const char*, std::string> files[] = {{"empty.stl", ""},
                                                       {"short.stl", "abc"},
                                                       {"liar.stl", binaryStl(4000000000u)},
                                                       {"text.obj", "hello world\n"},
                                                       {"bad.obj", "v 0 0 0\nf 1 2 3\n"},
                                                       {"nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"},
                                                       {"cut.dae", dae("1", "Z_UP").substr(0, 900)},
                                                       {"cut.gltf", gltf().substr(0, 300)},
                                                       {"zero.glb", std::string(100, '\0')},
                                                       {"robot.exe", "MZ"}};
  for (const auto& [name, content] : files) {
    INFO(name);
    std::vector<MeshPart> parts(1);
    CHECK(!loadMesh(folder.write(name, content), parts).empty());
    CHECK(parts.empty());
  }
  std::vector<MeshPart> parts;
  CHECK(!loadMesh((folder.path / "none.stl").string(), parts).empty());
  CHECK(!loadMesh(folder.path.string(), parts).empty());
}

TEST_CASE("Collision hulls: exact when small, close and inside when reduced") {
  std::vector<Vec3> points;
  test::Random random(5);
  while (points.size() < 3000) {
    Vec3 v(random.range(-1, 1), random.range(-1, 1), random.range(-1, 1));
    if (v.norm() > 0.1) points.push_back(v.normalized().cwiseProduct(Vec3(0.1, 0.2, 0.3)));
  }
  CollisionHull out;
  REQUIRE(makeCollisionHull(points, out) == "");
  CHECK(out.hull.vertices.size() <= std::size_t(kHullVertices));
  CHECK(out.error > 0);
  CHECK(out.error < 0.02);
  double worst = 0;
  for (const Vec3& p : points) {
    double outside = -kInf;
    for (std::size_t f = 0; f < out.hull.normals.size(); ++f) outside = std::max(outside, out.hull.normals[f].dot(p) - out.hull.offsets[f]);
    worst = std::max(worst, outside);
  }
  CHECK(std::abs(worst - out.error) < 1e-12);

  std::vector<Vec3> box;
  for (int i = 0; i < 8; ++i) box.push_back(Vec3(i & 1, i >> 1 & 1, i >> 2 & 1));
  REQUIRE(makeCollisionHull(box, out) == "");
  CHECK(out.hull.vertices.size() == 8);
  CHECK(out.error == 0);
  CHECK(makeCollisionHull({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)}, out) != "");
}

TEST_CASE("Collision hulls of fine meshes are exact where few corners make them") {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const auto checkExact = [](const std::vector<Vec3>& points, std::size_t corners) {
    CollisionHull out;
    geometry::ConvexHull exact;
    REQUIRE(makeCollisionHull(points, out) == "");
    REQUIRE(geometry::makeConvexHull(points, exact) == "");
    CHECK(exact.vertices.size() == corners);
    CHECK(out.hull.vertices.size() == corners);
    CHECK(out.error == 0);
    for (const Vec3& p : exact.vertices)
      CHECK(std::any_of(out.hull.vertices.begin(), out.hull.vertices.end(), [&](const Vec3& v) { return (v - p).norm() < 1e-9; }));
  };
  std::vector<Vec3> cube, prism, plate;  // with points on their sides and inside
  for (int x = 0; x <= 10; x++)
    for (int y = 0; y <= 10; y++)
      for (int z = 0; z <= 10; z++) {
        cube.push_back(turn * Vec3(0.1 * x, 0.2 * y, 0.3 * z));
        plate.push_back(turn * Vec3(0.1 * x, 0.1 * y, 1e-5 * z));
      }
  for (int k = 0; k < 28; k++)
    for (int z = 0; z <= 4; z++)
      for (double r : {0.3, 0.7, 1.0})
        prism.push_back(turn * Vec3(r * std::cos(2 * kPi * k / 28), r * std::sin(2 * kPi * k / 28), 0.25 * z));
  checkExact(cube, 8);
  checkExact(plate, 8);
  checkExact(prism, 56);
  std::vector<Vec3> disc;  // thin, oblique, with more corners than a hull may have
  for (int k = 0; k < 400; k++)
    for (double z : {0.0, 1e-5}) disc.push_back(turn * Vec3(std::cos(2 * kPi * k / 400), std::sin(2 * kPi * k / 400), z));
  CollisionHull out;
  REQUIRE(makeCollisionHull(disc, out) == "");
  CHECK(out.hull.vertices.size() <= std::size_t(kHullVertices));
  CHECK(out.error < 0.02);
  cube[500].x() = NAN;
  CHECK(makeCollisionHull(cube, out) != "");
}

TEST_CASE("A URDF's meshes: hull for collision, triangles for display, the material over the mesh's colour") {
  Folder folder;
  folder.write("d.dae", dae("1", "Z_UP"));
  const std::string link = "<collision><geometry><mesh filename='d.dae' scale='-1 1 1'/></geometry></collision>";
  UrdfOptions options;
  Diagnostics d;
  figure::Skeleton s;
  std::string urdf = (folder.path / "r.urdf").string();
  REQUIRE(
      loadUrdfText("<robot name='r'><link name='a'><visual><geometry><mesh filename='d.dae'/></geometry></visual><visual><geometry><mesh "
                   "filename='d.dae'/>"
                   "</geometry><material name='m'><color rgba='1 0 0 1'/></material></visual>" +
                       link + "</link></robot>",
                   urdf, options, s, d));
  REQUIRE(s.links[0].visuals.size() == 2);
  CHECK(s.links[0].visuals[0].rgba[1] == 0.5f);
  CHECK(s.links[0].visuals[1].rgba[1] == 0);
  CHECK(s.links[0].visuals[0].geometry.mesh == s.links[0].visuals[1].geometry.mesh);  // read once
  REQUIRE(s.links[0].shapes.size() == 1);
  REQUIRE(s.links[0].shapes[0].geometry.type == geometry::ShapeType::Convex);
  CHECK(s.links[0].shapes[0].geometry.hull->vertices.size() == 4);
  options.convexHulls = false;
  REQUIRE(loadUrdfText("<robot name='r'><link name='a'>" + link + "</link></robot>", urdf, options, s, d));
  REQUIRE(s.links[0].shapes[0].geometry.type == geometry::ShapeType::Mesh);
  CHECK(signedVolume(*s.links[0].shapes[0].geometry.mesh) > 0);
  options.loadMeshes = false;
  REQUIRE(loadUrdfText("<robot name='r'><link name='a'>" + link + "</link></robot>", urdf, options, s, d));
  CHECK(s.links[0].shapes.empty());
  CHECK(test::countOf(d, "urdf.mesh.skipped") == 1);
}

TEST_CASE("DAE's up axis: by the centres of mass, or by the caller's choice") {
  Folder folder;
  std::string urdf = (folder.path / "r.urdf").string();
  using UpAxis = UrdfOptions::UpAxis;
  auto top = [&](const char* up, const std::string& com,
                 UpAxis choice) {  // position of the far end of the mesh's longest edge, (0, 0, 3)
    folder.write("d.dae", dae("1", up));
    UrdfOptions options;
    options.upAxis = choice;
    figure::Skeleton s;
    Diagnostics d;
    REQUIRE(loadUrdfText("<robot name='r'><link name='a'><inertial><origin xyz='" + com +
                             "'/><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
                             "izz='1'/></inertial><visual><geometry><mesh filename='d.dae'/></geometry></visual></link></robot>",
                         urdf, options, s, d));
    CHECK(test::countOf(d, "urdf.mesh.up-axis") == (std::string(up) == "Z_UP" ? 0 : 1));
    REQUIRE(s.links[0].visuals.size() == 1);
    const geometry::TriangleMesh& mesh = *s.links[0].visuals[0].geometry.mesh;
    CHECK(signedVolume(mesh) > 0);
    return *std::max_element(mesh.vertices.begin(), mesh.vertices.end(), [](const Vec3& a, const Vec3& b) { return a.norm() < b.norm(); });
  };
  const Vec3 raw(0, 0, 3);
  CHECK((top("Y_UP", "0.5 1 1.5", UpAxis::Auto) - raw).norm() < 1e-6);
  CHECK((top("Y_UP", "0.5 -1.5 1", UpAxis::Auto) - Vec3(0, -3, 0)).norm() < 1e-6);
  CHECK((top("Z_UP", "0.5 -1.5 1", UpAxis::Auto) - raw).norm() < 1e-6);
  CHECK((top("Y_UP", "0.5 -1.5 1", UpAxis::Ignore) - raw).norm() < 1e-6);
  CHECK((top("Y_UP", "0.5 1 1.5", UpAxis::Turn) - Vec3(0, -3, 0)).norm() < 1e-6);
  CHECK((turnToZUp('X') * Vec3::UnitX() - Vec3::UnitZ()).norm() == 0);
  CHECK((turnToZUp('Y') * Vec3::UnitY() - Vec3::UnitZ()).norm() == 0);
  for (char axis : {'X', 'Y', 'Z'}) CHECK(turnToZUp(axis).determinant() == 1);
}
