// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/train.h"
#include "study/method.h"

#include <memory>
#include <span>
#include <vector>

namespace credence::method_parts {

/// The one loop of all that is trained by gradients: the Trainer of the experiment, from its start.
Training trained(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                 const TrainingEvents& events);

/// Where a family begins that is made of the options of the Study.
template <class Family>
std::unique_ptr<VariationalFamily<float>> begins_with(const ParameterLayout& layout, const PosteriorOptions& options,
                                                      std::span<const float> means)
{
    return std::make_unique<Family>(layout, options, means);
}
/// Of families that are trained by gradients: the one training goes on.
inline OnlineTraining goes_on(const Study&) { return {}; }

/// Where a net begins that has one weight vector.
std::unique_ptr<VariationalFamily<float>>
begins_with_point(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means);

/// One list of settings after the other.
std::vector<UsualSetting> with(std::vector<UsualSetting> first, const std::vector<UsualSetting>& more);

/// On images the papers train with momentum at the learning rate 0.01.
std::vector<UsualSetting> image_optimiser();

}   // namespace credence::method_parts
