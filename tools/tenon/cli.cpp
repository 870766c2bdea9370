#include "cli.hpp"

#include "models.hpp"
#include "progress.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <vector>

namespace tenon::cli {

int exit_code(const Error& error) {
  switch (error.code) {
    case TENON_INVALID:
    case TENON_UNSUPPORTED:
    case TENON_IO: return kBadInput;
    case TENON_CANCELLED: return kInterrupted;
    default: return kFailed;
  }
}

int report(const Error& error) {
  to_stderr("tenon: {}\n", error.message);
  return exit_code(error);
}

Parsed parse(std::string_view usage, const std::vector<std::string>& arguments, const po::options_description& options,
             const po::positional_options_description& positional) {
  Parsed parsed;
  po::options_description all;
  all.add(options).add_options()("help,h", "show this text");
  try {
    // No guessing: a mistyped long option is an error, not an abbreviation.
    const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    po::store(po::command_line_parser(arguments).options(all).positional(positional).style(style).run(), parsed.values);
    if (parsed.values.count("help") != 0) {
      std::ostringstream text;
      text << all;
      fmt::print("usage: tenon {}\n\n{}", usage, text.str());
      parsed.done = true;
      return parsed;
    }
    po::notify(parsed.values);
  } catch (const po::error& e) {
    to_stderr("tenon: {}\nusage: tenon {} ('--help' lists the options)\n", e.what(), usage);
    parsed.done = true;
    parsed.code = kBadInput;
  }
  return parsed;
}

po::options_description model_options() {
  po::options_description options("Model and config");
  options.add_options()("model,m", po::value<std::string>(), "path of a model file, or the name of a fetched model")(
      "config,c", po::value<std::string>(),
      "a YAML config, or the name of a shipped one: default, avx2, onednn, precise, ...")(
      "set", po::value<std::vector<std::string>>(), "KEY=VALUE over the config, e.g. sampling.seed=7; repeatable")(
      "threads,t", po::value<std::string>(), "threads (same as --set runtime.threads=N)")(
      "overcommit", po::bool_switch(), "load even where the plan exceeds the memory that is free")(
      "quiet,q", po::bool_switch(), "no messages but errors")("verbose,v", po::bool_switch(), "more messages");
  return options;
}

LogFunction stderr_log(const po::variables_map& values) {
  LogLevel least = LogLevel::warning;
  if (values["verbose"].as<bool>()) least = LogLevel::info;
  if (values["quiet"].as<bool>()) least = LogLevel::error;
  return [least](LogLevel level, std::string_view text) {
    if (level >= least) to_stderr("tenon: {}: {}\n", name_of(level), text);
  };
}

Result<std::unique_ptr<Engine>> load_engine(EngineOptions options, const po::variables_map& values) {
  ProgressBar bar("loading", !values["quiet"].as<bool>());
  options.progress = [&bar](uint64_t done, uint64_t total) { bar.show(done, total); };
  return Engine::load(options);
}

namespace {

/// A path as it stands; a bare name is a config of the folder that is shipped.
Result<std::filesystem::path> resolve_config(const std::string& name) {
  if (name.empty()) return invalid("--config is empty, expected a YAML file or the name of a shipped config");
  if (name.find_first_of("/.") != std::string::npos) return std::filesystem::path(name);
  auto folder = default_config_folder();
  if (!folder) return folder.error();
  const std::filesystem::path path = *folder / (name + ".yaml");
  if (std::filesystem::exists(path)) return path;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return invalid(fmt::format("there is no config '{}'; shipped are {}; a file is named with its ending or a /", name,
                             fmt::join(names, ", ")));
}

}  // namespace

Result<EngineOptions> engine_options(const po::variables_map& values) {
  EngineOptions options;
  if (values.count("config") != 0) {
    auto config = resolve_config(values["config"].as<std::string>());
    if (!config) return config.error();
    options.config = *config;
  }
  if (values.count("set") != 0) options.set = values["set"].as<std::vector<std::string>>();
  if (values.count("threads") != 0) options.set.push_back("runtime.threads=" + values["threads"].as<std::string>());
  if (values.count("model") != 0) {
    auto path = resolve_model(values["model"].as<std::string>());
    if (!path) return path.error();
    options.model = *path;
  }
  options.allow_overcommit = values["overcommit"].as<bool>();
  options.log = stderr_log(values);
  return options;
}

Result<Settings> settings_of(const po::variables_map& values) {
  auto options = engine_options(values);
  if (!options) return options.error();
  if (options->config.empty()) {
    auto folder = default_config_folder();
    if (!folder) return folder.error();
    options->config = *folder / "default.yaml";
  }
  return load_settings(options->config, options->set);
}

Result<int64_t> whole_number(const std::string& text, std::string_view name, int64_t min, int64_t max) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [next, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && next == end && value >= min && value <= max) return value;
  return invalid(fmt::format("{} is '{}', expected a whole number from {} to {}", name, text, min, max));
}

Result<int64_t> whole_number_or(const po::variables_map& values, const char* option, int64_t absent, int64_t min,
                                int64_t max) {
  if (values.count(option) == 0) return absent;
  return whole_number(values[option].as<std::string>(), std::string("--") + option, min, max);
}

Result<std::vector<int64_t>> whole_numbers(const std::string& text, std::string_view name, int64_t min, int64_t max) {
  std::vector<int64_t> numbers;
  for (size_t at = 0; at <= text.size();) {
    const size_t comma = std::min(text.find(',', at), text.size());
    auto number = whole_number(text.substr(at, comma - at), name, min, max);
    if (!number) return invalid(number.error().message + ", or several with commas between");
    numbers.push_back(*number);
    at = comma + 1;
  }
  return numbers;
}

std::string rates_of(const Generation& g) {
  const auto rate = [](int64_t n, double seconds) {
    return n > 0 && seconds > 0 ? fmt::format(" at {:.1f}/s", static_cast<double>(n) / seconds) : std::string();
  };
  const auto n_prompt = static_cast<int64_t>(g.prompt_tokens.size()), n_new = static_cast<int64_t>(g.tokens.size());
  // The first new token comes with the prompt; each further one takes a decode step.
  return fmt::format("{} prompt tokens{}{}, {} new{}", n_prompt,
                     g.n_reused > 0 ? fmt::format(" ({} kept)", g.n_reused) : std::string(),
                     rate(n_prompt - g.n_reused, g.prefill_seconds), n_new, rate(n_new - 1, g.decode_seconds));
}

int write_json(const nlohmann::json& document) {
  const std::string text = document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  return write_out(text) ? kDone : kFailed;
}

bool write_out(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

}  // namespace tenon::cli
