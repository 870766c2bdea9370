// The bpe plug-in, and this folder's vocabulary for it.
#pragma once

#include <tokenizer_host.hpp>

namespace bpe_test {

using tokenizer_test::GgufMetadata;
using tokenizer_test::Loaded;
using tokenizer_test::Metadata;
using tokenizer_test::refusal;

inline const tenon_tokenizer_api& bpe_plugin() { return tokenizer_test::tokenizer_plugin(); }

/// data/vocabulary.json as the metadata of a model with this tokenizer.ggml.pre.
Metadata fixture_metadata(std::string_view pre);
Metadata metadata_from_json(const std::string& path, std::string_view pre);

}  // namespace bpe_test
