// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/simplex_presets.h"

namespace credence {

const std::vector<SimplexPreset>& simplex_presets()
{
    const auto of_dirichlet = [](std::vector<double> alpha) { return logit_gaussian(Dirichlet(std::move(alpha))); };
    static const std::vector<SimplexPreset> list{
        {.id    = "fig_1_1_few",
         .title = "Fig. 1.1: Dirichlet(2, 2, 6)",
         .note  = "Hobbhahn 2020. Few pseudo-counts: the same mode (1, 1, 5)/7 as the next one, but wide.",
         .law   = of_dirichlet({2, 2, 6})},
        {.id    = "fig_1_1_many",
         .title = "Fig. 1.1: Dirichlet(11, 11, 51)",
         .note  = "Hobbhahn 2020. Many pseudo-counts: the same mode (1, 1, 5)/7 as the one before, and sure of it.",
         .law   = of_dirichlet({11, 11, 51})},
        {.id    = "fig_2_2_corners",
         .title = "After Fig. 2.2: Dirichlet(0.8, 0.8, 0.8)",
         .note  = "After Hobbhahn 2020. Mass in the corners: no mode in the standard basis, one in the softmax basis.",
         .law   = of_dirichlet({0.8, 0.8, 0.8})},
        {.id    = "fig_2_2_flat",
         .title = "After Fig. 2.2: Dirichlet(1, 1, 1)",
         .note  = "After Hobbhahn 2020. Flat on the triangle; in the softmax basis it has a mode like any other.",
         .law   = of_dirichlet({1, 1, 1})},
        {.id    = "fig_2_2_inside",
         .title = "After Fig. 2.2: Dirichlet(4, 4, 2)",
         .note  = "After Hobbhahn 2020. A mode inside the triangle, in either basis.",
         .law   = of_dirichlet({4, 4, 2})},
        {.id    = "fig_2_3_narrow",
         .title = "After Fig. 2.3: variance 0.1",
         .note =
             "After Hobbhahn 2020. A narrow Gaussian that leans to the first class, with the same variance for all logits, as no leaning Dirichlet has it.",
         .law     = LogitGaussian::from_diagonal({1, 0, -1}, {0.1, 0.1, 0.1}),
         .variant = BridgeVariant::projected},
        {.id      = "fig_2_3_medium",
         .title   = "After Fig. 2.3: variance 1",
         .note    = "After Hobbhahn 2020. The same mean with more variance: the Dirichlet moves towards the corners.",
         .law     = LogitGaussian::from_diagonal({1, 0, -1}, {1, 1, 1}),
         .variant = BridgeVariant::projected},
        {.id    = "fig_2_3_wide",
         .title = "After Fig. 2.3: variance 9",
         .note =
             "After Hobbhahn 2020. A wide Gaussian: the exact law leaves no Dirichlet close to it; try a normalised variant.",
         .law     = LogitGaussian::from_diagonal({1, 0, -1}, {9, 9, 9}),
         .variant = BridgeVariant::projected},
        {.id    = "fig_5_3_first",
         .title = "Fig. 5.3: N(0, 0.1 I)",
         .note  = "Exact KL 0.094687 nats for the plain bridge that Hobbhahn 2020 uses.",
         .law   = LogitGaussian::from_diagonal({0, 0, 0}, {0.1, 0.1, 0.1})},
        {.id    = "fig_5_3_second",
         .title = "Fig. 5.3: N((2, −1, −1), I)",
         .note  = "Exact KL 0.308176 nats for the plain bridge that Hobbhahn 2020 uses.",
         .law   = LogitGaussian::from_diagonal({2, -1, -1}, {1, 1, 1})},
        {.id    = "fig_5_3_third",
         .title = "Fig. 5.3: N((1, 1, −2), full Σ)",
         .note  = "Exact KL 2.252320 nats for the plain bridge that Hobbhahn 2020 uses; correlated logits.",
         .law   = LogitGaussian::from_covariance({1, 1, -2}, {1, 0, 0.5, 0, 2, 0.3, 0.5, 0.3, 0.5})},
    };
    return list;
}

const std::vector<BetaPreset>& beta_presets()
{
    static const std::vector<BetaPreset> list{{"After Fig. 2.1: Beta(0.8, 0.9), no mode", {0.8, 0.9}},
                                              {"After Fig. 2.1: Beta(4, 2)", {4, 2}},
                                              {"After Fig. 2.1: Beta(2, 7)", {2, 7}},
                                              {"Flat: Beta(1, 1)", {1, 1}},
                                              {"Narrow: Beta(60, 40)", {60, 40}}};
    return list;
}

}   // namespace credence
