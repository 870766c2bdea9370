// What a child tells its parent, a line of JSON a piece: which plug-in it loaded, which case it begins, at which step
// it is, and how the case ended. What is missing after a crash says where it was.
#pragma once

#include <conformance/check.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::conformance {

struct PluginFacts {
  std::string id, version, path, build_id;
};

std::string plugin_line(const PluginFacts& plugin);
std::string refusal_line(std::string_view message);
std::string begin_line(size_t index);
std::string stage_line(std::string_view stage);
std::string end_line(size_t index, const CaseResult& result);

/// The lines of one child, put together. `begun` and `stage` are of the case that has no end yet.
struct Told {
  std::optional<PluginFacts> plugin;
  std::optional<std::string> refusal;  // the plug-in cannot be loaded
  std::vector<std::pair<size_t, CaseResult>> ended;
  std::optional<size_t> begun;
  std::string stage, fault;
};

/// Skips what is no whole line of ours: a plug-in may have written to the descriptor, or the child died in a line.
Told read_lines(std::string_view text);

}  // namespace tenon::conformance
