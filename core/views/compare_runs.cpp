// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_runs.h"

#include "charts/shared_captions.h"
#include "data/dataset.h"
#include "foundation/progress.h"
#include "views/view_support.h"

namespace credence {

std::optional<TestPredictions> predictions_of(const RunSnapshot& run, const ViewOptions& options,
                                              const std::stop_token& stop)
{
    TestPredictions out;
    if (run.experiment->task() == Task::classification)
        out.classes = scored_predictions(run, options, stop);
    else
        out.numbers = regression_rows(run, options, stop, most_calibration_rows);
    return out.classes || out.numbers ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<PredictionsOfRuns> predictions_of_runs(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                                     const std::stop_token& stop)
{
    PredictionsOfRuns out{.names = view_support::names_of(runs)};
    std::string rows;
    std::vector<std::string> settings;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const ProgressScope part(static_cast<double>(r) / static_cast<double>(runs.size()),
                                 static_cast<double>(r + 1) / static_cast<double>(runs.size()));
        auto predictions = predictions_of(runs[r], options, stop);
        if (!predictions)
            return {};
        const auto& data       = runs[r].experiment->data->training;
        const std::string here = data.name
                                 + (predictions->classes
                                        ? ", " + predictions->classes->name
                                        : ", target " + data.target_name + ", " + predictions->numbers->name);
        std::string why;
        if (predictions->classes && predictions->classes->labels.empty())
            why = view_support::no_labelled_inputs;
        else if (r > 0 && here != rows)
            why = "It was evaluated on " + here + ", the first run on " + rows + ".";
        if (!why.empty()) {
            out.message = "Run \"" + out.names[r] + "\" cannot be compared. " + why;
            return out;
        }
        rows = here;
        settings.push_back(view_support::setting_of(runs[r], predictions->n_samples()));
        out.runs.push_back(std::move(*predictions));
    }
    if (out.runs.empty())
        out.message = "No run is selected. Tick the runs to overlay.";
    out.caption = " Rows: " + rows + "." + settings_side_by_side(out.names, settings);
    return out;
}

}   // namespace credence
