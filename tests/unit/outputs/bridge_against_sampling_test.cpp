// SPDX-License-Identifier: GPL-3.0-or-later
#include "outputs/bridge_against_sampling.h"

#include "foundation/error.h"
#include "simplex/logistic_normal.h"
#include "unit/charts/series_of.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

const BridgeAgainstSampling& published()
{
    static const auto figure = bridge_against_sampling(published_sampling_cases(),
                                                       {.fewest = 10, .most = 20'000, .repeats = 5, .seed = 1})
                                   .value();
    return figure;
}

const BridgeAgainstSampling::Bridge& of(const BridgeAgainstSampling::Distribution& distribution, BridgeVariant variant)
{
    return *std::find_if(distribution.bridges.begin(), distribution.bridges.end(),
                         [&](const auto& bridge) { return bridge.variant == variant; });
}

/// KL as in H's released code: both distributions on the 561 vertices of a triangle divided into
/// 1,024; draws count at the nearest vertex, the Dirichlet's density is evaluated at
/// the vertices, coordinates clipped to [0.001, 0.999], and scaled to add up to 1; empty cells are 1e-20.
double released_kl(const LogitGaussian& logits, int n)
{
    constexpr int side = 32;
    std::vector<std::array<double, 3>> vertices;
    std::vector<int> first_of_row;
    for (int i = 0; i <= side; ++i) {
        first_of_row.push_back(static_cast<int>(vertices.size()));
        for (int j = 0; i + j <= side; ++j) {
            std::array<double, 3> v{i / double{side}, j / double{side}, (side - i - j) / double{side}};
            for (double& x : v)
                x = std::clamp(x, 0.001, 0.999);
            vertices.push_back(v);
        }
    }
    EXPECT_EQ(vertices.size(), 561u);
    std::vector<double> p(vertices.size(), 0), q;
    const auto draws = LogisticNormal(logits).sample({.seed = 3, .stream = Stream::figures, .index = 0}, n);
    for (int s = 0; s < n; ++s) {
        const double* x = &draws[static_cast<std::size_t>(s) * 3];
        double nearest  = 1e9;
        std::size_t at  = 0;
        for (int i = std::max(0, static_cast<int>(x[0] * side) - 1);
             i <= std::min(side, static_cast<int>(x[0] * side) + 2); ++i)
            for (int j = std::max(0, static_cast<int>(x[1] * side) - 1);
                 j <= std::min(side - i, static_cast<int>(x[1] * side) + 2); ++j) {
                const auto v   = static_cast<std::size_t>(first_of_row[static_cast<std::size_t>(i)] + j);
                const double d = std::pow(x[0] - vertices[v][0], 2) + std::pow(x[1] - vertices[v][1], 2)
                                 + std::pow(x[2] - vertices[v][2], 2);
                if (d < nearest)
                    nearest = d, at = v;
            }
        p[at] += 1.0 / n;
    }
    const auto alpha = bridge(logits, BridgeVariant::plain).dirichlet().alpha();
    double sum = 0, kl = 0;
    for (const auto& v : vertices) {
        q.push_back(std::pow(v[0], alpha[0] - 1) * std::pow(v[1], alpha[1] - 1) * std::pow(v[2], alpha[2] - 1));
        sum += q.back();
    }
    for (std::size_t i = 0; i < p.size(); ++i)
        if (p[i] > 0)
            kl += p[i] * std::log(p[i] / std::max(1e-20, q[i] / sum));
    return kl;
}

}   // namespace

TEST(BridgeAgainstSampling, HasTheExactDivergencesOfThePublishedGaussians)
{
    // docs/maths.md, section 13
    const double plain[] = {0.094687, 0.308176, 2.252320}, conditioned[] = {0.006088, 0.263790, 6.114099},
                 best[] = {0.005366, 0.247452, 1.332128};
    ASSERT_EQ(published().distributions.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& distribution = published().distributions[i];
        EXPECT_NEAR(of(distribution, BridgeVariant::plain).kl, plain[i], 6e-7);
        EXPECT_NEAR(of(distribution, BridgeVariant::conditioned).kl, conditioned[i], 6e-7);
        EXPECT_NEAR(distribution.best_kl, best[i], 6e-7);
        EXPECT_EQ(distribution.bridges.size(), 5u);
        for (const auto& bridge : distribution.bridges)
            EXPECT_GE(bridge.kl, distribution.best_kl) << name(bridge.variant);
    }
}

TEST(BridgeAgainstSampling, ThePublishedValuesComeOutOnTheirLattice)
{
    // Hobbhahn 2020, Fig. 5.3, released: 0.0882, 0.7075, 1.7655, themselves of a finite number of draws
    for (const auto& one : published_sampling_cases())
        EXPECT_NEAR(released_kl(one.logits, 400'000), *one.published, 0.012 * *one.published + 5e-4) << one.name;
}

TEST(BridgeAgainstSampling, AHistogramOfMoreSamplesIsCloser)
{
    for (const auto& distribution : published().distributions) {
        ASSERT_EQ(distribution.kl_median.size(), published().draws.size());
        EXPECT_GT(distribution.kl_median.front(), 5 * distribution.kl_median.back()) << distribution.what.name;
        for (std::size_t i = 0; i < distribution.kl_median.size(); ++i) {
            EXPECT_GT(distribution.kl_lower[i], 0);
            EXPECT_LE(distribution.kl_lower[i], distribution.kl_median[i]);
            EXPECT_LE(distribution.kl_median[i], distribution.kl_upper[i]);
            EXPECT_GT(distribution.seconds[i], 0);
        }
    }
    EXPECT_EQ(published().draws.front(), 10);
    EXPECT_EQ(published().draws.back(), 20'000);
    EXPECT_EQ(published().n_cells, 561);
}

TEST(BridgeAgainstSampling, StatesHowManySamplesMatchTheBridge)
{
    const auto& distribution = published().distributions[0];
    const auto& plain        = of(distribution, BridgeVariant::plain);
    ASSERT_TRUE(plain.draws_to_match.has_value());
    for (std::size_t i = 0; i < published().draws.size(); ++i)
        EXPECT_EQ(static_cast<double>(published().draws[i]) >= *plain.draws_to_match,
                  distribution.kl_median[i] <= plain.kl)
            << published().draws[i];
    EXPECT_FALSE(of(distribution, BridgeVariant::conditioned).draws_to_match.has_value())
        << "0.006 nats need more than 20,000";
    EXPECT_TRUE(of(published().distributions[2], BridgeVariant::conditioned).fewer_than_fewest)
        << "6 nats are worse than ten draws";
}

TEST(BridgeAgainstSampling, ChartHasAPanelForEachGaussianOneOfTimesAndTheReason)
{
    const auto chart = to_chart(published());
    ASSERT_EQ(chart.panels.size(), 4u);
    for (int i = 0; i < 3; ++i) {
        const auto& panel = chart.panels[static_cast<std::size_t>(i)];
        EXPECT_TRUE(panel.x.logarithmic && panel.y.logarithmic);
        const auto lines = series_of<Line>(panel);
        ASSERT_EQ(lines.size(), 8u);   // histogram, five variants, the best, the published
        EXPECT_EQ(lines[1].name, "plain");
        EXPECT_EQ(lines[1].y.front(), lines[1].y.back());
        EXPECT_EQ(lines.back().y.front(), *published().distributions[static_cast<std::size_t>(i)].what.published);
    }
    EXPECT_EQ(chart.panels[3].y.unit, "ms");
    EXPECT_THAT(chart.caption,
                testing::AllOf(testing::HasSubstr("561 points"), testing::HasSubstr("measured on this machine")));
    const auto table = numbers_chart(published()).table.value();
    ASSERT_EQ(table.rows.size(), 18u);
    EXPECT_EQ(std::get<std::string>(table.rows[0][3]), "0.0882");
    EXPECT_EQ(std::get<std::string>(table.rows[1][3]), "");
}

TEST(BridgeAgainstSampling, ReportsTheCostOfOneBridgeAndOneSample)
{
    for (const auto& distribution : published().distributions) {
        EXPECT_GT(distribution.seconds_of_bridge, 0);
        EXPECT_GT(distribution.seconds_of_draw, 0);
    }
    BridgeAgainstSampling figure = published();
    for (auto& distribution : figure.distributions) {
        distribution.seconds_of_bridge = 1e-8;
        distribution.seconds_of_draw   = 4e-8;
    }
    const std::string words =
        " One thread, 2000 at once: one plain bridge 0.01 µs, one sample of the Gaussian over the logits 0.04 µs, "
        "so a bridge costs 0.25 samples";
    EXPECT_THAT(bridge_and_draw_times(figure), testing::StartsWith(words));
    EXPECT_THAT(numbers_chart(figure).caption, testing::HasSubstr(words));
    for (auto& distribution : figure.distributions)
        distribution.seconds_of_bridge = 0;   // nothing was timed
    EXPECT_EQ(bridge_and_draw_times(figure), "");
}

TEST(BridgeAgainstSampling, DoesNotChangeWithTheThreadsAndStopsOnRequest)
{
    const auto cases = std::vector{published_sampling_cases()[1]};
    const SamplingOptions few{.fewest = 100, .most = 1000, .repeats = 3};
    EXPECT_EQ(bridge_against_sampling(cases, few)->distributions[0].kl_median,
              bridge_against_sampling(cases, few)->distributions[0].kl_median);
    std::stop_source stop;
    std::vector<double> shares;
    ASSERT_TRUE(bridge_against_sampling(cases, few, stop.get_token(), [&](double share) { shares.push_back(share); }));
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_DOUBLE_EQ(shares.back(), 1);
    stop.request_stop();
    EXPECT_FALSE(bridge_against_sampling(cases, few, stop.get_token()));
}

TEST(BridgeAgainstSampling, RejectsOtherThanThreeClassesAndOrdersThatCannotBe)
{
    const std::vector<SamplingCase> two{{"two", LogitGaussian::from_diagonal({0, 0}, {1, 1}), {}}};
    EXPECT_THAT([&] { bridge_against_sampling(two); },
                testing::ThrowsMessage<Error>(
                    "Bridge against sampling: 2 classes found, expected 3: the histogram is on the triangle."));
    EXPECT_THAT([&] { bridge_against_sampling(published_sampling_cases(), {.fewest = 10, .most = 5}); },
                testing::ThrowsMessage<Error>(testing::StartsWith("Bridge against sampling: found 10 to 5 samples")));
}

TEST(GaussianText, ContainsMeanAndCovariance)
{
    EXPECT_EQ(gaussian_text(published_sampling_cases()[0].logits), "μ = (0, 0, 0), Σ = 0.1 I");
    EXPECT_EQ(gaussian_text(published_sampling_cases()[1].logits), "μ = (2, −1, −1), Σ = I");
    EXPECT_EQ(gaussian_text(published_sampling_cases()[2].logits), "μ = (1, 1, −2), full Σ");
}
