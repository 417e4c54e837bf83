// See island_rows.hpp. This file: paths, wrenches and responses, solving and storing. Contacts: contact_rows.cpp. Joint rows:
// joint_rows.cpp.
#include "engine/constraints/island_rows.hpp"
#include "engine/state/stage_clock.hpp"

#include <algorithm>
#include <cmath>

#include "engine/dynamics/link_recursions.hpp"
#include "engine/islands/islands.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra {

namespace {
bool holdsDirections(const JointSlot& j) {
  switch (j.def.constraint) {
    case ConstraintType::Motor:
    case ConstraintType::AxisAngular:
    case ConstraintType::AxisLinear:
      return false;
    case ConstraintType::Distance:
      return j.axes[0].lower == j.axes[0].upper;
    default:
      return true;
  }
}
}  // namespace

IslandRows::IslandRows(WorldData& w, RowWorkspace& work, Island& island, std::vector<Contact>& contacts, double h, double ahead)
    : w_(w),
      work_(work),
      island_(island),
      contacts_(contacts),
      tally_(island.tally),
      h_(h),
      ahead_(ahead),
      articulated_(w.settings.treeSolver == TreeSolver::Articulated),
      start_(work.treeStart) {
  full_ = !articulated_ || !island.couplings.empty() || !island.constraints.empty();
  for (int j : island.joints) full_ |= holdsDirections(w.joints[j]);
}

void IslandRows::begin() {
  lastA_ = lastB_ = -2;
  oneSided_.count = 0;
  bounces_ = prescribes_ = false;
  start_.resize(w_.trees.size());
  int n = 0;
  for (int t : island_.trees) {
    start_[t] = n;
    n += w_.trees[t].nv;
  }
  work_.rows.clear();
  work_.rowMeta.clear();
  work_.loopShares.clear();
  work_.rows.x = coordinatesOf(w_);
  work_.rows.size = n;
  work_.bilateral.begin(n);
  if (full_) {
    work_.pieceScratch.clear();
    for (int t : island_.trees)
      if (w_.trees[t].nv > 0) work_.pieceScratch.push_back({w_.trees[t].vFirst, w_.trees[t].nv});
    fullPath_ = work_.rows.addPath(work_.pieceScratch.data(), static_cast<int>(work_.pieceScratch.size()));
  }
}

IslandRows::End IslandRows::endOf(int body) const {
  End e;
  e.body = body;
  if (body >= 0) e.link = w_.bodies[body].link;
  return e;
}

Vec3 IslandRows::pointVelocityOfBase(const End& e, const Vec3& p) const {
  if (e.link >= 0) {
    const TreeRuntime& t = w_.trees[w_.bodies[e.body].tree];
    if (!t.movingBase) return Vec3::Zero();
    const Vec6& twist = w_.baseTwist[e.link];
    return Vec3(twist.tail<3>()) + Vec3(twist.head<3>()).cross(p - t.tree.O);
  }
  if (e.body < 0 || w_.bodies[e.body].kind != BodyKind::Kinematic) return Vec3::Zero();
  const BodySlot& b = w_.bodies[e.body];
  return b.velocity + b.omega.cross(p - b.pose.p);
}
Vec3 IslandRows::omegaOfBase(const End& e) const {
  if (e.link >= 0) {
    const TreeRuntime& t = w_.trees[w_.bodies[e.body].tree];
    return t.movingBase ? Vec3(w_.baseTwist[e.link].head<3>()) : Vec3(Vec3::Zero());
  }
  return e.body >= 0 && w_.bodies[e.body].kind == BodyKind::Kinematic ? w_.bodies[e.body].omega : Vec3(Vec3::Zero());
}
Vec3 IslandRows::startVelocity(const End& e, const Vec3& p) const {
  if (e.link < 0) return pointVelocityOfBase(e, p);
  const LinkState& s = w_.state[e.link];
  return w_.links[e.link].startV + (s.R * w_.links[e.link].startW).cross(p - s.c);
}
Vec3 IslandRows::startOmega(const End& e) const { return e.link < 0 ? omegaOfBase(e) : Vec3(w_.state[e.link].R * w_.links[e.link].startW); }

// Forces that the free velocity of two bodies contains beyond those of the step since their velocities at its start.
double IslandRows::sinceStart(const End& a, const End& b) const {
  if (!(ahead_ > 0)) return 0;
  for (const End& e : {a, b})
    if (e.link >= 0 && !w_.trees[w_.bodies[e.body].tree].ahead) return ahead_;
  return 0;
}

