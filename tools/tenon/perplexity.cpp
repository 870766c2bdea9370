// tenon perplexity: how well a model foretells a text, token by token.
#include "cli.hpp"

#include <tenon/base/file.hpp>
#include <tenon/engine/text.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace tenon::cli {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 30;

/// -log softmax(logits)[id], in f64.
double negative_log_likelihood(std::span<const float> logits, int32_t id) {
  const double highest = *std::ranges::max_element(logits);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - highest);
  return std::log(sum) + highest - static_cast<double>(logits[static_cast<size_t>(id)]);
}

/// The text in one piece, or cut at blank lines.
std::vector<std::string> documents_of(const std::string& text, bool at_blank_lines) {
  std::vector<std::string> documents;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = at_blank_lines ? text.find("\n\n", at) : std::string::npos;
    std::string document = text.substr(at, end == std::string::npos ? end : end - at);
    at = end == std::string::npos ? text.size() : end + 2;
    if (at_blank_lines) {
      while (document.ends_with('\n')) document.pop_back();
      while (document.starts_with('\n')) document.erase(0, 1);
    }
    if (!document.empty()) documents.push_back(std::move(document));
  }
  return documents;
}

struct Sums {
  double nll = 0;
  int64_t n = 0;
};

/// Every token but the first of `ids` counts.
Result<void> add_tokens(Engine& engine, const std::vector<int32_t>& ids, std::ofstream* logits_out, Sums& sums) {
  return engine.evaluate(ids, [&](int64_t position, std::span<const float> logits) {
    if (logits_out != nullptr) {
      logits_out->write(reinterpret_cast<const char*>(logits.data()),
                        static_cast<std::streamsize>(logits.size_bytes()));
    }
    const auto next = static_cast<size_t>(position) + 1;
    if (next >= ids.size()) return;
    sums.nll += negative_log_likelihood(logits, ids[next]);
    ++sums.n;
  });
}

int measure(const po::variables_map& values) {
  auto engine_opts = engine_options(values);
  if (!engine_opts) return report(engine_opts.error());
  auto text = read_text(values["file"].as<std::string>(), kMostBytes);
  if (!text) return report(text.error());
  Interrupts interrupts;
  auto engine = load_engine(*engine_opts, values);
  if (!engine) return report(engine.error());
  interrupts.set_handler([&](int) { (*engine)->cancel(); });
  std::ofstream logits_file;
  if (values.count("logits-out") != 0) {
    logits_file.open(values["logits-out"].as<std::string>(), std::ios::binary);
    if (!logits_file) return report(Error{TENON_IO, "cannot write the file of --logits-out"});
  }
  Sums sums;
  for (const std::string& document : documents_of(*text, values["documents"].as<bool>())) {
    auto ids = (*engine)->prompt_tokens({.prompt = document});
    if (!ids) return report(ids.error());
    const auto window = static_cast<size_t>((*engine)->context());
    for (size_t first = 0; first < ids->size(); first += window) {
      const std::vector<int32_t> part(
          ids->begin() + static_cast<std::ptrdiff_t>(first),
          ids->begin() + static_cast<std::ptrdiff_t>(std::min(ids->size(), first + window)));
      auto added = add_tokens(**engine, part, logits_file.is_open() ? &logits_file : nullptr, sums);
      if (!added) return report(added.error());
      if (interrupts.count() > 0) return kInterrupted;
    }
  }
  interrupts.set_handler({});
  if (logits_file.is_open() && !logits_file.flush())
    return report(Error{TENON_IO, "cannot write all logits: is the disk full?"});
  if (sums.n == 0) return report(invalid("the text has fewer than two tokens: nothing to foretell"));
  if (!std::isfinite(sums.nll)) {
    return report(
        invalid("the logits of some position are NaN or infinite: the model's weights or its metadata are damaged; "
                "verify the file, or fetch it again"));
  }
  const double perplexity = std::exp(sums.nll / static_cast<double>(sums.n));
  if (values["json"].as<bool>()) {
    return write_json(
        {{"perplexity", perplexity}, {"tokens", sums.n}, {"nll", sums.nll / static_cast<double>(sums.n)}});
  }
  fmt::print("perplexity {:.5f} over {} tokens\n", perplexity, sums.n);
  return kDone;
}

}  // namespace

int run_perplexity(const std::vector<std::string>& arguments) {
  po::options_description options = model_options();
  options.add_options()("file,f", po::value<std::string>()->required(), "the text")(
      "documents", po::bool_switch(), "texts between blank lines are documents, each from an empty context")(
      "logits-out", po::value<std::string>(), "write the logits of all positions: f32 [n_tokens, vocab_size]")(
      "json", po::bool_switch(), "JSON on stdout");
  const Parsed parsed = parse("perplexity [-m MODEL] -f FILE [OPTIONS]", arguments, options);
  return parsed.done ? parsed.code : measure(parsed.values);
}

}  // namespace tenon::cli
