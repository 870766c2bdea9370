// Case 31: a plug-in that fails while running fails the request; the engine lives.
#include "host_folder.hpp"

#include <tenon/engine.hpp>

using namespace tenon;
using namespace host;

TEST_CASE("case 31: a processor that throws fails its request, and the next one is served") {
  EngineOptions options;
  options.config = fs::path(TENON_TEST_BUILD) / "share/tenon/configs/reference.yaml";
  options.set = {"plugins=[reference, gguf, bpe, jinja, processors, " + built("stumbles").string() + "]",
                 "sampling.chain=[stumble]"};
  auto engine = Engine::load(options);
  if (!engine) FAIL(engine.error().message);
  Request request;
  request.prompt = "Once there was";
  request.max_tokens = 4;
  request.seed = 13;
  const auto failed = (*engine)->generate(request);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().code == TENON_INTERNAL);
  CHECK(failed.error().message == "processor 'stumble': black cat");
  request.seed = 1;
  const auto written = (*engine)->generate(request);
  REQUIRE(written);
  CHECK(written->tokens.size() == 4);
}
