// Implicit force fields of the user: the change of their force and torque with the motion, h D + h^2 K, is added to the inertia of the link
// before the tree is factored, so that no stiffness or drag makes a step unstable (backward Euler on the linearised field; the same form as
// springs and dampers of joints). Of K and D only the symmetric, positive part in the metric of the link's inertia is used: the factor is
// symmetric, and a force that grows along the motion has no stable implicit form; the remainder (curls, gyroscopic and driving parts) acts
// by its force at the start of the step. Where both are small compared with the link's inertia the field acts explicitly, to second order.
// A field between two bodies would need the change of each force with the motion of the other body, beyond the inertia of any one tree:
// such a pair is refused (rows with a softness are its implicit form). Vectors are angular part first, about the centre of mass, world
// axes; K in N/m, N, N m, D in N s/m and so on. Sources: Baraff and Witkin 1998, "Large steps in cloth simulation" (linearised implicit
// forces); docs/computation.md.
#include "engine/trees/implicit_fields.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "engine/dynamics/link_recursions.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::trees {
namespace {

constexpr double kMild = 0.05;   // of the link's inertia, as for springs of joints: below it a field is explicit
constexpr double kProbe = 1e-6;  // m, rad, and m/s or rad/s: step of the finite differences

bool actsOn(const FieldDefinition& d, int body) {
  return d.bodies.empty() || std::find(d.bodies.begin(), d.bodies.end(), body) != d.bodies.end();
}

// Moves a body, or changes its twist, as callbacks then see it in the world.
void displace(dynamics::LinkState& s, const Vec6& by, bool rates) {
  const Vec3 turn = by.head<3>(), along = by.tail<3>();
  if (rates) {
    s.w += s.R.transpose() * turn;
    s.v += along;
    return;
  }
  const Vec3 omega = s.R * s.w;
  s.q = normalized(quatExp(turn) * s.q);
  s.R = dynamics::rotationOf(s.q);
  s.w = s.R.transpose() * omega;
  s.c += along;
}

// Force and torque on a body at the present state. False: not finite.
bool forceOn(const FieldDefinition& d, int field, int body, Vec6& out) {
  double force[3] = {0, 0, 0}, torque[3] = {0, 0, 0};
  const bool good = d.evaluate(d.user, field, body, force, torque);
  out << torque[0], torque[1], torque[2], force[0], force[1], force[2];
  return good;
}

// The same at a displaced state of the body.
bool probe(TreeWorld& w, const FieldDefinition& d, int field, int body, int axis, double by, bool rates, Vec6& out) {
  dynamics::LinkState& s = w.state[w.bodies[body].link];
  const dynamics::LinkState before = s;
  displace(s, by * Vec6::Unit(axis), rates);
  const bool good = forceOn(d, field, body, out);
  s = before;
  return good;
}

// Central differences, one column an axis.
bool differences(TreeWorld& w, const FieldDefinition& d, int field, const FieldBody& b, bool rates, Mat6& out) {
  for (int k = 0; k < 6; k++) {
    const double step = kProbe * (rates ? 1 + (k < 3 ? b.w : b.v).norm() : 1);
    Vec6 ahead, behind;
    if (!probe(w, d, field, b.body, k, step, rates, ahead) || !probe(w, d, field, b.body, k, -step, rates, behind)) return false;
    out.col(k) = (ahead - behind) / (2 * step);
  }
  return true;
}

// The user's matrices are row by row, linear part first.
Mat6 fromUser(const double* rows) {
  Mat6 m;
  for (int r = 0; r < 6; r++)
    for (int c = 0; c < 6; c++) m((r + 3) % 6, (c + 3) % 6) = rows[6 * r + c];
  return m;
}

// Columns: motions of unit energy (times two) along and about the principal axes. Where there is no inertia, 1 takes its place.
Mat6 unitMotions(const dynamics::LinkModel& m, const dynamics::LinkState& s) {
  Mat6 T = Mat6::Zero();
  for (int k = 0; k < 3; k++) {
    T.block<3, 1>(0, k) = s.R.col(k) / std::sqrt(m.inertia[k] > 0 ? m.inertia[k] : 1);
    T.block<3, 1>(3, 3 + k) = s.R.col(k) / std::sqrt(m.mass > 0 ? m.mass : 1);
  }
  return T;
}

// The symmetric, positive part of -gradient; a gradient that has no other part is unchanged.
Mat6 resistance(const Mat6& gradient, const Mat6& T) {
  const Mat6 S = -0.5 * (gradient + gradient.transpose());
  using Aligned = Eigen::Matrix<double, 6, 6>;  // alignment that Eigen's solver requires
  const Eigen::SelfAdjointEigenSolver<Aligned> eigen(Aligned(T.transpose() * S * T));
  const auto& values = eigen.eigenvalues();
  if (values[0] >= -1e-9 * values[5]) return S;
  const Aligned kept = eigen.eigenvectors() * values.cwiseMax(0).asDiagonal() * eigen.eigenvectors().transpose();
  const Aligned inverse = T.inverse();
  return inverse.transpose() * kept * inverse;
}

// Displacement of a link since the field was evaluated, and its velocities then, the angular one rotated with the body.
Vec6 displacementSince(const FieldGradient& g, const dynamics::LinkState& s) {
  return dynamics::stack(quatLog(s.q * g.start.q.conjugate()), s.c - g.start.p);
}
Vec6 startRate(const dynamics::LinkState& s, const LinkRuntime& r) { return dynamics::stack(s.R * r.startW, r.startV); }

// Twist about O -> velocities of the centre of mass.
Mat6 toCentre(const Vec3& fromO) {
  Mat6 J = Mat6::Identity();
  J.block<3, 3>(3, 0) = -skew(fromO);
  return J;
}

template <class F>
void eachActing(TreeWorld& w, const TreeRuntime& t, F&& f) {
  for (const FieldGradient& g : w.fieldGradients) {
    const int link = w.bodies[g.body].link;
    if (g.acts && link >= t.first && link < t.first + t.tree.count) f(g, link);
  }
}

// A body while a field is probed for forces between bodies.
struct Probed {
  int body;
  dynamics::LinkState state;  // as it is
  Vec6 force = Vec6::Zero();  // there
  bool coupled = false;       // it changes stiffly with the motion of a group of others
};

// Looks for two bodies of which the force on one changes stiffly with the motion of the other. Bodies are moved in groups, by the bits of
// their number, so that each pair is once apart; a pair that is found is measured alone, in the metric of the two inertias.
class PairSearch {
 public:
  PairSearch(TreeWorld& w, int field, int* pair) : w_(w), field_(field), d_(w.fields[field].def), pair_(pair) {}

