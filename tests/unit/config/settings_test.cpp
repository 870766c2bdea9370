// The whole file: defaults, every section, ranges (cases 25 to 27; bad inputs 18 and 19).
#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <fstream>

#include "config_folder.hpp"

using namespace tenon;

namespace {

std::string first_line(const std::string& message) { return message.substr(0, message.find('\n')); }

/// Loads `yaml` and gives the first line of the error.
std::string refusal(std::string_view yaml) {
  const ConfigFolder folder;
  return first_line(folder.error(yaml));
}

Settings loaded(const ConfigFolder& folder, std::string_view yaml) {
  auto settings = folder.load(yaml);
  if (!settings) FAIL(settings.error().message);
  return std::move(*settings);
}

}  // namespace

TEST_CASE("absent keys take the documented defaults") {
  const ConfigFolder folder;
  const Settings s = loaded(folder, "{}\n");
  CHECK(s.plugin_dirs.empty());
  CHECK(s.plugins.empty());
  CHECK_FALSE(s.plugins_given);
  CHECK(s.backends.order == std::vector<std::string>{"avx2", "neon", "reference"});
  CHECK(s.backends.rules.empty());
  CHECK(s.backends.numeric == "default");
  CHECK(s.model.path.empty());
  CHECK(s.model.dense_cache_mb == 512);
  CHECK(s.recipe_dirs == std::vector{folder.path() / "models"});
  CHECK(s.tokenizer.use == "auto");
  CHECK(s.sampling.chain.empty());
  CHECK_FALSE(s.sampling.chain_given);
  CHECK_FALSE(s.sampling.seed_given);
  CHECK(s.runtime.threads == 0);
  CHECK(s.runtime.context == 0);
  CHECK(s.runtime.prefill_chunk == 512);
  CHECK(s.runtime.determinism == "strict");
  CHECK(s.runtime.kv.page == 16);
  CHECK(s.runtime.kv.dtype == "f16");
}

TEST_CASE("every key reaches its setting") {
  const ConfigFolder folder;
  const Settings s = loaded(folder,
                            "plugin_dirs: [plugins, /opt/tenon]\n"
                            "plugins: [avx2]\n"
                            "backends:\n"
                            "  order: [avx2, reference]\n"
                            "  rules: [{op: matmul, dtype: [f32, q4_K], use: onednn}, {op: rope, use: avx2}]\n"
                            "  numeric: exact64\n"
                            "model: {path: ../m.gguf, dense_cache_mb: 0}\n"
                            "recipe_dirs: recipes\n"
                            "tokenizer: {use: bpe}\n"
                            "sampling: {chain: [greedy], seed: 18446744073709551615}\n"
                            "runtime: {threads: 3, context: 4096, prefill_chunk: 8192, determinism: relaxed,\n"
                            "          kv: {page: 256, dtype: q8_0}}\n");
  CHECK(s.plugin_dirs == std::vector<std::filesystem::path>{folder.path() / "plugins", "/opt/tenon"});
  CHECK(s.plugins_given);
  CHECK(s.backends.order == std::vector<std::string>{"avx2", "reference"});
  REQUIRE(s.backends.rules.size() == 2);
  CHECK(s.backends.rules[0].op == "matmul");
  CHECK(s.backends.rules[0].dtypes == std::vector<std::string>{"f32", "q4_K"});
  CHECK(s.backends.rules[0].use == "onednn");
  CHECK(s.backends.rules[0].place.line == 5);
  CHECK(s.backends.rules[1].dtypes.empty());
  CHECK(s.backends.numeric == "exact64");
  CHECK(s.model.path == folder.path().parent_path() / "m.gguf");
  CHECK(s.model.given == "../m.gguf");
  CHECK(s.model.dense_cache_mb == 0);
  CHECK(s.recipe_dirs == std::vector{folder.path() / "recipes"});
  CHECK(s.tokenizer.use == "bpe");
  CHECK(s.sampling.seed == UINT64_MAX);
  CHECK(s.sampling.seed_given);
  CHECK(s.runtime.threads == 3);
  CHECK(s.runtime.context == 4096);
  CHECK(s.runtime.prefill_chunk == 8192);
  CHECK(s.runtime.determinism == "relaxed");
  CHECK(s.runtime.kv.page == 256);
  CHECK(s.runtime.kv.dtype == "q8_0");
}

TEST_CASE("a config with a byte order mark and CRLF loads") {
  const ConfigFolder folder;
  CHECK(loaded(folder, "\xEF\xBB\xBFruntime:\r\n  threads: 2\r\n").runtime.threads == 2);
}

TEST_CASE("a section without a value is as if it were absent") {
  const ConfigFolder folder;
  CHECK(loaded(folder, "runtime:\n#  threads: 2\nsampling:\nbackends:\n").runtime.threads == 0);
}

