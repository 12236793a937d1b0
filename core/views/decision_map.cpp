// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/compare_decision_maps.h"
#include "views/plane.h"
#include "views/view_support.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_decision_map(const RunSnapshot& moment, const ViewOptions& options,
                                       const std::stop_token& stop)
{
    const auto map = map_over(moment, options, options.region.value_or(region_of(*moment.experiment)), stop);
    if (!map)
        return {};
    auto chart = to_chart(*map, options.map_quantity, options.map_class);
    add_test_points(chart.panels.front(), *moment.experiment);
    if (moment.experiment->data->test.n_rows > 0)
        chart.caption += " Test points are hollow.";
    return with_setting(std::move(chart), moment, predictive_of(moment, options).n_samples());
}

}   // namespace

View decision_map_view()
{
    return {
        .id    = "decision_map",
        .title = "Decision map",
        .help =
            "The network's prediction at every point of the plane. Many networks are sampled from the posterior, and "
            "their class probabilities p are averaged to p̄. Predictive entropy H(p̄) = −Σ p̄ ln p̄ is the total "
            "uncertainty in nats: 0 if one class is certain, ln K if all classes are equally likely. It has two "
            "parts. The aleatoric part, E H(p), is the uncertainty of each single network (the classes overlap). The "
            "epistemic part, H(p̄) − E H(p), measures how much the networks disagree (there are no data nearby); it "
            "should grow away from the points. The certainty regions show where the prediction is certain: (i) the "
            "credible interval of the predicted class overlaps no other interval, (ii) its mean probability reaches "
            "the level α. Source: Posch and Pilz 2021, section IV-A, for the criteria. Click to select an input.",
        .coarse_while_live = true,
        .why_not           = why_no_plane,
        .make              = make_decision_map,
        .compare           = compare_decision_maps};
}

}   // namespace credence
