// tokenizer.json and its companions in the words of tokenizer.ggml, which tokenizers read.
#pragma once

#include "folder.hpp"
#include "values.hpp"

namespace tenon::safetensors {

/// Adds tokenizer.ggml.*, tokenizer.pre_tokenizer (the steps that cut a text, for a tokenizer that knows them) and
/// tokenizer.chat_template. BPE over bytes becomes the model gpt2, BPE over pieces spm; of any other kind only the name
/// is told, which no tokenizer takes. `config`: config.json. Errors name the file.
Result<void> add_tokenizer(const Folder& folder, const Json& config, Values& values);

}  // namespace tenon::safetensors
