// The stepper `ode`: the trees' equations of motion under the integrators of math/ode, between impacts. A step is divided into windows,
// short enough that nothing fast passes through another body; in each window
//   1 tree systems (islands at its start) move by themselves, with steps of their own (flow.hpp);
//   2 a new contact between two systems that is deeper than `rollbackDepth` merges them, and both return to the start of the window;
//   3 within a system such a contact, or a joint past its limit, rolls the system back to the moment it began, found by bisection. There
//     velocities change by impulses (restitution, friction), and the system goes on. One that cannot leave a contact is stopped there;
//   4 at the end velocities are solved with all rows of an island, as the stepper `impulse` does: new slow contacts, and the error that
//     acceleration level left in the others.
// Contacts of shapes without rollback are left to 4 at once. Energy of drives and dampers is accounted by the trapezoidal rule. Sources:
// Vondrak 2006, 6.4.3, 6.5.2 (rollback, important inequalities, critical contacts), 7.1 (groups, transactions).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "engine/collision/contacts.hpp"
#include "engine/constraints/island_rows.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/islands/islands.hpp"
#include "engine/steppers/loops.hpp"
#include "engine/steppers/ode/flow.hpp"
#include "engine/steppers/physics_step.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

constexpr int kMostWindows = 64;    // of a step
constexpr int kMostRollbacks = 32;  // of a tree system in a window; then its bodies are stopped where they touch
constexpr int kMostBisections = 40;

// Of the integrators that members of a tree system ask for, the one with the highest rank acts: implicit Euler, because its forces are
// stiff for the others; then by order, symplectic before explicit Euler.
int rankOf(int integrator) {
  const auto kind = static_cast<Integrator>(integrator);
  return kind == Integrator::ImplicitEuler ? 100 : 2 * orderOf(kind) + (kind == Integrator::SymplecticEuler ? 1 : 0);
}

// For a tree system that asks for `own`, in world steps of h.
OdeSettings solverFor(const WorldSettings& set, double h, const Integration& own) {
  const Integrator integrator = own.integrator >= 0 ? static_cast<Integrator>(own.integrator) : set.odeIntegrator;
  const bool pair = integrator == Integrator::DormandPrince;
  const StepControl control = set.odeControl == StepControl::Embedded && !pair ? StepControl::Doubling : set.odeControl;
  const double step = own.step > 0 ? std::min(h, own.step) : h;
  return {integrator, control, step, set.odeTolerance, set.odeSmallest, std::max(step, set.odeSmallest)};
}

class OdeStep {
 public:
  OdeStep(WorldData& w, double h) : w_(w), h_(h) {}

  Failure run() {
    if (Failure f = begin()) return f;
    for (double t = 0; t < h_;) {
      const double left = h_ - t;
      const double span = std::max(h_ / kMostWindows, safeSpan()), end = span > 0.999 * left ? h_ : t + span;
      if (Failure f = window(t, end)) return f;
      t = end;
    }
    for (TreeRuntime& t : w_.trees) {
      if (t.asleep || t.immobile) continue;
      if (t.hasAxisForces) {
        trees::measureAxes(w_, t);
        trees::recordAxisForces(w_, t, h_, tally_);
      }
      trees::capSpeeds(w_, t, tally_);
    }
    addTally(w_, tally_);
    placePrescribed(w_, 0);
    return {};
  }

