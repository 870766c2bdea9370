// Options against a plug-in's schema (cases 26 and 27; bad inputs 19). Pointers and defaults cross the C border.
#include <catch2/catch.hpp>
#include <tenon/config/options.hpp>
#include <tenon/options.hpp>

#include <array>
#include <limits>

using namespace tenon;

namespace {

constexpr std::array<tenon_option_spec, 4> kTopK{
    int_option("k", 40, 0, 1'000'000, "how many"), string_option("ties", "keep", "keep|exact", "at the last place"),
    bool_option("last", false, "for tests"), float_option("x", 0.5, 0, 2, "for tests")};
constexpr std::array<tenon_option_spec, 1> kTemperature{float_option("temperature", 0.8, 0, 100, "flattens")};

Yaml yaml_of(const std::string& text) {
  auto yaml = parse_yaml(text, "t.yaml");
  if (!yaml) FAIL(yaml.error().message);
  return std::move(*yaml);
}

OptionValues checked(std::span<const tenon_option_spec> specs, const Yaml& given) {
  auto values = check_options(specs, given, "top_k");
  if (!values) FAIL(values.error().message);
  return std::move(*values);
}

std::string refusal(std::span<const tenon_option_spec> specs, const Yaml& given, std::string_view what = "top_k") {
  const auto values = check_options(specs, given, what);
  return values ? "" : values.error().message.substr(0, values.error().message.find('\n'));
}

/// What the schema check says of one spec.
std::string fault(tenon_option_spec spec) { return refusal(std::span(&spec, 1), Yaml(), "plug-in 'p'"); }

}  // namespace

TEST_CASE("nothing given fills every option with its default") {
  const OptionValues values = checked(kTopK, Yaml());
  const tenon_options view = values.view();
  REQUIRE(view.count == 4);
  CHECK(std::string(view.items[0].name) == "k");
  CHECK(view.items[0].type == TENON_OPTION_INT);
  const Options options(&view);
  CHECK(options.integer("k") == 40);
  CHECK(options.text("ties") == "keep");
  CHECK_FALSE(options.flag("last"));
  CHECK(options.number("x") == 0.5);
  CHECK(options.is_default("k"));
}

TEST_CASE("a map sets options by name and leaves the others") {
  const OptionValues values = checked(kTopK, yaml_of("{ties: exact, last: true, x: 2}"));
  const tenon_options view = values.view();
  const Options options(&view);
  CHECK(options.text("ties") == "exact");
  CHECK(options.flag("last"));
  CHECK(options.number("x") == 2);
  CHECK_FALSE(options.is_default("x"));
  CHECK(options.is_default("k"));
}

TEST_CASE("a scalar sets the first option") {
  const OptionValues values = checked(kTemperature, yaml_of("0.25"));
  const tenon_options view = values.view();
  CHECK(Options(&view).number("temperature") == 0.25);
  CHECK_FALSE(Options(&view).is_default("temperature"));
}

TEST_CASE("moving the values keeps every pointer") {
  OptionValues values = checked(kTopK, yaml_of("{ties: exact}"));
  const tenon_option* items = values.view().items;
  const char* text = items[1].string.data;
  const OptionValues moved = std::move(values);
  CHECK(moved.view().items == items);
  CHECK(moved.view().items[1].string.data == text);
  CHECK(view(moved.view().items[1].string) == "exact");
}

TEST_CASE("an unknown option is named with the nearest one") {
  const auto values = check_options(kTopK, yaml_of("k: 4\ntie: keep\n"), "top_k");
  REQUIRE_FALSE(values);
  CHECK(values.error().message ==
        "CONFIG_UNKNOWN_KEY: t.yaml:2:1: unknown key 'tie' in top_k (did you mean 'ties'?); known: k, ties, last, x\n"
        "  tie: keep\n"
        "  ^");
}

TEST_CASE("an option of the wrong type or out of range names the parameter and its range") {
  CHECK(refusal(kTemperature, yaml_of(".nan"), "temperature") ==
        "CONFIG_RANGE: t.yaml:1:1: temperature is .nan, expected a number from 0 to 100");
  CHECK(refusal(kTemperature, yaml_of("inf"), "temperature") ==
        "CONFIG_RANGE: t.yaml:1:1: temperature is inf, expected a number from 0 to 100");
  CHECK(refusal(kTemperature, yaml_of("-1"), "temperature") ==
        "CONFIG_RANGE: t.yaml:1:1: temperature is -1, expected a number from 0 to 100");
  CHECK(refusal(kTopK, yaml_of("-5")) ==
        "CONFIG_RANGE: t.yaml:1:1: top_k is -5, expected a whole number from 0 to 1000000");
  CHECK(refusal(kTopK, yaml_of("{k: 4.5}")) ==
        "CONFIG_TYPE: t.yaml:1:5: top_k.k is 4.5, expected a whole number from 0 to 1000000");
  CHECK(refusal(kTopK, yaml_of("{ties: exakt}")) ==
        "CONFIG_RANGE: t.yaml:1:8: top_k.ties is 'exakt', expected keep or exact (did you mean 'exact'?)");
  CHECK(refusal(kTopK, yaml_of("{last: yes}")) ==
        "CONFIG_TYPE: t.yaml:1:8: top_k.last is 'yes', expected true or false");
  CHECK(refusal(kTopK, yaml_of("[1]")) ==
        "CONFIG_TYPE: t.yaml:1:1: top_k is a list, expected a value, or a map of options");
}

