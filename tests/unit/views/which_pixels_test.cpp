// SPDX-License-Identifier: GPL-3.0-or-later
#include "prediction/uncertainty_gradients.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const RunSnapshot& strokes_run()
{
    static const auto run = [] {
        Study study;
        study.training.steps     = 5;
        study.prediction.samples = 6;
        for (const char* assignment : {"data.source=strokes", "data.training_images=60", "data.test_images=24",
                                       "network.hidden=8", "posterior.family=mean_field"})
            set_field(study, assignment);
        return snapshot_of(study);
    }();
    return run;
}

TEST(WhichPixelsView, DrawsTheGradientOfEachPartOnOneScale)
{
    const auto& run = strokes_run();
    ViewOptions options;
    options.input.row = 2;
    const auto chart  = drawn("which_pixels", run, options);
    ASSERT_GE(chart.panels.size(), 4u);
    EXPECT_EQ(series_of<Pictures>(chart.panels[0]).size(), 1u) << "the image itself";
    EXPECT_THAT(chart.panels[0].title, StartsWith("test image 2: "));
    for (const auto& panel : chart.panels) {   // equally large
        EXPECT_EQ(panel.x.range, chart.panels[0].x.range);
        EXPECT_EQ(panel.y.range, chart.panels[0].y.range);
        EXPECT_EQ(panel.weight, chart.panels[0].weight);
    }
    const char* names[] = {"Total: ", "Epistemic: ", "Aleatoric: "};
    const auto& total   = map_of(chart.panels[1]);
    float largest       = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const auto& map = map_of(chart.panels[1 + i]);
        EXPECT_THAT(chart.panels[1 + i].title, StartsWith(names[i]));
        EXPECT_EQ(map.z_range, total.z_range);
        EXPECT_EQ(map.map, ColourMap::diverging);
        for (const float each : map.z)
            largest = std::max(largest, std::fabs(each));
    }
    EXPECT_EQ(total.z_range, Range(-static_cast<double>(largest), static_cast<double>(largest)));
    for (std::size_t j = 0; j < total.z.size(); ++j)
        EXPECT_NEAR(total.z[j], map_of(chart.panels[2]).z[j] + map_of(chart.panels[3]).z[j], 1e-5 * largest);

    // Each pixel, with row 0 of the image on top, in nats per step from black to white.
    const auto& data    = *run.experiment->data;
    const auto first    = data.test_inputs.begin() + 2 * 784;
    const auto by_input = uncertainty_gradients(run.experiment->model, *run.snapshot->posterior, 1, 6,
                                                std::vector<double>(first, first + 784))
                              .value();
    for (const int row : {0, 10, 20})
        for (const int column : {4, 15}) {
            const auto pixel = static_cast<std::size_t>(28 * row + column);
            EXPECT_NEAR(total.z[static_cast<std::size_t>(28 * (27 - row) + column)],
                        by_input.total_gradient[pixel] * 255 / data.inputs.sd[pixel], 1e-5 * largest);
        }
    EXPECT_THAT(chart.caption, HasSubstr("of test image 2 by each pixel, in nats per step from black to white."));
}

TEST(WhichPixelsView, FindsASmallChangeThatMakesThePredictionConfident)
{
    const auto& run = strokes_run();   // after five steps it is uncertain
    ViewOptions options;
    options.input.row     = 2;
    const auto confidence = [&](double level) {
        Study study            = run.experiment->study;
        study.prediction.level = level;
        auto other             = std::make_shared<Experiment>(*run.experiment);
        other->study           = study;
        auto same              = run;
        same.experiment        = other;
        return drawn("which_pixels", same, options);
    };
    const auto easy = confidence(0.01);
    EXPECT_EQ(easy.panels.size(), 4u);
    EXPECT_THAT(easy.caption,
                HasSubstr("The prediction for the unchanged image already has a mean probability of at least 0.01."));
    const auto changed = confidence(0.3);
    ASSERT_EQ(changed.panels.size(), 6u) << changed.caption;
    EXPECT_THAT(changed.panels[4].title, StartsWith("Small change: "));
    double squares = 0;
    for (const float each : map_of(changed.panels[4]).z)
        squares += static_cast<double>(each) * each;
    EXPECT_THAT(changed.panels[4].title, testing::EndsWith(number_text(std::sqrt(squares), 3)));
    EXPECT_EQ(series_of<Pictures>(changed.panels[5]).size(), 1u);
    EXPECT_THAT(changed.panels[5].title, StartsWith("Changed: "));
    const auto never = confidence(0.999999);
    EXPECT_THAT(never.caption, HasSubstr("did not lead to"));
}

TEST(WhichPixelsView, NeedsImages)
{
    EXPECT_EQ(refusal_of("which_pixels", moons()), "Gradients by the pixels need image data with classes.");
}

TEST(WhichPixelsView, StopsOnRequest)
{
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(view("which_pixels").make(strokes_run(), {}, source.get_token()));
}

}   // namespace
}   // namespace credence
