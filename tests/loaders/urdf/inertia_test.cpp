// Mass properties: frames, faults, repairs and the policies for what is missing.
#include <Eigen/Eigenvalues>

#include "loaders/urdf/inertia.hpp"
#include "tests/loaders/urdf/urdf_support.hpp"

using namespace vertebra;
using test::loadText;

namespace {

std::string link(const std::string& inside) { return "<robot name='r'><link name='a'>" + inside + "</link></robot>"; }
std::string inertial(const std::string& mass, const std::string& moments, const std::string& origin = "") {
  return "<inertial>" + origin + "<mass value='" + mass + "'/><inertia " + moments + "/></inertial>";
}
bool isSolid(const Mat3& inertia) {
  Vec3 m = Eigen::SelfAdjointEigenSolver<Mat3>(inertia).eigenvalues();
  return m[0] >= -1e-12 && m[0] + m[1] >= m[2] * (1 - 1e-9) - 1e-12;
}
Mat3 randomSymmetric(test::Random& random) {
  Mat3 m;
  for (int r = 0; r < 3; ++r)
    for (int c = r; c < 3; ++c) m(r, c) = m(c, r) = random.range(-1, 1);
  return m;
}
Mat3 randomSolid(test::Random& random) {  // of three masses on axes, rotated
  Vec3 s(random.range(0.1, 1), random.range(0.1, 1), random.range(0.1, 1));
  Mat3 turn = Eigen::AngleAxisd(random.range(0, 3), Vec3(random.range(-1, 1), random.range(-1, 1), 1).normalized()).toRotationMatrix();
  Mat3 second = turn * s.asDiagonal() * turn.transpose();
  return second.trace() * Mat3::Identity() - second;
}

}  // namespace

TEST_CASE("Inertia is turned into the link's axes, the numbers of an unturned one stay exact") {
  figure::Skeleton s = loadText(
      link(inertial("2", "ixx='1' ixy='0' ixz='0' iyy='2' iyz='0' izz='2.5'", "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>")));
  CHECK(s.links[0].mass == 2);
  CHECK(s.links[0].com == Vec3(1, 2, 3));
  CHECK((s.links[0].inertia - Mat3(Vec3(2, 1, 2.5).asDiagonal())).norm() < 1e-15);
  s = loadText(link(inertial("2", "ixx='1.1' ixy='0.01' ixz='-0.02' iyy='2.1' iyz='0.03' izz='2.3'")));
  CHECK(s.links[0].inertia(0, 1) == 0.01);
  CHECK(s.links[0].inertia(2, 0) == -0.02);
  CHECK(s.links[0].inertia(1, 2) == 0.03);
}

TEST_CASE("Faults are found exactly where a solid could not be") {
  test::Random random(7);
  for (int i = 0; i < 200; ++i) {
    Mat3 good = randomSolid(random);
    CHECK(inertiaFault(1, good).code == "");
    Mat3 any = randomSymmetric(random);
    CHECK((inertiaFault(1, any).code == "") == isSolid(any));
  }
}

TEST_CASE("The nearest inertia is a solid's, and a solid's own is itself") {
  test::Random random(11);
  for (int i = 0; i < 200; ++i) {
    Mat3 good = randomSolid(random);
    CHECK((nearestInertia(good) - good).norm() < 1e-13);
    Mat3 any = randomSymmetric(random), near = nearestInertia(any);
    CHECK(isSolid(near));
    // Nearest in the second moments: no other solid is nearer.
    auto second = [](const Mat3& inertia) { return Mat3(0.5 * inertia.trace() * Mat3::Identity() - inertia); };
    CHECK((second(near) - second(any)).norm() <= (second(good) - second(any)).norm() + 1e-12);
  }
}

TEST_CASE("Policies for invalid inertia") {
  const std::string triangle = link(inertial("1", "ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.3'"));
  const std::string impossible = link(inertial("1", "ixx='-0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'"));
  UrdfOptions options;
  CHECK(loadText(triangle, options).links[0].inertia(2, 2) == 0.3);  // kept
  CHECK(isSolid(loadText(impossible, options).links[0].inertia));
  options.invalidInertia = UrdfOptions::InvalidInertia::Nearest;
  CHECK(isSolid(loadText(triangle, options).links[0].inertia));
  figure::Skeleton s;
  Diagnostics d;
  options.invalidInertia = UrdfOptions::InvalidInertia::Keep;
  CHECK(loadText(triangle, options).links[0].inertia(2, 2) == 0.3);
  CHECK(!loadUrdfText(impossible, "x", options, s, d));
  options.invalidInertia = UrdfOptions::InvalidInertia::Error;
  CHECK(!loadUrdfText(triangle, "x", options, s, d));
}

TEST_CASE("A violation below a thousandth is rounding, above it is reported") {
  Diagnostics d;
  loadText(link(inertial("1", "ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.20018'")), {}, &d);
  CHECK(d.entries.empty());
  loadText(link(inertial("1", "ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.20022'")), {}, &d);
  CHECK(test::countOf(d, "urdf.inertia.triangle") == 1);
}

