// HIERARCHY of a BVH file: joints, offsets, channels, End Sites. Iterative, so nesting costs no stack.
#include <unordered_map>

#include "loaders/bvh/reader.hpp"

namespace vertebra::bvh {

namespace {
constexpr std::size_t kMaxDepth = 4096, kMaxJoints = 65536, kMaxChannels = 1 << 20;

const char* const kChannelNames[] = {"xposition", "yposition", "zposition", "xrotation", "yrotation", "zrotation"};

int channelOf(std::string_view word) {
  for (int k = 0; k < 6; k++)
    if (sameWord(word, kChannelNames[k])) return k;
  return -1;
}

bool isKeyword(std::string_view w) {
  for (const char* k : {"{", "}", "joint", "end", "endsite", "offset", "channels", "motion", "root"})
    if (sameWord(w, k)) return true;
  return false;
}

struct Level {
  int joint;  // the joint itself, or the parent joint of an End Site
  bool endSite = false;
  bool hasOffset = false, hasChannels = false;
  Vec3 offset = Vec3::Zero();
  int line = 0;
};

class HierarchyReader {
 public:
  HierarchyReader(Text& text, figure::Motion& motion, Report& report) : text_(text), m_(motion), report_(report) {}

  bool read() {
    if (!opening()) return false;
    while (!report_.failed()) {
      std::string_view w = text_.peekWord();
      if (w.empty()) {
        if (!levels_.empty()) {
          report_.error("bvh.hierarchy.truncated", text_.line, element(),
                        "the file ends inside the hierarchy; " + std::to_string(levels_.size()) + " closing braces are missing");
          return false;
        }
        report_.warning("bvh.motion.missing", text_.line, "", "there is no MOTION part; the clip has no frames");
        break;
      }
      if (levels_.empty() ? !topLevel(w) : !inside(w)) break;
    }
    if (report_.failed()) return false;
    if (m_.joints.empty()) {
      report_.error("bvh.hierarchy.empty", text_.line, "", "the hierarchy has no joints; a BVH file starts with HIERARCHY and a ROOT");
      return false;
    }
    return true;
  }

 private:
  std::string element() const {
    if (levels_.empty()) return "";
    return (levels_.back().endSite ? "End Site of '" : "joint '") + m_.joints[levels_.back().joint].name + "'";
  }

  bool opening() {
    text_.need();
    auto byte = [&](int i) { return text_.end - text_.at > i ? static_cast<unsigned char>(text_.at[i]) : 0; };
    if (byte(0) == 0xEF && byte(1) == 0xBB && byte(2) == 0xBF) text_.at += 3;
    if ((byte(0) == 0xFF && byte(1) == 0xFE) || (byte(0) == 0xFE && byte(1) == 0xFF)) {
      report_.error("bvh.encoding", 1, "", "the text is UTF-16; save it as plain text (ASCII or UTF-8)");
      return false;
    }
    std::string_view w = text_.peekWord();
    if (sameWord(w, "hierarchy")) {
      text_.word();
    } else if (sameWord(w, "root")) {
      report_.warning("bvh.hierarchy.keyword", text_.line, "", "the word HIERARCHY is missing before the first ROOT");
    } else {
      report_.error("bvh.not-bvh", text_.line, "",
                    w.empty() ? "the file is empty" : "not a BVH file: it does not start with the word HIERARCHY");
      return false;
    }
    return true;
  }

  bool topLevel(std::string_view w) {
    if (sameWord(w, "root")) return openJoint(-1);
    if (sameWord(w, "motion")) {
      text_.word();
      return false;
    }
    if (sameWord(w, "frames:") || sameWord(w, "frames") || sameWord(w, "frame")) {
      report_.warning("bvh.motion.keyword", text_.line, "", "the word MOTION is missing before the frames");
      return false;
    }
    if (w == "}")
      report_.warning("bvh.hierarchy.brace", text_.line, "", "a closing brace too many was ignored");
    else
      report_.warning("bvh.hierarchy.unknown", text_.line, "",
                      "'" + std::string(w.substr(0, 40)) + "' where ROOT or MOTION belongs; the line was ignored");
    if (w == "}")
      text_.word();
    else
      text_.skipLine();
    return true;
  }

