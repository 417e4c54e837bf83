// See sweep.hpp.
#include "engine/solve/sweep.hpp"

#include <type_traits>

#include "engine/solve/joint_group.hpp"

namespace vertebra::solve {

void prepareSweeps(RowProblem& p, bool wholeContacts) {
  SweepWork& w = p.work.sweep;
  w.runs.clear();
  findJointGroups(p);
  int group = 0;
  const int groups = static_cast<int>(w.groups.size());
  const int blocks = static_cast<int>(p.blocks.size());
  int longest = 0;
  for (int i = 0; i < blocks;) {
    const int path = p.blocks[i].path, first = i;
    if (group < groups && first >= w.groups[group].last) group++;
    const bool inside = group < groups && first >= w.groups[group].first;
    const int end = group == groups ? blocks : inside ? w.groups[group].last : w.groups[group].first;
    while (i < end && p.blocks[i].path == path) i++;
    w.runs.push_back({first, i, !inside ? Run::kAlone : first == w.groups[group].first ? group : Run::kInside});
    longest = std::max(longest, p.paths[path].length);
  }
  if (static_cast<int>(p.scratch.size()) < 2 * longest) p.scratch.resize(2 * longest);
  w.coupling.resize(2 * p.blocks.size());
  for (int i = 0; i < blocks; i++) {
    const Block& b = p.blocks[i];
    if (!b.contact()) continue;
    for (int k = 0; k < 2; k++) w.coupling[2 * i + k] = dot(p.y(b.row + 1 + k), p.r(b.row), p.paths[b.path].length);
  }
  if (!wholeContacts) return;
  w.own.assign(6 * p.blocks.size(), 0.0);
  for (int i = 0; i < blocks; i++) {
    const Block& b = p.blocks[i];
    if (!solvedWhole(b)) continue;
    double* own = &w.own[6 * i];
    for (int k = 0; k < 3; k++)
      for (int e = k; e < 3; e++) {
        *own = dot(p.y(b.row + k), p.r(b.row + e), p.paths[b.path].length);
        if (e == k) *own += p.rows[b.row + k].sigma;
        own++;
      }
  }
}

namespace {
// Calls f(length), with a length known at compile time where bodies are free.
template <class F>
void withLength(int length, F&& f) {
  switch (length) {
    case 6:
      return f(std::integral_constant<int, 6>());
    case 12:
      return f(std::integral_constant<int, 12>());
    default:
      return f(length);
  }
}

// x += sum r step(row) over all rows.
template <class Step>
void addImpulses(RowProblem& p, Step&& step) {
  double* const local = p.scratch.data();
  for (const Run& run : p.work.sweep.runs) {
    const Path& path = p.paths[p.blocks[run.first].path];
    gather(p, path, local);
    withLength(path.length, [&](auto length) {
      for (int i = run.first; i < run.last; i++) {
        Row* const row = &p.rows[p.blocks[i].row];
        int k = 0;
        if (p.blocks[i].contact()) {
          const double d[3] = {step(row[0]), step(row[1]), step(row[2])};
          if (d[0] != 0 || d[1] != 0 || d[2] != 0)
            axpy3(local, d[0], p.numbers.data() + row[0].r, d[1], p.numbers.data() + row[1].r, d[2], p.numbers.data() + row[2].r, length);
          k = 3;
        }
        for (; k < p.blocks[i].size; k++)
          if (const double d = step(row[k]); d != 0) axpy(local, d, p.numbers.data() + row[k].r, length);
      }
    });
    scatter(p, path, local);
  }
}

}  // namespace

void warmStart(RowProblem& p) {
  addImpulses(p, [](const Row& row) { return row.lambda; });
}

void addToAll(RowProblem& p) {
  addImpulses(p, [](Row& row) {
    row.lambda += row.before;
    return row.before;
  });
}

Sweeps::Sweeps(RowProblem& p, const SolverSettings& settings)
    : p_(p), relaxation_(settings.relaxation), own_(settings.wholeContacts ? p.work.sweep.own.data() : nullptr), order_(settings.order) {}

template <class Local>
void Sweeps::visitBlocks(const Run& run, bool backward, const Local& local) {
  const double* const coupling = p_.work.sweep.coupling.data();
  Visit<Local> visit{p_, local, relaxation_, worst_};
  for (int k = run.first; k < run.last; k++) {
    const int i = backward ? run.first + run.last - 1 - k : k;
    const Block& b = p_.blocks[i];
    visit.block(b, coupling + 2 * i, own_ && solvedWhole(b) ? own_ + 6 * i : nullptr);
  }
  worst_ = visit.worst;
  visit.local.store(p_.scratch.data());
}

void Sweeps::visit(const Run& run, bool backward) {
  if (run.group >= 0) worst_ = std::max(worst_, relaxation_ * visitJointGroup(p_, p_.work.sweep.groups[run.group], relaxation_));
  if (run.group != Run::kAlone) return;
  const Path& path = p_.paths[p_.blocks[run.first].path];
  double* const local = p_.scratch.data();
  gather(p_, path, local);
  switch (path.length) {
    case 6:
      visitBlocks(run, backward, InRegisters<6>(local));
      break;
    case 12:
      visitBlocks(run, backward, InRegisters<12>(local));
      break;
    default:
      visitBlocks(run, backward, InMemory{local, path.length});
  }
  scatter(p_, path, local);
}

double Sweeps::once(SweepOrder order) {
  SweepWork& w = p_.work.sweep;
  const int runs = static_cast<int>(w.runs.size());
  worst_ = 0;
  switch (order) {
    case SweepOrder::Backward:
      for (int i = runs - 1; i >= 0; i--) visit(w.runs[i], true);
      break;
    case SweepOrder::Shuffled: {
      w.order.resize(runs);
      for (int i = 0; i < runs; i++) w.order[i] = i;
      for (int i = runs - 1; i > 0; i--) {  // Fisher-Yates on xorshift numbers
        random_ ^= random_ << 13;
        random_ ^= random_ >> 17;
        random_ ^= random_ << 5;
        std::swap(w.order[i], w.order[random_ % static_cast<std::uint32_t>(i + 1)]);
      }
      for (int i : w.order) visit(w.runs[i], false);
      break;
    }
    default:
      for (int i = 0; i < runs; i++) visit(w.runs[i], false);
  }
  return worst_ / relaxation_;
}

double Sweeps::once() {
  count_++;
  if (order_ != SweepOrder::Symmetric) return once(order_);
  return once(count_ % 2 ? SweepOrder::Forward : SweepOrder::Backward);
}

}  // namespace vertebra::solve
