// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/page_images.h"

#include "views/view_support.h"

#include "charts/pictures.h"

namespace credence::view_support {

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

Picture picture_at(const Experiment& experiment, std::span<const float> inputs, std::size_t row)
{
    const auto d      = experiment.data->training.n_features;
    const auto values = picture_values(experiment, inputs.subspan(row * d, d));
    return picture_of(std::span<const float>(values), *experiment.data->image);
}

Chart on_images(Chart chart, const RunSnapshot& moment, const ScoredPredictions& scored)
{
    chart.caption += " Images: the " + scored.name + ".";
    return with_setting(std::move(chart), moment, scored.set.n_samples);
}

}   // namespace credence::view_support
