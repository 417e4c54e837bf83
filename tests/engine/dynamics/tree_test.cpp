// The recursions over a tree against finite differences of its poses: every joint type, free roots, a moving base; and the algebra of the
// square-root elimination: z is the whitened momentum, the sweeps are inverse to each other, rows passed up equal the sweeps.
#include "engine/dynamics/discrete_interval.hpp"
#include "engine/dynamics/link_recursions.hpp"
#include "tests/engine/dynamics/random_tree.hpp"

using namespace vertebra;
using namespace test;

namespace {

// Poses of a random tree along q(t) with velocity v and acceleration a at t = 0; the base keeps its twist.
struct Motion {
  RandomTree& t;
  std::vector<double> q0, v, a;
  dynamics::BodyPose base0;
  Vec3 baseVelocity;

  Motion(Random& r, RandomTree& tree) : t(tree), q0(tree.q), base0(tree.base.pose) {
    for (int k = 0; k < t.nv; k++) {
      v.push_back(r.range(-2, 2));
      a.push_back(r.range(-3, 3));
    }
    v.push_back(0);
    a.push_back(0);
    const Vec3 w = t.base.twist.head<3>();
    baseVelocity = Vec3(t.base.twist.tail<3>()) + w.cross(base0.c - t.tree.O);
  }
  std::vector<dynamics::BodyPose> at(double time) {
    dynamics::Tree tree = t.tree;
    dynamics::Base base = t.base;
    tree.base = &base;
    base.pose.c = base0.c + time * baseVelocity;
    base.pose.q = quatExp(time * Vec3(base.twist.head<3>())) * base0.q;
    base.pose.R = dynamics::rotationOf(base.pose.q);
    std::vector<double> q = q0;
    for (const dynamics::LinkModel& m : t.model) {
      double step[6];
      for (int k = 0; k < m.nv; k++) step[k] = time * v[m.vOffset + k] + 0.5 * time * time * a[m.vOffset + k];
      double* x = q.data() + m.qOffset;
      if (m.velocityIsTwist) {  // the step rotates about the body's point at O, and moves it
        const Quat turn = quatExp(Vec3(step[0], step[1], step[2]));
        const Vec3 c = tree.O + Vec3(step[3], step[4], step[5]) + turn * (Vec3(x[0], x[1], x[2]) - tree.O);
        const Quat r = turn * Quat(x[6], x[3], x[4], x[5]);
        for (int k = 0; k < 3; k++) x[k] = c[k];
        for (int k = 0; k < 4; k++) x[3 + k] = r.coeffs()[k];
      } else {
        dynamics::withJoint(m.type, [&](auto joint) { decltype(joint)::advance(m, x, step); });
      }
    }
    dynamics::updatePoses(tree, q.data());
    std::vector<dynamics::BodyPose> poses(t.state.begin(), t.state.end());
    dynamics::updatePoses(t.tree, q0.data());
    return poses;
  }
};

template <class F>
void everyTree(F f) {
  for (int type = -1; type < 8; type++)
    for (const bool freeRoot : {false, true})
      for (std::uint64_t seed = 1; seed <= 6; seed++) {
        Random r(seed * 31 + static_cast<std::uint64_t>(type + 1));
        TreeOptions options;
        options.links = 1 + static_cast<int>(seed) * 2;
        options.onlyType = type;
        options.freeRoot = freeRoot;
        options.forest = seed % 3 == 0;
        RandomTree t(r, options);
        INFO("type " << type << ", free root " << freeRoot << ", seed " << seed);
        f(r, t);
      }
}

double error(const Vec3& a, const Vec3& b) { return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff()); }

}  // namespace

TEST_CASE("A translated tree has the poses of its coordinates to the last bit") {
  int moved = 0;
  everyTree([&](Random& r, RandomTree& t) {
    dynamics::updatePoses(t.tree, t.q.data());
    for (const dynamics::LinkModel& m : t.model)
      if (m.velocityIsTwist)
        for (int k = 0; k < 3; k++) t.q[m.qOffset + k] += r.range(-1, 1), moved++;
    dynamics::updateTranslated(t.tree, t.q.data());
    const std::vector<dynamics::LinkState> translated(t.state.begin(), t.state.end());
    dynamics::updatePoses(t.tree, t.q.data());
    for (std::size_t i = 0; i < t.state.size(); i++) {
      REQUIRE(translated[i].c == t.state[i].c);
      REQUIRE(translated[i].anchor == t.state[i].anchor);
      REQUIRE(translated[i].q.coeffs() == t.state[i].q.coeffs());
      REQUIRE(translated[i].R == t.state[i].R);
    }
  });
  CHECK(moved > 0);
}

