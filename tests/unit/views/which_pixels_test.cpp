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
    ASSERT_EQ(chart.panels.size(), 4u);
    EXPECT_EQ(series_of<Pictures>(chart.panels[0]).size(), 1u) << "the image itself";
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
