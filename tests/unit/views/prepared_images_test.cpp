// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <algorithm>

using namespace credence;
using ::testing::HasSubstr;
using ::testing::StartsWith;

namespace {

RunSnapshot signs_snapshot(std::initializer_list<const char*> assignments)
{
    Study study;
    study.posterior.family   = "point_estimate";
    study.training.steps     = 2;
    study.prediction.samples = 2;
    for (const char* first : {"data.source=traffic_signs", "data.training_images=48", "data.test_images=24",
                              "network.kind=layers", "network.layers=conv 2 5, max 4, dense 6, relu"})
        set_field(study, first);
    for (const char* assignment : assignments)
        set_field(study, assignment);
    return snapshot_of(study);
}

const std::vector<Picture>& row_of(const Panel& panel) { return std::get<Pictures>(panel.series.at(0)).pictures; }

}   // namespace

TEST(PreparedImagesView, ShowsEachStepOnOneScale)
{
    const auto run   = signs_snapshot({"data.grey=true", "data.local_normalisation=9"});
    const auto chart = drawn("prepared_images", run);
    ASSERT_EQ(chart.panels.size(), 3u);
    EXPECT_THAT(chart.panels[0].title, StartsWith("The images (0 black"));
    EXPECT_THAT(chart.panels[1].title, StartsWith("Grey (0 black"));
    EXPECT_THAT(chart.panels[2].title, StartsWith("Locally normalised, window of 9 (−"));
    for (const Panel& panel : chart.panels)
        EXPECT_EQ(row_of(panel).size(), 6u);
    EXPECT_EQ(row_of(chart.panels[0])[0].channels, 3);
    EXPECT_EQ(row_of(chart.panels[1])[0].channels, 1);
    const auto& inputs = run.experiment->data->test_inputs;
    const auto& image  = row_of(chart.panels[0])[0].pixels;
    const auto& grey   = row_of(chart.panels[1])[0].pixels;
    for (std::size_t p = 0; p < 1024; p += 37) {
        EXPECT_NEAR(image[p], inputs[p] * 256, 1e-3) << "the image of the first row, in its colours";
        EXPECT_NEAR(grey[p], 0.299 * image[p] + 0.587 * image[1024 + p] + 0.114 * image[2048 + p], 0.51);
    }
    std::uint8_t least = 255, greatest = 0;   // the largest of all reaches black or white
    for (const Picture& picture : row_of(chart.panels[2])) {
        least    = std::min(least, *std::min_element(picture.pixels.begin(), picture.pixels.end()));
        greatest = std::max(greatest, *std::max_element(picture.pixels.begin(), picture.pixels.end()));
    }
    EXPECT_TRUE(least == 0 || greatest == 255);
    ASSERT_TRUE(chart.table);
    EXPECT_EQ(chart.table->rows.size(), 6u);
}

TEST(PreparedImagesView, StatesWhenThereAreNoSteps)
{
    const auto chart = drawn("prepared_images", signs_snapshot({}));
    EXPECT_EQ(chart.panels.size(), 1u);
    EXPECT_THAT(chart.caption, HasSubstr("There are no preprocessing steps: the network sees pixels from 0 to 0.996."));
}

TEST(PreparedImagesView, FollowsTheChosenImage)
{
    ViewOptions options;
    options.input.values.assign(3072, 255);
    options.input.name = "white";
    const auto chart   = drawn("prepared_images", signs_snapshot({"data.local_normalisation=5"}), options);
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_THAT(chart.caption, HasSubstr("on the left white"));
    for (const auto pixel : row_of(chart.panels[1])[0].pixels)
        EXPECT_NEAR(pixel, 127.5, 1) << "nothing is left of a flat area";
}

TEST(PreparedImagesView, NeedsImages)
{
    EXPECT_THAT(view("prepared_images").why_not(*moons().experiment).value_or(""), HasSubstr("need image data"));
}

TEST(KernelsView, AfterGreyHasOneChannel)
{
    const auto grey = drawn("kernels", signs_snapshot({"data.grey=true", "data.local_normalisation=9"}));
    EXPECT_THAT(grey.caption, ::testing::Not(HasSubstr("channels")));
    EXPECT_THAT(drawn("kernels", signs_snapshot({})).caption, HasSubstr("The 3 channels"));
}
