// Common to edits of several kinds of things.
#pragma once
#include <vector>

#include "engine/state/growth.hpp"
#include "engine/state/world_data.hpp"

namespace vertebra::world {

// The lowest slot that is not in use, a new one if all are, for a thing that is being made; none below firstFree is free. The slot is given
// back unless it is kept: where memory runs out half way, nothing was made.
template <class Slot>
class NewSlot {
 public:
  NewSlot(std::vector<Slot>& slots, std::size_t& firstFree)
      : slots_(slots), firstFree_(firstFree), freeBefore_(firstFree), sizeBefore_(slots.size()), at_(firstFree) {
    while (at_ < slots.size() && slots[at_].alive) at_++;
    if (at_ == slots.size()) growTo(slots, at_ + 1);
    firstFree = at_ + 1;
  }
  ~NewSlot() {
    if (kept_) return;
    if (slots_.size() > sizeBefore_)
      slots_.pop_back();
    else
      slots_[at_].alive = false;
    firstFree_ = freeBefore_;
  }
  NewSlot(const NewSlot&) = delete;
  NewSlot& operator=(const NewSlot&) = delete;

  bool isNew() const { return at_ == sizeBefore_; }
  int at() const { return static_cast<int>(at_); }
  Slot& operator*() const { return slots_[at_]; }
  int keep() {
    kept_ = true;
    return at();
  }

 private:
  std::vector<Slot>& slots_;
  std::size_t& firstFree_;
  std::size_t freeBefore_, sizeBefore_, at_;
  bool kept_ = false;
};

// Frees the slot, and its references in joints; the topology was invalidated before.
void dropCoupling(WorldData& w, int coupling);
void dropConstraint(WorldData& w, int constraint);

void wakeBothEnds(WorldData& w, const JointSlot& j);  // the bodies of a joint, now or in the step for which drives wait

}  // namespace vertebra::world
