// Checks of what a caller passes in and writers for what is passed back: pointers, numbers, quaternions, sized structs, arrays with
// strides, texts. Fields of structs are checked by their descriptions (description.hpp); what is here serves parameters. A failed check
// throws a Refusal with VTB_E_ARG, before anything is written.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

#include "capi/src/description.hpp"
#include "capi/src/guard.hpp"
#include "engine/math/rotation.hpp"
#include "engine/math/types.hpp"

namespace vertebra::capi {

template <class T>
T& required(T* pointer, const char* name) {
  if (!pointer) refuse(VTB_E_ARG, std::string(name) + " is NULL");
  return *pointer;
}

inline double finite(double x, const char* name) {
  if (!std::isfinite(x)) refuse(VTB_E_ARG, std::string(name) + " is not a finite number");
  return x;
}
inline double notNan(double x, const char* name) {  // infinity means "no limit"
  if (std::isnan(x)) refuse(VTB_E_ARG, std::string(name) + " is not a number");
  return x;
}
inline double notNegative(double x, const char* name) {  // infinity allowed
  if (!(x >= 0)) refuse(VTB_E_ARG, std::string(name) + " is negative or not a number");
  return x;
}
inline double finiteNotNegative(double x, const char* name) { return notNegative(finite(x, name), name); }
inline double positive(double x, const char* name) {
  if (!(x > 0) || !std::isfinite(x)) refuse(VTB_E_ARG, std::string(name) + " must be positive and finite");
  return x;
}
inline double ratio(double x, const char* name) {  // of rates and speeds
  if (!(x >= 1e-9 && x <= 1e9)) refuse(VTB_E_ARG, std::string(name) + " must be from 1e-9 to 1e9");
  return x;
}
// An array may be NULL where its count is 0.
template <class T>
T* requiredArray(T* values, std::size_t count, const char* name) {
  if (count > 0) required(values, name);
  return values;
}
inline const double* finiteArray(const double* values, std::size_t count, const char* name) {
  requiredArray(values, count, name);
  for (std::size_t i = 0; i < count; i++)
    if (!std::isfinite(values[i])) refuse(VTB_E_ARG, std::string(name) + "[" + std::to_string(i) + "] is not a finite number");
  return values;
}
// Positions, coordinates, and velocities.
inline const double* withinReach(const double* values, std::size_t count, const char* name) {
  finiteArray(values, count, name);
  for (std::size_t i = 0; i < count; i++)
    if (std::fabs(values[i]) > kFarthest) refuse(VTB_E_ARG, std::string(name) + "[" + std::to_string(i) + "] must be from -1e100 to 1e100");
  return values;
}

inline int inRange(int32_t index, std::size_t count, const char* name) {
  if (index < 0 || static_cast<std::size_t>(index) >= count)
    refuse(VTB_E_ARG, std::string(name) + " is " + std::to_string(index) + ", there are " + std::to_string(count) + ", counted from 0");
  return index;
}
inline bool boolean(int32_t value, const char* name) {
  if (value != 0 && value != 1) refuse(VTB_E_ARG, std::string(name) + " is " + std::to_string(value) + ", must be 0 or 1");
  return value == 1;
}
inline int32_t between(int32_t value, int32_t first, int32_t last, const char* name) {
  if (value < first || value > last)
    refuse(VTB_E_ARG,
           std::string(name) + " is " + std::to_string(value) + ", must be " + std::to_string(first) + " to " + std::to_string(last));
  return value;
}
// The bits of a parameter that are of the enumeration E; others are refused.
template <class E>
uint32_t flagsOf(uint32_t value, const char* name) {
  const EnumerationDescription& flags = enumeration<E>();
  if (value & ~flags.allowed) refuse(VTB_E_ARG, std::string(name) + " has bits that " + flags.name + " does not have");
  return value;
}
// A parameter of an enumerated type, as one of its enumerators.
template <class E>
E oneOf(const E& value, const char* name) {
  const EnumerationDescription& words = enumeration<E>();
  if (!soundEnumerator(words.allowed, enumerator(value)))
    refuse(VTB_E_ARG, faultOfEnumerator(words, enumerator(value), words.allowed, name));
  return value;
}

inline Vec3 vector(const double* values, const char* name) {
  finiteArray(values, 3, name);
  return {values[0], values[1], values[2]};
}
inline Quat quaternion(const double* values, const char* name) {
  finiteArray(values, 4, name);
  const Quat q(values[3], values[0], values[1], values[2]);
  if (std::fabs(q.coeffs().stableNorm() - 1) > 1e-3)
    refuse(VTB_E_ARG, std::string(name) + ": the quaternion (x, y, z, w) is not of unit length");
  return unit(q);
}
inline Pose pose(const double* values, const char* name) {
  required(values, name);
  withinReach(values, 3, name);
  return {vector(values, name), quaternion(values + 3, name)};
}
struct Twist {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};
inline Twist twist(const double* values, const char* name) {
  withinReach(values, 6, name);
  return {vector(values, name), vector(values + 3, name)};
}
inline Mat3 inertia(const double* v) {  // xx, xy, xz, yy, yz, zz
  Mat3 m;
  m << v[0], v[1], v[2], v[1], v[3], v[4], v[2], v[4], v[5];
  return m;
}

inline void write(const Vec3& v, double* out) { std::copy_n(v.data(), 3, out); }
inline void write(const Quat& q, double* out) { std::copy_n(q.coeffs().data(), 4, out); }
inline void write(const Pose& p, double* out) {
  write(p.p, out);
  write(p.q, out + 3);
}
inline void writeInertia(const Mat3& m, double* out) {
  const double v[6] = {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)};
  std::copy_n(v, 6, out);
}

