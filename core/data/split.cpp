// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/split.h"

#include "data/split_rows.h"
#include "data/table_schema.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace credence {

Standardiser Standardiser::identity(std::size_t n_features)
{
    return {std::vector<double>(n_features, 0.0), std::vector<double>(n_features, 1.0)};
}

namespace {

/// Rounded to float32 if that changes it by at most `most`.
double rounded(double value, double most)
{
    const auto single = static_cast<double>(static_cast<float>(value));
    return std::fabs(single - value) <= most ? single : value;
}

/// Returns true unless the values of a column differ by more than rounding error.
bool is_constant(double low, double high)
{
    return high - low <= 4 * std::numeric_limits<double>::epsilon() * std::max(std::fabs(low), std::fabs(high));
}

}   // namespace

Standardiser Standardiser::fit(const Dataset& training)
{
    const std::size_t n = training.n_rows, d = training.n_features;
    Standardiser fitted = identity(d);
    if (n == 0)
        return fitted;

    // Two passes in double: mean first, then squared distances from it, so that a large mean does
    // not cost precision of a small sd.
    std::vector<double> sum(d, 0.0), squares(d, 0.0);
    std::vector<double> low(training.inputs.begin(), training.inputs.begin() + static_cast<std::ptrdiff_t>(d)),
        high = low;
    for (std::size_t i = 0; i < n; ++i) {
        const auto x = training.row(i);
        for (std::size_t j = 0; j < d; ++j) {
            sum[j] += x[j];
            low[j]  = std::min(low[j], x[j]);
            high[j] = std::max(high[j], x[j]);
        }
    }
    for (double& s : sum)
        s /= static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto x = training.row(i);
        for (std::size_t j = 0; j < d; ++j)
            squares[j] += (x[j] - sum[j]) * (x[j] - sum[j]);
    }
    for (std::size_t j = 0; j < d; ++j) {
        constexpr double unseen = 1e-6;   // in standardised units
        const double sd         = std::sqrt(squares[j] / static_cast<double>(n));
        if (is_constant(low[j], high[j]) || !(sd > 0)) {   // squares below 1e-308 are 0
            fitted.mean[j] = low[j];
            continue;
        }
        fitted.mean[j] = rounded(sum[j], unseen * sd);
        fitted.sd[j]   = rounded(sd, unseen * sd);
    }
    return fitted;
}

