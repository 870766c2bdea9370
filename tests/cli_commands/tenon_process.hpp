// Runs the built `tenon`: with files for its streams, or at a terminal.
#pragma once

#include <sys/types.h>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

/// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string content_of(const std::string& path);
void write_file(const std::string& path, const std::string& content);

struct Outcome {
  int code;
  std::string out, err;
};
/// With `input` as stdin.
Outcome run_tenon(const std::vector<std::string>& arguments, const std::string& input = "");

/// A program whose stdin and stderr are a pseudo terminal; its stdout is too, or a pipe that the test reads when it
/// likes.
class AtTerminal {
 public:
  enum class Stdout { terminal, pipe };
  /// `program` runs in the child and gives its exit code.
  AtTerminal(const std::function<int()>& program, Stdout to = Stdout::terminal);
  ~AtTerminal();
  AtTerminal(const AtTerminal&) = delete;
  AtTerminal& operator=(const AtTerminal&) = delete;

  void type(const std::string& keys) const;
  /// Reads until the terminal has shown `text` since the last call of wait_for, or fails the test after a minute.
  void wait_for(const std::string& text);
  /// Reads until the program ends; its exit code.
  int wait_for_end();
  /// What the terminal has shown so far.
  const std::string& shown() const { return shown_; }
  /// Whether the terminal echoes and edits lines by itself, as before a program took it over.
  bool is_in_line_mode() const;

  /// Stdout::pipe: fills the pipe up to `free` bytes.
  void fill_pipe(int free);
  int bytes_in_pipe() const;
  std::string drain_pipe();
  void read_available() {
    while (read_some(0)) {
    }
  }
  bool ended();

 private:
  bool read_some(int milliseconds);

  pid_t child_ = -1;
  int master_ = -1, slave_ = -1, pipe_[2] = {-1, -1};
  int status_ = -1;
  bool ended_ = false;
  size_t waited_ = 0;  // of shown_
  std::string shown_;
};

/// For AtTerminal: becomes `tenon` with these arguments, with `state` as XDG_STATE_HOME.
int exec_tenon(std::vector<std::string> arguments, const std::string& state);