 private:
  Failure begin() {
    w_.acceleration.held.clear();
    bool fresh = false, struck = false;
    for (TreeRuntime& t : w_.trees) {
      if (t.immobile) {
        if (t.baseBody < 0 || (!t.movingBase && t.settled)) continue;
        trees::placeBase(w_, t);
        trees::settleTree(w_, t, tally_);
        dynamics::updateSubspaces(t.tree);
        dynamics::updateTwists(t.tree, w_.v.data());
        t.settled = !t.movingBase;
        continue;
      }
      if (t.asleep) continue;
      if (t.hasAxisForces)
        for (int i = t.first; i < t.first + t.tree.count; i++)
          if (w_.links[i].hasAxisForces && trees::hasInfiniteGains(w_.joints[w_.links[i].joint]))
            return {Failure::Unsupported, "joint " + std::to_string(w_.links[i].joint) +
                                              " has a motor without bound on its gains, which the stepper ode cannot follow; give it "
                                              "finite stiffness and damping, or use the stepper impulse"};
      trees::saveTree(w_, t, true);
      fresh |= t.fresh;
      t.fresh = t.shifted = false;
      t.smooth = true;  // motors act in the flow: solveIsland() ignores them
      if (w_.anyForce)
        for (int i = t.first; i < t.first + t.tree.count; i++) {
          const BodySlot& b = w_.bodies[w_.links[i].body];
          struck |= b.applied->impulse.squaredNorm() > 0 || b.applied->angularImpulse.squaredNorm() > 0;
        }
    }
    if (fresh) collision::collideAll(w_);
    islands::buildIslands(w_);
    if (!fresh && !struck) return {};
    // Velocities that were set are projected on the rows before they move anything.
    return solveAll(h_, struck ? projectImpact : projectAtRest);
  }

  // s in which no body moves farther than half the radius of the ball inside its shapes.
  double safeSpan() const {
    double span = h_;
    if (!(w_.settings.rollbackDepth > 0)) return span;
    for (const ShapeSlot& s : w_.shapes) {
      if (!s.alive || s.body < 0 || !(s.def->inner > 0) || !(s.def->inner < kInf) || w_.bodies[s.body].link < 0 || w_.bodies[s.body].asleep)
        continue;
      const double speed = w_.state[w_.bodies[s.body].link].v.norm();
      if (speed * span > 0.5 * s.def->inner) span = 0.5 * s.def->inner / speed;
    }
    return span;
  }

  Failure window(double from, double end) {
    OdeWork& ode = w_.ode;
    const double span = end - from;
    makeSystems(from);
    for (bool again = true; again;) {
      again = false;
      for (int g = 0; g < ode.systemCount; g++)
        if (!ode.systems[g].flown)
          if (Failure f = fly(ode.systems[g], end, span)) return f;
      collision::collideAll(w_);
      if (!(w_.settings.rollbackDepth > 0)) break;
      again = wakeWhatIsHit(from) || mergeWhereTheyMeet(from);
      for (int g = 0; !again && g < ode.systemCount; g++) {
        if (ode.systems[g].stopped || !(worst(g) > w_.settings.rollbackDepth)) continue;
        if (Failure f = rollBack(g, end, span)) return f;
        again = true;
      }
    }
    for (int g = 0; g < ode.systemCount; g++)
      for (int ti : ode.systems[g].island.trees) {
        trees::settleTree(w_, w_.trees[ti], tally_);
        dynamics::updateSubspaces(w_.trees[ti].tree);
        dynamics::updateTwists(w_.trees[ti].tree, w_.v.data());
      }
    islands::buildIslands(w_);
    return solveAll(span, projectAtRest);
  }

  void makeSystems(double from) {
    OdeWork& ode = w_.ode;
    ode.systemCount = 0;
    ode.systemOf.assign(w_.trees.size(), -1);
    bool together = false;  // fields between bodies need all of them at one time
    for (const FieldSlot& f : w_.fields)
      together |= f.alive && (f.def.type == FieldType::Pairwise || f.def.type == FieldType::LennardJones || f.def.source >= 0);
    for (int k = 0; k < w_.islandCount; k++) {
      if (k > 0 && together) {
        append(ode.systems[0], w_.islands[k], w_.contacts);
      } else {
        if (ode.systemCount == static_cast<int>(ode.systems.size())) ode.systems.emplace_back();
        TreeSystem& system = ode.systems[ode.systemCount++];
        clear(system);
        append(system, w_.islands[k], w_.contacts);
      }
    }
    for (int g = 0; g < ode.systemCount; g++) startSystem(g, from);
  }

  static void clear(TreeSystem& system) {
    for (std::vector<int>* list : system.members.all()) list->clear();
    system.contacts.clear();
    system.island = Island();
  }

