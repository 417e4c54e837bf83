// See target_limbs.hpp.
#include "engine/retarget/target_limbs.hpp"

#include <algorithm>
#include <cmath>

#include "engine/retarget/roles.hpp"
#include "engine/retarget/topology.hpp"

namespace vertebra::retarget {

namespace {

using figure::FigureModel;

struct Limb {
  std::initializer_list<const char*> words;
  Role top, middle, end;
};
const Limb kLimbWords[] = {
    {{"leg",  "hip",   "knee", "ankle", "ank",  "foot", "feet", "thigh", "femur",    "tibia",
      "calf", "shank", "shin", "upleg", "uleg", "lleg", "toe",  "toes",  "lowerleg", "upperleg"},
     Role::LeftHip,
     Role::LeftKnee,
     Role::LeftFoot},
    {{"arm", "shoulder", "elbow", "wrist", "hand", "forearm", "upperarm", "lowerarm", "uparm", "humerus", "clavicle", "collar", "shldr"},
     Role::LeftShoulder,
     Role::LeftElbow,
     Role::LeftHand}};
constexpr double kSameHeight = 0.2;     // of a leg's length: ends of limbs within this height are all feet
constexpr double kForwardReach = 0.02;  // of a leg's length: soles that reach less far do not tell where forward is

class LimbFinder {
 public:
  LimbFinder(const Kinematics& zero, const std::vector<Vec3>& surface, const RoleMap& given, FigureParts& out)
      : kinematics_(zero), model_(zero.model()), surface_(surface), given_(given), out_(out), names_(model_.bodies.size()) {
    const figure::Skeleton& s = *model_.skeleton;
    for (std::size_t b = 0; b < names_.size(); b++)
      for (const figure::JointDescription& j : s.joints)
        if (!j.loop && j.child == model_.bodyLink[b] && model_.bodies[b].parent >= 0)
          names_[b] = {words(j.name), words(s.links[static_cast<std::size_t>(j.child)].name)};
  }

  std::string find() {
    if (std::string wrong = checkGiven(); !wrong.empty()) return wrong;
    for (int side = 0; side < 2; side++) {
      if (std::string wrong = byName(side, kLimbWords[0], out_.legs[side]); !wrong.empty()) return wrong;
      byName(side, kLimbWords[1], out_.arms[side]);
    }
    const bool legs = !out_.legs[0].chain.empty() && !out_.legs[1].chain.empty();
    const bool arms = !out_.arms[0].chain.empty() || !out_.arms[1].chain.empty();
    std::string unknown;
    if (!legs || !arms) unknown = byShape(legs, arms);
    for (int side = 0; side < 2; side++)
      for (int k = 0; k < 2; k++)
        if (std::string wrong = byMap(side, kLimbWords[k], k == 0 ? out_.legs[side] : out_.arms[side]); !wrong.empty()) return wrong;
    for (const auto* both : {&out_.legs, &out_.arms})
      for (int body : (*both)[0].chain)
        if (const std::vector<int>& other = (*both)[1].chain; std::find(other.begin(), other.end(), body) != other.end())
          return "link '" + linkName(body) + "' would be part of limbs of both sides; name other links in the map";
    findHead(!legs);
    for (int side = 0; side < 2; side++)
      if (out_.legs[side].chain.empty())
        return std::string("no part was found for the role ") + nameOf(sided(side, Role::LeftHip)) + ": " +
               (unknown.empty() ? "its joints' names and its shape show no leg there" : unknown);
    return {};
  }

 private:
  int parent(int body) const { return model_.bodies[static_cast<std::size_t>(body)].parent; }
  Vec3 origin(int body) const { return kinematics_.linkPose(model_.bodyLink[static_cast<std::size_t>(body)]).p; }
  const std::string& linkName(int body) const {
    return model_.skeleton->links[static_cast<std::size_t>(model_.bodyLink[static_cast<std::size_t>(body)])].name;
  }
  int givenBody(Role r) const {
    const std::string& name = given_.link[r];
    if (name.empty()) return -1;
    for (std::size_t l = 0; l < model_.skeleton->links.size(); l++)
      if (model_.skeleton->links[l].name == name) return model_.links[l].body;
    return -1;
  }

