// See figure.hpp.
#include "loaders/bvh/figure.hpp"

#include <algorithm>
#include <cmath>

#include "engine/geometry/collision.hpp"
#include "engine/geometry/mass_properties.hpp"
#include "engine/math/rotation.hpp"
#include "loaders/bvh/reader.hpp"
#include "loaders/bvh/segments.hpp"

namespace vertebra {

namespace {
using bvh::Segment;

// Fractions of the body's mass (de Leva 1996, men; both sides together). Mass groups of segments share them by volume; a group that the
// figure does not have passes its share to `heir`.
struct BodyPart {
  Segment segments[2];
  double fraction;
  int heir;
};
constexpr BodyPart kBodyParts[] = {
    {{Segment::Pelvis, Segment::Pelvis}, 0.1117, 1},         {{Segment::Abdomen, Segment::Abdomen}, 0.1633, 2},
    {{Segment::Chest, Segment::Clavicle}, 0.1596, 0},        {{Segment::Head, Segment::Neck}, 0.0694, 2},
    {{Segment::UpperArm, Segment::UpperArm}, 2 * 0.0271, 2}, {{Segment::Forearm, Segment::Forearm}, 2 * 0.0162, 4},
    {{Segment::Hand, Segment::Finger}, 2 * 0.0061, 5},       {{Segment::Thigh, Segment::Thigh}, 2 * 0.1416, 0},
    {{Segment::Shank, Segment::Shank}, 2 * 0.0433, 7},       {{Segment::Foot, Segment::Toes}, 2 * 0.0137, 8},
};
constexpr int kBodyPartCount = 10;

// Radius of the capsule around a bone, relative to the body's height: a slim figure, so that limbs do not touch at rest.
double radiusOfHeight(Segment s) {
  constexpr double table[bvh::kSegments] = {0.03,  0.055, 0.06,  0.06,  0.03,  0.032, 0.05, 0.025,
                                            0.021, 0.018, 0.006, 0.042, 0.029, 0.022, 0.014};
  return table[static_cast<int>(s)];
}
// Relative to the height: distance of the sole below the joint between foot and toes; thickness, width and heel of a foot.
constexpr double kSole = 0.012, kFootThickness = 0.035, kFootWidth = 0.055, kHeel = 0.04;

class ClipConverter {
 public:
  ClipConverter(const figure::Motion& m, const MotionFigureOptions& options, figure::Skeleton& s, Diagnostics& diagnostics)
      : m_(m), options_(options), s_(s), d_(diagnostics) {}

  bool build() {
    if (!chooseJoints()) return false;
    samplePoses();
    segments_ = bvh::recogniseSegments(m_, joints_);
    measure();
    s_ = figure::Skeleton();
    s_.name = m_.name;
    for (int j : joints_) addLink(j);
    for (std::size_t i = 1; i < joints_.size(); i++) addJoint(joints_[i]);
    s_.floatingByDefault = !m_.joints[joints_[0]].channels.empty();
    shareMass();
    findNeighbours();
    findSites();
    const std::string wrong = figure::checkSkeleton(s_);
    if (!wrong.empty()) error("bvh.figure.unsound", "", wrong);
    return wrong.empty();
  }

 private:
  void info(const char* code, const std::string& element, const std::string& message) {
    d_.add(Severity::Info, code, m_.name, 0, element, message);
  }
  void error(const char* code, const std::string& element, const std::string& message) {
    d_.add(Severity::Error, code, m_.name, 0, element, message);
  }
  static std::string rounded(double x) { return bvh::formatNumber(std::round(x * 1000) / 1000); }

  // Largest and mean position of a joint over the clip, metres.
  struct Travel {
    Vec3 mean = Vec3::Zero();
    double range = 0;
    int channels = 0;
  };
  Travel travel(int j) const {
    const figure::MotionJoint& joint = m_.joints[j];
    Travel t;
    t.mean = m_.unit * joint.offset;
    for (std::size_t c = 0; c < joint.channels.size(); c++) {
      const int k = static_cast<int>(joint.channels[c]);
      if (k >= 3) continue;
      t.channels++;
      if (m_.frames() == 0) continue;
      double lo = kInf, hi = -kInf;
      for (int f = 0; f < m_.frames(); f++) {
        const double x = m_.frame(f)[joint.firstChannel + c];
        lo = std::min(lo, x), hi = std::max(hi, x);
      }
      t.range = std::max(t.range, m_.unit * (hi - lo));
      t.mean[k] = m_.unit * (lo + 0.5 * (hi - lo));
    }
    return t;
  }

