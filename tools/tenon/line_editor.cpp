#include "line_editor.hpp"

#include <langinfo.h>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <fstream>
#include <string_view>

#include <fcntl.h>
#include <histedit.h>
#include <termios.h>
#include <unistd.h>

namespace tenon::cli {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostLines = 1000;  // in memory, and in the file after a start

/// libedit reads characters by the locale. Numbers keep the C locale: the rest of the program parses and prints them.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view(nl_langinfo(CODESET)) != "UTF-8") std::setlocale(LC_CTYPE, "C.UTF-8");
}

std::deque<std::string> last_lines(const fs::path& path, size_t& n_all) {
  std::deque<std::string> lines;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line); ++n_all) {
    lines.push_back(line);
    if (lines.size() > kMostLines) lines.pop_front();
  }
  return lines;
}

/// A file of its owner only: prompts are private.
bool append_lines(const fs::path& path, std::string_view lines, int flags) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
  if (file < 0) return false;
  const bool written = ::write(file, lines.data(), lines.size()) == static_cast<ssize_t>(lines.size());
  return ::close(file) == 0 && written;
}

}  // namespace

fs::path history_path() {
  if (const char* xdg = std::getenv("XDG_STATE_HOME"); xdg != nullptr && *xdg != '\0')
    return fs::path(xdg) / "tenon/history";
  const char* home = std::getenv("HOME");
  return fs::path(home != nullptr && *home != '\0' ? home : ".") / ".local/state/tenon/history";
}

struct LineEditor::State {
  struct EndEditor {
    void operator()(EditLine* editor) const { el_end(editor); }
  };
  struct EndHistory {
    void operator()(History* history) const { history_end(history); }
  };

  const char* prompt;
  fs::path path;
  std::unique_ptr<History, EndHistory> history;
  std::unique_ptr<EditLine, EndEditor> editor;
  termios before{};

  void remember(const std::string& line) const {
    HistEvent event;
    ::history(history.get(), &event, H_ENTER, line.c_str());
  }
};

LineEditor::LineEditor(const char* prompt, fs::path path) : state_(std::make_unique<State>()) {
  use_utf8();
  tcgetattr(STDIN_FILENO, &state_->before);
  state_->prompt = prompt;
  state_->path = std::move(path);
  state_->history.reset(history_init());
  HistEvent event;
  history(state_->history.get(), &event, H_SETSIZE, static_cast<int>(kMostLines));
  history(state_->history.get(), &event, H_SETUNIQUE, 1);

  std::error_code ignored;
  fs::create_directories(state_->path.parent_path(), ignored);
  size_t n_all = 0;
  const std::deque<std::string> lines = last_lines(state_->path, n_all);
  std::string kept;
  for (const std::string& line : lines) {
    state_->remember(line);
    kept += line + "\n";
  }
  if (n_all > 2 * kMostLines) append_lines(state_->path, kept, O_TRUNC);

  state_->editor.reset(el_init("tenon", stdin, stderr, stderr));
  EditLine* editor = state_->editor.get();
  el_set(editor, EL_CLIENTDATA, state_.get());
  el_set(
      editor, EL_PROMPT, +[](EditLine* of) -> char* {
        void* state = nullptr;
        el_get(of, EL_CLIENTDATA, &state);
        return const_cast<char*>(static_cast<State*>(state)->prompt);
      });
  el_set(editor, EL_EDITOR, "emacs");
  el_set(editor, EL_HIST, history, state_->history.get());
  el_set(editor, EL_SIGNAL, 0);  // signals are handled on a thread of the program
  el_set(editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(editor, nullptr);
}

LineEditor::~LineEditor() = default;

std::optional<std::string> LineEditor::read() {
  int n = 0;
  const char* text = el_gets(state_->editor.get(), &n);
  if (text == nullptr || n <= 0) return std::nullopt;
  std::string line(text);
  while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
  if (line.find_first_not_of(" \t") != std::string::npos) {
    state_->remember(line);
    append_lines(state_->path, line + "\n", O_APPEND);
  }
  return line;
}

void LineEditor::restore_terminal() const { tcsetattr(STDIN_FILENO, TCSANOW, &state_->before); }

}  // namespace tenon::cli
