// Files by other writers, against what PyPI gguf 0.19 (llama.cpp's Python reader) says about them.
#include "gguf_plugin.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>

using namespace gguf_test;

namespace {

/// $TENON_TEST_SMOLLM2, else where `tenon models fetch` keeps it; "" where there is none.
std::string smollm2_path() {
  if (const char* path = std::getenv("TENON_TEST_SMOLLM2"); path != nullptr && *path != '\0') return path;
  const char* home = std::getenv("HOME");
  const std::string path = std::string(home != nullptr ? home : "") + "/.cache/tenon/models/smollm2-135m.gguf";
  return std::filesystem::exists(path) ? path : "";
}

void check_tensor(const OpenedModel& model, std::string_view name, uint32_t dtype, const std::vector<int64_t>& dims,
                  std::string_view first_bytes, std::string_view last_bytes) {
  INFO(name);
  const uint64_t index = model.index_of(name);
  const tenon_tensor_info info = model.tensor(index);
  CHECK(info.tensor.dtype == dtype);
  CHECK(std::vector<int64_t>(info.tensor.dims, info.tensor.dims + info.tensor.rank) == dims);
  const std::string data = model.bytes(index);
  CHECK(data.substr(0, 8) == first_bytes);
  CHECK(data.substr(data.size() - 8) == last_bytes);
}

std::string eight(uint64_t big_endian) {
  std::string bytes;
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(big_endian >> shift & 0xff));
  return bytes;
}

}  // namespace

TEST_CASE("a file with every value type, written by PyPI gguf, is read as it was written") {
  // data/make_all_types.py holds the values.
  const OpenedModel model(gguf_format(), TENON_TEST_SOURCE "/tests/unit/gguf/data/all_types.gguf");
  REQUIRE(model.message() == "");
  REQUIRE(model.n_values() == 17);
  CHECK(tenon::view(model.value("general.architecture").s) == "llama");
  CHECK(model.value("v.u8").u == 200);
  CHECK(model.value("v.i8").i == -100);
  CHECK(model.value("v.u16").u == 60000);
  CHECK(model.value("v.i16").i == -30000);
  CHECK(model.value("v.u32").u == 4000000000);
  CHECK(model.value("v.i32").i == -2000000000);
  CHECK(model.value("v.u64").u == 18446744073709551614U);
  CHECK(model.value("v.i64").i == -4611686018427387904);
  CHECK(model.value("v.f32").f == 1.5);
  CHECK(model.value("v.f64").f == 0.1);
  CHECK(model.value("v.bool").u == 1);
  CHECK(tenon::view(model.value("v.string").s) == "na\xC3\xAFve \xF0\x9F\x98\x80");
  const tenon_value strings = model.value("a.strings");
  REQUIRE(strings.count == 3);
  CHECK(tenon::view(strings.strings[1]) == "\xC4\xA0t");
  const tenon_value ints = model.value("a.i32");
  REQUIRE(ints.count == 3);
  CHECK(static_cast<const int64_t*>(ints.numbers)[1] == -2);
  const tenon_value floats = model.value("a.f32");
  REQUIRE(floats.count == 2);
  CHECK(static_cast<const double*>(floats.numbers)[1] == -0.25);
  const tenon_value bools = model.value("a.bool");
  REQUIRE(bools.count == 3);
  CHECK(bools.element_type == TENON_VALUE_BOOL);
  CHECK(static_cast<const uint64_t*>(bools.numbers)[1] == 0);

  REQUIRE(model.n_tensors() == 4);
  check_tensor(model, "matrix", TENON_F32, {2, 3}, eight(0x000000000000803f), eight(0x000080400000a040));
  check_tensor(model, "cube", TENON_F16, {2, 3, 4}, eight(0x0000003c00400042), eight(0x004d404d804dc04d));
  check_tensor(model, "ids", TENON_I32, {2}, eight(0x07000000f8ffffff), eight(0x07000000f8ffffff));
  check_tensor(model, "blocks", TENON_Q4_0, {2, 64}, eight(0x0001020304050607), eight(0x4041424344454647));
}

TEST_CASE("SmolLM2-135M-Instruct Q4_1 is read as PyPI gguf reads it", "[model]") {
  const std::string path = smollm2_path();
  if (path.empty()) {
    WARN("skipped: set TENON_TEST_SMOLLM2 to the path of SmolLM2-135M-Instruct.Q4_1.gguf");
    return;
  }
  const OpenedModel model(gguf_format(), path);
  REQUIRE(model.message() == "");
  CHECK(model.n_values() == 33);
  REQUIRE(model.n_tensors() == 272);
  CHECK(model.value("llama.block_count").u == 30);
  CHECK(model.value("llama.embedding_length").u == 576);
  CHECK(model.value("llama.attention.head_count").u == 9);
  CHECK(model.value("llama.attention.head_count_kv").u == 3);
  CHECK(model.value("llama.rope.freq_base").f == 100000.0);
  CHECK(model.value("llama.attention.layer_norm_rms_epsilon").f == 9.999999747378752e-06);
  CHECK(model.value("tokenizer.ggml.add_bos_token").type == TENON_VALUE_BOOL);
  CHECK(tenon::view(model.value("tokenizer.ggml.pre").s) == "smollm");
  const tenon_value tokens = model.value("tokenizer.ggml.tokens");
  REQUIRE(tokens.count == 49152);
  CHECK(tenon::view(tokens.strings[1]) == "<|im_start|>");
  CHECK(tenon::view(tokens.strings[49151]) == "ectable");
  const tenon_value merges = model.value("tokenizer.ggml.merges");
  REQUIRE(merges.count == 48900);
  CHECK(tenon::view(merges.strings[48898]) == "\xC4\xA0M ama");
  const tenon_value types = model.value("tokenizer.ggml.token_type");
  REQUIRE(types.count == 49152);
  CHECK(types.element_type == TENON_VALUE_INT);
  CHECK(static_cast<const int64_t*>(types.numbers)[0] == 3);
  CHECK(static_cast<const int64_t*>(types.numbers)[49151] == 1);

  uint64_t bytes = 0;
  std::map<uint32_t, int> types_seen;
  for (uint64_t i = 0; i < model.n_tensors(); ++i) {
    bytes += model.tensor(i).bytes;
    ++types_seen[model.tensor(i).tensor.dtype];
  }
  CHECK(bytes == 96576768);
  CHECK(types_seen == std::map<uint32_t, int>{{TENON_Q4_1, 210}, {TENON_F32, 61}, {TENON_Q8_0, 1}});
  check_tensor(model, "token_embd.weight", TENON_Q8_0, {49152, 576}, eight(0x3219d60d13f7e5ee),
               eight(0x10146bc62d4abbe8));
  check_tensor(model, "blk.0.ffn_down.weight", TENON_Q4_1, {576, 1536}, eight(0x5530d0b802076531),
               eight(0x15fa475454055c27));
  check_tensor(model, "blk.9.attn_v.weight", TENON_Q4_1, {192, 576}, eight(0x0d2c60b757579848),
               eight(0x2153cb6126276208));
  check_tensor(model, "output_norm.weight", TENON_F32, {576}, eight(0x0000e13f0000e93f), eight(0x0000f63f0000fe3f));
}
