#include <tenon/base/log.hpp>

namespace tenon {

std::string_view name_of(LogLevel level) {
  switch (level) {
    case LogLevel::debug: return "debug";
    case LogLevel::info: return "info";
    case LogLevel::warning: return "warning";
    case LogLevel::error: return "error";
  }
  return "?";
}

LogFunction silent_log() {
  return [](LogLevel, std::string_view) {};
}

}  // namespace tenon
