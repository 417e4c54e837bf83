// See coordinates.hpp.
#include "engine/figure/coordinates.hpp"

#include <algorithm>

#include "engine/dynamics/joints/joints.hpp"

namespace vertebra::figure {
namespace {

void nameCoordinates(dynamics::JointType type, const std::string& name, Coordinates& c) {
  const dynamics::JointTraits& traits = dynamics::traitsOf(type);
  for (int k = 0; k < traits.nq; k++) c.qNames.push_back(name + traits.qSuffix[k]);
  for (int k = 0; k < traits.nv; k++) c.vNames.push_back(name + traits.vSuffix[k]);
}

void addPart(Coordinates& c, int joint, dynamics::JointType type, bool own, const std::string& name) {
  CoordinatePart part;
  part.joint = joint;
  part.type = type;
  part.treeQ = c.treeNq;
  part.treeV = c.treeNv;
  c.treeNq += dynamics::jointNq(type);
  c.treeNv += dynamics::jointNv(type);
  if (dynamics::jointNq(type) != dynamics::jointNv(type)) c.quats.push_back(c.treeNq - 4);
  if (own) {
    part.q = c.nq;
    part.v = c.nv;
    c.nq += dynamics::jointNq(type);
    c.nv += dynamics::jointNv(type);
    nameCoordinates(type, name, c);
  }
  c.parts.push_back(part);
}

void normalize4(double* q) {
  const double n = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) q[k] /= n;
}

}  // namespace

Coordinates makeCoordinates(const Skeleton& s, bool floatingBase, bool reduceMimic) {
  Coordinates c;
  c.floatingBase = floatingBase;
  if (floatingBase) addPart(c, -1, dynamics::JointType::Floating, true, s.links[s.root].name);
  const auto follows = [&](int j) {
    const int master = s.joints[j].mimic.master;
    return reduceMimic && master >= 0 && !s.joints[master].loop;
  };
  c.partOfJoint.assign(s.joints.size(), -1);
  for (int j = 0; j < static_cast<int>(s.joints.size()); j++) {
    const JointDescription& d = s.joints[j];
    if (d.loop || d.type == dynamics::JointType::Fixed) continue;
    c.partOfJoint[j] = static_cast<int>(c.parts.size());
    addPart(c, j, d.type, !follows(j), d.name);
  }
  c.column.assign(c.treeNv, -1);
  c.factor.assign(c.treeNv, 0);
  for (CoordinatePart& part : c.parts) {
    const int n = dynamics::jointNv(part.type);
    if (part.v >= 0) {
      const int turn = part.joint < 0 ? 3 : 0;  // a free root's twist has the angular part first
      for (int k = 0; k < n; k++) {
        c.column[part.treeV + k] = part.v + (k + turn) % n;
        c.factor[part.treeV + k] = 1;
      }
      continue;
    }
    c.follows = true;
    double multiplier = 1, offset = 0;  // q = multiplier * q[at] + offset
    int at = part.joint;
    while (follows(at)) {
      const Mimic& mimic = s.joints[at].mimic;
      offset += multiplier * mimic.offset;
      multiplier *= mimic.multiplier;
      at = mimic.master;
    }
    part.offset = offset;
    if (c.partOfJoint[at] < 0) continue;  // a fixed joint stays at 0
    const CoordinatePart& master = c.parts[c.partOfJoint[at]];
    part.multiplier = multiplier;
    part.masterQ = master.q;
    c.column[part.treeV] = master.v;
    c.factor[part.treeV] = multiplier;
  }
  return c;
}

void neutral(const Coordinates& c, double* q) {
  for (const CoordinatePart& part : c.parts)
    if (part.q >= 0) dynamics::withJoint(part.type, [&](auto joint) { decltype(joint)::neutral(q + part.q); });
}

void integrate(const Coordinates& c, const double* q, const double* v, double dt, double* out) {
  if (out != q) std::copy(q, q + c.nq, out);
  const dynamics::LinkModel none;
  for (const CoordinatePart& part : c.parts) {
    if (part.q < 0) continue;
    dynamics::withJoint(part.type, [&](auto joint) {
      using J = decltype(joint);
      double step[6];
      for (int k = 0; k < J::traits.nv; k++) step[k] = v[part.v + k] * dt;
      J::advance(none, out + part.q, step);
    });
  }
}

void difference(const Coordinates& c, const double* q0, const double* q1, double* v) {
  const dynamics::LinkModel none;
  for (const CoordinatePart& part : c.parts)
    if (part.q >= 0)
      dynamics::withJoint(part.type, [&](auto joint) { decltype(joint)::difference(none, q0 + part.q, q1 + part.q, v + part.v); });
}

void treeCoordinates(const Coordinates& c, const double* q, double* treeQ) {
  if (!c.follows) {  // the same numbers in the same order
    std::copy(q, q + c.nq, treeQ);
  } else {
    for (const CoordinatePart& part : c.parts) {
      double* out = treeQ + part.treeQ;
      if (part.q < 0)
        *out = part.masterQ >= 0 ? part.multiplier * q[part.masterQ] + part.offset : part.offset;
      else
        std::copy_n(q + part.q, dynamics::jointNq(part.type), out);
    }
  }
  for (int at : c.quats) normalize4(treeQ + at);
}

void treeVelocities(const Coordinates& c, const double* v, double* treeV) {
  if (!c.follows) {  // a permutation
    for (int i = 0; i < c.treeNv; i++) treeV[i] = v[c.column[i]];
    return;
  }
  for (int i = 0; i < c.treeNv; i++) treeV[i] = c.column[i] >= 0 ? c.factor[i] * v[c.column[i]] : 0;
}

void generalizedForces(const Coordinates& c, const double* treeTau, double* tau) {
  if (!c.follows) {
    for (int i = 0; i < c.treeNv; i++) tau[c.column[i]] = treeTau[i];
    return;
  }
  for (int i = 0; i < c.nv; i++) tau[i] = 0;
  for (int i = 0; i < c.treeNv; i++)
    if (c.column[i] >= 0) tau[c.column[i]] += c.factor[i] * treeTau[i];
}

}  // namespace vertebra::figure
