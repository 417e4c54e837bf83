// See report.hpp.
#include "loaders/urdf/report.hpp"

#include <algorithm>

namespace vertebra {

namespace {
constexpr int kMostPerCode = 200;  // beyond this a code is only counted
}

void UrdfReport::add(Severity s, const std::string& code, int line, const std::string& element, std::string message) {
  if (s == Severity::Error) failed_ = true;
  if (++perCode_[code] > kMostPerCode) return;
  found_.add(s, code, file_, line, element, std::move(message));
}

void UrdfReport::error(const std::string& code, int line, const std::string& element, const std::string& message) {
  add(Severity::Error, code, line, element, message);
}

void UrdfReport::repair(const std::string& code, int line, const std::string& element, const std::string& found, const std::string& done,
                        const std::string& mend) {
  std::string message = found + "; ";
  if (!strict_) message += done + "; ";
  add(strict_ ? Severity::Error : Severity::Warning, code, line, element, message + "to mend: " + mend);
}

void UrdfReport::warning(const std::string& code, int line, const std::string& element, const std::string& message) {
  add(Severity::Warning, code, line, element, message);
}

void UrdfReport::info(const std::string& code, int line, const std::string& element, const std::string& message) {
  add(Severity::Info, code, line, element, message);
}

void UrdfReport::tally(const std::string& code, const std::string& kind, int line, const std::string& message) {
  constexpr std::size_t kMostKinds = 500;
  std::string key = code + ' ' + kind;
  auto at = tallies_.find(key);
  if (at == tallies_.end()) {
    if (tallies_.size() >= kMostKinds) {
      at = tallies_.try_emplace("more", Tally{"urdf.unused.more", line, "further kinds of content were not used", 0}).first;
    } else {
      at = tallies_.try_emplace(key, Tally{code, line, message, 0}).first;
    }
  }
  ++at->second.count;
}

void UrdfReport::deliver(Diagnostics& to) {
  for (const auto& [key, t] : tallies_)
    found_.add(Severity::Info, t.code, file_, t.line, "robot",
               t.message + (t.count > 1 ? " (" + std::to_string(t.count) + " times, first here)" : ""));
  for (const auto& [code, n] : perCode_)
    if (n > kMostPerCode)
      found_.add(Severity::Info, code + ".more", file_, 0, "robot", std::to_string(n - kMostPerCode) + " more findings of this kind");
  std::stable_sort(found_.entries.begin(), found_.entries.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  for (Diagnostic& d : found_.entries) to.entries.push_back(std::move(d));
  found_.entries.clear();
}

}  // namespace vertebra