  void append(TreeSystem& system, const Island& more, const std::vector<Contact>& contacts) {
    IslandLists& i = system.members;
    const auto add = [](std::vector<int>& to, std::span<const int> from) { to.insert(to.end(), from.begin(), from.end()); };
    add(i.trees, more.trees);
    add(i.joints, more.joints);
    add(i.couplings, more.couplings);
    add(i.constraints, more.constraints);
    std::sort(i.trees.begin(), i.trees.end());
    for (int c : more.contacts) system.contacts.push_back(contacts[c]);
    numberContacts(system);
    system.island.trees = i.trees;
    system.island.joints = i.joints;
    system.island.couplings = i.couplings;
    system.island.constraints = i.constraints;
  }

  static void numberContacts(TreeSystem& system) {
    std::sort(system.contacts.begin(), system.contacts.end(), [](const Contact& a, const Contact& b) {
      return std::tuple(a.shapeA, a.shapeB, a.feature) < std::tuple(b.shapeA, b.shapeB, b.feature);
    });
    system.members.contacts.resize(system.contacts.size());
    std::iota(system.members.contacts.begin(), system.members.contacts.end(), 0);
    system.island.contacts = system.members.contacts;
  }

  void startSystem(int g, double time) {
    TreeSystem& system = w_.ode.systems[g];
    system.own = Integration();
    for (int ti : system.island.trees) {
      w_.ode.systemOf[ti] = g;
      const TreeRuntime& t = w_.trees[ti];
      for (int i = t.first; i < t.first + t.tree.count; i++) take(w_.bodies[w_.links[i].body].integration, system.own);
    }
    if (system.own.step > 0)
      w_.statistics.parts = std::max(w_.statistics.parts, static_cast<int>(std::ceil(std::min(1e6, h_ / system.own.step - 1e-9))));
    OdeFlow(w_, system, h_, h_).read(system.start);
    system.y = system.start;
    system.time = time;
    system.rollbacks = 0;
    system.flown = system.stopped = false;
  }

  static void take(const Integration& of, Integration& own) {
    if (of.step > 0 && !(own.step > 0 && own.step <= of.step)) own.step = of.step;
    if (of.integrator >= 0 && (own.integrator < 0 || rankOf(of.integrator) > rankOf(own.integrator))) own.integrator = of.integrator;
  }

  // The system from its present time to `until`, in `next`, and the world there.
  Failure fly(TreeSystem& system, double until, double span) {
    OdeSolver& solver = w_.ode.solver;
    OdeFlow flow(w_, system, span, h_);
    system.next = system.y;
    system.flown = true;
    if (!system.stopped) {
      solver.configure(solverFor(w_.settings, h_, system.own));
      solver.reserve(flow.size());
      solver.restart();
      double t = system.time;
      const OdeReport report = solver.advance(flow, t, system.next.data(), until);
      const int bad = system.island.tally.badConstraint;
      addTally(w_, system.island.tally);
      if (bad >= 0) return badConstraint(bad);
      if (w_.badField >= 0) return badField(w_);
      if (flow.failure()) return flow.failure();
      if (report.failed) return diverged(w_);
    }
    flow.place(until, system.next.data());
    return {};
  }

  bool stabilised(const Contact& c) const { return c.speculative >= 0 || constraints::isStabilised(w_.shapes, c); }
  int systemOf(int body) const { return body >= 0 && w_.bodies[body].tree >= 0 ? w_.ode.systemOf[w_.bodies[body].tree] : -1; }
  bool touchedBefore(const TreeSystem& system, const Contact& c) const {
    return std::any_of(system.contacts.begin(), system.contacts.end(),
                       [&](const Contact& b) { return b.shapeA == c.shapeA && b.shapeB == c.shapeB && b.gap <= constraints::kTouching; });
  }

  bool mergeWhereTheyMeet(double from) {
    OdeWork& ode = w_.ode;
    for (const Contact& c : w_.contacts) {
      int a = systemOf(c.bodyA), b = systemOf(c.bodyB);
      if (a < 0 || b < 0 || a == b || -c.gap <= w_.settings.rollbackDepth || stabilised(c)) continue;
      if (a > b) std::swap(a, b);
      TreeSystem &first = ode.systems[a], &second = ode.systems[b];
      OdeFlow(w_, first, h_, h_).place(from, first.start.data());
      OdeFlow(w_, second, h_, h_).place(from, second.start.data());
      append(first, second.island, second.contacts);
      startSystem(a, from);
      clear(second);
      second.flown = second.stopped = true;  // the system is empty now
      w_.statistics.merges++;
      return true;
    }
    return false;
  }

