// See skeleton_edit.hpp.
#include "engine/figure/skeleton_edit.hpp"

#include <algorithm>
#include <cmath>

#include "engine/figure/side_names.hpp"
#include "engine/figure/skeleton_stretch.hpp"
#include "engine/geometry/mass_properties.hpp"

namespace vertebra::figure {

namespace {

using dynamics::JointType;

std::string quoted(const char* kind, const std::string& name) { return std::string(kind) + " '" + name + "'"; }

bool isFactor(double x) { return x > 0 && std::isfinite(x); }
const char* kNoFactor = "a factor must be a number above 0";

std::string noJoint(const Skeleton& s, int joint) {
  return joint >= 0 && joint < static_cast<int>(s.joints.size()) ? "" : "there is no joint " + std::to_string(joint);
}

// Takes an edited copy, if it is still a skeleton.
std::string accept(Skeleton&& edited, Skeleton& s) {
  std::string wrong = checkSkeleton(edited);
  if (wrong.empty()) s = std::move(edited);
  return wrong;
}

// Which axes of a joint slide.
bool slides(const JointType type, int axis) {
  switch (type) {
    case JointType::Prismatic:
      return true;
    case JointType::Planar:
      return axis < 2;
    case JointType::Floating:
      return axis < 3;
    case JointType::Cylindrical:
      return axis == 1;
    case JointType::Wheel:
      return axis == 0;
    default:
      return false;
  }
}

// Links and joints that go; what refers to the others gets their new numbers.
void remove(Skeleton& s, const std::vector<bool>& linkGoes, const std::vector<bool>& jointGoes) {
  std::vector<int> link(s.links.size(), -1), joint(s.joints.size(), -1);
  int links = 0, joints = 0;
  for (std::size_t i = 0; i < link.size(); i++)
    if (!linkGoes[i]) link[i] = links++;
  for (std::size_t i = 0; i < joint.size(); i++)
    if (!jointGoes[i]) joint[i] = joints++;
  const auto keep = [](auto& list, const auto& goes) {
    std::size_t at = 0;
    for (std::size_t i = 0; i < list.size(); i++)
      if (!goes(i)) {
        if (at != i) list[at] = std::move(list[i]);
        at++;
      }
    list.resize(at);
  };
  keep(s.uncollidable, [&](std::size_t i) { return link[s.uncollidable[i].first] < 0 || link[s.uncollidable[i].second] < 0; });
  keep(s.sites, [&](std::size_t i) { return link[s.sites[i].link] < 0; });
  keep(s.roles, [&](std::size_t i) { return link[s.roles[i].second] < 0; });
  keep(s.joints, [&](std::size_t i) { return jointGoes[i]; });
  keep(s.links, [&](std::size_t i) { return linkGoes[i]; });
  for (auto& pair : s.uncollidable) pair = {link[pair.first], link[pair.second]};
  for (Site& site : s.sites) site.link = link[site.link];
  for (auto& role : s.roles) role.second = link[role.second];
  for (JointDescription& j : s.joints) {
    if (j.parent >= 0) j.parent = link[j.parent];
    j.child = link[j.child];
    if (j.mimic.master >= 0) j.mimic.master = joint[j.mimic.master];
  }
  s.root = link[s.root];
}

// A joint that others follow cannot go alone.
std::string followed(const Skeleton& s, const std::vector<bool>& jointGoes) {
  for (std::size_t i = 0; i < s.joints.size(); i++) {
    const int master = s.joints[i].mimic.master;
    if (!jointGoes[i] && master >= 0 && jointGoes[static_cast<std::size_t>(master)])
      return quoted("joint", s.joints[i].name) + " follows " + quoted("joint", s.joints[master].name) +
             ", which would be gone; to mend: give the former another type, or take it away first";
  }
  return "";
}

void addMass(LinkDescription& to, const LinkDescription& from, const Pose& place) {
  const auto sum = geometry::add({to.mass, to.com, to.inertia}, geometry::transform(place, {from.mass, from.com, from.inertia}));
  to.mass = sum.mass;
  to.com = sum.com;
  to.inertia = sum.inertia;
}

std::string stretchOne(Skeleton& s, int link, double length, double thickness, bool orShapesAlone) {
  LinkDescription& l = s.links[static_cast<std::size_t>(link)];
  Vec3 start, direction;
  if (!findBone(s, link, start, direction)) {
    if (!orShapesAlone)
      return quoted("link", l.name) +
             " has no bone: no joint, site or centre of mass away from its joint; to mend: give it a site at its tip";
    return stretchLink(l, Stretch::uniform(thickness, start));
  }
  if (const std::string wrong = stretchLink(l, Stretch::along(direction, length, thickness, start)); !wrong.empty()) return wrong;
  const Stretch bone = Stretch::along(direction, length, 1, start);
  for (JointDescription& j : s.joints) {
    if (j.parent == link) j.inParent.p = bone(j.inParent.p);
    if (j.child == link && j.loop) j.inChild.p = bone(j.inChild.p);
  }
  for (Site& site : s.sites)
    if (site.link == link) site.pose.p = bone(site.pose.p);
  return "";
}

}  // namespace

std::string scaleSkeleton(Skeleton& s, double factor) {
  if (!isFactor(factor)) return kNoFactor;
  Skeleton made = s;
  for (std::size_t l = 0; l < made.links.size(); l++)
    if (const std::string wrong = stretchLink(made.links[l], Stretch::uniform(factor)); !wrong.empty()) return wrong;
  for (JointDescription& j : made.joints) {
    j.inParent.p *= factor;
    j.inChild.p *= factor;
    j.pitch *= factor;
    for (int k = 0; k < dynamics::jointNv(j.type); k++) {
      if (!slides(j.type, k)) continue;
      dynamics::AxisParameters& a = j.axes[static_cast<std::size_t>(k)];
      for (double* x : {&a.lower, &a.upper, &a.velocity, &a.rest}) *x *= factor;
    }
    if (!slides(j.type, 0)) continue;
    j.safetyLower *= factor;
    j.safetyUpper *= factor;
  }
  for (std::size_t i = 0; i < made.joints.size(); i++) {
    JointDescription& j = made.joints[i];
    if (j.mimic.master < 0) continue;
    const bool own = slides(j.type, 0), other = slides(made.joints[static_cast<std::size_t>(j.mimic.master)].type, 0);
    if (own) j.mimic.offset *= factor;
    if (own && !other) j.mimic.multiplier *= factor;
    if (!own && other) j.mimic.multiplier /= factor;
  }
  for (Site& site : made.sites) site.pose.p *= factor;
  return accept(std::move(made), s);
}

std::string scaleLink(Skeleton& s, int link, double length, double thickness) {
  if (!isFactor(length) || !isFactor(thickness)) return kNoFactor;
  if (link < 0 || link >= static_cast<int>(s.links.size())) return "there is no link " + std::to_string(link);
  Skeleton made = s;
  if (const std::string wrong = stretchOne(made, link, length, thickness, false); !wrong.empty()) return wrong;
  return accept(std::move(made), s);
}

std::string scaleLinks(Skeleton& s, double length, double thickness) {
  if (!isFactor(length) || !isFactor(thickness)) return kNoFactor;
  Skeleton made = s;
  for (std::size_t l = 0; l < made.links.size(); l++)
    if (const std::string wrong = stretchOne(made, static_cast<int>(l), length, thickness, true); !wrong.empty()) return wrong;
  return accept(std::move(made), s);
}

std::string setJointType(Skeleton& s, int joint, JointType type, const Vec3& axis) {
  if (const std::string wrong = noJoint(s, joint); !wrong.empty()) return wrong;
  Skeleton made = s;
  JointDescription& j = made.joints[static_cast<std::size_t>(joint)];
  const bool sameAxes = dynamics::jointNv(j.type) == dynamics::jointNv(type) && slides(j.type, 0) == slides(type, 0);
  for (const JointDescription& other : s.joints)
    if (!sameAxes && other.mimic.master == joint)
      return quoted("joint", j.name) + " is followed by " + quoted("joint", other.name) + "; to mend: give that another type first";
  if (type != JointType::Spherical) {
    j.swing = j.twistUpper = kInf;
    j.twistLower = -kInf;
  }
  if (!sameAxes) {
    j.axes = {};
    j.mimic = {};
    j.hasSafety = false;
  }
  if (type == JointType::Continuous) {
    j.axes[0].lower = -kInf;
    j.axes[0].upper = kInf;
  }
  j.type = type;
  j.axis = axis;
  if (dynamics::hasTwoAxes(type)) j.axis2 = axis.unitOrthogonal();
  return accept(std::move(made), s);
}

std::string mergeJoint(Skeleton& s, int joint) {
  if (const std::string wrong = noJoint(s, joint); !wrong.empty()) return wrong;
  const JointDescription& given = s.joints[static_cast<std::size_t>(joint)];
  if (given.loop) return quoted("joint", given.name) + " closes a cycle; it can be dropped, not merged";
  std::vector<bool> linkGoes(s.links.size(), false), jointGoes(s.joints.size(), false);
  const int parent = given.parent, child = given.child;
  linkGoes[static_cast<std::size_t>(child)] = jointGoes[static_cast<std::size_t>(joint)] = true;
  for (std::size_t i = 0; i < s.joints.size(); i++)  // loops between the two
    if (s.joints[i].loop && std::minmax(s.joints[i].parent, s.joints[i].child) == std::minmax(parent, child)) jointGoes[i] = true;
  if (const std::string wrong = followed(s, jointGoes); !wrong.empty()) return wrong;
  Skeleton made = s;
  const Pose place = given.inParent * given.inChild.inverse();
  LinkDescription &to = made.links[static_cast<std::size_t>(parent)], &from = made.links[static_cast<std::size_t>(child)];
  addMass(to, from, place);
  const int shapes = static_cast<int>(to.shapes.size());
  for (geometry::Shape shape : from.shapes) {
    if (shape.parent >= 0)
      shape.parent += shapes;
    else
      shape.local = place * shape.local;
    to.shapes.push_back(shape);
  }
  for (geometry::Visual visual : from.visuals) {
    visual.local = place * visual.local;
    to.visuals.push_back(visual);
  }
  for (JointDescription& j : made.joints) {
    if (j.parent == child) {
      j.parent = parent;
      j.inParent = place * j.inParent;
    }
    if (j.loop && j.child == child) {
      j.child = parent;
      j.inChild = place * j.inChild;
    }
  }
  for (Site& site : made.sites)
    if (site.link == child) site = {site.name, parent, place * site.pose};
  for (auto& role : made.roles)
    if (role.second == child) role.second = parent;
  for (auto& pair : made.uncollidable)
    for (int* l : {&pair.first, &pair.second})
      if (*l == child) *l = parent;
  remove(made, linkGoes, jointGoes);
  auto& pairs = made.uncollidable;
  for (auto& pair : pairs) pair = std::minmax(pair.first, pair.second);
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(), [](const auto& pair) { return pair.first == pair.second; }), pairs.end());
  const auto neighbours = neighbourPairs(made);
  pairs.insert(pairs.end(), neighbours.begin(), neighbours.end());
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return accept(std::move(made), s);
}

