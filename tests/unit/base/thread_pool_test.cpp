#include <tenon/base/thread_pool.hpp>
#include <tenon/kernel.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace tenon;

TEST_CASE("every task of a parallel_for runs exactly once, for any number of threads and tasks") {
  for (const uint32_t n_threads : {1u, 2u, 3u, 8u}) {
    ThreadPool pool(n_threads);
    const tenon_exec exec = pool.exec(nullptr);
    for (const int64_t n_tasks : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> runs(static_cast<size_t>(n_tasks));
      REQUIRE(parallel_for(exec, n_tasks, [&](int64_t task, uint32_t) { ++runs[static_cast<size_t>(task)]; }));
      for (const auto& n : runs) CHECK(n == 1);
    }
  }
}

TEST_CASE("a worker index is in use by one task at a time") {
  ThreadPool pool(4);
  const tenon_exec exec = pool.exec(nullptr);
  std::vector<std::atomic<int>> inside(4);
  std::atomic<bool> overlapped{false};
  REQUIRE(parallel_for(exec, 2000, [&](int64_t, uint32_t worker) {
    if (inside[worker].fetch_add(1) != 0) overlapped = true;
    inside[worker].fetch_sub(1);
  }));
  CHECK_FALSE(overlapped);
}

TEST_CASE("the first error of a task is reported and the other tasks still run") {
  ThreadPool pool(3);
  std::atomic<int> n_run{0};
  const auto task = [](void* context, int64_t index, uint32_t, tenon_status* status) -> tenon_code {
    static_cast<std::atomic<int>*>(context)->fetch_add(1);
    return index == 41 ? fill_status(status, TENON_LIMIT, "task 41") : TENON_OK;
  };
  tenon_status status = empty_status();
  CHECK(pool.parallel_for(100, task, &n_run, &status) == TENON_LIMIT);
  CHECK(std::string(status.message) == "task 41");
  CHECK(n_run == 100);
  CHECK(pool.parallel_for(10, task, &n_run, &status) == TENON_OK);
}

TEST_CASE("workers that have gone to sleep wake for the next job") {
  ThreadPool pool(2);
  const tenon_exec exec = pool.exec(nullptr);
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::atomic<int> n{0};
    REQUIRE(parallel_for(exec, 64, [&](int64_t, uint32_t) { ++n; }));
    CHECK(n == 64);
  }
}

TEST_CASE("a task that throws is an error of its job, on whatever thread, and the other tasks still run") {
  ThreadPool pool(4);
  std::atomic<int> n_done{0};
  const auto task = [](void* context, int64_t index, uint32_t, tenon_status*) -> tenon_code {
    ++*static_cast<std::atomic<int>*>(context);
    if (index % 2 == 1) throw std::runtime_error("task fell over");
    return TENON_OK;
  };
  tenon_status status = empty_status();
  CHECK(pool.parallel_for(1000, task, &n_done, &status) == TENON_INTERNAL);
  CHECK(std::string(status.message) == "task fell over");
  CHECK(n_done == 1000);
  CHECK(pool.parallel_for(1, task, &n_done, &status) == TENON_OK);
}
