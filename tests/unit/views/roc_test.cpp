// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "prediction/scores.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "views/classification_figures.h"
#include "views/scored_predictions.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace credence;
using testing::HasSubstr;

namespace {

/// n inputs of K classes in turn; the true class has probability `sure` for most of them.
ClassPredictions drawn_predictions(int n, int K, double sure, std::vector<int>& labels)
{
    ClassPredictions out{.n_inputs = n, .n_classes = K};
    for (int i = 0; i < n; ++i) {
        labels.push_back(i % K);
        const double p = std::fmod(0.618 * i, 1.0) < 0.9 ? sure : 0.5 / K;
        for (int k = 0; k < K; ++k)
            out.mean.push_back(k == i % K ? p : (1 - p) / (K - 1));
    }
    return out;
}

std::vector<std::string> class_names(int K)
{
    std::vector<std::string> out;
    for (int k = 0; k < K; ++k)
        out.push_back("class " + std::to_string(k));
    return out;
}

}   // namespace

TEST(RocFigure, DrawsEachClassTheMeanAndTheDiagonal)
{
    std::vector<int> labels;
    const auto p     = drawn_predictions(90, 3, 0.6, labels);
    const auto chart = to_chart(roc_figure(p, labels, class_names(3)));
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 4u);
    EXPECT_EQ(lines[3].name, "Mean");
    EXPECT_EQ(series_of<Rule>(chart.panels[0]).at(0).direction, Rule::Direction::diagonal);
    const auto roc = one_against_all(p, labels);
    EXPECT_EQ(lines[1].name, "class 1: " + fixed_text(roc.classes[1]->area, 4));
    EXPECT_EQ(chart.panels[0].title, "Mean AUROC " + fixed_text(roc.mean->area, 4));
    EXPECT_THAT(chart.caption, HasSubstr("Lowest: class 0 ("));
}

TEST(RocFigure, EnlargesTheCornerOfGoodCurves)
{
    std::vector<int> labels;
    auto good         = drawn_predictions(600, 3, 0.9, labels);
    const auto corner = to_chart(roc_figure(good, labels, class_names(3)));
    ASSERT_EQ(corner.panels.size(), 2u);
    EXPECT_LT(corner.panels[1].x.range->second, 0.6);
    EXPECT_GT(corner.panels[1].y.range->first, 0.4);
    EXPECT_TRUE(series_of<Rule>(corner.panels[1]).empty());
    for (int i = 0; i < good.n_inputs; ++i)   // no better than chance
        labels[static_cast<std::size_t>(i)] = (i / 3) % 3;
    EXPECT_EQ(to_chart(roc_figure(good, labels, class_names(3))).panels.size(), 1u);
}

TEST(RocFigure, OfTwoClassesStatesThatTheirCurvesMirrorEachOther)
{
    std::vector<int> labels;
    const auto p = drawn_predictions(40, 2, 0.75, labels);
    EXPECT_THAT(to_chart(roc_figure(p, labels, class_names(2))).caption, HasSubstr("mirror each other"));
}

TEST(RocFigure, CountsClassesWithoutInputs)
{
    std::vector<int> labels;
    const auto p = drawn_predictions(40, 4, 0.75, labels);
    for (auto& label : labels)
        label %= 3;
    const auto chart = to_chart(roc_figure(p, labels, class_names(4)));
    EXPECT_THAT(chart.caption, HasSubstr("1 class has no inputs and no curve."));
    EXPECT_EQ(series_of<Line>(chart.panels.at(0)).size(), 4u);
}

TEST(RocFigure, OfManyClassesDoesNotDistinguishThemByColour)
{
    std::vector<int> labels;
    const auto p     = drawn_predictions(200, 20, 0.75, labels);
    const auto lines = series_of<Line>(to_chart(roc_figure(p, labels, class_names(20))).panels.at(0));
    EXPECT_EQ(lines.size(), 21u);
    EXPECT_EQ(lines[7].tone.kind, Tone::Kind::muted);
    EXPECT_EQ(lines[7].name, "");
}

TEST(RocFigure, OfVeryManyClassesDrawsTheWorstAloneAndIsBounded)
{
    std::vector<int> labels;
    constexpr int K = 120;
    auto p          = drawn_predictions(30 * K, K, 0.75, labels);
    for (std::size_t i = 0; i < p.mean.size(); ++i)   // scores that differ, so that curves have many corners
        p.mean[i] += 0.3 * std::fmod(0.7548776662466927 * static_cast<double>(i), 1.0);
    const auto figure = roc_figure(p, labels, class_names(K));
    const auto chart  = to_chart(figure);
    const auto lines  = series_of<Line>(chart.panels.at(0));
    ASSERT_EQ(lines.size(), 11u);
    std::vector<double> areas;
    for (const auto& curve : figure.roc.classes)
        areas.push_back(curve->area);
    std::sort(areas.begin(), areas.end());
    for (std::size_t i = 0; i < 10; ++i) {
        EXPECT_THAT(lines[i].name, testing::EndsWith(": " + fixed_text(areas[i], 4)));
        EXPECT_LE(lines[i].x.size(), 200u);
    }
    EXPECT_EQ(lines[10].name, "Mean");
    EXPECT_LE(lines[10].x.size(), 800u);
    EXPECT_THAT(chart.caption,
                HasSubstr("Of 120 curves the 10 with the smallest areas are drawn, and the mean of all."));
}

