// tenon chat: a conversation, line by line. Each turn computes only what is new in it.
#include "cli.hpp"
#include "line_editor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <iostream>

namespace tenon::cli {
namespace {

constexpr std::string_view kHelp =
    "/clear  forget the conversation\n"
    "/help   this text\n"
    "/quit   end (Ctrl-D does too)\n"
    "//TEXT  say a text that begins with /\n"
    "Ctrl-C stops a reply; at the prompt, or twice, it ends the program.\n";

/// What was said so far. Without a chat template it is one text that the model continues.
class Conversation {
 public:
  Conversation(bool has_template, std::string system) : has_template_(has_template), system_(std::move(system)) {
    clear();
  }

  void clear() {
    messages_.clear();
    text_.clear();
    if (!system_.empty()) messages_.push_back({"system", system_});
  }

  /// The prompt with `line` as its newest part.
  Request ask(const std::string& line) const {
    Request request;
    if (has_template_) {
      request.messages = messages_;
      request.messages.push_back({"user", line});
    } else {
      request.prompt = text_ + line;
    }
    request.keep = true;
    return request;
  }

  void add(const std::string& line, const std::string& reply) {
    if (has_template_) {
      messages_.push_back({"user", line});
      messages_.push_back({"assistant", reply});
    } else {
      text_ += line + reply + "\n";
    }
  }

 private:
  bool has_template_;
  std::string system_;
  std::vector<Message> messages_;
  std::string text_;
};

/// Who a Ctrl-C is meant for. Its members are used by the thread that waits for signals.
struct Interruption {
  std::atomic<bool> replying{false}, stopped{false};

  void on_signal(int signal, Engine& engine, const LineEditor* editor) {
    if (signal == SIGINT && replying && !stopped.exchange(true)) {
      engine.cancel();
      return;
    }
    if (editor != nullptr) {
      editor->restore_terminal();
      to_stderr("\n");
    }
    std::_Exit(kInterrupted);
  }
};

class Chat {
 public:
  Chat(Engine& engine, const po::variables_map& values, Conversation conversation, int64_t max_tokens, bool at_terminal)
      : engine_(engine),
        conversation_(std::move(conversation)),
        max_tokens_(max_tokens),
        greedy_(values["greedy"].as<bool>()),
        quiet_(values["quiet"].as<bool>()),
        at_terminal_(at_terminal) {}

  Interruption interruption;

  /// False: the conversation is over.
  bool take(std::string line) {
    if (line.ends_with('\r')) line.pop_back();
    if (line.find_first_not_of(" \t") == std::string::npos) return true;
    if (line.front() == '/' && !line.starts_with("//")) return command(line);
    if (line.starts_with("//")) line.erase(0, 1);
    return reply_to(line);
  }

  int code() const { return code_; }

 private:
  bool command(const std::string& line) {
    if (line == "/quit") return false;
    if (line == "/clear") {
      conversation_.clear();
      if (!quiet_) to_stderr("tenon: a new conversation\n");
    } else {
      if (line != "/help") to_stderr("tenon: no command '{}'; there are:\n", line);
      to_stderr("{}", kHelp);
    }
    return true;
  }

  bool reply_to(const std::string& line) {
    Request request = conversation_.ask(line);
    request.max_tokens = max_tokens_;
    request.greedy = greedy_;
    if (!fits(request)) return true;
    bool closed = false;
    interruption.stopped = false;
    interruption.replying = true;
    auto reply = engine_.generate(request, [&](size_t, std::string_view text) {
      closed = closed || !write_out(text);
      return !closed && !interruption.stopped;
    });
    interruption.replying = false;
    if (!reply) {
      fail(report(reply.error()));
      return true;
    }
    if (closed || !write_out("\n")) {
      to_stderr("tenon: stdout was closed, the conversation ends\n");
      code_ = kFailed;
      return false;
    }
    conversation_.add(line, reply->text);
    print_stats(*reply);
    return true;
  }

