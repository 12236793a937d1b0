// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_transforms.h"
#include "sources/stroke_digits.h"
#include "unit/families.h"
#include "unit/views/drawn.h"
#include "views/chosen_logits.h"
#include "views/image_rows.h"
#include "views/intervals.h"
#include "views/view_support.h"
#include "views/views.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

const ImageData& digits()
{
    static const auto data = stroke_digits(60, 20, 3);
    return data;
}

/// Untrained, on a few stroke digits.
const RunSnapshot& run()
{
    static const RunSnapshot made = [] {
        auto experiment  = std::make_shared<Experiment>();
        experiment->data = std::make_shared<SplitData>(to_split(digits(), PixelScaling::divide_256));
        experiment->study.prediction.samples = 20;
        experiment->study.prediction.level   = 0.9;
        const auto architecture              = mlp(28 * 28, {12}, 10);
        experiment->model                    = {architecture, Likelihood::categorical(), true};
        const auto layout                    = layout_of(architecture);
        experiment->start   = make_posterior<float>(layout, {.family = "mean_field", .initial_sd = 0.05},
                                                  initial_weights(layout, Initialisation::he, 4));
        auto snapshot       = std::make_shared<Snapshot>();
        snapshot->posterior = experiment->start;
        return RunSnapshot{experiment, snapshot, nullptr};
    }();
    return made;
}

std::vector<double> bytes(const ImageSet& set, std::size_t row)
{
    return {set.image(row).begin(), set.image(row).end()};
}

}   // namespace

TEST(ChosenImage, IsTheSameByItsRowAndByItsBytes)
{
    ViewOptions by_row, by_bytes;
    by_row.input.row      = 7;
    by_bytes.input.values = bytes(digits().test, 7);
    by_bytes.input.name   = "test image 7";
    by_bytes.input.label  = digits().test.labels[7];
    for (const char* id : {"boxplots", "intervals", "verdict", "nearest_images"}) {
        const auto a = drawn(id, run(), by_row), b = drawn(id, run(), by_bytes);
        EXPECT_EQ(to_csv(data_table(a)), to_csv(data_table(b))) << id;
        EXPECT_EQ(a.caption, b.caption) << id;
    }
}

TEST(ChosenImage, ATransformedImageKeepsItsClassAndDescribesTheTransformation)
{
    const auto raw = digits().test.image(7);
    const std::vector<float> image(raw.begin(), raw.end());
    const Disturbance turn{.placement = {.degrees = 20}};
    const auto turned = disturbed(image, {1, 28, 28}, turn);
    ViewOptions options;
    options.input.values.assign(turned.begin(), turned.end());
    options.input.name  = "test image 7" + description_of(turn);
    options.input.label = digits().test.labels[7];
    const auto chart    = drawn("verdict", run(), options);
    EXPECT_THAT(verdict_cell(chart, verdict_row::headline),
                HasSubstr("test image 7, rotated 20°: true " + std::to_string(digits().test.labels[7])));
    EXPECT_NE(data_table(drawn("boxplots", run(), options)).rows, data_table(drawn("boxplots", run())).rows);
}

TEST(ChosenImage, ADrawnImageHasItsOwnOutputsAndARowThoseOfTheTables)
{
    ViewOptions weights;
    weights.input.values       = bytes(digits().test, 3);
    auto outputs               = weights;
    outputs.input.draws        = DrawsOf::outputs;
    auto attacked              = outputs;
    attacked.attack.unattacked = InputChoice{};
    ViewOptions row;
    row.input.row       = 3;
    row.input.draws     = DrawsOf::outputs;
    const auto boxes_of = [](const ViewOptions& options) { return data_table(drawn("boxplots", run(), options)).rows; };
    const auto logits_of = [](const ViewOptions& options) {
        return chosen_logits(run(), options, LogitsBy::samples).value().mu();
    };
    EXPECT_NE(boxes_of(outputs), boxes_of(weights));
    EXPECT_EQ(boxes_of(attacked), boxes_of(weights));
    EXPECT_NE(logits_of(outputs), logits_of(weights));
    EXPECT_EQ(logits_of(attacked), logits_of(weights));
    EXPECT_EQ(view_support::draws_of_chosen(run(), row), DrawsOf::weights);
    weights.samples = outputs.samples = 4000;
    const auto options_of_both        = {weights, outputs};
    std::vector<OutputSamples> samples;
    for (const auto& options : options_of_both)
        samples.push_back(view_support::chosen_outputs(run(), options, {})->samples);
    for (int k = 0; k < 10; ++k) {
        double mean[2] = {};
        for (std::size_t i = 0; i < 2; ++i)
            for (int s = 0; s < 4000; ++s)
                mean[i] += static_cast<double>(samples[i].at(s, 0, k)) / 4000;
        EXPECT_NEAR(mean[0], mean[1], 0.02) << k;
    }
}

