// A heavy ball on a light chain, 10,000 : 1, at rest in joint coordinates and in free poses, and pushed: against short steps, which resolve
// the waves along the chain. Heavy boxes on light ones.
#include <cmath>

#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

struct Hanging {
  std::vector<int> bodies, joints;
  int ball() const { return bodies.back(); }
};

// `turn`: rotation of the whole figure, about its upper end.
Hanging hangBall(world::World& w, int links, dynamics::JointType type = dynamics::JointType::Spherical,
                 const Quat& turn = Quat::Identity()) {
  const double length = 0.1;
  Hanging c;
  const auto hang = [&](BodyDefinition d, const Vec3& inChild) {
    d.pose = Pose{Vec3::Zero(), turn} * d.pose;
    const int above = c.bodies.empty() ? -1 : c.bodies.back();
    c.bodies.push_back(w.createBody(d));
    c.joints.push_back(test::addJoint(w, type, above, c.bodies.back(), Vec3(0, 0, above < 0 ? 0 : -0.5 * length), inChild));
  };
  for (int i = 0; i < links; i++) {
    BodyDefinition d;
    d.pose.p = Vec3(0, 0, -length * (i + 0.5));
    d.mass = 0.01;
    d.inertia = Vec3(8.5e-6, 8.5e-6, 1e-6).asDiagonal();
    hang(d, Vec3(0, 0, 0.5 * length));
  }
  BodyDefinition ball;
  ball.pose.p = Vec3(0, 0, -length * links - 0.2);
  ball.mass = 100;
  ball.inertia = 1.6 * Mat3::Identity();
  hang(ball, Vec3(0, 0, 0.2));
  return c;
}

using Track = std::vector<std::vector<Vec3>>;  // velocities at every 1/240 s: of the ball, the link above it, one halfway

struct Swing {
  Track velocity{3};
  double gap = 0, drift = 0;  // m; J
};

Swing swing(int links, double push, int parts) {
  WorldSettings s;
  s.sleeping = false;
  s.timeStep = 1.0 / 240 / parts;
  world::World w(s);
  const Hanging c = hangBall(w, links);
  const double start = test::totalEnergy(w) + 0.5 * 100 * push * push;
  w.addImpulse(c.ball(), Vec3(100 * push, 0, 0), nullptr);
  Swing out;
  for (int i = 0; i < 480; i++) {
    test::advance(w, parts);
    const int watched[3] = {c.ball(), c.bodies[links - 1], c.bodies[links / 2]};
    for (int k = 0; k < 3; k++) {
      Vec3 v, omega;
      w.bodyTwist(watched[k], v, omega);
      out.velocity[k].push_back(v);
    }
    for (int j : c.joints) out.gap = std::max(out.gap, test::jointGap(w, j));
    if (i > 0) out.drift = std::max(out.drift, std::fabs(test::totalEnergy(w) - start));
  }
  return out;
}

// Largest second difference of velocities from step to step.
double roughness(const std::vector<Vec3>& v, std::size_t from = 0) {
  double worst = 0;
  for (std::size_t i = from + 3; i < v.size(); i++) worst = std::max(worst, (v[i] - 2 * v[i - 1] + v[i - 2]).norm());
  return worst;
}

}  // namespace

TEST_CASE("a heavy ball on a light chain: joints hold and nothing trembles", "[step]") {
  for (bool freePoses : {false, true}) {
    WorldSettings s;
    s.sleeping = false;
    s.freePoses = freePoses;
    s.energyAccount = true;
    world::World w(s);
    const Hanging c = hangBall(w, 10);
    double worst = 0, trembling = 0;
    for (int i = 0; i < 480; i++) {
      test::advance(w, 1);
      worst = std::max(worst, w.statistics().maxJointError);
      Vec3 v, omega;
      w.bodyTwist(c.bodies[5], v, omega);
      trembling = std::max(trembling, v.norm());
    }
    INFO("free poses " << freePoses << " joints " << worst << " trembling " << trembling);
    CHECK(worst <= 1e-9);
    CHECK(trembling < 1e-6);
  }
}

