// Sweep and prune in strips, see broad_phase.hpp.
// Measured on one core of an AMD EPYC, see tests/engine/geometry/geometry_bench.cpp for the scene.
#include "engine/geometry/broad_phase.hpp"

#include <algorithm>
#include <cmath>

namespace vertebra {
namespace {

constexpr int kMaxStripsPerBox = 4;  // a box that spans more is "large"
constexpr int kMaxStrips = 4096;

bool isFinite(const Aabb& b) { return b.lo.allFinite() && b.hi.allFinite(); }
bool isEmpty(const Aabb& b) { return !(b.lo.x() <= b.hi.x() && b.lo.y() <= b.hi.y() && b.lo.z() <= b.hi.z()); }

}  // namespace

void BroadPhase::reserve(int boxes, int pairs) {
  keys_.reserve(boxes);
  large_.reserve(boxes);
  isLarge_.reserve(boxes);
  offset_.reserve(std::max(boxes, kMaxStrips) + 2);
  entries_.reserve(static_cast<size_t>(boxes) * kMaxStripsPerBox);
  pairs_.reserve(pairs);
  scratch_.reserve(pairs);
}

void BroadPhase::update(const Aabb* boxes, const std::uint8_t* passive, int count) {
  pairs_.clear();
  chooseAxes(boxes, count);
  fillStrips(boxes);
  for (int s = 0; s < strips_; ++s) sweepStrip(entries_.data() + offset_[s], offset_[s + 1] - offset_[s], s, passive);
  testLarge(boxes, passive, count);
  sortPairs(count);
}

// Axes by spread of centres, strip width by the mean extent, large boxes aside, the rest sorted along the sweep axis.
void BroadPhase::chooseAxes(const Aabb* boxes, int count) {
  keys_.clear();
  large_.clear();
  isLarge_.assign(count, 0);
  Vec3 sum = Vec3::Zero(), squares = Vec3::Zero(), extent = Vec3::Zero(), reference = Vec3::Zero();
  Vec3 lo = Vec3::Constant(kInf), hi = -lo;
  int n = 0;
  for (int i = 0; i < count; ++i) {
    if (isEmpty(boxes[i])) continue;
    if (!isFinite(boxes[i])) {
      isLarge_[i] = 1;
      large_.push_back(i);
      continue;
    }
    Vec3 c = 0.5 * (boxes[i].lo + boxes[i].hi);
    if (n == 0) reference = c;  // sums about a point of the set: no cancellation far from the origin
    c -= reference;
    sum += c;
    squares += c.cwiseProduct(c);
    extent += boxes[i].hi - boxes[i].lo;
    lo = lo.cwiseMin(c);
    hi = hi.cwiseMax(c);
    keys_.push_back({0, i});
    ++n;
  }
  strips_ = 1;
  if (n == 0) return;
  Vec3 variance = squares / n - (sum / n).cwiseProduct(sum / n);
  variance.maxCoeff(&axis_);
  axis1_ = (axis_ + 1) % 3;
  axis2_ = (axis_ + 2) % 3;
  if (variance[axis2_] > variance[axis1_]) std::swap(axis1_, axis2_);

  double meanExtent = extent[axis1_] / n;
  double width = 1.5 * meanExtent, range = hi[axis1_] - lo[axis1_];
  // Few boxes a strip are not worth their bookkeeping: at least 8 on average.
  double wanted = width > 0 ? range / width : 1;
  strips_ = static_cast<int>(std::clamp(std::min(wanted, n / 8.0), 1.0, static_cast<double>(kMaxStrips)));
  stripLo_ = reference[axis1_] + lo[axis1_];
  stripScale_ = range > 0 ? strips_ / range : 0;

  double largeAlong = 64 * extent[axis_] / n, largeAcross = kMaxStripsPerBox - 1;
  int kept = 0;
  for (const Key& key : keys_) {
    const Aabb& b = boxes[key.id];
    bool isLarge = b.hi[axis_] - b.lo[axis_] > largeAlong || (b.hi[axis1_] - b.lo[axis1_]) * stripScale_ > largeAcross;
    if (isLarge && strips_ + n / 64 > 1) {
      isLarge_[key.id] = 1;
      large_.push_back(key.id);
    } else {
      keys_[kept++] = {b.lo[axis_], key.id};
    }
  }
  keys_.resize(kept);
  std::sort(large_.begin(), large_.end());
  std::sort(keys_.begin(), keys_.end(), [](const Key& a, const Key& b) { return a.lo < b.lo || (a.lo == b.lo && a.id < b.id); });
}

void BroadPhase::fillStrips(const Aabb* boxes) {
  auto stripOf = [&](double x) { return static_cast<int>(std::clamp((x - stripLo_) * stripScale_, 0.0, strips_ - 1.0)); };
  offset_.assign(strips_ + 1, 0);
  for (const Key& key : keys_) {
    int last = stripOf(boxes[key.id].hi[axis1_]);
    for (int s = stripOf(boxes[key.id].lo[axis1_]); s <= last; ++s) ++offset_[s + 1];
  }
  for (int s = 0; s < strips_; ++s) offset_[s + 1] += offset_[s];
  entries_.resize(offset_[strips_]);
  for (const Key& key : keys_) {
    const Aabb& b = boxes[key.id];
    int first = stripOf(b.lo[axis1_]), last = stripOf(b.hi[axis1_]);
    for (int s = first; s <= last; ++s)
      entries_[offset_[s]++] = {b.lo[axis_], b.hi[axis_], b.lo[axis1_], b.hi[axis1_], b.lo[axis2_], b.hi[axis2_], key.id, first};
  }
  for (int s = strips_; s > 0; --s) offset_[s] = offset_[s - 1];  // the fill moved each start to its end
  offset_[0] = 0;
}

void BroadPhase::sweepStrip(const Entry* entries, int count, int strip, const std::uint8_t* passive) {
  for (int i = 0; i < count; ++i) {
    const Entry& a = entries[i];
    for (int j = i + 1; j < count && entries[j].lo <= a.hi; ++j) {
      const Entry& b = entries[j];
      // Non-short-circuit on purpose: the outcome is unpredictable, one branch is cheaper than four.
      bool overlap = (a.lo1 <= b.hi1) & (b.lo1 <= a.hi1) & (a.lo2 <= b.hi2) & (b.lo2 <= a.hi2) & (std::max(a.firstStrip, b.firstStrip) == strip);
      if (!overlap || (passive && passive[a.id] && passive[b.id])) continue;
      pairs_.push_back({std::min(a.id, b.id), std::max(a.id, b.id)});
    }
  }
}

void BroadPhase::testLarge(const Aabb* boxes, const std::uint8_t* passive, int count) {
  for (int l : large_)
    for (int i = 0; i < count; ++i) {
      if (isLarge_[i] && i <= l) continue;  // two large boxes meet once
      if ((passive && passive[l] && passive[i]) || isEmpty(boxes[i]) || !boxes[l].overlaps(boxes[i])) continue;
      pairs_.push_back({std::min(l, i), std::max(l, i)});
    }
}

// Two stable counting passes, by b and then by a.
void BroadPhase::sortPairs(int count) {
  scratch_.resize(pairs_.size());
  auto pass = [&](const std::vector<Pair>& from, std::vector<Pair>& to, auto key) {
    offset_.assign(count + 1, 0);
    for (const Pair& p : from) ++offset_[key(p) + 1];
    for (int i = 0; i < count; ++i) offset_[i + 1] += offset_[i];
    for (const Pair& p : from) to[offset_[key(p)]++] = p;
  };
  pass(pairs_, scratch_, [](const Pair& p) { return p.b; });
  pass(scratch_, pairs_, [](const Pair& p) { return p.a; });
}

}  // namespace vertebra
