// Values that many objects of a world have in common, kept once: the masses of bodies, the constants of joints, the geometry of shapes. A
// crowd of equal figures then has them once, and passes over its objects read less memory. A value never changes; an object that changes is
// given another.
#pragma once
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/math/types.hpp"

namespace vertebra::inline state {

// A value, how many have it, and how many know of it: the table of values in use, and all who have it together.
template <class T>
class SharedNode {
 public:
  explicit SharedNode(T&& v) : value(std::move(v)) {}
  ~SharedNode() {}  // the value goes with its last user
  SharedNode(const SharedNode&) = delete;
  SharedNode& operator=(const SharedNode&) = delete;

  void take() { users_.fetch_add(1, std::memory_order_relaxed); }
  bool takeIfUsed() {
    int users = users_.load(std::memory_order_relaxed);
    while (users > 0)
      if (users_.compare_exchange_weak(users, users + 1, std::memory_order_acq_rel, std::memory_order_relaxed)) return true;
    return false;
  }
  bool used() const { return users_.load(std::memory_order_acquire) > 0; }
  void drop() {
    if (users_.fetch_sub(1, std::memory_order_acq_rel) > 1) return;
    value.~T();
    leave();
  }
  void know() { known_.fetch_add(1, std::memory_order_relaxed); }
  void leave() {
    if (known_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }

  union {
    T value;
  };

 private:
  std::atomic<int> users_{1}, known_{1};
};

// A value that others may have as well; never empty. One pointer, where a std::shared_ptr is two: objects have several of these.
template <class T>
class Shared {
 public:
  Shared() : node_(none()) { node_->take(); }
  explicit Shared(SharedNode<T>* taken) : node_(taken) {}
  Shared(const Shared& o) : node_(o.node_) { node_->take(); }
  Shared(Shared&& o) noexcept : node_(std::exchange(o.node_, nullptr)) {}
  Shared& operator=(Shared o) noexcept {
    std::swap(node_, o.node_);
    return *this;
  }
  ~Shared() {
    if (node_) node_->drop();
  }
  const T* operator->() const { return &node_->value; }
  const T& operator*() const { return node_->value; }

 private:
  static SharedNode<T>* none() {
    static SharedNode<T>* const node = new SharedNode<T>(T());
    return node;
  }
  SharedNode<T>* node_;
};

// The values in use, by hash: open addressing in a table of 2^n entries. T has hash() and ==; equal values have equal hashes.
template <class T>
class SharedValues {
 public:
  SharedValues() = default;
  SharedValues(const SharedValues&) = delete;
  SharedValues& operator=(const SharedValues&) = delete;
  ~SharedValues() {
    for (const Entry& e : table_)
      if (e.node) e.node->leave();
  }
  // The value in use that equals this one, or this one, after complete(value) has made what follows from the rest.
  template <class Complete>
  Shared<T> keep(T value, Complete&& complete) {
    if (2 * (used_ + 1) > table_.size()) grow();
    const std::uint64_t hash = value.hash();
    std::size_t at = place(hash);
    for (; table_[at].node; at = (at + 1) & (table_.size() - 1)) {
      if (table_[at].hash != hash) continue;
      SharedNode<T>* const there = table_[at].node;
      if (!there->takeIfUsed()) continue;
      Shared<T> shared(there);
      if (*shared == value) return shared;
    }
    complete(value);
    auto* const made = new SharedNode<T>(std::move(value));
    made->know();
    table_[at] = {hash, made};
    used_++;
    return Shared<T>(made);
  }
  Shared<T> keep(T value) {
    return keep(std::move(value), [](T&) {});
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    SharedNode<T>* node = nullptr;
  };
  std::size_t place(std::uint64_t hash) const { return (hash ^ hash >> 32) & (table_.size() - 1); }
  void grow() {  // values that nobody uses any more are left out
    std::size_t used = 0;
    for (const Entry& e : table_) used += e.node && e.node->used();
    std::size_t size = 4;
    while (size < 4 * (used + 1)) size *= 2;
    std::vector<Entry> before(size);
    before.swap(table_);
    used_ = used;
    for (const Entry& e : before) {
      if (!e.node) continue;
      if (!e.node->used()) {
        e.node->leave();
        continue;
      }
      std::size_t at = place(e.hash);
      while (table_[at].node) at = (at + 1) & (size - 1);
      table_[at] = e;
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
