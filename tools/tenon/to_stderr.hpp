// Words to the user, on stderr.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace tenon::cli {

/// Text on stderr. What stderr does not take is lost, and nothing else: no exception, the exit code is kept.
template <class... Arguments>
void to_stderr(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

}  // namespace tenon::cli
