// Structured names: identifiers stand as they are, other parts in single quotes with escapes. The convention has ASCII only: other bytes
// are written as % and two hexadecimal digits. Source: FMI 2.0.4, section 2.2.9; FMI 3.0, section 2.4.7.5.1.
#include <cstdio>

#include "plugins/fmi/model.hpp"

namespace vertebra::fmi {

namespace {

bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

std::string part(const std::string& text) {
  bool plain = !text.empty() && letter(text.front());
  for (const char c : text) plain = plain && (letter(c) || digit(c));
  // der(x) is the convention's own word.
  if (plain && text != "der") return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '"' || c == '\\') {
      quoted += std::string("\\") + c;
    } else if (c < 0x20 || c > 0x7E || c == '`') {
      char hex[8];
      std::snprintf(hex, sizeof hex, "%%%02X", static_cast<unsigned>(static_cast<unsigned char>(c)));
      quoted += hex;
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace

std::string structuredName(const std::string& name) {
  std::string result;
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = name.find('/', begin);
    result += (begin > 0 ? "." : "") + part(name.substr(begin, end == std::string::npos ? end : end - begin));
    if (end == std::string::npos) return result;
    begin = end + 1;
  }
}

}  // namespace vertebra::fmi
