// User constraints, under every stepper and tree solver: a hinge and a differential against the built-in ones, rows in velocity and bounded
// rows against closed forms.
#include <cmath>

#include "engine/math/rotation.hpp"
#include "tests/engine/constraints/rotors.hpp"
#include "tests/engine/constraints/written.hpp"

using namespace vertebra;
using test::angle, test::rotor, test::speed, test::twist, test::Written;

namespace {

struct Way {
  Stepper stepper;
  TreeSolver treeSolver;
};
const Way kWays[] = {
    {Stepper::Impulse, TreeSolver::Articulated},     {Stepper::Impulse, TreeSolver::Dense},     {Stepper::Impulse, TreeSolver::Sparse},
    {Stepper::Variational, TreeSolver::Articulated}, {Stepper::Variational, TreeSolver::Dense}, {Stepper::Variational, TreeSolver::Sparse},
    {Stepper::Ode, TreeSolver::Articulated},         {Stepper::Ode, TreeSolver::Dense},         {Stepper::Ode, TreeSolver::Sparse},
    {Stepper::Spook, TreeSolver::Articulated},       {Stepper::Spook, TreeSolver::Dense},       {Stepper::Spook, TreeSolver::Sparse},
    {Stepper::Displacement, TreeSolver::Articulated}};

WorldSettings settings(const Way& way) {
  WorldSettings s;
  s.stepper = way.stepper;
  s.treeSolver = way.treeSolver;
  s.timeStep = 1e-3;
  s.sleeping = false;
  if (way.stepper == Stepper::Spook) s.solver = solve::Solver::Dantzig;
  if (way.stepper == Stepper::Displacement) {
    s.solverIterations = 300;
    s.solverTolerance = 1e-12;
  }
  return s;
}
void put(double* block, const Vec3& linear, const Vec3& angular) {
  for (int k = 0; k < 3; k++) block[k] = linear[k], block[3 + k] = angular[k];
}

// A body on a ball joint and a second one on a hinge to it, built in or as a user constraint (the axis of b stays along that of a, the two
// points stay together; world axes): position of the second after half a second, load of the hinge.
struct Swing {
  Pose pose;
  double pull = 0;
};
Swing swing(const WorldSettings& s, bool own) {
  world::World w(s);
  BodyDefinition d;
  d.inertia = Vec3(0.02, 0.03, 0.04).asDiagonal();
  const int first = w.createBody(d);
  d.pose.p = Vec3(0.5, 0.1, 0);
  d.pose.q = quatExp(Vec3(0.3, 0.2, -0.1));
  const int second = w.createBody(d);
  test::addJoint(w, dynamics::JointType::Spherical, -1, first, Vec3(-0.3, 0, 0), Vec3(-0.3, 0, 0));
  const Vec3 axis = Vec3(1, 2, 2) / 3, inA(0.25, 0, 0), inB = d.pose.q.conjugate() * Vec3(-0.25, -0.1, 0);
  const Vec3 axisB = d.pose.q.conjugate() * axis;
  Written hinge;
  int id = -1;
  if (own) {
    hinge.rows = [&](UserRow* r) {
      const Pose a = w.bodyPose(first), b = w.bodyPose(second);
      // Both sides are pulled at one point, a's: an open joint then causes no torque.
      const Vec3 armA = a.q * inA, armB = a.p + armA - b.p, gap = b.p + b.q * inB - a.p - armA, n = a.q * axis, m = b.q * axisB;
      for (int k = 0; k < 3; k++) {
        const Vec3 e = Vec3::Unit(k);
        r[k].error = gap[k];
        put(r[k].bodies, -e, -armA.cross(e));
        put(r[k].bodies + 6, e, armB.cross(e));
      }
      const Mat3 frame = quatBetween(Vec3::UnitZ(), n).toRotationMatrix();
      for (int k = 0; k < 2; k++) {
        const Vec3 across = frame.col(k);
        r[3 + k].error = across.dot(n.cross(m));
        put(r[3 + k].bodies, Vec3::Zero(), -across);
        put(r[3 + k].bodies + 6, Vec3::Zero(), across);
      }
      return 5;
    };
    hinge.create(w, {first, second}, {}, 5);
  } else {
    JointDefinition j;
    j.a = first;
    j.b = second;
    j.frameA.p = inA;
    j.axis = axis;
    j.asTheyStand = true;
    j.auxiliary = true;
    REQUIRE_FALSE(w.createJoint(j, id));
  }
  test::advance(w, static_cast<int>(std::lround(0.5 / s.timeStep)));
  // SPOOK has its compliance and lags by its relaxation time; the others are rigid.
  const double open = (w.bodyPose(second) * inB - w.bodyPose(first) * inA).norm();
  CHECK(open < (s.stepper == Stepper::Spook ? 1e-3 : 1e-12));
  if (own) return {w.bodyPose(second), Eigen::Map<const Vec3>(w.constraintForces(hinge.id).data()).norm()};
  JointForces f;
  w.jointForces(id, f);
  return {w.bodyPose(second), f.force.norm()};
}

// What the row acts on: a free body's height, or the angle of a rod on a hinge, in a tree.
struct Driven {
  world::World w;
  const bool onJoint;
  static constexpr double kMass = 2, kLength = 0.6;
  int body = -1, joint = -1;
  Written row;
  Driven(const WorldSettings& s, bool joined, const std::function<void(UserRow&, double)>& law) : w(s), onJoint(joined) {
    joint = test::addChain(w, 1, kLength, kMass).joints[0];
    BodyDefinition d;
    d.mass = kMass;
    d.pose.p = Vec3(3, 0, 0);
    body = w.createBody(d);
    row.rows = [this, law](UserRow* r) {
      (onJoint ? r->joints[0] : r->bodies[2]) = 1;
      law(*r, coordinate());
      return 1;
    };
    row.create(w, onJoint ? std::vector<int>{} : std::vector<int>{body}, onJoint ? std::vector<int>{joint} : std::vector<int>{}, 1);
  }
  double inertia() const { return onJoint ? kMass * kLength * kLength / 3 : kMass; }
  double coordinate() const { return onJoint ? angle(w, joint) : w.bodyPose(body).p.z(); }
  double rate() const {
    Vec3 v, omega;
    w.bodyTwist(body, v, omega);
    return onJoint ? speed(w, joint) : v.z();
  }
  double force() const { return w.constraintForces(row.id)[0]; }
};

}  // namespace