int IslandRows::pathFor(int linkA, int linkB) {
  if (full_) return fullPath_;
  if (linkA == lastA_ && linkB == lastB_) return lastPath_;
  lastA_ = linkA;
  lastB_ = linkB;
  std::vector<Piece>& pieces = work_.pieceScratch;
  pieces.clear();
  auto visit = [&](int link) {
    const LinkModel& m = w_.model[link];
    if (m.nv > 0) pieces.push_back({m.vOffset, m.nv});
  };
  const int treeA = linkA >= 0 ? w_.bodies[w_.links[linkA].body].tree : -1, treeB = linkB >= 0 ? w_.bodies[w_.links[linkB].body].tree : -2;
  auto up = [&](int link, int first) { return w_.model[link].parent < 0 ? -1 : first + w_.model[link].parent; };
  if (treeA == treeB) {  // the later link first, as fill() does
    const int first = w_.trees[treeA].first;
    int a = linkA, b = linkB;
    while (a >= 0 || b >= 0) {
      if (a == b) {
        visit(a);
        a = b = up(a, first);
      } else if (a > b) {
        visit(a);
        a = up(a, first);
      } else {
        visit(b);
        b = up(b, first);
      }
    }
  } else {
    if (linkB >= 0)
      for (int l = linkB, first = w_.trees[treeB].first; l >= 0; l = up(l, first)) visit(l);
    if (linkA >= 0)
      for (int l = linkA, first = w_.trees[treeA].first; l >= 0; l = up(l, first)) visit(l);
  }
  lastPath_ = work_.rows.addPath(pieces.data(), static_cast<int>(pieces.size()));
  return lastPath_;
}

// Walks wrenches to the roots and writes their effect on each joint on the way. In a compact row the joints lie in the order of the walk.
template <int Count>
void IslandRows::fill(double* y, int length, int linkA, const Vec6* wrenchA, int linkB, const Vec6* wrenchB) const {
  double* next = y;
  auto pass = [&](int link, Vec6* P) {
    const LinkModel& m = w_.model[link];
    if (m.nv == 0) return;
    if (!full_) {  // each joint once, and articulated
      passUp<Count>(m, w_.state[link], P, next, length);
      next += m.nv;
      return;
    }
    const int tree = w_.bodies[w_.links[link].body].tree;
    double* const to = y + start_[tree] + (m.vOffset - w_.trees[tree].vFirst);
    double part[Count][6] = {};
    if (articulated_) {
      passUp<Count>(m, w_.state[link], P, part[0], 6);
    } else {
      for (int c = 0; c < Count; c++)
        for (int k = 0; k < m.nv; k++) part[c][k] = w_.state[link].S[k].dot(P[c]);
    }
    for (int c = 0; c < Count; c++)  // wrenches of several bodies may meet in one row
      for (int k = 0; k < m.nv; k++) to[c * length + k] += part[c][k];
  };
  const int treeA = linkA >= 0 ? w_.bodies[w_.links[linkA].body].tree : -1, treeB = linkB >= 0 ? w_.bodies[w_.links[linkB].body].tree : -2;
  auto up = [&](int link, int first) { return w_.model[link].parent < 0 ? -1 : first + w_.model[link].parent; };
  Vec6 Pa[Count], Pb[Count];
  std::copy_n(wrenchA, Count, Pa);
  std::copy_n(wrenchB, Count, Pb);
  if (treeA == treeB) {
    const int first = w_.trees[treeA].first;
    int a = linkA, b = linkB;
    while (a >= 0 || b >= 0) {
      if (a == b) {  // common ancestor: one wrench from here on
        for (int c = 0; c < Count; c++) Pb[c] += Pa[c];
        pass(b, Pb);
        b = up(b, first);
        a = -1;
        while (b >= 0) {
          pass(b, Pb);
          b = up(b, first);
        }
      } else if (a > b) {
        pass(a, Pa);
        a = up(a, first);
      } else {
        pass(b, Pb);
        b = up(b, first);
      }
    }
    return;
  }
  if (linkB >= 0)
    for (int l = linkB, first = w_.trees[treeB].first; l >= 0; l = up(l, first)) pass(l, Pb);
  if (linkA >= 0)
    for (int l = linkA, first = w_.trees[treeA].first; l >= 0; l = up(l, first)) pass(l, Pa);
}

