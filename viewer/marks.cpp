// Marks of a world: contact points with their forces, axes of joints, centres of mass, lines from joint to joint. Metres, world. A force is
// an arrow that starts at its point; the weight of the figure (or lone body) it acts on is half as long as that figure is large.
#include <algorithm>
#include <cmath>

#include "viewer/include/vertebra_view.h"
#include "viewer/world_view.hpp"

namespace vertebra::viewer {

namespace {

constexpr double kGravity = 9.81;
constexpr Colour kForce{0.85f, 0.10f, 0.12f}, kContact{0.98f, 0.80f, 0.10f}, kAxis{0.05f, 0.45f, 0.85f}, kCom{0.10f, 0.10f, 0.12f},
    kTotal{0.95f, 0.30f, 0.75f}, kBone{0.10f, 0.10f, 0.12f}, kJoint{0.95f, 0.85f, 0.20f};

osg::Vec3d vec(const double* x) { return {x[0], x[1], x[2]}; }

void drawContacts(const vtb_world* world, std::uint32_t shown, const std::vector<ShownBody>& bodies,
                  const std::map<std::uint64_t, int>& index, const BodyGroups& groups, Soup& onTop) {
  const auto contacts = listed<vtb_contact>(
      [&](vtb_contact* out, std::size_t n, std::size_t* total) { return vtb_world_get_contacts(world, out, n, 0, total); });
  for (const vtb_contact& c : contacts) {
    const auto moves = [&](vtb_body b) {
      const auto found = index.find(b.bits);
      return found != index.end() && bodies[static_cast<std::size_t>(found->second)].mass > 0;
    };
    const bool onB = moves(c.body_b);
    if (!onB && !moves(c.body_a)) continue;
    const int body = index.at(onB ? c.body_b.bits : c.body_a.bits);
    const BodyGroup& group = groups.all[static_cast<std::size_t>(groups.of[static_cast<std::size_t>(body)])];
    const double size = group.size();
    osg::Vec3d way = vec(c.force) * ((onB ? 1 : -1) * 0.5 * size / (group.mass * kGravity));
    if (way.length() > size) way *= size / way.length();
    if (shown & VTB_VIEW_CONTACTS) onTop.ball(vec(c.position), 0.007 * size, kContact);
    if ((shown & VTB_VIEW_FORCES) && way.length() > 0.01 * size) onTop.arrow(vec(c.position), vec(c.position) + way, 0.004 * size, kForce);
  }
}

void drawJoints(const vtb_world* world, std::uint32_t shown, const std::vector<ShownBody>& bodies,
                const std::map<std::uint64_t, int>& index, const BodyGroups& groups, Soup& onTop) {
  struct Placed {
    int a, b;  // bodies, -1: the world
    osg::Vec3d point;
    std::vector<double> axes;
  };
  std::vector<Placed> joints;
  std::map<int, osg::Vec3d> entry;  // of a body: its first joint to a parent
  std::map<int, int> children;
  for (const vtb_joint joint :
       listed<vtb_joint>([&](vtb_joint*out, std::size_t n, std::size_t*total) { return vtb_world_get_joints(world, out, n, total); })) {
    double a[7], b[7];
    if (vtb_joint_get_world_frames(world, joint, a, b) != VTB_OK) continue;  // a rotor has none
    vtb_joint_def def{};
    def.struct_size = sizeof def;
    check(vtb_joint_get_def(world, joint, &def));
    const auto place = [&](vtb_body body) {
      const auto found = index.find(body.bits);
      return found == index.end() ? -1 : found->second;
    };
    Placed placed{place(def.body_a), place(def.body_b), vec(b), {}};
    std::size_t total = 0;
    check(vtb_joint_get_world_axes(world, joint, nullptr, 0, &total));
    placed.axes.resize(3 * total);
    if (total > 0) check(vtb_joint_get_world_axes(world, joint, placed.axes.data(), total, &total));
    entry.try_emplace(placed.b, placed.point);
    children[placed.a]++;
    joints.push_back(std::move(placed));
  }
  const auto sizeOf = [&](int body) {
    return body < 0 ? 1.0 : groups.all[static_cast<std::size_t>(groups.of[static_cast<std::size_t>(body)])].size();
  };
  const auto comOf = [&](int body) {
    const ShownBody& b = bodies[static_cast<std::size_t>(body)];
    return applied(b.pose, vec(b.com));
  };
  for (const Placed& joint : joints) {
    const double size = sizeOf(joint.b >= 0 ? joint.b : joint.a);
    if (shown & VTB_VIEW_SKELETON) {
      if (joint.a >= 0) onTop.rod(entry.count(joint.a) ? entry[joint.a] : comOf(joint.a), joint.point, 0.005 * size, 0.003 * size, kBone);
      if (joint.b >= 0 && children[joint.b] == 0) onTop.rod(joint.point, comOf(joint.b), 0.005 * size, 0.001 * size, kBone);
      onTop.ball(joint.point, 0.009 * size, kJoint);
    }
    if (shown & VTB_VIEW_AXES)
      for (std::size_t i = 0; i + 2 < joint.axes.size(); i += 3)
        onTop.arrow(joint.point, joint.point + vec(&joint.axes[i]) * (0.07 * size), 0.0035 * size, kAxis);
  }
}

void drawCentres(const std::vector<ShownBody>& bodies, const BodyGroups& groups, Soup& onTop) {
  for (std::size_t i = 0; i < bodies.size(); i++) {
    const auto group = static_cast<std::size_t>(groups.of[i]);
    const double size = groups.all[group].size(), share = bodies[i].mass / std::max(groups.all[group].mass, 1e-300);
    if (bodies[i].mass > 0)
      onTop.ball(applied(bodies[i].pose, vec(bodies[i].com)), size * std::clamp(0.02 * std::cbrt(share), 0.004, 0.012), kCom);
  }
  for (std::size_t g = 0; g < groups.all.size(); g++)
    if (groups.all[g].members > 1 && groups.all[g].mass > 0)
      onTop.ball(groups.all[g].moment / groups.all[g].mass, 0.02 * groups.all[g].size(), kTotal);
}

}  // namespace

BodyGroups groupsOf(const std::vector<ShownBody>& bodies) {
  BodyGroups groups;
  std::map<int, int> figures;
  for (const ShownBody& body : bodies) {
    int group = static_cast<int>(groups.all.size());
    if (body.figure >= 0) group = figures.try_emplace(body.figure, group).first->second;
    if (group == static_cast<int>(groups.all.size())) groups.all.emplace_back();
    groups.of.push_back(group);
    BodyGroup& g = groups.all[static_cast<std::size_t>(group)];
    g.members++;
    g.moving |= body.moving;
    g.mass += body.mass;
    g.moment += applied(body.pose, {body.com[0], body.com[1], body.com[2]}) * body.mass;
    for (int c = 0; c < 8 && body.box.valid(); c++) g.box.add(applied(body.pose, body.box.corner(c)));
    g.box.add({body.pose[0], body.pose[1], body.pose[2]});
  }
  return groups;
}

void drawMarks(const vtb_world* world, std::uint32_t shown, const std::vector<ShownBody>& bodies, const std::map<std::uint64_t, int>& index,
               Soup& onTop) {
  if (shown & VTB_VIEW_INERTIA) drawInertia(world, bodies, onTop);
  if (!(shown & (VTB_VIEW_CONTACTS | VTB_VIEW_FORCES | VTB_VIEW_AXES | VTB_VIEW_COM | VTB_VIEW_SKELETON | VTB_VIEW_LIMITS))) return;
  const BodyGroups groups = groupsOf(bodies);
  if (shown & VTB_VIEW_LIMITS) drawLimits(world, bodies, index, groups, onTop);
  if (shown & (VTB_VIEW_AXES | VTB_VIEW_SKELETON)) drawJoints(world, shown, bodies, index, groups, onTop);
  if (shown & VTB_VIEW_COM) drawCentres(bodies, groups, onTop);
  if (shown & (VTB_VIEW_CONTACTS | VTB_VIEW_FORCES)) drawContacts(world, shown, bodies, index, groups, onTop);
}

}  // namespace vertebra::viewer
