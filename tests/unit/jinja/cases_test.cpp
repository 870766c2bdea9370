// Every case of cases.json, which make_cases.py renders with the `jinja2` package.
#include "jinja_plugin.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace {

// Ordered: the dicts of a case keep the order in which jinja2 saw them.
using Json = nlohmann::ordered_json;

std::string source_of(const Json& each) {
  if (each.contains("template")) return each.at("template");
  const std::string name = each.at("file");
  std::ostringstream text;
  text << std::ifstream(TENON_TEST_SOURCE "/tests/unit/jinja/templates/" + name, std::ios::binary).rdbuf();
  return text.str();
}

void check(const Json& each, const Json& values) {
  const std::string source = source_of(each), input = values.dump();
  INFO(source);
  INFO(each.value("about", ""));
  const auto prompt = render(source, input);
  const Json& expected = each.at("expected");
  if (expected.contains("text")) {
    CHECK((prompt ? prompt->text : "error: " + prompt.error().message) == expected.at("text").get<std::string>());
  } else {
    INFO("jinja2: " << expected.at("error").get<std::string>());
    CHECK_FALSE(prompt);
  }
}

Json all_cases() { return Json::parse(std::ifstream(TENON_TEST_SOURCE "/tests/unit/jinja/cases.json")); }

}  // namespace

TEST_CASE("snippets of the language render, or are refused, as jinja2 does") {
  const Json all = all_cases();
  REQUIRE(all.at("snippets").size() >= 300);
  for (const Json& each : all.at("snippets")) check(each, all.at("input"));
}

TEST_CASE("whole chat templates in the shape of the model families render as jinja2 does") {
  const Json all = all_cases();
  REQUIRE(all.at("chats").size() >= 200);
  for (const Json& each : all.at("chats")) check(each, each.at("input"));
}
