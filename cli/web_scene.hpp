// What a view shows of a world, in the form that the page draws (web/scene.js): meshes in pieces of one colour, bodies with their poses,
// particles, overlays. Arrays are little-endian bytes in base64. Metres, world.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/json.hpp"
#include "cli/model.hpp"
#include "cli/view_library.hpp"

namespace vertebra::cli {

std::string base64(const void* bytes, std::size_t size);
template <class T>
std::string base64(const std::vector<T>& values) {
  return base64(values.data(), values.size() * sizeof(T));
}

struct WebBody {
  vtb_body handle{};
  int number = 0;  // of the page: no other body has it or had it
  std::string name;
  bool held = false;  // it can be taken hold of
};

class WebScene {
 public:
  WebScene(vtb_view* view, const vtb_world* world) : view_(view), world_(world) {}

  void setWorld(const vtb_world* world) { world_ = world; }
  void read();  // after each push
  const std::vector<WebBody>& bodies() const { return bodies_; }
  const std::vector<double>& poses() const { return poses_; }  // 7 a body
  const std::vector<vtb_view_part>& parts() const { return parts_; }
  const std::vector<float>& particles() const { return particles_; }  // 4 each: centre, radius
  int numberOf(vtb_body body) const;                                  // -1: none

  // Members of the object that is open.
  void writeMesh(Json& json, const vtb_view_part& part) const;
  void writeGround(Json& json) const;
  void writeMarks(Json& json) const;

 private:
  vtb_view* view_;
  const vtb_world* world_;
  std::vector<WebBody> bodies_;
  std::map<std::uint64_t, int> numbers_;  // by handle
  std::vector<double> poses_;
  std::vector<vtb_view_part> parts_;
  std::vector<float> particles_;
  int given_ = 0;
};

void writeCamera(Json& json, const vtb_camera& camera);  // the member "camera"
std::string nameOfBody(const vtb_world* world, vtb_body body);

// The page (web/page.html with three.js, as the build put it together); data: the object it starts from, "null": a running world.
std::string webPage(const std::string& title, const std::string& data);

}  // namespace vertebra::cli
