// See rules.hpp.
#include "capi/src/scene/rules.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace vertebra::capi::scene {

namespace {

using vertebra::scene::Word;

// "m/s, largest speed": numbers, and what has no unit or several numbers of different ones, tell none.
std::string meaning(const FieldDescription& field) {
  const std::string unit = field.unit;
  return unit.empty() || unit == "1" || field.form == Form::Pose || unit == "twist" ? field.about : unit + ", " + field.about;
}

std::vector<Word> wordsOf(const FieldDescription& field) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < field.enumeration->count; i++)
    if (soundEnumerator(field.allowed, field.enumeration->words[i].value))
      words.push_back({field.enumeration->words[i].word, field.enumeration->words[i].value});
  return words;
}

const WordDescription& wordOf(const FieldDescription& field, const std::string& wanted) {
  const WordDescription* end = field.enumeration->words + field.enumeration->count;
  const WordDescription* word = std::find_if(field.enumeration->words, end, [&](const WordDescription& w) { return wanted == w.word; });
  if (word == end) throw std::logic_error(std::string(field.enumeration->name) + " has no word " + wanted);
  return *word;
}

}  // namespace

Rules operator+(Rules a, Rules b) {
  a.insert(a.end(), std::make_move_iterator(b.begin()), std::make_move_iterator(b.end()));
  return a;
}

AttributeRule required(AttributeRule rule) {
  rule.required = true;
  return rule;
}

AttributeRule about(AttributeRule rule, std::string text) {
  rule.about = std::move(text);
  return rule;
}

AttributeRule without(AttributeRule rule, const std::vector<std::string>& words) {
  std::erase_if(rule.words, [&](const Word& word) { return std::count(words.begin(), words.end(), word.name) > 0; });
  return rule;
}

Fields Fields::in(const char* inner) const {
  Fields result = *this;
  result.path_ += std::string(inner) + ".";
  return result;
}

AttributeRule Fields::field(const char* field, const char* name) const {
  std::string own = field;
  std::replace(own.begin(), own.end(), '.', '_');
  return ruleOf(find(field), name ? name : own);
}

AttributeRule Fields::ruleOf(const FieldDescription& f, std::string name) const {
  AttributeRule rule{.name = std::move(name), .value = Value::Number, .offset = base_ + f.offset, .about = meaning(f), .count = f.count};
  switch (f.kind) {
    case Kind::Real:
      return rule;
    case Kind::Integer:
      rule.value = Value::Integer;
      return rule;
    case Kind::Unsigned:
      rule.value = Value::Bits;
      return rule;
    case Kind::Boolean:
      rule.value = Value::Choice;
      rule.words = {{"no", 0}, {"yes", 1}};
      return rule;
    case Kind::Enumeration:
      rule.value = Value::Choice;
      rule.words = wordsOf(f);
      return rule;
    case Kind::Float:
      if (f.count == 4) {
        rule.value = Value::Colour;
        rule.count = 1;
        return rule;
      }
      [[fallthrough]];
    default:
      throw std::logic_error(std::string(description_.name) + "." + f.name + " is nothing that a scene file holds as it is");
  }
}

Rules Fields::fields(const std::vector<const char*>& names) const {
  Rules rules;
  for (const char* name : names) rules.push_back(field(name));
  return rules;
}

AttributeRule Fields::part(const char* field, int first, int count, const char* name, const char* about) const {
  const FieldDescription& f = find(field);
  if (f.kind != Kind::Real || first < 0 || first + count > f.count)
    throw std::logic_error(std::string(description_.name) + "." + field + " has no such numbers");
  return {.name = name,
          .value = Value::Number,
          .offset = base_ + f.offset + static_cast<std::size_t>(first) * sizeof(double),
          .about = about,
          .count = count};
}

AttributeRule Fields::orientation(const char* field, const char* name, const char* about) const {
  AttributeRule rule = part(field, 3, 4, name, about);
  rule.value = Value::Orientation;
  rule.count = 1;
  return rule;
}

Rules Fields::pose(const char* position, const char* orientation) const {
  return {part("pose", 0, 3, "position", position), this->orientation("pose", "orientation", orientation)};
}

AttributeRule Fields::flagOf(const FieldDescription& field, const WordDescription& word) const {
  const std::string given = word.word;
  const bool inverted = given.rfind("no_", 0) == 0;
  return {.name = inverted ? given.substr(3) : given,
          .value = Value::Switch,
          .offset = base_ + field.offset,
          .about = (inverted ? "no: " : "") + std::string(word.about),
          .mask = static_cast<std::uint32_t>(word.value),
          .inverted = inverted};
}

AttributeRule Fields::flag(const char* field, const char* word, const char* name) const {
  const FieldDescription& f = find(field);
  AttributeRule rule = flagOf(f, wordOf(f, word));
  if (name) rule.name = name;
  return rule;
}

Rules Fields::all() const {
  Rules rules;
  for (const FieldDescription& f : description_) {
    if (f.kind == Kind::Flags) {
      for (std::size_t i = 0; i < f.enumeration->count; i++) rules.push_back(flagOf(f, f.enumeration->words[i]));
    } else if (f.kind == Kind::Real || f.kind == Kind::Integer || f.kind == Kind::Boolean || f.kind == Kind::Enumeration) {
      std::string name = f.name;
      std::replace(name.begin(), name.end(), '.', '_');
      rules.push_back(ruleOf(f, std::move(name)));
    }
  }
  return rules;
}

}  // namespace vertebra::capi::scene
