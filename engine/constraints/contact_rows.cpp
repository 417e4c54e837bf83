// Rows of contacts: normal with restitution and softness, friction, torsion, rolling; and their results. See island_rows.hpp.
#include <algorithm>
#include <cmath>

#include "engine/collision/contacts.hpp"
#include "engine/constraints/island_rows.hpp"
#include "engine/geometry/surface.hpp"
#include "engine/state/stepper_traits.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra {

namespace {
constexpr double kHeld = 1e-4;  // m of penetration that displacements leave: a body set free would fall again

// Without square root or branch: Duff et al. 2017, "Building an orthonormal basis, revisited".
void tangents(const Vec3& n, Vec3& s, Vec3& t) {
  const double sign = std::copysign(1.0, n.z()), a = -1 / (sign + n.z()), b = n.x() * n.y() * a;
  s = Vec3(1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x());
  t = Vec3(b, sign + n.y() * n.y() * a, -n.y());
}
// Tangential and rolling impulses from the contact's standard tangents, in which they are stored, to (s, t), or back.
void turnPair(const Vec3& n, const Vec3& s, const Vec3& t, bool back, double* impulse) {
  Vec3 s0, t0;
  tangents(n, s0, t0);
  for (double* pair : {impulse + 1, impulse + 4}) {
    const Vec3 whole = back ? Vec3(pair[0] * s + pair[1] * t) : Vec3(pair[0] * s0 + pair[1] * t0);
    pair[0] = whole.dot(back ? s0 : s);
    pair[1] = whole.dot(back ? t0 : t);
  }
}

FrictionLaw lawOfFriction(ContactFriction friction) {
  switch (friction) {
    case ContactFriction::Cone:
      return FrictionLaw::Cone;
    case ContactFriction::Pyramid:
    case ContactFriction::PyramidAlongSliding:
      return FrictionLaw::Pyramid;
    case ContactFriction::Polyhedral:
      return FrictionLaw::Polyhedral;
    case ContactFriction::Estimated:
      return FrictionLaw::Estimated;
    case ContactFriction::Loetstedt:
      return FrictionLaw::Fixed;
  }
  return FrictionLaw::Cone;
}

}  // namespace

// Tangents fixed by the normal alone, or the first one along the slip at the start of the step.
void IslandRows::tangentsOf(const Contact& c, Vec3& s, Vec3& t) const {
  tangents(c.normal, s, t);
  if (w_.settings.frictionLaw != ContactFriction::PyramidAlongSliding) return;
  const Vec3 slip = startVelocity(endOf(c.bodyB), c.position) - startVelocity(endOf(c.bodyA), c.position);
  const Vec3 along = slip - c.normal.dot(slip) * c.normal;
  if (!(along.squaredNorm() > 1e-6)) return;  // 1 mm/s
  s = along.normalized();
  t = c.normal.cross(s);
}

bool removesByShift(const WorldSettings& s) { return s.contactPositions && traitsOf(s.stepper).shiftsPenetration; }

