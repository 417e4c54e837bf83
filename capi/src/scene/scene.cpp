// Scene files behind the C ABI, and names of things in worlds.
#include <filesystem>
#include <fstream>

#include "capi/src/part_names.hpp"
#include "capi/src/scene/build.hpp"
#include "capi/src/scene/save.hpp"
#include "capi/src/scene/table.hpp"
#include "loaders/scene/read.hpp"
#include "loaders/scene/reference.hpp"
#include "loaders/xml_text.hpp"

using namespace vertebra;
using namespace vertebra::capi;
using vertebra::capi::scene::SceneModel;

namespace {

std::shared_ptr<const SceneModel> load(std::string text, const std::string& path, Diagnostics& findings) {
  auto model = std::make_shared<SceneModel>();
  vertebra::scene::Report report(findings);
  model->path = path;
  model->text = std::move(text);
  const bool read = vertebra::scene::readScene(model->text, path, capi::scene::kScene, report, model->root);
  if (read) capi::scene::tryScene(*model, report);
  return report.failed() ? nullptr : model;
}

const SceneModel& modelOf(const vtb_scene* scene) { return *required(scene, "scene").model; }

int kindOf(const vtb_named& kind) { return oneOf(kind, "kind"); }

bool alive(const vtb_world& w, int kind, std::uint64_t bits) { return tableOf(w, kind).find(bits) >= 0; }

}  // namespace

vtb_status vtb_scene_load(const char* path, vtb_diagnostics** diagnostics, vtb_scene** out) {
  return guarded(__func__, [&] {
    required(path, "path");
    required(out, "out");
    requireReadable(path);
    deliver(diagnostics, out, [&](Diagnostics& findings) -> std::shared_ptr<const SceneModel> {
      std::string text;
      const std::string problem = readXmlFile(path, text);
      if (problem.empty()) return load(std::move(text), path, findings);
      findings.add(Severity::Error, "scene.file.unreadable", path, 0, "scene", problem);
      return nullptr;
    });
  });
}

vtb_status vtb_scene_parse(const char* text, size_t size, const char* name, vtb_diagnostics** diagnostics, vtb_scene** out) {
  return guarded(__func__, [&] {
    requiredArray(text, size, "text");
    required(name, "name");
    required(out, "out");
    deliver(diagnostics, out, [&](Diagnostics& findings) { return load(std::string(text, size), name, findings); });
  });
}

vtb_status vtb_scene_retain(vtb_scene* scene) {
  return guarded(__func__, [&] { retain(required(scene, "scene")); });
}

vtb_status vtb_scene_release(vtb_scene* scene) {
  return guarded(__func__, [&] { release(scene); });
}

vtb_status vtb_scene_get_settings(const vtb_scene* scene, vtb_world_def* out) {
  return guarded(__func__, [&] { writeStruct(out, modelOf(scene).settings); });
}

vtb_status vtb_scene_get_camera(const vtb_scene* scene, int32_t index, vtb_camera* out) {
  return guarded(__func__, [&] {
    const auto& cameras = modelOf(scene).cameras;
    const auto& camera = cameras[static_cast<std::size_t>(inRange(index, cameras.size(), "index"))];
    vtb_camera result{};
    result.name = camera.name.c_str();
    std::copy_n(camera.position, 3, result.position);
    std::copy_n(camera.target, 3, result.target);
    std::copy_n(camera.up, 3, result.up);
    result.fov = camera.fov;
    writeStruct(out, result);
  });
}

vtb_status vtb_scene_create_world(vtb_scene* scene, const vtb_world_def* settings, vtb_world** out) {
  return guarded(__func__, [&] {
    const SceneModel& model = modelOf(scene);
    required(out, "out");
    vtb_world* made = nullptr;
    const vtb_status status = vtb_world_create(settings ? settings : &model.settings, &made);
    if (status != VTB_OK) {
      const std::string text = vtb_last_error();
      refuse(status, text.substr(text.find(": ") + 2));
    }
    std::unique_ptr<vtb_world> world(made);
    addScene(scene->model, *world, "", Pose());
    world->fromScene = true;
    *out = world.release();
  });
}

vtb_status vtb_scene_add(vtb_scene* scene, vtb_world* world, const char* prefix, const double* pose) {
  return changing(__func__, world, [&](vtb_world& w) {
    const auto& model = required(scene, "scene").model;
    const Pose placement = pose ? capi::pose(pose, "pose") : Pose();
    rehearse(*model, w);
    addScene(model, w, prefix ? prefix : "", placement);
  });
}

vtb_status vtb_world_find(const vtb_world* world, vtb_named kind, const char* name, uint64_t* bits) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const NameTable& table = w.names[kindOf(kind)];
    const std::string wanted = &required(name, "name");
    required(bits, "bits");
    std::uint64_t found = table.find(wanted);
    if (found == 0) found = vertebra::capi::findPart(w, kind, wanted);
    if (found == 0) refuse(VTB_E_ARG, "no thing of this kind has the name '" + wanted + "'");
    if (!alive(w, kind, found)) refuse(VTB_E_STALE, "'" + wanted + "' was destroyed");
    *bits = found;
  });
}

vtb_status vtb_world_get_name(const vtb_world* world, vtb_named kind, size_t index, uint64_t* bits, char* buffer, size_t size,
                              size_t* needed) {
  return reading(__func__, world, [&](const vtb_world& w) {
    const auto& list = w.names[kindOf(kind)].list();
    required(bits, "bits");
    if (index >= list.size())
      refuse(VTB_E_ARG, "index is " + std::to_string(index) + ", there are " + std::to_string(list.size()) + " names, counted from 0");
    writeText(list[index].first, buffer, size, needed);
    *bits = alive(w, kind, list[index].second) ? list[index].second : 0;
  });
}

vtb_status vtb_world_save_scene(const vtb_world* world, const char* path) {
  return reading(__func__, world, [&](const vtb_world& w) {
    required(path, "path");
    const std::string folder = std::filesystem::path(path).parent_path().string();
    const std::string text = capi::scene::sceneText(w, &folder);
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file) refuse(VTB_E_IO, "'" + std::string(path) + "' cannot be written");
  });
}

vtb_status vtb_world_write_scene(const vtb_world* world, char* buffer, size_t size, size_t* needed) {
  return reading(__func__, world, [&](const vtb_world& w) {
    required(needed, "needed");
    writeText(capi::scene::sceneText(w, nullptr), buffer, size, needed);
  });
}

vtb_status vtb_scene_get_reference(char* buffer, size_t size, size_t* needed) {
  return guarded(__func__, [&] { writeText(vertebra::scene::reference(capi::scene::kScene), buffer, size, needed); });
}
