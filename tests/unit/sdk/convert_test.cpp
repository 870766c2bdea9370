// f16, bf16 and e8m0 over all bit patterns against their definitions: sign * fraction * 2^exponent, by ldexp in f64.
#include <tenon/convert.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace tenon;

namespace {

/// A format of 1 sign bit, `exponent_bits` and `fraction_bits`, as IEEE 754 lays it out.
struct Format {
  int exponent_bits, fraction_bits;

  double value(uint32_t bits) const {
    const int bias = (1 << (exponent_bits - 1)) - 1, top = (1 << exponent_bits) - 1;
    const double sign = (bits >> (exponent_bits + fraction_bits)) != 0 ? -1 : 1;
    const int exponent = static_cast<int>(bits >> fraction_bits) & top;
    const auto fraction = static_cast<double>(bits & ((1u << fraction_bits) - 1));
    if (exponent == top) return fraction == 0 ? sign * INFINITY : std::numeric_limits<double>::quiet_NaN();
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
    return sign * std::ldexp(std::ldexp(1.0, fraction_bits) + fraction, exponent - bias - fraction_bits);
  }
};

constexpr Format kF16{5, 10}, kBf16{8, 7};

uint32_t bits_of(double value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); }

/// Every pattern widens to its value, and narrows back to itself. NaN stays NaN and keeps its sign.
void check_all_patterns(const Format& format, float (*widen)(uint16_t), uint16_t (*narrow)(float)) {
  uint32_t wrong = 0;
  for (uint32_t h = 0; h < 0x10000; ++h) {
    const float got = widen(static_cast<uint16_t>(h));
    const double want = format.value(h);
    const uint16_t back = narrow(got);
    if (std::isnan(want)) {
      wrong += !(std::isnan(got) && std::isnan(format.value(back)) && (back >> 15) == (h >> 15));
    } else {
      wrong += !(std::bit_cast<uint32_t>(got) == bits_of(want) && back == h);
    }
  }
  CHECK(wrong == 0);
}

/// Between each two neighbours of the format: the middle goes to the even one, all else to the nearer one. `infinity`
/// is the pattern of +infinity; the middle above the largest number goes there.
void check_rounding(const Format& format, uint16_t infinity, uint16_t (*narrow)(float)) {
  uint32_t wrong = 0;
  for (uint32_t h = 0; h < infinity; ++h) {
    const double low = format.value(h);
    // Above the largest number as if the exponents went on.
    const double high = h + 1 == infinity ? low + (low - format.value(h - 1)) : format.value(h + 1);
    const auto middle = static_cast<float>((low + high) / 2);
    const uint32_t even = h % 2 == 0 ? h : h + 1;
    for (const float sign : {1.0f, -1.0f}) {
      const uint32_t flip = sign < 0 ? 0x8000u : 0u;
      wrong += narrow(sign * middle) != (even | flip);
      wrong += narrow(sign * std::nextafter(middle, 0.0f)) != (h | flip);
      wrong += narrow(sign * std::nextafter(middle, INFINITY)) != ((h + 1) | flip);
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("all 65,536 f16 patterns widen to their value and narrow back") {
  check_all_patterns(kF16, f16_to_f32, f32_to_f16);
}

TEST_CASE("all 65,536 bf16 patterns widen to their value and narrow back") {
  check_all_patterns(kBf16, bf16_to_f32, f32_to_bf16);
}

TEST_CASE("f32 rounds to the nearest f16, ties to even, above the largest to infinity") {
  check_rounding(kF16, 0x7C00, f32_to_f16);
  CHECK(f32_to_f16(65504.0f) == 0x7BFF);
  CHECK(f32_to_f16(65519.99f) == 0x7BFF);
  CHECK(f32_to_f16(65520.0f) == 0x7C00);
  CHECK(f32_to_f16(std::numeric_limits<float>::max()) == 0x7C00);
  CHECK(f32_to_f16(-INFINITY) == 0xFC00);
  CHECK(f32_to_f16(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(f32_to_f16(-0.0f) == 0x8000);
}

TEST_CASE("f32 rounds to the nearest bf16, ties to even, above the largest to infinity") {
  check_rounding(kBf16, 0x7F80, f32_to_bf16);
  CHECK(f32_to_bf16(std::numeric_limits<float>::max()) == 0x7F80);
  CHECK(f32_to_bf16(INFINITY) == 0x7F80);
  CHECK(f32_to_bf16(-0.0f) == 0x8000);
}

TEST_CASE("NaN stays NaN even where its fraction lies in the bits that are cut") {
  for (const uint32_t bits : {0x7F800001u, 0xFF800001u, 0x7FC00000u, 0x7FFFFFFFu}) {
    const auto nan = std::bit_cast<float>(bits);
    CHECK(std::isnan(f16_to_f32(f32_to_f16(nan))));
    CHECK(std::isnan(bf16_to_f32(f32_to_bf16(nan))));
  }
}

TEST_CASE("e8m0 is 2^(e - 127), and NaN at 255") {
  for (int e = 0; e < 255; ++e) {
    CHECK(static_cast<double>(e8m0_to_f32(static_cast<uint8_t>(e))) == std::ldexp(1.0, e - 127));
  }
  CHECK(std::isnan(e8m0_to_f32(255)));
}
