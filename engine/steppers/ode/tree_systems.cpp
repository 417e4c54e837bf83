// See tree_systems.hpp. Contacts of a system are kept in the order of their shapes; its island numbers them.
#include "engine/steppers/ode/tree_systems.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "engine/steppers/ode/flow.hpp"
#include "engine/steppers/steppers.hpp"

namespace vertebra::steppers {
namespace {

// Of the integrators that members of a tree system ask for, the one with the highest rank acts: implicit Euler, because its forces are
// stiff for the others; then by order, symplectic before explicit Euler.
int rankOf(int integrator) {
  const auto kind = static_cast<Integrator>(integrator);
  return kind == Integrator::ImplicitEuler ? 100 : 2 * orderOf(kind) + (kind == Integrator::SymplecticEuler ? 1 : 0);
}

void take(const Integration& of, Integration& own) {
  if (of.step > 0 && !(own.step > 0 && own.step <= of.step)) own.step = of.step;
  if (of.integrator >= 0 && (own.integrator < 0 || rankOf(of.integrator) > rankOf(own.integrator))) own.integrator = of.integrator;
}

void clear(TreeSystem& system) {
  for (std::vector<int>* list : system.members.all()) list->clear();
  system.contacts.clear();
  system.told.clear();
  system.next.clear();
  system.island = Island();
}

void numberContacts(TreeSystem& system) {
  std::sort(system.contacts.begin(), system.contacts.end(), [](const Contact& a, const Contact& b) {
    return std::tuple(a.shapeA, a.shapeB, a.feature) < std::tuple(b.shapeA, b.shapeB, b.feature);
  });
  system.members.contacts.resize(system.contacts.size());
  std::iota(system.members.contacts.begin(), system.members.contacts.end(), 0);
  system.island.contacts = system.members.contacts;
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

void startSystem(WorldData& w, int g, double time, double h) {
  TreeSystem& system = w.ode.systems[g];
  system.own = Integration();
  for (int ti : system.island.trees) {
    w.ode.systemOf[ti] = g;
    const TreeRuntime& t = w.trees[ti];
    for (int i = t.first; i < t.first + t.tree.count; i++) take(*w.bodies[w.links[i].body].rare->integration, system.own);
  }
  if (system.own.step > 0)
    w.statistics.parts = std::max(w.statistics.parts, static_cast<int>(std::ceil(std::min(1e6, h / system.own.step - 1e-9))));
  OdeFlow(w, system, h, h).read(system.start);
  system.y = system.start;
  system.time = time;
  system.flown = system.stopped = system.leavesLimits = system.leavesContacts = false;
  system.told.clear();
}

bool moves(const WorldData& w, int body) { return body >= 0 && w.bodies[body].tree >= 0 && !w.trees[w.bodies[body].tree].immobile; }

}  // namespace

int systemOf(const WorldData& w, int body) { return body >= 0 && w.bodies[body].tree >= 0 ? w.ode.systemOf[w.bodies[body].tree] : -1; }

OdeSettings solverFor(const WorldSettings& set, double h, const Integration& own) {
  const Integrator integrator = own.integrator >= 0 ? static_cast<Integrator>(own.integrator) : set.odeIntegrator;
  const bool pair = integrator == Integrator::DormandPrince;
  const StepControl control = set.odeControl == StepControl::Embedded && !pair ? StepControl::Doubling : set.odeControl;
  const double step = own.step > 0 ? std::min(h, own.step) : h;
  return {integrator, control, step, set.odeTolerance, set.odeSmallest, std::max(step, set.odeSmallest)};
}

void makeSystems(WorldData& w, double time, double h) {
  OdeWork& ode = w.ode;
  ode.systemCount = 0;
  ode.systemOf.assign(w.trees.size(), -1);
  bool together = false;  // fields between bodies need all of them at one time
  for (const FieldSlot& f : w.fields)
    together |= f.alive && (f.def.type == FieldType::Pairwise || f.def.type == FieldType::LennardJones || f.def.source >= 0);
  for (int k = 0; k < w.islandCount; k++) {
    if (k > 0 && together) {
      append(ode.systems[0], w.island(k), w.contacts);
    } else {
      if (ode.systemCount == static_cast<int>(ode.systems.size())) ode.systems.emplace_back();
      TreeSystem& system = ode.systems[ode.systemCount++];
      clear(system);
      system.island.tally = &w.islandTally;
      append(system, w.island(k), w.contacts);
    }
  }
  for (int g = 0; g < ode.systemCount; g++) startSystem(w, g, time, h);
}

void mergeSystems(WorldData& w, int a, int b, double time, double h) {
  TreeSystem &first = w.ode.systems[a], &second = w.ode.systems[b];
  OdeFlow(w, first, h, h).place(time, first.start.data());
  OdeFlow(w, second, h, h).place(time, second.start.data());
  append(first, second.island, second.contacts);
  startSystem(w, a, time, h);
  clear(second);
  second.flown = second.leavesContacts = true;  // the system is empty now
  w.statistics.merges++;
}

void takeContacts(WorldData& w, int g) {
  TreeSystem& system = w.ode.systems[g];
  system.contacts.clear();
  for (const Contact& c : w.contacts) {
    const int a = systemOf(w, c.bodyA), b = systemOf(w, c.bodyB);
    if ((a == g || b == g) && (a == g || !moves(w, c.bodyA)) && (b == g || !moves(w, c.bodyB))) system.contacts.push_back(c);
  }
  numberContacts(system);
}

void reserveOde(WorldData& w, std::size_t contacts) {
  OdeWork& ode = w.ode;
  const int integrals = OdeFlow::integralsOf(static_cast<int>(contacts), static_cast<int>(w.auxiliaryJoints.size()));
  const std::size_t size = w.q.size() + w.v.size() + static_cast<std::size_t>(integrals),
                    rows = 6 * contacts + w.workspaces[0].errorScratch.capacity();
  const auto implicit = [](const BodySlot& b) { return b.rare->integration->integrator == static_cast<int>(Integrator::ImplicitEuler); };
  Integration own;
  if (std::any_of(w.bodies.begin(), w.bodies.end(), implicit))
    own.integrator = static_cast<int>(Integrator::ImplicitEuler);  // the largest memory
  ode.solver.configure(solverFor(w.settings, w.settings.timeStep / w.settings.substeps, own));
  ode.solver.reserve(static_cast<int>(size), integrals);
  ode.systems.resize(std::max(ode.systems.size(), w.trees.size()));
  for (TreeSystem& g : ode.systems) {
    for (std::vector<double>* v : {&g.start, &g.y, &g.next}) v->reserve(size);
    for (std::vector<int>* v : g.members.all())
      v->reserve(w.trees.size() + w.auxiliaryJoints.size() + w.couplings.size() + w.constraints.size());
    g.members.contacts.reserve(contacts);
    g.contacts.reserve(contacts);
    g.told.reserve(contacts);
  }
  ode.before.reserve(contacts);
  ode.systemOf.reserve(w.trees.size());
  ode.rollbacksOf.reserve(w.trees.size());
  for (std::vector<double>* v : {&w.acceleration.rates, &w.acceleration.targets, &ode.drift, &ode.sample}) v->reserve(rows);
  w.acceleration.held.reserve(contacts);
  std::size_t axes = 0;
  for (const JointSlot& j : w.joints) axes += static_cast<std::size_t>(j.nv);
  w.acceleration.heldAxes.reserve(3 * axes);  // of each two limits and friction
}

}  // namespace vertebra::steppers
