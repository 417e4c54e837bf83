// What the plugin keeps beside a world of the C ABI: a record for each entity that a host names (world, model, link, joint, shape, free
// group). An Identity of ignition-physics carries a record as its reference. Records own what is below them and hold what is above them;
// removal cuts the way down. Frames are Eigen isometries, child in parent; SI units.
#pragma once

#include <vertebra/vertebra.h>

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ignition::physics::vertebra {

using Frame = Eigen::Isometry3d;
using Vector = Eigen::Vector3d;

enum class Kind { World, Model, Link, Joint, Shape, FreeGroup };

struct Record {
  Record(Kind k, std::string n) : kind(k), name(std::move(n)) {}
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  virtual ~Record() = default;

  Kind kind;
  std::string name;
  std::size_t id = 0;
};

struct Model;
struct Joint;

struct World : Record {
  explicit World(std::string n) : Record(Kind::World, std::move(n)) {}
  ~World() override { vtb_world_destroy(world); }

  vtb_world* world = nullptr;
  std::vector<std::shared_ptr<Model>> models;
  std::string detector = "vertebra", solver;
  double timeStep = 0;
  std::uint64_t step = 0;                         // steps made so far: the age of commands
  std::vector<std::shared_ptr<Joint>> commanded;  // joints with a command of this step or the last
  // Links in the order of vtb_world_get_bodies, with their poses of the last step; made anew after links came or went.
  bool linksChanged = true;
  std::vector<vtb_body> bodies;
  std::vector<std::size_t> links;
  std::vector<double> poses, lastPoses;
};

struct Link;
struct FreeGroup;

struct Model : Record {
  explicit Model(std::string n) : Record(Kind::Model, std::move(n)) {}

  std::shared_ptr<World> world;
  std::shared_ptr<Model> parent;    // none: directly in the world
  Frame start = Frame::Identity();  // in the world, where it was made
  bool fixed = false, selfCollides = false, removed = false;
  std::string canonicalName;  // of the link that carries the model's frame; "" = the first one
  std::vector<std::shared_ptr<Link>> links;
  std::vector<std::shared_ptr<Joint>> joints;
  std::vector<std::shared_ptr<Model>> models;
  std::shared_ptr<FreeGroup> group;  // made when a host first asks for it
};

struct Shape;

struct Link : Record {
  explicit Link(std::string n) : Record(Kind::Link, std::move(n)) {}

  std::shared_ptr<Model> model;
  vtb_body body{};
  Frame start = Frame::Identity();  // in the world, where it was made
  std::vector<std::shared_ptr<Shape>> shapes;
  std::shared_ptr<FreeGroup> group;  // made when a host first asks for it

  vtb_world* world() const { return model->world->world; }
};

// Of a model all its links, of a link those that joints connect to it.
struct FreeGroup : Record {
  FreeGroup() : Record(Kind::FreeGroup, {}) {}
  std::weak_ptr<Link> root;    // whose frame is the group's
  std::weak_ptr<Model> model;  // none: of a link
};

// What a host asked of one axis. Forces act in one step, as DART's do; a velocity that is not renewed becomes 0, as that of DART's servo.
struct Command {
  vtb_motor_mode mode = VTB_MOTOR_MODE_OFF;
  double value = 0;
  std::uint64_t step = 0;  // of the world, for which it was given
  // What the motor does now.
  vtb_motor_mode set = VTB_MOTOR_MODE_OFF;
  double setValue = 0;
};

struct JointAxis {
  vtb_axis_def def;
  double minEffort, maxEffort, minVelocity, maxVelocity;  // N m or N; rad/s or m/s
  Command command;
};

struct Joint : Record {
  explicit Joint(std::string n) : Record(Kind::Joint, std::move(n)) {}

  std::shared_ptr<Model> model;
  std::shared_ptr<Link> parent, child;  // no parent: the world
  vtb_joint joint{};                    // none: both ends stand still, or it was detached
  vtb_joint_type type = VTB_JOINT_TYPE_FIXED;
  Frame inParent = Frame::Identity(), inChild = Frame::Identity();  // the joint's frame in its links
  Vector axis = Vector::UnitX(), axis2 = Vector::UnitY();           // unit vectors, in the joint's frame
  double pitch = 0;                                                 // m in a turn
  std::vector<JointAxis> axes;                                      // one for each velocity
  bool waiting = false, detached = false;                           // stands in World::commanded; is no joint any more

  vtb_world* world() const { return model->world->world; }
};

enum class ShapeKind { Box, Capsule, Cylinder, Ellipsoid, Mesh, Plane, Sphere };

struct Shape : Record {
  explicit Shape(std::string n) : Record(Kind::Shape, std::move(n)) {}

  std::shared_ptr<Link> link;
  vtb_shape shape{};
  ShapeKind type = ShapeKind::Sphere;
  Frame inLink = Frame::Identity();
  Frame turn = Frame::Identity();     // of the engine's shape in this shape: of a plane, z along its normal
  Vector size = Vector::Zero();       // m: edges; radii; radius, radius, length; normal of a plane (a pure number)
  Vector scale = Vector::Ones();      // of a mesh
  Eigen::AlignedBox3d box;            // in the shape's frame
  std::optional<std::uint16_t> mask;  // none: it collides with all

  vtb_world* world() const { return link->world(); }
};

// Tells a failed call by ignition's log; true if it did what it says.
bool done(vtb_status status, const std::string& what);

Frame frameOf(const double pose[7]);
std::array<double, 7> poseOf(const Frame& frame);

// The link that carries a model's frame: the one named, else the first one made; none: no links.
std::shared_ptr<Link> canonicalLink(const Model& model);
// A link by its name in a model, "model::link" within nested models; none if there is none.
std::shared_ptr<Link> findLink(const Model& model, const std::string& name);

// A body for a link that is not in its model yet, and the link in its model. False: told, nothing made.
bool addLink(const std::shared_ptr<Link>& link, const vtb_body_def& def);

Frame linkFrame(const Link& link);
Frame modelFrame(const Model& model);

}  // namespace ignition::physics::vertebra
