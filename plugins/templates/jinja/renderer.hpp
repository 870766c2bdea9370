// One rendering: its names and budget, and the evaluation in four parts: statements (render_statements.cpp), loops and
// macros (render_calls.cpp), expressions (render_expressions.cpp), functions that every template has (globals.cpp).
#pragma once

#include "ast.hpp"
#include "render.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace tenon::jinja {

/// Names set at one place of the template: at the top, in one turn of a loop, in one call of a macro. A name is looked
/// up where it stands in the template, not where it is called from.
struct Scope {
  Scope(std::shared_ptr<Scope> parent_scope, Budget* budget) : parent(std::move(parent_scope)), charge(budget, 96) {}
  std::shared_ptr<Scope> parent;
  std::vector<std::pair<Symbol, Value>> values;
  Charge charge;
  bool kept = false;
};

class Renderer {
 public:
  Renderer(const Template& parsed, const Dict& input);
  ~Renderer();
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  Rendered run();
  int line() const { return line_; }

 private:
  enum class Flow { normal, break_, continue_ };

  /// Makes a scope the current one until the end of a block.
  class Inside {
   public:
    Inside(Renderer& renderer, std::shared_ptr<Scope> scope)
        : renderer_(renderer), saved_(std::exchange(renderer.scope_, std::move(scope))) {}
    ~Inside() { renderer_.scope_ = std::move(saved_); }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Renderer& renderer_;
    std::shared_ptr<Scope> saved_;
  };

  // Names.
  std::shared_ptr<Scope> new_scope(std::shared_ptr<Scope> parent) {
    return std::make_shared<Scope>(std::move(parent), &budget_);
  }
  Value find(Symbol symbol);
  void set(Symbol symbol, Value value);
  /// For a macro or a recursive loop that looks names up in it later: stays until the end, so no macro owns its scope.
  Scope* keep(const std::shared_ptr<Scope>& scope);
  void assign(const Target& target, const Value& value);

  // Statements.
  Flow execute(const Body& body);
  Flow execute(const Statement& s);
  Flow execute_if(const Statement& s);
  Flow execute_for(const Statement& s, const Value& iterable, int64_t level);
  Flow execute_scope(const Statement& s);
  void execute_call(const Statement& s);
  void write(const Text& text);
  /// What a body writes, as a text of its own.
  Text captured(const Body& body);
  Text filtered(const Statement& s, Text text);

  // Loops and macros.
  std::shared_ptr<const List> loop_items(const Statement& s, const Value& iterable);
  Value macro_value(const Macro& macro);
  Value call_macro(const Macro& macro, Scope* defined_in, const Arguments& args);
  void bind(const Macro& macro, const Arguments& args);
  void bind_rest(const Macro& macro, const Arguments& args);

  // Expressions.
  Value evaluate(const Expression& e);
  Value evaluate_list(const Expression& e, bool is_tuple);
  Value evaluate_dict(const Expression& e);
  Value evaluate_slice(const Expression& e);
  Value evaluate_compare(const Expression& e);
  Value evaluate_arithmetic(const Expression& e);
  Value evaluate_concat(const Expression& e);
  Value evaluate_access(const Expression& e);
  Value call(const Expression& e, std::optional<Value> caller);
  Arguments arguments(const Expression& e, size_t first);
  void spread(const Expression& e, Arguments& args);

  // Functions that every template has; undefined for another name.
  Value global(const std::string& name);
  Value make_namespace(const Arguments& args);
  Value make_range(const Arguments& args);
  Dict dict_of(const Arguments& args);

  Budget budget_;  // first: outlives all values
  const Template& template_;
  std::vector<Value> base_;  // of each symbol: from the input, or a global
  std::shared_ptr<Scope> scope_;
  std::vector<std::shared_ptr<Scope>> kept_scopes_;
  std::vector<std::shared_ptr<Namespace>> namespaces_;
  TextBuilder output_;
  TextBuilder* out_ = &output_;
  int line_ = 1;
};

}  // namespace tenon::jinja
