// See values.hpp.
#include "loaders/scene/values.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "engine/math/rotation.hpp"
#include "loaders/scene/spelling.hpp"
#include "loaders/xml_text.hpp"

namespace vertebra::scene {
namespace {

template <class T>
T& field(const AttributeRule& rule, void* values) {
  return *reinterpret_cast<T*>(static_cast<char*>(values) + rule.offset);
}
template <class T>
const T& field(const AttributeRule& rule, const void* values) {
  return *reinterpret_cast<const T*>(static_cast<const char*>(values) + rule.offset);
}

// A field of words has 32 bits, of an enumerated type or not.
std::int32_t wordOf(const AttributeRule& rule, const void* values) {
  std::int32_t value;
  std::memcpy(&value, static_cast<const char*>(values) + rule.offset, sizeof value);
  return value;
}
void setWord(const AttributeRule& rule, std::int32_t value, void* values) {
  std::memcpy(static_cast<char*>(values) + rule.offset, &value, sizeof value);
}

std::string shown(const std::string& text) { return "\"" + (text.size() > 60 ? text.substr(0, 60) + "..." : text) + "\""; }

// A number; as a quotient (1/240); in degrees (90deg).
bool readNumber(std::string_view word, double& out) {
  const bool degrees = word.size() > 3 && word.substr(word.size() - 3) == "deg";
  if (degrees) word.remove_suffix(3);
  const std::size_t slash = word.find('/');
  double below = 1;
  if (slash != std::string_view::npos && !parseNumber(word.substr(slash + 1), below)) return false;
  if (!parseNumber(word.substr(0, slash), out)) return false;
  if (slash != std::string_view::npos) out /= below;
  if (degrees) out *= kPi / 180;
  return !std::isnan(out);
}

bool readNumbers(const std::string& text, std::vector<double>& out) {
  out.clear();
  std::string_view rest = text;
  for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest)) {
    double x = 0;
    if (!readNumber(word, x)) return false;
    out.push_back(x);
  }
  return true;
}

template <class Integer>
bool readInteger(std::string_view word, Integer& out) {
  word = trimmed(word);
  const bool hex = word.size() > 2 && word.substr(0, 2) == "0x";
  if (hex) word.remove_prefix(2);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out, hex ? 16 : 10);
  return error == std::errc() && end == word.data() + word.size() && !word.empty();
}

template <class T>
std::string joined(const T* values, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; i++) {
    if (i > 0) text += ' ';
    if constexpr (std::is_same_v<T, float>) {  // the shortest text of a float, not of its double
      char word[32];
      text.append(word, std::to_chars(word, word + sizeof word, values[i]).ptr);
    } else if constexpr (std::is_floating_point_v<T>)
      text += formatNumber(values[i]);
    else
      text += std::to_string(values[i]);
  }
  return text;
}

std::string refused(const AttributeRule& rule, const std::string& text) {
  return std::string(rule.name) + "=" + shown(text) + " is not " + takes(rule);
}

std::string readName(const AttributeRule& rule, const std::string& text, const std::string& prefix, std::string& out) {
  if (rule.value == Value::Name && text.find_first_of(" \t\r\n") != std::string::npos)
    return "the name " + shown(text) + " has blanks in it; to mend: join the words with _";
  out = text.empty() || (rule.value == Value::Reference && text == "world") ? text : prefix + text;
  return "";
}

std::string readOrientation(const AttributeRule& rule, const std::string& text, double* out) {
  std::vector<double> n;
  if (!readNumbers(text, n) || (n.size() != 3 && n.size() != 4)) return refused(rule, text);
  if (n.size() == 4) {
    for (std::size_t i = 0; i < 4; i++) out[i] = n[i];
    const double square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3];
    if (!(std::fabs(square - 1) < 2e-3)) return std::string(rule.name) + "=" + shown(text) + " is not a quaternion of unit length";
    return "";
  }
  for (const double angle : n)
    if (!std::isfinite(angle)) return refused(rule, text);
  const Quat q = quatFromRpy(n[0], n[1], n[2]);
  for (int i = 0; i < 4; i++) out[i] = q.coeffs()[i];
  return "";
}

std::string readColour(const AttributeRule& rule, const std::string& text, float* out) {
  std::vector<double> n;
  if (!readNumbers(text, n) || (n.size() != 3 && n.size() != 4)) return refused(rule, text);
  for (const double c : n)
    if (!(c >= 0 && c <= 1)) return refused(rule, text);
  for (std::size_t i = 0; i < n.size(); i++) out[i] = static_cast<float>(n[i]);
  return "";
}

std::string readWord(const AttributeRule& rule, const std::string& text, void* values) {
  std::vector<std::string> known;
  for (const Word& word : rule.words) {
    if (text == word.name) {
      setWord(rule, word.value, values);
      return "";
    }
    known.emplace_back(word.name);
  }
  return refused(rule, text) + suggestion(text, known);
}

}  // namespace