void IslandRows::fillFromJoint(double* y, int link, const double* g) const {
  const LinkModel& m = w_.model[link];
  const int tree = w_.bodies[w_.links[link].body].tree, first = w_.trees[tree].first;
  double* to = full_ ? y + start_[tree] + (m.vOffset - w_.trees[tree].vFirst) : y;
  if (!articulated_) {
    for (int k = 0; k < m.nv; k++) to[k] += g[k];
    return;
  }
  Vec6 P;
  double part[6] = {};
  enterAtJoint(m, w_.state[link], g, part, P);
  for (int k = 0; k < m.nv; k++) to[k] += part[k];
  if (m.parent < 0) return;
  if (full_)
    fill<1>(y, 0, -1, &P, first + m.parent, &P);
  else
    fill<1>(y + m.nv, 0, -1, &P, first + m.parent, &P);
}

// M^-1 J^T of a row under the tree solvers without whitening: the operator applied to the row's wrenches.
void IslandRows::respond(double* r, int linkA, const Vec6& Pa, int linkB, const Vec6& Pb, const double* g, int jointLink) {
  auto treeOf = [&](int link) { return link >= 0 ? w_.bodies[w_.links[link].body].tree : -1; };
  for (int t : island_.trees) {
    TreeRuntime& tree = w_.trees[t];
    if (tree.nv == 0 || (t != treeOf(linkA) && t != treeOf(linkB) && t != treeOf(jointLink))) continue;
    for (int i = tree.first; i < tree.first + tree.tree.count; i++) w_.state[i].P.setZero();
    if (treeOf(linkA) == t) w_.state[linkA].P += Pa;
    if (treeOf(linkB) == t) w_.state[linkB].P += Pb;
    std::fill_n(w_.extraFull.begin() + tree.vFirst, tree.nv, 0.0);
    if (treeOf(jointLink) == t)
      for (int k = 0; k < w_.model[jointLink].nv; k++) w_.extraFull[w_.model[jointLink].vOffset + k] += g[k];
    tree.saddle->solve(tree.tree, w_.extraFull.data(), w_.z.data(), false);
    for (int k = 0; k < tree.nv; k++) r[start_[t] + k] += w_.z[tree.vFirst + k];
  }
}

Vec6 IslandRows::wrenchAt(int link, const Vec3& force, const Vec3& torque, const Vec3& point) const {
  if (link < 0) return Vec6::Zero();
  const Vec3& O = w_.trees[w_.bodies[w_.links[link].body].tree].tree.O;
  return stack(torque + (point - O).cross(force), force);
}

int IslandRows::addWrenchRow(int path, const End& a, const End& b, const Vec3& force, const Vec3& torque, const Vec3& point) {
  const Vec6 onA = wrenchAt(a.link, -force, -torque, point), onB = wrenchAt(b.link, force, torque, point);
  const int row = addPairRows<1>(path, a, b, &onA, &onB);
  if (!level_)
    work_.rows.rows[row].bias =
        force.dot(pointVelocityOfBase(b, point) - pointVelocityOfBase(a, point)) + torque.dot(omegaOfBase(b) - omegaOfBase(a));
  return row;
}

