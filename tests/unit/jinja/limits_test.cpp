// Templates that would hang, overflow the stack or eat the memory: each ends with one message, at one of the limits of
// plugins/templates/jinja/limits.hpp.
#include "jinja_plugin.hpp"

#include <string>

namespace {

/// The message, without the host's words before it.
std::string refusal(const std::string& source, const std::string& input = "{}") {
  const auto prompt = render(source, input);
  if (prompt) return "rendered " + std::to_string(prompt->text.size()) + " bytes";
  CHECK(prompt.error().code == TENON_LIMIT);
  const std::string& message = prompt.error().message;
  return message.substr(message.find(": ") + 2);
}

const std::string kSteps = "line 1: the template takes more than 10000000 steps";
const std::string kMemory = "line 1: the template needs more than 128 MiB of memory";
const std::string kOutput = "line 1: the template writes more than 16777216 bytes";
const std::string kDepth = "line 1: the template's evaluation goes more than 1000 levels deep";
const std::string kValues = "line 1: the template nests lists or dicts more than 200 levels deep";
const std::string kNumber = "line 1: a number of the template is beyond 64 bits";

/// `body` n times in a loop (n <= 10^10), over the namespace ns with the attributes that `set` gives.
std::string repeated(const std::string& set, const std::string& body) {
  return "{% set ns = namespace(" + set + ") %}{% for i in range(100000) %}{% for j in range(100000) %}" + body +
         "{% endfor %}{% endfor %}";
}

std::string repeat(const std::string& text, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += text;
  return out;
}

}  // namespace

TEST_CASE("a template that runs on ends at the limit of steps") {
  CHECK(refusal(repeated("", "")) == kSteps);
  CHECK(refusal(repeated("", "{% set x = i %}")) == kSteps);
  CHECK(refusal(repeated("l=[1, 2, 3]", "{% if 9 in ns.l %}{% endif %}")) == kSteps);
  CHECK(refusal("{% for i in x %}{% for j in x %}{% endfor %}{% endfor %}",
                "{\"x\": \"" + std::string(10000, 'a') + "\"}") == kSteps);
}

TEST_CASE("work on long strings counts as steps, whatever it finds") {
  const std::string input =
      R"({"x": ")" + std::string(1 << 20, 'a') + R"(", "y": ")" + std::string(1 << 19, 'a') + "b\"}";
  for (const char* each : {"{{ y in x }}", "{{ x.rfind(y) }}", "{{ x | upper | length }}", "{{ x.split(y) | length }}",
                           "{{ x | trim('a') }}", "{{ x[::-1] | length }}", "{{ {x: 1}[x] }}", "{{ x.strip(y) }}",
                           "{{ x | tojson | length }}"}) {
    INFO(each);
    CHECK(refusal(repeated("", each), input) == kSteps);
  }
}

TEST_CASE("lists, strings and dicts that double end at the limit of memory") {
  CHECK(refusal(repeated("l=[1]", "{% set ns.l = ns.l + ns.l %}")) == kMemory);
  CHECK(refusal(repeated("l={}", "{% set ns.l = dict(ns.l, **{i ~ '-' ~ j: ns.l | length}) %}")) == kSteps);
  CHECK(refusal(repeated("l='a'", "{% set ns.l = ns.l + ns.l %}")) == kMemory);
  CHECK(refusal(repeated("l='a'", "{% set ns.l = ns.l ~ ns.l %}")) == kMemory);
  CHECK(refusal(repeated("l='a'", "{% set ns.l = ns.l * 2 %}")) == kMemory);
  CHECK(refusal(repeated("l='ab'", "{% set ns.l = ns.l.join([ns.l, ns.l, ns.l]) %}")) == kMemory);
  CHECK(refusal(repeated("l='a'", "{% set ns.l %}{{ ns.l }}{{ ns.l }}{% endset %}")) == kOutput);
  CHECK(refusal("{{ 'ab' * 1000000000000 }}") == kMemory);
  CHECK(refusal("{{ 'ab' * 9223372036854775807 }}") == kMemory);
  CHECK(refusal("{{ 'a'.center(1000000000000) }}") == kMemory);
  CHECK(refusal("{{ 'a'.zfill(1000000000000) }}") == kMemory);
  CHECK(refusal("{{ '%1000000000000d' % 1 }}") == kMemory);
  CHECK(refusal("{{ '{:>1000000000000}'.format(1) }}") == kMemory);
  CHECK(refusal("{{ [1] | tojson(indent=1000000000000) }}") == kMemory);
  CHECK(refusal("{{ 'a' | indent(1000000000000, true) }}") == kMemory);
  CHECK(refusal("{{ [1] * 1000000000000 }}") == kMemory);
}

