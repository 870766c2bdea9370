// "--set key=value" over a config file.
#include <catch2/catch.hpp>

#include "config_folder.hpp"

using namespace tenon;

namespace {

constexpr std::string_view kConfig =
    "plugins: [reference, {use: avx2}]\n"
    "sampling:\n"
    "  chain: [{temperature: 0.8}, {top_k: 40}]\n"
    "  seed: 1\n"
    "model: {path: m.gguf}\n";

Settings with(const std::vector<std::string>& overrides) {
  const ConfigFolder folder;
  auto settings = folder.load(kConfig, overrides);
  if (!settings) FAIL(settings.error().message);
  return std::move(*settings);
}

std::string refusal(const std::string& text) {
  const ConfigFolder folder;
  return folder.error(kConfig, {text});
}

}  // namespace

TEST_CASE("an override replaces a value, and the last one wins") {
  CHECK(with({"sampling.seed=7"}).sampling.seed == 7);
  CHECK(with({"sampling.seed=7", "sampling.seed=8"}).sampling.seed == 8);
}

TEST_CASE("an override makes the sections that the file does not have") {
  CHECK(with({"runtime.kv.dtype=q8_0"}).runtime.kv.dtype == "q8_0");
}

TEST_CASE("an override's value is YAML") {
  const Settings s = with({"backends={order: [avx2, reference]}", "tokenizer.use='a=b'"});
  CHECK(s.backends.order == std::vector<std::string>{"avx2", "reference"});
  CHECK(s.tokenizer.use == "a=b");
}

TEST_CASE("a number in the path picks an item of a list") {
  CHECK(with({"plugins.1.use=neon"}).plugins[1].use == "neon");
  CHECK(with({"plugins.0=neon"}).plugins[0].use == "neon");
  CHECK(with({"sampling.chain.0.temperature=0.5"}).sampling.chain[0].options.scalar() == "0.5");
}

TEST_CASE("a plug-in listed by its name alone takes options") {
  const Settings s = with({"plugins.0.options.tile=8", "plugins.0.optional=true"});
  CHECK(s.plugins[0].use == "reference");
  CHECK(s.plugins[0].options.find("tile")->scalar() == "8");
  CHECK(s.plugins[0].optional);
}

TEST_CASE("an empty value brings the default back") {
  CHECK_FALSE(with({"sampling.seed="}).sampling.seed_given);
  CHECK_FALSE(with({"plugins="}).plugins_given);
}

TEST_CASE("a relative path in an override stands for the working directory") {
  CHECK(with({"model.path=other.gguf"}).model.path == std::filesystem::current_path() / "other.gguf");
}

TEST_CASE("an error in an override shows it as it was written") {
  CHECK(refusal("sampling.seed=x") ==
        "CONFIG_TYPE: --set:1:21: sampling.seed is 'x', expected a whole number from 0 to 18446744073709551615\n"
        "  --set sampling.seed=x\n"
        "                      ^");
  CHECK(refusal("sampling.sead=7") ==
        "CONFIG_UNKNOWN_KEY: --set:1:16: unknown key 'sead' in sampling (did you mean 'seed'?); known: chain, seed\n"
        "  --set sampling.sead=7\n"
        "                 ^");
  CHECK(refusal("runtime.kv.pages=8").find("CONFIG_UNKNOWN_KEY: --set:1:18:") == 0);
  CHECK(refusal("nonsense.a.b=1").find("CONFIG_UNKNOWN_KEY: --set:1:7:") == 0);
  CHECK(refusal("backends.order=[a").find("CONFIG_SYNTAX: --set:1:22: the bracket that opens here is not closed") == 0);
}

TEST_CASE("what is no override says how one looks") {
  CHECK(refusal("sampling.seed") ==
        "CONFIG_SYNTAX: --set:1:7: expected KEY=VALUE, e.g. sampling.seed=7; there is no '='\n"
        "  --set sampling.seed\n"
        "        ^");
  CHECK(refusal("sampling..seed=1")
            .find("CONFIG_SYNTAX: --set:1:16: '' is no key; expected KEY.KEY=VALUE, e.g. sampling.seed=7") == 0);
  CHECK(refusal("=1").find("CONFIG_SYNTAX: --set:1:7: '' is no key") == 0);
  CHECK(refusal("").find("CONFIG_SYNTAX: --set:1:7: expected KEY=VALUE") == 0);
}

TEST_CASE("a path that leads nowhere says where it ends") {
  CHECK(refusal("plugins.2.use=a")
            .find("CONFIG_RANGE: --set:1:15: plugins is a list of 2, '2' picks none of its items; expected 0 to 1") ==
        0);
  CHECK(refusal("plugins.first=a").find("CONFIG_RANGE: --set:1:15: plugins is a list of 2, 'first'") == 0);
  CHECK(refusal("model.path.x=a").find("CONFIG_TYPE: --set:1:18: model.path is 'm.gguf', it has no key 'x'") == 0);
}

TEST_CASE("the parts of a key are limited") {
  std::string path = "a";
  for (int i = 0; i < 1000; ++i) path += ".a";
  CHECK(refusal(path + "=1").find("CONFIG_TOO_COMPLEX: --set:1:39: a key has at most 16 parts") == 0);
}