  // bodies: on which the field acts. False: none, or a force that is not finite.
  bool finds(const std::vector<int>& bodies) {
    for (int body : bodies) all_.push_back({body, linkOf(body)});
    for (Probed& p : all_)
      if (!forceOn(d_, field_, p.body, p.force)) return false;
    for (std::size_t bit = 1; bit < all_.size(); bit *= 2)
      for (const std::size_t side : {std::size_t{0}, bit})
        for (const bool rates : {false, true})
          if (findsInGroup(bit, side, rates)) return true;
    return false;
  }

 private:
  dynamics::LinkState& linkOf(int body) { return w_.state[w_.bodies[body].link]; }
  Mat6 motionsOf(int body) { return unitMotions(w_.model[w_.bodies[body].link], linkOf(body)); }
  static Vec6 way() {  // along no axis
    Vec6 way;
    way << 0.62, -0.77, 0.9, 1, 0.83, -0.71;
    return kProbe * way;
  }

  bool findsInGroup(std::size_t bit, std::size_t side, bool rates) {
    double size = kInf;
    for (std::size_t i = 0; i < all_.size(); i++) {
      if ((i & bit) != side) continue;
      size = std::min(size, sizeOf(all_[i].body));
      displace(linkOf(all_[i].body), way(), rates);
    }
    for (std::size_t i = 0; i < all_.size(); i++) {
      Vec6 now;
      all_[i].coupled = (i & bit) != side && forceOn(d_, field_, all_[i].body, now) && coupling(all_[i], now, size, rates) > kMild;
    }
    for (const Probed& p : all_) linkOf(p.body) = p.state;
    for (const Probed& p : all_)
      for (std::size_t i = 0; p.coupled && i < all_.size(); i++)
        if ((i & bit) == side && coupled(all_[i], p, rates)) return true;
    return false;
  }

  bool coupled(const Probed& moved, const Probed& other, bool rates) {
    const double size = sizeOf(moved.body);
    displace(linkOf(moved.body), way(), rates);
    Vec6 now;
    const bool good = forceOn(d_, field_, other.body, now);
    linkOf(moved.body) = moved.state;
    if (!good || !(coupling(other, now, size, rates) > kMild)) return false;
    pair_[0] = std::min(moved.body, other.body);
    pair_[1] = std::max(moved.body, other.body);
    return true;
  }

  double sizeOf(int body) { return (motionsOf(body).inverse() * way()).norm(); }  // in unit motions
  double coupling(const Probed& other, const Vec6& now, double size, bool rates) {
    const double h = w_.trees[w_.bodies[other.body].tree].step;
    return (rates ? h : h * h) * (motionsOf(other.body).transpose() * (now - other.force)).norm() / size;
  }

