// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "prediction/scores.h"
#include "runs/other_data.h"
#include "study/study.h"
#include "views/classification_figures.h"
#include "views/scored_predictions.h"
#include "views/views.h"

#include "unit/views/drawn.h"

#include <gmock/gmock.h>

#include <cmath>
#include <thread>

using namespace credence;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

Study stroke_study(const std::string& family = "layer_scale")
{
    Study study;
    study.name                        = "strokes";
    study.data.source                 = DataSource::strokes;
    study.data.images.training_images = 300;
    study.data.images.test_images     = 120;
    study.network.hidden              = {24};
    study.posterior.family            = family;
    study.training.steps              = 60;
    study.training.optimizer.kind     = OptimizerKind::adam;
    study.training.kl_weight          = 0.001;
    study.prediction.samples          = 12;
    return study;
}

/// A dense network on stroke digits.
const RunSnapshot& stroke_snapshot()
{
    static const auto run = snapshot_of(stroke_study());
    return run;
}

/// A small convolutional network, few steps.
const RunSnapshot& convolutional()
{
    static const auto run = [] {
        Study study          = stroke_study("tridiagonal");
        study.network.kind   = NetworkKind::layers;
        study.network.layers = "conv 4 5, max 4, dense 12, relu";
        study.training.steps = 10;
        return snapshot_of(study);
    }();
    return run;
}

Study moons_study()
{
    Study study;
    study.data.toy.n         = 60;
    study.network.hidden     = {8};
    study.training.steps     = 20;
    study.prediction.samples = 10;
    return study;
}

std::vector<Picture> pictures_of(const Panel& panel)
{
    for (const auto& series : panel.series)
        if (const auto* pictures = std::get_if<Pictures>(&series))
            return pictures->pictures;
    return {};
}

}   // namespace

TEST(ViewsOfImages, AllMakeAChartAboutImages)
{
    for (const auto* run : {&stroke_snapshot(), &convolutional()}) {
        int made = 0;
        for (const auto& v : views()) {
            if (!v.applies(*run->experiment))
                continue;
            const auto chart = v.make(*run, {}, {}).value();
            SCOPED_TRACE(v.id);
            EXPECT_EQ(chart.id, v.id);
            if (!chart.message.empty())
                continue;
            ++made;
            EXPECT_THAT(chart.caption, HasSubstr("(300 training and 120 test images)"));
            EXPECT_FALSE(data_table(chart).columns.empty());
            EXPECT_FALSE(to_latex(chart).empty());
        }
        EXPECT_GE(made, 5);
    }
}

TEST(ViewsOfImages, ListTheLayersOfAConvolutionalNetwork)
{
    EXPECT_THAT(drawn("layers", convolutional()).caption,
                HasSubstr("Network: conv 4 5, max 4, dense 12, relu, dense 10."));
    EXPECT_THAT(drawn("layers", stroke_snapshot()).caption, HasSubstr("Network: 784–24–10, ReLU."));
}

TEST(ViewsOfImages, ShowTheChosenImageNextToItsBoxplotsAndIntervals)
{
    ViewOptions options;
    options.input.row = 3;
    for (const char* id : {"boxplots", "intervals"}) {
        const auto chart = drawn(id, stroke_snapshot(), options);
        ASSERT_EQ(chart.panels.size(), 2u) << id;
        const auto picture = pictures_of(chart.panels[0]).at(0);
        EXPECT_THAT(picture.caption, StartsWith("test image 3\ntrue class "));
        EXPECT_EQ(picture.columns, 28);
        const auto& data = *stroke_snapshot().experiment->data;
        for (std::size_t j = 0; j < 784; ++j)
            EXPECT_NEAR(picture.pixels[j], data.test_inputs[3 * 784 + j] * 256, 1e-3);
    }
    options.input.with_picture = false;
    EXPECT_EQ(drawn("boxplots", stroke_snapshot(), options).panels.size(), 1u);
}

