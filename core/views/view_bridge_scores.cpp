// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/kept_results.h"
#include "views/bridge_sets.h"
#include "views/chosen_logits.h"
#include "views/view_makers.h"
#include "views/view_support.h"

#include "outputs/bridge_scores.h"

// Sampling and the Laplace Bridge on whole sets of inputs.
namespace credence::view_makers {

using namespace view_support;

namespace {

struct ScoresKey {
    WeakMoment moment;
    int samples = 0, rows = 0;

    bool gone() const { return moment.gone(); }
    bool operator==(const ScoresKey&) const = default;
};

}   // namespace

Chart bridge_scores_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    Chart chart{.id = "bridge_scores", .title = "Sampling and bridge"};
    if (!gives_logits(moment)) {
        chart.message =
            moment.experiment->task() == Task::classification
                ? why_no_logits(moment)
                : "The bridge gives probabilities of classes: the data of this study have a number to predict.";
        return chart;
    }
    static KeptResults<ScoresKey, BridgeScores> kept(3);
    const int samples = predictive_of(moment, options).n_samples();
    const auto scores = kept.find_or_make({moment, samples, options.rows}, stop,
                                          [&] { return bridge_scores_of(moment, options, stop); });
    if (!scores)
        return stopped(chart.id, chart.title);
    return with_setting(to_chart(*scores), moment, samples);
}

}   // namespace credence::view_makers
