// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/page_images.h"
#include "views/scored_predictions.h"
#include "views/view_support.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<Chart> make_image_list(const RunSnapshot& run, const ViewOptions& options, const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto scored      = scored_predictions(run, options, stop);
    if (!scored)
        return {};
    const auto& c     = scored->set.classes;
    const auto inputs = scored_set(experiment).inputs;
    ImagePage list{
        .rows = {}, .class_names = experiment.data->training.class_names, .n = static_cast<long>(scored->rows.size())};
    const auto add =
        [&](const std::string& title, const std::string& measure, double PageImage::*value, auto wanted, auto score) {
        ImagePage::Row row{.title = title, .measure = measure, .value = value, .images = {}};
        for (const auto i : highest(scored->rows.size(), ImagePage::shown_per_row, wanted, score))
            row.images.push_back(page_image(*scored, i, picture_at(experiment, inputs, scored->rows[i])));
        list.rows.push_back(std::move(row));
    };
    add("Most uncertain: highest predictive entropy", "H", &PageImage::entropy, any_row,
        [&](std::size_t i) { return c.entropy[i]; });
    add("Most disagreement: highest mutual information", "MI", &PageImage::mutual_information, any_row,
        [&](std::size_t i) { return c.mutual_information[i]; });
    add(
        "Wrong and most confident", "p̄", &PageImage::confidence,
        [&](std::size_t i) { return c.predicted[i] != scored->labels[i]; },
        [&](std::size_t i) { return c.confidence[i]; });
    add("Most confident: lowest predictive entropy", "H", &PageImage::entropy, any_row,
        [&](std::size_t i) { return -c.entropy[i]; });
    return on_images(to_chart(list), run, *scored);
}

}   // namespace

View image_list_view()
{
    return {.id    = "image_list",
            .title = "Images by uncertainty",
            .group = ViewGroup::uncertainty,
            .help = "Test images at the extremes of each measure. They have the highest predictive entropy H(p̄) = −Σ "
                    "p̄ ln p̄ (total uncertainty, nats), or the highest mutual information H(p̄) − E H(p): the samples "
                    "disagree, and more data of this kind would help. Others are the most confident mistakes, and the "
                    "most confident images. Wrong predictions are framed.",
            .asks    = Asks::labels,
            .cost    = Cost::all_rows,
            .why_not = why_no_page_of_images,
            .make    = make_image_list};
}

}   // namespace credence
