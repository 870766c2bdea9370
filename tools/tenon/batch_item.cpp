#include "batch_item.hpp"

#include <fmt/format.h>

namespace tenon::cli {
namespace {

using nlohmann::json;

constexpr int64_t kMostTokens = 1'000'000'000;

std::string shown(const json& value) {
  if (value.is_structured()) return value.is_array() ? "an array" : "an object";
  const std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() <= 60 ? text : text.substr(0, 60) + "...";
}

Error wrong_field(std::string_view key, const json& value, std::string_view expected) {
  return invalid(fmt::format("'{}' is {}, expected {}", key, shown(value), expected));
}

Result<void> read_messages(const json& value, Request& request) {
  constexpr std::string_view kExpected = "a list of {\"role\": ..., \"content\": ...} with texts, at least one";
  if (!value.is_array() || value.empty()) return wrong_field("messages", value, kExpected);
  for (const json& message : value) {
    if (!message.is_object() || message.size() != 2) return wrong_field("messages", value, kExpected);
    const auto role = message.find("role"), content = message.find("content");
    if (role == message.end() || content == message.end() || !role->is_string() || !content->is_string()) {
      return wrong_field("messages", value, kExpected);
    }
    request.messages.push_back({role->get<std::string>(), content->get<std::string>()});
  }
  return {};
}

Result<void> read_stop(const json& value, Request& request) {
  request.stop.clear();
  for (const json& each : value.is_array() ? value : json::array({value})) {
    if (!each.is_string()) return wrong_field("stop", value, "a text or a list of texts");
    request.stop.push_back(each.get<std::string>());
  }
  return {};
}

Result<void> read_field(const std::string& key, const json& value, Request& request) {
  if (key == "id") return {};
  if (key == "messages") return read_messages(value, request);
  if (key == "stop") return read_stop(value, request);
  if (key == "prompt") {
    if (!value.is_string()) return wrong_field(key, value, "a text");
    request.prompt = value.get<std::string>();
    return {};
  }
  if (key == "greedy") {
    if (!value.is_boolean()) return wrong_field(key, value, "true or false");
    request.greedy = value.get<bool>();
    return {};
  }
  if (key == "seed") {
    if (!value.is_number_unsigned()) return wrong_field(key, value, "a whole number from 0");
    request.seed = value.get<uint64_t>();
    return {};
  }
  if (key == "max_tokens") {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > kMostTokens) {
      return wrong_field(key, value, fmt::format("a whole number from 0 to {}", kMostTokens));
    }
    request.max_tokens = value.get<int64_t>();
    return {};
  }
  return invalid(
      fmt::format("'{}' is not known; a line has id, prompt or messages, max_tokens, seed, greedy, stop; "
                  "the sampling chain is the config's, for all lines",
                  key));
}

Result<Request> read_request(const json& object, const Request& defaults) {
  if (object.contains("prompt") == object.contains("messages")) {
    return invalid("the line needs either 'prompt' or 'messages'");
  }
  Request request = defaults;
  for (const auto& [key, value] : object.items()) {
    auto read = read_field(key, value, request);
    if (!read) return read.error();
  }
  return request;
}

}  // namespace

Result<BatchItem> parse_batch_item(const std::string& line, const Request& defaults) {
  json object;
  try {
    object = json::parse(line);
  } catch (const json::parse_error& e) {
    const std::string_view what = e.what();
    const size_t end_of_tag = what.find("] ");
    return invalid(
        fmt::format("no JSON: {}", end_of_tag == std::string_view::npos ? what : what.substr(end_of_tag + 2)));
  }
  if (!object.is_object()) return invalid(fmt::format("the line is {}, expected a JSON object", shown(object)));
  const auto id = object.find("id");
  if (id == object.end()) return invalid("the line has no 'id'");
  if (!id->is_string() && !id->is_number_integer()) return wrong_field("id", *id, "a text or a whole number");
  return BatchItem{*id, read_request(object, defaults)};
}

}  // namespace tenon::cli
