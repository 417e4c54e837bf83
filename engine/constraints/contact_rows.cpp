// See contact_rows.hpp.
#include "engine/constraints/contact_rows.hpp"

#include <algorithm>
#include <cmath>

#include "engine/collision/reach.hpp"
#include "engine/constraints/contact_tangents.hpp"
#include "engine/constraints/impact_rows.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/geometry/surface.hpp"

namespace vertebra::constraints {
namespace {

constexpr double kHeld = 1e-4;    // m of penetration that displacements leave: a body set free would fall again
constexpr double kLifted = 0.25;  // of adaptive.depth: links that are deeper are pushed out, where displacements would turn light ones far
constexpr double kPush = 0.2;     // m/s, by which: faster than they sink, slower than what was set into the floor may leave it

solve::FrictionLaw lawOfFriction(ContactFriction friction) {
  switch (friction) {
    case ContactFriction::Cone:
      return solve::FrictionLaw::Cone;
    case ContactFriction::Pyramid:
    case ContactFriction::PyramidAlongSliding:
      return solve::FrictionLaw::Pyramid;
    case ContactFriction::Polyhedral:
      return solve::FrictionLaw::Polyhedral;
    case ContactFriction::Estimated:
      return solve::FrictionLaw::Estimated;
    case ContactFriction::Loetstedt:
      return solve::FrictionLaw::Fixed;
  }
  return solve::FrictionLaw::Cone;
}

bool byShapes(const Contact& a, const Contact& b) { return std::pair(a.shapeA, a.shapeB) < std::pair(b.shapeA, b.shapeB); }

struct ContactBlock {  // the rows of a contact
  int index = -1;      // of the contact
  RowEnd a, b;
  const SpeculativeContact* speculative = nullptr;
  int path = -1, first = -1, size = 0;
  Vec3 s, t;
};

// Adds the rows of contacts in their order.
struct ContactBuilder {
  ContactBuilder(RowBuffer& buffer, const Island& island, const ContactSources& sources)
      : rows(buffer), from(sources), set(sources.settings), law(lawOfFriction(set.frictionLaw)), starts(sources.collision.starts()) {
    if (!island.contacts.empty())
      nextStart = std::lower_bound(starts.begin(), starts.end(), from.contacts[island.contacts[0]], byShapes) - starts.begin();
  }

  RowBuffer& rows;
  const ContactSources& from;
  const WorldSettings& set;
  const solve::FrictionLaw law;
  const std::vector<Contact>& starts;
  std::size_t nextStart = 0;
  geometry::ContactSurface surface;
  int shapeA = -1, shapeB = -1;  // owner of the surface

  double approachAtStart(const ContactBlock& x, const Contact& c) const {
    return c.normal.dot(rows.bodies.startVelocity(x.a, c.position) - rows.bodies.startVelocity(x.b, c.position));
  }

  // Tangents fixed by the normal alone, or the first one along the slip at the start of the step.
  void findTangents(const Contact& c, ContactBlock& x) const {
    tangents(c.normal, x.s, x.t);
    if (set.frictionLaw != ContactFriction::PyramidAlongSliding) return;
    const Vec3 slip = rows.bodies.startVelocity(x.b, c.position) - rows.bodies.startVelocity(x.a, c.position);
    const Vec3 along = slip - c.normal.dot(slip) * c.normal;
    if (!(along.squaredNorm() > 1e-6)) return;  // 1 mm/s
    x.s = along.normalized();
    x.t = c.normal.cross(x.s);
  }

  void findSurface(const Contact& c) {
    if (c.shapeA == shapeA && c.shapeB == shapeB) return;
    shapeA = c.shapeA;
    shapeB = c.shapeB;
    surface = geometry::combine(from.shapes[shapeA].def->surface, from.shapes[shapeB].def->surface);
  }

  // The force of the last step, by feature, times `scale`. Forces and contacts are both sorted by shapes.
  void findWarmStart(const Contact& c, const ContactBlock& x, double scale, double (&start)[6]) {
    while (nextStart < starts.size() && byShapes(starts[nextStart], c)) nextStart++;
    for (std::size_t k = nextStart; k < starts.size() && starts[k].shapeA == c.shapeA && starts[k].shapeB == c.shapeB; k++)
      if (starts[k].feature == c.feature && from.collision.pressed(k)) {
        const Vec3 force = scale * starts[k].force, torque = scale * from.collision.startTorque(k);
        const Vec3* direction[3] = {&c.normal, &x.s, &x.t};
        for (int e = 0; e < 3; e++) {
          start[e] = direction[e]->dot(force);
          start[3 + e] = direction[e]->dot(torque);
        }
        return;
      }
  }

