// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "simplex/logistic_normal.h"
#include "unit/charts/series_of.h"
#include "views/beta_laplace.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

double integral(const Line& line)
{
    double sum = 0;
    for (std::size_t i = 1; i < line.x.size(); ++i)
        sum += 0.5 * (line.y[i] + line.y[i - 1]) * (line.x[i] - line.x[i - 1]);
    return sum;
}

/// KL by the trapezoidal rule over [0, 1], the naive way.
double kl_standard_naive(const Beta& distribution, const NormalDistribution& normal)
{
    const int n = 400000;
    double sum  = 0;
    for (int i = 1; i < n; ++i) {
        const double x = static_cast<double>(i) / n, p = log_pdf(distribution, x), u = (x - normal.mean) / normal.sd;
        sum += std::exp(p) * (p + 0.5 * u * u + std::log(normal.sd) + 0.5 * std::log(2 * M_PI));
    }
    return sum / n;
}

}   // namespace

TEST(BetaLaplace, ExpandsTheLogarithmOfTheDensityAtItsMode)
{
    const Beta distribution{4, 2};
    const auto value = beta_laplace(distribution);
    ASSERT_TRUE(value.standard);
    const double h = 1e-4, mode = value.standard->mean;
    EXPECT_NEAR((log_pdf(distribution, mode + h) - log_pdf(distribution, mode - h)) / (2 * h), 0, 1e-5);
    const double curvature = (log_pdf(distribution, mode + h) - 2 * log_pdf(distribution, mode)
                              + log_pdf(distribution, mode - h))
                             / (h * h);
    EXPECT_NEAR(-1 / curvature, value.standard->sd * value.standard->sd, 1e-6);
    EXPECT_DOUBLE_EQ(value.softmax.mean, std::log(2.0));
    EXPECT_DOUBLE_EQ(value.softmax.sd, std::sqrt(0.75));
}

TEST(BetaLaplace, InTheSoftmaxBasisIsTheLaplaceBridgeOfTwoClasses)
{
    for (const auto& distribution : {Beta{0.8, 0.9}, Beta{4, 2}, Beta{2, 7}}) {
        const auto value = beta_laplace(distribution);
        const LogisticNormal bridged(logit_gaussian(Dirichlet({distribution.a, distribution.b})));
        EXPECT_NEAR(value.softmax.mean, bridged.alr_mean()[0], 1e-12);
        EXPECT_NEAR(value.softmax.sd * value.softmax.sd, bridged.alr_covariance()[0], 1e-12);
        EXPECT_NEAR(value.kl_softmax, kl_divergence(Dirichlet({distribution.a, distribution.b}), bridged), 1e-10);
    }
}

TEST(BetaLaplace, DivergenceInTheStandardBasisAgreesWithTheIntegral)
{
    for (const auto& distribution : {Beta{4, 2}, Beta{2, 7}, Beta{30, 12}}) {
        const auto value = beta_laplace(distribution);
        EXPECT_NEAR(*value.kl_standard, kl_standard_naive(distribution, *value.standard), 1e-6);
        EXPECT_GE(*value.kl_standard, -1e-12);
        EXPECT_GT(*value.tv_standard, 0.5 * *value.outside);
    }
}

TEST(BetaLaplace, HasNoModeInTheStandardBasisWhereAShapeIsAtMostOne)
{
    for (const auto& distribution : {Beta{0.8, 0.9}, Beta{1, 3}, Beta{5, 1}}) {
        const auto value = beta_laplace(distribution);
        EXPECT_FALSE(value.standard);
        const Chart chart = to_chart(value);
        EXPECT_EQ(chart.panels[0].title, "Standard basis: no mode");
        EXPECT_THAT(chart.caption, HasSubstr("the density has no mode inside (0, 1)"));
        EXPECT_EQ(series_of<Line>(chart.panels[0]).size(), 1U);
        EXPECT_EQ(series_of<Line>(chart.panels[1]).size(), 2U);
    }
    EXPECT_THROW(beta_laplace({0, 1}), Error);
    EXPECT_THROW(beta_laplace({1, NAN}), Error);
}

TEST(BetaLaplace, DensitiesOnScreenIntegrateToOne)
{
    for (const auto& distribution : {Beta{4, 2}, Beta{2, 7}, Beta{3000, 20}}) {
        const Chart chart = to_chart(beta_laplace(distribution));
        for (const auto& panel : chart.panels)
            for (const auto& line : series_of<Line>(panel))
                EXPECT_NEAR(integral(line), 1, 2e-3) << panel.title << ", " << line.name;
    }
}

TEST(TwoClasses, ShowTheExactDensityNextToTheBetaOfTheBridge)
{
    const auto distribution = LogitGaussian::from_covariance({0.5, -0.2}, {0.6, 0.1, 0.1, 0.3});
    const Chart chart       = two_class_chart(distribution, {"no", "yes"}, BridgeVariant::projected);
    const auto lines        = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 2U);
    for (const auto& line : lines)
        EXPECT_NEAR(integral(line), 1, 2e-3);
    EXPECT_EQ(chart.panels[0].x.label, "π(no)");
    const auto numbers = bridge_numbers(distribution, bridge(distribution, BridgeVariant::projected).dirichlet());
    EXPECT_EQ(std::get<double>(chart.table->rows[0][1]), numbers->kl);
    EXPECT_THROW(two_class_chart(LogitGaussian::from_diagonal({0, 0, 0}, {1, 1, 1}), {}, BridgeVariant::plain), Error);
}

TEST(TwoClasses, AreShownByTheirLogitIfMostProbabilityIsAtAnEnd)
{
    for (const double mu : {-11.0, 6.0}) {
        const auto distribution = LogitGaussian::from_diagonal({mu, 0}, {2, 1});
        const Chart chart       = two_class_chart(distribution, {"no", "yes"}, BridgeVariant::projected);
        const Panel& panel      = chart.panels.at(0);
        EXPECT_EQ(panel.x.label, "logit π(no)");
        for (const auto& line : series_of<Line>(panel)) {
            EXPECT_NEAR(integral(line), 1, 5e-3) << line.name;
            EXPECT_LE(*std::max_element(line.y.begin(), line.y.end()), panel.y.range->second)
                << "the whole curve is visible";
        }
        EXPECT_THAT(chart.caption, testing::HasSubstr("those of the logit"));
    }
    const auto wide = two_class_chart(LogitGaussian::from_diagonal({1, 0}, {2, 1}), {}, BridgeVariant::projected);
    EXPECT_EQ(wide.panels.at(0).x.label, "π(class 0)");
}
