// MOTION of a BVH file: frame count, frame time and rows. One pass, no memory beyond a few rows.
#include <algorithm>
#include <cmath>

#include "loaders/bvh/reader.hpp"

namespace vertebra::bvh {

namespace {
const char* const kChannelWords[] = {"Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"};

class RowReader {
 public:
  RowReader(Text& text, const figure::Motion& motion, long long declared, bool flowing, const BvhFrameFunction& take, Report& report)
      : text_(text), m_(motion), declared_(declared), flowing_(flowing), take_(take), report_(report), width_(motion.channelCount) {
    row_.reserve(width_);
    last_.assign(width_, 0.0);
  }

  RowsResult read() {
    if (width_ == 0) report_.info("bvh.motion.no-channels", text_.line, "", "no joint has channels; the clip has no frames");
    while (!result_.stopped && !report_.failed() && !text_.exhausted()) readLine();
    if (!result_.stopped && !report_.failed()) finish();
    return result_;
  }

 private:
  std::string column() const {
    int c = static_cast<int>((pending_.size() + row_.size()) % std::max(1, width_));
    for (const figure::MotionJoint& j : m_.joints)
      if (c >= j.firstChannel && c < j.firstChannel + static_cast<int>(j.channels.size()))
        return "joint '" + j.name + "' " + kChannelWords[static_cast<int>(j.channels[c - j.firstChannel])] + ", value " +
               std::to_string(c + 1);
    return "value " + std::to_string(c + 1);
  }

  // Takes one line of values; a line with several frames delivers each as soon as it is complete.
  void readLine() {
    const int line = text_.line;
    bool any = false, ended = false;
    emittedOnLine_ = 0;
    const long long before = result_.values;
    for (;;) {
      text_.skipBlanks();
      if (text_.exhausted()) break;
      const char c = *text_.at;
      if (Text::isLineEnd(c)) {
        text_.takeLineEnd();
        ended = true;
        break;
      }
      if (!any && isText()) {
        report_.warning("bvh.motion.text", line, "",
                        "text among the rows: '" + text_.restOfLine('\n').substr(0, 40) + "'; the line was ignored");
        text_.skipLine();
        return;
      }
      if (any && c == ',') {  // a comma after blanks
        ++text_.at;
        continue;
      }
      any = true;
      // A full row may be one frame of several on the line; with a pending part of a frame, the whole line decides.
      if (width_ > 0 && static_cast<int>(row_.size()) == width_ && !flowing_) {
        dropPending(line);
        emit(line);
        if (result_.stopped || report_.failed()) return;
      }
      readValue(line);
      if (flowing_ && static_cast<int>(row_.size()) == width_) {
        emit(line);
        if (result_.stopped || report_.failed()) return;
      }
    }
    if (!any || width_ == 0) {
      row_.clear();
      return;
    }
    if (!flowing_) endOfLine(line, static_cast<int>(result_.values - before), ended);
  }

  // A line that does not start with a number: a note, a comment, another section.
  bool isText() {
    text_.need();
    const char* p = text_.at;
    double ignored;
    if (parseNumber(p, text_.end, ignored) != NumberKind::NotANumber) return false;
    const char c = *text_.at;
    return !(c >= '0' && c <= '9') && c != '+' && c != '-' && c != '.' && c != ',';
  }

