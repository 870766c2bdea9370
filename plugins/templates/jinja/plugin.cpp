// The `jinja` plug-in: parses a chat template once, renders messages many times.
#include "ast.hpp"
#include "input.hpp"
#include "lexer.hpp"
#include "limits.hpp"
#include "render.hpp"
#include "unicode.hpp"

#include <tenon/chat_template.hpp>
#include <tenon/plugin.hpp>

#include <fmt/format.h>

namespace {

using namespace tenon;

class JinjaTemplate final : public ChatTemplate {
 public:
  explicit JinjaTemplate(jinja::Template parsed) : parsed_(std::move(parsed)) {}

  Result<void> render(std::string_view input_json, const tenon_sink& text, const tenon_sink& ranges) const override {
    try {
      const jinja::Rendered rendered = jinja::render(parsed_, jinja::read_input(input_json));
      auto written = append(text, rendered.text.data(), rendered.text.size());
      if (!written) return written;
      std::vector<tenon_range> trusted;
      for (const auto& [begin, end] : rendered.trusted) trusted.push_back({begin, end});
      return append(ranges, trusted.data(), trusted.size());
    } catch (const jinja::RenderError& e) {
      return Error{e.limit ? TENON_LIMIT : TENON_INVALID, e.what()};
    }
  }

 private:
  jinja::Template parsed_;
};

class JinjaLanguage final : public TemplateLanguage {
 public:
  const char* name() const override { return "jinja"; }
  Result<std::unique_ptr<ChatTemplate>> create(std::string_view source) const override {
    if (source.size() > jinja::kMostSourceBytes) {
      return Error{TENON_LIMIT, fmt::format("the template has {} bytes, {} are the most; is it a template at all?",
                                            source.size(), jinja::kMostSourceBytes)};
    }
    if (!jinja::is_valid_utf8(source)) return invalid("the template is not valid UTF-8");
    try {
      return std::unique_ptr<ChatTemplate>(std::make_unique<JinjaTemplate>(jinja::parse(source)));
    } catch (const jinja::SyntaxError& e) {
      return Error{e.limit ? TENON_LIMIT : TENON_INVALID,
                   fmt::format("line {}, column {}: {}", e.place.line, e.place.column, e.message)};
    }
  }
};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<JinjaLanguage>>(std::make_unique<JinjaLanguage>()));
}

constexpr PluginInfo kInfo{.id = "jinja", .version = "0.2.0", .interfaces = TENON_TEMPLATE_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
