// See web_scene.hpp.
#include "cli/web_scene.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra::cli {

namespace {

constexpr std::uint32_t kShortIndices = 1 << 16;  // vertices up to which two bytes an index are enough

template <class T, class Get>
std::vector<T> listed(Get&& get, const char* doing) {
  std::size_t total = 0;
  check(get(nullptr, 0, &total), doing);
  std::vector<T> all(total);
  if (total > 0) check(get(all.data(), total, &total), doing);
  return all;
}

}  // namespace

std::string base64(const void* bytes, std::size_t size) {
  static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto* in = static_cast<const unsigned char*>(bytes);
  std::string text;
  text.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const std::size_t there = std::min<std::size_t>(3, size - i);
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < there; k++) three |= std::uint32_t{in[i + k]} << (16 - 8 * k);
    for (std::size_t k = 0; k < 4; k++) text += k <= there ? kDigits[three >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

std::string nameOfBody(const vtb_world* world, vtb_body body) {
  size_t needed = 0;
  if (!body.bits || vtb_world_get_name_of(world, VTB_NAMED_BODY, body.bits, nullptr, 0, &needed) != VTB_OK || needed < 2) return "";
  std::string text(needed, '\0');
  check(vtb_world_get_name_of(world, VTB_NAMED_BODY, body.bits, text.data(), text.size(), &needed), "reading a name");
  text.resize(needed - 1);
  return text;
}

void WebScene::read() {
  const auto handles = listed<vtb_body>(
      [&](vtb_body* out, std::size_t n, std::size_t* total) { return vtb_world_get_bodies(world_, out, n, total); }, "listing bodies");
  const bool same = handles.size() == bodies_.size() && std::equal(handles.begin(), handles.end(), bodies_.begin(),
                                                                   [](vtb_body a, const WebBody& b) { return a.bits == b.handle.bits; });
  if (!same) {
    std::map<std::uint64_t, int> before;
    before.swap(numbers_);
    bodies_.clear();
    for (const vtb_body handle : handles) {
      WebBody body;
      body.handle = handle;
      const auto known = before.find(handle.bits);
      body.number = known == before.end() ? given_++ : known->second;
      body.name = nameOfBody(world_, handle);
      vtb_body_kind kind;
      int32_t enabled = 0;
      check(vtb_body_get_kind(world_, handle, &kind), "reading a body");
      check(vtb_body_get_enabled(world_, handle, &enabled), "reading a body");
      body.held = kind == VTB_BODY_KIND_DYNAMIC && enabled;
      numbers_[handle.bits] = body.number;
      bodies_.push_back(std::move(body));
    }
  }
  std::size_t total = 0;
  poses_.resize(7 * handles.size());
  if (!handles.empty()) check(vtb_world_get_poses(world_, poses_.data(), handles.size(), 0, &total), "reading poses");

  const ViewLibrary& library = viewLibrary();
  library.check(library.getParts(view_, nullptr, 0, &total));
  parts_.resize(total);
  if (total > 0) {
    parts_[0].struct_size = sizeof parts_[0];
    library.check(library.getParts(view_, parts_.data(), total, &total));
  }
  particles_.clear();
  for (const vtb_particles system : listed<vtb_particles>(
           [&](vtb_particles*out, std::size_t n, std::size_t*count) { return vtb_world_get_particles(world_, out, n, count); },
           "listing particles"))
    for (const vtb_particle& p : listed<vtb_particle>(
             [&](vtb_particle*out, std::size_t n, std::size_t*count) { return vtb_particles_get(world_, system, out, n, 0, count); },
             "reading particles"))
      for (const double x : {p.position[0], p.position[1], p.position[2], p.radius}) particles_.push_back(static_cast<float>(x));
}

int WebScene::numberOf(vtb_body body) const {
  const auto found = numbers_.find(body.bits);
  return found == numbers_.end() ? -1 : found->second;
}

void WebScene::writeMesh(Json& json, const vtb_view_part& part) const {
  std::vector<float> vertices(std::size_t{3} * part.vertices), normals(vertices.size());
  std::vector<std::uint32_t> triangles(std::size_t{3} * part.triangles);
  viewLibrary().check(viewLibrary().getPartMesh(view_, part.part, vertices.data(), normals.data(), triangles.data()));
  std::vector<std::int8_t> turned(normals.size());
  std::transform(normals.begin(), normals.end(), turned.begin(),
                 [](float n) { return static_cast<std::int8_t>(std::lround(127 * std::clamp(n, -1.0f, 1.0f))); });
  json.member("part", static_cast<std::int64_t>(part.part)).member("body", numberOf(part.body)).key("rgba").beginArray();
  for (const float channel : part.rgba) json.value(static_cast<double>(channel));
  json.endArray().member("vertices", base64(vertices)).member("normals", base64(turned)).member("wide", part.vertices > kShortIndices);
  if (part.vertices > kShortIndices)
    json.member("triangles", base64(triangles));
  else
    json.member("triangles", base64(std::vector<std::uint16_t>(triangles.begin(), triangles.end())));
}

void WebScene::writeGround(Json& json) const {
  int32_t shown = 0;
  double height = 0;
  viewLibrary().check(viewLibrary().getGround(view_, &shown, &height));
  json.key("ground").beginObject().member("shown", shown != 0).member("height", height).endObject();
}

void WebScene::writeMarks(Json& json) const {
  std::size_t total = 0;
  const ViewLibrary& library = viewLibrary();
  library.check(library.getMarks(view_, nullptr, nullptr, 0, &total));
  if (total == 0) return;
  std::vector<float> points(3 * total);
  std::vector<std::uint8_t> colours(4 * total);
  library.check(library.getMarks(view_, points.data(), colours.data(), total, &total));
  json.key("marks").beginObject().member("points", base64(points)).member("colours", base64(colours)).endObject();
}

void writeCamera(Json& json, const vtb_camera& camera) {
  json.key("camera").beginObject().key("position").numbers(camera.position, 3).key("target").numbers(camera.target, 3);
  json.key("up").numbers(camera.up, 3).member("fov", camera.fov).endObject();
}

}  // namespace vertebra::cli
