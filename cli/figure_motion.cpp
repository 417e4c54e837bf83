// vertebra figure --motion: which joints meet, ranges and rates that the motion breaks, frames that jump.
#include <algorithm>
#include <cmath>
#include <set>

#include "cli/figure_check.hpp"
#include "cli/motion_files.hpp"
#include "cli/output.hpp"

namespace vertebra::cli {

namespace {

constexpr double kRoundOff = 1e-9;

// Numbers of one axis over the frames.
void take(AxisCheck& axis, int frame, double value, bool first) {
  axis.lowest = first ? value : std::min(axis.lowest, value);
  axis.highest = first ? value : std::max(axis.highest, value);
  if (value >= axis.lower - kRoundOff && value <= axis.upper + kRoundOff) return;
  if (axis.beyond++ == 0) axis.firstBeyond = frame;
}
void takeRate(AxisCheck& axis, int frame, double rate) {
  axis.quickest = std::max(axis.quickest, std::fabs(rate));
  if (!(std::fabs(rate) > axis.fastest * (1 + kRoundOff))) return;
  if (axis.tooFast++ == 0) axis.firstTooFast = frame;
}

// Swing and twist of a ball joint's quaternion about its twist axis.
void swingTwist(const double* q, const double* axis, double& swing, double& twist) {
  const double along = q[0] * axis[0] + q[1] * axis[1] + q[2] * axis[2];
  twist = std::remainder(2 * std::atan2(along, q[3]), 2 * 3.14159265358979323846);
  swing = 2 * std::acos(std::clamp(std::sqrt(along * along + q[3] * q[3]), 0.0, 1.0));
}

// The axes of one joint: where their numbers stand, and what they are held against.
class JointAxes {
 public:
  JointAxes(const vtb_skeleton* skeleton, const vtb_joint_info& joint, int index, int q, int v) : joint_(joint), q_(q), v_(v) {
    ball_ = joint.type == VTB_JOINT_TYPE_SPHERICAL;
    for (int k = 0; k < joint.axes; ++k) {
      auto def = sized<vtb_axis_def>();
      check(vtb_skeleton_get_axis(skeleton, index, k, &def), "reading an axis");
      AxisCheck axis;
      axis.name = joint.axes == 1 ? std::string(joint.name) : std::string(joint.name) + "." + std::to_string(k + 1);
      axis.lower = def.lower, axis.upper = def.upper, axis.fastest = def.velocity;
      if (ball_) axis.lower = -INFINITY, axis.upper = INFINITY;
      axes_.push_back(axis);
    }
    if (!ball_) return;
    for (const char* part : {".swing", ".twist"}) {
      AxisCheck axis;
      axis.name = std::string(joint.name) + part;
      axis.lower = part[1] == 's' ? 0 : joint.limits.twist_lower;
      axis.upper = part[1] == 's' ? joint.limits.swing : joint.limits.twist_upper;
      axis.fastest = INFINITY;
      axes_.push_back(axis);
    }
  }
  void frame(int i, const std::vector<double>& q, const std::vector<double>& v) {
    for (int k = 0; k < joint_.axes; ++k) {
      if (!ball_) take(axes_[static_cast<std::size_t>(k)], i, q[static_cast<std::size_t>(q_ + k)], i == 0);
      takeRate(axes_[static_cast<std::size_t>(k)], i, v[static_cast<std::size_t>(v_ + k)]);
    }
    if (!ball_) return;
    double swing = 0, twist = 0;
    swingTwist(q.data() + q_, joint_.axis, swing, twist);
    take(axes_[3], i, swing, i == 0);
    take(axes_[4], i, twist, i == 0);
  }
  const std::vector<AxisCheck>& axes() const { return axes_; }

