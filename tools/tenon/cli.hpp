// What the commands of the host executable share: options, exit codes, output.
#pragma once

#include <tenon/engine.hpp>

#include <boost/program_options.hpp>

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
/// A bar on stderr while weights load; nothing where stderr is no terminal or --quiet is given.
std::function<void(uint64_t, uint64_t)> load_progress(const po::variables_map& values);

/// Everything to stdout or false where it is closed.
bool write_out(std::string_view text);

/// Routes SIGINT and SIGTERM to a handler that runs on a thread of its own, for as long as this object lives. Create it
/// before any other thread. Without a handler the process ends with code 130 at once.
class Interrupts {
 public:
  Interrupts();
  ~Interrupts();
  /// `n`: how often a signal came so far, from 1.
  void set_handler(std::function<void(int n)> handler);
  int count() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

int run_run(const std::vector<std::string>& arguments);
int run_explain(const std::vector<std::string>& arguments);
int run_plugins(const std::vector<std::string>& arguments);
int run_inspect(const std::vector<std::string>& arguments);
int run_tokenize(const std::vector<std::string>& arguments);
int run_models(const std::vector<std::string>& arguments);
int run_perplexity(const std::vector<std::string>& arguments);
int run_plan(const std::vector<std::string>& arguments);

}  // namespace tenon::cli
