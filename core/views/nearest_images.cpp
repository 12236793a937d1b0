// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/image_rows.h"
#include "views/view_support.h"

#include "charts/chart.h"
#include "charts/pictures.h"
#include "images/image_transforms.h"

namespace credence {

using namespace view_support;

namespace {

std::optional<std::string> why_not_nearest_images(const Experiment& experiment)
{
    if (has_images(experiment))
        return {};
    return "Nearest images need image data.";
}

std::optional<Chart> make_nearest_images(const RunSnapshot& run, const ViewOptions& options,
                                         const std::stop_token& stop)
{
    constexpr std::size_t most = 8;
    const auto& experiment     = *run.experiment;
    const auto images          = images_of(experiment, ImagePart::training);
    const auto input           = chosen_input(run, options.input);
    const auto found           = nearest_images(images.inputs, input.standardised, most, stop);
    if (stop.stop_requested())
        return {};
    const double white  = 255.0 / static_cast<double>(experiment.data->inputs.sd.front());   // in standardised pixels
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
                   + ", by √Σ (a − b)² over all pixels (black to white is 1). The text below each image gives its "
                     "class and distance.",
        .table = std::move(table)};
    chart.panels.push_back(picture_panel("", std::move(pictures), 4, 2));
    return with_setting(std::move(chart), run);
}

}   // namespace

View nearest_images_view()
{
    return {
        .id    = "nearest_images",
        .title = "Nearest images",
        .group = ViewGroup::selected_input,
        .help =
            "The training images nearest to the selected image, by the Euclidean distance √Σ (a − b)² over all "
            "pixels, where the step from black to white is 1. If images of another class are as near as those of its "
            "own class, the uncertainty is in the data. If all are far away, the network has learned from nothing "
            "similar.",
        .needs_input = true,
        .why_not     = why_not_nearest_images,
        .make        = make_nearest_images};
}

}   // namespace credence