 private:
  vtb_joint_info joint_;
  int q_, v_;
  bool ball_ = false;
  std::vector<AxisCheck> axes_;
};

void checkAxes(MotionCheck& found, const vtb_motion* motion, vtb_skeleton* skeleton) {
  vtb_trajectory* made = nullptr;
  check(vtb_trajectory_from_motion(motion, skeleton, nullptr, &made), "taking the figure's coordinates from the motion");
  const Trajectory trajectory(made);
  vtb_workspace* workspace = nullptr;
  check(vtb_workspace_create(skeleton, VTB_BASE_FLOATING, 0, &workspace), "preparing the figure's coordinates");
  const Workspace owner(workspace);
  int32_t nq = 0, nv = 0;
  check(vtb_workspace_get_size(workspace, &nq, &nv), "reading the number of coordinates");
  const std::set<std::string> met(found.met.begin(), found.met.end());
  std::vector<JointAxes> joints;
  for (int j = 0; j < infoOf(skeleton).joints; ++j) {
    const vtb_joint_info joint = jointOf(skeleton, j);
    int32_t q = 0, v = 0;
    check(vtb_workspace_get_joint(workspace, j, &q, &v), "reading the coordinates");
    if (q >= 0 && joint.type != VTB_JOINT_TYPE_FLOATING && met.count(joint.name) != 0) joints.emplace_back(skeleton, joint, j, q, v);
  }
  std::vector<double> q(static_cast<std::size_t>(nq)), v(static_cast<std::size_t>(nv));
  size_t total = 0;
  for (int i = 0; i < found.info.frames; ++i) {
    check(vtb_trajectory_get_frame(made, i, q.data(), q.size(), &total), "reading the trajectory");
    check(vtb_trajectory_get_velocities(made, skeleton, i, v.data(), v.size(), &total), "reading the trajectory");
    for (JointAxes& joint : joints) joint.frame(i, q, v);
  }
  for (const JointAxes& joint : joints) found.axes.insert(found.axes.end(), joint.axes().begin(), joint.axes().end());
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += " " + name;
  return text;
}

}  // namespace

MotionCheck checkMotion(const std::string& file, const Model& model, const Arguments& arguments, std::vector<Diagnostic>& diagnostics) {
  if (motionFormOf(file) == MotionForm::Markers)
    throw Failure(file + " holds markers, which have no joints; fit the figure to them by vertebra markers --figure");
  vtb_skeleton* skeleton = model.skeleton.get();
  const Motion motion = readMotion(file, skeleton, false, arguments, diagnostics);
  MotionCheck found;
  found.file = file;
  found.info = infoOf(motion.get());
  if (found.info.frames == 0) throw Failure(file + " has no frames");
  std::set<std::string> ofMotion, ofFigure;
  for (int j = 0; j < found.info.joints; ++j) {
    auto joint = sized<vtb_motion_joint>();
    check(vtb_motion_get_joint(motion.get(), j, &joint), "reading the motion");
    if (joint.channel_count > 0 && joint.parent >= 0) ofMotion.insert(joint.name);
  }
  for (int j = 0; j < infoOf(skeleton).joints; ++j) {
    const vtb_joint_info joint = jointOf(skeleton, j);
    if (joint.loop || joint.axes == 0) continue;
    ofFigure.insert(joint.name);
    (ofMotion.count(joint.name) != 0 ? found.met : found.lacking).emplace_back(joint.name);
  }
  for (const std::string& name : ofMotion)
    if (ofFigure.count(name) == 0) found.spare.push_back(name);
  if (!found.met.empty()) checkAxes(found, motion.get(), skeleton);
  vtb_diagnostics* list = nullptr;
  size_t total = 0;
  check(vtb_motion_find_outliers(motion.get(), &list, nullptr, 0, &total), "looking for frames that jump");
  found.outliers = take(list);
  return found;
}

std::string describe(const MotionCheck& m) {
  std::string text = "\n" + m.file + ": " + std::to_string(m.info.frames) + " frames, " + readable(m.info.frame_time) + " s each; " +
                     std::to_string(m.met.size()) + " of " + std::to_string(m.met.size() + m.lacking.size()) +
                     " joints of the figure meet one of the motion\n";
  if (m.met.empty()) text += "note: no name agrees; vertebra retarget puts the motion onto this figure\n";
  if (!m.lacking.empty() && !m.met.empty())
    text += "note: joints of the figure without motion, which stay at zero:" + listed(m.lacking) + "\n";
  if (!m.spare.empty() && !m.met.empty()) text += "note: joints of the motion that the figure lacks:" + listed(m.spare) + "\n";
  Table table({"axis", "range", "in the motion", "frames beyond", "largest rate", "in the motion", "frames too fast"});
  const auto frames = [](int count, int first) {
    return count == 0 ? std::string("0") : std::to_string(count) + " from " + std::to_string(first) + " on";
  };
  for (const AxisCheck& a : m.axes) {
    if (a.beyond == 0 && a.tooFast == 0) continue;
    table.add({a.name, readable(a.lower) + " .. " + readable(a.upper), readable(a.lowest) + " .. " + readable(a.highest),
               frames(a.beyond, a.firstBeyond), readable(a.fastest), readable(a.quickest), frames(a.tooFast, a.firstTooFast)});
  }
  if (!table.empty()) text += table.text();
  if (table.empty() && !m.met.empty()) text += "no axis leaves its range or is faster than it may be\n";
  for (const Diagnostic& outlier : m.outliers) text += "note: " + outlier.code + ": " + outlier.element + " " + outlier.message + "\n";
  return text;
}

void write(Json& json, const MotionCheck& m) {
  json.beginObject().member("file", m.file).member("frames", m.info.frames).member("frame_time", m.info.frame_time);
  json.key("joints_met").strings(m.met).key("joints_of_figure_alone").strings(m.lacking).key("joints_of_motion_alone").strings(m.spare);
  json.key("axes").beginArray();
  for (const AxisCheck& a : m.axes) {
    json.beginObject().member("name", a.name).member("lower", a.lower).member("upper", a.upper).member("lowest", a.lowest);
    json.member("highest", a.highest).member("frames_beyond", a.beyond).member("first_beyond", a.firstBeyond);
    json.member("velocity_limit", a.fastest).member("velocity_max", a.quickest).member("frames_too_fast", a.tooFast);
    json.member("first_too_fast", a.firstTooFast).endObject();
  }
  json.endArray().key("outliers");
  write(json, m.outliers);
  json.endObject();
}

}  // namespace vertebra::cli
