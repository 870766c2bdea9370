// What the recipes make of a family's metadata, worked out by hand from tests/oracle/make_random_golden.py: gemma3 with
// 7 layers, 3 heads of 12, hidden_size 40, window 9, bases 1e6 and 1e4, linear factor 8, softcap 5.
#include <tenon/engine.hpp>
#include <tenon/model/plan.hpp>

#include <catch2/catch.hpp>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace tenon;

namespace {

Result<std::unique_ptr<Engine>> planned(const std::string& family, std::vector<std::string> set = {}) {
  EngineOptions options;
  options.config = TENON_TEST_BUILD "/share/tenon/configs/default.yaml";
  options.model = TENON_TEST_SOURCE "/tests/data/random/" + family + ".gguf";
  options.set = std::move(set);
  options.plan_only = true;
  return Engine::load(options);
}

template <class Params>
std::vector<Params> params_of(const Engine& engine, std::string_view name) {
  std::vector<Params> found;
  for (const BoundOp& op : engine.plan().ops()) {
    if (op.spec.name == name) found.push_back(std::get<Params>(op.spec.params));
  }
  return found;
}

/// The shipped recipe of gemma3 with one text replaced, in a folder of its own.
class ChangedRecipe {
 public:
  ChangedRecipe(const std::string& from, const std::string& to) {
    std::filesystem::create_directories(folder_);
    std::stringstream text;
    text << std::ifstream(TENON_TEST_SOURCE "/configs/models/gemma3.yaml").rdbuf();
    std::string recipe = text.str();
    const size_t at = recipe.find(from);
    REQUIRE(at != std::string::npos);
    recipe.replace(at, from.size(), to);
    std::ofstream(folder_ / "gemma3.yaml") << recipe;
  }
  ~ChangedRecipe() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ChangedRecipe(const ChangedRecipe&) = delete;
  ChangedRecipe& operator=(const ChangedRecipe&) = delete;
  std::string setting() const { return "recipe_dirs=[" + folder_.string() + "]"; }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("tenon-recipe-" + std::to_string(::getpid()));
};

std::string refusal(const ChangedRecipe& recipe) {
  const auto engine = planned("gemma3", {recipe.setting()});
  return engine ? "" : engine.error().message;
}

}  // namespace

TEST_CASE("gemma3 has a window in five of six layers, and a rotation of its own there") {
  const auto engine = planned("gemma3");
  if (!engine) FAIL(engine.error().message);
  const auto attention = params_of<tenon_attention_params>(**engine, "attention");
  REQUIRE(attention.size() == 7);
  for (size_t layer = 0; layer < 7; ++layer) {
    CHECK(attention[layer].window == (layer == 5 ? 0 : 9));
    CHECK(attention[layer].scale == Approx(1 / std::sqrt(12.0)));
    CHECK(attention[layer].softcap == 0);
  }
  const auto& ropes = (*engine)->plan().graph().ropes;
  REQUIRE(ropes.size() == 2);
  CHECK(ropes[0].inverse[1] == Approx(std::pow(1e4, -2.0 / 12)));
  CHECK(ropes[1].inverse[1] == Approx(std::pow(1e6, -2.0 / 12) / 8));
}

TEST_CASE("gemma3 scales its embeddings by the root of their width and bends its logits") {
  const auto engine = planned("gemma3");
  if (!engine) FAIL(engine.error().message);
  CHECK(params_of<tenon_gather_params>(**engine, "gather").front().scale == Approx(std::sqrt(40.0)));
  const auto softcap = params_of<tenon_softcap_params>(**engine, "softcap");
  REQUIRE(softcap.size() == 1);
  CHECK(softcap.front().cap == 5.0f);
  CHECK(softcap.front().width == 290);
}

TEST_CASE("a softcap of 0 is left out") {
  const ChangedRecipe recipe("cap: final_softcap", "cap: 0");
  const auto engine = planned("gemma3", {recipe.setting()});
  if (!engine) FAIL(engine.error().message);
  CHECK(params_of<tenon_softcap_params>(**engine, "softcap").empty());
}

TEST_CASE("a param is chosen by the number of another one") {
  // hidden_size per head is floor(40 / 3) = 13.
  const ChangedRecipe recipe("62: inverse", "7: inverse");
  const auto engine = planned("gemma3", {recipe.setting()});
  if (!engine) FAIL(engine.error().message);
  CHECK(params_of<tenon_attention_params>(**engine, "attention").front().scale == Approx(1 / std::sqrt(13.0)));
}

TEST_CASE("a choice without a value for the model, and a layer type without one, are refused with their place") {
  CHECK_THAT(refusal(ChangedRecipe("otherwise: inverse_sqrt_head_dim", "13: inverse_sqrt_head_dim")),
             Catch::Contains("gemma3.yaml:") && Catch::Contains("no number found"));
  CHECK_THAT(refusal(ChangedRecipe("{by: n_layers,", "{by: n_lairs,")), Catch::Contains("no number found"));
  CHECK_THAT(refusal(ChangedRecipe("scaling: {sliding: none, full: rope_scaling}", "scaling: {full: rope_scaling}")),
             Catch::Contains("gemma3.yaml:") && Catch::Contains("no value for the layer type 'sliding'"));
  CHECK_THAT(refusal(ChangedRecipe("cap: final_softcap", "cap: -1")), Catch::Contains("the softcap is -1"));
}

TEST_CASE("qwen3 takes the width of its heads from the metadata, with a norm for q and k") {
  // Two layers: attn_norm, attn_q_norm, attn_k_norm, ffn_norm each, and output_norm; head_dim 12 is not 40 / 3.
  const auto engine = planned("qwen3");
  if (!engine) FAIL(engine.error().message);
  const auto norms = params_of<tenon_norm_params>(**engine, "rms_norm");
  REQUIRE(norms.size() == 9);
  CHECK(norms[1].width == 12);
  CHECK(norms[1].groups == 3);
  CHECK(norms[2].groups == 1);
  CHECK(params_of<tenon_rope_params>(**engine, "rope").front().pairing == TENON_PAIRING_HALVES);
}
