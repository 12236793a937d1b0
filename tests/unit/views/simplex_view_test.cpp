// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/triangle.h"
#include "views/chosen_logits.h"
#include "views/views.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <numeric>

using namespace credence;
using testing::HasSubstr;

namespace {

Study sixty_draws(const std::string& family, ToyKind kind)
{
    Study study              = small_study(family, kind);
    study.prediction.samples = 60;
    return study;
}

ViewOptions quick()
{
    ViewOptions options;
    options.simplex.density.cells = 60;
    return options;
}

}   // namespace

TEST(SimplexView, OfFourClassesShowsTwoTrianglesOfOneMeasureWithTheirNumbers)
{
    const auto moment = moment_of(sixty_draws("mean_field", ToyKind::four_gaussians));
    const Chart chart = drawn("simplex", moment, quick());
    ASSERT_EQ(chart.panels.size(), 2U) << chart.message << chart.caption;
    for (const auto& panel : chart.panels) {
        ASSERT_TRUE(panel.triangle);
        const auto& map = std::get<TernaryMap>(panel.series.front());
        EXPECT_NEAR(std::accumulate(map.z.begin(), map.z.end(), 0.0) / (2.0 * map.n * map.n), 1, 1e-3);
    }
    ASSERT_TRUE(chart.table);
    EXPECT_THAT(chart.caption, HasSubstr("Of 4 classes these three, renormalised"));
    EXPECT_THAT(chart.caption, HasSubstr("Input: test row 0"));
    EXPECT_THAT(chart.caption, HasSubstr("Seed 1, step 20, 60 draws"));
}

TEST(SimplexView, UsesTheRequestedVariantAndLogits)
{
    const auto moment      = moment_of(sixty_draws("mean_field", ToyKind::four_gaussians));
    auto options           = quick();
    options.bridge_variant = BridgeVariant::plain;
    EXPECT_THAT(drawn("simplex", moment, options).caption, HasSubstr("Laplace Bridge (plain)"));
    options.logits_by = LogitsBy::linearisation;
    EXPECT_THAT(drawn("simplex", moment, options).caption, HasSubstr("by linearising the network"));
}

TEST(SimplexView, FollowsTheChosenInputAndTheChosenClasses)
{
    const auto moment               = moment_of(sixty_draws("mean_field", ToyKind::four_gaussians));
    auto options                    = quick();
    options.simplex.density.classes = {3, 0, 2};
    options.simplex.look            = {.over_one_another = true, .table = false};
    const Chart chart               = drawn("simplex", moment, options);
    ASSERT_EQ(chart.panels.size(), 1U);
    const auto& names = moment.experiment->data->training.class_names;
    EXPECT_EQ(chart.panels[0].triangle->corners, (std::array<std::string, 3>{names[3], names[0], names[2]}));
    EXPECT_FALSE(chart.table);
    options.input     = {0.3, -2.0};
    const Chart other = drawn("simplex", moment, options);
    EXPECT_NE(std::get<TernaryMap>(chart.panels[0].series.front()).z,
              std::get<TernaryMap>(other.panels[0].series.front()).z);
}

TEST(SimplexView, OfTwoClassesIsADensityOnALine)
{
    const auto moment = moment_of(sixty_draws("layer_scale", ToyKind::two_moons));
    const Chart chart = drawn("simplex", moment, quick());
    ASSERT_EQ(chart.panels.size(), 1U) << chart.message;
    EXPECT_FALSE(chart.panels[0].triangle);
    EXPECT_THAT(chart.caption, HasSubstr("Two classes: the exact density of π("));
}

TEST(SimplexView, SaysWhyItIsUnavailable)
{
    const auto point = moment_of(sixty_draws("point_estimate", ToyKind::four_gaussians));
    EXPECT_FALSE(view("simplex").applies(*point.experiment));
    EXPECT_THAT(refusal_of("simplex", point, quick()), HasSubstr("single point"));
    const auto curve = moment_of(sixty_draws("mean_field", ToyKind::blundell_curve));
    EXPECT_FALSE(view("simplex").applies(*curve.experiment));
    EXPECT_THAT(refusal_of("simplex", curve, quick()), HasSubstr("needs classes"));
    const auto gaussians = moment_of(sixty_draws("mean_field", ToyKind::four_gaussians));
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(view("simplex").make(gaussians, quick(), stop.get_token()));
}
