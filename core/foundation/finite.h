// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace credence {

/// Tells whether every value is a finite number; reads all of them, without a branch.
template <class T>
bool all_finite(std::span<const T> values);

/// Refuses values of which one is not finite: sorts, ranks and means of such values mean nothing, and NaN equals not even itself.
/// @param each    what one value is, e.g. "AUROC: positive score"
/// @throws Error  "AUROC: positive score 3 is nan, expected a finite number."
void require_finite(const char* each, std::span<const double> values);
/// The same for what is only ranked: infinities have their place in an order, NaN has none.
void require_no_nan(const char* each, std::span<const double> values);

extern template bool all_finite(std::span<const float>);
extern template bool all_finite(std::span<const double>);

}   // namespace credence
