// The host's threads. One pool an engine; the calling thread is worker 0.
#pragma once

#include <tenon.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace tenon {

/// parallel_for splits tasks over the workers; idle workers spin for a few microseconds and then sleep, so that the
/// many short ops of a decode step cost no system call and an idle engine costs no processor time.
class ThreadPool {
 public:
  /// Throws std::system_error where the system gives no more threads.
  explicit ThreadPool(uint32_t n_threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  uint32_t n_threads() const { return n_threads_; }
  /// The first task error wins; all other tasks still run. One caller at a time.
  tenon_code parallel_for(int64_t n_tasks, tenon_task task, void* context, tenon_status* status);
  /// For handing to plug-ins. `cancel` may be nullptr; it must outlive the exec.
  tenon_exec exec(const std::atomic<bool>* cancel);

 private:
  struct Lent {
    ThreadPool* pool;
    const std::atomic<bool>* cancel;
  };

  void stop();
  void worker_loop(uint32_t worker);
  void run_tasks(uint32_t worker);
  void keep_first_error(tenon_code code, const tenon_status& status);

  uint32_t n_threads_;
  std::vector<std::thread> threads_;
  Lent lent_{this, nullptr};

  // The job, written before the epoch is raised and read after it was seen.
  tenon_task task_ = nullptr;
  void* context_ = nullptr;
  int64_t n_tasks_ = 0;
  alignas(64) std::atomic<int64_t> next_task_{0};
  alignas(64) std::atomic<uint64_t> epoch_{0};
  alignas(64) std::atomic<uint32_t> n_busy_{0};
  std::atomic<uint32_t> n_sleeping_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable wake_;

  std::mutex error_mutex_;
  tenon_code error_code_ = TENON_OK;
  tenon_status error_status_{};
};

}  // namespace tenon
