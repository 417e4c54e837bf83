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
  vtb_world_def def = defaults<vtb_world_def>();
};
struct BodyValues {
  std::string name;
  vtb_body_def def = defaults<vtb_body_def>();
  double density = 1000;
};
struct ShapeValues {  // of materials too
  std::string name, material, file;
  vtb_shape_def def = defaults<vtb_shape_def>();
  double scale[3] = {1, 1, 1};
  std::vector<double> points, planes, heights;
  std::vector<uint32_t> triangles;
};
template <int type>
struct TypedShape : ShapeValues {
  TypedShape() { def.type = static_cast<vtb_shape_type>(type); }
};
struct JointValues {
  std::string name, a, b;
  vtb_joint_def def = defaults<vtb_joint_def>();
  double pose[7] = {0, 0, 0, 0, 0, 0, 1};  // the joint's frame in the scene
  std::vector<double> points, q, v;
};
struct AxisValues {
  int32_t index = 0;
  vtb_axis_def def = defaults<vtb_axis_def>();
};
struct MotorValues {
  std::string joint;  // of a figure
  int32_t axis = 0;
  vtb_motor_def def = defaults<vtb_motor_def>();
};
struct OrientationMotorValues {
  std::string joint;  // of a figure
  double orientation[4] = {0, 0, 0, 1}, velocity[3] = {0, 0, 0};
  double stiffness = 0, damping = 0, maxForce = kInf;
};
struct TargetValues {
  double pose[7] = {0, 0, 0, 0, 0, 0, 1}, velocity[3] = {}, angularVelocity[3] = {};
};
struct CouplingValues {
  std::string name, a, b;
  vtb_coupling_def def = defaults<vtb_coupling_def>();
};
struct TermValues {
  std::string joint;
  vtb_coupling_term term{{0}, 0, 0, 1};
};
struct DrivelineValues {
  std::string name;
  vtb_driveline_def def = defaults<vtb_driveline_def>();
  vtb_driveline_input input = defaults<vtb_driveline_input>();
  std::vector<double> speeds, throttles, torques, ratios, torqueRatios, capacities;
};
struct PointsValues {
  std::string name;
  vtb_points_def def = defaults<vtb_points_def>();
};
struct PointValues {
  std::string body;
  double position[3] = {};
};
struct ParticlesValues {
  std::string name;
  vtb_particles_def def = defaults<vtb_particles_def>();
};
struct EmitterValues {
  vtb_emitter_def def = defaults<vtb_emitter_def>();
};
struct SinkValues {
  vtb_sink_def def = defaults<vtb_sink_def>();
};
struct ParticleValues {
  vtb_particle particle{{0, 0, 0}, {0, 0, 0}, 1e-3, 0.01, kInf, 0};
};
struct FieldValues {
  std::string name, source, particles;
  std::vector<std::string> bodies;
  vtb_field_def def = defaults<vtb_field_def>();
};
struct SensorValues {
  std::string name, body, joint;
  vtb_sensor_def def = defaults<vtb_sensor_def>();
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
  vtb_figure_def def = defaults<vtb_figure_def>();
  vtb_urdf_def load = defaults<vtb_urdf_def>();
  vtb_motion_figure_def fromMotion = defaults<vtb_motion_figure_def>();
};
struct DriveValues {
  int32_t all = 1;
  vtb_drive_def def = defaults<vtb_drive_def>();
};
struct GainsValues {
  std::string joint;
  double stiffness = -1, damping = -1, maxForce = kInf;
};
struct AnimationValues {
  vtb_animation_def def = defaults<vtb_animation_def>();
};
struct PlayValues {
  std::string file;
  int32_t starts = 0;
  vtb_play_def def = defaults<vtb_play_def>();
  vtb_bvh_def clip = defaults<vtb_bvh_def>();
};
struct MarkerDriveValues {
  std::string file;
  vtb_marker_drive_def def = defaults<vtb_marker_drive_def>();
  vtb_marker_play_def play = defaults<vtb_marker_play_def>();
  vtb_bvh_def clip = defaults<vtb_bvh_def>();
};
struct MarkerValues {
  std::string link, name;
  double point[3] = {0, 0, 0}, place[3] = {0, 0, 0};
};
struct RootDriveValues {
  vtb_root_drive_def def = defaults<vtb_root_drive_def>();
};
struct InverseDynamicsValues {
  vtb_inverse_dynamics_def def = defaults<vtb_inverse_dynamics_def>();
};
struct BalanceValues {
  vtb_balance_def def = defaults<vtb_balance_def>();
};
struct PointAtValues {};
struct GoalValues {
  std::string link, from;
  vtb_goal_def def = defaults<vtb_goal_def>();
};
struct MotionValues {
  std::string figure, file, root;
  double start = 0, speed = 1, stiffness = 0, damping = 0, maxForce = kInf;
  int32_t loop = 0;
  vtb_bvh_def def = defaults<vtb_bvh_def>();
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
