// A scene of models/scenes in a world, through the C ABI, with its named things.
#pragma once
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "tests/support.hpp"
#include "vertebra/vertebra.h"

namespace test {

inline void require(vtb_status status) {
  INFO(vtb_last_error());
  REQUIRE(status == VTB_OK);
}

struct Vector {
  double x, y, z;
};

class Scene {
 public:
  explicit Scene(const std::string& file, const vtb_world_def* settings = nullptr) {
    load(sourceDir() + "/models/scenes/" + file, settings);
  }
  static Scene fromText(const std::string& text) {
    Scene s;
    vtb_diagnostics* list = nullptr;
    const vtb_status status =
        vtb_scene_parse(text.data(), text.size(), (sourceDir() + "/models/scenes/text.xml").c_str(), &list, &s.scene_);
    s.finish(status, list, nullptr);
    return s;
  }
  Scene(Scene&& other) noexcept : scene_(other.scene_), world_(other.world_) { other.scene_ = nullptr, other.world_ = nullptr; }
  Scene& operator=(Scene&&) = delete;
  ~Scene() {
    vtb_world_destroy(world_);
    vtb_scene_release(scene_);
  }

  vtb_world* world() const { return world_; }
  vtb_scene* scene() const { return scene_; }
  void step(int steps) { require(vtb_world_step(world_, static_cast<uint32_t>(steps))); }
  void run(double seconds) { step(static_cast<int>(std::lround(seconds / settings().time_step))); }
  vtb_world_def settings() const {
    vtb_world_def def;
    def.struct_size = sizeof def;
    require(vtb_world_get_settings(world_, &def));
    return def;
  }
  double time() const {
    double t = 0;
    require(vtb_world_get_time(world_, &t));
    return t;
  }
  uint64_t hash() const {
    uint64_t h = 0;
    require(vtb_world_get_hash(world_, &h));
    return h;
  }
  vtb_body body(const std::string& name) const { return {find(VTB_NAMED_BODY, name)}; }
  vtb_joint joint(const std::string& name) const { return {find(VTB_NAMED_JOINT, name)}; }
  Vector position(const std::string& name) const {
    double pose[7];
    require(vtb_body_get_pose(world_, body(name), pose));
    return {pose[0], pose[1], pose[2]};
  }
  Vector velocity(const std::string& name) const {
    double twist[6];
    require(vtb_body_get_twist(world_, body(name), twist));
    return {twist[0], twist[1], twist[2]};
  }
  Vector omega(const std::string& name) const {
    double twist[6];
    require(vtb_body_get_twist(world_, body(name), twist));
    return {twist[3], twist[4], twist[5]};
  }
  double q(const std::string& name, int k = 0) const {
    double q[7] = {};
    require(vtb_joint_get_state(world_, joint(name), q, nullptr));
    return q[k];
  }
  double v(const std::string& name, int k = 0) const {
    double v[6] = {};
    require(vtb_joint_get_state(world_, joint(name), nullptr, v));
    return v[k];
  }
  vtb_energy energy() const {
    vtb_energy e;
    e.struct_size = sizeof e;
    require(vtb_world_get_energy(world_, &e));
    return e;
  }
  vtb_world_stats stats() const {
    vtb_world_stats s;
    s.struct_size = sizeof s;
    require(vtb_world_get_stats(world_, &s));
    return s;
  }
  // Energy that no account explains, as far as the world keeps accounts [J].
  double unexplained(const vtb_energy& start) const {
    const vtb_energy e = energy();
    return e.kinetic + e.potential - e.work_drives - e.work_applied + e.lost_damping + e.lost_friction + e.lost_impact + e.lost_clamp -
           (start.kinetic + start.potential);
  }
  std::string saved() const {
    size_t needed = 0;
    require(vtb_world_write_scene(world_, nullptr, 0, &needed));
    std::string text(needed, '\0');
    require(vtb_world_write_scene(world_, text.data(), text.size(), &needed));
    text.resize(needed - 1);
    return text;
  }

 private:
  Scene() = default;
  void load(const std::string& path, const vtb_world_def* settings) {
    vtb_diagnostics* list = nullptr;
    const vtb_status status = vtb_scene_load(path.c_str(), &list, &scene_);
    finish(status, list, settings);
  }
  void finish(vtb_status status, vtb_diagnostics* list, const vtb_world_def* settings) {
    size_t count = 0;
    std::string text;
    if (list) vtb_diagnostics_count(list, &count);
    for (size_t i = 0; i < count; i++) {
      vtb_diagnostic d;
      vtb_diagnostics_get(list, i, &d);
      text += std::string(d.file) + ":" + std::to_string(d.line) + ": " + d.element + ": " + d.message + " [" + d.code + "]\n";
    }
    vtb_diagnostics_release(list);
    INFO(text);
    REQUIRE(status == VTB_OK);
    require(vtb_scene_create_world(scene_, settings, &world_));
  }
  uint64_t find(vtb_named kind, const std::string& name) const {
    uint64_t bits = 0;
    require(vtb_world_find(world_, kind, name.c_str(), &bits));
    return bits;
  }
  vtb_scene* scene_ = nullptr;
  vtb_world* world_ = nullptr;
};

inline std::vector<std::string> sceneFiles() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(sourceDir() + "/models/scenes"))
    if (entry.path().extension() == ".xml") names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace test
