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
template <class T>
void store(void* values, std::size_t offset, std::size_t index, double number) {
  const T value = static_cast<T>(number);
  std::memcpy(static_cast<unsigned char*>(values) + offset + index * sizeof(T), &value, sizeof value);
}

std::string shown(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", number);
  return text;
}

std::string faultOfNumber(const FieldDescription& f, double x, const std::string& name) {
  const Range& r = f.range;
  if (std::isnan(x)) return name + " is not a number";
  if (x == r.also) return {};
  const bool low = r.lowerOpen ? x <= r.lower && r.lower > -kInfinity : x < r.lower;
  const bool high = !(r.infinity && x == kInfinity) && (r.upperOpen ? x >= r.upper : x > r.upper);
  if (low || high || (!r.infinity && std::isinf(x))) {
    if (!*r.text) return name + " is not a finite number";
    return name + " is " + shown(x) + ", must be " + r.text + (r.infinity || std::isfinite(x) ? "" : " and finite");
  }
  return {};
}

// Numbers of a field; those of poses and unit vectors are of the length they must have.
std::string faultOfNumbers(const FieldDescription& f, const void* values) {
  double numbers[16];
  for (int i = 0; i < f.count; i++) {
    numbers[i] = f.kind == Kind::Real ? load<double>(values, f.offset, i) : load<float>(values, f.offset, i);
    std::string fault = faultOfNumber(f, numbers[i], f.count > 1 ? std::string(f.name) + "[" + std::to_string(i) + "]" : f.name);
    if (!fault.empty()) return fault;
  }
  const auto length = [&](int first, int count) {
    double largest = 0, sum = 0;
    for (int i = first; i < first + count; i++) largest = std::max(largest, std::fabs(numbers[i]));
    if (!(largest > 0)) return 0.0;
    for (int i = first; i < first + count; i++) sum += (numbers[i] / largest) * (numbers[i] / largest);
    return largest * std::sqrt(sum);
  };
  if (f.form == Form::UnitVector && std::fabs(length(0, 3) - 1) > 1e-3) return std::string(f.name) + " is not a unit vector";
  if (f.form == Form::Pose && std::fabs(length(3, 4) - 1) > 1e-3)
    return std::string(f.name) + ": the quaternion (x, y, z, w) is not of unit length";
  return {};
}

std::string faultOfArray(const FieldDescription& f, const void* values) {
  if (f.length.factor == 0) return {};
  std::size_t length = f.length.factor;
  for (std::uint32_t i = 0; i < f.length.counts; i++) length *= load<std::uint32_t>(values, f.length.countOffsets[i]);
  const auto* numbers = load<const double*>(values, f.offset);
  if (!numbers) return length > 0 && !f.nullable ? std::string(f.name) + " is NULL" : std::string();
  for (std::size_t i = 0; f.element == Element::Real && i < length; i++)
    if (!std::isfinite(numbers[i])) return std::string(f.name) + "[" + std::to_string(i) + "] is not a finite number";
  return {};
}

std::string faultOfField(const FieldDescription& f, const void* values) {
  switch (f.kind) {
    case Kind::Real:
    case Kind::Float:
      return faultOfNumbers(f, values);
    case Kind::Integer:
      return faultOfNumber(f, load<std::int32_t>(values, f.offset), f.name);
    case Kind::Unsigned:
      return faultOfNumber(f, load<std::uint32_t>(values, f.offset), f.name);
    case Kind::Boolean: {
      const auto value = load<std::int32_t>(values, f.offset);
      return value == 0 || value == 1 ? std::string() : std::string(f.name) + " is " + std::to_string(value) + ", must be 0 or 1";
    }
    case Kind::Enumeration:
      return faultOfEnumerator(*f.enumeration, load<std::int32_t>(values, f.offset), f.except, f.name);
    case Kind::Flags: {
      std::uint32_t known = 0;
      for (std::size_t i = 0; i < f.enumeration->count; i++) known |= static_cast<std::uint32_t>(f.enumeration->words[i].value);
      return load<std::uint32_t>(values, f.offset) & ~known
                 ? std::string(f.name) + " has bits that " + f.enumeration->name + " does not have"
                 : std::string();
    }
    case Kind::Reserved:
      return load<std::uint32_t>(values, f.offset) ? std::string(f.name) + " must be 0" : std::string();
    case Kind::Array:
      return faultOfArray(f, values);
    default:
      return {};
  }
}

}  // namespace

std::string faultOfEnumerator(const EnumerationDescription& description, std::int32_t value, std::uint32_t except, const char* name) {
  std::string allowed;
  for (std::size_t i = 0; i < description.count; i++) {
    if (except >> i & 1) continue;
    if (description.words[i].value == value) return {};
    allowed += (allowed.empty() ? "" : ", ") + std::string(description.words[i].name);
  }
  return std::string(name) + " is " + std::to_string(value) + ", must be one of " + allowed;
}

std::string faultOf(const StructDescription& description, const void* values) {
  for (const FieldDescription& field : description) {
    std::string fault = faultOfField(field, values);
    if (!fault.empty()) return fault;
  }
  return {};
}

void setDefaults(const StructDescription& description, void* values) {
  std::memset(values, 0, description.size);
  for (const FieldDescription& f : description) {
    if (f.kind == Kind::Size) store<std::uint32_t>(values, f.offset, 0, static_cast<double>(description.size));
    if (!f.defaults) continue;
    for (int i = 0; i < f.count; i++) {
      if (f.kind == Kind::Real) store<double>(values, f.offset, i, f.defaults[i]);
      if (f.kind == Kind::Float) store<float>(values, f.offset, i, f.defaults[i]);
      if (f.kind == Kind::Integer || f.kind == Kind::Boolean || f.kind == Kind::Enumeration)
        store<std::int32_t>(values, f.offset, i, f.defaults[i]);
      if (f.kind == Kind::Unsigned || f.kind == Kind::Flags) store<std::uint32_t>(values, f.offset, i, f.defaults[i]);
    }
  }
}

}  // namespace vertebra::capi
