// See moving_mass.hpp.
#include "loaders/urdf/moving_mass.hpp"

#include "loaders/urdf/build.hpp"
#include "loaders/urdf/inertia.hpp"
#include "loaders/urdf/structure.hpp"
#include "loaders/urdf/xml.hpp"

namespace vertebra {

namespace {

constexpr double kBall = 0.02;  // m, radius of a link whose size is not known

bool moves(const UrdfJoint& j) { return !j.loop && j.type != dynamics::JointType::Fixed; }
bool hasShapes(const UrdfLink& link) { return !link.visuals.empty() || !link.collisions.empty(); }

// Which rigid clusters of links have mass, and which have it further out.
struct Masses {
  std::vector<int> cluster;  // of each link; the rest by cluster:
  std::vector<char> own, below;
  std::vector<int> above;  // moving joint above it, -1 for the root's

  Masses(const UrdfRobot& robot, const figure::Skeleton& skeleton) : cluster(rigidClusters(robot)) {
    const std::size_t n = robot.links.size();
    own.assign(n, 0);
    below.assign(n, 0);
    above.assign(n, -1);
    for (std::size_t i = 0; i < n; ++i)
      if (skeleton.links[i].mass > 0 || !skeleton.links[i].inertia.isZero(0)) own[cluster[i]] = 1;
    for (std::size_t j = 0; j < robot.joints.size(); ++j)
      if (moves(robot.joints[j])) above[cluster[robot.joints[j].child]] = static_cast<int>(j);
    for (std::size_t i = 0; i < n; ++i) {
      if (!own[i]) continue;
      for (int c = static_cast<int>(i); above[c] >= 0;) {
        c = cluster[robot.joints[above[c]].parent];
        if (below[c]) break;
        below[c] = 1;
      }
    }
  }
  bool bare(std::size_t link) const {  // it moves on a joint, and neither its cluster nor what hangs from it has mass
    const int c = cluster[link];
    return above[c] >= 0 && !own[c] && !below[c];
  }
};

// Of bones to the joints further out, or of a small ball.
void massFromBones(const figure::Skeleton& skeleton, std::size_t i, figure::LinkDescription& link) {
  figure::LinkDescription made;
  for (const Vec3& end : jointsFurtherOut(skeleton, i)) made.shapes.push_back(bone(end, 0, {}));
  if (made.shapes.empty()) {
    geometry::Shape& ball = made.shapes.emplace_back();
    ball.geometry.type = geometry::ShapeType::Sphere;
    ball.geometry.size = Vec3(kBall, 0, 0);
  }
  (void)massFromGeometry(made);
  link.mass = made.mass;
  link.com = made.com;
  link.inertia = made.inertia;
}

}  // namespace

void deriveMovingMass(const UrdfRobot& robot, const UrdfOptions& options, UrdfReport& report, figure::Skeleton& skeleton) {
  if (options.strict || options.missingInertia != UrdfOptions::MissingInertia::Zero) return;
  const Masses masses(robot, skeleton);
  int fromShapes = 0, fromBones = 0;
  const UrdfLink* first = nullptr;
  const auto derive = [&](std::size_t i) {
    if (!hasShapes(robot.links[i])) return;
    if (massFromGeometry(skeleton.links[i])) {
      fromShapes++;
    } else {
      massFromBones(skeleton, i, skeleton.links[i]);
      fromBones++;
    }
    if (!first) first = &robot.links[i];
  };
  for (std::size_t i = 0; i < robot.links.size(); ++i)
    if (masses.bare(i)) derive(i);
  if (!first) return;
  const std::size_t root = static_cast<std::size_t>(skeleton.root);  // it moves too, and nothing of the robot has mass
  const int base = masses.cluster[root];
  if (skeleton.floatingByDefault && !robot.links[root].inertial.given && !masses.own[base] && !masses.below[base]) derive(root);
  std::string what = std::to_string(fromShapes + fromBones) + " links move on joints that have no mass to move; ";
  if (fromShapes) what += std::to_string(fromShapes) + " get mass and inertia from their shapes at 1000 kg/m3";
  if (fromShapes && fromBones) what += ", ";
  if (fromBones) what += std::to_string(fromBones) + " from their bones, as their meshes are not there";
  report.warning("urdf.inertia.derived", first->line, quoted("link", first->name), what + "; to mend: add <inertial>");
}

void reportMassless(const UrdfRobot& robot, UrdfReport& report, const figure::Skeleton& skeleton) {
  const Masses masses(robot, skeleton);
  const std::vector<int>& cluster = masses.cluster;
  const std::vector<char>&own = masses.own, &below = masses.below;
  const std::size_t n = robot.links.size();
  std::vector<int> massive(n, 0);  // links with mass, by cluster
  std::vector<char> hung(n, 0);    // clusters with mass further out in their subtree
  for (std::size_t i = 0; i < n; ++i) massive[cluster[i]] += skeleton.links[i].mass > 0;
  for (const UrdfJoint& j : robot.joints)
    if (!j.loop && j.type != dynamics::JointType::Fixed && (own[cluster[j.child]] || below[cluster[j.child]])) hung[cluster[j.parent]] = 1;
  for (const UrdfJoint& j : robot.joints) {
    const figure::LinkDescription& end = skeleton.links[j.child];
    if (!j.loop && (j.type == dynamics::JointType::Revolute || j.type == dynamics::JointType::Continuous) && !hung[cluster[j.child]] &&
        massive[cluster[j.child]] == 1 && end.mass > 0) {
      const double moment = j.axis.dot(end.inertia * j.axis) + end.mass * j.axis.cross(end.com).squaredNorm();
      if (moment <= end.mass * kPointRadius2)
        report.warning(
            "urdf.inertia.on-axis", robot.links[j.child].line, quoted("link", end.name),
            "its whole mass is a point on the axis of joint '" + j.name +
                "', so a torque there gives no finite acceleration and it cannot be "
                "simulated; to mend: give real moments of inertia, give the joint an armature, or load with inertia from geometry");
    }
    if (j.loop || j.type == dynamics::JointType::Fixed || own[cluster[j.child]]) continue;
    const UrdfLink& link = robot.links[j.child];
    if (below[cluster[j.child]])
      report.warning("urdf.inertia.massless-link", link.line, quoted("link", link.name),
                     "it moves on joint '" + j.name + "' but has no mass; the links below it carry the inertia; to mend: add <inertial>");
    else
      (report.*(report.strict() ? &UrdfReport::error : &UrdfReport::warning))(
          "urdf.inertia.massless-end", link.line, quoted("link", link.name),
          "joint '" + j.name +
              "' moves no mass, so forces on it give no finite acceleration; to mend: add <inertial>, or give the joint an armature");
  }
}

}  // namespace vertebra
