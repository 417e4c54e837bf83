// Names for the roles of a retargeting: made by calls, guessed, read and written.
#include "capi/src/retarget_map.hpp"

#include "engine/retarget/guess.hpp"
#include "loaders/retarget/map.hpp"
#include "loaders/write_file.hpp"
#include "loaders/xml_text.hpp"

using namespace vertebra;
using namespace vertebra::capi;

namespace {

retarget::Role roleOf(vtb_retarget_role role) { return static_cast<retarget::Role>(oneOf(role, "role")); }

void readMap(const std::string& text, const std::string& file, vtb_diagnostics** diagnostics, vtb_retarget_map** out) {
  auto findings = std::make_unique<vtb_diagnostics>();
  auto map = std::make_unique<vtb_retarget_map>();
  const bool sound = parseRetargetMap(text, file, map->names, findings->list);
  const std::string error = sound ? "" : firstErrorText(findings->list);
  if (diagnostics) *diagnostics = findings.release();
  if (!sound) refuse(VTB_E_PARSE, error);
  *out = map.release();
}

}  // namespace

namespace vertebra::capi {

void checkMap(const retarget::RoleMap& map, const figure::Motion& motion, const figure::Skeleton& skeleton) {
  std::vector<std::string> joints, links;
  for (const figure::MotionJoint& j : motion.joints) joints.push_back(j.name);
  for (const figure::LinkDescription& l : skeleton.links) links.push_back(l.name);
  Diagnostics findings;
  checkRetargetMap(map, joints, links, findings);
  if (findings.hasErrors()) refuse(VTB_E_UNSUPPORTED, firstErrorText(findings));
}

}  // namespace vertebra::capi

vtb_status vtb_retarget_map_create(vtb_retarget_map** out) {
  return guarded(__func__, [&] {
    required(out, "out");  // before it is made: an assignment evaluates its right side first
    *out = new vtb_retarget_map;
  });
}

vtb_status vtb_retarget_map_guess(const vtb_motion* motion, const vtb_skeleton* skeleton, const vtb_retarget_map* given,
                                  vtb_diagnostics** diagnostics, vtb_retarget_map** out) {
  return guarded(__func__, [&] {
    const figure::Motion& clip = *required(motion, "motion").clip;
    required(skeleton, "skeleton");
    required(out, "out");
    const retarget::RoleMap names = given ? given->names : retarget::RoleMap{};
    checkMap(names, clip, *skeleton->model);
    auto map = std::make_unique<vtb_retarget_map>();
    auto findings = std::make_unique<vtb_diagnostics>();
    const std::string wrong = retarget::guess(clip, skeleton->freeModel(), names, map->names);
    if (!wrong.empty()) findings->list.add(Severity::Warning, "retarget.map", clip.name, 0, "map", wrong);
    if (diagnostics) *diagnostics = findings.release();
    *out = map.release();
  });
}

vtb_status vtb_retarget_map_load(const char* path, vtb_diagnostics** diagnostics, vtb_retarget_map** out) {
  return guarded(__func__, [&] {
    required(path, "path");
    required(out, "out");
    requireReadable(path);
    std::string text;
    if (const std::string problem = readXmlFile(path, text); !problem.empty()) refuse(VTB_E_IO, std::string(path) + ": " + problem);
    readMap(text, path, diagnostics, out);
  });
}

vtb_status vtb_retarget_map_parse(const char* text, size_t size, const char* name, vtb_diagnostics** diagnostics, vtb_retarget_map** out) {
  return guarded(__func__, [&] {
    requiredArray(text, size, "text");
    required(name, "name");
    required(out, "out");
    readMap(size > 0 ? std::string(text, size) : std::string(), name, diagnostics, out);
  });
}

vtb_status vtb_retarget_map_save(const vtb_retarget_map* map, const char* path) {
  return guarded(__func__, [&] {
    const std::string text = writeRetargetMap(required(map, "map").names);
    Diagnostics findings;
    if (!writeFile(text, &required(path, "path"), findings)) refuse(VTB_E_IO, firstErrorText(findings));
  });
}

vtb_status vtb_retarget_map_write(const vtb_retarget_map* map, char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] { writeText(writeRetargetMap(required(map, "map").names), buffer, size, needed); });
}

vtb_status vtb_retarget_map_set(vtb_retarget_map* map, vtb_retarget_role role, const char* joint, const char* link) {
  return guarded(__func__, [&] {
    retarget::RoleMap& names = required(map, "map").names;
    const retarget::Role r = roleOf(role);
    std::string a = joint ? joint : "", b = link ? link : "";
    names.joint[r] = std::move(a);
    names.link[r] = std::move(b);
  });
}

vtb_status vtb_retarget_map_get(const vtb_retarget_map* map, vtb_retarget_role role, vtb_retarget_names* out) {
  return guarded(__func__, [&] {
    const retarget::RoleMap& names = required(map, "map").names;
    const retarget::Role r = roleOf(role);
    vtb_retarget_names found{};
    found.joint = names.joint[r].c_str();
    found.link = names.link[r].c_str();
    writeStruct(out, found);
  });
}

vtb_status vtb_retarget_map_destroy(vtb_retarget_map* map) {
  return guarded(__func__, [&] { delete map; });
}
