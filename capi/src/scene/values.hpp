// What the elements of a scene file hold once read: structs of vertebra.h where there is one, with names in place of handles.
#pragma once
#include <string>
#include <vector>

#include "capi/src/convert.hpp"

namespace vertebra::capi::scene {

struct SceneValues {
  std::string name;
};
struct SettingsValues {
  SettingsValues();
  vtb_world_def def;
};
struct BodyValues {
  BodyValues();
  std::string name;
  vtb_body_def def;
  double density = 1000;
};
struct ShapeValues {  // of materials too
  ShapeValues() : def(shapeDefaults()) {}
  std::string name, material, file;
  vtb_shape_def def;
  double scale[3] = {1, 1, 1};
  std::vector<double> points, planes, heights;
  std::vector<uint32_t> triangles;
};
template <int type>
struct TypedShape : ShapeValues {
  TypedShape() { def.type = type; }
};
struct JointValues {
  JointValues();
  std::string name, a, b;
  vtb_joint_def def;
  double pose[7] = {0, 0, 0, 0, 0, 0, 1};  // the joint's frame in the scene
  std::vector<double> points, q, v;
};
struct AxisValues {
  AxisValues() : def(axisDefaults()) {}
  int32_t index = 0;
  vtb_axis_def def;
};
struct MotorValues {
  MotorValues();
  std::string joint;  // of a figure
  int32_t axis = 0;
  vtb_motor_def def;
};
struct OrientationMotorValues {
  std::string joint;  // of a figure
  double orientation[4] = {0, 0, 0, 1}, velocity[3] = {0, 0, 0};
  double stiffness = 0, damping = 0, maxForce = kInf;
};
struct TargetValues {
  double pose[7] = {0, 0, 0, 0, 0, 0, 1}, twist[6] = {};
};
struct CouplingValues {
  CouplingValues();
  std::string name, a, b;
  vtb_coupling_def def;
};
struct TermValues {
  std::string joint;
  vtb_coupling_term term{{0}, 0, 0, 1};
};
struct DrivelineValues {
  DrivelineValues();
  std::string name;
  vtb_driveline_def def;
  vtb_driveline_input input;
  std::vector<double> speeds, throttles, torques, ratios, torqueRatios, capacities;
};
struct PointsValues {
  PointsValues();
  std::string name;
  vtb_points_def def;
};
struct PointValues {
  std::string body;
  double position[3] = {};
};
struct ParticlesValues {
  ParticlesValues();
  std::string name;
  vtb_particles_def def;
};
struct EmitterValues {
  EmitterValues();
  vtb_emitter_def def;
  uint32_t seed = 1;
};
struct SinkValues {
  SinkValues();
  vtb_sink_def def;
};
struct ParticleValues {
  vtb_particle particle{{0, 0, 0}, {0, 0, 0}, 1e-3, 0.01, kInf, 0};
};
struct FieldValues {
  FieldValues();
  std::string name, source, particles;
  std::vector<std::string> bodies;
  vtb_field_def def;
};
struct PairValues {
  std::string a, b;
};
struct ForceValues {
  std::string body;
  double force[3] = {}, torque[3] = {}, point[3] = {};
};
struct FigureValues {
  std::string name, file;
  vtb_figure_def def{sizeof(vtb_figure_def), VTB_BASE_DEFAULT, nullptr, 0, 0, {0, 0, 0, 0, 0, 0, 1}, 0, -1, 0};
  uint32_t load = 0;  // VTB_LOAD_*
  int32_t inertia = VTB_INERTIA_LENIENT;
  double mass = 0;  // of a figure made from a motion
};
struct MotionValues {
  std::string figure, file, root;
  double start = 0, speed = 1, stiffness = 0, damping = 0, maxForce = kInf;
  int32_t loop = 0;
  vtb_bvh_def def{sizeof(vtb_bvh_def), 0, 0, -1, 0};
};
struct CoordinatesValues {  // of a joint of a figure; of a joint, a body or a figure in <state>
  std::string name;
  std::vector<double> q, v;
};
struct ParticlesStateValues {
  std::string name;
  std::vector<double> particles;  // position, velocity, mass, radius, life of each
};
struct CameraValues {
  std::string name;
  double position[3] = {3, -3, 2}, target[3] = {0, 0, 0}, up[3] = {0, 0, 1}, fov = kPi / 4;
};
struct StateValues {
  double time = 0;
};
struct BytesValues {
  std::string sum, base64;
};

}  // namespace vertebra::capi::scene
