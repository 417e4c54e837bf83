// See description.hpp.
#include "capi/src/description.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace vertebra::capi {

#include "descriptions.inc"

const FieldDescription& StructDescription::field(std::string_view wanted) const {
  const FieldDescription* found = std::find_if(begin(), end(), [&](const FieldDescription& f) { return f.name == wanted; });
  if (found == end()) throw std::logic_error(std::string(name) + " has no field " + std::string(wanted));
  return *found;
}

namespace {

template <class T>
T load(const void* values, std::size_t offset, std::size_t index = 0) {
  T result;
  std::memcpy(&result, static_cast<const unsigned char*>(values) + offset + index * sizeof(T), sizeof result);
  return result;
}
std::string shown(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", number);
  return text;
}

bool soundNumber(const Range& r, double x) { return (x >= r.lower && x <= r.upper) || x == r.also; }

double numberAt(const FieldDescription& f, const void* values, int i) {
  return f.kind == Kind::Real ? load<double>(values, f.offset, i) : load<float>(values, f.offset, i);
}

// Whether numbers of a field from one on have unit length; scaled where a square could overflow.
bool unitLength(const FieldDescription& f, const void* values, int first, int count) {
  double sum = 0, largest = 0;
  for (int i = first; i < first + count; i++) sum += numberAt(f, values, i) * numberAt(f, values, i);
  if (std::fabs(sum - 1) < 1e-3) return true;  // then the root is nearer still
  for (int i = first; i < first + count; i++) largest = std::max(largest, std::fabs(numberAt(f, values, i)));
  if (!(largest > 0)) return false;
  sum = 0;
  for (int i = first; i < first + count; i++) sum += (numberAt(f, values, i) / largest) * (numberAt(f, values, i) / largest);
  return !(std::fabs(largest * std::sqrt(sum) - 1) > 1e-3);
}

bool tooFar(const FieldDescription& f, int i, double x) {
  return ((f.form == Form::Pose && i < 3) || f.form == Form::Twist) && std::fabs(x) > kFarthest;
}

bool soundNumbers(const FieldDescription& f, const void* values) {
  for (int i = 0; i < f.count; i++) {
    const double x = numberAt(f, values, i);
    if (!soundNumber(f.range, x) || tooFar(f, i, x)) return false;
  }
  if (f.form == Form::UnitVector) return unitLength(f, values, 0, 3);
  return f.form != Form::Pose || unitLength(f, values, 3, 4);
}

std::size_t lengthOf(const FieldDescription& f, const void* values) {
  std::size_t length = f.length.factor;
  for (std::uint32_t i = 0; i < f.length.counts; i++) length *= load<std::uint32_t>(values, f.length.countOffsets[i]);
  return length;
}

// The first number of an array that is not finite; the length if all are.
std::size_t infiniteOf(const FieldDescription& f, const double* numbers, std::size_t length) {
  std::size_t i = f.element == Element::Real ? 0 : length;
  while (i < length && std::isfinite(numbers[i])) i++;
  return i;
}

bool soundArray(const FieldDescription& f, const void* values) {
  if (f.length.factor == 0) return true;
  const std::size_t length = lengthOf(f, values);
  const auto* numbers = load<const double*>(values, f.offset);
  return numbers ? infiniteOf(f, numbers, length) == length : length == 0 || f.nullable;
}

bool soundField(const FieldDescription& f, const void* values) {
  switch (f.kind) {
    case Kind::Real:
    case Kind::Float:
      return soundNumbers(f, values);
    case Kind::Integer:
      return soundNumber(f.range, load<std::int32_t>(values, f.offset));
    case Kind::Unsigned:
      return soundNumber(f.range, load<std::uint32_t>(values, f.offset));
    case Kind::Boolean:
      return load<std::uint32_t>(values, f.offset) <= 1;
    case Kind::Enumeration:
      return soundEnumerator(f.allowed, load<std::int32_t>(values, f.offset));
    case Kind::Flags:
      return (load<std::uint32_t>(values, f.offset) & ~f.allowed) == 0;
    case Kind::Reserved:
      return load<std::uint32_t>(values, f.offset) == 0;
    case Kind::Array:
      return soundArray(f, values);
    default:
      return true;
  }
}

// ---- texts

std::string faultOfNumber(const Range& r, double x, const std::string& name) {
  if (std::isnan(x)) return name + " is not a number";
  if (!*r.text) return name + " is not a finite number";
  return name + " is " + shown(x) + ", must be " + r.text + (std::isfinite(x) || std::isinf(r.upper) ? "" : " and finite");
}

std::string faultOfNumbers(const FieldDescription& f, const void* values) {
  for (int i = 0; i < f.count; i++) {
    const double x = numberAt(f, values, i);
    const std::string name = f.count > 1 ? std::string(f.name) + "[" + std::to_string(i) + "]" : f.name;
    if (!soundNumber(f.range, x)) return faultOfNumber(f.range, x, name);
    if (tooFar(f, i, x)) return name + " is " + shown(x) + ", must be from -1e100 to 1e100";
  }
  return std::string(f.name) + (f.form == Form::Pose ? ": the quaternion (x, y, z, w) is not of unit length" : " is not a unit vector");
}

std::string faultOfField(const FieldDescription& f, const void* values) {
  const std::string name = f.name;
  switch (f.kind) {
    case Kind::Real:
    case Kind::Float:
      return faultOfNumbers(f, values);
    case Kind::Integer:
      return faultOfNumber(f.range, load<std::int32_t>(values, f.offset), name);
    case Kind::Unsigned:
      return faultOfNumber(f.range, load<std::uint32_t>(values, f.offset), name);
    case Kind::Boolean:
      return name + " is " + std::to_string(load<std::int32_t>(values, f.offset)) + ", must be 0 or 1";
    case Kind::Enumeration:
      return faultOfEnumerator(*f.enumeration, load<std::int32_t>(values, f.offset), f.allowed, f.name);
    case Kind::Flags:
      return name + " has bits that " + f.enumeration->name + " does not have";
    case Kind::Reserved:
      return name + " must be 0";
    default: {
      const auto* numbers = load<const double*>(values, f.offset);
      if (!numbers) return name + " is NULL";
      return name + "[" + std::to_string(infiniteOf(f, numbers, lengthOf(f, values))) + "] is not a finite number";
    }
  }
}

}  // namespace

std::string faultOfEnumerator(const EnumerationDescription& description, std::int32_t value, std::uint64_t allowed, const char* name) {
  std::string names;
  for (std::size_t i = 0; i < description.count; i++)
    if (soundEnumerator(allowed, description.words[i].value)) names += (names.empty() ? "" : ", ") + std::string(description.words[i].name);
  return std::string(name) + " is " + std::to_string(value) + ", must be one of " + names;
}

bool sound(const StructDescription& description, const void* values) {
  for (const FieldDescription& field : description)
    if (!soundField(field, values)) return false;
  return true;
}

std::string faultOf(const StructDescription& description, const void* values) {
  for (const FieldDescription& field : description)
    if (!soundField(field, values)) return faultOfField(field, values);
  return {};
}

}  // namespace vertebra::capi
