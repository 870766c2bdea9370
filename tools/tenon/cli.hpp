// What the commands of the host executable share: options, exit codes, output.
#pragma once

#include "to_stderr.hpp"

#include <tenon/config/settings.hpp>
#include <tenon/engine.hpp>

#include <boost/program_options.hpp>
#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::cli {

namespace po = boost::program_options;

enum ExitCode { kDone = 0, kFailed = 1, kBadInput = 2, kInterrupted = 130 };

/// Writes "tenon: message" to stderr and gives the exit code that the error means.
int report(const Error& error);
int exit_code(const Error& error);

struct Command {
  std::string_view name, arguments, summary;
  int (*run)(const std::vector<std::string>& arguments);
};

/// Parses `arguments`; answers --help itself. nullopt-like: `done` is set where the command must return `code` at once.
struct Parsed {
  po::variables_map values;
  bool done = false;
  int code = kDone;
};
Parsed parse(std::string_view usage, const std::vector<std::string>& arguments, const po::options_description& options,
             const po::positional_options_description& positional = {});

/// -m, -c, --set, --threads, --overcommit, --quiet, --verbose.
po::options_description model_options();
/// Fills the engine's options from them. A model that is no path is looked up among the fetched ones.
Result<EngineOptions> engine_options(const po::variables_map& values);
/// Messages to stderr: warnings always, info with --verbose, none with --quiet.
LogFunction stderr_log(const po::variables_map& values);
/// Engine::load with a bar on stderr that is gone when it returns. The bar is left out by --quiet.
Result<std::unique_ptr<Engine>> load_engine(EngineOptions options, const po::variables_map& values);
/// "-c FILE" or the default config, with --set applied.
Result<Settings> settings_of(const po::variables_map& values);

/// A whole number from `min` to `max`, so that 1e12 or -5 is refused with the range. `name` is the option's.
Result<int64_t> whole_number(const std::string& text, std::string_view name, int64_t min, int64_t max);
/// The same for an option that may be absent.
Result<int64_t> whole_number_or(const po::variables_map& values, const char* option, int64_t absent, int64_t min,
                                int64_t max);
/// "1,2,4": at least one, in the order given.
Result<std::vector<int64_t>> whole_numbers(const std::string& text, std::string_view name, int64_t min, int64_t max);

/// Everything to stdout or false where it is closed.
bool write_out(std::string_view text);
/// One JSON document on stdout. Bytes that are no UTF-8 become U+FFFD.
int write_json(const nlohmann::json& document);

/// "45 prompt tokens (30 kept) at 120.0/s, 64 new at 51.2/s"; of the prompt, the rate is of those computed.
std::string rates_of(const Generation& generation);

/// Routes SIGINT and SIGTERM to a handler that runs on a thread of its own, for as long as this object lives. Create it
/// before any other thread. Without a handler the process ends with code 130 at once.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  /// Called with SIGINT or SIGTERM.
  void set_handler(std::function<void(int signal)> handler);
  /// How often a signal came so far.
  int count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

int run_batch(const std::vector<std::string>& arguments);
int run_bench(const std::vector<std::string>& arguments);
int run_chat(const std::vector<std::string>& arguments);
int run_run(const std::vector<std::string>& arguments);
int run_explain(const std::vector<std::string>& arguments);
int run_plugins(const std::vector<std::string>& arguments);
int run_inspect(const std::vector<std::string>& arguments);
int run_tokenize(const std::vector<std::string>& arguments);
int run_models(const std::vector<std::string>& arguments);
int run_perplexity(const std::vector<std::string>& arguments);
int run_plan(const std::vector<std::string>& arguments);
int run_conformance(const std::vector<std::string>& arguments);
int run_conformance_child(const std::vector<std::string>& arguments);

}  // namespace tenon::cli