std::string dropJoint(Skeleton& s, int joint) {
  if (const std::string wrong = noJoint(s, joint); !wrong.empty()) return wrong;
  std::vector<bool> linkGoes(s.links.size(), false), jointGoes(s.joints.size(), false);
  const JointDescription& given = s.joints[static_cast<std::size_t>(joint)];
  jointGoes[static_cast<std::size_t>(joint)] = true;
  if (!given.loop) linkGoes[static_cast<std::size_t>(given.child)] = true;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < s.joints.size(); i++) {
      const JointDescription& j = s.joints[i];
      const bool hangs = (j.parent >= 0 && linkGoes[static_cast<std::size_t>(j.parent)]) || linkGoes[static_cast<std::size_t>(j.child)];
      if (!hangs || jointGoes[i]) continue;
      jointGoes[i] = more = true;
      if (!j.loop) linkGoes[static_cast<std::size_t>(j.child)] = true;
    }
  }
  if (const std::string wrong = followed(s, jointGoes); !wrong.empty()) return wrong;
  Skeleton made = s;
  remove(made, linkGoes, jointGoes);
  return accept(std::move(made), s);
}

std::string mirrorSkeleton(Skeleton& s, int axis) {
  if (axis < 0 || axis > 2) return "axis must be 0, 1 or 2";
  Skeleton made = s;
  const Stretch mirror = Stretch::mirror(axis);
  const auto image = [&](Pose& p) { p = mirror.image(p); };
  for (LinkDescription& l : made.links) {
    if (const std::string wrong = stretchLink(l, mirror); !wrong.empty()) return wrong;
  }
  for (JointDescription& j : made.joints) {
    const bool slide = j.type == JointType::Prismatic;
    if (!slide && j.type != JointType::Fixed && j.type != JointType::Revolute && j.type != JointType::Continuous &&
        j.type != JointType::Universal && j.type != JointType::Screw && j.type != JointType::Spherical)
      return quoted("joint", j.name) + ": a mirror image of " + dynamics::jointTypeName(j.type) + " joints is not there";
    image(j.inParent);
    image(j.inChild);
    j.axis = (slide ? 1 : -1) * mirror.direction(j.axis);
    j.axis2 = -mirror.direction(j.axis2);
    j.pitch = -j.pitch;
    if (j.type == JointType::Spherical)
      for (int k = 0; k < 3; k++) {  // turning about an axis in the plane changes its sense
        if (k == axis) continue;
        dynamics::AxisParameters& a = j.axes[static_cast<std::size_t>(k)];
        std::swap(a.lower, a.upper);
        a.lower = -a.lower;
        a.upper = -a.upper;
        a.rest = -a.rest;
      }
  }
  for (Site& site : made.sites) image(site.pose);
  const auto exchange = [](auto& list, auto name) {
    std::vector<std::string> names;
    for (auto& entry : list) names.push_back(name(entry));
    names = mirroredNames(names);
    for (std::size_t i = 0; i < names.size(); i++) name(list[i]) = names[i];
  };
  exchange(made.links, [](LinkDescription& l) -> std::string& { return l.name; });
  exchange(made.joints, [](JointDescription& j) -> std::string& { return j.name; });
  exchange(made.sites, [](Site& site) -> std::string& { return site.name; });
  exchange(made.roles, [](std::pair<std::string, int>& role) -> std::string& { return role.first; });
  return accept(std::move(made), s);
}

}  // namespace vertebra::figure
