#include "loop.hpp"

#include "compare.hpp"

#include <fmt/format.h>

namespace tenon::jinja {

Value Loop::attribute(Budget& budget, const std::shared_ptr<const Loop>& self, std::string_view name) const {
  const auto n = static_cast<int64_t>(items().size()), at = static_cast<int64_t>(at_);
  if (name == "index") return Value(at + 1);
  if (name == "index0") return Value(at);
  if (name == "revindex") return Value(n - at);
  if (name == "revindex0") return Value(n - at - 1);
  if (name == "first") return Value(at == 0);
  if (name == "last") return Value(at + 1 == n);
  if (name == "length") return Value(n);
  if (name == "depth") return Value(level_ + 1);
  if (name == "depth0") return Value(level_);
  if (name == "previtem") return at > 0 ? items()[at_ - 1] : Value();
  if (name == "nextitem") return at + 1 < n ? items()[at_ + 1] : Value();
  if (name == "cycle") {
    return function_value(
        "loop.cycle",
        [self](const Arguments& args) {
          if (args.positional.empty()) throw RenderError("loop.cycle needs an argument");
          return args.positional[self->at_ % args.positional.size()];
        },
        depth_);
  }
  if (name == "changed") {
    return function_value(
        "loop.changed", [self, &budget](const Arguments& args) { return Value(self->changed(budget, args)); }, depth_);
  }
  return {};
}

bool Loop::changed(Budget& budget, const Arguments& args) const {
  bool same = last_ && last_->size() == args.positional.size();
  for (size_t i = 0; same && i < last_->size(); ++i) same = equal(budget, (*last_)[i], args.positional[i]);
  if (same) return false;
  for (const Value& value : args.positional) {
    if (depth_of(value) >= depth_) throw RenderError("loop.changed cannot hold a value that nests this deep");
  }
  last_ = args.positional;
  return true;
}

Value Loop::call(const Arguments& args) const {
  if (!recurse_) throw RenderError("loop is called, and its for has no 'recursive'");
  return recurse_(args);
}

}  // namespace tenon::jinja
