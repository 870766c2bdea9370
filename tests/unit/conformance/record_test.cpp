#include <conformance/record.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tenon::conformance;

TEST_CASE("what a child tells comes back, NaN and infinity included") {
  CaseResult result;
  result.verdict = Verdict::mismatch;
  result.kernel = "linear_q4_0_int8_x";
  result.computes = "int8";
  result.message = "against \"reference\"\n";
  result.error = std::numeric_limits<double>::infinity();
  result.mismatch = Mismatch{"5 ulp", 2, 9, 0, 1, 8, std::numeric_limits<float>::quiet_NaN(), -0.0f};
  const Told told = read_lines(plugin_line({"x", "1.0", "/p/x.so", "ab12"}) + begin_line(4) + stage_line("run") +
                               end_line(4, result));
  REQUIRE(told.plugin);
  CHECK(told.plugin->path == "/p/x.so");
  REQUIRE(told.ended.size() == 1);
  CHECK(told.ended[0].first == 4);
  const CaseResult& back = told.ended[0].second;
  CHECK(back.verdict == Verdict::mismatch);
  CHECK(back.message == result.message);
  CHECK(back.error == result.error);
  REQUIRE(back.mismatch);
  CHECK(back.mismatch->column == 8);
  CHECK(std::isnan(back.mismatch->got));
  CHECK(std::signbit(back.mismatch->expected));
  CHECK_FALSE(told.begun);
}

TEST_CASE("what is missing after a crash says where it was") {
  const Told told = read_lines(begin_line(2) + end_line(2, {}) + begin_line(3) + stage_line("create and pack") +
                               stage_line("run on 3 threads") + "{\"fault\":\"at address 0\"}\n{\"end\":3,\"verd");
  CHECK(told.begun == size_t{3});
  CHECK(told.stage == "run on 3 threads");
  CHECK(told.fault == "at address 0");
  CHECK(told.ended.size() == 1);
}

TEST_CASE("lines that are not ours are skipped") {
  const Told told =
      read_lines("noise\n{\"end\": \"x\"}\n[1]\n{\"plugin\":{}}\n\n" + begin_line(1) + std::string("\xff\0{\n", 4));
  CHECK(told.begun == size_t{1});
  CHECK_FALSE(told.plugin);
  CHECK(told.ended.empty());
}