  bool chooseJoints() {
    int root = -1, seen = 0;
    for (std::size_t j = 0; j < m_.joints.size(); j++)
      if (m_.joints[j].parent < 0 && seen++ == options_.root) root = static_cast<int>(j);
    if (root < 0) {
      error("bvh.figure.root", "", "the clip has " + std::to_string(seen) + " roots; there is no root " + std::to_string(options_.root));
      return false;
    }
    children_.assign(m_.joints.size(), {});
    for (std::size_t j = 0; j < m_.joints.size(); j++)
      if (m_.joints[j].parent >= 0) children_[m_.joints[j].parent].push_back(static_cast<int>(j));
    bodyScale_ = 0;
    for (const figure::MotionJoint& j : m_.joints) bodyScale_ = std::max(bodyScale_, m_.unit * j.offset.norm());
    while (children_[root].size() == 1 && m_.joints[root].endSites.empty()) {
      const int child = children_[root][0];
      const Travel t = travel(child);
      if (t.channels == 0 || t.range <= 2e-3 * bodyScale_) break;
      info("bvh.figure.reference", "joint '" + m_.joints[root].name + "'",
           "it only carries '" + m_.joints[child].name + "', which travels by itself; the figure starts there");
      root = child;
    }
    std::vector<char> in(m_.joints.size(), 0);
    link_.assign(m_.joints.size(), -1);
    for (int j = root; j < static_cast<int>(m_.joints.size()); j++) {
      in[j] = j == root || (m_.joints[j].parent >= 0 && in[m_.joints[j].parent]);
      if (!in[j]) continue;
      link_[j] = static_cast<int>(joints_.size());
      joints_.push_back(j);
    }
    return true;
  }

  void samplePoses() {  // up to 60 frames over the clip, fewer of a huge hierarchy, or the rest pose
    const int most = std::clamp(100000 / static_cast<int>(m_.joints.size()), 1, 60);
    const int n = m_.frames(), count = std::min(std::max(n, 1), most);
    sampled_.assign(count, std::vector<Pose>(m_.joints.size()));
    for (int i = 0; i < count; i++)
      figure::motionWorldPoses(
          m_, n > 0 ? m_.frame(count > 1 ? static_cast<int>(static_cast<long long>(i) * (n - 1) / (count - 1)) : 0) : nullptr, false,
          sampled_[i].data());
  }

  // The figure's height: for people from their legs (Winter, Biomechanics and Motor Control of Human Movement: thigh 0.245, shank 0.246 of
  // the height), for others the largest extent.
  void measure() {
    mean_.assign(m_.joints.size(), Vec3::Zero());
    travels_.assign(m_.joints.size(), Travel());
    for (int j : joints_) {
      travels_[j] = travel(j);
      mean_[j] = travels_[j].mean;
    }
    Vec3 lo = Vec3::Constant(kInf), hi = -lo;
    for (int j : joints_) {
      lo = lo.cwiseMin(sampled_[0][j].p);
      hi = hi.cwiseMax(sampled_[0][j].p);
      for (const Vec3& e : m_.joints[j].endSites) {
        lo = lo.cwiseMin(sampled_[0][j] * (m_.unit * e));
        hi = hi.cwiseMax(sampled_[0][j] * (m_.unit * e));
      }
    }
    size_ = (hi - lo).maxCoeff();
    if (!std::isfinite(size_) || size_ < 1e-6) size_ = 1;
    if (!segments_.human) {
      info("bvh.figure.segments", "",
           "the names of the joints do not identify a human body; masses are volume times " + bvh::formatNumber(options_.density) +
               " kg/m^3");
      return;
    }
    double leg = 0, thighs = 0;
    for (int j : joints_) {
      const Segment s = segments_.of[j];
      thighs += s == Segment::Thigh && segments_.of[std::max(0, m_.joints[j].parent)] != Segment::Thigh;
      if (s == Segment::Shank || (s == Segment::Foot && segments_.of[std::max(0, m_.joints[j].parent)] == Segment::Shank))
        leg += mean_[j].norm();
    }
    if (thighs > 0 && leg > 0.3 * size_) size_ = leg / thighs / 0.491;
    info("bvh.figure.segments", "",
         "a human body of about " + rounded(size_) + " m by its legs; " + std::to_string(segments_.named) + " of " +
             std::to_string(joints_.size()) + " joints are identified by their names, the others by their parents");
  }

