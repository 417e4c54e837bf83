// Findings of the URDF reader about one file, in file order; each kind of harmless loss is reported once with its count, and many findings
// of one code are cut short with their number.
#pragma once
#include <map>
#include <string>

#include "loaders/diagnostics.hpp"

namespace vertebra {

class UrdfReport {
 public:
  UrdfReport(std::string file, bool strict) : file_(std::move(file)), strict_(strict) {}

  // Unusable in both modes.
  void error(const std::string& code, int line, const std::string& element, const std::string& message);
  // Strict: an error. Lenient: a warning that also states the repair.
  void repair(const std::string& code, int line, const std::string& element, const std::string& found, const std::string& done,
              const std::string& mend);
  void warning(const std::string& code, int line, const std::string& element, const std::string& message);
  void info(const std::string& code, int line, const std::string& element, const std::string& message);
  // One info for all findings of a kind, at the line of the first one, with "(n times)" added.
  void tally(const std::string& code, const std::string& kind, int line, const std::string& message);

  bool failed() const { return failed_; }
  bool strict() const { return strict_; }
  const std::string& file() const { return file_; }
  void deliver(Diagnostics& to);  // sorted by line; call once

 private:
  void add(Severity s, const std::string& code, int line, const std::string& element, std::string message);

  struct Tally {
    std::string code;
    int line = 0;
    std::string message;
    int count = 0;
  };
  std::string file_;
  bool strict_;
  bool failed_ = false;
  Diagnostics found_;
  std::map<std::string, int> perCode_;
  std::map<std::string, Tally> tallies_;  // by code and kind
};

}  // namespace vertebra
