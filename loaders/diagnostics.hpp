// Findings of a loader about a file: one entry per finding, in file order, with a stable code that programs may test.
#pragma once
#include <string>
#include <vector>

namespace vertebra {

enum class Severity { Info, Warning, Error };

struct Diagnostic {
  Severity severity = Severity::Warning;
  std::string code;     // stable, e.g. "urdf.inertia.not-psd"
  std::string file;     // path as given by the caller, or of the mesh concerned
  int line = 0;         // 1-based; 0 when unknown
  std::string element;  // e.g. "joint 'elbow'", "link 'arm'/inertial"
  std::string message;  // what was found, what was done, how to repair the file
};

const char* severityName(Severity s);  // "info", "warning", "error"

class Diagnostics {
 public:
  std::vector<Diagnostic> entries;
  void add(Severity s, std::string code, std::string file, int line, std::string element, std::string message) {
    entries.push_back({s, std::move(code), std::move(file), line, std::move(element), std::move(message)});
  }
  bool hasErrors() const;
  const Diagnostic* firstError() const;  // null if none
  std::string text() const;              // "file:line: error: [code] element: message" lines
};

}  // namespace vertebra
