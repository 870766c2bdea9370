// tenon bench: what is measured is a matter of the machine; its form and its arithmetic are not.
#include "bench_report.hpp"
#include "tenon_process.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <set>

using nlohmann::json;
using namespace tenon::cli;

namespace {

BenchReport small_report() {
  return {"m.gguf",
          100'000'000,
          {{"prefill", 512, 1, {90, 110, 100}}, {"decode", 64, 1, {50, 40, 60, 30}}, {"decode", 64, 2, {80}}},
          {{1, {11e9, 9e9, 10e9}}, {2, {16e9}}}};
}

}  // namespace

TEST_CASE("the spread of repetitions is median, lowest and highest; of an even number the middle two are halved") {
  CHECK(spread_of({3, 1, 2}).median == 2);
  CHECK(spread_of({4, 1, 3, 2}).median == 2.5);
  CHECK(spread_of({4, 1, 3, 2}).min == 1);
  CHECK(spread_of({4, 1, 3, 2}).max == 4);
  CHECK(spread_of({5}).median == 5);
}

TEST_CASE("the table has a row a test, with decode's share of the read bandwidth of as many threads") {
  // 45 tokens/s of 100 MB are 4.5 GB/s, of 10 GB/s; 80 are 8, of 16.
  CHECK(small_report().markdown() ==
        "m.gguf: a decoded token reads 100.0 MB of weights\n\n"
        "| test | threads | tokens/s | min - max | share of the read bandwidth |\n"
        "|---|---|---|---|---|\n"
        "| prefill 512 | 1 | 100.0 | 90.0 - 110.0 |  |\n"
        "| decode 64 | 1 | 45.0 | 30.0 - 60.0 | 45% of 10.0 GB/s |\n"
        "| decode 64 | 2 | 80.0 | 80.0 - 80.0 | 50% of 16.0 GB/s |\n");
  CHECK(small_report().json()["results"][1]["bandwidth_share"] == Approx(0.45));
}

TEST_CASE("bench measures every list item on every thread count, as often as asked") {
  const Outcome bench = run_tenon({"bench", "-p", "8,16", "-n", "4", "-t", "1,2", "-r", "3", "-o", "json"});
  CHECK(bench.code == 0);
  CHECK(bench.err.empty());
  const json found = json::parse(bench.out);
  CHECK(found["model"] == "demo.gguf");
  CHECK(found["read_bandwidth"].size() == 2);
  std::set<std::string> rows;
  for (const json& row : found["results"]) {
    rows.insert(row["test"].get<std::string>() + row["tokens"].dump() + "/" + row["threads"].dump());
    CHECK(row["tokens_per_second"]["all"].size() == 3);
    CHECK(row["tokens_per_second"]["min"] > 0);
    CHECK(row.contains("bandwidth_share") == (row["test"] == "decode"));
  }
  CHECK(rows ==
        std::set<std::string>{"prefill8/1", "prefill8/2", "prefill16/1", "prefill16/2", "decode4/1", "decode4/2"});
}

TEST_CASE("bench refuses what does not fit the context, and lists that are none") {
  const auto refusal = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "bench");
    const Outcome bench = run_tenon(arguments);
    CHECK(bench.code == 2);
    CHECK(bench.out.empty());
    return bench.err;
  };
  CHECK(refusal({"-p", "512"}) == "tenon: -p 512 needs a context of 513, it is 512\n");
  CHECK(refusal({"-n", "511"}) == "tenon: -n 511 needs a context of 513, it is 512\n");
  CHECK(refusal({"-p", "8,,16"}) ==
        "tenon: --prefill is '', expected a whole number from 1 to 1000000, or several with commas between\n");
  CHECK(refusal({"-t", "0"}) ==
        "tenon: --threads is '0', expected a whole number from 1 to 1024, or several with commas between\n");
  CHECK(refusal({"-r", "0"}) == "tenon: --repetitions is '0', expected a whole number from 1 to 1000\n");
  CHECK(refusal({"-o", "xml"}) == "tenon: --format is 'xml', expected md or json\n");
}
