// See island_rows.hpp.
#include "engine/constraints/island_rows.hpp"

#include <algorithm>
#include <utility>

#include "engine/constraints/axis_rows.hpp"
#include "engine/constraints/bilateral_rows.hpp"
#include "engine/constraints/contact_rows.hpp"
#include "engine/constraints/general_rows.hpp"
#include "engine/constraints/impact_rows.hpp"
#include "engine/constraints/infeasibility.hpp"
#include "engine/constraints/island_forces.hpp"
#include "engine/constraints/loop_closing.hpp"
#include "engine/constraints/pair_rows.hpp"
#include "engine/constraints/row_law.hpp"
#include "engine/constraints/row_shift.hpp"
#include "engine/constraints/row_store.hpp"
#include "engine/state/island_world.hpp"

namespace vertebra::constraints {

namespace {
constexpr double kOpen = 1e-9;  // m or rad: joints that stay open by more are not closed

// Times the work of lifting an island out of its penetration: what pushing it out may give in a part of a step. A share of the depth opens
// in the part as in a whole step, at a multiple of the speed, and would throw a link that is wedged between a post and its load.
constexpr double kLifts = 2;
}

IslandRows::IslandRows(IslandWorld& w, RowWorkspace& work, Island& island, const StepTimes& times)
    : IslandRows(w, work, island, w.contacts, times) {}

IslandRows::IslandRows(IslandWorld& w, RowWorkspace& work, Island& island, std::vector<Contact>& contacts, const StepTimes& times)
    : w_(w),
      work_(work),
      island_(island),
      contacts_(contacts),
      times_(times),
      full_(w.settings.treeSolver != TreeSolver::Articulated || spansIsland(island, w.joints)) {}

RowBuffer& IslandRows::begin() { return rows_.emplace(work_, w_.bodies, w_, w_, island_.trees, w_.settings, RowLevel::Velocity, full_); }

bool IslandRows::closeBilateral() {
  if (w_.settings.stabilisation != Stabilisation::Newton || !rigidRowsAreExact(w_.settings)) return false;
  if (island_.joints.empty() && island_.couplings.empty() && island_.constraints.empty()) return false;
  open_ = closeLoops(w_, island_, [this](double doubt) -> RowBuffer& {
    RowFindings found;
    addBilateralRows(begin(), island_, w_, w_.settings, found, doubt);
    return *rows_;
  });
  return work_.bilateral.count() > 0;
}

bool IslandRows::staysOpen() const { return open_ > kOpen; }

bool IslandRows::opened() { return staysOpen() && open_ > 2 * openBefore(w_, island_, work_.errorScratch); }

void IslandRows::loadCycles(double more) { storeCycleForces(*rows_, island_, w_, w_.settings, times_.h * times_.h / more); }

void IslandRows::hold() {
  RowBuffer& rows = begin();
  if (!full_) return;
  RowFindings found;
  addBilateralRows(rows, island_, w_, w_.settings, found);
  rows.project();
}

void IslandRows::addContacts(RowFindings& found) {
  work_.passedOver.clear();
  if (!island_.contacts.empty()) addContactRows(*rows_, island_, {w_.shapes, contacts_, w_, w_.settings}, times_, found);
  if (full_) rows_->project();
}

BuiltRows IslandRows::build() {
  work_.reachedContacts.clear();
  work_.reachedLinks.clear();
  return addAll();
}

BuiltRows IslandRows::addAll() {  // most islands have few kinds of rows
  RowBuffer& rows = begin();
  RowFindings found;
  if (full_) addBilateralRows(rows, island_, w_, w_.settings, found);
  addAxisRows(rows, w_.joints, w_.settings, times_, found);
  if (!island_.joints.empty()) addPairRows(rows, island_, w_.joints, w_.settings, times_, found);
  if (!island_.couplings.empty()) addCouplingRows(rows, island_, w_, w_.settings, times_.h);
  if (!island_.constraints.empty()) addUserRows(rows, island_, w_, w_.settings, times_.h);
  addContacts(found);
  return {*this, found};
}

BuiltRows IslandRows::buildContacts() {
  work_.reachedContacts.clear();
  RowFindings found;
  RowBuffer& rows = begin();
  if (full_) addBilateralRows(rows, island_, w_, w_.settings, found);
  addContacts(found);
  return {*this, found};
}

BuiltRows IslandRows::build(SolvedRows&&) {
  std::vector<solve::Row>& rows = work_.rows.rows;
  std::vector<double>& found = work_.lambdaScratch;
  found.clear();
  for (const solve::Row& r : rows) found.push_back(r.lambda);
  const BuiltRows built = addAll();
  if (found.size() == rows.size())
    for (std::size_t i = 0; i < rows.size(); i++) rows[i].lambda = std::min(rows[i].hi, std::max(rows[i].lo, found[i]));
  return built;
}

void IslandRows::solve(const RowFindings& found) {
  const WorldSettings& set = w_.settings;
  StepTally& tally = *island_.tally;
  tally.rows += static_cast<int>(work_.rows.rows.size()) + work_.bilateral.count();
  if (work_.rows.rows.empty()) return;
  const SolutionSources from{w_.shapes, contacts_, w_.joints, set, w_.callbacks, w_, tally, times_, set.solverTolerance};
  work_.impactFalls = 0;
  std::optional<ImpactStage> impacts;
  if (found.impacts) {
    impacts.emplace(*rows_, from);
    takeForces(w_, *rows_, times_.h);
    tell(impacts->solve(), tally);
    putForcesBack(*rows_);
    impacts->prepareResting();
  }
  solve::SolveReport report = solveOnce(work_.rows, from);
  if (found.prescribed && (!report.infeasible || removesByShift(set))) report = settlePrescribed(*rows_, from, report);
  if (impacts) impacts->addImpulses();
  concludeSolution(*rows_, report, tally);
}

bool IslandRows::reachMore() {
  const bool contacts = contactsClose(work_, rows_->bodies, contacts_, times_.next), limits = limitsPassed(*rows_, w_.joints, times_.next);
  return contacts || limits;
}

bool IslandRows::pushesTooHard() {
  const double now = std::max(times_.next, times_.opening);
  if (!w_.divided.inParts || !(now < w_.divided.whole) || !rigidRowsAreExact(w_.settings)) return false;
  const PushOut push = pushOut(*rows_, island_, {w_.shapes, contacts_, w_, w_.settings}, times_);
  const double most = kLifts * push.lifting;
  if (!(push.work > most)) return false;
  times_.opening = std::min(w_.divided.whole, now * push.work / most);
  return true;
}

void IslandRows::shift(bool impacts) { shiftTrees(*rows_, contacts_, w_.settings, times_.next, impacts); }

void SolvedRows::store() {
  IslandWorld& w = of_->w_;
  std::span<Vec3> torques;
  if (&of_->contacts_ == &w.contacts) torques = w.torques;
  storeRowImpulses(*of_->rows_, of_->island_, {w, of_->contacts_, torques, w.acceleration.held, w.settings}, of_->times_.h);
}

}  // namespace vertebra::constraints