  // m or rad by which the system passed a contact or limit that it did not touch at its last state; contacts are those of the present
  // state.
  double worst(int g) const {
    const TreeSystem& system = w_.ode.systems[g];
    double depth = 0;
    for (const Contact& c : w_.contacts) {
      if (systemOf(c.bodyA) != g && systemOf(c.bodyB) != g) continue;
      if (-c.gap > depth && !stabilised(c) && !touchedBefore(system, c)) depth = -c.gap;
    }
    const double* before = system.y.data();
    for (int ti : system.island.trees) {
      const TreeRuntime& t = w_.trees[ti];
      if (t.hasAxisForces)
        for (int i = t.first; i < t.first + t.tree.count; i++) {
          if (!w_.links[i].hasAxisForces || w_.links[i].looped) continue;
          const dynamics::LinkModel& m = w_.model[i];
          const JointSlot& j = w_.joints[w_.links[i].joint];
          for (int k = 0; k < trees::limitedAxes(m); k++) {
            const double q = w_.q[m.qOffset + k], q0 = before[m.qOffset - t.qFirst + k];
            if (q0 - j.axes[k].parameters->lower > constraints::kTouching) depth = std::max(depth, j.axes[k].parameters->lower - q);
            if (j.axes[k].parameters->upper - q0 > constraints::kTouching) depth = std::max(depth, q - j.axes[k].parameters->upper);
          }
        }
      before += t.nq;
    }
    return depth;
  }

  // A sleeping system that is hit takes part from the start of the window.
  bool wakeWhatIsHit(double from) {
    bool any = false;
    for (const Contact& c : w_.contacts) {
      if (-c.gap <= w_.settings.rollbackDepth || stabilised(c)) continue;
      for (int body : {c.bodyA, c.bodyB}) {
        const int tree = body >= 0 ? w_.bodies[body].tree : -1;
        if (tree < 0 || !w_.trees[tree].asleep || systemOf(body == c.bodyA ? c.bodyB : c.bodyA) < 0) continue;
        trees::wakeTree(w_, tree);
        w_.trees[tree].fresh = false;
        any = true;
      }
    }
    if (!any) return false;
    for (int g = 0; g < w_.ode.systemCount; g++) OdeFlow(w_, w_.ode.systems[g], h_, h_).place(from, w_.ode.systems[g].start.data());
    collision::collideAll(w_);
    islands::buildIslands(w_);
    makeSystems(from);
    return true;
  }

  // Back to the first touch of what the system would pass, and through the impact there.
  Failure rollBack(int g, double end, double span) {
    TreeSystem& system = w_.ode.systems[g];
    w_.statistics.rollbacks++;
    const bool stop = ++system.rollbacks > kMostRollbacks;
    double late = end;
    for (int k = 0; k < kMostBisections && late - system.time > 1e-12 * span; k++) {
      const double middle = 0.5 * (system.time + late);
      if (Failure f = fly(system, middle, span)) return f;
      collision::collideAll(w_);
      if (worst(g) > w_.settings.rollbackDepth) {
        late = middle;
        continue;
      }
      const bool there = touchesAnew(g);
      system.y.swap(system.next);
      system.time = middle;
      if (there) break;
    }
    OdeFlow flow(w_, system, span, h_);
    flow.place(system.time, system.y.data());
    collision::collideAll(w_);
    system.contacts.clear();
    for (const Contact& c : w_.contacts) {
      const int a = systemOf(c.bodyA), b = systemOf(c.bodyB);
      if ((a == g || b == g) && (a == g || !moves(c.bodyA)) && (b == g || !moves(c.bodyB))) system.contacts.push_back(c);
    }
    numberContacts(system);
    if (stop) {
      w_.statistics.stops++;
      system.stopped = true;
      for (int ti : system.island.trees) {
        if (w_.settings.energyAccount) w_.account.lostImpact += 0.5 * trees::kineticTwice(w_, w_.trees[ti]);
        std::fill_n(w_.v.begin() + w_.trees[ti].vFirst, w_.trees[ti].nv, 0.0);
        dynamics::updateTwists(w_.trees[ti].tree, w_.v.data());
      }
    } else {
      if (Failure f = solveOne(system.island, system.contacts, span, projectAtRest)) return f;
      addTally(w_, system.island.tally);
    }
    flow.read(system.y);
    system.flown = false;
    return {};
  }

