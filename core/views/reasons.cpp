// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reasons.h"

#include "study/method.h"
#include "views/image_rows.h"

namespace credence::view_support {

std::optional<std::string> why_no_classes_to_count(const Experiment& experiment)
{
    if (experiment.task() == Task::classification)
        return {};
    return "This view needs classes, but this study predicts a numeric target. See the scores instead.";
}

std::optional<std::string> why_no_page_of_images(const Experiment& experiment)
{
    if (has_images(experiment))
        return {};
    return "This page needs image data. Choose stroke digits or an image data set.";
}

std::optional<std::string> why_no_varying_classes(const Experiment& experiment)
{
    if (experiment.task() != Task::classification)
        return "The bridge gives class probabilities, but this study predicts a numeric target.";
    if (method_of(experiment.study).noise == NoiseIn::nothing)
        return "Every draw gives the same class probabilities, so their distribution is a single point. Train a "
               "family other than the point estimate.";
    return {};
}

std::optional<std::string> why_no_spread(const Experiment& experiment)
{
    switch (method_of(experiment.study).noise) {
    case NoiseIn::weights: return {};
    case NoiseIn::nothing: return "The weights of a point estimate have no spread. Train another family.";
    default: return "The noise of this posterior is in the activations; its weights have no spread.";
    }
}

}   // namespace credence::view_support