  // The rows of one contact, without bias, softness and bounds of the normal but for prescribed motion. start: their first impulses.
  void addRows(const Contact& c, const double* start, ContactBlock& x) {
    const Vec3* direction[6] = {&c.normal, &x.s, &x.t, &c.normal, &x.s, &x.t};
    for (int k = 0; k < x.size; k++) {
      const Vec3& d = *direction[k];
      int row = x.first + k;
      if (k >= 3)
        row = rows.addWrenchRow(x.path, x.a, x.b, Vec3::Zero(), d, c.position);
      else if (x.speculative)
        row = rows.addSpeculativeRow(x.path, x.a, x.b, x.speculative->point, d);
      else if (k == 0)
        row = rows.addForceRows(x.path, x.a, x.b, {&c.normal, &x.s, &x.t}, c.position);
      if (k == 0) x.first = row;
      RowMeta meta;
      meta.kind = k == 0 ? RowMeta::Normal : RowMeta::Tangent;
      meta.index = x.index;
      meta.direction = d;
      rows.finish(row, x.path, 0, k == 0 ? x.size : 0, meta).lambda = start[k];
    }
    solve::Block& block = rows.work.rows.blocks.back();
    const bool rubs = !(x.speculative && x.speculative->inner);
    block.friction = rubs ? surface.staticFriction : 0;
    block.slidingFriction = rubs ? surface.friction : 0;
    block.torsionalLength = rubs ? surface.torsionalFriction : 0;
    block.rollingLength = rubs ? surface.rollingFriction : 0;
    block.law = law;
    std::vector<solve::Row>& row = rows.work.rows.rows;
    if (law == solve::FrictionLaw::Fixed)  // Lötstedt: the last step's normal impulse bounds this one's friction
      for (int k = 1; k < x.size; k++) {
        const double bound = (k < 3 ? surface.friction : k == 3 ? surface.torsionalFriction : surface.rollingFriction) * start[0];
        row[x.first + k].lo = -bound;
        row[x.first + k].hi = bound;
      }
    row[x.first].lo = 0;
    row[x.first].hi = kInf;
  }

  // `scale` changes forces to the impulses of the rows.
  void add(const Contact& c, ContactBlock& x, double scale) {
    x.path = rows.path(x.a.link, x.b.link);
    findTangents(c, x);
    findSurface(c);
    x.size = surface.rollingFriction > 0 ? 6 : surface.torsionalFriction > 0 ? 4 : 3;
    double start[6] = {0, 0, 0, 0, 0, 0};
    if (scale > 0) findWarmStart(c, x, scale, start);
    addRows(c, start, x);
    // Where the normal turned, the force may lie outside its bounds now; the solvers start within them.
    const double bound = surface.staticFriction * start[0], along = start[1] * start[1] + start[2] * start[2];
    const bool within = law == solve::FrictionLaw::Cone && x.size == 3 && start[0] >= 0 && along <= bound * bound;
    if (!within) rows.work.rows.clampBlock(rows.work.rows.blocks.back());
  }
};

// A penalty contact: its force at the present depth and rate; a stiff one at those of the end of the step (linearised), which no stiffness
// makes unstable. Soft ones act as under symplectic Euler, which keeps their energy. `speed`: of approach, without the contact.
void pushBack(solve::Row& n, const geometry::ContactSurface& surface, double gap, double speed, double h) {
  if (!(n.inverse > 0)) return;
  double force = -surface.stiffness * gap, slope = surface.stiffness, damping = surface.damping;
  if (surface.hertz) {
    const double depth = std::max(0.0, -gap), root = std::sqrt(depth);
    force = surface.stiffness * depth * root;
    slope = 1.5 * surface.stiffness * root * std::max(0.0, 1 + surface.damping * speed);
    damping = force * surface.damping;
  }
  const bool touches = gap <= 0 || (!surface.hertz && gap < speed * h), stiff = gap > 0 || h * h * slope * n.inverse > 0.05;
  // A constant force has no softness from which to compute it: the row gets a negligible one.
  const double soft = std::max(h * damping + (stiff ? h * h * slope : 0), 1e-9 / n.inverse);
  n.sigma = 1 / soft;
  n.bias += touches ? -n.sigma * h * force : gap / h;
  n.inverse = 1 / (1 / n.inverse + n.sigma);
}

// m/s, at most 0, at which a contact of this gap <= 0 opens.
double rateOfDepth(const WorldSettings& set, const StepTimes& times, double gap) {
  return std::max(-set.contactSpeed, gap * set.contactCorrection / times.of(gap));
}

// Bias, softness and restitution of normals over a step.
struct NormalLaw {
  const ContactBuilder& builder;
  RowBuffer& rows;
  const WorldSettings& set;
  const StepTimes& times;
  const double weight;  // N, of the island's heaviest tree
  const bool exact = rigidRowsAreExact(set), shifts = removesByShift(set);
  const double slop = shifts ? std::max(set.contactSlop, kHeld) : set.contactSlop;