  std::string checkGiven() {
    for (int r = 0; r < kRoles; r++) {
      const Role role = static_cast<Role>(r);
      if (given_.link[role].empty()) continue;
      const std::string which = "'" + given_.link[role] + "', which the map gives for " + nameOf(role);
      if (role == Role::LeftToe || role == Role::RightToe) return "link " + which + ": toes are taken from motions only";
      if (givenBody(role) < 0) return "it has no link " + which;
    }
    out_.pelvis = givenBody(Role::Pelvis);
    return {};
  }

  // Whether the names of a body say the side, and not that it is a finger, an eye, or what drives a limb.
  bool onSide(int body, int side) const {
    const std::vector<std::vector<std::string>>& names = names_[static_cast<std::size_t>(body)];
    const auto apart = [](const std::vector<std::string>& w) {
      return anyOf(w, {"finger", "fingers", "thumb", "index", "mid", "middle", "ring", "pinky", "little", "gripper", "claw", "jaw", "eye",
                       "fingertip", "knuckle", "rod", "achilles", "actuator", "crank"});
    };
    return std::none_of(names.begin(), names.end(), apart) &&
           std::any_of(names.begin(), names.end(), [&](const std::vector<std::string>& w) { return sideOf(w) == side; });
  }
  bool belongs(int body, int side, const Limb& limb) const {
    const std::vector<std::vector<std::string>>& names = names_[static_cast<std::size_t>(body)];
    return onSide(body, side) && std::any_of(names.begin(), names.end(),
                                             [&](const std::vector<std::string>& w) { return sideOf(w) == side && anyOf(w, limb.words); });
  }

  std::vector<int> path(int first, int last) const {  // empty unless the last is under the first
    std::vector<int> out;
    for (int at = last; at >= 0; at = parent(at)) {
      out.push_back(at);
      if (at != first) continue;
      std::reverse(out.begin(), out.end());
      return out;
    }
    return {};
  }

  // The longest path whose bodies' names say side and limb. Two legs of a side: more than two in all.
  std::string byName(int side, const Limb& limb, LimbBodies& out) const {
    struct Path {
      int count = 0, first = -1;  // of bodies that belong, from the root to here; the uppermost of them
      bool own = false;
    };
    std::vector<Path> to(model_.bodies.size());
    int last = -1;
    for (int b = 0; b < static_cast<int>(to.size()); b++) {  // parents first
      Path& p = to[static_cast<std::size_t>(b)];
      if (parent(b) >= 0) p = to[static_cast<std::size_t>(parent(b))];
      p.own = belongs(b, side, limb);
      if (!p.own) continue;
      p.count++;
      if (p.first < 0) p.first = b;
      if (last < 0 || p.count > to[static_cast<std::size_t>(last)].count) last = b;
    }
    if (last < 0 || to[static_cast<std::size_t>(last)].count < 2) return {};
    const Path longest = to[static_cast<std::size_t>(last)];
    if (limb.end == Role::LeftFoot && givenBody(sided(side, limb.end)) < 0)
      for (const Path& other : to)
        if (other.own && other.count + 1 >= longest.count && other.count > 1 && other.first != longest.first)
          return "it has more than one leg on a side, '" + linkName(longest.first) + "' and '" + linkName(other.first) +
                 "'; a map says which to take";
    out.chain = lengthened(longest.first, last, side);
    if (limb.end == Role::LeftHand) endBeforeFingers(side, limb, out.chain);
    return {};
  }

  // A path, and what continues it on the same side up to where the figure forks: names of some bodies may not say the limb.
  std::vector<int> lengthened(int first, int last, int side) const {
    const auto single = [&](int body) { return children(body) == 1 && onSide(body, side); };
    while (parent(parent(first)) >= 0 && single(parent(first))) first = parent(first);
    for (int below = onlyChild(last); below >= 0 && onSide(below, side); below = onlyChild(last)) last = below;
    return path(first, last);
  }