  bool fits(const Request& request) {
    auto ids = engine_.prompt_tokens(request);
    if (!ids) {
      fail(report(ids.error()));
      return false;
    }
    if (static_cast<int64_t>(ids->size()) < engine_.context()) return true;
    to_stderr(
        "tenon: the conversation with this line has {} tokens, the context holds {} and one is needed for the "
        "reply; /clear starts a new conversation\n",
        ids->size(), engine_.context());
    fail(kFailed);
    return false;
  }

  /// A failed turn ends nothing. At a terminal the user sees it and goes on; a script learns of it at the end.
  void fail(int code) {
    if (!at_terminal_) code_ = code;
  }

  void print_stats(const Generation& reply) const {
    if (reply.n_nan_logits > 0 && !quiet_) {
      to_stderr("tenon: warning: {} logits were NaN and were left out\n", reply.n_nan_logits);
    }
    if (reply.finish == Finish::context_full) {
      to_stderr("tenon: the reply was cut: the context of {} tokens is full; /clear starts a new conversation\n",
                engine_.context());
    }
    if (quiet_) return;
    to_stderr("tenon: {}; {} of {} in the context, ended by {}\n", rates_of(reply),
              reply.prompt_tokens.size() + reply.tokens.size(), engine_.context(), name_of(reply.finish));
  }

  Engine& engine_;
  Conversation conversation_;
  int64_t max_tokens_;
  bool greedy_, quiet_, at_terminal_;
  int code_ = kDone;
};

int converse(const po::variables_map& values) {
  auto max_tokens = whole_number_or(values, "max-tokens", -1, 1, 1'000'000'000);
  if (!max_tokens) return report(max_tokens.error());
  Interrupts interrupts;
  auto engine_opts = engine_options(values);
  if (!engine_opts) return report(engine_opts.error());
  auto engine = load_engine(*engine_opts, values);
  if (!engine) return report(engine.error());
  const bool has_template = (*engine)->has_chat_template() && !values["raw"].as<bool>();
  const std::string system = values.count("system") != 0 ? values["system"].as<std::string>() : "";
  if (!system.empty() && !has_template) {
    return report(invalid("--system needs a model with a chat template, and no --raw"));
  }
  const bool quiet = values["quiet"].as<bool>();
  if (!has_template && !quiet) {
    to_stderr("tenon: no chat template: what you write and what the model adds is one text\n");
  }

  std::optional<LineEditor> editor;
  if (isatty(STDIN_FILENO) != 0 && isatty(STDERR_FILENO) != 0) {
    editor.emplace("> ", history_path());
    if (!quiet) to_stderr("/help lists the commands\n");
  }
  Chat chat(**engine, values, Conversation(has_template, system), *max_tokens, editor.has_value());
  interrupts.set_handler(
      [&](int signal) { chat.interruption.on_signal(signal, **engine, editor ? &*editor : nullptr); });
  const auto read = [&]() -> std::optional<std::string> {
    if (editor) return editor->read();
    std::string line;
    return std::getline(std::cin, line) ? std::optional(line) : std::nullopt;
  };
  std::optional<std::string> line = read();
  while (line && chat.take(*std::move(line))) line = read();
  interrupts.set_handler({});
  if (editor && !line) to_stderr("\n");  // after the prompt that Ctrl-D ended
  return chat.code();
}

}  // namespace

int run_chat(const std::vector<std::string>& arguments) {
  po::options_description options = model_options();
  options.add_options()("system", po::value<std::string>(), "a system message, for models with a chat template")(
      "raw", po::bool_switch(), "without the chat template: one text, continued by turns")(
      "max-tokens,n", po::value<std::string>(), "at most so many new tokens a reply")(
      "greedy", po::bool_switch(), "take the most probable token each time");
  const Parsed parsed = parse("chat [-m MODEL] [OPTIONS]", arguments, options);
  return parsed.done ? parsed.code : converse(parsed.values);
}

}  // namespace tenon::cli
