// Text from a file, as it may stand in a message.
#pragma once

#include <string>
#include <string_view>

namespace tenon::vocabulary {

/// In quotes; control characters as \xNN, and no more than 60 bytes of it.
std::string quoted(std::string_view text);

}  // namespace tenon::vocabulary
