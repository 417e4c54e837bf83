// The six wrenches of every joint type: against the motion subspace, against finite differences of the constraint functions written out
// here from the two joint frames, and along a motion (J-dot v against the bias accelerations).
#include "tests/engine/dynamics/random_tree.hpp"

using namespace vertebra;
using test::Random;
using test::RandomTree;
using test::TreeOptions;

namespace {

struct Frames {
  Vec3 parentPoint, childPoint;
  Mat3 parent, child;
};
Frames framesOf(const dynamics::LinkModel& m, const dynamics::BodyPose& parent, const dynamics::BodyPose& child) {
  return {parent.c + parent.R * m.joint->inParent, child.c + child.R * m.joint->inChild,
          parent.R * dynamics::rotationOf(m.frames->turnParent), child.R * dynamics::rotationOf(m.frames->turnChild)};
}

// Functions that vanish while the joint holds, in the order of the rows.
std::vector<double> constraintValues(const dynamics::LinkModel& m, const dynamics::BodyPose& parentPose,
                                     const dynamics::BodyPose& childPose) {
  const Frames f = framesOf(m, parentPose, childPose);
  const Vec3 gap = f.childPoint - f.parentPoint;
  const Vec3 turn = quatLog(quatFromMatrix(f.child * f.parent.transpose()));
  std::vector<double> r;
  auto add = [&](std::initializer_list<double> values) { r.insert(r.end(), values); };
  switch (m.type) {
    case dynamics::JointType::Fixed:
      add({turn.x(), turn.y(), turn.z(), gap.x(), gap.y(), gap.z()});
      break;
    case dynamics::JointType::Revolute:
    case dynamics::JointType::Continuous:
      add({f.child.col(1).dot(f.parent.col(2)), -f.child.col(0).dot(f.parent.col(2)), gap.x(), gap.y(), gap.z()});
      break;
    case dynamics::JointType::Prismatic:
      add({turn.x(), turn.y(), turn.z(), f.parent.col(0).dot(gap), f.parent.col(1).dot(gap)});
      break;
    case dynamics::JointType::Universal: {
      const Vec3 a0 = f.parent * (m.reversed ? m.frames->axis2InJoint : m.frames->axisInJoint),
                 a1 = f.child * (m.reversed ? m.frames->axisInJoint : m.frames->axis2InJoint);
      const double kept = m.frames->axisInJoint.dot(m.frames->axis2InJoint),
                   angle = (a0.dot(a1) - kept) / m.frames->axisInJoint.cross(m.frames->axis2InJoint).norm();
      add({angle, gap.x(), gap.y(), gap.z()});
      break;
    }
    case dynamics::JointType::Cylindrical:
      add({f.child.col(1).dot(f.parent.col(2)), -f.child.col(0).dot(f.parent.col(2)), f.parent.col(0).dot(gap), f.parent.col(1).dot(gap)});
      break;
    case dynamics::JointType::Screw: {
      const Vec3 axis = f.parent.col(2);
      add({f.child.col(1).dot(axis), -f.child.col(0).dot(axis), f.parent.col(0).dot(gap), f.parent.col(1).dot(gap),
           axis.dot(gap) - m.frames->pitch * (axis.dot(turn))});
      break;
    }
    case dynamics::JointType::Wheel: {
      const Vec3 a0 = f.parent * (m.reversed ? m.frames->axis2InJoint : m.frames->axisInJoint),
                 a1 = f.child * (m.reversed ? m.frames->axisInJoint : m.frames->axis2InJoint);
      const double kept = m.frames->axisInJoint.dot(m.frames->axis2InJoint),
                   angle = (a0.dot(a1) - kept) / m.frames->axisInJoint.cross(m.frames->axis2InJoint).norm();
      const Mat3 across = dynamics::rotationOf(quatBetween(Vec3::UnitZ(), m.reversed ? Vec3(-a1) : a0));
      add({angle, across.col(0).dot(gap), across.col(1).dot(gap)});
      break;
    }
    case dynamics::JointType::Spherical:
      add({gap.x(), gap.y(), gap.z()});
      break;
    case dynamics::JointType::Planar:
      add({-f.child.col(2).dot(f.parent.col(1)), f.child.col(2).dot(f.parent.col(0)), f.parent.col(2).dot(gap)});
      break;
    case dynamics::JointType::Floating:
    case dynamics::JointType::FreeRoot:
      break;
  }
  return r;
}

dynamics::BodyPose moved(const dynamics::BodyPose& body, const Vec6& twistAboutO, const Vec3& O, double h) {
  dynamics::BodyPose r;
  const Vec3 w = twistAboutO.head<3>(), v = twistAboutO.tail<3>();
  r.q = quatExp(h * w) * body.q;
  r.R = dynamics::rotationOf(r.q);
  r.c = body.c + h * (v + w.cross(body.c - O));  // to first order; central differences cancel the second
  return r;
}

template <class F>
void forLinks(F&& f) {
  Random r(4);
  for (int repeat = 0; repeat < 12; repeat++)
    for (int type = 0; type < 11; type++) {
      TreeOptions o;
      o.links = 3;
      o.onlyType = type;
      o.reach = 1;
      RandomTree t(r, o);
      INFO(dynamics::jointTypeName(t.model[0].type));
      for (int i = 0; i < 3; i++) f(r, t, i);
    }
}

const double kStep = 1e-5, kTolerance = 1e-8;

// Moves q at constant joint velocities for time h; then the twists there.
void advanceAll(RandomTree& t, std::vector<double> v, double h, const dynamics::BodyPose& base) {
  for (const dynamics::LinkModel& m : t.model) {
    double* q = &t.q[m.qOffset];
    if (m.velocityIsTwist) {  // constant angular velocity; the material point at O moves at constant velocity
      const Vec3 w(v[m.vOffset], v[m.vOffset + 1], v[m.vOffset + 2]), atO(v[m.vOffset + 3], v[m.vOffset + 4], v[m.vOffset + 5]);
      const Quat turn = quatExp(h * w);
      const Vec3 c = t.tree.O + h * atO + turn * (Vec3(q[0], q[1], q[2]) - t.tree.O);
      const Quat attitude = turn * Quat(q[6], q[3], q[4], q[5]);
      for (int k = 0; k < 3; k++) q[k] = c[k];
      for (int k = 0; k < 4; k++) q[3 + k] = attitude.coeffs()[k];
      const Vec3 later = atO - h * w.cross(atO);  // another point of the link is at O now
      for (int k = 0; k < 3; k++) v[m.vOffset + 3 + k] = later[k];
      continue;
    }
    dynamics::withJoint(m.type, [&](auto joint) {
      double increment[6] = {};
      for (int k = 0; k < m.nv; k++) increment[k] = h * v[m.vOffset + k];
      decltype(joint)::advance(m, q, increment);
    });
  }
  const Vec3 w = t.base.twist.head<3>(), atO = t.base.twist.tail<3>();
  const Vec3 centre = atO + w.cross(base.c - t.tree.O);  // of the base's own origin, which moves at constant velocity
  t.base.pose.c = base.c + h * centre;
  t.base.pose.q = quatExp(h * w) * base.q;
  t.base.pose.R = dynamics::rotationOf(t.base.pose.q);
  const Vec6 twist = t.base.twist;
  t.base.twist.tail<3>() = centre - w.cross(t.base.pose.c - t.tree.O);
  t.update();
  dynamics::updateTwists(t.tree, v.data());
  t.base.twist = twist;
}

}  // namespace

