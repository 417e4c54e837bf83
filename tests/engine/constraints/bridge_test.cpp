// Rope bridges: boards tied to each other and to two banks by several ball joints a gap, on a line across. Those of a gap are one hinge
// (trees/combined_joints.hpp); those at the second bank close a cycle and are rows, of which most follow from the others.
#include <algorithm>
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/world/scenes.hpp"

using namespace vertebra;

namespace {

constexpr double kLength = 0.5, kHalfWidth = 0.6, kAngle = 0.345;  // of a board; of the half arc on which the boards lie

struct Bridge {
  std::vector<int> boards, joints;
};

Bridge addBridge(world::World& w, int boards, int tied) {
  Bridge b;
  const double radius = kLength / (2 * std::sin(kAngle / boards));
  std::vector<Vec3> corner;
  for (int i = 0; i <= boards; i++) {
    const double a = -kAngle + 2 * kAngle * i / boards;
    corner.push_back(radius * Vec3(std::sin(a), 0, std::cos(kAngle) - std::cos(a)) + Vec3(0, 0, 8));
  }
  for (int i = 0; i < boards; i++) {
    const Vec3 along = corner[i + 1] - corner[i];
    BodyDefinition d;
    d.pose = {0.5 * (corner[i] + corner[i + 1]), quatFromAxisAngle(Vec3::UnitY(), -std::atan2(along.z(), along.x()))};
    const int body = w.createBody(d);
    test::addShape(w, body, geometry::ShapeType::Box, Vec3(0.23, kHalfWidth, 0.025), 0.6, 0);
    REQUIRE_FALSE(w.setBodyMassFromShapes(body, 0, 5));
    b.boards.push_back(body);
  }
  const auto tie = [&](int from, int to, const Vec3& at) {
    for (int k = 0; k < tied; k++) {
      const Vec3 point = at + Vec3(0, kHalfWidth * (-1 + 2.0 * k / (tied - 1)), 0);
      const Vec3 inA = from < 0 ? point : Vec3(w.bodyPose(from).inverse() * point);
      b.joints.push_back(test::addJoint(w, dynamics::JointType::Spherical, from, to, inA, w.bodyPose(to).inverse() * point));
    }
  };
  for (int i = 0; i < boards; i++) tie(i ? b.boards[i - 1] : -1, b.boards[i], corner[i]);
  tie(-1, b.boards.back(), corner[boards]);
  return b;
}

// The rows of the second bank alone, however long the bridge.
int rowsOf(int tied) { return 3 * tied; }

double widest(const world::World& w, const Bridge& b) {
  double most = 0;
  for (int joint : b.joints) most = std::max(most, test::jointGap(w, joint));
  return most;
}

}  // namespace

TEST_CASE("bridges with redundant joints stay closed as they swing", "[step]") {
  for (const Stepper stepper : {Stepper::Impulse, Stepper::Variational, Stepper::Ode})
    for (const TreeSolver trees : {TreeSolver::Articulated, TreeSolver::Sparse})
      for (const int boards : {3, 5, 10, 33, 80})
        for (const int tied : {2, 4}) {
          if (boards > 10 && trees == TreeSolver::Sparse) continue;  // a second each
          if (boards == 80 && stepper == Stepper::Ode) continue;
          WorldSettings s;
          s.stepper = stepper;
          s.treeSolver = trees;
          s.sleeping = false;
          world::World w(s);
          const Bridge bridge = addBridge(w, boards, tied);
          INFO(boards << " boards, " << tied << " joints a gap, stepper " << static_cast<int>(stepper) << ", tree solver "
                      << static_cast<int>(trees));
          double most = 0;
          for (int step = 0; step < 240; step++) {
            test::advance(w, 1);
            most = std::max(most, widest(w, bridge));
          }
          CHECK(most < 1e-9);
          CHECK(w.statistics().infeasible == 0);
          CHECK(w.statistics().unsolved == 0);
          if (stepper == Stepper::Impulse) CHECK(w.statistics().rows == rowsOf(tied));
          // The bridge hangs below the chord of its ends, and no board is above its place by more than the sag.
          for (int board : bridge.boards) CHECK(std::fabs(w.bodyPose(board).p.z() - 8) < 0.5 * kLength * boards * kAngle + kLength);
        }
}

TEST_CASE("a bridge with redundant joints bears heavy boxes that fall onto it", "[step]") {
  for (const int tied : {2, 4}) {
    WorldSettings s;
    s.sleeping = false;
    world::World w(s);
    const Bridge bridge = addBridge(w, 12, tied);
    for (int k = 0; k < 3; k++) test::addBox(w, Vec3(0.2, 0.2, 0.2), 100, Vec3(-1.2 + 1.2 * k, 0.1 * k, 8.6), 0.6, 0);
    double most = 0;
    for (int step = 0; step < 480; step++) {
      test::advance(w, 1);
      most = std::max(most, widest(w, bridge));
    }
    INFO(tied << " joints a gap");
    CHECK(most < 1e-9);
    CHECK(w.statistics().maxPenetration < 0.03);
  }
}

