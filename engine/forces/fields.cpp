// Force fields: see FieldDefinition in state/definitions.hpp. Evaluated once a step at its start; a step applies 3/2 of these forces minus
// 1/2 of those of the last step, which is of second order (Adams-Bashforth). Pairs within a range are found on a grid of cells as wide as
// the range. Sources: Servin 3.3.3 (gravitation, drag, Magnus, Lennard-Jones); Cline 4.7 (attractor).
#include "engine/forces/fields.hpp"
#include "engine/trees/implicit_fields.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/joints/common.hpp"
#include "engine/forces/field_laws.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::forces {

namespace {

bool actsOn(const FieldDefinition& d, int body) {
  return (d.bodies.empty() && d.particles < 0) || std::find(d.bodies.begin(), d.bodies.end(), body) != d.bodies.end();
}

void gather(TreeWorld& w) {
  w.fieldBodies.clear();
  for (std::size_t i = 0; i < w.bodies.size(); i++) {
    const BodySlot& b = w.bodies[i];
    if (!b.alive || b.hidden || b.link < 0) continue;
    const dynamics::LinkState& s = w.state[b.link];
    w.fieldBodies.push_back({static_cast<int>(i), s.c, s.v, s.R * s.w, b.mass(), Vec3::Zero(), Vec3::Zero()});
  }
}

FieldBody* bodyAt(TreeWorld& w, int body) {
  for (FieldBody& b : w.fieldBodies)
    if (b.body == body) return &b;
  return nullptr;
}

void radial(TreeWorld& w, const FieldDefinition& d) {
  FieldBody* source = d.source >= 0 ? bodyAt(w, d.source) : nullptr;
  const Vec3 centre = source          ? source->p
                      : d.source >= 0 ? Vec3((trees::poseOf(w, d.source) * w.bodies[d.source].inertialInLink()).p)
                                      : d.point;
  for (FieldBody& b : w.fieldBodies) {
    if (b.body == d.source || !actsOn(d, b.body)) continue;
    const Vec3 force = b.mass * radialPull(d, centre - b.p);
    b.force += force;
    if (source) source->force -= force;
  }
}

// Calls act(a, b, r, square of |r|) for pairs nearer than the range, each once, in fixed order.
template <class F>
void eachPair(TreeWorld& w, const FieldDefinition& d, F&& act) {
  std::vector<FieldBody>& all = w.fieldBodies;
  auto test = [&](int i, int k) {
    if (!actsOn(d, all[i].body) || !actsOn(d, all[k].body)) return;
    const Vec3 r = all[k].p - all[i].p;
    const double square = r.squaredNorm();
    if (square < d.range * d.range) act(all[i], all[k], r, square);
  };
  const int n = static_cast<int>(all.size());
  if (!(d.range < kInf)) {
    for (int i = 0; i < n; i++)
      for (int k = i + 1; k < n; k++) test(i, k);
    return;
  }
  // Three 21-bit cell numbers in one key; a body searches the 27 cells around its own.
  auto cell = [&](double x) { return static_cast<std::int64_t>(std::floor(std::clamp(x / d.range, -1e6, 1e6))) + (1 << 20); };
  auto key = [](std::int64_t x, std::int64_t y, std::int64_t z) { return (x << 42) | (y << 21) | z; };
  w.fieldCells.clear();
  for (int i = 0; i < n; i++) w.fieldCells.emplace_back(key(cell(all[i].p.x()), cell(all[i].p.y()), cell(all[i].p.z())), i);
  std::sort(w.fieldCells.begin(), w.fieldCells.end());
  for (int i = 0; i < n; i++) {
    const std::int64_t x = cell(all[i].p.x()), y = cell(all[i].p.y()), z = cell(all[i].p.z());
    for (std::int64_t dx = -1; dx <= 1; dx++)
      for (std::int64_t dy = -1; dy <= 1; dy++) {
        const auto from =
            std::lower_bound(w.fieldCells.begin(), w.fieldCells.end(), std::pair<std::int64_t, int>(key(x + dx, y + dy, z - 1), -1));
        const std::int64_t last = key(x + dx, y + dy, z + 1);
        for (auto at = from; at != w.fieldCells.end() && at->first <= last; ++at)
          if (at->second > i) test(i, at->second);
      }
  }
}

void pairwise(TreeWorld& w, const FieldDefinition& d) {
  eachPair(w, d, [&](FieldBody& a, FieldBody& b, const Vec3& r, double square) {
    square += d.softening * d.softening;
    if (!(square > 0)) return;
    const Vec3 force = d.strength * a.mass * b.mass / (square * std::sqrt(square)) * r;
    a.force += force;
    b.force -= force;
  });
}

void lennardJones(TreeWorld& w, const FieldDefinition& d) {
  eachPair(w, d, [&](FieldBody& a, FieldBody& b, const Vec3& r, double square) {
    const Vec3 force = lennardJonesForce(d, r, square);
    a.force -= force;
    b.force += force;
  });
}

void single(TreeWorld& w, int id, const FieldDefinition& d) {
  bool anew = false;  // the field, or a body
  for (FieldBody& b : w.fieldBodies) {
    if (!actsOn(d, b.body) || w.trees[w.bodies[b.body].tree].held) continue;
    const BodySlot& slot = w.bodies[b.body];
    anew |= !slot.applied || !slot.applied->fieldKnown;
    const Vec3 u = b.v - d.wind;
    switch (d.type) {
      case FieldType::Drag:
        b.force -= (d.linear + d.quadratic * u.norm()) * u;
        b.torque -= d.angular * b.w;
        break;
      case FieldType::Magnus:
        b.force += d.strength * b.w.cross(u);
        break;
      case FieldType::Attractor:
        b.force += attractorForce(d, b.p);
        break;
      case FieldType::User: {
        double force[3] = {0, 0, 0}, torque[3] = {0, 0, 0};
        if (!d.evaluate(d.user, id, b.body, force, torque)) w.badField = id;
        b.force += Vec3(force[0], force[1], force[2]);
        b.torque += Vec3(torque[0], torque[1], torque[2]);
        if (d.potential) {
          b.potentialForce += Vec3(force[0], force[1], force[2]);
          b.potentialTorque += Vec3(torque[0], torque[1], torque[2]);
        }
        if (d.implicit && !trees::addGradient(w, id, d, b)) w.badField = id;
        break;
      }
      default:
        break;
    }
  }
  int pair[2];
  if (d.implicit && anew && w.badField < 0 && trees::stiffBetween(w, id, pair)) w.badField = id;
}

bool evaluate(TreeWorld& w) {  // into fieldBodies; false: no force to apply
  w.badField = -1;
  if (w.partial)
    std::erase_if(w.fieldGradients, [&](const FieldGradient& g) { return !w.trees[w.bodies[g.body].tree].held; });
  else
    w.fieldGradients.clear();  // a body of the last step may be destroyed
  bool any = false;
  for (const FieldSlot& f : w.fields) any |= f.alive;
  if (!any) return false;
  gather(w);
  for (std::size_t i = 0; i < w.fields.size(); i++) {
    if (!w.fields[i].alive) continue;
    const FieldDefinition& d = w.fields[i].def;
    if (d.type == FieldType::Radial)
      radial(w, d);
    else if (d.type == FieldType::Pairwise)
      pairwise(w, d);
    else if (d.type == FieldType::LennardJones)
      lennardJones(w, d);
    else
      single(w, static_cast<int>(i), d);
  }
  return w.badField < 0;  // a step that fails leaves the bodies' stored forces as they were
}
}  // namespace

