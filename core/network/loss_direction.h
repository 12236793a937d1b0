// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace credence {

/// The loss of one row of logits as two factors, a direction of order 1 and a magnitude in
/// logarithms, so that neither underflows if the network is confident:
///     L = −ln p_y,   dL/dz = p − e_y = (1 − p_y) v
///     v_k = e^{z_k} / Σ_{j≠y} e^{z_j} for k ≠ y,   v_y = −1
///     ln p_y = −softplus(−t),   ln(1 − p_y) = −softplus(t),   t = z_y − ln Σ_{j≠y} e^{z_j}
/// In single precision, a softmax makes p − e_y exactly 0 from t ≈ 17 upwards and so hides a
/// gradient that exists. Nothing here depends on a constant added to all logits. Everything is
/// relative to the largest of the other logits (log-sum-exp), in double.
struct LossDirection {
    double log_probability = 0;   ///< ln p_y, nats
    double log_rest        = 0;   ///< ln(1 − p_y), nats: the factor before v
};

/// @param logits     z [K], K >= 2
/// @param label      y, 0 … K − 1
/// @param direction  v [K], overwritten
template <class T>
LossDirection loss_direction(std::span<const T> logits, int label, std::span<T> direction);

extern template LossDirection loss_direction(std::span<const float>, int, std::span<float>);
extern template LossDirection loss_direction(std::span<const double>, int, std::span<double>);

}   // namespace credence