TEST_CASE("a heavy ball on a light chain, pushed, swings as smoothly as with short steps", "[step]") {
  for (int links : {8, 32})
    for (double push : {0.1, 1.0, 3.0}) {
      const Swing coarse = swing(links, push, 1), fine = swing(links, push, 64);
      double off = 0;  // the push moves the ball from the next step on: a step later than in the fine one
      for (std::size_t i = 0; i + 1 < 480; i++) off = std::max(off, (coarse.velocity[0][i + 1] - fine.velocity[0][i]).norm());
      double rough[3], real[3];
      for (int k = 0; k < 3; k++) {
        rough[k] = roughness(coarse.velocity[k]);
        real[k] = roughness(fine.velocity[k]);
      }
      INFO(links << " links, " << push << " m/s: ball " << rough[0] << " (" << real[0] << " with short steps), last link " << rough[1]
                 << " (" << real[1] << "), middle one " << rough[2] << " (" << real[2] << "); after 0.5 s "
                 << roughness(coarse.velocity[0], 120) << "; ball off by " << off << " m/s, energy by " << coarse.drift << " J");
      CHECK(coarse.gap <= 1e-9);
      CHECK(off < 0.01 * push * (1 + push));
      CHECK(rough[0] < 2 * real[0]);
      for (int k = 1; k < 3; k++) CHECK(rough[k] < 1.2 * real[k]);
      CHECK(roughness(coarse.velocity[0], 120) < 2e-3 * push * push + 1e-4);
      CHECK(coarse.drift < 0.01 * push * push);
    }
}

TEST_CASE("a heavy ball on a light chain with dry friction: first-order steps are as calm, and the account contains their loss", "[step]") {
  for (double step : {1.0 / 240, 1.0 / 960}) {
    WorldSettings s;
    s.sleeping = false;
    s.timeStep = step;
    s.energyAccount = true;
    world::World w(s);
    const Hanging c = hangBall(w, 8, dynamics::JointType::Revolute);
    dynamics::AxisParameters p;
    p.friction = 1e-3;
    for (int j : c.joints) REQUIRE_FALSE(w.setAxis(j, 0, p));
    const double start = test::totalEnergy(w);
    w.addImpulse(c.ball(), Vec3(100, 0, 0), nullptr);
    std::vector<Vec3> ball;
    for (int i = 0; i < 2 / step; i++) {
      test::advance(w, 1);
      Vec3 v, omega;
      w.bodyTwist(c.ball(), v, omega);
      ball.push_back(v);
    }
    const EnergyAccount e = w.energy();
    const double left = e.kinetic + e.potential - e.workDrives - e.workApplied + e.lostDamping + e.lostFriction + e.lostImpact +
                        e.lostClamp - e.corrected - e.discretisation - start;
    const std::size_t settled = static_cast<std::size_t>(0.5 / step);
    INFO("step " << step << ": ball " << roughness(ball) << ", after 0.5 s " << roughness(ball, settled) << " m/s; energy "
                 << e.kinetic + e.potential - start << " J of " << e.workApplied << ", steps' own error " << e.discretisation
                 << ", unexplained " << left);
    CHECK(roughness(ball) < 0.05);
    CHECK(roughness(ball, settled) < 0.01);
    CHECK(std::fabs(e.kinetic + e.potential - start - 50) < 1);
    CHECK(std::fabs(left) < 0.02);
  }
}

namespace {

struct Rest {
  double gap = 0, trembling = 0, sunk = 0;
};
// Along no axis, so that round-off can act in every direction.
Rest rest(WorldSettings s, int steps) {
  const Quat turn = Quat(0.8, 0.3, -0.4, 0.2).normalized();
  s.sleeping = false;
  s.gravity = turn * Vec3(0, 0, -9.81);
  world::World w(s);
  const Hanging c = hangBall(w, 10, dynamics::JointType::Spherical, turn);
  const Vec3 start = w.bodyPose(c.ball()).p;
  Rest r;
  for (int i = 0; i < steps; i++) {
    test::advance(w, 1);
    for (int j : c.joints) r.gap = std::max(r.gap, test::jointGap(w, j));
    for (int b : c.bodies) {
      Vec3 v, omega;
      w.bodyTwist(b, v, omega);
      if (2 * i >= steps) r.trembling = std::max(r.trembling, v.norm());
    }
  }
  r.sunk = (w.bodyPose(c.ball()).p - start).norm();
  return r;
}

}  // namespace