// ---- sized structs

inline constexpr uint32_t kStructHead = 8;            // struct_size and one more field: no caller knows less
inline constexpr uint32_t kStructLargest = 1u << 14;  // beyond this, struct_size was never set

inline uint32_t structSize(uint32_t size) {
  if (size < kStructHead || size > kStructLargest)
    refuse(VTB_E_ARG,
           "struct_size is " + std::to_string(size) + "; prepare the struct with its _init call, or set struct_size = sizeof the struct");
  return size;
}

template <class T>
void checkFields(const T& values) {
  if (!sound(description<T>(), &values)) refuse(VTB_E_ARG, faultOf(description<T>(), &values));
}

// What a caller's struct has beyond the bytes that this library knows must be zero.
void checkTail(const void* def, std::size_t known, std::size_t size, const char* name);
// The caller's values, and the given ones for what its program does not know; each field checked by its description.
template <class T>
T readStruct(const T* def, const T& otherwise, const char* name = "def") {
  const uint32_t size = structSize(required(def, name).struct_size);
  checkTail(def, sizeof(T), size, name);
  T copy = otherwise;
  std::memcpy(static_cast<void*>(&copy), def, std::min<std::size_t>(size, sizeof(T)));
  checkFields(copy);
  return copy;
}
template <class T>
T readStruct(const T* def) {
  return readStruct(def, defaults<T>());
}
template <class T>
T readOptional(const T* def) {  // NULL: the defaults
  return def ? readStruct(def) : defaults<T>();
}

// For vtb_*_init: as much of the defaults as the caller's struct has room for; fields of a newer header become zero.
template <class T>
vtb_status initStruct(const char* function, T* def, uint32_t size) {
  return guarded(function, [&] {
    required(def, "def");
    structSize(size);
    std::memcpy(static_cast<void*>(def), &defaults<T>(), std::min<std::size_t>(size, sizeof(T)));
    if (size > sizeof(T)) std::memset(reinterpret_cast<unsigned char*>(def) + sizeof(T), 0, size - sizeof(T));
    def->struct_size = size;
  });
}

// Fills a caller's struct up to its struct_size, which stays as it was.
template <class T>
void writeStruct(T* out, T value) {
  value.struct_size = structSize(required(out, "out").struct_size);
  std::memcpy(static_cast<void*>(out), &value, std::min<std::size_t>(value.struct_size, sizeof(T)));
}

// ---- arrays: rows of `width` doubles (or whole structs), row i at stride * i bytes

template <class T>
class ArrayOut {
 public:
  ArrayOut(T* out, std::size_t width, std::size_t capacity, std::size_t strideBytes, std::size_t* total, const char* name)
      : out_(reinterpret_cast<unsigned char*>(out)),
        row_(width * sizeof(T)),
        stride_(strideBytes ? strideBytes : row_),
        capacity_(capacity),
        total_(&required(total, "total")) {
    requiredArray(out, capacity, name);
    if (stride_ < row_)
      refuse(VTB_E_ARG, "stride_bytes is " + std::to_string(strideBytes) + ", a row has " + std::to_string(row_) + " bytes (0 = packed)");
  }
  void put(std::size_t i, const T* row) {  // ignored beyond the capacity
    if (i < capacity_) std::memcpy(out_ + i * stride_, row, row_);
  }
  std::size_t capacity() const { return capacity_; }
  void setTotal(std::size_t total) { *total_ = total; }

 private:
  unsigned char* out_;
  std::size_t row_, stride_, capacity_;
  std::size_t* total_;
};

inline void putPoses(ArrayOut<double>& out, const Pose* poses, std::size_t count) {
  static_assert(sizeof(Pose) == 7 * sizeof(double));  // position, then x, y, z, w: a row as it is
  for (std::size_t i = 0; i < std::min(count, out.capacity()); i++) out.put(i, reinterpret_cast<const double*>(&poses[i]));
  out.setTotal(count);
}

// Copies a text out: at most size bytes with the closing NUL, cut at a character boundary; needed counts the NUL.
inline void writeText(std::string_view text, char* buffer, std::size_t size, std::size_t* needed) {
  required(needed, "needed");
  if (size > 0) {
    required(buffer, "buffer");
    std::size_t n = std::min(text.size(), size - 1);
    if (n < text.size())
      while (n > 0 && (static_cast<unsigned char>(text[n]) & 0xC0) == 0x80) n--;
    std::memcpy(buffer, text.data(), n);
    buffer[n] = '\0';
  }
  *needed = text.size() + 1;
}

}  // namespace vertebra::capi
