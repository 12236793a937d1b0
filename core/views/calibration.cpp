// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reasons.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

#include "figures/calibration_figure.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_calibration(const RunSnapshot& moment, const ViewOptions& options,
                                      const std::stop_token& stop)
{
    const auto scored = scored_predictions(moment, options, stop);
    if (!scored)
        return {};
    return on_rows(to_chart(calibration(scored->set.classes, scored->labels)), moment, *scored);
}

}   // namespace

View calibration_view()
{
    return {
        .id    = "calibration",
        .title = "Calibration",
        .help  = "Left: does the network know how often it is right? Predictions are sorted into 15 bins of confidence "
                 "max p̄. Bars on the diagonal are calibrated; bars below it are overconfident. ECE = Σ (n_b/n) |share "
                 "right − mean confidence|. Right: the error that remains when the inputs with the highest predictive "
                 "entropy are rejected. It should fall. Source: Guo et al. 2017.",
        .asks  = Asks::labels,
        .cost  = Cost::all_rows,
        .why_not = why_no_classes_to_count,
        .make    = make_calibration};
}

}   // namespace credence