void IslandRows::contacts() {
  const WorldSettings& set = w_.settings;
  const double slop = removesByShift(set) ? std::max(set.contactSlop, kHeld) : set.contactSlop;
  const auto byShapes = [](const ContactMemory& m, const Contact& c) {
    return std::pair(m.shapeA, m.shapeB) < std::pair(c.shapeA, c.shapeB);
  };
  std::size_t memory = 0, drift = 0;
  if (!island_.contacts.empty())
    memory = std::lower_bound(w_.memory.begin(), w_.memory.end(), contacts_[island_.contacts[0]], byShapes) - w_.memory.begin();
  ContactSurface surface;
  int shapeA = -1, shapeB = -1;  // owner of the surface
  for (int index : island_.contacts) {
    const Contact& c = contacts_[index];
    const End a = endOf(c.bodyA), b = endOf(c.bodyB);
    const SpeculativeContact* speculative = c.speculative >= 0 ? &w_.speculative[c.speculative] : nullptr;
    if (!acts(c)) continue;
    if (c.gap > reachOfStep(w_, 0, h_) && !speculative) {
      const double approach = c.normal.dot(startVelocity(a, c.position) - startVelocity(b, c.position));
      if (c.gap > reachOfStep(w_, approach, h_)) continue;
    }
    const int path = pathFor(a.link, b.link);
    Vec3 s, t;
    tangentsOf(c, s, t);
    if (c.shapeA != shapeA || c.shapeB != shapeB) {
      shapeA = c.shapeA;
      shapeB = c.shapeB;
      surface = combine(w_.shapes[shapeA].shape.surface, w_.shapes[shapeB].shape.surface);
    }
    const double restitution = surface.restitution;
    const int size = surface.rollingFriction > 0 ? 6 : surface.torsionalFriction > 0 ? 4 : 3;
    // Warm start by feature; memory and contacts are both sorted by shapes.
    while (memory < w_.memory.size() && byShapes(w_.memory[memory], c)) memory++;
    double start[6] = {0, 0, 0, 0, 0, 0};
    for (std::size_t k = memory; k < w_.memory.size() && w_.memory[k].shapeA == c.shapeA && w_.memory[k].shapeB == c.shapeB; k++)
      if (w_.memory[k].feature == c.feature) {
        std::copy_n(w_.memory[k].impulse, 6, start);
        break;
      }
    if (traitsOf(set.stepper).accelerationRows && set.unilateralAccelerations)  // stored impulses act as forces
      for (double& impulse : start) impulse = level_ ? impulse / level_->tau : 0;
    if (set.frictionLaw == ContactFriction::PyramidAlongSliding) turnPair(c.normal, s, t, false, start);
    const Vec3* direction[6] = {&c.normal, &s, &t, &c.normal, &s, &t};
    int first = -1;
    for (int k = 0; k < size; k++) {
      const Vec3& d = *direction[k];
      int row = first + k;
      if (k >= 3)
        row = addWrenchRow(path, a, b, Vec3::Zero(), d, c.position);
      else if (speculative)
        row = k == 0 ? addSpeculativeRow(path, a, b, speculative->point, speculative->normal)
                     : addSpeculativeRow(path, a, b, speculative->point, {d, d});
      else if (k == 0)
        row = addForceRows(path, a, b, {&c.normal, &s, &t}, c.position);
      if (k == 0) first = row;
      RowMeta meta;
      meta.kind = k == 0 ? RowMeta::Normal : RowMeta::Tangent;
      meta.index = index;
      meta.direction = d;
      finish(row, path, 0, k == 0 ? size : 0, meta);
      work_.rows.rows[row].lambda = start[k];
    }
    Block& block = work_.rows.blocks.back();
    block.friction = surface.staticFriction;
    block.slidingFriction = surface.friction;
    block.torsionalLength = surface.torsionalFriction;
    block.rollingLength = surface.rollingFriction;
    block.law = lawOfFriction(set.frictionLaw);
    if (block.law == FrictionLaw::Fixed)  // Lötstedt: the last step's normal impulse bounds this one's friction
      for (int k = 1; k < size; k++) {
        const double bound = (k < 3 ? surface.friction : k == 3 ? surface.torsionalFriction : surface.rollingFriction) * start[0];
        work_.rows.rows[first + k].lo = -bound;
        work_.rows.rows[first + k].hi = bound;
      }
    Row& n = work_.rows.rows[first];
    n.lo = 0;
    n.hi = kInf;
    if (level_) {
      holdContact(c, first, size, s, t, level_->contactDrift + drift);
      drift += 6;
      continue;
    }
    RowMeta& meta = work_.rowMeta[first];
    prescribes_ |= n.bias != 0;
    if (surface.stiffness > 0) {
      pushBack(n, surface, c.gap, -(work_.rows.velocity(first, path) + n.bias));
      continue;
    }
    double bias;
    if (speculative) {
      bias = speculative->allowed / h_;
    } else if (c.gap > 0) {
      bias = c.gap / h_;
    } else {
      bias = std::max(-set.contactSpeed, std::min(0.0, c.gap + slop) * set.contactCorrection / h_);
    }
    if (removesByShift(set) && !speculative) {  // an open gap may close on the way
      meta.shift = c.gap > 0 ? -c.gap : -bias * h_;
      bias = std::max(0.0, bias);
    }
    if (restitution > 0) {
      meta.restitution = restitution;
      meta.gap = c.gap;
      // Predicted approach at the present configuration, before contacts act.
      const double speed = -(work_.rows.velocity(first, path) + n.bias);
      const double before = speculative ? speculative->normal[0].dot(startVelocity(a, speculative->point[0])) -
                                              speculative->normal[1].dot(startVelocity(b, speculative->point[1]))
                                        : c.normal.dot(startVelocity(a, c.position) - startVelocity(b, c.position));
      meta.bounces = before > set.restitutionSpeed && reboundLasts(restitution, before, speed) && speed > 0 && c.gap < speed * h_;
      bounces_ |= meta.bounces;
    }
    n.bias += bias;
    if (speculative || !(n.inverse > 0)) continue;  // the stiff row of an impact lets nothing through
    if (!rigidRowsAreExact(set) && c.gap <= 0) {
      const double rate = c.normal.dot(startVelocity(b, c.position) - startVelocity(a, c.position));
      const RowLaw law = lawOf(false, c.gap, 0, Softness(), rate);
      n.bias += law.bias - bias;
      n.sigma = law.sigma;
      n.inverse = 1 / (1 / n.inverse + law.sigma);
    } else if (!removesByShift(set)) {  // otherwise softness would let it sink as fast as displacements lift it
      n.sigma = kContactSoftness / n.inverse;
      n.inverse /= 1 + kContactSoftness;
    }
  }
}

