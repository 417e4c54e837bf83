// Records as they come: floors that lean, a T-pose before or behind the motion.
#include "engine/retarget/source.hpp"

#include "engine/retarget/floor.hpp"
#include "engine/retarget/online.hpp"
#include "engine/retarget/retarget.hpp"
#include "tests/engine/retarget/walker.hpp"

using namespace vertebra;
using namespace vertebra::retarget;

namespace {

// The walk (along +x of the world, turned by heading) on a floor that rises along the way, m/m.
figure::Motion climbing(double slope, double heading = 0) {
  figure::Motion m = walker::motion(walker::bvh(4, 30, {}, 1, heading));
  const Vec3 way(std::sin(heading), 0, std::cos(heading));  // of the file, Y up
  for (int i = 0; i < m.frames(); i++) {
    double* row = m.values.data() + static_cast<std::ptrdiff_t>(i) * m.channelCount;
    row[1] += slope * Vec3(row[0], row[1], row[2]).dot(way);
  }
  return m;
}

Source read(const figure::Motion& m) {
  Source s;
  REQUIRE(readSource(m, 0, {}, s).empty());
  return s;
}

// Height of the lower foot's lowest point, largest over the frames in which the level walk has a foot down; m.
double highest(const figure::Trajectory& t, const Target& target, const Source& levelWalk) {
  Kinematics k(target.model);
  double out = -kInf;
  for (int i = 0; i < t.frames(); i++) {
    if (!levelWalk.inContact[0][static_cast<std::size_t>(i)] && !levelWalk.inContact[1][static_cast<std::size_t>(i)]) continue;
    k.update(t.frame(i));
    double low = kInf;
    for (int side = 0; side < 2; side++)
      for (const figure::SurfacePoint& b : target.model->surface()[static_cast<std::size_t>(target.ankle[side].body)])
        low = std::min(low, k.position({target.ankle[side].body, b.point}).z() - b.radius);
    out = std::max(out, low);
  }
  return out;
}

}  // namespace

TEST_CASE("a walk on a floor that leans is a walk on a level one") {
  const Source plain = read(climbing(0));
  REQUIRE(plain.slope.isZero(0));
  const auto model = walker::model(walker::robot());
  Target target;
  REQUIRE(readTarget(model, {}, target).empty());
  for (const double slope : {0.01, -0.03, 0.08})
    for (const double heading : {0.0, 0.7}) {
      INFO("slope " << slope << ", heading " << heading);
      const figure::Motion walk = climbing(slope, heading);
      const Source source = read(walk);
      CHECK(source.slope.norm() == Approx(std::fabs(slope)).margin(1e-3));
      for (int side = 0; side < 2; side++) CHECK(source.contacts[side].size() == plain.contacts[side].size());
      Result result;
      REQUIRE(retarget::retarget(walk, model, {}, result).empty());
      CHECK(result.slope == source.slope);
      CHECK(highest(result.trajectory, target, plain) < 2e-3);
      // Frame by frame too.
      std::unique_ptr<Online> online;
      REQUIRE(Online::create(walk, model, {}, 0.1, online).empty());
      std::vector<Pose> poses(walk.joints.size());
      std::vector<double> q(static_cast<std::size_t>(online->nq()));
      figure::Trajectory made = result.trajectory;
      made.q.clear();
      const auto keep = [&](bool given) {
        if (given) made.q.insert(made.q.end(), q.begin(), q.end());
        return given;
      };
      for (int i = 0; i < walk.frames(); i++) {
        figure::motionWorldPoses(walk, walk.frame(i), false, poses.data());
        keep(online->push(poses.data(), q.data()));
      }
      while (keep(online->finish(q.data()))) continue;
      REQUIRE(made.frames() == walk.frames());
      CHECK(highest(made, target, plain) < 2e-3);
    }
}

TEST_CASE("stairs, a platform, and steps on one place are no floor that leans") {
  CHECK(read(climbing(0.25)).slope.isZero(0));
  figure::Motion platform = climbing(0);  // 0.2 m up in the middle of the way: a plane through both floors would lean by 0.08
  for (int i = platform.frames() / 2; i < platform.frames(); i++)
    platform.values[static_cast<std::size_t>(i) * static_cast<std::size_t>(platform.channelCount) + 1] += 20;
  CHECK(read(platform).slope.isZero(0));
  figure::Motion place = climbing(0.05);
  for (int i = 0; i < place.frames(); i++) {
    double* row = place.values.data() + static_cast<std::ptrdiff_t>(i) * place.channelCount;
    row[2] *= 0.05;
  }
  CHECK(read(place).slope.isZero(0));
}

TEST_CASE("a T-pose before or behind the motion is not retargeted") {
  const figure::Motion walk = climbing(0);
  CHECK(read(walk).foreignFirst == 0);
  CHECK(read(walk).foreignLast == 0);
  const auto model = walker::model(walker::robot());
  Result plain;
  REQUIRE(retarget::retarget(walk, model, {}, plain).empty());
  for (const bool first : {true, false}) {
    INFO((first ? "first" : "last"));
    figure::Motion odd = walk;
    const int at = first ? 0 : walk.frames() - 1;
    std::fill_n(odd.values.begin() + static_cast<std::ptrdiff_t>(at) * odd.channelCount + 3, odd.channelCount - 3, 0.0);
    const Source source = read(odd);
    CHECK(source.foreignFirst == (first ? 1 : 0));
    CHECK(source.foreignLast == (first ? 0 : 1));
    Result result;
    REQUIRE(retarget::retarget(odd, model, {}, result).empty());
    CHECK(result.foreignFirst == source.foreignFirst);
    CHECK(result.foreignLast == source.foreignLast);
    REQUIRE(result.trajectory.q.size() == plain.trajectory.q.size());
    for (std::size_t k = 0; k < plain.trajectory.q.size(); k++) CHECK(std::fabs(result.trajectory.q[k] - plain.trajectory.q[k]) < 0.05);
  }
}

TEST_CASE("a T-pose held for some frames before or behind the motion is not retargeted") {
  const figure::Motion walk = climbing(0);
  for (const bool first : {true, false})
    for (const int held : {2, 10, 30}) {
      INFO(held << " frames " << (first ? "first" : "last"));
      figure::Motion odd = walk;
      const std::vector<double> pose(static_cast<std::size_t>(held * walk.channelCount), 0);  // also at another place
      odd.values.insert(first ? odd.values.begin() : odd.values.end(), pose.begin(), pose.end());
      const Source source = read(odd), plain = read(walk);
      CHECK(source.foreignFirst == (first ? held : 0));
      CHECK(source.foreignLast == (first ? 0 : held));
      CHECK(source.floor == Approx(plain.floor).margin(5e-3));
      for (int side = 0; side < 2; side++) CHECK(source.contacts[side].size() == plain.contacts[side].size());
      const SourceFrame& end = source.frames[first ? 0 : source.frames.size() - 1];
      const SourceFrame& nearest = first ? plain.frames.front() : plain.frames.back();
      CHECK((end.p[Role::LeftHand] - nearest.p[Role::LeftHand]).norm() < 1e-9);
    }
  // Who stands still before walking is no other pose.
  figure::Motion waits = walk;
  for (int i = 0; i < 20; i++) waits.values.insert(waits.values.begin(), walk.values.begin(), walk.values.begin() + walk.channelCount);
  CHECK(read(waits).foreignFirst == 0);
}
