// Loops whose pieces run on several threads: the pool's own, or those of a host that runs tasks. Each thread begins with a range of pieces
// of its own, the same share of every loop, so that what it touched in one loop is in its cache in the next; then it takes pieces of the
// others. So which thread runs which piece differs from run to run, and pieces must not depend on it.
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace vertebra::tasks {

// A host that runs tasks. `enqueue` arranges for one call of task(context), on any thread, at any time until `finish` returns (immediately
// in `enqueue`, or only in `finish`, is allowed); its result is passed to `finish`, which returns when that task has ended.
struct TaskHost {
  int threads = 1;  // that work at a time, including the calling one
  void* user = nullptr;
  void* (*enqueue)(void* user, void (*task)(void* context), void* context) = nullptr;
  void (*finish)(void* user, void* enqueued) = nullptr;
};

class TaskPool {
 public:
  static constexpr int kMostThreads = 256;

  explicit TaskPool(int threads);  // 1 to kMostThreads, including the calling one
  explicit TaskPool(const TaskHost& host);
  ~TaskPool();
  TaskPool(const TaskPool&) = delete;
  TaskPool& operator=(const TaskPool&) = delete;

  int threads() const { return threads_; }

  // Calls f(worker, first, last) for pieces of at most `grain` numbers that together are 0 to count - 1, and returns when all have ended;
  // worker: below threads(), 0 for the calling thread, never the same in two concurrent calls. Throws the exception of the first piece that
  // threw. One caller at a time; f must not call it.
  template <class F>
  void parallelFor(int count, int grain, F&& f) {
    if (threads_ == 1 || count <= grain) {
      if (count > 0) f(0, 0, count);
      return;
    }
    using Body = std::remove_reference_t<F>;
    Loop loop;
    loop.call = [](void* body, int worker, int first, int last) { (*static_cast<Body*>(body))(worker, first, last); };
    loop.body = const_cast<void*>(static_cast<const void*>(std::addressof(f)));
    loop.count = count;
    loop.grain = grain;
    divide((count + grain - 1) / grain);
    run(loop);
  }

 private:
  struct Loop {
    void (*call)(void* body, int worker, int first, int last) = nullptr;
    void* body = nullptr;
    int count = 0, grain = 1;
    std::atomic<bool> failed{false};
    std::exception_ptr error;  // of the first piece that threw
  };
  struct alignas(64) Range {   // of the present loop's pieces, by worker
    std::atomic<int> next{0};  // first piece that no thread has taken
    int end = 0;
  };
  struct HostTask {
    TaskPool* pool = nullptr;
    Loop* loop = nullptr;
    int worker = 0;
    void* enqueued = nullptr;
  };

  void run(Loop& loop);
  void runOnHost(Loop& loop);
  void serve(int worker);  // a thread of the pool, until the pool ends
  void divide(int pieces);
  void work(Loop& loop, int worker);

  int threads_ = 1;
  TaskHost host_;
  std::vector<Range> ranges_;
  std::vector<HostTask> hostTasks_;
  std::vector<std::thread> own_;
  std::mutex mutex_;
  std::condition_variable wake_, left_;
  std::atomic<std::uint64_t> loops_{0};  // begun so far
  std::atomic<int> inside_{0};           // threads of the pool that work on the present one
  Loop* loop_ = nullptr;                 // the present one, or null
  bool ends_ = false;
};

}  // namespace vertebra::tasks
