// Begin and end of touching, from the contacts of a step.
#include <algorithm>
#include <atomic>

#include "engine/collision/contacts.hpp"
#include "engine/state/contact_world.hpp"
#include "engine/state/growth.hpp"

namespace vertebra::collision {

namespace {
// N s, on b over the step, through all points of a pair of shapes; contacts lie by shapes.
Vec3 impulseThrough(const ContactWorld& w, const std::pair<int, int>& shapes, double h) {
  const auto before = [](const Contact& c, const std::pair<int, int>& pair) { return std::pair(c.shapeA, c.shapeB) < pair; };
  const auto stepOf = [&](int body) { return body < 0 || w.bodies[body].link < 0 ? h : w.trees[w.bodies[body].tree].step; };
  Vec3 sum = Vec3::Zero();
  for (auto c = std::lower_bound(w.contacts.begin(), w.contacts.end(), shapes, before);
       c != w.contacts.end() && std::pair(c->shapeA, c->shapeB) == shapes; ++c)
    sum += std::min(stepOf(c->bodyA), stepOf(c->bodyB)) * c->force;
  return sum;
}
}  // namespace

// After the solve: a pair touches if its surfaces meet or a force acts, a bounce before the touch included. One event a pair, in the order
// of shapes.
void updateTouching(ContactWorld& w, double h) {
  constexpr int kPiece = 256;
  using Shapes = std::pair<int, int>;
  const auto touches = [](const Contact& c) { return c.gap <= 1e-6 || c.force.squaredNorm() > 0; };
  const auto shapesOf = [&](int i) { return Shapes(w.contacts[i].shapeA, w.contacts[i].shapeB); };
  const auto each = [&](int first, int last, auto&& f) {  // the first contact that touches of each pair
    Shapes before(-1, -1);
    for (int i = first; i > 0 && shapesOf(i - 1) == shapesOf(first); i--)
      if (touches(w.contacts[i - 1])) before = shapesOf(first);
    for (int i = first; i < last; i++) {
      const Contact& c = w.contacts[i];
      if (!touches(c) || shapesOf(i) == before) continue;
      before = shapesOf(i);
      f(before);
    }
  };
  std::atomic<double> deepest{w.statistics.maxPenetration};
  const auto size = [&](int first, int last) {
    int n = 0;
    each(first, last, [&](const Shapes&) { n++; });
    double depth = 0, seen = deepest;
    for (int i = first; i < last; i++) depth = std::max(depth, -w.contacts[i].gap);
    while (depth > seen && !deepest.compare_exchange_weak(seen, depth)) continue;
    return n;
  };
  const auto write = [&](int first, int last, Shapes* to) { each(first, last, [&](const Shapes& shapes) { *to++ = shapes; }); };
  w.listInOrder(w.touchingNext, static_cast<int>(w.contacts.size()), kPiece, size, write);
  w.statistics.maxPenetration = deepest;
  // Events: both lists are sorted by shapes.
  const auto tell = [&](ContactEvent::Kind kind, const Shapes& shapes) {
    makeRoom(w.events, w.events.size() + 1);
    w.events.push_back(
        {kind, shapes.first, shapes.second, w.time + h, kind == ContactEvent::End ? Vec3(Vec3::Zero()) : impulseThrough(w, shapes, h)});
  };
  std::size_t i = 0, k = 0;
  while (i < w.touching.size() || k < w.touchingNext.size()) {
    if (k == w.touchingNext.size() || (i < w.touching.size() && w.touching[i] < w.touchingNext[k])) {
      tell(ContactEvent::End, w.touching[i]);
      i++;
    } else if (i == w.touching.size() || w.touchingNext[k] < w.touching[i]) {
      tell(ContactEvent::Begin, w.touchingNext[k]);
      k++;
    } else {
      if (w.settings.persistEvents) tell(ContactEvent::Persist, w.touchingNext[k]);
      i++, k++;
    }
  }
  w.touching.swap(w.touchingNext);
  w.kept.touched = true;
}

}  // namespace vertebra::collision
