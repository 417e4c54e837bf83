// Skeleton files, read; see file.hpp.
#include <algorithm>

#include "capi/src/conversions.hpp"
#include "capi/src/scene/shapes.hpp"
#include "capi/src/scene/table.hpp"
#include "capi/src/skeleton_file/file.hpp"
#include "capi/src/skeleton_file/values.hpp"
#include "loaders/scene/read.hpp"
#include "loaders/scene/spelling.hpp"

namespace vertebra::capi::skeleton_file {

namespace {

using vertebra::scene::Element;
using vertebra::scene::Report;

class Reader {
 public:
  Reader(const Element& root, Report& report, figure::Skeleton& out) : root_(root), report_(report), s_(out) {}

  void read() {
    const SkeletonValues& values = root_.as<SkeletonValues>();
    s_.name = values.name;
    s_.floatingByDefault = values.floating != 0;
    each(rules().link, [&](const Element& e) { link(e); });
    each(rules().joint, [&](const Element& e) { joint(e); });
    each(rules().joint, [&](const Element& e) { mimic(e); });
    each(rules().site, [&](const Element& e) {
      const SiteValues& site = e.as<SiteValues>();
      if (s_.findSite(site.name) >= 0) return error("twice", e, site.name, "there is a site of this name already");
      s_.sites.push_back({site.name, linkOf(e, site.name, "link", site.link), pose(site.pose, "pose")});
    });
    each(rules().role, [&](const Element& e) {
      const RoleValues& role = e.as<RoleValues>();
      for (const auto& known : s_.roles)
        if (known.first == role.name) return error("twice", e, role.name, "the role is given already");
      s_.roles.emplace_back(role.name, linkOf(e, role.name, "link", role.link));
    });
    if (!values.root.empty()) s_.root = linkOf(root_, values.name, "root", values.root);
    if (report_.failed()) return;
    if (const std::string wrong = figure::checkSkeleton(s_); !wrong.empty()) return error("invalid", root_, values.name, wrong);
    if (!values.neighboursCollide) s_.uncollidable = figure::neighbourPairs(s_);
    each(rules().noCollision, [&](const Element& e) {
      const PairValues& pair = e.as<PairValues>();
      const int a = linkOf(e, "", "a", pair.a), b = linkOf(e, "", "b", pair.b);
      if (a == b && a >= 0) return error("pair", e, "", "a and b are the same link");
      s_.uncollidable.emplace_back(std::min(a, b), std::max(a, b));
    });
    std::sort(s_.uncollidable.begin(), s_.uncollidable.end());
    s_.uncollidable.erase(std::unique(s_.uncollidable.begin(), s_.uncollidable.end()), s_.uncollidable.end());
  }

 private:
  template <class Work>
  void each(const Rules::Rule& rule, Work&& work) {
    for (const Element& e : root_.children)
      if (e.rule == &rule) attempt(e, [&] { work(e); });
  }
  template <class Work>
  void attempt(const Element& e, Work&& work) {
    if (!e.sound) {  // told already
      complete_ = false;
      return;
    }
    try {
      work();
    } catch (const Refusal& refusal) {
      if (refusal.status == VTB_E_NOMEM) throw;
      complete_ = false;
      error("refused", e, "", refusal.text);
    }
  }
  void error(const char* code, const Element& e, const std::string& name, const std::string& text) {
    report_.error((std::string("skeleton.") + code).c_str(), *e.file, e.line,
                  std::string(e.rule->name) + (name.empty() ? "" : " '" + name + "'"), text);
  }

  // The index of a name; tells where there is none.
  template <class List>
  int find(const List& list, const Element& e, const std::string& who, const char* kind, const char* attribute, const std::string& name) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < list.size(); i++) {
      if (list[i].name == name) return static_cast<int>(i);
      known.push_back(list[i].name);
    }
    if (complete_ && root_.sound)  // else it may be one of those that were refused
      error("unknown", e, who,
            std::string(attribute) + ": there is no " + kind + " '" + name + "'" + vertebra::scene::suggestion(name, known));
    return -1;
  }
  int linkOf(const Element& e, const std::string& who, const char* attribute, const std::string& name) {
    return find(s_.links, e, who, "link", attribute, name);
  }

