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
RunSnapshot snapshot_scaled(PixelScaling scaling = PixelScaling::divide_256)
{
    auto experiment                      = std::make_shared<Experiment>();
    experiment->data                     = std::make_shared<SplitData>(to_split(some_digits(), scaling));
    experiment->study.prediction.samples = 20;
    experiment->study.prediction.level   = 0.5;
    const Architecture architecture      = mlp(28 * 28, {12}, 10);
    experiment->model                    = {architecture, Likelihood::categorical(), true};
    const auto layout                    = layout_of(architecture);
    experiment->start                    = make_posterior<float>(layout, {.family = "mean_field", .initial_sd = 0.05},
                                              initial_weights(layout, Initialisation::he, 4));
    auto snapshot                        = std::make_shared<Snapshot>();
    snapshot->posterior                  = experiment->start;
    return {experiment, snapshot, nullptr};
}

}   // namespace

TEST(ImageRows, RecoverTheBytesOfEveryImageForAnyScaling)
{
    const auto data = some_digits();
    for (const auto scaling : {PixelScaling::divide_256, PixelScaling::divide_255, PixelScaling::divide_126}) {
        const auto m = snapshot_scaled(scaling);
        for (std::size_t i = 0; i < data.test.n; ++i)
            EXPECT_THAT(image_bytes(*m.experiment, ImagePart::test, i), testing::ElementsAreArray(data.test.image(i)));
        for (std::size_t i = 0; i < data.training.n; ++i)
            EXPECT_THAT(image_bytes(*m.experiment, ImagePart::training, i),
                        testing::ElementsAreArray(data.training.image(i)));
    }
}

