#include "render.hpp"

#include "builtins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

namespace tenon::jinja {
namespace {

constexpr int64_t kMostSteps = 1'000'000;
constexpr size_t kMostOutput = size_t{16} << 20;
constexpr int kMostCalls = 100;  // of macros inside macros

constexpr int kMostDepth = 2000;  // of evaluation, through blocks, expressions and macros together

enum class Flow { normal, break_, continue_ };

class Renderer {
 public:
  explicit Renderer(const Dict& input) {
    scopes_.emplace_back(input);
    add_globals();
  }

  Text run(const Body& body) {
    execute(body);
    return std::move(out_);
  }

 private:
  // ---- names

  void add_globals() {
    const auto add = [&](const char* name, Function f) {
      if (scopes_.front().find(name) == nullptr) scopes_.front().set(name, Value(std::move(f)));
    };
    add("raise_exception", [](const Arguments& args) -> Value {
      throw RenderError("the template refuses these messages: " +
                        (args.positional.empty() ? "" : to_text(args.positional[0]).bytes()));
    });
    add("range", [this](const Arguments& args) { return range(args); });
    add("namespace", [](const Arguments& args) {
      auto dict = std::make_shared<Dict>();
      for (const auto& [name, value] : args.named) dict->set(name, value);
      return Value(std::move(dict));
    });
    add("dict", [](const Arguments& args) {
      auto dict = std::make_shared<Dict>();
      for (const auto& [name, value] : args.named) dict->set(name, value);
      return Value(std::move(dict));
    });
    add("strftime_now", [](const Arguments& args) {
      char buffer[128];
      const std::time_t now = std::time(nullptr);
      std::tm parts{};
      localtime_r(&now, &parts);
      const std::string format = args.positional.empty() ? "%Y-%m-%d" : to_text(args.positional[0]).bytes();
      return text_value(std::string_view(buffer, std::strftime(buffer, sizeof buffer, format.c_str(), &parts)), true);
    });
  }

  Value range(const Arguments& args) {
    const auto at = [&](size_t i) { return static_cast<int64_t>(to_number(args.positional.at(i))); };
    const size_t n = args.positional.size();
    const int64_t from = n > 1 ? at(0) : 0, to = at(n > 1 ? 1 : 0), step = n > 2 ? at(2) : 1;
    if (step == 0) throw RenderError("range needs a step that is not 0");
    List items;
    for (int64_t i = from; step > 0 ? i < to : i > to; i += step) {
      count_step();
      items.push_back(Value(i));
    }
    return list_value(std::move(items));
  }

  const Value* find(std::string_view name) const {
    for (size_t i = scopes_.size(); i-- > 0;) {
      if (const Value* value = scopes_[i].find(name)) return value;
    }
    return nullptr;
  }

  void count_step() {
    if (++steps_ > kMostSteps) throw RenderError(fmt::format("it takes more than {} steps", kMostSteps), true);
  }
  void write(const Text& text) {
    out_.append(text);
    if (out_.bytes().size() > kMostOutput)
      throw RenderError(fmt::format("it writes more than {} bytes", kMostOutput), true);
  }

  // ---- statements

  /// One level of the evaluation's own recursion.
  class Level {
   public:
    explicit Level(int& depth) : depth_(depth) {
      if (++depth_ > kMostDepth) throw_too_deep();
    }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    void throw_too_deep() {
      --depth_;
      throw RenderError(fmt::format("its evaluation goes more than {} levels deep", kMostDepth), true);
    }
    int& depth_;
  };

  Flow execute(const Body& body) {
    const Level level(depth_);
    for (const Statement& s : body) {
      count_step();
      line_ = s.line;
      const Flow flow = execute(s);
      if (flow != Flow::normal) return flow;
    }
    return Flow::normal;
  }

  Flow execute(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::text: write(Text(s.text, true)); return Flow::normal;
      case Statement::Kind::output: write(to_text(evaluate(*s.expressions[0]))); return Flow::normal;
      case Statement::Kind::if_: return execute_if(s);
      case Statement::Kind::for_: return execute_for(s);
      case Statement::Kind::set: execute_set(s); return Flow::normal;
      case Statement::Kind::set_block:
        assign(s.names.front(), s.text, Value(captured(s.bodies[0])));
        return Flow::normal;
      case Statement::Kind::macro: define_macro(s); return Flow::normal;
      case Statement::Kind::break_: return Flow::break_;
      case Statement::Kind::continue_: return Flow::continue_;
    }
    return Flow::normal;
  }

