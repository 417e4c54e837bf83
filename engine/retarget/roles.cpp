// See roles.hpp. Families of names: Mixamo, CMU, Bandai, MotionBuilder, HumanIK, LAFAN1, SOMA, Xsens, Rokoko, Biped, DAZ, Rigify, SMPL.
#include "engine/retarget/roles.hpp"

#include <algorithm>
#include <cctype>

#include "engine/retarget/named_joints.hpp"
#include "engine/retarget/topology.hpp"

namespace vertebra::retarget {

using figure::Motion;

namespace {

bool is(char c, int (*kind)(int)) { return kind(static_cast<unsigned char>(c)) != 0; }

// Words that follow a side without a separator.
constexpr const char* kAfterSide[] = {"leg",   "arm",   "foot",   "hand",  "hip",   "knee",    "ankle",    "shoulder",
                                      "elbow", "wrist", "thigh",  "up",    "lower", "upper",   "fore",     "toe",
                                      "shin",  "calf",  "collar", "femur", "tibia", "humerus", "clavicle", "shldr"};

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

namespace {

constexpr double kLevel = 0.2;         // of a leg's length: ends of limbs within this height are all feet
constexpr double kForwardStep = 0.05;  // of a leg's length: less than that does not tell where forward is
constexpr double kForwardToe = 0.25;   // the same of a foot's own length
constexpr double kForwardWay = 0.5;    // of the way travelled: a dance goes everywhere

// Limbs by topology, lengths and symmetry.
class ByShape {
 public:
  ByShape(const Named& named, Roles& out) : named_(named), motion_(named.motion), out_(out), poses_(named.poses) {
    std::vector<Node> nodes;
    for (std::size_t j = 0; j < motion_.joints.size(); j++) nodes.push_back({motion_.joints[j].parent, poses_[0][j].p});
    pairs_ = mirroredPairs(nodes);
  }

  // Fills in the roles of both legs that are not there. An empty string, or why they are not known.
  std::string legs() {
    const Pair* lowest = nullptr;
    for (const Pair& p : pairs_)
      if (Bend b; bendOf(p, 0, b) && (!lowest || height(p) < height(*lowest))) lowest = &p;
    if (!lowest) return "neither its names nor its shape tell its legs";
    for (const Pair& p : pairs_)
      if (lowest->count > 2 || (&p != lowest && height(p) < height(*lowest) + kLevel * lowest->total()))
        return "it seems to walk on more than two legs; a map says which two to take";
    const int left = leftOf(*lowest);
    if (left < 0) return "its legs do not tell left from right";
    for (int side = 0; side < 2; side++) put(*lowest, side == 0 ? left : 1 - left, side, kLimbs[0]);
    return {};
  }

  void arms() {
    const Pair* best = nullptr;
    for (const Pair& p : pairs_)
      if (Bend b; !holdsLeg(p) && p.count == 2 && bendOf(p, 0, b) && (!best || p.total() > best->total())) best = &p;
    if (!best) return;
    const int held = startsWithClavicle(*best) ? 1 : 0;
    int left = named(*best);
    if (left < 0) {
      Vec3 hips = Vec3::Zero(), tops = Vec3::Zero();
      for (std::size_t k = 0; k < poses_.size(); k++) {
        hips += at(k, out_[Role::LeftHip]) - at(k, out_[Role::RightHip]);
        Bend tip[2];
        for (int i = 0; i < 2; i++) bendOf(*best, i, tip[i], held);
        tops += at(k, tip[0].top) - at(k, tip[1].top);
      }
      left = hips.dot(tops) > 0 ? 0 : 1;
    }
    for (int side = 0; side < 2; side++) put(*best, side == 0 ? left : 1 - left, side, kLimbs[1], held);
  }

