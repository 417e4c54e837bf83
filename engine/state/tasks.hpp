// The threads of a world's step, and how its loops use them.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "engine/state/growth.hpp"
#include "engine/state/results.hpp"
#include "engine/state/settings.hpp"
#include "engine/tasks/task_pool.hpp"

namespace vertebra::inline state {

struct TaskState {
  std::shared_ptr<tasks::TaskPool> pool;  // null: only the calling thread
  bool alone = false;                     // the same, temporarily: the world itself is a piece of a loop over worlds
  std::vector<StepTally> tallies;         // of the pieces of a loop over trees
  std::vector<int> pieceStart;            // of listInOrder

  int threads() const { return pool && !alone ? pool->threads() : 1; }
  // f(worker, first, last), as TaskPool::parallelFor.
  template <class F>
  void parallelFor(int count, int grain, F&& f) {
    if (threads() > 1)
      pool->parallelFor(count, grain, f);
    else if (count > 0)
      f(0, 0, count);
  }
  // A list of what each of `count` things gives, in order: size(first, last) says how many entries some neighbours give, and
  // write(first, last, to) writes them.
  template <class T, class Size, class Write>
  void listInOrder(std::vector<T>& list, int count, int grain, Size&& size, Write&& write) {
    if (count == 0) return list.clear();
    pieceStart.assign(static_cast<std::size_t>((count + grain - 1) / grain) + 1, 0);
    parallelFor(count, grain, [&](int, int first, int last) { pieceStart[first / grain + 1] = size(first, last); });
    for (std::size_t i = 1; i < pieceStart.size(); i++) pieceStart[i] += pieceStart[i - 1];
    growTo(list, static_cast<std::size_t>(pieceStart.back()));
    parallelFor(count, grain, [&](int, int first, int last) { write(first, last, list.data() + pieceStart[first / grain]); });
  }
};

// Of the failures of a loop's pieces, the one with the lowest number: every piece is made, even if others fail.
class FirstFailure {
 public:
  void report(int number, Failure failure) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (number_ >= 0 && number_ < number) return;
    number_ = number;
    failure_ = std::move(failure);
  }
  Failure take() { return std::move(failure_); }

 private:
  std::mutex mutex_;
  int number_ = -1;
  Failure failure_;
};

}  // namespace vertebra::inline state