TEST_CASE("values that share their parts are not written or compared beyond the limits") {
  const std::string doubled =
      "{% set ns = namespace(a=[1], b=[1]) %}{% for i in range(100) %}"
      "{% set ns.a = [ns.a, ns.a] %}{% set ns.b = [ns.b, ns.b] %}{% endfor %}";
  CHECK(refusal(doubled + "{{ ns.a }}") == kSteps);
  CHECK(refusal(doubled + "{{ ns.a | tojson }}") == kSteps);
  CHECK(refusal(doubled + "{{ ns.a == ns.b }}") == kSteps);
  CHECK(refusal(doubled + "{{ ns.a < ns.b }}") == kSteps);
  CHECK(refusal(doubled + "{{ [ns.a, ns.b] | sort }}") == kSteps);
  CHECK(refusal("{% set ns = namespace(a=(1, 1)) %}{% for i in range(100) %}{% set ns.a = (ns.a, ns.a) %}{% endfor %}"
                "{{ {ns.a: 1} }}") == "line 1: the key of a dict is too long");
  CHECK(refusal("{% set ns = namespace(a=(1, 1)) %}{% for i in range(100) %}{% set ns.a = (ns.a, ns.a) %}{% endfor %}"
                "{{ {'b': 1}[ns.a] }}") == kSteps);
}

TEST_CASE("a huge prompt ends at the limit of output") {
  const std::string input = "{\"x\": \"" + std::string(1000, 'a') + "\"}";
  CHECK(refusal("{% for i in range(90000) %}{{ x }}{% endfor %}", input) == kOutput);
  CHECK(render("{% for i in range(16000) %}{{ x }}{% endfor %}", input));
  CHECK(refusal("a\n{% for i in range(100000) %}{{ x }}\n{% endfor %}", input) ==
        "line 2: the template writes more than 16777216 bytes");
}

TEST_CASE("macros, loops and call blocks that call themselves end at the limit of depth") {
  CHECK(refusal("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}") == kDepth);
  CHECK(refusal("{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}") == kDepth);
  CHECK(refusal("{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}") == kDepth);
  CHECK(refusal("{% macro m(a=m()) %}{% endmacro %}{{ m() }}") == kDepth);
  CHECK(refusal("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}") == kDepth);
  CHECK(refusal("{% set ns = namespace() %}{% macro m() %}{{ ns.f() }}{% endmacro %}{% set ns.f = m %}{{ m() }}") ==
        kDepth);
  CHECK(refusal("{{ 'a' | map(" + repeat("'map',", 2000) + "'string') | list }}") == kDepth);
}

TEST_CASE("values cannot nest without bound") {
  CHECK(refusal(repeated("l=[]", "{% set ns.l = [ns.l] %}")) == kValues);
  CHECK(refusal(repeated("l={}", "{% set ns.l = {'a': ns.l} %}")) == kValues);
  CHECK(refusal(repeated("l=()", "{% set ns.l = dict(a=ns.l) %}")) == kValues);
  CHECK(refusal(repeated("l={}", "{% set ns.l = {'f': ns.l.keys} %}")) == kValues);
}

TEST_CASE("a namespace may hold itself, and nothing of it is left over") {
  const std::string own = "{% set ns = namespace(a=1) %}{% set ns.own = ns %}{% set ns.list = [ns, {'a': ns}] %}";
  CHECK(refusal(own + "{{ ns }}") == kDepth);
  CHECK(refusal(own + "{{ ns.list | string }}") == kDepth);
  CHECK(refusal(own + "{{ ns.list == [ns, {'a': ns}] }}") == "rendered 4 bytes");
  CHECK(refusal(own + "{{ ns.own.own.own.a }}") == "rendered 1 bytes");
  CHECK(refusal(own + "{% set other = namespace(x=ns) %}{% set ns.other = other %}ok") == "rendered 2 bytes");
  CHECK(refusal("{% set ns = namespace() %}{% macro m() %}{{ ns }}{% endmacro %}{% set ns.m = m %}ok") ==
        "rendered 2 bytes");
  CHECK(refusal("{% set ns = namespace() %}{% for i in [ns] %}{% set ns.loop = loop %}{% endfor %}ok") ==
        "rendered 2 bytes");
}

