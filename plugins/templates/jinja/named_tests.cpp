// What stands behind `is`.
#include "compare.hpp"
#include "filters.hpp"
#include "letters.hpp"
#include "numbers.hpp"
#include "print.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::jinja {
namespace {

using B = Budget&;
using G = const Given&;

struct Test {
  std::string_view name;
  Parameters parameters;
  bool (*run)(Budget&, const Given&);
};

constexpr Parameters kOne{"value", 1}, kTwo{"value other", 2};

bool is_iterable(const Value& v) {
  return v.text() != nullptr || v.list() != nullptr || v.dict() != nullptr || v.is_undefined();
}
bool is_sequence(const Value& v) { return is_iterable(v) && (v.list() == nullptr || v.list()->has_index()); }

bool is_same(const Value& a, const Value& b) {
  if (a.data.index() != b.data.index()) return false;
  if (a.list() != nullptr) return a.list() == b.list();
  if (a.dict() != nullptr) return a.dict() == b.dict();
  if (a.space() != nullptr) return a.space() == b.space();
  if (const bool* x = a.as<bool>()) return *x == *b.as<bool>();
  if (const auto* x = a.as<int64_t>()) return *x == *b.as<int64_t>();
  return a.is_none() || a.is_undefined() || (a.text() != nullptr && a.text()->bytes() == b.text()->bytes());
}

bool is_equal(B b, G g) { return equal(b, g.at(0), g.at(1)); }
bool is_unequal(B b, G g) { return !equal(b, g.at(0), g.at(1)); }
bool is_less(B b, G g) { return compare(b, g.at(0), g.at(1)) == -1; }
bool is_greater(B b, G g) { return compare(b, g.at(0), g.at(1)) == 1; }
bool is_at_most(B b, G g) { return compare(b, g.at(0), g.at(1)) <= 0; }
bool is_at_least(B b, G g) {
  const int order = compare(b, g.at(0), g.at(1));
  return order == 0 || order == 1;
}

bool has_rest(B budget, const Value& value, const Value& divisor, int64_t rest) {
  return equal(budget, calculate(budget, "%", value, divisor), Value(rest));
}

bool names_a(G g, bool (*is_known)(std::string_view)) {
  return g.at(0).text() != nullptr && is_known(g.at(0).text()->bytes());
}

constexpr Test kTests[] = {
    {"!=", kTwo, is_unequal},
    {"<", kTwo, is_less},
    {"<=", kTwo, is_at_most},
    {"==", kTwo, is_equal},
    {">", kTwo, is_greater},
    {">=", kTwo, is_at_least},
    {"boolean", kOne, [](B, G g) { return g.at(0).as<bool>() != nullptr; }},
    {"callable", kOne,
     [](B, G g) {
       return g.at(0).to<Function>() != nullptr || g.at(0).to<Loop>() != nullptr || g.at(0).is_undefined();
     }},
    {"defined", kOne, [](B, G g) { return !g.at(0).is_undefined(); }},
    {"divisibleby", kTwo, [](B b, G g) { return has_rest(b, g.at(0), g.at(1), 0); }},
    {"eq", kTwo, is_equal},
    {"equalto", kTwo, is_equal},
    {"escaped", kOne, [](B, G g) { return g.at(0).text() != nullptr && g.at(0).text()->is_markup(); }},
    {"even", kOne, [](B b, G g) { return has_rest(b, g.at(0), Value(int64_t{2}), 0); }},
    {"false", kOne, [](B, G g) { return g.at(0).as<bool>() != nullptr && !g.at(0).is_true(); }},
    {"filter", kOne, [](B, G g) { return names_a(g, is_filter); }},
    {"float", kOne, [](B, G g) { return g.at(0).as<double>() != nullptr; }},
    {"ge", kTwo, is_at_least},
    {"greaterthan", kTwo, is_greater},
    {"gt", kTwo, is_greater},
    {"in", kTwo, [](B b, G g) { return contains(b, g.at(1), g.at(0)); }},
    {"integer", kOne, [](B, G g) { return g.at(0).as<int64_t>() != nullptr; }},
    {"iterable", kOne, [](B, G g) { return is_iterable(g.at(0)); }},
    {"le", kTwo, is_at_most},
    {"lessthan", kTwo, is_less},
    {"lower", kOne, [](B b, G g) { return *is_of(b, to_text(b, g.at(0)), "islower"); }},
    {"lt", kTwo, is_less},
    {"mapping", kOne, [](B, G g) { return g.at(0).dict() != nullptr; }},
    {"ne", kTwo, is_unequal},
    {"none", kOne, [](B, G g) { return g.at(0).is_none(); }},
    {"number", kOne, [](B, G g) { return g.at(0).is_number(); }},
    {"odd", kOne, [](B b, G g) { return has_rest(b, g.at(0), Value(int64_t{2}), 1); }},
    {"sameas", kTwo, [](B, G g) { return is_same(g.at(0), g.at(1)); }},
    {"sequence", kOne, [](B, G g) { return is_sequence(g.at(0)); }},
    {"string", kOne, [](B, G g) { return g.at(0).text() != nullptr; }},
    {"test", kOne, [](B, G g) { return names_a(g, is_test); }},
    {"true", kOne, [](B, G g) { return g.at(0).is_true(); }},
    {"undefined", kOne, [](B, G g) { return g.at(0).is_undefined(); }},
    {"upper", kOne, [](B b, G g) { return *is_of(b, to_text(b, g.at(0)), "isupper"); }},
};
static_assert(std::ranges::is_sorted(kTests, {}, &Test::name));

const Test* find_test(std::string_view name) {
  const auto* found = std::ranges::lower_bound(kTests, name, {}, &Test::name);
  return found != std::end(kTests) && found->name == name ? found : nullptr;
}

}  // namespace

bool is_test(std::string_view name) { return find_test(name) != nullptr; }

bool apply_test(Budget& budget, std::string_view name, const Arguments& args) {
  budget.step();
  const Test* test = find_test(name);
  if (test == nullptr) throw RenderError(fmt::format("the test '{}' is not known", name));
  return test->run(budget, Given(name, test->parameters, args));
}

}  // namespace tenon::jinja
