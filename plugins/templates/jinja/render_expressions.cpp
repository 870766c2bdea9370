#include "access.hpp"
#include "compare.hpp"
#include "filters.hpp"
#include "format.hpp"
#include "letters.hpp"
#include "numbers.hpp"
#include "print.hpp"
#include "renderer.hpp"

#include <fmt/format.h>

namespace tenon::jinja {
namespace {

/// "('messages')" for the name or attribute that an expression stands for.
std::string shown(const Expression& e) { return e.name.empty() ? "" : " ('" + e.name + "')"; }

bool holds(Budget& budget, std::string_view op, const Value& a, const Value& b) {
  if (op == "==") return equal(budget, a, b);
  if (op == "!=") return !equal(budget, a, b);
  if (op == "in") return contains(budget, b, a);
  if (op == "not in") return !contains(budget, b, a);
  const int order = compare(budget, a, b);
  if (op == "<") return order == -1;
  if (op == ">") return order == 1;
  if (op == "<=") return order == -1 || order == 0;
  return order == 1 || order == 0;
}

Text markup_sum(Budget& budget, const Text& a, const Text& b) {
  TextBuilder out(&budget);
  out.append(escape(budget, a));
  out.append(escape(budget, b));
  return out.finish(true);
}

}  // namespace

Value Renderer::evaluate(const Expression& e) {
  const Budget::Level level(budget_);
  budget_.step();
  using Kind = Expression::Kind;
  switch (e.kind) {
    case Kind::literal: return e.value;
    case Kind::name: return find(e.symbol);
    case Kind::list:
    case Kind::tuple: return evaluate_list(e, e.kind == Kind::tuple);
    case Kind::dict: return evaluate_dict(e);
    case Kind::attribute:
    case Kind::index: return evaluate_access(e);
    case Kind::slice: return evaluate_slice(e);
    case Kind::call: return call(e, {});
    case Kind::filter:
    case Kind::test: {
      const Arguments args = arguments(e, 0);
      line_ = e.line;
      return e.kind == Kind::filter ? apply_filter(budget_, e.name, args) : Value(apply_test(budget_, e.name, args));
    }
    case Kind::not_: return Value(!truthy(evaluate(*e.children[0])));
    case Kind::negative: return negative(evaluate(*e.children[0]));
    case Kind::positive: return negative(negative(evaluate(*e.children[0])));
    case Kind::arithmetic: return evaluate_arithmetic(e);
    case Kind::compare: return evaluate_compare(e);
    case Kind::concat: return evaluate_concat(e);
    case Kind::and_: {
      Value left = evaluate(*e.children[0]);
      return truthy(left) ? evaluate(*e.children[1]) : left;
    }
    case Kind::or_: {
      Value left = evaluate(*e.children[0]);
      return truthy(left) ? left : evaluate(*e.children[1]);
    }
    case Kind::conditional:
      if (truthy(evaluate(*e.children[0]))) return evaluate(*e.children[1]);
      return e.children[2] == nullptr ? Value() : evaluate(*e.children[2]);
  }
  return {};
}

Value Renderer::evaluate_list(const Expression& e, bool is_tuple) {
  ListMaker items(&budget_);
  for (const ExpressionPtr& child : e.children) items.add(evaluate(*child));
  return items.finish(is_tuple ? List::Kind::tuple : List::Kind::list);
}

Value Renderer::evaluate_dict(const Expression& e) {
  Dict dict(&budget_);
  for (size_t i = 0; i < e.children.size(); i += 2) {
    Value key = evaluate(*e.children[i]);
    dict.set(std::move(key), evaluate(*e.children[i + 1]));
  }
  return dict_value(std::move(dict));
}

Value Renderer::evaluate_access(const Expression& e) {
  const Value object = evaluate(*e.children[0]);
  const bool is_attribute = e.kind == Expression::Kind::attribute;
  const Value key = is_attribute ? Value() : evaluate(*e.children[1]);
  line_ = e.line;
  if (!object.is_undefined()) return is_attribute ? attribute(budget_, object, e.name) : item(budget_, object, key);
  const Text name = is_attribute ? Text(e.name, true) : repr(budget_, key);
  throw RenderError(is_attribute
                        ? fmt::format("'{}' of something that is not defined{}", e.name, shown(*e.children[0]))
                        : fmt::format("[{}] of something that is not defined{}", name.bytes(), shown(*e.children[0])));
}

Value Renderer::evaluate_slice(const Expression& e) {
  const Value object = evaluate(*e.children[0]);
  std::optional<int64_t> parts[3];
  for (size_t i = 0; i < 3; ++i) {
    if (e.children[i + 1] == nullptr) continue;
    const Value part = evaluate(*e.children[i + 1]);
    if (part.is_none()) continue;
    if (!part.is_integer()) throw RenderError(fmt::format("a slice needs integers, found {}", type_name(part)));
    parts[i] = integer_of(part);
  }
  line_ = e.line;
  return slice(budget_, object, parts[0], parts[1], parts[2]);
}

Value Renderer::evaluate_compare(const Expression& e) {
  Value left = evaluate(*e.children[0]);
  for (size_t i = 0; i < e.operators.size(); ++i) {
    Value right = evaluate(*e.children[i + 1]);
    line_ = e.line;
    if (!holds(budget_, e.operators[i], left, right)) return Value(false);
    left = std::move(right);
  }
  return Value(true);
}

Value Renderer::evaluate_arithmetic(const Expression& e) {
  const Value a = evaluate(*e.children[0]), b = evaluate(*e.children[1]);
  line_ = e.line;
  const Text *x = a.text(), *y = b.text();
  if (x != nullptr && e.name == "%") {
    Arguments args;
    const bool is_tuple = b.list() != nullptr && b.list()->is_tuple();
    if (is_tuple)
      args.positional = b.list()->items;
    else
      args.positional.push_back(b);
    // As in Python, what could be looked up by name may be left over.
    const bool has_names = !is_tuple && (b.dict() != nullptr || b.list() != nullptr || b.is_undefined());
    return Value(format_percent(budget_, *x, args, !has_names));
  }
  if (x != nullptr && y != nullptr && e.name == "+" && (x->is_markup() || y->is_markup())) {
    return Value(markup_sum(budget_, *x, *y));
  }
  return calculate(budget_, e.name, a, b);
}

Value Renderer::evaluate_concat(const Expression& e) {
  TextBuilder out(&budget_);
  for (const ExpressionPtr& child : e.children) out.append(to_text(budget_, evaluate(*child)));
  return Value(out.finish());
}

}  // namespace tenon::jinja
