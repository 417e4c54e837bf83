// Figures from URDF, skeleton and BVH files; see builder.hpp.
#include <filesystem>

#include "capi/src/scene/builder.hpp"
#include "capi/src/scene/table.hpp"
#include "capi/src/workspace.hpp"
#include "loaders/scene/spelling.hpp"

namespace vertebra::capi::scene {

namespace {

bool isBvh(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return ending == ".bvh";
}

void take(vtb_diagnostics* list, Diagnostics& into) {
  if (list) into.entries.insert(into.entries.end(), list->list.entries.begin(), list->list.entries.end());
  (void)vtb_diagnostics_release(list);
}

SkeletonOwner load(const FigureValues& values, Diagnostics& findings, std::string& problem) {
  vtb_diagnostics* list = nullptr;
  vtb_skeleton* skeleton = nullptr;
  vtb_status status;
  if (isBvh(values.file)) {
    vtb_motion* clip = nullptr;
    status = vtb_motion_load_bvh(values.file.c_str(), nullptr, &list, &clip);
    take(list, findings);
    list = nullptr;
    const MotionOwner owner(clip);
    if (status == VTB_OK) {
      status = vtb_skeleton_from_motion(clip, &values.fromMotion, &list, &skeleton);
    }
  } else {
    status = vtb_skeleton_load(values.file.c_str(), &values.load, &list, &skeleton);
  }
  take(list, findings);
  if (status != VTB_OK) {
    const std::string text = vtb_last_error();
    problem = "'" + values.file + "' gives no figure: " + text.substr(text.find(": ") + 2);
  }
  return SkeletonOwner(skeleton);
}

}  // namespace

vtb_skeleton* SceneBuilder::skeletonOf(const Element& e) {
  const auto known = model_.skeletons.find(e.values.get());
  if (known != model_.skeletons.end()) return known->second.get();
  Diagnostics findings;
  std::string problem;
  SkeletonOwner skeleton = load(e.as<FigureValues>(), findings, problem);
  report_->append(findings);
  if (!problem.empty()) error("scene.figure.unreadable", e, problem);
  return loading_->skeletons.emplace(e.values.get(), std::move(skeleton)).first->second.get();
}

void SceneBuilder::figure(const Element& e) {
  const FigureValues& values = e.as<FigureValues>();
  failedFigures_.insert(values.name);  // until it stands
  vtb_skeleton* skeleton = skeletonOf(e);
  if (!skeleton) return;
  vtb_figure_def def = values.def;
  def.skeleton = skeleton;
  write(placed(e, def.pose), def.pose);
  vtb_figure made;
  call(vtb_figure_create(&world_, &def, &made));
  made_.push_back({&e, VTB_NAMED_FIGURE, made.bits});
  named(VTB_NAMED_FIGURE, values.name, made.bits);
  const figure::Skeleton& model = *skeleton->model;
  const figure::Figure& figure = figureOf(world_, made);
  for (std::size_t i = 0; i < model.links.size(); i++)
    named(VTB_NAMED_BODY, values.name + "/" + model.links[i].name, world_.bodies.handle(figure.bodies()[i]));
  for (std::size_t i = 0; i < model.joints.size(); i++)
    named(VTB_NAMED_JOINT, values.name + "/" + model.joints[i].name, world_.joints.handle(figure.joints()[i]));
  failedFigures_.erase(values.name);
  figurePose(e, made, skeleton);
}

vtb_motion* SceneBuilder::motionOf(const Element& e, const std::string& file, const vtb_bvh_def& def) {
  const auto known = model_.motions.find(e.values.get());
  if (known != model_.motions.end()) return known->second.get();
  Diagnostics findings;
  vtb_diagnostics* list = nullptr;
  vtb_motion* clip = nullptr;
  const vtb_status status = vtb_motion_load_bvh(file.c_str(), &def, &list, &clip);
  take(list, findings);
  report_->append(findings);
  if (status != VTB_OK) {
    const std::string text = vtb_last_error();
    error("scene.motion.unreadable", e, "'" + file + "' gives no motion: " + text.substr(text.find(": ") + 2));
  }
  return loading_->motions.emplace(e.values.get(), MotionOwner(clip)).first->second.get();
}

vtb_trajectory* SceneBuilder::trajectoryOf(const Element& e) {
  const auto known = model_.trajectories.find(e.values.get());
  if (known != model_.trajectories.end()) return known->second.get();
  const std::string& file = e.as<PlayValues>().file;
  Diagnostics findings;
  vtb_diagnostics* list = nullptr;
  vtb_trajectory* clip = nullptr;
  const vtb_status status = vtb_trajectory_load_csv(file.c_str(), &list, &clip);
  take(list, findings);
  report_->append(findings);
  if (status != VTB_OK) {
    const std::string text = vtb_last_error();
    error("scene.motion.unreadable", e, "'" + file + "' gives no trajectory: " + text.substr(text.find(": ") + 2));
  }
  return loading_->trajectories.emplace(e.values.get(), TrajectoryOwner(clip)).first->second.get();
}

vtb_markers* SceneBuilder::recordOf(const Element& e) {
  const auto known = model_.records.find(e.values.get());
  if (known != model_.records.end()) return known->second.get();
  const MarkerDriveValues& values = e.as<MarkerDriveValues>();
  Diagnostics findings;
  vtb_diagnostics* list = nullptr;
  vtb_markers* record = nullptr;
  const vtb_status status = vtb_markers_load_trc(values.file.c_str(), values.clip.up_axis, &list, &record);
  take(list, findings);
  report_->append(findings);
  if (status != VTB_OK) {
    const std::string text = vtb_last_error();
    error("scene.motion.unreadable", e, "'" + values.file + "' gives no record of markers: " + text.substr(text.find(": ") + 2));
  }
  return loading_->records.emplace(e.values.get(), MarkersOwner(record)).first->second.get();
}

void SceneBuilder::motion(const Element& e) {
  const MotionValues& values = e.as<MotionValues>();
  vtb_motion* clip = motionOf(e, values.file, values.def);
  vtb_figure figure{0};
  if (!find(VTB_NAMED_FIGURE, values.figure, e, figure.bits) || !clip) return;
  const figure::FigureModel& model = figureOf(world_, figure).model();
  const auto nv = static_cast<std::size_t>(model.nv());
  std::vector<double> q(static_cast<std::size_t>(model.nq()));
  figureOf(world_, figure).q(world_.engine, q.data());
  const std::vector<double> stiffness(nv, values.stiffness), damping(nv, values.damping), bound(nv, values.maxForce);
  call(vtb_figure_set_motors(&world_, figure, q.data(), nullptr, stiffness.data(), damping.data(), bound.data()));
  call(vtb_figure_play(&world_, figure, clip, values.start, values.speed, values.loop));
  vtb_joint root{0};
  if (find(VTB_NAMED_JOINT, values.root, e, root.bits) && root.bits != 0) call(vtb_figure_play_root(&world_, figure, root));
}

int SceneBuilder::figureJoint(const Element& child, const std::string& name, vtb_skeleton* skeleton) {
  const int joint = skeleton->model->findJoint(name);
  if (joint >= 0) return joint;
  std::vector<std::string> known;
  for (const figure::JointDescription& j : skeleton->model->joints) known.push_back(j.name);
  error("scene.reference.unknown", child, "the figure has no joint '" + name + "'" + vertebra::scene::suggestion(name, known));
  return -1;
}

// The coordinates of one joint, into those of the whole figure.
void SceneBuilder::putPose(const Element& child, vtb_figure figure, vtb_skeleton* skeleton, std::vector<double>& q,
                           std::vector<double>& v) {
  const CoordinatesValues& values = child.as<CoordinatesValues>();
  const int joint = figureJoint(child, values.name, skeleton);
  if (joint < 0) return;
  const vtb_workspace names(figureOf(world_, figure).sharedModel());
  int32_t atQ = 0, atV = 0;
  call(vtb_workspace_get_joint(&names, joint, &atQ, &atV));
  const dynamics::JointType type = skeleton->model->joints[static_cast<std::size_t>(joint)].type;
  if (atQ < 0 || atV < 0) refuse(VTB_E_ARG, "this joint has no coordinates: it follows another, is fixed or closes a cycle");
  const auto put = [&](const std::vector<double>& given, int count, std::vector<double>& into, int32_t at, const char* name) {
    if (given.empty()) return;
    if (given.size() != static_cast<std::size_t>(count))
      refuse(VTB_E_ARG, std::string(name) + " has " + std::to_string(given.size()) + " numbers, this joint has " + std::to_string(count));
    std::copy(given.begin(), given.end(), into.begin() + at);
  };
  put(values.q, dynamics::jointNq(type), q, atQ, "q");
  put(values.v, dynamics::jointNv(type), v, atV, "v");
}

void SceneBuilder::figurePose(const Element& e, vtb_figure figure, vtb_skeleton* skeleton) {
  if (e.children.empty()) return;
  const figure::Figure& made = figureOf(world_, figure);
  const figure::FigureModel& model = made.model();
  std::vector<double> q(static_cast<std::size_t>(model.nq())), v(static_cast<std::size_t>(model.nv()));
  made.q(world_.engine, q.data());
  made.v(world_.engine, v.data());
  for (const Element& child : e.children) {
    if (child.rule == &kPose) attempt(child, [&] { putPose(child, figure, skeleton, q, v); });
    if (child.rule != &kFigureMotor && child.rule != &kFigureOrientationMotor) continue;
    attempt(child, [&] {
      const std::string& name = child.rule == &kFigureMotor ? child.as<MotorValues>().joint : child.as<OrientationMotorValues>().joint;
      const int joint = figureJoint(child, name, skeleton);
      if (joint >= 0) drive(child, {world_.joints.handle(made.joints()[joint])});
    });
  }
  call(vtb_figure_set_state(&world_, figure, q.data(), v.data()));
  for (const Element& child : e.children) attempt(child, [&] { controller(child, figure, skeleton); });
}

}  // namespace vertebra::capi::scene
