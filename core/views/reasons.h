// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"

#include <optional>
#include <string>

/// Reasons why a view is not available for a run, shared by several views. Empty: it is available.
namespace credence::view_support {

std::optional<std::string> why_no_classes_to_count(const Experiment& experiment);
std::optional<std::string> why_no_page_of_images(const Experiment& experiment);
/// No classes, or all draws agree: then there is no distribution of class probabilities, and no
/// Gaussian over the logits.
std::optional<std::string> why_no_varying_classes(const Experiment& experiment);
std::optional<std::string> why_no_spread(const Experiment& experiment);   ///< of the weights

/// Shown before the curvature of a Laplace approximation is fitted.
inline constexpr auto before_curvature =
    "This is the point estimate. Its weights have no spread until the curvature is fitted, after the last step.";

}   // namespace credence::view_support
