// From slots to trees and back. A rebuild cuts the graph of bodies and joints into spanning trees: a body joined to the world or to a
// prescribed body starts a tree there; other trees start at the lowest body of their component; joints are taken in id order, links are
// numbered parents first. The remaining joints close cycles, connect figures, or are drives: auxiliary rows.
#include "engine/trees/topology.hpp"
#include "engine/state/stepper_traits.hpp"

#include <algorithm>

#include "engine/dynamics/joints/joints.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra {
namespace {

bool moves(const WorldData& w, int body) { return body >= 0 && w.bodies[body].kind == BodyKind::Dynamic && w.bodies[body].enabled; }
bool takesPart(const WorldData& w, int body) { return body < 0 || w.bodies[body].enabled; }
// A massless named frame of a file: it has no motion of its own, not even where every body has one.
bool weightless(const WorldData& w, int body) {
  return moves(w, body) && !(w.bodies[body].mass > 0) && !(w.bodies[body].moments.maxCoeff() > 0);
}

// Links whose coordinates depend on others through a cycle or a coupling: from both ends of the closing joint up to their common ancestor.
void markLoops(WorldData& w) {
  std::vector<int> up[2];
  auto cycle = [&](const JointSlot& j) {
    for (int side = 0; side < 2; side++) {
      const int body = side ? j.def.b : j.def.a;
      up[side].clear();
      if (!moves(w, body)) continue;
      const int first = w.trees[w.bodies[body].tree].first;
      for (int l = w.bodies[body].link; l >= 0; l = w.model[l].parent < 0 ? -1 : first + w.model[l].parent) up[side].push_back(l);
    }
    while (!up[0].empty() && !up[1].empty() && up[0].back() == up[1].back()) up[0].pop_back(), up[1].pop_back();
    for (const std::vector<int>& links : up)
      for (int l : links) w.links[l].looped = true;
  };
  for (int id : w.auxiliaryJoints)
    if (w.joints[id].def.constraint == ConstraintType::Joint) cycle(w.joints[id]);
  auto mark = [&](int joint) {
    if (w.joints[joint].link >= 0) w.links[w.joints[joint].link].looped = true;
  };
  for (const CouplingSlot& c : w.couplings)
    if (c.alive && c.def.softness.rigid())
      for (const CouplingTerm& t : c.def.terms) mark(t.joint);
  for (const UserConstraintSlot& c : w.constraints) {
    if (!c.alive) continue;
    for (int joint : c.def.joints) mark(joint);
    for (int body : c.def.bodies)
      if (moves(w, body))
        for (int l = w.bodies[body].link, first = w.trees[w.bodies[body].tree].first; l >= 0;
             l = w.model[l].parent < 0 ? -1 : first + w.model[l].parent)
          w.links[l].looped = true;
  }
}

Pose inertialPose(const WorldData& w, int body) { return body < 0 ? Pose() : w.bodies[body].pose * w.bodies[body].inertialInLink; }

// Joint frame in a body's inertial frame; for the world, or a body without inertial frame of its own, in the link frame.
Pose inInertial(const WorldData& w, int body, const Pose& frame) {
  return body < 0 ? frame : w.bodies[body].inertialInLink.inverse() * frame;
}

struct TreeBuilder {
  WorldData& w;
  std::vector<std::vector<int>> jointsOf;  // by body, ascending
  std::vector<int> treeOf;                 // by body

  bool apart() const { return keepsFreePoses(w.settings) && !w.jointsInTrees; }
  bool usable(int j) const {
    const JointSlot& s = w.joints[j];
    const bool weld = s.def.type == JointType::Fixed && (weightless(w, s.def.a) || weightless(w, s.def.b));
    return s.alive && !s.broken && (!apart() || s.def.rotor || weld) && s.def.linear.rigid() && s.def.angular.rigid() &&
           s.def.constraint == ConstraintType::Joint && !s.def.auxiliary && takesPart(w, s.def.a) && takesPart(w, s.def.b);
  }
  bool sameFigure(int a, int b) const { return w.bodies[a].figure == w.bodies[b].figure; }

