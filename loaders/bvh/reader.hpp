// The two halves of reading a BVH file, shared by loadBvh*, readBvhFrames and the fuzzer: hierarchy and rows.
// Internal to loaders/bvh.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "loaders/bvh/bvh.hpp"
#include "loaders/bvh/text.hpp"

namespace vertebra::bvh {

// Findings of one file: warnings become errors in strict mode; beyond a hundred of a kind they are counted rather than listed.
class Report {
 public:
  Report(const std::string& file, bool strict, Diagnostics& out) : file_(file), strict_(strict), out_(out) {}
  void info(const char* code, int line, const std::string& element, const std::string& message) {
    add(Severity::Info, code, line, element, message);
  }
  void warning(const char* code, int line, const std::string& element, const std::string& message) {
    add(Severity::Warning, code, line, element, message);
  }
  void error(const char* code, int line, const std::string& element, const std::string& message) {
    add(Severity::Error, code, line, element, message);
  }
  bool failed() const { return failed_; }    // reading cannot go on
  bool refused() const { return refused_; }  // the result: an error, or in strict mode a warning
  void close();                              // reports how many findings of a kind were not listed

 private:
  void add(Severity s, const char* code, int line, const std::string& element, const std::string& message);
  std::string file_;
  bool strict_, failed_ = false, refused_ = false;
  Diagnostics& out_;
  std::map<std::string, int> counts_;
};

// HIERARCHY up to and including the word MOTION (or the end of the file). False when there is an error.
bool readHierarchy(Text& text, figure::Motion& motion, Report& report);

// "Frames: N" and "Frame Time: t", in either order. Sets motion.frameTime; returns the stated number of frames, -1 if none.
long long readMotionHeader(Text& text, figure::Motion& motion, Report& report);

// The rows. A row is a line of values; a frame may also be wrapped over several shorter lines. With `flowing`, line ends have no meaning.
struct RowsResult {
  long long frames = 0;  // given to `take`
  long long values = 0;  // read, including lost ones
  bool damaged = false;  // some values belong to no frame
  bool stopped = false;  // `take` returned false
};
RowsResult readRows(Text& text, const figure::Motion& motion, long long declared, bool flowing, const BvhFrameFunction& take,
                    Report& report);

// Frames spread over a motion, the first among them; of one that is read as a stream the first alone, of one without frames none.
using FrameSamples = std::vector<const double*>;
FrameSamples sampledFrames(const figure::Motion& motion);

// Unit and turn: from options or from the figure's bones, at rest and in these frames.
void settleUnits(figure::Motion& motion, const FrameSamples& frames, const BvhOptions& options, Report& report);

std::string formatNumber(double x);  // shortest that reads back the same

}  // namespace vertebra::bvh
