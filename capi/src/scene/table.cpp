// Every element and attribute of scene files: the only place that names them. Where an attribute is a field of a struct of vertebra.h it
// has that field's name. docs/reference/scene.md is printed from here.
#include "capi/src/scene/table.hpp"

#include "capi/src/scene/values.hpp"

namespace vertebra::capi::scene {

namespace {

using vertebra::scene::AttributeRule;
using vertebra::scene::kInclude;
using vertebra::scene::makeValues;
using vertebra::scene::Value;
using vertebra::scene::Word;
using Rules = std::vector<AttributeRule>;

Rules operator+(Rules a, const Rules& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

AttributeRule rule(Value value, const char* name, std::size_t offset, const char* about) {
  return {.name = name, .value = value, .offset = offset, .about = about};
}
AttributeRule needed(AttributeRule r) {
  r.required = true;
  return r;
}
AttributeRule number(const char* name, std::size_t offset, const char* about) { return rule(Value::Number, name, offset, about); }
AttributeRule vector(const char* name, std::size_t offset, const char* about, int count = 3) {
  return {.name = name, .value = Value::Number, .offset = offset, .about = about, .count = count};
}
AttributeRule numbers(const char* name, std::size_t offset, const char* about, int count = 1) {
  return {.name = name, .value = Value::Numbers, .offset = offset, .about = about, .count = count};
}
AttributeRule integer(const char* name, std::size_t offset, const char* about) { return rule(Value::Integer, name, offset, about); }
AttributeRule choice(const char* name, std::size_t offset, const char* about, std::vector<Word> words) {
  return {.name = name, .value = Value::Choice, .offset = offset, .about = about, .words = std::move(words)};
}
AttributeRule yesNo(const char* name, std::size_t offset, const char* about) {
  return choice(name, offset, about, {{"no", 0}, {"yes", 1}});
}
AttributeRule flag(const char* name, std::size_t offset, std::uint32_t mask, const char* about, bool inverted = false) {
  return {.name = name, .value = Value::Switch, .offset = offset, .about = about, .mask = mask, .inverted = inverted};
}
AttributeRule name(std::size_t offset) { return rule(Value::Name, "name", offset, "what others call it; without blanks"); }
AttributeRule reference(const char* attribute, std::size_t offset, const char* about) {
  return rule(Value::Reference, attribute, offset, about);
}
Rules pose(std::size_t offset, const char* position, const char* orientation) {
  return {vector("position", offset, position), rule(Value::Orientation, "orientation", offset + 3 * sizeof(double), orientation)};
}

#define FIELD(type, field) offsetof(type, field)

const std::vector<Word> kIntegrators{{"explicit_euler", VTB_ODE_EXPLICIT_EULER},
                                     {"symplectic_euler", VTB_ODE_SYMPLECTIC_EULER},
                                     {"implicit_euler", VTB_ODE_IMPLICIT_EULER},
                                     {"midpoint", VTB_ODE_MIDPOINT},
                                     {"rk4", VTB_ODE_RK4},
                                     {"dormand_prince", VTB_ODE_DORMAND_PRINCE}};
Rules integration(std::size_t step, std::size_t integrator) {
  std::vector<Word> words = kIntegrators;
  words.push_back({"world", -1});
  return {number("step", step, "s, longest one of what it belongs to (steppers impulse, spook, ode); 0 = the world's"),
          choice("integrator", integrator, "of what it belongs to, under the stepper ode", words)};
}

const std::vector<Word> kCombine{{"default", VTB_COMBINE_DEFAULT},   {"geometric_mean", VTB_COMBINE_GEOMETRIC_MEAN},
                                 {"average", VTB_COMBINE_AVERAGE},   {"minimum", VTB_COMBINE_MINIMUM},
                                 {"multiply", VTB_COMBINE_MULTIPLY}, {"maximum", VTB_COMBINE_MAXIMUM}};
const std::vector<Word> kLevel{{"position", VTB_ROW_POSITION}, {"velocity", VTB_ROW_VELOCITY}};
const std::vector<Word> kJointTypes{{"fixed", VTB_JOINT_FIXED},
                                    {"revolute", VTB_JOINT_REVOLUTE},
                                    {"continuous", VTB_JOINT_CONTINUOUS},
                                    {"prismatic", VTB_JOINT_PRISMATIC},
                                    {"universal", VTB_JOINT_UNIVERSAL},
                                    {"spherical", VTB_JOINT_SPHERICAL},
                                    {"planar", VTB_JOINT_PLANAR},
                                    {"floating", VTB_JOINT_FLOATING},
                                    {"cylindrical", VTB_JOINT_CYLINDRICAL},
                                    {"screw", VTB_JOINT_SCREW},
                                    {"wheel", VTB_JOINT_WHEEL},
                                    {"motor", VTB_JOINT_MOTOR},
                                    {"axis_angular", VTB_JOINT_AXIS_ANGULAR},
                                    {"axis_linear", VTB_JOINT_AXIS_LINEAR},
                                    {"distance", VTB_JOINT_DISTANCE},
                                    {"point_on_line", VTB_JOINT_POINT_ON_LINE},
                                    {"point_on_plane", VTB_JOINT_POINT_ON_PLANE},
                                    {"point_on_curve", VTB_JOINT_POINT_ON_CURVE},
                                    {"rotor", VTB_JOINT_ROTOR}};

#define SURFACE(field) FIELD(ShapeValues, def.field)
const Rules kSurface{
    number("friction", SURFACE(friction), "Coulomb coefficient while sliding"),
    number("static_friction", SURFACE(static_friction),
           "Coulomb coefficient up to which the pair sticks; below friction it counts as that"),
    number("rolling_friction", SURFACE(rolling_friction), "m, of torques against rolling per normal force"),
    number("torsional_friction", SURFACE(torsional_friction), "m, likewise against turning about the normal"),
    number("restitution", SURFACE(restitution), "Newton's coefficient, 0 to 1"),
    choice("friction_combine", SURFACE(friction_combine), "how a pair makes one friction of two", kCombine),
    choice("restitution_combine", SURFACE(restitution_combine), "how a pair makes one restitution of two", kCombine),
    number("contact_stiffness", SURFACE(contact_stiffness), "N/m or N/m^1.5, of a penalty contact in place of a rigid one; 0 = rigid"),
    number("contact_damping", SURFACE(contact_damping), "N s/m or s/m"),
    flag("hertz", SURFACE(surface_flags), VTB_SURFACE_HERTZ, "its penalty contact follows Hertz"),
    flag("stabilised", SURFACE(surface_flags), VTB_SURFACE_STABILISED, "stepper ode: no rollback for its contacts"),
    {.name = "rgba", .value = Value::Colour, .offset = SURFACE(rgba), .about = "colour for display"},
};
const Rules kPlaced =
    Rules{name(FIELD(ShapeValues, name))} +
    pose(SURFACE(pose), "m, in the group's or the body's frame; of the scene's own shapes: in the scene", "of its axes there");
const Rules kTouch =
    Rules{reference("material", FIELD(ShapeValues, material), "a material whose values hold where the shape gives none"),
          {.name = "category", .value = Value::Bits, .offset = SURFACE(category), .about = "bits it belongs to"},
          {.name = "mask", .value = Value::Bits, .offset = SURFACE(mask), .about = "bits it collides with; both sides must agree"}} +
    kSurface;
const Rules kScaledFile{
    rule(Value::File, "file", FIELD(ShapeValues, file), "mesh file: STL, OBJ, DAE, glTF, PLY"),
    vector("scale", FIELD(ShapeValues, scale), "of the file's coordinates"),
};
const std::vector<const ElementRule*> kShapes{&kSphere, &kCapsule, &kBox, &kCylinder, &kPlane, &kConvex, &kMesh, &kCompound, &kHeightfield};

#define SET(field) FIELD(SettingsValues, def.field)
#define JOINT(field) FIELD(JointValues, def.field)
#define AXIS(field) FIELD(AxisValues, def.field)
#define MOTOR(field) FIELD(MotorValues, def.field)
#define FORCE(field) FIELD(FieldValues, def.field)
#define PART(field) FIELD(DrivelineValues, def.field)
#define DRIVER(field) FIELD(DrivelineValues, input.field)
#define MEASURE(field) FIELD(PointsValues, def.field)
#define GRAINS(field) FIELD(ParticlesValues, def.field)
#define EMIT(field) FIELD(EmitterValues, def.field)
#define GRAIN(field) FIELD(ParticleValues, particle.field)

const Rules kMotorRules{
    integer("axis", FIELD(MotorValues, axis), "which axis of the joint, from 0"),
    choice("mode", MOTOR(mode),
           "position: stiffness * (position - q) + damping * (velocity - v); velocity: damping * (velocity - v); torque: force",
           {{"off", VTB_MOTOR_OFF}, {"position", VTB_MOTOR_POSITION}, {"velocity", VTB_MOTOR_VELOCITY}, {"torque", VTB_MOTOR_TORQUE}}),
    number("position", MOTOR(position), "rad or m"),
    number("velocity", MOTOR(velocity), "rad/s or m/s"),
    number("force", MOTOR(force), "N m or N, added in every mode"),
    number("stiffness", MOTOR(stiffness), "N m/rad or N/m"),
    number("damping", MOTOR(damping), "N m s/rad or N s/m; inf (mode velocity): as strong as the bound allows"),
    number("max_force", MOTOR(max_force), "N m or N; the axis' effort bounds as well"),
};
const Rules kOrientationMotorRules{
    rule(Value::Orientation, "orientation", FIELD(OrientationMotorValues, orientation), "the target, child in parent's joint frame"),
    vector("velocity", FIELD(OrientationMotorValues, velocity), "rad/s, the target's"),
    number("stiffness", FIELD(OrientationMotorValues, stiffness), "N m/rad"),
    number("damping", FIELD(OrientationMotorValues, damping), "N m s/rad"),
    number("max_force", FIELD(OrientationMotorValues, maxForce), "N m, of each axis"),
};
const Rules kCoordinateRules{
    numbers("q", FIELD(CoordinatesValues, q), "coordinates, in the order of vertebra.h"),
    numbers("v", FIELD(CoordinatesValues, v), "velocities, likewise"),
};

}  // namespace

const ElementRule kScene{"scene",
                         "A whole file. Elements may stand in any order and refer to later ones.",
                         makeValues<SceneValues>,
                         {rule(Value::Text, "name", FIELD(SceneValues, name), "for people")},
                         {&kSettings, &kInclude,   &kMaterial, &kBody,        &kSphere,      &kCapsule, &kBox,   &kCylinder, &kPlane,
                          &kConvex,   &kMesh,      &kCompound, &kHeightfield, &kFigure,      &kMotion,  &kJoint, &kCoupling, &kDriveline,
                          &kPoints,   &kParticles, &kField,    &kForce,       &kNoCollision, &kCamera,  &kState}};

const ElementRule kSettings{
    "settings",
    "How the world is stepped, as in vtb_world_def. At most once; those of included files do not count.",
    makeValues<SettingsValues>,
    {
        vector("gravity", SET(gravity), "m/s^2"),
        number("time_step", SET(time_step), "s"),
        integer("substeps", SET(substeps), "physics steps in one step, each of time_step / substeps"),
        choice("stepper", SET(stepper), "how time goes on",
               {{"impulse", VTB_STEPPER_IMPULSE},
                {"variational", VTB_STEPPER_VARIATIONAL},
                {"ode", VTB_STEPPER_ODE},
                {"spook", VTB_STEPPER_SPOOK},
                {"displacement", VTB_STEPPER_DISPLACEMENT}}),
        choice("tree_solver", SET(tree_solver), "how joints of trees are kept",
               {{"articulated", VTB_TREE_SOLVER_ARTICULATED}, {"sparse", VTB_TREE_SOLVER_SPARSE}, {"dense", VTB_TREE_SOLVER_DENSE}}),
        flag("free_poses", SET(flags), VTB_WORLD_FREE_POSES,
             "each body keeps a pose of its own and every joint is a constraint between two"),
        flag("planar", SET(flags), VTB_WORLD_PLANAR, "free bodies keep their height y and turn about y alone"),
        choice("stabilisation", SET(stabilisation), "what keeps joints outside trees together",
               {{"newton", VTB_STABILISE_NEWTON}, {"baumgarte", VTB_STABILISE_BAUMGARTE}, {"none", VTB_STABILISE_NONE}}),
        number("baumgarte", SET(baumgarte), "1/s"),
        number("spook_compliance", SET(spook_compliance), "m/N, rad/(N m)"),
        number("spook_relaxation", SET(spook_relaxation), "s, in which an error fades"),
        number("spook_gamma", SET(spook_gamma), "m/(N s), rad/(N m s), of velocity rows"),
        number("displacement_regularisation", SET(displacement_regularisation), "added to each row's inverse mass, as a share of it"),
        number("displacement_warm_start", SET(displacement_warm_start),
               "share of the last step's impulses that sweeps start from; -1: 0.8 where only contacts act, else 0"),
        flag("displacement_blocks", SET(displacement_flags), VTB_DISPLACEMENT_BLOCKS, "joints' held directions all at once"),
        flag("displacement_frozen", SET(displacement_flags), VTB_DISPLACEMENT_FROZEN,
             "directions, arms and inverse masses of the predicted poses in all sweeps"),
        flag("displacement_gyroscopic", SET(displacement_flags), VTB_DISPLACEMENT_GYROSCOPIC,
             "with what turning does to the angular momentum in the bodies' inertia"),
        choice("ode_integrator", SET(ode_integrator), "of stepper ode", kIntegrators),
        choice("ode_control", SET(ode_control), "of its steps",
               {{"fixed", VTB_ODE_FIXED}, {"doubling", VTB_ODE_DOUBLING}, {"embedded", VTB_ODE_EMBEDDED}}),
        number("ode_tolerance", SET(ode_tolerance), "of adaptive steps: largest error of one in any coordinate or velocity"),
        number("ode_smallest_step", SET(ode_smallest_step), "s"),
        number("ode_rollback_depth", SET(ode_rollback_depth),
               "m or rad that a contact or limit may be passed before its bodies are taken back"),
        flag("ode_velocity_bilateral", SET(ode_velocity_rows), VTB_ODE_VELOCITY_BILATERAL,
             "joints outside trees and couplings hold at velocity level"),
        flag("ode_velocity_unilateral", SET(ode_velocity_rows), VTB_ODE_VELOCITY_UNILATERAL,
             "contacts, limits and dry friction hold at velocity level"),
        choice("solver", SET(solver), "how contacts and limits are solved",
               {{"pgs", VTB_SOLVER_PGS},
                {"dantzig", VTB_SOLVER_DANTZIG},
                {"jacobi", VTB_SOLVER_JACOBI},
                {"cg", VTB_SOLVER_CG},
                {"lemke", VTB_SOLVER_LEMKE}}),
        integer("solver_iterations", SET(solver_iterations), "largest number of sweeps; of dantzig: passes over friction limits"),
        number("solver_tolerance", SET(solver_tolerance), "m/s at which sweeps end"),
        number("solver_relaxation", SET(solver_relaxation), "factor on each step of a sweep, above 0, below 2"),
        choice("solver_order", SET(solver_order), "of pgs",
               {{"forward", VTB_SWEEP_FORWARD},
                {"backward", VTB_SWEEP_BACKWARD},
                {"symmetric", VTB_SWEEP_SYMMETRIC},
                {"shuffled", VTB_SWEEP_SHUFFLED}}),
        yesNo("solver_whole_contacts", SET(solver_whole_contacts), "sweeps solve a contact's three rows at once"),
        yesNo("solver_accelerate", SET(solver_accelerate), "pgs adds conjugate directions and Newton's steps"),
        choice("friction_law", SET(friction_law), "how a contact's friction is bounded",
               {{"cone", VTB_FRICTION_CONE},
                {"pyramid", VTB_FRICTION_PYRAMID},
                {"pyramid_along_sliding", VTB_FRICTION_PYRAMID_ALONG_SLIDING},
                {"polyhedral", VTB_FRICTION_POLYHEDRAL},
                {"estimated", VTB_FRICTION_ESTIMATED},
                {"loetstedt", VTB_FRICTION_LOETSTEDT}}),
        integer("friction_directions", SET(friction_directions), "of lemke's polygon, 3 to 256"),
        number("contact_margin", SET(contact_margin), "m; contacts are seen from this gap on, unless nothing can close it in a step"),
        number("contact_slop", SET(contact_slop), "m of penetration left alone"),
        number("contact_correction", SET(contact_correction), "share of penetration removed in a step"),
        number("contact_speed", SET(contact_speed), "m/s, largest speed of that removal"),
        number("restitution_speed", SET(restitution_speed), "m/s, approach below this does not bounce"),
        choice("restitution_law", SET(restitution_law), "how bodies bounce",
               {{"newton", VTB_RESTITUTION_NEWTON}, {"poisson", VTB_RESTITUTION_POISSON}}),
        integer("adaptive_substeps", SET(adaptive_substeps),
                "a step that diverges or goes too deep is made again in parts, down to this share"),
        number("adaptive_depth", SET(adaptive_depth), "m by which a contact may get deeper in a step before that"),
        number("time_budget", SET(time_budget), "s of the clock for each step, beyond which accuracy is given up; 0 = none"),
        flag("continuous", SET(flags), VTB_WORLD_NO_CONTINUOUS, "look for impacts of fast bodies within a step", true),
        number("max_speed", SET(max_speed), "m/s, cap on any body"),
        number("max_angular_speed", SET(max_angular_speed), "rad/s"),
        flag("sleep", SET(flags), VTB_WORLD_NO_SLEEP, "islands at rest are skipped", true),
        number("sleep_speed", SET(sleep_speed), "m/s below which a body is idle"),
        number("sleep_angular_speed", SET(sleep_angular_speed), "rad/s"),
        number("sleep_time", SET(sleep_time), "s idle before an island sleeps"),
        integer("max_halvings", SET(max_halvings), "of a smooth island's step"),
        flag("energy_correction", SET(flags), VTB_WORLD_NO_ENERGY_CORRECTION, "smooth islands are corrected towards their energy", true),
        flag("energy_account", SET(flags), VTB_WORLD_ENERGY_ACCOUNT, "keep the accounts of work and losses"),
        flag("stage_times", SET(flags), VTB_WORLD_STAGE_TIMES, "read the clock between the stages of a step"),
        flag("contact_positions", SET(flags), VTB_WORLD_CONTACT_POSITIONS, "penetration is removed by displacements, which give no speed"),
        flag("persist_events", SET(flags), VTB_WORLD_PERSIST_EVENTS, "contact events also for pairs that go on touching"),
    },
    {}};

const ElementRule kMaterial{"material",
                            "A surface and a colour that shapes share.",
                            makeValues<ShapeValues>,
                            Rules{needed(name(FIELD(ShapeValues, name)))} + kSurface,
                            {}};

const ElementRule kBody{
    "body",
    "A rigid body with the shapes in it. Without inertia its mass properties come from the shapes: at the density, or scaled to the mass.",
    makeValues<BodyValues>,
    Rules{name(FIELD(BodyValues, name)),
          choice("kind", FIELD(BodyValues, def.kind), "what moves it: nothing, its velocity, physics",
                 {{"static", VTB_BODY_STATIC}, {"kinematic", VTB_BODY_KINEMATIC}, {"dynamic", VTB_BODY_DYNAMIC}})} +
        pose(FIELD(BodyValues, def.pose), "m, in the scene", "of its axes in the scene") +
        Rules{vector("velocity", FIELD(BodyValues, def.twist), "m/s, of its origin"),
              vector("angular_velocity", FIELD(BodyValues, def.twist) + 3 * sizeof(double), "rad/s, scene axes"),
              number("mass", FIELD(BodyValues, def.mass), "kg"),
              number("density", FIELD(BodyValues, density), "kg/m^3, where no mass is given"),
              vector("com", FIELD(BodyValues, def.com), "m, centre of mass in its frame; counts with inertia only"),
              vector("inertia", FIELD(BodyValues, def.inertia), "kg m^2: xx xy xz yy yz zz about the centre of mass, its axes", 6),
              number("gravity_scale", FIELD(BodyValues, def.gravity_scale), "share of gravity it feels")} +
        integration(FIELD(BodyValues, def.step), FIELD(BodyValues, def.integrator)) +
        Rules{yesNo("disabled", FIELD(BodyValues, def.disabled), "kept, but takes no part")},
    kShapes};

const ElementRule kSphere{"sphere",
                          "A ball.",
                          makeValues<TypedShape<VTB_SHAPE_SPHERE>>,
                          kPlaced + Rules{needed(number("radius", SURFACE(size), "m"))} + kTouch,
                          {}};
const ElementRule kCapsule{"capsule",
                           "A cylinder along z with half balls on its ends.",
                           makeValues<TypedShape<VTB_SHAPE_CAPSULE>>,
                           kPlaced +
                               Rules{needed(number("radius", SURFACE(size), "m")),
                                     needed(number("half_length", SURFACE(size) + 2 * sizeof(double), "m, of the cylinder part"))} +
                               kTouch,
                           {}};
const ElementRule kBox{"box",
                       "A box.",
                       makeValues<TypedShape<VTB_SHAPE_BOX>>,
                       kPlaced + Rules{needed(vector("half_extents", SURFACE(size), "m"))} + kTouch,
                       {}};
const ElementRule kCylinder{
    "cylinder",
    "A cylinder along z.",
    makeValues<TypedShape<VTB_SHAPE_CYLINDER>>,
    kPlaced + Rules{needed(number("radius", SURFACE(size), "m")), needed(number("half_length", SURFACE(size) + 2 * sizeof(double), "m"))} +
        kTouch,
    {}};
const ElementRule kPlane{
    "plane", "Solid below its z = 0; of the scene and of static bodies.", makeValues<TypedShape<VTB_SHAPE_PLANE>>, kPlaced + kTouch, {}};
const ElementRule kConvex{"convex",
                          "A convex solid: the hull of points or of a file's, or what lies within planes.",
                          makeValues<TypedShape<VTB_SHAPE_CONVEX>>,
                          kPlaced +
                              Rules{numbers("points", FIELD(ShapeValues, points), "m: x y z of each", 3),
                                    numbers("planes", FIELD(ShapeValues, planes), "outward normal and distance of each", 4)} +
                              kScaledFile + kTouch,
                          {}};
const ElementRule kMesh{"mesh",
                        "Triangles: a surface on static bodies, a solid of convex parts on any.",
                        makeValues<TypedShape<VTB_SHAPE_MESH>>,
                        kPlaced + kScaledFile +
                            Rules{numbers("points", FIELD(ShapeValues, points), "m: x y z of each, in place of a file", 3),
                                  {.name = "triangles",
                                   .value = Value::Indices,
                                   .offset = FIELD(ShapeValues, triangles),
                                   .about = "three points each, from 0, counter-clockwise from outside",
                                   .count = 3},
                                  {.name = "convex_parts",
                                   .value = Value::Bits,
                                   .offset = SURFACE(convex_parts),
                                   .about = "largest number of convex parts to cut it into; 0 = none"},
                                  number("convex_tolerance", SURFACE(convex_tolerance),
                                         "cutting ends where the parts exceed the volume by no more than this share")} +
                            kTouch,
                        {}};
const ElementRule kCompound{"compound", "A frame for the shapes in it.", makeValues<TypedShape<VTB_SHAPE_COMPOUND>>, kPlaced, kShapes};
const ElementRule kHeightfield{
    "heightfield",
    "Terrain over a grid, solid below; of the scene, static and kinematic bodies.",
    makeValues<TypedShape<VTB_SHAPE_HEIGHTFIELD>>,
    kPlaced +
        Rules{needed({.name = "rows", .value = Value::Bits, .offset = SURFACE(height_rows), .about = "samples along y, at least 2"}),
              needed({.name = "columns", .value = Value::Bits, .offset = SURFACE(height_columns), .about = "samples along x, at least 2"}),
              needed(vector("spacing", SURFACE(size), "m between samples along x and y", 2)),
              number("depth", SURFACE(size) + 2 * sizeof(double), "m of the solid below the lowest height"),
              needed(numbers("heights", FIELD(ShapeValues, heights), "m, row by row"))} +
        kTouch,
    {}};

const ElementRule kJoint{
    "joint",
    "What joins two bodies, or a body and the scene; or, as a rotor, a shaft by itself. Its frame is given in the scene (position, "
    "orientation), which holds for both bodies where they stand; or in each body by itself.",
    makeValues<JointValues>,
    Rules{name(FIELD(JointValues, name)), needed(choice("type", JOINT(type), "how it lets b move against a", kJointTypes)),
          reference("a", FIELD(JointValues, a), "body, parent; none or world = the scene; links of a figure as figure/link"),
          reference("b", FIELD(JointValues, b), "body, child")} +
        pose(FIELD(JointValues, pose), "m, the joint's frame in the scene", "of the joint's axes in the scene") +
        Rules{vector("position_a", JOINT(frame_a), "m, the joint's frame in a"),
              rule(Value::Orientation, "orientation_a", JOINT(frame_a) + 3 * sizeof(double), "of its axes in a"),
              vector("position_b", JOINT(frame_b), "m, the joint's frame in b"),
              rule(Value::Orientation, "orientation_b", JOINT(frame_b) + 3 * sizeof(double), "of its axes in b"),
              vector("axis", JOINT(axis),
                     "unit, in the joint's frame: of turning or sliding, normal of planar, twist axis of spherical, the "
                     "parent's of universal, of travel and steering of wheel"),
              vector("axis2", JOINT(axis2), "unit: the child's axis of universal, the axle of wheel"),
              numbers("q", FIELD(JointValues, q), "coordinates at the start, in the order of vertebra.h"),
              numbers("v", FIELD(JointValues, v), "velocities at the start"),
              number("swing", JOINT(swing), "rad, spherical: largest angle between the twist axes"),
              number("twist_lower", JOINT(twist_lower), "rad, spherical"),
              number("twist_upper", JOINT(twist_upper), "rad, spherical"),
              number("pitch", JOINT(pitch), "m a turn, screw"),
              number("stiffness", JOINT(stiffness), "N/m, of what the joint holds; inf: rigid"),
              number("damping", JOINT(damping), "N s/m"),
              number("angular_stiffness", JOINT(angular_stiffness), "N m/rad"),
              number("angular_damping", JOINT(angular_damping), "N m s/rad"),
              number("break_force", JOINT(break_force), "N, beyond which it breaks"),
              number("break_torque", JOINT(break_torque), "N m"),
              number("relaxation", JOINT(relaxation), "stepper displacement: factor on solver_relaxation"),
              number("regularisation", JOINT(regularisation), "added to displacement_regularisation"),
              flag("bodies_collide", JOINT(flags), VTB_JOINT_BODIES_COLLIDE, "the two bodies may touch each other"),
              numbers("points", FIELD(JointValues, points), "m: x y z of each point of the curve, in the joint's frame in a", 3),
              flag("spline", JOINT(curve_flags), VTB_CURVE_SPLINE, "the curve is smooth"),
              flag("closed", JOINT(curve_flags), VTB_CURVE_CLOSED, "the curve ends where it begins")},
    {&kAxis, &kMotor, &kOrientationMotor, &kTarget}};

const ElementRule kAxis{
    "axis",
    "Limits, spring and losses of one axis of the joint.",
    makeValues<AxisValues>,
    {integer("index", FIELD(AxisValues, index), "which axis, from 0"), number("lower", AXIS(lower), "rad or m, hard limit"),
     number("upper", AXIS(upper), "rad or m"), number("velocity", AXIS(velocity), "rad/s or m/s, largest rate"),
     number("effort", AXIS(effort), "N m or N, largest motor force"), number("damping", AXIS(damping), "N m s/rad or N s/m"),
     number("friction", AXIS(friction), "N m or N, dry"), number("stiffness", AXIS(stiffness), "N m/rad or N/m, of a spring towards rest"),
     number("rest", AXIS(rest), "rad or m"), number("armature", AXIS(armature), "kg m^2 or kg, of a rotor on it"),
     number("restitution", AXIS(restitution), "of the hard limits, 0 to 1")},
    {}};
const ElementRule kMotor{"motor", "The drive of one axis of the joint.", makeValues<MotorValues>, kMotorRules, {}};
const ElementRule kOrientationMotor{
    "orientation_motor", "The drive of a spherical joint.", makeValues<OrientationMotorValues>, kOrientationMotorRules, {}};
const ElementRule kTarget{"target",
                          "Where a joint of type motor wants b's joint frame in a's.",
                          makeValues<TargetValues>,
                          pose(FIELD(TargetValues, pose), "m", "of the axes") +
                              Rules{vector("velocity", FIELD(TargetValues, twist), "m/s"),
                                    vector("angular_velocity", FIELD(TargetValues, twist) + 3 * sizeof(double), "rad/s")},
                          {}};

const ElementRule kCoupling{
    "coupling",
    "Gears, racks, differentials, clutches: q of b = ratio * q of a + offset, or, with terms, sum of coefficient * q = offset.",
    makeValues<CouplingValues>,
    {name(FIELD(CouplingValues, name)), reference("a", FIELD(CouplingValues, a), "joint with one axis"),
     reference("b", FIELD(CouplingValues, b), "joint with one axis"), number("ratio", FIELD(CouplingValues, def.ratio), ""),
     number("offset", FIELD(CouplingValues, def.offset), "rad or m; at level velocity a rate"),
     choice("level", FIELD(CouplingValues, def.level), "whether coordinates or only rates are coupled", kLevel),
     number("stiffness", FIELD(CouplingValues, def.stiffness), "inf: exact"), number("damping", FIELD(CouplingValues, def.damping), ""),
     number("max_force", FIELD(CouplingValues, def.max_force), "on a coefficient of one, beyond which it slips")},
    {&kTerm}};
const ElementRule kTerm{
    "term",
    "One axis of a coupling.",
    makeValues<TermValues>,
    {needed(reference("joint", FIELD(TermValues, joint), "of any type with single coordinates")),
     integer("axis", FIELD(TermValues, term.axis), "from 0"), number("coefficient", FIELD(TermValues, term.coefficient), "")},
    {}};

const ElementRule kDriveline{
    "driveline",
    "A part of a driveline over rotors or axes of joints, which its terms name in the order of vtb_driveline_create. Attributes from gear "
    "on "
    "are the driver's, at the start.",
    makeValues<DrivelineValues>,
    {name(FIELD(DrivelineValues, name)),
     needed(choice("type", PART(type), "and the order of its terms: see vtb_driveline_def",
                   {{"engine", VTB_DRIVELINE_ENGINE},
                    {"converter", VTB_DRIVELINE_CONVERTER},
                    {"gearbox", VTB_DRIVELINE_GEARBOX},
                    {"differential", VTB_DRIVELINE_DIFFERENTIAL},
                    {"pump", VTB_DRIVELINE_PUMP},
                    {"cylinder", VTB_DRIVELINE_CYLINDER}})),
     numbers("speeds", FIELD(DrivelineValues, speeds), "rad/s, ascending: engine"),
     numbers("throttles", FIELD(DrivelineValues, throttles), "0 to 1, ascending: engine"),
     numbers("torques", FIELD(DrivelineValues, torques), "N m of the gases, a row of speeds for each throttle"),
     vector("friction", PART(friction), "engine, against the motion: N m, N m s, N m s^2"),
     number("governor_gain", PART(governor_gain), "throttle per rad/s that the speed is below its target"),
     number("governor_rate", PART(governor_rate), "throttle per s and rad/s of that"),
     number("fuel", PART(fuel), "kg per J that the gases do"),
     numbers("ratios", FIELD(DrivelineValues, ratios),
             "converter: output by input speed, 0 to 1; gearbox: input by output speed, 0 = neutral"),
     numbers("torque_ratios", FIELD(DrivelineValues, torqueRatios), "converter: output by input torque, of each ratio"),
     numbers("capacities", FIELD(DrivelineValues, capacities), "N m s^2, converter: input torque by its speed squared, of each ratio"),
     number("ratio", PART(ratio), "differential: input by mean output speed"),
     number("split", PART(split), "differential: share of the torque that goes left"),
     number("max_torque", PART(max_torque), "N m, of lock-up, clutch or lock: beyond it they slip"),
     number("shift_time", PART(shift_time), "s, gearbox"),
     number("preload", PART(preload), "N m, differential of limited slip"),
     number("bias", PART(bias), "and the share of the driven torque that adds to it"),
     number("efficiency", PART(efficiency), "gearbox, differential, pump"),
     number("drag", PART(drag), "N m, the same: lost always"),
     number("pressure", PART(pressure), "Pa, pump, cylinder: of the relief valve"),
     number("leak", PART(leak), "m^3/s per Pa"),
     number("flow", PART(flow), "m^3/s, cylinder: at full stroke"),
     number("area_ratio", PART(area_ratio), "of the cylinders' ring side to their area"),
     integer("gear", DRIVER(gear), "gearbox: which ratio, from 0"),
     number("throttle", DRIVER(throttle), "engine: at least, 0 to 1"),
     number("speed", DRIVER(speed), "rad/s, engine: the governor's target"),
     number("clutch", DRIVER(clutch), "gearbox: share of max_torque, 0 to 1"),
     number("lock", DRIVER(lock), "converter, differential: share of max_torque, 0 to 1"),
     number("stroke", DRIVER(stroke), "pump, cylinder: -1 to 1")},
    {&kTerm}};

const ElementRule kPoints{
    "points",
    "A measure over its points that is kept: the length of the line through them (a rope as one), the volume of the tetrahedron of four.",
    makeValues<PointsValues>,
    {name(FIELD(PointsValues, name)),
     choice("measure", MEASURE(measure), "what is kept", {{"length", VTB_POINTS_LENGTH}, {"volume", VTB_POINTS_VOLUME}}),
     number("value", MEASURE(value), "m or m^3; 0: as it is at the start"), number("lower", MEASURE(lower), "N, least force"),
     number("upper", MEASURE(upper), "N, largest; 0: a rope that may be shorter"),
     number("stiffness", MEASURE(stiffness), "N/m; inf: rigid"), number("damping", MEASURE(damping), "N s/m")},
    {&kPoint}};
const ElementRule kPoint{"point",
                         "One point.",
                         makeValues<PointValues>,
                         {reference("body", FIELD(PointValues, body), "that carries it; none or world: it is fixed"),
                          vector("position", FIELD(PointValues, position), "m, in the body; of a fixed one: in the scene")},
                         {}};

const ElementRule kParticles{
    "particles",
    "A system of balls that do not turn, with those in it at the start, what makes them and what takes them away.",
    makeValues<ParticlesValues>,
    {name(FIELD(ParticlesValues, name)),
     {.name = "max_count", .value = Value::Bits, .offset = GRAINS(max_count), .about = "room for so many"},
     integer("iterations", GRAINS(iterations), "sweeps over contacts in a step, at most"),
     flag("touch_each_other", GRAINS(flags), VTB_PARTICLES_NO_PAIRS, "they have contacts with each other", true),
     flag("touch_shapes", GRAINS(flags), VTB_PARTICLES_NO_SHAPES, "and with shapes", true),
     {.name = "category", .value = Value::Bits, .offset = GRAINS(category), .about = "bits they belong to"},
     {.name = "mask", .value = Value::Bits, .offset = GRAINS(mask), .about = "bits of shapes they collide with; both sides must agree"},
     number("friction", GRAINS(friction), "Coulomb coefficient"),
     number("restitution", GRAINS(restitution), "Newton's coefficient, 0 to 1"),
     choice("friction_combine", GRAINS(friction_combine), "how a pair makes one friction of two", kCombine),
     choice("restitution_combine", GRAINS(restitution_combine), "how a pair makes one restitution of two", kCombine),
     number("gravity_scale", GRAINS(gravity_scale), "share of gravity they feel")},
    {&kParticle, &kEmitter, &kSink}};
const ElementRule kParticle{
    "particle",
    "One that is there at the start.",
    makeValues<ParticleValues>,
    {vector("position", GRAIN(position), "m, in the scene"), vector("velocity", GRAIN(velocity), "m/s"), number("mass", GRAIN(mass), "kg"),
     number("radius", GRAIN(radius), "m"), number("life", GRAIN(life), "s it has left")},
    {}};
const ElementRule kEmitter{"emitter",
                           "A disc that throws particles into a cone about its normal.",
                           makeValues<EmitterValues>,
                           {vector("position", EMIT(position), "m, in the scene"),
                            vector("direction", EMIT(direction), "of any length but 0"),
                            number("disc_radius", EMIT(disc_radius), "m"),
                            number("cone_angle", EMIT(cone_angle), "rad, between the cone's axis and its side"),
                            number("speed", EMIT(speed), "m/s"),
                            number("speed_spread", EMIT(speed_spread), "m/s to either side"),
                            number("rate", EMIT(rate), "particles a second"),
                            number("mass", EMIT(mass), "kg, of each"),
                            number("radius", EMIT(radius), "m"),
                            number("life", EMIT(life), "s"),
                            {.name = "seed", .value = Value::Bits, .offset = FIELD(EmitterValues, seed), .about = "of its random numbers"}},
                           {}};
const ElementRule kSink{"sink",
                        "Takes particles whose centre is inside.",
                        makeValues<SinkValues>,
                        Rules{choice("type", FIELD(SinkValues, def.type), "half_space: below its z = 0",
                                     {{"half_space", VTB_SINK_HALF_SPACE}, {"box", VTB_SINK_BOX}, {"sphere", VTB_SINK_SPHERE}})} +
                            pose(FIELD(SinkValues, def.pose), "m, in the scene", "of its axes") +
                            Rules{vector("size", FIELD(SinkValues, def.size), "m: half extents of a box; the first is a sphere's radius")},
                        {}};

const ElementRule kField{
    "field",
    "A force by where bodies are and how they move.",
    makeValues<FieldValues>,
    {name(FIELD(FieldValues, name)),
     needed(choice("type", FORCE(type), "see vtb_field_def",
                   {{"radial", VTB_FIELD_RADIAL},
                    {"pairwise", VTB_FIELD_PAIRWISE},
                    {"drag", VTB_FIELD_DRAG},
                    {"magnus", VTB_FIELD_MAGNUS},
                    {"lennard_jones", VTB_FIELD_LENNARD_JONES},
                    {"attractor", VTB_FIELD_ATTRACTOR}})),
     rule(Value::References, "bodies", FIELD(FieldValues, bodies), "whom it acts on; none = all that move by physics"),
     reference("particles", FIELD(FieldValues, particles), "a system it acts on; on bodies then only if they are named"),
     reference("source", FIELD(FieldValues, source), "radial: from this body"), vector("point", FORCE(point), "m"),
     vector("wind", FORCE(wind), "m/s: drag, Magnus"), number("strength", FORCE(strength), "by type"),
     number("exponent", FORCE(exponent), "attractor"), number("range", FORCE(range), "m: pairs, attractor"),
     number("softening", FORCE(softening), "m, added to distances of gravitation in the square"),
     number("length", FORCE(length), "m: Lennard-Jones"), number("linear", FORCE(linear), "N s/m: drag"),
     number("quadratic", FORCE(quadratic), "N s^2/m^2"), number("angular", FORCE(angular), "N m s")},
    {}};
const ElementRule kForce{"force",
                         "A force and a torque that last, scene axes.",
                         makeValues<ForceValues>,
                         {needed(reference("body", FIELD(ForceValues, body), "whom it acts on")),
                          vector("force", FIELD(ForceValues, force), "N"), vector("torque", FIELD(ForceValues, torque), "N m"),
                          vector("point", FIELD(ForceValues, point), "m, where at the start, in the scene; else at the centre of mass")},
                         {}};
const ElementRule kNoCollision{
    "no_collision",
    "Two bodies that pass through each other.",
    makeValues<PairValues>,
    {needed(reference("a", FIELD(PairValues, a), "body, or world")), needed(reference("b", FIELD(PairValues, b), "body, or world"))},
    {}};

const ElementRule kFigure{
    "figure",
    "An articulated figure from a URDF or BVH file. Its links and joints have the names figure/link and figure/joint.",
    makeValues<FigureValues>,
    Rules{needed(name(FIELD(FigureValues, name))),
          needed(rule(Value::File, "file", FIELD(FigureValues, file), "URDF, or BVH (by its ending)")),
          choice("base", FIELD(FigureValues, def.base), "of its root",
                 {{"default", VTB_BASE_DEFAULT}, {"fixed", VTB_BASE_FIXED}, {"floating", VTB_BASE_FLOATING}})} +
        pose(FIELD(FigureValues, def.pose), "m, of the root link in the scene", "of its axes in the scene") +
        Rules{flag("mimic", FIELD(FigureValues, def.flags), VTB_FIGURE_NO_MIMIC, "mimic joints follow", true),
              flag("self_collision", FIELD(FigureValues, def.flags), VTB_FIGURE_NO_SELF_COLLISION, "its links may touch each other", true),
              flag("meshes", FIELD(FigureValues, load), VTB_LOAD_NO_MESHES, "URDF: mesh files are read", true),
              flag("derive_collision", FIELD(FigureValues, load), VTB_LOAD_DERIVE_COLLISION,
                   "URDF: a link without collision shape gets one from its visual or its bones"),
              choice("missing_inertia", FIELD(FigureValues, inertia), "URDF: what becomes of it",
                     {{"lenient", VTB_INERTIA_LENIENT}, {"geometry", VTB_INERTIA_GEOMETRY}, {"error", VTB_INERTIA_ERROR}}),
              number("mass", FIELD(FigureValues, mass), "kg, BVH; 0 = from the height")} +
        integration(FIELD(FigureValues, def.step), FIELD(FigureValues, def.integrator)),
    {&kPose, &kFigureMotor, &kFigureOrientationMotor}};
const ElementRule kPose{
    "pose",
    "Where a joint of the figure is at the start.",
    makeValues<CoordinatesValues>,
    Rules{needed(rule(Value::Text, "joint", FIELD(CoordinatesValues, name), "its name in the file"))} + kCoordinateRules,
    {}};
const ElementRule kFigureMotor{"motor",
                               "The drive of one axis of a joint of the figure.",
                               makeValues<MotorValues>,
                               Rules{needed(rule(Value::Text, "joint", FIELD(MotorValues, joint), "its name in the file"))} + kMotorRules,
                               {}};
const ElementRule kFigureOrientationMotor{
    "orientation_motor",
    "The drive of a spherical joint of the figure.",
    makeValues<OrientationMotorValues>,
    Rules{needed(rule(Value::Text, "joint", FIELD(OrientationMotorValues, joint), "its name in the file"))} + kOrientationMotorRules,
    {}};

const ElementRule kMotion{
    "motion",
    "A clip that a figure's motors follow, joint by joint of the same name; its base goes free, or is driven by a joint of type motor.",
    makeValues<MotionValues>,
    {needed(reference("figure", FIELD(MotionValues, figure), "who follows it")),
     needed(rule(Value::File, "file", FIELD(MotionValues, file), "BVH")),
     needed(number("stiffness", FIELD(MotionValues, stiffness), "N m/rad or N/m, of all axes")),
     needed(number("damping", FIELD(MotionValues, damping), "N m s/rad or N s/m")),
     number("max_force", FIELD(MotionValues, maxForce), "N m or N; an axis' effort bounds as well"),
     reference(
         "root", FIELD(MotionValues, root),
         "joint of type motor to the root link, whose gains and bounds move it to where the clip's root is in the joint's frame in a"),
     number("start", FIELD(MotionValues, start), "s of the clip at time 0"),
     number("speed", FIELD(MotionValues, speed), "s of the clip in a second"), yesNo("loop", FIELD(MotionValues, loop), "round and round"),
     number("unit", FIELD(MotionValues, def.unit), "m per unit of the file; 0: guessed from its height"),
     choice("up_axis", FIELD(MotionValues, def.up_axis), "of the file", {{"guess", -1}, {"x", 0}, {"y", 1}, {"z", 2}})},
    {}};

const ElementRule kCamera{"camera",
                          "A view for those who show the scene.",
                          makeValues<CameraValues>,
                          {name(FIELD(CameraValues, name)), vector("position", FIELD(CameraValues, position), "m"),
                           vector("target", FIELD(CameraValues, target), "m, in the middle of the picture"),
                           vector("up", FIELD(CameraValues, up), "the direction that is up"),
                           number("fov", FIELD(CameraValues, fov), "rad, height of the picture")},
                          {}};

const ElementRule kState{"state",
                         "What a saved scene had come to; takes the place of what the elements above say about the start. Take it out to "
                         "begin there again. At most once; those of included files do not count.",
                         makeValues<StateValues>,
                         {number("time", FIELD(StateValues, time), "s")},
                         {&kBodyState, &kJointState, &kFigureState, &kParticlesState, &kExact}};
const ElementRule kBodyState{"body",
                             "Pose and velocity of a body without joints.",
                             makeValues<CoordinatesValues>,
                             {needed(reference("name", FIELD(CoordinatesValues, name), "the body")),
                              numbers("pose", FIELD(CoordinatesValues, q), "position [m], quaternion x y z w", 7),
                              numbers("twist", FIELD(CoordinatesValues, v), "velocity of its origin [m/s], spin [rad/s]", 6)},
                             {}};
const ElementRule kJointState{"joint",
                              "Coordinates of a joint.",
                              makeValues<CoordinatesValues>,
                              Rules{needed(reference("name", FIELD(CoordinatesValues, name), "the joint"))} + kCoordinateRules,
                              {}};
const ElementRule kFigureState{"figure",
                               "Coordinates of a figure.",
                               makeValues<CoordinatesValues>,
                               Rules{needed(reference("name", FIELD(CoordinatesValues, name), "the figure"))} + kCoordinateRules,
                               {}};
const ElementRule kParticlesState{"particles",
                                  "All particles of a system.",
                                  makeValues<ParticlesStateValues>,
                                  {needed(reference("name", FIELD(ParticlesStateValues, name), "the system")),
                                   numbers("particles", FIELD(ParticlesStateValues, particles),
                                           "of each: position [m], velocity [m/s], mass [kg], radius [m], life [s]", 9)},
                                  {}};
const ElementRule kExact{"exact",
                         "The whole state to the last bit, as vtb_world_save gives it. Holds while the scene and the numbers beside it are "
                         "as they were saved, in the same build of the library; else those numbers count.",
                         makeValues<BytesValues>,
                         {needed(rule(Value::Text, "of", FIELD(BytesValues, sum), "checksum of the numbers beside it")),
                          needed(rule(Value::Text, "base64", FIELD(BytesValues, base64), "the bytes"))},
                         {}};

}  // namespace vertebra::capi::scene
