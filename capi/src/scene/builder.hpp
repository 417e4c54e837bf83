// The work of build.cpp: one pass over the elements of each kind, names to handles, every refusal with its element.
#pragma once
#include <functional>
#include <set>

#include "capi/src/scene/build.hpp"
#include "loaders/mesh/mesh.hpp"

namespace vertebra::capi::scene {

class SceneBuilder {
 public:
  // Without a report the first refusal is thrown. `loading`: where meshes and skeletons are kept that are read now.
  SceneBuilder(const SceneModel& model, SceneModel* loading, vtb_world& world, std::string prefix, const Pose& placement, Report* report)
      : model_(model),
        loading_(loading),
        world_(world),
        prefix_(std::move(prefix)),
        placement_(placement),
        report_(report),
        alone_(world.engine.bodyCapacity() == 0) {}

  void build();
  void undo();  // destroys what was made
  const std::vector<Instance::Thing>& made() const { return made_; }

 private:
  using Elements = std::vector<Element>;

  // build.cpp
  void declare(const Elements& elements);
  void attempt(const Element& e, const std::function<void()>& work);
  void error(const char* code, const Element& e, const std::string& text);
  Pose placed(const Element& e, const double* pose) const;
  Pose placementOf(const Element& e) const { return placement_ * e.placement; }
  void call(vtb_status status) const;  // throws a Refusal with the library's text
  [[noreturn]] void taken(int kind, const std::string& name) const;
  void named(int kind, const std::string& name, std::uint64_t bits);
  // False: there is none, which has been told, or it could not be made. The empty name and `world` give the zero handle.
  bool find(int kind, const std::string& name, const Element& e, std::uint64_t& bits);
  bool known(const std::string& body) const;  // is it there already?

  // build_bodies.cpp
  void body(const Element& e);
  void shape(const Element& e, vtb_body body, const Pose& placement, vtb_shape parent);
  const geometry::Shape& shapeOf(const Element& e);
  geometry::Shape makeShape(const Element& e);
  void giveMass(const Element& e, vtb_body body);

  // build_joints.cpp
  void joint(const Element& e);
  void jointFrames(const Element& e, JointValues& values);
  void joinToFigure(const Element& e, const JointValues& values);
  void axis(const Element& e, vtb_joint joint);
  void drive(const Element& e, vtb_joint joint);
  void placeByJoints();
  void jointState(const Element& e);
  void coupling(const Element& e);
  bool terms(const Element& e, std::vector<vtb_coupling_term>& out);  // false: a joint is missing, which has been told

  // build_machines.cpp
  void driveline(const Element& e);
  void points(const Element& e);
  void particles(const Element& e);
  vtb_particle placedParticle(const Element& e, vtb_particle particle) const;

  // build_figures.cpp
  void figure(const Element& e);
  vtb_skeleton* skeletonOf(const Element& e);
  void motion(const Element& e);
  vtb_motion* motionOf(const Element& e, const std::string& file, const vtb_bvh_def& def);
  void figurePose(const Element& e, vtb_figure figure, vtb_skeleton* skeleton);
  void putPose(const Element& child, vtb_figure figure, vtb_skeleton* skeleton, std::vector<double>& q, std::vector<double>& v);
  int figureJoint(const Element& child, const std::string& name, vtb_skeleton* skeleton);

  // build_controllers.cpp
  void controller(const Element& e, vtb_figure figure, vtb_skeleton* skeleton);
  void drivePose(const Element& e, vtb_controller controller, vtb_figure figure, vtb_skeleton* skeleton);
  void driveGains(const Element& e, vtb_controller controller, vtb_figure figure, vtb_skeleton* skeleton);
  void play(const Element& e, vtb_controller controller, vtb_figure figure);
  void goal(const Element& e, vtb_controller controller, vtb_skeleton* skeleton);
  vtb_controller markerDrive(const Element& e, vtb_figure figure, vtb_skeleton* skeleton);
  vtb_markers* recordOf(const Element& e);
  int figureLink(const Element& e, const std::string& name, vtb_skeleton* skeleton);  // -1: there is none, which has been told
  vtb_trajectory* trajectoryOf(const Element& e);

  // build_fields.cpp
  void field(const Element& e);
  void sensor(const Element& e);
  void force(const Element& e);
  void noCollision(const Element& e);

  // state.cpp
  void state(const Element& e);
  void stateOf(const Element& e);
  void particlesState(const Element& e);

  const SceneModel& model_;
  SceneModel* loading_;
  vtb_world& world_;
  std::string prefix_;
  Pose placement_;
  Report* report_;
  bool alone_;  // in a world that was empty
  MeshCache meshes_;
  std::map<std::string, const Element*> materials_;
  std::set<std::string> declared_[kNameKinds];
  std::set<std::string> twice_;  // names given twice, as has been told
  std::set<std::string> failedFigures_;
  std::vector<std::pair<const Element*, vtb_joint>> joints_;
  std::vector<Instance::Thing> made_;
  std::vector<std::pair<vtb_body, vtb_body>> pairs_;
};

}  // namespace vertebra::capi::scene
