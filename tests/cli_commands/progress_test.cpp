// The bar on stderr: only at a terminal, only for work that takes a while, gone at the end.
#include "progress.hpp"
#include "tenon_process.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdlib>
#include <thread>

using tenon::cli::ProgressBar;

namespace {

constexpr auto kAtOnce = std::chrono::milliseconds(0);

std::string shown_by(const std::function<void()>& program) {
  AtTerminal terminal([&] {
    program();
    return 0;
  });
  REQUIRE(terminal.wait_for_end() == 0);
  return terminal.shown();
}

void half_a_bar() {
  ProgressBar bar("loading", true, kAtOnce);
  bar.show(1, 2);
}

}  // namespace

TEST_CASE("a bar is drawn in its line, and the line is cleared at the end") {
  const std::string shown = shown_by([] {
    unsetenv("NO_COLOR");
    half_a_bar();
  });
  CHECK(shown == "\rloading [\x1b[36m===============               \x1b[0m]  50%\r\x1b[K");
}

TEST_CASE("NO_COLOR and a dumb terminal get plain characters, and blanks over them at the end") {
  const std::string plain = "\rloading [===============               ]  50%\r" + std::string(45, ' ') + "\r";
  CHECK(shown_by([] {
          setenv("NO_COLOR", "1", 1);
          half_a_bar();
        }) == plain);
  CHECK(shown_by([] {
          unsetenv("NO_COLOR");
          setenv("TERM", "dumb", 1);
          half_a_bar();
        }) == plain);
}

TEST_CASE("work that ends soon shows nothing, nor does a bar that is not wanted") {
  CHECK(shown_by([] {
          ProgressBar soon("loading", true, std::chrono::hours(1));
          soon.show(1, 2);
          soon.show(2, 2);
          ProgressBar unwanted("loading", false, kAtOnce);
          unwanted.show(1, 2);
        }).empty());
}

TEST_CASE("a small model's loading shows no bar at a terminal") {
  const TemporaryFolder folder;
  AtTerminal terminal([&] { return exec_tenon({"run", "-n", "3", "-p", "The"}, folder.path("state")); });
  CHECK(terminal.wait_for_end() == 0);
  CHECK(terminal.shown().find("loading") == std::string::npos);
  CHECK(terminal.shown().find('\x1b') == std::string::npos);
}
