// Tensor data: by offset, from any thread, and never past what the file has.
#include "gguf_builder.hpp"
#include "gguf_plugin.hpp"

#include <catch2/catch.hpp>

#include <thread>

using namespace gguf_test;

TEST_CASE("a part of a tensor is read at its offset") {
  const Folder folder;
  const OpenedModel model(gguf_format(), folder.write("m.gguf", small_model().build()));
  REQUIRE(model.message() == "");
  std::string part(3, '\0');
  REQUIRE(model.read(1, 2, part.data(), 3));
  CHECK(part == "\x0f\x16\x1d");  // the builder's pattern, 7 i + 1 for i = 2, 3, 4
  CHECK(model.read(1, 12, part.data(), 0));
}

TEST_CASE("reading past the end of a tensor is refused") {
  const Folder folder;
  const OpenedModel model(gguf_format(), folder.write("m.gguf", small_model().build()));
  std::string part(16, '\0');
  CHECK(model.read(1, 8, part.data(), 5).error().message ==
        "tensor 'output_norm.weight': bytes 8 + 5 asked for, it has 12");
  CHECK(model.read(1, ~uint64_t{0}, part.data(), 2).error().code == TENON_INVALID);
  CHECK(model.read(2, 0, part.data(), 1).error().message == "tensor index out of range");
}

TEST_CASE("a file that is cut after it was opened gives an error, not a signal") {
  const Folder folder;
  const GgufBuilder b = small_model();
  const std::string path = folder.write("m.gguf", b.build());
  const OpenedModel model(gguf_format(), path);
  REQUIRE(model.message() == "");
  std::filesystem::resize_file(path, b.data_start() + 100);
  std::string data(136, '\0');
  const auto result = model.read(0, 0, data.data(), data.size());
  CHECK(result.error().code == TENON_IO);
  CHECK(result.error().message ==
        "m.gguf: tensor 'token_embd.weight': the file became shorter while it was read: it "
        "ends at byte " +
            std::to_string(b.data_start() + 100) + " or before, 36 more bytes were expected there");
}

TEST_CASE("several threads read the same model at once") {
  GgufBuilder b;
  for (int t = 0; t < 8; ++t) b.tensor("t" + std::to_string(t), {1024}, kTensorF32, 4096);
  const Folder folder;
  const OpenedModel model(gguf_format(), folder.write("m.gguf", b.build()));
  REQUIRE(model.n_tensors() == 8);
  std::vector<int> wrong(8, 0);
  std::vector<std::thread> threads;
  for (size_t thread = 0; thread < wrong.size(); ++thread) {
    threads.emplace_back([&, thread] {
      std::string data(4096, '\0');
      for (uint64_t round = 0; round < 200; ++round) {
        const uint64_t t = (round + thread) % 8;
        if (!model.read(t, 0, data.data(), data.size())) ++wrong[thread];
        for (uint64_t i = 0; i < data.size(); ++i) wrong[thread] += data[i] != static_cast<char>(i * 7 + t);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(8, 0));
}
