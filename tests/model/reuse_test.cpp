// Keys and values kept from one call to the next, and requests that come while others run: no text may change.
#include <tenon/engine.hpp>
#include <tenon/model/plan.hpp>
#include <tenon/model/source.hpp>

#include <catch2/catch.hpp>

#include <deque>

using namespace tenon;

namespace {

std::unique_ptr<Engine> load(std::vector<std::string> set, int64_t max_sequences = 1) {
  EngineOptions options;
  options.config = TENON_TEST_BUILD "/share/tenon/configs/default.yaml";
  options.set = std::move(set);
  options.max_sequences = max_sequences;
  auto engine = Engine::load(options);
  if (!engine) FAIL(engine.error().message);
  return std::move(*engine);
}

Request turn(std::vector<int32_t> tokens) {
  return {.tokens = std::move(tokens), .max_tokens = 20, .ignore_eos = true, .seed = 5, .keep = true};
}

std::vector<int32_t> ids_of(const Engine& engine, const std::string& text) {
  auto ids = engine.prompt_tokens({.prompt = text});
  REQUIRE(ids);
  return *ids;
}

/// The prompt of the next turn: the last one, its answer, and something new.
std::vector<int32_t> continued(const Generation& last, const std::vector<int32_t>& more) {
  std::vector<int32_t> tokens = last.prompt_tokens;
  tokens.insert(tokens.end(), last.tokens.begin(), last.tokens.end());
  tokens.insert(tokens.end(), more.begin() + 1, more.end());  // without bos
  return tokens;
}

}  // namespace

TEST_CASE("a turn that continues a kept text computes only what is new and writes what a fresh run writes") {
  for (const char* kv : {"f16", "f32", "q8_0"}) {
    for (const char* page : {"8", "64"}) {
      const std::vector<std::string> set{std::string("runtime.kv.dtype=") + kv, std::string("runtime.kv.page=") + page,
                                         "runtime.prefill_chunk=16"};
      const auto engine = load(set), fresh = load(set);
      std::vector<int32_t> prompt = ids_of(*engine, "Once there was a little cat who");
      int64_t n_before = 0;
      for (int i = 0; i < 4; ++i) {
        const auto reused = engine->generate(turn(prompt));
        const auto computed = fresh->generate({.tokens = prompt, .max_tokens = 20, .ignore_eos = true, .seed = 5});
        REQUIRE(reused);
        REQUIRE(computed);
        CHECK(reused->tokens == computed->tokens);
        CHECK(computed->n_reused == 0);
        // All but the token drawn last, whose keys nothing has asked for yet.
        CHECK(reused->n_reused == (i == 0 ? 0 : n_before - 1));
        n_before = static_cast<int64_t>(prompt.size() + reused->tokens.size());
        prompt = continued(*reused, ids_of(*engine, " Then a dog came."));
      }
    }
  }
}

TEST_CASE("a kept text serves a prompt that parts from it midway, one that is its start, and one that is another") {
  const auto engine = load({}), fresh = load({});
  const auto whole = ids_of(*engine, "Once there was a little cat who had a red ball and a blue ball");
  std::vector<int32_t> parted(whole.begin(), whole.begin() + 9);
  parted.push_back(whole[2]);
  const std::vector<int32_t> start(whole.begin(), whole.begin() + 7);
  const auto other = ids_of(*engine, "Anna saw a dog");
  struct Case {
    const std::vector<int32_t>& prompt;
    int64_t n_reused;
  };
  for (const Case& each :
       {Case{parted, 9}, Case{start, 6}, Case{other, 1}, Case{whole, static_cast<int64_t>(whole.size()) - 1}}) {
    if (&each.prompt != &other) REQUIRE(engine->generate(turn(whole)));
    const auto reused = engine->generate(turn(each.prompt));
    const auto computed = fresh->generate({.tokens = each.prompt, .max_tokens = 20, .ignore_eos = true, .seed = 5});
    REQUIRE(reused);
    CHECK(reused->n_reused == each.n_reused);
    CHECK(reused->tokens == computed->tokens);
  }
}

TEST_CASE("a text that was cut short is kept as far as it was computed") {
  const auto engine = load({}), fresh = load({});
  const auto prompt = ids_of(*engine, "The little cat");
  Request first = turn(prompt);
  int n_texts = 0;
  const auto cut = engine->generate(first, [&](size_t, std::string_view) {
    if (++n_texts == 5) engine->cancel();
    return true;
  });
  REQUIRE(cut);
  CHECK(cut->finish == Finish::interrupted);
  const auto next = continued(*cut, ids_of(*engine, " It was big."));
  const auto reused = engine->generate(turn(next));
  const auto computed = fresh->generate({.tokens = next, .max_tokens = 20, .ignore_eos = true, .seed = 5});
  REQUIRE(reused);
  CHECK(reused->n_reused == static_cast<int64_t>(prompt.size() + cut->tokens.size()) - 1);
  CHECK(reused->tokens == computed->tokens);
}

