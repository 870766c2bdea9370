// tenon tokenize: text to ids and pieces, and back.
#include "cli.hpp"

#include <tenon/engine/text.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <iostream>
#include <iterator>

namespace tenon::cli {
namespace {

Result<std::vector<int32_t>> parse_ids(const std::string& text) {
  std::vector<int32_t> ids;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    if (*at == ' ' || *at == ',' || *at == '\n' || *at == '\t') {
      ++at;
      continue;
    }
    int32_t id = 0;
    const auto [next, error] = std::from_chars(at, end, id);
    if (error != std::errc()) {
      return invalid(fmt::format("'{}' at byte {} is no token id; ids are whole numbers with spaces or commas between",
                                 std::string(at, std::min<size_t>(8, static_cast<size_t>(end - at))),
                                 at - text.data()));
    }
    ids.push_back(id);
    at = next;
  }
  return ids;
}

int decode(const Engine& engine, const std::string& text, bool json) {
  auto ids = parse_ids(text);
  if (!ids) return report(ids.error());
  auto decoded = engine.tokenizer().decode(*ids, true);
  if (!decoded) return report(decoded.error());
  if (json) return write_json({{"text", *decoded}});
  return write_out(*decoded + "\n") ? kDone : kFailed;
}

}  // namespace

int run_tokenize(const std::vector<std::string>& arguments) {
  po::options_description options = model_options();
  options.add_options()("text", po::value<std::string>(), "the text; '-' reads stdin")(
      "ids", po::bool_switch(), "the ids only, on one line")("decode", po::bool_switch(),
                                                             "TEXT is ids; print their text")(
      "special", po::bool_switch(), "take control tokens such as <|im_end|> in the text for tokens")(
      "json", po::bool_switch(), "JSON on stdout");
  po::positional_options_description positional;
  positional.add("text", 1);
  const Parsed parsed = parse("tokenize [-m MODEL] [--ids] [--decode] TEXT", arguments, options, positional);
  if (parsed.done) return parsed.code;
  auto engine_opts = engine_options(parsed.values);
  if (!engine_opts) return report(engine_opts.error());
  engine_opts->plan_only = true;
  auto engine = Engine::load(*engine_opts);
  if (!engine) return report(engine.error());
  std::string text = parsed.values.count("text") != 0 ? parsed.values["text"].as<std::string>() : "";
  if (text == "-") text.assign(std::istreambuf_iterator<char>(std::cin), {});
  const bool json = parsed.values["json"].as<bool>();
  if (parsed.values["decode"].as<bool>()) return decode(**engine, text, json);
  std::vector<tenon_range> ranges;
  if (parsed.values["special"].as<bool>()) ranges.push_back({0, text.size()});
  const TokenizerHandle& tokenizer = (*engine)->tokenizer();
  auto ids = tokenizer.encode(text, ranges);
  if (!ids) return report(ids.error());
  if (parsed.values["ids"].as<bool>() && json) return write_json({{"ids", *ids}});
  if (parsed.values["ids"].as<bool>()) return write_out(fmt::format("{}\n", fmt::join(*ids, " "))) ? kDone : kFailed;
  nlohmann::json pieces = nlohmann::json::array();
  for (size_t i = 0; i < ids->size(); ++i) {
    auto bytes = tokenizer.token_bytes((*ids)[i], i, true);
    if (!bytes) return report(bytes.error());
    pieces.push_back({{"id", (*ids)[i]}, {"text", *bytes}});
  }
  const auto replace = nlohmann::json::error_handler_t::replace;
  if (json) return write_json(nlohmann::json::object({{"tokens", std::move(pieces)}}));
  for (const auto& piece : pieces) {
    fmt::print("{:>8}  {}\n", piece["id"].get<int32_t>(), piece["text"].dump(-1, ' ', false, replace));
  }
  return kDone;
}

}  // namespace tenon::cli
