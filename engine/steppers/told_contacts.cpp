// See told_contacts.hpp.
#include "engine/steppers/told_contacts.hpp"

#include <algorithm>
#include <tuple>

#include "engine/state/growth.hpp"

namespace vertebra::steppers {
namespace {

bool before(const Contact& a, const Contact& b) {
  return std::tuple(a.shapeA, a.shapeB, a.feature) < std::tuple(b.shapeA, b.shapeB, b.feature);
}
bool byShapes(const Contact& a, const Contact& b) { return std::pair(a.shapeA, a.shapeB) < std::pair(b.shapeA, b.shapeB); }

bool movesAwake(const WorldData& w, int body) {
  return body >= 0 && w.bodies[body].tree >= 0 && !w.trees[w.bodies[body].tree].asleep && !w.trees[w.bodies[body].tree].immobile;
}

}  // namespace

void addTold(std::vector<Contact>& told, const Contact& c, const Vec3& impulse, const Vec3& angular) {
  if (impulse.isZero(0) && angular.isZero(0)) return;
  auto at = std::lower_bound(told.begin(), told.end(), c, before);
  if (at == told.end() || before(c, *at)) {
    at = told.insert(at, c);
    at->force = at->torque = Vec3::Zero();
    at->past = false;
  }
  at->position = c.position, at->normal = c.normal, at->gap = c.gap;
  at->force += impulse;
  at->torque += angular;
}

void tellContacts(WorldData& w, std::vector<Contact>& told, double h) {
  for (Contact& c : w.contacts) {
    const bool awake = movesAwake(w, c.bodyA) || movesAwake(w, c.bodyB);  // forces of rest stay
    if (awake) c.force = c.torque = Vec3::Zero();
    const auto at = std::lower_bound(told.begin(), told.end(), c, before);
    if (at == told.end() || before(c, *at) || at->past) continue;
    at->past = true;  // told
    if (!awake) continue;
    c.force = at->force / h;
    c.torque = at->torque / h;
  }
  w.gone.clear();
  for (const Contact& c : told) {
    if (c.past) continue;
    Contact& past = w.gone.emplace_back(c);
    past.force /= h;
    past.torque /= h;
    past.gap = std::max(0.0, c.gap);
    past.speculative = -1;
    past.past = true;
  }
}

void listPastContacts(WorldData& w) {
  for (std::vector<Contact>* list : {&w.contacts, &w.contactsBefore}) makeRoom(*list, w.contacts.size() + w.gone.size());  // they swap
  for (const Contact& c : w.gone) w.contacts.insert(std::upper_bound(w.contacts.begin(), w.contacts.end(), c, byShapes), c);
  w.pastContacts |= !w.gone.empty();
  w.gone.clear();
}

void forgetPastContacts(WorldData& w) {
  std::erase_if(w.contacts, [](const Contact& c) { return c.past; });
  w.pastContacts = false;
}

}  // namespace vertebra::steppers
