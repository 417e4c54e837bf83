// See model.hpp. Loop joints, capsules and ball joints, which urdfdom does not support, are left out or written as the nearest thing that
// it supports; the robot keeps what our reader found.
#include "loaders/urdf/model.hpp"

#include <console_bridge/console.h>
#include <urdf_parser/urdf_parser.h>
#include <new>

#include <mutex>

#include "loaders/urdf/xml.hpp"

namespace vertebra {

namespace {

// urdfdom reports through console_bridge, whose handler is global to the process. This handler drops the messages of this thread while it
// reads and passes on those of other threads.
class Silence : public console_bridge::OutputHandler {
 public:
  Silence() : lock_(guard()), before_(console_bridge::getOutputHandler()) {
    mine() = true;
    console_bridge::useOutputHandler(this);
  }
  ~Silence() override {
    console_bridge::useOutputHandler(before_);
    mine() = false;
  }
  void log(const std::string& text, console_bridge::LogLevel level, const char* file, int line) override {
    if (!mine() && before_ != nullptr) before_->log(text, level, file, line);
  }

 private:
  static std::mutex& guard() {
    static std::mutex m;
    return m;
  }
  static bool& mine() {
    thread_local bool m = false;
    return m;
  }
  std::lock_guard<std::mutex> lock_;
  console_bridge::OutputHandler* before_;
};

std::string numbers(std::initializer_list<double> values) {
  std::string out;
  for (double v : values) out += (out.empty() ? "" : " ") + formatNumber(v);
  return out;
}
std::string triple(const Vec3& v) { return numbers({v.x(), v.y(), v.z()}); }

// In the plain text names are replaced by numbers: a name may contain any text, and no two may be equal.
std::string linkId(std::size_t i) { return "l" + std::to_string(i); }
std::string jointId(std::size_t i) { return "j" + std::to_string(i); }

std::string originText(const UrdfOrigin& o) { return "<origin xyz=\"" + triple(o.xyz) + "\" rpy=\"" + triple(o.rpy) + "\"/>"; }

std::string geometryText(const UrdfGeometry& g) {
  using Kind = UrdfGeometry::Kind;
  switch (g.kind) {
    case Kind::Box:
      return "<box size=\"" + triple(g.size) + "\"/>";
    case Kind::Sphere:
      return "<sphere radius=\"" + formatNumber(g.radius) + "\"/>";
    case Kind::Mesh:
      return "<mesh filename=\"m\" scale=\"" + triple(g.scale) + "\"/>";
    default:
      return "<cylinder radius=\"" + formatNumber(g.radius) + "\" length=\"" + formatNumber(g.length) + "\"/>";
  }
}

std::string shapeText(const UrdfShape& s, const char* tag) {
  return std::string("<") + tag + ">" + originText(s.origin) + "<geometry>" + geometryText(s.geometry) + "</geometry></" + tag + ">";
}

std::string linkText(const UrdfLink& link, std::size_t i) {
  std::string out = "<link name=\"" + linkId(i) + "\">";
  if (link.inertial.given) {
    const UrdfInertial& in = link.inertial;
    out += "<inertial>" + originText(in.origin) + "<mass value=\"" + formatNumber(in.mass) + "\"/><inertia ixx=\"" + formatNumber(in.ixx) +
           "\" ixy=\"" + formatNumber(in.ixy) + "\" ixz=\"" + formatNumber(in.ixz) + "\" iyy=\"" + formatNumber(in.iyy) + "\" iyz=\"" +
           formatNumber(in.iyz) + "\" izz=\"" + formatNumber(in.izz) + "\"/></inertial>";
  }
  for (const UrdfShape& s : link.visuals) out += shapeText(s, "visual");
  for (const UrdfShape& s : link.collisions) out += shapeText(s, "collision");
  return out + "</link>";
}

const char* typeText(dynamics::JointType t) { return t == dynamics::JointType::Spherical ? "floating" : dynamics::jointTypeName(t); }

std::string jointText(const UrdfJoint& j, std::size_t i) {
  std::string out = "<joint name=\"" + jointId(i) + "\" type=\"" + typeText(j.type) + "\">" + originText(j.origin) + "<parent link=\"" +
                    linkId(j.parent) + "\"/><child link=\"" + linkId(j.child) + "\"/><axis xyz=\"" + triple(j.axis) + "\"/>";
  // urdfdom's reader has no infinity; the range is only checked when it is finite.
  auto finite = [](double x) { return std::isfinite(x) ? x : 0.0; };
  out += "<limit lower=\"" + formatNumber(finite(j.lower)) + "\" upper=\"" + formatNumber(finite(j.upper)) + "\" effort=\"" +
         formatNumber(finite(j.effort)) + "\" velocity=\"" + formatNumber(finite(j.velocity)) + "\"/>";
  out += "<dynamics damping=\"" + formatNumber(j.damping) + "\" friction=\"" + formatNumber(j.friction) + "\"/>";
  if (j.mimic.master >= 0)
    out += "<mimic joint=\"" + jointId(j.mimic.master) + "\" multiplier=\"" + formatNumber(j.mimic.multiplier) + "\" offset=\"" +
           formatNumber(j.mimic.offset) + "\"/>";
  return out + "</joint>";
}

bool same(const urdf::Vector3& a, const Vec3& b) { return a.x == b.x() && a.y == b.y() && a.z == b.z(); }

bool samePose(const urdf::Pose& a, const UrdfOrigin& b) {
  Pose p = b.pose();
  Quat q(a.rotation.w, a.rotation.x, a.rotation.y, a.rotation.z);
  return same(a.position, b.xyz) && std::abs(std::abs(q.dot(p.q)) - 1) < 1e-9;  // urdfdom computes angles with its own functions
}

bool sameShape(const urdf::Geometry* g, const UrdfGeometry& ours) {
  using Kind = UrdfGeometry::Kind;
  if (const auto* box = dynamic_cast<const urdf::Box*>(g)) return ours.kind == Kind::Box && same(box->dim, ours.size);
  if (const auto* ball = dynamic_cast<const urdf::Sphere*>(g)) return ours.kind == Kind::Sphere && ball->radius == ours.radius;
  if (const auto* mesh = dynamic_cast<const urdf::Mesh*>(g)) return ours.kind == Kind::Mesh && same(mesh->scale, ours.scale);
  const auto* c = dynamic_cast<const urdf::Cylinder*>(g);
  return c != nullptr && (ours.kind == Kind::Cylinder || ours.kind == Kind::Capsule) && c->radius == ours.radius &&
         c->length == ours.length;
}

bool sameLink(const urdf::Link& a, const UrdfLink& b) {
  if ((a.inertial != nullptr) != b.inertial.given) return false;
  if (b.inertial.given) {
    const urdf::Inertial& i = *a.inertial;
    const UrdfInertial& o = b.inertial;
    if (i.mass != o.mass || i.ixx != o.ixx || i.ixy != o.ixy || i.ixz != o.ixz || i.iyy != o.iyy || i.iyz != o.iyz || i.izz != o.izz ||
        !samePose(i.origin, o.origin))
      return false;
  }
  if (a.visual_array.size() != b.visuals.size() || a.collision_array.size() != b.collisions.size()) return false;
  for (std::size_t i = 0; i < b.visuals.size(); ++i)
    if (!sameShape(a.visual_array[i]->geometry.get(), b.visuals[i].geometry) || !samePose(a.visual_array[i]->origin, b.visuals[i].origin))
      return false;
  for (std::size_t i = 0; i < b.collisions.size(); ++i)
    if (!sameShape(a.collision_array[i]->geometry.get(), b.collisions[i].geometry) ||
        !samePose(a.collision_array[i]->origin, b.collisions[i].origin))
      return false;
  return true;
}

bool sameJoint(const urdf::Joint& a, const UrdfJoint& b) {
  bool axis = b.type == dynamics::JointType::Fixed || b.type == dynamics::JointType::Floating || b.type == dynamics::JointType::Spherical ||
              same(a.axis, b.axis);
  bool mimic = (a.mimic != nullptr) == (b.mimic.master >= 0) &&
               (a.mimic == nullptr || (a.mimic->multiplier == b.mimic.multiplier && a.mimic->offset == b.mimic.offset &&
                                       a.mimic->joint_name == jointId(b.mimic.master)));
  bool range = !std::isfinite(b.lower) || !std::isfinite(b.upper) ||
               (a.limits != nullptr && a.limits->lower == b.lower && a.limits->upper == b.upper);
  return samePose(a.parent_to_joint_origin_transform, b.origin) && axis && mimic && range && a.dynamics != nullptr &&
         a.dynamics->damping == b.damping && a.dynamics->friction == b.friction;
}

int indexOf(const std::string& id) { return std::stoi(id.substr(1)); }

bool agrees(const urdf::ModelInterface& model, const UrdfRobot& robot) {
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const auto at = model.links_.find(linkId(i));
    if (at == model.links_.end() || !sameLink(*at->second, robot.links[i])) return false;
  }
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    if (robot.joints[i].loop) continue;
    const auto at = model.joints_.find(jointId(i));
    if (at == model.joints_.end() || !sameJoint(*at->second, robot.joints[i])) return false;
  }
  return true;
}

