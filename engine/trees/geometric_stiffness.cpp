// Light links under heavy loads. A joint that pulls with force f at the arm r turns a link back by r x f: the link swings at sqrt(r f / I),
// which no step resolves where a load is heavy and its chain light. Such a link gets inertia about its own rotation,
//   S = c h^2 k,   k = sum |u| |f| (1 - n n^T) over its joints and its weight, u = |u| n from its own joint there,
// with the momentum S w* of an angular velocity w* that compensates it. For a mode of frequency w alone, with s = c h^2 w^2, a step is then
//   second order   q1 = q + h v + h^2/2 a   (1 + s)(v1 - v) = h/2 (a - w^2 q1)   (1 + s) a1 = -w^2 q1     c = 1/2, w* of the start
//   first order    q1 = q + h v             (1 + s) v1 = v - h w^2 q1 + s v*                              c = 1, w* of half a step before
// Both are stable at every step; they damp a slow mode by (h w)^4 / 8 a step; a fast one is damped wholly, and by 0.7 a step. `variational`
// adds nothing to the inertia of a tree without cycles, because that would not be symplectic: its own bound is h w < 2, and beyond it steps
// are halved. Joints that close cycles load links, too: a cable between two walls, a bridge.
// World axes; S is about the centre of mass, which the rotation alone does not move.
// Sources: geometric stiffness (Tournier et al. 2015, "Stable constrained dynamics"; Andrews et al. 2017, "Geometric stiffness for
// real-time constrained multibody dynamics"), as inertia (Chang 2002, "Explicit pseudodynamic algorithm with unconditional stability").
#include <algorithm>
#include <cmath>

