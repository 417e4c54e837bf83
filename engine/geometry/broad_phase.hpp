// Broad phase: all pairs of overlapping axis-aligned boxes, from the boxes of this step alone, so the result never depends on history.
//
// Boxes are swept along the axis in which their centres spread most. To keep a pile from costing n^(5/3), the second axis is cut into
// strips and each strip is swept by itself; a pair that shares several strips is reported in the first it shares. Boxes much larger
// than the others (ground planes, halls) and infinite ones are kept out of the sweep and tested against all.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/geometry/bounds.hpp"

namespace vertebra {

class BroadPhase {
 public:
  struct Pair {
    std::int32_t a, b;  // indices of boxes, a < b
    bool operator==(const Pair&) const = default;
  };

  // passive (may be null): pairs of two boxes that are both marked (static, asleep, kinematic) are left out. A box with lo > hi or
  // NaN overlaps nothing. Allocates only while the numbers of boxes or pairs grow beyond what was seen or reserved.
  void update(const Aabb* boxes, const std::uint8_t* passive, int count);
  const std::vector<Pair>& pairs() const { return pairs_; }  // sorted by (a, b)
  void reserve(int boxes, int pairs);

 private:
  struct Entry {  // a box in a strip, ordered along the sweep axis
    double lo, hi, lo1, hi1, lo2, hi2;
    std::int32_t id, firstStrip;
  };
  struct Key {
    double lo;
    std::int32_t id;
  };
  void chooseAxes(const Aabb* boxes, int count);
  void fillStrips(const Aabb* boxes);
  void sweepStrip(const Entry* entries, int count, int strip, const std::uint8_t* passive);
  void testLarge(const Aabb* boxes, const std::uint8_t* passive, int count);
  void sortPairs(int count);

  int axis_ = 0, axis1_ = 1, axis2_ = 2, strips_ = 1;
  double stripLo_ = 0, stripScale_ = 0;
  std::vector<Key> keys_;
  std::vector<std::int32_t> large_, offset_;
  std::vector<std::uint8_t> isLarge_;
  std::vector<Entry> entries_;
  std::vector<Pair> pairs_, scratch_;
};

}  // namespace vertebra
