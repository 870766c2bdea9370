// What child_test runs: does the one thing that it is told.
#include <tenon/base/child.hpp>

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <thread>

namespace {

using namespace std::chrono_literals;

void sleep_long() { std::this_thread::sleep_for(600s); }

/// Writes until nobody reads.
void flood(int descriptor) {
  std::array<char, 4096> bytes;
  bytes.fill('x');
  while (::write(descriptor, bytes.data(), bytes.size()) > 0) {
  }
}

/// Writes 8 MiB to a stream and then the result.
int flood_then_answer(int descriptor) {
  const std::string bytes(size_t{8} << 20, 'x');
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::write(descriptor, bytes.data() + at, bytes.size() - at);
    if (n <= 0) return 9;
    at += static_cast<size_t>(n);
  }
  return tenon::write_result("answer") ? 0 : 9;
}

/// A grandchild that would outlive us, holding our streams; the result is its number.
int leave_grandchild() {
  const pid_t pid = ::fork();
  if (pid == 0) sleep_long();
  return tenon::write_result(std::to_string(pid)) ? 0 : 9;
}

/// Which of the descriptors 0 to 63 are open, as a text of digits.
int tell_descriptors() {
  std::string open;
  for (int i = 0; i < 64; ++i) {
    if (::lseek(i, 0, SEEK_CUR) >= 0 || errno != EBADF) open += std::to_string(i) + " ";
  }
  return tenon::write_result(open) ? 0 : 9;
}

int take_memory() {
  try {
    const std::string big(size_t{4} << 30, 'x');
    return tenon::write_result("got " + std::to_string(big.size())) ? 0 : 9;
  } catch (const std::bad_alloc&) {
    return tenon::write_result("refused") ? 0 : 9;
  }
}

int tell_core_limit() {
  rlimit limit{};
  ::getrlimit(RLIMIT_CORE, &limit);
  return tenon::write_result(std::to_string(limit.rlim_cur)) ? 0 : 9;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "echo") return tenon::write_result(argc > 2 ? argv[2] : "") ? 0 : 9;
  if (what == "print") {
    std::puts("to stdout");
    std::fputs("to stderr\n", stderr);
    return std::getchar() == EOF ? 0 : 9;  // stdin is empty
  }
  if (what == "exit") std::exit(std::atoi(argv[2]));
  if (what == "answer_and_exit") {
    tenon::write_result("half");
    return 7;
  }
  if (what == "abort") {
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
  }
  if (what == "die") {
    std::signal(SIGSEGV, SIG_DFL);
    tenon::write_result("begun");
    std::raise(SIGSEGV);
  }
  if (what == "hang") sleep_long();
  if (what == "hang_deaf") {
    std::signal(SIGTERM, SIG_IGN);
    std::signal(SIGINT, SIG_IGN);
    for (;;) {
    }
  }
  if (what == "drip") {
    for (int i = 0; i < 6; ++i) {
      tenon::write_result(".");
      std::this_thread::sleep_for(100ms);
    }
    sleep_long();
  }
  if (what == "flood_stdout") return flood_then_answer(STDOUT_FILENO);
  if (what == "flood_stderr") return flood_then_answer(STDERR_FILENO);
  if (what == "flood_forever") flood(STDOUT_FILENO);
  if (what == "flood_result") flood(tenon::kChildResult);
  if (what == "grandchild") return leave_grandchild();
  if (what == "descriptors") return tell_descriptors();
  if (what == "memory") return take_memory();
  if (what == "core") return tell_core_limit();
  return 8;
}
