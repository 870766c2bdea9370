#include "offers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>

namespace tenon {
namespace {

constexpr uint32_t kMostProcessors = 1024;
constexpr uint32_t kMostOptions = 1024;
constexpr const char* kTellAuthor = "report it to the plug-in's author";

struct Slot {
  const char* name;
  bool filled;
};

/// The first required slot that is NULL, or nullptr.
const char* first_missing(std::initializer_list<Slot> slots) {
  const auto missing = std::ranges::find(slots, false, &Slot::filled);
  return missing == slots.end() ? nullptr : missing->name;
}

const char* missing_slot(const tenon_kernel_api& t) {
  return first_missing({{"supports", t.supports != nullptr},
                        {"create", t.create != nullptr},
                        {"destroy", t.destroy != nullptr},
                        {"pack_plan", t.pack_plan != nullptr},
                        {"pack", t.pack != nullptr},
                        {"workspace_bytes", t.workspace_bytes != nullptr},
                        {"run", t.run != nullptr}});
}

const char* missing_slot(const tenon_format_api& t) {
  return first_missing({{"name", t.name != nullptr},
                        {"recognizes", t.recognizes != nullptr},
                        {"open", t.open != nullptr},
                        {"close", t.close != nullptr},
                        {"n_values", t.n_values != nullptr},
                        {"value", t.value != nullptr},
                        {"n_tensors", t.n_tensors != nullptr},
                        {"tensor", t.tensor != nullptr},
                        {"read", t.read != nullptr}});
}

const char* missing_slot(const tenon_tokenizer_api& t) {
  return first_missing({{"name", t.name != nullptr},
                        {"accepts", t.accepts != nullptr},
                        {"create", t.create != nullptr},
                        {"destroy", t.destroy != nullptr},
                        {"info", t.info != nullptr},
                        {"stop_ids", t.stop_ids != nullptr},
                        {"encode", t.encode != nullptr},
                        {"token_bytes", t.token_bytes != nullptr},
                        {"token_type", t.token_type != nullptr},
                        {"find", t.find != nullptr}});
}

const char* missing_slot(const tenon_template_api& t) {
  return first_missing({{"name", t.name != nullptr},
                        {"create", t.create != nullptr},
                        {"destroy", t.destroy != nullptr},
                        {"render", t.render != nullptr}});
}

const char* missing_slot(const tenon_processor_api& t) {
  return first_missing({{"info", t.info != nullptr},
                        {"create", t.create != nullptr},
                        {"destroy", t.destroy != nullptr},
                        {"apply", t.apply != nullptr},
                        {"choose", t.choose != nullptr}});
}

/// What is wrong with one processor's description, or nothing.
std::string fault_of(const tenon_processor_info* info) {
  if (info == nullptr) return "no description";
  if (info->size < sizeof(tenon_processor_info))
    return fmt::format("a description of {} bytes, expected {}", info->size, sizeof(tenon_processor_info));
  if (info->name == nullptr || *info->name == '\0') return "no name";
  if (info->role != TENON_PROCESSOR_FILTER && info->role != TENON_PROCESSOR_CHOICE)
    return fmt::format("role {}, expected {} or {}", info->role, +TENON_PROCESSOR_FILTER, +TENON_PROCESSOR_CHOICE);
  if (info->n_option_specs > kMostOptions || (info->n_option_specs > 0 && info->option_specs == nullptr))
    return fmt::format("{} options and no table of them, or more than {}", info->n_option_specs, kMostOptions);
  return "";
}

}  // namespace

template <class Api>
std::optional<Fault> Offers::take_table(const Library& library, const std::string& interface, std::list<Api>& tables) {
  auto given = library.interface(interface);
  if (auto* fault = std::get_if<Fault>(&given)) return *fault;
  const void* table = std::get<const void*>(given);
  uint32_t size = 0;
  std::memcpy(&size, table, sizeof size);
  if (size < sizeof size || size > kMostTableBytes) {
    return library.fault(
        "PLUGIN_CORRUPT_DESCRIPTOR",
        fmt::format("its table of '{}' says it has {} bytes, this host knows {}", interface, size, sizeof(Api)),
        "build it again with this version's headers");
  }
  Api copy{};
  std::memcpy(&copy, table, std::min<size_t>(size, sizeof copy));
  copy.size = sizeof copy;
  if (const char* slot = missing_slot(copy)) {
    return library.fault("PLUGIN_INCOMPLETE",
                         fmt::format("its table of '{}' ({} bytes) lacks the required '{}'", interface, size, slot),
                         kTellAuthor);
  }
  tables.push_back(copy);
  return std::nullopt;
}

std::optional<Fault> Offers::take_processors(const Library& library) {
  if (auto fault = take_table(library, TENON_PROCESSOR_INTERFACE, processor_tables_)) return fault;
  const tenon_processor_api& api = processor_tables_.back();
  if (api.n_processors > kMostProcessors) {
    return library.fault(
        "PLUGIN_CONTRACT",
        fmt::format("it offers {} processors, at most {} are taken", api.n_processors, kMostProcessors), kTellAuthor);
  }
  for (uint32_t i = 0; i < api.n_processors; ++i) {
    const tenon_processor_info* info = api.info(api.self, i);
    if (const std::string fault = fault_of(info); !fault.empty()) {
      return library.fault("PLUGIN_CONTRACT", fmt::format("its processor {} has {}", i, fault), kTellAuthor);
    }
    processors.push_back({library.id(), &api, i, info});
  }
  return std::nullopt;
}

std::optional<Fault> Offers::take(const Library& library, const std::vector<std::string>& interfaces) {
  const auto add = [&]<class Api>(const std::string& interface, std::list<Api>& tables, std::vector<Offer<Api>>& to) {
    auto fault = take_table(library, interface, tables);
    if (!fault) to.push_back({library.id(), &tables.back()});
    return fault;
  };
  for (const std::string& interface : interfaces) {
    std::optional<Fault> fault;
    if (interface == TENON_KERNEL_INTERFACE) {
      fault = add(interface, kernel_tables_, backends);
    } else if (interface == TENON_FORMAT_INTERFACE) {
      fault = add(interface, format_tables_, formats);
    } else if (interface == TENON_TOKENIZER_INTERFACE) {
      fault = add(interface, tokenizer_tables_, tokenizers);
    } else if (interface == TENON_TEMPLATE_INTERFACE) {
      fault = add(interface, template_tables_, templates);
    } else if (interface == TENON_PROCESSOR_INTERFACE) {
      fault = take_processors(library);
    }  // an interface that this host does not know is not used
    if (!fault) continue;
    drop(library.id());
    return fault;
  }
  return std::nullopt;
}

void Offers::drop(const std::string& id) {
  const auto of_it = [&](const auto& offer) { return offer.plugin_id == id; };
  std::erase_if(backends, of_it);
  std::erase_if(formats, of_it);
  std::erase_if(tokenizers, of_it);
  std::erase_if(templates, of_it);
  std::erase_if(processors, of_it);
}

void Offers::sort() {
  const auto by_id = [](const auto& a, const auto& b) { return a.plugin_id < b.plugin_id; };
  std::ranges::stable_sort(backends, by_id);
  std::ranges::stable_sort(formats, by_id);
  std::ranges::stable_sort(tokenizers, by_id);
  std::ranges::stable_sort(templates, by_id);
  std::ranges::stable_sort(processors, by_id);
}

}  // namespace tenon
