// See axis_rows.hpp.
#include "engine/constraints/axis_rows.hpp"

#include <algorithm>
#include <cmath>

#include "engine/constraints/impact_rows.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/constraints/spherical_limits.hpp"
#include "engine/dynamics/joints/joints.hpp"
#include "engine/trees/joint_coordinates.hpp"

namespace vertebra::constraints {
namespace {

constexpr double kLimitMargin = 0.02;  // rad or m, besides what the present rate covers in a step

constexpr double kArm = 0.1;  // m: what is left in a row that turns is judged by the speed at this distance from its axis

constexpr double kAnywhere = 1e3;  // rad or m: of links whose limits a solution reached

double reach(double rate, double span) { return kLimitMargin + 1.5 * span * rate; }
double rateOf(const double* v, const dynamics::LinkModel& m) { return Vec3(v[m.vOffset], v[m.vOffset + 1], v[m.vOffset + 2]).norm(); }

struct AxisBuilder {
  RowBuffer& rows;
  const std::vector<JointSlot>& joints;
  const WorldSettings& set;
  const double span;         // s: the next move, or the time of decay
  RowFindings* const found;  // null: accelerations
  const double step = 0;     // s, of forces that act as impulses
  const double opening = 0;  // s: StepTimes
  const TreeState& trees = rows.topology;
  const double* const v0 = rows.scratch.v0.data();

  RowMeta metaOf(RowMeta::Kind kind, int link, int axis) const {
    RowMeta meta;
    meta.kind = kind;
    meta.index = trees.links[link].joint;
    meta.axis = static_cast<std::int8_t>(axis);
    return meta;
  }

  void markBlock(int link, int axis) {
    solve::Block& block = rows.work.rows.blocks.back();
    block.tree = rows.bodies.treeOf(link);
    if (!trees.state[link].S[axis].head<3>().isZero(0)) block.arm = kArm;
  }

  // A one-sided row on a joint: the sum of its velocities with the weights g keeps gap >= 0. axis and slot identify its warm start; g is
  // zero except for the three axes (0 to 2 or 3 to 5) that include `axis`. A limit that is reached within the step rebounds by its
  // restitution.
  void limit(int link, const double* g, int axis, int slot, double gap, double restitution) {
    const dynamics::LinkModel& m = trees.model[link];
    double approach = 0;
    for (int k = 0; k < m.nv; k++) approach -= g[k] * v0[m.vOffset + k];
    const bool clamped =
        !trees.links[link].looped && m.type != dynamics::JointType::Spherical && slot != 3;  // others are never rolled back
    if ((!found || clamped) && !actsAtGap(set, rows.level, gap)) return;
    // At acceleration level limits that are reached only now are left to the velocities: they are impacts.
    if (!found && approach > set.restitutionSpeed) return;
    int path;
    const int row = rows.addAxisRow(link, g, &path);
    RowMeta meta = metaOf(RowMeta::Limit, link, axis);
    meta.slot = static_cast<std::int8_t>(slot);
    for (int k = 0; k < 3; k++) meta.direction[k] = g[axis - axis % 3 + k];
    const double allowed = allowanceOfLimit(gap);
    if (slot != 3) meta.shift = -allowed;
    solve::Row& r = rows.finish(row, path, 0, 1, meta);
    markBlock(link, axis);
    r.lo = 0;
    r.hi = kInf;
    const double rate = allowed / (gap < 0 ? std::max(span, opening) : span);
    if (!found) {  // remaining approach decays
      r.bias += (rate - approach) / span;
      return;
    }
    if (restitution > 0) found->impacts |= limitRebounds(rows, set, span, gap, restitution, approach);
    r.bias += rate;
    r.lambda = joints[meta.index].axes[axis].impulse[slot];
  }

  bool reached(int link) const {
    const std::vector<int>& list = rows.work.reachedLinks;
    return !list.empty() && std::find(list.begin(), list.end(), link) != list.end();
  }

  bool rubs() const {  // dry friction is among these rows, not among those of the other level
    return !found || !traitsOf(set.stepper).accelerationRows || !set.unilateralAccelerations;
  }

  void friction(int link, int axis, double most) {
    double g[6] = {};
    g[axis] = 1;
    int path;
    const int row = rows.addAxisRow(link, g, &path);
    const RowMeta meta = metaOf(RowMeta::Friction, link, axis);
    solve::Row& r = rows.finish(row, path, 0, 1, meta);
    markBlock(link, axis);
    const double bound = found ? most * step : most;
    r.lo = -bound;
    r.hi = bound;
    if (found)
      r.lambda = std::min(r.hi, std::max(r.lo, joints[meta.index].axes[axis].impulse[0]));
    else
      r.bias += v0[trees.model[link].vOffset + axis] / span;
  }

  void orientation(int link, const dynamics::LinkModel& m, const JointSlot& j) {
    const double margin = reached(link) ? kAnywhere : reach(rateOf(v0, m), span);
    SphericalLimit limits[3];
    const int count = sphericalLimits(j, dynamics::SphericalJoint::quat(trees.q.data() + m.qOffset), margin, limits);
    for (int l = 0; l < count; l++) limit(link, limits[l].direction.data(), limits[l].axis, 1, limits[l].gap, limits[l].restitution);
  }

