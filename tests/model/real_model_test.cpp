// Fetched models against the float64 evaluation of the same file: the divergence is at most the one of the peer,
// llama.cpp, over the same positions, and two standard errors of that mean: the peer itself moves by one from build to
// build (tests/oracle/make_golden.py wrote all of it). A model that is not fetched is not tested.
#include "golden.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace tenon;
using namespace tenon::test;

namespace {

/// How much of the text is evaluated: about a minute on plain loops. SIZE_MAX: all. A multiple of 128, for which the
/// golden files have the peer's figure.
constexpr size_t kPositions = 384;

std::string fetched(const std::string& name) {
  const char* cache = std::getenv("TENON_CACHE");
  const char* home = std::getenv("HOME");
  const std::string folder = cache != nullptr ? cache : std::string(home == nullptr ? "" : home) + "/.cache/tenon";
  return folder + "/models/" + name + ".gguf";
}

struct Figure {
  double mean, standard_error;
};

Figure peers_divergence(const std::string& name, size_t n_positions) {
  const auto file = nlohmann::json::parse(std::ifstream(TENON_TEST_SOURCE "/tests/data/" + name + "/golden.json"));
  const auto& run = file["peer"]["runs"]["prefill_kv_f16"];
  const double all = run["positions"];
  const double error = run["kl_full_standard_error"].get<double>() * std::sqrt(all / static_cast<double>(n_positions));
  if (n_positions == run["positions"].get<size_t>()) return {run["kl_partition_mean"], error};
  return {run["kl_partition_mean_of_first"][std::to_string(n_positions)], error};
}

void check_against_peer(const std::string& name, const std::string& data) {
  EngineOptions options;
  options.config = TENON_TEST_BUILD "/share/tenon/configs/default.yaml";
  options.model = fetched(name);
  options.set = {"runtime.context=4096"};
  if (!std::filesystem::exists(options.model)) {
    WARN(name << " is not fetched: not tested");
    return;
  }
  auto engine = Engine::load(options);
  if (!engine) FAIL(engine.error().message);
  const Golden golden = read_golden(data + "/golden.bin");
  const size_t n = std::min(kPositions, golden.n_positions);
  const double ours = mean_divergence(**engine, golden, n);
  const Figure peers = peers_divergence(data, n);
  INFO(n << " positions: " << ours << ", the peer " << peers.mean << " +- " << peers.standard_error);
  CHECK(ours <= peers.mean + 2 * peers.standard_error);
}

}  // namespace

TEST_CASE("SmolLM2's logits are no further from float64 than the peer's") {
  check_against_peer("smollm2-135m", "smollm2");
}

TEST_CASE("Gemma 3's logits are no further from float64 than the peer's") {
  check_against_peer("gemma3-270m", "gemma3-270m");
}
