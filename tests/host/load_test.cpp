// Cases 8, 10 and 13 to 16, and options: what a plug-in does when it is loaded.
#include "host_folder.hpp"

#include <tenon/config/yaml.hpp>

using namespace tenon;
using namespace host;

TEST_CASE("case 8: a table that ends early is taken, and what it lacks is unsupported") {
  const auto registry = Registry::open(request_for({built("older_table").string()}), silent_log());
  REQUIRE(registry);
  REQUIRE(registry->processors().size() == 1);
  const auto& offer = registry->processors().front();
  CHECK(std::string(offer.info->name) == "quiet");
  CHECK(offer.api->apply != nullptr);
  CHECK(offer.api->commit == nullptr);  // there is one in the file, beyond the size that it gives
  CHECK(offer.api->clone == nullptr);
}

TEST_CASE("case 10: a required slot that is NULL is named") {
  check_fault(built("null_init"), "PLUGIN_INCOMPLETE", "null_init", "the required slot 'init' is NULL");
  check_fault(built("null_slot"), "PLUGIN_INCOMPLETE", "null_slot",
              "its table of 'tenon.kernel/1' (96 bytes) lacks the required 'pack_plan'");
}

TEST_CASE("case 13: a missing library is named with where it was looked for") {
  check_fault(built("missing_dependency"), "PLUGIN_MISSING_DEPENDENCY", "missing_dependency",
              "it needs libtenon_test_gone.so");
  CHECK(fault_of(built("missing_dependency")).cause.find("LD_LIBRARY_PATH") != std::string::npos);
  CHECK(fault_of(built("missing_dependency")).next == "install the package that holds libtenon_test_gone.so");
}

TEST_CASE("case 14: an undefined symbol is found at load and named as in the source") {
  check_fault(built("undefined_symbol"), "PLUGIN_UNRESOLVED_SYMBOL", "undefined_symbol",
              "undefined symbol acme::frobnicate(int)");
}

TEST_CASE("case 15: what init throws ends at the border") {
  check_fault(built("throws_std"), "PLUGIN_INIT_FAILED", "throws_std", "no licence for tuesdays");
  check_fault(built("throws_int"), "PLUGIN_INIT_FAILED", "throws_int", "an exception that is no std::exception");
}

TEST_CASE("case 16: success without a result breaks the contract") {
  check_fault(built("gives_nothing"), "PLUGIN_CONTRACT", "gives_nothing", "init succeeded and gave no instance");
  check_fault(built("empty_promise"), "PLUGIN_CONTRACT", "empty_promise",
              "its note offers 'tenon.kernel/1', get_interface does not give it");
}

TEST_CASE("an optional plug-in that cannot be used is a warning, and the others are loaded") {
  std::vector<Said> log;
  auto request = request_for({built("throws_std").string(), built("alpha").string()});
  request.plugins.front().optional = true;
  const auto registry = Registry::open(request, into(log));
  REQUIRE(registry);
  REQUIRE(registry->backends().size() == 1);
  CHECK(registry->backends().front().plugin_id == "alpha");
  REQUIRE(log.size() == 1);
  CHECK(log.front().level == LogLevel::warning);
  CHECK(log.front().text.find("PLUGIN_INIT_FAILED") == 0);
}

TEST_CASE("an optional plug-in that is not there at all is passed over with a line of information") {
  std::vector<Said> log;
  auto request = request_for({"ghost", built("alpha").string()});
  request.plugins.front().optional = true;
  const auto registry = Registry::open(request, into(log));
  REQUIRE(registry);
  CHECK(registry->backends().size() == 1);
  REQUIRE(log.size() == 1);
  CHECK(log.front().level == LogLevel::info);
  CHECK(log.front().text.find("PLUGIN_NOT_FOUND") == 0);
}

TEST_CASE("case 26: an unknown option of a plug-in is shown at its place, with what was meant") {
  const auto yaml = parse_yaml("{tille: 4}", "c.yaml");
  REQUIRE(yaml);
  auto request = request_for({built("alpha").string()});
  request.plugins.front().options = *yaml;
  request.plugins.front().place = yaml->place();
  const auto registry = Registry::open(request, silent_log());
  REQUIRE_FALSE(registry);
  CHECK(registry.error().message ==
        "CONFIG_UNKNOWN_KEY: c.yaml:1:2: unknown key 'tille' in plug-in 'alpha' (did you mean 'tile'?); known: tile\n"
        "  {tille: 4}\n"
        "   ^");
}

TEST_CASE("case 27: an option out of its range is shown with the range") {
  const auto yaml = parse_yaml("{tile: 65}", "c.yaml");
  REQUIRE(yaml);
  auto request = request_for({built("alpha").string()});
  request.plugins.front().options = *yaml;
  const auto registry = Registry::open(request, silent_log());
  REQUIRE_FALSE(registry);
  CHECK(registry.error().message.find("CONFIG_RANGE: c.yaml:1:8: plug-in 'alpha'.tile is 65, expected") == 0);
}

TEST_CASE("a fault shows the line of the config that asked for the plug-in") {
  const auto yaml = parse_yaml("[/none/x.so]", "c.yaml");
  REQUIRE(yaml);
  auto request = request_for({"/none/x.so"});
  request.plugins.front().place = yaml->items().front().place();
  const auto registry = Registry::open(request, silent_log());
  REQUIRE_FALSE(registry);
  CHECK(registry.error().message.find("PLUGIN_NOT_FOUND: c.yaml:1:2: plug-in 'x' (/none/x.so): ") == 0);
  CHECK(registry.error().message.ends_with("\n  [/none/x.so]\n   ^"));
}