#include "engine/state/growth.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_plan.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {
namespace {

constexpr double kUnresolved = 0.5;  // (h w)^2 above which the links of a tree that is examined get inertia, in all parts of the step
constexpr double kStiffest = 1e6;    // times a link's moment: beyond, the factor would lose what is small

struct Stiffness {  // k of a force in any direction
  void operator()(SlenderLink& r, const Vec3& u, const Vec3& force) const {
    const double xx = u.x() * u.x(), yy = u.y() * u.y(), zz = u.z() * u.z();
    if (!(xx + yy + zz > 0)) return;
    const double k = std::sqrt(force.squaredNorm() / (xx + yy + zz)), x = k * u.x(), y = k * u.y();
    double* s = r.stiffening.data();
    s[0] += k * (yy + zz), s[4] += k * (xx + zz), s[8] += k * (xx + yy);
    s[1] -= x * u.y(), s[2] -= x * u.z(), s[5] -= y * u.z();  // the lower part; completed once all is added
  }
  static void complete(SlenderLink& r) {
    double* s = r.stiffening.data();
    s[3] = s[1], s[6] = s[2], s[7] = s[5];
  }
};
struct TurningBack {  // the part that turns the link back about any axis across
  void operator()(SlenderLink& r, const Vec3& u, const Vec3& force) const { r.stiffening.diagonal().array() -= u.dot(force); }
};

// Forces that feed errors back (Baumgarte) are no loads that last.
bool loadsByCycles(const TreeWorld& w) { return w.settings.stabilisation != Stabilisation::Baumgarte; }

// By how much the force of a joint that closes a cycle counts as a load. As cables go slack and taut it changes from step to step by its
// own size; at least it counts with the weight of the heavier tree that it holds. `variational`, which moves otherwise, does worse with
// that.
double loadOfCycle(const TreeWorld& w, const JointSlot& j) {
  if (w.settings.stepper == Stepper::Variational) return j.between->force.norm();
  double mass = 0;
  for (int body : {j.a, j.b})
    if (movesByPhysics(w, body) && !w.trees[w.bodies[body].tree].smooth) mass = std::max(mass, w.trees[w.bodies[body].tree].mass);
  return std::max(j.between->force.norm(), mass * w.settings.gravity.norm());
}

// Load of joints that close cycles, by their forces of the last step.
template <class Add>
void addCycles(TreeWorld& w, int link, Add&& add) {
  const int body = w.links[link].body;
  for (int id = w.bodies[body].firstJoint; id >= 0; id = w.joints[id].nextJoint[w.joints[id].a != body]) {
    const JointSlot& j = w.joints[id];
    if (j.role != Role::Auxiliary || !j.between) continue;
    const double now = j.between->force.norm();
    if (!(now > 0)) continue;  // it has no direction yet
    const bool ofB = j.b == body;
    const Vec3 force = (ofB ? 1 : -1) * loadOfCycle(w, j) / now * j.between->force;  // on the link
    w.slender[link].pull -= force;
    add(w.slender[link], Vec3(poseOf(w, body) * (ofB ? j.def->frameB.p : j.def->frameA.p) - w.state[link].anchor), Vec3(-force));
  }
}

// Load through each link's joint from the reactions of the last step, from the leaves to the root. `add(link, u, force)` adds the stiffness
// of a force on a link at its arm u; `visit` follows when a link's stiffness is complete.
template <class Add, class Visit>
void eachPulledLink(TreeWorld& w, TreeRuntime& t, Add&& add, Visit&& visit) {
  const int end = t.first + t.tree.count;
  for (int i = t.first; i < end; i++) {
    w.slender[i].pull = w.model[i].mass * w.links[i].reactionLinear;
    w.slender[i].stiffening.setZero();
    if (w.links[i].looped && loadsByCycles(w)) addCycles(w, i, add);
  }
  for (int i = end - 1; i >= t.first; i--) {
    SlenderLink& link = w.slender[i];
    const Vec3 joint = w.state[i].anchor;
    add(link, Vec3(w.state[i].c - joint), Vec3(w.model[i].mass * w.links[i].reactionLinear));
    if (w.model[i].parent >= 0) {
      SlenderLink& parent = w.slender[t.first + w.model[i].parent];
      parent.pull += link.pull;
      add(parent, Vec3(joint - w.state[t.first + w.model[i].parent].anchor), link.pull);
    }
    visit(i, link);
  }
}

// By link: moment of it and the links fixed to it, kg m^2.
std::vector<double> turningMoments(const dynamics::Tree& tree) {
  const std::size_t count = static_cast<std::size_t>(tree.count);
  std::vector<double> moment(count);
  std::vector<int> part(count);     // first link of those fixed together
  std::vector<Pose> inPart(count);  // inertial frame in that link's
  for (int i = 0; i < tree.count; i++) {
    const dynamics::LinkModel& m = tree.model[i];
    const bool fixed = m.nv == 0 && m.parent >= 0;
    part[i] = fixed ? part[m.parent] : i;
    if (fixed) inPart[i] = inPart[m.parent] * Pose{m.joint->inParent - m.joint->rest * m.joint->inChild, m.joint->rest};
    // A part without moments about two axes is a massless frame, not a link that swings.
    const bool turns = (m.inertia.array() > 0).count() >= 2;
    moment[part[i]] += (turns ? 0.5 * m.inertia.sum() : 0) + m.mass * inPart[i].p.squaredNorm();
  }
  for (std::size_t i = 0; i < count; i++) moment[i] = moment[part[i]];
  return moment;
}

}  // namespace

void findSlenderLinks(TreeRuntime& t) {
  t.slenderness = 0;
  if (t.saddle || t.immobile) return;
  const std::vector<double> moment = turningMoments(t.tree);
  std::vector<double> arm(t.tree.count);
  double mass = 0;
  for (int i = 0; i < t.tree.count; i++) {
    const dynamics::LinkModel& m = t.tree.model[i];
    mass += m.mass;
    arm[i] = dynamics::inChildOf(m).norm();
    if (m.parent >= 0) arm[m.parent] = std::max(arm[m.parent], (m.joint->inParent - dynamics::inChildOf(t.tree.model[m.parent])).norm());
  }
  for (int i = 0; i < t.tree.count; i++)
    if (arm[i] > 0 && moment[i] > 0) t.slenderness = std::max(t.slenderness, mass * arm[i] / moment[i]);
}

