#include "cli.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace tenon::cli;

constexpr std::array kCommands{
    Command{"run", "-m MODEL -p PROMPT", "write text: the model's answer on stdout, everything else on stderr",
            run_run},
    Command{"chat", "-m MODEL", "a conversation: Ctrl-C stops a reply, Ctrl-D ends it", run_chat},
    Command{"batch", "-m MODEL -i IN -o OUT", "many prompts in one engine, JSON lines in and out, resumable",
            run_batch},
    Command{"bench", "-m MODEL -p 512 -n 64", "prefill and decode speed, and the share of the memory bandwidth",
            run_bench},
    Command{"explain", "-m MODEL", "op by op: the kernel that runs it, and why the others do not", run_explain},
    Command{"plan", "-m MODEL", "memory that a model needs, before loading it", run_plan},
    Command{"inspect", "MODEL", "metadata and tensors of a model file", run_inspect},
    Command{"tokenize", "-m MODEL TEXT", "token ids and pieces of a text, and back", run_tokenize},
    Command{"perplexity", "-m MODEL -f FILE", "how well a model foretells a text", run_perplexity},
    Command{"models", "fetch|list|path|verify", "models known by name, and the ones fetched", run_models},
    Command{"plugins", "list", "plug-ins: present, loadable, usable, chosen", run_plugins},
    Command{"conformance", "PLUGIN.so", "every kernel of a backend against 'reference', in child processes",
            run_conformance},
};

// What the executable runs itself as, in a child; not for people.
constexpr std::array kInnerCommands{
    Command{"conformance-child", "", "", run_conformance_child},
};

std::string usage() {
  std::string text = "usage: tenon COMMAND [OPTIONS]\n\n";
  for (const Command& command : kCommands) {
    text += fmt::format("  tenon {:<36} {}\n", fmt::format("{} {}", command.name, command.arguments), command.summary);
  }
  return text +
         "\n'tenon COMMAND --help' lists a command's options. Without -m, the demo model is used.\n"
         "Exit codes: 0 done, 1 failed while running, 2 bad input or config, 130 interrupted.\n";
}

/// Descriptors 0 to 2 that came closed are taken by /dev/null, opened so that use of them fails: no file that is opened
/// later may stand where messages go.
void occupy_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0) continue;
    const int taken = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (taken != descriptor) std::_Exit(kFailed);
  }
}

/// Runs a command; what it throws and output that was not taken become one message and an exit code.
template <class F>
int with_checked_output(F&& command) {
  int code = kFailed;
  std::string problem;
  try {
    code = command();
  } catch (const std::bad_alloc&) {
    problem = "out of memory";
  } catch (const std::exception& e) {
    problem = fmt::format("internal error: {}", e.what());
  }
  const bool flushed = std::fflush(stdout) == 0;
  if (!flushed || std::ferror(stdout) != 0) {
    problem = "stdout was closed or is full: the output was cut";
    if (code == kDone) code = kFailed;
  }
  if (!problem.empty()) to_stderr("tenon: {}\n", problem);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  std::signal(SIGPIPE, SIG_IGN);  // a closed stdout is a write error, handled where text is written
  if (argc < 2) {
    to_stderr("{}", usage());
    return kBadInput;
  }
  const std::string_view name = argv[1];
  if (name == "--help" || name == "-h" || name == "help") {
    return with_checked_output([] { return write_out(usage()) ? kDone : kFailed; });
  }
  if (name == "--version") {
    return with_checked_output([] {
      fmt::print("tenon {}\n", TENON_VERSION);
      return kDone;
    });
  }
  for (const std::span<const Command> commands :
       {std::span<const Command>(kCommands), std::span<const Command>(kInnerCommands)}) {
    for (const Command& command : commands) {
      if (name != command.name) continue;
      return with_checked_output([&] { return command.run(std::vector<std::string>(argv + 2, argv + argc)); });
    }
  }
  to_stderr("tenon: no command '{}'\n\n", name);
  to_stderr("{}", usage());
  return kBadInput;
}