  // m/s by which the rows of this step let the contact close, or move it apart.
  double allowance(const Contact& c, const SpeculativeContact* speculative) const {
    if (speculative) return speculative->allowed / times.next;
    if (c.gap > 0) return c.gap / times.next;
    return rateOfDepth(set, times, std::min(0.0, c.gap + slop));
  }

  bool touchesLink(const Contact& c) const {  // of more than one body
    const auto isLink = [&](int body) {
      const int tree = rows.bodies.treeOf(rows.bodies.endOf(body).link);
      return tree >= 0 && rows.topology.trees[tree].tree.count > 1;
    };
    return isLink(c.bodyA) || isLink(c.bodyB);
  }

  // m/s, at most 0, at which a contact of a link opens by its velocity although displacements remove penetration: theirs are bounded where
  // they turn links (row_shift.cpp), so that a wrapped chain would sink on.
  double pushOut(const Contact& c) const {
    const double deeper = c.gap + std::max(slop, kLifted * set.adaptiveDepth);
    return deeper < 0 && touchesLink(c) ? std::max(-kPush, rateOfDepth(set, times, deeper)) : 0;
  }

  bool rebounds(const Contact& c, const ContactBlock& x, const solve::Row& n) const {
    RowMeta& meta = rows.work.rowMeta[x.first];
    meta.restitution = builder.surface.restitution;
    meta.gap = c.gap;
    // Predicted approach at the present configuration, before contacts act.
    const double speed = -(rows.work.rows.velocity(x.first, x.path) + n.bias);
    const SpeculativeContact* s = x.speculative;
    const double before = s ? c.normal.dot(rows.bodies.startVelocity(x.a, s->point[0]) - rows.bodies.startVelocity(x.b, s->point[1]))
                            : builder.approachAtStart(x, c);
    // What pressed in the last step (it starts from that impulse) was left without approach. If it seems to have one, a spinning body left
    // its path by the arc of a step.
    const bool bounces = !(n.lambda > 0) && before > set.restitutionSpeed && reboundLasts(meta.restitution, before, speed) && speed > 0 &&
                         c.gap < speed * times.next;
    meta.impact = bounces ? RowMeta::Bounces : RowMeta::None;
    return bounces;
  }

  void apply(const Contact& c, const ContactBlock& x, RowFindings& found) const {
    solve::Row& n = rows.work.rows.rows[x.first];
    found.prescribed |= n.bias != 0;
    RowMeta& meta = rows.work.rowMeta[x.first];
    if (builder.surface.stiffness > 0) {
      meta.shift = -kInf;
      return pushBack(n, builder.surface, c.gap, -(rows.work.rows.velocity(x.first, x.path) + n.bias), times.h);
    }
    double bias = allowance(c, x.speculative);
    meta.shift = -(shifts ? bias : std::max(0.0, bias)) * times.next;  // an open gap may close on the way
    if (shifts && !x.speculative) bias = std::max(0.0, bias) + pushOut(c);
    if (x.speculative && x.speculative->inner)
      rows.work.rowMeta[x.first].restitution = -1;
    else if (builder.surface.restitution > 0)
      found.impacts |= rebounds(c, x, n);
    n.bias += bias;
    if (x.speculative || !(n.inverse > 0)) return;  // the stiff row of an impact lets nothing through
    if (!exact && c.gap <= 0) {
      const double rate = c.normal.dot(rows.bodies.startVelocity(x.b, c.position) - rows.bodies.startVelocity(x.a, c.position));
      const RowLaw law = lawOf(set, times.h, false, c.gap, 0, Softness(), rate);
      n.bias += law.bias - bias;
      n.sigma = law.sigma;
      n.inverse = 1 / (1 / n.inverse + law.sigma);
    } else if (!shifts) {  // otherwise softness would let it sink as fast as displacements lift it
      softenContact(n, softness(c, n));
    }
  }

