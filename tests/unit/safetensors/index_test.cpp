// Row 14: the index, the files it names, and what lies around them. Expected texts by hand.
#include "model_folder.hpp"

#include <catch2/catch.hpp>

using namespace safetensors_test;

namespace {

std::string shard(std::string_view name, std::string_view data = "0123") {
  return safetensors(std::string(R"({")").append(name) + R"(":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                     data);
}

std::string index(std::string_view map) {
  return std::string(R"({"metadata":{"total_size":8},"weight_map":{)").append(map) + "}}";
}

constexpr const char* kIndex = "model.safetensors.index.json";

std::string refusal_of_index(std::string_view map) {
  ModelFolder folder;
  folder.write("x.safetensors", shard("a")).write("y.safetensors", shard("b")).write(kIndex, index(map));
  return folder.refusal();
}

}  // namespace

TEST_CASE("the tensors of all files of the index are there, whichever file of the folder is named") {
  ModelFolder folder;
  folder.write("x.safetensors", shard("a", "aaaa")).write("y.safetensors", shard("b", "bbbb"));
  folder.write(kIndex, index(R"("a":"x.safetensors","b":"y.safetensors")"));
  for (const char* name : {"", "x.safetensors", kIndex}) {
    const auto model = folder.open(name);
    REQUIRE(model);
    CHECK(model->tensors().size() == 2);
    std::string bytes(4, '\0');
    REQUIRE(model->read(*model->tensor("b"), std::as_writable_bytes(std::span(bytes))));
    CHECK(bytes == "bbbb");
  }
}

TEST_CASE("an index that does not fit its files is refused with both named") {
  const std::string front = std::string(kIndex) + ": ";
  struct Case {
    std::string map, refusal;
  };
  for (const Case& each : {
           Case{R"("a":"x.safetensors","b":"z.safetensors")",
                "'z.safetensors' is missing: all files of a model must be in one folder"},
           Case{R"("a":"x.safetensors","b":"x.safetensors")",
                "tensor 'b' is not in 'x.safetensors', where it should be"},
           Case{R"("a":"y.safetensors","b":"x.safetensors")", "tensor 'a' is in x.safetensors, not in 'y.safetensors'"},
           Case{R"("b":"y.safetensors","a":"x.safetensors","c":"x.safetensors")",
                "tensor 'c' is not in 'x.safetensors', where it should be"},
           Case{R"("a":1)", "the file of tensor 'a' must be a text"},
           Case{R"("a":"x.safetensors","a":"y.safetensors")", "key 'a' appears twice"},
           Case{R"("a":"../../etc/passwd")",
                "'../../etc/passwd' is no name of a file in the model's folder: paths are refused"},
           Case{R"("a":"/etc/passwd")", "'/etc/passwd' is no name of a file in the model's folder: paths are refused"},
           Case{R"("a":"..")", "'..' is no name of a file in the model's folder: paths are refused"},
           Case{R"("a":"")", "'' is no name of a file in the model's folder: paths are refused"},
           Case{R"("a":"x.safetensors\u0000y")",
                "'x.safetensors\\x00y' is no name of a file in the model's folder: paths are refused"},
       }) {
    CHECK(refusal_of_index(each.map) == front + each.refusal);
  }
  ModelFolder folder;
  folder.write("x.safetensors", safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                                            R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                                            "01234567"));
  folder.write(kIndex, index(R"("a":"x.safetensors")"));
  CHECK(folder.refusal() == front + "tensor 'b' of x.safetensors is not in 'weight_map'");
  folder.write(kIndex, R"({"metadata":{}})");
  CHECK(folder.refusal() == front + "'weight_map' must be a map of tensor: file");
  folder.write("y.safetensors", shard("a"));
  folder.write("z.safetensors", shard("a"));
  folder.write(kIndex, index(R"("a":"y.safetensors","b":"z.safetensors")"));
  CHECK(folder.refusal() == front + "tensor 'a' is in y.safetensors and in z.safetensors");
}

TEST_CASE(
    "a link that leaves the folder is refused, one that stays in it and one into the cache's blobs are followed") {
  ModelFolder outside, folder;
  outside.write("secret.safetensors", shard("a"));
  std::filesystem::create_symlink(outside.path("secret.safetensors"), folder.path("model.safetensors"));
  CHECK(folder.refusal() == "'model.safetensors' leads out of the model's folder, to " +
                                outside.path("secret.safetensors").string() + ": links that leave it are refused");
  std::filesystem::remove(folder.path("model.safetensors"));
  folder.write("real.bin", shard("a"));
  std::filesystem::create_symlink("real.bin", folder.path("model.safetensors"));
  CHECK(folder.refusal() == "");

  ModelFolder cache;
  std::filesystem::create_directories(cache.path("snapshots/1"));
  std::filesystem::create_directories(cache.path("blobs"));
  cache.write("blobs/f00", shard("a")).write("blobs/ba7", R"({"model_type": "m"})");
  std::filesystem::create_symlink("../../blobs/f00", cache.path("snapshots/1/model.safetensors"));
  std::filesystem::create_symlink("../../blobs/ba7", cache.path("snapshots/1/config.json"));
  CHECK(cache.refusal("snapshots/1") == "");
}
