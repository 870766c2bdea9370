// Case 28: size, depth and expanded nodes are capped.
#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <tenon/config/yaml.hpp>

#include <fstream>

#include "config_folder.hpp"

using namespace tenon;

namespace {

std::string repeat(std::string_view text, int n) {
  std::string repeated;
  for (int i = 0; i < n; ++i) repeated += text;
  return repeated;
}

/// The first line of the message, "" where the text is taken.
std::string refusal(std::string text) {
  const auto yaml = parse_yaml(std::move(text), "t.yaml");
  return yaml ? "" : yaml.error().message.substr(0, yaml.error().message.find('\n'));
}

/// `n_levels` maps and lists, each of ten uses of the one before: 10^n_levels values when expanded.
std::string bomb(int n_levels) {
  std::string text = "l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < n_levels; ++i) {
    text += fmt::format("l{0}: &l{0} [{1}]\n", i, repeat(fmt::format("*l{}, ", i - 1), 10));
  }
  return text;
}

constexpr std::string_view kTooDeep = "lists and maps are nested deeper than 64 levels; flatten them";

}  // namespace

TEST_CASE("64 levels are taken and 65 are not") {
  CHECK(refusal(repeat("[", 64) + repeat("]", 64)).empty());
  CHECK(refusal(repeat("[", 65) + repeat("]", 65)) == fmt::format("CONFIG_TOO_COMPLEX: t.yaml:1:65: {}", kTooDeep));
}

TEST_CASE("10,000 levels in every style are refused without deep recursion") {
  const std::string closed = repeat("[", 10'000) + repeat("]", 10'000);
  std::string indented;
  for (int i = 0; i < 1000; ++i) indented += std::string(static_cast<size_t>(i), ' ') + "a:\n";
  for (const std::string& text : {closed, repeat("[", 10'000), repeat("{a: ", 10'000), repeat("- ", 10'000),
                                  repeat("? ", 10'000), repeat("[? ", 10'000), indented}) {
    CHECK(refusal(text).find("CONFIG_TOO_COMPLEX: t.yaml:") == 0);
    CHECK(refusal(text).find(kTooDeep) != std::string::npos);
  }
}

TEST_CASE("a megabyte of brackets is refused") {
  CHECK(refusal(std::string(1 << 20, '[')).find("CONFIG_TOO_COMPLEX: t.yaml:1:") == 0);
}

TEST_CASE("an alias bomb is refused where it passes 100,000 values") {
  CHECK(refusal(bomb(4)).empty());
  // Level 5 (l4) would add 111,111 values to the 12,345 before it.
  CHECK(refusal(bomb(9)).find("CONFIG_TOO_COMPLEX: t.yaml:5:") == 0);
  CHECK(refusal(bomb(9)).find("more than 100000 values, counting each use of an alias") != std::string::npos);
}

TEST_CASE("aliases of a long text are refused where they pass 1 MiB") {
  const std::string text = "a: &a " + std::string(500'000, 'x') + "\nb: [*a, *a, *a]\n";
  CHECK(refusal(text) ==
        "CONFIG_TOO_COMPLEX: t.yaml:2:9: more than 1048576 bytes of text, counting each use of an alias; write less");
}

TEST_CASE("aliases that nest deeper than the file are refused") {
  std::string text = "l0: &l0 [x]\n";
  for (int i = 1; i < 70; ++i) text += fmt::format("l{0}: &l{0} [*l{1}]\n", i, i - 1);
  // l62 is 63 lists in the map of the file: 64 levels. l63 is one too many.
  CHECK(refusal(text) ==
        "CONFIG_TOO_COMPLEX: t.yaml:64:12: the alias nests lists and maps deeper than 64 levels; flatten it");
}

TEST_CASE("100,000 values are taken and one more is not") {
  // The list is a value too.
  CHECK(refusal("[" + repeat("1,", 99'999) + "]").empty());
  CHECK(refusal("[" + repeat("1,", 100'000) + "]").find("more than 100000 values") != std::string::npos);
}

TEST_CASE("1 MiB of text is taken and one byte more is not") {
  const std::string text = "a: 1 #" + std::string((1 << 20) - 6, '-');
  CHECK(refusal(text).empty());
  CHECK(refusal(text + "-") == "CONFIG_TOO_COMPLEX: t.yaml: 1048577 bytes, at most 1048576 are taken");
}

TEST_CASE("a file of 1 MiB and one byte is refused by its size") {
  const ConfigFolder folder;
  std::ofstream(folder.file()) << "a: 1 #" << std::string((1 << 20) - 5, '-');
  const auto yaml = read_yaml(folder.file());
  REQUIRE_FALSE(yaml);
  CHECK(yaml.error().message ==
        "CONFIG_TOO_COMPLEX: " + folder.file().string() + ": 1048577 bytes, at most 1048576 are taken");
}

TEST_CASE("a very long value or key is cut in the message") {
  const ConfigFolder folder;
  const std::string x(300'000, 'x');
  CHECK(folder.error("runtime: {prefill_chunk: " + x + "}").size() < 500);
  CHECK(folder.error("? " + x + "\n: 1\n").size() < 500);
}
