// Every field of the step moe, through recipes: the shipped ones with a word changed. Each variant differs from the
// model as it is, and the default kernels in class f32 give what the reference does in float64.
#include "golden.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tenon;
using namespace tenon::test;

namespace {

using Change = std::pair<std::string, std::string>;

/// The recipe of `family` with each text replaced, in a folder of its own.
class Recipe {
 public:
  Recipe(const std::string& family, const std::vector<Change>& changes) {
    std::filesystem::create_directories(folder_);
    std::stringstream text;
    text << std::ifstream(TENON_TEST_SOURCE "/configs/models/" + family + ".yaml").rdbuf();
    std::string recipe = text.str();
    for (const auto& [from, to] : changes) {
      const size_t at = recipe.rfind(from);  // in the steps, behind the sources
      INFO(family << ": " << from);
      REQUIRE(at != std::string::npos);
      recipe.replace(at, from.size(), to);
    }
    std::ofstream(folder_ / "changed.yaml") << recipe;
  }
  ~Recipe() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Recipe(const Recipe&) = delete;
  Recipe& operator=(const Recipe&) = delete;
  std::string setting() const { return "recipe_dirs=[" + folder_.string() + "]"; }

 private:
  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / ("tenon-moe-" + std::to_string(::getpid()));
};

using Logits = std::vector<std::vector<float>>;

Logits logits_of(const std::string& family, const Recipe& recipe, const char* numeric) {
  EngineOptions options;
  options.config = TENON_TEST_BUILD "/share/tenon/configs/default.yaml";
  options.model = TENON_TEST_SOURCE "/tests/data/random/" + family + ".gguf";
  options.set = {recipe.setting(), "runtime.kv.dtype=f32", "runtime.context=64",
                 std::string("backends.numeric=") + numeric};
  const auto engine = Engine::load(options);
  if (!engine) FAIL(engine.error().message);
  const Golden golden = read_golden("random/" + family + ".golden.bin");
  Logits rows;
  const auto done = (*engine)->evaluate(
      std::span(golden.tokens).first(48),
      [&](int64_t, std::span<const float> logits) { rows.emplace_back(logits.begin(), logits.end()); });
  if (!done) FAIL(done.error().message);
  return rows;
}

/// Largest difference over the largest value.
double distance(const Logits& a, const Logits& b) {
  double most = 0, scale = 0;
  for (size_t row = 0; row < a.size(); ++row) {
    for (size_t i = 0; i < a[row].size(); ++i) {
      most = std::max(most, std::abs(static_cast<double>(a[row][i]) - static_cast<double>(b[row][i])));
      scale = std::max(scale, std::abs(static_cast<double>(a[row][i])));
    }
  }
  return most / scale;
}

void check_variants(const std::string& family, const std::vector<std::vector<Change>>& variants) {
  const Logits plain = logits_of(family, Recipe(family, {}), "f32");
  std::vector<Logits> all{plain};
  for (const std::vector<Change>& changes : variants) {
    const Recipe recipe(family, changes);
    const Logits f32 = logits_of(family, recipe, "f32"), exact = logits_of(family, recipe, "exact64");
    INFO(family << " with '" << changes.front().second << "'");
    CHECK(distance(f32, exact) < 1e-5);
    for (const Logits& other : all) CHECK(distance(f32, other) > 1e-3);
    all.push_back(f32);
  }
}

}  // namespace

TEST_CASE("routes, renormalization and a scale of the routing weights reach the kernels") {
  check_variants("mixtral", {{{"renormalize: true", "renormalize: false"}},
                             {{"softmax_then_select, renormalize: true", "sigmoid, renormalize: true"}},
                             {{"softmax_then_select, renormalize: true", "sigmoid, renormalize: false"}},
                             {{"renormalize: true", "renormalize: true, weights_scale: 1.75"}}});
}

TEST_CASE("each activation reaches the experts") {
  check_variants("mixtral", {{{"activation: silu", "activation: gelu"}},
                             {{"activation: silu", "activation: identity"}},
                             {{"activation: silu", "activation: swiglu_oai"}}});
}

TEST_CASE("a selection bias moves the choice of experts, and biases of router, gate, up and down count each") {
  const std::string step =
      "router_bias: ffn_gate_inp, gate_bias: ffn_gate_exps, up_bias: ffn_up_exps, "
      "down_bias: ffn_down_exps";
  const Change let_go{"    names:\n      global: \"{name}.weight\"",
                      "    ignore: [\"*.bias\"]\n    names:\n      global: \"{name}.weight\""};
  std::vector<std::vector<Change>> variants{
      {{"router_bias: ffn_gate_inp", "selection_bias: ffn_gate_inp"}, {"select_then_softmax", "sigmoid"}}};
  for (const char* field : {"router_bias: ffn_gate_inp, ", "gate_bias: ffn_gate_exps, ", "up_bias: ffn_up_exps, ",
                            "down_bias: ffn_down_exps,"}) {
    variants.push_back({{field, ""}, let_go});
  }
  check_variants("gpt-oss", variants);
}

TEST_CASE("a shared expert counts with its gate, without it, and not at all") {
  const Change let_go{"    names:\n      global: \"{name}.weight\"",
                      "    ignore: [\"*shexp*\"]\n    names:\n      global: \"{name}.weight\""};
  check_variants("qwen2moe",
                 {{{"shared_router: ffn_gate_inp_shexp, ", ""}, let_go},
                  {{"shared_router: ffn_gate_inp_shexp, shared_gate: ffn_gate_shexp, shared_up: ffn_up_shexp, "
                    "shared_down: ffn_down_shexp,",
                    ""},
                   let_go}});
}
