// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/pruning_scores.h"

#include "foundation/error.h"
#include "posterior/sample_set.h"
#include "prediction/set_predictions.h"
#include "runs/pruned_moment.h"
#include "views/view_support.h"

#include <algorithm>
#include <cmath>

namespace credence {

namespace {

/// The network at the mean weights, as a set of one sample.
PosteriorPredictive predictive_at_means(const RunSnapshot& moment)
{
    const auto& posterior       = *moment.snapshot->posterior;
    Model model                 = view_support::model_of_weight_draws(*moment.experiment);
    model.dropout_at_prediction = false;
    const auto means            = posterior.means();
    return {model, std::make_shared<SampleSet>(posterior.layout(), aligned_vector<float>(means.begin(), means.end())),
            1, moment.experiment->study.seed};
}

}   // namespace

std::optional<PrunedScores> pruned_scores(const RunSnapshot& moment, const PruneRule& rule, int draws, std::size_t rows,
                                          std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    const auto set         = view_support::scored_set(experiment);
    const std::size_t d = set.data->n_features, all = set.data->n_rows, n = rows > 0 ? std::min(rows, all) : all;
    if (n == 0)
        throw Error("There are no rows to score: the data of this study are empty.");
    const RunSnapshot left = pruned(moment, rule);
    if (stop.stop_requested())
        return {};
    const auto row_of = [&](std::size_t i) { return i * all / n; };
    std::vector<float> some;
    auto inputs = set.inputs;
    if (n < all) {
        some.reserve(n * d);
        for (std::size_t i = 0; i < n; ++i)
            some.insert(some.end(), set.inputs.begin() + static_cast<std::ptrdiff_t>(row_of(i) * d),
                        set.inputs.begin() + static_cast<std::ptrdiff_t>((row_of(i) + 1) * d));
        inputs = some;
    }
    ViewOptions options;
    options.samples       = draws;
    const auto predictive = draws > 0 ? view_support::predictive_of(left, options) : predictive_at_means(left);
    const auto* by        = pruning_of(left);
    PrunedScores out{
        .rule = by ? *by : rule, .n_draws = draws > 0 ? predictive.n_samples() : 0, .rows = n, .all_rows = all};
    if (experiment.task() == Task::classification) {
        std::vector<int> labels;
        for (std::size_t i = 0; i < n; ++i)
            labels.push_back(set.data->labels[row_of(i)]);
        const auto predicted = set_predictions(predictive, inputs, static_cast<int>(d), {}, stop);
        if (!predicted)
            return {};
        out.classes = classification_scores(predicted->classes, labels);
        return out;
    }
    const auto summary = predictive.summarise(inputs, static_cast<int>(n), stop);
    if (stop.stop_requested())
        return {};
    const auto& data = *experiment.data;
    double squares   = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double f = data.target_mean + data.target_sd * summary.mean[i], miss = f - set.data->targets[row_of(i)];
        squares += miss * miss;
    }
    out.rmse = std::sqrt(squares / static_cast<double>(n));
    if (!std::isfinite(out.rmse))
        throw Error("The predictions of the pruned net are not finite.");
    return out;
}

}   // namespace credence