TEST_CASE("long bridges with redundant joints hold under spook", "[step]") {
  for (const int boards : {12, 40, 60})
    for (const int tied : {2, 4}) {
      WorldSettings s;
      s.stepper = Stepper::Spook;
      s.sleeping = false;
      world::World w(s);
      const Bridge bridge = addBridge(w, boards, tied);
      INFO(boards << " boards, " << tied << " joints a gap");
      double inside = 0, bank = 0;
      for (int step = 0; step < 240; step++) {
        test::advance(w, 1);
        for (std::size_t k = 0; k < bridge.joints.size(); k++)
          (k < bridge.joints.size() - tied ? inside : bank) =
              std::max(k < bridge.joints.size() - tied ? inside : bank, test::jointGap(w, bridge.joints[k]));
      }
      CHECK(inside < 1e-9);  // hinges of the tree
      CHECK(bank < 0.02);    // rows with a compliance and a relaxation time
      for (int board : bridge.boards) CHECK(w.bodyPose(board).p.z() > 8 - 0.5 * kLength * boards * kAngle - kLength);
    }
}

// As long as its span and straight, with one ball joint a gap: no velocity is along the bridge, so no row there holds it as it begins to
// sag. A ball falls on it.
TEST_CASE("bridges under spook take a heavy ball, in parts of a step where their joints would give way", "[step][spook]") {
  for (const double rate : {60.0, 240.0})
    for (const int boards : {5, 12})
      for (const bool divided : {true, false}) {
        WorldSettings s;
        s.stepper = Stepper::Spook;
        s.sleeping = false;
        s.timeStep = 1 / rate;
        if (!divided) s.adaptiveSubsteps = 1;
        world::World w(s);
        const Bridge bridge = addBridge(w, boards, 2);
        test::addBall(w, 0.3, 40, Vec3(0.1, 0.1, 10), 0.5, 0.3);
        const double start = test::totalEnergy(w), weight = (40 + 5 * boards) * 9.81;
        double open = 0, gained = 0;
        for (int step = 0; step < 4 * rate; step++) {
          test::advance(w, 1);
          open = std::max(open, widest(w, bridge));
          gained = std::max(gained, test::totalEnergy(w) - start);
        }
        const int told = w.statistics().unsolved;
        INFO(boards << " boards, rate " << rate << (divided ? "" : ", not divided") << ": open " << open << ", gained " << gained / weight
                    << ", told " << told);
        if (divided) CHECK(open < 0.008);  // 0.1 to 3.5 m at 1/60 s in whole steps
        if (divided) CHECK(gained < 0.01 * weight);
        if (open > 0.005) CHECK(told > 0);
      }
}

TEST_CASE("a taut bridge bears a load", "[step]") {
  for (const Stepper stepper : {Stepper::Impulse, Stepper::Variational})
    for (const double rate : {240.0, 60.0}) {
      world::World w(test::awake(stepper, rate));
      std::vector<int> joints;
      int last = -1;
      for (int i = 0; i < 14; i++) {
        const Vec3 at((i + 0.5) * kLength, 0, 3);
        const int board = test::addBox(w, Vec3(0.23, kHalfWidth, 0.025), 5, at, 0.6, 0);
        joints.push_back(
            test::addJoint(w, dynamics::JointType::Spherical, last, board, last < 0 ? Vec3(0, 0, 3) : Vec3(0.25, 0, 0), Vec3(-0.25, 0, 0)));
        last = board;
      }
      joints.push_back(test::addJoint(w, dynamics::JointType::Spherical, last, -1, Vec3(0.25, 0, 0), Vec3(14 * kLength, 0, 3)));
      const int ball = test::addBall(w, 0.1, 20, Vec3(7 * kLength + 0.2, 0, 3.4), 0.6, 0);
      double open = 0, lowest = 10;
      for (int step = 0; step < 4 * rate; step++) {
        test::advance(w, 1);
        for (int joint : joints) open = std::max(open, test::jointGap(w, joint));
        if (w.time() < 1) lowest = std::min(lowest, w.bodyPose(ball).p.z());
      }
      INFO("stepper " << static_cast<int>(stepper) << ", 1/" << rate << " s");
      CHECK(open < 1e-9);
      CHECK(lowest > 3.1);  // it does not fall through within a second, later it may roll off
      CHECK(w.statistics().unsolved == 0);
    }
}
