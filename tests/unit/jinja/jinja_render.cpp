// jinja_render: reads {"template": ..., "input": {...}} a line, writes {"text": ...} or {"error": ...} a line. For
// differential.py.
#include <tenon/engine/text.hpp>
#include <tenon/registry/registry.hpp>

#include <nlohmann/json.hpp>

#include <iostream>
#include <string>

int main() {
  tenon::PluginUse use;
  use.use = TENON_TEST_PLUGINS "/jinja.so";
  auto registry = tenon::Registry::open({{}, {use}, true}, tenon::silent_log());
  if (!registry) {
    std::cerr << registry.error().message << "\n";
    return 1;
  }
  for (std::string line; std::getline(std::cin, line);) {
    const auto request = nlohmann::ordered_json::parse(line);
    nlohmann::json answer;
    auto made = tenon::TemplateHandle::open(registry->templates(), request.at("template").get<std::string>());
    if (!made) {
      answer["error"] = made.error().message;
    } else {
      auto prompt = made->render(request.at("input").dump());
      if (prompt)
        answer["text"] = prompt->text;
      else
        answer["error"] = prompt.error().message;
    }
    std::cout << answer.dump() << "\n";
  }
}