TEST_CASE("Subspaces, twists and accelerations are the derivatives of poses") {
  everyTree([](Random& r, RandomTree& t) {
    Motion motion(r, t);
    const double h = 1e-3;
    const auto x0 = motion.at(0), p1 = motion.at(h), m1 = motion.at(-h), p2 = motion.at(2 * h), m2 = motion.at(-2 * h);
    dynamics::updateTwists(t.tree, motion.v.data());
    dynamics::updateBias(t.tree, motion.v.data(), motion.a.data());
    for (std::size_t i = 0; i < x0.size(); i++) {
      const dynamics::LinkState& s = t.state[i];
      const auto turned = [&](const dynamics::BodyPose& p) { return quatLog(p.q * x0[i].q.conjugate()); };
      // First derivatives to h^4 and second to h^4, of the centre of mass and of the rotation vector from the present pose.
      const Vec3 velocity = (8 * (p1[i].c - m1[i].c) - (p2[i].c - m2[i].c)) / (12 * h);
      const Vec3 omega = (8 * (turned(p1[i]) - turned(m1[i])) - (turned(p2[i]) - turned(m2[i]))) / (12 * h);
      const Vec3 linear = (16 * (p1[i].c + m1[i].c) - (p2[i].c + m2[i].c) - 30 * x0[i].c) / (12 * h * h);
      const Vec3 angular = (16 * (turned(p1[i]) + turned(m1[i])) - (turned(p2[i]) + turned(m2[i]))) / (12 * h * h);
      REQUIRE(error(s.v, velocity) < 1e-8);
      REQUIRE(error(s.R * s.w, omega) < 1e-8);
      REQUIRE(error(s.biasLinear, linear) < 1e-6);
      REQUIRE(error(s.biasAngular, angular) < 1e-6);
    }
  });
}

TEST_CASE("Accelerations are affine in joint accelerations: with none given, the bias") {
  everyTree([](Random& r, RandomTree& t) {
    Motion motion(r, t);
    dynamics::updateTwists(t.tree, motion.v.data());
    dynamics::updateBias(t.tree, motion.v.data(), motion.a.data());
    const std::vector<dynamics::LinkState> with = t.state;
    dynamics::updateBias(t.tree, motion.v.data(), nullptr);
    const std::vector<dynamics::LinkState> without = t.state;
    t.base.twist.setZero();
    dynamics::updateTwists(t.tree, motion.a.data());
    for (std::size_t i = 0; i < with.size(); i++) {
      REQUIRE(error(with[i].biasLinear - without[i].biasLinear, t.state[i].v) < 1e-12);
      REQUIRE(error(with[i].biasAngular - without[i].biasAngular, t.state[i].R * t.state[i].w) < 1e-12);
    }
  });
}

TEST_CASE("Whitened coordinates: momenta up, velocities down, z.z / 2 is the kinetic energy") {
  everyTree([](Random& r, RandomTree& t) {
    t.base.twist.setZero();
    std::vector<double> v(t.nv + 1), back(t.nv + 1), z(t.nv + 1), armature(t.nv + 1), rotors(t.nv + 1);
    for (int k = 0; k < t.nv; k++) {
      v[k] = r.range(-2, 2);
      armature[k] = r.below(2) ? r.range(0, 0.3) : 0;
      rotors[k] = armature[k] * v[k];
    }
    dynamics::updateTwists(t.tree, v.data());
    dynamics::updateInertias(t.tree);
    double twice = 0;
    for (int k = 0; k < t.nv; k++) twice += armature[k] * v[k] * v[k];
    for (dynamics::LinkState& s : t.state) {
      const dynamics::LinkModel& m = t.model[&s - t.state.data()];
      t.P[&s - t.state.data()] = t.inertia[&s - t.state.data()] * s.t;
      twice += m.mass * s.v.squaredNorm() + s.w.dot(m.inertia.cwiseProduct(s.w));
    }
    REQUIRE(dynamics::factor(t.tree, armature.data()) == -1);
    dynamics::sweepUp(t.tree, rotors.data(), z.data());
    double metric = 0;
    for (int k = 0; k < t.nv; k++) metric += z[k] * z[k];
    REQUIRE(metric == Approx(twice).epsilon(1e-11).margin(1e-12));
    dynamics::sweepDown(t.tree, z.data(), back.data());
    for (int k = 0; k < t.nv; k++) REQUIRE(back[k] == Approx(v[k]).epsilon(1e-9).margin(1e-9));
  });
}

// One of three rows that are passed up at once, the others being other wrenches.
void passThree(const dynamics::LinkModel& m, const dynamics::LinkState& s, Vec6& P, double* row) {
  Vec6 all[3] = {-2 * P, P, Vec6::Ones()};
  double parts[3][6] = {};
  dynamics::passUp<3>(m, s, all, parts[0], 6);
  P = all[1];
  std::copy_n(parts[1], m.nv, row);
}

