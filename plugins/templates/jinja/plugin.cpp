// The `jinja` plug-in: parses a chat template once, renders messages many times.
#include "ast.hpp"
#include "lexer.hpp"
#include "render.hpp"

#include <tenon/chat_template.hpp>
#include <tenon/plugin.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace {

using namespace tenon;

constexpr int kMostJsonDepth = 100;

/// Whether the brackets of a JSON text nest deeper than kMostJsonDepth; the parsed tree is walked by recursion.
bool is_too_deep(std::string_view json) {
  int depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '[' || c == '{') && ++depth > kMostJsonDepth)
      return true;
    else if (!in_string && (c == ']' || c == '}'))
      --depth;
  }
  return false;
}

/// Strings are untrusted, except the two that the host takes from the vocabulary.
jinja::Value from_json(const nlohmann::ordered_json& json, bool trusted) {
  using jinja::Value;
  switch (json.type()) {
    case nlohmann::json::value_t::boolean: return Value(json.get<bool>());
    case nlohmann::json::value_t::number_integer:
    case nlohmann::json::value_t::number_unsigned: return Value(json.get<int64_t>());
    case nlohmann::json::value_t::number_float: return Value(json.get<double>());
    case nlohmann::json::value_t::string: return jinja::text_value(json.get_ref<const std::string&>(), trusted);
    case nlohmann::json::value_t::array: {
      jinja::List items;
      for (const auto& item : json) items.push_back(from_json(item, false));
      return jinja::list_value(std::move(items));
    }
    case nlohmann::json::value_t::object: {
      auto dict = std::make_shared<jinja::Dict>();
      for (const auto& [key, value] : json.items()) dict->set(key, from_json(value, false));
      return Value(std::move(dict));
    }
    default: return Value(jinja::None{});
  }
}

std::vector<tenon_range> trusted_ranges(const jinja::Text& text) {
  std::vector<tenon_range> ranges;
  for (size_t i = 0; i < text.bytes().size(); ++i) {
    if (!text.trusted_at(i)) continue;
    if (!ranges.empty() && ranges.back().end == i)
      ++ranges.back().end;
    else
      ranges.push_back({i, i + 1});
  }
  return ranges;
}

class JinjaTemplate final : public ChatTemplate {
 public:
  explicit JinjaTemplate(jinja::Body body) : body_(std::move(body)) {}

  Result<void> render(std::string_view input_json, const tenon_sink& text, const tenon_sink& ranges) const override {
    if (is_too_deep(input_json)) {
      return invalid(fmt::format("the input of a template nests more than {} levels deep", kMostJsonDepth));
    }
    const auto json = nlohmann::ordered_json::parse(input_json, nullptr, false);
    if (!json.is_object()) return invalid("the input of a template must be a JSON object");
    jinja::Dict input;
    for (const auto& [key, value] : json.items())
      input.set(key, from_json(value, key == "bos_token" || key == "eos_token"));
    try {
      const jinja::Text rendered = jinja::render(body_, input);
      auto written = append(text, rendered.bytes().data(), rendered.bytes().size());
      if (!written) return written;
      const std::vector<tenon_range> trusted = trusted_ranges(rendered);
      return append(ranges, trusted.data(), trusted.size());
    } catch (const jinja::RenderError& e) {
      return Error{e.limit ? TENON_LIMIT : TENON_INVALID, e.what()};
    }
  }

 private:
  jinja::Body body_;
};

class JinjaLanguage final : public TemplateLanguage {
 public:
  const char* name() const override { return "jinja"; }
  Result<std::unique_ptr<ChatTemplate>> create(std::string_view source) const override {
    try {
      return std::unique_ptr<ChatTemplate>(std::make_unique<JinjaTemplate>(jinja::parse(source)));
    } catch (const jinja::SyntaxError& e) {
      return invalid(fmt::format("line {}: {}", e.line, e.message));
    }
  }
};

Result<std::unique_ptr<Plugin>> make(const Host&, const Options&) {
  return std::unique_ptr<Plugin>(std::make_unique<PluginOf<JinjaLanguage>>(std::make_unique<JinjaLanguage>()));
}

constexpr PluginInfo kInfo{.id = "jinja", .version = "0.1.0", .interfaces = TENON_TEMPLATE_INTERFACE};

}  // namespace

TENON_PLUGIN(kInfo, make);
