// Blows with restitution among an island's rows. Newton's law: a contact leaves at e times the speed it met, as a bound from below. Where
// friction or other contacts make that create energy (Kane 1984; Stronge 1990), all rebounds are scaled down until it does not. Poisson's
// law: first all impulses that end the approach, then at least 1 + e times those, which creates none without friction.
// Sources: Vondrak 2006, 6.5.4; Baraff 1989; Anitescu, Potra 1997 (two phases). See island_rows.hpp.
#include <algorithm>
#include <cmath>

#include "engine/step/island_rows.hpp"

namespace vertebra {
namespace {
constexpr int kTrials = 5;         // of the share of all rebounds that creates no energy
constexpr double kCreated = 1e-6;  // of the work of the approach, that is round-off and the solver's tolerance
}  // namespace

// J that the rebounding contacts brought in, friction included, beyond what gravity on the way to the touch may give.
double IslandRows::createdByRebound() const {
  const RowProblem& p = w_.rows;
  double work = 0, size = 0;
  for (const Block& block : p.blocks) {
    if (!w_.rowMeta[block.row].bounces) continue;
    for (int k = 0; k < block.size; k++) {
      const Row& r = p.rows[block.row + k];
      const double before = w_.impactScratch[block.row + k], after = p.velocity(block.row + k, block.path) + w_.rowMeta[block.row + k].base;
      work += 0.5 * r.lambda * (before + after);
      if (k > 0) continue;
      work -= 0.5 * r.lambda * std::max(0.0, w_.rowMeta[block.row].base - r.bias + before);
      size += r.lambda * std::fabs(before);
    }
  }
  return work - kCreated * size;
}

SolveReport IslandRows::solveImpacts() {
  RowProblem& p = w_.rows;
  std::vector<double>& before = w_.impactScratch;
  before.resize(p.rows.size());
  for (const Block& block : p.blocks)
    for (int k = 0; k < block.size; k++) before[block.row + k] = p.velocity(block.row + k, block.path) + w_.rowMeta[block.row + k].base;
  const auto rebound = [&](double share) {
    for (std::size_t i = 0; i < p.rows.size(); i++) p.rows[i].bias -= share * w_.rowMeta[i].rebound;
  };
  if (w_.settings.poisson) {
    rebound(-1);
    solveOnce();
    p.takeBack();
    for (std::size_t i = 0; i < p.rows.size(); i++)
      if (w_.rowMeta[i].bounces) p.rows[i].lo = (1 + w_.rowMeta[i].restitution) * p.rows[i].lambda;
    return solveOnce();
  }
  SolveReport report = solveOnce();
  if (!(createdByRebound() > 0)) return report;
  double share = 1, good = 0, bad = 1;
  const auto resolve = [&](double next) {
    p.takeBack();
    rebound(next - share);
    share = next;
    report = solveOnce();
  };
  for (int trial = 0; trial < kTrials; trial++) {
    resolve(0.5 * (good + bad));
    (createdByRebound() > 0 ? bad : good) = share;
  }
  if (share != good) resolve(good);
  return report;
}

}  // namespace vertebra
