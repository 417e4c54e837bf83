// Controllers of figures; see builder.hpp.
#include <algorithm>
#include <cmath>

#include "capi/src/controller_defs.hpp"
#include "capi/src/controllers.hpp"
#include "capi/src/scene/builder.hpp"
#include "capi/src/scene/table.hpp"
#include "capi/src/workspace.hpp"
#include "engine/control/drive.hpp"
#include "loaders/scene/spelling.hpp"

namespace vertebra::capi::scene {

namespace {

ControllerSlot& slotOf(const vtb_world& world, vtb_controller controller) {
  return *world.controllerSlots[static_cast<std::size_t>(world.controllers.find(controller.bits))];
}

}  // namespace

void SceneBuilder::controller(const Element& e, vtb_figure figure, vtb_skeleton* skeleton) {
  vtb_controller made{0};
  if (e.rule == &kDrive)
    call(vtb_figure_add_drive(&world_, figure, &e.as<DriveValues>().def, &made));
  else if (e.rule == &kAnimation)
    call(vtb_figure_add_animation(&world_, figure, &e.as<AnimationValues>().def, &made));
  else if (e.rule == &kRootDrive)
    call(vtb_figure_add_root_drive(&world_, figure, &e.as<RootDriveValues>().def, &made));
  else if (e.rule == &kMarkerDrive)
    made = markerDrive(e, figure, skeleton);
  else if (e.rule == &kInverseDynamics)
    call(vtb_figure_add_inverse_dynamics(&world_, figure, &e.as<InverseDynamicsValues>().def, &made));
  else if (e.rule == &kBalance)
    call(vtb_figure_add_balance(&world_, figure, &e.as<BalanceValues>().def, &made));
  else if (e.rule == &kPointAt)
    call(vtb_figure_add_point(&world_, figure, &made));
  else
    return;
  if (made.bits == 0) return;  // what it lacks has been told
  if (e.rule == &kDrive) {
    drivePose(e, made, figure, skeleton);
    if (!e.as<DriveValues>().all) {
      const std::vector<double> none(static_cast<std::size_t>(figureOf(world_, figure).model().nv()), -1);
      call(vtb_drive_set_gains(&world_, made, none.data(), none.data(), nullptr));
    }
  }
  for (const Element& child : e.children)
    attempt(child, [&] {
      if (child.rule == &kGains) driveGains(child, made, figure, skeleton);
      if (child.rule == &kPlay) play(child, made, figure);
      if (child.rule == &kGoal) goal(child, made, skeleton);
    });
  ControllerSlot& slot = slotOf(world_, made);
  slot.ofScene = true;
  slot.changed = false;
}

void SceneBuilder::drivePose(const Element& e, vtb_controller controller, vtb_figure figure, vtb_skeleton* skeleton) {
  const bool given = std::any_of(e.children.begin(), e.children.end(), [](const Element& child) { return child.rule == &kPose; });
  if (!given) return;
  const vtb_workspace neutral(figureOf(world_, figure).sharedModel());
  const figure::FigureModel& model = figureOf(world_, figure).model();
  std::vector<double> q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv()), 0.0);
  call(vtb_workspace_neutral(&neutral, q.data()));
  for (const Element& child : e.children)
    if (child.rule == &kPose) attempt(child, [&] { putPose(child, figure, skeleton, q, v); });
  call(vtb_drive_set_pose(&world_, controller, q.data(), v.data()));
}

void SceneBuilder::driveGains(const Element& e, vtb_controller controller, vtb_figure figure, vtb_skeleton* skeleton) {
  const GainsValues& values = e.as<GainsValues>();
  const int joint = figureJoint(e, values.joint, skeleton);
  if (joint < 0) return;
  if (e.has("stiffness") != e.has("damping"))
    refuse(VTB_E_ARG, "it has only one of stiffness and damping; to mend: give both, or neither to leave the joint alone");
  const vtb_workspace names(figureOf(world_, figure).sharedModel());
  int32_t atQ = 0, atV = 0;
  call(vtb_workspace_get_joint(&names, joint, &atQ, &atV));
  if (atV < 0) refuse(VTB_E_ARG, "this joint has no coordinates: it follows another, is fixed or closes a cycle");
  auto& drive = dynamic_cast<control::Drive&>(*slotOf(world_, controller).controller);
  std::vector<double> k = drive.stiffness(), c = drive.damping(), bound = drive.limit();
  for (std::size_t i = 0; i < k.size(); i++)
    if (!drive.driven()[i]) k[i] = c[i] = -1;
  const int count = dynamics::jointNv(skeleton->model->joints[static_cast<std::size_t>(joint)].type);
  for (int i = 0; i < count; i++) {
    const auto at = static_cast<std::size_t>(atV + i);
    k[at] = values.stiffness;
    c[at] = values.damping;
    if (e.has("max_force")) bound[at] = values.maxForce;
  }
  call(vtb_drive_set_gains(&world_, controller, k.data(), c.data(), bound.data()));
}

