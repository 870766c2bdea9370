// The parser behind parse_yaml, for texts of which only the end is YAML.
#pragma once

#include <tenon/config/yaml.hpp>

namespace tenon {

/// Parses source->text from byte `begin` on as one document; `begin` lies in line 1. Line ends are \n already.
Result<Yaml> parse_document(std::shared_ptr<const SourceText> source, size_t begin);

/// CRLF and lone CR become LF.
std::string with_unix_line_ends(std::string text);

}  // namespace tenon
