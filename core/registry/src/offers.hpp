// The tables of interfaces that loaded plug-ins offer. Private to the registry.
#pragma once

#include <tenon/registry/registry.hpp>

#include "library.hpp"

#include <list>
#include <optional>
#include <string>
#include <vector>

namespace tenon {

/// Tables are copied to this host's own size, so that slots which an older plug-in's table does not reach are NULL.
class Offers {
 public:
  /// Takes the tables of all known interfaces. Faults: PLUGIN_CONTRACT, PLUGIN_CORRUPT_DESCRIPTOR, PLUGIN_INCOMPLETE.
  std::optional<Fault> take(const Library& library, const std::vector<std::string>& interfaces);
  /// By plug-in id, whatever the order of loading.
  void sort();

  std::vector<Offer<tenon_kernel_api>> backends;
  std::vector<Offer<tenon_format_api>> formats;
  std::vector<Offer<tenon_tokenizer_api>> tokenizers;
  std::vector<Offer<tenon_template_api>> templates;
  std::vector<Registry::ProcessorOffer> processors;

 private:
  template <class Api>
  std::optional<Fault> take_table(const Library& library, const std::string& interface, std::list<Api>& tables);
  std::optional<Fault> take_processors(const Library& library);
  /// Nothing of a plug-in that was refused halfway stays.
  void drop(const std::string& id);

  // Lists: their elements never move.
  std::list<tenon_kernel_api> kernel_tables_;
  std::list<tenon_format_api> format_tables_;
  std::list<tenon_tokenizer_api> tokenizer_tables_;
  std::list<tenon_template_api> template_tables_;
  std::list<tenon_processor_api> processor_tables_;
};

}  // namespace tenon
