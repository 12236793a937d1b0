// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/image_rows.h"
#include "views/view_support.h"

#include "charts/chart.h"
#include "charts/pictures.h"
#include "layers/layer.h"
#include "layers/stage.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace credence {

using namespace view_support;

namespace {

constexpr std::size_t n_other_images = 5;

/// Some images after one of the preprocessing steps.
struct PreparedStep {
    std::string title;
    ImageShape shape;
    std::vector<float> values;   ///< [images × shape]
};

std::optional<std::string> why_not_prepared_images(const Experiment& experiment)
{
    if (has_images(experiment))
        return {};
    return "Preprocessing steps of images need image data.";
}

template <class Kind>
std::vector<float> outputs_of(const Kind& kind, ImageShape from, ImageShape to, const std::vector<float>& images, int n)
{
    std::vector<float> out(static_cast<std::size_t>(n) * static_cast<std::size_t>(to.size()));
    const auto stage = kind.template stage<float>(StagePlace{.in = from, .out = to});
    stage->forward({.n = n}, image_by_image(images.data(), from), image_by_image(out.data(), to));
    return out;
}

/// The original images, and the images after each leading layer without weights that preprocesses
/// the data.
std::vector<PreparedStep> steps_of(const Architecture& architecture, std::vector<float> images, int n)
{
    std::vector<PreparedStep> steps{{"The images", *architecture.image, std::move(images)}};
    const auto shapes = shapes_of(architecture);
    for (std::size_t l = 0; l < shapes.size(); ++l) {
        const auto* grey  = std::get_if<Grey>(&architecture.layers[l]);
        const auto* local = std::get_if<LocalNorm>(&architecture.layers[l]);
        if (!grey && !local)
            break;
        const PreparedStep& before = steps.back();
        PreparedStep step{
            grey ? "Grey" : "Locally normalised, window of " + std::to_string(local->size), shapes[l], {}};
        step.values = grey ? outputs_of(*grey, before.shape, shapes[l], before.values, n)
                           : outputs_of(*local, before.shape, shapes[l], before.values, n);
        steps.push_back(std::move(step));
    }
    return steps;
}

/// One scale for all images of a step: from black to white if no value is negative, otherwise
/// symmetric about grey.
Panel panel_of_step(const PreparedStep& step, const std::vector<std::string>& captions, double white)
{
    const auto [low, high] = std::minmax_element(step.values.begin(), step.values.end());
    const double reach     = std::max(std::fabs(*low), std::fabs(*high));
    const bool about_zero  = *low < 0;
    std::vector<Picture> pictures;
    const auto size = static_cast<std::size_t>(step.shape.size());
    for (std::size_t i = 0; i < captions.size(); ++i) {
        std::vector<float> bytes(step.values.begin() + static_cast<std::ptrdiff_t>(i * size),
                                 step.values.begin() + static_cast<std::ptrdiff_t>((i + 1) * size));
        for (float& value : bytes)
            value = static_cast<float>(about_zero ? 127.5 * (1 + value / reach) : 255 * value / white);
        pictures.push_back(picture_of(std::span<const float>(bytes), step.shape));
        pictures.back().caption = captions[i];
    }
    const std::string scale = about_zero ? "−" + number_text(reach, 3) + " black, " + number_text(reach, 3) + " white"
                                         : "0 black, " + number_text(white, 3) + " white";
    return picture_panel(step.title + " (" + scale + ")", std::move(pictures), static_cast<int>(captions.size()), 1);
}

std::optional<Chart> make_prepared_images(const RunSnapshot& run, const ViewOptions& options,
                                          const std::stop_token& stop)
{
    const auto& experiment = *run.experiment;
    const auto input       = chosen_input(run, options.input);
    const auto set         = scored_set(experiment);
    const std::size_t d    = input.standardised.size();
    const auto class_name  = [&](int label) { return set.data->class_names[static_cast<std::size_t>(label)]; };
    std::vector<float> images(input.standardised);
    std::vector<std::string> names{input.name};
    std::vector<std::string> captions{input.label ? class_name(*input.label) : "chosen"};
    for (std::size_t k = 0; k < std::min(n_other_images, set.data->n_rows); ++k) {
        const std::size_t row = (2 * k + 1) * set.data->n_rows
                                / (2 * n_other_images);   // skips the first, which is often the selected one
        const auto first = set.inputs.begin() + static_cast<std::ptrdiff_t>(row * d);
        images.insert(images.end(), first, first + static_cast<std::ptrdiff_t>(d));
        names.push_back("image " + std::to_string(row));
        captions.push_back(class_name(set.data->labels[row]));
    }
    if (stop.stop_requested())
        return {};
    const auto steps   = steps_of(experiment.model.architecture, std::move(images), static_cast<int>(names.size()));
    const double white = 255.0 / static_cast<double>(experiment.data->inputs.sd.front());

    Chart chart{.id      = "prepared_images",
                .title   = "What the network sees",
                .caption = "Preprocessing steps from top to bottom; on the left " + input.name
                           + ", next to it images of the " + set.name + ". The last row is what the network sees."};
    for (const PreparedStep& step : steps)
        chart.panels.push_back(panel_of_step(step, captions, white));
    if (steps.size() == 1)
        chart.caption = "There are no preprocessing steps: the network sees pixels "
                        + (experiment.study.data.images.pixels == PixelScaling::subtract_mean
                               ? std::string("minus the mean image of the training images")
                               : "from 0 to " + number_text(white, 3))
                        + ". On the left " + input.name + ", next to it images of the " + set.name + ".";
    chart.columns = 1;
    Table table{.columns = {{"Image"}, {"Class"}, {"Least"}, {"Mean"}, {"Greatest"}}, .rows = {}};
    const PreparedStep& seen = steps.back();
    const auto size          = static_cast<std::ptrdiff_t>(seen.shape.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto begin = seen.values.begin() + static_cast<std::ptrdiff_t>(i) * size, end = begin + size;
        const auto [low, high] = std::minmax_element(begin, end);
        table.rows.push_back({names[i], captions[i], static_cast<double>(*low),
                              std::accumulate(begin, end, 0.0) / static_cast<double>(size),
                              static_cast<double>(*high)});
    }
    chart.table = std::move(table);
    return with_setting(std::move(chart), run);
}

}   // namespace

View prepared_images_view()
{
    return {
        .id    = "prepared_images",
        .title = "What the network sees",
        .group = ViewGroup::selected_input,
        .help  = "The selected image and five others as they are, and after each preprocessing step: grey (0.299 red + "
                 "0.587 green + 0.114 blue), local normalisation (each pixel minus the mean of the window around it, "
                 "divided by its standard deviation). All images in a row share one scale. Drawings, perturbations and "
                 "attacks always change the original image; training, scores, OOD sets and the gradients of attacks "
                 "include these steps. Check whether the pattern of a dark or pale image becomes visible, and whether "
                 "flat areas stay flat. Adapted from the functional-BNN submission, section 6.1.",
        .needs_input = true,
        .cost        = Cost::quick,
        .why_not     = why_not_prepared_images,
        .make        = make_prepared_images};
}

}   // namespace credence
