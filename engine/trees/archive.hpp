// Values as bytes: one description of what is kept (`visit` functions that call an archive for each value) serves writing and reading, so
// that nothing is written that is not read. For snapshots (world/snapshot.cpp) and for undoing a step (steppers/undo.cpp).
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine/math/types.hpp"
#include "engine/state/growth.hpp"

namespace vertebra::trees {

struct Writer {
  std::vector<std::uint8_t>& out;
  void bytes(const void* data, std::size_t n) {
    const std::uint8_t* p = static_cast<const std::uint8_t*>(data);
    out.insert(out.end(), p, p + n);
  }
  std::size_t count(std::size_t n) {
    const std::uint64_t x = n;
    bytes(&x, sizeof x);
    return n;
  }
};

// Into memory that is used again: `size` bytes of it are in use.
struct Keeper {
  std::vector<std::uint8_t>& out;
  std::size_t& size;
  void bytes(const void* data, std::size_t n) {
    if (n == 0) return;
    if (out.size() - size < n) {
      makeRoom(out, size + n);
      out.resize(out.capacity());
    }
    std::memcpy(out.data() + size, data, n);
    size += n;
  }
  std::size_t count(std::size_t n) {
    const std::uint64_t x = n;
    bytes(&x, sizeof x);
    return n;
  }
};

struct Reader {
  const std::uint8_t* at;
  const std::uint8_t* end;
  bool good = true;
  void bytes(void* data, std::size_t n) {
    if (!good || static_cast<std::size_t>(end - at) < n) {
      good = false;
      return;
    }
    if (n > 0) std::memcpy(data, at, n);  // an empty array has no address
    at += n;
  }
  std::size_t count(std::size_t) {
    std::uint64_t x = 0;
    bytes(&x, sizeof x);
    if (x > static_cast<std::uint64_t>(end - at)) good = false;
    return good ? static_cast<std::size_t>(x) : 0;
  }
};

template <class A>
struct Archive {
  A& a;
  template <class T>
  void one(T& x) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    a.bytes(&x, sizeof x);
  }
  void one(Vec3& x) { a.bytes(x.data(), 3 * sizeof(double)); }
  void one(Vec6& x) { a.bytes(x.data(), 6 * sizeof(double)); }
  void one(Quat& x) { a.bytes(x.coeffs().data(), 4 * sizeof(double)); }
  void one(Pose& x) {
    one(x.p);
    one(x.q);
  }
  template <class... T>
  void operator()(T&... x) {
    (one(x), ...);
  }
  // Whether a value differs from its default, written or read; a default takes no other space.
  bool flag(bool there) {
    one(there);
    return there;
  }
  void plain(double* x, int count) {  // 0 where nothing acted
    if (flag(std::any_of(x, x + count, [](double e) { return e != 0; })))
      a.bytes(x, count * sizeof(double));
    else
      std::fill_n(x, count, 0.0);
  }
  // As it lies in memory, padding included: for undoing alone, where equal states need not have equal bytes.
  template <class T>
  void raw(T& x) {
    static_assert(std::is_trivially_copyable_v<T>);
    a.bytes(&x, sizeof x);
  }
  void numbers(std::vector<double>& x) { a.bytes(x.data(), x.size() * sizeof(double)); }
  template <class T, class F>
  void list(std::vector<T>& x, F&& each) {
    x.resize(a.count(x.size()));
    for (T& e : x) each(e);
  }
};

}  // namespace vertebra::trees
