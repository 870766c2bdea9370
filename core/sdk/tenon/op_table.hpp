// A backend as a list of ops, each with its answer and its kernel.
#pragma once

#include <tenon/kernel.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon {

/// One op: whether it can be done, with the reason why not, and the kernel. create is called after supports said yes.
struct OpEntry {
  std::string_view name;
  tenon_support (*supports)(const OpView& op);
  std::unique_ptr<Kernel> (*create)(const OpView& op);
  uint32_t revision = 1;  // the newest that is known; all before it are too
};

template <class K>
std::unique_ptr<Kernel> make_kernel(const OpView& op) {
  return std::make_unique<K>(op);
}

/// The ops of its list.
class OpTable final : public Backend {
 public:
  explicit OpTable(std::vector<OpEntry> entries) : entries_(std::move(entries)) {}

  tenon_support supports(const OpView& op) const override {
    const OpEntry* entry = find(op.name());
    if (entry == nullptr) return no("op '" + std::string(op.name()) + "' is not known here");
    if (op.revision() < 1 || op.revision() > entry->revision) {
      return no("revision " + std::to_string(op.revision()) + " of " + std::string(op.name()) +
                " is asked, expected 1" + (entry->revision > 1 ? " to " + std::to_string(entry->revision) : ""));
    }
    return entry->supports(op);
  }

  Result<std::unique_ptr<Kernel>> create(const OpView& op) const override {
    const tenon_support answer = supports(op);
    if (answer.supported == 0) return unsupported(answer.reason);
    return find(op.name())->create(op);
  }

 private:
  const OpEntry* find(std::string_view name) const {
    for (const OpEntry& entry : entries_) {
      if (entry.name == name) return &entry;
    }
    return nullptr;
  }

  std::vector<OpEntry> entries_;
};

}  // namespace tenon
