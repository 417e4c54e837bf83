// Skeletons: counted references and what they hold.
#include "capi/src/conversions_results.hpp"
#include "capi/src/convert.hpp"
#include "capi/src/objects.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

const figure::Skeleton& modelOf(const vtb_skeleton* skeleton) { return *required(skeleton, "skeleton").model; }

struct VisualRef {
  int link = -1;
  const geometry::Geometry* geometry = nullptr;
  Pose pose;
  const float* rgba = nullptr;
};

// Collision shapes carry no colour of their own.
const float kShapeColour[4] = {0.7f, 0.7f, 0.7f, 1.0f};

VisualRef findVisual(const figure::Skeleton& model, bool collision, int32_t index) {
  std::size_t count = 0;
  for (std::size_t l = 0; l < model.links.size(); l++) {
    const figure::LinkDescription& link = model.links[l];
    const std::size_t here = collision ? link.shapes.size() : link.visuals.size();
    if (index >= 0 && static_cast<std::size_t>(index) < count + here) {
      VisualRef ref;
      ref.link = static_cast<int>(l);
      if (collision) {
        const geometry::Shape* shape = &link.shapes[index - count];
        ref.geometry = &shape->geometry;
        ref.pose = shape->local;
        for (int parent = shape->parent; parent >= 0; parent = link.shapes[parent].parent) ref.pose = link.shapes[parent].local * ref.pose;
        ref.rgba = kShapeColour;
      } else {
        const geometry::Visual& visual = link.visuals[index - count];
        ref.geometry = &visual.geometry;
        ref.pose = visual.local;
        ref.rgba = visual.rgba;
      }
      return ref;
    }
    count += here;
  }
  inRange(index, count, "index");
  return {};
}

}  // namespace

vtb_status vtb_skeleton_retain(vtb_skeleton* skeleton) {
  return guarded(__func__, [&] { retain(required(skeleton, "skeleton")); });
}

vtb_status vtb_skeleton_release(vtb_skeleton* skeleton) {
  return guarded(__func__, [&] { release(skeleton); });
}

vtb_status vtb_skeleton_get_info(const vtb_skeleton* skeleton, vtb_skeleton_info* out) {
  return guarded(__func__, [&] {
    const figure::Skeleton& model = modelOf(skeleton);
    vtb_skeleton_info info = described<vtb_skeleton_info>(SkeletonPairs::list, model);
    info.links = static_cast<int32_t>(model.links.size());
    info.joints = static_cast<int32_t>(model.joints.size());
    for (const figure::LinkDescription& link : model.links) {
      info.visuals += static_cast<int32_t>(link.visuals.size());
      info.shapes += static_cast<int32_t>(link.shapes.size());
      info.mass += link.mass;
    }
    info.sites = static_cast<int32_t>(model.sites.size());
    info.roles = static_cast<int32_t>(model.roles.size());
    writeStruct(out, info);
  });
}

vtb_status vtb_skeleton_get_name(const vtb_skeleton* skeleton, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] { writeText(modelOf(skeleton).name, buffer, size, needed); });
}

vtb_status vtb_skeleton_get_link(const vtb_skeleton* skeleton, int32_t link, vtb_link_info* out) {
  return guarded(__func__, [&] {
    const figure::Skeleton& model = modelOf(skeleton);
    const figure::LinkDescription& l = model.links[inRange(link, model.links.size(), "link")];
    vtb_link_info info = described<vtb_link_info>(LinkInfoPairs::list, l);
    info.parent_joint = -1;
    for (std::size_t j = 0; j < model.joints.size(); j++)
      if (model.joints[j].child == link && !model.joints[j].loop) info.parent_joint = static_cast<int32_t>(j);
    info.name = l.name.c_str();
    writeStruct(out, info);
  });
}

vtb_status vtb_skeleton_get_joint(const vtb_skeleton* skeleton, int32_t joint, vtb_joint_info* out) {
  return guarded(__func__, [&] {
    const figure::Skeleton& model = modelOf(skeleton);
    const figure::JointDescription& j = model.joints[inRange(joint, model.joints.size(), "joint")];
    vtb_joint_info info = described<vtb_joint_info>(JointInfoPairs::list, j);
    info.name = j.name.c_str();
    info.type_name = dynamics::jointTypeName(j.type);
    info.axes = dynamics::jointNv(j.type);
    writeStruct(out, info);
  });
}

