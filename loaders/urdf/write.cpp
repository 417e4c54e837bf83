// Skeleton -> URDF text, and what URDF cannot express. See urdf.hpp.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "loaders/urdf/robot.hpp"
#include "loaders/urdf/urdf.hpp"
#include "loaders/urdf/xml.hpp"

namespace vertebra {

namespace {

std::string escaped(const std::string& s) {
  std::string out;
  for (char c : s) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        if (static_cast<unsigned char>(c) < 32)
          out += "&#" + std::to_string(static_cast<int>(c)) + ";";  // white space that a reader would normalise
        else
          out += c;
    }
  }
  return out;
}

std::string spaced(const Vec3& v) { return formatNumber(v.x()) + " " + formatNumber(v.y()) + " " + formatNumber(v.z()); }

class Writer {
 public:
  Writer(const figure::Skeleton& skeleton, UrdfReport& report) : s_(skeleton), report_(report) {}

  std::string text() {
    out_ = "<?xml version=\"1.0\"?>\n<robot name=\"" + escaped(s_.name) + "\">\n";
    for (std::size_t i = 0; i < s_.links.size(); ++i) link(s_.links[i], static_cast<int>(i) == s_.root);
    for (const figure::JointDescription& j : s_.joints) joint(j);
    return out_ + "</robot>\n";
  }

 private:
  void lost(const std::string& what) { report_.tally("urdf.write.lost", what, 0, "URDF cannot express " + what + ", which is left out"); }

  void origin(const Pose& p, const char* indent) {
    Vec3 zyx = eulerFromQuat({2, 1, 0}, p.q);
    bool turned = p.q.vec().squaredNorm() > 0;
    if (p.p.isZero(0) && !turned) return;
    out_ += std::string(indent) + "<origin xyz=\"" + spaced(p.p) + "\"";
    if (turned) out_ += " rpy=\"" + spaced(Vec3(zyx[2], zyx[1], zyx[0])) + "\"";
    out_ += "/>\n";
  }

  // Empty: URDF has no such shape.
  std::string geometry(const geometry::Geometry& g) {
    switch (g.type) {
      case geometry::ShapeType::Box:
        return "<box size=\"" + spaced(2 * g.size) + "\"/>";
      case geometry::ShapeType::Sphere:
        return "<sphere radius=\"" + formatNumber(g.size.x()) + "\"/>";
      case geometry::ShapeType::Cylinder:
      case geometry::ShapeType::Capsule:
        return std::string(g.type == geometry::ShapeType::Capsule ? "<capsule" : "<cylinder") + " radius=\"" + formatNumber(g.size.x()) +
               "\" length=\"" + formatNumber(2 * g.size.z()) + "\"/>";
      default:
        if (g.type != geometry::ShapeType::Compound)
          lost(g.type == geometry::ShapeType::Plane ? "a plane" : "geometry that is in memory only (hulls and meshes)");
        return "";
    }
  }

  void shape(const char* tag, const std::string& name, const Pose& pose, const geometry::Geometry& g, const float* rgba) {
    std::string text = geometry(g);
    if (text.empty()) return;
    out_ += std::string("    <") + tag + (name.empty() ? "" : " name=\"" + escaped(name) + "\"") + ">\n";
    origin(pose, "      ");
    out_ += "      <geometry>" + text + "</geometry>\n";
    if (rgba != nullptr) {
      out_ += "      <material name=\"\"><color rgba=\"";
      for (int i = 0; i < 4; ++i) out_ += (i > 0 ? " " : "") + formatNumber(rgba[i]);
      out_ += "\"/></material>\n";
    }
    out_ += std::string("    </") + tag + ">\n";
  }

  void link(const figure::LinkDescription& l, bool root) {
    out_ += "  <link name=\"" + escaped(l.name) + "\">\n";
    bool stands = root && !s_.floatingByDefault && l.name != "world";
    if (l.mass > 0 || !l.inertia.isZero(0) || stands) {
      out_ += "    <inertial>\n";
      origin({l.com, Quat::Identity()}, "      ");
      const Mat3& i = l.inertia;
      out_ += "      <mass value=\"" + formatNumber(l.mass) + "\"/>\n      <inertia ixx=\"" + formatNumber(i(0, 0)) + "\" ixy=\"" +
              formatNumber(i(0, 1)) + "\" ixz=\"" + formatNumber(i(0, 2)) + "\" iyy=\"" + formatNumber(i(1, 1)) + "\" iyz=\"" +
              formatNumber(i(1, 2)) + "\" izz=\"" + formatNumber(i(2, 2)) + "\"/>\n    </inertial>\n";
    }
    for (const geometry::Visual& v : l.visuals) shape("visual", v.name, v.local, v.geometry, v.rgba);
    for (const geometry::Shape& c : l.shapes) {
      Pose pose = c.local;
      for (int p = c.parent; p >= 0; p = l.shapes[p].parent) pose = l.shapes[p].local * pose;
      shape("collision", c.name, pose, c.geometry, nullptr);
    }
    if (!l.shapes.empty()) {
      const geometry::Surface standard, &s = l.shapes.front().surface;
      for (const geometry::Shape& c : l.shapes)
        if (c.surface.friction != s.friction || c.surface.restitution != s.restitution) lost("surfaces that differ within a link");
      if (s.friction != standard.friction || s.restitution != standard.restitution)
        out_ += "    <contact><lateral_friction value=\"" + formatNumber(s.friction) + "\"/><restitution value=\"" +
                formatNumber(s.restitution) + "\"/></contact>\n";
    }
    out_ += "  </link>\n";
  }