  void addLink(int body, int parentLink, int joint, bool flipped, TreeRuntime& tree) {
    BodySlot& b = w.bodies[body];
    LinkModel m;
    m.parent = parentLink;
    m.mass = b.mass;
    m.inertia = b.moments;
    for (int k = 0; k < 3; k++) m.inverseInertia[k] = b.moments[k] > 0 ? 1 / b.moments[k] : 0;
    m.linkInInertial = b.inertialInLink.inverse();
    m.qOffset = static_cast<int>(w.q.size());
    m.vOffset = static_cast<int>(w.v.size());
    LinkRuntime r;
    r.body = body;
    r.joint = joint;
    r.gravityScale = b.gravityScale;
    r.gyration = m.inverseInertia.cwiseProduct(Vec3(b.moments[1] - b.moments[2], b.moments[2] - b.moments[0], b.moments[0] - b.moments[1]));
    r.light = !(m.mass > 0) || !(m.inertia.minCoeff() > 0);
    if (joint < 0 && w.settings.planar) {
      // Measured from the body's pose at creation: its height, and its axes then for those of the world.
      const Pose start = b.created * b.inertialInLink;
      JointShape shape;
      shape.type = JointType::Planar;
      shape.axis = Vec3::UnitY();
      setJoint(m, shape, Pose{Vec3(0, start.p.y(), 0), Quat::Identity()}, Pose{Vec3::Zero(), start.q.conjugate()}, false);
      w.q.resize(w.q.size() + 3);
      w.v.resize(w.v.size() + 3, 0.0);
    } else if (joint < 0) {
      m.freeRoot = true;
      m.nv = 6;
      m.type = JointType::Floating;
      w.q.resize(w.q.size() + 7);
      w.v.resize(w.v.size() + 6, 0.0);
    } else {
      JointSlot& j = w.joints[joint];
      j.flipped = flipped;
      j.role = Role::Primary;
      j.link = static_cast<int>(w.model.size());
      const int parentBody = flipped ? j.def.b : j.def.a;
      const Pose inParent = inInertial(w, parentBody, flipped ? j.def.frameB : j.def.frameA);
      const Pose inChild = inInertial(w, body, flipped ? j.def.frameA : j.def.frameB);
      setJoint(m, j.def, inParent, inChild, flipped);
      w.q.resize(w.q.size() + j.nq);
      w.v.resize(w.v.size() + j.nv, 0.0);
    }
    tree.mass += m.mass;
    b.tree = static_cast<int>(w.trees.size());
    b.link = static_cast<int>(w.model.size());
    treeOf[body] = b.tree;
    w.model.push_back(m);
    w.links.push_back(r);
  }

  // Depth first, so that a chain is contiguous in memory.
  void grow(int body, TreeRuntime& tree) {
    struct Visit {
      int body;
      std::size_t next;
    };
    std::vector<Visit> stack{{body, 0}};
    while (!stack.empty()) {
      const int at = stack.back().body;
      if (stack.back().next >= jointsOf[at].size()) {
        stack.pop_back();
        continue;
      }
      const int joint = jointsOf[at][stack.back().next++];
      const JointSlot& j = w.joints[joint];
      if (j.role == Role::Primary) continue;
      const int other = j.def.a == at ? j.def.b : j.def.a;
      if (!moves(w, other) || treeOf[other] >= 0 || !sameFigure(at, other)) continue;
      if (apart() && tree.floating && !weightless(w, other)) continue;  // it keeps its own pose
      addLink(other, w.bodies[at].link - tree.first, joint, j.def.b == at, tree);
      stack.push_back({other, 0});
    }
  }

