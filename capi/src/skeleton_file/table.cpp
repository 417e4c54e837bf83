// Every element and attribute of skeleton files: the only place that names them. docs/reference/skeleton.md is printed from here.
#include "capi/src/scene/table.hpp"

#include "capi/src/scene/rules.hpp"
#include "capi/src/skeleton_file/file.hpp"
#include "capi/src/skeleton_file/values.hpp"

namespace vertebra::capi::skeleton_file {

namespace {

using namespace capi::scene;
using AttributeRules = capi::scene::Rules;
using vertebra::scene::makeValues;

// Names of files that people did not write have blanks: they are taken as they are.
template <class Values>
AttributeRule word(std::string Values::*member, const char* name, const char* about) {
  return text(member, Value::Text, name, about);
}

// A shape of scene files, on a link.
ElementRule onLink(const ElementRule& shape) {
  ElementRule rule = shape;
  rule.attributes.clear();
  for (AttributeRule a : shape.attributes) {
    if (a.name == "material") continue;
    if (a.value == Value::Name) {
      a.value = Value::Text;
      a.about = "for people";
    }
    if (a.name == "position") a.about = "m, in the link's frame";
    rule.attributes.push_back(a);
  }
  rule.children.clear();
  return rule;
}

AttributeRules linkRules() {
  const Fields fields(&LinkValues::def);
  return AttributeRules{required(word(&LinkValues::name, "name", "what joints call it"))} + fields.fields({"mass", "com", "inertia"});
}

AttributeRules jointRules() {
  const Fields fields(&JointValues::def);
  return AttributeRules{required(word(&JointValues::name, "name", "what motions and others call it")),
                        required(about(fields.field("type"), "how it lets the child move against the parent")),
                        word(&JointValues::parent, "parent", "the link that it hangs on; left out: the world, of a loop joint"),
                        required(word(&JointValues::child, "child", "the link that it moves")),
                        fields.part("parent_frame", 0, 3, "position", "m, of its frame in the parent"),
                        fields.orientation("parent_frame", "orientation", "of its axes there"),
                        fields.part("child_frame", 0, 3, "child_position", "m, of its frame in the child"),
                        fields.orientation("child_frame", "child_orientation", "of its axes there")} +
         fields.fields({"axis", "axis2", "pitch"}) + fields.in("limits").fields({"swing", "twist_lower", "twist_upper"}) +
         AttributeRules{word(&JointValues::mimic, "mimic", "a joint that it follows")} +
         fields.fields({"mimic_multiplier", "mimic_offset"}) +
         AttributeRules{yesNo(&JointValues::loop, "loop", "it closes a cycle"),
                        yesNo(&JointValues::safety, "safety", "it has a safety controller, kept for the user:"),
                        number(&JointValues::safetyLower, "safety_lower", "rad or m, soft limit"),
                        number(&JointValues::safetyUpper, "safety_upper", "rad or m, soft limit"),
                        number(&JointValues::safetyKPosition, "safety_k_position", "1/s"),
                        number(&JointValues::safetyKVelocity, "safety_k_velocity", "N m s/rad or N s/m")};
}

}  // namespace

Rules::Rules()
    : sphere(onLink(kSphere)),
      capsule(onLink(kCapsule)),
      box(onLink(kBox)),
      cylinder(onLink(kCylinder)),
      convex(onLink(kConvex)),
      mesh(onLink(kMesh)),
      visuals{"visuals",
              "What is shown of the link in place of its shapes.",
              makeValues<VisualsValues>,
              {},
              {&sphere, &capsule, &box, &cylinder, &convex, &mesh}},
      link{"link",
           "A rigid link with the shapes by which it collides.",
           makeValues<LinkValues>,
           linkRules(),
           {&sphere, &capsule, &box, &cylinder, &convex, &mesh, &visuals}},
      joint{"joint",
            "What joins two links. Its frames in both coincide where its coordinates are 0.",
            makeValues<JointValues>,
            jointRules(),
            {&kAxis}},
      site{"site",
           "A named frame on a link: where a bone ends, a marker sits, a hand grips.",
           makeValues<SiteValues>,
           AttributeRules{required(word(&SiteValues::name, "name", "what others call it")),
                          required(word(&SiteValues::link, "link", "that carries it"))} +
               pose(&SiteValues::pose, "m, in the link's frame", "of its axes there"),
           {}},
      role{"role",
           "What a link is. Retargeting takes these before all that it finds by itself; its roles are those of retarget maps.",
           makeValues<RoleValues>,
           {required(word(&RoleValues::name, "name", "such as left_foot")), required(word(&RoleValues::link, "link", "that has it"))},
           {}},
      noCollision{"no_collision",
                  "Two links that pass through each other, besides those that a joint connects.",
                  makeValues<PairValues>,
                  {required(word(&PairValues::a, "a", "link")), required(word(&PairValues::b, "b", "link"))},
                  {}},
      skeleton{"skeleton",
               "A whole file: one tree of links from the root on. Elements may stand in any order and refer to later ones.",
               makeValues<SkeletonValues>,
               {word(&SkeletonValues::name, "name", "of the figure"),
                word(&SkeletonValues::root, "root", "the link from which the others hang; left out: the first"),
                yesNo(&SkeletonValues::floating, "floating", "its root is free unless a user fixes it"),
                yesNo(&SkeletonValues::neighboursCollide, "neighbours_collide", "links that a joint connects collide, too")},
               {&link, &joint, &site, &role, &noCollision}} {}

const vertebra::scene::ElementRule& Rules::ofShape(int type) const {
  switch (type) {
    case VTB_SHAPE_TYPE_SPHERE:
      return sphere;
    case VTB_SHAPE_TYPE_CAPSULE:
      return capsule;
    case VTB_SHAPE_TYPE_BOX:
      return box;
    case VTB_SHAPE_TYPE_CYLINDER:
      return cylinder;
    case VTB_SHAPE_TYPE_CONVEX:
      return convex;
    case VTB_SHAPE_TYPE_MESH:
      return mesh;
    default:
      refuse(VTB_E_UNSUPPORTED, "a link of a skeleton carries no planes and heightfields");
  }
}

const Rules& rules() {
  static const Rules all;
  return all;
}

}  // namespace vertebra::capi::skeleton_file
