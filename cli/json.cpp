// JSON writer; see json.hpp. Source of the format: RFC 8259.
#include "cli/json.hpp"

#include <charconv>
#include <cmath>

namespace vertebra::cli {

namespace {

// Length of the valid UTF-8 sequence at the start of text, 0 if there is none (RFC 3629: no overlong forms, no surrogates).
std::size_t utf8Length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF ? 2 : lead >= 0xE0 && lead <= 0xEF ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool bad = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF0 && byte(1) < 0x90) ||
                   (lead == 0xF4 && byte(1) > 0x8F);
  return bad ? 0 : length;
}

}  // namespace

std::string shortest(double number) {
  if (!std::isfinite(number)) return "null";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  return std::string(buffer, end);
}

void Json::separate() {
  if (!first_) text_ += ',';
  first_ = false;
}

Json& Json::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
  return *this;
}

Json& Json::close(char bracket) {
  text_ += bracket;
  first_ = false;
  return *this;
}

Json& Json::key(std::string_view name) {
  separate();
  quote(name);
  text_ += ':';
  first_ = true;
  return *this;
}

Json& Json::value(double number) {
  separate();
  text_ += shortest(number);
  return *this;
}

Json& Json::value(std::int64_t number) {
  separate();
  text_ += std::to_string(number);
  return *this;
}

Json& Json::value(bool truth) {
  separate();
  text_ += truth ? "true" : "false";
  return *this;
}

Json& Json::value(std::string_view text) {
  separate();
  quote(text);
  return *this;
}

Json& Json::null() {
  separate();
  text_ += "null";
  return *this;
}

Json& Json::numbers(const double* values, std::size_t count) {
  beginArray();
  for (std::size_t i = 0; i < count; ++i) value(values[i]);
  return endArray();
}

Json& Json::strings(const std::vector<std::string>& values) {
  beginArray();
  for (const std::string& text : values) value(std::string_view(text));
  return endArray();
}

// Names come from files in any encoding; bytes that are not UTF-8 are shown as the replacement character, so that the text stays JSON.
void Json::quote(std::string_view text) {
  static const char digits[] = "0123456789abcdef";
  text_ += '"';
  while (!text.empty()) {
    const char c = text.front();
    const std::size_t length = utf8Length(text);
    if (length == 0) {
      text_ += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      (text_ += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      ((text_ += "\\u00") += digits[c >> 4]) += digits[c & 15];
    } else {
      text_ += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  text_ += '"';
}

}  // namespace vertebra::cli
