// See diagnostics.hpp.
#include "loaders/diagnostics.hpp"

namespace vertebra {

const char* severityName(Severity s) { return s == Severity::Info ? "info" : s == Severity::Warning ? "warning" : "error"; }

const Diagnostic* Diagnostics::firstError() const {
  for (const Diagnostic& d : entries)
    if (d.severity == Severity::Error) return &d;
  return nullptr;
}
bool Diagnostics::hasErrors() const { return firstError() != nullptr; }

std::string Diagnostics::text() const {
  std::string out;
  for (const Diagnostic& d : entries) {
    out += d.file;
    if (d.line > 0) out += ":" + std::to_string(d.line);
    out += std::string(": ") + severityName(d.severity) + ": [" + d.code + "] ";
    if (!d.element.empty()) out += d.element + ": ";
    out += d.message + "\n";
  }
  return out;
}

}  // namespace vertebra
