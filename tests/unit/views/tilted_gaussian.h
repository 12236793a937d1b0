// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "simplex/logit_gaussian.h"

/// A Gaussian over three logits that is not axis-aligned.
inline credence::LogitGaussian tilted()
{
    return credence::LogitGaussian::from_covariance({1, 1, -2}, {1, 0, 0.5, 0, 2, 0.3, 0.5, 0.3, 0.5});
}
