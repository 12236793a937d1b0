// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/baselines.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace credence {
namespace {

constexpr double most_products = 2e8;   // n d²: a fraction of a second

NumberBaseline baseline_of(const Eigen::ArrayXd& errors, double variance)
{
    const double mean_square = errors.square().mean();
    return {std::sqrt(mean_square), 0.5 * std::log(2 * std::numbers::pi * variance) + mean_square / (2 * variance)};
}

Eigen::Map<const Eigen::ArrayXd> as_array(std::span<const double> values)
{
    return {values.data(), static_cast<Eigen::Index>(values.size())};
}

/// [n × (d + 1)], the last column 1.
Eigen::MatrixXd with_intercept(std::span<const float> inputs, Eigen::Index n, Eigen::Index d)
{
    using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    Eigen::MatrixXd x(n, d + 1);
    x.leftCols(d) = Eigen::Map<const Rows>(inputs.data(), n, d).cast<double>();
    x.col(d).setOnes();
    return x;
}

}   // namespace

ClassBaseline class_baseline(std::span<const int> training, std::span<const int> scored, std::size_t n_classes)
{
    const auto counts_of = [&](std::span<const int> labels) {
        std::vector<double> counts(n_classes);
        for (const int label : labels)
            counts[static_cast<std::size_t>(label)] += 1;
        return counts;
    };
    const auto seen = counts_of(training), asked = counts_of(scored);
    const auto N = static_cast<double>(training.size()), n = static_cast<double>(scored.size());
    const auto majority = static_cast<std::size_t>(std::ranges::max_element(seen) - seen.begin());
    ClassBaseline out{.majority = static_cast<int>(majority), .accuracy = asked[majority] / n};
    for (std::size_t k = 0; k < n_classes; ++k) {
        out.frequencies.push_back((seen[k] + 1) / (N + static_cast<double>(n_classes)));
        out.nll -= asked[k] / n * std::log(out.frequencies.back());
    }
    return out;
}

std::optional<NumberBaseline> mean_baseline(std::span<const double> training, std::span<const double> scored)
{
    if (training.size() < 2 || scored.empty())
        return {};
    const auto y          = as_array(training);
    const double variance = (y - y.mean()).square().sum() / static_cast<double>(training.size() - 1);
    if (!(variance > 0))
        return {};
    return baseline_of(as_array(scored) - y.mean(), variance);
}

std::optional<NumberBaseline> least_squares_baseline(std::span<const float> training_inputs,
                                                     std::span<const double> training,
                                                     std::span<const float> scored_inputs,
                                                     std::span<const double> scored, std::size_t n_features)
{
    const double products = static_cast<double>(training.size()) * static_cast<double>(n_features * n_features);
    if (n_features == 0 || products > most_products || training.size() < n_features + 2 || scored.empty())
        return {};
    const auto n = static_cast<Eigen::Index>(training.size()), d = static_cast<Eigen::Index>(n_features);
    const auto x                  = with_intercept(training_inputs, n, d);
    const Eigen::VectorXd y       = as_array(training).matrix();
    const double level            = y.mean();   // keeps precision for targets with a large offset
    const Eigen::VectorXd weights = x.completeOrthogonalDecomposition().solve((y.array() - level).matrix());
    const double squares          = ((y.array() - level).matrix() - x * weights).squaredNorm();
    if (!(squares > 1e-24 * (y.array() - level).square().sum()))
        return {};
    const auto asked = with_intercept(scored_inputs, static_cast<Eigen::Index>(scored.size()), d);
    return baseline_of(as_array(scored) - level - (asked * weights).array(), squares / static_cast<double>(n - d - 1));
}

}   // namespace credence