TEST(ChosenImage, WithoutANameIsYourOwnImage)
{
    ViewOptions options;
    options.input.values.assign(784, 0.0);
    EXPECT_THAT(drawn("verdict", run(), options).caption, HasSubstr("for your own image"));
}

TEST(NearestImagesView, FindsATrainingImageByItsBytes)
{
    ViewOptions options;
    options.input.values = bytes(digits().training, 31);
    const auto chart     = drawn("nearest_images", run(), options);
    ASSERT_TRUE(chart.table);
    const auto& table = *chart.table;
    ASSERT_EQ(table.rows.size(), 8U);
    EXPECT_EQ(std::get<long>(table.rows[0][0]), 31);
    EXPECT_EQ(std::get<std::string>(table.rows[0][1]), std::to_string(digits().training.labels[31]));
    EXPECT_EQ(std::get<double>(table.rows[0][2]), 0);
    EXPECT_GT(std::get<double>(table.rows[1][2]), 0);
    const auto& pictures = std::get<Pictures>(chart.panels.at(0).series.at(0)).pictures;
    ASSERT_EQ(pictures.size(), 8U);
    EXPECT_THAT(pictures[0].pixels, testing::ElementsAreArray(digits().training.image(31)));
    EXPECT_EQ(pictures[0].caption, std::to_string(digits().training.labels[31]) + "\n0.00");
}

TEST(NearestImagesView, MeasuresInStepsFromBlackToWhite)
{
    ViewOptions options;
    options.input.values = bytes(digits().training, 5);
    options.input.values[0] += 255;   // the corner is black: one step for any scaling
    const auto table = drawn("nearest_images", run(), options).table.value();
    EXPECT_EQ(std::get<long>(table.rows[0][0]), 5);
    EXPECT_NEAR(std::get<double>(table.rows[0][2]), 1, 1e-5);
}

TEST(DisturbanceCurveView, PassesThroughTheImageItself)
{
    ViewOptions options;
    options.input.row = 4;
    const auto chart  = drawn("disturbance_curve", run(), options);
    ASSERT_EQ(chart.panels.size(), 3U);
    const auto boxes = drawn("verdict", run(), options);
    const auto& line = std::get<Line>(chart.panels[2].series.at(0));   // predictive entropy
    ASSERT_EQ(line.x.size(), 49U);
    EXPECT_EQ(line.x[24], 0);
    double entropy = -1;
    for (const auto& row : boxes.table->rows)
        if (std::get<std::string>(row[0]) == "Predictive entropy")
            entropy = std::get<double>(row[1]);
    EXPECT_NEAR(line.y[24], entropy, 1e-5);
    EXPECT_NEAR(line.y[0], line.y[48], 1e-5);   // −180° and 180°
    const auto& pictures = std::get<Pictures>(chart.panels[0].series.at(0)).pictures;
    ASSERT_EQ(pictures.size(), 9U);
    EXPECT_THAT(pictures[4].pixels, testing::ElementsAreArray(digits().test.image(4)));
    EXPECT_EQ(pictures[0].caption, "-180");
}

TEST(DisturbanceCurveView, VariesOnePartOfWhatWasDone)
{
    ViewOptions options;
    options.disturbance.undisturbed      = bytes(digits().test, 4);
    options.disturbance.undisturbed_name = "test image 4";
    options.disturbance.applied          = {.placement = {.right = 2}, .blur = 1};
    options.disturbance.sweep            = DisturbanceSweep::blur;
    const auto chart                     = drawn("disturbance_curve", run(), options);
    const auto raw                       = digits().test.image(4);
    const auto last                      = disturbed(std::vector<float>(raw.begin(), raw.end()), {1, 28, 28},
                                                     {.placement = {.right = 2}, .blur = 4});
    const auto& pictures                 = std::get<Pictures>(chart.panels.at(0).series.at(0)).pictures;
    for (std::size_t i = 0; i < 784; ++i)
        EXPECT_NEAR(pictures.back().pixels[i], last[i], 0.51);
    EXPECT_EQ(std::get<Rule>(chart.panels[1].series.back()).at, 1);
    EXPECT_THAT(chart.caption, HasSubstr("test image 4 against Blur"));
}

TEST(DisturbanceCurveView, MorphsOnceThereIsAnotherImage)
{
    ViewOptions options;
    options.input.row         = 4;
    options.disturbance.sweep = DisturbanceSweep::morph;
    EXPECT_EQ(refusal_of("disturbance_curve", run(), options), "Choose an image to morph into: Image, Perturb, Morph.");
    options.disturbance.morph_target = bytes(digits().test, 5);
    const auto chart                 = drawn("disturbance_curve", run(), options);
    EXPECT_THAT(std::get<Pictures>(chart.panels.at(0).series.at(0)).pictures.back().pixels,
                testing::ElementsAreArray(digits().test.image(5)));
}
