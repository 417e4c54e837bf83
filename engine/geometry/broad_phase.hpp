// Broad phase: pairs of axis-aligned boxes that may overlap, in order. Around each box lies a roomy box, larger by a twentieth of the mean
// edge, by up to a fifth where it moves. The pairs of overlapping roomy boxes hold until a box leaves its roomy box, and contain all pairs
// of overlapping boxes. The caller tests which of them overlap in this step, so that nothing shows when the search was made; where bodies
// rest, none is made. Up to two dozen boxes are tested all against all. More are swept along the axis in which their centres spread most.
// To keep a pile from costing n^(5/3), the other two axes are cut into a grid of columns and each column is swept by itself; a pair that
// shares several columns is listed in the first it shares. Boxes much larger than the others (ground planes, halls) and infinite ones are
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

  // Whether the last search, of as many boxes, holds for this one: it lies in its roomy box, and is passive if it was.
  bool holdsFor(int i, const Aabb& box, bool passive) const;
  int count() const { return static_cast<int>(roomy_.size()); }  // of boxes in the last search
  // passive: pairs of two boxes that are both marked (static, asleep, kinematic) are left out. A box with lo > hi or NaN overlaps nothing.
  // Allocates only while the numbers of boxes or pairs exceed those seen or reserved before.
  void search(const Aabb* boxes, const std::uint8_t* passive, int count);
  const std::vector<Pair>& pairs() const { return pairs_; }  // sorted by (a, b)
  // Leaves out those for which f(pair), until the next search.
  template <class F>
  void dropIf(F&& f) {
    std::erase_if(pairs_, f);
  }
  void forget();  // the last search holds for nothing
  void reserve(int boxes, int pairs);

 private:
  struct RoomyBox {  // single precision halves the memory that a search reads
    float lo[3], hi[3];
  };
  struct Entry {  // a roomy box in a column, ordered along the sweep axis
    float lo, hi, lo1, hi1, lo2, hi2;
    std::int32_t id;
    std::int16_t first1, first2;  // first column of the box
  };
  struct Cut {  // division of one axis into columns
    int axis = 0, count = 1;
    double lo = 0, scale = 0;
    int column(double x) const;
  };
  struct Key {
    float lo;
    std::int32_t id;
  };
  double chooseAxes(const Aabb* boxes, int count);
  void placeRoomy(const Aabb* boxes, int count, double room);
  void sortKeys();
  void fillColumns();
  void testAll(int count);
  void sweepColumn(int column1, int column2);
  void testLarge(int count);
  void makeRoom(size_t more);
  void sortPairs(int count);

  std::vector<RoomyBox> roomy_;
  std::vector<std::uint8_t> passive_;
  std::vector<Pair> pairs_;
  // Within a search:
  int axis_ = 0;
  Cut cut1_, cut2_;
  std::vector<Key> keys_;
  std::vector<std::int32_t> large_, offset_;
  std::vector<std::uint8_t> isLarge_;
  std::vector<Entry> entries_;
  std::vector<Pair> found_;  // unsorted; it keeps its largest size
  size_t foundCount_ = 0;
};

}  // namespace vertebra::geometry
