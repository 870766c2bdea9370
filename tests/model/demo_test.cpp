// The demo model against configs/demo/golden.json: a float64 evaluation in numpy (tools/demo/golden.py).
#include <tenon/base/file.hpp>
#include <tenon/engine.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace tenon;

namespace {

const std::string kConfigs = TENON_TEST_BUILD "/share/tenon/configs/";

nlohmann::json golden() { return nlohmann::json::parse(std::ifstream(kConfigs + "demo/golden.json")); }

std::unique_ptr<Engine> load(std::vector<std::string> set, const char* config = "default.yaml",
                             int64_t max_sequences = 1) {
  EngineOptions options;
  options.config = kConfigs + config;
  options.set = std::move(set);
  options.max_sequences = max_sequences;
  auto engine = Engine::load(options);
  if (!engine) FAIL(engine.error().message);
  return std::move(*engine);
}

/// exp of the mean negative log-likelihood over the documents of the held-out text, each from an empty context.
double perplexity(Engine& engine, const std::string& text, int64_t& n_tokens) {
  double nll = 0;
  n_tokens = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find("\n\n", at), text.size());
    std::string document = text.substr(at, end - at);
    at = end + 2;
    while (document.ends_with('\n')) document.pop_back();
    if (document.empty()) continue;
    const auto ids = engine.prompt_tokens({.prompt = document});
    REQUIRE(ids);
    REQUIRE(engine.evaluate(*ids, [&](int64_t position, std::span<const float> logits) {
      const auto next = static_cast<size_t>(position) + 1;
      if (next >= ids->size()) return;
      const double highest = *std::ranges::max_element(logits);
      double sum = 0;
      for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - highest);
      nll += std::log(sum) + highest - static_cast<double>(logits[static_cast<size_t>((*ids)[next])]);
      ++n_tokens;
    }));
  }
  return std::exp(nll / static_cast<double>(n_tokens));
}

}  // namespace

TEST_CASE("the demo model's held-out perplexity is the one of its card") {
  const auto file = golden();
  const auto text = read_text(kConfigs + "demo/heldout.txt", 1 << 20);
  REQUIRE(text);
  const auto engine = load({});
  int64_t n_tokens = 0;
  // The card's figure is of float64; 8-bit activations and f16 keys may move it in the fourth digit.
  CHECK(perplexity(*engine, *text, n_tokens) == Approx(file["perplexity"]["value"].get<double>()).epsilon(5e-4));
  CHECK(n_tokens == file["perplexity"]["tokens"].get<int64_t>());
}

TEST_CASE("in the exact64 class the demo model gives the logits of the float64 evaluation and its greedy text") {
  const auto engine = load({"runtime.kv.dtype=f32"}, "exact64.yaml");
  const nlohmann::json file = golden();  // must outlive the loop
  for (const auto& each : file["cases"]) {
    const auto prompt = each["prompt_ids"].get<std::vector<int32_t>>();
    const auto ids = engine->prompt_tokens({.prompt = each["prompt"].get<std::string>()});
    REQUIRE(ids);
    CHECK(*ids == prompt);
    REQUIRE(engine->evaluate(prompt, [&](int64_t position, std::span<const float> logits) {
      if (position + 1 != static_cast<int64_t>(prompt.size())) return;
      for (const auto& top : each["top5"]) {
        const auto id = (top.is_array() ? top[0] : top["id"]).get<size_t>();
        const double logit = (top.is_array() ? top[1] : top["logit"]).get<double>();
        CHECK(logits[id] == Approx(logit).margin(2e-4));
      }
    }));
    Request request{.tokens = prompt, .max_tokens = 32, .greedy = true, .ignore_eos = true};
    const auto text = engine->generate(request);
    REQUIRE(text);
    CHECK(text->tokens == each["greedy_ids"].get<std::vector<int32_t>>());
  }
}

TEST_CASE("a stop string, the number of tokens, the context and a refusal each end a text and say so") {
  const auto engine = load({"runtime.context=64"});
  const Request plain{.prompt = "The little cat", .max_tokens = 12, .greedy = true};
  const auto whole = engine->generate(plain);
  REQUIRE(whole);
  CHECK(whole->finish == Finish::max_tokens);
  CHECK(whole->tokens.size() == 12);
  Request stopped = plain;
  stopped.stop = {whole->text.substr(5, 4)};
  const auto cut = engine->generate(stopped);
  REQUIRE(cut);
  CHECK(cut->finish == Finish::stop_string);
  CHECK(cut->text == whole->text.substr(0, whole->text.find(stopped.stop[0])));
  const auto full = engine->generate({.prompt = "The little cat", .greedy = true, .ignore_eos = true});
  REQUIRE(full);
  CHECK(full->finish == Finish::context_full);
  CHECK(full->prompt_tokens.size() + full->tokens.size() == 64);
  const auto refused = engine->generate(plain, [](size_t, std::string_view) { return false; });
  REQUIRE(refused);
  CHECK(refused->finish == Finish::interrupted);
}

TEST_CASE("a prompt longer than the context is refused with both counts") {
  const auto engine = load({"runtime.context=16"});
  std::string prompt;
  for (int i = 0; i < 40; ++i) prompt += " cat";
  const auto refused = engine->generate({.prompt = prompt});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.starts_with("context_length_exceeded: the prompt has 41 tokens, the context 16"));
}
