// See changes.hpp.
#include "capi/src/scene/changes.hpp"

#include <cstring>

#include "capi/src/scene/table.hpp"
#include "loaders/scene/values.hpp"
#include "loaders/scene/write.hpp"
#include "loaders/xml_text.hpp"

namespace vertebra::capi::scene {

namespace {

using vertebra::scene::updateAttributes;
using vertebra::scene::writeAttributes;

const ElementRule& ruleOfShape(int type) {
  for (const ElementRule* rule : kBody.children)
    if (static_cast<const ShapeValues*>(rule->make().get())->def.type == type) return *rule;
  return kGroup;
}

Xml* childAt(Xml& parent, int index) {
  Xml* child = parent.FirstChildElement();
  for (int i = 0; child && i < index; i++) child = child->NextSiblingElement();
  return child;
}

}  // namespace

void Changes::write() {
  for (int kind = 0; kind < kNameKinds; kind++)
    for (const auto& [name, bits] : world_.names[kind].list()) {
      nameOf_[kind].emplace(bits, name);
      names_[kind].add(name, bits);
    }
  for (std::size_t i = 0; i < world_.scenes.size(); i++) {
    const Instance& scene = *world_.scenes[i];
    for (const auto& thing : scene.things) known_[thing.kind].insert(thing.bits);
    if (i == 0 && world_.fromScene) {
      own(scene, *fresh_.scenes[0]);
      continue;
    }
    vertebra::scene::IncludeValues include;
    include.file = scene.model->path;
    include.prefix = scene.prefix;
    capi::write(scene.placement, include.pose);
    add(root_, vertebra::scene::kInclude, &include);
    for (const auto& thing : scene.things)
      if (thing.kind == VTB_NAMED_BODY && world_.bodies.find(thing.bits) < 0) cannot("a body of '" + include.file + "' was destroyed");
  }
  findNew();
  if (!left_.empty()) refuse(VTB_E_UNSUPPORTED, "a scene file cannot say: " + left_);
}

void Changes::own(const Instance& now, const Instance& then) {
  std::vector<Xml*> nodes;
  for (Xml* child = root_.FirstChildElement(); child; child = child->NextSiblingElement()) nodes.push_back(child);
  std::vector<Xml*> gone;
  for (std::size_t i = 0; i < now.things.size() && i < then.things.size(); i++) {
    const auto& thing = now.things[i];
    const HandleTable* tables[kNameKinds] = {&world_.bodies,    &world_.shapes, &world_.joints,
                                             &world_.couplings, &world_.fields, &world_.figures};
    const bool alive = tables[thing.kind]->find(thing.bits) >= 0;
    const Element& e = *thing.element;
    const bool top = e.own && e.root >= 0 && static_cast<std::size_t>(e.root) < nodes.size() &&
                     std::strcmp(nodes[static_cast<std::size_t>(e.root)]->Name(), e.rule->name) == 0;
    const bool inBody = thing.kind == VTB_NAMED_SHAPE && top == false;
    if (!alive && top) gone.push_back(nodes[static_cast<std::size_t>(e.root)]);
    if (!alive && !top && !inBody) cannot(e.label() + " was destroyed, and it stands in an include or a repetition");
    if (alive && top) update(e, thing.kind, thing.bits, then.things[i].bits, *nodes[static_cast<std::size_t>(e.root)]);
    if (alive && top && thing.kind == VTB_NAMED_BODY) updateShapes(e, now, then, *nodes[static_cast<std::size_t>(e.root)]);
  }
  for (Xml* node : gone) root_.DeleteChild(node);
}

void Changes::update(const Element&, int kind, std::uint64_t bits, std::uint64_t before, Xml& xml) {
  if (kind == VTB_NAMED_BODY) {
    BodyValues then = describeBody(fresh_.engine, fresh_.bodies.find(before)), now = describeBody(world_.engine, world_.bodies.find(bits));
    const bool mass = then.def.mass != now.def.mass || !std::equal(then.def.com, then.def.com + 3, now.def.com) ||
                      !std::equal(then.def.inertia, then.def.inertia + 6, now.def.inertia);
    std::copy_n(then.def.pose, 7, now.def.pose);  // those are state
    std::copy_n(then.def.twist, 6, now.def.twist);
    updateAttributes(kBody, &then, &now, xml);
    if (!mass) return;
    for (const char* attribute : {"mass", "com", "inertia"})
      xml.SetAttribute(attribute, vertebra::scene::writeValue(*kBody.attribute(attribute), &now).c_str());
  } else if (kind == VTB_NAMED_JOINT) {
    updateJoint(world_.joints.find(bits), fresh_.joints.find(before), xml);
  } else if (kind == VTB_NAMED_COUPLING) {
    const int id = world_.couplings.find(bits), was = fresh_.couplings.find(before);
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
    const FieldValues then = describeField(fresh_.engine, fresh_.fields.find(before)),
                      now = describeField(world_.engine, world_.fields.find(bits));
    updateAttributes(kField, &then, &now, xml);
  } else if (kind == VTB_NAMED_SHAPE) {
    const ShapeValues then = describeShape(fresh_.engine, fresh_.shapes.find(before)),
                      now = describeShape(world_.engine, world_.shapes.find(bits));
    updateAttributes(ruleOfShape(now.def.type), &then, &now, xml);
  }
}

// Shapes stand in their body in the order of the elements.
void Changes::updateShapes(const Element& body, const Instance& now, const Instance& then, Xml& xml) {
  std::vector<Xml*> gone;
  for (std::size_t i = 0; i < now.things.size() && i < then.things.size(); i++) {
    const auto& thing = now.things[i];
    if (thing.kind != VTB_NAMED_SHAPE) continue;
    for (std::size_t k = 0; k < body.children.size(); k++) {
      if (&body.children[k] != thing.element) continue;
      Xml* node = body.children[k].own ? childAt(xml, static_cast<int>(k)) : nullptr;
      const bool found = node && std::strcmp(node->Name(), thing.element->rule->name) == 0;
      const bool alive = world_.shapes.find(thing.bits) >= 0;
      if (found && alive) update(*thing.element, thing.kind, thing.bits, then.things[i].bits, *node);
      if (found && !alive) gone.push_back(node);
      if (!found && !alive) cannot(thing.element->label() + " was destroyed, and it stands in a repetition");
    }
  }
  for (Xml* node : gone) xml.DeleteChild(node);
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

Xml* Changes::add(Xml& parent, const ElementRule& rule, const void* values) {
  Xml* xml = parent.InsertNewChildElement(rule.name);
  writeAttributes(rule, values, *xml);
  return xml;
}

std::string Changes::nameOf(int kind, std::uint64_t bits) {
  const auto known = nameOf_[kind].find(bits);
  if (known != nameOf_[kind].end()) return known->second;
  if (known_[kind].count(bits) > 0) {
    cannot("something refers to an element of the scene that has no name; give it one");
    return "";
  }
  const char* words[kNameKinds] = {"body", "shape", "joint", "coupling", "field", "figure"};
  for (int i = 1;; i++) {
    const std::string name = words[kind] + std::to_string(i);
    if (!names_[kind].add(name, bits)) continue;
    nameOf_[kind].emplace(bits, name);
    return name;
  }
}

void Changes::findNew() {
  const auto each = [&](const HandleTable& table, int kind, auto&& visit) {
    for (int id = 0; id < table.size(); id++)
      if (table.alive(id) && table.owner(id) < 0 && known_[kind].count(table.handle(id)) == 0) visit(id);
  };
  for (int slot = 0; slot < world_.figures.size(); slot++)
    if (world_.figures.alive(slot) && known_[VTB_NAMED_FIGURE].count(world_.figures.handle(slot)) == 0)
      cannot("a figure made by a call comes from no file it knows");
  for (int id = 0; id < world_.constraints.size(); id++)
    if (world_.constraints.alive(id)) cannot("a constraint of the caller");
  each(world_.bodies, VTB_NAMED_BODY, [&](int id) { newBody(id); });
  each(world_.shapes, VTB_NAMED_SHAPE, [&](int id) {
    const int body = world_.engine.shapeBody(id);
    if (body < 0 && world_.engine.shape(id).parent < 0)
      newShape(id, root_);
    else if (body >= 0 && known_[VTB_NAMED_BODY].count(world_.bodies.handle(body)) > 0)
      cannot("a shape was added to a body of the scene");
  });
  each(world_.joints, VTB_NAMED_JOINT, [&](int id) { newJoint(id); });
  each(world_.couplings, VTB_NAMED_COUPLING, [&](int id) { newCoupling(id); });
  each(world_.fields, VTB_NAMED_FIELD, [&](int id) { newField(id); });
}

void Changes::newBody(int id) {
  BodyValues values = describeBody(world_.engine, id);
  values.name = bodyName(id);
  Xml* xml = add(root_, kBody, &values);
  for (const char* attribute : {"mass", "inertia"})  // as given, defaults too
    xml->SetAttribute(attribute, vertebra::scene::writeValue(*kBody.attribute(attribute), &values).c_str());
  for (int shape = 0; shape < world_.shapes.size(); shape++)
    if (world_.shapes.alive(shape) && world_.engine.shapeBody(shape) == id && world_.engine.shape(shape).parent < 0) newShape(shape, *xml);
}

void Changes::newShape(int id, Xml& parent) {
  ShapeValues values = describeShape(world_.engine, id);
  Xml* xml = add(parent, ruleOfShape(values.def.type), &values);
  for (int shape = 0; shape < world_.shapes.size(); shape++)
    if (world_.shapes.alive(shape) && world_.engine.shape(shape).parent == id) newShape(shape, *xml);
}

void Changes::newJoint(int id) {
  const JointDefinition& d = world_.engine.joint(id);
  if (d.constraint == ConstraintType::PointOnCurve) {
    cannot("a curve made by a call");
    return;
  }
  JointValues values = describeJoint(world_.engine, id);
  values.name = nameOf(VTB_NAMED_JOINT, world_.joints.handle(id));
  if (!d.rotor) {
    values.a = bodyName(d.a);
    values.b = bodyName(d.b);
  }
  Xml* xml = add(root_, kJoint, &values);
  xml->SetAttribute("type", vertebra::scene::writeValue(*kJoint.attribute("type"), &values).c_str());
  if (!d.rotor)  // in each body, so that neither is taken from the other
    for (const char* attribute : {"position_a", "position_b"})
      xml->SetAttribute(attribute, vertebra::scene::writeValue(*kJoint.attribute(attribute), &values).c_str());
  writeAxes(id, *xml);
}

void Changes::writeAxes(int joint, Xml& xml) {
  for (int k = 0; k < world_.engine.jointAxes(joint); k++) {
    const AxisDescription now = describeAxis(world_.engine, joint, k);
    AxisValues none;
    MotorValues off;
    none.index = off.axis = k;
    Xml* axis = xml.InsertNewChildElement(kAxis.name);
    const bool distance = world_.engine.joint(joint).constraint == ConstraintType::Distance;  // its limits begin at its length
    int given = updateAttributes(kAxis, &none, &now.axis, *axis);
    if (distance)
      for (const char* attribute : {"lower", "upper"}) {
        axis->SetAttribute(attribute, vertebra::scene::writeValue(*kAxis.attribute(attribute), &now.axis).c_str());
        given++;
      }
    if (given == 0)
      xml.DeleteChild(axis);
    else if (k > 0)
      axis->SetAttribute("index", k);
    Xml* motor = xml.InsertNewChildElement(kMotor.name);
    if (updateAttributes(kMotor, &off, &now.motor, *motor) == 0)
      xml.DeleteChild(motor);
    else if (k > 0)
      motor->SetAttribute("axis", k);
  }
}

void Changes::newCoupling(int id) {
  CouplingValues values = describeCoupling(world_.engine, id);
  values.name = nameOf(VTB_NAMED_COUPLING, world_.couplings.handle(id));
  Xml* xml = add(root_, kCoupling, &values);
  for (const CouplingTerm& term : world_.engine.coupling(id).terms) {
    TermValues t;
    t.joint = nameOf(VTB_NAMED_JOINT, world_.joints.handle(term.joint));
    t.term.axis = term.axis;
    t.term.coefficient = term.coefficient;
    add(*xml, kTerm, &t);
  }
}

void Changes::newField(int id) {
  const FieldDefinition& d = world_.engine.field(id);
  if (d.type == FieldType::User) {
    cannot("a field of the caller");
    return;
  }
  FieldValues values = describeField(world_.engine, id);
  values.name = nameOf(VTB_NAMED_FIELD, world_.fields.handle(id));
  values.source = bodyName(d.source);
  for (int body : d.bodies) values.bodies.push_back(bodyName(body));
  Xml* xml = add(root_, kField, &values);
  xml->SetAttribute("type", vertebra::scene::writeValue(*kField.attribute("type"), &values).c_str());
}

}  // namespace vertebra::capi::scene
