// The stepper `ode`: the trees' equations of motion under the integrators of math/ode, between impacts. A step is divided into windows,
// between the impacts that continuous collision foresees; in each window
//   1 tree systems (islands at its start, tree_systems.hpp) move by themselves, with steps of their own (flow.hpp);
//   2 a new contact between two systems that is deeper than `rollbackDepth` merges them, and both return to the start of the window;
//   3 within a system such a contact, or a joint past its limit, rolls the system back to the moment it began, found by bisection. There
//     velocities change by impulses (restitution, friction), and the system goes on. Limits and contacts that are met again and again
//     are left to 4, but what is so fast that it would pass through is stopped;
//   4 at the end velocities are solved with all rows of an island, as the stepper `impulse` does: new slow contacts, and the error that
//     acceleration level left in the others.
// Contacts of shapes without rollback are left to 4 at once. Work of drives and dampers is integrated with the motion. Sources:
// Vondrak 2006, 6.4.3, 6.5.2 (rollback, important inequalities, critical contacts), 7.1 (groups, transactions).
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/collision/contacts.hpp"
#include "engine/constraints/island_rows.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/constraints/row_store.hpp"
#include "engine/forces/pair_springs.hpp"
#include "engine/islands/islands.hpp"
#include "engine/steppers/loops.hpp"
#include "engine/steppers/ode/contact_impulses.hpp"
#include "engine/steppers/ode/events.hpp"
#include "engine/steppers/ode/flow.hpp"
#include "engine/steppers/ode/made_energy.hpp"
#include "engine/steppers/ode/tree_systems.hpp"
#include "engine/steppers/ode/work.hpp"
#include "engine/steppers/physics_step.hpp"
#include "engine/steppers/steppers.hpp"
#include "engine/steppers/whips.hpp"
#include "engine/trees/topology.hpp"
#include "engine/trees/tree_step.hpp"

namespace vertebra::steppers {
namespace {

constexpr int kMostWindows = 2048;  // of a step; in the last, what may get past each other is stopped
constexpr double kShort = 1e-3;     // window of bodies that touch and turn, as a share of the step
constexpr double kShortest = 1e-7;  // window, as a share of the step
constexpr double kSwept = 0.9;      // rad, of a body that is swept with its shape
constexpr double kTurn = 0.5;       // rad, of a free body in a step of the integrator: explicit ones diverge beyond
constexpr double kSag = 4;          // times the fall in what is left of a step: what goes deeper is passed through in one window,
constexpr double kSoon = 0.1;       // as are impacts within this share of it;
constexpr double kBefore = 0.95;    // others are approached for this share of the time until them
constexpr int kMostRollbacks = 32;  // of a tree; then its limits, and after them its contacts, are left to the end of the window
constexpr int kMostBisections = 40;
constexpr int kMostHalvings = 8;  // of a step that makes energy, then it is refused;
constexpr int kWithContacts = 1;  // and where contacts press, whose rows may make it, then it counts as unsolved

class OdeStep {
 public:
  OdeStep(WorldData& w, double h) : w_(w), h_(h) {}

  Failure run() {
    if (Failure f = begin()) return f;
    int windows = 0;
    for (double t = 0; t < h_;) {
      const double left = h_ - t;
      const bool last = ++windows == kMostWindows;
      const double span = last ? left : std::max(kShortest * h_, safeSpan(left));
      const double end = span > 0.999 * left ? h_ : t + span;
      if (Failure f = window(t, end, last)) return f;
      t = end;
    }
    for (TreeRuntime& t : w_.trees) {
      if (t.asleep || t.immobile) continue;
      if (t.hasAxisForces) {
        trees::measureAxes(w_, t);
        trees::recordAxisForces(w_, t);
      }
      trees::capSpeeds(w_, t, tally_);
    }
    for (const AxisForce& held : w_.acceleration.heldAxes) constraints::addAxisForce(held.meta, held.force, w_.joints[held.meta.index]);
    addTally(w_, tally_);
    placePrescribed(w_, 0);
    if (!w_.auxiliaryJoints.empty()) forces::tellSprings(w_, h_), forces::dropSprings(w_);
    if (wentDeep(w_)) w_.statistics.unsolved++;
    tellContacts(w_, w_.told, h_);
    return {};
  }