  void readValue(int line) {
    text_.need();
    const char* const start = text_.at;
    double value = 0;
    NumberKind kind = parseNumber(text_.at, text_.end, value);
    bool clean = true;
    if (text_.at < text_.end) {
      const char c = *text_.at;
      if (c == ',') {
        const char next = text_.end - text_.at > 1 ? text_.at[1] : ' ';
        clean = Text::isBlank(next) || Text::isLineEnd(next);
        if (clean) {
          ++text_.at;
          if (!saidComma_) report_.info("bvh.motion.comma", line, column(), "commas between the values were taken as blanks");
          saidComma_ = true;
        }
      } else if (c == '-' || c == '+') {
        if (kind != NumberKind::NotANumber && !saidGlued_)
          report_.info("bvh.motion.glued", line, column(), "values without a blank before the sign were separated");
        saidGlued_ = true;
      } else {
        clean = Text::isBlank(c) || Text::isLineEnd(c);
      }
    }
    if (kind == NumberKind::NotANumber || !clean || text_.at - start > Text::kLookahead) {
      const std::string who = column();
      text_.at = start;
      std::string word(text_.at, std::min<std::ptrdiff_t>(40, text_.end - text_.at));
      word.resize(std::min(word.size(), word.find_first_of(" \t\r\n")));
      while (!text_.exhausted() && !Text::isBlank(*text_.at) && !Text::isLineEnd(*text_.at)) ++text_.at;
      bad_++;
      report_.warning("bvh.motion.number", line, who,
                      "'" + word + "' is not a number (a decimal point is needed, not a comma); the value of the frame before was kept");
      value = held();
    } else if (kind == NumberKind::NotFinite) {
      bad_++;
      report_.warning(
          "bvh.motion.not-finite", line, column(),
          "'" + std::string(start, text_.at).substr(0, 40) + "' is not a finite number; the value of the frame before was kept");
      value = held();
    }
    result_.values++;
    if (width_ > 0) row_.push_back(value);
  }

  double held() const { return width_ > 0 ? last_[(pending_.size() + row_.size()) % width_] : 0; }

  void emit(int line) {
    std::swap(row_, last_);
    row_.clear();
    result_.frames++;
    emittedOnLine_++;
    if (!take_(last_.data())) result_.stopped = true;
    if (result_.frames >= 2147483647) {
      report_.error("bvh.frames.too-many", line, "", "more than 2147483647 frames");
      result_.stopped = true;
    }
  }

  void dropPending(int line) {
    if (pending_.empty()) return;
    result_.damaged = true;
    report_.warning("bvh.motion.row-short", pendingLine_, "frame " + std::to_string(result_.frames + 1),
                    "the row has " + std::to_string(pending_.size()) + " of " + std::to_string(width_) + " values; it was left out");
    pending_.clear();
  }

  void endOfLine(int line, int count, bool ended) {
    const int rest = static_cast<int>(row_.size());
    if (emittedOnLine_ > 0 && rest < width_) {  // too long
      result_.damaged = true;
      report_.warning("bvh.motion.row-long", line, "frame " + std::to_string(result_.frames),
                      "the row has " + std::to_string(count) + " values where " + std::to_string(width_) + " belong; the last " +
                          std::to_string(rest) + " were left out");
      row_.clear();
      return;
    }
    if (rest == width_) {
      if (pending_.size() + rest != static_cast<std::size_t>(width_)) dropPending(line);
      if (emittedOnLine_ > 0) sayWrapped(line, "several frames are on one line");
      if (!ended && declared_ >= 0 && result_.frames + 1 < declared_) {
        result_.damaged = true;
        report_.warning("bvh.motion.truncated", line, "frame " + std::to_string(result_.frames + 1),
                        "the file ends in the middle of the motion and its last number may be cut; the last row was left out");
        row_.clear();
        return;
      }
      emit(line);
      return;
    }
    if (pending_.size() + rest > static_cast<std::size_t>(width_)) dropPending(line);
    if (pending_.empty()) pendingLine_ = line;
    pending_.insert(pending_.end(), row_.begin(), row_.end());
    row_.clear();
    if (static_cast<int>(pending_.size()) == width_) {
      std::swap(row_, pending_);
      pending_.clear();
      pending_.reserve(width_);
      sayWrapped(pendingLine_, "a frame is wrapped over several lines");
      emit(line);
    }
  }

  void sayWrapped(int line, const char* what) {
    if (!saidWrapped_) report_.info("bvh.motion.wrapped", line, "frame " + std::to_string(result_.frames + 1), what);
    saidWrapped_ = true;
  }

