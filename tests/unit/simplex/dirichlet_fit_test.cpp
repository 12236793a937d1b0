// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/softmax.h"
#include "simplex/dirichlet_fit.h"
#include "simplex/laplace_bridge.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

TEST(BestDirichlet, OfItsOwnExpectedLogarithmsIsTheDirichletItself)
{
    for (const auto& alpha : {std::vector<double>{0.7, 2, 9},
                              {1, 1},
                              {1e-3, 0.4, 30},
                              {1e-6, 1e-6, 1e-6},
                              {1e-6, 3, 1e4},
                              {300, 2000, 1e4},
                              {0.1, 0.2, 0.3, 5, 8, 13, 0.01, 2, 2, 2}}) {
        const auto expected_log = Dirichlet(alpha).expected_log();
        LogitExpectations e;
        e.jensen_gap          = -log_sum_exp(expected_log);
        const Dirichlet found = best_dirichlet(
            LogitGaussian::from_diagonal(expected_log, std::vector<double>(alpha.size(), 1)), e);
        for (std::size_t k = 0; k < alpha.size(); ++k)
            EXPECT_NEAR(found.alpha()[k] / alpha[k], 1, 1e-8) << "alpha " << alpha[k];
    }
}

TEST(BestDirichlet, ReachesThePublishedMinimaAndNoNeighbourIsBetter)
{
    // docs/maths.md, section 13, best possible Dirichlet for the three Gaussians of Hobbhahn 2020, Fig. 5.3
    const LogitGaussian cases[] = {LogitGaussian::from_diagonal({0, 0, 0}, {0.1, 0.1, 0.1}),
                                   LogitGaussian::from_diagonal({2, -1, -1}, {1, 1, 1}),
                                   LogitGaussian::from_covariance({1, 1, -2}, {1, 0, 0.5, 0, 2, 0.3, 0.5, 0.3, 0.5})};
    const double best[]         = {0.005366, 0.247452, 1.332128};
    for (int i = 0; i < 3; ++i) {
        const auto e = expectations(cases[i]);
        const LogisticNormal p(cases[i]);
        const Dirichlet q = best_dirichlet(cases[i], e);
        const double kl   = kl_divergence(p, q, e);
        EXPECT_NEAR(kl, best[i], 6e-7);
        for (int k = 0; k < 3; ++k)
            for (const double factor : {0.99, 1.01}) {
                auto alpha = q.alpha();
                alpha[k] *= factor;
                EXPECT_GT(kl_divergence(p, Dirichlet(alpha), e), kl);
            }
        for (const BridgeVariant variant : bridge_variants)
            EXPECT_LT(kl, kl_divergence(p, bridge(cases[i], variant).dirichlet(), e));
    }
}

TEST(BestDirichlet, HasTheExpectedLogarithmsOfTheDistributionFromNarrowToWide)
{
    for (const double sigma : {1e-3, 0.03, 1.0, 10.0, 30.0}) {
        const auto logits = LogitGaussian::from_diagonal({0.4, -1, 2},
                                                         {sigma * sigma, 2 * sigma * sigma, 0.5 * sigma * sigma});
        const auto e      = expectations(logits);
        const Dirichlet q = best_dirichlet(logits, e);
        for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(q.expected_log()[k], e.expected_log[k], 1e-11 * (1 + std::fabs(e.expected_log[k]))) << sigma;
        const double kl = kl_divergence(LogisticNormal(logits), q, e);
        EXPECT_GT(kl, 0) << sigma;
    }
}

TEST(BestDirichlet, OfANarrowGaussianStartsFromTheBridge)
{
    const Dirichlet distribution({2e5, 5e5, 3e5});
    const Dirichlet q = best_dirichlet(logit_gaussian(distribution), expectations(logit_gaussian(distribution)));
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(q.alpha()[k] / distribution.alpha()[k], 1, 1e-4);
}