TEST_CASE("relative paths stand for the config's folder even where the file is named relatively") {
  const ConfigFolder folder;
  std::ofstream(folder.file()) << "model: {path: ./a/../m.gguf}\n";
  const auto relative = std::filesystem::relative(folder.file());
  REQUIRE(relative.is_relative());
  const auto settings = load_settings(relative, {});
  REQUIRE(settings);
  CHECK(settings->model.path == folder.path() / "m.gguf");
}

TEST_CASE("a config that is no map is a syntax error") {
  const ConfigFolder folder;
  CHECK(folder.error("- a\n- b\n") ==
        "CONFIG_SYNTAX: t.yaml:1:1: the file is a list, expected a map of settings such as 'runtime: {threads: 4}'\n"
        "  - a\n"
        "  ^");
  CHECK(refusal("hello\n").find("CONFIG_SYNTAX: t.yaml:1:1: the file is 'hello', expected a map") == 0);
  CHECK(refusal("") == "CONFIG_SYNTAX: t.yaml: it is empty or holds only comments, expected YAML");
}

TEST_CASE("a config that cannot be read is named with the reason") {
  const ConfigFolder folder;
  const auto missing = load_settings(folder.path() / "none.yaml", {});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == TENON_IO);
  CHECK(missing.error().message ==
        "CONFIG_UNREADABLE: cannot open " + (folder.path() / "none.yaml").string() + ": No such file or directory");
  const auto directory = load_settings(folder.path(), {});
  REQUIRE_FALSE(directory);
  CHECK(directory.error().message.find("is a directory, expected a regular file") != std::string::npos);
  const std::filesystem::path pipe = folder.path() / "pipe.yaml";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_FALSE(load_settings(pipe, {}));  // and does not wait for a writer
}

TEST_CASE("an unknown key in any section is named with the nearest one") {
  CHECK(refusal("sampelling: {}\n") ==
        "CONFIG_UNKNOWN_KEY: t.yaml:1:1: unknown key 'sampelling' in the config (did you mean 'sampling'?); known: "
        "plugin_dirs, plugins, backends, model, recipe_dirs, tokenizer, sampling, runtime");
  CHECK(
      refusal("runtime: {kv: {dtyp: f16}}\n") ==
      "CONFIG_UNKNOWN_KEY: t.yaml:1:16: unknown key 'dtyp' in runtime.kv (did you mean 'dtype'?); known: page, dtype");
  for (const char* yaml :
       {"backends: {ordr: []}", "model: {pth: x}", "tokenizer: {us: x}", "sampling: {sed: 1}", "runtime: {thread: 1}",
        "plugins: [{use: a, option: {}}]", "backends: {rules: [{op: rope, dtypes: f32, use: a}]}"}) {
    INFO(yaml);
    CHECK(refusal(yaml).find("CONFIG_UNKNOWN_KEY: t.yaml:1:") == 0);
    CHECK(refusal(yaml).find("did you mean") != std::string::npos);
  }
}

TEST_CASE("a thread count out of range names the range and the cores") {
  for (const char* found : {"0", "-1", "100000"}) {
    const std::string message = refusal(std::string("runtime: {threads: ") + found + "}");
    CHECK(message.find(std::string("CONFIG_RANGE: t.yaml:1:20: runtime.threads is ") + found +
                       ", expected auto or a whole number from 1 to 1024; auto is ") == 0);
    CHECK(message.find("cores") != std::string::npos);
  }
  CHECK(refusal("runtime: {threads: all}").find("CONFIG_TYPE: t.yaml:1:20: runtime.threads is 'all'") == 0);
  CHECK(refusal("runtime: {threads: 1024}").empty());
  CHECK(refusal("runtime: {threads: auto}").empty());
}

TEST_CASE("runtime values out of range name the range") {
  CHECK(refusal("runtime: {context: 1048577}") ==
        "CONFIG_RANGE: t.yaml:1:20: runtime.context is 1048577, expected auto or a whole number from 1 to 1048576");
  CHECK(refusal("runtime: {context: 0}").find("CONFIG_RANGE") == 0);
  CHECK(refusal("runtime: {context: auto}").empty());
  CHECK(refusal("runtime: {prefill_chunk: 8193}") ==
        "CONFIG_RANGE: t.yaml:1:26: runtime.prefill_chunk is 8193, expected a whole number from 1 to 8192");
  CHECK(refusal("runtime: {kv: {page: 24}}") ==
        "CONFIG_RANGE: t.yaml:1:22: runtime.kv.page is 24, expected 8, 16, 32, 64, 128 or 256");
  CHECK(refusal("runtime: {kv: {page: 512}}").find("CONFIG_RANGE") == 0);
  CHECK(refusal("runtime: {kv: {page: -9223372036854775808}}").find("CONFIG_RANGE") == 0);
  CHECK(refusal("runtime: {kv: {page: .nan}}").find("CONFIG_TYPE") == 0);
  CHECK(refusal("runtime: {determinism: loose}") ==
        "CONFIG_RANGE: t.yaml:1:24: runtime.determinism is 'loose', expected strict or relaxed");
  CHECK(refusal("model: {dense_cache_mb: -1}") ==
        "CONFIG_RANGE: t.yaml:1:25: model.dense_cache_mb is -1, expected a whole number from 0 to 1048576");
  CHECK(refusal("model: {path: ''}") ==
        "CONFIG_RANGE: t.yaml:1:15: model.path is '', expected a text that is not empty");
}

