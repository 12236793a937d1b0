// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

namespace credence {

/// True if every value is finite. Reads all values, without a branch.
template <class T>
bool all_finite(std::span<const T> values);

/// Throws if any value is not finite: sorts, ranks and means of such values are undefined.
/// @param each    what one value is, e.g. "AUROC: positive score"
/// @throws Error  "AUROC: positive score 3 is nan, expected a finite number."
void require_finite(const char* each, std::span<const double> values);
/// The same for values that are only ranked: infinities can be ordered, NaN cannot.
void require_no_nan(const char* each, std::span<const double> values);

extern template bool all_finite(std::span<const float>);
extern template bool all_finite(std::span<const double>);

}   // namespace credence
