// Tensors on their way from the file. Element i of a tensor is the number i unless said otherwise; results by hand.
#include "fake_model.hpp"

#include <numeric>

using namespace tenon;
using namespace tenon::test;

namespace {

std::vector<float> read_all(const FakeModel& model, Transform transform, bool is_bias = false, int64_t head_dim = 0) {
  std::vector<const ModelSource::Tensor*> parts;
  for (const auto& tensor : model.source().tensors()) parts.push_back(&tensor);
  const auto weight = make_weight(parts, transform, is_bias, head_dim);
  if (!weight) FAIL(weight.error().message);
  REQUIRE(weight->shape.dtype == TENON_F32);
  std::vector<float> values(weight->bytes / sizeof(float));
  std::vector<std::byte> scratch(weight->scratch_bytes);
  REQUIRE(read_weight(model.source(), *weight, std::as_writable_bytes(std::span(values)), scratch));
  return values;
}

std::string refusal(const FakeModel& model, Transform transform, bool is_bias = false, int64_t head_dim = 0) {
  std::vector<const ModelSource::Tensor*> parts;
  for (const auto& tensor : model.source().tensors()) parts.push_back(&tensor);
  const auto weight = make_weight(parts, transform, is_bias, head_dim);
  return weight ? "" : weight.error().message;
}

FakeModel one(std::vector<int64_t> dims, uint32_t dtype = TENON_F32) {
  return FakeModel({.tensors = {{"t", std::move(dims), {}, dtype}}});
}

using Floats = std::vector<float>;

}  // namespace

TEST_CASE("rows of each head go from halves to neighbours") {
  // Two heads of 4 rows with one element each: rows 0 1 2 3 become 0 2 1 3.
  CHECK(read_all(one({8, 1}), Transform::halves_to_neighbours, false, 4) == Floats{0, 2, 1, 3, 4, 6, 5, 7});
  CHECK(read_all(one({4, 2}), Transform::halves_to_neighbours, false, 4) == Floats{0, 1, 4, 5, 2, 3, 6, 7});
  CHECK(read_all(one({6}), Transform::halves_to_neighbours, true, 6) == Floats{0, 3, 1, 4, 2, 5});
}

TEST_CASE("even and odd rows, and halves of rows, are taken of each expert; of a bias they are its elements") {
  // Two experts of 4 rows of 1.
  CHECK(read_all(one({2, 4, 1}), Transform::even_rows) == Floats{0, 2, 4, 6});
  CHECK(read_all(one({2, 4, 1}), Transform::odd_rows) == Floats{1, 3, 5, 7});
  CHECK(read_all(one({2, 4, 1}), Transform::first_half_rows) == Floats{0, 1, 4, 5});
  CHECK(read_all(one({2, 4, 1}), Transform::second_half_rows) == Floats{2, 3, 6, 7});
  CHECK(read_all(one({2, 4}), Transform::odd_rows, true) == Floats{1, 3, 5, 7});
  CHECK(read_all(one({2, 4}), Transform::second_half_rows, true) == Floats{2, 3, 6, 7});
}

TEST_CASE("vectors and biases of half floats become f32, matrices stay as they are") {
  CHECK(read_all(one({3}, TENON_F16), Transform::none) == Floats{0, 1, 2});
  CHECK(read_all(one({2, 2}, TENON_BF16), Transform::none, true) == Floats{0, 1, 2, 3});
  CHECK(read_all(one({2, 4}, TENON_BF16), Transform::even_rows, true) == Floats{0, 2, 4, 6});
  const FakeModel matrix = one({2, 2}, TENON_F16);
  const auto weight = make_weight({&matrix.source().tensors()[0]}, Transform::none, false, 0);
  REQUIRE(weight);
  CHECK(weight->shape.dtype == TENON_F16);
  CHECK(weight->scratch_bytes == 0);
}

TEST_CASE("one is added in f32") {
  CHECK(read_all(one({3}), Transform::plus_one) == Floats{1, 2, 3});
  CHECK(read_all(one({3}, TENON_BF16), Transform::plus_one) == Floats{1, 2, 3});
}

TEST_CASE("several tensors are stacked along a new first axis") {
  const FakeModel model({.tensors = {{"a", {2, 2}}, {"b", {2, 2}, {9, 8, 7, 6}}}});
  CHECK(read_all(model, Transform::none) == Floats{0, 1, 2, 3, 9, 8, 7, 6});
  CHECK(read_all(model, Transform::odd_rows) == Floats{2, 3, 7, 6});
}

TEST_CASE("what cannot be done to a tensor is refused with its shape") {
  CHECK(refusal(one({3, 2}), Transform::even_rows) ==
        "tensor 't' of shape [3, 2]: 3 rows are no even number, which 'even_rows' asks for");
  CHECK(refusal(one({6, 2}), Transform::halves_to_neighbours, false, 4) ==
        "tensor 't' of shape [6, 2]: 6 rows are no multiple of an even head_dim (4), which 'halves_to_neighbours' asks "
        "for");
  CHECK(refusal(FakeModel({.tensors = {{"a", {2, 2}}, {"b", {2, 3}}}}), Transform::none) ==
        "tensor 'b' differs from 'a' in shape or type; they are stacked");
}
