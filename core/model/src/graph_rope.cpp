// The rope step: frequencies from theta, scaling and factors, and the rotation of its inputs.
#include "graph_builder.hpp"
#include "rope_scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tenon {

Result<RopeFrequencies> GraphBuilder::rope_frequencies(const Yaml& step, int64_t n_dims) {
  auto theta = number_or(step, "theta", "rope_theta", 0);
  if (!theta) return theta.error();
  if (!(*theta > 0)) return at(step, fmt::format("rope_theta is {}, expected more than 0", *theta));
  RopeFrequencies frequencies;
  for (int64_t i = 0; i < n_dims / 2; ++i) {
    frequencies.inverse.push_back(
        std::pow(static_cast<double>(*theta), -2.0 * static_cast<double>(i) / static_cast<double>(n_dims)));
  }
  auto factors = tensor_field(step, "factors", "weight");
  if (!factors) return factors.error();
  if (*factors != kAbsent) {
    auto shape = expect_shape(*factors, {n_dims / 2}, step);
    if (!shape) return shape.error();
    const Weight& t = info(*factors);
    if (t.shape.dtype != TENON_F32) return at(step, fmt::format("tensor '{}' must be f32", t.name));
    std::vector<float> divisors(static_cast<size_t>(n_dims / 2));
    std::vector<std::byte> scratch(t.scratch_bytes);
    auto read = read_weight(model_, t, std::as_writable_bytes(std::span(divisors)), scratch);
    if (!read) return read.error();
    for (size_t i = 0; i < divisors.size(); ++i) frequencies.inverse[i] /= static_cast<double>(divisors[i]);
  }
  auto scaled = scale_frequencies(step, static_cast<double>(*theta), frequencies);
  if (!scaled) return scaled.error();
  return frequencies;
}

Result<void> GraphBuilder::scale_frequencies(const Yaml& step, double theta, RopeFrequencies& frequencies) {
  const Yaml* field = step.find("scaling");
  if (field == nullptr) return {};
  auto scaling = for_layer(*field);
  if (!scaling) return scaling.error();
  if (!(*scaling)->is_scalar()) return config_error("CONFIG_TYPE", (*scaling)->place(), "expected the name of a param");
  const std::string name = (*scaling)->scalar();
  const std::string kind = params_.text(name).value_or("none");
  if (kind == "none") return {};
  const auto known = std::ranges::find(rope_scalings(), std::string_view(kind), &RopeScaling::name);
  if (known == rope_scalings().end()) {
    std::string names = "none";
    for (const RopeScaling& each : rope_scalings()) names += ", " + std::string(each.name);
    return at(step, fmt::format("rope scaling of type '{}' is unknown; known: {}", kind, names));
  }
  RopeScalingNumbers numbers;
  for (const RopeScalingNumber& number : rope_scaling_numbers()) {
    const std::string param = name + "_" + std::string(number.name);
    if (!params_.has(param)) {
      if (number.needed_by.find(kind) == std::string_view::npos) continue;
      auto missing = params_.number(param, layer_);  // its message names the key
      return at(step, fmt::format("rope scaling '{}' needs its {}: {}", kind, number.name, missing.error().message));
    }
    auto value = params_.number(param, layer_);
    if (!value) return value.error();
    if (!(*value > 0 || (number.name == "truncate" && *value == 0)) || !std::isfinite(*value)) {
      return at(step, fmt::format("the rope scaling's {} is {}, expected more than 0", number.name, *value));
    }
    numbers.*number.member = *value;
  }
  known->apply(numbers, theta, frequencies);
  return {};
}

Result<void> GraphBuilder::rope(const Yaml& step, OpSpec& op) {
  constexpr std::array<std::string_view, 2> kPairings{"interleaved", "halves"};
  auto pairing = as_choice(*step.find("pairing"), "pairing", kPairings);
  if (!pairing) return pairing.error();
  auto in = inputs(*step.find("in"));
  if (!in) return in.error();
  auto head_dim = params_.integer("head_dim", layer_, 2, 1 << 16);
  if (!head_dim) return head_dim.error();
  auto n_dims = params_.integer("rope_dims", layer_, 2, *head_dim);
  if (!n_dims) return n_dims.error();
  if (in->empty() || in->size() > 4 || *n_dims % 2 != 0) {
    return at(step, fmt::format("rope takes 1 to 4 values and an even number of dimensions, found {} and {}",
                                in->size(), *n_dims));
  }
  tenon_rope_params params{};
  params.size = sizeof params;
  params.pairing = *pairing == "halves" ? TENON_PAIRING_HALVES : TENON_PAIRING_INTERLEAVED;
  params.n_in = static_cast<uint32_t>(in->size());
  params.head_dim = *head_dim;
  params.n_dims = *n_dims;
  for (size_t i = 0; i < in->size(); ++i) {
    params.n_heads[i] = width_of((*in)[i]) / *head_dim;
    if (params.n_heads[i] * *head_dim != width_of((*in)[i])) {
      return at(step, fmt::format("width {} is no multiple of head_dim {}", width_of((*in)[i]), *head_dim));
    }
  }
  auto frequencies = rope_frequencies(step, *n_dims);
  if (!frequencies) return frequencies.error();
  auto known = std::ranges::find(graph_.ropes, *frequencies);
  if (known == graph_.ropes.end()) {
    frequencies->value = add_value(fmt::format("rope_table_{}", graph_.ropes.size()), *n_dims, Stage::embed);
    graph_.ropes.push_back(std::move(*frequencies));
    known = graph_.ropes.end() - 1;
  }
  op.in = *in;
  op.in.push_back(known->value);
  op.out = *in;
  op.params = params;
  return {};
}

}  // namespace tenon