int IslandRows::addForceRows(int path, const End& a, const End& b, const Vec3* const (&direction)[3], const Vec3& point) {
  const auto alone = [&](const End& e) { return e.link < 0 || w_.model[e.link].lone; };
  int row;
  if (articulated_ && !full_ && alone(a) && alone(b)) {  // free bodies, about their own centres: most contacts of a pile
    row = work_.rows.addRow(path, 3);
    oneSided_.count = 0;
    const int length = work_.rows.paths[path].length;
    double* y = work_.rows.y(row);
    for (const End* e : {&b, &a}) {  // in the order of fill()
      if (e->link < 0) continue;
      const LinkState& s = w_.state[e->link];
      const Vec3 arm = e == &b ? Vec3(point - s.c) : Vec3(s.c - point);
      const double sign = e == &b ? 1 : -1;
      for (int k = 0; k < 3; k++) {
        const Vec3 torque = cross(arm, *direction[k]);
        double* const to = y + k * length;
        forward<3>(s.G, torque.data(), to);
        for (int i = 0; i < 3; i++) to[3 + i] = sign * (*direction[k])[i] * s.G[3 + i][3 + i];
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
  }
  if (level_) return row;
  const Vec3 prescribed = pointVelocityOfBase(b, point) - pointVelocityOfBase(a, point);
  for (int k = 0; k < 3; k++) work_.rows.rows[row + k].bias = direction[k]->dot(prescribed);
  return row;
}

int IslandRows::addSpeculativeRow(int path, const End& a, const End& b, const Vec3 (&point)[2], const Vec3 (&direction)[2]) {
  const Vec3 none = Vec3::Zero();
  const Vec6 onA = wrenchAt(a.link, -direction[0], none, point[0]), onB = wrenchAt(b.link, direction[1], none, point[1]);
  const int row = addPairRows<1>(path, a, b, &onA, &onB);
  work_.rows.rows[row].bias = direction[1].dot(pointVelocityOfBase(b, point[1])) - direction[0].dot(pointVelocityOfBase(a, point[0]));
  return row;
}

template <int Count>
int IslandRows::addPairRows(int path, const End& a, const End& b, const Vec6* Pa, const Vec6* Pb) {
  const int row = work_.rows.addRow(path, Count), length = work_.rows.paths[path].length;
  fill<Count>(work_.rows.y(row), length, a.link, Pa, b.link, Pb);
  // Between links of one tree that cannot move relative to each other along the row, only round-off remains: the row's size before the two
  // sides cancel shows that.
  oneSided_.count = 0;
  if (a.link >= 0 && b.link >= 0 && w_.bodies[a.body].tree == w_.bodies[b.body].tree) {
    std::vector<double>&y = work_.fullScratch, &r = work_.rows.scratch;
    y.assign(Count * length, 0.0);
    fill<Count>(y.data(), length, -1, Pa, b.link, Pb);
    oneSided_.first = row;
    oneSided_.count = Count;
    for (int c = 0; c < Count; c++) {
      const double* const side = y.data() + c * length;
      r.assign(side, side + length);
      if (!articulated_) {
        std::fill(r.begin(), r.end(), 0.0);
        respond(r.data(), -1, Pa[c], b.link, Pb[c], nullptr, -1);
      }
      oneSided_.size[c] = 0;
      for (int k = 0; k < length; k++) oneSided_.size[c] += side[k] * r[k];
    }
  }
  if (!articulated_)
    for (int c = 0; c < Count; c++) {
      work_.rows.separateResponse(row + c, path);
      respond(work_.rows.r(row + c), a.link, Pa[c], b.link, Pb[c], nullptr, -1);
    }
  return row;
}

int IslandRows::addAxisRow(int link, const double* g, int* path) {
  *path = pathFor(-1, link);
  const int row = work_.rows.addRow(*path);
  fillFromJoint(work_.rows.y(row), link, g);
  if (!articulated_) {
    work_.rows.separateResponse(row, *path);
    respond(work_.rows.r(row), -1, Vec6::Zero(), -1, Vec6::Zero(), g, link);
  }
  // A joint's own rate: the prescribed base does not enter under sparse and dense; under articulated x = z contains W^T of the base.
  const TreeRuntime& t = w_.trees[w_.bodies[w_.links[link].body].tree];
  if (articulated_ && t.movingBase && !level_)
    for (int k = 0; k < w_.model[link].nv; k++) work_.rows.rows[row].bias += g[k] * w_.baseRate[w_.model[link].vOffset + k];
  return row;
}

void IslandRows::finish(int row, int path, double sigma, int block, const RowMeta& given) {
  RowProblem& p = work_.rows;
  work_.rowMeta.push_back(given);
  RowMeta& meta = work_.rowMeta.back();
  if (work_.bilateral.rank() > 0) {
    work_.loopShares.resize(work_.loopShares.size() + work_.bilateral.rank());
    meta.shares = static_cast<int>(work_.loopShares.size()) - work_.bilateral.rank();
    const bool same = p.rows[row].y == p.rows[row].r;
    p.rows[row].bias += work_.bilateral.removeFrom(p.y(row), p.r(row), same, work_.loopShares.data() + meta.shares);
  }
  meta.base = p.rows[row].bias;
  if (w_.settings.energyAccount && !level_) {
    double* x = p.x;
    p.x = w_.reference.data();
    meta.before = p.velocity(row, path) + meta.base;
    p.x = x;
  }
  p.finishRow(row, path, sigma);
  if (const int k = row - oneSided_.first; k >= 0 && k < oneSided_.count && !(sigma > 0))
    if (p.rows[row].inverse * 1e-10 * oneSided_.size[k] > 1) p.rows[row].inverse = 0;
  if (block > 0) p.blocks.push_back({path, row, block});
}

bool IslandRows::close() {
  if (!full_ || w_.settings.stabilisation != Stabilisation::Newton || !rigidRowsAreExact(w_.settings)) return false;
  if (island_.joints.empty() && island_.couplings.empty() && island_.constraints.empty()) return false;
  begin();
  bilateral();
  if (work_.bilateral.count() == 0) return false;
  closeLoops(w_, work_, island_);
  return true;
}

void IslandRows::projectBilateral() {
  if (work_.bilateral.rank() == 0) return;
  double* x = work_.rows.x;
  std::vector<double>& local = work_.fullScratch;
  local.resize(work_.rows.size);
  for (int t : island_.trees) std::copy_n(x + w_.trees[t].vFirst, w_.trees[t].nv, local.begin() + start_[t]);
  work_.bilateral.project(local.data());
  for (int t : island_.trees) std::copy_n(local.begin() + start_[t], w_.trees[t].nv, x + w_.trees[t].vFirst);
}

void IslandRows::hold() {
  begin();
  bilateral();
  projectBilateral();
}

void IslandRows::build(bool contactsOnly) {
  begin();
  bilateral();
  if (!contactsOnly) {
    for (int t : island_.trees)
      if (w_.trees[t].bounded) treeAxes(t);
    pairs();
    general();
  }
  contacts();
  projectBilateral();
}

int sweepsInTime(const WorldData& w, StepTally& tally) {
  constexpr int kHurried = 8;  // sweeps past the deadline: enough for a resting scene with its warm start
  if (w.settings.solverIterations <= kHurried || !pastDeadline(w)) return w.settings.solverIterations;
  tally.hurried++;
  return kHurried;
}

SolveReport IslandRows::solveOnce() {
  const WorldSettings& set = w_.settings;
  const SolverSettings settings{sweepsInTime(w_, tally_),
                                set.solverTolerance / (level_ ? level_->tau : 1),
                                set.solver,
                                set.solverRelaxation,
                                set.solverOrder,
                                set.solverWholeContacts,
                                set.solverAccelerate,
                                set.frictionDirections};
  if (w_.callbacks.seeRows) w_.callbacks.seeRows(w_.callbacks.user, work_.rows, settings);
  return solveRows(work_.rows, settings);
}

void IslandRows::solve() {
  RowProblem& p = work_.rows;
  tally_.rows += static_cast<int>(p.rows.size()) + work_.bilateral.count();
  if (p.rows.empty()) return;
  const SolveReport blows = bounces_ ? solveImpacts() : SolveReport();
  SolveReport report = solveOnce();
  if (prescribes_ && !level_ && (!report.infeasible || removesByShift(w_.settings))) report = settlePrescribed(report);
  if (bounces_)
    for (std::size_t i = 0; i < p.rows.size(); i++) p.rows[i].lambda += work_.impactImpulses[i];
  for (const SolveReport& r : {blows, report}) {
    tally_.solverIterations = std::max(tally_.solverIterations, r.iterations);
    tally_.solverResidual = std::max(tally_.solverResidual, r.residual);
    tally_.complementarity = std::max(tally_.complementarity, r.complementarity);
  }
  if (report.infeasible) tally_.infeasible++;
  for (std::size_t i = 0; i < p.rows.size(); i++)
    if (work_.rowMeta[i].shares >= 0) work_.bilateral.addImpulse(work_.loopShares.data() + work_.rowMeta[i].shares, p.rows[i].lambda);
}

void IslandRows::shift() {
  bool any = false;
  RowProblem& p = work_.rows;
  const bool positions = removesByShift(w_.settings);
  for (const Block& block : p.blocks) {
    const RowMeta& meta = work_.rowMeta[block.row];
    any |= (block.contact() && meta.bounces && p.rows[block.row].lambda > 0) || (positions && meta.shift > 0);
  }
  if (!any) return;
  // Smallest displacement (in the metric of the mass) that gives each bouncing contact its shift without pushing other bearing contacts
  // together: Gauss-Seidel on those rows alone. Where displacements remove penetration, all contacts take part.
  double* x = p.x;
  std::vector<double>& kept = work_.fullScratch;
  kept.resize(p.size);
  for (int t : island_.trees) {
    std::copy_n(x + w_.trees[t].vFirst, w_.trees[t].nv, kept.begin() + start_[t]);
    std::fill_n(x + w_.trees[t].vFirst, w_.trees[t].nv, 0.0);
  }
  std::vector<double>& push = work_.impactScratch;
  push.assign(p.rows.size(), 0.0);
  for (int it = 0; it < 20; it++) {
    double worst = 0;
    for (const Block& block : p.blocks) {
      const RowMeta& meta = work_.rowMeta[block.row];
      if (!block.contact() || !(p.rows[block.row].lambda > 0 || positions) || !(p.rows[block.row].inverse > 0)) continue;
      const double left = meta.shift - p.velocity(block.row, block.path);
      double& done = push[block.row];
      const double next = done + left * p.rows[block.row].inverse;
      // Contacts that the impact pressed together stay so.
      const bool struck = bounces_ && !positions && work_.impactImpulses[block.row] > 0;
      const double to = meta.bounces || struck ? next : std::max(0.0, next);
      p.apply(block.row, block.path, to - done);
      worst = std::max(worst, std::fabs(to - done) / p.rows[block.row].inverse);
      done = to;
    }
    if (worst < 1e-9) break;
  }
  for (int t : island_.trees) {
    TreeRuntime& tree = w_.trees[t];
    if (tree.nv == 0) continue;
    if (articulated_)
      sweepDown(tree.tree, x, w_.shift.data(), false);
    else
      std::copy_n(x + tree.vFirst, tree.nv, w_.shift.begin() + tree.vFirst);
    tree.shifted = true;
    std::copy_n(kept.begin() + start_[t], tree.nv, x + tree.vFirst);
  }
}

void IslandRows::store() {
  RowProblem& p = work_.rows;
  const double rate = 1 / h_;
  for (const Block& block : p.blocks) {
    for (int k = 0; k < block.size; k++) {
      const Row& row = p.rows[block.row + k];
      const RowMeta& meta = work_.rowMeta[block.row + k];
      if (w_.settings.energyAccount && row.lambda != 0) {
        // Mean of the velocities before and after the impulses of the step: impulses times this mean give the change of kinetic energy.
        const double work = 0.5 * row.lambda * (meta.before + p.velocity(block.row + k, block.path) + meta.base);
        switch (meta.kind) {
          case RowMeta::Tangent:
          case RowMeta::Friction:
            tally_.account.lostFriction -= work;
            break;
          case RowMeta::Drive:
          case RowMeta::Spring:
          case RowMeta::Hold:
          case RowMeta::Coupling:
          case RowMeta::User:
            tally_.account.workDrives += work;
            break;
          default:
            tally_.account.lostImpact -= work;
        }
      }
      if (block.contact()) continue;
      if (meta.kind == RowMeta::Coupling) {
        w_.couplings[meta.index].impulse = row.lambda;
        continue;
      }
      if (meta.kind == RowMeta::User) {
        w_.constraints[meta.index].impulse[meta.part] = row.lambda;
        continue;
      }
      JointSlot& j = w_.joints[meta.index];
      if (meta.kind == RowMeta::Hold) {
        j.between.make().hold[meta.axis] = row.lambda;
      } else if (meta.kind == RowMeta::Drive) {
        j.between.make().drive[meta.axis] = row.lambda;
        if (j.axes[meta.axis].saturated > 0) j.axes[meta.axis].saturated = isHeldUp(block) ? j.axes[meta.axis].saturated - 1 : 0;
        j.axes[meta.axis].motorForce = row.lambda * rate;
      } else if (meta.kind == RowMeta::Spring) {
        j.between.make().spring[meta.axis] = row.lambda;
        j.axes[meta.axis].springForce = row.lambda * rate;
      } else {
        j.axes[meta.axis].impulse[meta.slot] = row.lambda;
        if (meta.kind == RowMeta::Friction) {
          j.axes[meta.axis].frictionForce = row.lambda * rate;
        } else {
          for (int e = 0; e < 3; e++) j.axes[meta.axis - meta.axis % 3 + e].limitForce += row.lambda * rate * meta.direction[e];
        }
      }
    }
    if (block.contact()) storeContact(block);
  }
  storeBilateral();
}

template void IslandRows::fill<1>(double*, int, int, const Vec6*, int, const Vec6*) const;

}  // namespace vertebra
