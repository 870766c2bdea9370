// The `loop` of a for statement: where it stands among its items.
#pragma once

#include "value.hpp"

#include <optional>

namespace tenon::jinja {

class Loop {
 public:
  /// `recurse` is what `loop(items)` does in a recursive loop.
  Loop(std::shared_ptr<const List> items, int64_t level, std::function<Value(const Arguments&)> recurse)
      : items_(std::move(items)),
        level_(level),
        recurse_(std::move(recurse)),
        depth_(checked_depth(items_->depth + 1)) {}

  const Values& items() const { return items_->items; }
  int depth() const { return depth_; }
  void move_to(size_t at) { at_ = at; }
  /// index, last, previtem, cycle, ...; undefined for another name.
  Value attribute(Budget& budget, const std::shared_ptr<const Loop>& self, std::string_view name) const;
  Value call(const Arguments& args) const;

 private:
  bool changed(Budget& budget, const Arguments& args) const;

  std::shared_ptr<const List> items_;
  size_t at_ = 0;
  int64_t level_;
  std::function<Value(const Arguments&)> recurse_;
  int depth_;
  // What loop.changed() was given last. Values go in and out of it while the loop runs, cleared with the loop.
  mutable std::optional<Values> last_;
};

}  // namespace tenon::jinja
