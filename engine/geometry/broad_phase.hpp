// Broad phase: all pairs of overlapping axis-aligned boxes, in order. The result follows from the boxes of this step alone. Up to two dozen
// boxes are tested all against all. Around each of more boxes lies a roomy box, larger by a twentieth of the mean edge; the pairs of roomy
// boxes are searched for and kept until a box leaves its roomy box, and those of them whose boxes overlap are the result. So the search
// costs nothing where bodies rest, and when it was made does not show.
// The search sweeps the roomy boxes along the axis in which their centres spread most. To keep a pile from costing n^(5/3), the other two
// axes are cut into a grid of columns and each column is swept by itself; a pair that shares several columns is listed in the first it
// shares. Boxes much larger than the others (ground planes, halls) and infinite ones are kept out of the sweep and tested against all.
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
  void testAll(const Aabb* boxes, const std::uint8_t* passive, int count);
  bool isValid(const Aabb* boxes, const std::uint8_t* passive, int count) const;
  void search(const Aabb* boxes, const std::uint8_t* passive, int count);
  double chooseAxes(const Aabb* boxes, int count);
  void placeRoomy(const Aabb* boxes, int count, double room);
  void sortKeys();
  void fillColumns();
  void sweepColumn(int column1, int column2);
  void testLarge(int count);
  void makeRoom(size_t more);
  void sortCandidates(int count);
  void keepOverlapping(const Aabb* boxes, const std::uint8_t* passive);

  // Of the last search; candidates_: of roomy boxes, sorted.
  std::vector<RoomyBox> roomy_;
  std::vector<std::uint8_t> passive_;
  std::vector<Pair> candidates_;
  // Within a search. While it lasts, pairs_ has the candidates found so far, unsorted.
  int axis_ = 0;
  Cut cut1_, cut2_;
  std::vector<Key> keys_;
  std::vector<std::int32_t> large_, offset_;
  std::vector<std::uint8_t> isLarge_;
  std::vector<Entry> entries_;
  size_t foundCount_ = 0;

  std::vector<Pair> pairs_;
};

}  // namespace vertebra::geometry