// Null: refused, which has been told.
urdf::ModelInterfaceSharedPtr parsed(const std::string& text, UrdfReport& report, const UrdfRobot& robot) {
  const auto usable = [](const urdf::ModelInterfaceSharedPtr& m) { return m != nullptr && m->getRoot() != nullptr; };
  std::string reason;
  try {
    Silence silence;
    const urdf::ModelInterfaceSharedPtr model = urdf::parseURDF(text);
    if (usable(model)) return model;
    if (usable(urdf::parseURDF(text))) throw std::bad_alloc();  // which it answers like a fault of the text
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    reason = std::string(": ") + e.what();
  }
  report.error("urdf.urdfdom.refused", robot.line, "robot", "urdfdom cannot read it" + reason);
  return nullptr;
}

}  // namespace

void takeModelFromUrdfdom(UrdfReport& report, UrdfRobot& robot) {
  std::string text = "<robot name=\"r\">";
  for (std::size_t i = 0; i < robot.links.size(); ++i) text += linkText(robot.links[i], i);
  for (std::size_t i = 0; i < robot.joints.size(); ++i)
    if (!robot.joints[i].loop) text += jointText(robot.joints[i], i);
  text += "</robot>";
  urdf::ModelInterfaceSharedPtr model = parsed(text, report, robot);
  if (model == nullptr) return;
  // urdfdom leaves out what it has no memory for: another model the second time was not the text's fault.
  if (!agrees(*model, robot)) {
    const urdf::ModelInterfaceSharedPtr again = parsed(text, report, robot);
    if (again != nullptr && agrees(*again, robot)) throw std::bad_alloc();
  }
  auto differs = [&](int line, const std::string& element) {
    report.error("urdf.urdfdom.differs", line, element, "urdfdom reads other numbers than we do");
  };
  robot.root = indexOf(model->getRoot()->name);
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    auto at = model->links_.find(linkId(i));
    if (at == model->links_.end() || !sameLink(*at->second, robot.links[i]))
      differs(robot.links[i].line, quoted("link", robot.links[i].name));
  }
  for (std::size_t i = 0; i < robot.joints.size(); ++i) {
    UrdfJoint& j = robot.joints[i];
    if (j.loop) continue;
    auto at = model->joints_.find(jointId(i));
    if (at == model->joints_.end() || !sameJoint(*at->second, j)) {
      differs(j.line, quoted("joint", j.name));
      continue;
    }
    j.parent = indexOf(at->second->parent_link_name);
    j.child = indexOf(at->second->child_link_name);
  }
  // A link owns its children; destroying a long chain would recurse as deep, so the links are detached first.
  for (auto& [name, link] : model->links_) {
    link->child_links.clear();
    link->child_joints.clear();
  }
}

}  // namespace vertebra
