// The jinja plug-in as the engine loads it.
#pragma once

#include <tenon/engine/text.hpp>
#include <tenon/registry/registry.hpp>

#include <catch2/catch.hpp>

inline const tenon::Registry& jinja_registry() {
  static const tenon::Registry registry = [] {
    tenon::PluginUse use;
    use.use = TENON_TEST_PLUGINS "/jinja.so";
    auto opened = tenon::Registry::open({{}, {use}, true}, tenon::silent_log());
    REQUIRE(opened);
    return std::move(*opened);
  }();
  return registry;
}

inline tenon::Result<tenon::RenderedPrompt> render(const std::string& source, const std::string& input) {
  auto made = tenon::TemplateHandle::open(jinja_registry().templates(), source);
  if (!made) return made.error();
  return made->render(input);
}
