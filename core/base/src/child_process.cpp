#include "child_process.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace tenon {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsMemory = false;  // a sanitizer reserves terabytes of addresses
#else
constexpr bool kLimitsMemory = true;
#endif

struct Pipe {
  Descriptor read, write;
};

Error system_error(std::string_view what, int number) {
  return {TENON_IO, fmt::format("{}: {}", what, std::generic_category().message(number))};
}

/// Both ends are closed on exec, and stand above the numbers that the child gives to its streams.
Result<Pipe> make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("no pipe", errno);
  Pipe low{Descriptor(ends[0]), Descriptor(ends[1])}, pipe;
  pipe.read = Descriptor(::fcntl(low.read.get(), F_DUPFD_CLOEXEC, kChildResult + 1));
  pipe.write = Descriptor(::fcntl(low.write.get(), F_DUPFD_CLOEXEC, kChildResult + 1));
  if (pipe.read.get() < 0 || pipe.write.get() < 0) return system_error("no pipe", errno);
  return pipe;
}

struct Pipes {
  Pipe result, output, errors, failure;  // failure: errno where exec did not happen
};

void set_limit(int resource, rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &limit);
}

/// Between fork and exec of a process that may have threads: nothing here allocates or takes a lock.
[[noreturn]] void become(const ChildRequest& request, char* const* arguments, const char* path, const Pipes& pipes,
                         pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
  set_limit(RLIMIT_CORE, 0);
  if (kLimitsMemory && request.memory_limit > 0) set_limit(RLIMIT_AS, request.memory_limit);
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  const int empty = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool ready =
      empty >= 0 && ::dup2(empty, STDIN_FILENO) >= 0 && ::dup2(pipes.output.write.get(), STDOUT_FILENO) >= 0 &&
      ::dup2(pipes.errors.write.get(), STDERR_FILENO) >= 0 && ::dup2(pipes.result.write.get(), kChildResult) >= 0;
  if (ready) {
    // Every other descriptor of the host, also those without the flag; before Linux 5.11 only those with it.
    constexpr unsigned kOnExec = 4;  // CLOSE_RANGE_CLOEXEC
    ::syscall(SYS_close_range, static_cast<unsigned>(kChildResult + 1), ~0u, kOnExec);
    ::execv(path, arguments);
  }
  const int number = errno;
  const ssize_t written = ::write(pipes.failure.write.get(), &number, sizeof number);
  ::_exit(written == sizeof number ? 127 : 126);
}

Result<Pipes> make_pipes() {
  Pipes pipes;
  for (Pipe* each : {&pipes.result, &pipes.output, &pipes.errors, &pipes.failure}) {
    auto made = make_pipe();
    if (!made) return made.error();
    *each = std::move(*made);
  }
  for (const Pipe* each : {&pipes.result, &pipes.output, &pipes.errors}) {
    ::fcntl(each->read.get(), F_SETFL, O_NONBLOCK);
  }
  return pipes;
}

}  // namespace

Result<Started> start_child(const ChildRequest& request) {
  auto pipes = make_pipes();
  if (!pipes) return pipes.error();
  const std::string path = request.executable.string();
  std::vector<std::string> texts{path};
  texts.insert(texts.end(), request.arguments.begin(), request.arguments.end());
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return system_error("no process", errno);
  if (pid == 0) become(request, arguments.data(), path.c_str(), *pipes, parent);
  ::setpgid(pid, pid);  // as the child does, so that the group can be killed from here on
  for (Pipe* each : {&pipes->result, &pipes->output, &pipes->errors, &pipes->failure}) each->write = Descriptor();
  int number = 0;
  ssize_t n = 0;
  do {
    n = ::read(pipes->failure.read.get(), &number, sizeof number);  // ends at once where exec happened
  } while (n < 0 && errno == EINTR);
  if (n == sizeof number) {
    ::waitpid(pid, nullptr, 0);
    return system_error("cannot execute " + path, number);
  }
  const int ended = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  return Started{pid, std::move(pipes->result.read), std::move(pipes->output.read), std::move(pipes->errors.read),
                 Descriptor(ended)};
}

}  // namespace tenon