aligned_vector<float> Standardiser::standardised(std::span<const double> rows) const
{
    const std::size_t d = mean.size();
    aligned_vector<float> z(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        z[i] = static_cast<float>((rows[i] - mean[i % d]) / sd[i % d]);
    return z;
}

std::vector<double> Standardiser::undone(std::span<const float> rows) const
{
    const std::size_t d = mean.size();
    std::vector<double> x(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        x[i] = static_cast<double>(rows[i]) * sd[i % d] + mean[i % d];
    return x;
}

void Standardiser::apply(std::span<float> rows) const
{
    const std::size_t d = mean.size();
    for (std::size_t begin = 0; begin < rows.size(); begin += d)
        for (std::size_t j = 0; j < d; ++j)
            rows[begin + j] = static_cast<float>((double(rows[begin + j]) - mean[j]) / sd[j]);
}

void Standardiser::undo(std::span<float> rows) const
{
    const std::size_t d = mean.size();
    for (std::size_t begin = 0; begin < rows.size(); begin += d)
        for (std::size_t j = 0; j < d; ++j)
            rows[begin + j] = static_cast<float>(double(rows[begin + j]) * sd[j] + mean[j]);
}

std::string Standardiser::describe(const Dataset& data) const
{
    constexpr std::size_t shown = 6;
    const std::size_t d         = mean.size();
    if (*this == identity(d))
        return "Inputs not standardised.";

    std::string text;
    for (std::size_t j = 0; j < std::min(d, shown); ++j) {
        if (j > 0)
            text += ", ";
        text += data.feature_names.at(j);
        text += mean[j] < 0 ? ": (x + " : ": (x − ";
        text += number_text(std::fabs(mean[j]), 3);
        text += ") / ";
        text += number_text(sd[j], 3);
    }
    if (d > shown)
        text.append(", and ").append(std::to_string(d - shown)).append(" more");
    return text;
}

namespace {

/// The targets as inputs of a data set, to standardise them with the same code.
Dataset targets_as_inputs(const Dataset& data)
{
    Dataset column;
    column.n_rows     = data.n_rows;
    column.n_features = data.n_targets();
    column.inputs.assign(data.targets.begin(), data.targets.end());
    return column;
}

}   // namespace

Standardiser SplitData::target_scales() const
{
    Standardiser all{{target_mean}, {target_sd}};
    all.mean.insert(all.mean.end(), other_targets.mean.begin(), other_targets.mean.end());
    all.sd.insert(all.sd.end(), other_targets.sd.begin(), other_targets.sd.end());
    return all;
}

SplitData with_one_target(SplitData all, std::size_t target)
{
    const auto scales   = all.target_scales();
    const std::size_t T = scales.mean.size();
    all.target_mean     = scales.mean.at(target);
    all.target_sd       = scales.sd.at(target);
    all.other_targets   = {};
    for (auto* part : {&all.training, &all.test, &all.final_test, &all.calibration}) {
        const std::size_t own = target < part->n_targets() ? target : 0;   // a part without rows may have one only
        *part                 = with_one_target(std::move(*part), own);
    }
    for (auto* targets : {&all.training_targets, &all.test_targets, &all.calibration_targets})
        keep_target(*targets, target, T);
    return all;
}

SplitData split(const Dataset& all, const SplitOptions& options)
{
    all.check();
    const auto [training, test, calibration] = choose_rows(all, options);

    SplitData parts;
    parts.test     = subset(all, test);
    parts.training = subset(all, training);
    if (!calibration.empty())
        parts.calibration = subset(all, calibration);
    if (all.split_column && keeps_groups(options.kind))
        for (const std::uint32_t row : calibration)
            parts.calibration_groups.push_back(all.split_column->codes[row]);
    if (all.schema) {
        const auto schema = std::make_shared<const TableSchema>(with_training_rows(*all.schema, all, training));
        for (Dataset* part : {&parts.training, &parts.test, &parts.calibration}) {
            part->schema = schema;
            fill_missing(*part, *schema);
        }
    }
    parts.inputs             = options.standardise_inputs ? Standardiser::fit(parts.training)
                                                          : Standardiser::identity(all.n_features);
    parts.training_inputs    = parts.inputs.standardised(parts.training.inputs);
    parts.test_inputs        = parts.inputs.standardised(parts.test.inputs);
    parts.calibration_inputs = parts.inputs.standardised(parts.calibration.inputs);

    if (all.task == Task::regression) {
        const Standardiser y = options.standardise_targets ? Standardiser::fit(targets_as_inputs(parts.training))
                                                           : Standardiser::identity(all.n_targets());
        parts.target_mean    = y.mean[0];
        parts.target_sd      = y.sd[0];
        parts.other_targets.mean.assign(y.mean.begin() + 1, y.mean.end());
        parts.other_targets.sd.assign(y.sd.begin() + 1, y.sd.end());
        parts.training_targets    = y.standardised(parts.training.targets);
        parts.test_targets        = y.standardised(parts.test.targets);
        parts.calibration_targets = y.standardised(parts.calibration.targets);
    }
    return parts;
}

void require_two_groups(std::span<const std::uint32_t> groups)
{
    if (std::ranges::adjacent_find(groups, std::not_equal_to()) == groups.end())
        throw Error("split.calibration_fraction",
                    "Recalibration and conformal prediction need calibration rows of different groups, found one "
                    "group, expected at least 2. Increase split.calibration_fraction.");
}

namespace {

constexpr std::size_t most_neighbour_rows = 2000;
constexpr double most_differences         = 2e8;

/// Half the squared difference of each row's target from that of its nearest neighbour; −1: all rows
/// have the same inputs and the same target.
std::vector<double> half_squares(const SplitData& data, std::size_t target, std::span<const std::size_t> rows)
{
    const std::size_t d = data.training.n_features, T = data.training.n_targets();
    const float* const targets = data.training_targets.data() + target;   // of row i: [i · T]
    std::vector<double> squares(rows.size());
    constexpr std::size_t chunk = 50;
    parallel_chunks(rows.size(), chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const float* const x = data.training_inputs.data() + rows[i] * d;
            const double y       = targets[rows[i] * T];
            double nearest = std::numeric_limits<double>::infinity(), found = -1;
            for (std::size_t j = 0; j < rows.size(); ++j) {
                if (i == j)
                    continue;
                const float* const z = data.training_inputs.data() + rows[j] * d;
                float distance       = 0;
                for (std::size_t k = 0; k < d; ++k)
                    distance += (x[k] - z[k]) * (x[k] - z[k]);
                const double difference = targets[rows[j] * T] - y;
                if (distance < nearest && !(distance == 0 && difference == 0))
                    nearest = distance, found = 0.5 * difference * difference;
            }
            squares[i] = found;
        }
    });
    return squares;
}

}   // namespace

std::optional<double> noise_by_neighbours(const SplitData& data, std::size_t target)
{
    constexpr std::size_t fewest = 10;
    const std::size_t n = data.training.n_rows, d = data.training.n_features;
    if (data.training.task != Task::regression || n < fewest || d == 0)
        return {};
    const auto affordable = static_cast<std::size_t>(std::sqrt(most_differences / static_cast<double>(d)));
    const std::size_t m   = std::min({n, most_neighbour_rows, std::max(affordable, fewest)});
    std::vector<std::size_t> rows(m);
    for (std::size_t i = 0; i < m; ++i)
        rows[i] = i * n / m;
    double sum        = 0;
    std::size_t count = 0;
    for (const double square : half_squares(data, target, rows))
        if (square >= 0)
            sum += square, ++count;
    if (count < fewest)
        return {};
    return std::sqrt(sum / static_cast<double>(count)) * data.target_scales().sd.at(target);
}

}   // namespace credence
