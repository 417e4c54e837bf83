// See changes.hpp: what became of the things that scenes made.
#include "capi/src/scene/changes.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "capi/src/controllers.hpp"
#include "capi/src/play.hpp"
#include "loaders/scene/values.hpp"
#include "loaders/scene/write.hpp"
#include "loaders/xml_text.hpp"

namespace vertebra::capi::scene {

namespace {

using vertebra::scene::updateAttributes;

Xml* childAt(Xml& parent, int index) {
  Xml* child = parent.FirstChildElement();
  for (int i = 0; child && i < index; i++) child = child->NextSiblingElement();
  return child;
}

std::vector<std::vector<int>> shapesByBody(const vtb_world& world) {
  std::vector<std::vector<int>> shapes(static_cast<std::size_t>(world.engine.bodyCapacity()));
  for (int id = 0; id < world.shapes.size(); id++)
    if (world.shapes.alive(id) && world.engine.shapeBody(id) >= 0)
      shapes[static_cast<std::size_t>(world.engine.shapeBody(id))].push_back(id);
  return shapes;
}

std::vector<std::string> namesOf(const vtb_world& world, const std::map<std::uint64_t, std::string>& names,
                                 const std::vector<int>& bodies) {
  std::vector<std::string> found;
  for (int body : bodies)
    if (const auto name = names.find(world.bodies.handle(body)); name != names.end()) found.push_back(name->second);
  return found;
}

}  // namespace

const ElementRule& ruleOfShape(int type) {
  for (const ElementRule* rule : kBody.children)
    if (static_cast<const ShapeValues*>(rule->make().get())->def.type == type) return *rule;
  return kCompound;
}

Changes::Changes(const vtb_world& world, const vtb_world& fresh, Xml& root)
    : world_(world), fresh_(fresh), root_(root), shapes_(shapesByBody(world)), freshShapes_(shapesByBody(fresh)) {
  for (const auto& [name, bits] : fresh.names[VTB_NAMED_BODY].list()) freshBodyNames_.emplace(bits, name);
}

void Changes::write() {
  for (int kind = 0; kind < kNameKinds; kind++)
    for (const auto& [name, bits] : world_.names[kind].list()) {
      nameOf_[kind].emplace(bits, name);
      names_[kind].add(name, bits);
    }
  if (world_.calls.filter) cannot("a filter of the caller");
  const auto controllers = [](const vtb_world& w, bool ofScene) {
    return std::count_if(w.controllerSlots.begin(), w.controllerSlots.end(),
                         [&](const auto& slot) { return slot && (!ofScene || (slot->ofScene && !slot->changed)); });
  };
  if (controllers(world_, true) != controllers(world_, false) || controllers(world_, false) != controllers(fresh_, false))
    cannot("controllers of figures that were added, changed or ended by calls");
  for (std::size_t i = 0; i < world_.scenes.size(); i++) {
    const Instance& scene = *world_.scenes[i];
    const bool own = i == 0 && world_.fromScene;
    for (const auto& thing : scene.things) known_[thing.kind].insert(thing.bits);
    if (own) {
      locate(scene.model->root.children, root_);
    } else {
      vertebra::scene::IncludeValues include;
      include.file = std::filesystem::absolute(scene.model->path).string();  // wherever the text is read
      include.prefix = scene.prefix;
      capi::write(scene.placement, include.pose);
      add(root_, vertebra::scene::kInclude, &include);
    }
    compare(scene, *fresh_.scenes[i], own);
    dropReferences(scene);
  }
  compareMotions();
  findMade();
  for (auto e = gone_.begin(); e != gone_.end(); ++e) {  // what stands in an element that goes, goes with it
    const auto node = nodes_.find(*e);
    if (node != nodes_.end() && !goneWithParent(**e)) node->second->Parent()->DeleteChild(node->second);
  }
  if (!left_.empty()) refuse(VTB_E_UNSUPPORTED, "a scene file cannot hold: " + left_);
}

void Changes::locate(const std::vector<Element>& elements, Xml& parent) {
  for (const Element& e : elements) {
    Xml* xml = e.own ? childAt(parent, e.index) : nullptr;
    if (xml) nodes_[&e] = xml;
    for (const Element& child : e.children) parent_[&child] = &e;
    locate(e.children, xml ? *xml : parent);
  }
}

bool Changes::goneWithParent(const Element& e) const {
  for (auto up = parent_.find(&e); up != parent_.end(); up = parent_.find(up->second))
    if (gone_.count(up->second) > 0) return true;
  return false;
}

void Changes::compare(const Instance& now, const Instance& then, bool own) {
  for (std::size_t i = 0; i < now.things.size() && i < then.things.size(); i++) {
    const auto& thing = now.things[i];
    const Element& e = *thing.element;
    const auto node = own ? nodes_.find(&e) : nodes_.end();
    const std::string place = own ? "an include or a repetition" : "a scene that was added";
    if (tableOf(world_, thing.kind).find(thing.bits) < 0) {
      if (node == nodes_.end() && !(own && goneWithParent(e))) cannot(e.label() + " was destroyed, but its element is in " + place);
      if (own) gone_.insert(&e);
    } else if (node != nodes_.end()) {
      update(thing.kind, thing.bits, then.things[i].bits, *node->second);
    } else {
      tinyxml2::XMLDocument scratch;
      Xml* changed = scratch.NewElement(e.rule->name);
      scratch.InsertEndChild(changed);
      update(thing.kind, thing.bits, then.things[i].bits, *changed);
      if (changed->FirstAttribute() || changed->FirstChild()) cannot(e.label() + " was changed, but its element is in " + place);
    }
  }
}

void Changes::update(int kind, std::uint64_t bits, std::uint64_t before, Xml& xml) {
  const int id = tableOf(world_, kind).find(bits), was = tableOf(fresh_, kind).find(before);
  if (kind == VTB_NAMED_BODY) {
    BodyValues then = describeBody(fresh_.engine, was), now = describeBody(world_.engine, id);
    const bool mass = then.def.mass != now.def.mass || !std::equal(then.def.com, then.def.com + 3, now.def.com) ||
                      !std::equal(then.def.inertia, then.def.inertia + 6, now.def.inertia);
    std::copy_n(then.def.pose, 7, now.def.pose);  // those are state
    std::copy_n(then.def.twist, 6, now.def.twist);
    updateAttributes(kBody, &then, &now, xml);
    if (!mass) return;
    for (const char* attribute : {"mass", "com", "inertia"}) write(xml, kBody, attribute, &now);
  } else if (kind == VTB_NAMED_JOINT) {
    updateJoint(id, was, xml);
  } else if (kind == VTB_NAMED_COUPLING) {
    const auto &terms = world_.engine.coupling(id).terms, &old = fresh_.engine.coupling(was).terms;
    CouplingValues then = describeCoupling(fresh_.engine, was), now = describeCoupling(world_.engine, id);
    Xml* child = xml.FirstChildElement(kTerm.name);
    for (std::size_t k = 0; k < terms.size() && k < old.size(); k++) {
      if (terms[k].coefficient != old[k].coefficient && child)
        child->SetAttribute("coefficient", formatNumber(terms[k].coefficient).c_str());
      if (child) child = child->NextSiblingElement(kTerm.name);
    }
    if (xml.Attribute("a") && !terms.empty() && !old.empty()) {
      then.def.ratio = -old[0].coefficient;
      now.def.ratio = -terms[0].coefficient;
    }
    updateAttributes(kCoupling, &then, &now, xml);
  } else if (kind == VTB_NAMED_FIELD) {
    updateField(id, was, xml);
  } else if (kind == VTB_NAMED_SHAPE) {
    const ShapeValues then = describeShape(fresh_.engine, was), now = describeShape(world_.engine, id);
    updateAttributes(ruleOfShape(now.def.type), &then, &now, xml);
  } else if (kind == VTB_NAMED_FIGURE) {
    compareFigure(bits, before);
  }  // drivelines, measures, particle systems and sensors have nothing that calls change but state
}

void Changes::updateJoint(int now, int then, Xml& xml) {
  const JointValues before = describeJoint(fresh_.engine, then), after = describeJoint(world_.engine, now);
  updateAttributes(kJoint, &before, &after, xml);
  for (int k = 0; k < world_.engine.jointAxes(now); k++) {
    const AxisValues a = describeAxis(fresh_.engine, then, k).axis, b = describeAxis(world_.engine, now, k).axis;
    Xml* node = nullptr;
    for (Xml* child = xml.FirstChildElement(kAxis.name); child; child = child->NextSiblingElement(kAxis.name))
      if (child->IntAttribute("index", 0) == k) node = child;
    if (node) {
      updateAttributes(kAxis, &a, &b, *node);
      continue;
    }
    node = xml.InsertNewChildElement(kAxis.name);
    if (updateAttributes(kAxis, &a, &b, *node) == 0)
      xml.DeleteChild(node);
    else if (k > 0)
      node->SetAttribute("index", k);
  }
}

void Changes::updateField(int now, int then, Xml& xml) {
  FieldValues before = describeField(fresh_.engine, then), after = describeField(world_.engine, now);
  before.bodies = namesOf(fresh_, freshBodyNames_, fresh_.engine.field(then).bodies);
  after.bodies = namesOf(world_, nameOf_[VTB_NAMED_BODY], world_.engine.field(now).bodies);
  if (after.bodies.size() != world_.engine.field(now).bodies.size()) cannot("a field of the scene acts on a body without a name");
  updateAttributes(kField, &before, &after, xml);
}

// Of a figure its element tells the file and where it stands, nothing else.
void Changes::compareFigure(std::uint64_t bits, std::uint64_t before) {
  const figure::Figure &now = figureOf(world_, {bits}), &then = figureOf(fresh_, {before});
  const auto differ = [](const ElementRule& rule, const auto& a, const auto& b) {
    for (const auto& attribute : rule.attributes)
      if (vertebra::scene::writeValue(attribute, &a) != vertebra::scene::writeValue(attribute, &b)) return true;
    return false;
  };
  bool changed = false;
  for (std::size_t i = 0; i < now.bodies().size(); i++) {
    const BodyValues was = describeBody(fresh_.engine, then.bodies()[i]);
    BodyValues is = describeBody(world_.engine, now.bodies()[i]);
    std::copy_n(was.def.pose, 7, is.def.pose);
    std::copy_n(was.def.twist, 6, is.def.twist);
    changed |= differ(kBody, was, is);
    const std::vector<int>&a = freshShapes_[then.bodies()[i]], &b = shapes_[now.bodies()[i]];
    changed |= a.size() != b.size();
    for (std::size_t k = 0; k < a.size() && k < b.size(); k++) {
      const ShapeValues old = describeShape(fresh_.engine, a[k]), shape = describeShape(world_.engine, b[k]);
      changed |= old.def.type != shape.def.type || differ(ruleOfShape(old.def.type), old, shape);
    }
  }
  for (std::size_t i = 0; i < now.joints().size(); i++) {
    const int a = then.joints()[i], b = now.joints()[i];
    changed |= differ(kJoint, describeJoint(fresh_.engine, a), describeJoint(world_.engine, b));
    for (int k = 0; k < world_.engine.jointAxes(b); k++)
      changed |= differ(kAxis, describeAxis(fresh_.engine, a, k).axis, describeAxis(world_.engine, b, k).axis);
  }
  if (changed) cannot("links, shapes or joints of " + nameOf(VTB_NAMED_FIGURE, bits) + ", a figure, were changed by calls");
}

// Forces, pairs and motions of what was destroyed go with it.
void Changes::dropReferences(const Instance& scene) {
  const auto gone = [&](int kind, const std::string& name) {
    const std::uint64_t bits = name.empty() || name == "world" ? 0 : world_.names[kind].find(scene.prefix + name);
    return bits != 0 && tableOf(world_, kind).find(bits) < 0;
  };
  for (const Element& e : scene.model->root.children) {
    const auto node = nodes_.find(&e);
    const bool force = e.rule == &kForce && gone(VTB_NAMED_BODY, e.as<ForceValues>().body);
    const bool pair = e.rule == &kNoCollision && (gone(VTB_NAMED_BODY, e.as<PairValues>().a) || gone(VTB_NAMED_BODY, e.as<PairValues>().b));
    const bool motion = e.rule == &kMotion && gone(VTB_NAMED_FIGURE, e.as<MotionValues>().figure);
    if (force || pair || motion) {
      gone_.insert(&e);
      if (node == nodes_.end()) cannot(e.label() + " names what was destroyed, but is in an include or a repetition");
    } else if (e.rule == &kMotion && gone(VTB_NAMED_JOINT, e.as<MotionValues>().root) && node != nodes_.end()) {
      node->second->DeleteAttribute("root");
    }
  }
}

// Figures must follow the clips that scenes tell, and no others.
void Changes::compareMotions() {
  std::map<std::uint64_t, bool> told;
  for (const auto& scene : world_.scenes)
    for (const Element& e : scene->model->root.children) {
      if (e.rule != &kMotion) continue;
      const MotionValues& values = e.as<MotionValues>();
      const std::uint64_t figure = world_.names[VTB_NAMED_FIGURE].find(scene->prefix + values.figure);
      const std::uint64_t root = values.root.empty() ? 0 : world_.names[VTB_NAMED_JOINT].find(scene->prefix + values.root);
      if (world_.figures.find(figure) < 0) continue;
      const auto clip = scene->model->motions.find(e.values.get());
      told[figure] = false;
      for (const auto& p : world_.players)
        told[figure] |= p->figure.bits == figure && p->motion == clip->second->clip && p->start == values.start &&
                        p->speed == values.speed && p->loop == (values.loop != 0) && (p->root.bits == root || world_.joints.find(root) < 0);
      if (!told[figure]) cannot("the motion of " + nameOf(VTB_NAMED_FIGURE, figure) + " was changed by a call");
    }
  for (const auto& p : world_.players)
    if (world_.figures.find(p->figure.bits) >= 0 && told.count(p->figure.bits) == 0) cannot("a motion that a call gave to a figure");
}

std::string Changes::nameOf(int kind, std::uint64_t bits) {
  const auto known = nameOf_[kind].find(bits);
  if (known != nameOf_[kind].end()) return known->second;
  if (known_[kind].count(bits) > 0) {
    cannot("an element refers to one without a name; name it in the scene file");
    return "";
  }
  const char* words[kNameKinds] = {"body", "shape", "joint", "coupling", "field", "figure", "part", "particles", "sensor"};
  for (int i = 1;; i++) {
    const std::string name = words[kind] + std::to_string(i);
    if (!names_[kind].add(name, bits)) continue;
    nameOf_[kind].emplace(bits, name);
    return name;
  }
}

Xml* Changes::add(Xml& parent, const ElementRule& rule, const void* values) {
  Xml* xml = parent.InsertNewChildElement(rule.name);
  vertebra::scene::writeAttributes(rule, values, *xml);
  return xml;
}

void Changes::write(Xml& xml, const ElementRule& rule, const char* attribute, const void* values) {
  xml.SetAttribute(attribute, vertebra::scene::writeValue(*rule.attribute(attribute), values).c_str());
}

}  // namespace vertebra::capi::scene