  // A share of what the row itself moves, by which a light body would sink far under a heavy one; less, so that half the weight of the
  // island's heaviest presses it in by `adaptive.depth` at rest. Not by the impulse of the last step: what presses harder would be held
  // harder, and a box on four points would find no moment against a tilt. Links keep the share: where a heavy ball drags light ones round a
  // post, stiffer contacts throw it.
  double softness(const Contact& c, const solve::Row& n) const {
    const double sag = kContactSoftness / n.inverse * 0.5 * weight * times.next * times.next;  // times the correction
    const double most = set.adaptiveDepth * set.contactCorrection;
    return sag > most && most > 0 && !touchesLink(c) ? kContactSoftness * most / sag : kContactSoftness;
  }
};

}  // namespace

void addContactRows(RowBuffer& rows, const Island& island, const ContactSources& from, const StepTimes& times, RowFindings& found) {
  ContactBuilder builder(rows, island, from);
  double heaviest = 0;
  for (const int t : island.trees) heaviest = std::max(heaviest, rows.topology.trees[t].mass);
  const NormalLaw normals{builder, rows, from.settings, times, heaviest * from.settings.gravity.norm()};
  const double atRest = collision::reachOfStep(from.settings, 0, times.next);
  const bool asForces = traitsOf(from.settings.stepper).accelerationRows && from.settings.unilateralAccelerations;
  for (int index : island.contacts) {
    const Contact& c = from.contacts[index];
    if (!actsAtGap(from.settings, RowLevel::Velocity, c.gap) && !isStabilised(from.shapes, c)) continue;
    ContactBlock x;
    x.index = index;
    x.a = rows.bodies.endOf(c.bodyA);
    x.b = rows.bodies.endOf(c.bodyB);
    if (c.speculative >= 0)
      x.speculative = &from.collision.speculative[c.speculative];
    else if (c.gap > atRest && !std::binary_search(rows.work.reachedContacts.begin(), rows.work.reachedContacts.end(), index) &&
             c.gap > collision::reachOfStep(from.settings, builder.approachAtStart(x, c), times.next)) {
      rows.work.passedOver.push_back(index);
      continue;
    }
    builder.add(c, x, asForces ? 0 : times.h);  // stored forces may act at acceleration level
    normals.apply(c, x, found);
  }
}

bool contactsClose(RowWorkspace& work, const RowBodies& bodies, const std::vector<Contact>& contacts, double next) {
  const std::size_t before = work.reachedContacts.size();
  for (const int index : work.passedOver) {
    const Contact& c = contacts[index];
    const RowEnd a = bodies.endOf(c.bodyA), b = bodies.endOf(c.bodyB);
    if (c.gap < next * c.normal.dot(bodies.velocity(a, c.position) - bodies.velocity(b, c.position))) work.reachedContacts.push_back(index);
  }
  std::sort(work.reachedContacts.begin(), work.reachedContacts.end());
  return work.reachedContacts.size() > before;
}

PushOut pushOut(const RowBuffer& rows, const Island& island, const ContactSources& from, const StepTimes& times) {
  const WorldSettings& set = from.settings;
  PushOut out;
  double deepest = 0;
  for (std::size_t i = 0; i < rows.work.rows.rows.size(); i++) {
    const RowMeta& meta = rows.work.rowMeta[i];
    const double impulse = rows.work.rows.rows[i].lambda;
    if (meta.kind != RowMeta::Normal || !(impulse > 0)) continue;
    const Contact& c = from.contacts[meta.index];
    const double deeper = c.gap + set.contactSlop;
    if (!(deeper < 0) || pushesBack(from.shapes, c)) continue;
    deepest = std::max(deepest, -deeper);
    out.work -= impulse * rateOfDepth(set, times, deeper);
  }
  double mass = 0;
  for (const int t : island.trees) mass += rows.topology.trees[t].mass;
  out.lifting = deepest * mass * set.gravity.norm();
  return out;
}

void addContactAccelerations(RowBuffer& rows, const Island& island, const ContactSources& from, const double* drift,
                             const StepTimes& times) {
  const double tau = times.next;
  ContactBuilder builder(rows, island, from);
  for (int index : island.contacts) {
    const Contact& c = from.contacts[index];
    if (!touches(from.shapes, c)) continue;
    ContactBlock x;
    x.index = index;
    x.a = rows.bodies.endOf(c.bodyA);
    x.b = rows.bodies.endOf(c.bodyB);
    builder.add(c, x, 1);
    const Vec3 apart = rows.bodies.startVelocity(x.b, c.position) - rows.bodies.startVelocity(x.a, c.position);
    const Vec3 turn = rows.bodies.startOmega(x.b) - rows.bodies.startOmega(x.a);
    const Vec3* direction[6] = {&c.normal, &x.s, &x.t, &c.normal, &x.s, &x.t};
    for (int k = 0; k < x.size; k++) {
      const Vec3 &rate = k < 3 ? apart : turn, change(drift[k < 3 ? 0 : 3], drift[k < 3 ? 1 : 4], drift[k < 3 ? 2 : 5]);
      rows.work.rows.rows[x.first + k].bias += direction[k]->dot(change) + direction[k]->dot(rate) / tau;
    }
    drift += 6;
    solve::Row& n = rows.work.rows.rows[x.first];
    n.bias += (c.gap > 0 ? c.gap / tau : rateOfDepth(from.settings, times, c.gap)) / tau;
    if (n.inverse > 0) softenContact(n);
  }
}

}  // namespace vertebra::constraints
