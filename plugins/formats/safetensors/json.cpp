#include "json.hpp"

#include <files/message.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tenon::safetensors {
namespace {

constexpr size_t kMaxDepth = 64;
constexpr size_t kMaxNodes = size_t{1} << 22;  // a vocabulary of 260,000 with its merges has 2 million

/// Builds the tree from the parser's events; what it returns false to ends the parse, with `error` set.
class Builder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Json root;
  Error error{TENON_OK, ""};

  bool null() override { return add({}) != nullptr; }
  bool boolean(bool value) override {
    Json node;
    node.kind = Json::Kind::boolean;
    node.flag = value;
    return add(std::move(node)) != nullptr;
  }
  bool number_integer(number_integer_t value) override {
    Json node;
    node.kind = Json::Kind::integer;
    node.is_negative = value < 0;
    node.number = static_cast<uint64_t>(value);
    node.real = static_cast<double>(value);
    return add(std::move(node)) != nullptr;
  }
  bool number_unsigned(number_unsigned_t value) override {
    Json node;
    node.kind = Json::Kind::integer;
    node.number = value;
    node.real = static_cast<double>(value);
    return add(std::move(node)) != nullptr;
  }
  bool number_float(number_float_t value, const string_t&) override {
    Json node;
    node.kind = Json::Kind::real;
    node.real = value;
    return add(std::move(node)) != nullptr;
  }
  bool string(string_t& value) override {
    Json node;
    node.kind = Json::Kind::text;
    node.text = std::move(value);
    return add(std::move(node)) != nullptr;
  }
  bool binary(binary_t&) override { return fail(TENON_INVALID, "binary data"); }
  bool start_object(size_t) override { return open(Json::Kind::map); }
  bool start_array(size_t) override { return open(Json::Kind::list); }
  bool key(string_t& value) override {
    keys_.back() = std::move(value);
    return true;
  }
  bool end_object() override {
    const Json& map = *open_.back();
    std::vector<std::string_view> names;
    names.reserve(map.entries.size());
    for (const auto& [name, value] : map.entries) names.push_back(name);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    if (twice != names.end()) return fail(TENON_INVALID, fmt::format("key {} appears twice", formats::quoted(*twice)));
    return close();
  }
  bool end_array() override { return close(); }
  bool parse_error(size_t position, const std::string&, const nlohmann::json::exception& e) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ...": the text behind the place.
    std::string what = e.what();
    if (const size_t colon = what.find(": "); colon != std::string::npos) what = what.substr(colon + 2);
    return fail(TENON_INVALID, fmt::format("no valid JSON at byte {}: {}", position, formats::shown(what)));
  }

 private:
  bool fail(tenon_code code, std::string message) {
    error = {code, std::move(message)};
    return false;
  }

  /// nullptr where the limit is passed. Addresses of open nodes stay: only the innermost one grows.
  Json* add(Json node) {
    if (++n_nodes_ > kMaxNodes) {
      fail(TENON_INVALID, fmt::format("more than {} values", kMaxNodes));
      return nullptr;
    }
    if (open_.empty()) {
      root = std::move(node);
      return &root;
    }
    Json& parent = *open_.back();
    if (parent.kind == Json::Kind::list) return &parent.items.emplace_back(std::move(node));
    return &parent.entries.emplace_back(std::move(keys_.back()), std::move(node)).second;
  }
  bool open(Json::Kind kind) {
    if (open_.size() == kMaxDepth) return fail(TENON_INVALID, fmt::format("nested deeper than {} levels", kMaxDepth));
    Json node;
    node.kind = kind;
    Json* added = add(std::move(node));
    if (added == nullptr) return false;
    open_.push_back(added);
    keys_.emplace_back();
    return true;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }

  std::vector<Json*> open_;
  std::vector<std::string> keys_;  // of each open map: the key that waits for its value
  size_t n_nodes_ = 0;
};

}  // namespace

const Json* Json::find(std::string_view key) const {
  const auto it = std::ranges::find(entries, key, &std::pair<std::string, Json>::first);
  return it == entries.end() ? nullptr : &it->second;
}

std::string_view Json::text_of(std::string_view key) const {
  const Json* value = find(key);
  return value == nullptr || !value->is(Kind::text) ? std::string_view{} : std::string_view(value->text);
}

Result<Json> parse_json(std::string_view text) {
  Builder builder;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return builder.error;
  return std::move(builder.root);
}

}  // namespace tenon::safetensors