vtb_status vtb_skeleton_get_axis(const vtb_skeleton* skeleton, int32_t joint, int32_t axis, vtb_axis_def* out) {
  return guarded(__func__, [&] {
    const figure::Skeleton& model = modelOf(skeleton);
    const figure::JointDescription& j = model.joints[inRange(joint, model.joints.size(), "joint")];
    writeStruct(out, described<vtb_axis_def>(AxisPairs::list, j.axes[inRange(axis, dynamics::jointNv(j.type), "axis")]));
  });
}

vtb_status vtb_skeleton_find_link(const vtb_skeleton* skeleton, const char* name, int32_t* link) {
  return guarded(__func__, [&] {
    const int found = modelOf(skeleton).findLink(&required(name, "name"));
    required(link, "link");
    if (found < 0) refuse(VTB_E_ARG, "there is no link '" + std::string(name) + "'");
    *link = found;
  });
}

vtb_status vtb_skeleton_find_joint(const vtb_skeleton* skeleton, const char* name, int32_t* joint) {
  return guarded(__func__, [&] {
    const int found = modelOf(skeleton).findJoint(&required(name, "name"));
    required(joint, "joint");
    if (found < 0) refuse(VTB_E_ARG, "there is no joint '" + std::string(name) + "'");
    *joint = found;
  });
}

vtb_status vtb_skeleton_get_site(const vtb_skeleton* skeleton, int32_t site, vtb_site_info* out) {
  return guarded(__func__, [&] {
    const figure::Skeleton& model = modelOf(skeleton);
    const figure::Site& s = model.sites[inRange(site, model.sites.size(), "site")];
    vtb_site_info info{};
    info.link = s.link;
    info.name = s.name.c_str();
    write(s.pose, info.pose);
    writeStruct(out, info);
  });
}

vtb_status vtb_skeleton_find_site(const vtb_skeleton* skeleton, const char* name, int32_t* site) {
  return guarded(__func__, [&] {
    const int found = modelOf(skeleton).findSite(&required(name, "name"));
    required(site, "site");
    if (found < 0) refuse(VTB_E_ARG, "there is no site '" + std::string(name) + "'");
    *site = found;
  });
}

vtb_status vtb_skeleton_get_role(const vtb_skeleton* skeleton, int32_t role, vtb_role_info* out) {
  return guarded(__func__, [&] {
    const figure::Skeleton& model = modelOf(skeleton);
    const auto& [name, link] = model.roles[inRange(role, model.roles.size(), "role")];
    vtb_role_info info{};
    info.link = link;
    info.name = name.c_str();
    writeStruct(out, info);
  });
}

vtb_status vtb_skeleton_find_role(const vtb_skeleton* skeleton, const char* name, int32_t* link) {
  return guarded(__func__, [&] {
    const figure::Skeleton& model = modelOf(skeleton);
    const std::string wanted = &required(name, "name");
    required(link, "link");
    for (const auto& role : model.roles)
      if (role.first == wanted) {
        *link = role.second;
        return;
      }
    refuse(VTB_E_ARG, "no link has the role '" + wanted + "'");
  });
}

vtb_status vtb_skeleton_get_visual(const vtb_skeleton* skeleton, int32_t collision, int32_t index, vtb_visual_info* out) {
  return guarded(__func__, [&] {
    const VisualRef visual = findVisual(modelOf(skeleton), boolean(collision, "collision"), index);
    const geometry::TriangleMesh mesh = placedTriangles(*visual.geometry, visual.pose);
    vtb_visual_info info{};
    info.link = visual.link;
    info.vertices = static_cast<uint32_t>(mesh.vertices.size());
    info.triangles = static_cast<uint32_t>(mesh.triangles.size());
    std::copy_n(visual.rgba, 4, info.rgba);
    writeStruct(out, info);
  });
}

vtb_status vtb_skeleton_get_visual_mesh(const vtb_skeleton* skeleton, int32_t collision, int32_t index, double* vertices,
                                        size_t vertex_capacity, uint32_t* triangles, size_t triangle_capacity) {
  return guarded(__func__, [&] {
    const VisualRef visual = findVisual(modelOf(skeleton), boolean(collision, "collision"), index);
    writeTriangles(placedTriangles(*visual.geometry, visual.pose), vertices, vertex_capacity, triangles, triangle_capacity);
  });
}
