// Broad phase: all pairs of overlapping axis-aligned boxes, computed from the boxes of this step alone, so the result never depends on
// history. Up to two dozen boxes are tested all against all. More boxes are swept along the axis in which their centres spread most. To
// keep a pile from costing n^(5/3), the other two axes are cut into a grid of columns and each column is swept by itself; a pair that
// shares several columns is reported in the first it shares. Boxes much larger than the others (ground planes, halls) and infinite ones are
// kept out of the sweep and tested against all.
#pragma once
#include <cstdint>
#include <vector>

#include "engine/geometry/bounds.hpp"

namespace vertebra::geometry {

class BroadPhase {
 public:
  struct Pair {
    std::int32_t a, b;  // indices of boxes, a < b
    bool operator==(const Pair&) const = default;
  };

  // passive (may be null): pairs of two boxes that are both marked (static, asleep, kinematic) are left out. A box with lo > hi or NaN
  // overlaps nothing. Allocates only while the numbers of boxes or pairs exceed those seen or reserved before.
  void update(const Aabb* boxes, const std::uint8_t* passive, int count);
  const std::vector<Pair>& pairs() const { return pairs_; }  // sorted by (a, b)
  void reserve(int boxes, int pairs);

 private:
  struct Entry {  // a box in a column, ordered along the sweep axis
    double lo, hi, lo1, hi1, lo2, hi2;
    std::int32_t id;
    std::int16_t first1, first2;  // first column of the box
  };
  struct Cut {  // division of one axis into columns
    int axis = 0, count = 1;
    double lo = 0, scale = 0;
    int column(double x) const;
  };
  struct Key {
    double lo;
    std::int32_t id;
  };
  void chooseAxes(const Aabb* boxes, int count);
  void fillColumns(const Aabb* boxes);
  void sweepColumn(int column1, int column2, const std::uint8_t* passive);
  void testLarge(const Aabb* boxes, const std::uint8_t* passive, int count);
  void makeRoom(size_t more);
  void sortPairs(int count);

  int axis_ = 0;
  Cut cut1_, cut2_;
  std::vector<Key> keys_;
  std::vector<std::int32_t> large_, offset_;
  std::vector<std::uint8_t> isLarge_;
  std::vector<Entry> entries_;
  std::vector<Pair> pairs_, found_;  // found_: unsorted; it keeps its largest size
  size_t foundCount_ = 0;
};

}  // namespace vertebra::geometry