  void startTree(int body, int joint) {
    TreeRuntime tree;
    tree.first = static_cast<int>(w.model.size());
    tree.qFirst = static_cast<int>(w.q.size());
    tree.vFirst = static_cast<int>(w.v.size());
    tree.floating = joint < 0;
    tree.freeRoot = joint < 0 && !w.settings.planar;
    bool flipped = false;
    if (joint >= 0) {
      const JointSlot& j = w.joints[joint];
      flipped = j.def.a == body;
      tree.baseBody = flipped ? j.def.b : j.def.a;
    }
    addLink(body, -1, joint, flipped, tree);
    grow(body, tree);
    tree.tree.count = static_cast<int>(w.model.size()) - tree.first;
    tree.nq = static_cast<int>(w.q.size()) - tree.qFirst;
    tree.nv = static_cast<int>(w.v.size()) - tree.vFirst;
    tree.immobile = tree.nv == 0;
    w.model[tree.first].lone = tree.freeRoot && tree.tree.count == 1;
    w.trees.push_back(std::move(tree));
  }
};

void placeTree(WorldData& w, TreeRuntime& t);

bool needsAxisForces(const JointSlot& j) {
  if (j.def.swing < kInf || j.def.twistLower > -kInf || j.def.twistUpper < kInf || j.orientationMotor) return true;
  for (int k = 0; k < j.nv; k++) {
    const AxisParameters& a = j.axes[k];
    if (a.lower > -kInf || a.upper < kInf || a.velocity < kInf || a.damping > 0 || a.friction > 0 || a.stiffness > 0 || a.armature > 0)
      return true;
    if (j.motors[k].mode != MotorMode::Off) return true;
  }
  return false;
}

void measureBounds(JointSlot& j) {
  if (j.def.type != JointType::Spherical) return;
  j.restQuat = quatExp(Vec3(j.axes[0].rest, j.axes[1].rest, j.axes[2].rest));
  j.cosSwing = j.def.swing < kPi ? cosine(j.def.swing) : -2;
  const SinCos low = sincos(0.5 * j.def.twistLower), high = sincos(0.5 * j.def.twistUpper);
  j.twistLow[0] = j.def.twistLower > -kInf ? low.c : 0;
  j.twistLow[1] = j.def.twistLower > -kInf ? low.s : -2;
  j.twistHigh[0] = j.def.twistUpper < kInf ? high.c : 0;
  j.twistHigh[1] = j.def.twistUpper < kInf ? high.s : 2;
}

}  // namespace

void updateAxisForces(WorldData& w, int joint) {
  JointSlot& j = w.joints[joint];
  j.hasAxisForces = needsAxisForces(j);
  measureBounds(j);
  if (j.link < 0 || !w.current) return;
  TreeRuntime& t = w.trees[w.bodies[w.links[j.link].body].tree];
  w.links[j.link].hasAxisForces = j.hasAxisForces;
  t.hasAxisForces = t.armature = t.springs = false;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    t.hasAxisForces |= w.links[i].hasAxisForces;
    if (w.links[i].joint >= 0)
      for (int k = 0; k < w.joints[w.links[i].joint].nv; k++) {
        const AxisParameters& a = w.joints[w.links[i].joint].axes[k];
        t.armature |= a.armature > 0;
        t.springs |= a.stiffness > 0 || a.damping > 0;
      }
  }
}

void invalidateTopology(WorldData& w) {
  if (!w.current) return;
  for (std::size_t i = 0; i < w.bodies.size(); i++) {
    BodySlot& b = w.bodies[i];
    if (b.link < 0) continue;
    const Pose pose = poseOf(w, static_cast<int>(i));
    twistOf(w, static_cast<int>(i), b.velocity, b.omega);
    b.pose = pose;
  }
  for (JointSlot& j : w.joints) {
    if (j.link < 0) continue;
    const LinkModel& m = w.model[j.link];
    std::copy_n(&w.q[m.qOffset], j.nq, j.q);
    std::copy_n(&w.v[m.vOffset], j.nv, j.v);
    j.placed = true;
    j.link = -1;
  }
  for (BodySlot& b : w.bodies) b.link = b.tree = -1;
  w.current = false;
}

