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

/// nullptr where the model is not fetched.
std::unique_ptr<Engine> load(const std::string& name, const std::string& config) {
  EngineOptions options;
  options.config = TENON_TEST_BUILD "/share/tenon/configs/" + config;
  options.model = fetched(name);
  options.set = {"runtime.context=4096"};
  if (!std::filesystem::exists(options.model)) {
    WARN(name << " is not fetched: not tested");
    return nullptr;
  }
  auto engine = Engine::load(options);
  if (!engine) FAIL(engine.error().message);
  return std::move(*engine);
}

/// In the default config: within two of the peer's standard errors, since two builds of the peer differ by one.
void check_against_peer(const std::string& name, const std::string& data) {
  const auto engine = load(name, "default.yaml");
  if (engine == nullptr) return;
  const Golden golden = read_golden(data + "/golden.bin");
  const double ours = distance(*engine, golden, golden.n_positions).divergence;
  const Figure peers = peers_divergence(data, golden.n_positions);
  INFO("ours " << ours << ", the peer " << peers.mean << " +- " << peers.standard_error);
  CHECK(ours <= peers.mean + 2 * peers.standard_error);
}

/// The golden file holds float32, hence the bound: its own rounding, about 1e-7 a position.
void check_precise(const std::string& name, const std::string& data) {
  const auto engine = load(name, "precise.yaml");
  if (engine == nullptr) return;
  const Golden golden = read_golden(data + "/golden.bin");
  const Distance ours = distance(*engine, golden, golden.n_positions);
  INFO("divergence " << ours.divergence << ", top-1 agreement " << ours.top1_agreement);
  CHECK(ours.divergence <= 1e-6);
  CHECK(ours.top1_agreement >= 0.99);
}

}  // namespace

TEST_CASE("SmolLM2's logits are no further from float64 than the peer's") {
  check_against_peer("smollm2-135m", "smollm2");
}

TEST_CASE("Gemma 3's logits are no further from float64 than the peer's") {
  check_against_peer("gemma3-270m", "gemma3-270m");
}

TEST_CASE("in the precise config SmolLM2's most probable token is float64's in 99 of 100 places") {
  check_precise("smollm2-135m", "smollm2");
}

TEST_CASE("in the precise config Gemma 3's most probable token is float64's in 99 of 100 places") {
  check_precise("gemma3-270m", "gemma3-270m");
}
