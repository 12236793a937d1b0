// SPDX-License-Identifier: GPL-3.0-or-later
#include "simplex/laplace_bridge.h"

#include "foundation/error.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>

using namespace credence;

namespace {

const LogitGaussian full = LogitGaussian::from_covariance({1, 1, -2}, {1, 0, 0.5, 0, 2, 0.3, 0.5, 0.3, 0.5});

void expect_near(const std::vector<double>& got, const std::vector<double>& want, double relative)
{
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t k = 0; k < want.size(); ++k)
        EXPECT_NEAR(got[k], want[k], relative * std::fabs(want[k])) << "class " << k;
}

}   // namespace

TEST(LaplaceBridge, RoundTripIsTheIdentityFromTinyToHugeAlpha)
{
    for (const auto& alpha : {std::vector<double>{0.7, 2, 9},
                              {5, 5},
                              {1e-6, 1e-6, 1e-6},
                              {1e8, 1e-6, 3},
                              {1e8, 1e8, 2e8, 1e8},
                              {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}})
        for (const BridgeVariant variant :
             {BridgeVariant::plain, BridgeVariant::conditioned, BridgeVariant::projected}) {
            SCOPED_TRACE(std::string(name(variant)) + ", alpha " + std::to_string(alpha[0]));
            expect_near(bridge(logit_gaussian(Dirichlet(alpha)), variant).dirichlet().alpha(), alpha, 1e-8);
        }
    const std::vector<double> alpha{1e-6, 1, 1e8};
    expect_near(bridge(logit_gaussian(Dirichlet(alpha)), BridgeVariant::plain).dirichlet().alpha(), alpha, 1e-13);
}

TEST(LaplaceBridge, GivesTheCurvatureOfTheDirichletAtItsModeInTheSoftmaxBasis)
{
    // ln p(z) = Σ α_k z_k − α_0 lse(z): the gradient is 0 at μ, the Hessian −(diag α − ααᵀ/α_0) is
    // the pseudo-inverse of −Σ
    const std::vector<double> alpha{0.8, 1.3, 5.7};
    const LogitGaussian gauss = logit_gaussian(Dirichlet(alpha));
    const auto p              = softmax(gauss.mu());
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(p[k], alpha[k] / 7.8, 1e-15);
        EXPECT_NEAR(gauss.row_sums()[k], 0, 1e-15);
        for (int l = 0; l < 3; ++l) {
            double product = 0;   // H Σ = I − 11ᵀ/3
            for (int j = 0; j < 3; ++j)
                product += ((k == j ? alpha[k] : 0) - alpha[k] * alpha[j] / 7.8) * gauss.covariance(j, l);
            EXPECT_NEAR(product, (k == l ? 1 : 0) - 1.0 / 3, 1e-14);
        }
    }
}

TEST(LaplaceBridge, ShiftingAllLogitsChangesNothing)
{
    for (const BridgeVariant variant :
         {BridgeVariant::plain, BridgeVariant::projected, BridgeVariant::projected_normalised}) {
        const auto there = LogitGaussian::from_covariance({101, 101, 98}, full.covariance());
        expect_near(bridge(there, variant).log_alpha, bridge(full, variant).log_alpha, 1e-12);
    }
}

TEST(LaplaceBridge, ProjectionRemovesTheShiftThatSoftmaxIgnores)
{
    auto sigma = full.covariance();
    for (double& v : sigma)
        v += 5;   // a shared Gaussian added to all logits
    const auto moved = LogitGaussian::from_covariance(full.mu(), sigma);
    expect_near(bridge(moved, BridgeVariant::projected).log_alpha, bridge(full, BridgeVariant::projected).log_alpha,
                1e-12);
    expect_near(bridge(moved, BridgeVariant::projected_normalised).log_alpha,
                bridge(full, BridgeVariant::projected_normalised).log_alpha, 1e-12);
}

TEST(LaplaceBridge, ConditionedAndProjectedAgreeWhereAllRowsHaveOneSum)
{
    const auto even = LogitGaussian::from_covariance({2, -1, 0.5}, {1, 0.2, 0.3, 0.2, 1.1, 0.2, 0.3, 0.2, 1});
    expect_near(bridge(even, BridgeVariant::conditioned).log_alpha, bridge(even, BridgeVariant::projected).log_alpha,
                1e-12);
}

TEST(LaplaceBridge, NormalisationSetsTheMeanVariance)
{
    for (const BridgeVariant variant : {BridgeVariant::conditioned_normalised, BridgeVariant::projected_normalised}) {
        const auto c = corrected(full, variant);
        EXPECT_NEAR(std::accumulate(c.variance.begin(), c.variance.end(), 0.0) / 3, std::sqrt(1.5), 1e-14);
    }
}

