#include "input.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace tenon::jinja {
namespace {

bool is_known_role(std::string_view role) {
  constexpr std::array<std::string_view, 5> kRoles = {"system", "developer", "user", "assistant", "tool"};
  return std::ranges::find(kRoles, role) != kRoles.end();
}

/// Makes values as the parser reads: without a tree between, in linear time for any number of keys.
class Reader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool is_too_deep() const { return too_deep_; }
  /// The whole, where it is an object.
  std::optional<Dict> take() { return std::move(whole_); }

  bool null() override { return add(Value(None{})); }
  bool boolean(bool value) override { return add(Value(value)); }
  bool number_integer(number_integer_t value) override { return add(Value(int64_t{value})); }
  bool number_unsigned(number_unsigned_t value) override {
    const bool fits = value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
    return add(fits ? Value(static_cast<int64_t>(value)) : Value(static_cast<double>(value)));
  }
  bool number_float(number_float_t value, const string_t&) override { return add(Value(value)); }
  bool string(string_t& value) override { return add(Value(Text(value, is_trusted(value)))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(true); }
  bool start_array(std::size_t) override { return open(false); }
  bool key(string_t& value) override {
    open_.back().key = std::move(value);
    return true;
  }
  bool end_object() override {
    Dict made = std::move(open_.back().dict);
    open_.pop_back();
    if (!open_.empty()) return add(dict_value(std::move(made)));
    whole_ = std::move(made);
    return true;
  }
  bool end_array() override {
    Value made = open_.back().items.finish();
    open_.pop_back();
    return add(std::move(made));
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

 private:
  struct Container {
    bool is_object;
    std::string key;  // of the value that comes next
    Dict dict{nullptr};
    ListMaker items{nullptr};
  };

  bool open(bool is_object) {
    too_deep_ = static_cast<int>(open_.size()) >= kMostJsonDepth;
    if (!too_deep_) open_.push_back({is_object});
    return !too_deep_;
  }

  bool add(Value value) {
    if (open_.empty()) return false;  // a whole that is no object
    Container& container = open_.back();
    if (container.is_object)
      container.dict.set(Value(Text(container.key, false)), std::move(value));
    else
      container.items.add(std::move(value));
    return true;
  }

  bool is_trusted(std::string_view value) const {
    if (open_.empty()) return false;
    const std::string_view name = open_.back().key;
    if (open_.size() == 1) return name == "bos_token" || name == "eos_token";
    const bool in_message =
        open_.size() == 3 && open_[0].key == "messages" && !open_[1].is_object && open_[2].is_object;
    return in_message && name == "role" && is_known_role(value);
  }

  std::vector<Container> open_;
  std::optional<Dict> whole_;
  bool too_deep_ = false;
};

}  // namespace

Dict read_input(std::string_view text) {
  Reader reader;
  const bool read = nlohmann::json::sax_parse(text, &reader);
  if (reader.is_too_deep()) {
    throw RenderError(fmt::format("the input of a template nests more than {} levels deep", kMostJsonDepth), true);
  }
  std::optional<Dict> input = reader.take();
  if (!read || !input) throw RenderError("the input of a template must be a JSON object");
  return std::move(*input);
}

}  // namespace tenon::jinja
