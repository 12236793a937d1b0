// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/likelihood.h"

#include <functional>
#include <string>
#include <vector>

namespace credence {

/// A number that a noise model needs, as a setting of a Study.
struct NoiseSetting {
    std::string path, label, unit = {}, help = {};   ///< path: "network.noise_sd"; no other noise model has it
    double usual = 0, min = 0, max = 0;
    bool min_allowed        = false;   ///< min itself
    bool in_target_units    = false;   ///< the network receives it divided by the standard deviation of the targets
    bool written_if_used    = true;    ///< see Field; noise_sd is in every file
    bool written_if_changed = false;
};

/// A likelihood for regressions, as a choice of `network.noise`: y = f + s e, where f is the first output of
/// the network and e has the distribution LikelihoodFamily::noise.
struct NoiseModel {
    std::string id, title, hint;
    std::vector<NoiseSetting> settings = {};
    /// @param values  those of the settings, in the units that the network sees
    std::function<Likelihood(std::span<const double> values)> likelihood;
};

/// All noise models, in the order of the Study panel.
const std::vector<NoiseModel>& noise_models();
/// @throws Error that names the possible ids
const NoiseModel& noise_model(const std::string& id);

}   // namespace credence
