// See segments.hpp. Conventions in use: names of segments (LeftUpLeg, lThigh, UpperLeg_L, mixamorig:LeftArm, Bip01 L Calf) and names of
// joints (LeftHip, LeftKnee, LeftShoulder, LeftElbow), where the meaning of "shoulder", "hip", "leg" depends on the neighbours.
#include "loaders/bvh/segments.hpp"

#include <initializer_list>
#include <string>

namespace vertebra::bvh {

namespace {
// Lower case, without namespace, rig prefix and separators; `side` receives left or right.
struct Word {
  std::string text;
  bool side = false;
  bool has(std::initializer_list<const char*> parts) const {
    for (const char* p : parts)
      if (text.find(p) != std::string::npos) return true;
    return false;
  }
};

bool isUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool isSeparator(char c) { return c == '_' || c == '-' || c == '.' || c == ' ' || c == '|'; }

Word simplified(std::string name) {
  Word w;
  name = name.substr(name.find_last_of(':') == std::string::npos ? 0 : name.find_last_of(':') + 1);
  for (const char* prefix : {"mixamorig", "Bip01", "Bip001", "bip01", "bip001", "joint_", "Joint_", "def_", "DEF-", "CC_Base_"})
    if (name.rfind(prefix, 0) == 0 && name.size() > std::string(prefix).size()) name = name.substr(std::string(prefix).size());
  while (!name.empty() && isSeparator(name[0])) name.erase(0, 1);
  // A separate letter l or r: "l_", "lThigh", "_L", ".R".
  const auto letter = [](char c) { return c == 'l' || c == 'r' || c == 'L' || c == 'R'; };
  std::size_t n = name.size();
  if (n > 1 && letter(name[0]) && (isSeparator(name[1]) || isUpper(name[1]))) {
    w.side = true;
    name.erase(0, 1);
  } else if (n > 2 && letter(name[n - 1]) && isSeparator(name[n - 2])) {
    w.side = true;
    name.resize(n - 2);
  }
  for (char c : name)
    if (!isSeparator(c)) w.text += static_cast<char>(isUpper(c) ? c + 32 : c);
  for (const char* word : {"left", "right"})
    if (std::size_t at = w.text.find(word); at != std::string::npos) {
      w.side = true;
      w.text.erase(at, std::string(word).size());
    }
  return w;
}

bool isThighWord(const Word& w) { return w.has({"upleg", "upperleg", "thigh", "femur"}); }
bool isUpperArmWord(const Word& w) { return w.has({"upperarm", "uparm", "humerus", "shldr"}) || w.text == "arm"; }
bool isShankWord(const Word& w) { return w.has({"knee", "shin", "calf", "tibia", "shank", "lowerleg", "lowleg", "leglower"}); }
bool isForearmWord(const Word& w) { return w.has({"forearm", "lowerarm", "lowarm", "elbow", "foarm", "ulna"}); }

class Recogniser {
 public:
  Recogniser(const figure::Motion& m, const std::vector<int>& joints)
      : m_(m), joints_(joints), words_(m.joints.size()), children_(m.joints.size()) {
    for (int j : joints) words_[j] = simplified(m.joints[j].name);
    for (std::size_t i = 1; i < joints.size(); i++) children_[m.joints[joints[i]].parent].push_back(joints[i]);
  }

  Segments run() {
    Segments s;
    s.of.assign(m_.joints.size(), Segment::None);
    int count[kSegments] = {0};
    for (int j : joints_) {
      const Segment above = j == joints_[0] ? Segment::None : s.of[m_.joints[j].parent];
      Segment own = byName(j, above);
      s.named += own != Segment::None;
      if (own == Segment::None) own = above == Segment::None ? Segment::Pelvis : above == Segment::Hand ? Segment::Finger : above;
      if (above == Segment::Foot && own == Segment::Foot) own = Segment::Toes;
      s.of[j] = own;
      count[static_cast<int>(own)]++;
    }
    s.human = count[static_cast<int>(Segment::Thigh)] > 0 && count[static_cast<int>(Segment::Shank)] > 0 &&
              count[static_cast<int>(Segment::UpperArm)] > 0;
    if (!s.human) s.of.assign(m_.joints.size(), Segment::None);
    return s;
  }

 private:
  template <class Test>
  bool anyChild(int j, const Test& test) const {
    for (int c : children_[j])
      if (test(words_[c])) return true;
    return false;
  }

  Segment byName(int j, Segment above) const {
    const Word& w = words_[j];
    if (w.has({"toe", "ball"})) return Segment::Toes;
    if (w.has({"foot", "ankle"})) return Segment::Foot;
    if (above == Segment::Hand || above == Segment::Finger) return Segment::Finger;
    if (w.has({"hand", "wrist", "palm"})) return Segment::Hand;
    if (isForearmWord(w)) return Segment::Forearm;
    if (w.has({"collar", "clavicle", "scapula"})) return Segment::Clavicle;
    if (w.has({"shoulder", "shldr"})) return anyChild(j, isUpperArmWord) ? Segment::Clavicle : Segment::UpperArm;
    if (isUpperArmWord(w)) return above == Segment::UpperArm ? Segment::Forearm : Segment::UpperArm;
    if (w.has({"hipjoint", "buttock"})) return anyChild(j, isThighWord) ? Segment::Pelvis : Segment::Thigh;
    if (isThighWord(w)) return Segment::Thigh;
    if (isShankWord(w)) return Segment::Shank;
    if (w.has({"hips", "pelvis", "sacrum"})) return Segment::Pelvis;
    if (w.has({"hip"})) return w.side && !anyChild(j, isThighWord) ? Segment::Thigh : Segment::Pelvis;
    if (w.text == "leg" || w.text == "legs") return above == Segment::Thigh ? Segment::Shank : Segment::Thigh;
    if (w.has({"neck"})) return Segment::Neck;
    if (w.has({"head", "skull", "jaw", "eye"})) return Segment::Head;
    if (w.has({"chest", "thorax", "rib", "spine", "torso", "back", "abdomen", "belly", "waist", "trunk"})) {
      const auto upper = [](const Word& c) {
        return c.has({"neck", "head", "collar", "clavicle", "shoulder", "shldr", "scapula"}) || isUpperArmWord(c);
      };
      return anyChild(j, upper) ? Segment::Chest : Segment::Abdomen;
    }
    return Segment::None;
  }

  const figure::Motion& m_;
  const std::vector<int>& joints_;
  std::vector<Word> words_;
  std::vector<std::vector<int>> children_;
};
}  // namespace

const char* segmentName(Segment s) {
  const char* const names[kSegments] = {"none",    "pelvis", "abdomen", "chest", "clavicle", "neck", "head", "upper arm",
                                        "forearm", "hand",   "finger",  "thigh", "shank",    "foot", "toes"};
  return names[static_cast<int>(s)];
}

Segments recogniseSegments(const figure::Motion& motion, const std::vector<int>& joints) { return Recogniser(motion, joints).run(); }

}  // namespace vertebra::bvh
