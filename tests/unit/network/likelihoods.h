// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/noise_model.h"

#include <string>

namespace credence {

/// A likelihood by the id of its noise model, with the values of its settings.
inline Likelihood noise(const std::string& id, const std::vector<double>& values = {})
{
    return noise_model(id).likelihood(values);
}

inline Likelihood learned_noise() { return noise("learned"); }
inline Likelihood student_t(double scale, double degrees) { return noise("student_t", {scale, degrees}); }

}   // namespace credence
