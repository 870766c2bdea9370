#include "print.hpp"
#include "renderer.hpp"

#include <fmt/format.h>

namespace tenon::jinja {

Renderer::Renderer(const Template& parsed, const Dict& input) : template_(parsed), output_(&budget_) {
  scope_ = new_scope(nullptr);
  for (const std::string& name : parsed.names) {
    const Value* given = input.find(name);
    base_.push_back(given == nullptr ? global(name) : *given);
  }
}

/// Namespaces and scopes may hold each other and themselves: they are emptied one by one, while all of them are still
/// alive.
Renderer::~Renderer() {
  for (const auto& space : namespaces_) space->attributes.clear();
  for (const auto& scope : kept_scopes_) scope->values.clear();
}

Rendered Renderer::run() {
  execute(template_.body);
  const Text text = output_.finish();
  Rendered rendered{std::string(text.bytes()), {}};
  size_t begin = 0;
  for (const Text::Run& run : text.runs()) {
    if (run.trusted) rendered.trusted.emplace_back(begin, run.end);
    begin = run.end;
  }
  return rendered;
}

Value Renderer::find(Symbol symbol) {
  for (const Scope* scope = scope_.get(); scope != nullptr; scope = scope->parent.get()) {
    budget_.work(8 * scope->values.size());
    for (const auto& [name, value] : scope->values) {
      if (name == symbol) return value;
    }
  }
  return base_[static_cast<size_t>(symbol)];
}

void Renderer::set(Symbol symbol, Value value) {
  budget_.work(8 * scope_->values.size());
  for (auto& [name, old] : scope_->values) {
    if (name != symbol) continue;
    std::swap(old, value);  // the old value goes last: its end may look at nothing here
    return;
  }
  scope_->charge.grow(sizeof(scope_->values.front()));
  scope_->values.emplace_back(symbol, std::move(value));
}

Scope* Renderer::keep(const std::shared_ptr<Scope>& scope) {
  if (!std::exchange(scope->kept, true)) kept_scopes_.push_back(scope);
  return scope.get();
}

void Renderer::assign(const Target& target, const Value& value) {
  if (target.kind == Target::Kind::name) return set(target.symbol, value);
  if (target.kind == Target::Kind::attribute) {
    Namespace* space = find(target.symbol).space();  // alive: the renderer keeps all
    const std::string& name = template_.names[static_cast<size_t>(target.symbol)];
    if (space == nullptr) {
      throw RenderError(fmt::format("'{}' is no namespace whose '{}' could be set", name, target.attribute));
    }
    return space->attributes.set(target.attribute, value);
  }
  const Values parts = elements(budget_, value);
  if (parts.size() != target.parts.size()) {
    throw RenderError(fmt::format("cannot take {} values for {} names", parts.size(), target.parts.size()));
  }
  for (size_t i = 0; i < parts.size(); ++i) assign(target.parts[i], parts[i]);
}

Renderer::Flow Renderer::execute(const Body& body) {
  const Budget::Level level(budget_);
  for (const Statement& s : body) {
    budget_.step();
    line_ = s.line;
    const Flow flow = execute(s);
    if (flow != Flow::normal) return flow;
  }
  return Flow::normal;
}

Renderer::Flow Renderer::execute(const Statement& s) {
  using Kind = Statement::Kind;
  switch (s.kind) {
    case Kind::text: write(s.text); break;
    case Kind::output: write(to_text(budget_, evaluate(*s.expressions[0]))); break;
    case Kind::if_: return execute_if(s);
    case Kind::for_: return execute_for(s, evaluate(*s.expressions[0]), 0);
    case Kind::set: assign(s.targets[0], evaluate(*s.expressions[0])); break;
    case Kind::set_block: assign(s.targets[0], Value(filtered(s, captured(s.bodies[0])))); break;
    case Kind::macro: set(s.symbol, macro_value(*s.macro)); break;
    case Kind::call_block: execute_call(s); break;
    case Kind::filter_block: write(filtered(s, captured(s.bodies[0]))); break;
    case Kind::scope: return execute_scope(s);
    case Kind::break_: return Flow::break_;
    case Kind::continue_: return Flow::continue_;
  }
  return Flow::normal;
}

Renderer::Flow Renderer::execute_if(const Statement& s) {
  for (size_t i = 0; i < s.expressions.size(); ++i) {
    if (truthy(evaluate(*s.expressions[i]))) return execute(s.bodies[i]);
  }
  return s.bodies.size() > s.expressions.size() ? execute(s.bodies.back()) : Flow::normal;
}

Renderer::Flow Renderer::execute_scope(const Statement& s) {
  Values values;  // all of them are evaluated outside
  for (const ExpressionPtr& e : s.expressions) values.push_back(evaluate(*e));
  const Inside inside(*this, new_scope(scope_));
  for (size_t i = 0; i < values.size(); ++i) assign(s.targets[i], values[i]);
  return execute(s.bodies[0]);
}

void Renderer::execute_call(const Statement& s) {
  write(to_text(budget_, call(*s.expressions[0], macro_value(*s.macro))));
}

void Renderer::write(const Text& text) {
  out_->append(text);
  budget_.check_output(out_->size());
}

Text Renderer::captured(const Body& body) {
  TextBuilder own(&budget_);
  TextBuilder* const saved = std::exchange(out_, &own);
  try {
    const Inside inside(*this, new_scope(scope_));
    execute(body);
  } catch (...) {
    out_ = saved;
    throw;
  }
  out_ = saved;
  return own.finish();
}

Text Renderer::filtered(const Statement& s, Text text) {
  if (s.expressions.empty() || s.expressions[0] == nullptr) return text;
  const Inside inside(*this, new_scope(scope_));
  set(s.symbol, Value(std::move(text)));
  return to_text(budget_, evaluate(*s.expressions[0]));
}

Rendered render(const Template& parsed, const Dict& input) {
  Renderer renderer(parsed, input);
  try {
    return renderer.run();
  } catch (const RenderError& e) {
    throw RenderError(fmt::format("line {}: {}", renderer.line(), e.what()), e.limit);
  }
}

}  // namespace tenon::jinja