  bool moves(int body) const { return body >= 0 && w_.bodies[body].tree >= 0 && !w_.trees[w_.bodies[body].tree].immobile; }

  // Contacts or limits that the system touches now and did not touch at its last state.
  bool touchesAnew(int g) const {
    const TreeSystem& system = w_.ode.systems[g];
    for (const Contact& c : w_.contacts)
      if (c.gap <= 0.5 * constraints::kTouching && (systemOf(c.bodyA) == g || systemOf(c.bodyB) == g) && !stabilised(c) &&
          !touchedBefore(system, c))
        return true;
    return false;
  }

  Failure solveAll(double span, Projection project) {
    beginIslands(w_);
    for (int k = 0; k < w_.islandCount; k++) {
      beginIsland(w_, w_.islands[k]);
      if (Failure f = solveOne(w_.islands[k], w_.contacts, span, project)) return f;
    }
    concludeIslands(w_);
    return {};
  }
  Failure solveOne(Island& island, std::vector<Contact>& contacts, double span, Projection project) {
    for (int ti : island.trees) {
      TreeRuntime& t = w_.trees[ti];
      t.smooth = true;
      const double kinetic = t.startKinetic;
      trees::saveTree(w_, t, false);
      t.startKinetic = kinetic;
    }
    trees::lendInertias(w_, w_.workspaces[0], island.trees);
    constraints::IslandRows rows(w_, w_.workspaces[0], island, contacts, span);
    std::optional<constraints::SolvedRows> solved;
    if (Failure f = solveIsland(w_, w_.workspaces[0], island, rows, span, project, solved)) return f;
    storeRows(w_, w_.workspaces[0], island, *solved);
    for (int ti : island.trees) w_.trees[ti].shifted = false;
    return {};
  }

  WorldData& w_;
  const double h_;
  StepTally tally_;
};

}  // namespace

void reserveOde(WorldData& w, std::size_t contacts) {
  OdeWork& ode = w.ode;
  const std::size_t size = w.q.size() + w.v.size(), rows = 6 * contacts + w.workspaces[0].errorScratch.capacity();
  const auto implicit = [](const BodySlot& b) { return b.integration.integrator == static_cast<int>(Integrator::ImplicitEuler); };
  Integration own;
  if (std::any_of(w.bodies.begin(), w.bodies.end(), implicit))
    own.integrator = static_cast<int>(Integrator::ImplicitEuler);  // the largest memory
  ode.solver.configure(solverFor(w.settings, w.settings.timeStep / w.settings.substeps, own));
  ode.solver.reserve(static_cast<int>(size));
  ode.systems.resize(std::max(ode.systems.size(), w.trees.size()));
  for (TreeSystem& g : ode.systems) {
    for (std::vector<double>* v : {&g.start, &g.y, &g.next}) v->reserve(size);
    for (std::vector<int>* v : g.members.all())
      v->reserve(w.trees.size() + w.auxiliaryJoints.size() + w.couplings.size() + w.constraints.size());
    g.members.contacts.reserve(contacts);
    g.contacts.reserve(contacts);
  }
  ode.systemOf.reserve(w.trees.size());
  for (std::vector<double>* v : {&w.acceleration.rates, &w.acceleration.targets, &ode.drift, &ode.sample}) v->reserve(rows);
  w.acceleration.held.reserve(contacts);
}

Failure stepOde(WorldData& w, double h) { return OdeStep(w, h).run(); }

}  // namespace vertebra::steppers
