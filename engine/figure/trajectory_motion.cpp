// See trajectory_motion.hpp.
#include "engine/figure/trajectory_motion.hpp"

#include <cmath>
#include <set>

#include "engine/figure/motion_channels.hpp"
#include "engine/figure/motion_coordinates.hpp"
#include "engine/math/rotation.hpp"

namespace vertebra::figure {

namespace {
constexpr double kDegrees = 180 / kPi;
constexpr double kSame = 1e-12;
constexpr Channel kSix[] = {Channel::Xposition, Channel::Yposition, Channel::Zposition,
                            Channel::Zrotation, Channel::Xrotation, Channel::Yrotation};

bool isTurned(const Quat& q) { return q.vec().norm() > kSame; }
Channel position(int axis) { return static_cast<Channel>(axis); }
Channel rotation(int axis) { return static_cast<Channel>(3 + axis); }

// A joint's channels, and the turn of its frame that makes its axes those of the frame.
struct Form {
  Quat turn = Quat::Identity();
  std::vector<Channel> channels;
  std::string wrong;
};

Form formOf(const JointDescription& d) {
  using dynamics::MotionChannels;
  Form form;
  const MotionChannels kind = dynamics::traitsOf(d.type).motion;
  int k = 0;
  d.axis.cwiseAbs().maxCoeff(&k);
  const Vec3 own = Vec3::Unit(k);
  switch (kind) {
    case MotionChannels::Angles:
      if (dynamics::jointNv(d.type) == 1) {
        if ((d.axis - own).norm() > kSame) form.turn = quatBetween(own, d.axis);
        form.channels = {rotation(k)};
      } else if (std::fabs(d.axis.dot(d.axis2)) > 1e-9) {
        form.wrong = "has axes that are not perpendicular";
      } else {
        Mat3 axes;
        axes << d.axis, d.axis2, d.axis.cross(d.axis2);
        if (!axes.isIdentity(kSame)) form.turn = quatFromMatrix(axes);
        form.channels = {rotation(0), rotation(1)};
      }
      break;
    case MotionChannels::Length:
      if ((d.axis - own).norm() > kSame) form.turn = quatBetween(own, d.axis);
      form.channels = {position(k)};
      break;
    case MotionChannels::Orientation:
      form.channels.assign(kSix + 3, kSix + 6);
      break;
    case MotionChannels::Pose:
      form.channels.assign(kSix, kSix + 6);
      break;
    case MotionChannels::None:
      if (d.type != dynamics::JointType::Fixed) form.wrong = std::string("is of type ") + dynamics::jointTypeName(d.type);
      break;
  }
  return form;
}

// The figure's tree as joints of a clip, and a frame of tree coordinates as a row of its channels.
class Clip {
 public:
  Clip(const FigureModel& model, Motion& out) : model_(model), s_(*model.skeleton), c_(model.coordinates), m_(out) {}

  std::string makeJoints() {
    for (const JointDescription& d : s_.joints) names_.insert(d.name);
    const std::string& root = s_.links[static_cast<std::size_t>(s_.root)].name;
    if (names_.count(root)) return "the root link and a joint are both named '" + root + "'; a clip tells them apart by name";
    link_.assign(s_.links.size(), Place{});
    joint_.assign(s_.joints.size(), -1);
    link_[static_cast<std::size_t>(s_.root)].joint = add(root, -1, Vec3::Zero(), {kSix, kSix + 6});
    for (const LinkFrame& frame : model_.frames)
      if (const std::string wrong = addJointOf(frame.link); !wrong.empty()) return wrong;
    std::vector<bool> carries(m_.joints.size(), false);
    for (const MotionJoint& joint : m_.joints)
      if (joint.parent >= 0) carries[static_cast<std::size_t>(joint.parent)] = true;
    for (std::size_t l = 0; l < link_.size(); l++) {  // a bone ends where a site says, else at once
      const auto j = static_cast<std::size_t>(link_[l].joint);
      if (carries[j]) continue;
      for (const Site& site : s_.sites)
        if (site.link == static_cast<int>(l)) m_.joints[j].endSites.push_back(link_[l].after * site.pose.p);
      if (m_.joints[j].endSites.empty()) m_.joints[j].endSites.push_back(Vec3::Zero());
    }
    return {};
  }

  // All links have the axes of their joints, as in figures of BVH files.
  bool plain() const {
    for (const JointDescription& d : s_.joints)
      if (!d.loop && (isTurned(d.inParent.q) || !(d.inChild == Pose()))) return false;
    return still_.empty();
  }

