// The config file as checked values.
//
// | key                   | values                                         | default                            |
// |-----------------------|------------------------------------------------|------------------------------------|
// | plugin_dirs           | folders                                        | none                               |
// | plugins               | ids, paths, or maps (below)                    | all that plugin_dirs hold          |
// |   .use                | id (a-z 0-9 _ -) or a path with a '/'          | required                           |
// |   .sha256             | 64 hexadecimal digits                          | not pinned                         |
// |   .options            | map, checked against the plug-in's schema      | the plug-in's defaults             |
// |   .optional           | true: a failure to load is only a warning      | false                              |
// |   .allow_threads      | true: it may start threads of its own          | false                              |
// | backends.order        | plug-in ids, the preferred first               | [avx2, neon, reference]            |
// | backends.rules        | list of {op, dtype?, use}: pins                | none                               |
// | backends.numeric      | default, exact64, f32                          | default                            |
// | model.path            | file or folder                                 | none: named by the caller          |
// | model.dense_cache_mb  | 0 to 1048576 (MiB)                             | 512                                |
// | recipe_dirs           | folders of model recipes                       | [models]                           |
// | tokenizer.use         | auto, or a tokenizer's name                    | auto                               |
// | sampling.chain        | NAME, {NAME: VALUE} or {NAME: {OPTION: VALUE}} | empty                              |
// | sampling.seed         | 0 to 2^64 - 1                                  | not given: a new one each time     |
// | runtime.threads       | auto, 1 to 1024                                | auto: the cores that may be used   |
// | runtime.context       | auto, 1 to 1048576 (tokens)                    | auto: what the model was made for  |
// | runtime.prefill_chunk | 1 to 8192 (tokens of a prompt in one step)     | 512                                |
// | runtime.determinism   | strict, relaxed                                | strict                             |
// | runtime.kv.page       | 8, 16, 32, 64, 128, 256 (tokens)               | 16                                 |
// | runtime.kv.dtype      | f16, f32, q8_0                                 | f16                                |
//
// Relative paths stand for the config file's folder, in overrides for the working directory. A section without a
// value (all of its lines commented out) is as if it were absent.
#pragma once

#include <tenon/config/yaml.hpp>

#include <optional>

namespace tenon {

struct PluginUse {
  std::string use;  // an id, or an absolute path
  Place place;
  std::optional<std::string> sha256;  // 64 lower-case hex digits
  Yaml options;                       // a map where has_options
  bool has_options = false;
  bool optional = false;
  bool allow_threads = false;

  bool is_path() const { return use.find('/') != std::string::npos; }
};

/// Pins an op, for weights of these dtypes (empty: of any), to one backend.
struct BackendRule {
  std::string op;
  std::vector<std::string> dtypes;
  std::string use;
  Place place;
};

struct BackendSettings {
  std::vector<std::string> order{"avx2", "neon", "reference"};
  std::vector<BackendRule> rules;
  std::string numeric = "default";
};

struct ModelSettings {
  std::string path;   // absolute, or empty
  std::string given;  // as written, which may be the name of a fetched model
  int64_t dense_cache_mb = 512;
};

struct TokenizerSettings {
  std::string use = "auto";
  Place place;
};

/// One step of the chain. `options` is null, a scalar (the main option) or a map.
struct ChainItem {
  std::string name;
  Yaml options;
  Place place;
};

struct SamplingSettings {
  std::vector<ChainItem> chain;
  bool chain_given = false;
  uint64_t seed = 0;
  bool seed_given = false;
};

struct KvCacheSettings {
  int64_t page = 16;  // tokens
  std::string dtype = "f16";
};

struct RuntimeSettings {
  int64_t threads = 0;  // 0: auto
  int64_t context = 0;  // 0: the model's
  int64_t prefill_chunk = 512;
  std::string determinism = "strict";
  KvCacheSettings kv;
};

struct Settings {
  std::vector<std::filesystem::path> plugin_dirs;
  std::vector<PluginUse> plugins;
  bool plugins_given = false;
  BackendSettings backends;
  ModelSettings model;
  std::vector<std::filesystem::path> recipe_dirs;
  TokenizerSettings tokenizer;
  SamplingSettings sampling;
  RuntimeSettings runtime;
};

/// Reads and checks the whole file. An override is "a.b.c=VALUE" with VALUE in YAML; a number in the path picks an item
/// of a list ("plugins.0.use=avx2"). The last override of a key wins; an empty VALUE removes the key, so that its
/// default holds. Errors: CONFIG_UNREADABLE, those of parse_yaml, CONFIG_UNKNOWN_KEY, CONFIG_TYPE, CONFIG_RANGE,
/// CONFIG_DUPLICATE_KEY (one plug-in or backend listed twice).
Result<Settings> load_settings(const std::filesystem::path& file, std::span<const std::string> overrides);

}  // namespace tenon
