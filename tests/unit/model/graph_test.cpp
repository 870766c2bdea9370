// What a recipe says about numbers, layers and tensors, against a small model in memory. Expected values by hand.
#include "fake_model.hpp"

#include <cmath>

using namespace tenon;
using namespace tenon::test;

namespace {

/// One head of 8 in each of 4 layers; `more` are further lines of the source, `rope` and `attention` fields of the
/// steps.
struct Text {
  std::string params, source, rope, attention, top;
};

std::string recipe_text(const Text& text) {
  return "architecture: m\n" + text.top +
         "sources:\n  fake:\n    architecture: $arch\n    params:\n"
         "      {n_layers: 4, hidden_size: 8, context_length: 64, n_heads: 1, n_kv_heads: 1, head_dim: 8, rope_dims: "
         "8,\n"
         "       norm_eps: 0.1, rope_theta: 10000" +
         text.params +
         "}\n    names: {global: \"{name}\", layer: \"{layer}.{name}\", bias: \"{layer}.{name}.bias\"}\n" +
         text.source +
         "embed:\n  - {op: gather, weight: e, in: tokens, out: x}\n"
         "layer:\n  - {op: linear, weight: [q, k, v], in: x, out: [q, k, v]}\n"
         "  - {op: rope, in: [q, k], pairing: halves" +
         text.rope + "}\n  - {op: attention, in: [q, k, v], out: x" + text.attention +
         "}\nhead:\n  - {op: linear, weight: e, in: x, out: logits}\n";
}

FakeContents contents() {
  FakeContents model{.texts = {{"arch", "m"}}, .tensors = {{"e", {5, 8}}}};
  for (int layer = 0; layer < 4; ++layer) {
    for (const char* name : {"q", "k", "v"}) model.tensors.push_back({std::to_string(layer) + "." + name, {8, 8}});
  }
  return model;
}

struct Built {
  std::unique_ptr<FakeModel> model;  // the graph points into it
  Result<Graph> graph;
  std::string refusal() const { return graph ? "" : graph.error().message; }
};

Built build(const Text& text, FakeContents from = contents()) {
  auto model = std::make_unique<FakeModel>(std::move(from));
  const auto yaml = parse_yaml(recipe_text(text), "r.yaml");
  if (!yaml) FAIL(yaml.error().message);
  const auto recipe = parse_recipe(*yaml);
  if (!recipe) FAIL(recipe.error().message);
  auto graph = build_graph(*recipe, model->source(), {});
  return {std::move(model), std::move(graph)};
}

/// Of each layer.
std::vector<int64_t> windows(const Built& built) {
  if (!built.graph) FAIL(built.graph.error().message);
  std::vector<int64_t> found;
  for (const OpSpec& op : built.graph->ops) {
    if (op.name == "attention") found.push_back(std::get<tenon_attention_params>(op.params).window);
  }
  return found;
}

const RopeFrequencies& rope(const Built& built) {
  if (!built.graph) FAIL(built.graph.error().message);
  REQUIRE(built.graph->ropes.size() == 1);
  return built.graph->ropes[0];
}

const Text kWindows{.params = ", types: $types",
                    .attention = ", window: {near: 3, far: 0}",
                    .top = "layer_types: [near, far]\nlayer_types_from: types\n"};
using Windows = std::vector<int64_t>;

}  // namespace

TEST_CASE("layer types come in turn, or as the model says: a period, a flag each, or a name each") {
  CHECK(windows(build(kWindows)) == Windows{3, 0, 3, 0});
  FakeContents period = contents(), flags = contents(), names = contents();
  period.numbers["types"] = 3;
  flags.lists["types"] = {0, 1, 1, 0};
  names.text_lists["types"] = {"far_sight", "near_sight", "far_sight", "far_sight"};
  CHECK(windows(build(kWindows, period)) == Windows{3, 3, 0, 3});
  CHECK(windows(build(kWindows, flags)) == Windows{0, 3, 3, 0});
  CHECK(windows(build(kWindows, names)) == Windows{0, 3, 0, 0});
}

