#include <conformance/case.hpp>

#include <catch2/catch.hpp>

#include <set>

using namespace tenon;
using namespace tenon::conformance;

namespace {

const std::vector<Case>& all() {
  static const std::vector<Case> cases = cases_of({});
  return cases;
}

const Case& named(const std::string& name) {
  return *std::ranges::find_if(all(), [&](const Case& each) { return each.name() == name; });
}

}  // namespace

TEST_CASE("no two cases have the same name, so that one can be run again by it") {
  std::set<std::string> names;
  for (const Case& each : all()) {
    INFO(each.name());
    CHECK(names.insert(each.name()).second);
    CHECK(each.name().find('\'') == std::string::npos);  // it is quoted for a shell
  }
}

TEST_CASE("the cases of a row of the table stand together") {
  std::set<std::string> ended;
  std::string row;
  for (const Case& each : all()) {
    if (each.row() == row) continue;
    CHECK(ended.insert(row).second);
    row = each.row();
  }
}

TEST_CASE("every op is asked in every weight format and class") {
  std::set<std::string> rows;
  for (const Case& each : all()) rows.insert(each.row());
  for (const DType dtype : kWeightFormats) {
    const std::string format(info_of(dtype).name);
    for (const char* op : {"linear", "ffn", "moe"}) {
      CHECK(rows.contains(std::string(op) + "/" + format + (is_quantized(dtype) ? "/int8" : "/f32")));
      CHECK(rows.contains(std::string(op) + "/" + format + "/f32"));
      CHECK(rows.contains(std::string(op) + "/" + format + "/exact64"));
    }
    CHECK(rows.contains("gather/" + format + "/f32"));
  }
  CHECK(op_names().size() == 15);
}

TEST_CASE("a case's data hang on the seed and its name alone, and are the same in every class") {
  const Case& given = named("linear/q4_0/int8/5x96 to 9");
  const Made a = make(given, 1), b = make(given, 1), other = make(given, 2);
  const Made in_f32 = make(named("linear/q4_0/f32/5x96 to 9"), 1);
  CHECK(a.op.weights[0].bytes == b.op.weights[0].bytes);
  CHECK(a.steps[0].in[0].values == b.steps[0].in[0].values);
  CHECK(a.op.weights[0].bytes != other.op.weights[0].bytes);
  CHECK(a.op.weights[0].bytes == in_f32.op.weights[0].bytes);
  CHECK(a.op.numeric_class == TENON_CLASS_DEFAULT);
  CHECK(in_f32.op.numeric_class == TENON_CLASS_F32);
}

TEST_CASE("quick leaves fewer cases of every row") {
  std::set<std::string> rows, quick_rows;
  const std::vector<Case> quick = cases_of({.quick = true});
  for (const Case& each : all()) rows.insert(each.row());
  for (const Case& each : quick) quick_rows.insert(each.row());
  CHECK(rows == quick_rows);
  CHECK(quick.size() < all().size() / 3);
}
