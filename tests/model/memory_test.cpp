// What `tenon plan` foretells against what a run takes: the peak of the process, as the operating system counts it.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

const std::string kTenon = TENON_TEST_BUILD "/bin/tenon";

struct Finished {
  int code;
  uint64_t peak_bytes;
  std::string out;
};

/// Runs `tenon arguments`, its stderr thrown away.
Finished run_tenon(std::vector<std::string> arguments) {
  std::array<int, 2> pipe_ends{};
  REQUIRE(pipe(pipe_ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(pipe_ends[1], STDOUT_FILENO);
    close(pipe_ends[0]);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(126);
    std::vector<char*> argv{const_cast<char*>(kTenon.c_str())};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(kTenon.c_str(), argv.data());
    _exit(127);
  }
  close(pipe_ends[1]);
  Finished finished{};
  std::array<char, 4096> piece;
  for (ssize_t n; (n = read(pipe_ends[0], piece.data(), piece.size())) > 0;) {
    finished.out.append(piece.data(), static_cast<size_t>(n));
  }
  close(pipe_ends[0]);
  int status = 0;
  rusage usage{};
  REQUIRE(wait4(child, &status, 0, &usage) == child);
  finished.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  finished.peak_bytes = static_cast<uint64_t>(usage.ru_maxrss) * 1024;
  return finished;
}

uint64_t planned(const nlohmann::json& plan, const char* key) { return plan.at(key).get<uint64_t>(); }

nlohmann::json plan_of(const std::string& model, const std::string& context) {
  const Finished plan = run_tenon({"plan", "-m", model, "--json", "--set", "runtime.context=" + context});
  REQUIRE(plan.code == 0);
  return nlohmann::json::parse(plan.out);
}

}  // namespace

TEST_CASE("a run that fills its context stays within 1.1 times the plan") {
  std::ifstream file(TENON_TEST_SOURCE "/tests/data/smollm2/text.txt");
  std::string prompt(7000, ' ');
  file.read(prompt.data(), static_cast<std::streamsize>(prompt.size()));
  for (const char* model : {"smollm2-135m", "gemma3-270m"}) {
    const nlohmann::json plan = plan_of(model, "2048");
    const Finished run = run_tenon({"run", "-m", model, "--set", "runtime.context=2048", "-p", prompt, "-n", "400", "--greedy"});
    INFO(model << ": peak " << run.peak_bytes << " of " << planned(plan, "total") << " bytes");
    CHECK(run.code == 0);
    CHECK(static_cast<double>(run.peak_bytes) <= 1.10 * static_cast<double>(planned(plan, "total")));
    CHECK(run.peak_bytes > planned(plan, "weights"));
  }
}

TEST_CASE("the plan is at most 1.15 times weights, kv cache and workspace") {
  for (const char* model : {"smollm2-135m", "gemma3-270m"}) {
    const nlohmann::json plan = plan_of(model, "auto");
    const uint64_t needed = planned(plan, "weights") + planned(plan, "kv_cache") + planned(plan, "workspace");
    INFO(model << ": " << planned(plan, "total") << " against " << needed);
    CHECK(static_cast<double>(planned(plan, "total")) <= 1.15 * static_cast<double>(needed));
  }
}
