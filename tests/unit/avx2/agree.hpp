// The avx2 backend against the reference: the same bits in the classes f32 and int8. The reference itself is held to
// outside values in tests/unit/reference.
#pragma once

#include <support/kernel_runner.hpp>
#include <support/random_case.hpp>

#include <catch2/catch.hpp>

#include <bit>

namespace tenon::test {

inline const LoadedBackend& backend(const char* name) {
  static const LoadedBackend reference(std::string(TENON_TEST_PLUGINS) + "/reference.so");
  static const LoadedBackend avx2(std::string(TENON_TEST_PLUGINS) + "/avx2.so");
  return std::string_view(name) == "avx2" ? avx2 : reference;
}

/// Bits equal; a NaN of one is any NaN of the other.
inline void check_same(const std::vector<Rows>& found, const std::vector<Rows>& want) {
  REQUIRE(found.size() == want.size());
  for (size_t i = 0; i < found.size(); ++i) {
    REQUIRE(found[i].values.size() == want[i].values.size());
    size_t n_different = 0, worst = 0;
    for (size_t j = 0; j < found[i].values.size(); ++j) {
      const float a = found[i].values[j], b = want[i].values[j];
      if (std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (a != a && b != b)) continue;
      if (n_different++ == 0) worst = j;
    }
    INFO("output " << i << ", first difference in row "
                   << worst / static_cast<size_t>(std::max<int64_t>(1, found[i].width)) << ", column "
                   << worst % static_cast<size_t>(std::max<int64_t>(1, found[i].width)) << ": "
                   << found[i].values[worst] << " against " << want[i].values[worst]);
    CHECK(n_different == 0);
  }
}

/// Runs the case on both, on 1 and 3 threads.
inline void check_agree(const OpCase& made, RunInput input) {
  const BoundOp reference(backend("reference"), made), avx2(backend("avx2"), made);
  const std::vector<Rows> want = reference.run(input);
  for (const uint32_t n_threads : {1u, 3u}) {
    input.n_threads = n_threads;
    INFO(made.name << " on " << n_threads << " threads");
    check_same(avx2.run(input), want);
  }
}

}  // namespace tenon::test