void pullByCycles(TreeWorld& w, std::span<const int> joints) {
  for (int id : joints)
    for (int body : {w.joints[id].a, w.joints[id].b})
      if (movesByPhysics(w, body)) w.trees[w.bodies[body].tree].rare.make().pull = 1;
  if (!loadsByCycles(w)) return;
  for (int id : joints)
    for (int body : {w.joints[id].a, w.joints[id].b})
      if (movesByPhysics(w, body)) {
        TreeRuntime& t = w.trees[w.bodies[body].tree];
        t.rare.make().pull += loadOfCycle(w, w.joints[id]) / (kPull * t.mass);
      }
}

void prepareSlenderLinks(TreeWorld& w) {
  pullByCycles(w, w.auxiliaryJoints);
  const bool any = !w.auxiliaryJoints.empty() || isSlender(w.slenderness, w.settings.timeStep);
  if (!any || w.slender.size() == w.links.size()) return;
  growTo(w.slender, w.links.size());
  for (const TreeRuntime& t : w.trees) {
    const std::vector<double> moment = turningMoments(t.tree);
    for (int i = 0; i < t.tree.count; i++) w.slender[t.first + i].turning = moment[i];
  }
}

void stiffenSlenderLinks(TreeWorld& w, TreeRuntime& t, double h) {
  const double share = (t.smooth ? 0.5 : 1) * h * h;
  eachPulledLink(w, t, Stiffness(), [&](int i, SlenderLink& r) {
    if (!(r.turning > 0 && 0.5 * h * h * r.stiffening.trace() > kUnresolved * r.turning)) {
      r.stiffening.setZero();
      return;
    }
    Stiffness::complete(r);
    r.stiffening *= std::min(share, kStiffest * r.turning / r.stiffening.trace());
    t.tree.inertia[i - t.first].topLeftCorner<3, 3>() += r.stiffening;
  });
}

double fastestSwing(TreeWorld& w, TreeRuntime& t) {
  double fastest = 0;
  eachPulledLink(w, t, TurningBack(), [&](int, const SlenderLink& r) {
    if (r.turning > 0) fastest = std::max(fastest, r.stiffening(0, 0) / r.turning);
  });
  return fastest;
}

void carrySlenderLinks(TreeWorld& w, TreeRuntime& t, double back) {
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const LinkRuntime& r = w.links[i];
    const Mat3& stiffening = w.slender[i].stiffening;
    if (stiffening(0, 0) == 0 && stiffening(1, 1) == 0) continue;
    t.tree.P[i - t.first].head<3>() += stiffening * (w.state[i].R * Vec3(r.startW - back * r.reactionAngular));
  }
}

double unevenTurn(const TreeWorld& w, const TreeRuntime& t, double h) {
  double worst = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const LinkRuntime& r = w.links[i];
    const Vec3 foreseen = r.reactionAngular + dynamics::torqueFreeAcceleration(w.model[i], r.startW);
    worst = std::max(worst, h * (w.state[i].w - r.startW - h * foreseen).norm() / 3);
  }
  return worst;
}

void meanReactions(TreeWorld& w, TreeRuntime& t, double h) {
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    LinkRuntime& r = w.links[i];
    const StartVelocity start = h < t.step ? StartVelocity{r.startV, r.startW} : startOfStep(t, r, i - t.first);
    r.reactionLinear = (w.state[i].v - start.v) / h - r.gravityScale * w.settings.gravity;
    r.reactionAngular = (w.state[i].w - start.w) / h;
  }
}

double gainedBySlenderLinks(const TreeWorld& w, const TreeRuntime& t, double back, bool reference) {
  double sum = 0;
  for (int i = t.first; i < t.first + t.tree.count; i++) {
    const dynamics::LinkState& s = w.state[i];
    const Vec3 omega = s.R * s.w, carried = s.R * Vec3(-back * w.links[i].reactionAngular);
    sum += 0.5 * omega.dot(w.slender[i].stiffening * (reference ? Vec3(carried + omega) : Vec3(carried - omega)));
  }
  return sum;
}

}  // namespace vertebra::trees
