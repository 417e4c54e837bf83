// What vertebra.h says of its structs, as tables that capi/api makes from it: defaults and checks of what a caller passes in come from
// here, and so do the attributes of scene files.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "vertebra/vertebra.h"

namespace vertebra::capi {

enum class Kind : std::uint8_t {
  Size,         // struct_size
  Reserved,     // uint32_t that must be 0
  Real,         // double[count]
  Float,        // float[count]
  Integer,      // int32_t
  Boolean,      // int32_t, 0 or 1
  Unsigned,     // uint32_t
  Wide,         // uint64_t
  Byte,         // uint8_t[count]
  Enumeration,  // 32 bits; read by `enumerator` only, for a caller may have written anything
  Flags,        // uint32_t, a sum of an enumeration's values
  Handle,
  Text,
  Array,  // a pointer to numbers or structs
  Object,
  Callback
};
enum class Element : std::uint8_t { Real, Float, Integer, Unsigned, Wide, Byte, Other };  // of numbers, and of arrays
enum class Form : std::uint8_t { Plain, UnitVector, Pose };

struct WordDescription {
  const char *name, *word;
  std::int32_t value;
  const char* about;
};
struct EnumerationDescription {
  const char* name;
  const WordDescription* words;
  std::size_t count;
};

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
struct Range {
  double lower = -kInfinity, upper = kInfinity;
  bool lowerOpen = false, upperOpen = false, infinity = false;  // infinity: an infinite number is in range where it is beyond no end
  double also = kNone;                                          // one value more
  const char* text = "";
};

struct Length {                   // of an array
  std::uint32_t factor, counts;   // factor 0: the struct does not tell
  std::uint32_t countOffsets[2];  // of the uint32_t fields by which the factor is multiplied
};

struct FieldDescription {
  const char* name;
  Kind kind;
  Element element;
  std::size_t offset;
  int count;
  Form form;
  bool nullable;
  const char *unit, *about;
  Range range;
  const double* defaults;  // count numbers; null: all bits zero
  const EnumerationDescription* enumeration;
  std::uint32_t except;  // bit i: word i is not allowed
  Length length;
};

struct StructDescription {
  const char* name;
  std::size_t size;
  const FieldDescription* fields;
  std::size_t count;

  const FieldDescription* begin() const { return fields; }
  const FieldDescription* end() const { return fields + count; }
  const FieldDescription& field(std::string_view wanted) const;  // std::logic_error if there is none
};

template <class T>
const StructDescription& description();
template <class T>
const EnumerationDescription& enumeration();

// Writes the defaults, struct_size included.
void setDefaults(const StructDescription& description, void* values);
// What is wrong with the values by the description, or nothing.
std::string faultOf(const StructDescription& description, const void* values);

template <class T>
T defaults() {
  T values{};
  setDefaults(description<T>(), &values);
  return values;
}

// The number in a field or parameter of an enumerated type. A caller may have written one that the type does not have, which must not be
// loaded as the type.
template <class E>
std::int32_t enumerator(const E& value) {
  static_assert(sizeof(E) == sizeof(std::int32_t));
  std::int32_t number;
  __builtin_memcpy(&number, &value, sizeof number);
  return number;
}
// What is wrong with an enumerator, or nothing.
std::string faultOfEnumerator(const EnumerationDescription& description, std::int32_t value, std::uint32_t except, const char* name);

}  // namespace vertebra::capi