TEST_CASE("constraint wrenches do no work on the joint's motions, and rate wrenches pick them") {
  forLinks([](Random&, RandomTree& t, int i) {
    Vec6 T[6];
    t.wrenches(i, T);
    const int nv = t.model[i].nv;
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < nv; k++) CHECK(T[j].dot(t.state[i].S[k]) == Approx(j - (6 - nv) == k ? 1 : 0).margin(1e-13));
  });
}

TEST_CASE("the six wrenches of a joint are independent") {
  forLinks([](Random&, RandomTree& t, int i) {
    Vec6 T[6];
    t.wrenches(i, T);
    Mat6 all;
    for (int k = 0; k < 6; k++) all.col(k) = T[k];
    CHECK(std::fabs(all.determinant()) > 0.2);
  });
}

TEST_CASE("constraint functions do not change along the joint's coordinates") {
  forLinks([](Random&, RandomTree& t, int i) {
    const dynamics::LinkModel& m = t.model[i];
    for (const double x : constraintValues(m, t.parentPose(i), t.state[i])) CHECK(x == Approx(0).margin(1e-14));
    const std::vector<double> q = t.q;
    for (int k = 0; k < m.nv; k++) {
      dynamics::withJoint(m.type, [&](auto joint) {
        double increment[6] = {};
        increment[k] = 0.7;
        decltype(joint)::advance(m, &t.q[m.qOffset], increment);
      });
      t.update();
      for (const double x : constraintValues(m, t.parentPose(i), t.state[i])) CHECK(x == Approx(0).margin(1e-14));
      t.q = q;
    }
    t.update();
  });
}

