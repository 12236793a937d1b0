// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/train.h"
#include "study/method.h"

#include <memory>
#include <span>
#include <vector>

namespace credence::method_parts {

/// The common loop of all gradient-based training: runs the experiment's Trainer from its start.
Training trained(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                 const TrainingEvents& events);

/// Initial state of a family that is constructed from the Study's options.
template <class Family>
std::unique_ptr<VariationalFamily<float>> begins_with(const ParameterLayout& layout, const PosteriorOptions& options,
                                                      std::span<const float> means)
{
    return std::make_unique<Family>(layout, options, means);
}
/// Online training of families that are trained by gradients: the training continues.
inline OnlineTraining goes_on(const Study&) { return {}; }

/// Initial state of a network with one weight vector.
std::unique_ptr<VariationalFamily<float>>
begins_with_point(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means);

/// Concatenates two lists of settings.
std::vector<UsualSetting> with(std::vector<UsualSetting> first, const std::vector<UsualSetting>& more);

/// On images the papers train with momentum at learning rate 0.01.
std::vector<UsualSetting> image_optimiser();

}   // namespace credence::method_parts
