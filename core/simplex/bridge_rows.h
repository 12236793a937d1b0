// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/laplace_bridge.h"

#include <span>
#include <vector>

namespace credence {

/// Many Gaussians over K logits, row by row. Does not own the memory.
template <class T>
struct LogitRows {
    int n_classes = 0;
    std::span<const T> mu;         ///< [N × K]
    std::span<const T> variance;   ///< diag Σ of each [N × K]
    std::span<const T> row_sum;    ///< Σ1 of each [N × K]; empty: the covariances are diagonal, Σ1 = diag Σ
};

/// α [N × K] of every row in float, one exponential per number, vectorised, on all threads; the
/// same bits for any number of them. Rows whose logits are large (|μ| > 40 after the correction)
/// are computed by `bridge` in double.
/// @throws Error naming the row if a variance is not positive, a number is not finite, α is outside
/// the range of floats, or sizes do not match
void bridge_rows(const LogitRows<float>& logits, BridgeVariant variant, std::span<float> alpha);

/// ln α [N × K] of every row in double: nothing overflows. @throws Error naming the row as above
void bridge_rows_log(const LogitRows<double>& logits, BridgeVariant variant, std::span<double> log_alpha);

}   // namespace credence
