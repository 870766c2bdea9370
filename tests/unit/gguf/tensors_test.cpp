// The tensor list and the layout of the data. Expected texts and numbers: by hand from the bytes of each file.
#include "gguf_builder.hpp"
#include "gguf_plugin.hpp"

#include <catch2/catch.hpp>

using namespace gguf_test;

namespace {

const std::string kSupported =
    "supported: F32, F16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, IQ4_NL, IQ4_XS, I32, I64, BF16, "
    "MXFP4";

/// The refusal of a file with the tensor 't' only.
std::string refusal_of_tensor(const std::vector<uint64_t>& dims, uint32_t type = kTensorF32) {
  return refusal_of(GgufBuilder().entry("t", dims, type, 0).build());
}

/// The refusal of a file with two tensors of 128 bytes and 256 bytes of data, the second at `offset`.
std::string refusal_of_second_at(uint64_t offset) {
  GgufBuilder b;
  b.tensor("first", {32}, kTensorF32, 256).entry("second", {32}, kTensorF32, offset);
  return refusal_of(b.build());
}

}  // namespace

TEST_CASE("a dimension of 0 is refused") {
  // base64 R0dVRgMAAAABAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAB0AgAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
  const std::string bytes(
      "GGUF\x03\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0t\x02\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
      "\0\0\0\0\0\0\0\0\0\0\0\0",
      65);
  CHECK(refusal_of(bytes) == "tensor 't': a dimension is 0");
}

TEST_CASE("dimensions come slowest first and sizes follow from the type") {
  GgufBuilder b;
  b.tensor("q", {64, 3, 2}, kTensorQ4_1, 2 * 20 * 6).tensor("v", {5}, kTensorF32, 20);
  const Folder folder;
  const OpenedModel model(gguf_format(), folder.write("m.gguf", b.build()));
  REQUIRE(model.message() == "");
  const tenon_tensor_info q = model.tensor(0);
  CHECK(q.tensor.dtype == TENON_Q4_1);
  REQUIRE(q.tensor.rank == 3);
  CHECK(q.tensor.dims[0] == 2);
  CHECK(q.tensor.dims[1] == 3);
  CHECK(q.tensor.dims[2] == 64);
  CHECK(q.bytes == 240);
  CHECK(model.tensor(1).tensor.rank == 1);
  CHECK(model.tensor(1).tensor.dims[0] == 5);
}

TEST_CASE("every supported type has the size of its blocks") {
  // Elements and bytes of a block as PyPI gguf 0.19 has them in GGML_QUANT_SIZES.
  struct Row {
    uint32_t id, dtype;
    uint64_t elements, bytes;
  };
  const std::vector<Row> rows{{0, TENON_F32, 1, 4},       {1, TENON_F16, 1, 2},         {2, TENON_Q4_0, 32, 18},
                              {3, TENON_Q4_1, 32, 20},    {6, TENON_Q5_0, 32, 22},      {7, TENON_Q5_1, 32, 24},
                              {8, TENON_Q8_0, 32, 34},    {10, TENON_Q2_K, 256, 84},    {11, TENON_Q3_K, 256, 110},
                              {12, TENON_Q4_K, 256, 144}, {13, TENON_Q5_K, 256, 176},   {14, TENON_Q6_K, 256, 210},
                              {20, TENON_IQ4_NL, 32, 18}, {23, TENON_IQ4_XS, 256, 136}, {26, TENON_I32, 1, 4},
                              {27, TENON_I64, 1, 8},      {30, TENON_BF16, 1, 2},       {39, TENON_MXFP4, 32, 17}};
  GgufBuilder b;
  for (const Row& row : rows) {
    b.tensor("t" + std::to_string(row.id), {2 * row.elements, 3}, row.id, 6 * row.bytes);
  }
  const Folder folder;
  const OpenedModel model(gguf_format(), folder.write("m.gguf", b.build()));
  REQUIRE(model.message() == "");
  for (size_t i = 0; i < rows.size(); ++i) {
    CHECK(model.tensor(i).tensor.dtype == rows[i].dtype);
    CHECK(model.tensor(i).bytes == 6 * rows[i].bytes);
  }
}

