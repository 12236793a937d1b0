// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/split.h"

#include "data/table_schema.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "random/noise.h"

#include <algorithm>
#include <cmath>
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

/// The targets as a data set of one input, to standardise them with the same code.
Dataset targets_as_inputs(const Dataset& data)
{
    Dataset column;
    column.n_rows     = data.n_rows;
    column.n_features = 1;
    column.inputs.assign(data.targets.begin(), data.targets.end());
    return column;
}

}   // namespace

namespace {

void require_share(const char* field, const char* name, double share)
{
    if (!(share >= 0 && share < 1))
        throw Error(field,
                    std::string(name) + " is " + number_text(share, 6) + ", expected a number from 0 to below 1.");
}

/// Moves a random share of the rows, at most all but one, to the result. Both keep their order.
std::vector<std::uint32_t> set_aside(std::vector<std::uint32_t>& rows, double share, std::uint64_t seed)
{
    constexpr std::uint32_t own_numbers = 1;   // 0 chooses the test rows
    const auto wanted = static_cast<std::size_t>(std::llround(share * static_cast<double>(rows.size())));
    if (wanted == 0 || rows.size() < 2)
        return {};
    auto order = permutation(NoiseKey{seed, Stream::split, own_numbers}, rows.size());
    order.resize(std::min(wanted, rows.size() - 1));
    std::vector<bool> taken(rows.size(), false);
    for (const std::uint32_t i : order)
        taken[i] = true;
    std::vector<std::uint32_t> aside, left;
    for (std::size_t i = 0; i < rows.size(); ++i)
        (taken[i] ? aside : left).push_back(rows[i]);
    rows = std::move(left);
    return aside;
}

}   // namespace

SplitData split(const Dataset& all, const SplitOptions& options)
{
    require_share("split.test_fraction", "Test fraction", options.test_fraction);
    require_share("split.calibration_fraction", "Calibration fraction", options.calibration_fraction);
    all.check();

    std::vector<std::uint32_t> order = permutation(NoiseKey{options.seed, Stream::split, 0}, all.n_rows);
    const auto wanted = static_cast<std::size_t>(std::llround(options.test_fraction * static_cast<double>(all.n_rows)));
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, all.n_rows - 1));
    std::sort(order.begin(),
              middle);   // rows are assigned to parts at random; each part keeps the order of the
                         // data
    std::sort(middle, order.end());

    std::vector<std::uint32_t> training(middle, order.end());
    const auto calibration = set_aside(training, options.calibration_fraction, options.seed);

    SplitData parts;
    parts.test     = subset(all, {order.begin(), middle});
    parts.training = subset(all, training);
    if (!calibration.empty())
        parts.calibration = subset(all, calibration);
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
        const Standardiser y      = options.standardise_targets ? Standardiser::fit(targets_as_inputs(parts.training))
                                                                : Standardiser::identity(1);
        parts.target_mean         = y.mean[0];
        parts.target_sd           = y.sd[0];
        parts.training_targets    = y.standardised(parts.training.targets);
        parts.test_targets        = y.standardised(parts.test.targets);
        parts.calibration_targets = y.standardised(parts.calibration.targets);
    }
    return parts;
}

}   // namespace credence