TEST_CASE("moving child or parent off the joint changes the constraint functions as the wrenches say") {
  forLinks([](Random& r, RandomTree& t, int i) {
    const dynamics::LinkModel& m = t.model[i];
    Vec6 T[6];
    t.wrenches(i, T);
    const dynamics::BodyPose parent = t.parentPose(i), child = t.state[i];
    const Vec6 tc = test::randomSix(r), tp = test::randomSix(r);
    const auto ahead = constraintValues(m, moved(parent, tp, t.tree.O, kStep), moved(child, tc, t.tree.O, kStep));
    const auto behind = constraintValues(m, moved(parent, tp, t.tree.O, -kStep), moved(child, tc, t.tree.O, -kStep));
    REQUIRE(static_cast<int>(ahead.size()) == 6 - m.nv);
    for (int k = 0; k < 6 - m.nv; k++) CHECK((ahead[k] - behind[k]) / (2 * kStep) == Approx(T[k].dot(tc - tp)).margin(kTolerance));
  });
}

TEST_CASE("J-dot v along a motion: bias accelerations obey the joints' second derivative") {
  Random r(11);
  for (int repeat = 0; repeat < 40; repeat++)
    for (int type = -1; type < 8; type++) {
      TreeOptions o;
      o.links = 4;
      o.onlyType = type;
      o.freeRoot = repeat & 1;
      RandomTree t(r, o);
      std::vector<double> v(t.nv + 1), a(t.nv + 1);
      for (double& x : v) x = r.range(-1, 1);
      for (double& x : a) x = r.range(-1, 1);
      const std::vector<double> q = t.q;
      const dynamics::BodyPose base = t.base.pose;
      // Derivatives at constant joint velocities, by central differences.
      std::vector<dynamics::LinkState> at[2];
      std::vector<std::array<Vec6, 6>> T[2];
      for (int side = 0; side < 2; side++) {
        t.q = q;
        advanceAll(t, v, side ? kStep : -kStep, base);
        at[side] = t.state;
        T[side].resize(o.links);
        for (int i = 0; i < o.links; i++) t.wrenches(i, T[side][i].data());
      }
      t.q = q;
      t.base.pose = base;
      t.update();
      dynamics::updateTwists(t.tree, v.data());
      dynamics::updateBias(t.tree, v.data(), nullptr);
      const std::vector<dynamics::LinkState> bias = t.state;
      dynamics::updateBias(t.tree, v.data(), a.data());
      INFO("type " << type << ", free root " << o.freeRoot);
      auto spatial = [&](const dynamics::LinkState& s) {  // derivative of the twist about O, which is fixed
        const Vec3 w = s.t.head<3>();
        return dynamics::stack(s.biasAngular, s.biasLinear - s.biasAngular.cross(s.c - t.tree.O) - w.cross(s.v));
      };
      for (int i = 0; i < o.links; i++) {
        const dynamics::LinkModel& m = t.model[i];
        const Vec3 angular = (at[1][i].R * at[1][i].w - at[0][i].R * at[0][i].w) / (2 * kStep);
        const Vec3 linear = (at[1][i].v - at[0][i].v) / (2 * kStep);
        CHECK((angular - bias[i].biasAngular).norm() < kTolerance);
        CHECK((linear - bias[i].biasLinear).norm() < kTolerance);

        // A free root has no constraint, and a prescribed base's acceleration is not kept in a link.
        if (m.parent < 0) continue;
        Vec6 now[6];
        t.wrenches(i, now);
        const Vec6 relative = t.state[i].t - t.state[m.parent].t;
        const Vec6 relativeBias = spatial(bias[i]) - spatial(bias[m.parent]);
        const Vec6 relativeAcceleration = spatial(t.state[i]) - spatial(t.state[m.parent]);
        for (int k = 0; k < 6; k++) {
          const double change = (T[1][i][k] - T[0][i][k]).dot(relative) / (2 * kStep);
          const int axis = k - (6 - m.nv);
          CHECK(now[k].dot(relativeAcceleration - relativeBias) == Approx(axis < 0 ? 0 : a[m.vOffset + axis]).margin(1e-12));
          if (axis < 0) CHECK(now[k].dot(relativeBias) == Approx(-change).margin(kTolerance));
        }
      }
    }
}
