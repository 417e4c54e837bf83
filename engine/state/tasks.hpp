// The threads of a world's step, and how its loops use them.
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "engine/state/results.hpp"
#include "engine/state/settings.hpp"
#include "engine/tasks/task_pool.hpp"

namespace vertebra::inline state {

struct TaskState {
  std::shared_ptr<tasks::TaskPool> pool;  // null: only the calling thread
  bool alone = false;                     // the same, temporarily: the world itself is a piece of a loop over worlds
  std::vector<StepTally> tallies;         // of the pieces of a loop over trees

  int threads() const { return pool && !alone ? pool->threads() : 1; }
  // f(worker, first, last), as TaskPool::parallelFor.
  template <class F>
  void parallelFor(int count, int grain, F&& f) {
    if (threads() > 1)
      pool->parallelFor(count, grain, f);
    else if (count > 0)
      f(0, 0, count);
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
