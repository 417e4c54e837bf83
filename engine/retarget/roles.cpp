// See roles.hpp. Families of names: Mixamo, CMU, Bandai, MotionBuilder, HumanIK, LAFAN1, SOMA, Xsens, Rokoko.
#include "engine/retarget/roles.hpp"

#include <algorithm>
#include <cctype>

namespace vertebra::retarget {

using figure::Motion;

const std::array<const char*, kRoles> kRoleNames = {
    "left_hip",   "left_knee",  "left_foot", "left_toe",       "left_shoulder", "left_elbow", "left_hand", "right_hip",
    "right_knee", "right_foot", "right_toe", "right_shoulder", "right_elbow",   "right_hand", "pelvis",    "head"};

namespace {

bool is(char c, int (*kind)(int)) { return kind(static_cast<unsigned char>(c)) != 0; }

// Words that follow a side without a separator.
constexpr const char* kAfterSide[] = {"leg",   "arm", "foot",  "hand",  "hip",  "knee", "ankle", "shoulder", "elbow", "wrist",
                                      "thigh", "up",  "lower", "upper", "fore", "toe",  "shin",  "calf",     "collar"};

void addWord(std::vector<std::string>& out, const std::string& word) {
  if (word.empty()) return;
  for (const char* side : {"left", "right", "l", "r"}) {
    const std::string s = side;
    if (word.size() <= s.size() || word.compare(0, s.size(), s) != 0) continue;
    const std::string rest = word.substr(s.size());
    const bool known = s.size() > 1 || std::any_of(std::begin(kAfterSide), std::end(kAfterSide),
                                                   [&](const char* w) { return rest.compare(0, std::string(w).size(), w) == 0; });
    if (!known) continue;
    out.push_back(s);
    out.push_back(rest);
    return;
  }
  out.push_back(word);
}

bool structural(const std::vector<std::string>& w) { return !anyOf(w, {"twist", "roll", "end", "nub", "mod", "site", "helper"}); }

struct Named {
  const Motion& motion;
  std::vector<std::vector<std::string>> words;
  std::vector<bool> real;

  int first(int side, std::initializer_list<const char*> of) const {
    for (std::size_t j = 0; j < words.size(); j++)
      if (real[j] && (side < 0 || sideOf(words[j]) == side) && anyOf(words[j], of)) return static_cast<int>(j);
    return -1;
  }
  int up(int joint) const {
    while (joint >= 0) {
      const int from = joint;
      joint = motion.joints[static_cast<std::size_t>(joint)].parent;
      if (joint >= 0 && real[static_cast<std::size_t>(joint)] && length(from, joint) > 0) return joint;
    }
    return -1;
  }
  // From a joint to one above it, by offsets; position channels may hold them instead.
  double length(int joint, int above) const {
    Vec3 sum = Vec3::Zero();
    for (; joint >= 0 && joint != above; joint = motion.joints[static_cast<std::size_t>(joint)].parent) {
      const Pose local = figure::motionLocalPose(motion, joint, motion.frames() > 0 ? motion.frame(0) : nullptr);
      sum += local.p.cwiseAbs();
    }
    return sum.norm();
  }
  int child(int joint, std::initializer_list<const char*> of) const {
    int any = -1;
    for (std::size_t j = 0; j < words.size(); j++) {
      if (motion.joints[j].parent != joint) continue;
      if (anyOf(words[j], of)) return static_cast<int>(j);
      if (any < 0) any = static_cast<int>(j);
    }
    return any;
  }
};

}  // namespace

std::vector<std::string> words(const std::string& name) {
  const std::size_t colon = name.rfind(':');
  const std::string text = colon == std::string::npos ? name : name.substr(colon + 1);
  std::vector<std::string> out;
  std::string word;
  for (std::size_t i = 0; i < text.size(); i++) {
    const char c = text[i];
    const bool upper = is(c, std::isupper), letter = is(c, std::isalpha);
    const bool afterLower = i > 0 && is(text[i - 1], std::islower), beforeLower = i + 1 < text.size() && is(text[i + 1], std::islower);
    const bool afterLetter = i > 0 && is(text[i - 1], std::isalpha);
    if (!letter || (upper && (afterLower || (afterLetter && beforeLower)))) {
      addWord(out, word);
      word.clear();
    }
    if (letter) word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  addWord(out, word);
  return out;
}

int sideOf(const std::vector<std::string>& words) {
  for (const std::string& w : words) {
    if (w == "left" || w == "l") return 0;
    if (w == "right" || w == "r") return 1;
  }
  return -1;
}

bool anyOf(const std::vector<std::string>& words, std::initializer_list<const char*> of) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& w) { return std::any_of(of.begin(), of.end(), [&](const char* o) { return w == o; }); });
}

std::string findRoles(const Motion& motion, RoleMap& out) {
  out.fill(-1);
  Named named{motion, {}, {}};
  for (const figure::MotionJoint& j : motion.joints) {
    named.words.push_back(words(j.name));
    named.real.push_back(structural(named.words.back()));
  }
  for (int side = 0; side < 2; side++) {
    const int foot = named.first(side, {"foot", "ankle", "feet"}), hand = named.first(side, {"hand", "wrist"});
    if (foot < 0) return kRoleNames[static_cast<std::size_t>(sided(side, Role::LeftFoot))];
    out[sided(side, Role::LeftFoot)] = foot;
    out[sided(side, Role::LeftKnee)] = named.up(foot);
    out[sided(side, Role::LeftHip)] = named.up(named.up(foot));
    const int toe = named.child(foot, {"toe", "toes", "ball", "base"});
    out[sided(side, Role::LeftToe)] = toe < 0 ? foot : toe;
    if (hand < 0) continue;
    out[sided(side, Role::LeftHand)] = hand;
    out[sided(side, Role::LeftElbow)] = named.up(hand);
    out[sided(side, Role::LeftShoulder)] = named.up(named.up(hand));
    for (Role r : {Role::LeftElbow, Role::LeftShoulder})
      if (out[sided(side, r)] < 0) return kRoleNames[static_cast<std::size_t>(sided(side, r))];
  }
  for (int side = 0; side < 2; side++)
    for (Role r : {Role::LeftKnee, Role::LeftHip})
      if (out[sided(side, r)] < 0) return kRoleNames[static_cast<std::size_t>(sided(side, r))];
  // The pelvis: the nearest joint that both hips hang from.
  std::vector<int> above;
  for (int j = out[Role::LeftHip]; j >= 0; j = motion.joints[static_cast<std::size_t>(j)].parent) above.push_back(j);
  for (int j = out[Role::RightHip]; j >= 0; j = motion.joints[static_cast<std::size_t>(j)].parent)
    if (std::find(above.begin(), above.end(), j) != above.end()) {
      out[Role::Pelvis] = j;
      break;
    }
  if (out[Role::Pelvis] < 0) return kRoleNames[static_cast<std::size_t>(Role::Pelvis)];
  out[Role::Head] = named.first(-1, {"head"});
  if (out[Role::Head] < 0) out[Role::Head] = named.first(-1, {"neck"});
  return {};
}

}  // namespace vertebra::retarget
