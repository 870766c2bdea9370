#include "chains.hpp"

#include <tenon/math.hpp>

#include <algorithm>
#include <cmath>

// A fused multiply-add has one result, whoever computes it: the processor where it can, else the C library, whose call
// takes as long as a dozen multiplications. So these loops are compiled a second time with the instruction inlined, and
// the loader takes that copy where the processor has it. The file asks for no ISA and gives the same bits everywhere.
#if defined(__x86_64__)
#define TENON_FMA_LOOP [[gnu::target_clones("fma", "default")]]
#else
#define TENON_FMA_LOOP
#endif

namespace tenon::reference {
namespace {

int32_t isum(const int16_t* codes, const int16_t* q, int n) {
  int32_t sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<int32_t>(codes[i]) * q[i];
  return sum;
}

}  // namespace

TENON_FMA_LOOP float dot(const float* x, const float* w, int64_t n) {
  float acc = 0;
  for (int64_t i = 0; i < n; ++i) acc = std::fma(x[i], w[i], acc);
  return acc;
}

double dot(const double* x, const float* w, int64_t n) {
  double acc = 0;
  for (int64_t i = 0; i < n; ++i) acc += x[i] * static_cast<double>(w[i]);
  return acc;
}

TENON_FMA_LOOP float dot(Step step, const WeightBlock* w, const ActBlock* x, int64_t n_blocks) {
  const bool halves = step == Step::halves || step == Step::halves_with_minimum;
  float acc = 0;
  for (const WeightBlock* end = w + n_blocks; w != end; ++w, ++x) {
    const int32_t sum = halves
                            ? w->scale[0] * isum(w->codes, x->q, 16) + w->scale[1] * isum(w->codes + 16, x->q + 16, 16)
                            : isum(w->codes, x->q, 32);
    acc = std::fma(w->d * x->d, static_cast<float>(sum), acc);
    if (step == Step::with_minimum) acc = std::fma(w->m, x->d * static_cast<float>(x->sum), acc);
    if (step == Step::halves_with_minimum) {
      const int32_t minima = w->minimum[0] * x->sum16[0] + w->minimum[1] * x->sum16[1];
      acc = std::fma(w->m, x->d * static_cast<float>(minima), acc);
    }
  }
  return acc;
}

TENON_FMA_LOOP void dots(const float* x, const float* rows, int64_t n, int64_t width, float* out) {
  for (int64_t j = 0; j < n; ++j) {
    float acc = 0;
    for (int64_t i = 0; i < width; ++i) acc = std::fma(x[i], rows[j * width + i], acc);
    out[j] = acc;
  }
}

void dots(const double* x, const float* rows, int64_t n, int64_t width, double* out) {
  for (int64_t j = 0; j < n; ++j) out[j] = dot(x, rows + j * width, width);
}

TENON_FMA_LOOP void add_scaled(float p, const float* row, int64_t width, float* out) {
  for (int64_t i = 0; i < width; ++i) out[i] = std::fma(p, row[i], out[i]);
}

void add_scaled(double p, const float* row, int64_t width, double* out) {
  for (int64_t i = 0; i < width; ++i) out[i] += p * static_cast<double>(row[i]);
}

void add_scaled(double p, const double* row, int64_t width, double* out) {
  for (int64_t i = 0; i < width; ++i) out[i] += p * row[i];
}

TENON_FMA_LOOP void weighted_sum(const float* p, const float* rows, int64_t n, int64_t width, float* out) {
  for (int64_t i = 0; i < width; ++i) out[i] = 0;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < width; ++i) out[i] = std::fma(p[j], rows[j * width + i], out[i]);
  }
}

void weighted_sum(const double* p, const float* rows, int64_t n, int64_t width, double* out) {
  std::fill_n(out, width, 0.0);
  for (int64_t j = 0; j < n; ++j) add_scaled(p[j], rows + j * width, width, out);
}

TENON_FMA_LOOP void exp_minus(float m, float* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) x[i] = exp_f32(x[i] - m);
}

void exp_minus(double m, double* x, int64_t n) {
  for (int64_t i = 0; i < n; ++i) x[i] = std::exp(x[i] - m);
}

}  // namespace tenon::reference
