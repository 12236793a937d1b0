// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/curvature.h"

#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace credence {
namespace {

constexpr double nothing = -std::numeric_limits<double>::infinity();

/// Σ ln(values + λ); −∞ if one of them is not positive.
double sum_of_logs(const std::vector<double>& values, double precision)
{
    return parallel_sum(values.size(), 4096, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const double value = values[i] + precision;
            sum += value > 0 ? std::log(value) : nothing;
        }
        return sum;
    });
}

double sum_of_logs(const KroneckerFactor& factor, KroneckerForm form, double precision, double n_data)
{
    const double sqrt_n = std::sqrt(n_data), sqrt_precision = std::sqrt(precision);
    return parallel_sum(static_cast<std::size_t>(factor.out), 8, [&](std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t o = begin; o < end; ++o)
            for (const double a : factor.a_values) {
                const double value = kronecker_precision(form, factor.b_values[o], a, precision, sqrt_n,
                                                         sqrt_precision);
                sum += value > 0 ? std::log(value) : nothing;
            }
        return sum;
    });
}

}   // namespace

Curvature::Curvature(CurvatureData data) : data_(std::move(data))
{
    assert(data_.map.size() == data_.layout.size());
    for (std::size_t i = data_.first_weight; i < data_.map.size(); ++i)
        squared_norm_ += data_.map[i] * data_.map[i];
    if (!data_.diagonal.empty())
        smallest_ = *std::min_element(data_.diagonal.begin(), data_.diagonal.end());
    if (!data_.eigenvalues.empty()) {
        smallest_ = *std::min_element(data_.eigenvalues.begin(), data_.eigenvalues.end());
        if (data_.eigenvalues.size() < covered())
            smallest_ = std::min(smallest_, 0.0);
    }
    for (const KroneckerFactor& factor : data_.kronecker)
        float_factors_.push_back(
            {{factor.a_vectors.begin(), factor.a_vectors.end()}, {factor.b_vectors.begin(), factor.b_vectors.end()}});
}

double Curvature::log_determinant(double precision) const
{
    switch (data_.options.structure) {
    case CurvatureStructure::diagonal: return sum_of_logs(data_.diagonal, precision);
    case CurvatureStructure::kronecker: {
        double sum = 0;
        for (const KroneckerFactor& factor : data_.kronecker)
            sum += sum_of_logs(factor, data_.options.form, precision, static_cast<double>(data_.n_data));
        return sum;
    }
    case CurvatureStructure::full: break;
    }
    return sum_of_logs(data_.eigenvalues, precision)
           + static_cast<double>(covered() - data_.eigenvalues.size()) * std::log(precision);
}

double Curvature::log_evidence(double precision) const
{
    const double log_det = log_determinant(precision);
    if (!std::isfinite(log_det))
        return nothing;
    return -data_.nll - 0.5 * precision * squared_norm_ + 0.5 * static_cast<double>(covered()) * std::log(precision)
           - 0.5 * log_det;
}

double Curvature::best_precision() const
{
    // The evidence can have several maxima: a grid with steps of a quarter decade finds the highest
    // one, and golden-section search refines it.
    const double lowest = std::log(smallest_precision), highest = std::log(largest_precision);
    constexpr int steps = 56;
    const auto at       = [&](int i) { return lowest + (highest - lowest) * i / steps; };
    const auto value    = [&](double log_precision) { return log_evidence(std::exp(log_precision)); };
    int best            = -1;
    double best_value   = nothing;
    for (int i = 0; i <= steps; ++i) {
        const double here = value(at(i));
        if (here > best_value) {
            best_value = here;
            best       = i;
        }
    }
    if (best < 0)
        throw Error("The evidence has no maximum: the curvature has the eigenvalue " + number_text(smallest_, 6)
                    + "; no prior precision up to 1e8 makes it positive.");
    double a = at(std::max(0, best - 1)), b = at(std::min(steps, best + 1));
    const double golden = 0.5 * (std::sqrt(5.0) - 1);
    double left = b - golden * (b - a), right = a + golden * (b - a), at_left = value(left), at_right = value(right);
    while (b - a > 1e-7) {
        if (at_left >= at_right) {
            b        = right;
            right    = left;
            at_right = at_left;
            at_left  = value(left = b - golden * (b - a));
        } else {
            a        = left;
            left     = right;
            at_left  = at_right;
            at_right = value(right = a + golden * (b - a));
        }
    }
    const double middle = 0.5 * (a + b);
    if (middle < lowest + 1e-6)
        return smallest_precision;
    if (middle > highest - 1e-6)
        return largest_precision;
    return std::clamp(std::exp(value(middle) >= best_value ? middle : at(best)), smallest_precision, largest_precision);
}

}   // namespace credence
