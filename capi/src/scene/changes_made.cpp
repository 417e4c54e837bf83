// See changes.hpp: things that calls made, as new elements.
#include <algorithm>

#include "capi/src/scene/changes.hpp"
#include "engine/driveline/driveline.hpp"
#include "engine/particles/particles.hpp"
#include "loaders/scene/values.hpp"
#include "loaders/scene/write.hpp"

namespace vertebra::capi::scene {

namespace {

using vertebra::scene::updateAttributes;

}  // namespace

void Changes::findMade() {
  for (int slot = 0; slot < world_.figures.size(); slot++)
    if (world_.figures.alive(slot) && known_[VTB_NAMED_FIGURE].count(world_.figures.handle(slot)) == 0)
      cannot("a figure made by a call comes from no file it knows");
  madeInOrder();
  for (int id = 0; id < world_.particles.size(); id++)
    if (unknown(world_.particles, VTB_NAMED_PARTICLES, id)) madeParticles(id);
  for (int id = 0; id < world_.couplings.size(); id++)
    if (unknown(world_.couplings, VTB_NAMED_COUPLING, id)) madeCoupling(id);
  for (int id = 0; id < world_.constraints.size(); id++)
    if (unknown(world_.constraints, VTB_NAMED_CONSTRAINT, id)) madeConstraint(id);
  for (int id = 0; id < world_.fields.size(); id++)
    if (unknown(world_.fields, VTB_NAMED_FIELD, id)) madeField(id);
  for (int id = 0; id < world_.sensors.size(); id++)
    if (unknown(world_.sensors, VTB_NAMED_SENSOR, id)) madeSensor(id);
  pairs();
}

// Bodies with their shapes, shapes of the world and joints, so that each kind is in the order of its making where that can be: read again
// they get the same numbers, and the world goes on to the last bit. A rotor takes a number among the bodies.
void Changes::madeInOrder() {
  struct Thing {
    int kind, id;
    int at[3];  // among bodies, shapes and joints; -1: it is none
  };
  std::vector<Thing> things;
  for (int id = 0; id < world_.bodies.size(); id++) {
    if (!unknown(world_.bodies, VTB_NAMED_BODY, id)) continue;
    things.push_back({VTB_NAMED_BODY, id, {id, shapes_[id].empty() ? -1 : shapes_[id].front(), -1}});
  }
  for (int id = 0; id < world_.shapes.size(); id++) {
    if (!unknown(world_.shapes, VTB_NAMED_SHAPE, id) || world_.engine.shape(id).parent >= 0) continue;
    const int body = world_.engine.shapeBody(id);
    if (body < 0) things.push_back({VTB_NAMED_SHAPE, id, {-1, id, -1}});
    if (body >= 0 && !unknown(world_.bodies, VTB_NAMED_BODY, body)) cannot("a shape was added to a body of the scene");
  }
  for (int id = 0; id < world_.joints.size(); id++)
    if (unknown(world_.joints, VTB_NAMED_JOINT, id))
      things.push_back({VTB_NAMED_JOINT, id, {world_.engine.joint(id).rotor ? world_.engine.joint(id).b : -1, -1, id}});

  std::vector<std::size_t> queue[3];
  std::size_t head[3] = {0, 0, 0};
  std::vector<bool> done(things.size(), false);
  for (int k = 0; k < 3; k++) {
    for (std::size_t i = 0; i < things.size(); i++)
      if (things[i].at[k] >= 0) queue[k].push_back(i);
    std::sort(queue[k].begin(), queue[k].end(), [&](std::size_t a, std::size_t b) { return things[a].at[k] < things[b].at[k]; });
  }
  const auto first = [&](int k) {
    while (head[k] < queue[k].size() && done[queue[k][head[k]]]) head[k]++;
    return head[k] < queue[k].size() ? queue[k][head[k]] : things.size();
  };
  for (std::size_t n = 0; n < things.size(); n++) {
    std::size_t next = things.size(), any = things.size();
    for (int k = 2; k >= 0; k--) {
      const std::size_t i = first(k);
      if (i == things.size()) continue;
      any = i;
      bool inTurn = true;
      for (int other = 0; other < 3; other++) inTurn &= things[i].at[other] < 0 || first(other) == i;
      if (inTurn) next = i;
    }
    const Thing& thing = things[next < things.size() ? next : any];
    done[static_cast<std::size_t>(&thing - things.data())] = true;
    if (thing.kind == VTB_NAMED_BODY) madeBody(thing.id);
    if (thing.kind == VTB_NAMED_SHAPE) madeShape(thing.id, root_);
    if (thing.kind == VTB_NAMED_JOINT) madeJoint(thing.id);
  }
}

void Changes::madeBody(int id) {
  BodyValues values = describeBody(world_.engine, id);
  values.name = bodyName(id);
  if (world_.engine.settings().planar) capi::write(world_.engine.bodyCreated(id), values.def.pose);  // its plane; the pose is state
  Xml* xml = add(root_, kBody, &values);
  for (const char* attribute : {"mass", "inertia"}) write(*xml, kBody, attribute, &values);  // as given, defaults too
  for (int shape : shapes_[id])
    if (world_.engine.shape(shape).parent < 0) madeShape(shape, *xml);
  Vec3 force, torque;
  world_.engine.lastingForces(id, force, torque);
  if (force.isZero(0) && torque.isZero(0)) return;
  ForceValues lasting;
  lasting.body = values.name;
  capi::write(force, lasting.force);
  capi::write(torque, lasting.torque);
  add(root_, kForce, &lasting);
}

void Changes::madeShape(int id, Xml& parent) {
  ShapeValues values = describeShape(world_.engine, id);
  if (const std::string* name = names_[VTB_NAMED_SHAPE].nameOf(world_.shapes.handle(id))) values.name = *name;
  Xml* xml = add(parent, ruleOfShape(values.def.type), &values);
  for (int shape = 0; shape < world_.shapes.size(); shape++)
    if (world_.shapes.alive(shape) && world_.engine.shape(shape).parent == id) madeShape(shape, *xml);
}

void Changes::madeJoint(int id) {
  const JointDefinition& d = world_.engine.joint(id);
  JointValues values = describeJoint(world_.engine, id);
  values.name = nameOf(VTB_NAMED_JOINT, world_.joints.handle(id));
  if (!d.rotor) {
    values.a = bodyName(d.a);
    values.b = bodyName(d.b);
  }
  Xml* xml = add(root_, kJoint, &values);
  write(*xml, kJoint, "type", &values);
  if (!d.rotor)  // in each body, so that neither is taken from the other
    for (const char* attribute : {"position_a", "position_b"}) write(*xml, kJoint, attribute, &values);
  madeDrives(id, *xml);
}

void Changes::madeDrives(int joint, Xml& xml) {
  const MotorTarget target = world_.engine.motorTarget(joint);
  for (int k = 0; k < world_.engine.jointAxes(joint); k++) {
    const AxisDescription now = describeAxis(world_.engine, joint, k);
    AxisValues none;
    MotorValues off;
    none.index = off.axis = k;
    Xml* axis = xml.InsertNewChildElement(kAxis.name);
    int given = updateAttributes(kAxis, &none, &now.axis, *axis);
    if (world_.engine.joint(joint).constraint == ConstraintType::Distance)  // its limits begin at its length
      for (const char* attribute : {"lower", "upper"}) {
        write(*axis, kAxis, attribute, &now.axis);
        given++;
      }
    if (given == 0)
      xml.DeleteChild(axis);
    else if (k > 0)
      axis->SetAttribute("index", k);
    if (target.orientationMotor) continue;
    Xml* motor = xml.InsertNewChildElement(kMotor.name);
    if (updateAttributes(kMotor, &off, &now.motor, *motor) == 0)
      xml.DeleteChild(motor);
    else if (k > 0)
      motor->SetAttribute("axis", k);
  }
  if (target.orientationMotor) {
    const MotorSettings& gains = world_.engine.motor(joint, 0);
    OrientationMotorValues values;
    capi::write(target.pose.q, values.orientation);
    capi::write(target.omega, values.velocity);
    values.stiffness = gains.stiffness;
    values.damping = gains.damping;
    values.maxForce = gains.maxForce;
    add(xml, kOrientationMotor, &values);
  } else if (world_.engine.joint(joint).constraint == ConstraintType::Motor) {
    TargetValues values;
    capi::write(target.pose, values.pose);
    capi::write(target.velocity, values.velocity);
    capi::write(target.omega, values.angularVelocity);
    add(xml, kTarget, &values);
  }
}

void Changes::terms(const std::vector<CouplingTerm>& terms, Xml& xml) {
  for (const CouplingTerm& term : terms) {
    TermValues t;
    t.joint = nameOf(VTB_NAMED_JOINT, world_.joints.handle(term.joint));
    t.term.axis = term.axis;
    t.term.coefficient = term.coefficient;
    add(xml, kTerm, &t);
  }
}

void Changes::madeCoupling(int id) {
  CouplingValues values = describeCoupling(world_.engine, id);
  values.name = nameOf(VTB_NAMED_COUPLING, world_.couplings.handle(id));
  terms(world_.engine.coupling(id).terms, *add(root_, kCoupling, &values));
}

void Changes::madeConstraint(int id) {
  if (world_.engine.isDriveline(id)) {
    DrivelineValues values = describeDriveline(world_.engine, id);
    values.name = nameOf(VTB_NAMED_CONSTRAINT, world_.constraints.handle(id));
    Xml* xml = add(root_, kDriveline, &values);
    write(*xml, kDriveline, "type", &values);
    if (values.def.type == VTB_DRIVELINE_TYPE_GEARBOX) write(*xml, kDriveline, "gear", &values);  // its default is neutral
    terms(world_.engine.driveline(id).axes, *xml);
    return;
  }
  const UserConstraintDefinition& d = world_.engine.constraint(id);
  if (d.measure == PointMeasure::None) {
    cannot("a constraint of the caller");
    return;
  }
  PointsValues values = describePoints(world_.engine, id);
  values.name = nameOf(VTB_NAMED_CONSTRAINT, world_.constraints.handle(id));
  Xml* xml = add(root_, kPoints, &values);
  for (std::size_t k = 0; k < d.points.size(); k++) {
    PointValues point;
    point.body = bodyName(d.pointBodies[k]);
    capi::write(d.points[k], point.position);
    add(*xml, kPoint, &point);
  }
}

void Changes::madeParticles(int id) {
  ParticlesValues values = describeParticles(world_.engine, id);
  values.name = nameOf(VTB_NAMED_PARTICLES, world_.particles.handle(id));  // what is in it is state
  Xml* xml = add(root_, kParticles, &values);
  for (const particles::EmitterDefinition& e : world_.engine.emitters(id)) {
    const EmitterValues emitter = describeEmitter(e);
    add(*xml, kEmitter, &emitter);
  }
  for (const particles::SinkDefinition& s : world_.engine.sinks(id)) {
    const SinkValues sink = describeSink(s);
    add(*xml, kSink, &sink);
  }
}

void Changes::madeField(int id) {
  const FieldDefinition& d = world_.engine.field(id);
  if (d.type == FieldType::User) {
    cannot("a field of the caller");
    return;
  }
  FieldValues values = describeField(world_.engine, id);
  values.name = nameOf(VTB_NAMED_FIELD, world_.fields.handle(id));
  values.source = bodyName(d.source);
  if (d.particles >= 0) values.particles = nameOf(VTB_NAMED_PARTICLES, world_.particles.handle(d.particles));
  for (int body : d.bodies) values.bodies.push_back(bodyName(body));
  write(*add(root_, kField, &values), kField, "type", &values);
}

void Changes::madeSensor(int id) {
  const SensorDefinition& d = world_.engine.sensor(id);
  SensorValues values = describeSensor(world_.engine, id);
  values.name = nameOf(VTB_NAMED_SENSOR, world_.sensors.handle(id));
  values.body = bodyName(d.body);
  if (d.joint >= 0) values.joint = nameOf(VTB_NAMED_JOINT, world_.joints.handle(d.joint));
  write(*add(root_, kSensor, &values), kSensor, "type", &values);
}

// Pairs that calls told to pass through each other, or took that back.
void Changes::pairs() {
  using Pair = std::pair<std::string, std::string>;
  std::set<Pair> then;
  const auto nameInFresh = [&](int body) -> std::string {
    if (body < 0) return "world";
    const auto name = freshBodyNames_.find(fresh_.bodies.handle(body));
    return name == freshBodyNames_.end() ? "" : name->second;
  };
  const auto pairOf = [](std::string a, std::string b) { return a < b ? Pair(a, b) : Pair(b, a); };
  for (const auto& [a, b] : fresh_.engine.ignoredPairs()) then.insert(pairOf(nameInFresh(a), nameInFresh(b)));
  for (const auto& [a, b] : world_.engine.ignoredPairs()) {
    const Pair pair = pairOf(a < 0 ? "world" : bodyName(a), bodyName(b));
    if (then.erase(pair) > 0) continue;
    const PairValues values{pair.first, pair.second};
    add(root_, kNoCollision, &values);
  }
  for (const Pair& pair : then) {  // no more
    const auto alive = [&](const std::string& name) {
      return name == "world" || world_.bodies.find(world_.names[VTB_NAMED_BODY].find(name)) >= 0;
    };
    if (!alive(pair.first) || !alive(pair.second)) continue;
    bool told = false;
    for (const auto& [e, xml] : nodes_) {
      if (e->rule != &kNoCollision || pairOf(e->as<PairValues>().a, e->as<PairValues>().b) != pair) continue;
      gone_.insert(e);
      told = true;
    }
    if (!told)
      cannot("'" + pair.first + "' and '" + pair.second + "' may touch again, but their no_collision is in an include or a repetition");
  }
}

}  // namespace vertebra::capi::scene