  // The highest end that is no part of an arm or leg.
  int head() const {
    std::vector<bool> taken(motion_.joints.size(), false), inner(taken);
    for (const Pair& p : pairs_)
      for (const Branch& b : p.side) taken[static_cast<std::size_t>(b.chain[0])] = true;
    for (const Role r : {Role::LeftHip, Role::RightHip, Role::LeftShoulder, Role::RightShoulder})
      if (out_[r] >= 0) taken[static_cast<std::size_t>(out_[r])] = true;
    int best = -1;
    double most = out_[Role::LeftShoulder] >= 0 ? mean(out_[Role::LeftShoulder]) : mean(out_[Role::LeftHip]);
    for (std::size_t j = 0; j < motion_.joints.size(); j++)
      if (const int p = motion_.joints[j].parent; p >= 0) {
        taken[j] = taken[j] || taken[static_cast<std::size_t>(p)];
        inner[static_cast<std::size_t>(p)] = true;
      }
    for (std::size_t j = 0; j < motion_.joints.size(); j++)
      if (const double z = mean(static_cast<int>(j)); !taken[j] && !inner[j] && z > most) {
        most = z;
        best = static_cast<int>(j);
      }
    return best;
  }

 private:
  Vec3 at(std::size_t pose, int joint) const { return named_.at(pose, joint); }
  double mean(int joint) const {
    double sum = 0;
    for (std::size_t k = 0; k < poses_.size(); k++) sum += at(k, joint).z();
    return sum / static_cast<double>(poses_.size());
  }
  // Legs may be known by names.
  bool holdsLeg(const Pair& p) const {
    const auto within = [&](const Branch& b, Role r) { return std::find(b.chain.begin(), b.chain.end(), out_[r]) != b.chain.end(); };
    for (const Branch& b : p.side)
      if (within(b, Role::LeftKnee) || within(b, Role::RightKnee)) return true;
    return false;
  }
  double height(const Pair& p) const { return 0.5 * (mean(p.side[0].chain.back()) + mean(p.side[1].chain.back())); }

  // How far a joint moves about its mean place in the frame of another, r.m.s.
  double strays(int joint, int frame) const {
    const auto place = [&](const std::vector<Pose>& p) {
      const Pose &from = p[static_cast<std::size_t>(frame)], &to = p[static_cast<std::size_t>(joint)];
      return Vec3(from.q.conjugate() * (to.p - from.p));
    };
    Vec3 sum = Vec3::Zero();
    for (const std::vector<Pose>& p : poses_) sum += place(p);
    const Vec3 centre = sum / static_cast<double>(poses_.size());
    double square = 0;
    for (const std::vector<Pose>& p : poses_) square += (place(p) - centre).squaredNorm();
    return std::sqrt(square / static_cast<double>(poses_.size()));
  }

  // Whether the longest lengths of an arm are clavicle and upper arm, not upper arm and forearm: the chest holds the shoulder nearly still,
  // an elbow it does not. A shrug moves it by some hundredths of a metre.
  bool startsWithClavicle(const Pair& p) const {
    constexpr double kStill = 0.2, kStiller = 0.4, kEven = 0.55, kMoves = 0.02;
    Bend first, next;
    if (!bendOf(p, 0, first) || !bendOf(p, 0, next, 1) || next.top != first.middle) return false;
    const auto length = [&](int a, int b) { return (at(0, a) - at(0, b)).norm(); };
    const double clavicle = length(first.top, first.middle), upper = length(first.middle, first.end), fore = length(next.middle, next.end);
    const double shoulder = strays(first.middle, p.fork), elbow = strays(first.end, p.fork);
    return elbow > kMoves * upper && shoulder < kStill * clavicle && shoulder < kStiller * elbow &&
           std::min(upper, fore) > kEven * std::max(upper, fore);
  }

  // Which side of a pair the names call left; -1 = they do not say.
  int named(const Pair& p) const {
    int votes = 0;
    for (int k = 0; k < 2; k++)
      for (int j : p.side[k].chain)
        if (const int side = sideOf(named_.words[static_cast<std::size_t>(j)]); side >= 0) votes += side == k ? 1 : -1;
    return votes == 0 ? -1 : votes > 0 ? 0 : 1;
  }

