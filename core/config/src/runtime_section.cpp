#include <fmt/format.h>
#include <tenon/base/cpu.hpp>

#include <array>
#include <bit>

#include "reading.hpp"
#include "settings_sections.hpp"

namespace tenon {
namespace {

void read_kv(const Yaml* map, Section& runtime, KvCacheSettings& kv) {
  constexpr std::array<std::string_view, 2> kKeys{"page", "dtype"};
  constexpr std::array<std::string_view, 6> kPages{"8", "16", "32", "64", "128", "256"};
  constexpr std::array<std::string_view, 3> kDTypes{"f16", "f32", "q8_0"};
  Section section(map, "runtime.kv", kKeys);
  if (const Yaml* page = section.find("page")) {
    section.integer("page", INT64_MIN, INT64_MAX, kv.page);
    const bool in_range = kv.page >= 8 && kv.page <= 256;
    if (section.ok() && !(in_range && std::has_single_bit(static_cast<uint64_t>(kv.page)))) {
      section.fail(wrong_range(*page, section.path("page"), one_of(kPages)));
    }
  }
  section.choice("dtype", kDTypes, kv.dtype);
  runtime.require(section.result());
}

/// Says beside the range how many cores there are.
Error with_cores(const Yaml& value) {
  const std::string expected =
      fmt::format("auto or a whole number from 1 to 1024; auto is {}", advise_threads().reason);
  const auto number = as_integer(value, "", INT64_MIN, INT64_MAX);
  return number ? wrong_range(value, "runtime.threads", expected) : wrong_type(value, "runtime.threads", expected);
}

}  // namespace

Result<RuntimeSettings> read_runtime(const Yaml* map) {
  constexpr std::array<std::string_view, 5> kKeys{"threads", "context", "prefill_chunk", "determinism", "kv"};
  constexpr std::array<std::string_view, 2> kDeterminism{"strict", "relaxed"};
  RuntimeSettings runtime;
  Section section(map, "runtime", kKeys);
  if (const Yaml* threads = section.find("threads")) {
    section.integer_or("threads", "auto", 1, 1024, runtime.threads);
    if (!section.ok()) return with_cores(*threads);
  }
  section.integer_or("context", "auto", 1, 1'048'576, runtime.context);
  section.integer("prefill_chunk", 1, 8192, runtime.prefill_chunk);
  section.choice("determinism", kDeterminism, runtime.determinism);
  read_kv(section.find("kv"), section, runtime.kv);
  if (!section.ok()) return section.result().error();
  return runtime;
}

}  // namespace tenon
