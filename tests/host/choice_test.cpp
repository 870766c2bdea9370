// Cases 21 and 29: who runs an op when several could, and what a pin is worth.
#include "host_folder.hpp"

#include <tenon/registry/resolve.hpp>

using namespace tenon;
using namespace host;

namespace {

const tenon_binary_params kAdd{sizeof(tenon_binary_params), 0, 64};

tenon_op op_of(const char* name) {
  tenon_op op{};
  op.size = sizeof op;
  op.revision = 1;
  op.name = name;
  op.params = &kAdd;
  op.max_rows = 1;
  return op;
}

/// Both backends, loaded in the order of `names`.
Registry both(const std::vector<std::string>& names) {
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back(built(name).string());
  auto registry = Registry::open(request_for(paths), silent_log());
  if (!registry) throw std::runtime_error(registry.error().message);
  return std::move(*registry);
}

std::string chosen(const Resolution& r) { return r.candidates[static_cast<size_t>(r.chosen)].backend; }

}  // namespace

TEST_CASE("case 21: of two backends that offer an op the config's order decides") {
  const Registry registry = both({"alpha", "beta"});
  const auto first = resolve(registry.backends(), {{"beta", "alpha"}, {}}, op_of("add"));
  REQUIRE(first);
  CHECK(chosen(*first) == "beta");
  REQUIRE(first->candidates.size() == 2);
  CHECK(first->candidates[1].reason == "'beta' stands before it in backends.order");
  const auto second = resolve(registry.backends(), {{"alpha", "beta"}, {}}, op_of("add"));
  REQUIRE(second);
  CHECK(chosen(*second) == "alpha");
}

TEST_CASE("case 21: without an order the id decides, not the order of loading") {
  for (const auto& names : {std::vector<std::string>{"alpha", "beta"}, {"beta", "alpha"}}) {
    const Registry registry = both(names);
    const auto resolution = resolve(registry.backends(), {}, op_of("add"));
    REQUIRE(resolution);
    CHECK(chosen(*resolution) == "alpha");
  }
}

TEST_CASE("case 29: a pinned backend that refuses an op is an error with every candidate's reason") {
  const Registry registry = both({"alpha", "beta"});
  const auto yaml = parse_yaml("[{op: linear, use: beta}]", "c.yaml");
  REQUIRE(yaml);
  BackendRule pin{"linear", {}, "beta", yaml->items().front().place()};
  const auto resolution = resolve(registry.backends(), {{"alpha"}, {pin}}, op_of("linear"));
  REQUIRE_FALSE(resolution);
  CHECK(resolution.error().message ==
        "NO_BACKEND_FOR_OP: c.yaml:1:2: a rule pins linear to 'beta', which cannot run it (no weights):\n"
        "  beta         it only adds\n"
        "  alpha        it only adds\n"
        "  [{op: linear, use: beta}]\n"
        "   ^");
}

TEST_CASE("case 29: an op that no backend takes is an error with every candidate's reason") {
  const Registry registry = both({"alpha", "beta"});
  const auto resolution = resolve(registry.backends(), {{"alpha"}, {}}, op_of("moe"));
  REQUIRE_FALSE(resolution);
  CHECK(resolution.error().message ==
        "NO_BACKEND_FOR_OP: no backend runs moe (no weights):\n"
        "  alpha        it only adds\n"
        "  beta         it only adds");
}

TEST_CASE("a pin and an order may name only what is loaded") {
  const Registry registry = both({"alpha", "beta"});
  const auto order = check_rules(registry.backends(), {{"alfa"}, {}});
  REQUIRE_FALSE(order);
  CHECK(order.error().message ==
        "CONFIG_UNKNOWN_BACKEND: backends.order names 'alfa', which is no loaded backend, did you mean 'alpha'?; "
        "loaded: alpha, beta");
}
