// Values that many objects of a world have in common, kept once: the masses of bodies, the constants of joints, the geometry of shapes. A
// crowd of equal figures then has them once, and passes over its objects read less memory. A value never changes; an object that changes is
// given another.
#pragma once
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::inline state {

// A value that others may have as well; never empty.
template <class T>
class Shared {
 public:
  Shared() : value_(none()) {}
  explicit Shared(std::shared_ptr<const T> value) : value_(std::move(value)) {}
  const T* operator->() const { return value_.get(); }
  const T& operator*() const { return *value_; }

 private:
  static const std::shared_ptr<const T>& none() {
    static const std::shared_ptr<const T> value = std::make_shared<T>();
    return value;
  }
  std::shared_ptr<const T> value_;
};

// The values in use, by hash: open addressing in a table of 2^n entries. T has hash() and ==; equal values have equal hashes.
template <class T>
class SharedValues {
 public:
  // The value in use that equals this one, or this one, after complete(value) has made what follows from the rest.
  template <class Complete>
  Shared<T> keep(T value, Complete&& complete) {
    if (2 * (used_ + 1) > table_.size()) grow();
    const std::uint64_t hash = value.hash();
    std::size_t at = place(hash);
    for (; table_[at].used; at = (at + 1) & (table_.size() - 1)) {
      if (table_[at].hash != hash) continue;
      if (std::shared_ptr<const T> there = table_[at].value.lock(); there && *there == value) return Shared<T>(std::move(there));
    }
    complete(value);
    auto made = std::make_shared<const T>(std::move(value));
    table_[at] = {hash, made, true};
    used_++;
    return Shared<T>(std::move(made));
  }
  Shared<T> keep(T value) {
    return keep(std::move(value), [](T&) {});
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::weak_ptr<const T> value;
    bool used = false;
  };
  std::size_t place(std::uint64_t hash) const { return (hash ^ hash >> 32) & (table_.size() - 1); }
  void grow() {  // values that nobody uses any more are left out
    std::vector<Entry> before = std::move(table_);
    used_ = 0;
    for (const Entry& e : before) used_ += e.used && !e.value.expired();
    std::size_t size = 4;
    while (size < 4 * (used_ + 1)) size *= 2;
    table_.assign(size, {});
    for (Entry& e : before) {
      if (!e.used || e.value.expired()) continue;
      std::size_t at = place(e.hash);
      while (table_[at].used) at = (at + 1) & (size - 1);
      table_[at] = std::move(e);
    }
  }

  std::vector<Entry> table_;
  std::size_t used_ = 0;
};

// Hash of numbers (FNV-1a by 64-bit words). 0 and -0 are equal.
class Hash {
 public:
  Hash& operator()(double x) { return mix(x == 0 ? 0 : bits(x)); }
  Hash& operator()(const void* p) { return mix(reinterpret_cast<std::uintptr_t>(p)); }
  template <class V>
  auto operator()(const V& v) -> decltype(v.size(), *this) {
    for (Eigen::Index i = 0; i < v.size(); i++) (*this)(v.data()[i]);
    return *this;
  }
  Hash& operator()(const Pose& p) { return (*this)(p.p)(p.q.coeffs()); }
  std::uint64_t value() const { return value_; }

 private:
  static std::uint64_t bits(double x) {
    std::uint64_t b;
    std::memcpy(&b, &x, sizeof b);
    return b;
  }
  Hash& mix(std::uint64_t x) {
    value_ = (value_ ^ x) * 1099511628211ull;
    value_ ^= value_ >> 29;
    return *this;
  }
  std::uint64_t value_ = 1469598103934665603ull;
};

}  // namespace vertebra::inline state