TEST(LaplaceBridge, ReadsDiagonalFactoredAndFullCovariancesAlike)
{
    const std::vector<double> mu{0.3, -1, 2, 0}, d{0.5, 1, 0.2, 0.7}, F{0.3, -0.1, 0.2, 0.8, -0.5, 0.1, 0, 0.4};
    const auto factored = LogitGaussian::from_factor(mu, d, F);
    const auto as_full  = LogitGaussian::from_covariance(mu, factored.covariance());
    for (const BridgeVariant variant : bridge_variants)
        expect_near(bridge(factored, variant).log_alpha, bridge(as_full, variant).log_alpha, 1e-13);
    const auto diagonal      = LogitGaussian::from_diagonal(mu, d);
    const auto diagonal_full = LogitGaussian::from_covariance(mu, diagonal.covariance());
    for (const BridgeVariant variant : bridge_variants)
        expect_near(bridge(diagonal, variant).log_alpha, bridge(diagonal_full, variant).log_alpha, 1e-13);
}

TEST(LaplaceBridge, MeansAndVariancesOfLogAlphaAreThoseOfTheDirichlet)
{
    const LogDirichlet out       = bridge(full, BridgeVariant::conditioned);
    const Dirichlet distribution = out.dirichlet();
    expect_near(out.mean(), distribution.mean(), 1e-14);
    expect_near(out.variance(), distribution.variance(), 1e-14);
    EXPECT_NEAR(out.log_total, std::log(distribution.total()), 1e-14);
    EXPECT_FALSE(out.overflows());
}

TEST(LaplaceBridge, ReportsAnOverflowOfAlpha)
{
    const auto far         = LogitGaussian::from_diagonal({500, -500, 3}, {1, 2, 0.5});
    const LogDirichlet out = bridge(far, BridgeVariant::plain);
    EXPECT_TRUE(out.overflows());
    EXPECT_NEAR(out.log_alpha[0], 1000 - 2 * std::log(3), 1e-12);
    EXPECT_EQ(out.mean()[0], 1);
    EXPECT_EQ(out.variance()[0], 0);
    EXPECT_THAT([&] { out.dirichlet(); },
                testing::ThrowsMessage<Error>(
                    "Laplace bridge: ln alpha of class 0 is 997.803, expected a number between -708.396 and 709.783."));
}

TEST(ProbitMean, IsSoftmaxWithoutVarianceAndFlatterWithMore)
{
    const auto narrow = LogitGaussian::from_diagonal({2, 0, -1}, {1e-12, 1e-12, 1e-12});
    expect_near(probit_mean(narrow), softmax(std::vector<double>{2, 0, -1}), 1e-11);
    EXPECT_LT(probit_mean(LogitGaussian::from_diagonal({2, 0, -1}, {9, 9, 9}))[0], probit_mean(narrow)[0]);
}

TEST(LogitGaussian, SomeLogitsKeepTheirMeansAndCovariances)
{
    const auto pair = full.among(std::vector<int>{2, 0});
    EXPECT_THAT(pair.mu(), testing::ElementsAre(-2, 1));
    EXPECT_THAT(pair.covariance(), testing::ElementsAre(0.5, 0.5, 0.5, 1));
}

TEST(LogitGaussian, RejectsBadCovariancesWithOneSentence)
{
    const auto refuses = [](std::vector<double> mu, std::vector<double> sigma, const char* sentence) {
        EXPECT_THAT([&] { LogitGaussian::from_covariance(mu, sigma); }, testing::ThrowsMessage<Error>(sentence));
    };
    refuses({1}, {1}, "Gaussian over logits: 1 class found, expected at least 2.");
    refuses({1, NAN}, {1, 0, 0, 1}, "Gaussian over logits: mean of logit 1 is nan, expected a finite number.");
    refuses({1, 2}, {1, 0, 0}, "Gaussian over logits: the covariance has 3 values, expected 4.");
    refuses({1, 2}, {1, 0.5, 0.4, 1},
            "Gaussian over logits: the covariance is not symmetric, entry [0][1] is 0.5 and entry [1][0] is 0.4.");
    refuses({1, 2}, {1, 2, 2, 1},
            "Gaussian over logits: the covariance has a negative eigenvalue, expected a positive semidefinite matrix.");
    refuses({1, 2}, {1, NAN, NAN, 1},
            "Gaussian over logits: the covariance of logits 0 and 1 is nan, expected a finite number.");
    refuses({1, 2}, {1, 0, 0, -2}, "Gaussian over logits: variance of logit 1 is -2, expected no negative number.");
    EXPECT_THAT(
        [] {
        LogitGaussian::from_diagonal({1, 2}, {1, 0});
        },
        testing::ThrowsMessage<Error>("Gaussian over logits: variance of logit 1 is 0, expected a number > 0."));
    EXPECT_THAT(
        [] {
        LogitGaussian::from_factor({1, 2}, {1, 1}, {1, 1, 1});
        },
        testing::ThrowsMessage<Error>(
            "Gaussian over logits: the factor has 3 values, expected a multiple of the 2 classes."));
}

TEST(LaplaceBridge, RejectsAGaussianWithoutWidthInThePlane)
{
    const auto shared_only = LogitGaussian::from_covariance({1, 2}, {1, 1, 1, 1});   // softmax(z) is a point
    for (const BridgeVariant variant : {BridgeVariant::conditioned, BridgeVariant::projected})
        EXPECT_THAT([&] { bridge(shared_only, variant); },
                    testing::ThrowsMessage<Error>(
                        "Laplace bridge: variance of logit 0 is 0 in the plane where the logits sum to 0, expected a "
                        "number > 0."));
}
