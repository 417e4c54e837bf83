// Writing BVH: see bvh.hpp.
#include <charconv>

#include "loaders/bvh/reader.hpp"
#include "loaders/write_file.hpp"

namespace vertebra {

namespace {
const char* const kChannelWords[] = {"Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation"};
constexpr std::size_t kMaxIndent = 40;  // otherwise a chain of thousands of joints would be mostly tabs

class BvhWriter {
 public:
  explicit BvhWriter(const figure::Motion& m) : m_(m), children_(m.joints.size()) {
    for (int j = static_cast<int>(m.joints.size()) - 1; j >= 0; j--)
      if (m.joints[j].parent >= 0) children_[m.joints[j].parent].push_back(j);  // last child first, for the stack
  }

  std::string write() {
    out_ = "HIERARCHY\n";
    for (std::size_t j = 0; j < m_.joints.size(); j++)
      if (m_.joints[j].parent < 0) tree(static_cast<int>(j));
    out_ += "MOTION\nFrames: " + std::to_string(m_.frames()) + "\nFrame Time: ";
    number(m_.frameTime);
    out_ += '\n';
    for (int f = 0; f < m_.frames(); f++) {
      const double* frame = m_.frame(f);
      bool first = true;
      for (int j : order_)
        for (std::size_t c = 0; c < m_.joints[j].channels.size(); c++) {
          if (!first) out_ += ' ';
          first = false;
          number(frame[m_.joints[j].firstChannel + c]);
        }
      out_ += '\n';
    }
    return std::move(out_);
  }

 private:
  void number(double x) {
    char buffer[32];
    out_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr);
  }
  void indent(std::size_t depth) { out_.append(std::min(depth, kMaxIndent), '\t'); }
  void offset(std::size_t depth, const Vec3& v) {
    indent(depth);
    out_ += "OFFSET";
    for (int k = 0; k < 3; k++) {
      out_ += ' ';
      number(v[k]);
    }
    out_ += '\n';
  }

  void open(int j, std::size_t depth) {
    const figure::MotionJoint& joint = m_.joints[j];
    order_.push_back(j);
    indent(depth);
    out_ += joint.parent < 0 ? "ROOT " : "JOINT ";
    for (char c : joint.name) out_ += c == '\n' || c == '\r' || c == '{' || c == '}' ? '_' : c;
    out_ += '\n';
    indent(depth);
    out_ += "{\n";
    offset(depth + 1, joint.offset);
    indent(depth + 1);
    out_ += "CHANNELS " + std::to_string(joint.channels.size());
    for (figure::Channel c : joint.channels) {
      out_ += ' ';
      out_ += kChannelWords[static_cast<int>(c)];
    }
    out_ += '\n';
    for (const Vec3& e : joint.endSites) {
      indent(depth + 1);
      out_ += "End Site\n";
      indent(depth + 1);
      out_ += "{\n";
      offset(depth + 2, e);
      indent(depth + 1);
      out_ += "}\n";
    }
  }

  void tree(int root) {
    struct Entry {
      int joint;
      std::size_t depth;
      bool close;
    };
    std::vector<Entry> stack{{root, 0, false}};
    while (!stack.empty()) {
      Entry e = stack.back();
      stack.pop_back();
      if (e.close) {
        indent(e.depth);
        out_ += "}\n";
        continue;
      }
      open(e.joint, e.depth);
      stack.push_back({e.joint, e.depth, true});
      for (int child : children_[e.joint]) stack.push_back({child, e.depth + 1, false});
    }
  }

  const figure::Motion& m_;
  std::vector<std::vector<int>> children_;
  std::vector<int> order_;  // joints in the order of writing
  std::string out_;
};
}  // namespace

std::string writeBvhText(const figure::Motion& motion) { return BvhWriter(motion).write(); }

bool writeBvhFile(const figure::Motion& motion, const std::string& path, Diagnostics& diagnostics) {
  return writeFile(writeBvhText(motion), path, diagnostics);
}

}  // namespace vertebra