TEST_CASE("layer types that do not fit the model are refused with what was found") {
  FakeContents model = contents();
  model.text_lists["types"] = {"far", "near", "wide", "near"};
  CHECK_THAT(build(kWindows, model).refusal(), Catch::Contains("'wide' is unknown; known: far, near"));
  model.text_lists["types"] = {"far"};
  CHECK_THAT(build(kWindows, model).refusal(), Catch::Contains("1 are given, 4 layers need one"));
  model.text_lists.clear();
  model.numbers["types"] = 0;
  CHECK_THAT(build(kWindows, model).refusal(), Catch::Contains("the period is 0, expected a whole number from 1"));
  model.numbers.clear();
  model.texts["types"] = "far";
  CHECK_THAT(build(kWindows, model).refusal(), Catch::Contains("a text, expected a text or a number for each layer"));
}

TEST_CASE("a tensor that no step takes is refused, unless the recipe leaves it out") {
  FakeContents model = contents();
  model.tensors.push_back({"2.q.bias", {8}});
  CHECK_THAT(build({}, model).refusal(), Catch::Contains("no step of the recipe takes tensor '2.q.bias'") &&
                                             Catch::Contains("sources.fake.ignore"));
  CHECK(build({.source = "    ignore: [\"*.q.bias\"]\n"}, model).refusal() == "");
  CHECK(build({.source = "    ignore: [\"*x\", \"2.*s\"]\n"}, model).refusal() == "");
  CHECK(build({.source = "    ignore: [\"2.q\", \"q*\", \"*.bia\"]\n"}, model).refusal() != "");
}

TEST_CASE("linear scaling divides the frequencies by its factor") {
  // theta^(-2 i / 8) = 10^-i
  const Built built = build({.params = ", s: \"linear\", s_factor: 4", .rope = ", scaling: s"});
  for (int i = 0; i < 4; ++i) CHECK(rope(built).inverse[static_cast<size_t>(i)] == Approx(std::pow(10.0, -i) / 4));
  CHECK(rope(built).magnitude == 1.0);
}

TEST_CASE("scaling in bands keeps fast pairs, slows slow ones, and mixes those between") {
  // Within 200 pi positions the pairs turn 100, 10, 1 and 0.1 times: above 40 as it is, below 4 slowed by 8, and the
  // second (10 - 4) / (40 - 4) = 1/6 of the way: 0.1 (5/6 / 8 + 1/6).
  const Built built =
      build({.params = ", s: \"bands\", s_factor: 8, s_original_context: 628.3185307179586, s_low: 4, s_high: 40",
             .rope = ", scaling: s"});
  const std::vector<double>& inverse = rope(built).inverse;
  CHECK(inverse[0] == Approx(1));
  CHECK(inverse[1] == Approx(0.1 * (5.0 / 6 / 8 + 1.0 / 6)));
  CHECK(inverse[2] == Approx(0.01 / 8));
  CHECK(inverse[3] == Approx(0.001 / 8));
  CHECK(rope(built).magnitude == 1.0);
}

TEST_CASE("YaRN's ramp goes over the index of the pair, with its ends rounded out or not") {
  // A pair turns 100 / 10^i times within the original context: 32 turns are pair 2 - log10(32) = 0.49485, 1 turn is
  // pair 2. Not truncated, pair 1 is (1 - 0.49485) / (2 - 0.49485) = 0.335615 of the way to being slowed by 8.
  const std::string yarn = ", s: \"yarn\", s_factor: 8, s_original_context: 628.3185307179586";
  const Built exact = build({.params = yarn + ", s_truncate: 0", .rope = ", scaling: s"});
  const auto mixed = [](double frequency, double slowed) { return frequency * (slowed / 8 + 1 - slowed); };
  CHECK(rope(exact).inverse[0] == Approx(1));
  CHECK(rope(exact).inverse[1] == Approx(mixed(0.1, 0.335615)).epsilon(1e-5));
  CHECK(rope(exact).inverse[2] == Approx(0.01 / 8));
  CHECK(rope(exact).inverse[3] == Approx(0.001 / 8));
  CHECK(rope(exact).magnitude == Approx(0.1 * std::log(8.0) + 1));
  // 5 turns are pair 2 - log10(5) = 1.30103: truncated the ramp is from pair 0 to pair 2, and pair 1 half way.
  const Built rounded =
      build({.params = yarn + ", s_beta_slow: 5, s_magnitude: 1.5, s_extra_magnitude: 2", .rope = ", scaling: s"});
  CHECK(rope(rounded).inverse[1] == Approx(mixed(0.1, 0.5)));
  CHECK(rope(rounded).magnitude == Approx(3));
}