TEST(RocFigure, StatesWhyItIsEmpty)
{
    EXPECT_THAT(to_chart(roc_figure({.n_classes = 2}, {}, class_names(2))).message, HasSubstr("no labelled inputs"));
    std::vector<int> labels;
    const auto p = drawn_predictions(4, 2, 0.8, labels);
    EXPECT_THAT(to_chart(roc_figure(p, std::vector<int>{1, 1, 1, 1}, class_names(2))).message,
                HasSubstr("belong to one class"));
}

TEST(ThinLine, KeepsShortLinesUnchanged)
{
    std::vector<double> x{0, 1, 2}, y{0, 5, 0};
    EXPECT_EQ(thin_line(x, y), 0);
    EXPECT_EQ(x.size(), 3u);
}

TEST(ThinLine, StaysWithinItsToleranceAndKeepsTheEnds)
{
    std::vector<double> x, y;
    for (int i = 0; i <= 20000; ++i) {
        x.push_back(i / 20000.0);
        y.push_back(std::sin(9 * x.back()) + 2e-4 * std::sin(4000 * x.back()));
    }
    const auto whole_x = x, whole_y = y;
    const double tolerance = thin_line(x, y, 300, 1e-4);
    EXPECT_LE(x.size(), 300u);
    EXPECT_EQ(x.front(), 0);
    EXPECT_EQ(x.back(), 1);
    std::size_t j = 1;
    for (std::size_t i = 0; i < whole_x.size(); ++i) {
        while (x[j] < whole_x[i])
            ++j;
        const double drawn = y[j - 1] + (y[j] - y[j - 1]) * (whole_x[i] - x[j - 1]) / (x[j] - x[j - 1]);
        EXPECT_NEAR(drawn, whole_y[i],
                    2 * 10 * tolerance);   // seen along y; the steepest piece rises 9 over 1, y is 2 high
    }
}

TEST(ThinLine, KeepsCornersExactly)
{
    std::vector<double> x, y;
    for (int i = 0; i <= 5000; ++i) {
        x.push_back(0);
        y.push_back(i / 5000.0);
    }
    for (int i = 1; i <= 5000; ++i) {
        x.push_back(i / 5000.0);
        y.push_back(1);
    }
    thin_line(x, y);
    EXPECT_THAT(x, testing::ElementsAre(0, 0, 1));
    EXPECT_THAT(y, testing::ElementsAre(0, 1, 1));
}