TEST_CASE("a hinge written by the user moves as the built-in one under every stepper", "[step][user rows]") {
  for (const Way& way : kWays) {
    WorldSettings s = settings(way);
    const Swing built = swing(s, false), own = swing(s, true);
    const double apart = (built.pose.p - own.pose.p).norm(), turned = built.pose.q.angularDistance(own.pose.q);
    INFO("stepper " << static_cast<int>(way.stepper) << ", tree solver " << static_cast<int>(way.treeSolver) << ": apart " << apart
                    << " m, " << turned << " rad, pulls " << built.pull << " and " << own.pull);
    // Joints of cycles leave half a step of their forces to the next step; users' rows do not, whose steps are of first order.
    if (way.stepper == Stepper::Impulse) {
      CHECK(apart < 5e-3);
      CHECK(turned < 1e-2);
      CHECK(own.pull == Approx(built.pull).epsilon(0.01));
      continue;
    }
    // Rows of one space solved exactly, SPOOK's with the same softness: differences by round-off only.
    if (way.stepper != Stepper::Displacement) {
      CHECK(apart < 1e-10);
      CHECK(turned < 1e-10);
      CHECK(own.pull == Approx(built.pull).epsilon(1e-8));
      continue;
    }
    // Both have the same errors at the end of a step, but push along directions that differ by the pair's rotation within it: the
    // difference falls with the square of the step.
    CHECK(apart < 2e-6);
    CHECK(turned < 1e-5);
    CHECK(own.pull == Approx(built.pull).epsilon(1e-4));
    s.timeStep /= 2;
    const Swing builtFine = swing(s, false), ownFine = swing(s, true);
    CHECK((builtFine.pose.p - ownFine.pose.p).norm() < 0.3 * apart);
    CHECK(builtFine.pose.q.angularDistance(ownFine.pose.q) < 0.3 * turned);
  }
}

