// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/standardiser.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "random/noise.h"

#include <algorithm>
#include <cmath>

namespace credence {

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

SplitData split(const Dataset& all, const SplitOptions& options)
{
    if (!(options.test_fraction >= 0 && options.test_fraction < 1))
        throw Error("split.test_fraction", "Test fraction is " + number_text(options.test_fraction, 6)
                                               + ", expected a number from 0 to below 1.");
    all.check();

    std::vector<std::uint32_t> order = permutation(NoiseKey{options.seed, Stream::split, 0}, all.n_rows);
    const auto wanted = static_cast<std::size_t>(std::llround(options.test_fraction * static_cast<double>(all.n_rows)));
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, all.n_rows - 1));
    std::sort(order.begin(),
              middle);   // rows are assigned to parts at random; each part keeps the order of the
                         // data
    std::sort(middle, order.end());

    SplitData parts;
    parts.test            = subset(all, {order.begin(), middle});
    parts.training        = subset(all, {middle, order.end()});
    parts.inputs          = options.standardise_inputs ? Standardiser::fit(parts.training)
                                                       : Standardiser::identity(all.n_features);
    parts.training_inputs = parts.inputs.standardised(parts.training.inputs);
    parts.test_inputs     = parts.inputs.standardised(parts.test.inputs);

    if (all.task == Task::regression) {
        const Standardiser y   = options.standardise_targets ? Standardiser::fit(targets_as_inputs(parts.training))
                                                             : Standardiser::identity(1);
        parts.target_mean      = y.mean[0];
        parts.target_sd        = y.sd[0];
        parts.training_targets = y.standardised(parts.training.targets);
        parts.test_targets     = y.standardised(parts.test.targets);
    }
    return parts;
}

}   // namespace credence
