#include "tenon_process.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#include <utmp.h>

extern char** environ;

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(60);
const std::string kTenon = TENON_TEST_BUILD "/bin/tenon";

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "tenon-cli-XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

void write_file(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

Outcome run_tenon(const std::vector<std::string>& arguments, const std::string& input) {
  const TemporaryFolder folder;
  write_file(folder.path("in"), input);
  std::vector<std::string> all = arguments;
  all.insert(all.begin(), kTenon);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, folder.path("in").c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, folder.path("out").c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, folder.path("err").c_str(), O_WRONLY | O_CREAT, 0600);
  pid_t child = 0;
  REQUIRE(posix_spawn(&child, kTenon.c_str(), &actions, nullptr, pointers(all).data(), environ) == 0);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return {code_of(status), content_of(folder.path("out")), content_of(folder.path("err"))};
}

int exec_tenon(std::vector<std::string> arguments, const std::string& state) {
  setenv("XDG_STATE_HOME", state.c_str(), 1);
  arguments.insert(arguments.begin(), kTenon);
  execv(kTenon.c_str(), pointers(arguments).data());
  return 127;
}

AtTerminal::AtTerminal(const std::function<int()>& program, Stdout to) {
  REQUIRE(openpty(&master_, &slave_, nullptr, nullptr, nullptr) == 0);
  if (to == Stdout::pipe) REQUIRE(pipe(pipe_) == 0);
  child_ = fork();
  REQUIRE(child_ >= 0);
  if (child_ == 0) {
    login_tty(dup(slave_));
    if (to == Stdout::pipe) dup2(pipe_[1], STDOUT_FILENO);
    for (const int each : {master_, slave_, pipe_[0], pipe_[1]}) {
      if (each > STDERR_FILENO) close(each);
    }
    setenv("TERM", "xterm", 1);
    std::_Exit(program());
  }
}

AtTerminal::~AtTerminal() {
  if (!ended()) {
    kill(child_, SIGKILL);
    waitpid(child_, &status_, 0);
  }
  for (const int each : {master_, slave_, pipe_[0], pipe_[1]}) {
    if (each >= 0) close(each);
  }
}

void AtTerminal::type(const std::string& keys) const {
  REQUIRE(write(master_, keys.data(), keys.size()) == static_cast<ssize_t>(keys.size()));
}

bool AtTerminal::read_some(int milliseconds) {
  pollfd ready{master_, POLLIN, 0};
  if (poll(&ready, 1, milliseconds) <= 0 || (ready.revents & POLLIN) == 0) return false;
  char bytes[4096];
  const ssize_t n = read(master_, bytes, sizeof bytes);
  if (n > 0) shown_.append(bytes, static_cast<size_t>(n));
  return n > 0;
}

void AtTerminal::wait_for(const std::string& text) {
  for (const auto deadline = Clock::now() + kPatience; Clock::now() < deadline;) {
    const size_t at = shown_.find(text, waited_);
    if (at != std::string::npos) {
      waited_ = at + text.size();
      return;
    }
    if (!read_some(50) && ended()) break;
  }
  FAIL("the terminal never showed '" << text << "' but: " << shown_.substr(waited_));
}

bool AtTerminal::ended() {
  if (!ended_) ended_ = waitpid(child_, &status_, WNOHANG) == child_;
  return ended_;
}

int AtTerminal::wait_for_end() {
  for (const auto deadline = Clock::now() + kPatience; !ended() && Clock::now() < deadline;) read_some(20);
  while (read_some(0)) {
  }
  REQUIRE(ended_);
  return code_of(status_);
}

bool AtTerminal::is_in_line_mode() const {
  termios modes{};
  tcgetattr(slave_, &modes);
  return (modes.c_lflag & ICANON) != 0 && (modes.c_lflag & ECHO) != 0;
}

void AtTerminal::fill_pipe(int free) {
  const int capacity = fcntl(pipe_[1], F_SETPIPE_SZ, 4096);
  REQUIRE(capacity == 4096);  // one page: what does not fit into it waits
  const std::string filling(static_cast<size_t>(capacity - free), '.');
  REQUIRE(write(pipe_[1], filling.data(), filling.size()) == static_cast<ssize_t>(filling.size()));
}

int AtTerminal::bytes_in_pipe() const {
  int n = 0;
  ioctl(pipe_[0], FIONREAD, &n);
  return n;
}

std::string AtTerminal::drain_pipe() {
  std::string text;
  for (pollfd ready{pipe_[0], POLLIN, 0}; poll(&ready, 1, 0) > 0 && (ready.revents & POLLIN) != 0;) {
    char bytes[4096];
    const ssize_t n = read(pipe_[0], bytes, sizeof bytes);
    if (n <= 0) break;
    text.append(bytes, static_cast<size_t>(n));
  }
  return text;
}