TEST_CASE("A row passed up from one link is the sweep of an impulse on that link alone") {
  everyTree([](Random& r, RandomTree& t) {
    dynamics::updateInertias(t.tree);
    REQUIRE(dynamics::factor(t.tree, nullptr) == -1);
    const int n = t.tree.count, link = r.below(n);
    const Vec6 impulse = randomSix(r);
    std::vector<double> z(t.nv + 1), row(t.nv + 1), generalized(t.nv + 1);
    for (Vec6& P : t.P) P.setZero();
    t.P[link] = impulse;
    dynamics::sweepUp(t.tree, nullptr, z.data());
    Vec6 P = impulse;
    for (int i = link; i >= 0; i = t.model[i].parent) passThree(t.model[i], t.state[i], P, row.data() + t.model[i].vOffset);
    for (int k = 0; k < t.nv; k++) REQUIRE(row[k] == Approx(z[k]).epsilon(1e-12).margin(1e-12));

    const dynamics::LinkModel& m = t.model[link];
    std::fill(row.begin(), row.end(), 0.0);
    for (int k = 0; k < m.nv; k++) generalized[m.vOffset + k] = r.range(-1, 1);
    for (Vec6& P : t.P) P.setZero();
    dynamics::sweepUp(t.tree, generalized.data(), z.data());
    dynamics::enterAtJoint(m, t.state[link], generalized.data() + m.vOffset, row.data() + m.vOffset, P);
    for (int i = m.parent; i >= 0; i = t.model[i].parent) passThree(t.model[i], t.state[i], P, row.data() + t.model[i].vOffset);
    for (int k = 0; k < t.nv; k++) REQUIRE(row[k] == Approx(z[k]).epsilon(1e-12).margin(1e-12));
  });
}

TEST_CASE("Mobilities of axes are the diagonal of the inverse of the mass matrix") {
  everyTree([](Random& r, RandomTree& t) {
    std::vector<double> extra(t.nv + 1), weights(t.nv + 1), unit(t.nv + 1), z(t.nv + 1), v(t.nv + 1);
    for (int k = 0; k < t.nv; k++) {
      extra[k] = r.range(0, 0.3);
      weights[k] = r.range(0, 2);
    }
    dynamics::updateSubspacesAndInertias(t.tree);
    REQUIRE(dynamics::factor(t.tree, extra.data()) < 0);
    double sum = 0;
    for (int k = 0; k < t.nv; k++) {
      std::fill(unit.begin(), unit.end(), 0.0);
      unit[k] = 1;
      for (int i = 0; i < t.tree.count; i++) t.P[i].setZero();
      dynamics::sweepUp(t.tree, unit.data(), z.data());
      dynamics::sweepDown(t.tree, z.data(), v.data(), false);
      sum += weights[k] * v[k];
    }
    CHECK(dynamics::weightedMobility(t.tree, weights.data()) == Approx(sum).epsilon(1e-10));
  });
}

TEST_CASE("A joint that the tree runs against has the same coordinates and rates, seen from its other body") {
  Random r(11);
  for (int repeat = 0; repeat < 12; repeat++)
    for (int type = 0; type < 11; type++) {
      TreeOptions options;
      options.onlyType = type;
      RandomTree t(r, options);  // its one link takes the place of the joint's parent, then of its child
      INFO(dynamics::jointTypeName(t.model[0].type));
      const Pose inA = randomPose(r, 0.4), inB = randomPose(r, 0.4), stands = randomPose(r, 1);
      const Vec3 axis = randomDirection(r), axis2 = axis.cross(randomDirection(r)).normalized();
      dynamics::LinkModel& m = t.model[0];
      const dynamics::JointType joint = m.type;
      t.base.pose.c = stands.p;
      t.base.pose.q = stands.q;
      t.base.pose.R = dynamics::rotationOf(stands.q);
      t.base.twist.setZero();
      m.parent = -1;
      std::vector<double> v(6);
      for (double& x : v) x = r.range(-2, 2);
      auto relative = [&](bool reversed) {  // of b in a, and the twist of b against a about a's origin in a's axes
        const dynamics::JointFrames frames =
            dynamics::setJoint(m, {joint, axis, axis2, 0.1}, reversed ? inB : inA, reversed ? inA : inB, reversed);
        dynamics::keepFrames(m, frames, t.frames);
        t.update();
        dynamics::updateTwists(t.tree, v.data());
        const dynamics::LinkState& s = t.state[0];
        const Pose link{s.c, s.q}, a = reversed ? link : stands, inverse = a.inverse();
        const Vec3 omega = s.t.head<3>(), velocity = Vec3(s.t.tail<3>()) + omega.cross(a.p - t.tree.O);
        const double sign = reversed ? -1 : 1;
        const Pose bInA = inverse * (reversed ? stands : link);
        return std::pair(bInA, dynamics::stack(sign * (inverse.q * omega), sign * (inverse.q * velocity)));
      };
      const auto along = relative(false), against = relative(true);
      CHECK((along.first.p - against.first.p).norm() < 1e-13);
      CHECK(quatLog(along.first.q.conjugate() * against.first.q).norm() < 1e-13);
      CHECK((along.second - against.second).norm() < 1e-13);
    }
}