TEST_CASE("a whole number beyond 2^53 cannot cross the border and is refused") {
  constexpr std::array<tenon_option_spec, 1> kWide{int_option("n", 0, -1e300, 1e300, "wide")};
  CHECK(refusal(kWide, yaml_of("9007199254740992")).empty());
  CHECK(refusal(kWide, yaml_of("9007199254740993")).find("CONFIG_RANGE") == 0);
}

TEST_CASE("values for what takes none are refused") {
  CHECK(refusal({}, yaml_of("5"), "greedy") == "CONFIG_TYPE: t.yaml:1:1: greedy takes no options, found 5");
  CHECK(refusal({}, yaml_of("{}"), "greedy").empty());
  CHECK(refusal({}, Yaml(), "greedy").empty());
}

TEST_CASE("a malformed schema is the plug-in's error") {
  constexpr std::string_view kHead = "PLUGIN_CONTRACT: plug-in 'p': its schema is malformed at option ";
  tenon_option_spec nameless = int_option("n", 1, 0, 2, "");
  nameless.name = nullptr;
  CHECK(fault(nameless) == std::string(kHead) + "0: no name; the plug-in must be mended");
  nameless.name = "";
  CHECK(fault(nameless).find(kHead) == 0);
  tenon_option_spec untyped = int_option("n", 1, 0, 2, "");
  untyped.type = 9;
  CHECK(fault(untyped) == std::string(kHead) + "'n': unknown type 9; the plug-in must be mended");
  tenon_option_spec small = int_option("n", 1, 0, 2, "");
  small.size = 8;
  CHECK(fault(small).find("size 8, expected ") != std::string::npos);

  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  CHECK(fault(int_option("n", 1, 2, 0, "")).find("min 2 is not below max 0") != std::string::npos);
  CHECK(fault(float_option("n", 1, kNan, 2, "")).find("min nan is not below max 2") != std::string::npos);
  CHECK(fault(float_option("n", kNan, 0, 2, "")).find("default nan is outside 0 to 2") != std::string::npos);
  CHECK(fault(int_option("n", 3, 0, 2, "")).find("default 3 is outside 0 to 2") != std::string::npos);
  CHECK(fault(int_option("n", 0.5, 0, 2, "")).find("default 0.5 is no whole number") != std::string::npos);
  CHECK(fault(int_option("n", kNan, 0, 2, "")).find("default nan is no whole number") != std::string::npos);
  CHECK(fault(string_option("n", "c", "a|b", "")).find("default 'c' is none of a|b") != std::string::npos);
  CHECK(fault(string_option("n", nullptr, "a|b", "")).find("default '' is none of a|b") != std::string::npos);
  const std::array<tenon_option_spec, 2> twice{int_option("n", 1, 0, 2, ""), bool_option("n", true, "")};
  CHECK(refusal(twice, Yaml(), "plug-in 'p'").find("'n' is declared twice") != std::string::npos);
}

TEST_CASE("a text option without default and choices is empty") {
  constexpr std::array<tenon_option_spec, 1> kText{string_option("name", nullptr, nullptr, "")};
  const OptionValues values = checked(kText, Yaml());
  const tenon_options view = values.view();
  CHECK(Options(&view).text("name").empty());
}

TEST_CASE("a map option takes numbers by whole numbers, alone or under its name, and hands them over in order") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::array<tenon_option_spec, 2> kBias{map_option("biases", -kInfinity, 100, "for tests"),
                                                   bool_option("late", false, "for tests")};
  using Entries = std::vector<std::pair<int64_t, double>>;
  const auto map_of = [&](const char* text) {
    const OptionValues values = checked(kBias, yaml_of(text));
    const tenon_options view = values.view();
    return Options(&view).map("biases");
  };
  CHECK(map_of("{7: -1.5, 0: -inf, 3: 1e-3}") == Entries{{7, -1.5}, {0, -kInfinity}, {3, 1e-3}});
  CHECK(map_of("{biases: {7: 2}, late: true}") == Entries{{7, 2}});
  CHECK(map_of("{late: true}").empty());
  CHECK(map_of("{}").empty());
  CHECK(refusal(kBias, yaml_of("{7: 101}")).starts_with("CONFIG_RANGE: t.yaml:1:"));
  CHECK(refusal(kBias, yaml_of("{7: inf}")).starts_with("CONFIG_RANGE: t.yaml:1:"));
  CHECK(refusal(kBias, yaml_of("{7: many}")).starts_with("CONFIG_TYPE: t.yaml:1:"));
  CHECK(refusal(kBias, yaml_of("{-7: 1}")) ==
        "CONFIG_TYPE: t.yaml:1:2: top_k has the key '-7', expected a whole number from 0 on");
  CHECK(refusal(kBias, yaml_of("{biases: {7: 1}, 8: 1}")).starts_with("CONFIG_UNKNOWN_KEY: t.yaml:1:"));
  CHECK(refusal(kBias, yaml_of("3")).starts_with("CONFIG_TYPE: t.yaml:1:1: top_k "));
}
