// SPDX-License-Identifier: GPL-3.0-or-later
#include "posteriors.h"

#include <gmock/gmock.h>

namespace credence::testing {
namespace {

TEST(PosteriorDescription, NamesEachBlockAndWhatTheFamilyHas)
{
    const auto layout = layout_with({30, 5});
    for (const std::string& family : every_family) {
        const auto layers = make_posterior<float>(layout, {.family = family}, some_means(35))->describe();
        ASSERT_EQ(layers.size(), 2u);
        EXPECT_EQ(layers[0].block, "dense 1 weights");
        EXPECT_EQ(layers[1].block, "dense 1 biases");
        EXPECT_EQ(layers[1].kind, BlockKind::biases);
        EXPECT_EQ(layers[0].tau.has_value(), family == "layer_scale" || family == "tridiagonal") << family;
        EXPECT_EQ(layers[0].rho.has_value(), family == "tridiagonal") << family;
        EXPECT_EQ(layers[0].dropout_rate.has_value(), family == "bernoulli_dropout") << family;
    }
}

TEST(PosteriorDescription, OfZeroMeansHasNoRelativeSpread)
{
    const auto layout = layout_with({30, 5});
    const std::vector<float> zeros(35, 0.0f);
    for (const std::string& family : every_family)
        for (const BlockUncertainty& block : make_posterior<float>(layout, {.family = family}, zeros)->describe()) {
            EXPECT_FALSE(std::isnan(block.median_relative_sd)) << family << ", " << block.block;
            EXPECT_TRUE(std::isinf(block.median_relative_sd) || block.median_relative_sd < 1e3)
                << family << ", " << block.block << ": " << block.median_relative_sd;
        }
    const auto mean_field = make_posterior<float>(layout, {.family = "mean_field"}, zeros);
    EXPECT_TRUE(std::isinf(mean_field->describe().front().median_relative_sd));   // σ > 0 = |μ|
}

TEST(PosteriorDescription, HasTheMediansOfTheMoments)
{
    const auto layout = layout_with({31, 6});
    for (const std::string& family : every_family) {
        const auto posterior = make_posterior<double>(layout, {.family = family}, some_means(37));
        if (family == "mean_field")
            for (std::size_t i = 37; i < 74; ++i)
                posterior->parameters()[i] = -3 + 0.05 * static_cast<double>(i * 17 % 37);
        std::vector<float> mean(37), sd(37);
        posterior->moments(mean, sd);
        const auto layers = posterior->describe();
        for (std::size_t b = 0; b < 2; ++b) {
            std::vector<double> sds, ratios;
            double mean_abs = 0;
            for (std::size_t i = layout.blocks[b].begin; i < layout.blocks[b].end(); ++i) {
                sds.push_back(sd[i]);
                ratios.push_back(sd[i] / std::fabs(mean[i]));
                mean_abs += std::fabs(mean[i]) / static_cast<double>(layout.blocks[b].size);
            }
            const auto median = [](std::vector<double> v) {
                std::sort(v.begin(), v.end());
                return (v[v.size() / 2] + v[(v.size() - 1) / 2]) / 2;
            };
            EXPECT_NEAR(layers[b].mean_abs, mean_abs, 1e-6) << family;
            EXPECT_NEAR(layers[b].median_sd, median(sds), 2e-6) << family;
            EXPECT_NEAR(layers[b].median_relative_sd, median(ratios), 2e-6) << family;
        }
    }
}

TEST(PosteriorDescription, GroupsCoverEachParameterOnce)
{
    const auto layout = layout_with({30, 5, 1});
    for (const std::string& family : every_family) {
        const auto posterior = make_posterior<float>(layout, {.family = family}, some_means(36));
        std::size_t next     = 0;
        for (const ParameterGroup& group : posterior->groups()) {
            EXPECT_EQ(group.begin, next) << family;
            next += group.size;
        }
        EXPECT_EQ(next, posterior->parameters().size()) << family;
    }
    const auto groups = make_posterior<float>(layout, {.family = "tridiagonal"}, some_means(36))->groups();
    ASSERT_EQ(groups.size(), 7u);
    EXPECT_EQ(groups[2].kind, ParameterGroup::Kind::delta);
    EXPECT_EQ(groups[2].block, 1);
    EXPECT_EQ(groups[6].kind, ParameterGroup::Kind::gamma);
    EXPECT_EQ(groups[6].block, 2);
}

TEST(PosteriorDescription, ACloneIsIndependent)
{
    const auto layout = layout_with({30, 5});
    for (const std::string& family : every_family) {
        const auto posterior = make_posterior<float>(layout, {.family = family}, some_means(35));
        const auto copy      = posterior->clone();
        EXPECT_TRUE(typeid(*copy) == typeid(*posterior)) << family;
        EXPECT_EQ(copy->layout(), layout);
        posterior->parameters()[0] = 42;
        EXPECT_NE(copy->parameters()[0], 42);
    }
}

}   // namespace
}   // namespace credence::testing
