// Handles of things inside a world: index + 1 in the low 32 bits, then 16 bits of generation, then 16 bits of the world's tag.
// A table keeps, for each slot of the engine, the generation its handle carries; destruction moves it on, so old handles go stale.
#pragma once
#include <cstdint>
#include <vector>

namespace vertebra::capi {

struct WorldTag {
  std::uint16_t tag;              // never 0; unlike that of the 65534 worlds created before
  std::uint16_t firstGeneration;  // moves on when tags come round again
};
WorldTag nextWorldTag() noexcept;  // any thread

class HandleTable {
 public:
  explicit HandleTable(WorldTag tag) : tag_(tag) {}

  // The engine has made something in slot id; owner: the figure it is part of, or -1.
  void adopt(int id, int owner = -1) {
    if (id >= size()) slots_.resize(static_cast<std::size_t>(id) + 1, Slot{tag_.firstGeneration, false, -1});
    slots_[id].alive = true;
    slots_[id].owner = owner;
  }
  void drop(int id) {
    if (id >= size() || !slots_[id].alive) return;
    slots_[id].alive = false;
    slots_[id].generation++;
  }
  int size() const { return static_cast<int>(slots_.size()); }
  bool alive(int id) const { return slots_[id].alive; }
  int owner(int id) const { return slots_[id].owner; }

  std::uint64_t handle(int id) const {  // of -1: none
    if (id < 0 || id >= size()) return 0;
    return static_cast<std::uint64_t>(tag_.tag) << 48 | static_cast<std::uint64_t>(slots_[id].generation) << 32 |
           (static_cast<std::uint32_t>(id) + 1u);
  }
  int find(std::uint64_t bits) const {  // -1: stale
    const std::uint64_t index = (bits & 0xffffffffu) - 1;
    if (index >= slots_.size()) return -1;
    const int id = static_cast<int>(index);
    return slots_[id].alive && handle(id) == bits ? id : -1;
  }

 private:
  struct Slot {
    std::uint16_t generation;
    bool alive;
    int owner;
  };
  WorldTag tag_;
  std::vector<Slot> slots_;
};

}  // namespace vertebra::capi
