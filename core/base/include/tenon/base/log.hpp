// Where the core's messages go. The library itself never prints: whoever embeds it decides.
#pragma once

#include <functional>
#include <string_view>

namespace tenon {

enum class LogLevel { debug = 0, info = 1, warning = 2, error = 3 };

/// Called from any thread, one call at a time is not promised.
using LogFunction = std::function<void(LogLevel, std::string_view)>;

std::string_view name_of(LogLevel level);

/// Drops everything.
LogFunction silent_log();

}  // namespace tenon