  // A hand carries fingers, which may be named as it is: the limb ends where two or more such branches start.
  void endBeforeFingers(int side, const Limb& limb, std::vector<int>& chain) const {
    constexpr double kFinger = 0.5;  // of the limb down to there; what is longer is no finger
    for (std::size_t i = 1; i + 1 < chain.size(); i++) {
      int branches = 0;
      for (int b = 0; b < static_cast<int>(model_.bodies.size()); b++) branches += parent(b) == chain[i] && belongs(b, side, limb);
      const double finger = (origin(chain.back()) - origin(chain[i + 1])).norm(), above = (origin(chain[i]) - origin(chain[0])).norm();
      if (branches > 1 && finger < kFinger * above) chain.resize(i + 1);
    }
  }

  // A map's names put together with what was found: the limb runs from its first to its last link.
  std::string byMap(int side, const Limb& limb, LimbBodies& out) const {
    const int top = givenBody(sided(side, limb.top)), middle = givenBody(sided(side, limb.middle)), end = givenBody(sided(side, limb.end));
    if (top < 0 && middle < 0 && end < 0) return {};
    int last = end, first = top;
    if (last < 0) {
      const int within = middle >= 0 ? middle : top;
      const bool known = !out.chain.empty() && !path(within, out.chain.back()).empty();
      last = known ? out.chain.back() : furthest(within);
    }
    if (first < 0) {
      first = last;
      for (int at = last; at >= 0; at = parent(at))
        if (belongs(at, side, limb)) first = at;
      if (first == last || (middle >= 0 && path(first, middle).empty()))  // names say nothing: up to where the figure forks
        for (first = middle >= 0 ? middle : last; parent(first) >= 0 && children(parent(first)) < 2;) first = parent(first);
    }
    out.chain = path(first, last);
    const auto bad = [&](const std::string& what) {
      out = {};
      return "the links that the map gives for " + std::string(nameOf(sided(side, limb.top))) + ", " + nameOf(sided(side, limb.middle)) +
             " and " + nameOf(sided(side, limb.end)) + " " + what;
    };
    if (out.chain.size() < 2 || parent(first) < 0) return bad("are no limb with two joints or more");
    if (middle >= 0 && (middle == first || std::find(out.chain.begin(), out.chain.end(), middle) == out.chain.end()))
      return bad("are not one below the other");
    out.middle = middle;
    return {};
  }

  int children(int body) const {
    return static_cast<int>(std::count_if(model_.bodies.begin(), model_.bodies.end(), [&](const auto& b) { return b.parent == body; }));
  }
  int onlyChild(int body) const {  // -1: none, or more than one
    if (children(body) != 1) return -1;
    const auto of = [&](const auto& b) { return b.parent == body; };
    return static_cast<int>(std::find_if(model_.bodies.begin(), model_.bodies.end(), of) - model_.bodies.begin());
  }
  int furthest(int body) const {  // the end of the longest line of descent
    int best = body;
    std::size_t most = 0;
    for (int b = 0; b < static_cast<int>(model_.bodies.size()); b++)
      if (const std::size_t n = path(body, b).size(); n > most) {
        most = n;
        best = b;
      }
    return best;
  }

