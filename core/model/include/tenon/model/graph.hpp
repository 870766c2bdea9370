// Recipe + model -> a flat list of ops with their parameters, tensors and values: what to compute, not yet by whom.
#pragma once

#include <tenon/model/params.hpp>
#include <tenon/model/recipe.hpp>
#include <tenon/model/source.hpp>
#include <tenon/model/weight.hpp>
#include <tenon/result.hpp>

#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tenon {

/// A named activation: n_rows rows of `width` f32.
struct Value {
  std::string name;
  int64_t width;
  Stage stage;
};

/// The rotation table of one rope step: inverse frequencies of the n_dims / 2 pairs and the factor of cos and sin.
struct RopeFrequencies {
  std::vector<double> inverse;
  double magnitude = 1.0;
  int value = -1;  // the Value that holds the table [r, n_dims / 2, 2]

  friend bool operator==(const RopeFrequencies& a, const RopeFrequencies& b) {
    return a.inverse == b.inverse && a.magnitude == b.magnitude;
  }
};

using OpParams =
    std::variant<tenon_gather_params, tenon_binary_params, tenon_norm_params, tenon_rope_params, tenon_glu_params,
                 tenon_softcap_params, tenon_linear_params, tenon_ffn_params, tenon_moe_params, tenon_attention_params>;

inline constexpr int kAbsent = -1;

struct OpSpec {
  std::string name;   // "linear"
  std::string label;  // "blk 3: attn_q, attn_k, attn_v"
  Stage stage;
  int64_t layer;  // -1 outside the layers
  OpParams params;
  std::vector<int> weights;  // index into Graph::tensors, kAbsent for optional ones, in the order of the op's contract
  std::vector<int> in, out;  // index into Graph::values
  int kv_layer = kAbsent;    // attention: which kv store

  const void* params_data() const {
    return std::visit([](const auto& p) -> const void* { return &p; }, params);
  }
};

struct KvSettings {
  uint32_t dtype = TENON_F16;
  uint32_t page_tokens = 16;
};

struct Graph {
  std::vector<OpSpec> ops;
  std::vector<Value> values;
  std::deque<Weight> tensors;  // a deque: the builder holds on to one while it adds others
  std::vector<RopeFrequencies> ropes;
  int n_kv_layers = 0;
  int hidden = kAbsent;      // the value that goes from the layers to the head
  int head_input = kAbsent;  // its rows that need logits, in the head
  int logits = kAbsent;
  int64_t vocab_size = 0;
  int64_t context_length = 0;
  std::string chat_template;  // source, empty where the model brings none
};

/// Errors name the tensor or key, what was found and what the recipe expects.
Result<Graph> build_graph(const Recipe& recipe, const ModelSource& model, const KvSettings& kv);

}  // namespace tenon
