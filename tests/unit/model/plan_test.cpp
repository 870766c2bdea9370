// Case 30 of the plug-in host: what a kernel asks of the planner is checked. The backend and the graph are the test's
// own.
#include <catch2/catch.hpp>
#include <tenon/kernel.hpp>
#include <tenon/model/plan.hpp>

using namespace tenon;

namespace {

/// What the kernel answers.
struct Answers {
  uint64_t pack_bytes = 64 * 4;
  uint64_t page_bytes = 128;
};

class OddKernel final : public Kernel {
 public:
  explicit OddKernel(Answers answers) : answers_(answers) {}
  Result<tenon_pack_plan> pack_plan(uint32_t) const override { return pack_plan_of(answers_.pack_bytes, "plain"); }
  Result<void> pack(uint32_t, const void*, void*, const tenon_exec&) const override { return {}; }
  Result<tenon_kv_plan> kv_plan() const override {
    return tenon_kv_plan{sizeof(tenon_kv_plan), 64, answers_.page_bytes, "k"};
  }
  Result<void> run(const tenon_run&) const override { return {}; }

 private:
  Answers answers_;
};

class OddBackend final : public Backend {
 public:
  explicit OddBackend(Answers answers) : answers_(answers) {}
  tenon_support supports(const OpView&) const override { return yes("odd", TENON_CLASS_F32, 1.0f); }
  Result<std::unique_ptr<Kernel>> create(const OpView&) const override {
    return std::unique_ptr<Kernel>(std::make_unique<OddKernel>(answers_));
  }

 private:
  Answers answers_;
};

/// One multiplication by a constant of 64 f32, 256 bytes, and one attention.
std::string refusal(Answers answers) {
  const ModelSource::Tensor scale{"scale", {TENON_F32, 1, {64}}, 256, 0};
  Graph graph;
  graph.values = {{"x", 64, Stage::layer}};
  graph.tensors = {*make_weight({&scale}, Transform::none, false, 0)};
  graph.n_kv_layers = 1;
  OpSpec mul;
  mul.name = "mul";
  mul.label = "scale";
  mul.stage = Stage::layer;
  mul.params = tenon_binary_params{sizeof(tenon_binary_params), 1, 64};
  mul.weights = {0};
  mul.in = mul.out = {0};
  OpSpec attention = mul;
  attention.name = "attention";
  attention.label = "layer 0";
  attention.params = tenon_attention_params{};
  attention.weights = {};
  attention.kv_layer = 0;
  graph.ops = {mul, attention};
  OddBackend backend(answers);
  const std::vector<Offer<tenon_kernel_api>> offers{{"odd", backend.table()}};
  const auto plan = Plan::bind(std::move(graph), offers, {});
  return plan ? "" : plan.error().message;
}

constexpr const char* kMend = "; the plug-in must be mended, or another backend named in backends.order";

}  // namespace

TEST_CASE("a sound kernel is planned") { CHECK(refusal({}).empty()); }

TEST_CASE("case 30: a pack of no bytes or of absurd size is refused with the bytes asked and allowed") {
  // 32 times the tensor and a mebibyte: 256 * 32 + 1048576.
  CHECK(refusal({.pack_bytes = 0}) ==
        std::string(
            "PLUGIN_CONTRACT: plug-in 'odd', mul of scale: asks for 0 bytes to pack 'scale' of 256 bytes, expected "
            "from 1 to 1056768") +
            kMend);
  CHECK(refusal({.pack_bytes = uint64_t{1} << 60}).find("asks for 1152921504606846976 bytes to pack") !=
        std::string::npos);
}

TEST_CASE("case 30: kv pages must be whole cache lines of a size that can be") {
  for (const auto& [bytes, text] :
       {std::pair{uint64_t{0}, "0"}, {uint64_t{100}, "100"}, {uint64_t{1} << 40, "1099511627776"}}) {
    CHECK(refusal({.page_bytes = bytes}) ==
          std::string("PLUGIN_CONTRACT: plug-in 'odd', attention of layer 0: asks for kv pages of ") + text +
              " bytes, expected a multiple of 64 from 64 to 4294967296" + kMend);
  }
}
