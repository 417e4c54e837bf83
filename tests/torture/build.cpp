// Makes worlds of recipes through the C ABI, and recipes without some of their parts.
// Units: SI. Frames: a recipe's points and axes are in the world; joints get them in the frame of their first body.
#include <cstdio>
#include <stdexcept>

#include "tests/torture/torture.hpp"

namespace torture {

std::string modelText(const Recipe& recipe, std::size_t index, const Options& options) {
  const BodyPart& part = recipe.bodies[index];
  char text[2048];
  std::snprintf(text, sizeof text,
                "<scene name=\"figure\"><figure name=\"figure%zu\" file=\"%s/urdf/%s\" base=\"floating\" self_collision=\"no\" "
                "position=\"%.17g %.17g %.17g\" orientation=\"%.17g %.17g %.17g %.17g\"/></scene>",
                index, options.models.c_str(), part.model.c_str(), part.place[0], part.place[1], part.place[2], part.turn[0], part.turn[1],
                part.turn[2], part.turn[3]);
  return text;
}

std::string modelFile(const Recipe& recipe, std::size_t index, const Options& options) {
  return options.out + "/" + std::to_string(recipe.seed) + "_figure" + std::to_string(index) + ".xml";
}

namespace {

void check(vtb_status status) {
  if (status != VTB_OK) throw std::runtime_error(std::string(vtb_status_name(status)) + ": " + vtb_last_error());
}

template <class T>
void copy(const T& from, double* to) {
  for (std::size_t i = 0; i < from.size(); i++) to[i] = from[i];
}

// A figure comes by a scene, so that a scene saved of the world can include it.
void addModel(vtb_world* world, const Recipe& recipe, std::size_t index, const Options& options) {
  const std::string text = modelText(recipe, index, options), name = modelFile(recipe, index, options);
  vtb_scene* scene = nullptr;
  check(vtb_scene_parse(text.c_str(), text.size(), name.c_str(), nullptr, &scene));
  const vtb_status status = vtb_scene_add(scene, world, nullptr, nullptr);
  vtb_scene_release(scene);
  check(status);
}

vtb_body addBody(vtb_world* world, const BodyPart& part) {
  vtb_body body{0};
  vtb_shape_def shape;
  check(vtb_shape_def_init(&shape, sizeof shape));
  shape.type = part.shape;
  copy(part.size, shape.size);
  shape.surface.friction = part.friction, shape.surface.restitution = part.restitution;
  shape.category = part.category, shape.mask = part.mask;
  if (!part.heights.empty()) {
    shape.geometry.heights = part.heights.data();
    shape.geometry.height_rows = shape.geometry.height_columns =
        static_cast<std::uint32_t>(std::lround(std::sqrt(static_cast<double>(part.heights.size()))));
  }
  if (part.kind == VTB_BODY_KIND_STATIC) {
    copy(part.place, shape.pose);
    copy(part.turn, shape.pose + 3);
  } else {
    vtb_body_def def;
    check(vtb_body_def_init(&def, sizeof def));
    def.kind = part.kind;
    copy(part.place, def.pose);
    copy(part.turn, def.pose + 3);
    check(vtb_body_create(world, &def, &body));
  }
  vtb_shape made;
  check(vtb_shape_create(world, body, &shape, &made));
  if (part.kind == VTB_BODY_KIND_DYNAMIC) check(vtb_body_set_mass_from_shapes(world, body, 0, part.mass));
  return body;
}

void addJoint(vtb_world* world, const JointPart& part, const Recipe& recipe, const std::vector<vtb_body>& bodies) {
  vtb_joint_def def;
  check(vtb_joint_def_init(&def, sizeof def));
  def.type = part.type;
  def.as_they_stand = 1;
  Vec point = part.point, axis = part.axis, axis2 = part.axis2;
  if (part.a >= 0) {
    const BodyPart& a = recipe.bodies[static_cast<std::size_t>(part.a)];
    def.body_a = bodies[static_cast<std::size_t>(part.a)];
    point = rotateBack(a.turn, point - a.place), axis = rotateBack(a.turn, axis), axis2 = rotateBack(a.turn, axis2);
  }
  if (part.b >= 0) def.body_b = bodies[static_cast<std::size_t>(part.b)];
  copy(point, def.frame_a);
  copy(axis, def.axis);
  copy(axis2, def.axis2);
  const bool ball = part.type == VTB_JOINT_TYPE_SPHERICAL;
  if (ball) def.limits.swing = part.swing, def.limits.twist_lower = part.lower, def.limits.twist_upper = part.upper;
  vtb_joint joint;
  check(vtb_joint_create(world, &def, &joint));
  int32_t axes = 0;
  check(vtb_joint_get_size(world, joint, nullptr, &axes));
  for (int32_t i = 0; i < axes; i++) {
    vtb_axis_def settings;
    settings.struct_size = sizeof settings;
    check(vtb_joint_get_axis(world, joint, i, &settings));
    if (!ball) settings.lower = part.lower, settings.upper = part.upper;
    settings.damping = part.damping, settings.friction = part.friction;
    check(vtb_joint_set_axis(world, joint, i, &settings));
  }
  if (part.mode == VTB_MOTOR_MODE_OFF) return;
  vtb_motor_def motor;
  check(vtb_motor_def_init(&motor, sizeof motor));
  motor.mode = part.mode, motor.stiffness = part.stiffness, motor.damping = part.gain, motor.max_force = part.maxForce;
  (part.mode == VTB_MOTOR_MODE_POSITION ? motor.position : motor.velocity) = part.target;
  check(vtb_joint_set_motor(world, joint, 0, &motor));
}

void fill(vtb_world* world, const Recipe& recipe, const Options& options) {
  std::vector<vtb_body> bodies;
  for (std::size_t i = 0; i < recipe.bodies.size(); i++) {
    bodies.push_back({0});
    if (recipe.bodies[i].model.empty())
      bodies.back() = addBody(world, recipe.bodies[i]);
    else
      addModel(world, recipe, i, options);
  }
  for (const JointPart& part : recipe.joints) addJoint(world, part, recipe, bodies);
}

}  // namespace

World::World(const Recipe& recipe, const Combination& combination, const Options& options) {
  vtb_world_def def;
  check(vtb_world_def_init(&def, sizeof def));
  def.stepper = combination.stepper, def.solver.type = combination.solver;
  def.time_step = 1.0 / combination.rate, def.substeps = recipe.substeps;
  def.flags = VTB_WORLD_FLAG_ENERGY_ACCOUNT;
  if (recipe.contactPositions) def.flags |= VTB_WORLD_FLAG_CONTACT_POSITIONS;
  if (!recipe.sleep) def.flags |= VTB_WORLD_FLAG_NO_SLEEP;
  check(vtb_world_create(&def, &world_));
  try {
    fill(world_, recipe, options);
  } catch (...) {
    vtb_world_destroy(world_);
    throw;
  }
}

World::~World() { vtb_world_destroy(world_); }

Recipe without(const Recipe& recipe, const std::vector<bool>& bodies, const std::vector<bool>& joints) {
  Recipe result = recipe;
  result.bodies.clear(), result.joints.clear();
  std::vector<int> number(recipe.bodies.size(), -1);
  for (std::size_t i = 0; i < recipe.bodies.size(); i++) {
    if (bodies[i]) continue;
    number[i] = static_cast<int>(result.bodies.size());
    result.bodies.push_back(recipe.bodies[i]);
  }
  result.ground = false;
  for (const BodyPart& body : result.bodies) result.ground |= body.shape == VTB_SHAPE_TYPE_PLANE && body.model.empty();
  for (std::size_t i = 0; i < recipe.joints.size(); i++) {
    JointPart joint = recipe.joints[i];
    if (joints[i]) continue;
    const auto keep = [&](int& body) {
      if (body >= 0) body = number[static_cast<std::size_t>(body)];
      return body;
    };
    const bool whole = (joint.a < 0 || keep(joint.a) >= 0) && (joint.b < 0 || keep(joint.b) >= 0);
    if (whole) result.joints.push_back(joint);
  }
  return result;
}

void separate(Recipe& recipe, const Options& options) {
  constexpr double kTouch = 1e-4;    // m: deeper is an overlap
  constexpr int kRate = 1000000000;  // Hz: a step so short that nothing moves
  for (;;) {
    const World world(recipe, {VTB_STEPPER_IMPULSE, VTB_SOLVER_PGS, kRate}, options);
    check(vtb_world_step(world.get(), 1));
    std::vector<vtb_shape> shapes;
    std::size_t total = 0;
    check(vtb_world_get_shapes(world.get(), nullptr, 0, &total));
    shapes.resize(total);
    check(vtb_world_get_shapes(world.get(), shapes.data(), total, &total));
    check(vtb_world_get_contacts(world.get(), nullptr, 0, 0, &total));
    std::vector<vtb_contact> contacts(total);
    check(vtb_world_get_contacts(world.get(), contacts.data(), total, 0, &total));
    // Shapes are numbered in the order of making, but figures have several.
    std::vector<std::size_t> owner;
    for (std::size_t i = 0; i < recipe.bodies.size(); i++) {
      std::size_t count = 1;
      if (!recipe.bodies[i].model.empty()) {
        Recipe alone;
        alone.bodies.push_back(recipe.bodies[i]);
        const World one(alone, {VTB_STEPPER_IMPULSE, VTB_SOLVER_PGS, kRate}, options);
        check(vtb_world_get_shapes(one.get(), nullptr, 0, &count));
      }
      owner.insert(owner.end(), count, i);
    }
    std::vector<bool> overlapping(recipe.bodies.size(), false);
    bool any = false;
    for (const vtb_contact& contact : contacts) {
      if (contact.gap >= -kTouch) continue;
      std::size_t last = 0;
      for (std::size_t i = 0; i < shapes.size(); i++)
        if (shapes[i].bits == contact.shape_a.bits || shapes[i].bits == contact.shape_b.bits) last = std::max(last, owner[i]);
      overlapping[last] = any = true;
    }
    if (!any) return;
    recipe = without(recipe, overlapping, std::vector<bool>(recipe.joints.size(), false));
  }
}

}  // namespace torture
