// Loops, macros and calls.
#include "given.hpp"
#include "loop.hpp"
#include "print.hpp"
#include "renderer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tenon::jinja {

/// The items of a for statement; those that its filter lets through, where it has one.
std::shared_ptr<const List> Renderer::loop_items(const Statement& s, const Value& iterable) {
  const List* list = iterable.list();
  const Expression* filter = s.expressions[1].get();
  if (filter == nullptr && list != nullptr && list->has_length()) return *iterable.as<std::shared_ptr<const List>>();
  ListMaker items(&budget_);
  each(budget_, iterable, [&](const Value& item) {
    if (filter != nullptr) {
      const Inside inside(*this, new_scope(scope_));
      assign(s.targets[0], item);
      if (!truthy(evaluate(*filter))) return true;
    }
    items.add(item);
    return true;
  });
  const Value made = items.finish();
  return *made.as<std::shared_ptr<const List>>();
}

Renderer::Flow Renderer::execute_for(const Statement& s, const Value& iterable, int64_t level) {
  const std::shared_ptr<const List> items = loop_items(s, iterable);
  if (items->items.empty()) {
    const Inside inside(*this, new_scope(scope_));
    const Flow flow = s.bodies.size() > 1 ? execute(s.bodies[1]) : Flow::normal;
    return flow;
  }
  std::function<Value(const Arguments&)> recurse;
  if (s.recursive) {
    recurse = [this, &s, level, scope = keep(scope_)](const Arguments& args) {
      const Given given("loop", {"items", 1}, args);
      const Budget::Level deeper(budget_);
      TextBuilder own(&budget_);
      const Inside inside(*this, std::shared_ptr<Scope>(scope, [](Scope*) {}));
      TextBuilder* const saved = std::exchange(out_, &own);
      try {
        execute_for(s, given.at(0), level + 1);
      } catch (...) {
        out_ = saved;
        throw;
      }
      out_ = saved;
      return Value(own.finish());
    };
  }
  const auto loop = std::make_shared<Loop>(items, level, std::move(recurse));
  for (size_t i = 0; i < items->items.size(); ++i) {
    budget_.step();
    loop->move_to(i);
    const Inside inside(*this, new_scope(scope_));
    set(s.symbol, Value(std::shared_ptr<const Loop>(loop)));
    assign(s.targets[0], items->items[i]);
    if (execute(s.bodies[0]) == Flow::break_) break;
  }
  return Flow::normal;
}

Value Renderer::macro_value(const Macro& macro) {
  return function_value(macro.name, [this, &macro, scope = keep(scope_)](const Arguments& args) {
    return call_macro(macro, scope, args);
  });
}

Value Renderer::call_macro(const Macro& macro, Scope* defined_in, const Arguments& args) {
  const Budget::Level level(budget_);
  const int line = line_;
  // The scope is kept until the end, so the pointer to it owns nothing.
  const Inside inside(*this, new_scope(std::shared_ptr<Scope>(defined_in, [](Scope*) {})));
  bind(macro, args);
  Value result(captured(macro.body));
  line_ = line;
  return result;
}

void Renderer::bind(const Macro& macro, const Arguments& args) {
  for (size_t i = 0; i < macro.parameters.size(); ++i) {
    const Parameter& parameter = macro.parameters[i];
    const auto named = std::ranges::find(args.named, parameter.name, [](const auto& each) { return each.first; });
    if (i < args.positional.size() && named != args.named.end()) {
      throw RenderError(fmt::format("the macro '{}' is given '{}' twice", macro.name, parameter.name));
    }
    if (i < args.positional.size())
      set(parameter.symbol, args.positional[i]);
    else if (named != args.named.end())
      set(parameter.symbol, named->second);
    else
      set(parameter.symbol, parameter.fallback == nullptr ? Value() : evaluate(*parameter.fallback));
  }
  bind_rest(macro, args);
}

/// caller, and the arguments that no parameter takes.
void Renderer::bind_rest(const Macro& macro, const Arguments& args) {
  const auto is_parameter = [&](const std::string& name) {
    return std::ranges::any_of(macro.parameters, [&](const Parameter& each) { return each.name == name; });
  };
  if (!is_parameter("caller")) set(macro.caller, Value());
  if (args.positional.size() > macro.parameters.size() && !macro.takes_more) {
    throw RenderError(fmt::format("the macro '{}' takes {} arguments at most, {} are given", macro.name,
                                  macro.parameters.size(), args.positional.size()));
  }
  if (macro.takes_more) {
    ListMaker more(&budget_);
    for (size_t i = macro.parameters.size(); i < args.positional.size(); ++i) more.add(args.positional[i]);
    set(macro.varargs, more.finish(List::Kind::tuple));
  }
  Dict more_named(&budget_);
  for (const auto& [name, value] : args.named) {
    if (is_parameter(name)) continue;
    if (name == "caller")
      set(macro.caller, value);
    else if (macro.takes_more_named)
      more_named.set(name, value);
    else
      throw RenderError(fmt::format("the macro '{}' has no argument '{}'", macro.name, name));
  }
  if (macro.takes_more_named) set(macro.kwargs, dict_value(std::move(more_named)));
}

Value Renderer::call(const Expression& e, std::optional<Value> caller) {
  const Expression& named = *e.children[0];
  const Value callee = evaluate(named);
  Arguments args = arguments(e, 1);
  if (caller) args.named.emplace_back("caller", std::move(*caller));
  line_ = e.line;
  if (const Function* function = callee.to<Function>()) return function->run(args);
  if (const Loop* loop = callee.to<Loop>()) return loop->call(args);
  const std::string name = named.name.empty() ? "a value" : "'" + named.name + "'";
  if (!callee.is_undefined())
    throw RenderError(fmt::format("{} is called, it is {}, no function", name, type_name(callee)));
  throw RenderError(fmt::format("{} is called, there is no such function here", name));
}

Arguments Renderer::arguments(const Expression& e, size_t first) {
  Arguments args;
  for (size_t i = first; i < e.children.size(); ++i) args.positional.push_back(evaluate(*e.children[i]));
  for (const auto& [name, value] : e.named) args.named.emplace_back(name, evaluate(*value));
  if (e.more != nullptr || e.more_named != nullptr) spread(e, args);
  return args;
}

/// *list and **dict.
void Renderer::spread(const Expression& e, Arguments& args) {
  if (e.more != nullptr) {
    for (Value& item : elements(budget_, evaluate(*e.more))) args.positional.push_back(std::move(item));
  }
  if (e.more_named == nullptr) return;
  const Value more = evaluate(*e.more_named);
  if (more.dict() == nullptr) throw RenderError(fmt::format("'**' needs a dict, found {}", type_name(more)));
  for (const auto& [key, value] : more.dict()->items()) {
    budget_.step();
    if (key.text() == nullptr) throw RenderError("'**' needs a dict whose keys are strings");
    args.named.emplace_back(std::string(key.text()->bytes()), value);
  }
}

}  // namespace tenon::jinja
