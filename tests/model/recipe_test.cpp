// Recipes that are wrong say where and what.
#include <tenon/model/recipe.hpp>

#include <catch2/catch.hpp>

using namespace tenon;

namespace {

std::string error_of(const std::string& text) {
  const auto yaml = parse_yaml(text, "r.yaml");
  if (!yaml) return yaml.error().message;
  const auto recipe = parse_recipe(*yaml);
  if (recipe) return "";
  return recipe.error().message.substr(0, recipe.error().message.find('\n'));
}

const std::string kHead = "architecture: x\nsources: {gguf: {architecture: $a, params: {}}}\nembed: []\nhead: []\n";

}  // namespace

TEST_CASE("the shipped recipes are well-formed") {
  for (const char* name :
       {"llama", "qwen2", "qwen2moe", "qwen3", "qwen3moe", "olmoe", "granitemoe", "gpt-oss", "gemma3"}) {
    const auto yaml = read_yaml(std::string(TENON_TEST_SOURCE "/configs/models/") + name + ".yaml");
    REQUIRE(yaml);
    const auto recipe = parse_recipe(*yaml);
    if (!recipe) FAIL(recipe.error().message);
    CHECK(recipe->architecture == name);
  }
}

TEST_CASE("an unknown op, an unknown field and a missing field are named with their place") {
  CHECK(error_of(kHead + "layer:\n  - {op: linaer, in: x, out: y}\n").starts_with("CONFIG_RANGE: r.yaml:6:"));
  CHECK(error_of(kHead + "layer:\n  - {op: linaer, in: x, out: y}\n").find("did you mean 'linear'") !=
        std::string::npos);
  CHECK(error_of(kHead + "layer:\n  - {op: glu, in: [a, b], out: c, activation: silu, wieght: w}\n")
            .starts_with("CONFIG_UNKNOWN_KEY: r.yaml:6:"));
  CHECK(error_of(kHead + "layer:\n  - {op: linear, in: x, out: y}\n") ==
        "RECIPE_STEP: r.yaml:6:5: linear needs 'weight'");
}

TEST_CASE("a recipe without sources or steps is refused") {
  CHECK(error_of("architecture: x\nembed: []\nlayer: []\nhead: []\n").starts_with("RECIPE_SOURCE: r.yaml:1:1:"));
  CHECK(error_of(kHead).starts_with("CONFIG_TYPE: r.yaml:1:1: 'layer' must be a list of steps"));
}