TEST(KernelsView, ShowsTauAndRhoOfTheFirstLayer)
{
    const auto chart = drawn("kernels", convolutional());
    ASSERT_EQ(chart.panels.size(), 2u);
    EXPECT_EQ(chart.panels[0].title, "conv 1 weights, mean");
    EXPECT_THAT(chart.panels[1].title, testing::AllOf(HasSubstr("τ"), HasSubstr("ρ")));
    EXPECT_THAT(chart.caption, HasSubstr("The 4 kernels of the first layer"));
}

TEST(KernelsView, OfAPointEstimateHasOneColumn)
{
    EXPECT_EQ(drawn("kernels", snapshot_of(stroke_study("point_estimate"))).panels.size(), 1u);
}

TEST(CertainButWrongView, AgreesWithTheCountsOfTheTable)
{
    const auto& run   = stroke_snapshot();
    const auto scored = scored_predictions(run, {}, {});
    ASSERT_TRUE(scored);
    const auto correct = correct_each(scored->set.classes, scored->labels);
    long either = 0, by_overlap = 0;
    for (std::size_t i = 0; i < correct.size(); ++i) {
        by_overlap += !correct[i] && scored->at_level().disjoint[i];
        either += !correct[i] && (scored->at_level().disjoint[i] || scored->at_level().probable[i]);
    }
    EXPECT_EQ(by_overlap, certainty_table(scored->set, scored->labels).rows.at(0).counts.certain_wrong);
    const auto chart = drawn("certain_but_wrong", run);
    if (either == 0)
        EXPECT_THAT(chart.message, HasSubstr("None of the 120 images"));
    else
        EXPECT_EQ(pictures_of(chart.panels.at(0)).size(), std::min<std::size_t>(24, static_cast<std::size_t>(either)));
}

TEST(ImageListView, IsSortedByItsMeasure)
{
    const auto chart  = drawn("image_list", stroke_snapshot());
    const auto scored = scored_predictions(stroke_snapshot(), {}, {});
    const auto shown  = pictures_of(chart.panels.at(0));
    ASSERT_EQ(shown.size(), 8u);
    const auto highest = std::max_element(scored->set.classes.entropy.begin(), scored->set.classes.entropy.end());
    const auto row     = scored->rows[static_cast<std::size_t>(highest - scored->set.classes.entropy.begin())];
    for (std::size_t j = 0; j < 784; ++j)
        EXPECT_NEAR(shown[0].pixels[j], stroke_snapshot().experiment->data->test_inputs[row * 784 + j] * 256, 1e-3);
    EXPECT_THAT(chart.panels[0].title, StartsWith("Most uncertain"));
}

TEST(OutOfDistributionView, ComparesTheStudysDataWithTheirPartner)
{
    const auto chart = drawn("out_of_distribution", stroke_snapshot());
    EXPECT_EQ(chart.table->columns.at(1).name, "Stroke digits, test set");
    EXPECT_EQ(chart.table->columns.at(2).name, "Stroke letters");
    EXPECT_EQ(chart.panels.size(), 4u);
    EXPECT_GT(std::get<double>(chart.table->rows.at(1).at(3)), 0.5);   // letters are more uncertain than digits
}

TEST(OutOfDistributionView, OfToysUsesPointsBeyondTheData)
{
    const auto run   = snapshot_of(moons_study());
    const auto chart = drawn("out_of_distribution", run);
    EXPECT_EQ(chart.panels.size(), 2u);
    EXPECT_THAT(chart.caption, HasSubstr("points beyond the data"));
}

TEST(OtherData, OfAToyAreOutsideItsBoxAndWithinThreeTimesItsSize)
{
    const auto experiment = prepare(moons_study());
    const auto other      = other_data(experiment);
    const auto points     = experiment->data->inputs.undone(other->inputs);
    const auto& training  = experiment->data->training;
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (std::size_t i = 0; i < training.n_rows; ++i)
        for (std::size_t j = 0; j < 2; ++j) {
            low[j]  = std::min(low[j], training.row(i)[j]);
            high[j] = std::max(high[j], training.row(i)[j]);
        }
    ASSERT_EQ(points.size(), 2 * other->n);
    for (std::size_t i = 0; i < other->n; ++i) {
        bool inside = true;
        for (std::size_t j = 0; j < 2; ++j) {
            const double x = points[2 * i + j], width = high[j] - low[j];
            EXPECT_GE(x, low[j] - 1.001 * width);
            EXPECT_LE(x, high[j] + 1.001 * width);
            inside = inside && x > low[j] + 1e-4 * width && x < high[j] - 1e-4 * width;
        }
        EXPECT_FALSE(inside) << "point " << i;
    }
    EXPECT_EQ(other_data(experiment), other);   // kept
}

