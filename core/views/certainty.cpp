// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reasons.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include "figures/certainty_table.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_certainty(const RunSnapshot& moment, const ViewOptions& options, const std::stop_token& stop)
{
    const auto scored = scored_predictions(moment, options, stop);
    if (!scored)
        return {};
    return on_rows(to_chart(certainty_table(scored->set, scored->labels)), moment, *scored);
}

}   // namespace

View certainty_view()
{
    return {
        .id    = "certainty",
        .title = "Certainty",
        .help = "Test inputs counted by correct or wrong and by certain or uncertain, at several levels. In a good run "
                "few are certain and wrong, and many are certain and correct. "
                "Criterion (i): the credible interval of the predicted class overlaps no other interval; (ii):  its "
                "mean probability is at least α. Source: Posch and Pilz, "
                "Table III.",
        .asks = Asks::labels,
        .cost = Cost::all_rows,
        .why_not = why_no_classes_to_count,
        .make    = make_certainty};
}

}   // namespace credence