  Flow execute_if(const Statement& s) {
    for (size_t i = 0; i < s.expressions.size(); ++i) {
      if (truthy(evaluate(*s.expressions[i]))) return execute(s.bodies[i]);
    }
    return s.bodies.size() > s.expressions.size() ? execute(s.bodies.back()) : Flow::normal;
  }

  void bind(const std::vector<std::string>& names, const Value& item) {
    if (names.size() == 1) return scopes_.back().set(names.front(), item);
    const List parts = iterate(item);
    if (parts.size() != names.size())
      throw RenderError(fmt::format("cannot take {} values for {} names", parts.size(), names.size()));
    for (size_t i = 0; i < names.size(); ++i) scopes_.back().set(names[i], parts[i]);
  }

  Flow execute_for(const Statement& s) {
    List items = iterate(evaluate(*s.expressions[0]));
    scopes_.emplace_back();
    if (s.expressions[1] != nullptr) {
      List kept;
      for (const Value& item : items) {
        bind(s.names, item);
        if (truthy(evaluate(*s.expressions[1]))) kept.push_back(item);
      }
      items = std::move(kept);
    }
    Flow flow = Flow::normal;
    for (size_t i = 0; i < items.size(); ++i) {
      count_step();
      scopes_.back() = {};
      scopes_.back().set("loop", loop_value(items, i));
      bind(s.names, items[i]);
      if (execute(s.bodies[0]) == Flow::break_) break;
    }
    scopes_.pop_back();
    if (items.empty() && s.bodies.size() > 1) flow = execute(s.bodies[1]);
    return flow;
  }

  static Value loop_value(const List& items, size_t i) {
    auto loop = std::make_shared<Dict>();
    const auto n = static_cast<int64_t>(items.size()), at = static_cast<int64_t>(i);
    loop->set("index", Value(at + 1));
    loop->set("index0", Value(at));
    loop->set("revindex", Value(n - at));
    loop->set("revindex0", Value(n - at - 1));
    loop->set("first", Value(i == 0));
    loop->set("last", Value(at + 1 == n));
    loop->set("length", Value(n));
    if (i > 0) loop->set("previtem", items[i - 1]);
    if (at + 1 < n) loop->set("nextitem", items[i + 1]);
    return Value(std::move(loop));
  }

  void execute_set(const Statement& s) {
    const Value value = evaluate(*s.expressions[0]);
    if (s.names.size() == 1) return assign(s.names.front(), s.text, value);
    bind(s.names, value);
  }

  void assign(const std::string& name, const std::string& object, Value value) {
    if (object.empty()) return scopes_.back().set(name, std::move(value));
    const Value* target = find(object);
    Dict* dict = target == nullptr ? nullptr : target->dict();
    if (dict == nullptr) throw RenderError(fmt::format("'{}' is no namespace whose '{}' could be set", object, name));
    dict->set(name, std::move(value));
  }

  Text captured(const Body& body) {
    Text saved = std::exchange(out_, {});
    execute(body);
    return std::exchange(out_, std::move(saved));
  }

  void define_macro(const Statement& s) {
    scopes_.back().set(s.text, Value(Function([this, &s](const Arguments& args) {
                         if (++calls_ > kMostCalls)
                           throw RenderError(fmt::format("macros call each other more than {} deep", kMostCalls), true);
                         Dict locals;
                         for (size_t i = 0; i < s.names.size(); ++i) {
                           const Value* given = args.get(i, s.names[i]);
                           if (given != nullptr)
                             locals.set(s.names[i], *given);
                           else if (s.expressions[i] != nullptr)
                             locals.set(s.names[i], evaluate(*s.expressions[i]));
                           else
                             locals.set(s.names[i], Value());
                         }
                         scopes_.push_back(std::move(locals));
                         Value result(captured(s.bodies[0]));
                         scopes_.pop_back();
                         --calls_;
                         return result;
                       })));
  }