TEST_CASE("a seed is a whole number of 64 bits") {
  CHECK(refusal("sampling: {seed: -1}") ==
        "CONFIG_RANGE: t.yaml:1:18: sampling.seed is -1, expected a whole number from 0 to 18446744073709551615");
  CHECK(refusal("sampling: {seed: 18446744073709551616}").find("CONFIG_RANGE") == 0);
  CHECK(refusal("sampling: {seed: 1.5}").find("CONFIG_TYPE") == 0);
  CHECK(refusal("sampling: {seed: nan}").find("CONFIG_TYPE") == 0);
  CHECK(refusal("sampling: {seed: }") ==
        "CONFIG_TYPE: t.yaml:1:18: sampling.seed is empty, expected a whole number from 0 to 18446744073709551615");
}

TEST_CASE("a chain item is a name, a value or a map of options") {
  const ConfigFolder folder;
  const Settings s = loaded(folder, "sampling:\n  chain: [{temperature: 0.8}, {top_k: {k: 40, ties: keep}}, greedy]\n");
  CHECK(s.sampling.chain_given);
  REQUIRE(s.sampling.chain.size() == 3);
  CHECK(s.sampling.chain[0].name == "temperature");
  CHECK(s.sampling.chain[0].options.scalar() == "0.8");
  CHECK(s.sampling.chain[0].place.line == 2);
  CHECK(s.sampling.chain[0].place.column == 12);
  CHECK(s.sampling.chain[1].options.find("ties")->scalar() == "keep");
  CHECK(s.sampling.chain[2].name == "greedy");
  CHECK(s.sampling.chain[2].options.is_null());
}

TEST_CASE("a chain item of another form is refused") {
  CHECK(
      refusal("sampling: {chain: [{top_k: 40, top_p: 0.9}]}") ==
      "CONFIG_TYPE: t.yaml:1:32: sampling.chain.0 holds 2 processors, expected one; write each as an item of its own, "
      "so that their order is plain");
  CHECK(refusal("sampling: {chain: [greedy, [x]]}") ==
        "CONFIG_TYPE: t.yaml:1:28: sampling.chain.1 is a list, expected a processor: NAME, {NAME: VALUE} or {NAME: "
        "{OPTION: VALUE}}");
  CHECK(
      refusal("sampling: {chain: [{top_k: [1]}]}").find("CONFIG_TYPE: t.yaml:1:28: sampling.chain.0.top_k is a list") ==
      0);
  CHECK(
      refusal("sampling: {chain: greedy}") ==
      "CONFIG_TYPE: t.yaml:1:19: sampling.chain is 'greedy', expected a list of processors such as {temperature: 0.8}");
}

TEST_CASE("backends are checked by form, op and dtype") {
  CHECK(refusal("backends: {order: [avx2, reference, avx2]}") ==
        "CONFIG_DUPLICATE_KEY: t.yaml:1:37: backends.order lists 'avx2' in line 1 and again in line 1; remove one");
  CHECK(refusal("backends: {order: []}") ==
        "CONFIG_RANGE: t.yaml:1:19: backends.order is an empty list, expected at least one plug-in id");
  CHECK(refusal("backends: {order: [AVX2]}").find("CONFIG_TYPE: t.yaml:1:20: backends.order.0 is 'AVX2'") == 0);
  CHECK(refusal("backends: {rules: [{op: matmull, use: a}]}").find("(did you mean 'matmul'?)") != std::string::npos);
  CHECK(refusal("backends: {rules: [{op: matmul, dtype: q4_k, use: a}]}").find("(did you mean 'q4_K'?)") !=
        std::string::npos);
  CHECK(refusal("backends: {rules: [{op: matmul}]}") ==
        "CONFIG_TYPE: t.yaml:1:20: backends.rules.0 is a map, expected the key 'use' in it");
  CHECK(refusal("backends: {numeric: exact}") ==
        "CONFIG_RANGE: t.yaml:1:21: backends.numeric is 'exact', expected default, exact64 or f32 (did you mean "
        "'exact64'?)");
}
