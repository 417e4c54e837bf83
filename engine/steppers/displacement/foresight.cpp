// Continuous collision under the stepper `displacement`: impacts of fast bodies are sought before the step, from where bodies stand. Each
// keeps its normal and its arms at the time of impact, and the depth that the predicted motion would leave at the end of the step; the
// sweeps remove it, about the predicted poses. See displacement.hpp, collision/continuous.cpp.
#include <algorithm>
#include <utility>

#include "engine/collision/contacts.hpp"
#include "engine/steppers/displacement/displacement.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/steppers/undo.hpp"

namespace vertebra::steppers {
namespace {

std::pair<int, int> shapesOf(const Contact& c) { return {c.shapeA, c.shapeB}; }

}  // namespace

Failure foreseeDisplacement(WorldData& w, double h) {
  using collision::Foresight;
  std::vector<ForeseenContact>& foreseen = w.displacement.foreseen;
  foreseen.clear();
  const Foresight foresight{h, Foresight::From::Now};
  if (!anyFast(w, foresight)) return {};
  keepContacts(w);
  collision::collideAll(w, foresight);
  for (const Contact& c : w.contacts) {
    if (c.speculative < 0) continue;
    const SpeculativeContact& s = w.speculative[c.speculative];
    if (!(h * s.rate > w.settings.contactMargin)) continue;  // of surfaces that only turn: the sweeps find it again
    ForeseenContact f;
    f.contact = c;
    f.contact.speculative = static_cast<int>(foreseen.size());
    f.gap = s.allowed - h * s.rate;
    const bool links[2] = {c.bodyA >= 0 && w.bodies[c.bodyA].link >= 0, c.bodyB >= 0 && w.bodies[c.bodyB].link >= 0};
    for (int side = 0; side < 2; side++)
      if (!s.inner || !links[side]) f.arm[side] = s.arm[side];  // a ball does not turn
    f.rate = -s.rate;
    f.inner = s.inner;
    foreseen.push_back(f);
  }
  return {};
}

void takeForeseen(WorldData& w) {
  std::vector<ForeseenContact>& foreseen = w.displacement.foreseen;
  if (!w.settings.continuous) foreseen.clear();  // those of an earlier step
  if (foreseen.empty()) return;
  const auto isForeseen = [&](const Contact& c) {
    const auto before = [](const ForeseenContact& f, const std::pair<int, int>& shapes) { return shapesOf(f.contact) < shapes; };
    const auto at = std::lower_bound(foreseen.begin(), foreseen.end(), shapesOf(c), before);
    return at != foreseen.end() && shapesOf(at->contact) == shapesOf(c);
  };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < w.contacts.size(); i++) {
    if (isForeseen(w.contacts[i])) continue;
    w.contacts[kept] = w.contacts[i];
    if (w.anyTwist) w.torques[kept] = w.torques[i];
    kept++;
  }
  const std::size_t count = kept + foreseen.size();
  for (std::vector<Contact>* list : {&w.contacts, &w.contactsBefore}) makeRoom(*list, count);  // they swap
  w.contacts.resize(kept);
  if (w.anyTwist) {
    for (std::vector<Vec3>* list : {&w.torques, &w.torquesBefore}) makeRoom(*list, count);
    w.torques.resize(kept);
  }
  const auto before = [](const Contact& a, const Contact& b) {
    return shapesOf(a) != shapesOf(b) ? shapesOf(a) < shapesOf(b) : a.speculative < b.speculative;
  };
  for (const ForeseenContact& f : foreseen) {
    const auto at = w.contacts.insert(std::upper_bound(w.contacts.begin(), w.contacts.end(), f.contact, before), f.contact);
    if (w.anyTwist) w.torques.insert(w.torques.begin() + (at - w.contacts.begin()), Vec3::Zero());
  }
  w.statistics.contacts = static_cast<int>(w.contacts.size());
}

}  // namespace vertebra::steppers
