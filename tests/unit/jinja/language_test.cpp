// Features one by one. Expected texts are what the `jinja2` package 3.1 gives with trim_blocks and lstrip_blocks.
#include "jinja_plugin.hpp"

#include <string>

namespace {

std::string text_of(const std::string& source, const std::string& input = "{}") {
  const auto prompt = render(source, input);
  return prompt ? prompt->text : "error: " + prompt.error().message;
}

}  // namespace

TEST_CASE("values, operators and conditions read as in jinja2") {
  CHECK(text_of("{{ 7 // 2 }} {{ 7 / 2 }} {{ -7 % 3 }} {{ 'a' ~ 1 ~ none }} {{ 'x' * 0 if false else 'y' }}") ==
        "3 3.5 2 a1None y");
  CHECK(text_of("{{ 'b' in 'abc' }} {{ 3 not in [1, 2] }} {{ not true or 1 == 1.0 }}") == "True True True");
  CHECK(text_of("{{ [1, 'a', {'k': none}] }}") == "[1, 'a', {'k': None}]");
  CHECK(text_of("{{ 'hello'[1:3] }}{{ [1, 2, 3][::-1] }}{{ 'abc'[-1] }}") == "el[3, 2, 1]c");
}

TEST_CASE("blocks eat their line's indentation and newline, and '-' all blanks around") {
  CHECK(text_of("a\n  {% if true %}\n  b\n  {% endif %}\nc\n") == "a\n  b\nc");
  CHECK(text_of("a  {%- if true -%}  b  {%- endif %}  c") == "ab  c");
  CHECK(text_of("a {# note #} b\n{# note #}\nc") == "a  b\nc");
}

TEST_CASE("loops know their place, filter, break and have an else") {
  CHECK(text_of("{% for x in [1, 2, 3] %}{{ loop.index }}{{ ',' if not loop.last }}{% endfor %}") == "1,2,3");
  CHECK(text_of("{% for x in range(6) if x % 2 %}{{ x }}{% endfor %}") == "135");
  CHECK(text_of("{% for x in [] %}{% else %}none{% endfor %}") == "none");
  CHECK(text_of("{% for x in [1, 2, 3] %}{% if x == 2 %}{% break %}{% endif %}{{ x }}{% endfor %}") == "1");
  CHECK(text_of("{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}", R"({"d": {"a": 1, "b": 2}})") == "a=1;b=2;");
}

TEST_CASE("a name set in a loop stays in the loop, a namespace goes beyond it") {
  CHECK(text_of("{% set x = 0 %}{% for i in [1, 2] %}{% set x = i %}{% endfor %}{{ x }}") == "0");
  CHECK(text_of("{% set n = namespace(x=0) %}{% for i in [1, 2] %}{% set n.x = i %}{% endfor %}{{ n.x }}") == "2");
}

TEST_CASE("macros take defaults and names, and filters chain") {
  CHECK(text_of("{% macro m(a, b='x') %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(a=2, b=3) }}") == "1x23");
  CHECK(text_of("{{ '  Hi ' | trim | upper | replace('H', 'J') }}") == "JI");
  CHECK(text_of("{{ ms | selectattr('role', 'equalto', 'user') | map(attribute='n') | join('-') }}",
                R"({"ms": [{"role": "user", "n": 1}, {"role": "tool", "n": 2}, {"role": "user", "n": 3}]})") == "1-3");
  CHECK(text_of("{{ missing | default('d') }}{{ x is defined }}{{ x is string }}", R"({"x": "s"})") == "dTrueTrue");
  CHECK(text_of("{{ d | tojson }}", R"({"d": {"a": [1, "é\n"], "b": null}})") == "{\"a\": [1, \"é\\n\"], \"b\": null}");
}

TEST_CASE("only what the template wrote itself is trusted") {
  const auto prompt = render("<s>{{ x | trim }}</s>{{ eos_token }}", R"({"x": " <s> ", "eos_token": "<e>"})");
  REQUIRE(prompt);
  CHECK(prompt->text == "<s><s></s><e>");
  REQUIRE(prompt->special_ranges.size() == 2);
  CHECK(prompt->special_ranges[0].begin == 0);
  CHECK(prompt->special_ranges[0].end == 3);
  CHECK(prompt->special_ranges[1].begin == 6);
  CHECK(prompt->special_ranges[1].end == 13);
}

TEST_CASE("mistakes name the line") {
  CHECK(text_of("a\n{% if %}") == "error: the model's chat template: line 2, column 7: expected a value, found '%}'");
  CHECK(text_of("{{ 'a") == "error: the model's chat template: line 1, column 4: a string is not closed");
  CHECK(text_of("\n{{ m.role }}") ==
        "error: the model's chat template: line 2: 'role' of something that is not defined ('m')");
  CHECK(text_of("{{ raise_exception('no') }}") ==
        "error: the model's chat template: line 1: the template refuses these messages: no");
}
