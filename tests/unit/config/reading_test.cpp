// Case 27: wrong type, out of range, NaN; and "did you mean".
#include <catch2/catch.hpp>
#include <tenon/config/yaml.hpp>

#include <array>
#include <limits>

using namespace tenon;

namespace {

Yaml value_of(const std::string& text) {
  auto yaml = parse_yaml("v: " + text + "\n", "t.yaml");
  if (!yaml) FAIL(yaml.error().message);
  return *yaml->find("v");
}

template <class T>
std::string first_line(const Result<T>& result) {
  return result ? "" : result.error().message.substr(0, result.error().message.find('\n'));
}

std::string integer_error(const std::string& text) { return first_line(as_integer(value_of(text), "n", 1, 9)); }
std::string number_error(const std::string& text) { return first_line(as_number(value_of(text), "x", 0, 2.5)); }

}  // namespace

TEST_CASE("whole numbers are read in the forms of YAML's core schema") {
  constexpr auto kMin = std::numeric_limits<int64_t>::min(), kMax = std::numeric_limits<int64_t>::max();
  const auto read = [](const char* text) { return as_integer(value_of(text), "n", kMin, kMax); };
  CHECK(*read("42") == 42);
  CHECK(*read("-7") == -7);
  CHECK(*read("+7") == 7);
  CHECK(*read("0x1F") == 31);
  CHECK(*read("0o17") == 15);
  CHECK(*read("9223372036854775807") == kMax);
  CHECK(*read("-9223372036854775808") == kMin);
  CHECK_FALSE(read("9223372036854775808"));
  for (const char* text : {"1.0", "1e3", "4k", "0x", "1_000", "--1", "true", "\"4\"", "[1]", "{}", ".nan", "''"}) {
    INFO(text);
    CHECK(first_line(read(text)).find("CONFIG_TYPE") == 0);
  }
}

TEST_CASE("a whole number out of range names the range") {
  CHECK(integer_error("0") == "CONFIG_RANGE: t.yaml:1:4: n is 0, expected a whole number from 1 to 9");
  CHECK(integer_error("10") == "CONFIG_RANGE: t.yaml:1:4: n is 10, expected a whole number from 1 to 9");
  CHECK(integer_error("99999999999999999999999") ==
        "CONFIG_RANGE: t.yaml:1:4: n is 99999999999999999999999, expected a whole number from 1 to 9");
}

TEST_CASE("a value of the wrong type says what it is and what was expected") {
  CHECK(integer_error("many") == "CONFIG_TYPE: t.yaml:1:4: n is 'many', expected a whole number from 1 to 9");
  CHECK(integer_error("[1]") == "CONFIG_TYPE: t.yaml:1:4: n is a list, expected a whole number from 1 to 9");
  CHECK(integer_error("") == "CONFIG_TYPE: t.yaml:1:1: n is empty, expected a whole number from 1 to 9");
  CHECK(integer_error("\"4\"") ==
        "CONFIG_TYPE: t.yaml:1:4: n is the text '4', expected a whole number from 1 to 9 without quotes");
}

TEST_CASE("numbers are read in the forms of YAML's core schema") {
  const auto read = [](const char* text) { return as_number(value_of(text), "x", -1e308, 1e308); };
  CHECK(*read("0.5") == 0.5);
  CHECK(*read("-1.25e2") == -125);
  CHECK(*read(".5") == 0.5);
  CHECK(*read("3.") == 3);
  CHECK(*read("7") == 7);
  CHECK(*read("0x10") == 16);
  for (const char* text : {"1e", "e5", ".", "1.2.3", "0x1p3", "1,5", "one", "infinity", "nan(1)", "'1'"}) {
    INFO(text);
    CHECK(first_line(read(text)).find("CONFIG_TYPE") == 0);
  }
}

