// Lists the variables of a scene: the class behind listVariables, in two files. variables.cpp: figures, the world, bodies, drivelines,
// sensors; variables_joints.cpp: joints and their drives.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "plugins/fmi/model.hpp"

namespace vertebra::fmi {

class Lister {
 public:
  Lister(Model& model, vtb_world* world) : m_(model), w_(world) {}
  void run();

 private:
  struct Owner {
    std::size_t figure = kNone;
    int index = 0;  // in the skeleton
  };

  std::size_t add(const std::string& name, const std::string& description, const char* unit, Causality causality, Variability variability,
                  double start, Role role, std::size_t owner, int component) {
    Variable v;
    v.name = name;
    v.description = description;
    v.unit = unit;
    v.causality = causality;
    v.variability = variability;
    v.start = start;
    v.role = role;
    v.owner = owner;
    v.component = component;
    m_.variables.push_back(std::move(v));
    return m_.variables.size() - 1;
  }
  std::size_t output(const std::string& name, const std::string& description, const char* unit, Role role, std::size_t owner,
                     int component) {
    return add(name, description, unit, Causality::kOutput, Variability::kContinuous, 0, role, owner, component);
  }
  std::size_t input(const std::string& name, const std::string& description, const char* unit, double start, Role role, std::size_t owner,
                    int component) {
    return add(name, description, unit, Causality::kInput, Variability::kContinuous, start, role, owner, component);
  }
  std::size_t gain(const std::string& name, const std::string& description, const char* unit, double start, Role role, std::size_t owner,
                   int component) {
    const std::size_t index = add(name, description, unit, Causality::kParameter, Variability::kTunable, start, role, owner, component);
    m_.variables[index].min = 0;
    return index;
  }
  static std::string indexed(const std::string& name, int index, int count) {
    return count == 1 ? name : name + "[" + std::to_string(index) + "]";
  }

  void findFigures();
  // The diagonal of the mass matrix, empty where there is none.
  std::vector<double> inertiasOf(std::size_t f, int nv);
  // Name of a thing in the FMU; empty: it is not exposed.
  std::string shown(vtb_named kind, uint64_t bits);

  void addWorld();
  void addJoint(std::size_t at, vtb_joint joint);
  void addBody(std::size_t at, vtb_body body);
  void addPart(std::size_t at, vtb_constraint part);
  void addSensor(std::size_t at, vtb_sensor sensor);
  void refuseDoubles() const;
  // A joint whose state cannot be set (it closes a cycle) keeps that of the scene: its starts are told, but no parameters.
  void dropFixedStarts();

  // Where the joint's velocities begin in its figure's, or -1: those of the base come first, mimics and joints that close cycles have none.
  int offsetInFigure(const Owner& owner);
  // Inertia on an axis of a joint outside of figures: of body_b about the axis, or along it.
  double inertiaAbout(vtb_joint joint, const vtb_joint_def& def, vtb_joint_type type, int axis);
  static const char* unitOfQ(const JointLinks& links, int i);
  std::vector<JointLinks::Follower> followersOf(std::size_t figure, int leader);
  void addStarts(JointLinks& links, const std::string& name, const std::vector<double>& q, const std::vector<double>& v, std::size_t owner);
  void addDrives(JointLinks& links, vtb_joint joint, const std::string& name, const std::vector<double>& q,
                 const std::vector<double>& inertias, std::size_t owner);

  Model& m_;
  vtb_world* w_;
  std::string prefix_;
  std::vector<vtb_figure> figures_;
  std::vector<Skeleton> skeletons_;
  std::vector<bool> controlled_;
  std::vector<std::vector<double>> inertias_;  // by figure, on each of its velocities
  std::map<uint64_t, Owner> linkOf_, jointOf_;
};

}  // namespace vertebra::fmi
