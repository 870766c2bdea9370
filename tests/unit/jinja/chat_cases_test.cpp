// SmolLM2's own chat template against the `jinja2` package: tests/data/smollm2/chat_cases.json, made by
// tests/oracle/make_chat_cases.py.
#include "jinja_plugin.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

TEST_CASE("SmolLM2's template renders as jinja2 does, and no text of a message may become a control token") {
  const auto file = nlohmann::json::parse(std::ifstream(TENON_TEST_SOURCE "/tests/data/smollm2/chat_cases.json"));
  const std::string source = file.at("template");
  REQUIRE(file.at("cases").size() >= 6);
  for (const auto& each : file.at("cases")) {
    nlohmann::json input = {{"messages", each.at("messages")},
                            {"add_generation_prompt", each.at("add_generation_prompt")},
                            {"bos_token", "<|im_start|>"},
                            {"eos_token", "<|im_end|>"}};
    const auto prompt = render(source, input.dump());
    REQUIRE(prompt);
    CHECK(prompt->text == each.at("rendered").get<std::string>());
    for (const auto& message : each.at("messages")) {
      const std::string content = message.at("content");
      const size_t at = content.find("<|im_end|>");
      if (at == std::string::npos) continue;
      const size_t first = prompt->text.find(content) + at;
      for (const tenon_range& range : prompt->special_ranges) CHECK((range.end <= first || range.begin >= first + 10));
    }
  }
}
