// Reads the resources of an FMU; see model.hpp.
#include "plugins/fmi/model.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace vertebra::fmi {

namespace {

std::string contentOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Failure("cannot read " + path.string() + "; the FMU needs all of its resources");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// FNV-1a in 64 bits.
void mix(std::uint64_t& hash, const std::string& text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  hash = (hash ^ 0xFF) * 0x100000001b3u;  // an end, so that parts cannot move between texts
}

}  // namespace

Model::Model(const std::string& resources) : folder_(resources) {
  while (folder_.size() > 1 && folder_.back() == '/') folder_.pop_back();
  readFolder();
  const World world = makeWorld();
  listVariables(*this, world.get());
  makeToken();
}

void Model::readFolder() {
  const std::string path = folder_ + "/scene.xml";
  vtb_diagnostics* list = nullptr;
  vtb_scene* scene = nullptr;
  const vtb_status status = vtb_scene_load(path.c_str(), &list, &scene);
  vtb_diagnostics_release(list);
  scene_.reset(scene);
  check(status, "reading the FMU's resources");
  settings_ = sized<vtb_world_def>();
  check(vtb_scene_get_settings(scene, &settings_), "reading the scene's settings");

  const std::string text = contentOf(folder_ + "/fmu.txt");
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t blank = line.find(' ');
    const std::string key = line.substr(0, blank), value = blank == std::string::npos ? "" : line.substr(blank + 1);
    if (key == "inputs" && (value == "torque" || value == "position" || value == "velocity")) {
      inputs_ = value == "torque" ? Inputs::kTorque : value == "position" ? Inputs::kPosition : Inputs::kVelocity;
    } else if (key == "time_step") {
      double step = 0;
      const auto read = std::from_chars(value.data(), value.data() + value.size(), step);
      if (read.ec != std::errc{} || !(step > 0)) throw Failure("fmu.txt: time_step '" + value + "' is not a number above 0");
      settings_.time_step = step;
    } else {
      throw Failure("fmu.txt: '" + line + "' is not understood; the FMU was made by another version");
    }
  }
}

World Model::makeWorld() const {
  vtb_world* world = nullptr;
  check(vtb_scene_create_world(scene_.get(), &settings_, &world), "making the world");
  return World(world);
}

void Model::makeToken() {
  std::uint64_t high = 0xcbf29ce484222325u, low = 0x84222325cbf29ce4u;
  const auto add = [&](const std::string& text) {
    mix(high, text);
    mix(low, text);
  };
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    add(file.filename().string());
    add(contentOf(file));
  }
  for (const Variable& v : variables) add(v.name);
  char text[40];
  std::snprintf(text, sizeof text, "{%08x-%04x-%04x-%04x-%012llx}", static_cast<unsigned>(high >> 32),
                static_cast<unsigned>(high >> 16 & 0xFFFF), static_cast<unsigned>(high & 0xFFFF), static_cast<unsigned>(low >> 48),
                static_cast<unsigned long long>(low & 0xFFFFFFFFFFFFu));
  token_ = text;
}

}  // namespace vertebra::fmi
