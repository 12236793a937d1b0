// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/split.h"
#include "posterior/sample_set.h"
#include "runs/experiment.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace credence {

/// A regression on a table of two numbers a, b and one category c with values red and blue: 60 rows.
inline Dataset small_table()
{
    Dataset data;
    data.name          = "small table";
    data.task          = Task::regression;
    data.n_rows        = 60;
    data.n_features    = 4;
    data.feature_names = {"a", "b", "c=red", "c=blue"};
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        const double a = 0.5 * static_cast<double>(i % 12), b = 100 + static_cast<double>(i * 7 % 60);
        const double red = i % 3 == 0 ? 1 : 0;
        data.inputs.insert(data.inputs.end(), {a, b, red, 1 - red});
        data.targets.push_back(3 * a - b / 10 + red);
    }
    return data;
}

/// A linear network on such a table with given draws: [w_a, w_b, w_red, w_blue, bias] on standardised inputs
/// for the standardised target.
inline RunSnapshot linear_run(const std::vector<std::vector<float>>& draws, const Dataset& table = small_table())
{
    Study study;
    study.name               = "linear";
    study.network.hidden     = {};
    study.prediction.samples = static_cast<int>(draws.size());
    study.prediction.level   = 0.9;
    auto data = std::make_shared<SplitData>(split(table, {.test_fraction = 0.2, .standardise_targets = true}));
    const auto experiment = experiment_on(study, std::move(data));
    aligned_vector<float> weights;
    for (const auto& draw : draws)
        weights.insert(weights.end(), draw.begin(), draw.end());
    auto snapshot       = std::make_shared<Snapshot>();
    snapshot->posterior = std::make_shared<SampleSet>(experiment->start->layout(), std::move(weights));
    return {experiment, std::move(snapshot), nullptr};
}

}   // namespace credence
