#include "input.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace tenon::jinja {
namespace {

using Json = nlohmann::ordered_json;

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

Value number(const Json& json) {
  if (json.is_number_float()) return Value(json.get<double>());
  const bool fits =
      !json.is_number_unsigned() || json.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  return fits ? Value(json.get<int64_t>()) : Value(static_cast<double>(json.get<uint64_t>()));
}

Value value_of(const Json& json) {
  if (json.is_boolean()) return Value(json.get<bool>());
  if (json.is_number()) return number(json);
  if (json.is_string()) return Value(Text(json.get_ref<const std::string&>(), false));
  if (json.is_array()) {
    ListMaker items(nullptr);
    for (const Json& item : json) items.add(value_of(item));
    return items.finish();
  }
  if (!json.is_object()) return Value(None{});
  Dict dict(nullptr);
  for (const auto& [key, value] : json.items()) dict.set(Value(Text(key, false)), value_of(value));
  return dict_value(std::move(dict));
}

bool is_known_role(std::string_view role) {
  constexpr std::array<std::string_view, 5> kRoles = {"system", "developer", "user", "assistant", "tool"};
  return std::ranges::find(kRoles, role) != kRoles.end();
}

Value message_of(const Json& json) {
  if (!json.is_object()) return value_of(json);
  Dict message(nullptr);
  for (const auto& [key, value] : json.items()) {
    const bool trusted = key == "role" && value.is_string() && is_known_role(value.get_ref<const std::string&>());
    message.set(Value(Text(key, false)),
                trusted ? Value(Text(value.get_ref<const std::string&>(), true)) : value_of(value));
  }
  return dict_value(std::move(message));
}

Value messages_of(const Json& json) {
  if (!json.is_array()) return value_of(json);
  ListMaker messages(nullptr);
  for (const Json& message : json) messages.add(message_of(message));
  return messages.finish();
}

}  // namespace

Dict read_input(std::string_view text) {
  if (is_too_deep(text)) {
    throw RenderError(fmt::format("the input of a template nests more than {} levels deep", kMostJsonDepth), true);
  }
  const auto json = Json::parse(text, nullptr, false);
  if (!json.is_object()) throw RenderError("the input of a template must be a JSON object");
  Dict input(nullptr);
  for (const auto& [key, value] : json.items()) {
    const bool is_token = (key == "bos_token" || key == "eos_token") && value.is_string();
    if (is_token)
      input.set(key, Value(Text(value.get_ref<const std::string&>(), true)));
    else
      input.set(key, key == "messages" ? messages_of(value) : value_of(value));
  }
  return input;
}

}  // namespace tenon::jinja