TEST_CASE("types that Tenon has no place for are refused with the supported ones") {
  CHECK(refusal_of_tensor({4}, 28) == "tensor 't': type F64 (id 28) is not supported; " + kSupported);
  CHECK(refusal_of_tensor({4}, 24) == "tensor 't': type I8 (id 24) is not supported; " + kSupported);
  CHECK(refusal_of_tensor({4}, 25) == "tensor 't': type I16 (id 25) is not supported; " + kSupported);
  CHECK(refusal_of_tensor({256}, 16) == "tensor 't': type IQ2_XXS (id 16) is not supported; " + kSupported);
}

TEST_CASE("types that were removed and unknown numbers are refused with the supported ones") {
  for (const auto& [id, name] : std::map<uint32_t, std::string>{{4, "Q4_2"},
                                                                {5, "Q4_3"},
                                                                {31, "Q4_0_4_4"},
                                                                {32, "Q4_0_4_8"},
                                                                {33, "Q4_0_8_8"},
                                                                {36, "IQ4_NL_4_4"},
                                                                {37, "IQ4_NL_4_8"},
                                                                {38, "IQ4_NL_8_8"}}) {
    CHECK(refusal_of_tensor({32}, id) ==
          "tensor 't': type " + name + " (id " + std::to_string(id) + ") was removed from the format; " + kSupported);
  }
  CHECK(refusal_of_tensor({32}, 4000000000U) == "tensor 't': unknown type id 4000000000; " + kSupported);
}

TEST_CASE("a product of dimensions that wraps is refused") {
  const uint64_t big = uint64_t{1} << 32;
  CHECK(refusal_of_tensor({big, big}) ==
        "tensor 't': the product of the dimensions 4294967296 x 4294967296 passes 2^63");
  CHECK(refusal_of_tensor({uint64_t{1} << 62}) ==
        "tensor 't': the product of the dimensions 4611686018427387904 passes 2^63");  // the bytes do
  // 2^63 elements, although at 18 bytes for 32 of them the bytes do not wrap.
  CHECK(refusal_of_tensor({big, big / 2}, kTensorQ4_0) ==
        "tensor 't': the product of the dimensions 2147483648 x 4294967296 passes 2^63");
}

TEST_CASE("negative dimensions and more than four are refused") {
  CHECK(refusal_of_tensor({~uint64_t{0}, 2}) == "tensor 't': a dimension is -1, expected more than 0");
  CHECK(refusal_of_tensor({1, 1, 1, 1, 1}) == "tensor 't': 5 dimensions, expected 1 to 4");
  CHECK(refusal_of(GgufBuilder().entry("t", {}, kTensorF32, 0).build() + std::string(16, '\0')) ==
        "tensor 't': 0 dimensions, expected 1 to 4");
}

TEST_CASE("a tensor name has 1 to 63 bytes") {
  const auto with_name = [](const std::string& name) {
    return refusal_of(GgufBuilder().tensor(name, {1}, kTensorF32, 4).build());
  };
  CHECK(with_name(std::string(63, 'n')) == "");
  CHECK(with_name(std::string(64, 'n')) == "tensor number 0: name: string length 64: at most 63 bytes are taken");
  CHECK(with_name("") == "tensor number 0: its name is empty");
  CHECK(with_name("a\tb") == "tensor number 0: 'a\\x09b' is no tensor name: names are printable ASCII");
}

TEST_CASE("a repeated tensor is named with both places") {
  GgufBuilder b;
  b.tensor("a", {1}, kTensorF32, 4).tensor("b", {1}, kTensorF32, 4).tensor("a", {1}, kTensorF32, 4);
  CHECK(refusal_of(b.build()) == "tensor 'a' appears twice: as number 0 and as number 2");
}

TEST_CASE("a row that is no multiple of its block is refused") {
  CHECK(refusal_of_tensor({33, 2}, kTensorQ4_0) ==
        "tensor 't': a row of 33 elements is no multiple of 32, the block of q4_0");
}

TEST_CASE("tensors that overlap are both named") {
  CHECK(refusal_of_second_at(96) ==
        "tensor 'second': offset 96 overlaps tensor 'first' (128 bytes at offset 0), expected 128");
  CHECK(refusal_of_second_at(0) ==
        "tensor 'second': offset 0 overlaps tensor 'first' (128 bytes at offset 0), expected 128");
}

TEST_CASE("an offset that is not aligned is refused") {
  CHECK(refusal_of_second_at(130) == "tensor 'second': offset 130 is no multiple of the alignment 32");
}

