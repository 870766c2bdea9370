// What a file that should be GGUF is instead.
#pragma once

#include <string>
#include <string_view>

namespace tenon::gguf {

/// `first`: the first bytes of the file, 4 or more, that do not start with "GGUF". The answer completes "FILE: ..." and
/// says what to do.
std::string explain_no_gguf(std::string_view first);

}  // namespace tenon::gguf
