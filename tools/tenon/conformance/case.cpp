#include <conformance/case.hpp>

#include <algorithm>

namespace tenon::conformance {
namespace {

std::vector<Case> all_cases() {
  CaseList list;
  add_elementwise_cases(list);
  add_product_cases(list);
  add_gated_cases(list);
  add_attention_cases(list);
  return list.take();
}

std::vector<std::string> distinct(std::string Case::*field) {
  std::vector<std::string> names;
  for (const Case& each : all_cases()) {
    if (std::ranges::find(names, each.*field) == names.end()) names.push_back(each.*field);
  }
  return names;
}

/// FNV-1a.
uint64_t hash(std::string_view text) {
  uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
  return h;
}

/// Rows [first, first + count) of an input whose other rows belong to the batch too; an input of one row for all stays.
RunInput portion(const RunInput& whole, int64_t n_rows, int64_t first, int64_t count) {
  RunInput part = whole;
  part.n_rows = count;
  for (Rows& rows : part.in) {
    if (rows.n == n_rows) rows = rows.slice(first, count);
  }
  if (!whole.tokens.empty()) part.tokens.assign(whole.tokens.begin() + first, whole.tokens.begin() + first + count);
  return part;
}

}  // namespace

void CaseList::add(std::string op, std::string format, bool products, std::string shape, bool quick,
                   std::function<Made(Random&)> make) {
  const DTypeInfo* info = find_dtype(format);
  const bool has_blocks = products && info != nullptr && info->block_elements > 1;
  const Case made{std::move(op), std::move(format), "", std::move(shape), 0, quick, std::move(make)};
  add_class(made, has_blocks ? "int8" : "f32", TENON_CLASS_DEFAULT);
  if (has_blocks) add_class(made, "f32", TENON_CLASS_F32);
  add_class(made, "exact64", TENON_CLASS_EXACT64);
}

void CaseList::add_class(const Case& made, std::string label, uint32_t numeric_class) {
  cases_.push_back(made);
  cases_.back().class_label = std::move(label);
  cases_.back().numeric_class = numeric_class;
}

std::vector<Case> cases_of(const CaseFilter& filter) {
  std::vector<Case> cases = all_cases();
  std::erase_if(cases, [&](const Case& each) {
    return (filter.quick && !each.quick) || (!filter.op.empty() && each.op != filter.op) ||
           (!filter.format.empty() && each.format != filter.format) ||
           (!filter.name.empty() && each.name() != filter.name);
  });
  // The classes of one case are added in turns; a row of the table is one block of the list.
  std::vector<std::string> rows;
  for (const Case& each : cases) {
    if (std::ranges::find(rows, each.row()) == rows.end()) rows.push_back(each.row());
  }
  std::ranges::stable_sort(cases, {},
                           [&](const Case& each) { return std::ranges::find(rows, each.row()) - rows.begin(); });
  return cases;
}

std::vector<std::string> op_names() { return distinct(&Case::op); }
std::vector<std::string> format_names() { return distinct(&Case::format); }

Made make(const Case& given, uint64_t seed) {
  // The class is not part of it: the same numbers in every class.
  Random random(hash(given.op + "/" + given.format + "/" + given.shape) ^ (seed * 0x9E3779B97F4A7C15u));
  Made made = given.make(random);
  made.op.numeric_class = given.numeric_class;
  return made;
}

std::string size_text(std::initializer_list<int64_t> sizes) {
  std::string text;
  for (const int64_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

Made one_run(OpCase op, RunInput input, int64_t chain) {
  int64_t n = input.n_rows;
  if (n < 0) n = input.in.empty() ? static_cast<int64_t>(input.tokens.size()) : input.in[0].n;
  Made made;
  made.op = std::move(op);
  made.chain = chain;
  if (n > 1) {
    made.other.push_back({portion(input, n, 0, n / 2), portion(input, n, n / 2, n - n / 2)});
    constexpr int64_t kMostSingles = 9;
    if (n <= kMostSingles) {
      made.other.emplace_back();
      for (int64_t r = 0; r < n; ++r) made.other.back().push_back(portion(input, n, r, 1));
    } else {
      made.other.push_back({portion(input, n, 0, 1), portion(input, n, 1, n - 2), portion(input, n, n - 1, 1)});
    }
  }
  made.steps.push_back(std::move(input));
  return made;
}

}  // namespace tenon::conformance
