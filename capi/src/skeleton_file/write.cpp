// Skeleton files, written; see file.hpp.
#include <algorithm>

#include "capi/src/conversions.hpp"
#include "capi/src/scene/shapes.hpp"
#include "capi/src/scene/table.hpp"
#include "capi/src/skeleton_file/file.hpp"
#include "capi/src/skeleton_file/values.hpp"
#include "loaders/scene/write.hpp"

namespace vertebra::capi::skeleton_file {

namespace {

using vertebra::scene::writeAttributes;
using Xml = tinyxml2::XMLElement;

class Writer {
 public:
  explicit Writer(const figure::Skeleton& s) : s_(s) {}

  std::string text() {
    document_.InsertEndChild(document_.NewDeclaration());
    SkeletonValues values;
    values.name = s_.name;
    if (s_.root != 0) values.root = s_.links[static_cast<std::size_t>(s_.root)].name;
    values.floating = s_.floatingByDefault;
    const auto neighbours = figure::neighbourPairs(s_);
    const auto listed = [&](const auto& list, const auto& pair) { return std::binary_search(list.begin(), list.end(), pair); };
    auto apart = s_.uncollidable;
    std::sort(apart.begin(), apart.end());
    values.neighboursCollide = !std::all_of(neighbours.begin(), neighbours.end(), [&](const auto& pair) { return listed(apart, pair); });
    Xml* root = add(nullptr, rules().skeleton, &values);
    for (const figure::LinkDescription& l : s_.links) link(*root, l);
    for (const figure::JointDescription& j : s_.joints) joint(*root, j);
    for (const figure::Site& site : s_.sites) {
      SiteValues given;
      given.name = site.name;
      given.link = nameOf(site.link);
      capi::write(site.pose, given.pose);
      add(root, rules().site, &given);
    }
    for (const auto& [name, l] : s_.roles) {
      const RoleValues given{name, nameOf(l)};
      add(root, rules().role, &given);
    }
    for (const auto& pair : apart) {
      if (!values.neighboursCollide && listed(neighbours, pair)) continue;
      const PairValues given{nameOf(pair.first), nameOf(pair.second)};
      add(root, rules().noCollision, &given);
    }
    return vertebra::scene::printed(document_);
  }

 private:
  Xml* add(Xml* parent, const Rules::Rule& rule, const void* values) {
    Xml* xml = document_.NewElement(rule.name);
    writeAttributes(rule, values, *xml);
    if (parent)
      parent->InsertEndChild(xml);
    else
      document_.InsertEndChild(xml);
    return xml;
  }
  const std::string& nameOf(int link) const { return s_.links[static_cast<std::size_t>(link)].name; }

  void shape(Xml& parent, const geometry::Shape& shape) {
    capi::scene::ShapeValues values = capi::scene::describeShape(shape);
    values.name = shape.name;
    add(&parent, rules().ofShape(values.def.type), &values);
  }

  void link(Xml& parent, const figure::LinkDescription& l) {
    LinkValues values;
    values.name = l.name;
    writePairs(LinkPairs::list, l, values.def);
    Xml* xml = add(&parent, rules().link, &values);
    std::vector<geometry::Shape> shapes;  // in the link's frame
    for (geometry::Shape own : l.shapes) {
      for (int p = own.parent; p >= 0; p = l.shapes[static_cast<std::size_t>(p)].parent)
        own.local = l.shapes[static_cast<std::size_t>(p)].local * own.local;
      if (own.geometry.type != geometry::ShapeType::Compound) shapes.push_back(own);
    }
    const auto same = [](const geometry::Shape& a, const geometry::Visual& b) {
      return a.name == b.name && a.geometry == b.geometry && a.local.p == b.local.p && a.local.q.coeffs() == b.local.q.coeffs() &&
             std::equal(a.rgba, a.rgba + 4, b.rgba);
    };
    for (const geometry::Shape& own : shapes) shape(*xml, own);
    if (std::equal(shapes.begin(), shapes.end(), l.visuals.begin(), l.visuals.end(), same)) return;
    const VisualsValues none;
    Xml* visuals = add(xml, rules().visuals, &none);
    for (const geometry::Visual& visual : l.visuals) {
      geometry::Shape shown;
      shown.name = visual.name;
      shown.geometry = visual.geometry;
      shown.local = visual.local;
      std::copy_n(visual.rgba, 4, shown.rgba);
      shape(*visuals, shown);
    }
  }

  void joint(Xml& parent, const figure::JointDescription& j) {
    JointValues values;
    writePairs(SkeletonJointPairs::list, j, values.def);
    values.name = j.name;
    if (j.parent >= 0) values.parent = nameOf(j.parent);
    values.child = nameOf(j.child);
    if (j.mimic.master >= 0) values.mimic = s_.joints[static_cast<std::size_t>(j.mimic.master)].name;
    values.loop = j.loop;
    values.safety = j.hasSafety;
    values.safetyLower = j.safetyLower;
    values.safetyUpper = j.safetyUpper;
    values.safetyKPosition = j.safetyKPosition;
    values.safetyKVelocity = j.safetyKVelocity;
    Xml* xml = add(&parent, rules().joint, &values);
    for (int k = 0; k < dynamics::jointNv(j.type); k++) {
      const dynamics::AxisParameters& own = j.axes[static_cast<std::size_t>(k)];
      if (own == dynamics::AxisParameters()) continue;
      capi::scene::AxisValues axis;
      axis.index = k;
      writePairs(AxisPairs::list, own, axis.def);
      add(xml, capi::scene::kAxis, &axis);
    }
  }

  const figure::Skeleton& s_;
  tinyxml2::XMLDocument document_;
};

}  // namespace

std::string write(const figure::Skeleton& skeleton) { return Writer(skeleton).text(); }

}  // namespace vertebra::capi::skeleton_file
