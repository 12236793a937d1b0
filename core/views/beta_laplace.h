// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "charts/chart.h"
#include "simplex/beta.h"
#include "views/simplex.h"

#include <optional>

namespace credence {

struct NormalDistribution {
    double mean = 0, sd = 1;
};

/// A Beta distribution and its Laplace approximation in two bases (Hobbhahn 2020, Fig. 2.1; MacKay
/// 1998):
///     standard, on π in [0, 1]:   mode (a − 1)/(a + b − 2), variance (a − 1)(b − 1)/(a + b − 2)³; only for a, b > 1
///     softmax, on y = logit π:    mode ln(a/b), variance 1/a + 1/b; for every a, b > 0
struct BetaLaplace {
    Beta distribution;
    std::optional<NormalDistribution> standard;   ///< empty: no mode inside (0, 1)
    NormalDistribution softmax;                   ///< of y
    std::optional<double> kl_standard;            ///< KL(Beta ‖ its approximation), nats
    double kl_softmax = 0;
    std::optional<double> tv_standard;   ///< total variation, in [0, 1]
    double tv_softmax = 0;
    std::optional<double> outside;   ///< probability outside [0, 1] under the approximation in the
                                     ///< standard basis
};
/// @throws Error unless a and b are positive
BetaLaplace beta_laplace(const Beta& distribution);
/// Three panels: standard basis; softmax basis on the logit axis; softmax basis transformed to [0,
/// 1]. The numbers are in a table.
Chart to_chart(const BetaLaplace& value);

/// Two classes: the exact density of π_1 under z ~ N(μ, Σ) and the Beta of its Laplace Bridge, on
/// [0, 1], with the numbers of the simplex. If most of the distribution is within 0.02 of an end,
/// the densities of logit π_1.
/// @param names  of both classes
Chart two_class_chart(const LogitGaussian& distribution, const std::vector<std::string>& names, BridgeVariant variant,
                      bool table = true);

}   // namespace credence