 private:
  Failure begin() {
    w_.acceleration.held.clear();
    w_.told.clear();
    w_.acceleration.heldAxes.clear();
    w_.ode.rollbacksOf.assign(w_.trees.size(), 0);
    bool fresh = false, struck = false;
    for (TreeRuntime& t : w_.trees) {
      if (t.immobile) {
        if (t.baseBody < 0 || (!t.movingBase && t.settled)) continue;
        trees::noteChange(w_, t);
        trees::placeBase(w_, t);
        trees::settleTree(w_, t, tally_);
        trees::followBase(w_, t);
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
      if (Failure f = keepMotionOnBase(w_, t, h_)) return f;
      fresh |= t.fresh;
      if (w_.anyForce && steppers::struck(w_, t)) t.fresh = struck = true;
      t.shifted = false;
      t.smooth = true;  // motors act in the flow: solveIsland() ignores them
    }
    if (fresh) search();
    w_.ode.before = w_.contacts;
    islands::buildIslands(w_);
    if (!fresh && !struck) return {};
    // Velocities that were set are projected on the rows before they move anything.
    Failure f = solveAll(h_, struck ? projectImpact : projectAtRest, true);
    for (TreeRuntime& t : w_.trees) t.fresh = t.fresh && (t.immobile || t.asleep);
    return f;
  }

  void search(const collision::Foresight& foresight = {}) {
    const std::int64_t distances = collision::collideAll(w_, foresight);
    w_.ode.work += workOfSearch(w_, distances);
  }

  // s of a window of at most `left`: to the next impact that continuous collision foresees, then as far through it as a rollback needs.
  double safeSpan(double left) {
    collision::Foresight foresight{left, collision::Foresight::From::Within};
    if (!w_.settings.continuous || !(w_.settings.rollbackDepth > 0) || w_.shapes.empty() || !anyFast(w_, foresight)) return left;
    placePrescribed(w_, left);
    search(foresight);
    // What turns farther than that is swept as the ball inside it: where something is near, it goes on by parts of a turn.
    if (const double turn = fastestTurn(); turn * left > kSwept && !w_.contacts.empty()) {
      foresight.time = left = kSwept / turn;
      w_.contacts.swap(w_.contactsBefore);
      search(foresight);
    }
    double span = left;
    for (const Contact& c : w_.contacts) {
      const SpeculativeContact* const s = c.speculative < 0 ? nullptr : &w_.speculative[c.speculative];
      if (s && s->inner) continue;
      const double depth = throughDepth(w_, c);
      if (!s || !(s->time > 0))  // near each other, other points of theirs may meet before they are seen
        span = std::min(span, std::max(kShort * h_, depth / std::max(depth / left, fastestApproach(w_, c, false))));
      if (c.gap <= constraints::kTouching) continue;
      const double rate = s && s->time > 0 ? s->rate : fastestApproach(w_, c, true);
      if (!(rate * left > c.gap)) continue;
      const double touch = c.gap / rate;
      const double through = isUnimportant(w_, c) ? constraints::kTouching : depth;
      const bool sure = through > kSag * left * left * w_.settings.gravity.norm();
      span = std::min(span, sure || touch < kSoon * left ? touch + through / rate : kBefore * touch);
    }
    w_.contacts.swap(w_.contactsBefore);  // islands know those
    return span;
  }

  Failure window(double from, double end, bool last) {
    OdeWork& ode = w_.ode;
    const double span = end - from;
    makeSystems(w_, from, h_);
    for (int g = 0; last && g < ode.systemCount; g++) stopWhatPasses(g, span);
    for (bool again = true; again;) {
      if (w_.ode.work > mostWork(w_)) return tooMuchWork(w_);
      again = false;
      for (int g = 0; g < ode.systemCount; g++)
        if (!ode.systems[g].flown)
          if (Failure f = fly(ode.systems[g], end, span)) return f;
      search();
      if (!(w_.settings.rollbackDepth > 0)) break;
      again = wakeWhatIsHit(from) || mergeWhereTheyMeet(from);
      for (int g = 0; !again && g < ode.systemCount; g++) {
        if (ode.systems[g].leavesContacts || !(depthOfPassed(w_, g) > w_.settings.rollbackDepth)) continue;
        if (Failure f = rollBack(g, end, span)) return f;
        again = true;
      }
    }
    for (int g = 0; g < ode.systemCount; g++) {
      accept(ode.systems[g], span);
      for (const TwistedContact& c : ode.systems[g].told) addTold(w_.told, c, c.force, c.torque);
      for (int ti : ode.systems[g].island.trees) {
        trees::settleTree(w_, w_.trees[ti], tally_);
        dynamics::updateSubspaces(w_.trees[ti].tree);  // links keep their momenta, whatever limits clamped
      }
    }
    islands::buildIslands(w_);
    return solveAll(span, projectAtRest);
  }

  // The system from its present time to `until`, in `next`, and the world there.
  Failure fly(TreeSystem& system, double until, double span) {
    OdeSolver& solver = w_.ode.solver;
    OdeFlow flow(w_, system, span, h_);
    // The two lists swap: with equal room, a run needs none that the same run needed before.
    const std::size_t room = std::max({static_cast<std::size_t>(flow.size()), system.y.capacity(), system.next.capacity()});
    for (std::vector<double>* list : {&system.y, &system.next}) list->reserve(room);
    system.flown = true;
    OdeSettings settings = solverFor(w_.settings, h_, system.own);
    settings.step = std::min(settings.step, std::max(settings.smallest, kTurn / std::max(kTurn / h_, fastestTurn(system))));
    for (int halvings = 0;; halvings++) {
      system.next = system.y;
      flow.begin(system.next);
      bool failed = false;
      if (!system.stopped) {
        solver.configure(settings);
        solver.reserve(flow.size());
        solver.restart();
        double t = system.time;
        failed = solver.advance(flow, t, system.next.data(), until).failed;
        const int bad = system.island.tally->badConstraint;
        addTally(w_, *system.island.tally);
        if (bad >= 0) return badConstraint(bad);
        if (w_.badField >= 0) return badField(w_);
        if (Failure f = flow.takeFailure()) return f;
      }
      const bool fixed = settings.control == StepControl::Fixed;
      if (failed && !(fixed && halvings < kMostHalvings)) return diverged(w_);
      if (!failed) {
        flow.place(until, system.next.data());
        const Made made = system.stopped || !fixed ? Made::Nothing : madeEnergy(w_, system, flow, settings, until - system.time, h_);
        const bool mayHalve = halvings < (made == Made::TooMuch && flow.touches() ? kWithContacts : kMostHalvings);
        if (made == Made::Nothing || (!mayHalve && made == Made::Errors)) return {};
        if (!mayHalve && made == Made::TooMuch && !flow.touches()) return makesTooMuch(w_, flow);
        if (!mayHalve) {
          tally_.unsolved++;
          return {};
        }
      }
      tally_.halvings++;
      settings.step = 0.5 * std::min(settings.step, until - system.time);
    }
  }

  // What contacts gave and took on the way from y to next.
  void accept(TreeSystem& system, double span) {
    const OdeFlow flow(w_, system, span, h_);
    if (static_cast<int>(system.next.size()) != flow.size()) return;  // it did not move
    addFlow(system.told, flow, system.next);
    flow.addSprings(system.next);
    if (!w_.settings.energyAccount) return;
    tally_.account.lostFriction += flow.rubbed(system.next);
    tally_.account.workDrives += flow.driven(system.next);
    tally_.account.lostDamping += flow.damped(system.next);
  }

  static double fastestTurn(const TreeRuntime& t) {  // rad/s, of its links
    double fastest = 0;
    for (int i = 0; i < t.tree.count; i++) fastest = std::max(fastest, t.tree.state[i].w.norm());
    return fastest;
  }
  double fastestTurn(const TreeSystem& system) const {  // of its free bodies
    double fastest = 0;
    for (int ti : system.island.trees)
      if (trees::isFreeBody(w_.trees[ti])) fastest = std::max(fastest, fastestTurn(w_.trees[ti]));
    return fastest;
  }
  double fastestTurn() const {
    double fastest = 0;
    for (const TreeRuntime& t : w_.trees)
      if (!t.asleep && !t.immobile) fastest = std::max(fastest, fastestTurn(t));
    return fastest;
  }

  bool mergeWhereTheyMeet(double from) {
    for (const Contact& c : w_.contacts) {
      int a = systemOf(w_, c.bodyA), b = systemOf(w_, c.bodyB);
      if (a < 0 || b < 0 || a == b || -c.gap <= w_.settings.rollbackDepth || isUnimportant(w_, c)) continue;
      if (a > b) std::swap(a, b);
      mergeSystems(w_, a, b, from, h_);
      return true;
    }
    return false;
  }

  // A sleeping system that is hit takes part from the start of the window.
  bool wakeWhatIsHit(double from) {
    bool any = false;
    for (const Contact& c : w_.contacts) {
      if (-c.gap <= w_.settings.rollbackDepth || isUnimportant(w_, c)) continue;
      for (int body : {c.bodyA, c.bodyB}) {
        const int tree = body >= 0 ? w_.bodies[body].tree : -1;
        if (tree < 0 || !w_.trees[tree].asleep || systemOf(w_, body == c.bodyA ? c.bodyB : c.bodyA) < 0) continue;
        trees::wakeTree(w_, tree);
        w_.trees[tree].fresh = false;
        any = true;
      }
    }
    if (!any) return false;
    for (int g = 0; g < w_.ode.systemCount; g++) OdeFlow(w_, w_.ode.systems[g], h_, h_).place(from, w_.ode.systems[g].start.data());
    search();
    islands::buildIslands(w_);
    makeSystems(w_, from, h_);
    return true;
  }

  // Back to the first touch of what the system would pass, and through the impact there.
  Failure rollBack(int g, double end, double span) {
    TreeSystem& system = w_.ode.systems[g];
    w_.statistics.rollbacks++;
    bool stop = false;
    for (int ti : system.island.trees) stop |= ++w_.ode.rollbacksOf[ti] > kMostRollbacks;
    if (stop && !system.leavesLimits) {
      system.leavesLimits = true;
      if (!(depthOfPassed(w_, g) > w_.settings.rollbackDepth)) return {};
    }
    double late = end;
    for (int k = 0; k < kMostBisections && late - system.time > 1e-12 * span; k++) {
      if (w_.ode.work > mostWork(w_)) return tooMuchWork(w_);
      const double middle = 0.5 * (system.time + late);
      if (Failure f = fly(system, middle, span)) return f;
      search();
      if (depthOfPassed(w_, g) > w_.settings.rollbackDepth) {
        late = middle;
        continue;
      }
      const bool there = touchesAnew(w_, g);
      accept(system, span);
      system.y.swap(system.next);
      system.time = middle;
      if (there) break;
    }
    OdeFlow flow(w_, system, span, h_);
    flow.place(system.time, system.y.data());
    search();
    takeContacts(w_, g);
    if (Failure f = solveOne(system.island, system.contacts, system.told, span, projectAtRest)) return f;
    addTally(w_, *system.island.tally);
    if (stop) {
      system.leavesContacts = true;
      stopWhatPasses(g, end - system.time);
    }
    flow.read(system.y);
    system.flown = false;
    return {};
  }

  // Pairs of the system that may get past each other in the time left [s] lose their motion; all of it stays where it is until then.
  void stopWhatPasses(int g, double left) {
    TreeSystem& system = w_.ode.systems[g];
    for (const Contact& c : w_.contacts) {
      if (!passesThrough(w_, g, c, left)) continue;
      if (!system.stopped) w_.statistics.stops++, tally_.unsolved++;
      system.stopped = system.leavesContacts = true;
      for (const int body : {c.bodyA, c.bodyB}) {
        if (systemOf(w_, body) != g || w_.trees[w_.bodies[body].tree].immobile) continue;
        TreeRuntime& t = w_.trees[w_.bodies[body].tree];
        if (w_.settings.energyAccount) w_.account.lostImpact += 0.5 * trees::kineticTwice(w_, t);
        std::fill_n(w_.v.begin() + t.vFirst, t.nv, 0.0);
        dynamics::updateTwists(t.tree, w_.v.data());
      }
    }
    if (system.stopped) OdeFlow(w_, system, left, h_).read(system.y);
  }

  Failure solveAll(double span, Projection project, bool freshOnly = false) {
    for (int k = 0; k < w_.islandCount; k++) {
      Island island = w_.island(k);
      if (freshOnly && std::none_of(island.trees.begin(), island.trees.end(), [&](int ti) { return w_.trees[ti].fresh; })) continue;
      beginIsland(w_, island, w_.islandTally);
      if (Failure f = solveOne(island, w_.contacts, w_.told, span, project)) return f;
      addTally(w_, w_.islandTally);
    }
    return {};
  }
  Failure solveOne(Island& island, std::vector<Contact>& contacts, std::vector<TwistedContact>& told, double span, Projection project) {
    for (int ti : island.trees) {
      TreeRuntime& t = w_.trees[ti];
      t.smooth = true;
      const double kinetic = t.startKinetic;
      trees::saveTree(w_, t, false);
      t.startKinetic = kinetic;
    }
    trees::lendInertias(w_, w_.workspaces[0], island.trees);
    constraints::IslandRows rows(w_, w_.workspaces[0], island, contacts, {span, h_, 0});
    std::optional<constraints::SolvedRows> solved;
    const int rowsBefore = island.tally->rows;
    const double productsBefore = island.tally->solverProducts;
    if (Failure f = solveIsland(w_, w_.workspaces[0], island, rows, span, project, solved)) return f;
    w_.ode.work += workOfRows(w_.settings, island.tally->rows - rowsBefore, island.tally->solverIterations,
                              island.tally->solverProducts - productsBefore);
    storeRows(w_, w_.workspaces[0], island, *solved);
    if (!solved->empty()) addSolution(told, w_.workspaces[0], contacts);
    for (int ti : island.trees) w_.trees[ti].shifted = false;
    return {};
  }

  WorldData& w_;
  const double h_;
  StepTally tally_;
};

}  // namespace

Failure stepOde(WorldData& w, double h) { return OdeStep(w, h).run(); }

}  // namespace vertebra::steppers