TEST_CASE("a kept text takes no page from requests that do not continue it, nor from evaluate") {
  const auto engine = load({"runtime.context=64"}, 2);
  const auto prompt = ids_of(*engine, "The little cat");
  const Request filling{.tokens = prompt, .ignore_eos = true, .seed = 1, .keep = true};
  REQUIRE(engine->generate(filling)->finish == Finish::context_full);
  const std::vector<Request> two{{.prompt = "Anna", .ignore_eos = true}, {.prompt = "A dog", .ignore_eos = true}};
  for (int i = 0; i < 3; ++i) {
    REQUIRE(engine->generate(filling));
    const auto both = engine->generate_all(two);
    REQUIRE(both);
    CHECK((*both)[1].finish == Finish::context_full);
    REQUIRE(engine->generate(filling));
    CHECK(engine->evaluate(std::vector<int32_t>(64, prompt[1]), [](int64_t, std::span<const float>) {}));
  }
}

TEST_CASE("requests of a stream are taken as sequences become free, and a refused one does not end the others") {
  const auto engine = load({"runtime.context=64"}, 2), alone = load({"runtime.context=64"});
  std::string long_prompt;
  for (int i = 0; i < 70; ++i) long_prompt += " cat";
  std::deque<Request> waiting;
  for (int i = 0; i < 5; ++i) {
    waiting.push_back({.prompt = i == 2 ? long_prompt : "The little cat", .max_tokens = 4 + 6 * i, .ignore_eos = true});
    waiting.back().seed = static_cast<uint64_t>(i);
  }
  const std::deque<Request> all = waiting;
  std::vector<size_t> order;
  const auto next = [&]() -> std::optional<Request> {
    if (waiting.empty()) return std::nullopt;
    Request request = waiting.front();
    waiting.pop_front();
    return request;
  };
  REQUIRE(engine->generate_stream(next, [&](size_t index, Result<Generation> outcome) {
    order.push_back(index);
    CHECK(static_cast<bool>(outcome) == (index != 2));
    if (outcome) CHECK(outcome->text == alone->generate(all[index])->text);
    return true;
  }));
  // 0 ends at step 4; 2 is refused at once and 3 takes its place; 1 ends after 10 steps, 3 after 4 + 22, 4 after 10
  // + 28.
  CHECK(order == std::vector<size_t>{0, 2, 1, 3, 4});
}

TEST_CASE("on_done ends a stream, and what runs then is reported as interrupted") {
  const auto engine = load({}, 2);
  int n_given = 0;
  std::vector<Finish> finishes;
  REQUIRE(engine->generate_stream(
      [&]() -> std::optional<Request> {
        ++n_given;
        return Request{.prompt = "The little cat", .max_tokens = n_given * 5, .ignore_eos = true};
      },
      [&](size_t, Result<Generation> outcome) {
        finishes.push_back(outcome->finish);
        return false;
      }));
  CHECK(finishes == std::vector<Finish>{Finish::max_tokens, Finish::interrupted});
  CHECK(n_given == 2);
}

TEST_CASE("an engine runs on fewer threads than it was loaded with, and on no more") {
  const auto engine = load({"runtime.threads=3"});
  const Request request{.prompt = "The little cat", .max_tokens = 12, .seed = 3};
  const std::string text = engine->generate(request)->text;
  for (const uint32_t n : {1u, 2u, 3u}) {
    REQUIRE(engine->set_threads(n));
    CHECK(engine->n_threads() == n);
    CHECK(engine->generate(request)->text == text);
  }
  CHECK(engine->set_threads(4).error().message ==
        "4 threads, expected from 1 to 3: the engine was loaded with so many");
  CHECK_FALSE(engine->set_threads(0));
}

TEST_CASE("a token of the demo model reads two of eight experts and one row of the embeddings") {
  const auto engine = load({"backends.order=[reference]"});
  // The reference backend keeps weights as in the file. Their bytes by `tenon inspect`: of each of 4 layers attention
  // and router whole and 2/8 of the experts; the output matrix, which is the embeddings'; one row of these.
  uint64_t whole = 0, experts = 0;
  for (const auto& tensor : engine->model().tensors()) {
    (tensor.name.find("_exps") != std::string::npos ? experts : whole) += tensor.bytes;
  }
  const uint64_t embedding_row = 128 / 32 * 34;
  CHECK(engine->plan().decode_bytes() == whole + experts / 4 + embedding_row);
}