Failure updateTopology(WorldData& w) {
  if (w.current) return {};
  w.model.clear();
  w.links.clear();
  w.trees.clear();
  w.q.clear();
  w.v.clear();
  w.auxiliaryJoints.clear();
  w.jointedPairs.clear();
  TreeBuilder b{w, {}, {}};
  b.jointsOf.resize(w.bodies.size());
  b.treeOf.assign(w.bodies.size(), -1);
  for (std::size_t i = 0; i < w.joints.size(); i++) {
    JointSlot& j = w.joints[i];
    j.link = -1;
    j.role = Role::Inactive;
    if (!j.alive) continue;
    if (!j.def.bodiesCollide && j.def.a >= 0 && j.def.b >= 0) w.jointedPairs.push_back(std::minmax(j.def.a, j.def.b));
    if (!b.usable(static_cast<int>(i))) continue;
    if (moves(w, j.def.a)) b.jointsOf[j.def.a].push_back(static_cast<int>(i));
    if (moves(w, j.def.b)) b.jointsOf[j.def.b].push_back(static_cast<int>(i));
  }
  std::sort(w.jointedPairs.begin(), w.jointedPairs.end());
  for (std::size_t i = 0; i < w.joints.size(); i++) {  // trees on the world and on prescribed bodies
    if (!b.usable(static_cast<int>(i))) continue;
    const JointDefinition& d = w.joints[i].def;
    if (moves(w, d.a) == moves(w, d.b)) continue;
    const int body = moves(w, d.a) ? d.a : d.b;
    if (b.treeOf[body] < 0) b.startTree(body, static_cast<int>(i));
  }
  for (const bool withMass : {true, false})  // massless bodies after those with mass
    for (std::size_t i = 0; i < w.bodies.size(); i++) {
      const int body = static_cast<int>(i);
      if (withMass && b.apart() && weightless(w, body)) continue;
      if (w.bodies[i].alive && moves(w, body) && b.treeOf[i] < 0) b.startTree(body, -1);
    }
  for (std::size_t i = 0; i < w.joints.size(); i++) {
    JointSlot& j = w.joints[i];
    if (!j.alive || j.broken || j.role == Role::Primary || !takesPart(w, j.def.a) || !takesPart(w, j.def.b)) continue;
    if (!moves(w, j.def.a) && !moves(w, j.def.b)) continue;
    j.role = Role::Auxiliary;
    j.placed = false;  // if a tree takes it later, its coordinates come from the bodies' poses
    w.auxiliaryJoints.push_back(static_cast<int>(i));
  }
  const std::size_t nv = w.v.size();
  w.state.assign(w.model.size(), LinkState());
  w.interval.clear();
  w.displacement.bodies.clear();
  if (const auto resize = traitsOf(w.settings.stepper).resize) resize(w);
  w.a.assign(nv, 0.0);
  w.z.assign(nv, 0.0);
  w.extra.assign(nv, 0.0);
  w.extraFull.assign(nv, 0.0);
  w.reference.resize(nv);
  w.referenceRate.resize(nv);
  w.baseRate.resize(nv);
  w.baseTwist.resize(w.model.size());
  w.fromRest.assign(nv, 0.0);
  w.fromTarget.assign(nv, 0.0);
  w.generalized.assign(nv, 0.0);
  w.shift.assign(nv, 0.0);
  w.increment.assign(nv, 0.0);
  w.leftOver.assign(nv, 0.0);
  w.q0 = w.q;
  w.v0 = w.v;
  for (TreeRuntime& t : w.trees) {
    t.tree.model = w.model.data() + t.first;
    t.tree.state = w.state.data() + t.first;
    t.step = w.lastStep;
    placeTree(w, t);
    // An island that slept through an edit elsewhere stays asleep; a tree of sleeping and awake bodies wakes.
    t.asleep = !t.immobile;
    for (int i = t.first; i < t.first + t.tree.count; i++) t.asleep &= w.bodies[w.links[i].body].asleep;
    for (int i = t.first; i < t.first + t.tree.count; i++) w.bodies[w.links[i].body].asleep = t.asleep;
    if (w.settings.treeSolver != TreeSolver::Articulated) {
      t.saddle = w.settings.treeSolver == TreeSolver::Dense ? makeDenseOperator() : makeSparseOperator();
      t.saddle->reserve(t.tree);
    }
    findSlenderLinks(w, t);
  }
  markLoops(w);
  w.current = true;
  holdByContacts(w);
  for (std::size_t i = 0; i < w.joints.size(); i++)
    if (w.joints[i].alive) updateAxisForces(w, static_cast<int>(i));
  for (std::size_t i = 0; i < w.bodies.size(); i++)
    if (w.bodies[i].alive) updateShapeFrames(w, static_cast<int>(i));
  // Topology in one number, which a snapshot must match.
  std::uint64_t h = 1469598103934665603ull;
  auto mix = [&](std::uint64_t x) { h = (h ^ x) * 1099511628211ull; };
  for (const LinkModel& m : w.model) mix(m.parent + 2), mix(static_cast<int>(m.type)), mix(m.freeRoot), mix(m.qOffset);
  for (const LinkRuntime& l : w.links) mix(l.body), mix(l.joint + 1);
  for (const BodySlot& s : w.bodies) mix(s.alive), mix(static_cast<int>(s.kind)), mix(s.shapes.size());
  for (const JointSlot& s : w.joints) mix(s.alive), mix(static_cast<int>(s.role)), mix(static_cast<int>(s.def.constraint));
  for (const CouplingSlot& s : w.couplings) {
    mix(s.alive);
    for (const CouplingTerm& t : s.def.terms) mix(t.joint + 1), mix(t.axis);
  }
  for (const UserConstraintSlot& s : w.constraints)
    mix(s.alive), mix(s.rows.size()), mix(s.blocks.size()), mix(s.driveline ? 1 + static_cast<int>(s.driveline->def.type) : 0);
  for (const ShapeSlot& s : w.shapes) mix(s.alive), mix(s.body + 2), mix(static_cast<int>(s.shape.geometry.type));
  w.topologyHash = h;
  return {};
}

