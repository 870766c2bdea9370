// Holds the backend `neon` to the bits of `reference` across processors. Built for both:
//   op_cases write BACKEND.so FILE                 runs every case and writes its results
//   op_cases check BACKEND.so FILE LEVEL [ISA]     runs every case and compares; LEVEL is the one that must have run:
//                                                  neon, dotprod or i8mm. ISA: the plug-in's option, auto by default
// Exit code 0: all the same bits; 1: not, or anything else that went wrong, each in a line.
#include "case.hpp"
#include "results_file.hpp"

#include <bit>
#include <cstdio>
#include <exception>

using namespace tenon;
using namespace tenon::test;

namespace tenon::test {

std::vector<Rows> results_of(const LoadedBackend& backend, const Case& made) {
  const BoundOp op(backend, made.op);
  KvStore kv(made.n_pages == 0 ? tenon_kv_plan{} : op.kv_plan(), made.n_pages);
  std::vector<Rows> results;
  for (RunInput input : made.runs) {
    if (made.n_pages != 0) input.kv = &kv;
    for (Rows& rows : op.run(input)) results.push_back(std::move(rows));
  }
  if (!made.unpacked.empty()) {
    results.push_back(op.unpack_rows(0, made.unpacked, row_width(made.op.weights[0].tensor)));
  }
  return results;
}

}  // namespace tenon::test

namespace {

void visit_all(const VisitCase& visit) {
  visit_elementwise_cases(visit);
  visit_product_cases(visit);
  visit_gated_cases(visit);
  visit_attention_cases(visit);
}

/// The level that the backend's int8 kernels name.
std::string level_of(const LoadedBackend& backend) {
  Random random(1);
  const Weight w = random_weight(random, DType::q8_0, {8, 32});
  const std::string name = BoundOp::ask(backend, op_case("linear", tenon_linear_params{0, 1, 0, 1.0f}, {w})).kernel;
  const std::string prefix = "linear_q8_0_int8_neon";
  if (!name.starts_with(prefix))
    throw std::runtime_error("the kernel of q8_0 is " + name + ", expected " + prefix + "...");
  return name == prefix ? "neon" : name.substr(prefix.size() + 1);
}

/// Bits equal; a NaN of one is any NaN of the other.
bool same(float a, float b) { return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (a != a && b != b); }

/// "" or where the first difference is.
std::string difference(const std::vector<Rows>& found, const std::vector<Rows>& want) {
  if (found.size() != want.size())
    return std::to_string(found.size()) + " results, expected " + std::to_string(want.size());
  for (size_t i = 0; i < found.size(); ++i) {
    const auto shape = [](const Rows& r) { return std::to_string(r.n) + "x" + std::to_string(r.width); };
    if (shape(found[i]) != shape(want[i])) {
      return "result " + std::to_string(i) + " is " + shape(found[i]) + ", expected " + shape(want[i]);
    }
    for (size_t j = 0; j < found[i].values.size(); ++j) {
      const float a = found[i].values[j], b = want[i].values[j];
      if (same(a, b)) continue;
      char text[160];
      std::snprintf(text, sizeof text, "result %zu (%s), row %zu, column %zu: %a, expected %a", i,
                    shape(found[i]).c_str(), j / static_cast<size_t>(found[i].width),
                    j % static_cast<size_t>(found[i].width), static_cast<double>(a), static_cast<double>(b));
      return text;
    }
  }
  return "";
}

int write(const LoadedBackend& backend, const std::string& path) {
  ResultsWriter file(path);
  int n_cases = 0;
  visit_all([&](const Case& made) {
    file.write(made.name, results_of(backend, made));
    ++n_cases;
  });
  std::printf("%d cases written\n", n_cases);
  return 0;
}

int check(const LoadedBackend& backend, const std::string& path, const std::string& level) {
  const std::string ran = level_of(backend);
  std::printf("level: %s\n", ran.c_str());
  if (ran != level) {
    std::printf("expected level: %s\n", level.c_str());
    return 1;
  }
  ResultsReader file(path);
  int n_cases = 0, n_wrong = 0;
  visit_all([&](const Case& made) {
    const std::string name = file.read_name();
    if (name != made.name)
      throw std::runtime_error("the file has '" + name + "' where '" + made.name + "' is run: write it again");
    const std::vector<Rows> want = file.read_results();
    ++n_cases;
    std::string problem;
    try {
      problem = difference(results_of(backend, made), want);
    } catch (const std::exception& e) {
      problem = e.what();
    }
    if (problem.empty()) return;
    ++n_wrong;
    std::printf("%s: %s\n", made.name.c_str(), problem.c_str());
  });
  if (!file.at_end()) throw std::runtime_error("the file has more cases than were run: write it again");
  std::printf("%d of %d cases have the reference's bits\n", n_cases - n_wrong, n_cases);
  return n_wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 3 && arguments[0] == "write") return write(LoadedBackend(arguments[1]), arguments[2]);
    if ((arguments.size() == 4 || arguments.size() == 5) && arguments[0] == "check") {
      const LoadedBackend backend(arguments[1], {{"isa", arguments.size() == 5 ? arguments[4] : "auto"}});
      return check(backend, arguments[2], arguments[3]);
    }
    std::fprintf(stderr, "op_cases write BACKEND.so FILE | op_cases check BACKEND.so FILE LEVEL [ISA]\n");
  } catch (const std::exception& e) {
    std::printf("%s\n", e.what());
  }
  return 1;
}
