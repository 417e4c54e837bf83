// See bvh.hpp.
#include "loaders/bvh/bvh.hpp"

#include <algorithm>
#include <charconv>

#include "loaders/bvh/reader.hpp"

namespace vertebra {

namespace bvh {

namespace {
constexpr int kListed = 100;  // of each code

// Length of the UTF-8 sequence at s[i], 0 if it is invalid.
std::size_t sequenceLength(const std::string& s, std::size_t i) {
  const unsigned char c = static_cast<unsigned char>(s[i]);
  const std::size_t n = c < 0x80 ? 1 : c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : c >= 0xF0 && c < 0xF5 ? 4 : 0;
  if (n == 0 || i + n > s.size()) return 0;
  for (std::size_t k = 1; k < n; k++)
    if ((static_cast<unsigned char>(s[i + k]) & 0xC0) != 0x80) return 0;
  return n;
}

// Names in a file may contain anything; a finding is always one line of printable text.
std::string printable(const std::string& s) {
  std::string out;
  for (std::size_t i = 0; i < s.size();) {
    const std::size_t n = sequenceLength(s, i);
    const unsigned char c = static_cast<unsigned char>(s[i]);
    if (n == 0 || c < 32 || c == 127)
      out += '?';
    else
      out.append(s, i, n);
    i += n == 0 ? 1 : n;
  }
  return out;
}
}  // namespace

void Report::add(Severity s, const char* code, int line, const std::string& element, const std::string& message) {
  const bool fatal = s == Severity::Error;  // always listed: there are few
  if (fatal) failed_ = true;
  if (s == Severity::Warning && strict_) s = Severity::Error;
  if (s == Severity::Error) refused_ = true;
  if (counts_[code]++ < kListed || fatal) out_.add(s, code, file_, line, printable(element), printable(message));
}

void Report::close() {
  for (const auto& [code, count] : counts_)
    if (count > kListed)
      out_.add(Severity::Info, code, file_, 0, "", std::to_string(count - kListed) + " more findings of this kind are not listed");
  counts_.clear();
}

std::string formatNumber(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

}  // namespace bvh

namespace {
using bvh::Report;
using bvh::Text;

std::string stem(const std::string& path) {
  std::size_t slash = path.find_last_of("/\\");
  std::string s = slash == std::string::npos ? path : path.substr(slash + 1);
  std::size_t dot = s.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? s : s.substr(0, dot);
}

bool openFile(Text& text, const std::string& path, Diagnostics& diagnostics) {
  if (text.openFile(path)) return true;
  diagnostics.add(Severity::Error, "file.unreadable", path, 0, "", "the file cannot be opened or read");
  return false;
}

// `open` restarts the text: that frames wrap across lines is known only at the end and takes a second pass.
template <class Open>
bool load(const Open& open, const std::string& name, const BvhOptions& options, figure::Motion& out, Diagnostics& diagnostics) {
  for (bool flowing : {false, true}) {
    Text text;
    if (!open(text)) return false;
    Diagnostics found;
    Report report(name, options.strict, found);
    out = figure::Motion();
    out.name = stem(name);
    bool flows = false;
    if (bvh::readHierarchy(text, out, report)) {
      std::vector<double>& values = out.values;
      const std::size_t width = static_cast<std::size_t>(out.channelCount);
      auto take = [&](const double* frame) {
        values.insert(values.end(), frame, frame + width);
        return true;
      };
      const long long declared = bvh::readMotionHeader(text, out, report);
      // The frame count of the header reserves memory only as far as the text can contain that many values.
      if (width > 0 && declared > 0 && static_cast<std::size_t>(declared) <= text.size() / (2 * width)) values.reserve(declared * width);
      bvh::RowsResult rows = bvh::readRows(text, out, declared, flowing, take, report);
      flows = !flowing && rows.damaged && declared > 0 && rows.values % declared == 0 && rows.values / declared == out.channelCount;
      if (flowing) report.info("bvh.motion.flowing", 0, "", "line ends do not separate the rows; frames were made by counting values");
      bvh::settleUnits(out, bvh::sampledFrames(out), options, report);
    }
    if (text.readFailed()) report.error("file.unreadable", text.line, "", "reading the file failed");
    if (flows) continue;
    report.close();
    diagnostics.entries.insert(diagnostics.entries.end(), found.entries.begin(), found.entries.end());
    return !report.refused();
  }
  return false;
}
}  // namespace

bool loadBvhFile(const std::string& path, const BvhOptions& options, figure::Motion& out, Diagnostics& diagnostics) {
  return load([&](Text& text) { return openFile(text, path, diagnostics); }, path, options, out, diagnostics);
}

bool loadBvhText(std::string_view content, const std::string& name, const BvhOptions& options, figure::Motion& out,
                 Diagnostics& diagnostics) {
  auto open = [&](Text& text) {
    text.openText(content);
    return true;
  };
  return load(open, name, options, out, diagnostics);
}

bool readBvhFrames(const std::string& path, const BvhOptions& options, figure::Motion& header, const BvhFrameFunction& take,
                   Diagnostics& diagnostics) {
  Text text;
  header = figure::Motion();
  header.name = stem(path);
  if (!openFile(text, path, diagnostics)) return false;
  Report report(path, options.strict, diagnostics);
  if (bvh::readHierarchy(text, header, report)) {
    bool settled = false;
    auto first = [&](const double* frame) {
      if (!settled) bvh::settleUnits(header, {frame}, options, report);
      settled = true;
      return take(frame);
    };
    const long long declared = bvh::readMotionHeader(text, header, report);
    bvh::readRows(text, header, declared, false, first, report);
    if (!settled) bvh::settleUnits(header, {}, options, report);
  }
  if (text.readFailed()) report.error("file.unreadable", text.line, "", "reading the file failed");
  report.close();
  return !report.refused();
}

}  // namespace vertebra