  bool inside(std::string_view w) {
    if (w == "}") {
      text_.word();
      closeLevel();
      return true;
    }
    if (sameWord(w, "offset")) return readOffset();
    if (sameWord(w, "channels")) return readChannels();
    if (sameWord(w, "joint")) {
      if (!levels_.back().endSite) return openJoint(levels_.back().joint);
      report_.error("bvh.hierarchy.end-site", text_.line, element(), "an End Site holds a joint; make it a JOINT");
      return false;
    }
    if (sameWord(w, "end") || sameWord(w, "endsite")) return openEndSite();
    if (sameWord(w, "motion") || sameWord(w, "root")) {
      report_.error("bvh.hierarchy.brace", text_.line, element(),
                    "'" + std::string(w) + "' inside a joint: " + std::to_string(levels_.size()) + " closing braces are missing before it");
      return false;
    }
    report_.warning("bvh.hierarchy.unknown", text_.line, element(),
                    "'" + std::string(w.substr(0, 40)) + "' is not a word of BVH; the line was ignored");
    if (w == "{")
      text_.word();
    else
      text_.skipLine();
    return true;
  }

  bool openBrace(const std::string& who, int line) {
    if (text_.peekWord() != "{") {
      report_.error("bvh.hierarchy.brace", line, who, "an opening brace is missing");
      return false;
    }
    text_.word();
    if (levels_.size() >= kMaxDepth) {
      report_.error("bvh.hierarchy.too-deep", line, who, "joints are nested deeper than " + std::to_string(kMaxDepth));
      return false;
    }
    return true;
  }

  std::string uniqueName(std::string name, int line) {
    if (name.empty()) {
      name = "joint" + std::to_string(m_.joints.size());
      report_.warning("bvh.joint.unnamed", line, "joint '" + name + "'", "the joint has no name; it was named so");
    }
    auto [known, isNew] = names_.emplace(name, 1);
    if (isNew) return name;
    std::string other;
    int& copies = known->second;
    do other = name + "_" + std::to_string(++copies);
    while (names_.count(other));
    report_.warning("bvh.joint.duplicate", line, "joint '" + name + "'", "a second joint of this name was renamed '" + other + "'");
    names_.emplace(other, 1);
    return other;
  }

  bool openJoint(int parent) {
    text_.word();
    const int line = text_.line;
    std::string name = text_.restOfLine('{');
    if (name.empty() && text_.peekWord() != "{") name = text_.restOfLine('{');
    name = uniqueName(name, line);
    if (!openBrace("joint '" + name + "'", line)) return false;
    if (m_.joints.size() >= kMaxJoints) {
      report_.error("bvh.hierarchy.too-many", line, "joint '" + name + "'", "more than " + std::to_string(kMaxJoints) + " joints");
      return false;
    }
    figure::MotionJoint joint;
    joint.name = std::move(name);
    joint.parent = parent;
    joint.firstChannel = m_.channelCount;
    m_.joints.push_back(std::move(joint));
    Level level;
    level.joint = static_cast<int>(m_.joints.size()) - 1;
    level.line = line;
    levels_.push_back(level);
    return true;
  }

  bool openEndSite() {
    const int line = text_.line;
    text_.word();
    text_.restOfLine('{');  // "Site", and in some files a name
    if (levels_.back().endSite) {
      report_.error("bvh.hierarchy.end-site", line, element(), "an End Site inside an End Site");
      return false;
    }
    if (!openBrace(element(), line)) return false;
    Level level;
    level.joint = levels_.back().joint;
    level.endSite = true;
    level.line = line;
    levels_.push_back(level);
    return true;
  }

