// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <optional>
#include <string>

/// Reasons why a picture cannot be made of a run that several views share. Empty: it can.
namespace credence::view_support {

std::optional<std::string> why_no_classes_to_count(const Experiment& experiment);
std::optional<std::string> why_no_page_of_images(const Experiment& experiment);
/// No classes, or draws that all agree: there is no distribution of class probabilities, and no Gaussian over the logits.
std::optional<std::string> why_no_varying_classes(const Experiment& experiment);
std::optional<std::string> why_no_spread(const Experiment& experiment);   ///< of the weights

/// What a posterior says of the spread of its weights before its curvature is fitted.
inline constexpr auto before_curvature =
    "This is the point estimate: its weights have a spread when the curvature is fitted, after the last step.";

}   // namespace credence::view_support
