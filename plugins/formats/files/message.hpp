// How names from an untrusted file and paths appear in messages, which have room for 500 bytes.
#pragma once

#include <tenon/result.hpp>

#include <string>
#include <string_view>

namespace tenon::formats {

/// 'name', with bytes that are no printable ASCII as \xNN, cut after 80 bytes.
std::string quoted(std::string_view name);

/// The path, its head replaced by "..." where it is longer than 160 bytes.
std::string shown(std::string_view path);

/// The same error, its message led by "context: ".
Error in_context(std::string_view context, const Error& error);

}  // namespace tenon::formats
