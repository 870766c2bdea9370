// tenon chat: piped, and at a terminal. The demo model has no chat template, so a conversation is one growing text.
#include "tenon_process.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <sstream>
#include <thread>

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// A chat at a terminal, in a reply that cannot end: its stdout is a pipe that is full.
class RepliesForever {
 public:
  RepliesForever()
      : terminal(
            [&] {
              return exec_tenon({"chat", "--greedy"}, folder_.path("state"));
            },
            AtTerminal::Stdout::pipe) {
    terminal.wait_for("> ");
    terminal.fill_pipe(kFree);
    const int before = terminal.bytes_in_pipe();
    terminal.type("Once there was\r");
    while (terminal.bytes_in_pipe() == before && !terminal.ended()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

 private:
  static constexpr int kFree = 16;  // bytes: the reply begins and is longer
  TemporaryFolder folder_;

 public:
  AtTerminal terminal;
};

/// Types once the editor has the terminal: before, a control key is the line discipline's.
void type_key(AtTerminal& chat, const std::string& key) {
  while (chat.is_in_line_mode()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  chat.type(key);
}

}  // namespace

TEST_CASE("piped lines are turns, and each reply is what a fresh run over the whole text writes") {
  const std::vector<std::string> same{"-n", "12", "--set", "sampling.seed=7", "-q"};
  std::vector<std::string> arguments{"chat"};
  arguments.insert(arguments.end(), same.begin(), same.end());
  const Outcome chat = run_tenon(arguments, "Once there was a cat\n\nThen a dog\nAt last");
  CHECK(chat.code == 0);
  CHECK(chat.err.empty());
  const auto replies = lines_of(chat.out);
  REQUIRE(replies.size() == 3);

  std::string text;
  const char* turns[] = {"Once there was a cat", "Then a dog", "At last"};
  for (size_t i = 0; i < 3; ++i) {
    text += turns[i];
    std::vector<std::string> run{"run", "-p", text};
    run.insert(run.end(), same.begin(), same.end());
    const Outcome fresh = run_tenon(run);
    CHECK(fresh.out == replies[i] + "\n");
    text += replies[i] + "\n";
  }
}

TEST_CASE("each reply is followed by its figures on stderr, with the tokens that were kept") {
  const Outcome chat = run_tenon({"chat", "-n", "12", "--greedy"}, "Once there was a cat\nThen a dog\n");
  const auto lines = lines_of(chat.err);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "tenon: no chat template: what you write and what the model adds is one text");
  CHECK_THAT(lines[1], Catch::Matchers::Matches("tenon: \\d+ prompt tokens at [\\d.]+/s, 12 new at [\\d.]+/s; \\d+ of "
                                                "512 in the context, ended by max_tokens"));
  CHECK_THAT(lines[2], Catch::Matchers::Matches("tenon: \\d+ prompt tokens \\(\\d+ kept\\) at .*"));
}

TEST_CASE("/clear forgets, /help explains, another command is refused, //x is a text, /quit ends") {
  const Outcome chat =
      run_tenon({"chat", "-n", "8", "--greedy", "-q"}, "Anna\n/clear\nAnna\n/help\n/nonsense\n//x\n/quit\nAnna\n");
  CHECK(chat.code == 0);
  const auto replies = lines_of(chat.out);
  REQUIRE(replies.size() >= 3);
  CHECK(replies[0] == replies[1]);
  CHECK(chat.err.find("/clear  forget the conversation") != std::string::npos);
  CHECK(chat.err.find("tenon: no command '/nonsense'; there are:") != std::string::npos);
  const Outcome text = run_tenon({"run", "-n", "8", "--greedy", "-p", "Anna" + replies[1] + "\n/x"});
  CHECK(chat.out.ends_with(text.out));
}

TEST_CASE("a full context is told with both counts, and after /clear the conversation goes on") {
  std::string long_line;
  for (int i = 0; i < 40; ++i) long_line += " cat";
  const Outcome chat =
      run_tenon({"chat", "-n", "4", "--greedy", "--set", "runtime.context=32"}, long_line + "\n/clear\nAnna\n");
  CHECK(chat.code == 1);
  CHECK(
      chat.err.find("tenon: the conversation with this line has 41 tokens, the context holds 32 and one is needed for "
                    "the reply; /clear starts a new conversation\n") != std::string::npos);
  CHECK(lines_of(chat.out).size() == 1);
}

TEST_CASE("a reply that fills the context is cut, and says so") {
  const Outcome chat = run_tenon({"chat", "--greedy", "--set", "runtime.context=16"}, "Once there was\n");
  CHECK(chat.code == 0);
  CHECK(chat.err.find("the reply was cut: the context of 16 tokens is full") != std::string::npos);
}

TEST_CASE("Ctrl-C stops a reply, the conversation goes on, and /quit ends it with 0") {
  RepliesForever chat;
  chat.terminal.type("\x03");
  while (chat.terminal.shown().find("ended by interrupted") == std::string::npos && !chat.terminal.ended()) {
    // The reply can end only when its text has a place to go.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    chat.terminal.drain_pipe();
    chat.terminal.read_available();
  }
  chat.terminal.wait_for("ended by interrupted");
  chat.terminal.wait_for("> ");
  chat.terminal.type("/quit\r");
  CHECK(chat.terminal.wait_for_end() == 0);
}

TEST_CASE("Ctrl-C twice ends with 130 even where the reply cannot stop") {
  RepliesForever chat;
  // Signals of one kind that wait are one: the second must come after the first was taken.
  for (int i = 0; i < 600 && !chat.terminal.ended(); ++i) {
    chat.terminal.type("\x03");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  CHECK(chat.terminal.wait_for_end() == 130);
}

TEST_CASE("Ctrl-C at the prompt ends with 130 and gives the terminal back as it was") {
  const TemporaryFolder folder;
  AtTerminal chat([&] { return exec_tenon({"chat"}, folder.path("state")); });
  REQUIRE(chat.is_in_line_mode());
  chat.wait_for("> ");
  type_key(chat, "\x03");
  CHECK(chat.wait_for_end() == 130);
  CHECK(chat.is_in_line_mode());
}

TEST_CASE("Ctrl-D ends with 0, and the next chat finds the lines of the last") {
  const TemporaryFolder folder;
  const auto program = [&] { return exec_tenon({"chat", "-n", "4", "--greedy"}, folder.path("state")); };
  {
    AtTerminal chat(program);
    chat.wait_for("> ");
    chat.type("Anna h\xC3\xB6rt\r");
    chat.wait_for("ended by max_tokens");
    chat.wait_for("> ");
    type_key(chat, "\x04");
    CHECK(chat.wait_for_end() == 0);
    CHECK(chat.is_in_line_mode());
  }
  CHECK(content_of(folder.path("state/tenon/history")) == "Anna h\xC3\xB6rt\n");
  CHECK((std::filesystem::status(folder.path("state/tenon/history")).permissions() &
         (std::filesystem::perms::group_all | std::filesystem::perms::others_all)) == std::filesystem::perms::none);
  AtTerminal chat(program);
  chat.wait_for("> ");
  type_key(chat, "\x10\r");  // Ctrl-P: the line before
  chat.wait_for("ended by max_tokens");
  chat.wait_for("> ");
  type_key(chat, "\x04");
  CHECK(chat.wait_for_end() == 0);
  CHECK(content_of(folder.path("state/tenon/history")) == "Anna h\xC3\xB6rt\nAnna h\xC3\xB6rt\n");
}
