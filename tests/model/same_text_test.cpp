// What every family promises, experts, windows and sinks included: the same bits whatever the threads, chunks of the
// prompt, pages of the cache and batch mates, and whatever was kept from the call before.
#include "golden.hpp"

#include <catch2/catch.hpp>

using namespace tenon;
using namespace tenon::test;

namespace {

// f16 weights and block formats (mxfp4; q8_0, q4_0, q5_1), all with experts but the last.
constexpr const char* kFamilies[] = {"mixtral", "qwen3moe",      "qwen2moe",    "olmoe", "granitemoe",
                                     "gpt-oss", "gpt-oss-mxfp4", "qwen3moe-q4", "gemma3"};

std::unique_ptr<Engine> load(const std::string& family, std::vector<std::string> set, int64_t max_sequences = 1) {
  EngineOptions options;
  options.config = TENON_TEST_BUILD "/share/tenon/configs/default.yaml";
  options.model = TENON_TEST_SOURCE "/tests/data/random/" + family + ".gguf";
  options.set = std::move(set);
  options.set.push_back("runtime.context=256");
  options.max_sequences = max_sequences;
  auto engine = Engine::load(options);
  if (!engine) FAIL(engine.error().message);
  return std::move(*engine);
}

std::vector<int32_t> tokens_of(const std::string& family, size_t first, size_t n) {
  const Golden golden = read_golden("random/" + family + ".golden.bin");
  const auto part = std::span(golden.tokens).subspan(first, n);
  return {part.begin(), part.end()};
}

std::vector<float> logits_of(Engine& engine, std::span<const int32_t> tokens) {
  std::vector<float> all;
  const auto done = engine.evaluate(
      tokens, [&](int64_t, std::span<const float> logits) { all.insert(all.end(), logits.begin(), logits.end()); });
  if (!done) FAIL(done.error().message);
  return all;
}

Request sampled(std::vector<int32_t> tokens, uint64_t seed, bool keep = false) {
  return {.tokens = std::move(tokens), .max_tokens = 24, .ignore_eos = true, .seed = seed, .keep = keep};
}

}  // namespace

TEST_CASE("logits have the same bits for any number of threads, any chunks and any pages") {
  for (const std::string family : kFamilies) {
    const std::vector<int32_t> tokens = tokens_of(family, 0, 150);
    const auto plain = load(family, {"runtime.threads=1"});
    const std::vector<float> expected = logits_of(*plain, tokens);
    for (const char* setting :
         {"runtime.threads=2", "runtime.threads=5", "runtime.prefill_chunk=1", "runtime.prefill_chunk=7",
          "runtime.prefill_chunk=64", "runtime.kv.page=8", "runtime.kv.page=256"}) {
      INFO(family << " with " << setting);
      const auto engine = load(family, {setting});
      const bool same = logits_of(*engine, tokens) == expected;
      CHECK(same);
    }
  }
}

TEST_CASE("a text is the same alone and among others that come and go") {
  for (const std::string family : kFamilies) {
    INFO(family);
    std::vector<Request> requests;
    for (size_t i = 0; i < 5; ++i) requests.push_back(sampled(tokens_of(family, 40 * i, 3 + 11 * i), 5 + i));
    for (size_t i = 0; i < 5; ++i) requests[i].max_tokens = static_cast<int64_t>(8 + 5 * i);
    const auto alone = load(family, {"runtime.threads=1"});
    const auto batch = load(family, {"runtime.threads=2", "runtime.prefill_chunk=16", "runtime.kv.page=8"}, 3);
    const auto together = batch->generate_all(requests);
    REQUIRE(together);
    for (size_t i = 0; i < requests.size(); ++i) {
      const auto single = alone->generate(requests[i]);
      REQUIRE(single);
      CHECK((*together)[i].tokens == single->tokens);
    }
  }
}

TEST_CASE(
    "a prompt that starts like a running one shares its pages, computes the rest, and writes what it would alone") {
  for (const std::string family : kFamilies) {
    INFO(family);
    const std::vector<int32_t> start = tokens_of(family, 0, 45);
    const auto prompt = [&](size_t n, size_t more_from) {
      std::vector<int32_t> tokens(start.begin(), start.begin() + static_cast<std::ptrdiff_t>(n));
      const std::vector<int32_t> more = tokens_of(family, more_from, 5);
      tokens.insert(tokens.end(), more.begin(), more.end());
      return tokens;
    };
    // The first runs on while the others come and go in the second place.
    std::vector<Request> requests{sampled(prompt(45, 200), 1), sampled(tokens_of(family, 300, 2), 2),
                                  sampled(prompt(45, 210), 3), sampled(prompt(30, 220), 4),
                                  sampled(prompt(45, 200), 1)};
    requests[0].max_tokens = 60;
    for (size_t i = 1; i < requests.size(); ++i) requests[i].max_tokens = 8;
    const auto alone = load(family, {});
    const auto batch = load(family, {"runtime.kv.page=8"}, 2);
    for (int again = 0; again < 2; ++again) {  // the second time no page may be missing
      const auto together = batch->generate_all(requests);
      REQUIRE(together);
      const std::vector<int64_t> n_reused{0, 0, 45, 30, 49};
      for (size_t i = 0; i < requests.size(); ++i) {
        CHECK((*together)[i].n_reused == n_reused[i]);
        CHECK((*together)[i].tokens == alone->generate(requests[i])->tokens);
      }
    }
    const Request filling{.tokens = start, .ignore_eos = true, .seed = 1};
    const std::vector<Request> two{filling, filling};
    const auto full = batch->generate_all(two);
    REQUIRE(full);
    for (const Generation& each : *full) CHECK(each.finish == Finish::context_full);
  }
}

TEST_CASE("of a prompt that is half computed only that half is shared") {
  for (const std::string family : kFamilies) {
    INFO(family);
    const std::vector<int32_t> prompt = tokens_of(family, 0, 45);
    // Steps of 16 rows: 2 of the first and 14 of the second, which then is the first's successor's mate.
    std::vector<Request> requests{sampled(tokens_of(family, 300, 2), 1), sampled(prompt, 2), sampled(prompt, 3)};
    requests[0].max_tokens = 1;
    const auto alone = load(family, {}), batch = load(family, {"runtime.prefill_chunk=16"}, 2);
    const auto together = batch->generate_all(requests);
    REQUIRE(together);
    CHECK((*together)[2].n_reused == 14);
    for (size_t i = 0; i < requests.size(); ++i) {
      CHECK((*together)[i].tokens == alone->generate(requests[i])->tokens);
    }
  }
}

TEST_CASE("a text that continues a kept one, past the window too, is the text of a fresh run") {
  for (const std::string family : kFamilies) {
    INFO(family);
    const auto engine = load(family, {"runtime.kv.page=8"}), fresh = load(family, {});
    std::vector<int32_t> prompt = tokens_of(family, 0, 40);
    for (int turn = 0; turn < 3; ++turn) {
      const auto reused = engine->generate(sampled(prompt, 7, true));
      const auto computed = fresh->generate(sampled(prompt, 7));
      REQUIRE(reused);
      REQUIRE(computed);
      CHECK(reused->tokens == computed->tokens);
      if (turn > 0) CHECK(reused->n_reused >= 40);
      prompt.insert(prompt.end(), reused->tokens.begin(), reused->tokens.end());
      const std::vector<int32_t> more = tokens_of(family, 100 + 10 * static_cast<size_t>(turn), 9);
      prompt.insert(prompt.end(), more.begin(), more.end());
    }
  }
}
