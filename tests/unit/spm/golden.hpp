// Texts with their ids by llama.cpp, as make_golden.py writes them; the file says itself what it holds.
#pragma once

#include <tokenizer_host.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace spm_test {

using tokenizer_test::GgufMetadata;
using tokenizer_test::Loaded;
using tokenizer_test::Metadata;
using tokenizer_test::refusal;
using Ids = std::vector<int32_t>;

struct Case {
  std::string text;
  Ids ids;      // all of it ordinary text
  Ids special;  // control tokens anywhere
};

/// `file` under tests/; `set`: one of its vocabularies.
std::vector<Case> golden_cases(const std::string& file, const std::string& set);

/// data/vocabulary.json as the metadata of a model.
Metadata fixture_metadata(bool add_space_prefix);
/// The same without user-defined pieces.
Metadata fixture_without_user_pieces();

}  // namespace spm_test
