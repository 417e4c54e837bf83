// One fault a file: tests/urdf/*.urdf with the code, line and element that each must report, strict and lenient.
#include <algorithm>
#include <filesystem>
#include <set>

#include "loaders/urdf/urdf.hpp"
#include "tests/support.hpp"

using namespace vertebra;

namespace {

struct Case {
  const char* file;
  const char* code;
  int line;
  const char* element;
  char lenient, strict;  // I info, W warning: it loads; E error: it is rejected
  const char* besides;   // further codes that follow from the fault
};

const Case kCases[] = {
    {"empty", "urdf.file.empty", 0, "robot", 'E', 'E', ""},
    {"blank", "urdf.file.empty", 0, "robot", 'E', 'E', ""},
    {"comment_only", "urdf.file.empty", 0, "robot", 'E', 'E', ""},
    {"not_xml", "urdf.xml.malformed", 1, "robot", 'E', 'E', ""},
    {"truncated", "urdf.xml.malformed", 5, "robot", 'E', 'E', ""},
    {"mismatched_tag", "urdf.xml.malformed", 2, "robot", 'E', 'E', ""},
    {"attribute_twice", "urdf.xml.malformed", 2, "robot", 'E', 'E', ""},
    {"attribute_unquoted", "urdf.xml.malformed", 2, "robot", 'E', 'E', ""},
    {"comment_open", "urdf.xml.malformed", 3, "robot", 'E', 'E', ""},
    {"root_sdf", "urdf.robot.missing", 2, "robot", 'E', 'E', ""},
    {"robot_name_missing", "urdf.robot.name", 1, "robot", 'W', 'E', ""},
    {"robot_version", "urdf.robot.version", 1, "robot", 'W', 'E', ""},
    {"no_links", "urdf.robot.no-links", 1, "robot", 'E', 'E', ""},
    {"xacro_expression", "urdf.xacro.expression", 5, "link 'a'/inertial/mass", 'E', 'E', ""},
    {"xacro_element", "urdf.xacro.element", 2, "xacro:arm", 'W', 'E', ""},
    {"unknown_tag", "urdf.element.unused", 3, "robot", 'I', 'I', ""},
    {"unknown_attribute", "urdf.attribute.unused", 3, "robot", 'I', 'I', ""},
    {"link_name_missing", "urdf.name.missing", 3, "link 'link_1'", 'W', 'E', ""},
    {"joint_name_missing", "urdf.name.missing", 5, "joint 'joint_1'", 'W', 'E', ""},
    {"link_duplicate", "urdf.link.duplicate", 4, "link 'a'", 'W', 'E', "urdf.robot.several-roots"},
    {"joint_duplicate", "urdf.joint.duplicate", 11, "joint 'j'", 'W', 'E', ""},
    {"material_name_missing", "urdf.name.missing", 3, "material", 'W', 'E', ""},
    {"material_duplicate", "urdf.material.duplicate", 4, "material 'm'", 'W', 'E', ""},
    {"number_text", "urdf.number.invalid", 9, "joint 'j'/origin", 'E', 'E', ""},
    {"number_comma", "urdf.number.invalid", 9, "joint 'j'/origin", 'E', 'E', ""},
    {"number_nan", "urdf.number.invalid", 9, "joint 'j'/origin", 'E', 'E', ""},
    {"number_infinite", "urdf.number.invalid", 9, "joint 'j'/origin", 'E', 'E', ""},
    {"number_overflow", "urdf.number.invalid", 9, "joint 'j'/origin", 'E', 'E', ""},
    {"number_too_few", "urdf.number.invalid", 9, "joint 'j'/origin", 'E', 'E', ""},
    {"number_too_many", "urdf.number.invalid", 9, "joint 'j'/axis", 'E', 'E', ""},
    {"number_empty", "urdf.number.invalid", 9, "joint 'j'/axis", 'E', 'E', ""},
    {"origin_range", "urdf.origin.range", 9, "joint 'j'/origin", 'E', 'E', ""},
    {"element_repeated", "urdf.element.repeated", 10, "joint 'j'/origin", 'W', 'E', ""},
    {"mass_missing", "urdf.inertial.mass-missing", 4, "link 'a'/inertial", 'W', 'E', "urdf.inertia.frame"},
    {"mass_value_missing", "urdf.inertial.mass-missing", 5, "link 'a'/inertial", 'W', 'E', "urdf.inertia.frame"},
    {"inertia_missing", "urdf.inertial.inertia-missing", 4, "link 'a'/inertial", 'W', 'E', "urdf.inertia.zero"},
    {"moment_missing", "urdf.inertial.moment-missing", 6, "link 'a'/inertial/inertia", 'W', 'E', ""},
    {"mass_negative", "urdf.inertia.mass-negative", 4, "link 'a'/inertial", 'W', 'E', ""},
    {"inertia_not_psd", "urdf.inertia.not-psd", 4, "link 'a'/inertial", 'W', 'E', ""},
    {"inertia_off_diagonal", "urdf.inertia.not-psd", 4, "link 'a'/inertial", 'W', 'E', ""},
    {"inertia_triangle", "urdf.inertia.triangle", 4, "link 'a'/inertial", 'W', 'E', ""},
    {"inertia_zero", "urdf.inertia.zero", 4, "link 'a'/inertial", 'W', 'W', ""},
    {"inertia_without_mass", "urdf.inertia.massless", 5, "link 'b'/inertial", 'W', 'E', ""},
    {"inertia_none_moving", "urdf.inertia.massless-end", 4, "link 'b'", 'W', 'E', "urdf.inertia.frame"},
    {"inertia_on_axis", "urdf.inertia.on-axis", 7, "link 'b'", 'W', 'W', "urdf.inertia.zero"},
    {"inertia_none_between", "urdf.inertia.massless-link", 4, "link 'b'", 'W', 'W', "urdf.inertia.frame"},
    {"com_outside", "urdf.inertia.com-outside", 4, "link 'a'/inertial", 'W', 'W', ""},
    {"root_weightless", "urdf.root.weightless", 4, "link 'a'/inertial", 'I', 'I', ""},
    {"geometry_missing", "urdf.geometry.missing", 5, "link 'a'/collision", 'W', 'E', ""},
    {"geometry_empty", "urdf.geometry.missing", 6, "link 'a'/visual", 'W', 'E', ""},
    {"geometry_unknown", "urdf.geometry.missing", 6, "link 'a'/collision", 'W', 'E', "urdf.element.unused"},
    {"geometry_several", "urdf.geometry.several", 8, "link 'a'/collision/geometry", 'W', 'E', ""},
    {"box_negative", "urdf.geometry.size", 6, "link 'a'/collision/geometry/box", 'W', 'E', ""},
    {"sphere_zero", "urdf.geometry.size", 6, "link 'a'/collision/geometry/sphere", 'W', 'E', ""},
    {"cylinder_radius_missing", "urdf.attribute.missing", 6, "link 'a'/collision/geometry/cylinder", 'E', 'E', ""},
    {"capsule", "urdf.geometry.capsule", 6, "robot", 'I', 'I', ""},
    {"mesh_no_filename", "urdf.mesh.filename", 6, "link 'a'/visual/geometry/mesh", 'W', 'E', ""},
    {"mesh_not_found", "urdf.mesh.not-found", 5, "link 'a'/visual/geometry/mesh", 'W', 'E', "urdf.mesh.folders urdf.mesh.looked-at"},
    {"mesh_second_not_found", "urdf.mesh.not-found", 6, "link 'a'/collision[2]/geometry/mesh", 'W', 'E',
     "urdf.mesh.folders urdf.mesh.looked-at"},
    {"mesh_unreadable", "urdf.mesh.unreadable", 5, "link 'a'/collision/geometry/mesh", 'W', 'E', ""},
    {"mesh_scale_zero", "urdf.geometry.size", 6, "link 'a'/visual/geometry/mesh", 'W', 'E', ""},
    {"mesh_flat", "urdf.mesh.flat", 5, "link 'a'/collision/geometry/mesh", 'W', 'W', ""},
    {"material_unknown", "urdf.material.unknown", 7, "link 'a'/visual/material", 'W', 'E', ""},
    {"material_conflict", "urdf.material.conflict", 8, "link 'a'/visual/material", 'W', 'W', ""},
    {"material_later", "urdf.material.later", 6, "robot", 'I', 'I', ""},
    {"colour_range", "urdf.colour.range", 7, "link 'a'/visual/material/color", 'W', 'E', ""},
    {"colour_three", "urdf.number.invalid", 7, "link 'a'/visual/material/color", 'E', 'E', ""},
    {"contact_range", "urdf.contact.range", 6, "link 'a'/contact/lateral_friction", 'W', 'E', ""},
    {"joint_type_missing", "urdf.joint.type-missing", 5, "joint 'j'", 'E', 'E', "urdf.robot.several-roots"},
    {"joint_type_unknown", "urdf.joint.type-unknown", 5, "joint 'j'", 'E', 'E', "urdf.robot.several-roots"},
    {"joint_type_case", "urdf.joint.type-case", 5, "joint 'j'", 'W', 'E', ""},
    {"joint_spherical", "urdf.joint.spherical", 5, "joint 'j'", 'W', 'W', ""},
    {"joint_parent_missing", "urdf.joint.end-missing", 5, "joint 'j'", 'E', 'E', "urdf.robot.several-roots"},
    {"joint_child_nameless", "urdf.joint.end-missing", 7, "joint 'j'", 'E', 'E', "urdf.robot.several-roots"},
    {"joint_parent_unknown", "urdf.joint.parent-unknown", 5, "joint 'j'", 'W', 'E', ""},
    {"joint_child_unknown", "urdf.joint.child-unknown", 6, "joint 'j'", 'W', 'E', ""},
    {"joint_self", "urdf.joint.self", 4, "joint 'j'", 'W', 'E', ""},
    {"two_parents", "urdf.joint.loop", 16, "joint 'l'", 'W', 'E', ""},
    {"cycle", "urdf.joint.loop", 10, "joint 'k'", 'W', 'E', ""},
    {"two_roots", "urdf.robot.several-roots", 5, "link 'c'", 'W', 'E', ""},
    {"axis_zero", "urdf.joint.axis-zero", 9, "joint 'j'/axis", 'W', 'E', ""},
    {"axis_not_unit", "urdf.joint.axis-not-unit", 9, "joint 'j'/axis", 'W', 'W', ""},
    {"axis_default", "urdf.joint.axis-default", 5, "joint 'j'", 'I', 'I', ""},
    {"axis_of_fixed", "urdf.joint.axis-unused", 9, "robot", 'I', 'I', ""},
    {"limit_missing", "urdf.limit.missing", 5, "joint 'j'", 'W', 'E', ""},
    {"limit_missing_prismatic", "urdf.limit.missing", 5, "joint 'j'", 'W', 'E', ""},
    {"limit_effort_missing", "urdf.limit.effort-missing", 9, "joint 'j'/limit", 'W', 'E', ""},
    {"limit_velocity_missing", "urdf.limit.velocity-missing", 9, "joint 'j'/limit", 'W', 'E', ""},
    {"limit_effort_zero", "urdf.limit.effort-zero", 9, "joint 'j'/limit", 'W', 'W', ""},
    {"limit_velocity_zero", "urdf.limit.velocity-zero", 9, "joint 'j'/limit", 'W', 'W', ""},
    {"limit_effort_negative", "urdf.limit.effort-negative", 9, "joint 'j'/limit", 'W', 'E', ""},
    {"limit_velocity_negative", "urdf.limit.velocity-negative", 9, "joint 'j'/limit", 'W', 'E', ""},
    {"limit_reversed", "urdf.limit.range-reversed", 9, "joint 'j'/limit", 'W', 'E', ""},
    {"limit_reversed_bullet", "urdf.limit.range-reversed", 9, "joint 'j'/limit", 'W', 'E', ""},
    {"limit_range_missing", "urdf.limit.range-missing", 9, "joint 'j'/limit", 'W', 'E', ""},
    {"limit_range_half", "urdf.limit.range-half", 9, "joint 'j'/limit", 'W', 'W', ""},
    {"limit_range_empty", "urdf.limit.range-empty", 9, "joint 'j'/limit", 'W', 'W', ""},
    {"limit_all_zero", "urdf.limit.all-zero", 9, "joint 'j'/limit", 'W', 'W', "urdf.limit.effort-zero urdf.limit.velocity-zero"},
    {"limit_continuous", "urdf.limit.continuous", 9, "joint 'j'/limit", 'W', 'W', ""},
    {"limit_planar", "urdf.limit.range-unused", 9, "joint 'j'/limit", 'W', 'W', ""},
    {"limit_planar_effort", "urdf.limit.units", 9, "joint 'j'/limit", 'W', 'W', ""},
    {"limit_fixed", "urdf.limit.fixed", 9, "robot", 'I', 'I', ""},
    {"dynamics_empty", "urdf.dynamics.empty", 9, "joint 'j'/dynamics", 'W', 'E', ""},
    {"dynamics_negative", "urdf.dynamics.negative", 9, "joint 'j'/dynamics", 'W', 'E', ""},
    {"dynamics_planar", "urdf.dynamics.all-axes", 5, "joint 'j'", 'I', 'I', ""},
    {"mimic_joint_missing", "urdf.mimic.joint-missing", 15, "joint 'k'/mimic", 'W', 'E', ""},
    {"mimic_unknown", "urdf.mimic.unknown", 15, "joint 'k'/mimic", 'W', 'E', ""},
    {"mimic_self", "urdf.mimic.self", 15, "joint 'k'/mimic", 'W', 'E', ""},
    {"mimic_fixed_master", "urdf.mimic.fixed-master", 15, "joint 'k'/mimic", 'W', 'W', ""},
    {"mimic_planar_master", "urdf.mimic.master-type", 15, "joint 'k'/mimic", 'W', 'E', ""},
    {"mimic_cycle", "urdf.mimic.cycle", 15, "joint 'k'/mimic", 'W', 'E', ""},
    {"mimic_follower_floating", "urdf.mimic.follower-type", 15, "joint 'k'/mimic", 'W', 'E', ""},
    {"mimic_of_fixed", "urdf.mimic.fixed", 15, "robot", 'I', 'I', ""},
    {"safety_incomplete", "urdf.safety.k-velocity-missing", 9, "joint 'j'/safety_controller", 'W', 'E', ""},
};

Severity severityOf(char c) { return c == 'I' ? Severity::Info : c == 'W' ? Severity::Warning : Severity::Error; }

void check(const Case& c, bool strict) {
  INFO(c.file << (strict ? " strict" : " lenient"));
  UrdfOptions options;
  options.strict = strict;
  figure::Skeleton skeleton;
  skeleton.name = "untouched";
  Diagnostics diagnostics;
  std::string path = test::sourceDir() + "/tests/urdf/" + c.file + ".urdf";
  bool loaded = loadUrdfFile(path, options, skeleton, diagnostics);
  INFO(diagnostics.text());
  char expected = strict ? c.strict : c.lenient;
  CHECK(loaded == (expected != 'E'));
  CHECK(loaded == !diagnostics.hasErrors());
  if (loaded)
    CHECK(figure::checkSkeleton(skeleton) == "");
  else
    CHECK(skeleton.name == "untouched");
  int matches = 0;
  std::string besides;
  for (const Diagnostic& d : diagnostics.entries) {
    CHECK(d.file == path);
    CHECK(d.message.size() > 20);
    if (d.code != c.code) {
      besides += (besides.empty() ? "" : " ") + d.code;
      continue;
    }
    ++matches;
    CHECK(d.line == c.line);
    CHECK(d.element == c.element);
    CHECK(d.severity == severityOf(expected));
    if (d.severity == Severity::Error) CHECK(d.message.find("to mend: ") != std::string::npos);
  }
  CHECK(matches == 1);
  if (!strict) CHECK(besides == c.besides);
}

}  // namespace

TEST_CASE("Each faulty URDF gets its code, line and element") {
  for (const Case& c : kCases) {
    check(c, false);
    check(c, true);
  }
}

TEST_CASE("Every file in tests/urdf is in the table") {
  std::set<std::string> listed;
  for (const Case& c : kCases) listed.insert(c.file);
  CHECK(listed.size() >= 60);
  for (const auto& entry : std::filesystem::directory_iterator(test::sourceDir() + "/tests/urdf"))
    if (entry.path().extension() == ".urdf") {
      INFO(entry.path().string());
      CHECK(listed.count(entry.path().stem().string()) == 1);
    }
}
