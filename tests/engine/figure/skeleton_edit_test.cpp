// Edited skeletons against closed forms and against the skeleton that they were made of: lengths, masses, inertia, kinematics, dynamics.
#include "engine/figure/skeleton_edit.hpp"

#include "engine/figure/figure_model.hpp"
#include "engine/geometry/convex_hull.hpp"
#include "engine/geometry/mass_properties.hpp"
#include "loaders/urdf/urdf.hpp"
#include "tests/support.hpp"

using namespace vertebra;
using figure::BaseKind;
using figure::Skeleton;

namespace {

Skeleton humanoid() {
  Skeleton s;
  Diagnostics findings;
  REQUIRE(loadUrdfFile(test::sourceDir() + "/models/urdf/humanoid.urdf", {}, s, findings));
  return s;
}

double massOf(const Skeleton& s) {
  double sum = 0;
  for (const auto& l : s.links) sum += l.mass;
  return sum;
}

std::shared_ptr<const figure::FigureModel> modelOf(const Skeleton& s, BaseKind base = BaseKind::Floating) {
  return figure::makeFigureModel(std::make_shared<const Skeleton>(s), base);
}

// Joints at places of their own, the root as it is.
std::vector<double> somePose(const figure::FigureModel& m, int seed) {
  std::vector<double> q(static_cast<std::size_t>(m.nq())), v(static_cast<std::size_t>(m.nv()));
  figure::neutral(m.coordinates, q.data());
  test::Random random(seed);
  for (std::size_t i = 0; i < v.size(); i++) v[i] = i < 6 && m.coordinates.floatingBase ? 0 : random.range(-0.8, 0.8);
  figure::integrate(m.coordinates, q.data(), v.data(), 1, q.data());
  return q;
}

// A box of density 1000 on each of two links, hinge between.
Skeleton twoBoxes(const Vec3& half) {
  Skeleton s;
  s.name = "boxes";
  for (const char* name : {"left_a", "b"}) {
    figure::LinkDescription l;
    l.name = name;
    geometry::Shape shape;
    shape.geometry.type = geometry::ShapeType::Box;
    shape.geometry.size = half;
    shape.local.p = Vec3(0, 0, half.z());
    l.shapes = {shape};
    l.mass = 8000 * half.prod();
    l.com = shape.local.p;
    const Vec3 square = half.cwiseProduct(half);
    l.inertia = (l.mass / 3 * Vec3(square.y() + square.z(), square.x() + square.z(), square.x() + square.y())).asDiagonal();
    s.links.push_back(l);
  }
  figure::JointDescription j;
  j.name = "left_hinge";
  j.type = dynamics::JointType::Revolute;
  j.parent = 0;
  j.child = 1;
  j.inParent.p = Vec3(0, 0, 2 * half.z());
  j.axes[0].lower = -1;
  j.axes[0].upper = 2;
  s.joints = {j};
  s.sites = {{"tip", 1, {Vec3(0, 0, 2 * half.z()), Quat::Identity()}}};
  s.roles = {{"left_hand", 1}};
  s.uncollidable = figure::neighbourPairs(s);
  return s;
}

void checkBox(const figure::LinkDescription& l, const Vec3& half) {
  CHECK((l.shapes[0].geometry.size - half).norm() < 1e-12);
  CHECK(l.mass == Approx(8000 * half.prod()));
  const Vec3 square = half.cwiseProduct(half);
  const Mat3 wanted = (l.mass / 3 * Vec3(square.y() + square.z(), square.x() + square.z(), square.x() + square.y())).asDiagonal();
  CHECK((l.inertia - wanted).norm() < 1e-12 * wanted.norm());
}

}  // namespace

TEST_CASE("a bone of boxes, longer and thicker, has mass and inertia of that box, and the next joint at its end") {
  const Vec3 half(0.1, 0.2, 0.4);
  Skeleton s = twoBoxes(half);
  REQUIRE(figure::scaleLink(s, 0, 1.5, 0.5) == "");
  checkBox(s.links[0], Vec3(0.05, 0.1, 0.6));
  checkBox(s.links[1], half);
  CHECK((s.joints[0].inParent.p - Vec3(0, 0, 1.2)).norm() < 1e-12);
  CHECK((s.links[0].com - Vec3(0, 0, 0.6)).norm() < 1e-12);
  REQUIRE(figure::scaleLink(s, 1, 2, 1) == "");  // along its site
  CHECK((s.sites[0].pose.p - Vec3(0, 0, 1.6)).norm() < 1e-12);
  REQUIRE(figure::scaleLinks(s, 1, 3) == "");
  checkBox(s.links[0], Vec3(0.15, 0.3, 0.6));
  CHECK((s.joints[0].inParent.p - Vec3(0, 0, 1.2)).norm() < 1e-12);
}

