// Values from the definitions, worked out by hand; the cases are known traps of samplers.
#include <tenon/config/options.hpp>
#include <tenon/noise.hpp>
#include <tenon/registry/registry.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <set>

using namespace tenon;

namespace {

const Registry& registry() {
  static const Registry loaded = [] {
    PluginUse use;
    use.use = TENON_TEST_PLUGINS "/processors.so";
    auto opened = Registry::open({{}, {use}, true}, silent_log());
    REQUIRE(opened);
    return std::move(*opened);
  }();
  return loaded;
}

/// One step of sampling over a small vocabulary.
struct Step {
  explicit Step(std::vector<float> values)
      : logits(std::move(values)), ids(logits.size()), short_values(logits.size()) {
    c.size = sizeof c;
    c.vocab_size = static_cast<int32_t>(logits.size());
    c.logits = logits.data();
    c.ids = ids.data();
    c.values = short_values.data();
    c.n_candidates = -1;
  }

  std::vector<float> logits;
  std::vector<int32_t> ids;
  std::vector<float> short_values;
  tenon_candidates c{};
};

std::vector<float> logs(std::vector<double> probabilities) {
  std::vector<float> logits;
  for (const double p : probabilities) logits.push_back(static_cast<float>(std::log(p)));
  return logits;
}

/// Runs one processor with options in YAML; a choice gives its id, a filter 0.
Result<int32_t> run(const std::string& name, const std::string& options, Step& step) {
  for (const auto& offer : registry().processors()) {
    if (name != offer.info->name) continue;
    const Yaml yaml = *parse_yaml(options, "test");
    auto values = check_options({offer.info->option_specs, offer.info->n_option_specs}, yaml, name);
    if (!values) return values.error();
    const tenon_options view_of_values = values->view();
    void* processor = nullptr;
    tenon_status status = empty_status();
    tenon_code code =
        offer.api->create(offer.api->self, offer.index, &view_of_values, step.c.vocab_size, &processor, &status);
    if (code != TENON_OK) return from_status(code, status).error();
    int32_t id = 0;
    code = offer.info->role == TENON_PROCESSOR_CHOICE ? offer.api->choose(processor, &step.c, &id, &status)
                                                      : offer.api->apply(processor, &step.c, &status);
    offer.api->destroy(processor);
    if (code != TENON_OK) return from_status(code, status).error();
    return id;
  }
  return invalid("no processor " + name);
}

std::vector<int32_t> kept(const Step& step) { return {step.ids.begin(), step.ids.begin() + step.c.n_candidates}; }

}  // namespace

TEST_CASE("top_p keeps the token that crosses p") {
  for (const auto& [p, ids] :
       std::map<std::string, std::vector<int32_t>>{{"0.7", {3, 2}}, {"0.8", {3, 2, 1}}, {"0", {3}}}) {
    Step step(logs({.1, .2, .3, .4}));
    REQUIRE(run("top_p", p, step));
    CHECK(kept(step) == ids);
  }
  Step half(logs({.5, .25, .125, .125}));
  REQUIRE(run("top_p", "0.5", half));
  CHECK(half.c.n_candidates == 1);
  Step three_quarters(logs({.5, .25, .125, .125}));
  REQUIRE(run("top_p", "0.75", three_quarters));
  CHECK(three_quarters.c.n_candidates == 2);
}

TEST_CASE("top_p over a large flat vocabulary keeps exactly its share") {
  Step step(std::vector<float>(151936, 1.5f));
  REQUIRE(run("top_p", "0.9", step));
  CHECK(step.c.n_candidates == 136743);  // ceil(0.9 * 151936)
}

TEST_CASE("top_k keeps all that equal the k-th, or exactly k with the lowest ids") {
  Step keep(std::vector<float>(4, 0.0f));
  REQUIRE(run("top_k", "2", keep));
  CHECK(keep.c.n_candidates == 4);
  Step exact(std::vector<float>(4, 0.0f));
  REQUIRE(run("top_k", "{k: 2, ties: exact}", exact));
  CHECK(kept(exact) == std::vector<int32_t>{0, 1});
  Step off({1, 2, 3});
  REQUIRE(run("top_k", "0", off));
  CHECK(off.c.n_candidates == -1);
  Step more({1, 3, 2});
  REQUIRE(run("top_k", "99", more));
  CHECK(kept(more) == std::vector<int32_t>{1, 2, 0});
}

