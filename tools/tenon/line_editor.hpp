// Lines typed at a terminal, with editing and a history that outlives the program.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace tenon::cli {

/// $XDG_STATE_HOME/tenon/history, or ~/.local/state/tenon/history.
std::filesystem::path history_path();

/// One object a program; stdin and stderr must be terminals. The prompt goes to stderr, so that stdout holds replies
/// only.
class LineEditor {
 public:
  /// Reads the history; a file that cannot be read or written only means that nothing is remembered.
  LineEditor(const char* prompt, std::filesystem::path history);
  ~LineEditor();

  /// The next line without its end; none at the end of input (Ctrl-D on an empty line).
  std::optional<std::string> read();
  /// Gives the terminal the modes that it had before. From any thread; for an exit while read() waits.
  void restore_terminal() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tenon::cli
