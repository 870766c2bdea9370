// What the config says about the plug-ins to load.
#include <catch2/catch.hpp>

#include "config_folder.hpp"

using namespace tenon;

namespace {

std::string refusal(std::string_view yaml) {
  const ConfigFolder folder;
  const std::string message = folder.error(yaml);
  return message.substr(0, message.find('\n'));
}

}  // namespace

TEST_CASE("a plug-in is named by id, by path or by a map") {
  const ConfigFolder folder;
  const std::string digest(64, 'A');
  const auto settings = folder.load(
      "plugins:\n"
      "  - avx2\n"
      "  - ./mine.so\n"
      "  - {use: /opt/x.so, sha256: " +
      digest + ", options: {tile: 8}, optional: true, allow_threads: true}\n");
  REQUIRE(settings);
  const auto& plugins = settings->plugins;
  REQUIRE(plugins.size() == 3);
  CHECK(plugins[0].use == "avx2");
  CHECK_FALSE(plugins[0].is_path());
  CHECK_FALSE(plugins[0].has_options);
  CHECK_FALSE(plugins[0].sha256);
  CHECK_FALSE(plugins[0].optional);
  CHECK_FALSE(plugins[0].allow_threads);
  CHECK(plugins[1].use == (folder.path() / "mine.so").string());
  CHECK(plugins[1].is_path());
  CHECK(plugins[1].place.line == 3);
  CHECK(plugins[2].use == "/opt/x.so");
  CHECK(plugins[2].sha256 == std::string(64, 'a'));
  CHECK(plugins[2].has_options);
  CHECK(plugins[2].options.find("tile")->scalar() == "8");
  CHECK(plugins[2].optional);
  CHECK(plugins[2].allow_threads);
  CHECK(plugins[2].place.column == 11);
}

TEST_CASE("a name that is neither id nor path is refused with the way out") {
  CHECK(
      refusal("plugins: [mine.so]") ==
      "CONFIG_RANGE: t.yaml:1:11: plugins.0 is 'mine.so', expected a plug-in's id (letters a-z, digits, '_', '-') or a "
      "path with a '/', e.g. ./my_kernels.so");
  CHECK(refusal("plugins: [{optional: true}]") ==
        "CONFIG_TYPE: t.yaml:1:11: plugins.0 is a map, expected the key 'use' with an id or path in it");
  CHECK(refusal("plugins: [[a]]").find("CONFIG_TYPE: t.yaml:1:11: plugins.0 is a list") == 0);
}

TEST_CASE("a plug-in listed twice names both lines") {
  const ConfigFolder folder;
  CHECK(folder.error("plugins:\n  - avx2\n  - {use: avx2}\n") ==
        "CONFIG_DUPLICATE_KEY: t.yaml:3:11: plugins lists 'avx2' in line 2 and again in line 3; remove one\n"
        "    - {use: avx2}\n"
        "            ^");
}

TEST_CASE("the values of a plug-in's map are checked") {
  CHECK(
      refusal("plugins: [{use: a, sha256: 12ab}]") ==
      "CONFIG_TYPE: t.yaml:1:28: plugins.0.sha256 is '12ab', expected 64 hexadecimal digits, as sha256sum prints them");
  CHECK(refusal("plugins: [{use: a, optional: 1}]") ==
        "CONFIG_TYPE: t.yaml:1:30: plugins.0.optional is 1, expected true or false");
  CHECK(refusal("plugins: [{use: a, options: [1]}]") ==
        "CONFIG_TYPE: t.yaml:1:29: plugins.0.options is a list, expected a map of options");
}

TEST_CASE("an empty list of plug-ins is not an absent one") {
  const ConfigFolder folder;
  const auto none = folder.load("plugins: []\n");
  REQUIRE(none);
  CHECK(none->plugins_given);
  CHECK(refusal("plugins:\n") ==
        "CONFIG_TYPE: t.yaml:1:1: plugins is empty, expected a list of plug-in ids, paths or maps ([] for none)");
}
