// See task_pool.hpp. The pool's threads look for the next loop for some tenths of a millisecond, the usual time between two loops of a
// step, and then sleep. The caller never waits for a thread that has not begun: the other threads take its pieces.
#include "engine/tasks/task_pool.hpp"

#include "engine/tasks/floating_point.hpp"

namespace vertebra::tasks {
namespace {

constexpr int kSpins = 20000;
constexpr int kYield = 64;  // spins after which a thread lets others run: there may be more threads than cores

inline void relax(int spin) {
  if (spin % kYield == kYield - 1) std::this_thread::yield();
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace

TaskPool::TaskPool(int threads) : threads_(std::clamp(threads, 1, kMostThreads)), ranges_(threads_) {
  own_.reserve(threads_ - 1);
  for (int worker = 1; worker < threads_; worker++) own_.emplace_back([this, worker] { serve(worker); });
}

TaskPool::TaskPool(const TaskHost& host)
    : threads_(std::clamp(host.threads, 1, kMostThreads)), host_(host), ranges_(threads_), hostTasks_(threads_ - 1) {
  for (int k = 0; k < threads_ - 1; k++) hostTasks_[k].worker = k + 1;
}

TaskPool::~TaskPool() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
    loops_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  for (std::thread& t : own_) t.join();
}

void TaskPool::divide(int pieces) {
  for (int worker = 0; worker < threads_; worker++) {
    const auto from = [&](int n) { return static_cast<int>(static_cast<std::int64_t>(pieces) * n / threads_); };
    ranges_[worker].next.store(from(worker), std::memory_order_relaxed);
    ranges_[worker].end = from(worker + 1);
  }
}

void TaskPool::work(Loop& loop, int worker) {
  for (int k = 0; k < threads_; k++) {
    Range& range = ranges_[(worker + k) % threads_];
    while (!loop.failed.load(std::memory_order_relaxed)) {
      const int piece = range.next.fetch_add(1, std::memory_order_relaxed);
      if (piece >= range.end) break;
      const int first = piece * loop.grain;
      try {
        loop.call(loop.body, worker, first, std::min(loop.count, first + loop.grain));
      } catch (...) {
        if (!loop.failed.exchange(true)) loop.error = std::current_exception();
      }
    }
  }
}

void TaskPool::serve(int worker) {
  std::uint64_t seen = 0;
  for (;;) {
    for (int k = 0; k < kSpins && loops_.load(std::memory_order_acquire) == seen; k++) relax(k);
    Loop* loop = nullptr;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [&] { return loops_.load(std::memory_order_relaxed) != seen; });
      if (ends_) return;
      seen = loops_.load(std::memory_order_relaxed);
      loop = loop_;
      if (!loop) continue;  // over already
      inside_.fetch_add(1, std::memory_order_relaxed);
    }
    work(*loop, worker);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (inside_.fetch_sub(1, std::memory_order_release) == 1) left_.notify_one();
  }
}

void TaskPool::run(Loop& loop) {
  if (host_.enqueue) {
    runOnHost(loop);
  } else {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      loop_ = &loop;
      loops_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
    work(loop, 0);
    for (int k = 0; k < kSpins && inside_.load(std::memory_order_acquire) > 0; k++) relax(k);
    std::unique_lock<std::mutex> lock(mutex_);
    loop_ = nullptr;
    left_.wait(lock, [&] { return inside_.load(std::memory_order_acquire) == 0; });
  }
  if (loop.error) std::rethrow_exception(loop.error);
}

void TaskPool::runOnHost(Loop& loop) {
  const int tasks = std::min(threads_ - 1, (loop.count - 1) / loop.grain);  // the calling thread takes a piece, too
  for (int k = 0; k < tasks; k++) {
    HostTask& task = hostTasks_[k];
    task.pool = this;
    task.loop = &loop;
    task.enqueued = host_.enqueue(
        host_.user,
        [](void* context) {
          const FloatingPointScope environment;  // the host's threads may have another one
          const HostTask& mine = *static_cast<HostTask*>(context);
          mine.pool->work(*mine.loop, mine.worker);
        },
        &task);
  }
  work(loop, 0);
  for (int k = 0; k < tasks; k++) host_.finish(host_.user, hostTasks_[k].enqueued);
}

}  // namespace vertebra::tasks