TEST_CASE("min_p keeps what is at least that share of the best") {
  Step step(logs({.1, .2, .3, .4}));
  REQUIRE(run("min_p", "0.51", step));
  CHECK(kept(step) == std::vector<int32_t>{3, 2});
  Step powers(logs({.5, .25, .125, .125}));
  REQUIRE(run("min_p", "0.25", powers));
  CHECK(powers.c.n_candidates == 4);  // .125 / .5 is exactly .25
}

TEST_CASE("a tiny temperature is finite and zero takes the most probable token") {
  for (const char* t : {"1e-12", "1e-5", "0"}) {
    Step step({3, 5, 4});
    REQUIRE(run("temperature", t, step));
    const auto id = run("greedy", "null", step);
    REQUIRE(id);
    CHECK(*id == 1);
    if (step.c.n_candidates < 0) CHECK(step.logits[1] == 0.0f);
  }
}

TEST_CASE("repetition divides positive logits and multiplies negative ones, once a token") {
  Step step({2, -2, 1});
  const std::vector<int32_t> prompt{0, 0}, generated{1, 1, 0};
  step.c.prompt = prompt.data();
  step.c.n_prompt = 2;
  step.c.generated = generated.data();
  step.c.n_generated = 3;
  REQUIRE(run("repetition", "1.5", step));
  CHECK(step.logits[0] == Approx(4.0 / 3));
  CHECK(step.logits[1] == Approx(-3.0));
  CHECK(step.logits[2] == 1.0f);
  REQUIRE(run("frequency", "0.25", step));
  CHECK(step.logits[1] == Approx(-3.5));
  REQUIRE(run("presence", "1", step));
  CHECK(step.logits[0] == Approx(4.0 / 3 - 0.25 - 1));
}

TEST_CASE("no token left is an error, +inf wins, and greedy takes the lowest id among equals") {
  Step masked(std::vector<float>(3, -INFINITY));
  for (const char* name : {"temperature", "top_k", "top_p", "min_p", "greedy", "sample", "categorical"}) {
    const auto result = run(name, "null", masked);
    REQUIRE_FALSE(result);
    CHECK(result.error().code == TENON_INVALID);
    masked.c.n_candidates = -1;
  }
  for (const char* name : {"greedy", "sample", "categorical"}) {
    Step infinite({1, INFINITY, 2});
    CHECK(*run(name, "null", infinite) == 1);
  }
  Step equal({1, 7, 7});
  CHECK(*run("greedy", "null", equal) == 1);
}

TEST_CASE("categorical never gives a masked id, whatever the rounding") {
  Step step(std::vector<float>(151936, 0.0f));
  step.logits.back() = -INFINITY;
  CHECK(*run("categorical", "0.99999999", step) != 151935);
  Step two(logs({.25, .75}));
  CHECK(*run("categorical", "0.2", two) == 0);
  CHECK(*run("categorical", "0.3", two) == 1);
}

TEST_CASE("sample depends on the key and the ids alone, not on the form or order of the candidates") {
  const std::vector<float> logits = logs({.1, .2, .3, .4});
  for (uint64_t position = 0; position < 50; ++position) {
    Step dense(logits), sparse(logits);
    dense.c.position = sparse.c.position = position;
    REQUIRE(run("top_k", "4", sparse));
    CHECK(*run("sample", "null", dense) == *run("sample", "null", sparse));
  }
}

TEST_CASE("sample draws in proportion to the probabilities") {
  std::map<int32_t, int> counts;
  const std::vector<float> logits = logs({.1, .2, .3, .4});
  constexpr int kDraws = 4000;
  for (int i = 0; i < kDraws; ++i) {
    Step step(logits);
    step.c.seed = 7;
    step.c.position = static_cast<uint64_t>(i);
    ++counts[*run("sample", "null", step)];
  }
  // Four standard deviations of a binomial share of .4: 4 sqrt(.4 .6 / 4000) = .031.
  for (int32_t id = 0; id < 4; ++id) CHECK(counts[id] == Approx(kDraws * .1 * (id + 1)).margin(kDraws * .031));
}

TEST_CASE("logit_bias adds to the ids it names, before and after truncation alike") {
  Step dense({2, 1, 0.5f, -1});
  REQUIRE(run("logit_bias", "{1: 1.25, 3: -2}", dense));
  CHECK(dense.logits == std::vector<float>{2, 2.25f, 0.5f, -3});
  Step sparse({2, 1, 0.5f, -1});
  REQUIRE(run("top_k", "3", sparse));
  REQUIRE(run("logit_bias", "{biases: {1: 1.25, 3: 90}}", sparse));
  CHECK(kept(sparse) == std::vector<int32_t>{1, 0, 2});  // 3 was dropped and stays so
  CHECK(sparse.short_values[0] == 2.25f);
}

