// The elements of controllers inside a figure's; see table.cpp.
#include "capi/src/scene/rules.hpp"
#include "capi/src/scene/table.hpp"
#include "capi/src/scene/values.hpp"

namespace vertebra::capi::scene {

namespace {

using vertebra::scene::makeValues;

const Fields kDriveFields(&DriveValues::def), kAnimationFields(&AnimationValues::def), kPlayFields(&PlayValues::def),
    kPlayClipFields(&PlayValues::clip), kRootFields(&RootDriveValues::def), kMarkerFields(&MarkerDriveValues::def),
    kMarkerPlayFields(&MarkerDriveValues::play), kMarkerFileFields(&MarkerDriveValues::clip), kInverseFields(&InverseDynamicsValues::def),
    kBalanceFields(&BalanceValues::def), kGoalFields(&GoalValues::def);

}  // namespace

const ElementRule kDrive{"drive",
                         "Drives of all axes towards a pose: the one that the controllers before it want, or a pose of its own.",
                         makeValues<DriveValues>,
                         kDriveFields.fields({"pose", "omega", "ratio", "strength"}) +
                             Rules{yesNo(&DriveValues::all, "all", "no: it drives only the joints whose gains are given")},
                         {&kPose, &kGains}};
const ElementRule kGains{
    "gains",
    "Gains of the axes of one joint in place of those from the masses. Both left out: the drive leaves the joint alone.",
    makeValues<GainsValues>,
    {required(text(&GainsValues::joint, Value::Text, "joint", "its name in the file")),
     number(&GainsValues::stiffness, "stiffness", "N m/rad or N/m"), number(&GainsValues::damping, "damping", "N m s/rad or N s/m"),
     number(&GainsValues::maxForce, "max_force", "N m or N")},
    {}};
const ElementRule kAnimation{
    "animation",
    "Clips one after the other, with drives that follow them; lets the figure go where it is far off or hit.",
    makeValues<AnimationValues>,
    kAnimationFields.fields({"omega", "ratio", "strength", "largest_error", "largest_impact", "limp", "rest", "resume"}),
    {&kPlay}};
const ElementRule kPlay{
    "play",
    "A clip of the animation.",
    makeValues<PlayValues>,
    Rules{required(text(&PlayValues::file, Value::File, "file", "BVH, joints by name; or a trajectory of the figure: CSV"))} +
        kPlayFields.fields({"begin", "blend", "from", "to", "speed", "repeat", "seam"}) +
        Rules{about(kPlayFields.field("heading"), "rad, its root is turned about z by this, about the scene's origin,"),
              about(kPlayFields.field("shift"), "m, then moved by this"), kPlayFields.field("joins"),
              yesNo(&PlayValues::starts, "starts", "the figure starts in the first pose of it, with its velocities"),
              kPlayClipFields.field("unit"), kPlayClipFields.field("up_axis")},
    {}};
const ElementRule kRootDrive{"root_drive",
                             "A bounded force that holds the root where the controllers before it want it.",
                             makeValues<RootDriveValues>,
                             kRootFields.fields({"omega", "rate", "limit", "ratio", "weight"}),
                             {}};
const ElementRule kMarkerDrive{
    "marker_drive",
    "Bounded forces that draw points of links to markers of a record, or to places.",
    makeValues<MarkerDriveValues>,
    Rules{text(&MarkerDriveValues::file, Value::File, "file", "the record: TRC; left out: each marker has a place")} +
        kMarkerFields.fields({"omega", "ratio", "limit"}) +
        Rules{kMarkerPlayFields.field("begin"),
              about(kMarkerFileFields.field("up_axis"), "axis of the file that points up, y or z; guess = y")},
    {&kMarker}};
const ElementRule kMarker{"marker",
                          "A point of a link that is drawn.",
                          makeValues<MarkerValues>,
                          {required(text(&MarkerValues::link, Value::Text, "link", "its name in the file")),
                           vector(&MarkerValues::point, "point", "m, in the link's frame"),
                           text(&MarkerValues::name, Value::Text, "name", "of the record's marker that it follows"),
                           vector(&MarkerValues::place, "place", "m, in the scene: where it is drawn to; without a record")},
                          {}};
const ElementRule kInverseDynamics{"inverse_dynamics",
                                   "The torques that the wanted motion needs, with the ground's forces on the feet.",
                                   makeValues<InverseDynamicsValues>,
                                   kInverseFields.fields({"feedback", "omega", "ratio", "root_omega", "root_ratio", "flexion", "strength",
                                                          "friction", "assist_force", "assist_moment"}),
                                   {}};
const ElementRule kBalance{"balance",
                           "The figure stands over its feet, by their forces alone.",
                           makeValues<BalanceValues>,
                           kBalanceFields.fields({"capture", "centred", "height", "upright", "hip", "legs", "friction", "step_time"}),
                           {}};
const ElementRule kPointAt{
    "point_at", "Links to places and directions, over the pose of the controllers before it.", makeValues<PointAtValues>, {}, {&kGoal}};
const ElementRule kGoal{
    "goal",
    "A hand at a place, a head that looks, an object held upright, a foot that stays.",
    makeValues<GoalValues>,
    Rules{kGoalFields.field("type"), required(text(&GoalValues::link, Value::Text, "link", "its name in the file")),
          text(&GoalValues::from, Value::Text, "from", "axes between this link and the other move; left out: all from the root on"),
          kGoalFields.field("point"), kGoalFields.field("direction"),
          about(kGoalFields.field("target"), "m or 1, a place in the scene, or for type direction a direction there"),
          kGoalFields.field("begin"), kGoalFields.field("end"), kGoalFields.field("blend")},
    {}};

}  // namespace vertebra::capi::scene