  // Across the hips, turned about the vertical, is forward or backward: toes, then the way travelled, then knees say which.
  int leftOf(const Pair& p) const {
    if (const int left = named(p); left >= 0) return left;
    double toes = 0, feet = 0, way = 0, travelled = 0, knees = 0, leg = 0;
    for (std::size_t k = 0; k < poses_.size(); k++) {
      Bend b[2];
      for (int i = 0; i < 2; i++) bendOf(p, i, b[i]);
      const Vec3 forward = Vec3(at(k, b[0].top) - at(k, b[1].top)).cross(Vec3::UnitZ()).normalized();
      for (int i = 0; i < 2; i++) {
        leg = std::max(leg, (at(k, b[i].top) - at(k, b[i].end)).norm());
        const Vec3 foot = toe(k, p.side[i], b[i].end) - at(k, b[i].end);
        toes += forward.dot(foot);
        feet += foot.norm();
        knees += forward.dot(at(k, b[i].middle) - 0.5 * (at(k, b[i].top) + at(k, b[i].end)));
      }
      if (k == 0) continue;
      const Vec3 step = at(k, p.fork) - at(k - 1, p.fork);
      way += forward.dot(step);
      travelled += step.head<2>().norm();
    }
    const double limbs = 2 * static_cast<double>(poses_.size());
    const auto sideBy = [](double told) { return told > 0 ? 0 : 1; };
    if (feet > kForwardStep * limbs * leg && std::fabs(toes) > kForwardToe * feet) return sideBy(toes);
    if (std::fabs(way) > std::max(kForwardStep * leg, kForwardWay * travelled)) return sideBy(way);
    if (std::fabs(knees) > kForwardStep * limbs * leg) return sideBy(knees);
    return -1;
  }

  Vec3 toe(std::size_t pose, const Branch& b, int ankle) const {
    if (b.chain.back() != ankle) return at(pose, b.chain.back());
    const figure::MotionJoint& foot = motion_.joints[static_cast<std::size_t>(ankle)];
    if (foot.endSites.empty()) return at(pose, ankle);
    const Pose& world = poses_[pose][static_cast<std::size_t>(ankle)];
    return world.p + world.q * Vec3(motion_.unit * foot.endSites[0]);  // link frames keep the file's axes
  }

  void put(const Pair& p, int from, int side, const LimbRoles& roles, int held = 0) {
    Bend b;
    if (!bendOf(p, from, b, held)) return;
    for (const auto& [role, joint] : {std::pair(roles.top, b.top), std::pair(roles.middle, b.middle), std::pair(roles.end, b.end)})
      if (int& known = out_[sided(side, role)]; known < 0) known = joint;
  }

