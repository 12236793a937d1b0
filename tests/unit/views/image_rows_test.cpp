// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/image_rows.h"

#include "foundation/error.h"
#include "prediction/scores.h"
#include "sources/stroke_digits.h"
#include "unit/families.h"
#include "unit/views/drawn.h"
#include "views/views.h"

#include <gmock/gmock.h>

using namespace credence;

namespace {

ImageData some_digits() { return stroke_digits(40, 30, 3); }

/// Untrained, on a few stroke some_digits.
RunMoment moment_scaled(PixelScaling scaling = PixelScaling::divide_256)
{
    auto experiment                 = std::make_shared<Experiment>();
    experiment->data                = std::make_shared<SplitData>(to_split(some_digits(), scaling));
    experiment->study.prediction    = {.samples = 20, .level = 0.5, .other_data = {}};
    const Architecture architecture = mlp(28 * 28, {12}, 10);
    experiment->model               = {architecture, {LikelihoodKind::softmax}, true};
    const auto layout               = layout_of(architecture);
    experiment->start               = make_posterior<float>(layout, {.family = "mean_field", .initial_sd = 0.05},
                                              initial_weights(layout, Initialisation::he, 4));
    auto snapshot                   = std::make_shared<Snapshot>();
    snapshot->posterior             = experiment->start;
    return {experiment, snapshot, nullptr};
}

}   // namespace

TEST(ImageRows, GiveBackTheBytesOfEveryImageWhateverTheScaling)
{
    const auto data = some_digits();
    for (const auto scaling : {PixelScaling::divide_256, PixelScaling::divide_255, PixelScaling::divide_126}) {
        const auto m = moment_scaled(scaling);
        for (std::size_t i = 0; i < data.test.n; ++i)
            EXPECT_THAT(image_bytes(*m.experiment, ImagePart::test, i), testing::ElementsAreArray(data.test.image(i)));
        for (std::size_t i = 0; i < data.training.n; ++i)
            EXPECT_THAT(image_bytes(*m.experiment, ImagePart::training, i),
                        testing::ElementsAreArray(data.training.image(i)));
    }
}

TEST(ImageRows, PredictEveryImageOfAPart)
{
    const auto m = moment_scaled();
    for (const auto part : {ImagePart::test, ImagePart::training}) {
        const auto images = images_of(*m.experiment, part);
        const auto rows   = image_row_predictions(m, part, 0);
        ASSERT_EQ(rows.size(), images.data->n_rows);
        const PosteriorPredictive predictive(m.experiment->model, m.snapshot->posterior, 20, m.experiment->study.seed);
        const auto all = class_predictions(predictive.summarise(images.inputs, static_cast<int>(images.data->n_rows)));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(rows[i].predicted, all.predicted[i]);
            EXPECT_NEAR(rows[i].confidence, all.confidence[i], 1e-5);
            EXPECT_EQ(rows[i].certain_by_probability, all.confidence[i] >= 0.5);
        }
    }
}

TEST(ImageRows, OfSomeImagesAreThoseOfTheWholePart)
{
    const auto m   = moment_scaled();
    const auto all = image_row_predictions(m, ImagePart::test, 0);
    const std::vector<std::uint32_t> some{17, 3, 29, 3};
    const auto rows = image_row_predictions(m, ImagePart::test, some, 0);
    ASSERT_EQ(rows.size(), some.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
        EXPECT_EQ(rows[i].predicted, all[some[i]].predicted);
        EXPECT_NEAR(rows[i].confidence, all[some[i]].confidence, 1e-5);
        EXPECT_NEAR(rows[i].entropy, all[some[i]].entropy, 1e-5);
    }
}

TEST(ImageRows, TakeAsManyDrawsAsAskedFor)
{
    const auto m   = moment_scaled();
    const auto few = image_row_predictions(m, ImagePart::test, 1);
    for (const auto& row : few)
        EXPECT_NEAR(row.mutual_information, 0, 1e-6);   // a single draw agrees with itself
    EXPECT_NE(few, image_row_predictions(m, ImagePart::test, 0));
}

TEST(ImageRows, AreCountedByTheConfusionMatrixOfTheSameDraws)
{
    const auto m     = moment_scaled();
    const auto chart = image_confusion(m, ImagePart::test, image_row_predictions(m, ImagePart::test, 0), 20);
    const auto whole = drawn("confusion", m);
    EXPECT_EQ(chart.table->rows, whole.table->rows);
    EXPECT_EQ(std::get<HeatMap>(chart.panels[0].series[0]).z, std::get<HeatMap>(whole.panels[0].series[0]).z);
    EXPECT_EQ(chart.caption, whole.caption);
}

TEST(ImageRows, RefuseAnImageThatIsNotThere)
{
    const auto m = moment_scaled();
    EXPECT_THAT([&] { image_bytes(*m.experiment, ImagePart::test, 30); },
                testing::ThrowsMessage<Error>("Image 30 was asked for, the test set has 30 images."));
}

TEST(ImageRows, RefuseDataThatAreNoImages)
{
    const auto toy = prepare(Study{});
    EXPECT_FALSE(has_images(*toy));
    EXPECT_THAT([&] { images_of(*toy, ImagePart::test); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("are no images with classes.")));
}
