// Makers of attributes for the table of scene files. What is a field of a struct of vertebra.h takes its type, words, unit and meaning from
// the description of that struct; what is another member of an element's values takes its kind from the member's type. So no attribute has
// an offset or a kind that does not fit its field.
#pragma once
#include <string>
#include <vector>

#include "capi/src/description.hpp"
#include "loaders/scene/grammar.hpp"

namespace vertebra::capi::scene {

using vertebra::scene::AttributeRule;
using vertebra::scene::Value;
using Rules = std::vector<AttributeRule>;

Rules operator+(Rules a, Rules b);
AttributeRule required(AttributeRule rule);
AttributeRule about(AttributeRule rule, std::string text);  // with another meaning than the description's
AttributeRule without(AttributeRule rule, const std::vector<std::string>& words);

template <class Values, class Member>
std::size_t offsetOf(Member Values::*member) {
  const Values values{};
  return static_cast<std::size_t>(reinterpret_cast<const char*>(&(values.*member)) - reinterpret_cast<const char*>(&values));
}

// ---- members of an element's values

template <class Values>
AttributeRule text(std::string Values::*member, Value value, const char* name, const char* about) {
  return {.name = name, .value = value, .offset = offsetOf(member), .about = about};
}
template <class Values>
AttributeRule name(std::string Values::*member) {
  return text(member, Value::Name, "name", "what others call it; without blanks");
}
template <class Values>
AttributeRule reference(std::string Values::*member, const char* name, const char* about) {
  return text(member, Value::Reference, name, about);
}
template <class Values>
AttributeRule references(std::vector<std::string> Values::*member, const char* name, const char* about) {
  return {.name = name, .value = Value::References, .offset = offsetOf(member), .about = about};
}
template <class Values>
AttributeRule number(double Values::*member, const char* name, const char* about) {
  return {.name = name, .value = Value::Number, .offset = offsetOf(member), .about = about};
}
template <class Values, std::size_t count>
AttributeRule vector(double (Values::*member)[count], const char* name, const char* about) {
  return {.name = name, .value = Value::Number, .offset = offsetOf(member), .about = about, .count = static_cast<int>(count)};
}
template <class Values>
AttributeRule orientation(double (Values::*member)[4], const char* name, const char* about) {
  return {.name = name, .value = Value::Orientation, .offset = offsetOf(member), .about = about};
}
template <class Values>
AttributeRule numbers(std::vector<double> Values::*member, const char* name, const char* about, int count = 1) {
  return {.name = name, .value = Value::Numbers, .offset = offsetOf(member), .about = about, .count = count};
}
template <class Values>
AttributeRule indices(std::vector<uint32_t> Values::*member, const char* name, const char* about, int count) {
  return {.name = name, .value = Value::Indices, .offset = offsetOf(member), .about = about, .count = count};
}
template <class Values>
AttributeRule integer(int32_t Values::*member, const char* name, const char* about) {
  return {.name = name, .value = Value::Integer, .offset = offsetOf(member), .about = about};
}
template <class Values>
AttributeRule yesNo(int32_t Values::*member, const char* name, const char* about) {
  return {.name = name, .value = Value::Choice, .offset = offsetOf(member), .about = about, .words = {{"no", 0}, {"yes", 1}}};
}
template <class Values>
Rules pose(double (Values::*member)[7], const char* position, const char* orientation) {
  const std::size_t at = offsetOf(member);
  return {{.name = "position", .value = Value::Number, .offset = at, .about = position, .count = 3},
          {.name = "orientation", .value = Value::Orientation, .offset = at + 3 * sizeof(double), .about = orientation}};
}

// ---- fields of a struct of vertebra.h that stands in an element's values

class Fields {
 public:
  template <class Values, class Def>
  explicit Fields(Def Values::*member) : description_(capi::description<Def>()), base_(offsetOf(member)) {}
  // Those of a struct inside it, under their own names.
  Fields in(const char* inner) const;

  // The attribute of a field under its own name, with _ in place of the dots of a path, or another.
  AttributeRule field(const char* field, const char* name = nullptr) const;
  Rules fields(const std::vector<const char*>& names) const;
  // Numbers of a field of several, from one of them on.
  AttributeRule part(const char* field, int first, int count, const char* name, const char* about) const;
  AttributeRule orientation(const char* field, const char* name, const char* about) const;  // of a pose
  Rules pose(const char* position, const char* orientation) const;                          // of the field "pose"
  // A bit of flags; inverted where its word begins with no_. Its attribute has the word's name, or another.
  AttributeRule flag(const char* field, const char* word, const char* name = nullptr) const;
  // All that a scene file can hold: fields in order, each flag by itself.
  Rules all() const;

 private:
  const FieldDescription& find(const std::string& field) const { return description_.field(path_ + field); }
  AttributeRule ruleOf(const FieldDescription& field, std::string name) const;
  AttributeRule flagOf(const FieldDescription& field, const WordDescription& word) const;

  const StructDescription& description_;
  std::size_t base_;
  std::string path_;  // before the names of fields
};

}  // namespace vertebra::capi::scene