TEST_CASE("A link without inertial has no mass, or that of its shapes") {
  const std::string text = link(
      "<visual><geometry><sphere radius='9'/></geometry></visual>"
      "<collision><origin xyz='1 0 0'/><geometry><box size='0.1 0.2 0.3'/></geometry></collision>");
  CHECK(loadText(text).links[0].mass == 0);
  UrdfOptions options;
  options.missingInertia = UrdfOptions::MissingInertia::FromGeometry;
  Diagnostics d;
  figure::LinkDescription a = loadText(text, options, &d).links[0];
  CHECK(std::abs(a.mass - 6) < 1e-12);
  CHECK((a.com - Vec3(1, 0, 0)).norm() < 1e-12);
  CHECK((a.inertia - Mat3(Vec3(0.065, 0.05, 0.025).asDiagonal())).norm() < 1e-12);  // m/12 (b^2 + c^2)
  CHECK(test::countOf(d, "urdf.inertia.from-geometry") == 1);
  // A mass without moments keeps its mass and centre and gets the shape's moments at that mass.
  const std::string point = link(
      "<inertial><origin xyz='1 0 0'/><mass value='12'/><inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial>"
      "<collision><origin xyz='1 0 0'/><geometry><box size='0.1 0.2 0.3'/></geometry></collision>");
  a = loadText(point, options).links[0];
  CHECK(a.mass == 12);
  CHECK((a.inertia - Mat3(Vec3(0.13, 0.1, 0.05).asDiagonal())).norm() < 1e-12);
  CHECK(loadText(point).links[0].inertia.isZero(0));
  options.missingInertia = UrdfOptions::MissingInertia::Error;
  figure::Skeleton s;
  CHECK(!loadUrdfText(text, "x", options, s, d));
  CHECK(loadUrdfText(link(""), "x", options, s, d));  // a frame without mass is valid
}

namespace {
std::string boxLink(const std::string& name, const std::string& size) {
  return "<link name='" + name + "'><visual><origin xyz='0 0 0.2'/><geometry><box size='" + size + "'/></geometry></visual></link>";
}
std::string meshLink(const std::string& name) {
  return "<link name='" + name + "'><visual><geometry><mesh filename='package://none/" + name + ".dae'/></geometry></visual></link>";
}
std::string hinge(const std::string& parent, const std::string& child) {
  return test::jointText(parent + "_" + child, "continuous", parent, child, "<origin xyz='0 0 0.4'/><axis xyz='0 1 0'/>");
}
}  // namespace

TEST_CASE("What moves without any mass gets it from its shapes, and this is said once") {
  const std::string arm = "<robot name='r'>" + boxLink("base", "1 1 1") + boxLink("upper", "0.1 0.1 0.4") +
                          boxLink("lower", "0.1 0.1 0.4") + "<link name='tool'/>" + hinge("base", "upper") + hinge("upper", "lower") +
                          test::jointText("flange", "fixed", "lower", "tool") + "</robot>";
  Diagnostics said;
  figure::Skeleton s = loadText(arm, {}, &said);
  CHECK(test::countOf(said, "urdf.inertia.derived") == 1);
  CHECK(test::countOf(said, "urdf.inertia.massless-end") == 0);
  for (int link : {1, 2}) {
    CHECK(s.links[link].mass == Approx(4));  // 0.1 x 0.1 x 0.4 m at 1000 kg/m3
    CHECK((s.links[link].com - Vec3(0, 0, 0.2)).norm() < 1e-12);
    CHECK(s.links[link].inertia(0, 0) == Approx(4 * (0.01 + 0.16) / 12));
  }
  CHECK(s.links[0].mass == Approx(1000));  // nothing in the robot has mass: the base may move, too
  CHECK(s.links[3].mass == 0);             // a frame

  // A mass further out is enough: nothing is derived.
  const std::string held = "<robot name='r'>" + boxLink("base", "1 1 1") + boxLink("upper", "0.1 0.1 0.4") + test::solidLink("lower") +
                           hinge("base", "upper") + hinge("upper", "lower") + "</robot>";
  s = loadText(held, {}, &said);
  CHECK(test::countOf(said, "urdf.inertia.derived") == 0);
  CHECK(s.links[1].mass == 0);
  // Mass behind it is not.
  const std::string ended =
      "<robot name='r'>" + test::solidLink("base") + boxLink("upper", "0.1 0.1 0.4") + hinge("base", "upper") + "</robot>";
  s = loadText(ended, {}, &said);
  CHECK(test::countOf(said, "urdf.inertia.derived") == 1);
  CHECK(s.links[0].mass == 1);
  CHECK(s.links[1].mass == Approx(4));
}

TEST_CASE("What moves without mass or meshes gets the mass of its bones; strict mode refuses it") {
  const std::string arm = "<robot name='r'>" + meshLink("base") + meshLink("upper") + meshLink("lower") + hinge("base", "upper") +
                          hinge("upper", "lower") + "</robot>";
  UrdfOptions options;
  options.loadMeshes = false;
  Diagnostics said;
  const figure::Skeleton s = loadText(arm, options, &said);
  CHECK(test::countOf(said, "urdf.inertia.derived") == 1);
  CHECK(test::countOf(said, "urdf.inertia.massless-end") == 0);
  CHECK(s.links[1].mass > 1);
  CHECK((s.links[1].com - Vec3(0, 0, 0.2)).norm() < 1e-12);
  CHECK(s.links[2].mass == Approx(1000 * 4 / 3.0 * kPi * 8e-6));  // a ball of 2 cm: nothing says how long it is
  CHECK(isSolid(s.links[1].inertia));

  options.strict = true;
  options.loadMeshes = true;
  figure::Skeleton refused;
  Diagnostics why;
  const std::string shapes =
      "<robot name='r'>" + boxLink("base", "1 1 1") + boxLink("upper", "0.1 0.1 0.4") + hinge("base", "upper") + "</robot>";
  CHECK_FALSE(loadUrdfText(shapes, "text.urdf", options, refused, why));
  CHECK(test::countOf(why, "urdf.inertia.massless-end") == 1);
}