void SceneBuilder::play(const Element& e, vtb_controller controller, vtb_figure figure) {
  const PlayValues& values = e.as<PlayValues>();
  vtb_play_def def = values.def;
  const bool csv = values.file.ends_with(".csv") || values.file.ends_with(".CSV");
  if (csv)
    def.trajectory = trajectoryOf(e);
  else
    def.motion = motionOf(e, values.file, values.clip);
  if (!def.trajectory && !def.motion) return;  // told
  const Pose placement = placementOf(e);
  const Vec3 up = placement.q * Vec3::UnitZ(), ahead = placement.q * Vec3::UnitX();
  if (!(up.z() > 1 - 1e-9)) refuse(VTB_E_ARG, "the scene is tilted; a clip can be turned about z only");
  const double turn = std::atan2(ahead.y(), ahead.x());
  const Vec3 shift = placement * Vec3(def.shift[0], def.shift[1], def.shift[2]);
  def.heading += turn;
  write(shift, def.shift);
  call(vtb_animation_play(&world_, controller, &def));
  if (!values.starts) return;
  const auto model = figureOf(world_, figure).sharedModel();
  const control::PlayedClip clip = clipOf(def, model);
  std::vector<double> q(static_cast<std::size_t>(model->nq())), v(static_cast<std::size_t>(model->nv())), a(v.size());
  clip.clip->at(clip.from, q.data(), v.data(), a.data());
  for (double& x : v) x *= clip.speed;
  if (model->coordinates.floatingBase) control::movePlace(clip.place, q.data(), v.data(), a.data());
  call(vtb_figure_set_state(&world_, figure, q.data(), v.data()));
}

int SceneBuilder::figureLink(const Element& e, const std::string& name, vtb_skeleton* skeleton) {
  const int link = skeleton->model->findLink(name);
  if (link >= 0) return link;
  std::vector<std::string> known;
  for (const figure::LinkDescription& l : skeleton->model->links) known.push_back(l.name);
  error("scene.reference.unknown", e, "the figure has no link '" + name + "'" + vertebra::scene::suggestion(name, known));
  return -1;
}

// The zero handle: something is missing, which has been told.
vtb_controller SceneBuilder::markerDrive(const Element& e, vtb_figure figure, vtb_skeleton* skeleton) {
  const MarkerDriveValues& values = e.as<MarkerDriveValues>();
  const Pose placement = placementOf(e);
  vtb_markers* record = nullptr;
  if (e.has("file") && !(record = recordOf(e))) return {0};
  std::vector<int32_t> links, columns;
  std::vector<double> points, places;
  bool sound = true;
  for (const Element& child : e.children) {
    if (child.rule != &kMarker) continue;
    const MarkerValues& marker = child.as<MarkerValues>();
    attempt(child, [&] {
      if (child.has("name") != (record != nullptr))
        refuse(VTB_E_ARG, record ? "name is missing; to mend: give that of the record's marker" : "name is for a marker_drive with a file");
      if (child.has("place") == (record != nullptr))
        refuse(VTB_E_ARG,
               record ? "place is for a marker_drive without a file" : "place is missing; to mend: give it, or a file to the marker_drive");
      links.push_back(figureLink(child, marker.link, skeleton));
      points.insert(points.end(), marker.point, marker.point + 3);
      const Vec3 place = placement * Vec3(marker.place[0], marker.place[1], marker.place[2]);
      places.insert(places.end(), place.data(), place.data() + 3);
      if (!record) return;
      const auto& names = record->record->names;
      const auto found = std::find(names.begin(), names.end(), marker.name);
      columns.push_back(static_cast<int32_t>(found - names.begin()));
      if (found != names.end()) return;
      sound = false;
      error("scene.reference.unknown", child,
            "the record has no marker '" + marker.name + "'" + vertebra::scene::suggestion(marker.name, names));
    });
    sound = sound && !links.empty() && links.back() >= 0;
  }
  if (links.empty()) refuse(VTB_E_ARG, "it has no marker; to mend: add <marker> elements");
  if (!sound) return {0};
  vtb_controller made{0};
  vtb_marker_drive_def def = values.def;
  def.count = static_cast<uint32_t>(links.size());
  def.links = links.data();
  def.points = points.data();
  call(vtb_figure_add_marker_drive(&world_, figure, &def, &made));
  if (!record) {
    call(vtb_marker_drive_set_places(&world_, made, places.data(), nullptr, links.size()));
    return made;
  }
  vtb_marker_play_def play = values.play;
  play.count = def.count;
  play.markers = record;
  play.columns = columns.data();
  write(placement, play.pose);
  call(vtb_marker_drive_play(&world_, made, &play));
  return made;
}

void SceneBuilder::goal(const Element& e, vtb_controller controller, vtb_skeleton* skeleton) {
  const GoalValues& values = e.as<GoalValues>();
  vtb_goal_def def = values.def;
  def.link = figureLink(e, values.link, skeleton);
  if (def.link < 0) return;
  if (!values.from.empty()) {
    def.from = figureLink(e, values.from, skeleton);
    if (def.from < 0) return;
  }
  const Pose placement = placementOf(e);
  const Vec3 target(def.target[0], def.target[1], def.target[2]);
  write(Vec3(def.type == VTB_GOAL_TYPE_DIRECTION ? Vec3(placement.q * target) : Vec3(placement * target)), def.target);
  int32_t index = 0;
  call(vtb_point_add_goal(&world_, controller, &def, &index));
}

}  // namespace vertebra::capi::scene
