#include "values.hpp"

#include <algorithm>

namespace tenon::safetensors {
namespace {

tenon_value of_type(uint32_t type) {
  tenon_value value{};
  value.type = type;
  return value;
}

bool all_are(const std::vector<Json>& items, Json::Kind kind) {
  return std::ranges::all_of(items, [&](const Json& item) { return item.is(kind); });
}

}  // namespace

void Values::push(std::string key, tenon_value value) {
  if (keys_.contains(key)) return;
  const std::string_view kept = keep(key);
  keys_.insert(kept);
  values_.emplace_back(kept, value);
}

void Values::add(std::string key, std::string_view text) {
  tenon_value value = of_type(TENON_VALUE_STRING);
  value.s = str(keep(text));
  push(std::move(key), value);
}

void Values::add(std::string key, int64_t number) {
  tenon_value value = of_type(TENON_VALUE_INT);
  value.i = number;
  push(std::move(key), value);
}

void Values::add(std::string key, bool flag) {
  tenon_value value = of_type(TENON_VALUE_BOOL);
  value.u = flag ? 1 : 0;
  push(std::move(key), value);
}

void Values::add(std::string key, const std::vector<std::string>& texts) {
  std::vector<tenon_str>& list = lists_.emplace_back();
  list.reserve(texts.size());
  for (const std::string& text : texts) list.push_back(str(keep(text)));
  tenon_value value = of_type(TENON_VALUE_ARRAY);
  value.element_type = TENON_VALUE_STRING;
  value.count = list.size();
  value.strings = list.data();
  push(std::move(key), value);
}

void Values::add(std::string key, const std::vector<int64_t>& numbers) {
  const std::vector<int64_t>& list = integers_.emplace_back(numbers);
  tenon_value value = of_type(TENON_VALUE_ARRAY);
  value.element_type = TENON_VALUE_INT;
  value.count = list.size();
  value.numbers = list.data();
  push(std::move(key), value);
}

void Values::add(std::string key, const std::vector<double>& numbers) {
  const std::vector<double>& list = reals_.emplace_back(numbers);
  tenon_value value = of_type(TENON_VALUE_ARRAY);
  value.element_type = TENON_VALUE_FLOAT;
  value.count = list.size();
  value.numbers = list.data();
  push(std::move(key), value);
}

void Values::add_list(const std::string& key, const std::vector<Json>& items) {
  if (items.empty()) return;
  if (all_are(items, Json::Kind::text)) {
    std::vector<std::string> texts;
    for (const Json& item : items) texts.push_back(item.text);
    return add(key, texts);
  }
  if (all_are(items, Json::Kind::boolean) || all_are(items, Json::Kind::integer)) {
    std::vector<int64_t> numbers;
    for (const Json& item : items) {
      numbers.push_back(item.is(Json::Kind::boolean) ? int64_t{item.flag} : static_cast<int64_t>(item.number));
    }
    return add(key, numbers);
  }
  const auto is_number = [](const Json& item) { return item.is(Json::Kind::integer) || item.is(Json::Kind::real); };
  if (!std::ranges::all_of(items, is_number)) return;
  std::vector<double> numbers;
  for (const Json& item : items) numbers.push_back(item.real);
  add(key, numbers);
}

void Values::add(const std::string& key, const Json& value) {
  switch (value.kind) {
    case Json::Kind::null: return;
    case Json::Kind::boolean: return add(key, value.flag);
    case Json::Kind::text: return add(key, std::string_view(value.text));
    case Json::Kind::list: return add_list(key, value.items);
    case Json::Kind::integer:
      if (!value.is_negative && value.number > INT64_MAX) break;
      return add(key, static_cast<int64_t>(value.number));
    case Json::Kind::real: break;
    case Json::Kind::map:
      for (const auto& [name, member] : value.entries) add(key.empty() ? name : key + "." + name, member);
      return;
  }
  tenon_value number = of_type(TENON_VALUE_FLOAT);
  number.f = value.real;
  push(key, number);
}

}  // namespace tenon::safetensors
