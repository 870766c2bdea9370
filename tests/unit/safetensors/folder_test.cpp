// config.json beside the tensors, and which file is the model's.
#include "model_folder.hpp"

#include <catch2/catch.hpp>

using namespace safetensors_test;

namespace {

const std::string kEmpty = safetensors("{}", "");

}  // namespace

TEST_CASE("the keys of config.json are metadata, those of inner maps with a dot, and null is absent") {
  ModelFolder folder;
  folder.write("model.safetensors", kEmpty);
  folder.write("config.json", R"({"model_type": "m", "n": 3, "neg": -4, "x": 1.5, "yes": true, "none": null,
    "inner": {"a": {"b": 7}}, "types": ["u", "v"], "numbers": [1, 2], "mixed": [1, 2.5], "odd": [1, "a"]})");
  const auto read = folder.open();
  REQUIRE(read);
  CHECK(read->text("model_type") == "m");
  CHECK(read->find("n")->i == 3);
  CHECK(read->find("neg")->i == -4);
  CHECK(read->find("x")->f == 1.5);
  CHECK(read->find("yes")->u == 1);
  CHECK(read->find("none") == nullptr);
  CHECK(read->find("inner.a.b")->i == 7);
  CHECK(tenon::view(read->find("types")->strings[1]) == "v");
  CHECK(static_cast<const int64_t*>(read->find("numbers")->numbers)[1] == 2);
  CHECK(static_cast<const double*>(read->find("mixed")->numbers)[1] == 2.5);
  CHECK(read->find("odd") == nullptr);
}

TEST_CASE("a folder without config.json, without tensors, or with several files is refused with what to do") {
  ModelFolder folder;
  CHECK(folder.refusal() ==
        "model.safetensors is missing, and there are 0 other files that end in .safetensors: name one of them");
  folder.write("a.safetensors", kEmpty);
  CHECK(folder.refusal() == "");
  folder.write("b.safetensors", kEmpty);
  CHECK(folder.refusal() ==
        "model.safetensors is missing, and there are 2 other files that end in .safetensors: name one of them");
  CHECK(folder.refusal("b.safetensors") == "");
  folder.write("model.safetensors", kEmpty);
  CHECK(folder.refusal() == "");
  std::filesystem::remove(folder.path("config.json"));
  CHECK(folder.refusal() == "config.json is missing beside the tensors: download the whole folder of the model");
}

TEST_CASE("a config.json that is no map, has a key twice or is too large is refused by its name") {
  ModelFolder folder;
  folder.write("model.safetensors", kEmpty);
  folder.write("config.json", "[1]");
  CHECK(folder.refusal() == "config.json: expected a JSON object");
  folder.write("config.json", R"({"a": 1e400})");
  CHECK_THAT(folder.refusal(), Catch::StartsWith("config.json: no valid JSON at byte "));
  folder.write("config.json", R"({"a": 1, "a": 2})");
  CHECK(folder.refusal() == "config.json: key 'a' appears twice");
  folder.write("config.json", std::string((1 << 24) + 1, ' '));
  CHECK(folder.refusal() == "config.json: 16777217 bytes, at most 16777216 are taken");
}
