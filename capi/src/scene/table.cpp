// Every element and attribute of scene files: the only place that names them. Where an attribute is a field of a struct of vertebra.h it
// has that field's name, type, words and meaning (rules.hpp). docs/reference/scene.md is printed from here. Joints, machines and fields:
// table_machines.cpp.
#include "capi/src/scene/table.hpp"

#include "capi/src/scene/rules.hpp"
#include "capi/src/scene/table_parts.hpp"
#include "capi/src/scene/values.hpp"

namespace vertebra::capi::scene {

namespace {

using vertebra::scene::kInclude;
using vertebra::scene::makeValues;

const Fields kShapeFields(&ShapeValues::def), kSurfaceFields = kShapeFields.in("surface"), kGeometryFields = kShapeFields.in("geometry"),
                                              kBodyFields(&BodyValues::def), kFigureFields(&FigureValues::def),
                                              kLoadFields(&FigureValues::load), kFromMotionFields(&FigureValues::fromMotion),
                                              kClipFields(&MotionValues::def);

const Rules kSurface =
    kSurfaceFields.fields({"friction", "static_friction", "rolling_friction", "torsional_friction", "restitution", "friction_combine",
                           "restitution_combine", "contact_stiffness", "contact_damping", "hertz", "stabilised"}) +
    Rules{kShapeFields.field("rgba")};
const Rules kPlaced =
    Rules{name(&ShapeValues::name)} +
    kShapeFields.pose("m, in the compound's or the body's frame; of the scene's own shapes: in the scene", "of its axes there");
const Rules kTouch = Rules{reference(&ShapeValues::material, "material", "a material whose values hold where the shape gives none")} +
                     kShapeFields.fields({"category", "mask"}) + kSurface;
const Rules kScaledFile{text(&ShapeValues::file, Value::File, "file", "mesh file: STL, OBJ, DAE, glTF, PLY"),
                        vector(&ShapeValues::scale, "scale", "of the file's coordinates")};
const AttributeRule kRadius = required(kShapeFields.part("size", 0, 1, "radius", "m"));
const std::vector<const ElementRule*> kShapes{&kSphere, &kCapsule, &kBox, &kCylinder, &kPlane, &kConvex, &kMesh, &kCompound, &kHeightfield};

AttributeRule halfLength(const char* about) { return required(kShapeFields.part("size", 2, 1, "half_length", about)); }

}  // namespace

const ElementRule kScene{"scene",
                         "A whole file. Elements may stand in any order and refer to later ones.",
                         makeValues<SceneValues>,
                         {text(&SceneValues::name, Value::Text, "name", "for people")},
                         {&kSettings, &kInclude,   &kMaterial, &kBody,        &kSphere, &kCapsule,     &kBox,    &kCylinder, &kPlane,
                          &kConvex,   &kMesh,      &kCompound, &kHeightfield, &kFigure, &kMotion,      &kJoint,  &kCoupling, &kDriveline,
                          &kPoints,   &kParticles, &kField,    &kSensor,      &kForce,  &kNoCollision, &kCamera, &kState}};

const ElementRule kSettings{"settings",
                            "How the world is stepped: the fields of vtb_world_def, contact.margin as contact_margin. At most once; those "
                            "of included files do not count.",
                            makeValues<SettingsValues>,
                            Fields(&SettingsValues::def).all(),
                            {}};

const ElementRule kMaterial{"material",
                            "A surface and a colour that shapes share.",
                            makeValues<ShapeValues>,
                            Rules{required(name(&ShapeValues::name))} + kSurface,
                            {}};

const ElementRule kBody{
    "body",
    "A rigid body with the shapes in it. Without inertia its mass properties come from the shapes: at the density, or scaled to the mass.",
    makeValues<BodyValues>,
    Rules{name(&BodyValues::name), kBodyFields.field("kind")} + kBodyFields.pose("m, in the scene", "of its axes in the scene") +
        Rules{kBodyFields.part("twist", 0, 3, "velocity", "m/s, of its origin"),
              kBodyFields.part("twist", 3, 3, "angular_velocity", "rad/s, scene axes"), kBodyFields.field("mass"),
              number(&BodyValues::density, "density", "kg/m^3, where no mass is given"),
              about(kBodyFields.field("com"), "m, centre of mass in its frame; counts with inertia only")} +
        kBodyFields.fields({"inertia", "gravity_scale", "step", "integrator", "disabled"}),
    kShapes};

const ElementRule kSphere{"sphere", "A ball.", makeValues<TypedShape<VTB_SHAPE_TYPE_SPHERE>>, kPlaced + Rules{kRadius} + kTouch, {}};
const ElementRule kCapsule{"capsule",
                           "A cylinder along z with half balls on its ends.",
                           makeValues<TypedShape<VTB_SHAPE_TYPE_CAPSULE>>,
                           kPlaced + Rules{kRadius, halfLength("m, of the cylinder part")} + kTouch,
                           {}};
const ElementRule kBox{"box",
                       "A box.",
                       makeValues<TypedShape<VTB_SHAPE_TYPE_BOX>>,
                       kPlaced + Rules{required(kShapeFields.part("size", 0, 3, "half_extents", "m"))} + kTouch,
                       {}};
const ElementRule kCylinder{"cylinder",
                            "A cylinder along z.",
                            makeValues<TypedShape<VTB_SHAPE_TYPE_CYLINDER>>,
                            kPlaced + Rules{kRadius, halfLength("m")} + kTouch,
                            {}};
const ElementRule kPlane{"plane",
                         "Solid below its z = 0; of the scene and of static bodies.",
                         makeValues<TypedShape<VTB_SHAPE_TYPE_PLANE>>,
                         kPlaced + kTouch,
                         {}};
const ElementRule kConvex{"convex",
                          "A convex solid: the hull of points or of a file's, or what lies within planes.",
                          makeValues<TypedShape<VTB_SHAPE_TYPE_CONVEX>>,
                          kPlaced +
                              Rules{numbers(&ShapeValues::points, "points", "m: x y z of each", 3),
                                    numbers(&ShapeValues::planes, "planes", "outward normal and distance of each", 4)} +
                              kScaledFile + kTouch,
                          {}};
const ElementRule kMesh{
    "mesh",
    "Triangles: a surface on static bodies, a solid of convex parts on any.",
    makeValues<TypedShape<VTB_SHAPE_TYPE_MESH>>,
    kPlaced + kScaledFile +
        Rules{numbers(&ShapeValues::points, "points", "m: x y z of each, in place of a file", 3),
              indices(&ShapeValues::triangles, "triangles", "three points each, from 0, counter-clockwise from outside", 3)} +
        kGeometryFields.fields({"convex_parts", "convex_tolerance"}) + kTouch,
    {}};
const ElementRule kCompound{"compound", "A frame for the shapes in it.", makeValues<TypedShape<VTB_SHAPE_TYPE_COMPOUND>>, kPlaced, kShapes};
const ElementRule kHeightfield{"heightfield",
                               "Terrain over a grid, solid below; of the scene, static and kinematic bodies.",
                               makeValues<TypedShape<VTB_SHAPE_TYPE_HEIGHTFIELD>>,
                               kPlaced +
                                   Rules{required(about(kGeometryFields.field("height_rows", "rows"), "samples along y, at least 2")),
                                         required(about(kGeometryFields.field("height_columns", "columns"), "samples along x, at least 2")),
                                         required(kShapeFields.part("size", 0, 2, "spacing", "m between samples along x and y")),
                                         kShapeFields.part("size", 2, 1, "depth", "m of the solid below the lowest height"),
                                         required(numbers(&ShapeValues::heights, "heights", "m, row by row"))} +
                                   kTouch,
                               {}};

const ElementRule kForce{"force",
                         "A force and a torque that last, scene axes.",
                         makeValues<ForceValues>,
                         {required(reference(&ForceValues::body, "body", "whom it acts on")), vector(&ForceValues::force, "force", "N"),
                          vector(&ForceValues::torque, "torque", "N m"),
                          vector(&ForceValues::point, "point", "m, where at the start, in the scene; else at the centre of mass")},
                         {}};
const ElementRule kNoCollision{
    "no_collision",
    "Two bodies that pass through each other.",
    makeValues<PairValues>,
    {required(reference(&PairValues::a, "a", "body, or world")), required(reference(&PairValues::b, "b", "body, or world"))},
    {}};

const ElementRule kFigure{
    "figure",
    "An articulated figure from a URDF, skeleton or BVH file. Its links and joints have the names figure/link and figure/joint. Its "
    "controllers act in the order of the file.",
    makeValues<FigureValues>,
    Rules{required(name(&FigureValues::name)),
          required(text(&FigureValues::file, Value::File, "file", "URDF, skeleton file, or BVH (by its ending)")),
          kFigureFields.field("base")} +
        kFigureFields.pose("m, of the root link in the scene", "of its axes in the scene") +
        Rules{kFigureFields.flag("flags", "no_mimic"), kFigureFields.flag("flags", "no_self_collision"),
              kLoadFields.flag("flags", "no_meshes"), kLoadFields.flag("flags", "derive_collision"),
              kLoadFields.field("inertia", "missing_inertia"), about(kFromMotionFields.field("mass"), "kg, BVH; 0 = from the height")} +
        kFigureFields.fields({"step", "integrator"}),
    {&kPose, &kFigureMotor, &kFigureOrientationMotor, &kDrive, &kAnimation, &kRootDrive, &kMarkerDrive, &kInverseDynamics, &kBalance,
     &kPointAt}};
const ElementRule kPose{"pose",
                        "Where a joint of the figure is at the start.",
                        makeValues<CoordinatesValues>,
                        Rules{required(text(&CoordinatesValues::name, Value::Text, "joint", "its name in the file"))} + coordinateRules(),
                        {}};
const ElementRule kFigureMotor{"motor",
                               "The drive of one axis of a joint of the figure.",
                               makeValues<MotorValues>,
                               Rules{required(text(&MotorValues::joint, Value::Text, "joint", "its name in the file"))} + motorRules(),
                               {}};
const ElementRule kFigureOrientationMotor{
    "orientation_motor",
    "The drive of a spherical joint of the figure.",
    makeValues<OrientationMotorValues>,
    Rules{required(text(&OrientationMotorValues::joint, Value::Text, "joint", "its name in the file"))} + orientationMotorRules(),
    {}};

const ElementRule kMotion{
    "motion",
    "A clip that a figure's motors follow, joint by joint of the same name; its base goes free, or is driven by a joint of type motor.",
    makeValues<MotionValues>,
    {required(reference(&MotionValues::figure, "figure", "who follows it")),
     required(text(&MotionValues::file, Value::File, "file", "BVH")),
     required(number(&MotionValues::stiffness, "stiffness", "N m/rad or N/m, of all axes")),
     required(number(&MotionValues::damping, "damping", "N m s/rad or N s/m")),
     number(&MotionValues::maxForce, "max_force", "N m or N; an axis' effort bounds as well"),
     reference(
         &MotionValues::root, "root",
         "joint of type motor to the root link, whose gains and bounds move it to where the clip's root is in the joint's frame in a"),
     number(&MotionValues::start, "start", "s of the clip at time 0"), number(&MotionValues::speed, "speed", "s of the clip in a second"),
     yesNo(&MotionValues::loop, "loop", "round and round"), kClipFields.field("unit"), kClipFields.field("up_axis")},
    {}};

const ElementRule kCamera{
    "camera",
    "A view for those who show the scene.",
    makeValues<CameraValues>,
    {name(&CameraValues::name), vector(&CameraValues::position, "position", "m"),
     vector(&CameraValues::target, "target", "m, in the middle of the picture"),
     vector(&CameraValues::up, "up", "the direction that is up"), number(&CameraValues::fov, "fov", "rad, height of the picture")},
    {}};

const ElementRule kState{"state",
                         "What a saved scene had come to; takes the place of what the elements above say about the start. Take it out to "
                         "begin there again. At most once; those of included files do not count.",
                         makeValues<StateValues>,
                         {number(&StateValues::time, "time", "s")},
                         {&kBodyState, &kJointState, &kFigureState, &kParticlesState, &kExact}};
const ElementRule kBodyState{"body",
                             "Pose and velocity of a body without joints.",
                             makeValues<CoordinatesValues>,
                             {required(reference(&CoordinatesValues::name, "name", "the body")),
                              numbers(&CoordinatesValues::q, "pose", "position [m], quaternion x y z w", 7),
                              numbers(&CoordinatesValues::v, "twist", "velocity of its origin [m/s], angular velocity [rad/s]", 6)},
                             {}};
const ElementRule kJointState{"joint",
                              "Coordinates of a joint.",
                              makeValues<CoordinatesValues>,
                              Rules{required(reference(&CoordinatesValues::name, "name", "the joint"))} + coordinateRules(),
                              {}};
const ElementRule kFigureState{"figure",
                               "Coordinates of a figure.",
                               makeValues<CoordinatesValues>,
                               Rules{required(reference(&CoordinatesValues::name, "name", "the figure"))} + coordinateRules(),
                               {}};
const ElementRule kParticlesState{
    "particles",
    "All particles of a system.",
    makeValues<ParticlesStateValues>,
    {required(reference(&ParticlesStateValues::name, "name", "the system")),
     numbers(&ParticlesStateValues::particles, "particles", "of each: position [m], velocity [m/s], mass [kg], radius [m], life [s]", 9)},
    {}};
const ElementRule kExact{"exact",
                         "The whole state to the last bit, as vtb_world_save gives it. Holds while the scene and the numbers beside it are "
                         "as they were saved, in the same build of the library; else those numbers count.",
                         makeValues<BytesValues>,
                         {required(text(&BytesValues::sum, Value::Text, "of", "checksum of the numbers beside it")),
                          required(text(&BytesValues::base64, Value::Text, "base64", "the bytes"))},
                         {}};

}  // namespace vertebra::capi::scene
