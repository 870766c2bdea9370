#include <tenon/base/border.hpp>
#include <tenon/base/thread_pool.hpp>
#include <tenon/result.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <chrono>

namespace tenon {
namespace {

void pause() {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// How long an idle worker watches for the next job before it sleeps: longer than the gaps between ops of one step
// (single microseconds), short against a user's think time.
constexpr auto kSpin = std::chrono::microseconds(200);
constexpr int kPausesPerClockRead = 64;

}  // namespace

ThreadPool::ThreadPool(uint32_t n_threads) : n_threads_(n_threads < 1 ? 1 : n_threads) {
  try {
    for (uint32_t worker = 1; worker < n_threads_; ++worker) {
      threads_.emplace_back([this, worker] { worker_loop(worker); });
    }
  } catch (...) {
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    epoch_.fetch_add(1);
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::run_tasks(uint32_t worker) {
  tenon_status status = empty_status();  // clearing it for each task would cost more than a small one
  for (;;) {
    const int64_t index = next_task_.fetch_add(1, std::memory_order_relaxed);
    if (index >= n_tasks_) return;
    const tenon_code code = call_plugin(status, [&] { return task_(context_, index, worker, &status); });
    if (code == TENON_OK) continue;
    keep_first_error(code, status);
    status = empty_status();
  }
}

void ThreadPool::keep_first_error(tenon_code code, const tenon_status& status) {
  const std::lock_guard lock(error_mutex_);
  if (error_code_ != TENON_OK) return;
  error_code_ = code;
  error_status_ = status;
}

void ThreadPool::worker_loop(uint32_t worker) {
  uint64_t seen = 0;
  for (;;) {
    auto deadline = std::chrono::steady_clock::now() + kSpin;
    for (int i = 1; epoch_.load(std::memory_order_acquire) == seen; ++i) {
      pause();
      if (i % kPausesPerClockRead != 0) continue;
      if (std::chrono::steady_clock::now() < deadline) {
        std::this_thread::yield();  // where threads outnumber processors, the one that has work must run
        continue;
      }
      std::unique_lock lock(mutex_);
      n_sleeping_.fetch_add(1);
      wake_.wait(lock, [&] { return epoch_.load() != seen; });
      n_sleeping_.fetch_sub(1);
    }
    seen = epoch_.load(std::memory_order_acquire);
    if (stop_) return;
    run_tasks(worker);
    n_busy_.fetch_sub(1, std::memory_order_release);
  }
}

tenon_code ThreadPool::parallel_for(int64_t n_tasks, tenon_task task, void* context, tenon_status* status) {
  task_ = task;
  context_ = context;
  n_tasks_ = n_tasks;
  error_code_ = TENON_OK;
  next_task_.store(0, std::memory_order_relaxed);
  if (n_threads_ > 1 && n_tasks > 1) {
    n_busy_.store(n_threads_ - 1, std::memory_order_relaxed);
    epoch_.fetch_add(1);
    // Sequentially consistent with the sleeper's count-then-test, so either it sees the epoch or we see it asleep.
    if (n_sleeping_.load() > 0) {
      { const std::lock_guard lock(mutex_); }
      wake_.notify_all();
    }
    run_tasks(0);
    for (int i = 1; n_busy_.load(std::memory_order_acquire) != 0; ++i) {
      pause();
      if (i % kPausesPerClockRead == 0) std::this_thread::yield();
    }
  } else {
    run_tasks(0);
  }
  if (error_code_ == TENON_OK) return TENON_OK;
  if (status != nullptr) *status = error_status_;
  return error_code_;
}

tenon_exec ThreadPool::exec(const std::atomic<bool>* cancel) {
  lent_.cancel = cancel;
  tenon_exec exec{};
  exec.size = sizeof exec;
  exec.n_threads = n_threads_;
  exec.self = &lent_;
  exec.parallel_for = [](void* self, int64_t n, tenon_task task, void* context, tenon_status* status) {
    return static_cast<Lent*>(self)->pool->parallel_for(n, task, context, status);
  };
  exec.cancelled = [](void* self) -> int32_t {
    const auto* cancel_flag = static_cast<Lent*>(self)->cancel;
    return cancel_flag != nullptr && cancel_flag->load(std::memory_order_relaxed) ? 1 : 0;
  };
  return exec;
}

}  // namespace tenon
