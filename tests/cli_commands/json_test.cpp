// --json: one document on stdout, with the keys that tools/tenon/README.md lists.
#include "tenon_process.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <set>

using nlohmann::json;

namespace {

json document_of(std::vector<std::string> arguments) {
  arguments.push_back("--json");
  const Outcome outcome = run_tenon(arguments);
  INFO(outcome.err);
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 1);
  return json::parse(outcome.out);
}

std::set<std::string> keys_of(const json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

using Keys = std::set<std::string>;

}  // namespace

TEST_CASE("run --json") {
  const json run = document_of({"run", "-p", "The little cat", "-n", "5", "--greedy"});
  CHECK(keys_of(run) ==
        Keys{"text", "tokens", "prompt_tokens", "finish", "seed", "nan_logits", "prefill_seconds", "decode_seconds"});
  CHECK(run["tokens"].size() == 5);
}

TEST_CASE("explain --json") {
  const json explain = document_of({"explain"});
  CHECK(keys_of(explain) == Keys{"ops", "sampling", "plugins"});
  CHECK(keys_of(explain["ops"][0]) == Keys{"op", "of", "layer", "backend", "kernel", "class", "weights", "pinned",
                                           "reads_shared_pack", "candidates"});
  CHECK(keys_of(explain["ops"][0]["candidates"][0]) == Keys{"backend", "supported", "chosen", "reason"});
}

TEST_CASE("plan --json") {
  CHECK(keys_of(document_of({"plan"})) == Keys{"program", "weights", "dense_cache", "kv_cache", "activations",
                                               "workspace", "loading", "total", "available"});
}

TEST_CASE("inspect --json has metadata whole and every tensor") {
  const json model = document_of({"inspect"});
  CHECK(keys_of(model) == Keys{"path", "format", "metadata", "tensors"});
  CHECK(model["metadata"]["tokenizer.ggml.tokens"].size() == 1024);
  CHECK(model["metadata"]["qwen3moe.block_count"] == 4);
  CHECK(model["tensors"][0] ==
        json{{"name", "token_embd.weight"}, {"dtype", "q8_0"}, {"shape", {1024, 128}}, {"bytes", 139264}});
}

TEST_CASE("tokenize --json, of ids alone and back") {
  const json pieces = document_of({"tokenize", "The little"});
  CHECK(keys_of(pieces) == Keys{"tokens"});
  CHECK(keys_of(pieces["tokens"][0]) == Keys{"id", "text"});
  const json ids = document_of({"tokenize", "--ids", "The little"});
  CHECK(keys_of(ids) == Keys{"ids"});
  std::string list;
  for (const json& id : ids["ids"]) list += id.dump() + " ";
  CHECK(document_of({"tokenize", "--decode", list}) == json{{"text", "The little"}});
  // A piece that is half a character is still JSON.
  CHECK(document_of({"tokenize", "\xF0\x9F\x92\xBB"})["tokens"].size() >= 2);
}

TEST_CASE("perplexity --json") {
  const TemporaryFolder folder;
  write_file(folder.path("text"), "Once there was a little cat.");
  CHECK(keys_of(document_of({"perplexity", "-f", folder.path("text")})) == Keys{"perplexity", "tokens", "nll"});
}

TEST_CASE("plugins list --json") {
  const json plugins = document_of({"plugins", "list"});
  CHECK(keys_of(plugins) == Keys{"processor", "plugins"});
  CHECK(keys_of(plugins["plugins"][0]) == Keys{"id", "version", "stage", "path", "interfaces", "needs", "fault"});
}

TEST_CASE("models list --json") {
  const json models = document_of({"models", "list"});
  CHECK(keys_of(models) == Keys{"models"});
  CHECK(keys_of(models["models"][0]) == Keys{"name", "bytes", "fetched", "path", "sha256", "licence", "description"});
  CHECK(run_tenon({"models", "path", "smollm2-135m", "--json"}).code == 2);
}

TEST_CASE("with --json a failure leaves stdout empty and its message on stderr") {
  for (const char* command : {"run", "explain", "plan", "inspect", "tokenize", "plugins"}) {
    std::vector<std::string> arguments{command, "--json", "--set", "nonsense=1"};
    if (command == std::string("plugins")) arguments.insert(arguments.begin() + 1, "list");
    const Outcome outcome = run_tenon(arguments);
    INFO(command);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.starts_with("tenon: "));
  }
}
