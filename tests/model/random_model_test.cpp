// Small models of every family, with random weights and awkward widths, against their float64 evaluation, with which
// llama.cpp agrees (tests/oracle/make_random_golden.py): 513 positions, windows of 9, stretched rotations, odd numbers
// of heads and experts.
#include "golden.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr const char* kFamilies[] = {"llama",    "mixtral", "qwen2",      "qwen3",   "qwen3moe",
                                     "qwen2moe", "olmoe",   "granitemoe", "gpt-oss", "gemma3"};

std::unique_ptr<Engine> load(const std::string& family, std::vector<std::string> set) {
  EngineOptions options;
  options.config = TENON_TEST_BUILD "/share/tenon/configs/default.yaml";
  options.model = TENON_TEST_SOURCE "/tests/data/random/" + family + ".gguf";
  options.set = std::move(set);
  options.set.push_back("runtime.kv.dtype=f32");
  auto engine = Engine::load(options);
  if (!engine) FAIL(engine.error().message);
  return std::move(*engine);
}

Golden golden_of(const std::string& family) { return read_golden("random/" + family + ".golden.bin"); }

}  // namespace

TEST_CASE("in the f32 class every family is at the float64 evaluation, whatever the prompt's length and chunks") {
  for (const char* family : kFamilies) {
    const Golden golden = golden_of(family);
    REQUIRE(golden.n_positions == 513);
    for (const char* chunk : {"512", "19"}) {
      const auto engine =
          load(family, {"backends.numeric=f32", "runtime.context=544", std::string("runtime.prefill_chunk=") + chunk});
      for (const size_t n : {1, 2, 31, 32, 33, 512, 513}) {
        INFO(family << ", " << n << " tokens in chunks of " << chunk);
        // The weights are f16: what is left is f32 arithmetic and the golden file's rounding, which counts most in few
        // positions.
        CHECK(std::abs(distance(*engine, golden, n).divergence) < 1e-7);
      }
    }
  }
}

TEST_CASE("in the exact64 class every family is at the float64 evaluation") {
  for (const char* family : kFamilies) {
    INFO(family);
    const auto engine = load(family, {"backends.numeric=exact64", "runtime.context=96"});
    CHECK(std::abs(distance(*engine, golden_of(family), 70).divergence) < 1e-8);
  }
}

TEST_CASE("past the 4,096 positions that YaRN stretches, and past a window of 128, the f32 class is at float64") {
  const Golden golden = golden_of("gpt-oss-long");
  REQUIRE(golden.n_skipped + golden.n_positions == 4300);
  const auto engine = load("gpt-oss-long", {"backends.numeric=f32", "runtime.context=4320"});
  CHECK(std::abs(distance(*engine, golden, golden.n_positions).divergence) < 1e-7);
}

TEST_CASE("with block formats the int8 class costs a mixture of experts no more than it costs llama.cpp") {
  for (const std::string family : {"gpt-oss-mxfp4", "qwen3moe-q4"}) {
    INFO(family);
    const Golden golden = golden_of(family);
    const auto peer =
        nlohmann::json::parse(std::ifstream(TENON_TEST_SOURCE "/tests/data/random/" + family + ".peer.json"));
    const double theirs = peer.at("kl_partition_mean"), error = peer.at("kl_standard_error");
    const auto exact = load(family, {"backends.numeric=f32", "runtime.context=544"});
    CHECK(std::abs(distance(*exact, golden, 513).divergence) < 1e-8);
    const auto engine = load(family, {"runtime.context=544"});
    // Which near ties of the router fall the other way is chance: the mean of 513 positions has that standard error.
    const double ours = distance(*engine, golden, 513).divergence;
    CHECK(ours < theirs + 2 * error);
    CHECK(ours > 1e-6);  // it was the int8 class
  }
}