TEST_CASE("long chains of namespaces, macros and scopes are freed without deep recursion") {
  const std::string chain = "{% set ns = namespace() %}{% for i in range(100000) %}";
  CHECK(refusal(chain + "{% set ns.next = namespace(next=ns.next) %}{% endfor %}ok") == "rendered 2 bytes");
  CHECK(refusal(chain +
                "{% set before = ns.m %}{% macro m() %}{{ before }}{% endmacro %}{% set ns.m = m %}{% endfor %}ok") ==
        "rendered 2 bytes");
  CHECK(refusal("{% macro k() %}{% set ns.c = caller %}{% endmacro %}" + chain +
                "{% set before = ns.c %}{% call k() %}{{ before }}{% endcall %}{% endfor %}ok") == "rendered 2 bytes");
  CHECK(refusal(repeated("l=[1]", "{% for x in [ns.l] %}{% set ns.l = loop %}{% endfor %}")) == kValues);
}

TEST_CASE("numbers beyond 64 bits are refused") {
  for (const char* each : {"9223372036854775807 + 1", "-9223372036854775807 - 2", "9223372036854775807 * 2", "2 ** 63",
                           "10 ** 1000000000000", "(-9223372036854775807 - 1) // -1", "-(-9223372036854775807 - 1)",
                           "(-9223372036854775807 - 1) | abs", "1e300 | int", "'99999999999999999999' | int",
                           "1e19 | int", "10.0 ** 400", "'%d' % 1e300", "[9223372036854775807, 1] | sum"}) {
    INFO(each);
    CHECK(refusal("{{ " + std::string(each) + " }}") == kNumber);
  }
  CHECK(render("{{ (-9223372036854775807 - 1) % -1 }}", "{}")->text == "0");
}

TEST_CASE("ranges are bounded, at the ends of the numbers too") {
  CHECK(refusal("{{ range(100001) }}") == "line 1: a range of the template has more than 100000 numbers");
  CHECK(refusal("{{ range(-9223372036854775807, 9223372036854775807) }}") ==
        "line 1: a range of the template has more than 100000 numbers");
  CHECK(render("{{ range(9223372036854775806, 9223372036854775807, 5) | list }}", "{}")->text ==
        "[9223372036854775806]");
  CHECK(render("{{ range(-9223372036854775807, -9223372036854775807 - 1, -9223372036854775807) | length }}", "{}")
            ->text == "1");
}

TEST_CASE("brackets, blocks and operators nest as deep as the limits say, then are refused with their place") {
  const auto nested = [](const std::string& open, const std::string& close, int n) {
    return repeat(open, n) + "1" + repeat(close, n);
  };
  const std::string deep = "the template nests brackets or blocks more than 200 levels deep";
  CHECK(render("{{ " + nested("(", ")", 190) + " }}", "{}")->text == "1");
  CHECK(refusal("{{ " + nested("(", ")", 100000) + " }}") == "line 1, column 203: " + deep);
  CHECK(refusal("{{ " + nested("[", "]", 100000) + " }}").find(deep) != std::string::npos);
  CHECK(refusal("{{ " + nested("{1:", "}", 100000) + " }}").find(deep) != std::string::npos);
  CHECK(refusal("{{ " + nested("f(", ")", 100000) + " }}").find(deep) != std::string::npos);
  CHECK(refusal("{{ " + nested("not ", "", 100000) + " }}").find(deep) != std::string::npos);
  CHECK(refusal("{{ " + nested("- ", "", 100000) + " }}").find(deep) != std::string::npos);
  CHECK(refusal("{{ " + nested("1 if 1 else ", "", 50000) + " }}").find(deep) != std::string::npos);
  CHECK(refusal("{% set " + nested("(", ")", 100000) + " = 1 %}").find(deep) != std::string::npos);
  CHECK(refusal(repeat("{% if 1 %}", 10000)).find(deep) != std::string::npos);
  CHECK(refusal(repeat("{% for x in y %}", 10000)).find(deep) != std::string::npos);
  const std::string high = "an expression of the template has more than 500 levels";
  for (const char* link : {"+1", "|trim", ".a", "[0]", " and 1", "*1", "**1", "()", " or 1", " if 1", "-1"}) {
    INFO(link);
    CHECK(refusal("{{ x" + repeat(link, 100000) + " }}").find(high) != std::string::npos);
  }
  CHECK(render("{{ x" + repeat("+1", 400) + " }}", R"({"x": 1})")->text == "401");
  CHECK(render("{{ x" + repeat("~1", 5000) + " }}", R"({"x": 1})")->text.size() == 5001);
}

