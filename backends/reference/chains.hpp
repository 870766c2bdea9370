// The sums that core/README.md fixes operation by operation: fused multiply-adds in ascending order, and their f64
// twins of class exact64. The float forms are the meaning of the classes f32 and int8.
#pragma once

#include "quantize.hpp"
#include "weight_blocks.hpp"

namespace tenon::reference {

/// acc = 0; acc = fma(x[k], w[k], acc) for k ascending.
float dot(const float* x, const float* w, int64_t n);
double dot(const double* x, const float* w, int64_t n);

/// The int8 chain over blocks of 32 in ascending order.
float dot(Step step, const WeightBlock* w, const ActBlock* x, int64_t n_blocks);

/// out[j] = dot(x, rows[j]) for rows [n, width].
void dots(const float* x, const float* rows, int64_t n, int64_t width, float* out);
void dots(const double* x, const float* rows, int64_t n, int64_t width, double* out);

/// out[i] = fma(p, row[i], out[i]).
void add_scaled(float p, const float* row, int64_t width, float* out);
void add_scaled(double p, const float* row, int64_t width, double* out);
void add_scaled(double p, const double* row, int64_t width, double* out);

/// out[i] = chain over j ascending of p[j] * rows[j][i], from 0; rows [n, width].
void weighted_sum(const float* p, const float* rows, int64_t n, int64_t width, float* out);
void weighted_sum(const double* p, const float* rows, int64_t n, int64_t width, double* out);

/// x[i] = exp(x[i] - m), in place.
void exp_minus(float m, float* x, int64_t n);
void exp_minus(double m, double* x, int64_t n);

}  // namespace tenon::reference
