// The configs that ship load, and say what their comments promise.
#include <catch2/catch.hpp>
#include <tenon/config/settings.hpp>

using namespace tenon;

namespace {

const std::filesystem::path kConfigs = std::filesystem::path(TENON_TEST_SOURCE) / "configs";

Settings shipped(const char* name) {
  auto settings = load_settings(kConfigs / name, {});
  if (!settings) FAIL(settings.error().message);
  return std::move(*settings);
}

}  // namespace

TEST_CASE("every config that ships loads and finds its recipes and its model") {
  size_t n = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kConfigs)) {
    if (entry.path().extension() != ".yaml") continue;
    ++n;
    INFO(entry.path().string());
    const Settings s = shipped(entry.path().filename().c_str());
    CHECK(s.recipe_dirs == std::vector{kConfigs / "models"});
    CHECK(s.model.path == (kConfigs / "demo/demo.gguf").string());
    CHECK(std::filesystem::exists(s.model.path));
    CHECK(std::filesystem::is_directory(s.recipe_dirs.front()));
    REQUIRE(s.plugin_dirs.size() == 1);
    // share/tenon/configs and lib/tenon/plugins have the same root.
    CHECK(s.plugin_dirs[0] == (kConfigs / "../../../lib/tenon/plugins").lexically_normal());
  }
  CHECK(n >= 3);
}

TEST_CASE("the default config spells out the defaults") {
  const Settings s = shipped("default.yaml"), defaults;
  CHECK(s.backends.order == defaults.backends.order);
  CHECK(s.backends.numeric == defaults.backends.numeric);
  CHECK(s.model.dense_cache_mb == defaults.model.dense_cache_mb);
  CHECK(s.tokenizer.use == defaults.tokenizer.use);
  CHECK_FALSE(s.sampling.seed_given);
  CHECK(s.runtime.threads == defaults.runtime.threads);
  CHECK(s.runtime.context == defaults.runtime.context);
  CHECK(s.runtime.prefill_chunk == defaults.runtime.prefill_chunk);
  CHECK(s.runtime.determinism == defaults.runtime.determinism);
  CHECK(s.runtime.kv.page == defaults.runtime.kv.page);
  CHECK(s.runtime.kv.dtype == defaults.runtime.kv.dtype);
}

TEST_CASE("the default chain ends in a choice by chance") {
  const Settings s = shipped("default.yaml");
  std::vector<std::string> names;
  for (const ChainItem& item : s.sampling.chain) names.push_back(item.name);
  CHECK(names == std::vector<std::string>{"temperature", "top_k", "top_p", "min_p", "sample"});
}

TEST_CASE("the oracle's config asks for f64 sums and no rounding in the cache") {
  const Settings s = shipped("exact64.yaml");
  CHECK(s.backends.numeric == "exact64");
  CHECK(s.backends.order == std::vector<std::string>{"reference"});
  CHECK(s.runtime.kv.dtype == "f32");
}
