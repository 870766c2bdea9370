// tenon run: one prompt, one text.
#include "cli.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <iostream>

namespace tenon::cli {
namespace {

/// All of a file or pipe, or an error where it is no text to read or has no end.
Result<std::string> read_prompt(std::istream& in, const std::string& name) {
  constexpr size_t kMostBytes = size_t{1} << 26;
  constexpr size_t kPiece = size_t{1} << 16;
  std::string text;
  try {
    while (in && text.size() <= kMostBytes) {
      const size_t before = text.size();
      text.resize(before + kPiece);
      in.read(text.data() + before, kPiece);
      text.resize(before + static_cast<size_t>(in.gcount()));
    }
  } catch (const std::exception&) {  // how libstdc++ says that reading failed, whatever the stream's mask
    in.setstate(std::ios::badbit);
  }
  if (in.bad()) return Error{TENON_IO, fmt::format("cannot read the prompt from {}: it is no file of text", name)};
  if (text.size() > kMostBytes) {
    return invalid(fmt::format("the prompt from {} has more than {} bytes", name, kMostBytes));
  }
  return text;
}

Result<std::string> prompt_text(const po::variables_map& values) {
  if (values.count("file") != 0 && values.count("prompt") != 0) {
    return invalid("a prompt and a file are given (-p and -f), expected one of them");
  }
  if (values.count("file") == 0 && values.count("prompt") == 0) {
    return invalid("no prompt is given: -p TEXT, -f FILE, or -p - to read it from stdin");
  }
  if (values.count("file") != 0) {
    const auto& path = values["file"].as<std::string>();
    std::ifstream in(path, std::ios::binary);
    if (!in) return Error{TENON_IO, fmt::format("cannot read the prompt file {}", path)};
    return read_prompt(in, path);
  }
  const auto& prompt = values["prompt"].as<std::string>();
  if (prompt == "-") return read_prompt(std::cin, "stdin");
  return prompt;
}

nlohmann::json to_json(const Generation& g) {
  return {{"text", g.text},
          {"tokens", g.tokens},
          {"prompt_tokens", g.prompt_tokens.size()},
          {"finish", name_of(g.finish)},
          {"seed", g.seed},
          {"nan_logits", g.n_nan_logits},
          {"prefill_seconds", g.prefill_seconds},
          {"decode_seconds", g.decode_seconds}};
}

Result<Request> make_request(const po::variables_map& values, const Engine& engine) {
  auto prompt = prompt_text(values);
  if (!prompt) return prompt.error();
  Request request;
  if (engine.has_chat_template() && !values["raw"].as<bool>()) {
    if (values.count("system") != 0) request.messages.push_back({"system", values["system"].as<std::string>()});
    request.messages.push_back({"user", *prompt});
  } else {
    if (values.count("system") != 0) return invalid("--system needs a model with a chat template, and no --raw");
    request.prompt = *prompt;
  }
  auto max_tokens = whole_number_or(values, "max-tokens", -1, 0, 1'000'000'000);
  if (!max_tokens) return max_tokens.error();
  request.max_tokens = *max_tokens;
  if (values.count("stop") != 0) request.stop = values["stop"].as<std::vector<std::string>>();
  request.greedy = values["greedy"].as<bool>();
  return request;
}

}  // namespace

int run_run(const std::vector<std::string>& arguments) {
  po::options_description options = model_options();
  options.add_options()("prompt,p", po::value<std::string>(), "the prompt; '-' reads stdin")(
      "file,f", po::value<std::string>(), "a file that holds the prompt")(
      "system", po::value<std::string>(), "a system message, for models with a chat template")(
      "raw", po::bool_switch(), "continue the prompt as it is, without the chat template")(
      "max-tokens,n", po::value<std::string>(), "at most so many new tokens")("greedy", po::bool_switch(),
                                                                              "take the most probable token each time")(
      "stop", po::value<std::vector<std::string>>(), "a text that ends the output; repeatable")(
      "json", po::bool_switch(), "one JSON object on stdout in place of the text")("stats", po::bool_switch(),
                                                                                   "a line of figures on stderr");
  po::positional_options_description positional;
  positional.add("prompt", 1);
  const Parsed parsed = parse("run [-m MODEL] -p PROMPT [OPTIONS]", arguments, options, positional);
  if (parsed.done) return parsed.code;

  Interrupts interrupts;
  auto engine_opts = engine_options(parsed.values);
  if (!engine_opts) return report(engine_opts.error());
  auto engine = load_engine(*engine_opts, parsed.values);
  if (!engine) return report(engine.error());
  auto request = make_request(parsed.values, **engine);
  if (!request) return report(request.error());
  interrupts.set_handler([&](int) { (*engine)->cancel(); });

  const bool json = parsed.values["json"].as<bool>();
  bool closed = false;
  auto result = (*engine)->generate(*request, [&](size_t, std::string_view text) {
    if (interrupts.count() > 0) return false;
    if (!json && !write_out(text)) closed = true;
    return !closed;
  });
  interrupts.set_handler({});
  if (!result) return report(result.error());
  if (json) {
    closed = write_json(to_json(*result)) != kDone;
  } else if (!closed) {
    closed = !write_out("\n");
  }
  if (closed) return kFailed;
  if (result->n_nan_logits > 0) {
    to_stderr("tenon: warning: {} logits were NaN and were left out\n", result->n_nan_logits);
  }
  if (parsed.values["stats"].as<bool>() || parsed.values["verbose"].as<bool>()) {
    to_stderr("\ntenon: {} on {} threads, seed {}, ended by {}\n", rates_of(*result), (*engine)->n_threads(),
              result->seed, name_of(result->finish));
  }
  return result->finish == Finish::interrupted ? kInterrupted : kDone;
}

}  // namespace tenon::cli
