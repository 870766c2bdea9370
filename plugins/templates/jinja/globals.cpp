// The functions that every template has: those of jinja2 and those that transformers adds.
#include "given.hpp"
#include "numbers.hpp"
#include "print.hpp"
#include "renderer.hpp"

#include <fmt/format.h>

#include <ctime>

namespace tenon::jinja {
namespace {

/// Untrusted: its format may come from anywhere.
Value time_now(Budget& budget, const Arguments& args) {
  const Given given("strftime_now", {"format", 1}, args);
  const std::string format(given.text(0).bytes());
  if (format.empty()) return Value(Text());
  char buffer[1024];
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  localtime_r(&now, &parts);
  const size_t n = std::strftime(buffer, sizeof buffer, format.c_str(), &parts);
  const std::string_view written(buffer, n);
  if (!written.empty() && written.find('\0') == std::string_view::npos) return Value(text_of(budget, written, false));
  throw RenderError("strftime_now cannot write its format, or writes nothing by it");
}

}  // namespace

Value Renderer::global(const std::string& name) {
  if (name == "range") {
    return function_value(name, [this](const Arguments& args) { return make_range(args); });
  }
  if (name == "namespace") {
    return function_value(name, [this](const Arguments& args) { return make_namespace(args); });
  }
  if (name == "dict") {
    return function_value(name, [this](const Arguments& args) { return dict_value(dict_of(args)); });
  }
  if (name == "strftime_now") {
    return function_value(name, [this](const Arguments& args) { return time_now(budget_, args); });
  }
  if (name == "raise_exception") {
    return function_value(name, [this](const Arguments& args) -> Value {
      const Given given("raise_exception", {"message", 1}, args);
      throw RenderError(fmt::format("the template refuses these messages: {}", to_text(budget_, given.at(0)).bytes()));
    });
  }
  if (name == "joiner") {
    return function_value(name, [this](const Arguments& args) {
      const Given given("joiner", {"sep", 0}, args);
      const Text separator = given.find(0) == nullptr ? text_of(budget_, ", ", true) : given.text(0);
      return function_value("joiner", [separator, first = std::make_shared<bool>(true)](const Arguments&) {
        return Value(std::exchange(*first, false) ? Text() : separator);
      });
    });
  }
  return {};
}

Value Renderer::make_namespace(const Arguments& args) {
  budget_.step();
  auto space = std::make_shared<Namespace>(&budget_);
  space->attributes = dict_of(args);
  namespaces_.push_back(space);
  return Value(std::move(space));
}

/// dict(other, name=value, ...), where other is a dict or a list of pairs.
Dict Renderer::dict_of(const Arguments& args) {
  Dict dict(&budget_);
  if (args.positional.size() > 1) throw RenderError("dict and namespace take one argument without a name at most");
  if (!args.positional.empty()) {
    const Value& other = args.positional[0];
    if (other.dict() != nullptr) {
      for (const auto& [key, value] : other.dict()->items()) dict.set(key, value);
    } else {
      each(budget_, other, [&](const Value& item) {
        const Values pair = elements(budget_, item);
        if (pair.size() != 2) throw RenderError("dict needs pairs of a key and a value");
        dict.set(pair[0], pair[1]);
        return true;
      });
    }
  }
  for (const auto& [name, value] : args.named) dict.set(name, value);
  return dict;
}

Value Renderer::make_range(const Arguments& args) {
  const Given given("range", {"start stop step", 1}, args);
  const bool has_start = given.find(1) != nullptr;
  const int64_t from = has_start ? given.integer(0, 0) : 0, to = given.integer(has_start ? 1 : 0, 0);
  const int64_t step = given.integer(2, 1);
  if (step == 0) throw RenderError("range needs a step that is not 0");
  ListMaker items(&budget_);
  for (int64_t i = from; step > 0 ? i < to : i > to;) {
    if (static_cast<int64_t>(items.size()) >= kMostRange) {
      throw RenderError(fmt::format("a range of the template has more than {} numbers", kMostRange), true);
    }
    items.add(Value(i));
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  Value made = items.finish(List::Kind::range);
  auto range = std::make_shared<List>(List{List::Kind::range, made.list()->items, 1, 0, {from, to, step}, {}});
  range->charge = Charge(&budget_, range->items.size() * sizeof(Value));
  return Value(std::shared_ptr<const List>(std::move(range)));
}

}  // namespace tenon::jinja