// A penalty contact: its force at the present depth and rate; a stiff one at those of the end of the step (linearised), which no stiffness
// makes unstable. Soft ones act as under symplectic Euler, which keeps their energy. `speed`: of approach, without the contact.
void IslandRows::pushBack(Row& n, const ContactSurface& surface, double gap, double speed) {
  if (!(n.inverse > 0)) return;
  double force = -surface.stiffness * gap, slope = surface.stiffness, damping = surface.damping;
  if (surface.hertz) {
    const double depth = std::max(0.0, -gap), root = std::sqrt(depth);
    force = surface.stiffness * depth * root;
    slope = 1.5 * surface.stiffness * root * std::max(0.0, 1 + surface.damping * speed);
    damping = force * surface.damping;
  }
  const bool touches = gap <= 0 || (!surface.hertz && gap < speed * h_), stiff = gap > 0 || h_ * h_ * slope * n.inverse > 0.05;
  // A constant force has no softness from which to compute it: the row gets a negligible one.
  const double soft = std::max(h_ * damping + (stiff ? h_ * h_ * slope : 0), 1e-9 / n.inverse);
  n.sigma = 1 / soft;
  n.bias += touches ? -n.sigma * h_ * force : gap / h_;
  n.inverse = 1 / (1 / n.inverse + n.sigma);
}

// Force and torque of the last step, and the warm start of the next one.
void IslandRows::storeContact(const Block& block) {
  const double rate = 1 / h_;
  Contact& c = contacts_[work_.rowMeta[block.row].index];
  const Vec3 &s = work_.rowMeta[block.row + 1].direction, &t = work_.rowMeta[block.row + 2].direction;
  ContactMemory kept{c.shapeA, c.shapeB, c.feature, {}};
  for (int k = 0; k < block.size; k++) kept.impulse[k] = work_.rows.rows[block.row + k].lambda;
  for (const ContactMemory& held : w_.ode.held)  // its force before, at acceleration level
    if (held.shapeA == c.shapeA && held.shapeB == c.shapeB && held.feature == c.feature)
      for (int k = 0; k < block.size; k++) kept.impulse[k] += h_ * held.impulse[k];
  const double* impulse = kept.impulse;
  c.force = rate * (impulse[0] * c.normal + impulse[1] * s + impulse[2] * t);
  c.torque.setZero();
  if (block.size > 3) c.torque += rate * kept.impulse[3] * c.normal;
  if (block.size > 4) c.torque += rate * (kept.impulse[4] * s + kept.impulse[5] * t);
  if (w_.settings.frictionLaw == ContactFriction::PyramidAlongSliding) turnPair(c.normal, s, t, true, kept.impulse);
  if (&contacts_ == &w_.contacts) w_.memoryNext[work_.rowMeta[block.row].index] = kept;
}

}  // namespace vertebra
