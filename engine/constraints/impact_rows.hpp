// Impacts with restitution: which rows rebound, and the stage in which they are solved before resting contacts. See impact_rows.cpp.
#pragma once
#include "engine/constraints/island_solution.hpp"

namespace vertebra::constraints {

// A rebound counts only if it outlasts the next step: if a step's own push would end it at once, the body is at rest and would tremble. By
// the approach at the start of the step and with its forces.
inline bool reboundLasts(double restitution, double before, double approach) {
  constexpr double kRestPushes = 4;  // times a step's change of approach by the forces
  return restitution * before > kRestPushes * (approach - before);
}

// A limit that is reached within the step of h [s] is an impact; its row is the last one. `before`: rate of approach before the step's
// forces.
bool limitRebounds(RowBuffer& rows, const WorldSettings& s, double next, double gap, double restitution, double before);

// The impact stage. In it x has no forces of the step: who calls takes them out (island_forces.hpp), and puts them back afterwards.
class ImpactStage {
 public:
  // First, x with the forces: the rows' rates without impacts; x stays.
  ImpactStage(RowBuffer& rows, const SolutionSources& from);
  solve::SolveReport solve();  // moves x by the impacts
  void prepareResting();       // the rows for resting contacts, after the impacts
  void addImpulses();          // of the impacts, to those of the resting rows once these are solved

 private:
  template <class F>
  void eachTree(const solve::Block& block, F&& f) const;
  bool isOfLinks(const solve::Block& block) const;
  bool isTimed(const solve::Block& block) const;
  double added(const solve::Block& block, int k, double most) const;
  double createdByRebound() const;
  bool transmits(const solve::Block& block) const;
  template <class F>
  void eachPair(F&& f);  // f(span of blocks): contacts of the same two bodies, or one block that is no contact
  bool isBorne(const solve::Block& block) const;
  bool isDone(const solve::Block& block) const;
  double closing(const solve::Block& block) const;
  void take(const solve::Block& block, bool acts);
  void leave(const solve::Block& block, double approach, double forces);
  void timeRebound(const solve::Block& block, double speed);
  void prepare();
  bool isWild() const;
  solve::SolveReport solveRound();
  void scaleRebounds(double share);
  solve::SolveReport rebound(const SolutionSources& from);
  double touchAt(const solve::Block& waiting, double approach) const;
  bool nextRound();

  RowBuffer& rows_;
  RowWorkspace& work_;
  const SolutionSources& from_;
  bool touches_ = false;  // contacts are among the rows
  double share_ = 1;      // of the restitution, in the rows' biases
};

}  // namespace vertebra::constraints
