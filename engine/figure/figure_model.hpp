// FigureModel: a skeleton prepared for dynamics in generalised coordinates, without a world. Immutable; any thread may read it.
// FigureWorkspace: its scratch memory; one thread at a time, no call allocates.
// Links connected by fixed joints form one body; links fixed to a fixed base are part of the world. Loop joints are ignored.
// Frames: world axes. A fixed base puts the root link frame at the world's origin. Internally a floating root's frame is at the tree's
// origin O, so that accuracy does not fall far from the world's origin.
// M and everything computed with it (forward and inverse dynamics, kinetic energy) includes armature. Sources: Featherstone 2008 ch. 5
// (inverse dynamics), 6 (composite rigid bodies), 7 (articulated bodies).
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine/dynamics/tree.hpp"
#include "engine/figure/body_hulls.hpp"
#include "engine/figure/coordinates.hpp"
#include "engine/figure/skeleton.hpp"
#include "engine/figure/surface.hpp"

namespace vertebra::figure {

enum class BaseKind { Default, Fixed, Floating };

struct LinkPlace {  // pose of a link in the body to which it belongs
  int body = -1;    // -1 = the world
  Pose pose;        // link frame in the body's inertial frame; for the world's body: in the world
};

struct LinkFrame {  // of a link other than the root: its joint in link frames, for poses alone
  int link = -1, parent = -1;
  dynamics::LinkModel joint;  // offsets are into tree coordinates
  bool hinge = false;         // revolute or continuous
  bool turned = false;        // its frame is rotated against the parent's at joint coordinate 0
  bool offset = false;        // its joint is not at its origin
  bool needsTurn = false;     // it has children, or its joint is not at its origin
};

struct FigureModel {
  std::shared_ptr<const Skeleton> skeleton;
  Coordinates coordinates;
  std::vector<dynamics::LinkModel> bodies;  // parents first; offsets are into tree coordinates
  dynamics::JointFrameList jointFrames;     // of `bodies` and `frames`
  std::vector<int> bodyLink;                // the link whose joint (or base) moves the body
  std::vector<LinkPlace> links;             // skeleton order
  std::vector<LinkFrame> frames;            // parents first
  std::vector<double> armature;             // tree velocities
  std::vector<int> velocityLink;            // of each velocity: the child link of its joint, the root link for the base
  bool hasArmature = false;
  double mass = 0;                  // of all links
  double fixedMass = 0;             // of the links that are part of the world
  Vec3 fixedMoment = Vec3::Zero();  // sum of mass times position of these
  LazySurface lazySurface;          // what surface() gives
  LazyHulls lazyHulls;              // what hulls() gives

  int nq() const { return coordinates.nq; }
  int nv() const { return coordinates.nv; }
  const Surface& surface() const { return lazySurface.of(*this); }
  const std::vector<BodyHull>& hulls() const { return lazyHulls.of(*this); }
};

// The skeleton must pass checkSkeleton.
std::shared_ptr<const FigureModel> makeFigureModel(std::shared_ptr<const Skeleton> skeleton, BaseKind base, bool reduceMimic = true);

// Of a rigid body, or of several at fixed relative poses, about O, world axes.
struct RigidInertia {
  double mass = 0;
  Vec3 moment = Vec3::Zero();  // mass times centre of mass
  Mat3 inertia = Mat3::Zero();
};

class FigureWorkspace {
 public:
  explicit FigureWorkspace(std::shared_ptr<const FigureModel> model);
  FigureWorkspace(const FigureWorkspace&) = delete;
  FigureWorkspace& operator=(const FigureWorkspace&) = delete;
  const FigureModel& model() const { return *model_; }

  // Link frames, and their twists (linear velocity of the frame's origin, then angular); skeleton order, valid until the next call.
  const Pose* poses(const double* q);
  const Vec6* twists(const double* q, const double* v);
  // Of a point fixed in a link (link frame): 6 x nv, row-major, rows linear then angular velocity.
  void jacobian(const double* q, int link, const Vec3& point, double* J);

  void massMatrix(const double* q, double* M);                                                        // nv x nv
  void inverse(const double* q, const double* v, const double* a, const Vec3& gravity, double* tau);  // M a + bias
  void bias(const double* q, const double* v, const Vec3& gravity, double* tau);
  void gravity(const double* q, const Vec3& gravity, double* tau);
  // a = M^-1 (tau - bias). Returns -1, or the link whose joint (the root: the base) has no inertia to move; a is then unchanged.
  // `added`: inertia of each axis besides, by velocity, or null: what implicit springs and dampers add.
  int forward(const double* q, const double* v, const double* tau, const Vec3& gravity, double* a, const double* added = nullptr);

  // False if the figure has no mass. velocity may be null, and then v, too.
  bool centerOfMass(const double* q, const double* v, Vec3& position, Vec3* velocity);
  bool centerOfMass(Vec3& position, Vec3* velocity) const;                       // at the q and v of the last inverse()
  void momentum(const double* q, const double* v, Vec3& linear, Vec3& angular);  // angular about the centre of mass
  void energy(const double* q, const double* v, const Vec3& gravity, double& kinetic, double& potential);  // zero at the world's origin

 private:
  void takePositions(const double* q);
  void setPositions(const double* q);
  void setVelocities(const double* v);
  void forcesFromBodies(const double* a, double* tau);
  void compositeMassMatrix(double* M);
  int forwardDense(const double* tau, double* a, const double* added);

  std::shared_ptr<const FigureModel> model_;
  std::vector<dynamics::LinkState> states_;
  std::vector<Mat6> inertias_;
  std::vector<Vec6> pushes_;
  std::vector<double> columns_;  // of these
  dynamics::Tree tree_;
  Vec3 origin_ = Vec3::Zero();               // of the tree in the world
  std::vector<double> q_, v_, a_, tau_, z_;  // tree coordinates
  std::vector<double> diagonal_;             // likewise: armature and added inertia
  std::vector<RigidInertia> composites_;     // of each body's subtree
  std::vector<double> dense_;                // nv x nv and a right side, for mimic joints
  std::vector<Pose> poses_;
  std::vector<Mat3> turns_;  // orientations of the links that need them
  dynamics::LinkState frameScratch_;
  std::vector<Vec6> twists_;
};

// "link 'x': ..." for the link that FigureWorkspace::forward returned.
std::string noInertiaText(const FigureModel& model, int link);

}  // namespace vertebra::figure
