// SPDX-License-Identifier: GPL-3.0-or-later
#include "chains/scalar_draws.h"

#include "foundation/error.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace credence {

DiagnosticValue::DiagnosticValue(double value)
{
    if (std::isfinite(value)) {
        value_ = value;
    } else {
        reason_  = Undefined::not_finite;
        why_not_ = "The value is beyond the range of numbers.";
    }
}

DiagnosticValue::DiagnosticValue(Undefined why, std::string sentence) : reason_(why), why_not_(std::move(sentence))
{
    assert(why != Undefined::no);
}

void ScalarDraws::check() const
{
    if (values.size() != n_chains * n_draws)
        throw Error("Draws of chains: found " + std::to_string(values.size()) + " values, expected "
                    + std::to_string(n_chains) + " chains of " + std::to_string(n_draws) + " draws.");
}

double unit_factor(std::span<const double> values)
{
    double largest = 0;
    for (const double value : values)
        largest = std::max(largest, std::fabs(value));
    if (largest == 0)
        return 1;
    return std::ldexp(1.0, std::min(1 - std::ilogb(largest), 1000));   // the inverse of 2^1023 is subnormal
}

bool all_equal(std::span<const double> values)
{
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

}   // namespace credence
