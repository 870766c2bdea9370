#include <tenon/base/child.hpp>

#include <fcntl.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <csignal>
#include <fstream>
#include <thread>

using namespace tenon;
using namespace std::chrono_literals;

namespace {

// Ends what hangs; no test waits for it.
constexpr auto kLong = 60s;

ChildRequest request(std::vector<std::string> arguments) {
  ChildRequest made;
  made.executable = TENON_CHILD_SUBJECT;
  made.arguments = std::move(arguments);
  made.time_limit = kLong;
  return made;
}

/// Whether a process runs; one that was killed and not yet reaped does not.
bool is_alive(const std::string& pid) {
  std::ifstream stat("/proc/" + pid + "/stat");
  std::string number, name, state;
  stat >> number >> name >> state;
  return stat && state != "Z" && state != "X";
}

ChildOutcome run(std::vector<std::string> arguments) { return run_child(request(std::move(arguments))); }

}  // namespace

TEST_CASE("a child's result comes back byte for byte") {
  const ChildOutcome outcome = run({"echo", "three\nlines\nhere"});
  CHECK(outcome.end == ChildEnd::done);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.result == "three\nlines\nhere");
}

TEST_CASE("stdout and stderr of a child are captured apart from its result, and its stdin is empty") {
  const ChildOutcome outcome = run({"print"});
  CHECK(outcome.end == ChildEnd::exited);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.result.empty());
  CHECK(outcome.output == "to stdout\n");
  CHECK(outcome.errors == "to stderr\n");
  CHECK(outcome.what() == "exited with code 0 without a result");
}

TEST_CASE("a child that exits without a result tells its code, also code 0") {
  for (const int code : {0, 1, 42}) {
    const ChildOutcome outcome = run({"exit", std::to_string(code)});
    CHECK(outcome.end == ChildEnd::exited);
    CHECK(outcome.exit_code == code);
  }
}

TEST_CASE("an exit code other than 0 is no success, and what came of the result is kept") {
  const ChildOutcome outcome = run({"answer_and_exit"});
  CHECK(outcome.end == ChildEnd::exited);
  CHECK(outcome.exit_code == 7);
  CHECK(outcome.result == "half");
  CHECK(outcome.what() == "exited with code 7");
}

TEST_CASE("a child that a signal kills names it, and what came of the result is kept") {
  const ChildOutcome outcome = run({"die"});
  CHECK(outcome.end == ChildEnd::signalled);
  CHECK(outcome.signal == SIGSEGV);
  CHECK(outcome.result == "begun");
  CHECK(outcome.what() == "was killed by signal 11 (SIGSEGV)");
  CHECK(run({"abort"}).signal == SIGABRT);
}

TEST_CASE("a child that hangs is killed at the limit of time, whatever signals it ignores") {
  for (const char* how : {"hang", "hang_deaf"}) {
    ChildRequest made = request({how});
    made.time_limit = 200ms;
    CHECK(run_child(made).end == ChildEnd::timed_out);
  }
}

TEST_CASE("a child that is quiet for too long is killed; one that keeps answering is not") {
  ChildRequest made = request({"drip"});
  made.quiet_limit = 2s;
  made.time_limit = 0ms;
  const ChildOutcome outcome = run_child(made);  // drips for 0.6 s, then hangs
  CHECK(outcome.end == ChildEnd::timed_out);
  CHECK(outcome.result == "......");
}

TEST_CASE("a flood on stdout or stderr is cut and does not keep the child from answering") {
  ChildRequest made = request({"flood_stdout"});
  made.most_output = 1000;
  const ChildOutcome out = run_child(made);
  CHECK(out.end == ChildEnd::done);
  CHECK(out.result == "answer");
  CHECK(out.output == std::string(1000, 'x'));
  CHECK(out.output_cut);
  made.arguments = {"flood_stderr"};
  const ChildOutcome err = run_child(made);
  CHECK(err.result == "answer");
  CHECK(err.errors.size() == 1000);
  CHECK((err.errors_cut && !err.output_cut));
}

TEST_CASE("a flood without end is stopped by the limit of time") {
  ChildRequest made = request({"flood_forever"});
  made.time_limit = 300ms;
  const ChildOutcome outcome = run_child(made);
  CHECK(outcome.end == ChildEnd::timed_out);
  CHECK(outcome.output.size() == made.most_output);
}

TEST_CASE("a result without end is cut and the child is killed") {
  ChildRequest made = request({"flood_result"});
  made.most_result = 100'000;
  const ChildOutcome outcome = run_child(made);
  CHECK(outcome.end == ChildEnd::result_too_large);
  CHECK(outcome.result.size() == 100'000);
}

TEST_CASE("a process that the child leaves behind is killed and does not keep the host waiting") {
  const ChildOutcome outcome = run({"grandchild"});
  CHECK(outcome.end == ChildEnd::done);
  for (int i = 0; i < 1000 && is_alive(outcome.result); ++i) std::this_thread::sleep_for(10ms);
  CHECK_FALSE(is_alive(outcome.result));
}

TEST_CASE("a child inherits no descriptor but its streams and its result") {
  const int kept = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  REQUIRE(kept >= 0);
  CHECK(run({"descriptors"}).result == "0 1 2 3 ");
  ::close(kept);
}

TEST_CASE("a child leaves no core") { CHECK(run({"core"}).result == "0"); }

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("a child gets no more memory than its limit") {
  ChildRequest made = request({"memory"});
  made.memory_limit = uint64_t{1} << 30;
  CHECK(run_child(made).result == "refused");
}
#endif

TEST_CASE("a file that cannot be executed is told with the system's reason") {
  ChildRequest made = request({});
  made.executable = "/nonexistent/program";
  const ChildOutcome missing = run_child(made);
  CHECK(missing.end == ChildEnd::not_started);
  CHECK(missing.reason == "cannot execute /nonexistent/program: No such file or directory");
  made.executable = "/dev/null";
  CHECK(run_child(made).what() == "could not be started: cannot execute /dev/null: Permission denied");
}

TEST_CASE("without another name the host executes itself") {
  ChildRequest made;
  made.arguments = {"--list-test-names-only"};
  made.time_limit = kLong;
  CHECK_THAT(run_child(made).output, Catch::Contains("without another name the host executes itself"));
}
