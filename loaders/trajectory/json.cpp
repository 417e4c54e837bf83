// A trajectory as a JSON object: fps, figure, names, frames; see csv.hpp. Source of the format: RFC 8259.
#include "loaders/trajectory/csv.hpp"
#include "loaders/xml_text.hpp"

namespace vertebra {

namespace {
void quote(std::string& out, const std::string& text) {
  static const char digits[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (out += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      ((out += "\\u00") += digits[c >> 4]) += digits[c & 15];
    else
      out += c;
  }
  out += '"';
}
}  // namespace

std::string writeTrajectoryJson(const figure::Trajectory& t) {
  std::string out = "{\"fps\":" + formatNumber(1 / t.frameTime) + ",\"figure\":";
  quote(out, t.name);
  out += ",\"names\":[";
  for (std::size_t c = 0; c < t.names.size(); c++) {
    if (c > 0) out += ',';
    quote(out, trajectoryColumn(t, c));
  }
  out += "],\"frames\":[";
  for (int i = 0; i < t.frames(); i++) {
    out += i > 0 ? ",\n[" : "\n[";
    for (int c = 0; c < t.nq(); c++) {
      if (c > 0) out += ',';
      out += formatNumber(t.frame(i)[c]);
    }
    out += ']';
  }
  return out + "]}\n";
}

}  // namespace vertebra
