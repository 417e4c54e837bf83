// Skeletons made by a program, link by link and joint by joint.
#include <algorithm>

#include "capi/src/conversions.hpp"
#include "capi/src/convert.hpp"
#include "capi/src/objects.hpp"

using namespace vertebra;
using namespace vertebra::capi;

struct vtb_skeleton_builder {
  figure::Skeleton skeleton;
};

namespace {

std::string newName(const char* name, bool taken, const char* kind) {
  required(name, "name");
  if (!*name) refuse(VTB_E_ARG, "name is empty");
  if (taken) refuse(VTB_E_ARG, std::string("there is already a ") + kind + " '" + name + "'");
  return name;
}

}  // namespace

vtb_status vtb_link_def_init(vtb_link_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }
vtb_status vtb_skeleton_joint_def_init(vtb_skeleton_joint_def* def, uint32_t struct_size) { return initStruct(__func__, def, struct_size); }

vtb_status vtb_skeleton_builder_create(const char* name, vtb_skeleton_builder** out) {
  return guarded(__func__, [&] {
    required(name, "name");
    required(out, "out");
    auto builder = std::make_unique<vtb_skeleton_builder>();
    builder->skeleton.name = name;
    *out = builder.release();
  });
}

vtb_status vtb_skeleton_builder_destroy(vtb_skeleton_builder* builder) {
  return guarded(__func__, [&] { delete builder; });
}

vtb_status vtb_skeleton_builder_add_link(vtb_skeleton_builder* builder, const vtb_link_def* given, int32_t* index) {
  return guarded(__func__, [&] {
    figure::Skeleton& s = required(builder, "builder").skeleton;
    const vtb_link_def def = readStruct(given);
    required(index, "index");
    figure::LinkDescription link;
    link.name = newName(def.name, def.name && s.findLink(def.name) >= 0, "link");
    readPairs(LinkPairs::list, def, link);
    checkInertia(link.inertia);
    checkCentre(link.com);
    s.links.push_back(std::move(link));
    *index = static_cast<int32_t>(s.links.size() - 1);
  });
}

vtb_status vtb_skeleton_builder_add_shape(vtb_skeleton_builder* builder, int32_t link, const vtb_shape_def* given) {
  return guarded(__func__, [&] {
    figure::Skeleton& s = required(builder, "builder").skeleton;
    figure::LinkDescription& owner = s.links[inRange(link, s.links.size(), "link")];
    const vtb_shape_def def = readStruct(given);
    if (def.parent.bits != 0) refuse(VTB_E_ARG, "shapes of a skeleton have no parent; give the pose in the link frame");
    if (def.type == VTB_SHAPE_TYPE_PLANE || def.type == VTB_SHAPE_TYPE_HEIGHTFIELD || def.type == VTB_SHAPE_TYPE_COMPOUND)
      refuse(VTB_E_ARG, "a link of a skeleton carries no planes, heightfields and compounds");
    const geometry::Shape shape = shapeFrom(def);
    geometry::Visual visual;
    visual.geometry = shape.geometry;
    visual.local = shape.local;
    std::copy_n(def.rgba, 4, visual.rgba);
    owner.visuals.reserve(owner.visuals.size() + 1);  // so that both are added or none
    owner.shapes.push_back(shape);
    owner.visuals.push_back(std::move(visual));
  });
}

vtb_status vtb_skeleton_builder_add_joint(vtb_skeleton_builder* builder, const vtb_skeleton_joint_def* given, int32_t* index) {
  return guarded(__func__, [&] {
    figure::Skeleton& s = required(builder, "builder").skeleton;
    const vtb_skeleton_joint_def def = readStruct(given);
    required(index, "index");
    figure::JointDescription joint;
    readPairs(SkeletonJointPairs::list, def, joint);
    joint.name = newName(def.name, def.name && s.findJoint(def.name) >= 0, "joint");
    inRange(def.parent, s.links.size(), "parent");
    inRange(def.child, s.links.size(), "child");
    if (joint.parent == joint.child) refuse(VTB_E_ARG, "parent and child are the same link");
    checkAxes(joint.type, joint.axis, joint.axis2);
    checkSwingTwist(def.limits.swing, def.limits.twist_lower, def.limits.twist_upper);
    if (def.mimic != -1) inRange(def.mimic, s.joints.size(), "mimic");
    s.joints.push_back(std::move(joint));
    *index = static_cast<int32_t>(s.joints.size() - 1);
  });
}

vtb_status vtb_skeleton_builder_set_axis(vtb_skeleton_builder* builder, int32_t joint, int32_t axis, const vtb_axis_def* def) {
  return guarded(__func__, [&] {
    figure::Skeleton& s = required(builder, "builder").skeleton;
    figure::JointDescription& j = s.joints[inRange(joint, s.joints.size(), "joint")];
    dynamics::AxisParameters& target = j.axes[inRange(axis, dynamics::jointNv(j.type), "axis")];
    target = axisParameters(readStruct(def));
  });
}

vtb_status vtb_skeleton_builder_add_site(vtb_skeleton_builder* builder, int32_t link, const char* name, const double* pose) {
  return guarded(__func__, [&] {
    figure::Skeleton& s = required(builder, "builder").skeleton;
    inRange(link, s.links.size(), "link");
    s.sites.push_back({newName(name, name && s.findSite(name) >= 0, "site"), link, capi::pose(&required(pose, "pose"), "pose")});
  });
}

vtb_status vtb_skeleton_builder_set_role(vtb_skeleton_builder* builder, const char* name, int32_t link) {
  return guarded(__func__, [&] {
    figure::Skeleton& s = required(builder, "builder").skeleton;
    inRange(link, s.links.size(), "link");
    const bool taken = name && std::any_of(s.roles.begin(), s.roles.end(), [&](const auto& role) { return role.first == name; });
    s.roles.emplace_back(newName(name, taken, "role"), link);
  });
}

vtb_status vtb_skeleton_builder_finish(const vtb_skeleton_builder* builder, int32_t root_link, vtb_skeleton** out) {
  return guarded(__func__, [&] {
    figure::Skeleton s = required(builder, "builder").skeleton;
    required(out, "out");
    s.root = inRange(root_link, s.links.size(), "root_link");
    s.floatingByDefault = s.links[s.root].name != "world";
    const std::string wrong = figure::checkSkeleton(s);
    if (!wrong.empty()) refuse(VTB_E_ARG, wrong);
    s.uncollidable = figure::neighbourPairs(s);
    *out = new vtb_skeleton{std::make_shared<const figure::Skeleton>(std::move(s))};
  });
}
