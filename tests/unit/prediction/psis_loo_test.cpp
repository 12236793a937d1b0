// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/psis_loo.h"

#include "foundation/error.h"
#include "random/noise.h"
#include "reference/formula_numbers.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <numeric>

using namespace credence;
using testing::HasSubstr;
using testing::ThrowsMessage;

namespace {

std::vector<double> made_log_likelihood(const std::string& kind, std::uint64_t seed, std::size_t S, double scale)
{
    std::vector<double> values(S);
    const auto u = reference::hash01(seed, kind == "normal" ? 12 * S : S);
    for (std::size_t s = 0; s < S; ++s)
        if (kind == "normal") {
            const double z = std::accumulate(u.begin() + static_cast<std::ptrdiff_t>(12 * s),
                                             u.begin() + static_cast<std::ptrdiff_t>(12 * s + 12), 0.0)
                             - 6;
            values[s] = -scale * z * z / 2;
        } else
            values[s] = scale * std::log1p(-(kind == "ties" ? std::floor(5 * u[s]) / 5 : u[s]));
    return values;
}

}   // namespace

TEST(PsisLoo, EqualsNumPy)
{
    const auto cases = nlohmann::json::parse(std::ifstream(CREDENCE_REFERENCE_DIR "/psis.json")).at("cases");
    ASSERT_EQ(cases.size(), 8u);
    for (const auto& wanted : cases) {
        SCOPED_TRACE(wanted.dump());
        const auto values = made_log_likelihood(wanted.at("kind"), wanted.at("seed"), wanted.at("S"),
                                                wanted.at("scale"));
        const auto row    = psis_loo(values);
        EXPECT_NEAR(row.pareto_k, wanted.at("k"), 1e-9);
        EXPECT_NEAR(row.elpd, wanted.at("elpd"), 1e-9);
        EXPECT_NEAR(row.lpd, wanted.at("lpd"), 1e-12);
    }
}

/// One Gaussian location with known variance 1 and a flat prior: the posterior is N(ȳ, 1/n), and leaving y_i out gives
/// N(y_i; mean of the others, 1 + 1/(n − 1)).
TEST(PsisLoo, FindsTheLeaveOneOutDensitiesOfANormalMean)
{
    constexpr int n = 30, S = 4000;
    std::vector<double> y(n), w(S), l(S);
    standard_normals({3, Stream::data}, 0, std::span(y));
    standard_normals({4, Stream::data}, 0, std::span(w));
    const double mean = std::accumulate(y.begin(), y.end(), 0.0) / n;
    for (const double target : y) {
        for (int s = 0; s < S; ++s) {
            const double gap               = target - mean - w[static_cast<std::size_t>(s)] / std::sqrt(n);
            l[static_cast<std::size_t>(s)] = -0.5 * (gap * gap + std::log(2 * std::numbers::pi));
        }
        const double gap = (target - mean) * n / (n - 1.0), variance = 1 + 1 / (n - 1.0);
        const double exact = -0.5 * (gap * gap / variance + std::log(2 * std::numbers::pi * variance));
        const auto row     = psis_loo(l);
        EXPECT_NEAR(row.elpd, exact, 0.02) << target;
        EXPECT_LT(row.pareto_k, 0.7);
        EXPECT_LT(row.elpd, row.lpd);   // a left-out row is never easier
    }
}

TEST(PsisLoo, WeightsAreNormalisedOrderedAndAtMostTheRawMaximum)
{
    const auto ll = made_log_likelihood("pareto", 5, 300, 0.8);
    std::vector<double> ratios(ll.size());
    std::transform(ll.begin(), ll.end(), ratios.begin(), [](double l) { return -l; });
    const auto smoothed = pareto_smoothed(ratios);
    double sum          = 0;
    for (std::size_t s = 0; s < ratios.size(); ++s) {
        sum += std::exp(smoothed.log[s]);
        for (std::size_t t = 0; t < ratios.size(); ++t)
            EXPECT_LE(smoothed.log[s], smoothed.log[t] + (ratios[s] <= ratios[t] ? 1e-12 : 1e300));
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    for (double& r : ratios)   // weights are defined up to a factor
        r += 700;
    EXPECT_NEAR(pareto_smoothed(ratios).pareto_k, smoothed.pareto_k, 1e-9);
}

TEST(PsisLoo, FindsTheShapeOfAParetoDistribution)
{
    std::vector<double> x(4000);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = ParetoFit{0.6, 2}.quantile((static_cast<double>(i) + 0.5) / 4000);
    const auto fit = fit_generalised_pareto(x);
    EXPECT_NEAR(fit.k, 0.6, 0.02);
    EXPECT_NEAR(fit.sigma, 2, 0.05);
    EXPECT_THAT([&] { fit_generalised_pareto(std::vector<double>(3, 1.0)); },
                ThrowsMessage<Error>(HasSubstr("at least 5 exceedances")));
}

TEST(PsisLoo, EqualWeightsStayEqualAndFewSamplesAreUnreliable)
{
    const std::vector<double> same(100, -1.5), few{-1, -2, -3};
    EXPECT_EQ(psis_loo(same).pareto_k, 0);
    EXPECT_NEAR(psis_loo(same).elpd, -1.5, 1e-12);
    EXPECT_EQ(psis_loo(few).pareto_k, INFINITY);
    EXPECT_NEAR(psis_loo(few).elpd, -std::log((std::exp(1) + std::exp(2) + std::exp(3)) / 3), 1e-12);   // harmonic mean
    EXPECT_NEAR(reliable_pareto_k(100), 0.5, 1e-12);
    EXPECT_NEAR(reliable_pareto_k(100000), 0.7, 1e-12);
}

TEST(PsisLoo, SumsHaveTheStandardErrorOfTheirRows)
{
    const std::vector<LooRow> rows{{-1, -0.5, 0.2}, {-2, -1.5, 0.6}, {-3, -3, 0.8}};
    const auto sum = loo_summary(rows);
    EXPECT_EQ(sum.elpd, -6);
    EXPECT_NEAR(sum.standard_error, std::sqrt(3.0), 1e-12);
    EXPECT_EQ(sum.p_loo, 1);
    EXPECT_EQ(sum.over_limit, 1);
}