TEST_CASE("other shapes keep their kind, and their mass is that of the stretched solid") {
  Skeleton s = twoBoxes(Vec3(0.1, 0.1, 0.3));
  geometry::Shape capsule, ball, hull;
  capsule.geometry.type = geometry::ShapeType::Capsule;
  capsule.geometry.size = Vec3(0.05, 0, 0.2);
  ball.geometry.type = geometry::ShapeType::Sphere;
  ball.geometry.size = Vec3(0.1, 0, 0);
  hull.geometry.type = geometry::ShapeType::Convex;
  auto points = std::make_shared<geometry::ConvexHull>();
  REQUIRE(geometry::makeConvexHull({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, *points) == "");
  hull.geometry.hull = points;
  hull.local.q = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
  s.links[0].shapes = {capsule, ball, hull};
  const auto solid = [](const geometry::Shape& shape) {
    geometry::MassProperties own;
    REQUIRE(geometry::massProperties(shape.geometry, 1000, own) == "");
    return geometry::transform(shape.local, own);
  };
  const geometry::MassProperties before = solid(hull);
  s.links[0].mass = before.mass;
  s.links[0].com = before.com;
  s.links[0].inertia = before.inertia;
  REQUIRE(figure::scaleLink(s, 0, 2, 0.5) == "");
  const auto& shapes = s.links[0].shapes;
  CHECK(shapes[0].geometry.size.x() == Approx(0.025));
  CHECK(shapes[0].geometry.size.x() + shapes[0].geometry.size.z() == Approx(0.5));
  CHECK(shapes[1].geometry.size.x() == Approx(0.1 * std::cbrt(0.5)));
  const geometry::MassProperties after = solid(shapes[2]);
  CHECK(s.links[0].mass == Approx(after.mass));
  CHECK((s.links[0].com - after.com).norm() < 1e-12);
  CHECK((s.links[0].inertia - after.inertia).norm() < 1e-9 * after.inertia.norm());
}

TEST_CASE("a scaled figure: lengths, masses and inertias by their powers, the same poses") {
  const Skeleton before = humanoid();
  Skeleton s = before;
  REQUIRE(figure::scaleSkeleton(s, 1.3) == "");
  CHECK(massOf(s) == Approx(massOf(before) * std::pow(1.3, 3)));
  const auto a = modelOf(before), b = modelOf(s);
  const std::vector<double> q = somePose(*a, 3);
  figure::FigureWorkspace wa(a), wb(b);
  const Pose* pa = wa.poses(q.data());
  const std::vector<Pose> poses(pa, pa + before.links.size());
  const Pose* pb = wb.poses(q.data());
  for (std::size_t l = 0; l < poses.size(); l++) {
    CHECK((pb[l].p - 1.3 * poses[l].p).norm() < 1e-12);
    CHECK(std::fabs(pb[l].q.dot(poses[l].q)) == Approx(1));
  }
  const auto n = static_cast<std::size_t>(a->nv());
  std::vector<double> Ma(n * n), Mb(n * n);
  wa.massMatrix(q.data(), Ma.data());
  wb.massMatrix(q.data(), Mb.data());
  const double armature = before.joints[0].axes[0].armature;
  for (std::size_t i = 6; i < n; i++)
    for (std::size_t j = 6; j < n; j++)
      if (i != j || armature == 0) CHECK(Mb[i * n + j] == Approx(Ma[i * n + j] * std::pow(1.3, 5)).margin(1e-9));
  REQUIRE(figure::scaleSkeleton(s, 1 / 1.3) == "");
  for (std::size_t l = 0; l < s.links.size(); l++) CHECK((s.links[l].inertia - before.links[l].inertia).norm() < 1e-12);
}

TEST_CASE("slides, screws and what follows them are scaled with their ways") {
  Skeleton s = twoBoxes(Vec3(0.1, 0.1, 0.1));
  s.joints[0].type = dynamics::JointType::Prismatic;
  s.joints[0].axes[0].velocity = 3;
  REQUIRE(figure::scaleSkeleton(s, 2) == "");
  CHECK(s.joints[0].axes[0].lower == -2);
  CHECK(s.joints[0].axes[0].upper == 4);
  CHECK(s.joints[0].axes[0].velocity == 6);
}

TEST_CASE("merged joints: the same bodies, less an axis") {
  const Skeleton before = humanoid();
  for (std::size_t j = 0; j < before.joints.size(); j++) {
    if (before.joints[j].type != dynamics::JointType::Revolute) continue;
    Skeleton merged = before, welded = before;
    welded.joints[j].type = dynamics::JointType::Fixed;
    REQUIRE(figure::mergeJoint(merged, static_cast<int>(j)) == "");
    REQUIRE(merged.links.size() == before.links.size() - 1);
    CHECK(massOf(merged) == Approx(massOf(before)));
    const auto a = modelOf(welded), b = modelOf(merged);
    REQUIRE(a->nv() == b->nv());
    const std::vector<double> q = somePose(*a, static_cast<int>(j) + 1);
    const auto n = static_cast<std::size_t>(a->nv());
    std::vector<double> Ma(n * n), Mb(n * n);
    figure::FigureWorkspace(a).massMatrix(q.data(), Ma.data());
    figure::FigureWorkspace(b).massMatrix(q.data(), Mb.data());
    double worst = 0;
    for (std::size_t i = 0; i < n * n; i++) worst = std::max(worst, std::fabs(Ma[i] - Mb[i]));
    CHECK(worst < 1e-9);
    const auto shapes = [](const Skeleton& s) {
      std::size_t count = 0;
      for (const auto& l : s.links) count += l.shapes.size();
      return count;
    };
    CHECK(shapes(merged) == shapes(before));
  }
}

TEST_CASE("dropped joints take along what hangs on them, and names still mean the same") {
  Skeleton s = humanoid();
  const std::size_t links = s.links.size();
  int hip = -1;
  for (std::size_t j = 0; j < s.joints.size(); j++)
    if (hip < 0 && s.joints[j].name.find("left_hip") != std::string::npos) hip = static_cast<int>(j);
  REQUIRE(hip >= 0);
  const Skeleton before = s;
  REQUIRE(figure::dropJoint(s, hip) == "");
  CHECK(s.links.size() < links);
  CHECK(s.joints.size() == s.links.size() - 1);
  for (const auto& l : s.links) {
    CHECK(l.name.find("left_foot") == std::string::npos);
    const auto& old = before.links[static_cast<std::size_t>(before.findLink(l.name))];
    CHECK(l.mass == old.mass);
  }
  for (const auto& j : s.joints) {
    const auto& old = before.joints[static_cast<std::size_t>(before.findJoint(j.name))];
    CHECK(s.links[static_cast<std::size_t>(j.parent)].name == before.links[static_cast<std::size_t>(old.parent)].name);
    CHECK(s.links[static_cast<std::size_t>(j.child)].name == before.links[static_cast<std::size_t>(old.child)].name);
  }
  for (const auto& pair : s.uncollidable)
    CHECK((pair.first < static_cast<int>(s.links.size()) && pair.second < static_cast<int>(s.links.size())));
}

TEST_CASE("the mirror image moves as the mirror shows it, and its mirror image is the figure again") {
  const Skeleton before = humanoid();
  for (int axis = 0; axis < 3; axis++) {
    Skeleton s = before;
    REQUIRE(figure::mirrorSkeleton(s, axis) == "");
    const auto a = modelOf(before, BaseKind::Fixed), b = modelOf(s, BaseKind::Fixed);
    Mat3 A = Mat3::Identity();
    A(axis, axis) = -1;
    const std::vector<double> q = somePose(*a, 11 + axis);
    figure::FigureWorkspace wa(a), wb(b);
    const Pose* pa = wa.poses(q.data());
    const std::vector<Pose> poses(pa, pa + before.links.size());
    const Pose* pb = wb.poses(q.data());
    for (std::size_t l = 0; l < poses.size(); l++) {
      CHECK((pb[l].p - A * poses[l].p).norm() < 1e-12);
      CHECK((pb[l].q.toRotationMatrix() - A * poses[l].q.toRotationMatrix() * A).norm() < 1e-12);
      CHECK((pb[l] * s.links[l].com - A * (poses[l] * before.links[l].com)).norm() < 1e-12);
    }
    CHECK(s.findLink("left_foot") == before.findLink("right_foot"));
    REQUIRE(figure::mirrorSkeleton(s, axis) == "");
    for (std::size_t l = 0; l < s.links.size(); l++) {
      CHECK(s.links[l].name == before.links[l].name);
      CHECK((s.links[l].inertia - before.links[l].inertia).norm() < 1e-12);
    }
    for (std::size_t j = 0; j < s.joints.size(); j++) CHECK((s.joints[j].axis - before.joints[j].axis).norm() < 1e-12);
  }
}

TEST_CASE("the mirror image of ball joints, screws and slides, with sides in limits") {
  Skeleton s = twoBoxes(Vec3(0.1, 0.1, 0.1));
  s.joints[0].type = dynamics::JointType::Spherical;
  s.joints[0].axes[1].lower = -0.2;
  s.joints[0].axes[1].upper = 0.6;
  REQUIRE(figure::mirrorSkeleton(s, 0) == "");
  CHECK(s.joints[0].axes[0].lower == -1);  // about the axis that is reflected: as it was
  CHECK(s.joints[0].axes[1].lower == -0.6);
  CHECK(s.joints[0].axes[1].upper == 0.2);
  CHECK(s.links[0].name == "right_a");
  CHECK(s.roles[0].first == "right_hand");
  for (const auto type : {dynamics::JointType::Screw, dynamics::JointType::Prismatic, dynamics::JointType::Universal}) {
    Skeleton before = twoBoxes(Vec3(0.1, 0.1, 0.1));
    before.joints[0].type = type;
    before.joints[0].pitch = 0.02;
    before.joints[0].axis = Vec3(1, 2, 2) / 3;
    before.joints[0].axis2 = Vec3(0, 3, 4) / 5;
    Skeleton image = before;
    REQUIRE(figure::mirrorSkeleton(image, 1) == "");
    const auto a = modelOf(before, BaseKind::Fixed), b = modelOf(image, BaseKind::Fixed);
    const std::vector<double> q(static_cast<std::size_t>(a->nq()), 0.4);
    figure::FigureWorkspace wa(a), wb(b);
    const Pose pa = wa.poses(q.data())[1], pb = wb.poses(q.data())[1];
    const Mat3 A = Vec3(1, -1, 1).asDiagonal();
    CHECK((pb.p - A * pa.p).norm() < 1e-12);
    CHECK((pb.q.toRotationMatrix() - A * pa.q.toRotationMatrix() * A).norm() < 1e-12);
  }
  Skeleton planar = twoBoxes(Vec3(0.1, 0.1, 0.1));
  planar.joints[0].type = dynamics::JointType::Planar;
  CHECK(figure::mirrorSkeleton(planar, 1).find("planar") != std::string::npos);
}

TEST_CASE("another joint type keeps limits where it can, and what cannot be done changes nothing") {
  Skeleton s = twoBoxes(Vec3(0.1, 0.1, 0.1));
  REQUIRE(figure::setJointType(s, 0, dynamics::JointType::Screw, Vec3::UnitZ()) == "");
  CHECK(s.joints[0].axes[0].upper == 2);
  REQUIRE(figure::setJointType(s, 0, dynamics::JointType::Prismatic, Vec3::UnitZ()) == "");
  CHECK(s.joints[0].axes[0].upper == kInf);  // radians are no metres
  REQUIRE(figure::setJointType(s, 0, dynamics::JointType::Spherical, Vec3::UnitZ()) == "");
  CHECK(figure::setJointType(s, 0, dynamics::JointType::Revolute, Vec3(1, 1, 0)).find("unit") != std::string::npos);
  CHECK(s.joints[0].type == dynamics::JointType::Spherical);
  CHECK(figure::setJointType(s, 1, dynamics::JointType::Revolute, Vec3::UnitX()) != "");
  CHECK(figure::scaleSkeleton(s, 0) != "");
  CHECK(figure::scaleSkeleton(s, kInf) != "");
  CHECK(figure::scaleLink(s, 2, 1, 1) != "");
  CHECK(figure::mirrorSkeleton(s, 3) != "");
  Skeleton pair = twoBoxes(Vec3(0.1, 0.1, 0.1));
  figure::LinkDescription third = pair.links[1];
  third.name = "c";
  pair.links.push_back(third);
  figure::JointDescription follower = pair.joints[0];
  follower.name = "follower";
  follower.parent = 0;
  follower.child = 2;
  follower.mimic.master = 0;
  pair.joints.push_back(follower);
  CHECK(figure::dropJoint(pair, 0).find("follows joint 'left_hinge'") != std::string::npos);
  CHECK(figure::mergeJoint(pair, 0).find("follows") != std::string::npos);
  CHECK(pair.links.size() == 3);
  REQUIRE(figure::dropJoint(pair, 1) == "");
  CHECK(pair.joints[0].mimic.master == -1);
  REQUIRE(figure::mergeJoint(pair, 0) == "");
  CHECK(pair.links.size() == 1);
  CHECK(pair.uncollidable.empty());
  CHECK(pair.sites[0].pose.p.z() == Approx(0.4));
  CHECK(pair.roles[0].second == 0);
}
