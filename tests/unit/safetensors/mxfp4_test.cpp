// Codes and scales of MXFP4: nibbles move to the order of our blocks, nothing is rounded.
#include "model_folder.hpp"

#include <catch2/catch.hpp>

using namespace safetensors_test;

namespace {

std::string header(std::string_view codes_shape, size_t n_codes, std::string_view scales_shape, size_t n_scales,
                   std::string_view scales_name = "w_scales") {
  return std::string(R"({"w_blocks":{"dtype":"U8","shape":)").append(codes_shape) + R"(,"data_offsets":[0,)" +
         std::to_string(n_codes) + R"(]},")" + std::string(scales_name) + R"(":{"dtype":"U8","shape":)" +
         std::string(scales_shape) + R"(,"data_offsets":[)" + std::to_string(n_codes) + "," +
         std::to_string(n_codes + n_scales) + "]}}";
}

}  // namespace

TEST_CASE("codes and scales become one tensor whose block has elements j and j + 16 in a byte") {
  // Two rows of one block. Row 0: element i has code i % 16, so byte j there is (2j) % 16 | (2j + 1) % 16 << 4.
  std::string codes;
  for (int j = 0; j < 16; ++j) codes.push_back(static_cast<char>((2 * j) % 16 | (2 * j + 1) % 16 << 4));
  for (int j = 0; j < 16; ++j) codes.push_back(static_cast<char>(j));  // row 1: even elements 2j have code j
  ModelFolder folder;
  folder.write("model.safetensors", safetensors(header("[2,1,16]", 32, "[2,1]", 2), codes + "\x7f\x80"));
  const auto model = folder.open();
  REQUIRE(model);
  REQUIRE(model->tensors().size() == 1);
  const auto& w = *model->tensor("w");
  CHECK(w.shape.dtype == TENON_MXFP4);
  CHECK(w.shape.rank == 2);
  CHECK(w.shape.dims[0] == 2);
  CHECK(w.shape.dims[1] == 32);
  REQUIRE(w.bytes == 34);
  std::string bytes(34, '\0');
  REQUIRE(model->read(w, std::as_writable_bytes(std::span(bytes))));
  // By hand: in row 0 element j and element j + 16 have the same code j; in row 1 element 2j has code j, so byte 2j of
  // ours holds code j (element 2j) and code j + 8 (element 2j + 16), and the odd bytes are 0.
  std::string expected = "\x7f";
  for (int j = 0; j < 16; ++j) expected.push_back(static_cast<char>(j | j << 4));
  expected.push_back('\x80');
  for (int j = 0; j < 8; ++j) {
    expected.push_back(static_cast<char>(j | (j + 8) << 4));
    expected.push_back('\0');
  }
  CHECK(bytes == expected);
}

TEST_CASE("codes without scales, of other shapes, or bytes that are no codes are refused") {
  const std::string data(64, 'x');
  const std::string front = "model.safetensors: tensor 'w_blocks': ";
  CHECK(refusal_of(safetensors(header("[2,1,16]", 32, "[2,1]", 2, "v_scales"), data.substr(0, 34))) ==
        front + "there is no tensor 'w_scales' with its scales");
  CHECK(refusal_of(safetensors(header("[2,1,16]", 32, "[1,2]", 2), data.substr(0, 34))) ==
        front + "shape [2, 1, 16] and scales [1, 2] of U8, expected [.., G, 16] and [.., G] of U8");
  CHECK(refusal_of(safetensors(header("[2,2,8]", 32, "[2,2]", 4), data.substr(0, 36))) ==
        front + "shape [2, 2, 8] and scales [2, 2] of U8, expected [.., G, 16] and [.., G] of U8");
  CHECK(refusal_of(safetensors(R"({"mask":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}})", "xx")) ==
        "model.safetensors: tensor 'mask': dtype U8 is read only as MXFP4, in a pair of tensors ending in _blocks and "
        "_scales");
}