namespace credence {

namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

/// Up to `height` at no false positive, and straight on: area (1 + height)/2.
RocCurve rises_to(double height)
{
    return {.false_positive = {0, 0, 1},
            .true_positive  = {0, height, 1},
            .area           = (1 + height) / 2,
            .positives      = 1,
            .negatives      = 1};
}

TEST(RocOverlay, OfSingleRunsHasTheirCurvesAndAreas)
{
    const auto chart = overlay_of_rocs(std::vector<RocOfRuns>{{"first", {rises_to(0.5)}}, {"second", {rises_to(0.8)}}});
    EXPECT_EQ(chart.id, "overlay_roc");
    ASSERT_THAT(chart.panels, SizeIs(1));
    const auto lines = series_of<Line>(chart.panels[0]);
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_EQ(lines[0].name, "first: 0.7500");
    EXPECT_EQ(lines[1].name, "second: 0.9000");
    EXPECT_EQ(lines[1].tone, category(1));
    EXPECT_THAT(lines[0].x, ElementsAre(0, 0, 1));
    EXPECT_THAT(lines[0].y, ElementsAre(0, 0.5, 1));
    EXPECT_THAT(chart.table->columns, SizeIs(2));
    EXPECT_NEAR(std::get<double>(chart.table->rows.at(1).at(1)), 0.9, 1e-12);
}

TEST(RocOverlay, OfSeedsHasTheMeanCurveAndTheSpreadOfTheAreas)
{
    const auto chart = overlay_of_rocs(std::vector<RocOfRuns>{{"a", {rises_to(0.4), rises_to(0.8)}}, {"empty", {}}});
    const auto lines = series_of<Line>(chart.panels.at(0));
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_THAT(lines[0].y, ElementsAre(0, DoubleNear(0.6, 1e-12), 1));
    EXPECT_EQ(lines[0].name, "a: 0.8000 ± 0.1414");   // areas 0.7 and 0.9
    ASSERT_THAT(chart.table->rows, SizeIs(1));
    EXPECT_EQ(chart.table->rows[0].at(1), Cell(2L));
    EXPECT_NEAR(std::get<double>(chart.table->rows[0].at(3)), std::sqrt(0.02), 1e-12);
    EXPECT_THAT(chart.caption, HasSubstr("mean over the seeds ± standard deviation"));
}

TEST(RocOverlay, EnlargesTheCornerThatContainsAllCurves)
{
    const auto chart = overlay_of_rocs(std::vector<RocOfRuns>{{"good", {rises_to(0.999)}}, {"fair", {rises_to(0.92)}}});
    ASSERT_THAT(chart.panels, SizeIs(2));
    EXPECT_EQ(chart.columns, 2);
    EXPECT_LE(chart.panels[1].y.range->first, 0.9);
    EXPECT_THAT(series_of<Rule>(chart.panels[1]), SizeIs(0));
    EXPECT_THAT(series_of<Line>(chart.panels[1]), SizeIs(2));
}

TEST(RocOverlay, WithoutRunsStatesWhatToDo)
{
    EXPECT_EQ(overlay_of_rocs({}).message, "No run is selected. Tick the runs to overlay.");
}

TEST(MeanOfUncertainties, AveragesNumbersAndDistributionFunctions)
{
    OodFigure a, b;
    a.numbers.auroc_entropy = 0.6;
    b.numbers.auroc_entropy = 0.8;
    a.numbers.n_out = b.numbers.n_out = 7;
    a.at = b.at = {0, 1};
    a.in_cdf = a.out_cdf = {0, 1};
    b.in_cdf             = {0.5, 1};
    b.out_cdf            = {1, 1};
    const auto mean      = mean_of_uncertainties(std::vector{a, b});
    EXPECT_NEAR(mean.numbers.auroc_entropy, 0.7, 1e-12);
    EXPECT_EQ(mean.numbers.n_out, 7);
    EXPECT_THAT(mean.in_cdf, ElementsAre(DoubleNear(0.25, 1e-12), DoubleNear(1, 1e-12)));
    EXPECT_THAT(mean.out_cdf, ElementsAre(DoubleNear(0.5, 1e-12), DoubleNear(1, 1e-12)));
}

using ::testing::StartsWith;

TEST(RocView, OfSeveralRunsDrawsTheMeanCurveOfEachWithItsArea)
{
    const std::vector<RunSnapshot> runs{short_snapshot("one", ToyKind::two_moons),
                                        short_snapshot("two", ToyKind::two_moons, 7)};
    const auto chart = view("roc").compare(runs, {}, {}).value();
    EXPECT_EQ(chart.message, "");
    ASSERT_TRUE(chart.table);
    ASSERT_EQ(chart.table->rows.size(), 2u);
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto scored = scored_predictions(runs[r], {}, {});
        const auto roc    = one_against_all(scored->set.classes, scored->labels);
        EXPECT_EQ(std::get<double>(chart.table->rows[r].at(1)), roc.mean->area);
        const auto& line = std::get<Line>(chart.panels.at(0).series.at(r + 1));   // after the diagonal
        EXPECT_EQ(line.name, (r == 0 ? "one: " : "two: ") + fixed_text(roc.mean->area, 4));
        EXPECT_EQ(line.tone, category(static_cast<int>(r)));
    }
    EXPECT_THAT(chart.caption, HasSubstr("Rows: Two moons"));
}

TEST(RocView, ARunWithOtherDataIsNamed)
{
    const auto& roc   = view("roc");
    const auto number = roc.compare(
        std::vector{short_snapshot("classes", ToyKind::two_moons), short_snapshot("numbers", ToyKind::blundell_curve)},
        {}, {});
    EXPECT_THAT(number->message, StartsWith("Run \"numbers\" cannot be compared. This view needs classes"));
    const auto rings = roc.compare(
        std::vector{short_snapshot("moons", ToyKind::two_moons), short_snapshot("rings", ToyKind::circles)}, {}, {});
    EXPECT_THAT(rings->message, StartsWith("Run \"rings\" cannot be compared. It was evaluated on"));
    EXPECT_EQ(roc.compare({}, {}, {})->message, "No run is selected. Tick the runs to overlay.");
}

TEST(TrainingCurvesView, ReportsTheRoughnessOfTheLoss)
{
    auto run     = moons();
    auto history = std::make_shared<TrainingHistory>(3);
    for (int i = 0; i < 3; ++i) {
        (*history)[i].step      = 10 * (i + 1);
        (*history)[i].data_loss = i == 1 ? 2 : 1;
    }
    run.history = history;   // a chord of 1 below a loss of 2: 68.2 %
    EXPECT_THAT(drawn("training_curves", run).caption, HasSubstr("Roughness of the data loss: 68 %."));
    const auto both = view("training_curves").compare(std::vector{run, run}, {}, {}).value();
    EXPECT_THAT(both.caption, HasSubstr("Roughness of the data loss: "));
    history->resize(2);
    EXPECT_THAT(drawn("training_curves", run).caption, ::testing::Not(HasSubstr("Roughness")));
}

}   // namespace

}   // namespace credence
