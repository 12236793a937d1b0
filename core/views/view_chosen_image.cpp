// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/image_rows.h"
#include "views/view_makers.h"
#include "views/view_support.h"

#include "charts/number_text.h"
#include "charts/pictures.h"
#include "figures/verdict.h"
#include "images/nearest_images.h"

// What stands beside the picture of a chosen image.
namespace credence::view_makers {

using namespace view_support;

Chart verdict_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    const auto& experiment = *moment.experiment;
    if (experiment.task() != Task::classification)
        return {.id      = "verdict",
                .title   = "Verdict",
                .message = "A verdict needs classes: the regression band shows what is known of a function."};
    const auto input      = chosen_input(moment, options);
    const auto predictive = predictive_of(moment, options);
    const auto samples    = predictive.sample_outputs(input.standardised, 1, stop);
    if (stop.stop_requested())
        return stopped("verdict", "Verdict");
    const auto value = verdict_of(view_of(samples), 0, experiment.study.prediction.level,
                                  experiment.data->training.class_names, input.name, input.label);
    return with_setting(to_chart(value), moment, predictive.n_samples());
}

Chart nearest_images_view(const RunMoment& moment, const ViewOptions& options, std::stop_token stop)
{
    constexpr std::size_t most = 8;
    const auto& experiment     = *moment.experiment;
    if (!has_images(experiment))
        return {
            .id = "nearest_images", .title = "Nearest images", .message = "Nearest images need data that are images."};
    const auto images = images_of(experiment, ImagePart::training);
    const auto input  = chosen_input(moment, options);
    const auto found  = nearest_images(images.inputs, input.standardised, most, stop);
    if (stop.stop_requested())
        return stopped("nearest_images", "Nearest images");
    const double white  = 255.0 / static_cast<double>(experiment.data->inputs.sd.front());   // of a standardised pixel
    const auto class_of = [&](const NearImage& near) {
        return images.data->class_names[static_cast<std::size_t>(images.data->labels[near.index])];
    };
    const auto d = input.standardised.size();
    Table table{.columns = {{"Training image"}, {"Class"}, {"Distance", "", 2}}, .rows = {}};
    for (const auto& near : found)
        table.rows.push_back({static_cast<long>(near.index), class_of(near), near.distance / white});
    std::vector<Picture> pictures;
    for (const auto& near : found) {
        std::vector<float> bytes(images.inputs.begin() + static_cast<std::ptrdiff_t>(near.index * d),
                                 images.inputs.begin() + static_cast<std::ptrdiff_t>((near.index + 1) * d));
        experiment.data->inputs.undo(bytes);
        pictures.push_back(picture_of(std::span<const float>(bytes), images.shape));
        pictures.back().caption = class_of(near) + "\n" + fixed_text(near.distance / white, 2);
    }
    Chart chart{
        .id      = "nearest_images",
        .title   = "Nearest images",
        .caption = "The training images nearest to " + input.name
                   + ", by √Σ (a − b)² over all pixels, 1 from black to white; below each its class and its distance.",
        .table = std::move(table)};
    chart.panels.push_back(picture_panel("", std::move(pictures), 4, 2));
    return with_setting(std::move(chart), moment);
}

}   // namespace credence::view_makers