  const Named& named_;
  const Motion& motion_;
  Roles& out_;
  const std::vector<std::vector<Pose>>& poses_;
  std::vector<Pair> pairs_;
};

bool under(const Motion& m, int joint, int above) {
  for (joint = m.joints[static_cast<std::size_t>(joint)].parent; joint >= 0; joint = m.joints[static_cast<std::size_t>(joint)].parent)
    if (joint == above) return true;
  return false;
}

std::string missing(Role r) { return std::string("no joint was found for the role ") + nameOf(r); }

// What lies above the ends of a limb, where no map says it.
std::string finishLimb(const Named& named, int side, const LimbRoles& limb, Roles& out) {
  int &top = out[sided(side, limb.top)], &middle = out[sided(side, limb.middle)], &end = out[sided(side, limb.end)];
  if (int bends[2]; middle < 0 && top < 0 && named.bends(end, bends)) middle = bends[0], top = bends[1];
  if (middle < 0) middle = named.up(end);
  if (top < 0) top = named.up(middle);
  for (Role r : {limb.middle, limb.top})
    if (out[sided(side, r)] < 0) return missing(sided(side, r));
  const auto name = [&](int joint) { return "'" + named.motion.joints[static_cast<std::size_t>(joint)].name + "'"; };
  if (!under(named.motion, middle, top) || !under(named.motion, end, middle))
    return "joints " + name(top) + ", " + name(middle) + ", " + name(end) + " taken for " + nameOf(sided(side, limb.top)) + ", " +
           nameOf(sided(side, limb.middle)) + ", " + nameOf(sided(side, limb.end)) + " are not one below the other";
  return {};
}

std::string takeGiven(const Motion& motion, const RoleMap& given, Roles& out) {
  out.fill(-1);
  for (int r = 0; r < kRoles; r++) {
    const Role role = static_cast<Role>(r);
    if (given.joint[role].empty()) continue;
    out[role] = motion.findJoint(given.joint[role]);
    if (out[role] < 0) return std::string("it has no joint '") + given.joint[role] + "', which the map gives for " + nameOf(role);
  }
  return {};
}

}  // namespace

std::string findRoles(const Motion& motion, const RoleMap& given, Roles& out) {
  if (const std::string wrong = takeGiven(motion, given, out); !wrong.empty()) return wrong;
  const Named named(motion);
  for (int side = 0; side < 2; side++) {
    if (int& foot = out[sided(side, Role::LeftFoot)]; foot < 0) foot = named.end(side, {"foot", "ankle", "feet"});
    int &elbow = out[sided(side, Role::LeftElbow)], &hand = out[sided(side, Role::LeftHand)];
    if (hand < 0) hand = named.end(side, {"hand", "wrist"});
    if (hand < 0 && elbow < 0) elbow = named.first(side, {"fore", "forearm", "lowerarm", "elbow"});
    if (hand < 0 && elbow >= 0) hand = named.child(elbow, {"palm", "fist"});
  }
  const bool legs = out[Role::LeftFoot] >= 0 && out[Role::RightFoot] >= 0;
  const bool arms = [&] {
    for (const Role r : {Role::LeftHand, Role::RightHand, Role::LeftElbow, Role::RightElbow})
      if (out[r] >= 0) return true;
    return false;
  }();
  ByShape shape(named, out);
  std::string wrong = legs ? "" : shape.legs();
  if (!wrong.empty()) {
    const Role foot = out[Role::LeftFoot] < 0 ? Role::LeftFoot : Role::RightFoot;
    return missing(foot) + ": " + wrong;
  }
  for (int side = 0; side < 2 && wrong.empty(); side++) wrong = finishLimb(named, side, kLimbs[0], out);
  if (!wrong.empty()) return wrong;
  if (!arms) shape.arms();
  for (int side = 0; side < 2; side++) {
    if (int& toe = out[sided(side, Role::LeftToe)]; toe < 0) {
      const int foot = out[sided(side, Role::LeftFoot)], child = named.child(foot, {"toe", "toes", "ball", "base"});
      toe = child < 0 ? foot : child;
    }
    if (out[sided(side, Role::LeftHand)] < 0) {  // a map may give the upper part alone
      int &shoulder = out[sided(side, Role::LeftShoulder)], elbow = out[sided(side, Role::LeftElbow)];
      if (elbow < 0) continue;
      if (shoulder < 0) shoulder = named.up(elbow);
      if (shoulder < 0) return missing(sided(side, Role::LeftShoulder));
      if (!under(motion, elbow, shoulder))
        return "joint '" + motion.joints[static_cast<std::size_t>(elbow)].name + "' taken for " + nameOf(sided(side, Role::LeftElbow)) +
               " is not below '" + motion.joints[static_cast<std::size_t>(shoulder)].name + "' taken for " +
               nameOf(sided(side, Role::LeftShoulder));
      continue;
    }
    if (wrong = finishLimb(named, side, kLimbs[1], out); !wrong.empty()) return wrong;
  }
  // The pelvis: the nearest joint that both hips hang from.
  for (int j = out[Role::LeftHip]; j >= 0 && out[Role::Pelvis] < 0; j = motion.joints[static_cast<std::size_t>(j)].parent)
    if (j == out[Role::RightHip] || under(motion, out[Role::RightHip], j)) out[Role::Pelvis] = j;
  if (out[Role::Pelvis] < 0) return missing(Role::Pelvis);
  if (out[Role::Head] < 0) out[Role::Head] = named.first(-1, {"head"});
  if (out[Role::Head] < 0 && !legs) out[Role::Head] = shape.head();
  if (out[Role::Head] < 0) out[Role::Head] = named.first(-1, {"neck"});
  if (out[Role::Head] < 0) out[Role::Head] = shape.head();
  return {};
}

}  // namespace vertebra::retarget