namespace {

// Coordinates of a tree from its bodies' poses (joints that were not placed before) or from the joints' own coordinates; velocities alike.
void placeTree(WorldData& w, TreeRuntime& t) {
  t.tree.base = Base();
  placeBase(w, t);
  if (t.baseBody >= 0) {
    t.baseVelocity = w.bodies[t.baseBody].velocity;
    t.baseOmega = w.bodies[t.baseBody].omega;
  }
  for (int i = 0; i < t.tree.count; i++) {
    const int link = t.first + i;
    const LinkModel& m = w.model[link];
    LinkState& s = w.state[link];
    const BodySlot& body = w.bodies[w.links[link].body];
    double* q = &w.q[m.qOffset];
    const Pose inertial = body.pose * body.inertialInLink;
    if (m.freeRoot) {
      for (int k = 0; k < 3; k++) q[k] = inertial.p[k];
      const Quat r = normalized(inertial.q);
      for (int k = 0; k < 4; k++) q[3 + k] = r.coeffs()[k];
      s.c = inertial.p;
      s.q = r;
      s.R = rotationOf(r);
      s.anchor = s.c;
      continue;
    }
    const BodyPose& parent = m.parent >= 0 ? static_cast<const BodyPose&>(t.tree.state[m.parent]) : t.tree.base.pose;
    if (w.links[link].joint < 0) {
      std::fill_n(q, m.nv, 0.0);
      fitCoordinates(m, Pose(), inertial, q);
    } else {
      const JointSlot& j = w.joints[w.links[link].joint];
      std::copy_n(j.q, j.nq, q);
      // The parent's given pose is used, not the one that its own joint produces: errors do not accumulate along a chain.
      if (!j.placed) fitCoordinates(m, inertialPose(w, j.flipped ? j.def.b : j.def.a), inertial, q);
    }
    withJoint(m.type, [&](auto joint) { decltype(joint)::pose(m, parent, q, s); });
  }
  t.tree.O = t.tree.state[0].c;
  moveBase(w, t);
  updateSubspaces(t.tree);
  // Joint velocities: the part of the bodies' relative twist that the joint allows.
  for (int i = 0; i < t.tree.count; i++) {
    const int link = t.first + i;
    const LinkModel& m = w.model[link];
    LinkState& s = w.state[link];
    double* v = &w.v[m.vOffset];
    auto twistAboutO = [&](int id) {
      if (id < 0) return Vec6(Vec6::Zero());
      const BodySlot& b = w.bodies[id];
      return stack(b.omega, b.velocity + b.omega.cross(t.tree.O - b.pose.p));
    };
    if (m.freeRoot) {
      const Vec6 twist = twistAboutO(w.links[link].body);
      for (int k = 0; k < 6; k++) v[k] = twist[k];
      continue;
    }
    if (w.links[link].joint < 0) {
      fitVelocity(m, s, t.tree.O, twistAboutO(w.links[link].body), v);
      continue;
    }
    JointSlot& j = w.joints[w.links[link].joint];
    if (j.placed) {
      std::copy_n(j.v, j.nv, v);
    } else {
      const Vec6 relative = twistAboutO(w.links[link].body) - twistAboutO(j.flipped ? j.def.b : j.def.a);
      fitVelocity(m, s, t.tree.O, relative, v);
    }
    j.placed = true;
  }
  updateTwists(t.tree, w.v.data());
}

}  // namespace

