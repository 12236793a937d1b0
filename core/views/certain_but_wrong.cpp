// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/page_images.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_certain_but_wrong(const RunSnapshot& run, const ViewOptions& options,
                                            const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto scored      = scored_predictions(run, options, stop);
    if (!scored)
        return {};
    const auto& predicted = scored->set.classes.predicted;
    const auto& certain   = scored->at_level();
    CertainButWrong page{.n           = static_cast<long>(scored->rows.size()),
                         .level       = scored->level,
                         .shown       = {},
                         .class_names = experiment.data->training.class_names};
    const auto wrong = [&](std::size_t i) { return predicted[i] != scored->labels[i]; };
    const auto lost  = [&](std::size_t i) { return wrong(i) && (certain.disjoint[i] || certain.probable[i]); };
    for (std::size_t i = 0; i < scored->rows.size(); ++i)
        if (wrong(i)) {
            ++page.wrong;
            page.by_overlap += certain.disjoint[i];
            page.by_probability += certain.probable[i];
            page.by_either += lost(i);
        }
    const auto inputs = scored_set(experiment).inputs;
    for (const auto i : highest(scored->rows.size(), CertainButWrong::most_shown, lost,
                                [&](std::size_t k) { return scored->set.classes.confidence[k]; }))
        page.shown.push_back(page_image(*scored, i, picture_at(experiment, inputs, scored->rows[i])));
    return on_images(to_chart(page), run, *scored);
}

}   // namespace

View certain_but_wrong_view()
{
    return {
        .id    = "certain_but_wrong",
        .title = "Certain but wrong",
        .group = ViewGroup::uncertainty,
        .help = "Misclassified images whose prediction a criterion calls certain at level α: (i) the credible interval "
                "of the predicted class overlaps no other interval, (ii) its mean probability p̄ is at least α. No "
                "threshold on certainty finds them. The text below each image gives true class → predicted class, p̄, "
                "the criteria that failed and the image's number in the test set. Often it is the label that is "
                "questionable. Source: Steinbrener et al. 2020, Fig. 11; Posch and Pilz 2021, Fig. 6.",
        .asks    = Asks::labels,
        .cost    = Cost::all_rows,
        .why_not = why_no_page_of_images,
        .make    = make_certain_but_wrong};
}

}   // namespace credence
