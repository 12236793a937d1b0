// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scores_table.h"
#include "views/view_support.h"

#include <algorithm>

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_scores(const RunSnapshot& moment, const ViewOptions& options, const std::stop_token& stop)
{
    Chart chart{.id = "scores", .title = "Scores"};
    chart.table      = scores(moment, stop, options);
    const auto tests = final_test_set(*moment.experiment);
    if (tests && !stop.stop_requested())
        chart.table = scores_beside(*chart.table, final_test_scores(moment, stop, options));
    if (stop.stop_requested())
        return {};
    const auto set = scored_set(*moment.experiment);
    const auto n   = static_cast<std::size_t>(std::max(0, options.rows));
    chart.caption  = "Scores on the " + set.name
                    + (n > 0 && n < set.data->n_rows && moment.experiment->task() == Task::classification
                           ? ", " + std::to_string(n) + " of " + std::to_string(set.data->n_rows)
                           : "")
                    + (tests ? ", and on the test set of " + std::to_string(tests->data->n_rows) + " rows" : "") + ".";
    if (moment.experiment->outputs && !moment.experiment->outputs->own.note.empty())
        chart.caption += " " + moment.experiment->outputs->own.note;
    return with_setting(std::move(chart), moment, predictive_of(moment, options).n_samples());
}

}   // namespace

View scores_view()
{
    return {
        .id    = "scores",
        .title = "Scores",
        .help =
            "All scores of the run on its test set; on both sets if the run has validation images. NLL = −mean ln "
            "p̄(true class), nats: a proper score of the probabilities. Brier = mean Σ (p̄ − 1[true])², summed over "
            "classes, 0 to 2. ECE: calibration. MMC: mean confidence. For regression: RMSE, NLL of the mixture over "
            "samples, and the share of targets inside the predictive interval, which should equal its level. "
            "Baselines are scores without a network, from the training rows: always the majority class, the class "
            "frequencies (n_k + 1)/(N + K) as probabilities, the mean of the targets, ordinary least squares. A "
            "network that does not beat them has learned nothing useful.",
        .asks = Asks::outputs,
        .cost = Cost::all_rows,
        .make = make_scores};
}

}   // namespace credence