  void link(const Element& e) {
    const LinkValues& values = e.as<LinkValues>();
    if (values.name.empty()) return error("name", e, "", "its name is empty");
    if (s_.findLink(values.name) >= 0) return error("twice", e, values.name, "there is a link of this name already");
    figure::LinkDescription made;
    made.name = values.name;
    readPairs(LinkPairs::list, readStruct(&values.def), made);
    const Element* visuals = nullptr;
    for (const Element& child : e.children) {
      if (child.rule == &rules().visuals) {
        if (visuals) error("twice", child, values.name, "visuals are there already");
        visuals = &child;
      } else {
        attempt(child, [&] { made.shapes.push_back(shape(child)); });
      }
    }
    const auto show = [&](const geometry::Shape& from) {
      geometry::Visual visual;
      visual.name = from.name;
      visual.geometry = from.geometry;
      visual.local = from.local;
      std::copy_n(from.rgba, 4, visual.rgba);
      made.visuals.push_back(std::move(visual));
    };
    if (visuals)
      for (const Element& child : visuals->children) attempt(child, [&] { show(shape(child)); });
    else
      for (const geometry::Shape& s : made.shapes) show(s);
    s_.links.push_back(std::move(made));
  }

  geometry::Shape shape(const Element& e) {
    const auto& values = e.as<capi::scene::ShapeValues>();
    geometry::Shape made = capi::scene::shapeFromValues(values, meshes_);
    made.name = values.name;
    return made;
  }

  void joint(const Element& e) {
    JointValues& values = e.as<JointValues>();
    if (values.name.empty()) return error("name", e, "", "its name is empty");
    if (s_.findJoint(values.name) >= 0) return error("twice", e, values.name, "there is a joint of this name already");
    vtb_skeleton_joint_def def = values.def;
    def.parent = values.parent.empty() ? -1 : linkOf(e, values.name, "parent", values.parent);
    def.child = linkOf(e, values.name, "child", values.child);
    def.loop = values.loop;
    figure::JointDescription made;
    readPairs(SkeletonJointPairs::list, readStruct(&def), made);
    made.name = values.name;
    checkAxes(made.type, made.axis, made.axis2);
    checkSwingTwist(def.limits.swing, def.limits.twist_lower, def.limits.twist_upper);
    made.hasSafety = values.safety != 0;
    made.safetyLower = values.safetyLower;
    made.safetyUpper = values.safetyUpper;
    made.safetyKPosition = values.safetyKPosition;
    made.safetyKVelocity = values.safetyKVelocity;
    const int axes = dynamics::jointNv(made.type);
    for (const Element& child : e.children)
      attempt(child, [&] {
        const auto& axis = child.as<capi::scene::AxisValues>();
        if (axis.index < 0 || axis.index >= axes)
          return error("axis", child, values.name,
                       std::string("index is ") + std::to_string(axis.index) + ", a " + dynamics::jointTypeName(made.type) + " joint has " +
                           std::to_string(axes) + (axes == 1 ? " axis" : " axes") + ", counted from 0");
        made.axes[static_cast<std::size_t>(axis.index)] = axisParameters(readStruct(&axis.def));
      });
    s_.joints.push_back(std::move(made));
  }

  void mimic(const Element& e) {
    const JointValues& values = e.as<JointValues>();
    const int own = s_.findJoint(values.name);
    if (values.mimic.empty() || own < 0) return;
    s_.joints[static_cast<std::size_t>(own)].mimic.master = find(s_.joints, e, values.name, "joint", "mimic", values.mimic);
  }

  const Element& root_;
  Report& report_;
  figure::Skeleton& s_;
  MeshCache meshes_;
  bool complete_ = true;
};

}  // namespace

bool isSkeletonFile(const std::string& text) {
  std::size_t at = 0;
  while ((at = text.find('<', at)) != std::string::npos) {
    const bool comment = text.compare(at, 4, "<!--") == 0;
    if (!comment && text.compare(at, 2, "<?") != 0 && text.compare(at, 2, "<!") != 0) break;
    const std::size_t end = text.find(comment ? "-->" : ">", at);
    if (end == std::string::npos) return false;
    at = end + 1;
  }
  const std::string name = "<skeleton";
  if (at == std::string::npos || text.compare(at, name.size(), name) != 0) return false;
  const std::size_t next = at + name.size();
  return next < text.size() && std::string(" \t\r\n/>").find(text[next]) != std::string::npos;
}

std::shared_ptr<const figure::Skeleton> read(const std::string& text, const std::string& path, Diagnostics& findings) {
  Report report(findings);
  Element root;
  auto made = std::make_shared<figure::Skeleton>();
  if (!vertebra::scene::readScene(text, path, rules().skeleton, report, root)) return nullptr;
  Reader(root, report, *made).read();
  return report.failed() ? nullptr : made;
}

}  // namespace vertebra::capi::skeleton_file