TEST_CASE("logit_bias of -inf bans a token, and a masked token stays masked") {
  Step dense({2, 1, -INFINITY});
  REQUIRE(run("logit_bias", "{0: -inf, 2: 1e30}", dense));
  CHECK(dense.logits == std::vector<float>{-INFINITY, 1, -INFINITY});
  Step sparse({2, 1, 0});
  REQUIRE(run("top_k", "3", sparse));
  REQUIRE(run("logit_bias", "{0: -.inf}", sparse));
  CHECK(kept(sparse) == std::vector<int32_t>{1, 2});
  Step all({2, 1});
  const auto none = run("logit_bias", "{0: -inf, 1: -inf}", all);
  REQUIRE_FALSE(none);
  CHECK(none.error().message == "no token is left to choose from: all are masked");
}

TEST_CASE("logit_bias without biases changes nothing") {
  for (const char* options : {"null", "{}", "{biases: {}}"}) {
    Step step({2, 1});
    REQUIRE(run("logit_bias", options, step));
    CHECK(step.logits == std::vector<float>{2, 1});
    CHECK(step.c.n_candidates == -1);
  }
}

TEST_CASE("logit_bias refuses NaN, +inf, ids that are none and ids outside the vocabulary") {
  const auto refusal = [](const char* options) {
    Step step({2, 1});
    const auto result = run("logit_bias", options, step);
    return result ? std::string() : result.error().message;
  };
  for (const char* options : {"{0: nan}", "{0: .nan}", "{0: inf}", "{0: 1e39}", "{0: high}", "{0: }", "{-1: 1}",
                              "{x: 1}", "{0.5: 1}", "3", "[1]", "{2: 1}"}) {
    INFO(options);
    CHECK_FALSE(refusal(options).empty());
  }
  CHECK(refusal("{2: 1}") == "token id 2, but the vocabulary has ids 0 to 1");
  CHECK(refusal("{0: 1, 00: 2}") == "token id 0 has two biases");
  CHECK_THAT(refusal("{x: 1}"), Catch::Contains("logit_bias has the key 'x', expected a whole number from 0 on"));
  CHECK_THAT(refusal("{0: nan}"), Catch::Contains("logit_bias.0"));
}

TEST_CASE("penalties take candidates of the short form and sort them again") {
  // By hand: 3, 2.5, 2, 1 for ids 2, 0, 3, 1; id 2 was written twice, id 3 once, id 1 stands in the prompt.
  const std::vector<int32_t> prompt{1}, generated{2, 3, 2};
  const auto step_of = [&] {
    Step step({2.5f, 1, 3, 2});
    step.c.prompt = prompt.data();
    step.c.n_prompt = 1;
    step.c.generated = generated.data();
    step.c.n_generated = 3;
    REQUIRE(run("top_k", "4", step));
    return step;
  };
  const auto check = [&](const char* name, const char* options, std::vector<int32_t> ids, std::vector<float> values) {
    Step step = step_of();
    step.c.ids = step.ids.data();
    step.c.values = step.short_values.data();
    step.c.logits = step.logits.data();
    REQUIRE(run(name, options, step));
    INFO(name);
    CHECK(kept(step) == ids);
    for (size_t i = 0; i < values.size(); ++i) CHECK(step.short_values[i] == Approx(values[i]));
  };
  check("repetition", "2", {0, 2, 3, 1}, {2.5f, 1.5f, 1, 0.5f});
  check("frequency", "0.75", {0, 2, 3, 1}, {2.5f, 1.5f, 1.25f, 1});
  check("presence", "0.75", {0, 2, 3, 1}, {2.5f, 2.25f, 1.25f, 1});
}

TEST_CASE("a penalty behind top_k gives the kept tokens the values that it gives before it") {
  const std::vector<float> logits{1.5f, 4, 3.5f, -2, 0.25f};
  const std::vector<int32_t> generated{1, 3, 1, 4};
  for (const char* name : {"repetition", "frequency", "presence"}) {
    Step before(logits), after(logits);
    for (Step* step : {&before, &after}) {
      step->c.generated = generated.data();
      step->c.n_generated = 4;
    }
    REQUIRE(run(name, "1.5", before));
    REQUIRE(run("top_k", "5", before));
    REQUIRE(run("top_k", "5", after));
    REQUIRE(run(name, "1.5", after));
    CHECK(kept(before) == kept(after));
    CHECK(before.short_values == after.short_values);
  }
}
