// How the elements of the format appear in a Skeleton.
#include "engine/math/rotation.hpp"
#include "loaders/urdf/urdf.hpp"
#include "loaders/urdf/xml.hpp"
#include "tests/loaders/urdf/urdf_support.hpp"

using namespace vertebra;
using test::loadText;
using test::twoLinks;

TEST_CASE("Numbers: valid and invalid ones") {
  double x = 0;
  CHECK((parseNumber(" +1.5e-3\n", x) && x == 1.5e-3));
  CHECK((parseNumber("-.5", x) && x == -0.5));
  CHECK((parseNumber("5.", x) && x == 5));
  CHECK((parseNumber("1e-400", x) && x == 0));
  CHECK((parseNumber("0.1", x) && x == 0.1));
  CHECK((parseNumber("inf", x) && x == kInf));
  for (const char* bad : {"", " ", "+", "-", "+-1", "1,5", "1.5.2", "0x10", "1e", "1e999", "one", "1 2", "--1", "1f"}) {
    INFO(bad);
    CHECK(!parseNumber(bad, x));
  }
  for (double y : {0.1, -1e22, 5e-324, 1.7976931348623157e308, 3.0}) CHECK((parseNumber(formatNumber(y), x) && x == y));
}

TEST_CASE("A joint's pose is its origin, turned roll first, pitch, yaw last") {
  figure::Skeleton s = loadText(twoLinks("fixed", "<origin xyz='1 2 3' rpy='0.1 -0.2 0.3'/>"));
  REQUIRE(s.joints.size() == 1);
  const Pose& p = s.joints[0].inParent;
  CHECK(p.p == Vec3(1, 2, 3));
  Mat3 expected = (Eigen::AngleAxisd(0.3, Vec3::UnitZ()) * Eigen::AngleAxisd(-0.2, Vec3::UnitY()) * Eigen::AngleAxisd(0.1, Vec3::UnitX()))
                      .toRotationMatrix();
  CHECK((p.q.toRotationMatrix() - expected).norm() < 1e-15);
  CHECK(s.joints[0].inChild.q.isApprox(Quat::Identity()));
}

TEST_CASE("Every joint type of the format, and Bullet's ball joint") {
  const std::pair<const char*, dynamics::JointType> types[] = {
      {"revolute", dynamics::JointType::Revolute},   {"continuous", dynamics::JointType::Continuous},
      {"prismatic", dynamics::JointType::Prismatic}, {"fixed", dynamics::JointType::Fixed},
      {"floating", dynamics::JointType::Floating},   {"planar", dynamics::JointType::Planar},
      {"spherical", dynamics::JointType::Spherical}};
  for (const auto& [name, type] : types) {
    figure::Skeleton s = loadText(twoLinks(name, "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='3' velocity='4'/>"));
    REQUIRE(s.joints.size() == 1);
    CHECK(s.joints[0].type == type);
  }
}

TEST_CASE("A negative axis keeps its sign, and its angle is about it") {
  for (Vec3 axis : {Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, -1), Vec3(-0.6, 0, 0.8)}) {
    std::string text = std::to_string(axis.x()) + " " + std::to_string(axis.y()) + " " + std::to_string(axis.z());
    figure::Skeleton s = loadText(twoLinks("revolute", "<axis xyz='" + text + "'/><limit lower='-1' upper='2' effort='3' velocity='4'/>"));
    CHECK((s.joints[0].axis - axis).norm() < 1e-15);
    CHECK(s.joints[0].axes[0].lower == -1);
    CHECK(s.joints[0].axes[0].upper == 2);
  }
}

TEST_CASE("Limits, dynamics and safety are kept; zero effort and velocity mean unlimited") {
  figure::Skeleton s =
      loadText(twoLinks("revolute",
                        "<limit lower='-0.5' upper='0.75' effort='30' velocity='2'/><dynamics damping='0.2' friction='0.3'/>"
                        "<safety_controller soft_lower_limit='-0.4' soft_upper_limit='0.7' k_position='15' k_velocity='10'/>"));
  const figure::JointDescription& j = s.joints[0];
  CHECK(j.axes[0].lower == -0.5);
  CHECK(j.axes[0].upper == 0.75);
  CHECK(j.axes[0].effort == 30);
  CHECK(j.axes[0].velocity == 2);
  CHECK(j.axes[0].damping == 0.2);
  CHECK(j.axes[0].friction == 0.3);
  CHECK(j.hasSafety);
  CHECK(j.safetyLower == -0.4);
  CHECK(j.safetyUpper == 0.7);
  CHECK(j.safetyKPosition == 15);
  CHECK(j.safetyKVelocity == 10);

  s = loadText(twoLinks("prismatic", "<limit lower='-0.5' upper='0.75' effort='0' velocity='0'/>"));
  CHECK(s.joints[0].axes[0].effort == kInf);
  CHECK(s.joints[0].axes[0].velocity == kInf);
  s = loadText(twoLinks("revolute", "<limit lower='-inf' upper='inf' effort='inf' velocity='1'/>"));
  CHECK(s.joints[0].axes[0].lower == -kInf);
  CHECK(s.joints[0].axes[0].effort == kInf);
  s = loadText(twoLinks("continuous", "<limit lower='-1' upper='1' effort='5' velocity='6'/>"));
  CHECK(s.joints[0].axes[0].lower == -kInf);
  CHECK(s.joints[0].axes[0].upper == kInf);
  CHECK(s.joints[0].axes[0].effort == 5);
  CHECK(s.joints[0].axes[0].velocity == 6);
}

