// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/finite.h"

#include "foundation/error.h"
#include "foundation/number_text.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace credence {

template <class T>
bool all_finite(std::span<const T> values)
{
    T sum = 0;   // sum of x − x: 0 for finite x, otherwise NaN
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < values.size(); ++i)
        sum += values[i] - values[i];
    return sum == 0;
}

template bool all_finite(std::span<const float>);
template bool all_finite(std::span<const double>);

namespace {

[[noreturn]] void refuse(const char* each, std::ptrdiff_t at, double found, const char* expected)
{
    throw Error(std::string(each) + " " + std::to_string(at) + " is " + shortest_text(found) + ", expected a "
                + expected + ".");
}

}   // namespace

void require_finite(const char* each, std::span<const double> values)
{
    if (all_finite(values))
        return;
    const auto at = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
    refuse(each, at - values.begin(), *at, "finite number");
}

void require_no_nan(const char* each, std::span<const double> values)
{
    const auto at = std::find_if(values.begin(), values.end(), [](double value) { return std::isnan(value); });
    if (at != values.end())
        refuse(each, at - values.begin(), *at, "number");
}

}   // namespace credence