  // ---- expressions

  Value evaluate(const Expression& e) {
    const Level level(depth_);
    count_step();
    using Kind = Expression::Kind;
    switch (e.kind) {
      case Kind::literal: return e.value;
      case Kind::name: {
        const Value* value = find(e.name);
        return value == nullptr ? Value() : *value;
      }
      case Kind::list: {
        List items;
        for (const ExpressionPtr& child : e.children) items.push_back(evaluate(*child));
        return list_value(std::move(items));
      }
      case Kind::dict: {
        auto dict = std::make_shared<Dict>();
        for (const auto& [key, value] : e.named) dict->set(key, evaluate(*value));
        return Value(std::move(dict));
      }
      case Kind::attribute: return attribute(evaluate(*e.children[0]), e.name, e);
      case Kind::index: return index(evaluate(*e.children[0]), evaluate(*e.children[1]), e);
      case Kind::slice: return slice(e);
      case Kind::call: return call(e);
      case Kind::filter: return apply_filter(e.name, arguments(e, 0));
      case Kind::test: return Value(apply_test(e.name, arguments(e, 0)) != e.negated);
      case Kind::unary:
        return e.name == "not" ? Value(!truthy(evaluate(*e.children[0]))) : negative(evaluate(*e.children[0]));
      case Kind::binary: return binary(e);
      case Kind::conditional:
        if (truthy(evaluate(*e.children[0]))) return evaluate(*e.children[1]);
        return e.children[2] == nullptr ? Value() : evaluate(*e.children[2]);
    }
    return {};
  }

  static Value negative(const Value& value) {
    if (const auto* i = value.as<int64_t>()) return Value(-*i);
    return Value(-to_number(value));
  }

  Arguments arguments(const Expression& e, size_t first) {
    Arguments args;
    for (size_t i = first; i < e.children.size(); ++i) args.positional.push_back(evaluate(*e.children[i]));
    for (const auto& [name, value] : e.named) args.named.emplace_back(name, evaluate(*value));
    return args;
  }

  Value call(const Expression& e) {
    const Value callee = evaluate(*e.children[0]);
    const Function* function = callee.as<Function>();
    if (function == nullptr) throw RenderError(fmt::format("{} is called, it is no function", type_name(callee)));
    const Arguments args = arguments(e, 1);
    try {
      return (*function)(args);
    } catch (const std::out_of_range&) {
      throw RenderError("a function is called with too few arguments");
    }
  }

  static Value attribute(const Value& object, const std::string& name, const Expression& e) {
    if (object.is_undefined()) {
      throw RenderError(fmt::format("'{}' of something that is not defined{}", name,
                                    e.children[0]->name.empty() ? "" : " ('" + e.children[0]->name + "')"));
    }
    if (const Dict* dict = object.dict()) {
      if (const Value* value = dict->find(name)) return *value;
    }
    return method_of(object, name);
  }

  static Value index(const Value& object, const Value& at, const Expression& e) {
    if (at.as<Text>() != nullptr) return attribute(object, at.as<Text>()->bytes(), e);
    if (object.list() == nullptr && object.as<Text>() == nullptr) return {};
    const List items = iterate(object);
    const auto n = static_cast<int64_t>(items.size());
    auto i = static_cast<int64_t>(to_number(at));
    if (i < 0) i += n;
    return i >= 0 && i < n ? items[static_cast<size_t>(i)] : Value();
  }

  Value slice(const Expression& e) {
    const Value object = evaluate(*e.children[0]);
    const List items = iterate(object);
    const auto n = static_cast<int64_t>(items.size());
    const auto part = [&](size_t i, int64_t fallback) {
      if (i >= e.children.size() || e.children[i] == nullptr) return fallback;
      return static_cast<int64_t>(to_number(evaluate(*e.children[i])));
    };
    const int64_t step = part(3, 1);
    if (step == 0) throw RenderError("a slice has step 0");
    const auto bounded = [&](int64_t i) {
      if (i < 0) i += n;
      return step > 0 ? std::clamp<int64_t>(i, 0, n) : std::clamp<int64_t>(i, -1, n - 1);
    };
    const bool has_from = e.children.size() > 1 && e.children[1] != nullptr,
               has_to = e.children.size() > 2 && e.children[2] != nullptr;
    const int64_t from = has_from ? bounded(part(1, 0)) : (step > 0 ? 0 : n - 1);
    const int64_t to = has_to ? bounded(part(2, 0)) : (step > 0 ? n : -1);
    List kept;
    for (int64_t i = from; step > 0 ? i < to : i > to; i += step) kept.push_back(items[static_cast<size_t>(i)]);
    if (object.as<Text>() == nullptr) return list_value(std::move(kept));
    Text text;
    for (const Value& c : kept) text.append(*c.as<Text>());
    return Value(std::move(text));
  }