std::string readValue(const AttributeRule& rule, const std::string& text, const std::string& prefix, const std::string& folder,
                      void* values) {
  switch (rule.value) {
    case Value::Name:
    case Value::Reference:
      return readName(rule, text, prefix, field<std::string>(rule, values));
    case Value::References: {
      std::string_view rest = text;
      for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest))
        field<std::vector<std::string>>(rule, values).push_back(prefix + std::string(word));
      return "";
    }
    case Value::Text:
      field<std::string>(rule, values) = text;
      return "";
    case Value::File:
      if (text.empty()) return std::string(rule.name) + " is empty; to mend: name a file";
      field<std::string>(rule, values) = (std::filesystem::path(folder) / text).lexically_normal().string();
      return "";
    case Value::Number: {
      std::vector<double> n;
      if (!readNumbers(text, n) || n.size() != static_cast<std::size_t>(rule.count)) return refused(rule, text);
      for (std::size_t i = 0; i < n.size(); i++) (&field<double>(rule, values))[i] = n[i];
      return "";
    }
    case Value::Orientation:
      return readOrientation(rule, text, &field<double>(rule, values));
    case Value::Numbers: {
      auto& n = field<std::vector<double>>(rule, values);
      return readNumbers(text, n) && n.size() % static_cast<std::size_t>(rule.count) == 0 ? "" : refused(rule, text);
    }
    case Value::Indices: {
      auto& n = field<std::vector<std::uint32_t>>(rule, values);
      std::string_view rest = text;
      for (std::string_view word = takeWord(rest); !word.empty(); word = takeWord(rest))
        if (!readInteger(word, n.emplace_back())) return refused(rule, text);
      return n.size() % static_cast<std::size_t>(rule.count) == 0 ? "" : refused(rule, text);
    }
    case Value::Integer:
      return readInteger(text, field<std::int32_t>(rule, values)) ? "" : refused(rule, text);
    case Value::Choice:
      return readWord(rule, text, values);
    case Value::Switch: {
      if (text != "yes" && text != "no") return refused(rule, text);
      auto& bits = field<std::uint32_t>(rule, values);
      bits = (text == "yes") != rule.inverted ? bits | rule.mask : bits & ~rule.mask;
      return "";
    }
    case Value::Bits:
      if (text == "all") {
        field<std::uint32_t>(rule, values) = 0xffffffffu;
        return "";
      }
      return readInteger(text, field<std::uint32_t>(rule, values)) ? "" : refused(rule, text);
    case Value::Colour:
      return readColour(rule, text, &field<float>(rule, values));
  }
  return "";
}

std::string writeValue(const AttributeRule& rule, const void* values) {
  switch (rule.value) {
    case Value::Name:
    case Value::Reference:
    case Value::Text:
    case Value::File:
      return field<std::string>(rule, values);
    case Value::References: {
      std::string text;
      for (const std::string& name : field<std::vector<std::string>>(rule, values)) text += (text.empty() ? "" : " ") + name;
      return text;
    }
    case Value::Number:
      return joined(&field<double>(rule, values), static_cast<std::size_t>(rule.count));
    case Value::Orientation:
      return joined(&field<double>(rule, values), 4);
    case Value::Numbers: {
      const auto& n = field<std::vector<double>>(rule, values);
      return joined(n.data(), n.size());
    }
    case Value::Indices: {
      const auto& n = field<std::vector<std::uint32_t>>(rule, values);
      return joined(n.data(), n.size());
    }
    case Value::Integer:
      return std::to_string(field<std::int32_t>(rule, values));
    case Value::Choice:
      for (const Word& word : rule.words)
        if (word.value == wordOf(rule, values)) return word.name;
      return "";
    case Value::Switch:
      return ((field<std::uint32_t>(rule, values) & rule.mask) != 0) != rule.inverted ? "yes" : "no";
    case Value::Bits: {
      const std::uint32_t bits = field<std::uint32_t>(rule, values);
      return bits == 0xffffffffu ? "all" : std::to_string(bits);
    }
    case Value::Colour:
      return joined(&field<float>(rule, values), 4);
  }
  return "";
}

void copyValue(const AttributeRule& rule, const void* from, void* to) {
  switch (rule.value) {
    case Value::Number:
      for (int i = 0; i < rule.count; i++) (&field<double>(rule, to))[i] = (&field<double>(rule, from))[i];
      return;
    case Value::Choice:
      setWord(rule, wordOf(rule, from), to);
      return;
    case Value::Colour:
      for (int i = 0; i < 4; i++) (&field<float>(rule, to))[i] = (&field<float>(rule, from))[i];
      return;
    default:  // through the text, which gives the same back
      (void)readValue(rule, writeValue(rule, from), "", "", to);
  }
}

std::string takes(const AttributeRule& rule) {
  const std::string n = std::to_string(rule.count);
  switch (rule.value) {
    case Value::Name:
      return "a name";
    case Value::Reference:
      return "the name of an element";
    case Value::References:
      return "names, parted by blanks";
    case Value::Text:
      return "a text";
    case Value::File:
      return "a file";
    case Value::Number:
      return rule.count == 1 ? "a number" : n + " numbers";
    case Value::Orientation:
      return "3 angles (roll pitch yaw) or a quaternion (x y z w)";
    case Value::Numbers:
      return rule.count == 1 ? "numbers" : "numbers, " + n + " by " + n;
    case Value::Indices:
      return rule.count == 1 ? "whole numbers" : "whole numbers, " + n + " by " + n;
    case Value::Integer:
      return "a whole number";
    case Value::Choice: {
      std::vector<std::string> words;
      for (const Word& word : rule.words) words.emplace_back(word.name);
      return "one of " + list(words);
    }
    case Value::Switch:
      return "yes or no";
    case Value::Bits:
      return "a number of 32 bits (decimal or 0x...), or all";
    case Value::Colour:
      return "3 or 4 numbers from 0 to 1";
  }
  return "";
}

}  // namespace vertebra::scene
