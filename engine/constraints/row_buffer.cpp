// See row_buffer.hpp. This file: paths, rows and their parts, and what finishes them. How wrenches reach coordinates: row_fill.hpp.
#include "engine/constraints/row_buffer.hpp"

#include <algorithm>

#include "engine/constraints/row_fill.hpp"

namespace vertebra::constraints {

RowBuffer::RowBuffer(RowWorkspace& workspace, const std::vector<BodySlot>& bodySlots, TreeState& trees, TreeScratch& treeScratch,
                     std::span<const int> treesOfIsland, const WorldSettings& settings, RowLevel rowLevel, bool spans)
    : work(workspace),
      topology(trees),
      scratch(treeScratch),
      bodies{bodySlots, trees, treeScratch},
      islandTrees(treesOfIsland),
      level(rowLevel),
      articulated(settings.treeSolver == TreeSolver::Articulated),
      full(spans),
      reference_(settings.energyAccount && rowLevel == RowLevel::Velocity ? treeScratch.reference.data() : nullptr) {
  work.treeStart.resize(topology.trees.size());
  int n = 0;
  for (int t : islandTrees) {
    work.treeStart[t] = n;
    n += topology.trees[t].nv;
  }
  work.rows.clear();
  work.rowMeta.clear();
  work.loopShares.clear();
  work.rows.x = articulated ? scratch.z.data() : level == RowLevel::Velocity ? topology.v.data() : topology.a.data();
  work.rows.size = n;
  work.bilateral.begin(n);
  if (full) {
    work.pieceScratch.clear();
    for (int t : islandTrees)
      if (topology.trees[t].nv > 0) work.pieceScratch.push_back({topology.trees[t].vFirst, topology.trees[t].nv});
    fullPath_ = work.rows.addPath(work.pieceScratch.data(), static_cast<int>(work.pieceScratch.size()));
  }
}

int RowBuffer::path(int linkA, int linkB) {
  if (full) return fullPath_;
  if (linkA == lastA_ && linkB == lastB_) return lastPath_;
  lastA_ = linkA;
  lastB_ = linkB;
  std::vector<solve::Piece>& pieces = work.pieceScratch;
  pieces.clear();
  const auto visit = [&](int link) {
    const dynamics::LinkModel& m = topology.model[link];
    if (m.nv > 0) pieces.push_back({m.vOffset, m.nv});
  };
  walkUp(bodies, linkA, linkB, visit, visit, [] {});
  lastPath_ = work.rows.addPath(pieces.data(), static_cast<int>(pieces.size()));
  return lastPath_;
}

// Walks wrenches to the roots and writes their effect on each joint on the way. In a compact row the joints lie in the order of the walk.
template <int Count>
void RowBuffer::fill(double* y, int length, int linkA, const Vec6* wrenchA, int linkB, const Vec6* wrenchB) const {
  double* next = y;
  auto pass = [&](int link, Vec6* P) {
    const dynamics::LinkModel& m = topology.model[link];
    if (m.nv == 0) return;
    if (!full) {  // each joint once, and articulated
      dynamics::passUp<Count>(m, topology.state[link], P, next, length);
      next += m.nv;
      return;
    }
    const int tree = bodies.treeOf(link);
    double* const to = y + work.treeStart[tree] + (m.vOffset - topology.trees[tree].vFirst);
    double part[Count][6] = {};
    if (articulated) {
      dynamics::passUp<Count>(m, topology.state[link], P, part[0], 6);
    } else {
      for (int c = 0; c < Count; c++)
        for (int k = 0; k < m.nv; k++) part[c][k] = topology.state[link].S[k].dot(P[c]);
    }
    for (int c = 0; c < Count; c++)  // wrenches of several bodies may meet in one row
      for (int k = 0; k < m.nv; k++) to[c * length + k] += part[c][k];
  };
  Vec6 Pa[Count], Pb[Count];
  std::copy_n(wrenchA, Count, Pa);
  std::copy_n(wrenchB, Count, Pb);
  walkUp(
      bodies, linkA, linkB, [&](int link) { pass(link, Pa); }, [&](int link) { pass(link, Pb); },
      [&] {  // common ancestor: one wrench from here on
        for (int c = 0; c < Count; c++) Pb[c] += Pa[c];
      });
}

void RowBuffer::fillFromJoint(double* y, int link, const double* g) const {
  const dynamics::LinkModel& m = topology.model[link];
  const TreeRuntime& tree = topology.trees[bodies.treeOf(link)];
  double* to = full ? y + work.treeStart[bodies.treeOf(link)] + (m.vOffset - tree.vFirst) : y;
  if (!articulated) {
    for (int k = 0; k < m.nv; k++) to[k] += g[k];
    return;
  }
  Vec6 P;
  double part[6] = {};
  dynamics::enterAtJoint(m, topology.state[link], g, part, P);
  for (int k = 0; k < m.nv; k++) to[k] += part[k];
  if (m.parent >= 0) fill<1>(full ? y : y + m.nv, 0, -1, &P, tree.first + m.parent, &P);
}

// M^-1 J^T of a row under the tree solvers without whitening: the operator applied to the row's wrenches.
void RowBuffer::respond(double* r, int linkA, const Vec6& Pa, int linkB, const Vec6& Pb, const double* g, int jointLink) {
  const int ofA = bodies.treeOf(linkA), ofB = bodies.treeOf(linkB), ofJoint = bodies.treeOf(jointLink);
  for (int t : islandTrees) {
    TreeRuntime& tree = topology.trees[t];
    if (tree.nv == 0 || (t != ofA && t != ofB && t != ofJoint)) continue;
    for (int i = 0; i < tree.tree.count; i++) tree.tree.P[i].setZero();
    if (ofA == t) tree.tree.P[linkA - tree.first] += Pa;
    if (ofB == t) tree.tree.P[linkB - tree.first] += Pb;
    std::fill_n(scratch.extraFull.begin() + tree.vFirst, tree.nv, 0.0);
    if (ofJoint == t)
      for (int k = 0; k < topology.model[jointLink].nv; k++) scratch.extraFull[topology.model[jointLink].vOffset + k] += g[k];
    tree.saddle->solve(tree.tree, scratch.extraFull.data(), scratch.z.data(), false);
    for (int k = 0; k < tree.nv; k++) r[work.treeStart[t] + k] += scratch.z[tree.vFirst + k];
  }
}

Vec6 RowBuffer::wrenchAt(int link, const Vec3& force, const Vec3& torque, const Vec3& point) const {
  if (link < 0) return Vec6::Zero();
  const Vec3& O = topology.trees[bodies.treeOf(link)].tree.O;
  return dynamics::stack(torque + (point - O).cross(force), force);
}

int RowBuffer::addWrenchRow(int path, const RowEnd& a, const RowEnd& b, const Vec3& force, const Vec3& torque, const Vec3& point) {
  const Vec6 onA = wrenchAt(a.link, -force, -torque, point), onB = wrenchAt(b.link, force, torque, point);
  const int row = addPairRows<1>(path, a, b, &onA, &onB);
  if (level == RowLevel::Velocity)
    work.rows.rows[row].bias =
        force.dot(bodies.baseVelocity(b, point) - bodies.baseVelocity(a, point)) + torque.dot(bodies.baseOmega(b) - bodies.baseOmega(a));
  return row;
}

int RowBuffer::addForceRows(int path, const RowEnd& a, const RowEnd& b, const Vec3* const (&direction)[3], const Vec3& point) {
  const auto alone = [&](const RowEnd& e) { return e.link < 0 || topology.model[e.link].lone; };
  int row;
  if (articulated && !full && alone(a) && alone(b)) {  // free bodies, about their own centres: most contacts of a pile
    row = work.rows.addRow(path, 3);
    oneSided_.count = 0;
    const int length = work.rows.paths[path].length;
    double* y = work.rows.y(row);
    for (const RowEnd* e : {&b, &a}) {  // in the order of fill()
      if (e->link < 0) continue;
      const dynamics::LinkState& s = topology.state[e->link];
      const Vec3 arm = e == &b ? Vec3(point - s.c) : Vec3(s.c - point);
      const double sign = e == &b ? 1 : -1;
      for (int k = 0; k < 3; k++) {
        const Vec3 torque = cross(arm, *direction[k]);
        double* const to = y + k * length;
        dynamics::forward<3>(s.G, torque.data(), to);
        for (int i = 0; i < 3; i++) to[3 + i] = sign * (*direction[k])[i] * dynamics::translationOf(s)[i];
      }
      y += 6;
    }
  } else {
    Vec6 onA[3], onB[3];
    const Vec3 none = Vec3::Zero();
    for (int k = 0; k < 3; k++) {
      onA[k] = wrenchAt(a.link, -*direction[k], none, point);
      onB[k] = wrenchAt(b.link, *direction[k], none, point);
    }
    row = addPairRows<3>(path, a, b, onA, onB);
    guardForces(row, 3, a, b);
  }
  if (level == RowLevel::Acceleration) return row;
  const Vec3 prescribed = bodies.baseVelocity(b, point) - bodies.baseVelocity(a, point);
  for (int k = 0; k < 3; k++) work.rows.rows[row + k].bias = direction[k]->dot(prescribed);
  return row;
}

int RowBuffer::addSpeculativeRow(int path, const RowEnd& a, const RowEnd& b, const Vec3 (&point)[2], const Vec3& direction) {
  const Vec3 none = Vec3::Zero();
  const Vec6 onA = wrenchAt(a.link, -direction, none, point[0]), onB = wrenchAt(b.link, direction, none, point[1]);
  const int row = addPairRows<1>(path, a, b, &onA, &onB);
  guardForces(row, 1, a, b);
  work.rows.rows[row].bias = direction.dot(bodies.baseVelocity(b, point[1]) - bodies.baseVelocity(a, point[0]));
  return row;
}

template <int Count>
int RowBuffer::addPairRows(int path, const RowEnd& a, const RowEnd& b, const Vec6* Pa, const Vec6* Pb) {
  const int row = work.rows.addRow(path, Count), length = work.rows.paths[path].length;
  fill<Count>(work.rows.y(row), length, a.link, Pa, b.link, Pb);
  // Between links of one tree that cannot move relative to each other along the row, only round-off remains: the row's size before the two
  // sides cancel shows that.
  oneSided_.count = 0;
  if (a.link >= 0 && b.link >= 0 && bodies.bodies[a.body].tree == bodies.bodies[b.body].tree) {
    std::vector<double>&y = work.fullScratch, &r = work.rows.scratch;
    y.assign(Count * length, 0.0);
    fill<Count>(y.data(), length, -1, Pa, b.link, Pb);
    oneSided_.first = row;
    oneSided_.count = Count;
    for (int c = 0; c < Count; c++) {
      const double* const side = y.data() + c * length;
      r.assign(side, side + length);
      if (!articulated) {
        std::fill(r.begin(), r.end(), 0.0);
        respond(r.data(), -1, Pa[c], b.link, Pb[c], nullptr, -1);
      }
      oneSided_.size[c] = 0;
      for (int k = 0; k < length; k++) oneSided_.size[c] += side[k] * r[k];
    }
  }
  if (!articulated)
    for (int c = 0; c < Count; c++) {
      work.rows.separateResponse(row + c, path);
      respond(work.rows.r(row + c), a.link, Pa[c], b.link, Pb[c], nullptr, -1);
    }
  return row;
}

// A force moves a tree as a mass of some multiple of the tree's, by the leverage of its joints; beyond this multiple, they lock its
// direction.
void RowBuffer::guardForces(int first, int count, const RowEnd& a, const RowEnd& b) {
  constexpr double kMost = 1e3;  // times 1e10 of finish()
  double mass = 0;
  for (const RowEnd* e : {&a, &b})
    if (e->link >= 0) mass = std::max(mass, topology.trees[bodies.bodies[e->body].tree].mass);
  if (!(mass > 0)) return;
  if (oneSided_.count == 0) std::fill_n(oneSided_.size, 3, 0.0);
  oneSided_.first = first;
  oneSided_.count = count;
  for (int k = 0; k < count; k++) oneSided_.size[k] = std::max(oneSided_.size[k], 1 / (kMost * mass));
}

int RowBuffer::addAxisRow(int link, const double* g, int* itsPath) {
  *itsPath = path(-1, link);
  const int row = work.rows.addRow(*itsPath);
  fillFromJoint(work.rows.y(row), link, g);
  if (!articulated) {
    work.rows.separateResponse(row, *itsPath);
    respond(work.rows.r(row), -1, Vec6::Zero(), -1, Vec6::Zero(), g, link);
  }
  // A joint's own rate: the prescribed base does not enter under sparse and dense; under articulated x = z contains W^T of the base.
  if (articulated && level == RowLevel::Velocity && topology.trees[bodies.treeOf(link)].movingBase)
    for (int k = 0; k < topology.model[link].nv; k++) work.rows.rows[row].bias += g[k] * scratch.baseRate[topology.model[link].vOffset + k];
  return row;
}

FullRow RowBuffer::addFullRow() {
  const int row = work.rows.addRow(fullPath_);
  if (!articulated) work.rows.separateResponse(row, fullPath_);
  return {work.rows.y(row), work.rows.r(row), row};
}

FullRow RowBuffer::addBilateralRow() {
  const int row = work.bilateral.add(0);
  return {work.bilateral.y(row), work.bilateral.r(row), row};
}

double RowBuffer::addWrench(const FullRow& to, const RowEnd& e, const Vec6& wrench, const Vec3& point) {
  const Vec3 torque = wrench.head<3>(), force = wrench.tail<3>();
  if (e.link >= 0) {
    const Vec6 P = wrenchAt(e.link, force, torque, point);
    fill<1>(to.y, 0, -1, &P, e.link, &P);
    if (!articulated) respond(to.r, -1, P, e.link, P, nullptr, -1);
  }
  return force.dot(bodies.baseVelocity(e, point)) + torque.dot(bodies.baseOmega(e));
}

double RowBuffer::addAxis(const FullRow& to, int link, int axis, double coefficient) {
  double g[6] = {};
  g[axis] = coefficient;
  fillFromJoint(to.y, link, g);
  if (!articulated) {
    respond(to.r, -1, Vec6::Zero(), -1, Vec6::Zero(), g, link);
    return 0;
  }
  const bool moving = topology.trees[bodies.treeOf(link)].movingBase;
  return moving ? coefficient * scratch.baseRate[topology.model[link].vOffset + axis] : 0;
}

solve::Row& RowBuffer::finish(int row, int path, double sigma, int block, const RowMeta& given) {
  solve::RowProblem& p = work.rows;
  work.rowMeta.push_back(given);
  RowMeta& meta = work.rowMeta.back();
  if (work.bilateral.rank() > 0) {
    work.loopShares.resize(work.loopShares.size() + work.bilateral.rank());
    meta.shares = static_cast<int>(work.loopShares.size()) - work.bilateral.rank();
    const bool same = p.rows[row].y == p.rows[row].r;
    p.rows[row].bias += work.bilateral.removeFrom(p.y(row), p.r(row), same, work.loopShares.data() + meta.shares);
  }
  meta.base = p.rows[row].bias;
  if (reference_) {
    double* x = p.x;
    p.x = reference_;
    meta.before = p.velocity(row, path) + meta.base;
    p.x = x;
  }
  p.finishRow(row, path, sigma);
  if (const int k = row - oneSided_.first; k >= 0 && k < oneSided_.count && !(sigma > 0))
    if (p.rows[row].inverse * 1e-10 * oneSided_.size[k] > 1) p.rows[row].inverse = 0;
  if (block > 0) p.blocks.push_back({path, row, block});
  return p.rows[row];
}

solve::Row& RowBuffer::finishFull(const FullRow& row, double base, double sigma, const RowMeta& meta) {
  work.rows.rows[row.row].bias = base;
  return finish(row.row, fullPath_, sigma, 1, meta);
}

void RowBuffer::finishBilateral(const FullRow& row, double target) {
  if (articulated) std::copy_n(row.y, work.rows.size, row.r);
  work.bilateral.setTarget(row.row, target);
}

void RowBuffer::project() {
  if (work.bilateral.rank() == 0) return;
  double* x = work.rows.x;
  std::vector<double>& local = work.fullScratch;
  local.resize(work.rows.size);
  forTrees([&](const TreeRuntime& t, int start) { std::copy_n(x + t.vFirst, t.nv, local.begin() + start); });
  work.bilateral.project(local.data());
  forTrees([&](const TreeRuntime& t, int start) { std::copy_n(local.begin() + start, t.nv, x + t.vFirst); });
}

}  // namespace vertebra::constraints