TEST_CASE("a scaling that is unknown, or lacks a number, is refused by name") {
  CHECK_THAT(build({.params = ", s: \"longer\"", .rope = ", scaling: s"}).refusal(),
             Catch::Contains("rope scaling of type 'longer' is unknown; known: none, linear, bands, yarn"));
  CHECK_THAT(
      build({.params = ", s: \"yarn\", s_factor: 8, s_original_context: $orig", .rope = ", scaling: s"}).refusal(),
      Catch::Contains("rope scaling 'yarn' needs its original_context") && Catch::Contains("$orig"));
  CHECK_THAT(build({.params = ", s: \"linear\", s_factor: -1", .rope = ", scaling: s"}).refusal(),
             Catch::Contains("the rope scaling's factor is -1, expected more than 0"));
}

TEST_CASE("a number may be the root or the inverse of another, and a choice may go by a text") {
  FakeContents model = contents();
  model.texts["kind"] = "b";
  model.numbers["c"] = 16;
  const auto scale = [&](const std::string& expression) {
    const Built built = build({.params = ", c: $c, s: " + expression, .attention = ", scale: s"}, model);
    if (!built.graph) FAIL(built.graph.error().message);
    const auto op = std::ranges::find(built.graph->ops, "attention", &OpSpec::name);
    return std::get<tenon_attention_params>(op->params).scale;
  };
  CHECK(scale("inverse_c") == 1.0f / 16);
  CHECK(scale("sqrt_c") == 4.0f);
  CHECK(scale("inverse_sqrt_c") == 0.25f);
  CHECK(scale("{by: $kind, a: 2, b: 3}") == 3.0f);
  CHECK(scale("{by: $kind, a: 2, otherwise: 5}") == 5.0f);
}

TEST_CASE("metadata of another value than the recipe expects is refused with both") {
  const Text text{.source = "    expect: {act: silu, clip: none, step: 1, wide: false}\n"};
  FakeContents model = contents();
  model.texts["act"] = "silu";
  model.numbers = {{"clip", 0}, {"step", 1}, {"wide", 0}};
  CHECK(build(text, model).refusal() == "");
  CHECK(build(text).refusal() == "");  // absent
  model.numbers["clip"] = 8;
  CHECK_THAT(build(text, model).refusal(), Catch::Contains("clip is 8, the recipe computes none only"));
  model.numbers["clip"] = 0;
  model.numbers["wide"] = 1;
  CHECK_THAT(build(text, model).refusal(), Catch::Contains("wide is 1, the recipe computes false only"));
  model.numbers.clear();
  model.texts["act"] = "gelu";
  CHECK_THAT(build(text, model).refusal(), Catch::Contains("act is gelu, the recipe computes silu only"));
}

TEST_CASE("a pattern with {expert} is a tensor for each of them, and a missing one is named") {
  FakeContents model = contents();
  for (int i = 0; i < 3; ++i) model.tensors.push_back({"up" + std::to_string(i), {2, 8}});
  const Text text{.params = ", n_experts: 3", .source = "    tensors: {q: \"up{expert}\"}\n    ignore: [\"*.q\"]\n"};
  // Stacked it has three axes, which linear does not take: the shape says that all three were found.
  CHECK_THAT(build(text, model).refusal(), Catch::Contains("tensor 'up0' must be a matrix"));
  model.tensors.pop_back();
  CHECK_THAT(build(text, model).refusal(), Catch::Contains("the model has no tensor 'up2', but one for expert 0 of 3"));
}