TEST_CASE("a differential written by the user turns as the built-in one under every stepper", "[step][user rows]") {
  for (const Way& way : kWays) {
    double speeds[2][3], force[2];
    for (int own = 0; own < 2; own++) {
      world::World w(settings(way));
      const int in = rotor(w, 0.1), left = rotor(w, 1), right = rotor(w, 3);
      Written row;
      int gear = -1;
      if (own) {
        row.rows = [&](UserRow* r) {
          r->error = -angle(w, in) + 0.5 * angle(w, left) + 0.5 * angle(w, right);
          r->joints[0] = -1;
          r->joints[1] = r->joints[2] = 0.5;
          return 1;
        };
        row.create(w, {}, {in, left, right}, 1);
      } else {
        CouplingDefinition c;
        c.terms = {{in, 0, -1}, {left, 0, 0.5}, {right, 0, 0.5}};
        REQUIRE_FALSE(w.createCoupling(c, gear));
      }
      twist(w, in, 2);
      twist(w, right, -0.3);
      test::advance(w, 500);
      int k = 0;
      for (int joint : {in, left, right}) speeds[own][k++] = speed(w, joint);
      force[own] = own ? w.constraintForces(row.id)[0] : w.couplingForce(gear);
    }
    INFO("stepper " << static_cast<int>(way.stepper) << ", tree solver " << static_cast<int>(way.treeSolver));
    for (int k = 0; k < 3; k++) CHECK(speeds[0][k] == Approx(speeds[1][k]).epsilon(1e-10));
    CHECK(force[0] == Approx(force[1]).epsilon(1e-8).margin(1e-12));
    // By hand: the force F along the row gives -0.1 a_in = F - 2, 1 a_left = F/2, 3 a_right = F/2 - 0.3, and 2 a_in = a_left + a_right.
    const double F = (20 + 0.05) / (10 + 0.25 + 0.25 / 3), t = 0.5;
    // SPOOK's row is soft by its compliance.
    CHECK(speeds[0][0] == Approx(t * 10 * (2 - F)).epsilon(2e-3));
    CHECK(speeds[0][1] == Approx(t * F / 2).epsilon(2e-3));
    CHECK(speeds[0][2] == Approx(t * (F / 2 - 0.3) / 3).epsilon(2e-3));
    CHECK(force[0] == Approx(F).epsilon(1e-4));
  }
}

TEST_CASE("a user's row in velocity holds its speed against a load under every stepper", "[step][user rows]") {
  const double wanted = 0.7;
  for (const Way& way : kWays)
    for (bool onJoint : {false, true}) {
      WorldSettings s = settings(way);
      s.spookGamma = 1e-4;
      Driven d(s, onJoint, [&](UserRow& r, double) {
        r.velocityLevel = true;
        r.rate = wanted;
      });
      double offRate = 0, offForce = 0, largest = 0;
      for (int k = 0; k < 1000; k++) {
        test::advance(d.w, 1);
        if (k < 10) continue;  // SPOOK's row yields while it accelerates
        const double load = Driven::kMass * 9.81 * (onJoint ? Driven::kLength / 2 * std::sin(d.coordinate()) : 1);
        offForce = std::max(offForce, std::fabs(d.force() - load));
        largest = std::max(largest, d.force());
        // Servin's gamma: the velocity error of the row is gamma times its force.
        offRate = std::max(offRate, std::fabs(d.rate() - wanted + (way.stepper == Stepper::Spook ? s.spookGamma * d.force() : 0)));
      }
      INFO("stepper " << static_cast<int>(way.stepper) << ", tree solver " << static_cast<int>(way.treeSolver) << ", on a joint " << onJoint
                      << ": rate off by " << offRate << ", force by " << offForce << ", at last " << d.coordinate());
      CHECK(offRate < 1e-11);
      CHECK(d.coordinate() == Approx(wanted).margin(way.stepper == Stepper::Spook ? 4e-3 : 1e-3));  // the first step is one of half speed
      CHECK(offForce < 1e-4);  // the angle of the step's start against that of its end
      CHECK(largest > 3);
    }
}

