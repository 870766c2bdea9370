// Metadata as the host reads it: keys with scalars, texts or flat arrays, and what they point at.
#pragma once

#include "json.hpp"

#include <deque>
#include <unordered_set>

namespace tenon::safetensors {

/// Of two equal keys the first counts.
class Values {
 public:
  void add(std::string key, std::string_view text);
  void add(std::string key, int64_t number);
  void add(std::string key, bool flag);
  void add(std::string key, const std::vector<std::string>& texts);
  void add(std::string key, const std::vector<int64_t>& numbers);
  void add(std::string key, const std::vector<double>& numbers);
  /// A scalar, or a list of texts, flags or numbers; the members of a map as key.member. What fits none is left out.
  void add(const std::string& key, const Json& value);

  size_t size() const { return values_.size(); }
  std::pair<std::string_view, tenon_value> at(size_t index) const { return values_[index]; }

 private:
  void push(std::string key, tenon_value value);
  void add_list(const std::string& key, const std::vector<Json>& items);
  std::string_view keep(std::string_view text) { return texts_.emplace_back(text); }

  std::vector<std::pair<std::string_view, tenon_value>> values_;
  std::unordered_set<std::string_view> keys_;
  // Deques: what they hold stays where it is.
  std::deque<std::string> texts_;
  std::deque<std::vector<tenon_str>> lists_;
  std::deque<std::vector<int64_t>> integers_;
  std::deque<std::vector<double>> reals_;
};

}  // namespace tenon::safetensors