TEST_CASE("a gap between tensors is refused") {
  GgufBuilder b;
  b.entry("first", {32}, kTensorF32, 0).entry("second", {32}, kTensorF32, 160);
  CHECK(refusal_of(b.build() + std::string(288, 'x')) ==
        "tensor 'second': offset 160 leaves a gap of 32 bytes, expected 128 (the end of tensor 'first')");
  CHECK(refusal_of(GgufBuilder().entry("t", {8}, kTensorF32, 32).build() + std::string(64, 'x')) ==
        "tensor 't': offset 32 leaves a gap of 32 bytes, expected 0 (it comes first)");
}

TEST_CASE("offsets past the end and offsets that wrap are refused") {
  CHECK(refusal_of_second_at(320) ==
        "tensor 'second': offset 320 + 128 bytes is past the end of the file, which has 256 bytes of tensor data; "
        "expected offset 128 (the end of tensor 'first')");
  CHECK(refusal_of_second_at(0 - uint64_t{32}) ==
        "tensor 'second': offset 18446744073709551584 + 128 bytes wraps past 2^64, expected offset 128 (the end of "
        "tensor 'first')");
}

TEST_CASE("sizes that only together pass 2^63 are refused") {
  GgufBuilder b;
  const uint64_t elements = uint64_t{1} << 60;  // 2^62 bytes
  b.entry("a", {elements}, kTensorF32, 0).entry("b", {elements}, kTensorF32, uint64_t{1} << 62);
  b.entry("c", {elements}, kTensorF32, uint64_t{1} << 63);
  CHECK(refusal_of(b.build()) == "tensor 'c': the sizes of the tensors up to this one sum past 2^63 bytes");
}

TEST_CASE("a cut file says how many bytes are expected and present") {
  const GgufBuilder b = small_model();
  const std::string whole = b.build();  // token_embd.weight 136 bytes, padding to 160, output_norm.weight 12 bytes
  const uint64_t expected = b.data_start() + 172;
  REQUIRE(whole.size() == expected);
  const auto cut_to = [&](uint64_t n) { return refusal_of(whole.substr(0, n)); };
  const auto message = [&](uint64_t present, const std::string& tensor) {
    return "the file is cut: " + std::to_string(expected) + " bytes expected, " + std::to_string(present) +
           " present; the first incomplete tensor is '" + tensor + "'; download it again";
  };
  CHECK(cut_to(expected - 1) == message(expected - 1, "output_norm.weight"));
  CHECK(cut_to(expected - 12) == message(expected - 12, "output_norm.weight"));
  CHECK(cut_to(b.data_start() + 135) == message(b.data_start() + 135, "token_embd.weight"));
  CHECK(cut_to(b.header().size()) == message(b.header().size(), "token_embd.weight"));
}

TEST_CASE("a file cut at half of its header says where it ends") {
  const GgufBuilder b = small_model();
  const std::string header = b.header();
  // The list of tokens is in the middle: cut inside the type of the key tokenizer.ggml.scores.
  const size_t at = header.find("tokenizer.ggml.scores") + 21 + 2;
  CHECK(refusal_of(header.substr(0, at)) == "key 'tokenizer.ggml.scores': the file ends inside its header, at byte " +
                                                std::to_string(at) + ": 4 bytes were expected, 2 are present");
}

TEST_CASE("zero padding after the last tensor is accepted up to the alignment") {
  const std::string whole = small_model().build();
  CHECK(refusal_of(whole + std::string(20, '\0')) == "");  // 172 + 20 = 192, a multiple of 32
  CHECK(refusal_of(whole + std::string(31, '\0')) == "");
}

TEST_CASE("other bytes after the last tensor are counted") {
  const std::string whole = small_model().build();
  const std::string expected = std::to_string(whole.size()) + " bytes expected, ";
  CHECK(refusal_of(whole + std::string(32, '\0')) ==
        "32 extra bytes at the end: " + expected + std::to_string(whole.size() + 32) + " present");
  CHECK(refusal_of(whole + std::string(5, '\1')) == "5 extra bytes at the end that are no zero padding: " + expected +
                                                        std::to_string(whole.size() + 5) + " present");
}

TEST_CASE("a file of metadata only is accepted, padded or not") {
  const std::string whole = GgufBuilder().u32("k", 1).build();
  CHECK(refusal_of(whole) == "");
  CHECK(refusal_of(whole + std::string(23, '\0')) == "");  // 41 + 23 = 64
}
