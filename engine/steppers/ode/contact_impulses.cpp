// See contact_impulses.hpp.
#include "engine/steppers/ode/contact_impulses.hpp"

#include <algorithm>
#include <tuple>

#include "engine/steppers/ode/flow.hpp"

namespace vertebra::steppers {
namespace {

bool before(const Contact& a, const Contact& b) {
  return std::tuple(a.shapeA, a.shapeB, a.feature) < std::tuple(b.shapeA, b.shapeB, b.feature);
}
bool byShapes(const Contact& a, const Contact& b) { return std::pair(a.shapeA, a.shapeB) < std::pair(b.shapeA, b.shapeB); }

void add(std::vector<Contact>& told, const Contact& c, const Vec3& impulse, const Vec3& angular) {
  if (impulse.isZero(0) && angular.isZero(0)) return;
  auto at = std::lower_bound(told.begin(), told.end(), c, before);
  if (at == told.end() || before(c, *at)) {
    at = told.insert(at, c);
    at->force = at->torque = Vec3::Zero();
  }
  at->position = c.position, at->normal = c.normal, at->gap = c.gap;
  at->force += impulse;
  at->torque += angular;
}

bool movesAwake(const WorldData& w, int body) {
  return body >= 0 && w.bodies[body].tree >= 0 && !w.trees[w.bodies[body].tree].asleep && !w.trees[w.bodies[body].tree].immobile;
}

}  // namespace

void addFlow(std::vector<Contact>& told, const OdeFlow& flow, const std::vector<double>& y) {
  flow.eachImpulse(y, [&](const Contact& c, const Vec3& impulse, const Vec3& angular) { add(told, c, impulse, angular); });
}

void addSolution(std::vector<Contact>& told, const RowWorkspace& work, const std::vector<Contact>& contacts) {
  for (const solve::Block& block : work.rows.blocks) {
    if (!block.contact()) continue;
    Vec3 sum[2] = {Vec3::Zero(), Vec3::Zero()};
    for (int k = 0; k < block.size; k++) sum[k / 3] += work.rows.rows[block.row + k].lambda * work.rowMeta[block.row + k].direction;
    add(told, contacts[work.rowMeta[block.row].index], sum[0], sum[1]);
  }
}

void addTold(std::vector<Contact>& told, const std::vector<Contact>& more) {
  for (const Contact& c : more) add(told, c, c.force, c.torque);
}

void tellContacts(WorldData& w, double h) {
  std::vector<Contact>& told = w.ode.told;
  for (Contact& c : w.contacts) {
    if (!movesAwake(w, c.bodyA) && !movesAwake(w, c.bodyB)) continue;
    c.force = c.torque = Vec3::Zero();
    const auto at = std::lower_bound(told.begin(), told.end(), c, before);
    if (at == told.end() || before(c, *at) || at->past) continue;
    c.force = at->force / h;
    c.torque = at->torque / h;
    at->past = true;  // told
  }
  w.ode.gone.clear();
  for (const Contact& c : told) {
    if (c.past) continue;
    Contact& gone = w.ode.gone.emplace_back(c);
    gone.force /= h;
    gone.torque /= h;
    gone.gap = std::max(0.0, c.gap);
    gone.speculative = -1;
    gone.past = true;
  }
}

void listPastContacts(WorldData& w) {
  for (const Contact& c : w.ode.gone) w.contacts.insert(std::upper_bound(w.contacts.begin(), w.contacts.end(), c, byShapes), c);
  w.ode.gone.clear();
}

void forgetPastContacts(WorldData& w) {
  std::erase_if(w.contacts, [](const Contact& c) { return c.past; });
}

}  // namespace vertebra::steppers
