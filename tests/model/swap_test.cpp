// One model, several backends and ways to run: which texts must be equal byte for byte, and which nearly always.
#include <tenon/base/file.hpp>
#include <tenon/engine.hpp>
#include <tenon/model/plan.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>

using namespace tenon;

namespace {

const std::string kConfigs = TENON_TEST_BUILD "/share/tenon/configs/";

bool is_built(const std::string& plugin) {
  return std::filesystem::exists(std::string(TENON_TEST_PLUGINS) + "/" + plugin + ".so");
}

std::unique_ptr<Engine> load(const std::string& config, std::vector<std::string> set, int64_t max_sequences = 1) {
  EngineOptions options;
  options.config = kConfigs + config;
  options.set = std::move(set);
  options.max_sequences = max_sequences;
  auto engine = Engine::load(options);
  if (!engine) FAIL(engine.error().message);
  return std::move(*engine);
}

std::string heldout() {
  const auto text = read_text(kConfigs + "demo/heldout.txt", 1 << 20);
  REQUIRE(text);
  return *text;
}

/// Prompts of a few tokens and of more than a hundred.
std::vector<Request> some_requests() {
  const std::string text = heldout();
  std::vector<Request> requests;
  for (const std::string& prompt :
       {std::string("The little cat"), text.substr(0, 420), std::string("Anna had a red ball and")}) {
    Request request;
    request.prompt = prompt;
    request.max_tokens = 24;
    request.seed = requests.size() + 1;
    requests.push_back(request);
  }
  return requests;
}

std::vector<std::string> texts(Engine& engine, const std::vector<Request>& requests) {
  const auto done = engine.generate_all(requests);
  if (!done) FAIL(done.error().message);
  std::vector<std::string> all;
  for (const Generation& each : *done) all.push_back(each.text);
  return all;
}

/// The most probable token after each of the first n of the held-out text, in windows of a few documents.
std::vector<size_t> top_tokens(Engine& engine, int64_t n) {
  constexpr size_t kWindow = 200;
  const auto ids = engine.prompt_tokens({.prompt = heldout()});
  REQUIRE(ids);
  std::vector<size_t> tops;
  for (size_t at = 0; static_cast<int64_t>(tops.size()) < n; at += kWindow) {
    const auto window = std::span(*ids).subspan(at, kWindow);
    REQUIRE(engine.evaluate(window, [&](int64_t, std::span<const float> logits) {
      tops.push_back(static_cast<size_t>(std::ranges::max_element(logits) - logits.begin()));
    }));
  }
  return tops;
}

double agreement(const std::vector<size_t>& a, const std::vector<size_t>& b) {
  size_t same = 0;
  for (size_t i = 0; i < a.size(); ++i) same += a[i] == b[i] ? 1 : 0;
  return static_cast<double>(same) / static_cast<double>(a.size());
}

}  // namespace

TEST_CASE("the text is the same for any threads, prompt chunks, kv pages and batch mates") {
  const std::vector<Request> requests = some_requests();
  std::vector<std::string> alone;
  {
    const auto engine = load("default.yaml", {"runtime.threads=1"});
    for (const Request& request : requests) alone.push_back(texts(*engine, {request})[0]);
  }
  CHECK(alone[0] != alone[1]);
  for (const char* threads : {"1", "2", "3", "5"}) {
    for (const char* chunk : {"1", "7", "64", "512"}) {
      for (const char* page : {"8", "16", "64"}) {
        const auto engine =
            load("default.yaml",
                 {std::string("runtime.threads=") + threads, std::string("runtime.prefill_chunk=") + chunk,
                  std::string("runtime.kv.page=") + page, "runtime.context=256"},
                 3);
        INFO(threads << " threads, chunks of " << chunk << ", pages of " << page);
        CHECK(texts(*engine, requests) == alone);
      }
    }
  }
}

TEST_CASE("avx2 and reference write the same greedy text in the int8 class, and each ran") {
  if (!is_built("avx2")) return;
  std::vector<Request> requests = some_requests();
  for (Request& request : requests) {
    request.greedy = true;
    request.max_tokens = 64;
  }
  const auto fast = load("avx2.yaml", {}, 3), plain = load("reference.yaml", {}, 3);
  CHECK(texts(*fast, requests) == texts(*plain, requests));
  for (const auto& [engine, backend] : {std::pair(fast.get(), "avx2"), std::pair(plain.get(), "reference")}) {
    CHECK(std::ranges::all_of(engine->plan().ops(), [&](const BoundOp& op) { return op.backend == backend; }));
  }
}

TEST_CASE("a preferred backend that is optional or the default's may be missing, another may not") {
  const std::string plain = "plugins=[reference, gguf, bpe, jinja, processors";
  for (const std::string& plugins : {plain + "]", plain + ", {use: ghost, optional: true}]"}) {
    const auto engine = load("default.yaml", {plugins, plugins == plain + "]" ? "backends.order=[avx2, neon, reference]"
                                                                              : "backends.order=[ghost, reference]"});
    CHECK(std::ranges::all_of(engine->plan().ops(), [](const BoundOp& op) { return op.backend == "reference"; }));
  }
  EngineOptions options;
  options.config = kConfigs + "default.yaml";
  options.set = {"backends.order=[ghost, reference]"};
  const auto refused = Engine::load(options);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message.starts_with("CONFIG_UNKNOWN_BACKEND: backends.order names 'ghost'"));
}

TEST_CASE("against exact64 and onednn the most probable token is the same in 99 of 100 places") {
  if (!is_built("avx2")) return;
  constexpr int64_t kPlaces = 1000;
  const auto tops = top_tokens(*load("avx2.yaml", {}), kPlaces);
  CHECK(agreement(tops, top_tokens(*load("exact64.yaml", {}), kPlaces)) >= 0.99);
  if (!is_built("onednn")) return;
  const auto engine = load("onednn.yaml", {});
  CHECK(agreement(tops, top_tokens(*engine, kPlaces)) >= 0.99);
  CHECK(std::ranges::count(engine->plan().ops(), "onednn", &BoundOp::backend) > 4);
}

TEST_CASE(
    "onednn multiplies the same numbers whether expanded weights are kept, kept in part or expanded in each call") {
  if (!is_built("onednn")) return;
  std::vector<Request> requests = some_requests();
  const auto kept = load("onednn.yaml", {"model.dense_cache_mb=512"}),
             none = load("onednn.yaml", {"model.dense_cache_mb=0"}),
             some = load("onednn.yaml", {"model.dense_cache_mb=2"});
  CHECK(kept->plan().memory().dense > some->plan().memory().dense);
  CHECK(some->plan().memory().dense > 0);
  CHECK(none->plan().memory().dense == 0);
  for (const Request& request : requests) {
    const auto want = texts(*kept, {request});
    CHECK(texts(*none, {request}) == want);
    CHECK(texts(*some, {request}) == want);
  }
}