void holdByContacts(WorldData& w) {
  for (const Contact& c : w.contacts)
    for (int body : {c.bodyA, c.bodyB})
      if (body >= 0 && w.bodies[body].tree >= 0 && c.force.squaredNorm() > 0) {
        w.trees[w.bodies[body].tree].fresh = false;
        w.trees[w.bodies[body].tree].ahead = true;
      }
}

Pose poseOf(const WorldData& w, int body) {
  const BodySlot& b = w.bodies[body];
  if (b.link < 0) return b.pose;
  const LinkState& s = w.state[b.link];
  return Pose{s.c, s.q} * w.model[b.link].linkInInertial;
}

void twistOf(const WorldData& w, int body, Vec3& velocity, Vec3& omega) {
  const BodySlot& b = w.bodies[body];
  if (b.link < 0) {
    velocity = b.velocity;
    omega = b.omega;
    return;
  }
  const LinkState& s = w.state[b.link];
  omega = s.R * s.w;
  velocity = s.v + omega.cross(s.q * w.model[b.link].linkInInertial.p);
}

void wakeTree(WorldData& w, int tree) {
  TreeRuntime& t = w.trees[tree];
  t.asleep = false;
  t.idle = 0;
  saveTree(w, t, true);
  for (int i = t.first; i < t.first + t.tree.count; i++) w.bodies[w.links[i].body].asleep = false;
}

void wakeBody(WorldData& w, int body) {
  BodySlot& b = w.bodies[body];
  b.asleep = false;  // this is all while the trees are not yet built
  if (b.link >= 0) wakeTree(w, b.tree);
}

void updateShapeFrames(WorldData& w, int body) {
  const BodySlot& b = w.bodies[body];
  const Pose toInertial = b.inertialInLink.inverse();
  for (int id : b.shapes) {
    ShapeSlot& s = w.shapes[id];
    s.inBody = s.shape.local;
    for (int p = s.shape.parent; p >= 0; p = w.shapes[p].shape.parent) s.inBody = w.shapes[p].shape.local * s.inBody;
    s.inInertial = toInertial * s.inBody;
    s.inInertial.q = normalized(s.inInertial.q);
    s.reach = s.inInertial.p.norm() + s.localBox.lo.cwiseAbs().cwiseMax(s.localBox.hi.cwiseAbs()).norm();
  }
}

}  // namespace vertebra