  std::vector<Vec3> bones(int j) const {  // tips, link frame, metres
    std::vector<Vec3> tips;
    for (int c : children_[j]) tips.push_back(mean_[c]);
    for (const Vec3& e : m_.joints[j].endSites) tips.push_back(m_.unit * e);
    tips.erase(std::remove_if(tips.begin(), tips.end(), [&](const Vec3& t) { return !(t.norm() > 2e-3 * size_); }), tips.end());
    const Segment s = segments_.of[j];
    if (j != joints_[0] && segments_.of[m_.joints[j].parent] == s) return tips;  // an eye, a second toe
    const double ownLength = s == Segment::Head ? 0.13 : s == Segment::Hand ? 0.08 : s == Segment::Toes ? 0.04 : 0;
    if (tips.empty() && ownLength > 0 && mean_[j].norm() > 0)
      tips.push_back(ownLength * size_ * mean_[j].normalized());  // in the direction of the bone before it
    return tips;
  }

  void addShape(figure::LinkDescription& link, const geometry::Geometry& geometry, const Pose& pose) {
    geometry::Shape shape;
    shape.name = link.name;
    shape.geometry = geometry;
    shape.local = pose;
    link.shapes.push_back(shape);
    geometry::Visual visual;
    visual.name = link.name;
    visual.geometry = geometry;
    visual.local = pose;
    const float rgba[4] = {0.82f, 0.66f, 0.52f, 1.0f};
    std::copy(rgba, rgba + 4, visual.rgba);
    link.visuals.push_back(visual);
  }

  void addBone(figure::LinkDescription& link, Segment segment, const Vec3& tip) {
    const double length = tip.norm();
    const double wanted = segments_.human ? radiusOfHeight(segment) * size_ : std::min(0.15 * length, 0.05 * size_);
    const double radius = std::min(wanted, 0.45 * length);
    geometry::Geometry g;
    g.type = geometry::ShapeType::Capsule;
    g.size = Vec3(radius, 0, 0.5 * length - radius);  // ends where the bone ends
    addShape(link, g, {0.5 * tip, quatBetween(Vec3::UnitZ(), tip / length)});
  }

  // The world's up axis in the link frame when the foot is flat on the ground, i.e. when joint and tip together are lowest.
  Vec3 footUp(int j, const Vec3& tip) const {
    double lowest = kInf;
    Vec3 up = Vec3::UnitZ();
    for (const std::vector<Pose>& poses : sampled_) {
      const double z = poses[j].p.z() + (poses[j] * tip).z();
      if (z < lowest) {
        lowest = z;
        up = poses[j].q.conjugate() * Vec3::UnitZ();
      }
    }
    return up;
  }

  bool addFoot(figure::LinkDescription& link, int j, const std::vector<Vec3>& tips) {
    const bool toes = segments_.of[j] == Segment::Toes;
    Vec3 tip = Vec3::Zero(), up = Vec3::UnitZ();
    double reach = 0;
    for (const Vec3& t : tips) {
      const Vec3 u = footUp(j, t);
      const double along = (t - t.dot(u) * u).norm();
      if (along > reach) reach = along, tip = t, up = u;
    }
    if (reach < 0.01 * size_) return false;
    const Vec3 forward = (tip - tip.dot(up) * up).normalized();
    const double sole = toes ? kSole * size_ : std::clamp(-tip.dot(up) + kSole * size_, kSole * size_, 0.08 * size_);
    const double thickness = toes ? 2 * kSole * size_ : kFootThickness * size_, back = toes ? 0 : kHeel * size_;
    Mat3 axes;
    axes.col(0) = forward;
    axes.col(1) = up.cross(forward);
    axes.col(2) = up;
    geometry::Geometry g;
    g.type = geometry::ShapeType::Box;
    g.size = 0.5 * Vec3(reach + back, kFootWidth * size_, thickness);
    addShape(link, g, {axes * Vec3(0.5 * (reach - back), 0, -sole + 0.5 * thickness), quatFromMatrix(axes)});
    return true;
  }

