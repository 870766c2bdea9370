// The byte-level alphabet of GPT-2: vocabularies are written with one printable character a byte.
#pragma once

#include <string>
#include <string_view>

namespace tenon::bpe {

/// Appends the bytes that `written` stands for. Text with a character outside the alphabet is taken as it is.
void append_raw_bytes(std::string_view written, std::string& bytes);

}  // namespace tenon::bpe
