// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reasons.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include "figures/roc_figure.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_roc(const RunMoment& moment, const ViewOptions& options, const std::stop_token& stop)
{
    const auto scored = scored_predictions(moment, options, stop);
    if (!scored)
        return {};
    return on_rows(
        to_chart(roc_figure(scored->set.classes, scored->labels, moment.experiment->data->training.class_names)),
        moment, *scored);
}

}   // namespace

View roc_view()
{
    return {
        .id    = "roc",
        .title = "ROC",
        .help =
            "How well the mean probability p̄ of each class tells it from all others: the share of its inputs above a threshold (true positives) against the share of the others above "
            "it (false positives), for all thresholds, and the mean of the curves. AUROC = P(p̄ of a member > p̄ of another) + ½ P(equal): 1 is perfect, ½ is chance. Where "
            "curves hug the corner, it is enlarged beside. Source: Steinbrener et al. 2020, Fig. 3.",
        .asks    = Asks::labels,
        .cost    = Cost::all_rows,
        .why_not = why_no_classes_to_count,
        .make    = make_roc};
}

}   // namespace credence