  void addLink(int j) {
    figure::LinkDescription link;
    link.name = m_.joints[j].name;
    const Segment segment = segments_.of[j];
    const std::vector<Vec3> tips = bones(j);
    const bool foot = segments_.human && (segment == Segment::Foot || segment == Segment::Toes);
    if (!foot || !addFoot(link, j, tips))
      for (const Vec3& t : tips) addBone(link, segment, t);
    s_.links.push_back(std::move(link));
  }

  void addJoint(int j) {
    const figure::MotionJoint& joint = m_.joints[j];
    const Travel& t = travels_[j];
    const figure::RotationAxes axes = figure::rotationAxes(joint);
    const std::string who = "joint '" + joint.name + "'";
    figure::JointDescription d;
    d.name = joint.name;
    d.parent = link_[joint.parent];
    d.child = link_[j];
    d.inParent.p = t.mean;
    if (axes.count > 0) d.axis = Vec3::Unit(axes.axis[0]);
    if (t.range > 1e-3 * size_) {
      d.inParent.p = m_.unit * joint.offset;
      const bool slides = t.channels == 1 && axes.count == 0;
      d.type = slides ? dynamics::JointType::Prismatic : dynamics::JointType::Floating;
      if (slides) d.axis = Vec3::Unit(static_cast<int>(joint.channels[0]));
      d_.add(Severity::Warning, "bvh.figure.position", m_.name, 0, who,
             "its position channels move by " + rounded(t.range) + " m; it became a " + dynamics::jointTypeName(d.type) + " joint");
    } else {
      if (t.channels > 0 && (t.mean - m_.unit * joint.offset).norm() > 1e-3 * size_)
        info("bvh.figure.offset", who, "its position channels differ from OFFSET; the channels were used");
      d.type = axes.count == 0   ? dynamics::JointType::Fixed
               : axes.count == 1 ? dynamics::JointType::Continuous
               : axes.count == 2 ? dynamics::JointType::Universal
                                 : dynamics::JointType::Spherical;
      if (d.type == dynamics::JointType::Universal) d.axis2 = Vec3::Unit(axes.axis[1]);
    }
    s_.joints.push_back(d);
  }

  geometry::MassProperties solid(const figure::LinkDescription& link, Segment segment) const {  // at unit density
    geometry::MassProperties sum;
    for (const geometry::Shape& shape : link.shapes) {
      geometry::MassProperties one;
      if (geometry::massProperties(shape.geometry, 1, one).empty())
        sum = sum.mass > 0 ? geometry::add(sum, geometry::transform(shape.local, one)) : geometry::transform(shape.local, one);
    }
    if (sum.mass > 0) return sum;
    geometry::Geometry ball;
    ball.size.x() = segments_.human ? 0.5 * radiusOfHeight(segment) * size_ : 0.01 * size_;
    geometry::massProperties(ball, 1, sum);
    return sum;
  }

