// The elements of scene files for joints, couplings, drivelines, points, particles, force fields and sensors; see table.cpp.
#include "capi/src/scene/rules.hpp"
#include "capi/src/scene/table.hpp"
#include "capi/src/scene/table_parts.hpp"
#include "capi/src/scene/values.hpp"

namespace vertebra::capi::scene {

using vertebra::scene::makeValues;

Rules motorRules() {
  const Fields motor(&MotorValues::def);
  return Rules{integer(&MotorValues::axis, "axis", "which axis of the joint, from 0")} +
         Rules{
             about(motor.field("mode"),
                   "position: stiffness * (position - q) + damping * (velocity - v); velocity: damping * (velocity - v); torque: force")} +
         motor.fields({"position", "velocity", "force", "stiffness", "damping", "max_force"});
}
Rules orientationMotorRules() {
  using V = OrientationMotorValues;
  return {orientation(&V::orientation, "orientation", "the target, child in parent's joint frame"),
          vector(&V::velocity, "velocity", "rad/s, the target's"), number(&V::stiffness, "stiffness", "N m/rad"),
          number(&V::damping, "damping", "N m s/rad"), number(&V::maxForce, "max_force", "N m, of each axis")};
}
Rules coordinateRules() {
  return {numbers(&CoordinatesValues::q, "q", "coordinates, in the order of joint_type.h"),
          numbers(&CoordinatesValues::v, "v", "velocities, likewise")};
}

namespace {

const Fields kJointFields(&JointValues::def), kAxisFields(&AxisValues::def), kCouplingFields(&CouplingValues::def),
    kTermFields(&TermValues::term), kPartFields(&DrivelineValues::def), kDriverFields(&DrivelineValues::input),
    kPointsFields(&PointsValues::def), kParticlesFields(&ParticlesValues::def), kParticleFields(&ParticleValues::particle),
    kEmitterFields(&EmitterValues::def), kSinkFields(&SinkValues::def), kFieldFields(&FieldValues::def), kSensorFields(&SensorValues::def);

}  // namespace

const ElementRule kJoint{
    "joint",
    "What joins two bodies, or a body and the scene; or, as a rotor, a shaft by itself. Its frame is given in the scene (position, "
    "orientation), which holds for both bodies where they stand; or in each body by itself; then a body b without a place of its own that "
    "is joined to a link of a figure begins there.",
    makeValues<JointValues>,
    Rules{name(&JointValues::name), required(about(kJointFields.field("type"), "how it lets b move against a")),
          reference(&JointValues::a, "a", "body, parent; none or world = the scene; links of a figure as figure/link"),
          reference(&JointValues::b, "b", "body, child")} +
        pose(&JointValues::pose, "m, the joint's frame in the scene", "of the joint's axes in the scene") +
        Rules{kJointFields.part("frame_a", 0, 3, "position_a", "m, the joint's frame in a"),
              kJointFields.orientation("frame_a", "orientation_a", "of its axes in a"),
              kJointFields.part("frame_b", 0, 3, "position_b", "m, the joint's frame in b"),
              kJointFields.orientation("frame_b", "orientation_b", "of its axes in b")} +
        kJointFields.fields({"axis", "axis2"}) +
        Rules{numbers(&JointValues::q, "q", "coordinates at the start, in the order of joint_type.h"),
              numbers(&JointValues::v, "v", "velocities at the start")} +
        kJointFields.in("limits").fields({"swing", "twist_lower", "twist_upper"}) + Rules{kJointFields.field("pitch")} +
        kJointFields.in("soft").fields({"stiffness", "damping", "angular_stiffness", "angular_damping"}) +
        Rules{kJointFields.field("breaking.force", "break_force"), kJointFields.field("breaking.torque", "break_torque")} +
        kJointFields.in("displacement").fields({"relaxation", "regularisation"}) +
        Rules{kJointFields.field("bodies_collide"),
              numbers(&JointValues::points, "points", "m: x y z of each point of the curve, in the joint's frame in a", 3),
              kJointFields.flag("curve.flags", "spline"), kJointFields.flag("curve.flags", "closed")},
    {&kAxis, &kMotor, &kOrientationMotor, &kTarget}};

const ElementRule kAxis{"axis",
                        "Limits, spring and losses of one axis of the joint.",
                        makeValues<AxisValues>,
                        Rules{integer(&AxisValues::index, "index", "which axis, from 0")} + kAxisFields.all(),
                        {}};
const ElementRule kMotor{"motor", "The drive of one axis of the joint.", makeValues<MotorValues>, motorRules(), {}};
const ElementRule kOrientationMotor{
    "orientation_motor", "The drive of a spherical joint.", makeValues<OrientationMotorValues>, orientationMotorRules(), {}};
const ElementRule kTarget{
    "target",
    "Where a joint of type motor wants b's joint frame in a's.",
    makeValues<TargetValues>,
    pose(&TargetValues::pose, "m", "of the axes") +
        Rules{vector(&TargetValues::velocity, "velocity", "m/s"), vector(&TargetValues::angularVelocity, "angular_velocity", "rad/s")},
    {}};

const ElementRule kCoupling{
    "coupling",
    "Gears, racks, differentials, clutches: q of b = ratio * q of a + offset, or, with terms, sum of coefficient * q = offset.",
    makeValues<CouplingValues>,
    Rules{name(&CouplingValues::name), reference(&CouplingValues::a, "a", "joint with one axis"),
          reference(&CouplingValues::b, "b", "joint with one axis")} +
        kCouplingFields.fields({"ratio", "offset", "level", "stiffness", "damping", "max_force"}),
    {&kTerm}};
const ElementRule kTerm{"term",
                        "One axis of a coupling.",
                        makeValues<TermValues>,
                        Rules{required(reference(&TermValues::joint, "joint", "of any type with single coordinates"))} +
                            kTermFields.fields({"axis", "coefficient"}),
                        {}};

const ElementRule kDriveline{
    "driveline",
    "A part of a driveline over rotors or axes of joints, which its terms name in the order of vtb_driveline_type. Attributes from gear on "
    "are the driver's, at the start.",
    makeValues<DrivelineValues>,
    Rules{name(&DrivelineValues::name), required(about(kPartFields.field("type"), "and the order of its terms: see vtb_driveline_type")),
          numbers(&DrivelineValues::speeds, "speeds", "rad/s, ascending: engine"),
          numbers(&DrivelineValues::throttles, "throttles", "0 to 1, ascending: engine"),
          numbers(&DrivelineValues::torques, "torques", "N m of the gases, a row of speeds for each throttle")} +
        kPartFields.fields({"friction", "governor_gain", "governor_rate", "fuel"}) +
        Rules{numbers(&DrivelineValues::ratios, "ratios",
                      "converter: output by input speed, 0 to 1; gearbox: input by output speed, 0 = neutral"),
              numbers(&DrivelineValues::torqueRatios, "torque_ratios", "converter: output by input torque, of each ratio"),
              numbers(&DrivelineValues::capacities, "capacities", "N m s^2, converter: input torque by its speed squared, of each ratio")} +
        kPartFields.fields({"ratio", "split", "max_torque", "shift_time", "preload", "bias", "efficiency", "drag", "pressure", "leak",
                            "flow", "area_ratio"}) +
        kDriverFields.all(),
    {&kTerm}};

const ElementRule kPoints{
    "points",
    "A measure over its points that is kept: the length of the line through them (a rope as one), the volume of the tetrahedron of four.",
    makeValues<PointsValues>,
    Rules{name(&PointsValues::name)} + kPointsFields.fields({"measure", "value", "lower", "upper", "stiffness", "damping"}),
    {&kPoint}};
const ElementRule kPoint{"point",
                         "One point.",
                         makeValues<PointValues>,
                         {reference(&PointValues::body, "body", "that carries it; none or world: it is fixed"),
                          vector(&PointValues::position, "position", "m, in the body; of a fixed one: in the scene")},
                         {}};

const ElementRule kParticles{
    "particles",
    "A system of balls that do not turn, with those in it at the start, what makes them and what takes them away.",
    makeValues<ParticlesValues>,
    Rules{name(&ParticlesValues::name)} + kParticlesFields.fields({"max_count", "iterations"}) +
        Rules{kParticlesFields.flag("flags", "no_pairs", "touch_each_other"), kParticlesFields.flag("flags", "no_shapes", "touch_shapes")} +
        kParticlesFields.fields(
            {"category", "mask", "friction", "restitution", "friction_combine", "restitution_combine", "gravity_scale"}),
    {&kParticle, &kEmitter, &kSink}};
const ElementRule kParticle{
    "particle",
    "One that is there at the start.",
    makeValues<ParticleValues>,
    Rules{about(kParticleFields.field("position"), "m, in the scene")} + kParticleFields.fields({"velocity", "mass", "radius", "life"}),
    {}};
const ElementRule kEmitter{"emitter",
                           "A disc that throws particles into a cone about its normal.",
                           makeValues<EmitterValues>,
                           Rules{about(kEmitterFields.field("position"), "m, in the scene")} +
                               kEmitterFields.fields({"direction", "disc_radius", "cone_angle", "speed", "speed_spread", "rate", "mass",
                                                      "radius", "life", "seed"}),
                           {}};
const ElementRule kSink{"sink",
                        "Takes particles whose centre is inside.",
                        makeValues<SinkValues>,
                        Rules{about(kSinkFields.field("type"), "half_space: below its z = 0")} +
                            kSinkFields.pose("m, in the scene", "of its axes") +
                            Rules{about(kSinkFields.field("size"), "m: half extents of a box; the first is a sphere's radius")},
                        {}};

const ElementRule kField{
    "field",
    "A force by where bodies are and how they move.",
    makeValues<FieldValues>,
    Rules{name(&FieldValues::name), required(about(without(kFieldFields.field("type"), {"user"}), "see vtb_field_type")),
          references(&FieldValues::bodies, "bodies", "whom it acts on; none = all that move by physics"),
          reference(&FieldValues::particles, "particles", "a system it acts on; on bodies then only if they are named"),
          reference(&FieldValues::source, "radial_source", "from this body; none = from the point"),
          about(kFieldFields.field("radial.point"), "m, in the scene")} +
        kFieldFields.fields({"radial.strength", "radial.softening", "pairwise.strength", "pairwise.softening", "pairwise.range",
                             "drag.wind", "drag.linear", "drag.quadratic", "drag.angular", "magnus.wind", "magnus.strength",
                             "lennard_jones.strength", "lennard_jones.length", "lennard_jones.range"}) +
        Rules{about(kFieldFields.field("attractor.point"), "m, in the scene")} +
        kFieldFields.fields({"attractor.strength", "attractor.exponent", "attractor.range"}),
    {}};

const ElementRule kSensor{
    "sensor",
    "What is read at a site of a body, or of a joint, at the end of each physics step.",
    makeValues<SensorValues>,
    Rules{name(&SensorValues::name), required(about(kSensorFields.field("type"), "see vtb_sensor_type")),
          reference(&SensorValues::body, "body", "that carries the site; none or world: it is fixed"),
          reference(&SensorValues::joint, "joint", "of type force_torque: whose force is read")} +
        kSensorFields.pose("m, of the site in the body; of a fixed one in the scene, of type force_torque in the joint's frame on b",
                           "of its axes there") +
        kSensorFields.fields({"axes", "region", "size"}),
    {}};

}  // namespace vertebra::capi::scene
