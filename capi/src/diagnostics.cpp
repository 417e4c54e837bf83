// What a loader had to say, entry by entry.
#include "capi/src/check.hpp"
#include "capi/src/objects.hpp"

using namespace vertebra;
using namespace vertebra::capi;

std::string vertebra::capi::firstErrorText(const Diagnostics& findings) {
  const Diagnostic* error = findings.firstError();
  if (!error) return "the text makes no sense";
  std::string text = error->file;
  if (error->line > 0) text += ":" + std::to_string(error->line);
  text += ": [" + error->code + "] ";
  if (!error->element.empty()) text += error->element + ": ";
  return text + error->message;
}

vtb_status vtb_diagnostics_count(const vtb_diagnostics* diagnostics, size_t* count) {
  return guarded(__func__, [&] {
    required(diagnostics, "diagnostics");
    required(count, "count") = diagnostics->list.entries.size();
  });
}

vtb_status vtb_diagnostics_get(const vtb_diagnostics* diagnostics, size_t index, vtb_diagnostic* out) {
  return guarded(__func__, [&] {
    const auto& entries = required(diagnostics, "diagnostics").list.entries;
    required(out, "out");
    if (index >= entries.size())
      refuse(VTB_E_ARG, "index is " + std::to_string(index) + ", there are " + std::to_string(entries.size()) + " entries, counted from 0");
    const Diagnostic& d = entries[index];
    *out = {static_cast<vtb_severity>(d.severity), d.line, d.code.c_str(), d.file.c_str(), d.element.c_str(), d.message.c_str()};
  });
}

vtb_status vtb_diagnostics_release(vtb_diagnostics* diagnostics) {
  return guarded(__func__, [&] { delete diagnostics; });
}