  void finish() {
    if (flowing_ && !row_.empty()) std::swap(pending_, row_);
    if (!pending_.empty()) {
      result_.damaged = true;
      report_.warning("bvh.motion.truncated", text_.line, "frame " + std::to_string(result_.frames + 1),
                      "the last row has " + std::to_string(pending_.size()) + " of " + std::to_string(width_) + " values; it was left out");
    }
    if (bad_ * 100 > result_.values)
      report_.error("bvh.motion.numbers", text_.line, "",
                    std::to_string(bad_) + " of " + std::to_string(result_.values) + " values are not numbers");
    if (width_ > 0 && result_.values > 0 && result_.frames == 0)
      report_.error("bvh.motion.row-length", text_.line, "",
                    "the hierarchy has " + std::to_string(width_) + " channels and no row has as many values");
    else if (width_ > 0 && declared_ >= 0 && declared_ != result_.frames)
      report_.warning("bvh.frames.count", text_.line, "Frames",
                      "the header says " + std::to_string(declared_) + " frames, the rows give " + std::to_string(result_.frames) +
                          "; the rows were taken");
  }

  Text& text_;
  const figure::Motion& m_;
  const long long declared_;
  const bool flowing_;
  const BvhFrameFunction& take_;
  Report& report_;
  const int width_;
  RowsResult result_;
  std::vector<double> row_, pending_, last_;  // this line; earlier lines of a wrapped frame; the frame before
  int pendingLine_ = 0, emittedOnLine_ = 0;
  long long bad_ = 0;
  bool saidComma_ = false, saidGlued_ = false, saidWrapped_ = false;
};

NumberKind headerNumber(Text& text, double& value) {
  text.skipBlanks();
  if (!text.exhausted() && *text.at == ':') ++text.at;
  text.skipBlanks();
  text.need();
  NumberKind kind = parseNumber(text.at, text.end, value);
  if (kind == NumberKind::NotANumber) text.skipLine();
  return kind;
}
}  // namespace

long long readMotionHeader(Text& text, figure::Motion& motion, Report& report) {
  bool haveTime = false;
  long long declared = -1;
  for (;;) {
    std::string_view w = text.peekWord();
    const int line = text.line;
    if (w.size() >= 6 && sameWord(w.substr(0, 6), "frames")) {
      text.at += 6;
      double n = 0;
      if (headerNumber(text, n) != NumberKind::Finite || n < 0 || n != std::floor(n) || n > 9e15)
        report.warning("bvh.frames.header", line, "Frames", "the number of frames is not a whole number; the rows were counted");
      else
        declared = static_cast<long long>(n);
    } else if (w.size() >= 5 && sameWord(w.substr(0, 5), "frame")) {
      text.at += 5;
      std::string_view next = text.peekWord();
      if (next.size() >= 4 && sameWord(next.substr(0, 4), "time")) text.at += 4;
      double t = 0;
      NumberKind kind = headerNumber(text, t);
      haveTime = true;
      if (kind != NumberKind::Finite || !(t >= 1e-9 && t <= 1e9)) {
        motion.frameTime = 1.0 / 30;
        report.warning("bvh.frame-time", line, "Frame Time", "the frame time must be above zero, 1e-9 to 1e9 s; 1/30 s was taken");
      } else {
        motion.frameTime = t;
        if (t >= 10)
          report.info("bvh.frame-time.long", line, "Frame Time",
                      "a frame lasts " + formatNumber(t) + " s; if these are frames a second, mend the file");
      }
    } else {
      break;
    }
  }
  if (!haveTime) {
    motion.frameTime = 1.0 / 30;
    report.warning("bvh.frame-time", text.line, "Frame Time", "the frame time is missing; 1/30 s was taken");
  }
  if (declared < 0) report.warning("bvh.frames.header", text.line, "Frames", "the number of frames is missing; the rows were counted");
  return declared;
}

RowsResult readRows(Text& text, const figure::Motion& motion, long long declared, bool flowing, const BvhFrameFunction& take,
                    Report& report) {
  return RowReader(text, motion, declared, flowing, take, report).read();
}

}  // namespace vertebra::bvh