TEST(OtherData, OfSomeClassesAreTheClassesLeftOut)
{
    Study study                    = stroke_study();
    study.data.images.only_classes = {0, 1, 2};
    const auto experiment          = prepare(study);
    const auto other               = other_data(experiment);
    EXPECT_THAT(other->name, StartsWith("other classes of "));
    EXPECT_EQ(other->n, 120u - experiment->data->test.n_rows);
}

TEST(OtherData, ThatDoNotExistAreRejectedAtTheirField)
{
    Study study                 = stroke_study();
    study.prediction.other_data = "no-such-set";
    try {
        other_data(prepare(study));
        FAIL() << "nothing was refused";
    } catch (const Error& error) {
        EXPECT_EQ(error.field(), "prediction.other_data");
        EXPECT_THAT(error.what(), HasSubstr("no-such-set"));
    }
}

TEST(ScoredPredictions, AreMadeOnceForAllPagesOfASnapshot)
{
    const auto first = scored_predictions(stroke_snapshot(), {}, {});
    EXPECT_EQ(scored_predictions(stroke_snapshot(), {}, {}), first);
    ViewOptions fewer;
    fewer.samples = 5;
    EXPECT_NE(scored_predictions(stroke_snapshot(), fewer, {}), first);
    RunSnapshot again = stroke_snapshot();
    again.snapshot    = std::make_shared<Snapshot>(*stroke_snapshot().snapshot);
    EXPECT_NE(scored_predictions(again, {}, {}), first);
}

TEST(ScoredPredictions, OfFewerRowsAreEvenlyOverTheSetAndStateHowMany)
{
    ViewOptions options;
    options.rows    = 30;
    const auto some = scored_predictions(stroke_snapshot(), options, {}),
               all  = scored_predictions(stroke_snapshot(), {}, {});
    EXPECT_EQ(some->name, "test set, 30 of 120");
    EXPECT_EQ(all->name, "test set");
    ASSERT_EQ(some->rows.size(), 30u);
    for (std::size_t i = 0; i < 30; ++i) {
        EXPECT_EQ(some->rows[i], 4 * i);
        EXPECT_EQ(some->labels[i], all->labels[4 * i]);
        for (int k = 0; k < 10; ++k)
            EXPECT_NEAR(some->set.classes.mean_of(static_cast<int>(i))[static_cast<std::size_t>(k)],
                        all->set.classes.mean_of(static_cast<int>(4 * i))[static_cast<std::size_t>(k)], 1e-5);
    }
    EXPECT_THAT(drawn("roc", stroke_snapshot(), options).caption, HasSubstr("Rows: the test set, 30 of 120."));
}

TEST(ScoredPredictions, AskedByManyThreadsAreOne)
{
    ViewOptions options;
    options.samples = 7;
    std::vector<std::shared_ptr<const ScoredPredictions>> found(4);
    {
        std::vector<std::jthread> threads;
        for (auto& slot : found)
            threads.emplace_back([&slot, &options] { slot = scored_predictions(stroke_snapshot(), options, {}); });
    }
    for (const auto& each : found)
        EXPECT_EQ(each, found.front());
    EXPECT_TRUE(found.front());
}

TEST(ScoredPredictions, ThatWereStoppedAreMadeAnew)
{
    ViewOptions options;
    options.samples = 9;
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(scored_predictions(stroke_snapshot(), options, source.get_token()));
    EXPECT_TRUE(scored_predictions(stroke_snapshot(), options, {}));
}