  void bound(int link, int axis, double sign, int slot, double gap, double restitution) {
    double g[6] = {};
    g[axis] = sign;
    limit(link, g, axis, slot, gap, restitution);
  }

  void link(int i) {
    const dynamics::LinkModel& m = trees.model[i];
    const JointSlot& j = joints[trees.links[i].joint];
    if (m.type == dynamics::JointType::Spherical) orientation(i, m, j);
    for (int k = 0, limited = trees::limitedAxes(m); k < m.nv; k++) {
      const dynamics::AxisParameters& a = *j.axes[k].parameters;
      const double rate = v0[m.vOffset + k];
      if (k < limited) {
        const double q = trees.q[m.qOffset + k], margin = reached(i) ? kAnywhere : reach(std::fabs(rate), span);
        if (q - a.lower < margin) bound(i, k, 1, 1, q - a.lower, a.restitution);
        if (a.upper - q < margin) bound(i, k, -1, 2, a.upper - q, a.restitution);
      }
      if (found && std::fabs(rate) > 0.5 * a.velocity) bound(i, k, rate > 0 ? -1 : 1, 3, a.velocity * span, 0);
      if (a.friction > 0 && rubs()) friction(i, k, a.friction);
    }
  }

  void tree(const TreeRuntime& t) {
    for (int i = t.first; i < t.first + t.tree.count; i++)
      if (trees.links[i].bounded) link(i);
  }
};

// Where no joint moves by more than the margin in the next step, none passes a limit that had no row.
bool movesFar(const TreeState& trees, const TreeRuntime& t, double span) {
  const double slow = kLimitMargin / (std::sqrt(3.0) * span);  // about each axis of a spherical joint
  const double* const v = trees.v.data();
  const int first = t.freeRoot ? trees.model[t.first].vOffset + trees.model[t.first].nv : t.vFirst;  // a free root has no limits
  return std::any_of(v + first, v + t.vFirst + t.nv, [=](double rate) { return std::fabs(rate) > slow; });
}

// Whether the link passes a limit in the next step that had no row: its rate at the start was too small.
bool passes(const TreeState& trees, const JointSlot& j, int i, const double* v0, double span) {
  const dynamics::LinkModel& m = trees.model[i];
  const double* const v = trees.v.data() + m.vOffset;
  if (m.type == dynamics::JointType::Spherical) {
    const double before = rateOf(v0, m), after = rateOf(trees.v.data(), m);
    if (after <= before) return false;
    const double seen = reach(before, span), now = reach(after, span);
    SphericalLimit limits[3];
    const int count = sphericalLimits(j, dynamics::SphericalJoint::quat(trees.q.data() + m.qOffset), now, limits);
    return std::any_of(limits, limits + count, [&](const SphericalLimit& l) {
      return l.gap >= seen * l.direction.norm() && l.gap + span * l.direction.dot(Eigen::Map<const Vec3>(v)) < 0;
    });
  }
  for (int k = 0; k < m.nv; k++) {
    const dynamics::AxisParameters& a = *j.axes[k].parameters;
    const double seen = reach(std::fabs(v0[m.vOffset + k]), span);
    if (k >= trees::limitedAxes(m) || std::fabs(v[k]) * span < seen) continue;
    const double q = trees.q[m.qOffset + k], gap = v[k] < 0 ? q - a.lower : a.upper - q;
    if (gap >= seen && gap < std::fabs(v[k]) * span) return true;
  }
  return false;
}

}  // namespace

void addAxisRows(RowBuffer& rows, const std::vector<JointSlot>& joints, const WorldSettings& settings, const StepTimes& times,
                 RowFindings& found) {
  for (int t : rows.islandTrees)
    if (const TreeRuntime& tree = rows.topology.trees[t]; tree.bounded)
      AxisBuilder{rows, joints, settings, times.next, &found, times.h, times.opening}.tree(tree);
}

bool limitsPassed(RowBuffer& rows, const std::vector<JointSlot>& joints, double next) {
  const TreeState& trees = rows.topology;
  std::vector<int>& reached = rows.work.reachedLinks;
  const std::size_t before = reached.size();
  for (const int tree : rows.islandTrees) {
    const TreeRuntime& t = trees.trees[tree];
    if (!t.limited || !movesFar(trees, t, next)) continue;
    for (int i = t.first; i < t.first + t.tree.count; i++)
      if (trees.links[i].limited && std::find(reached.begin(), reached.end(), i) == reached.end() &&
          passes(trees, joints[trees.links[i].joint], i, rows.scratch.v0.data(), next))
        reached.push_back(i);
  }
  return reached.size() > before;
}

void addAxisAccelerations(RowBuffer& rows, const std::vector<JointSlot>& joints, const WorldSettings& settings, const StepTimes& times) {
  for (int t : rows.islandTrees)
    if (const TreeRuntime& tree = rows.topology.trees[t]; tree.bounded)
      AxisBuilder{rows, joints, settings, times.next, nullptr, 0, times.opening}.tree(tree);
}

}  // namespace vertebra::constraints
