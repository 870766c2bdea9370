#include "kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace proof {

namespace {

constexpr size_t kSpan = 24;     // elements a unit works on
constexpr size_t kMask = 0x3FF;  // where a unit may start; the arrays are longer by kSpan and more

float from_f16(uint16_t h) {  // normal numbers only, which is all the data holds
  return std::bit_cast<float>((static_cast<uint32_t>(h & 0x8000u) << 16) |
                              ((static_cast<uint32_t>(h & 0x7FFFu) << 13) + (112u << 23)));
}

float from_bf16(uint16_t h) { return std::bit_cast<float>(static_cast<uint32_t>(h) << 16); }

size_t start_of(size_t salt) { return (salt * 37) & kMask; }

template <typename Widen>
float dot(const Data& d, size_t at, Widen widen) {
  float sum = 0;
  for (size_t i = 0; i < kSpan; ++i) sum += d.a[at + i] * widen(d.half[at + i]);
  return sum;
}

template <typename Widen>
void add(Data& d, size_t at, Widen widen) {
  for (size_t i = 0; i < kSpan; ++i) d.out[i] += widen(d.half[at + i]) + d.b[at + i];
}

}  // namespace

Data make_data() {
  Data d;
  constexpr size_t kSize = 4096;
  for (size_t i = 0; i < kSize; ++i) {
    const float x = static_cast<float>((i * 97) % 251) / 251.0f - 0.5f;
    d.a.push_back(x);
    d.b.push_back(1.0f - x);
    d.half.push_back(static_cast<uint16_t>(0x3000 + (i * 61) % 0x0C00));
    d.ids.push_back(static_cast<uint32_t>((i * 389) % kSize));
    d.bytes.push_back(static_cast<uint8_t>(i * 131));
  }
  d.out.assign(kSize, 0.0f);
  return d;
}

void add_f32(Data& d, size_t salt) {
  const size_t at = start_of(salt);
  for (size_t i = 0; i < 2 * kSpan; ++i) d.out[i] += d.a[at + i] + d.b[i];
}
void add_f16(Data& d, size_t salt) { add(d, start_of(salt), from_f16); }
void add_bf16(Data& d, size_t salt) { add(d, start_of(salt), from_bf16); }

void mean_f32(Data& d, size_t salt) {
  const size_t at = start_of(salt);
  float sum = 0;
  for (size_t i = 0; i < kSpan; ++i) sum += d.a[at + i];
  d.out[salt & kMask] = sum / static_cast<float>(kSpan);
}

void gather_f32(Data& d, size_t salt) {
  const size_t at = start_of(salt);
  for (size_t i = 0; i < kSpan; ++i) d.out[i] = d.a[d.ids[at + i]];
}
void gather_u16(Data& d, size_t salt) {
  const size_t at = start_of(salt);
  for (size_t i = 0; i < kSpan; ++i) d.out[i] += d.half[d.ids[at + i]];
}

void dot_f32(Data& d, size_t salt) {
  const size_t at = start_of(salt);
  float sum = 0;
  for (size_t i = 0; i < kSpan; ++i) sum += d.a[at + i] * d.b[at + i];
  d.out[salt & kMask] = sum;
}
void dot_f16(Data& d, size_t salt) { d.out[salt & kMask] = dot(d, start_of(salt), from_f16); }
void dot_bf16(Data& d, size_t salt) { d.out[salt & kMask] = dot(d, start_of(salt), from_bf16); }

void nibbles(Data& d, size_t salt) {
  static constexpr float kCodes[16] = {0, .5f, 1, 1.5f, 2, 3, 4, 6, -0.f, -.5f, -1, -1.5f, -2, -3, -4, -6};
  const size_t at = start_of(salt);
  for (size_t i = 0; i < kSpan / 2; ++i) {
    d.out[2 * i] += kCodes[d.bytes[at + i] & 15];
    d.out[2 * i + 1] += kCodes[d.bytes[at + i] >> 4];
  }
}

void largest(Data& d, size_t salt) {
  const size_t at = start_of(salt);
  size_t best = at;
  for (size_t i = at; i < at + kSpan; ++i) {
    if (d.a[i] > d.a[best]) best = i;
  }
  d.out[salt & kMask] = static_cast<float>(best);
}

void partition(Data& d, size_t salt) {
  const size_t at = start_of(salt);
  const float pivot = d.b[at];
  size_t kept = 0;
  for (size_t i = at; i < at + kSpan; ++i) {
    d.out[kept] = d.a[i];
    kept += d.b[i] > pivot ? 1 : 0;
  }
}

void exponentials(Data& d, size_t salt) {
  const size_t at = start_of(salt);
  float sum = 0;
  for (size_t i = at; i < at + 6; ++i) sum += std::exp(d.a[i]);
  d.out[salt & kMask] = sum;
}

void sort_few(Data& d, size_t salt) {
  const size_t at = start_of(salt);
  constexpr size_t kFew = 6;
  for (size_t i = 0; i < kFew; ++i) {
    const float x = d.a[at + i];
    size_t j = i;
    for (; j > 0 && d.out[j - 1] < x; --j) d.out[j] = d.out[j - 1];
    d.out[j] = x;
  }
}

void hash_bytes(Data& d, size_t salt) {
  const size_t at = start_of(salt);
  uint32_t hash = 2166136261u;
  for (size_t i = at; i < at + kSpan / 2; ++i) hash = (hash ^ d.bytes[i]) * 16777619u;
  d.out[hash & kMask] += 1.0f;
}

void bit_mask(Data& d, size_t salt) {
  const size_t at = start_of(salt);
  uint32_t mask = 0;
  for (size_t i = 0; i < kSpan; ++i) mask |= static_cast<uint32_t>(d.bytes[at + i] > 127) << i;
  d.out[salt & kMask] = static_cast<float>(std::popcount(mask));
}

void page_list(Data& d, size_t salt) {
  uint32_t page = static_cast<uint32_t>(start_of(salt));
  for (size_t i = 0; i < 6; ++i) page = d.ids[page];
  d.out[salt & kMask] = static_cast<float>(page);
}

}  // namespace proof
