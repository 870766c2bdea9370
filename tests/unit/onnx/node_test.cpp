// The node tests of the PyPI package onnx that are one of our ops (make_golden.py), on every backend written here.
#include <support/golden_file.hpp>
#include <support/kernel_runner.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <set>

using namespace tenon;
using namespace tenon::test;

namespace {

// The package compares with a relative 1e-3; its expected values are f32 computed by numpy.
constexpr double kRelative = 1e-5, kAbsolute = 1e-6;

#ifdef TENON_TEST_AVX2
constexpr const char* kBackends[] = {"reference", "avx2"};
#else
constexpr const char* kBackends[] = {"reference"};
#endif

const GoldenFile& golden() {
  static const GoldenFile file(std::string(TENON_TEST_SOURCE) + "/tests/unit/onnx/golden.bin");
  return file;
}

/// The entries of one case: OP/TEST/i/.
struct NodeCase {
  std::string prefix;

  std::string op() const { return prefix.substr(0, prefix.find('/')); }
  bool has(const char* key) const { return golden().contains(prefix + key); }
  std::vector<float> floats(const char* key) const { return golden().floats(prefix + key); }
  std::vector<int32_t> ints(const char* key) const { return golden().ints(prefix + key); }
  Rows rows(const char* key) const { return Rows(ints("shape")[0], floats(key)); }
};

std::vector<NodeCase> cases_of(const std::string& op) {
  std::set<std::string> prefixes;
  for (const auto& [name, bytes] : golden().entries()) {
    if (name.starts_with(op + "/")) prefixes.insert(name.substr(0, name.rfind('/') + 1));
  }
  std::vector<NodeCase> cases;
  for (const std::string& prefix : prefixes) cases.push_back({prefix});
  return cases;
}

Weight vector_weight(const std::vector<float>& values) {
  return f32_weight({static_cast<int64_t>(values.size())}, values);
}

struct OpRun {
  OpCase op;
  RunInput input;
};

OpRun run_of(const NodeCase& node) {
  const std::vector<int32_t> shape = node.ints("shape");
  const int64_t width = shape[1];
  const std::string op = node.op();
  if (op == "add" || op == "mul") {
    return {op_case(op, tenon_binary_params{0, 0, width}),
            {.in = {node.rows("in0"), node.rows("in1")}, .out_widths = {width}}};
  }
  if (op == "gather") {
    return {op_case(op, tenon_gather_params{0, 1.0f}, {f32_weight({shape[0], width}, node.floats("in0"))}),
            {.in = {}, .out_widths = {width}, .tokens = node.ints("tokens")}};
  }
  if (op == "matmul") {
    return {op_case(op, tenon_matmul_params{0, TENON_F32}, {f32_weight({width, shape[2]}, node.floats("in1"))}),
            {.in = {node.rows("in0")}, .out_widths = {shape[2]}}};
  }
  if (op == "reduce_mean" || op == "softmax") {
    return {op_case(op, tenon_rowwise_params{0, 1.0f, width}),
            {.in = {node.rows("in0")}, .out_widths = {op == "softmax" ? width : 1}}};
  }
  std::vector<Weight> weights{vector_weight(node.floats("in1"))};
  if (node.has("in2")) weights.push_back(vector_weight(node.floats("in2")));
  return {op_case(op, tenon_norm_params{0, node.floats("eps")[0], width, 1}, std::move(weights)),
          {.in = {node.rows("in0")}, .out_widths = {width}}};
}

/// Runs all cases of an op on all backends; `n` is how many there are.
void check_op(const std::string& op, size_t n) {
  const std::vector<NodeCase> cases = cases_of(op);
  CHECK(cases.size() == n);
  for (const char* name : kBackends) {
    const LoadedBackend backend(std::string(TENON_TEST_PLUGINS) + "/" + name + ".so");
    for (const NodeCase& node : cases) {
      INFO(node.prefix << " on " << name);
      const OpRun run = run_of(node);
      const std::vector<float> got = BoundOp(backend, run.op).run(run.input)[0].values, want = node.floats("out");
      REQUIRE(got.size() == want.size());
      double worst = 0;
      for (size_t i = 0; i < got.size(); ++i) {
        const double off = std::abs(double{got[i]} - want[i]) / (kAbsolute + kRelative * std::abs(double{want[i]}));
        worst = std::max(worst, std::isnan(off) ? INFINITY : off);
      }
      CHECK(worst <= 1.0);
    }
  }
}

}  // namespace

TEST_CASE("Add of onnx is add") { check_op("add", 2); }
TEST_CASE("Mul of onnx is mul") { check_op("mul", 3); }
TEST_CASE("Gather of onnx is gather, along any axis and with negative indices") { check_op("gather", 4); }
TEST_CASE("MatMul of onnx is matmul, a batch a pair of matrices") { check_op("matmul", 16); }
TEST_CASE("ReduceMean of onnx is reduce_mean, over any axes") { check_op("reduce_mean", 8); }
TEST_CASE("Softmax of onnx is softmax, along any axis, large numbers included") { check_op("softmax", 7); }
TEST_CASE("LayerNormalization of onnx is layer_norm, over any trailing axes") { check_op("layer_norm", 19); }
TEST_CASE("RMSNormalization of onnx is rms_norm, over any trailing axes") { check_op("rms_norm", 19); }
