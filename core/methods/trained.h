// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/experiment.h"
#include "study/method.h"

#include <memory>
#include <span>
#include <vector>

namespace credence::method_parts {

/// The common loop of all gradient-based training: runs the experiment's Trainer from its initial
/// state.
Training trained(const Experiment& experiment, std::stop_token stop, TrainingControl* control,
                 const TrainingEvents& events);

/// Initial state of a family that is constructed from the Study's options.
template <class Family>
std::unique_ptr<VariationalFamily<float>> begins_with(const ParameterLayout& layout, const PosteriorOptions& options,
                                                      std::span<const float> means)
{
    return std::make_unique<Family>(layout, options, means);
}
/// Online training of families that are trained by gradients: training continues as rows arrive.
inline OnlineTraining trains_online(const Study&) { return {}; }

/// Initial state of a network with one weight vector.
std::unique_ptr<VariationalFamily<float>>
begins_with_point(const ParameterLayout& layout, const PosteriorOptions& options, std::span<const float> means);

/// Concatenates two lists of settings.
std::vector<UsualSetting> with(std::vector<UsualSetting> first, const std::vector<UsualSetting>& more);

/// On images the papers train with momentum at learning rate 0.01.
std::vector<UsualSetting> image_optimiser();

}   // namespace credence::method_parts

// Settings shared by the methods with learned spreads: one σ per weight, or one τ per block.
namespace credence::method_parts {

/// Initial σ of every weight.
Field initial_sd_field();

/// Initial τ, and the guard that keeps τ and the means away from 0.
std::vector<Field> scale_fields();

/// KL with ν = 1/(100 N) relative to the mean loss, prior sd 1, τ 0.4 and 0.1; 1 and 0.2 in the
/// first dense layer of LeNet (Steinbrener et al. 2020).
std::vector<UsualSetting> usual_of_scales(const Study& study);

}   // namespace credence::method_parts