double fieldPotential(const TreeWorld& w, int body) {
  double sum = 0;
  for (std::size_t i = 0; i < w.fields.size(); i++) {
    const FieldDefinition& d = w.fields[i].def;
    if (w.fields[i].alive && d.potential && actsOn(d, body)) sum += d.potential(d.user, static_cast<int>(i), body);
  }
  return sum;
}

bool fieldsHere(TreeWorld& w) {
  if (!evaluate(w)) return w.badField < 0;
  for (const FieldBody& f : w.fieldBodies) {
    AppliedForces& applied = w.bodies[f.body].applied.make();
    applied.fieldForce = f.force;
    applied.fieldTorque = f.torque;
    applied.potentialForce = f.potentialForce;
    applied.potentialTorque = f.potentialTorque;
  }
  return true;
}

void applyFields(TreeWorld& w) {
  const bool any = evaluate(w);
  trees::settleGradients(w);
  if (!any) return;
  for (const FieldBody& f : w.fieldBodies) {
    BodySlot& b = w.bodies[f.body];
    if (w.trees[b.tree].held || (w.partial && b.asleep)) continue;
    AppliedForces& now = b.applied.make();
    if (b.asleep) {  // wakes when the field has changed by more than a hundredth since
      const double change = (f.force - now.fieldForce).norm() + (f.torque - now.fieldTorque).norm();
      if (change <= 0.01 * (now.fieldForce.norm() + now.fieldTorque.norm()) + 1e-3 * b.mass()) continue;
      trees::wakeBody(w, f.body);
    }
    const bool known = now.fieldKnown && !(f.gradient >= 0 && w.fieldGradients[f.gradient].acts);
    const auto second = [&](const Vec3& here, Vec3& last, Vec3& acts) {
      acts = known ? Vec3(1.5 * here - 0.5 * last) : here;
      last = here;
    };
    second(f.force, now.lastFieldForce, now.fieldForce);
    second(f.torque, now.lastFieldTorque, now.fieldTorque);
    second(f.potentialForce, now.lastPotentialForce, now.potentialForce);
    second(f.potentialTorque, now.lastPotentialTorque, now.potentialTorque);
    now.fieldKnown = true;
  }
  w.anyForce = true;
}

}  // namespace vertebra::forces