  TreeWorld& w_;
  const int field_;
  const FieldDefinition& d_;
  int* const pair_;
  std::vector<Probed> all_;
};

}  // namespace

bool stiffBetween(TreeWorld& w, int field, int pair[2]) {
  std::vector<int> bodies;
  bool stiff = false;
  for (const FieldBody& b : w.fieldBodies) {
    if (b.gradient < 0 || !actsOn(w.fields[field].def, b.body)) continue;
    const TreeRuntime& t = w.trees[w.bodies[b.body].tree];
    const int link = w.bodies[b.body].link;
    const Mat6 T = unitMotions(w.model[link], w.state[link]);
    const FieldGradient& g = w.fieldGradients[b.gradient];
    stiff = stiff || (T.transpose() * (t.step * g.damping + t.step * t.step * g.stiffness) * T).norm() > kMild;
    bodies.push_back(b.body);
  }
  return stiff && PairSearch(w, field, pair).finds(bodies);
}

bool addGradient(TreeWorld& w, int field, const FieldDefinition& d, FieldBody& b) {
  Mat6 byPose, byTwist;
  if (d.gradient) {
    double pose[36] = {}, twist[36] = {};
    if (!d.gradient(d.user, field, b.body, pose, twist)) return false;
    byPose = fromUser(pose);
    byTwist = fromUser(twist);
  } else if (!differences(w, d, field, b, false, byPose) || !differences(w, d, field, b, true, byTwist)) {
    return false;
  }
  if (b.gradient < 0) {
    const dynamics::LinkState& s = w.state[w.bodies[b.body].link];
    b.gradient = static_cast<int>(w.fieldGradients.size());
    w.fieldGradients.push_back({b.body, false, Mat6::Zero(), Mat6::Zero(), {s.c, s.q}});
  }
  w.fieldGradients[b.gradient].stiffness += byPose;
  w.fieldGradients[b.gradient].damping += byTwist;
  return true;
}

void settleGradients(TreeWorld& w) {
  for (TreeRuntime& t : w.trees) {
    if (!t.pulled || t.held) continue;
    t.pulled = false;
    w.model[t.first].lone = t.freeRoot && t.tree.count == 1;
  }
  for (FieldGradient& g : w.fieldGradients) {
    const TreeRuntime& t = w.trees[w.bodies[g.body].tree];
    if (t.held) continue;
    const double h = t.step;
    const int link = w.bodies[g.body].link;
    const Mat6 T = unitMotions(w.model[link], w.state[link]);
    g.stiffness = resistance(g.stiffness, T);
    g.damping = resistance(g.damping, T);
    g.acts = (T.transpose() * (h * g.damping + h * h * g.stiffness) * T).trace() > kMild;
    if (!g.acts) continue;
    w.trees[w.bodies[g.body].tree].pulled = true;
    w.model[link].lone = false;  // rotation and translation are coupled
  }
}

const FieldGradient* actingGradient(const TreeWorld& w, int body) {
  for (const FieldGradient& g : w.fieldGradients)
    if (g.body == body && g.acts) return &g;
  return nullptr;
}

void pullByFields(TreeWorld& w, TreeRuntime& t, double h) {
  eachActing(w, t, [&](const FieldGradient& g, int link) {
    dynamics::LinkState& s = w.state[link];
    const Mat6 J = toCentre(s.c - t.tree.O), inertia = h * g.damping + h * h * g.stiffness;
    if (t.saddle)
      t.saddle->addInertia(link - t.first, inertia);
    else
      t.tree.inertia[link - t.first] += J.transpose() * inertia * J;
    t.tree.P[link - t.first] += J.transpose() * (h * (g.damping * startRate(s, w.links[link]) - g.stiffness * displacementSince(g, s)));
  });
}

void holdFields(TreeWorld& w, TreeRuntime& t, double h) {
  eachActing(w, t, [&](const FieldGradient& g, int link) {
    dynamics::LinkState& s = w.state[link];
    const Mat6 J = toCentre(s.c - t.tree.O);
    t.tree.P[link - t.first] += J.transpose() * ((h * g.damping + h * h * g.stiffness) * startRate(s, w.links[link]));
  });
}

void concludeFields(TreeWorld& w, TreeRuntime& t, double h) {
  eachActing(w, t, [&](const FieldGradient& g, int link) {
    const dynamics::LinkState& s = w.state[link];
    const Vec6 rate = dynamics::stack(s.R * s.w, s.v);
    const Vec6 change = -(g.stiffness * (displacementSince(g, s) + h * rate) + g.damping * (rate - startRate(s, w.links[link])));
    AppliedForces& applied = w.bodies[g.body].applied.make();
    applied.fieldTorque += change.head<3>();
    applied.fieldForce += change.tail<3>();
  });
}

}  // namespace vertebra::trees