  void closeLevel() {
    const Level level = levels_.back();
    if (!level.hasOffset) report_.warning("bvh.joint.offset", level.line, element(), "OFFSET is missing; zero was taken");
    if (level.endSite)
      m_.joints[level.joint].endSites.push_back(level.offset);
    else if (!level.hasChannels)
      report_.info("bvh.joint.channels", level.line, element(), "no CHANNELS; the joint is rigid");
    levels_.pop_back();
  }

  bool readOffset() {
    const int line = text_.line;
    text_.word();
    Vec3 v;
    for (int k = 0; k < 3; k++) {
      text_.peekWord();
      while (k > 0 && !text_.exhausted() && *text_.at == ',') {
        ++text_.at;
        text_.peekWord();
      }
      text_.need();
      if (parseNumber(text_.at, text_.end, v[k]) != NumberKind::Finite) {
        report_.error("bvh.joint.offset", line, element(), "OFFSET needs three finite numbers");
        return false;
      }
    }
    Level& level = levels_.back();
    if (level.hasOffset) report_.warning("bvh.joint.offset", line, element(), "a second OFFSET; the last one was taken");
    level.hasOffset = true;
    level.offset = v;
    if (!level.endSite) m_.joints[level.joint].offset = v;
    return true;
  }

  bool readChannels() {
    const int line = text_.line;
    text_.word();
    double count = -1;
    text_.peekWord();
    NumberKind kind = parseNumber(text_.at, text_.end, count);
    std::vector<figure::Channel> channels;
    for (;;) {
      std::string_view w = text_.peekWord();
      int k = channelOf(w);
      if (k < 0) {
        if (text_.line == line && !w.empty() && !isKeyword(w)) {
          report_.error("bvh.joint.channel-name", line, element(),
                        "unknown channel '" + std::string(w.substr(0, 40)) + "'; known are X, Y, Z with position or rotation");
          return false;
        }
        break;
      }
      text_.word();
      channels.push_back(static_cast<figure::Channel>(k));
      if (channels.size() > kMaxChannels) break;
    }
    if (kind != NumberKind::Finite || count != static_cast<double>(channels.size()))
      report_.warning("bvh.joint.channel-count", line, element(),
                      "CHANNELS says " + (kind == NumberKind::Finite ? formatNumber(count) : std::string("no number")) + " but " +
                          std::to_string(channels.size()) + " names follow; the names were taken");
    Level& level = levels_.back();
    if (level.endSite) {
      if (!channels.empty()) report_.error("bvh.hierarchy.end-site", line, element(), "an End Site has channels; make it a JOINT");
      return channels.empty();
    }
    if (level.hasChannels) {
      report_.error("bvh.joint.channels", line, element(), "a second CHANNELS line");
      return false;
    }
    figure::MotionJoint& joint = m_.joints[level.joint];
    if (joint.firstChannel != m_.channelCount)
      report_.warning("bvh.joint.channels", line, element(),
                      "CHANNELS come after a child joint; columns are taken in the order of the CHANNELS lines");
    int positions[3] = {0, 0, 0};
    for (figure::Channel c : channels)
      if (static_cast<int>(c) < 3 && positions[static_cast<int>(c)]++) {
        report_.warning("bvh.joint.channels", line, element(), "a position channel is given twice; the last one is taken");
        break;
      }
    level.hasChannels = true;
    joint.firstChannel = m_.channelCount;
    joint.channels = std::move(channels);
    m_.channelCount += static_cast<int>(joint.channels.size());
    if (static_cast<std::size_t>(m_.channelCount) > kMaxChannels) {
      report_.error("bvh.hierarchy.too-many", line, element(), "more than " + std::to_string(kMaxChannels) + " channels");
      return false;
    }
    return true;
  }

  Text& text_;
  figure::Motion& m_;
  Report& report_;
  std::vector<Level> levels_;
  std::unordered_map<std::string, int> names_;  // number of joints with each name so far
};
}  // namespace

bool readHierarchy(Text& text, figure::Motion& motion, Report& report) { return HierarchyReader(text, motion, report).read(); }

}  // namespace vertebra::bvh
