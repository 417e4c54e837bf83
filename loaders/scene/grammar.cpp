// See grammar.hpp.
#include "loaders/scene/grammar.hpp"

namespace vertebra::scene {

const ElementRule kInclude{
    "include",
    "The elements of another scene file, in this place. Names in that file, and what refers to them there, get the prefix.",
    makeValues<IncludeValues>,
    {{.name = "file",
      .value = Value::File,
      .offset = offsetof(IncludeValues, file),
      .about = "scene file, relative to this one",
      .required = true},
     {.name = "prefix", .value = Value::Text, .offset = offsetof(IncludeValues, prefix), .about = "put before its names, e.g. left/"},
     {.name = "position",
      .value = Value::Number,
      .offset = offsetof(IncludeValues, pose),
      .about = "m, where its origin stands",
      .count = 3},
     {.name = "orientation",
      .value = Value::Orientation,
      .offset = offsetof(IncludeValues, pose) + 3 * sizeof(double),
      .about = "how its axes are turned"}},
    {},
    Role::Include};

const ElementRule kRepeat{
    "repeat",
    "Its children several times. In their attributes {i} stands for the count, and any expression of it in braces for its value.",
    makeValues<RepeatValues>,
    {{.name = "count", .value = Value::Integer, .offset = offsetof(RepeatValues, count), .about = "how many times", .required = true},
     {.name = "from", .value = Value::Integer, .offset = offsetof(RepeatValues, from), .about = "what the variable begins at"},
     {.name = "variable", .value = Value::Text, .offset = offsetof(RepeatValues, variable), .about = "its name, letters"}},
    {},
    Role::Repeat};

const AttributeRule* ElementRule::attribute(const std::string& wanted) const {
  for (const AttributeRule& a : attributes)
    if (wanted == a.name) return &a;
  return nullptr;
}

bool Element::has(const std::string& attribute) const {
  const AttributeRule* a = rule->attribute(attribute);
  return a != nullptr && given[static_cast<std::size_t>(a - rule->attributes.data())];
}

std::string Element::label() const {
  for (const AttributeRule& a : rule->attributes)
    if (a.value == Value::Name) {
      const auto& name = *reinterpret_cast<const std::string*>(static_cast<const char*>(values.get()) + a.offset);
      if (!name.empty()) return std::string(rule->name) + " '" + name + "'";
    }
  return rule->name;
}

}  // namespace vertebra::scene
