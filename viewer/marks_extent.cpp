// Marks with an extent: ranges of axes, boxes of inertia, ways of points. Metres, world.
//
// A turning axis with limits has a sector about it, from its lower to its upper limit as its child stands to its parent, with a pointer
// where it is; the pointer lies along the child, to its centre of mass. A sliding axis has a bar. The box of inertia is the even one with
// the body's mass and principal moments: half edges h_i = sqrt(3 (I_j + I_k - I_i) / (2 m)).
#include <algorithm>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "viewer/world_view.hpp"

namespace vertebra::viewer {

namespace {

constexpr Colour kRange{0.20f, 0.65f, 0.40f}, kPointer{0.95f, 0.95f, 0.98f}, kAtLimit{0.90f, 0.20f, 0.15f}, kInertia{0.55f, 0.30f, 0.70f},
    kWay{0.10f, 0.35f, 0.75f};
constexpr double kNear = 0.03;       // of the range: so near to a limit the pointer is red
constexpr double kSpan = 4;          // s of a way
constexpr double kDense = 1.0 / 15;  // s between its points

osg::Vec3d vec(const double* x) { return {x[0], x[1], x[2]}; }

void edge(Soup& soup, const osg::Vec3d& a, const osg::Vec3d& b, double radius, Colour colour) { soup.rod(a, b, radius, radius, colour); }

void drawSector(Soup& marks, const osg::Vec3d& centre, const osg::Vec3d& axis, const osg::Vec3d& towards, double q, double lower,
                double upper, double radius) {
  osg::Vec3d zero = towards - axis * (towards * axis);
  if (zero.normalize() < 1e-6) {
    zero = axis ^ (std::fabs(axis.z()) < 0.9 ? osg::Vec3d(0, 0, 1) : osg::Vec3d(1, 0, 0));
    zero.normalize();
  }
  const auto at = [&](double angle) {  // of the child at that coordinate
    return centre + osg::Quat(angle - q, axis) * zero * radius;
  };
  const double range = upper - lower;
  const int pieces = std::clamp(static_cast<int>(range / 0.15), 2, 60);
  for (int i = 0; i < pieces; i++) {
    const osg::Vec3d a = at(lower + range * i / pieces), b = at(lower + range * (i + 1) / pieces);
    marks.triangle({centre, a, b}, {axis, axis, axis}, kRange);
    marks.triangle({centre, b, a}, {-axis, -axis, -axis}, kRange);
  }
  const bool near = q < lower + kNear * range || q > upper - kNear * range;
  marks.rod(centre, centre + zero * (1.25 * radius), 0.05 * radius, 0.02 * radius, near ? kAtLimit : kPointer);
}

}  // namespace

void drawLimits(const vtb_world* world, const std::vector<ShownBody>& bodies, const std::map<std::uint64_t, int>& index,
                const BodyGroups& groups, Soup& marks) {
  for (const vtb_joint joint :
       listed<vtb_joint>([&](vtb_joint*out, std::size_t n, std::size_t*total) { return vtb_world_get_joints(world, out, n, total); })) {
    vtb_joint_def def{};
    def.struct_size = sizeof def;
    check(vtb_joint_get_def(world, joint, &def));
    const bool turns = def.type == VTB_JOINT_TYPE_REVOLUTE, slides = def.type == VTB_JOINT_TYPE_PRISMATIC;
    const auto child = index.find(def.body_b.bits);
    if ((!turns && !slides) || child == index.end()) continue;
    vtb_axis_def limits{};
    limits.struct_size = sizeof limits;
    check(vtb_joint_get_axis(world, joint, 0, &limits));
    if (!std::isfinite(limits.lower) || !std::isfinite(limits.upper) || limits.upper - limits.lower > 2 * M_PI + 1e-6) continue;
    double q[7], frame[7], axis[3];
    std::size_t total = 0;
    check(vtb_joint_get_state(world, joint, q, nullptr));
    check(vtb_joint_get_world_frames(world, joint, nullptr, frame));
    check(vtb_joint_get_world_axes(world, joint, axis, 1, &total));
    const auto body = static_cast<std::size_t>(child->second);
    const double size = groups.all[static_cast<std::size_t>(groups.of[body])].size();
    const osg::Vec3d centre = vec(frame), along = vec(axis);
    if (turns) {
      drawSector(marks, centre, along, applied(bodies[body].pose, vec(bodies[body].com)) - centre, q[0], limits.lower, limits.upper,
                 0.05 * size);
    } else {
      edge(marks, centre + along * (limits.lower - q[0]), centre + along * (limits.upper - q[0]), 0.004 * size, kRange);
      const double range = limits.upper - limits.lower;
      marks.ball(centre, 0.012 * size, q[0] < limits.lower + kNear * range || q[0] > limits.upper - kNear * range ? kAtLimit : kPointer);
    }
  }
}

InertiaBox inertiaBox(const vtb_world* world, const ShownBody& body) {
  double mass, com[3], i[6];
  check(vtb_body_get_mass(world, body.handle, &mass, com, i));
  Eigen::Matrix3d tensor;
  tensor << i[0], i[1], i[2], i[1], i[3], i[4], i[2], i[4], i[5];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(tensor);
  const Eigen::Vector3d m = principal.eigenvalues();
  InertiaBox box;
  for (int k = 0; k < 3; k++) {
    const Eigen::Vector3d way = principal.eigenvectors().col(k);
    box.axis[k] = {way[0], way[1], way[2]};
    box.half[k] = std::sqrt(std::max(0.0, 1.5 * (m[(k + 1) % 3] + m[(k + 2) % 3] - m[k]) / mass));
  }
  return box;
}

void drawInertia(const vtb_world* world, const std::vector<ShownBody>& bodies, Soup& marks) {
  for (const ShownBody& body : bodies) {
    if (!(body.mass > 0)) continue;
    const InertiaBox box = inertiaBox(world, body);
    const double longest = std::max({box.half[0], box.half[1], box.half[2]});
    if (!(longest > 0)) continue;  // a point
    const auto corner = [&](int c) { return applied(body.pose, vec(body.com) + box.corner(c)); };
    for (int c = 0; c < 8; c++)
      for (int bit : {1, 2, 4})
        if (!(c & bit)) edge(marks, corner(c), corner(c | bit), 0.03 * longest, kInertia);
  }
}

void Paths::push(double time, const std::vector<ShownBody>& bodies, const BodyGroups& groups) {
  std::map<std::uint64_t, Way> kept;
  std::vector<bool> begun(groups.all.size());
  for (std::size_t i = 0; i < bodies.size(); i++) {
    const auto g = static_cast<std::size_t>(groups.of[i]);
    const BodyGroup& group = groups.all[g];
    if (!group.moving || begun[g]) continue;
    begun[g] = true;
    Way& way = kept[bodies[i].handle.bits];
    way = std::move(points_[bodies[i].handle.bits]);
    way.width = 0.003 * group.size();
    const osg::Vec3d centre =
        group.mass > 0 ? group.moment / group.mass : osg::Vec3d(bodies[i].pose[0], bodies[i].pose[1], bodies[i].pose[2]);
    std::deque<Point>& points = way.points;
    while (!points.empty() && points.back().time >= time - 1e-12) points.pop_back();
    if (points.empty() || time - points.back().time >= 0.99 * kDense) points.push_back({time, centre});
    while (points.front().time < time - kSpan) points.pop_front();
  }
  points_ = std::move(kept);
}

void Paths::draw(Soup& marks) const {
  for (const auto& [bits, way] : points_)
    for (std::size_t i = 1; i < way.points.size(); i++)
      marks.rod(way.points[i - 1].position, way.points[i].position, way.width, way.width, kWay);
}

}  // namespace vertebra::viewer