TEST_CASE("NaN and infinities are out of every range") {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const char* text : {".nan", "nan", "NaN", ".inf", "-.inf", "inf", "1e999", "-1e999"}) {
    INFO(text);
    CHECK(first_line(as_number(value_of(text), "x", -kInf, kInf)).find("CONFIG_RANGE") == 0);
  }
  CHECK(number_error(".nan") == "CONFIG_RANGE: t.yaml:1:4: x is .nan, expected a number from 0 to 2.5");
  CHECK(number_error("-1") == "CONFIG_RANGE: t.yaml:1:4: x is -1, expected a number from 0 to 2.5");
  CHECK(number_error("hot") == "CONFIG_TYPE: t.yaml:1:4: x is 'hot', expected a number from 0 to 2.5");
}

TEST_CASE("booleans are true and false only") {
  CHECK(*as_bool(value_of("true"), "b"));
  CHECK_FALSE(*as_bool(value_of("False"), "b"));
  CHECK(first_line(as_bool(value_of("yes"), "b")) == "CONFIG_TYPE: t.yaml:1:4: b is 'yes', expected true or false");
  CHECK(first_line(as_bool(value_of("'true'"), "b")) ==
        "CONFIG_TYPE: t.yaml:1:4: b is the text 'true', expected true or false without quotes");
}

TEST_CASE("a text may look like a number") {
  CHECK(*as_text(value_of("42"), "s") == "42");
  CHECK(first_line(as_text(value_of("{a: 1}"), "s")) == "CONFIG_TYPE: t.yaml:1:4: s is a map, expected a text");
}

TEST_CASE("a choice that does not exist lists those that do") {
  constexpr std::array<std::string_view, 3> kDTypes{"f16", "f32", "q8_0"};
  CHECK(*as_choice(value_of("q8_0"), "dtype", kDTypes) == "q8_0");
  CHECK(first_line(as_choice(value_of("q80"), "dtype", kDTypes)) ==
        "CONFIG_RANGE: t.yaml:1:4: dtype is 'q80', expected f16, f32 or q8_0 (did you mean 'q8_0'?)");
  CHECK(first_line(as_choice(value_of("[f16]"), "dtype", kDTypes)) ==
        "CONFIG_TYPE: t.yaml:1:4: dtype is a list, expected f16, f32 or q8_0");
}

TEST_CASE("an unknown key lists the known ones") {
  constexpr std::array<std::string_view, 2> kKeys{"threads", "context"};
  const auto yaml = parse_yaml("threads: 1\nthraeds: 2\n", "t.yaml");
  const auto checked = check_keys(*yaml, "runtime", kKeys);
  REQUIRE_FALSE(checked);
  CHECK(checked.error().message ==
        "CONFIG_UNKNOWN_KEY: t.yaml:2:1: unknown key 'thraeds' in runtime (did you mean 'threads'?); known: threads, "
        "context\n"
        "  thraeds: 2\n"
        "  ^");
  CHECK(first_line(check_keys(value_of("5"), "runtime", kKeys)) ==
        "CONFIG_TYPE: t.yaml:1:4: runtime is 5, expected a map of threads, context");
}

TEST_CASE("did you mean finds typing errors and nothing far-fetched") {
  constexpr std::array<std::string_view, 5> kNames{"temperature", "top_k", "top_p", "min_p", "seed"};
  CHECK(did_you_mean("temprature", kNames) == "temperature");
  CHECK(did_you_mean("topk", kNames) == "top_k");
  CHECK(did_you_mean("TOP_P", kNames) == "top_p");
  CHECK(did_you_mean("sede", kNames) == "seed");
  constexpr std::array<std::string_view, 1> kUse{"use"};
  CHECK(did_you_mean("ues", kUse) == "use");  // a swap is one change, and three letters allow no more
  CHECK(did_you_mean("eus", kUse).empty());
  CHECK(did_you_mean("grammar", kNames).empty());
  CHECK(did_you_mean("", kNames).empty());
  CHECK(did_you_mean("x", kNames).empty());
  CHECK(did_you_mean(std::string(1'000'000, 't'), kNames).empty());
}