TEST(ImageRows, PredictEveryImageOfAPart)
{
    const auto m = snapshot_scaled();
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
    const auto m   = snapshot_scaled();
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

TEST(ImageRows, UseTheRequestedNumberOfSamples)
{
    const auto m   = snapshot_scaled();
    const auto few = image_row_predictions(m, ImagePart::test, 1);
    for (const auto& row : few)
        EXPECT_NEAR(row.mutual_information, 0, 1e-6);   // a single draw agrees with itself
    EXPECT_NE(few, image_row_predictions(m, ImagePart::test, 0));
}

TEST(ImageRows, AreCountedByTheConfusionMatrixOfTheSameSamples)
{
    const auto m     = snapshot_scaled();
    const auto chart = image_confusion(m, ImagePart::test, image_row_predictions(m, ImagePart::test, 0), 20);
    const auto whole = drawn("confusion", m);
    EXPECT_EQ(chart.table->rows, whole.table->rows);
    EXPECT_EQ(std::get<HeatMap>(chart.panels[0].series[0]).z, std::get<HeatMap>(whole.panels[0].series[0]).z);
    EXPECT_EQ(chart.caption, whole.caption);
}

namespace {

/// Digits of three classes, so that the others are out of distribution.
std::shared_ptr<const Experiment> three_classes()
{
    Study study;
    study.data.source                 = DataSource::strokes;
    study.data.images.training_images = 60;
    study.data.images.test_images     = 40;
    study.data.images.only_classes    = {0, 1, 2};
    study.network.hidden              = {8};
    study.prediction.samples          = 10;
    return prepare(study);
}

}   // namespace

TEST(OodImages, ArePredictedAndChosenLikeTheOthers)
{
    const auto experiment = three_classes();
    auto snapshot         = std::make_shared<Snapshot>();
    snapshot->posterior   = experiment->start;
    const RunSnapshot m{experiment, snapshot, nullptr};
    ASSERT_TRUE(has_ood_images(*experiment));
    const auto ood    = ood_images(experiment);
    const auto images = images_of(*experiment, ImagePart::ood, ood.get());
    EXPECT_THAT(images.name, testing::StartsWith("other classes of "));
    EXPECT_EQ(images.data->n_rows, 40 - experiment->data->test.n_rows);
    ASSERT_EQ(images.data->labels.size(), images.data->n_rows);
    EXPECT_EQ(images.inputs.size(), images.data->n_rows * 784);

    const std::vector<std::uint32_t> some{4, 0};
    const auto rows = image_row_predictions(m, ImagePart::ood, some, 0, {}, ood.get());
    ASSERT_EQ(rows.size(), 2U);
    const auto chosen = other_input(*experiment, *ood->other, 4);
    EXPECT_EQ(chosen.name, "image 4 of " + images.name + " (class "
                               + images.data->class_names[static_cast<std::size_t>(images.data->labels[4])] + ")");
    EXPECT_THAT(image_bytes(*experiment, ImagePart::ood, 4, ood.get()), testing::ElementsAreArray(chosen.input));
    ViewOptions options;
    options.input.values = chosen.input;
    options.input.name   = chosen.name;
    const auto verdict   = drawn("verdict", m, options);
    EXPECT_EQ(verdict.caption.find("Prediction for " + chosen.name), 0U) << verdict.caption;
    ASSERT_TRUE(verdict.table);
    for (const auto& line : verdict.table->rows)
        if (std::get<std::string>(line[0]) == "Predictive entropy") {
            EXPECT_NEAR(std::get<double>(line[1]), static_cast<double>(rows[0].entropy), 1e-5);
        }
    EXPECT_THAT([&] { other_input(*experiment, *ood->other, 1000); },
                testing::ThrowsMessage<Error>("Row 1000 was requested, but " + images.name + " has rows 0 to "
                                              + std::to_string(images.data->n_rows - 1) + "."));
    EXPECT_THAT([&] { images_of(*experiment, ImagePart::ood); },
                testing::ThrowsMessage<Error>("The OOD images are not loaded yet."));
}

TEST(OodInput, OfATableIsAPointInItsOwnUnits)
{
    const auto experiment = prepare(Study{});
    const auto other      = other_data(experiment);
    const auto chosen     = other_input(*experiment, *other, 7);
    EXPECT_EQ(chosen.name, "row 7 of points beyond the data");
    const auto point = experiment->data->inputs.undone(std::span(other->inputs).subspan(14, 2));
    EXPECT_THAT(chosen.input, testing::ElementsAre(point[0], point[1]));
    EXPECT_FALSE(has_ood_images(*experiment));
}

TEST(OwnPicture, IsPreparedLikeTheTrainingImagesAndStatesHow)
{
    const auto experiment = three_classes();
    const auto ground     = training_ground(*experiment);
    EXPECT_EQ(ground, 0) << "the program draws white on black";
    std::vector<std::uint8_t> page(56 * 56, 255);   // a dark square on a light page
    for (std::size_t y = 20; y < 36; ++y)
        std::fill_n(page.begin() + static_cast<std::ptrdiff_t>(56 * y + 20), 16, std::uint8_t{0});
    const auto made = picture_input(*experiment, page, {1, 56, 56}, "dot.png", ground);
    EXPECT_EQ(made.input.name, "picture dot.png, inverted");
    EXPECT_EQ(made.note(), "resized from 56 × 56, inverted: the training images are light on dark");
    ASSERT_EQ(made.input.input.size(), 784U);
    EXPECT_EQ(made.input.input[0], 0);
    EXPECT_EQ(made.input.input[14 * 28 + 14], 255);
    const auto back = inverted(made);
    EXPECT_EQ(back.input.name, "picture dot.png");
    EXPECT_EQ(back.note(), "resized from 56 × 56, not inverted as you chose");
    EXPECT_EQ(back.input.input, picture_input(*experiment, page, {1, 56, 56}, "dot.png", ground, false).input.input);
    const std::vector<std::uint8_t> black(784);
    EXPECT_EQ(picture_input(*experiment, black, {1, 28, 28}, "night.png", ground).note(),
              "not resized, not inverted: like it, the training images are light on dark");
    EXPECT_THAT(
        [] {
        picture_input(*prepare(Study{}), std::vector<std::uint8_t>(4), {1, 2, 2}, "a.png", {});
        },
        testing::ThrowsMessage<Error>(
            testing::StartsWith("Pictures can be inputs only of networks trained on images")));
}

TEST(ImageRows, RejectAMissingImage)
{
    const auto m = snapshot_scaled();
    EXPECT_THAT([&] { image_bytes(*m.experiment, ImagePart::test, 30); },
                testing::ThrowsMessage<Error>("Image 30 was requested, the test set has 30 images."));
}

TEST(ImageRows, RejectDataWithoutImages)
{
    const auto toy = prepare(Study{});
    EXPECT_FALSE(has_images(*toy));
    EXPECT_THAT([&] { images_of(*toy, ImagePart::test); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("are not images with classes.")));
}