TEST_CASE("Repaired limits: exchanged, or Bullet's 'no limits'") {
  figure::Skeleton s = loadText(twoLinks("revolute", "<limit lower='2' upper='-1' effort='1' velocity='1'/>"));
  CHECK(s.joints[0].axes[0].lower == -1);
  CHECK(s.joints[0].axes[0].upper == 2);
  s = loadText(twoLinks("revolute", "<limit lower='0' upper='-1' effort='1' velocity='1'/>"));
  CHECK(s.joints[0].axes[0].lower == -kInf);
  CHECK(s.joints[0].axes[0].upper == kInf);
}

TEST_CASE("Shapes: half extents, cylinders along z, scale, colours, contact") {
  figure::Skeleton s = loadText(
      "<robot name='r'><material name='red'><color rgba='1 0 0 0.5'/></material><link name='a'>"
      "<contact><lateral_friction value='0.25'/><restitution value='0.5'/></contact>"
      "<visual name='v'><origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry><material name='red'/></visual>"
      "<visual><geometry><sphere radius='2'/></geometry><material name='b'><color rgba='0 0 1 1'/></material></visual>"
      "<collision name='c'><geometry><cylinder radius='0.5' length='4'/></geometry></collision>"
      "<collision><origin rpy='1.5707963267948966 0 0'/><geometry><capsule radius='0.1' length='0.6'/></geometry></collision>"
      "</link></robot>");
  const figure::LinkDescription& a = s.links[0];
  REQUIRE(a.visuals.size() == 2);
  CHECK(a.visuals[0].name == "v");
  CHECK(a.visuals[0].geometry.size == Vec3(0.5, 1, 1.5));
  CHECK(a.visuals[0].local.p == Vec3(0, 0, 1));
  CHECK(a.visuals[0].rgba[0] == 1);
  CHECK(a.visuals[0].rgba[3] == 0.5f);
  CHECK(a.visuals[1].rgba[2] == 1);
  REQUIRE(a.shapes.size() == 2);
  CHECK(a.shapes[0].name == "c");
  CHECK(a.shapes[0].geometry.type == geometry::ShapeType::Cylinder);
  CHECK(a.shapes[0].geometry.size == Vec3(0.5, 0, 2));
  CHECK(a.shapes[1].geometry.type == geometry::ShapeType::Capsule);
  CHECK(a.shapes[1].geometry.size == Vec3(0.1, 0, 0.3));
  CHECK((a.shapes[1].local.q * Vec3::UnitZ() - Vec3(0, -1, 0)).norm() < 1e-15);
  CHECK(a.shapes[1].surface.friction == 0.25);
  CHECK(a.shapes[1].surface.restitution == 0.5);
}

TEST_CASE("Derived collision shapes: visual first, then bones, then the equivalent solid") {
  UrdfOptions options;
  options.deriveCollision = true;
  const std::string inertial = "<inertial><mass value='2'/><inertia ixx='0.02' ixy='0' ixz='0' iyy='0.02' iyz='0' izz='0.02'/></inertial>";
  Diagnostics d;
  figure::Skeleton s = loadText(
      "<robot name='r'><link name='a'>" + inertial +
          "<visual><geometry><box size='1 1 1'/></geometry></visual></link>"
          "<link name='b'>" +
          inertial + "</link><link name='c'>" + inertial +
          "</link><link name='d'/>"
          "<joint name='ab' type='continuous'><parent link='a'/><child link='b'/><axis xyz='1 0 0'/></joint>"
          "<joint name='bc' type='continuous'><origin xyz='0 0 -0.4'/><parent link='b'/><child link='c'/><axis xyz='1 0 0'/></joint>"
          "<joint name='cd' type='fixed'><parent link='c'/><child link='d'/></joint></robot>",
      options, &d);
  REQUIRE(s.links.size() == 4);
  REQUIRE(s.links[0].shapes.size() == 1);
  CHECK(s.links[0].shapes[0].geometry.type == geometry::ShapeType::Box);
  REQUIRE(s.links[1].shapes.size() == 1);
  const geometry::Shape& bone = s.links[1].shapes[0];
  CHECK(bone.geometry.type == geometry::ShapeType::Capsule);
  CHECK((bone.local.p - Vec3(0, 0, -0.2)).norm() < 1e-15);
  double reach = bone.geometry.size.x() + bone.geometry.size.z();  // from end to end of the bone
  CHECK(std::abs(reach - 0.2) < 1e-12);
  REQUIRE(s.links[2].shapes.size() == 1);
  // A cube of mass m and edge 2h has I = 2/3 m h^2.
  CHECK(s.links[2].shapes[0].geometry.type == geometry::ShapeType::Box);
  CHECK((s.links[2].shapes[0].geometry.size - Vec3::Constant(std::sqrt(0.015))).norm() < 1e-12);
  CHECK(s.links[3].shapes.empty());
  int said = 0;
  for (const Diagnostic& x : d.entries) said += x.code == "urdf.collision.derived";
  CHECK(said == 3);
}
