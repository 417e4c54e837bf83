// See told_contacts.hpp.
#include "engine/steppers/told_contacts.hpp"

#include <algorithm>
#include <tuple>

#include "engine/collision/contact_starts.hpp"
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

void addTold(std::vector<TwistedContact>& told, const Contact& c, const Vec3& impulse, const Vec3& angular) {
  if (impulse.isZero(0) && angular.isZero(0)) return;
  auto at = std::lower_bound(told.begin(), told.end(), c, before);
  if (at == told.end() || before(c, *at)) {
    at = told.insert(at, TwistedContact{c});
    at->force.setZero();
    if (at->past()) at->speculative = Contact::kFound;
  }
  at->position = c.position, at->normal = c.normal, at->gap = c.gap;
  at->force += impulse;
  at->torque += angular;
}

void addTold(std::vector<TwistedContact>& told, const WorldData& w, double h) {
  for (std::size_t i = 0; i < w.contacts.size(); i++) addTold(told, w.contacts[i], h * w.contacts[i].force, h * torqueAt(w.torques, i));
}

void tellContacts(WorldData& w, std::vector<TwistedContact>& told, double h) {
  collision::keepStarts(w);
  for (std::size_t i = 0; i < w.contacts.size(); i++) {
    Contact& c = w.contacts[i];
    const bool awake = movesAwake(w, c.bodyA) || movesAwake(w, c.bodyB);  // forces of rest stay
    if (awake) {
      c.force.setZero();
      if (!w.torques.empty()) w.torques[i].setZero();
    }
    const auto at = std::lower_bound(told.begin(), told.end(), c, before);
    if (at == told.end() || before(c, *at) || at->past()) continue;
    at->speculative = Contact::kPast;  // told
    if (!awake) continue;
    c.force = at->force / h;
    if (!w.torques.empty()) w.torques[i] = at->torque / h;
  }
  w.gone.clear();
  for (const TwistedContact& c : told) {
    if (c.past()) continue;
    TwistedContact& past = w.gone.emplace_back(c);
    past.force /= h;
    past.torque /= h;
    past.gap = std::max(0.0, c.gap);
    past.speculative = Contact::kPast;
  }
}

void listPastContacts(WorldData& w) {
  const std::size_t count = w.contacts.size() + w.gone.size();
  for (std::vector<Contact>* list : {&w.contacts, &w.contactsBefore}) makeRoom(*list, count);  // they swap
  if (w.anyTwist)
    for (std::vector<Vec3>* list : {&w.torques, &w.torquesBefore}) makeRoom(*list, count);
  if (w.anyTwist) w.torques.resize(w.contacts.size(), Vec3::Zero());
  for (const TwistedContact& c : w.gone) {
    const auto at = w.contacts.insert(std::upper_bound(w.contacts.begin(), w.contacts.end(), c, byShapes), c);
    if (w.anyTwist) w.torques.insert(w.torques.begin() + (at - w.contacts.begin()), c.torque);
  }
  w.pastContacts |= !w.gone.empty();
  w.gone.clear();
}

void forgetPastContacts(WorldData& w) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < w.contacts.size(); i++) {
    if (w.contacts[i].past()) continue;
    w.contacts[kept] = w.contacts[i];
    if (!w.torques.empty()) w.torques[kept] = w.torques[i];
    kept++;
  }
  w.contacts.resize(kept);
  if (!w.torques.empty()) w.torques.resize(kept);
  w.pastContacts = false;
}

}  // namespace vertebra::steppers