TEST_CASE("a user's bounded row pushes with its bound and no more under every stepper", "[step][user rows]") {
  const double bound = 0.5, wanted = 0.2;
  for (const Way& way : kWays)
    for (bool onJoint : {false, true})
      for (bool velocityLevel : {false, true}) {
        WorldSettings s = settings(way);
        s.gravity.setZero();
        Driven d(s, onJoint, [&](UserRow& r, double at) {
          r.velocityLevel = velocityLevel;
          r.error = velocityLevel ? 0 : at - 1;
          r.rate = velocityLevel ? wanted : 0;
          r.lower = -bound;
          r.upper = bound;
        });
        INFO("stepper " << static_cast<int>(way.stepper) << ", tree solver " << static_cast<int>(way.treeSolver) << ", on a joint "
                        << onJoint << ", in velocity " << velocityLevel);
        const int early = onJoint ? 50 : 200;
        const double a = bound / d.inertia(), t = early * s.timeStep;
        test::advance(d.w, early);
        // Under `ode` the row also acts where its first step starts: one step more of it.
        const double extra = way.stepper == Stepper::Ode ? a * s.timeStep : 0;
        CHECK(d.rate() == Approx(a * t + extra).epsilon(1e-7));
        CHECK(d.coordinate() == Approx(0.5 * a * t * t).margin(0.501 * a * t * s.timeStep));
        CHECK(d.force() == Approx(bound).epsilon(1e-12));
        if (!velocityLevel) continue;
        test::advance(d.w, 1000);
        CHECK(d.rate() == Approx(wanted).epsilon(1e-9));
        CHECK(std::fabs(d.force()) < 1e-5);
      }
}

TEST_CASE("a user's one-sided row is a floor under every stepper", "[step][user rows]") {
  for (const Way& way : kWays) {
    WorldSettings s = settings(way);
    s.spookCompliance = 1e-6;
    Driven d(s, false, [](UserRow& r, double at) {
      r.error = at + 0.1;
      r.lower = 0;
    });
    INFO("stepper " << static_cast<int>(way.stepper) << ", tree solver " << static_cast<int>(way.treeSolver));
    test::advance(d.w, 100);
    CHECK(d.coordinate() == Approx(-0.5 * 9.81 * 0.01).margin(5e-4));  // it does not pull
    CHECK(d.force() == 0);
    double lowest = kInf;
    for (int k = 0; k < 1000; k++) {
      test::advance(d.w, 1);
      lowest = std::min(lowest, d.coordinate() + 0.1);
    }
    // Exact where the row sees the end of the step. Under `ode` it acts after the step, g h^2 / 2 deeper, of which a share is corrected per
    // step; SPOOK's floor is a spring of its compliance, hit at a speed.
    const double h = s.timeStep, load = Driven::kMass * 9.81, sag = way.stepper == Stepper::Spook ? s.spookCompliance * load : 0;
    CHECK(lowest > (way.stepper == Stepper::Ode ? -2 * 9.81 * h * h : way.stepper == Stepper::Spook ? -1e-3 : -1e-12));
    CHECK(d.coordinate() + 0.1 == Approx(-sag).margin(way.stepper == Stepper::Ode ? 2 * 9.81 * h * h : 1e-12));
    CHECK(d.force() == Approx(load).epsilon(1e-6));
  }
}
