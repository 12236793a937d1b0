// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/method.h"

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
