// Every case of cases.json, which make_cases.py renders with the `jinja2` package.
#include "jinja_plugin.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

namespace {

// Ordered: the dicts of a case keep the order in which jinja2 saw them.
using Json = nlohmann::ordered_json;

std::string source_of(const Json& group) {
  if (group.contains("template")) return group.at("template");
  const std::string name = group.at("file");
  std::ostringstream text;
  text << std::ifstream(TENON_TEST_SOURCE "/tests/unit/jinja/templates/" + name, std::ios::binary).rdbuf();
  return text.str();
}

void check(const Json& each) {
  const std::string source = source_of(each);
  INFO(source);
  INFO(each.at("input").dump());
  const auto prompt = render(source, each.at("input").dump());
  const Json& expected = each.at("expected");
  if (expected.contains("text")) {
    CHECK((prompt ? prompt->text : "error: " + prompt.error().message) == expected.at("text").get<std::string>());
  } else {
    INFO("jinja2: " << expected.at("error").get<std::string>());
    CHECK_FALSE(prompt);
  }
}

Json cases(const char* kind) {
  return Json::parse(std::ifstream(TENON_TEST_SOURCE "/tests/unit/jinja/cases.json")).at(kind);
}

}  // namespace

TEST_CASE("snippets of the language render, or are refused, as jinja2 does") {
  const Json snippets = cases("snippets");
  REQUIRE(snippets.size() >= 300);
  for (const Json& each : snippets) check(each);
}

TEST_CASE("whole chat templates in the shape of the model families render as jinja2 does") {
  const Json chats = cases("chats");
  REQUIRE(chats.size() >= 60);
  for (const Json& each : chats) check(each);
}
