// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/other_data.h"
#include "views/image_rows.h"
#include "views/scored_predictions.h"
#include "views/view_makers.h"
#include "views/view_support.h"

#include "charts/pictures.h"
#include "figures/image_page.h"
#include "figures/ood_figure.h"
#include "foundation/error.h"

#include <algorithm>
#include <numeric>

// Pages of images, and doubt about what the net has never seen.
namespace credence::view_makers {

using namespace view_support;

namespace {

PageImage page_image(const ScoredPredictions& predictions, std::size_t i, Picture picture)
{
    const auto& c = predictions.set.classes;
    return {.picture    = std::move(picture),
            .row        = static_cast<long>(predictions.rows[i]),
            .truth      = predictions.labels.empty() ? std::optional<int>() : std::optional(predictions.labels[i]),
            .predicted  = c.predicted[i],
            .confidence = c.confidence[i],
            .entropy    = c.entropy[i],
            .mutual_information = c.mutual_information[i],
            .by_overlap         = predictions.at_level().disjoint[i] != 0,
            .by_probability     = predictions.at_level().probable[i] != 0};
}

/// Of what the network sees, back in bytes.
Picture picture_at(const Experiment& experiment, std::span<const float> inputs, std::size_t row)
{
    const auto d    = experiment.data->training.n_features;
    const auto from = inputs.begin() + static_cast<std::ptrdiff_t>(row * d);
    std::vector<float> bytes(from, from + static_cast<std::ptrdiff_t>(d));
    experiment.data->inputs.undo(bytes);
    return picture_of(std::span<const float>(bytes), *experiment.data->image);
}

/// The first `most` of 0..n−1 that `wanted`, ordered so that higher scores come first; equal ones stay in order.
template <class Wanted, class Score>
std::vector<std::size_t> highest(std::size_t n, std::size_t most, Wanted wanted, Score score)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < n; ++i)
        if (wanted(i))
            order.push_back(i);
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
    std::partial_sort(order.begin(), middle, order.end(),
                      [&](std::size_t a, std::size_t b) { return score(a) != score(b) ? score(a) > score(b) : a < b; });
    order.erase(middle, order.end());
    return order;
}
bool any_row(std::size_t) { return true; }

Chart images_only(const std::string& id, const std::string& title)
{
    return {
        .id    = id,
        .title = title,
        .message =
            "This page shows images: the data of this study are none. Choose stroke digits or a data set of images."};
}

Chart on_set(Chart chart, const RunMoment& moment, const ScoredPredictions& scored)
{
    chart.caption += " Images: the " + scored.name + ".";
    return with_setting(std::move(chart), moment, scored.set.n_samples);
}

}   // namespace

Chart certain_but_wrong_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    if (!has_images(experiment))
        return images_only("certain_but_wrong", "Certain but wrong");
    const auto scored = scored_predictions(moment, options, stop);
    if (!scored)
        return stopped("certain_but_wrong", "Certain but wrong");
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
    return on_set(to_chart(page), moment, *scored);
}

Chart image_list_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    if (!has_images(experiment))
        return images_only("image_list", "Images by doubt");
    const auto scored = scored_predictions(moment, options, stop);
    if (!scored)
        return stopped("image_list", "Images by doubt");
    const auto& c     = scored->set.classes;
    const auto inputs = scored_set(experiment).inputs;
    ImageList list{
        .rows = {}, .class_names = experiment.data->training.class_names, .n = static_cast<long>(scored->rows.size())};
    const auto add =
        [&](const std::string& title, const std::string& measure, double PageImage::*value, auto wanted, auto score) {
        ImageList::Row row{.title = title, .measure = measure, .value = value, .images = {}};
        for (const auto i : highest(scored->rows.size(), ImageList::shown_per_row, wanted, score))
            row.images.push_back(page_image(*scored, i, picture_at(experiment, inputs, scored->rows[i])));
        list.rows.push_back(std::move(row));
    };
    add("Most doubtful: highest predictive entropy", "H", &PageImage::entropy, any_row,
        [&](std::size_t i) { return c.entropy[i]; });
    add("Draws disagree most: highest mutual information", "MI", &PageImage::mutual_information, any_row,
        [&](std::size_t i) { return c.mutual_information[i]; });
    add(
        "Wrong and most confident", "p̄", &PageImage::confidence,
        [&](std::size_t i) { return c.predicted[i] != scored->labels[i]; },
        [&](std::size_t i) { return c.confidence[i]; });
    add("Surest: lowest predictive entropy", "H", &PageImage::entropy, any_row,
        [&](std::size_t i) { return -c.entropy[i]; });
    return on_set(to_chart(list), moment, *scored);
}

Chart out_of_distribution_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    if (experiment.task() != Task::classification)
        return {
            .id    = "out_of_distribution",
            .title = "Out of distribution",
            .message =
                "Doubt about foreign inputs is measured by classes: the data of this study have a number to predict. See how the regression band widens beside the data."};
    const auto own     = scored_predictions(moment, options, stop);
    const auto foreign = own ? foreign_predictions(moment, options, stop) : nullptr;
    if (!foreign)
        return stopped("out_of_distribution", "Out of distribution");
    if (own->rows.empty() || foreign->rows.empty())
        return {.id    = "out_of_distribution",
                .title = "Out of distribution",
                .message =
                    "There are no inputs to compare: give the study test inputs, and other data that are not empty."};
    const auto other = other_data(moment.experiment);
    auto figure = ood_figure(own->set.classes, foreign->set.classes, experiment.data->training.name + ", " + own->name,
                             foreign->name);
    if (has_images(experiment)) {
        constexpr std::size_t shown = 5;
        figure.class_names          = experiment.data->training.class_names;
        figure.surest_foreign       = {
                  .title = "Foreign images, surest first", .measure = "p̄", .value = &PageImage::confidence, .images = {}};
        for (const auto i : highest(foreign->rows.size(), shown, any_row,
                                    [&](std::size_t k) { return foreign->set.classes.confidence[k]; }))
            figure.surest_foreign.images.push_back(
                page_image(*foreign, i, picture_at(experiment, other->inputs, foreign->rows[i])));
        figure.most_doubtful_own = {
            .title = "Own images, most doubtful first", .measure = "p̄", .value = &PageImage::confidence, .images = {}};
        const auto inputs = scored_set(experiment).inputs;
        for (const auto i :
             highest(own->rows.size(), shown, any_row, [&](std::size_t k) { return -own->set.classes.confidence[k]; }))
            figure.most_doubtful_own.images.push_back(
                page_image(*own, i, picture_at(experiment, inputs, own->rows[i])));
    }
    Chart chart = to_chart(figure);
    if (!other->note.empty())
        chart.caption += " The foreign inputs are " + other->note + ".";
    return with_setting(std::move(chart), moment, own->set.n_samples);
}

}   // namespace credence::view_makers