  static bool contains(const Value& container, const Value& item) {
    if (const Text* text = container.as<Text>()) {
      return item.as<Text>() != nullptr && text->bytes().find(item.as<Text>()->bytes()) != std::string::npos;
    }
    if (const Dict* dict = container.dict())
      return item.as<Text>() != nullptr && dict->find(item.as<Text>()->bytes()) != nullptr;
    for (const Value& each : iterate(container)) {
      if (equal(each, item)) return true;
    }
    return false;
  }

  Value binary(const Expression& e) {
    const std::string& op = e.name;
    const Value a = evaluate(*e.children[0]);
    if (op == "and") return truthy(a) ? evaluate(*e.children[1]) : a;
    if (op == "or") return truthy(a) ? a : evaluate(*e.children[1]);
    const Value b = evaluate(*e.children[1]);
    if (op == "==") return Value(equal(a, b));
    if (op == "!=") return Value(!equal(a, b));
    if (op == "in") return Value(contains(b, a));
    if (op == "not in") return Value(!contains(b, a));
    if (op == "<") return Value(compare(a, b) < 0);
    if (op == ">") return Value(compare(a, b) > 0);
    if (op == "<=") return Value(compare(a, b) <= 0);
    if (op == ">=") return Value(compare(a, b) >= 0);
    if (op == "~") return joined(to_text(a), to_text(b));
    if (op == "+" && a.as<Text>() != nullptr && b.as<Text>() != nullptr) return joined(*a.as<Text>(), *b.as<Text>());
    if (op == "+" && a.list() != nullptr && b.list() != nullptr) {
      List items = *a.list();
      items.insert(items.end(), b.list()->begin(), b.list()->end());
      return list_value(std::move(items));
    }
    return arithmetic(op, a, b);
  }

  Value joined(const Text& a, const Text& b) {
    if (a.bytes().size() + b.bytes().size() > kMostOutput) throw RenderError("it makes a text that is too long", true);
    Text text = a;
    text.append(b);
    return Value(std::move(text));
  }

  static Value arithmetic(const std::string& op, const Value& a, const Value& b) {
    if (!a.is_number() || !b.is_number())
      throw RenderError(fmt::format("'{}' of {} and {}", op, type_name(a), type_name(b)));
    const double x = to_number(a), y = to_number(b);
    if ((op == "/" || op == "//" || op == "%") && y == 0) throw RenderError("division by zero");
    if (op == "/") return Value(x / y);
    const bool integers = a.as<int64_t>() != nullptr && b.as<int64_t>() != nullptr;
    double result = 0;
    if (op == "+")
      result = x + y;
    else if (op == "-")
      result = x - y;
    else if (op == "*")
      result = x * y;
    else if (op == "//")
      result = std::floor(x / y);
    else
      result = x - std::floor(x / y) * y;
    // Whole numbers stay exact up to 2^53, far beyond what templates count.
    if (integers && std::fabs(result) < 9e15) return Value(static_cast<int64_t>(result));
    return Value(result);
  }

 public:
  int line() const { return line_; }

 private:
  std::vector<Dict> scopes_;
  Text out_;
  int64_t steps_ = 0;
  int calls_ = 0;
  int depth_ = 0;
  int line_ = 0;
};

}  // namespace

Text render(const Body& body, const Dict& input) {
  Renderer renderer(input);
  try {
    return renderer.run(body);
  } catch (const RenderError& e) {
    throw RenderError(fmt::format("line {}: {}", renderer.line(), e.what()), e.limit);
  }
}

}  // namespace tenon::jinja
