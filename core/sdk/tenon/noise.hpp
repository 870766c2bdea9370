// Noise as a function of its key. A token's noise depends on nothing but (seed, sample index, position, token id).
#pragma once

#include <cmath>
#include <cstdint>

namespace tenon {

/// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64 bits with full avalanche.
constexpr uint64_t mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

struct NoiseKey {
  uint64_t seed, sample_index, position;
};

constexpr uint64_t noise_bits(const NoiseKey& key, uint64_t token_id) {
  constexpr uint64_t kGolden = 0x9E3779B97F4A7C15u;
  uint64_t h = mix64(key.seed + kGolden);
  h = mix64(h ^ (key.sample_index + 2 * kGolden));
  h = mix64(h ^ (key.position + 3 * kGolden));
  return mix64(h ^ (token_id + 4 * kGolden));
}

/// In (0, 1), centred: (n + 1/2) / 2^32, so neither end is reached and the tails are even.
constexpr double noise_uniform(const NoiseKey& key, uint64_t token_id) {
  return (static_cast<double>(noise_bits(key, token_id) >> 32) + 0.5) * 0x1p-32;
}

/// Standard Gumbel: argmax over (logit + noise) draws from the softmax of the logits.
inline double noise_gumbel(const NoiseKey& key, uint64_t token_id) {
  return -std::log(-std::log(noise_uniform(key, token_id)));
}

}  // namespace tenon
