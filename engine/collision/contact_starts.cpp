// See contact_starts.hpp.
#include "engine/collision/contact_starts.hpp"

namespace vertebra::collision {

void keepStarts(ContactWorld& w) {
  if (w.startsAt == StartsAt::Memory) return;
  std::size_t count = 0;
  eachStart(w, [&](const Contact&, const Vec3&) { count++; });
  growTo(w.memory, count);
  growTo(w.memoryTorques, w.anyTwist ? count : 0);
  makeRoom(w.memoryAtStart, count);  // they swap where a step is undone
  makeRoom(w.memoryTorquesAtStart, w.memoryTorques.size());
  count = 0;
  eachStart(w, [&](const Contact& c, const Vec3& torque) {
    w.memory[count] = c;
    if (w.anyTwist) w.memoryTorques[count] = torque;
    count++;
  });
  w.startsAt = StartsAt::Memory;
}

}  // namespace vertebra::collision
