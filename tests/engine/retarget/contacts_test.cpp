// Which feet a record has on the ground, and how they lie there.
#include <random>

#include "engine/retarget/goals.hpp"
#include "tests/engine/retarget/walker.hpp"

using namespace vertebra;
using namespace vertebra::retarget;

namespace {

struct LegBend {
  double hip = 0, knee = 0, ankle = 0;  // degrees about the file's X
};

struct Stance {
  double height = 90;  // cm, of the hips
  LegBend left, right;
};
constexpr double kOnKnees = walker::kThigh + 3.3;
constexpr LegBend kFolded{0, 90, 60}, kRaised{-60, 90, 0};  // shin and instep on the ground; foot held up

// Poses held for so many seconds, one after the other, half a second between them, in which the feet leave the ground.
figure::Motion holding(const std::vector<std::pair<Stance, double>>& poses) {
  figure::Motion m = walker::motion(walker::bvh(0));
  const std::vector<double> still(static_cast<std::size_t>(m.channelCount), 0);
  m.values.clear();
  const auto put = [&](const Stance& a, const Stance& b, double x) {
    std::vector<double> row = still;
    const auto mix = [&](double from, double to) { return from + x * (to - from); };
    row[1] = mix(a.height, b.height) + 100 * x * (1 - x);
    for (std::size_t side = 0; side < 2; side++) {
      const LegBend &from = side ? a.right : a.left, &to = side ? b.right : b.left;
      double* leg = row.data() + 6 + 12 * side;
      leg[1] = mix(from.hip, to.hip), leg[4] = mix(from.knee, to.knee), leg[7] = mix(from.ankle, to.ankle);
    }
    m.values.insert(m.values.end(), row.begin(), row.end());
  };
  for (std::size_t k = 0; k < poses.size(); k++) {
    for (int i = 0; k > 0 && i < 15; i++) put(poses[k - 1].first, poses[k].first, walker::smooth(i / 15.0));
    for (int i = 0; i < 30 * poses[k].second; i++) put(poses[k].first, poses[k].first, 0);
  }
  return m;
}

Source sourceOf(const figure::Motion& m) {
  Source s;
  REQUIRE(readSource(m, 0, {}, s).empty());
  return s;
}

// How upright the figure's sole is where the source stands as in the frame: cosine.
double uprightSole(const Source& source, const SourceFrame& frame, int side) {
  Target target;
  REQUIRE(readTarget(walker::model(walker::robot()), {}, target).empty());
  const Role foot = sided(side, Role::LeftFoot);
  const Mat3 turn = frame.R[foot] * alignFoot(source, target, side).offset * target.upright[foot].transpose();
  return turn(2, 2);
}

}  // namespace

TEST_CASE("feet that kneel for longer than they stand lie flat where they stand") {
  const Stance kneels{kOnKnees, kFolded, kFolded}, halfKneels{kOnKnees, kFolded, {-90, 90, 0}};
  for (const Stance& down : {kneels, halfKneels}) {
    const Source both = sourceOf(holding({{Stance{}, 1}, {down, 4}}));
    REQUIRE(both.contacts[0].size() == 2);
    for (int side = 0; side < 2; side++) CHECK(uprightSole(both, both.frames[5], side) > 0.999);
  }
  // One that never stands is flat as it is at rest.
  const Source never = sourceOf(holding({{kneels, 2}}));
  for (int side = 0; side < 2; side++) CHECK(uprightSole(never, never.rest, side) > 0.999);
}

TEST_CASE("a foot that is held up and still in all of the clip is not on the ground") {
  const Source s = sourceOf(holding({{Stance{90, {}, kRaised}, 3}}));
  CHECK(s.contacts[0].size() == 1);
  CHECK(s.contacts[1].empty());
}

TEST_CASE("where no foot comes down the floor is under what lies on it") {
  const LegBend up{-170, 0, 0};
  const Source s = sourceOf(holding({{Stance{10, up, up}, 2}}));
  CHECK(s.floor < 0.1);
  CHECK(s.floor > 0);
  for (int side = 0; side < 2; side++) CHECK(s.contacts[side].empty());
}

TEST_CASE("noise of the record hides no contact, however many frames a second it has") {
  const std::size_t steps = sourceOf(walker::motion(walker::bvh(4))).contacts[0].size();
  REQUIRE(steps > 2);
  for (const double rate : {60.0, 120.0, 240.0}) {
    INFO(rate << " frames a second");
    figure::Motion m = walker::motion(walker::bvh(4, rate));
    std::mt19937 random(1);
    for (double& value : m.values) value += 0.2 * (static_cast<double>(random()) / 4294967295.0 - 0.5);
    CHECK(sourceOf(m).contacts[0].size() == steps);
  }
}
