// Small models with random weights and awkward widths against their float64 evaluation
// (tests/oracle/make_random_golden.py). gemma3's has a window of 9, linear scaling of its one full layer's rotation,
// and a softcap; 70 positions.
#include "golden.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace tenon;
using namespace tenon::test;

namespace {

std::unique_ptr<Engine> load(const std::string& family, std::vector<std::string> set) {
  EngineOptions options;
  options.config = TENON_TEST_BUILD "/share/tenon/configs/default.yaml";
  options.model = TENON_TEST_SOURCE "/tests/data/random/" + family + ".gguf";
  options.set = std::move(set);
  options.set.push_back("runtime.kv.dtype=f32");
  options.set.push_back("runtime.context=128");
  auto engine = Engine::load(options);
  if (!engine) FAIL(engine.error().message);
  return std::move(*engine);
}

}  // namespace

TEST_CASE("in the f32 class qwen3 and gemma3 are at the float64 evaluation, whatever the prompt chunks") {
  for (const char* family : {"qwen3", "gemma3"}) {
    const Golden golden = read_golden(std::string("random/") + family + ".golden.bin");
    for (const char* chunk : {"512", "7"}) {
      INFO(family << " in chunks of " << chunk);
      const auto engine = load(family, {"backends.numeric=f32", std::string("runtime.prefill_chunk=") + chunk});
      // The weights are f16: what is left is f32 arithmetic and the golden file's rounding.
      CHECK(std::abs(distance(*engine, golden, golden.n_positions).divergence) < 1e-8);
    }
  }
}

TEST_CASE("in the exact64 class qwen3 and gemma3 are at the float64 evaluation") {
  for (const char* family : {"qwen3", "gemma3"}) {
    INFO(family);
    const Golden golden = read_golden(std::string("random/") + family + ".golden.bin");
    const auto engine = load(family, {"backends.numeric=exact64"});
    CHECK(std::abs(distance(*engine, golden, golden.n_positions).divergence) < 1e-8);
  }
}
