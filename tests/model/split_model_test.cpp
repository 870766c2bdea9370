// A model in two files, split by the `gguf` package (tests/oracle/split_gguf.py), through the engine.
#include "golden.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <cmath>
#include <filesystem>

using namespace tenon;
using namespace tenon::test;

namespace {

const std::filesystem::path kFolder = TENON_TEST_SOURCE "/tests/data/split";

Result<std::unique_ptr<Engine>> load(const std::filesystem::path& model) {
  EngineOptions options;
  options.config = TENON_TEST_BUILD "/share/tenon/configs/default.yaml";
  options.model = model.string();
  options.set = {"backends.numeric=f32", "runtime.kv.dtype=f32", "runtime.context=128"};
  return Engine::load(options);
}

}  // namespace

TEST_CASE("a model in two files computes what the whole one does") {
  const auto engine = load(kFolder / "qwen2-00001-of-00002.gguf");
  if (!engine) FAIL(engine.error().message);
  CHECK(std::abs(distance(**engine, read_golden("random/qwen2.golden.bin"), 100).divergence) < 1e-8);
}

TEST_CASE("a model without its second file is refused by that file's name") {
  const auto folder = std::filesystem::temp_directory_path() / ("tenon-split-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  std::filesystem::copy(kFolder / "qwen2-00001-of-00002.gguf", folder,
                        std::filesystem::copy_options::overwrite_existing);
  const auto engine = load(folder / "qwen2-00001-of-00002.gguf");
  std::filesystem::remove_all(folder);
  REQUIRE_FALSE(engine);
  CHECK_THAT(engine.error().message, Catch::Contains("qwen2-00002-of-00002.gguf is missing"));
}
