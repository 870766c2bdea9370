#include <tenon/base/child.hpp>

#include "child_process.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

namespace tenon {
namespace {

using Clock = std::chrono::steady_clock;

/// The reading end of a pipe from the child.
struct Stream {
  Descriptor from;
  std::string* text;
  size_t most;
  bool cut = false;  // more came than is kept
  bool ended = false;

  /// Takes what is there without waiting; true where bytes came.
  bool take() {
    std::array<char, 16384> bytes;
    bool came = false;
    while (!ended) {
      const ssize_t n = ::read(from.get(), bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return came;  // EAGAIN: later
      if (n == 0) ended = true;
      const size_t kept = std::min(static_cast<size_t>(n), most - text->size());
      text->append(bytes.data(), kept);
      cut |= kept < static_cast<size_t>(n);
      came |= n > 0;
      if (cut && came) return came;  // a flood must not keep the limits from being looked at
    }
    return came;
  }
};

/// The state of the zombie without reaping it, so that its process group stays named until it was killed.
bool has_ended(pid_t pid) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid;
}

class Watch {
 public:
  Watch(const ChildRequest& request, Started started, ChildOutcome& outcome)
      : request_(request),
        outcome_(outcome),
        pid_(started.pid),
        ended_(std::move(started.ended)),
        streams_{Stream{std::move(started.result), &outcome.result, request.most_result},
                 Stream{std::move(started.output), &outcome.output, request.most_output},
                 Stream{std::move(started.errors), &outcome.errors, request.most_output}} {}

  void wait() {
    std::optional<ChildEnd> killed;
    while (!killed && !has_ended(pid_)) {
      poll_streams();
      if (streams_[0].take()) last_byte_ = Clock::now();
      streams_[1].take();
      streams_[2].take();
      if (streams_[0].cut) killed = ChildEnd::result_too_large;
      if (time_left() == std::chrono::milliseconds(0)) killed = ChildEnd::timed_out;
    }
    ::kill(-pid_, SIGKILL);  // the child where a limit was reached, and what it has started
    ::kill(pid_, SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    if (!killed) drain();
    outcome_.output_cut = streams_[1].cut;
    outcome_.errors_cut = streams_[2].cut;
    fill_end(status, killed);
  }

 private:
  /// What is left until the nearer limit; nothing where there is none.
  std::optional<std::chrono::milliseconds> time_left() const {
    std::optional<std::chrono::milliseconds> left;
    const auto consider = [&](std::chrono::milliseconds limit, Clock::time_point from) {
      if (limit.count() <= 0) return;
      const auto spent = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - from);
      const auto rest = std::max(std::chrono::milliseconds(0), limit - spent);
      left = left ? std::min(*left, rest) : rest;
    };
    consider(request_.time_limit, start_);
    consider(request_.quiet_limit, last_byte_);
    return left;
  }

  void poll_streams() const {
    std::array<pollfd, 4> waits{};
    nfds_t n = 0;
    for (const Stream& stream : streams_) {
      if (!stream.ended) waits[n++] = {stream.from.get(), POLLIN, 0};
    }
    // Without a descriptor of the process (before Linux 5.3) its end is looked for from time to time.
    constexpr int kTick = 20;
    int timeout = ended_.get() >= 0 ? -1 : kTick;
    if (ended_.get() >= 0) waits[n++] = {ended_.get(), POLLIN, 0};
    if (const auto left = time_left()) {
      const int most = static_cast<int>(std::min<int64_t>(left->count() + 1, 60'000));
      timeout = timeout < 0 ? most : std::min(timeout, most);
    }
    ::poll(waits.data(), n, timeout);
  }

  /// After the end: what still lies in the pipes. Bounded, since a process that left the group may write on.
  void drain() {
    constexpr int kMostReads = 64;
    for (Stream& stream : streams_) {
      for (int i = 0; i < kMostReads && stream.take(); ++i) {
      }
    }
  }

  void fill_end(int status, std::optional<ChildEnd> killed) {
    if (killed) {
      outcome_.end = *killed;
    } else if (streams_[0].cut) {
      outcome_.end = ChildEnd::result_too_large;
    } else if (WIFSIGNALED(status)) {
      outcome_.end = ChildEnd::signalled;
      outcome_.signal = WTERMSIG(status);
    } else {
      outcome_.exit_code = WEXITSTATUS(status);
      outcome_.end = outcome_.exit_code == 0 && !outcome_.result.empty() ? ChildEnd::done : ChildEnd::exited;
    }
  }

  const ChildRequest& request_;
  ChildOutcome& outcome_;
  pid_t pid_;
  Descriptor ended_;
  std::array<Stream, 3> streams_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_byte_ = start_;
};

}  // namespace

ChildOutcome run_child(const ChildRequest& request) {
  ChildOutcome outcome;
  auto started = start_child(request);
  if (!started) {
    outcome.reason = started.error().message;
    return outcome;
  }
  Watch(request, std::move(*started), outcome).wait();
  return outcome;
}

std::string ChildOutcome::what() const {
  const char* result_part = result.empty() ? " without a result" : "";
  switch (end) {
    case ChildEnd::done: return "ended with a result";
    case ChildEnd::exited: return fmt::format("exited with code {}{}", exit_code, result_part);
    case ChildEnd::signalled: {
      const char* name = ::sigabbrev_np(signal);
      return fmt::format("was killed by signal {} (SIG{})", signal, name == nullptr ? "?" : name);
    }
    case ChildEnd::timed_out: return "did not end in time and was killed";
    case ChildEnd::result_too_large: return "wrote a result without end and was killed";
    case ChildEnd::not_started: return fmt::format("could not be started: {}", reason);
  }
  return "?";
}

}  // namespace tenon
