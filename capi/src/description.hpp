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
enum class Form : std::uint8_t { Plain, UnitVector, Pose, Twist };

// m, rad and m/s, rad/s: poses, coordinates and their rates are at most as large as a step may leave them; sums with what is farther are no
// numbers.
inline constexpr double kFarthest = 1e100;

struct WordDescription {
  const char *name, *word;
  std::int32_t value;
  const char* about;
};
struct EnumerationDescription {
  const char* name;
  const WordDescription* words;
  std::size_t count;
  std::uint64_t allowed;  // of flags: their bits; of others: bit i stands for the value kLowestEnumerator + i
};
inline constexpr std::int32_t kLowestEnumerator = -16;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
struct Range {
  double lower = std::numeric_limits<double>::lowest(), upper = std::numeric_limits<double>::max();  // both belong to it
  double also = kNone;                                                                               // one value more
  const char* text = "";
};

struct Length {                   // of an array
  std::uint32_t factor, counts;   // factor 0: the struct does not tell
  std::uint32_t countOffsets[2];  // of the uint32_t fields by which the factor is multiplied
};

struct FieldDescription {
  const char* name;  // of a field in a struct inside another: the path, such as contact.margin
  Kind kind;
  Element element;
  std::size_t offset;
  int count;
  Form form;
  bool nullable;
  const char *unit, *about;
  Range range;
  const EnumerationDescription* enumeration;
  std::uint64_t allowed;  // as in the enumeration, without the words that the field does not take
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

template <class T>
const T& defaults();  // struct_size included

// Whether the values are as the description says; made without any text.
bool sound(const StructDescription& description, const void* values);
// What is wrong with values that are not sound.
std::string faultOf(const StructDescription& description, const void* values);

// The number in a field or parameter of an enumerated type. A caller may have written one that the type does not have, which must not be
// loaded as the type.
template <class E>
std::int32_t enumerator(const E& value) {
  static_assert(sizeof(E) == sizeof(std::int32_t));
  std::int32_t number;
  __builtin_memcpy(&number, &value, sizeof number);
  return number;
}
inline bool soundEnumerator(std::uint64_t allowed, std::int32_t value) {
  const std::uint32_t bit = static_cast<std::uint32_t>(value) - static_cast<std::uint32_t>(kLowestEnumerator);
  return bit < 64 && (allowed >> bit & 1) != 0;
}
// What is wrong with a value that is not sound.
std::string faultOfEnumerator(const EnumerationDescription& description, std::int32_t value, std::uint64_t allowed, const char* name);

}  // namespace vertebra::capi
