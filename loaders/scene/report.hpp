// What a scene's reader has to say: errors with file and line, all of a file at once, but of one kind no more than a reader reads.
#pragma once
#include <map>

#include "loaders/diagnostics.hpp"
#include "loaders/scene/grammar.hpp"

namespace vertebra::scene {

class Report {
 public:
  explicit Report(Diagnostics& found) : found_(found) {}
  void error(const char* code, const std::string& file, int line, const std::string& element, const std::string& message) {
    add(Severity::Error, code, file, line, element, message);
  }
  void error(const char* code, const Element& e, const std::string& message) { error(code, *e.file, e.line, e.label(), message); }
  void warning(const char* code, const Element& e, const std::string& message) {
    add(Severity::Warning, code, *e.file, e.line, e.label(), message);
  }
  void append(const Diagnostics& more) { found_.entries.insert(found_.entries.end(), more.entries.begin(), more.entries.end()); }
  bool failed() const { return found_.hasErrors(); }
  std::size_t size() const { return found_.entries.size(); }

 private:
  void add(Severity severity, const char* code, const std::string& file, int line, const std::string& element, const std::string& text) {
    constexpr int kMostPerCode = 200;
    if (++perCode_[code] <= kMostPerCode) found_.add(severity, code, file, line, element, text);
  }
  Diagnostics& found_;
  std::map<std::string, int> perCode_;
};

}  // namespace vertebra::scene
