// The rows of one island, as a stepper uses them: build, solve, shift, store; close before. Each stage is a type that only the stage before
// makes, so that the order cannot be wrong. Rows: contacts, joint limits, dry friction, drives between bodies, loop closures, couplings and
// users' rows, written in the coordinates of solve/rows.hpp. What is written: the workspace, and the island with its trees, joints and
// contacts, so that several threads may work on different islands. Order of the rows: bilateral rows first, then joints by link, joints
// between bodies by id, couplings, users' rows, contacts by shapes.
#pragma once
#include <optional>
#include <vector>

#include "engine/constraints/row_law.hpp"
#include "engine/state/islands.hpp"

namespace vertebra::inline state {
struct IslandWorld;
}

namespace vertebra::constraints {

class IslandRows;

class SolvedRows {  // the present rows of an island, after their solution
 public:
  bool empty() const;
  void shift();  // displacements for the timing of restitution and for remaining penetration; into the trees' `shift`
  // With the velocities of the solution: whether contacts or limits act that were too far to be rows when these were built.
  bool reachMore() const;
  bool pushesTooHard() const;  // in a part of a step: whether penetration is pushed out with too much energy; the next rows do it slower
  void store();                // impulses to contacts and joints, energy accounts

 private:
  friend class BuiltRows;
  SolvedRows(IslandRows& of, bool impacts) : of_(&of), impacts_(impacts) {}
  IslandRows* of_;
  bool impacts_;
};

class [[nodiscard]] BuiltRows {  // the present rows of an island, before their solution
 public:
  bool empty() const;
  SolvedRows solve() &&;  // moves x; reports into the island's tally

 private:
  friend class IslandRows;
  BuiltRows(IslandRows& of, const RowFindings& found) : of_(&of), found_(found) {}
  IslandRows* of_;
  RowFindings found_;
};

class IslandRows {
 public:
  IslandRows(IslandWorld& w, RowWorkspace& work, Island& island, const StepTimes& times);
  // `contacts`: the list into which the island's indices point.
  IslandRows(IslandWorld& w, RowWorkspace& work, Island& island, std::vector<Contact>& contacts, const StepTimes& times);

  // Closes bilateral rows in position, with the present factor; true if poses changed.
  bool close() { return full_ && closeBilateral(); }
  bool staysOpen() const;  // after close(): joints are farther open than rounding explains
  bool opened();           // besides, the step opened them
  // Forces of the last displacement of close() times `more`, to the joints: the loads that slender links get inertia against.
  void loadCycles(double more);
  // Bilateral rows and the others with their warm starts, at the present poses and x.
  BuiltRows build();
  BuiltRows buildContacts();             // of the others, only contacts
  BuiltRows build(SolvedRows&& before);  // again, after a change of x; from the impulses found before, if there are as many rows
  void hold();                           // velocities x of the bilateral rows alone

 private:
  friend class SolvedRows;
  friend class BuiltRows;
  RowBuffer& begin();
  BuiltRows addAll();
  bool closeBilateral();
  void addContacts(RowFindings& found);
  void solve(const RowFindings& found);
  void shift(bool impacts);
  bool reachMore();
  bool pushesTooHard();

  IslandWorld& w_;
  RowWorkspace& work_;
  Island& island_;
  std::vector<Contact>& contacts_;
  StepTimes times_;
  const bool full_;  // rows span all coordinates of the island
  double open_ = 0;  // m or rad, after close()
  std::optional<RowBuffer> rows_;
};

inline bool SolvedRows::empty() const { return of_->rows_->empty(); }
inline bool BuiltRows::empty() const { return of_->rows_->empty(); }
inline SolvedRows BuiltRows::solve() && {
  if (!empty()) of_->solve(found_);
  return {*of_, found_.impacts};
}
inline bool SolvedRows::reachMore() const { return !empty() && of_->reachMore(); }
inline bool SolvedRows::pushesTooHard() const { return !empty() && of_->pushesTooHard(); }
inline void SolvedRows::shift() {
  if (!empty()) of_->shift(impacts_);
}

}  // namespace vertebra::constraints
