// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reasons.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include "charts/shared_captions.h"
#include "figures/roc_figure.h"
#include "figures/roc_overlay.h"
#include "foundation/progress.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_roc(const RunSnapshot& moment, const ViewOptions& options, const std::stop_token& stop)
{
    const auto scored = scored_predictions(moment, options, stop);
    if (!scored)
        return {};
    return on_rows(
        to_chart(roc_figure(scored->set.classes, scored->labels, moment.experiment->data->training.class_names)),
        moment, *scored);
}

/// The mean curves of several runs in one panel: Steinbrener et al. 2020, Fig. 3.
std::optional<Chart> overlay_roc(std::span<const RunSnapshot> runs, const ViewOptions& options,
                                 const std::stop_token& stop)
{
    const auto names = names_of(runs);
    std::vector<RocOfRuns> entries;
    std::string rows;
    std::vector<std::string> settings;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const ProgressScope part(static_cast<double>(r) / static_cast<double>(runs.size()),
                                 static_cast<double>(r + 1) / static_cast<double>(runs.size()));
        const auto& experiment = *runs[r].experiment;
        auto why               = why_no_classes_to_count(experiment);
        const auto scored      = why ? nullptr : scored_predictions(runs[r], options, stop);
        if (!why && !scored)
            return {};
        std::optional<RocCurve> mean;
        if (!why && scored->labels.empty())
            why = "There are no labelled inputs. Set a test share above 0.";
        if (!why) {
            mean = one_against_all(scored->set.classes, scored->labels).mean;
            if (!mean)
                why = "All labelled inputs belong to one class; a ROC curve needs at least two.";
        }
        const auto here = why ? std::string() : experiment.data->training.name + ", " + scored->name;
        if (!why && !entries.empty() && here != rows)
            why = "It was evaluated on " + here + ", the first run on " + rows + ".";
        if (why) {
            Chart refused   = overlay_of_rocs({});
            refused.message = "Run \"" + names[r] + "\" does not fit. " + *why;
            return refused;
        }
        rows = here;
        entries.push_back({names[r], {std::move(*mean)}});
        settings.push_back(setting_of(runs[r], scored->set.n_samples));
    }
    Chart chart = overlay_of_rocs(entries);
    if (chart.message.empty())
        chart.caption += " Rows: " + rows + "." + settings_side_by_side(names, settings);
    return chart;
}

}   // namespace

View roc_view()
{
    return {
        .id    = "roc",
        .title = "ROC",
        .help =
            "How well the mean probability p̄ of each class separates it from all others: the share of its inputs "
            "above a threshold (true positives) against the share of the others above it (false positives), for all "
            "thresholds, and the mean of the curves. AUROC = P(p̄ of a member > p̄ of a non-member) + ½ P(equal): 1 "
            "is perfect, ½ is chance. If the curves hug the corner, a second panel enlarges it. Several runs at "
            "once: the mean curve of each in one panel, with its area. Source: Steinbrener et al. 2020, Fig. 3.",
        .asks    = Asks::labels,
        .cost    = Cost::all_rows,
        .why_not = why_no_classes_to_count,
        .make    = make_roc,
        .compare = overlay_roc};
}

}   // namespace credence