  void joint(const figure::JointDescription& j) {
    std::string element = quoted("joint", j.name);
    if (j.type == dynamics::JointType::Universal)
      report_.error("urdf.write.universal", 0, element, "URDF has no universal joint; to mend: use two revolute joints");
    else if (!dynamics::traitsOf(j.type).inUrdf)
      report_.error("urdf.write.joint", 0, element,
                    std::string("URDF has no ") + dynamics::jointTypeName(j.type) + " joint; to mend: use revolute and prismatic joints");
    if (j.parent < 0) report_.error("urdf.write.world", 0, element, "it hangs on the world; to mend: give the world a link");
    if (!j.inChild.p.isZero(1e-12) || j.inChild.q.vec().norm() > 1e-12)
      report_.error("urdf.write.frame", 0, element,
                    "its frame is not that of its child link, as URDF has it; to mend: move the link's frame to the joint");
    if (report_.failed()) return;
    const dynamics::AxisParameters& a = j.axes[0];
    bool oneAxis = dynamics::jointNv(j.type) == 1;
    bool endless = oneAxis && j.type != dynamics::JointType::Prismatic && a.lower == -kInf && a.upper == kInf;
    const char* type = endless                                               ? "continuous"
                       : oneAxis && j.type != dynamics::JointType::Prismatic ? "revolute"
                                                                             : dynamics::jointTypeName(j.type);
    out_ += "  <joint name=\"" + escaped(j.name) + "\" type=\"" + type + "\">\n";
    origin(j.inParent, "    ");
    out_ +=
        "    <parent link=\"" + escaped(s_.links[j.parent].name) + "\"/>\n    <child link=\"" + escaped(s_.links[j.child].name) + "\"/>\n";
    if (oneAxis || j.type == dynamics::JointType::Planar) out_ += "    <axis xyz=\"" + spaced(j.axis) + "\"/>\n";
    if (oneAxis) limit(a, endless);
    if (dynamics::jointNv(j.type) > 0 && (a.damping != 0 || a.friction != 0))
      out_ += "    <dynamics damping=\"" + formatNumber(a.damping) + "\" friction=\"" + formatNumber(a.friction) + "\"/>\n";
    if (j.mimic.master >= 0)
      out_ += "    <mimic joint=\"" + escaped(s_.joints[j.mimic.master].name) + "\" multiplier=\"" + formatNumber(j.mimic.multiplier) +
              "\" offset=\"" + formatNumber(j.mimic.offset) + "\"/>\n";
    if (j.hasSafety)
      out_ += "    <safety_controller soft_lower_limit=\"" + formatNumber(j.safetyLower) + "\" soft_upper_limit=\"" +
              formatNumber(j.safetyUpper) + "\" k_position=\"" + formatNumber(j.safetyKPosition) + "\" k_velocity=\"" +
              formatNumber(j.safetyKVelocity) + "\"/>\n";
    out_ += "  </joint>\n";
    tellLosses(j);
  }

  void limit(const dynamics::AxisParameters& a, bool endless) {
    auto bounded = [](double x) { return formatNumber(std::min(std::max(x, -kNoLimit), kNoLimit)); };
    if (endless && a.effort == kInf && a.velocity == kInf) return;
    out_ += "    <limit ";
    if (!endless) out_ += "lower=\"" + bounded(a.lower) + "\" upper=\"" + bounded(a.upper) + "\" ";
    out_ += "effort=\"" + bounded(a.effort) + "\" velocity=\"" + bounded(a.velocity) + "\"/>\n";
  }

  void tellLosses(const figure::JointDescription& j) {
    if (j.swing < kInf || j.twistLower > -kInf || j.twistUpper < kInf) lost("swing and twist limits");
    for (int i = 0; i < dynamics::jointNv(j.type); ++i) {
      const dynamics::AxisParameters &a = j.axes[i], &first = j.axes[0];
      if (a.stiffness != 0) lost("a joint's spring");
      if (a.armature != 0) lost("a joint's armature");
      if (a.restitution != 0) lost("the restitution of a joint's limits");
      if (dynamics::jointNv(j.type) > 1 && (a.lower > -kInf || a.upper < kInf || a.velocity < kInf || a.effort < kInf))
        lost("limits of a joint of several degrees of freedom");
      if (a.damping != first.damping || a.friction != first.friction) lost("damping and friction that differ between a joint's axes");
    }
  }

  const figure::Skeleton& s_;
  UrdfReport& report_;
  std::string out_;
};

}  // namespace

bool writeUrdf(const figure::Skeleton& skeleton, std::string& out, Diagnostics& diagnostics) {
  UrdfReport report(skeleton.name, true);
  std::string wrong = figure::checkSkeleton(skeleton);
  if (!wrong.empty()) report.error("urdf.skeleton.invalid", 0, "robot", wrong);
  std::string text;
  if (!report.failed()) text = Writer(skeleton, report).text();
  bool good = !report.failed();
  report.deliver(diagnostics);
  if (good) out = std::move(text);
  return good;
}

}  // namespace vertebra