// The transverse frequency of the links is 2,000 rad/s, eight radians a step: articulated trees stay stable nevertheless. The other tree
// solvers, free poses, and the explicit stages of `ode` do not.
TEST_CASE("a heavy ball on a light chain rests at long steps where trees are articulated", "[step]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Spook}) {
    WorldSettings s;
    s.stepper = stepper;
    const Rest r = rest(s, 480);
    INFO("stepper " << static_cast<int>(stepper) << ": joints open by " << r.gap << " m, trembling " << r.trembling << " m/s, sunk by "
                    << r.sunk);
    CHECK(r.gap <= 1e-9);
    CHECK(r.trembling < 1e-6);
    CHECK(r.sunk < 1e-9);
  }
}

TEST_CASE("a heavy ball on a light chain rests under every stepper and tree solver at steps that resolve it", "[step]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode, Stepper::Spook, Stepper::Displacement})
    for (bool freePoses : {false, true})
      for (TreeSolver treeSolver : {TreeSolver::Articulated, TreeSolver::Sparse, TreeSolver::Dense}) {
        const bool sweeps = stepper == Stepper::Displacement, soft = stepper == Stepper::Spook && freePoses;
        if (sweeps && (freePoses || treeSolver != TreeSolver::Articulated))
          continue;  // sweeps, for free poses and other tree solvers, only with the chain unchanged
        WorldSettings s;
        s.timeStep = 1.0 / 2400;
        s.stepper = stepper;
        s.freePoses = freePoses;
        s.treeSolver = treeSolver;
        if (soft) s.solver = solve::Solver::Dantzig;  // all joints are soft rows then, which sweeps do not solve at this ratio
        if (sweeps) s.solverIterations = 500;
        const Rest r = rest(s, 480);
        INFO("stepper " << static_cast<int>(stepper) << ", free poses " << freePoses << ", tree solver " << static_cast<int>(treeSolver)
                        << ": joints open by " << r.gap << " m, trembling " << r.trembling << " m/s, sunk by " << r.sunk);
        if (soft) {  // the springs of SPOOK's compliance carry the load
          double sum = 0;
          for (int k = 0; k < 11; k++) sum += s.spookCompliance * 9.81 * (100 + 0.01 * k);
          CHECK(r.gap == Approx(s.spookCompliance * 9.81 * 100.1).epsilon(1e-4));
          CHECK(r.sunk == Approx(sum).epsilon(1e-3));
          CHECK(r.trembling < 1e-6);
          continue;
        }
        // Gauss-Seidel on positions does not converge at such a ratio in any practical number of sweeps.
        CHECK(r.gap <= (sweeps ? 5e-4 : 1e-9));
        CHECK(r.trembling < (sweeps ? 0.3 : 1e-9));
        CHECK(r.sunk < (sweeps ? 1e-3 : 1e-9));
      }
}

