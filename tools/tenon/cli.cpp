#include "cli.hpp"

#include "models.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <sstream>

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
  fmt::print(stderr, "tenon: {}\n", error.message);
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
    fmt::print(stderr, "tenon: {}\nusage: tenon {} ('--help' lists the options)\n", e.what(), usage);
    parsed.done = true;
    parsed.code = kBadInput;
  }
  return parsed;
}

po::options_description model_options() {
  po::options_description options("Model and config");
  options.add_options()("model,m", po::value<std::string>(), "path of a model file, or the name of a fetched model")(
      "config,c", po::value<std::string>(), "YAML config (default: share/tenon/configs/default.yaml)")(
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
    if (level >= least) fmt::print(stderr, "tenon: {}: {}\n", name_of(level), text);
  };
}

std::function<void(uint64_t, uint64_t)> load_progress(const po::variables_map& values) {
  if (values["quiet"].as<bool>() || isatty(STDERR_FILENO) == 0) return {};
  return [shown = -1](uint64_t done, uint64_t total) mutable {
    constexpr int kWidth = 30;
    const int percent = total == 0 ? 100 : static_cast<int>(done * 100 / total);
    if (percent == shown) return;
    shown = percent;
    const int filled = percent * kWidth / 100;
    fmt::print(stderr, "\rloading [{}{}] {:3}%", std::string(static_cast<size_t>(filled), '='),
               std::string(static_cast<size_t>(kWidth - filled), ' '), percent);
    if (percent == 100) fmt::print(stderr, "\r{}\r", std::string(kWidth + 20, ' '));
  };
}

Result<EngineOptions> engine_options(const po::variables_map& values) {
  EngineOptions options;
  if (values.count("config") != 0) options.config = values["config"].as<std::string>();
  if (values.count("set") != 0) options.set = values["set"].as<std::vector<std::string>>();
  if (values.count("threads") != 0) options.set.push_back("runtime.threads=" + values["threads"].as<std::string>());
  if (values.count("model") != 0) {
    auto path = resolve_model(values["model"].as<std::string>());
    if (!path) return path.error();
    options.model = *path;
  }
  options.allow_overcommit = values["overcommit"].as<bool>();
  options.log = stderr_log(values);
  options.progress = load_progress(values);
  return options;
}

bool write_out(std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
}

}  // namespace tenon::cli
