// What a world shows: its shapes, the visuals of its figures and its particles as parts of a scene that follow it, its ground, and marks
// for contacts, joints and centres of mass. Read through the C ABI alone. Metres, world.
#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "vertebra/vertebra.h"
#include "viewer/poses.hpp"
#include "viewer/scene.hpp"

namespace vertebra::viewer {

// A body as it was last pushed.
struct ShownBody {
  vtb_body handle{};
  int figure = -1;  // index in the world's list
  bool moving = false;
  double pose[7] = {}, mass = 0, com[3] = {};
  Box box;  // of its shapes and visuals, body frame
};

// A figure, or a body that is in none.
struct BodyGroup {
  double mass = 0;
  osg::Vec3d moment;  // mass times centre of mass
  Box box;
  int members = 0;
  bool moving = false;
  double size() const { return box.valid() ? (box.upper - box.lower).length() : 0; }
};
struct BodyGroups {
  std::vector<BodyGroup> all;
  std::vector<int> of;  // by body
};
BodyGroups groupsOf(const std::vector<ShownBody>& bodies);

// Ways of points over the pushes (marks_extent.cpp), by body; those of times that were taken back are cut off.
class Paths {
 public:
  void push(double time, const std::vector<ShownBody>& bodies, const BodyGroups& groups);
  void clear() { points_.clear(); }
  void draw(Soup& marks) const;

 private:
  struct Point {
    double time;
    osg::Vec3d position;
  };
  struct Way {
    double width = 0;
    std::deque<Point> points;
  };
  std::map<std::uint64_t, Way> points_;  // by handle of body
};

class WorldView {
 public:
  explicit WorldView(Scene& scene) : scene_(scene) {}

  // shown: bits of vertebra_view.h; more: marks besides. An exception with the ABI's text where the world cannot be read.
  void push(const vtb_world* world, std::uint32_t shown, const Soup& more = {});
  const std::vector<ShownBody>& bodies() const { return bodies_; }
  // The first body along a ray [m, direction of length 1] by what is shown of it, or -1; what is behind a part of the world itself is not
  // met.
  int pick(const osg::Vec3d& origin, const osg::Vec3d& direction, double& distance) const;
  bool setColour(vtb_body body, const Colour* colour);  // false if no such body was pushed
  struct Drawn {
    int scene, body;  // part of the scene; index of the body that carries it, -1: the world itself
    bool underSkin;   // hidden by a skin alone
  };
  std::vector<Drawn> drawn() const;
  // Corners of the boxes of what moves; of everything with an extent where nothing moves.
  std::vector<osg::Vec3d> corners() const;

 private:
  struct Part {
    int scene = -1, body = -1;  // of the scene; of bodies_, -1: the world itself
    bool seen = false;
    bool underSkin = false;  // hidden by the skin of its figure, else it would be seen
    double pose[7] = {};     // of a shape in its body or compound, to notice when it is moved
    Box box;
  };
  struct Figure {
    bool seen = false;
    std::vector<std::uint64_t> parts;
    std::vector<int> bodies;     // of its links, of bodies_
    std::shared_ptr<Skin> skin;  // made when it is first asked for
    int skinPart = -1;           // of the scene
  };

  void readBodies(const vtb_world* world);
  void readFigures(const vtb_world* world);
  void readShapes(const vtb_world* world);
  void readStandIns(const vtb_world* world);  // stand_ins.cpp
  void readParticles(const vtb_world* world);
  void addShape(const vtb_world* world, vtb_shape shape, Part& part);
  void addVisuals(const vtb_world* world, vtb_figure figure, Figure& entry);
  void wearSkins(const vtb_world* world, bool worn);
  void place(std::uint32_t shown);
  Colour colourOf(const float* rgba, int body) const;

  Scene& scene_;
  std::vector<ShownBody> bodies_;
  std::map<std::uint64_t, int> index_;              // of bodies by handle
  std::map<std::uint64_t, Part> shapes_, visuals_;  // by handle of shape; by figure and number of visual
  std::map<std::uint64_t, Part> standIns_;          // by handle of body
  std::map<std::uint64_t, Figure> figures_;
  std::map<std::uint64_t, Colour> given_;  // by handle of body
  std::vector<Box> particles_;
  bool hasGround_ = false;
  double groundHeight_ = 0;
  Paths paths_;
};

// Marks of a world (marks.cpp), to be seen through bodies.
void drawMarks(const vtb_world* world, std::uint32_t shown, const std::vector<ShownBody>& bodies, const std::map<std::uint64_t, int>& index,
               Soup& marks);

// Of them limits and inertia (marks_extent.cpp).
void drawLimits(const vtb_world* world, const std::vector<ShownBody>& bodies, const std::map<std::uint64_t, int>& index,
                const BodyGroups& groups, Soup& marks);
void drawInertia(const vtb_world* world, const std::vector<ShownBody>& bodies, Soup& marks);

// The even box with a body's mass and moments about its centre of mass: principal axes in the body's frame and half edges along them.
struct InertiaBox {
  osg::Vec3d axis[3];
  double half[3];
  osg::Vec3d corner(int c) const {  // from the centre; bit k: on which side along axis k
    osg::Vec3d p;
    for (int k = 0; k < 3; k++) p += axis[k] * (c >> k & 1 ? half[k] : -half[k]);
    return p;
  }
};
InertiaBox inertiaBox(const vtb_world* world, const ShownBody& body);

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