TEST_CASE("light links that whip do not throw the heavy bodies that they tie") {
  // Two bodies of 10 kg at rest, tied by a zigzag of four links of 10 g each. Its middle runs across at 10 m/s, so that the links turn by
  // 0.2 rad in a step while the bodies stay: what the links' inertia forces give them is 5 mm/s. Dry friction makes the steps those of
  // first order, in which joints turn at constant rates. The bodies in the order of links and against it.
  for (const bool backwards : {false, true}) {
    WorldSettings s = test::awake(Stepper::Impulse, 240);
    s.gravity.setZero();
    world::World w(s);
    const Vec3 corner[5] = {{0, 0, 0}, {0.1, 0, 0.1}, {0.2, 0, 0}, {0.3, 0, 0.1}, {0.4, 0, 0}};
    std::vector<int> bodies, joints;
    const auto add = [&](const Vec3& p, double mass, double moment) {
      BodyDefinition d;
      d.pose.p = p;
      d.mass = mass;
      d.inertia = moment * Mat3::Identity();
      bodies.push_back(w.createBody(d));
    };
    const auto at = [&](int k) { return corner[backwards ? 4 - k : k]; };
    add(at(0), 10, 0.1);
    for (int k = 0; k < 4; k++) add(0.5 * (at(k) + at(k + 1)), 0.01, 2e-5);
    add(at(4), 10, 0.1);
    for (int k = 0; k < 5; k++) {
      const int a = bodies[k], b = bodies[k + 1];
      joints.push_back(test::addJoint(w, dynamics::JointType::Revolute, a, b, at(k) - w.bodyPose(a).p, at(k) - w.bodyPose(b).p));
    }
    dynamics::AxisParameters rubbing;
    rubbing.friction = 1e-9;
    REQUIRE_FALSE(w.setAxis(joints[0], 0, rubbing));
    // Two links turn at -50 rad/s about y and two at 50.
    const double turn = backwards ? 50 : -50, rates[5] = {turn, 0, -2 * turn, 0, turn};
    for (int k = 0; k < 5; k++) REQUIRE_FALSE(w.setJointState(joints[k], nullptr, &rates[k]));
    Vec3 v, omega;
    for (const int end : {0, 5}) {
      w.bodyTwist(bodies[end], v, omega);
      REQUIRE(v.norm() < 1e-12);
    }
    test::advance(w, 1);
    for (const int end : {0, 5}) {
      const double way = (w.bodyPose(bodies[end]).p - at(end == 0 ? 0 : 4)).norm();
      INFO("backwards " << backwards << ", body " << end << " moved by " << way);
      CHECK(way < 1e-4);
    }
    for (const int joint : joints) CHECK(test::jointGap(w, joint) < 1e-12);
  }
}

// A contact's softness, as a share of what the row itself moves, let the lowest of these boxes sink by 24 mm at 1/240 s and by 30 mm at
// 1/60 s under 3,900 times its weight.
TEST_CASE("light boxes bear heavy ones: none sinks, trembles or leaves its place", "[step]") {
  for (Stepper stepper : {Stepper::Impulse, Stepper::Variational})
    for (double h : {1.0 / 240, 1.0 / 60})
      for (solve::Solver solver : {solve::Solver::Pgs, solve::Solver::Dantzig})
        for (double ratio : {2.0, 3.0, 5.0}) {
          WorldSettings s;
          s.stepper = stepper;
          s.timeStep = h;
          s.solver = solver;
          s.sleeping = false;
          world::World w(s);
          test::addGround(w, 0.6, 0);
          std::vector<int> boxes;
          for (int i = 0; i < 6; i++)
            boxes.push_back(test::addBox(w, Vec3(0.1, 0.1, 0.1), std::pow(ratio, i), Vec3(0, 0, 0.1 + 0.2 * i), 0.6, 0));
          double deep = 0, fast = 0, far = 0;
          int unsolved = 0;
          const int steps = static_cast<int>(std::lround(8 / h));
          for (int i = 0; i < steps; i++) {
            REQUIRE_FALSE(w.step());
            deep = std::max(deep, w.statistics().maxPenetration);
            unsolved += w.statistics().unsolved;
            for (std::size_t k = 0; k < boxes.size(); k++) {
              Vec3 v, omega;
              w.bodyTwist(boxes[k], v, omega);
              if (i > steps / 2) fast = std::max(fast, v.norm());
              far = std::max(far, (w.bodyPose(boxes[k]).p - Vec3(0, 0, 0.1 + 0.2 * k)).norm());
            }
          }
          INFO("stepper " << int(stepper) << ", step 1/" << std::lround(1 / h) << ", solver " << int(solver) << ", ratio " << ratio);
          CHECK(deep < 3e-3);
          CHECK(fast < 2e-3);
          CHECK(far < 0.015);
          CHECK(unsolved == 0);
        }
}