TEST_CASE("many arguments and many keys do not take quadratic time") {
  std::string named, parameters, members;
  for (int i = 0; i < 100000; ++i) {
    if (i < 50000) named += "a" + std::to_string(i) + "=1,";
    if (i < 50000) parameters += "a" + std::to_string(i) + ",";
    members += "\"k" + std::to_string(i) + "\": 1,";
  }
  CHECK(refusal("{{ f(" + named + ") }}").find("a call has more than 250 named arguments") != std::string::npos);
  CHECK(refusal("{% macro m(" + parameters + ") %}{% endmacro %}").find("a macro has more than 250 parameters") !=
        std::string::npos);
  const std::string input = "{\"d\": {" + members + "\"z\": 7}}";
  CHECK(render("{{ d.z }}{{ d | length }}{{ dict(**d).z }}", input)->text == "71000017");
  CHECK(refusal("{% macro m(a) %}{{ kwargs.z }}{% endmacro %}" + repeated("", "{% set x = m(**d) %}"), input) ==
        kSteps);
}

TEST_CASE("a template of megabytes and an input of many brackets are refused") {
  CHECK(refusal(std::string((1 << 20) + 1, 'a')) ==
        "the template has 1048577 bytes, 1048576 are the most; is it a template at all?");
  CHECK(refusal("{{ m }}", "{\"m\": " + std::string(200000, '[') + std::string(200000, ']') + "}") ==
        "the input of a template nests more than 100 levels deep");
  CHECK(render("{{ m }}", R"({"m": "[[{{\"[["})")->text == "[[{{\"[[");
}

TEST_CASE("calls with too few, too many or wrong arguments say so") {
  const auto message = [](const std::string& source) {
    const auto prompt = render(source, R"({"l": [1], "d": {}})");
    REQUIRE_FALSE(prompt);
    CHECK(prompt.error().code == TENON_INVALID);
    return prompt.error().message.substr(prompt.error().message.find(": ") + 2);
  };
  CHECK(message("{{ 'a' | replace }}") == "line 1: replace needs its argument 'old'");
  CHECK(message("{{ 'a' | replace('b') }}") == "line 1: replace needs its argument 'new'");
  CHECK(message("{{ 'a'.replace('b') }}") == "line 1: replace needs its argument 'new'");
  CHECK(message("{{ 'a' | trim(1, 2) }}") == "line 1: trim takes 2 arguments at most, 3 are given");
  CHECK(message("{{ l | join(sep=1) }}") == "line 1: join has no argument 'sep'");
  CHECK(message("{{ 'a' | center('x') }}") == "line 1: center needs an integer as 'width', found a string");
  CHECK(message("{{ l | map | list }}") == "line 1: map needs its argument 'attribute'");
  CHECK(message("{{ l | selectattr }}") == "line 1: selectattr needs the name of an attribute");
  CHECK(message("{{ range() }}") == "line 1: range needs its argument 'start'");
  CHECK(message("{{ 1 is divisibleby }}") == "line 1: divisibleby needs its argument 'other'");
  CHECK(message("{{ d.get() }}") == "line 1: get needs its argument 'key'");
  CHECK(message("{{ raise_exception() }}") == "line 1: raise_exception needs its argument 'message'");
  CHECK(message("{{ l.append(1) }}") == "line 1: 'append' is called, there is no such function here");
  CHECK(message("\n\n{{ 'a' | nope }}") == "line 3: the filter 'nope' is not known");
}

TEST_CASE("bytes that are no text, and codes of no character, are refused") {
  CHECK(render("a\xff", "{}").error().message == "the model's chat template: the template is not valid UTF-8");
  CHECK(render("{{ '\\ud800' }}", "{}").error().message ==
        "the model's chat template: line 1, column 4: a string has a '\\' code of no character");
  CHECK(render("{{ x }}", "[1]").error().message ==
        "the model's chat template: the input of a template must be a JSON object");
}