TEST_CASE("Increments of coordinates: difference undoes advance") {
  everyTree([](Random& r, RandomTree& t) {
    for (const dynamics::LinkModel& m : t.model)
      dynamics::withJoint(m.type, [&](auto joint) {
        using J = decltype(joint);
        std::vector<double> q0(t.q.begin() + m.qOffset, t.q.begin() + m.qOffset + J::traits.nq), q1 = q0;
        double step[6], back[6];
        for (double& x : step) x = r.range(-1.5, 1.5);
        J::advance(m, q1.data(), step);
        J::difference(m, q0.data(), q1.data(), back);
        for (int k = 0; k < J::traits.nv; k++) REQUIRE(back[k] == Approx(step[k]).margin(1e-13));
      });
  });
}

TEST_CASE("Links without inertia along their joint are named; those that carry some are fine") {
  Random r(3);
  TreeOptions options;
  options.links = 5;
  options.reach = 1;
  options.onlyType = static_cast<int>(dynamics::JointType::Revolute);
  RandomTree t(r, options);
  for (int i : {1, 2}) t.model[i].mass = 0, t.model[i].inertia.setZero();
  dynamics::updateInertias(t.tree);
  REQUIRE(dynamics::factor(t.tree, nullptr) == -1);
  for (int i : {3, 4}) t.model[i].mass = 0, t.model[i].inertia.setZero();
  dynamics::updateInertias(t.tree);
  REQUIRE(dynamics::factor(t.tree, nullptr) == 4);
  std::vector<double> armature(t.nv, 0.1);
  dynamics::updateInertias(t.tree);
  REQUIRE(dynamics::factor(t.tree, armature.data()) == -1);

  options.freeRoot = true;
  options.links = 1;
  for (std::uint64_t seed = 1; seed <= 20; seed++) {  // a free point mass rotates without inertia; round-off must not hide it
    Random random(seed);
    RandomTree point(random, options);
    point.model[0].inertia.setZero();
    dynamics::updateInertias(point.tree);
    REQUIRE(dynamics::factor(point.tree, nullptr) == 0);
    point.model[0].inertia.setConstant(1e-9);  // a grain's inertia is inertia
    dynamics::updateInertias(point.tree);
    REQUIRE(dynamics::factor(point.tree, nullptr) == -1);
  }
}

// Increments of Newton's method with an exact derivative: each is of the order of the square of the one before.
TEST_CASE("Newton's method on the discrete momentum equations converges quadratically") {
  const double h = 0.02;
  int compared = 0;
  everyTree([&](Random& r, RandomTree& t) {
    std::vector<dynamics::IntervalLink> links(t.model.size());
    std::vector<double> q = t.q, z(t.nv + 1), v(t.nv + 1);
    t.base.twist.setZero();
    for (int k = 0; k < t.nv; k++) v[k] = r.range(-4, 4);
    dynamics::updateTwists(t.tree, v.data());
    dynamics::beginInterval(t.tree, links.data());
    for (std::size_t i = 0; i < links.size(); i++) {
      const dynamics::LinkModel& m = t.model[i];
      const dynamics::LinkState& s = t.state[i];
      const Vec3 p = m.mass * s.v;
      links[i].start = dynamics::stack(s.R * m.inertia.cwiseProduct(s.w) + (s.c - t.tree.O).cross(p), p);
    }
    dynamics::placeInterval(t.tree, links.data(), q.data(), h);
    double last = 0, before = 0;
    for (int it = 0; it < 8; it++) {
      REQUIRE(dynamics::factorInterval(t.tree, links.data(), nullptr, nullptr, h, z.data()) < 0);
      before = last;
      last = dynamics::advanceInterval(t.tree, links.data(), z.data(), h, q.data());
      if (it > 0 && before < 0.02 && before > 1e-6) {
        compared++;
        CHECK(last < 30 * before * before + 1e-11);
      }
    }
    CHECK(last < 1e-9);
  });
  CHECK(compared > 50);
}
