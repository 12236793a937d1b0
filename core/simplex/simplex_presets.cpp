// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/simplex_presets.h"

namespace credence {

const std::vector<SimplexPreset>& simplex_presets()
{
    const auto of_dirichlet = [](std::vector<double> alpha) { return logit_gaussian(Dirichlet(std::move(alpha))); };
    static const std::vector<SimplexPreset> list{
        {.id           = "fig_1_1_few",
         .title        = "Fig. 1.1: Dirichlet(2, 2, 6)",
         .note         = "Hobbhahn 2020. Few pseudo-counts: the same mode (1, 1, 5)/7 as the next preset, but wide.",
         .distribution = of_dirichlet({2, 2, 6})},
        {.id    = "fig_1_1_many",
         .title = "Fig. 1.1: Dirichlet(11, 11, 51)",
         .note  = "Hobbhahn 2020. Many pseudo-counts: the same mode (1, 1, 5)/7 as the previous preset, but narrow.",
         .distribution = of_dirichlet({11, 11, 51})},
        {.id           = "fig_2_2_corners",
         .title        = "Adapted from Fig. 2.2: Dirichlet(0.8, 0.8, 0.8)",
         .note         = "Adapted from Hobbhahn 2020. Mass in the corners: no mode in the standard basis, one in the "
                         "softmax basis.",
         .distribution = of_dirichlet({0.8, 0.8, 0.8})},
        {.id    = "fig_2_2_flat",
         .title = "Adapted from Fig. 2.2: Dirichlet(1, 1, 1)",
         .note  = "Adapted from Hobbhahn 2020. Flat on the triangle; in the softmax basis it has a mode like any "
                  "other.",
         .distribution = of_dirichlet({1, 1, 1})},
        {.id           = "fig_2_2_inside",
         .title        = "Adapted from Fig. 2.2: Dirichlet(4, 4, 2)",
         .note         = "Adapted from Hobbhahn 2020. A mode inside the triangle, in either basis.",
         .distribution = of_dirichlet({4, 4, 2})},
        {.id    = "fig_2_3_narrow",
         .title = "Adapted from Fig. 2.3: variance 0.1",
         .note  = "Adapted from Hobbhahn 2020. A narrow Gaussian that favours the first class, with equal variances of "
                  "all logits; no asymmetric Dirichlet has these.",
         .distribution = LogitGaussian::from_diagonal({1, 0, -1}, {0.1, 0.1, 0.1}),
         .variant      = BridgeVariant::projected},
        {.id    = "fig_2_3_medium",
         .title = "Adapted from Fig. 2.3: variance 1",
         .note  = "Adapted from Hobbhahn 2020. The same mean with more variance: the Dirichlet moves towards the "
                  "corners.",
         .distribution = LogitGaussian::from_diagonal({1, 0, -1}, {1, 1, 1}),
         .variant      = BridgeVariant::projected},
        {.id    = "fig_2_3_wide",
         .title = "Adapted from Fig. 2.3: variance 9",
         .note  = "Adapted from Hobbhahn 2020. A wide Gaussian: no Dirichlet is close to the exact distribution. Try a "
                  "normalised variant.",
         .distribution = LogitGaussian::from_diagonal({1, 0, -1}, {9, 9, 9}),
         .variant      = BridgeVariant::projected},
        {.id           = "fig_5_3_first",
         .title        = "Fig. 5.3: N(0, 0.1 I)",
         .note         = "Exact KL 0.094687 nats for the original bridge of Hobbhahn 2020.",
         .distribution = LogitGaussian::from_diagonal({0, 0, 0}, {0.1, 0.1, 0.1})},
        {.id           = "fig_5_3_second",
         .title        = "Fig. 5.3: N((2, −1, −1), I)",
         .note         = "Exact KL 0.308176 nats for the original bridge of Hobbhahn 2020.",
         .distribution = LogitGaussian::from_diagonal({2, -1, -1}, {1, 1, 1})},
        {.id           = "fig_5_3_third",
         .title        = "Fig. 5.3: N((1, 1, −2), full Σ)",
         .note         = "Exact KL 2.252320 nats for the original bridge of Hobbhahn 2020; correlated logits.",
         .distribution = LogitGaussian::from_covariance({1, 1, -2}, {1, 0, 0.5, 0, 2, 0.3, 0.5, 0.3, 0.5})},
    };
    return list;
}

const std::vector<BetaPreset>& beta_presets()
{
    static const std::vector<BetaPreset> list{{"Adapted from Fig. 2.1: Beta(0.8, 0.9), no mode", {0.8, 0.9}},
                                              {"Adapted from Fig. 2.1: Beta(4, 2)", {4, 2}},
                                              {"Adapted from Fig. 2.1: Beta(2, 7)", {2, 7}},
                                              {"Flat: Beta(1, 1)", {1, 1}},
                                              {"Narrow: Beta(60, 40)", {60, 40}}};
    return list;
}

}   // namespace credence
