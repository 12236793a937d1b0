// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reasons.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include "figures/confusion.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_confusion(const RunSnapshot& moment, const ViewOptions& options, const std::stop_token& stop)
{
    const auto scored = scored_predictions(moment, options, stop);
    if (!scored)
        return {};
    return on_rows(
        to_chart(confusion(scored->set.classes, scored->labels, moment.experiment->data->training.class_names)), moment,
        *scored);
}

}   // namespace

View confusion_view()
{
    return {
        .id    = "confusion",
        .title = "Confusion",
        .help =
            "How often each true class (rows) is predicted as each class (columns). Off-diagonal entries are errors.",
        .asks    = Asks::labels,
        .cost    = Cost::all_rows,
        .why_not = why_no_classes_to_count,
        .make    = make_confusion};
}

}   // namespace credence