  // Rotations of joints that do not move, which every row has.
  void putStill(double* row) const {
    for (const auto& [joint, turn] : still_) setLocalPose(m_.joints[static_cast<std::size_t>(joint)], {Vec3::Zero(), turn}, row);
  }
  void put(const double* q, double* row) {
    tree_.resize(static_cast<std::size_t>(c_.treeNq));
    treeCoordinates(c_, q, tree_.data());
    for (const CoordinatePart& part : c_.parts) {
      const double* x = tree_.data() + part.treeQ;
      const auto quat = [&](int at) { return Quat(x[at + 3], x[at], x[at + 1], x[at + 2]); };
      if (part.joint < 0) {
        const Quat back = m_.turn.conjugate();
        setLocalPose(m_.joints[0], {back * Vec3(x[0], x[1], x[2]), back * quat(3)}, row);
        continue;
      }
      const JointDescription& d = s_.joints[static_cast<std::size_t>(part.joint)];
      const MotionJoint& joint = m_.joints[static_cast<std::size_t>(joint_[static_cast<std::size_t>(part.joint)])];
      double* v = row + joint.firstChannel;
      switch (dynamics::traitsOf(d.type).motion) {
        case dynamics::MotionChannels::Angles:
          for (std::size_t k = 0; k < joint.channels.size(); k++) v[k] = kDegrees * x[k];
          break;
        case dynamics::MotionChannels::Length:
          v[0] = joint.offset[static_cast<int>(joint.channels[0])] + x[0];
          break;
        case dynamics::MotionChannels::Orientation:
          setLocalPose(joint, {Vec3::Zero(), quat(0)}, row);
          break;
        case dynamics::MotionChannels::Pose:
          setLocalPose(joint, {joint.offset + Vec3(x[0], x[1], x[2]), quat(3)}, row);
          break;
        case dynamics::MotionChannels::None:
          break;
      }
    }
  }

 private:
  struct Place {
    int joint = -1;  // of the clip, that carries the link
    Pose after;      // the link's frame in that joint's
  };

  int add(const std::string& name, int parent, const Vec3& offset, std::vector<Channel> channels) {
    MotionJoint joint;
    joint.name = name;
    joint.parent = parent;
    joint.offset = offset;
    joint.firstChannel = m_.channelCount;
    m_.channelCount += static_cast<int>(channels.size());
    joint.channels = std::move(channels);
    m_.joints.push_back(std::move(joint));
    return static_cast<int>(m_.joints.size()) - 1;
  }
  int addTurned(const std::string& name, int parent, const Pose& at) {
    const int joint = add(name, parent, at.p, {kSix + 3, kSix + 6});
    still_.emplace_back(joint, at.q);
    return joint;
  }

  std::string addJointOf(int link) {
    std::size_t j = 0;
    while (s_.joints[j].loop || s_.joints[j].child != link) j++;
    const JointDescription& d = s_.joints[j];
    const Form form = formOf(d);
    if (!form.wrong.empty()) return "joint '" + d.name + "' " + form.wrong + ", which a clip has no channels for";
    const Place& parent = link_[static_cast<std::size_t>(d.parent)];
    const Pose at = parent.after * d.inParent * Pose{Vec3::Zero(), form.turn};
    const bool turned = isTurned(at.q), free = form.channels.size() == 6;
    if (free && (turned || (at.p - d.inParent.p).norm() > kSame))
      return "joint '" + d.name + "' is of type floating in a turned frame, which a clip has no channels for";
    int joint = 0;
    if (form.channels.empty() && turned) {
      joint = addTurned(d.name, parent.joint, at);
    } else {
      int before = parent.joint;
      if (turned) before = addTurned(unusedName(d.name + ".frame"), parent.joint, at);
      joint = add(d.name, before, turned ? Vec3(Vec3::Zero()) : at.p, form.channels);
    }
    joint_[j] = joint;
    link_[static_cast<std::size_t>(link)] = {joint, Pose{Vec3::Zero(), form.turn.conjugate()} * d.inChild.inverse()};
    return {};
  }
  std::string unusedName(std::string name) {
    while (!names_.insert(name).second) name += '_';
    return name;
  }

  const FigureModel& model_;
  const Skeleton& s_;
  const Coordinates& c_;
  Motion& m_;
  std::set<std::string> names_;
  std::vector<Place> link_;
  std::vector<int> joint_;  // of the clip, by joint of the skeleton
  std::vector<std::pair<int, Quat>> still_;
  std::vector<double> tree_;
};
}  // namespace

std::string motionFromTrajectory(const Trajectory& t, const FigureModel& model, Motion& out) {
  out = {};
  out.name = t.name;
  out.frameTime = t.frameTime;
  double upright = 0;  // heights of the root's y axis over those of its z axis
  for (int i = 0; i < t.frames(); i++) {
    const Quat q(t.frame(i)[6], t.frame(i)[3], t.frame(i)[4], t.frame(i)[5]);
    upright += (q * Vec3::UnitY()).z() - (q * Vec3::UnitZ()).z();
  }
  Clip clip(model, out);
  if (const std::string wrong = clip.makeJoints(); !wrong.empty()) return wrong;
  if (upright > 0 && clip.plain()) out.turn = Quat(std::sqrt(0.5), std::sqrt(0.5), 0, 0);
  std::vector<double> row(static_cast<std::size_t>(out.channelCount), 0.0);
  clip.putStill(row.data());
  for (int i = 0; i < t.frames(); i++) {
    clip.put(t.frame(i), row.data());
    out.values.insert(out.values.end(), row.begin(), row.end());
  }
  return {};
}

std::string trajectoryFromMotion(const Motion& m, const FigureModel& model, Trajectory& out, int& matched) {
  const MotionBinding binding(m, *model.skeleton, model.coordinates);
  matched = binding.matched();
  if (matched == 0 && model.coordinates.parts.size() > 1) return "no joint of the figure has the name of a joint of the motion";
  out = {};
  out.name = model.skeleton->name;
  out.names = model.coordinates.qNames;
  out.frameTime = m.frameTime;
  out.q.resize(static_cast<std::size_t>(m.frames()) * out.names.size());
  for (int i = 0; i < m.frames(); i++) binding.coordinates(i * m.frameTime, out.q.data() + static_cast<std::size_t>(i) * out.names.size());
  return {};
}

}  // namespace vertebra::figure
