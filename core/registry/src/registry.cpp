#include <tenon/base/cpu.hpp>
#include <tenon/base/sha256.hpp>
#include <tenon/registry/registry.hpp>

#include "library.hpp"
#include "offers.hpp"
#include "scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>

namespace tenon {
namespace fs = std::filesystem;

std::string_view name_of(PluginStage stage) {
  switch (stage) {
    case PluginStage::present: return "present";
    case PluginStage::loadable: return "loadable";
    case PluginStage::usable: return "usable";
    case PluginStage::chosen: return "chosen";
  }
  return "?";
}

struct Registry::Contents {
  std::vector<PluginState> states;
  std::list<Library> libraries;  // in order of init
  Offers offers;

  Contents() = default;
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;
  ~Contents() {
    while (!libraries.empty()) libraries.pop_back();
  }

  std::optional<Fault> load(const Found& found, const Yaml& options, const LogFunction& log);
};

namespace {

/// Every path where a plug-in of this id may be, and what is there instead, for messages.
std::string tried(const std::string& id, std::span<const fs::path> folders, const std::vector<Found>& found) {
  std::string text, ids;
  for (const fs::path& folder : folders) {
    std::error_code unknown;
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", fs::absolute(folder / (id + ".so")).string(),
                        fs::is_directory(folder, unknown) ? "" : " (there is no such folder)");
  }
  for (const Found& each : found) {
    ids += fmt::format("{}{}", ids.empty() ? "" : ", ",
                       each.state.id.empty() ? each.state.path.filename().string() + " (" + each.state.fault->code + ")"
                                             : each.state.id);
  }
  return fmt::format("tried {}; there is: {}", text.empty() ? "no folder, plugin_dirs is empty" : text,
                     ids.empty() ? "nothing" : ids);
}

/// The file that a line under `plugins` means, or the fault.
std::variant<Found, Fault> find_use(const PluginUse& use, const Registry::Request& request,
                                    const std::vector<Found>& scanned, uint64_t host_isa) {
  if (use.is_path()) {
    Found found = examine(fs::absolute(use.use), host_isa);
    if (found.state.fault) return *found.state.fault;
    return found;
  }
  for (const Found& each : scanned) {
    const bool by_id = each.state.id == use.use, by_name = each.state.id.empty() && each.state.path.stem() == use.use;
    if (!by_id && !by_name) continue;
    if (each.state.fault && each.state.fault->code == "PLUGIN_DUPLICATE_ID")
      continue;  // said for the one that stands first
    if (each.state.fault) return *each.state.fault;
    const bool ambiguous = std::ranges::any_of(scanned, [&](const Found& other) {
      return other.state.id == use.use && other.state.fault && other.state.fault->code == "PLUGIN_DUPLICATE_ID";
    });
    if (!ambiguous) return each;
    for (const Found& other : scanned) {
      if (other.state.id == use.use && other.state.fault) return *other.state.fault;
    }
  }
  return Fault{"PLUGIN_NOT_FOUND",
               use.use,
               "",
               tried(use.use, request.plugin_dirs, scanned),
               "name one of these, or a path to a .so",
               std::nullopt};
}

std::optional<Fault> check_use(const PluginUse& use, Found& found) {
  const auto refuse = [&](const char* code, std::string cause, const char* next) {
    return Fault{code, found.state.id, found.state.path, std::move(cause), next, std::nullopt};
  };
  auto sha = sha256_file(found.state.path);
  if (!sha) return refuse("PLUGIN_UNREADABLE", sha.error().message, "check the permissions");
  found.state.sha256 = to_hex(*sha);
  if (use.sha256 && *use.sha256 != found.state.sha256) {
    return refuse("PLUGIN_HASH_MISMATCH",
                  fmt::format("its SHA-256 is {}, the config pins {}", found.state.sha256, *use.sha256),
                  "install the pinned file, or change the pin");
  }
  if ((found.note->flags & TENON_FLAG_OWNS_THREADS) != 0 && !use.allow_threads) {
    return refuse("PLUGIN_OWNS_THREADS", "it starts threads of its own beside the host's",
                  "write 'allow_threads: true' on its line to consent");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Fault> Registry::Contents::load(const Found& found, const Yaml& options, const LogFunction& log) {
  auto loaded = Library::load(*found.note, found.state.path, found.identity, options, log);
  if (auto* fault = std::get_if<Fault>(&loaded)) return *fault;
  libraries.push_back(std::move(std::get<Library>(loaded)));
  auto fault = offers.take(libraries.back(), found.state.interfaces);
  if (fault) libraries.pop_back();
  return fault;
}

Result<Registry> Registry::open(const Request& request, const LogFunction& log) {
  const uint64_t host_isa = cpu_isa();
  auto contents = std::make_unique<Contents>();
  std::vector<Found> scanned = scan(request.plugin_dirs, host_isa);
  mark_duplicates(scanned);
  std::vector<PluginUse> uses = request.plugins;
  if (!request.plugins_given) {
    for (const Found& found : scanned) {
      if (found.state.fault) {
        const bool no_plugin = found.state.fault->code == "PLUGIN_NO_ENTRY";
        log(no_plugin ? LogLevel::debug : LogLevel::warning, found.state.fault->to_error().message);
        contents->states.push_back(found.state);
        continue;
      }
      PluginUse use;
      use.use = found.state.path.string();
      use.optional = true;
      uses.push_back(std::move(use));
    }
  }
  for (const PluginUse& use : uses) {
    auto looked_up = find_use(use, request, scanned, host_isa);
    Found found;
    std::optional<Fault> fault;
    if (auto* missing = std::get_if<Fault>(&looked_up)) {
      fault = *missing;
      found.state.id = use.use;
      found.state.path = fault->path;
    } else {
      found = std::get<Found>(looked_up);
      fault = check_use(use, found);
      const auto known =
          std::ranges::find_if(contents->libraries, [&](const Library& l) { return l.id() == found.state.id; });
      if (!fault && known != contents->libraries.end()) {
        const auto loaded = identity_of(known->path());
        if (loaded && found.identity && loaded->is_same_file(*found.identity)) continue;  // one file by two names
        fault = duplicate_id(found.state.id, found.state.path, known->path());
      }
      if (!fault) fault = contents->load(found, use.options, log);
    }
    if (fault) {
      if (fault->path.empty() && fault->plugin.empty()) fault->plugin = use.use;
      if (use.place.source) fault->place = use.place;
      if (!use.optional) return fault->to_error();
      // What is not there was built for other machines; what is there and fails is worth a word.
      log(fault->code == "PLUGIN_NOT_FOUND" ? LogLevel::info : LogLevel::warning, fault->to_error().message);
    } else {
      found.state.stage = PluginStage::chosen;
    }
    found.state.fault = std::move(fault);
    contents->states.push_back(std::move(found.state));
  }
  contents->offers.sort();
  std::ranges::stable_sort(contents->states, {}, &PluginState::id);
  return Registry(std::move(contents));
}

std::vector<PluginState> Registry::list(const Request& request) {
  const uint64_t host_isa = cpu_isa();
  std::vector<Found> found = scan(request.plugin_dirs, host_isa);
  for (const PluginUse& use : request.plugins) {
    if (use.is_path()) found.push_back(examine(fs::absolute(use.use), host_isa));
  }
  mark_duplicates(found);
  std::vector<PluginState> states;
  for (Found& each : found) {
    const auto is_meant = [&](const PluginUse& use) {
      return use.is_path() ? fs::path(use.use) == each.state.path : use.use == each.state.id;
    };
    const bool meant = !request.plugins_given || std::ranges::any_of(request.plugins, is_meant);
    if (each.state.stage == PluginStage::usable && meant) each.state.stage = PluginStage::chosen;
    states.push_back(std::move(each.state));
  }
  for (const PluginUse& use : request.plugins) {
    const bool seen = std::ranges::any_of(states, [&](const PluginState& s) {
      return use.is_path() ? fs::path(use.use) == s.path
                           : (use.use == s.id || (s.id.empty() && s.path.stem() == use.use));
    });
    if (seen) continue;
    PluginState missing;
    missing.id = use.use;
    missing.fault = Fault{"PLUGIN_NOT_FOUND",  use.use,     "", "the config names it and no scanned folder holds it",
                          "check plugin_dirs", std::nullopt};
    states.push_back(std::move(missing));
  }
  std::ranges::stable_sort(states, {}, &PluginState::id);
  return states;
}

Registry::Registry(std::unique_ptr<Contents> contents) : contents_(std::move(contents)) {}
Registry::Registry(Registry&&) noexcept = default;
Registry& Registry::operator=(Registry&&) noexcept = default;
Registry::~Registry() = default;

std::span<const PluginState> Registry::plugins() const { return contents_->states; }
std::span<const Offer<tenon_kernel_api>> Registry::backends() const { return contents_->offers.backends; }
std::span<const Offer<tenon_format_api>> Registry::formats() const { return contents_->offers.formats; }
std::span<const Offer<tenon_tokenizer_api>> Registry::tokenizers() const { return contents_->offers.tokenizers; }
std::span<const Offer<tenon_template_api>> Registry::templates() const { return contents_->offers.templates; }
std::span<const Registry::ProcessorOffer> Registry::processors() const { return contents_->offers.processors; }

}  // namespace tenon
