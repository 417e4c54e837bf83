// A heavy ball on a chain of light links, let go level, that swings into a wall of boxes or past where it stood: its links whip, and where
// rows act a step does not foresee their motion. Whatever a step gains there is dropped or told: no scene gains energy.
#include <string>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

struct Wrecking {
  double gain = -kInf;  // J, the largest above that of the start
  double gap = 0;       // m, the largest of a joint at the end
  double weight = 0;    // N
  int unsolved = 0;
  std::string failure;
};

Wrecking wreck(Stepper stepper, double rate, int links, double ballMass, bool wall, double seconds) {
  constexpr double kLength = 0.1, kHeight = 2.5, kLinkMass = 0.05;
  world::World w(test::awake(stepper, rate));
  test::addGround(w, 0.5, 0);
  std::vector<int> joints;
  int above = -1;
  for (int i = 0; i < links; i++) {
    BodyDefinition d;
    d.pose.p = Vec3(-(i + 0.5) * kLength, 0, kHeight);
    d.mass = kLinkMass;
    const int link = w.createBody(d);
    const Pose along{Vec3::Zero(), Quat(Eigen::AngleAxisd(kPi / 2, Vec3::UnitY()))};
    test::addShape(w, link, geometry::ShapeType::Capsule, Vec3(0.02, 0.03, 0), 0.5, 0, along);
    REQUIRE_FALSE(w.setBodyMassFromShapes(link, 0, kLinkMass));
    const Vec3 end(-0.5 * kLength, 0, 0), place = above < 0 ? Vec3(0, 0, kHeight) : end;
    joints.push_back(test::addJoint(w, dynamics::JointType::Spherical, above, link, place, -end));
    above = link;
  }
  const int ball = test::addBall(w, 0.2, ballMass, Vec3(-links * kLength - 0.2, 0, kHeight), 0.5, 0);
  joints.push_back(test::addJoint(w, dynamics::JointType::Spherical, above, ball, Vec3(-0.5 * kLength, 0, 0), Vec3(0.2, 0, 0)));
  for (int i = 0; wall && i < 25; i++)
    test::addBox(w, Vec3::Constant(0.1), 1, Vec3(0.35, -0.4 + 0.2 * (i % 5), 0.1 + 0.2 * (i / 5)), 0.5, 0);
  Wrecking out;
  out.weight = 9.81 * (ballMass + links * kLinkMass + (wall ? 25 : 0));
  const double start = test::totalEnergy(w);
  for (int i = 0; i < seconds * rate && out.failure.empty(); i++) {
    w.resetStatistics();
    if (const Failure f = w.step()) out.failure = f.text();
    out.unsolved += w.statistics().unsolved;
    out.gain = std::max(out.gain, test::totalEnergy(w) - start);
  }
  for (int joint : joints) out.gap = std::max(out.gap, test::jointGap(w, joint));
  return out;
}

}  // namespace

TEST_CASE("a heavy ball that falls on a light chain, against a wall or past it, gains no energy", "[step]") {
  for (const Stepper stepper : {Stepper::Impulse, Stepper::Spook, Stepper::Variational})
    for (const auto& [rate, links] : {std::pair(60.0, 20), std::pair(240.0, 20), std::pair(60.0, 5), std::pair(240.0, 10)})
      for (const double ball : {5.0, 50.0, 200.0})
        for (const bool wall : {false, true}) {
          const Wrecking r = wreck(stepper, rate, links, ball, wall, 4);
          INFO("stepper " << static_cast<int>(stepper) << " at " << rate << " 1/s, " << links << " links, " << ball << " kg"
                          << (wall ? ", wall" : "") << ": gains " << r.gain << " J, " << 100 * r.gain / r.weight
                          << " % of weight x 1 m; unsolved " << r.unsolved << ", joints open " << r.gap << " m" << r.failure);
          CHECK(r.gap < 1e-9);
          CHECK(r.failure.empty());
          // Where rows act, steps are of first order: energies are off by half a step's work, h / 2 m g v, and that is not gained.
          constexpr double kFastest = 6.6;  // m/s, of the ball after a fall by 2.2 m
          CHECK(r.gain < (0.5 * kFastest / rate + 0.01) * r.weight);
        }
}