  // Legs: the pair of equal branches that reaches farthest to one side of the figure, arms the longest other pair.
  std::string byShape(bool legsKnown, bool armsKnown) {
    std::vector<Node> nodes;
    for (int b = 0; b < static_cast<int>(model_.bodies.size()); b++) nodes.push_back({parent(b), origin(b)});
    const std::vector<Pair> pairs = mirroredPairs(nodes);
    const auto reach = [&](const Pair& p) {
      return Vec3(0.5 * (origin(p.side[0].chain.back()) + origin(p.side[1].chain.back())) - origin(p.side[0].chain[0]) * 0.5 -
                  origin(p.side[1].chain[0]) * 0.5);
    };
    const auto partOf = [](const LimbBodies(&limbs)[2], const Pair& p) {
      for (const LimbBodies& l : limbs)
        for (int body : l.chain)
          for (const Branch& b : p.side)
            if (std::find(b.chain.begin(), b.chain.end(), body) != b.chain.end()) return true;
      return false;
    };
    const Pair *legs = nullptr, *arms = nullptr;
    if (!legsKnown) {
      for (const Pair& p : pairs)
        if (!partOf(out_.arms, p) && p.side[0].chain.size() > 1 && (!legs || reach(p).norm() > reach(*legs).norm())) legs = &p;
      if (!legs) return "neither names nor shape tell its legs";
      const Vec3 down = reach(*legs).normalized(), foot = origin(legs->side[0].chain.back());
      for (const Pair& p : pairs)
        if (legs->count > 2 ||
            (&p != legs && !partOf(out_.arms, p) && down.dot(foot - origin(p.side[0].chain.back())) < kSameHeight * legs->total()))
          return "it seems to walk on more than two legs; a map says which two to take";
      const int left = leftOf(*legs, -down);
      if (left < 0) return "its legs do not tell left from right";
      for (int side = 0; side < 2; side++)
        if (out_.legs[side].chain.empty()) out_.legs[side].chain = legs->side[side == 0 ? left : 1 - left].chain;
      left_ = origin(out_.legs[0].chain[0]) - origin(out_.legs[1].chain[0]);
    } else {
      left_ = origin(out_.legs[0].chain[0]) - origin(out_.legs[1].chain[0]);
    }
    if (armsKnown) return {};
    for (const Pair& p : pairs)
      if (&p != legs && p.count == 2 && !partOf(out_.legs, p) && !partOf(out_.arms, p) && p.side[0].chain.size() > 1 &&
          (!arms || p.total() > arms->total()))
        arms = &p;
    if (!arms) return {};
    int left = named(*arms);
    if (left < 0) left = left_.dot(origin(arms->side[0].chain[0]) - origin(arms->side[1].chain[0])) > 0 ? 0 : 1;
    for (int side = 0; side < 2; side++) out_.arms[side].chain = arms->side[side == 0 ? left : 1 - left].chain;
    return {};
  }

  int named(const Pair& p) const {
    int votes = 0;
    for (int k = 0; k < 2; k++)
      for (int b : p.side[k].chain)
        for (const std::vector<std::string>& w : names_[static_cast<std::size_t>(b)])
          if (const int side = sideOf(w); side >= 0) votes += side == k ? 1 : -1;
    return votes == 0 ? -1 : votes > 0 ? 0 : 1;
  }

  // How far the limits of a knee, a hinge, have it bend: the way that the end of its leg goes, of its length.
  Vec3 bends(const Bend& knee) const {
    constexpr double kOneSided = 0.3;  // rad, from straight to the middle of its limits
    const figure::Skeleton& s = *model_.skeleton;
    const auto joint = std::find_if(s.joints.begin(), s.joints.end(), [&](const figure::JointDescription& j) {
      return !j.loop && j.child == model_.bodyLink[static_cast<std::size_t>(knee.middle)];
    });
    if (joint == s.joints.end() || joint->type != dynamics::JointType::Revolute) return Vec3::Zero();
    const double middle = 0.5 * (joint->axes[0].lower + joint->axes[0].upper);
    if (!(std::fabs(middle) > kOneSided) || !std::isfinite(middle)) return Vec3::Zero();
    const Vec3 shin = origin(knee.end) - origin(knee.middle);
    return (middle > 0 ? 1 : -1) * kinematics_.axis(knee.middle).cross(shin) / shin.norm();
  }