  void shareMass() {
    std::vector<geometry::MassProperties> solids;
    std::vector<int> group(s_.links.size(), -1);
    double volume = 0, partVolume[kBodyPartCount] = {0}, fraction[kBodyPartCount];
    for (std::size_t i = 0; i < s_.links.size(); i++) {
      solids.push_back(solid(s_.links[i], segments_.of[joints_[i]]));
      volume += solids[i].mass;
      for (int g = 0; g < kBodyPartCount; g++)
        if (segments_.of[joints_[i]] == kBodyParts[g].segments[0] || segments_.of[joints_[i]] == kBodyParts[g].segments[1]) group[i] = g;
      if (group[i] >= 0) partVolume[group[i]] += solids[i].mass;
    }
    double total = options_.mass > 0 ? options_.mass : segments_.human ? 22 * size_ * size_ : options_.density * volume;
    for (int g = 0; g < kBodyPartCount; g++) fraction[g] = kBodyParts[g].fraction;
    for (int round = 0; round < kBodyPartCount; round++)
      for (int g = 0; g < kBodyPartCount; g++)
        if (partVolume[g] == 0) {
          fraction[kBodyParts[g].heir] += fraction[g];
          fraction[g] = 0;
        }
    for (std::size_t i = 0; i < s_.links.size(); i++) {
      const double share =
          segments_.human && group[i] >= 0 ? fraction[group[i]] * solids[i].mass / partVolume[group[i]] : solids[i].mass / volume;
      const geometry::MassProperties p = geometry::scaleToMass(solids[i], total * share);
      s_.links[i].mass = p.mass;
      s_.links[i].com = p.com;
      s_.links[i].inertia = p.inertia;
    }
    info("bvh.figure.mass", "",
         "total mass " + rounded(total) + " kg" +
             (options_.mass > 0 ? ""
              : segments_.human ? " (body mass index 22)"
                                : ""));
  }

  // Where the file ends a bone.
  void findSites() {
    for (std::size_t l = 0; l < joints_.size(); l++) {
      const figure::MotionJoint& joint = m_.joints[static_cast<std::size_t>(joints_[l])];
      for (std::size_t i = 0; i < joint.endSites.size(); i++) {
        const std::string number = i > 0 ? std::to_string(i + 1) : "";
        s_.sites.push_back({s_.links[l].name + ".end" + number, static_cast<int>(l), {m_.unit * joint.endSites[i], Quat::Identity()}});
      }
    }
  }

  // Links connected by a joint never collide, nor do those that overlap at the start of the clip.
  void findNeighbours() {
    constexpr std::size_t kMostLinks = 300;  // the search tests all pairs
    for (const figure::JointDescription& d : s_.joints)
      s_.uncollidable.emplace_back(std::min(d.parent, d.child), std::max(d.parent, d.child));
    if (s_.links.size() > kMostLinks) {
      info("bvh.figure.overlaps", "", "more than " + std::to_string(kMostLinks) + " links: overlaps were not searched");
    } else {
      for (std::size_t a = 0; a < s_.links.size(); a++)
        for (std::size_t b = a + 1; b < s_.links.size(); b++)
          if (overlap(static_cast<int>(a), static_cast<int>(b))) s_.uncollidable.emplace_back(a, b);
    }
    std::sort(s_.uncollidable.begin(), s_.uncollidable.end());
    s_.uncollidable.erase(std::unique(s_.uncollidable.begin(), s_.uncollidable.end()), s_.uncollidable.end());
  }
  bool overlap(int a, int b) const {
    for (const geometry::Shape& x : s_.links[a].shapes)
      for (const geometry::Shape& y : s_.links[b].shapes) {
        geometry::Manifold contacts;
        geometry::collide(geometry::Collider(x.geometry, sampled_[0][joints_[a]] * x.local),
                          geometry::Collider(y.geometry, sampled_[0][joints_[b]] * y.local), 0, contacts);
        if (contacts.count > 0) return true;
      }
    return false;
  }

  const figure::Motion& m_;
  const MotionFigureOptions& options_;
  figure::Skeleton& s_;
  Diagnostics& d_;
  std::vector<int> joints_;  // of the figure: link i carries joint joints_[i]
  std::vector<int> link_;    // of the joint, -1 = not of this figure
  std::vector<std::vector<int>> children_;
  std::vector<std::vector<Pose>> sampled_;  // world, metres
  std::vector<Travel> travels_;
  std::vector<Vec3> mean_;  // position of a joint in its parent's frame, metres
  bvh::Segments segments_;
  double size_ = 1, bodyScale_ = 1;
};
}  // namespace

bool skeletonFromMotion(const figure::Motion& motion, const MotionFigureOptions& options, figure::Skeleton& out, Diagnostics& diagnostics) {
  return ClipConverter(motion, options, out, diagnostics).build();
}

}  // namespace vertebra
