// What a world shows: its shapes, the visuals of its figures and its particles as parts of a scene that follow it, its ground, and marks for
// contacts, joints and centres of mass. Read through the C ABI alone. Metres, world.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "vertebra/vertebra.h"
#include "viewer/scene.hpp"

namespace vertebra::viewer {

struct Box {
  osg::Vec3d lower{1e300, 1e300, 1e300}, upper{-1e300, -1e300, -1e300};

  bool valid() const { return lower.x() <= upper.x(); }
  void add(const osg::Vec3d& point);
  osg::Vec3d corner(int index) const;  // 0 to 7
};

// A body as it was last pushed.
struct ShownBody {
  vtb_body handle{};
  int figure = -1;  // index in the world's list
  bool moving = false;
  double pose[7] = {}, mass = 0, com[3] = {};
  Box box;  // of its shapes and visuals, body frame
};

class WorldView {
 public:
  explicit WorldView(Scene& scene) : scene_(scene) {}

  // shown: bits of vertebra_view.h. An exception with the ABI's text where the world cannot be read.
  void push(const vtb_world* world, std::uint32_t shown);
  bool setColour(vtb_body body, const Colour* colour);  // false if no such body was pushed
  // Corners of the boxes of what moves; of everything with an extent where nothing moves.
  std::vector<osg::Vec3d> corners() const;

 private:
  struct Part {
    int scene = -1, body = -1;  // of the scene; of bodies_, -1: the world itself
    bool seen = false;
    double pose[7] = {};  // of a shape in its body or compound, to notice when it is moved
    Box box;
  };
  struct Figure {
    bool seen = false;
    std::vector<std::uint64_t> parts;
  };

  void readBodies(const vtb_world* world);
  void readFigures(const vtb_world* world);
  void readShapes(const vtb_world* world);
  void readParticles(const vtb_world* world);
  void addShape(const vtb_world* world, vtb_shape shape, Part& part);
  void addVisuals(const vtb_world* world, vtb_figure figure, Figure& entry);
  void place(std::uint32_t shown);
  Colour colourOf(const float* rgba, int body) const;

  Scene& scene_;
  std::vector<ShownBody> bodies_;
  std::map<std::uint64_t, int> index_;            // of bodies by handle
  std::map<std::uint64_t, Part> shapes_, visuals_;  // by handle of shape; by figure and number of visual
  std::map<std::uint64_t, Figure> figures_;
  std::map<std::uint64_t, Colour> given_;  // by handle of body
  std::vector<Box> particles_;
  bool hasGround_ = false;
  double groundHeight_ = 0;
};

// Marks of a world (marks.cpp), to be seen through bodies.
void drawMarks(const vtb_world* world, std::uint32_t shown, const std::vector<ShownBody>& bodies, const std::map<std::uint64_t, int>& index,
               Soup& marks);

void check(vtb_status status);  // an exception with the ABI's text unless VTB_OK

// A point of a pose's frame in the world.
osg::Vec3d applied(const double* pose, const osg::Vec3d& point);

// All of what a function (array, capacity, total) lists.
template <class T, class Get>
std::vector<T> listed(Get&& get) {
  std::vector<T> all;
  std::size_t total = 0;
  check(get(nullptr, 0, &total));
  all.resize(total);
  if (total > 0) check(get(all.data(), total, &total));
  return all;
}

}  // namespace vertebra::viewer