  // Names; else two of three: feet reach forward, knees have the shin go backward, and y of the root link points left, as robots' axes do
  // by custom (REP 103). Where two differ: the first of them.
  int leftOf(const Pair& p, const Vec3& up) const {
    if (const int left = named(p); left >= 0) return left;
    const Vec3 across = origin(p.side[0].chain[0]) - origin(p.side[1].chain[0]);
    const Vec3 forward = across.cross(up).normalized();
    double feet = 0, knees = 0;
    for (const Branch& b : p.side) {
      Bend bend;
      const bool bent = bendOf(p, &b == &p.side[1] ? 1 : 0, bend);
      feet += 0.5 * forward.dot(surface_[static_cast<std::size_t>(b.chain.back())] - origin(bent ? bend.end : b.chain.back()));
      if (bent) knees -= 0.5 * forward.dot(bends(bend));
    }
    const auto vote = [](double told, double least) { return told > least ? 1 : told < -least ? -1 : 0; };
    const int byFeet = vote(feet, kForwardReach * p.total()), byKnees = vote(knees, 0.5);
    const int byAxes = up.z() > 0.9 ? vote(across.y(), 0.5 * across.norm()) : 0;
    for (const int told : {byFeet + byKnees + byAxes, byFeet, byKnees})
      if (told != 0) return told > 0 ? 0 : 1;
    return -1;
  }

  // Some write one letter before it: zhead.
  static bool namesHead(const std::vector<std::string>& w, const std::string& word) {
    return std::any_of(w.begin(), w.end(), [&](const std::string& one) {
      return one == word || (one.size() == word.size() + 1 && one.compare(1, word.size(), word) == 0);
    });
  }

  void findHead(bool shape) {
    const figure::Skeleton& s = *model_.skeleton;
    if (!given_.link[Role::Head].empty()) {
      for (std::size_t l = 0; l < s.links.size(); l++)
        if (s.links[l].name == given_.link[Role::Head]) out_.head = static_cast<int>(l);
      return;
    }
    for (const char* word : {"head", "neck"}) {
      if (out_.head < 0)
        for (const figure::LinkFrame& f : model_.frames)  // parents first
          if (namesHead(words(s.links[static_cast<std::size_t>(f.link)].name), word)) out_.head = f.link;
      if (out_.head < 0)
        for (std::size_t b = 0; b < names_.size(); b++)  // names of joints
          if (!names_[b].empty() && namesHead(names_[b][0], word)) out_.head = model_.bodyLink[b];
    }
    if (!shape || out_.head >= 0 || out_.legs[0].chain.empty() || out_.legs[1].chain.empty()) return;
    const Vec3 up = origin(out_.legs[0].chain[0]) - origin(out_.legs[0].chain.back());
    std::vector<bool> limb(model_.bodies.size(), false);
    for (const LimbBodies* l : {&out_.legs[0], &out_.legs[1], &out_.arms[0], &out_.arms[1]})
      if (!l->chain.empty()) limb[static_cast<std::size_t>(l->chain[0])] = true;
    double most = up.dot(origin(out_.arms[0].chain.empty() ? out_.legs[0].chain[0] : out_.arms[0].chain[0]));
    for (int b = 1; b < static_cast<int>(limb.size()); b++) {
      if (limb[static_cast<std::size_t>(parent(b))]) limb[static_cast<std::size_t>(b)] = true;
      if (limb[static_cast<std::size_t>(b)] || children(b) > 0 || up.dot(origin(b)) <= most) continue;
      most = up.dot(origin(b));
      out_.head = model_.bodyLink[static_cast<std::size_t>(b)];
    }
  }

  const Kinematics& kinematics_;
  const FigureModel& model_;
  const std::vector<Vec3>& surface_;
  const RoleMap& given_;
  FigureParts& out_;
  std::vector<std::vector<std::vector<std::string>>> names_;  // by body: words of its joint's and its link's name
  Vec3 left_ = Vec3::Zero();
};

}  // namespace

std::string findParts(const Kinematics& zero, const std::vector<Vec3>& surface, const RoleMap& given, FigureParts& out) {
  out = {};
  return LimbFinder(zero, surface, given, out).find();
}

}  // namespace vertebra::retarget
