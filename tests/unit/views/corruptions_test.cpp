// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/statistics.h"
#include "images/corruptions.h"
#include "prediction/scores.h"
#include "unit/charts/series_of.h"
#include "unit/views/drawn.h"
#include "views/view_support.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace credence {
namespace {

using ::testing::HasSubstr;

Study study_of_strokes(const std::string& family)
{
    Study study;
    study.name               = family;
    study.training.steps     = 60;
    study.prediction.samples = 6;
    for (const std::string& assignment :
         {std::string("data.source=strokes"), std::string("data.training_images=200"),
          std::string("data.test_images=40"), std::string("network.hidden=16"), "posterior.family=" + family})
        set_field(study, assignment);
    return study;
}

const RunSnapshot& corrupted_run()
{
    static const auto run = snapshot_of(study_of_strokes("mean_field"));
    return run;
}

const Chart& corruptions_chart()
{
    static const auto chart = drawn("corruptions", corrupted_run());
    return chart;
}

std::string cell_words(const Cell& cell) { return std::get<std::string>(cell); }
double cell_number(const Cell& cell) { return std::get<double>(cell); }

constexpr std::size_t severity_0 = 2, column_accuracy = 8, column_ece = 9, column_entropy = 10;

/// Scores of the corrupted test set, predicted at once.
ClassificationScores scores_when_corrupted(const RunSnapshot& run, Corruption kind, int severity,
                                           std::span<const std::size_t> rows)
{
    const auto& data = *run.experiment->data;
    std::vector<float> inputs;
    std::vector<int> labels;
    for (const std::size_t row : rows) {
        std::vector<float> image(data.test_inputs.begin() + static_cast<std::ptrdiff_t>(784 * row),
                                 data.test_inputs.begin() + static_cast<std::ptrdiff_t>(784 * (row + 1)));
        data.inputs.undo(image);
        auto worse = corrupted(image, *data.image, kind, severity, static_cast<std::uint32_t>(row), 1);
        data.inputs.apply(worse);
        inputs.insert(inputs.end(), worse.begin(), worse.end());
        labels.push_back(data.test.labels[row]);
    }
    const auto summary = view_support::predictive_of(run, {}).summarise(inputs, static_cast<int>(rows.size()));
    return classification_scores(class_predictions(summary), labels);
}

TEST(CorruptionsView, ListsTheScoresOfTheCorruptedTestImages)
{
    const auto& table = corruptions_chart().table.value();
    const auto rows   = evenly_spaced(40, 40);
    ASSERT_EQ(table.rows.size(), static_cast<std::size_t>(corruption_kinds));
    std::set<std::string> titles;
    for (const auto& row : table.rows) {
        ASSERT_EQ(row.size(), table.columns.size());
        titles.insert(cell_words(row[1]));
        double accuracy = 0, ece = 0, entropy = 0;
        for (int severity = 0; severity <= corruption_severities; ++severity) {
            for (int kind = 0; kind < corruption_kinds; ++kind)
                if (title_of(static_cast<Corruption>(kind)) == cell_words(row[1])) {
                    const auto scores = scores_when_corrupted(corrupted_run(), static_cast<Corruption>(kind), severity,
                                                              rows);
                    EXPECT_DOUBLE_EQ(cell_number(row[severity_0 + static_cast<std::size_t>(severity)]), scores.accuracy)
                        << cell_words(row[1]) << ", severity " << severity;
                    accuracy += severity > 0 ? scores.accuracy / 5 : 0;
                    ece += severity > 0 ? scores.ece / 5 : 0;
                    entropy += severity > 0 ? scores.mean_entropy / 5 : 0;
                }
        }
        EXPECT_NEAR(cell_number(row[column_accuracy]), accuracy, 1e-12);
        EXPECT_NEAR(cell_number(row[column_ece]), ece, 1e-9);
        EXPECT_NEAR(cell_number(row[column_entropy]), entropy, 1e-9);
    }
    EXPECT_EQ(titles.size(), static_cast<std::size_t>(corruption_kinds)) << "each kind once";
}

TEST(CorruptionsView, ListsTheWorstKindFirst)
{
    const auto& rows = corruptions_chart().table->rows;
    EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return cell_number(a[column_accuracy]) < cell_number(b[column_accuracy]);
    }));
}

TEST(CorruptionsView, DrawsTheMeanOverTheKindsAndTheirRange)
{
    const auto& chart = corruptions_chart();
    ASSERT_EQ(chart.panels.size(), 3U);
    EXPECT_EQ(chart.panels[0].y.label, "Accuracy");
    EXPECT_EQ(chart.panels[1].y.label, "Expected calibration error");
    EXPECT_EQ(chart.panels[2].y.label, "Mean predictive entropy");
    const auto line = series_of<Line>(chart.panels[0]).at(0);
    const auto band = series_of<Band>(chart.panels[0]).at(0);
    EXPECT_THAT(line.x, testing::ElementsAre(0, 1, 2, 3, 4, 5));
    for (std::size_t severity = 0; severity <= 5; ++severity) {
        double sum = 0, low = 1, high = 0;
        for (const auto& row : chart.table->rows) {
            const double accuracy = cell_number(row[severity_0 + severity]);
            sum += accuracy;
            low  = std::min(low, accuracy);
            high = std::max(high, accuracy);
        }
        EXPECT_NEAR(line.y[severity], sum / corruption_kinds, 1e-12);
        EXPECT_EQ(band.lower[severity], low);
        EXPECT_EQ(band.upper[severity], high);
    }
    EXPECT_LT(line.y[5], line.y[0]) << "corrupted digits are harder";
    EXPECT_THAT(chart.caption, HasSubstr("Rows: the test set."));
    EXPECT_THAT(chart.caption, HasSubstr("6 samples."));
}

TEST(CorruptionsView, KeepsTheNoiseOfEachImageInASubset)
{
    ViewOptions options;
    options.rows     = 7;
    const auto chart = drawn("corruptions", corrupted_run(), options);
    EXPECT_THAT(chart.caption, HasSubstr("Rows: the test set, 7 of 40 images, evenly spaced."));
    const auto rows = evenly_spaced(40, 7);
    for (const auto& row : chart.table->rows) {
        if (cell_words(row[1]) != "Impulse noise")
            continue;
        EXPECT_DOUBLE_EQ(cell_number(row[severity_0 + 5]),
                         scores_when_corrupted(corrupted_run(), Corruption::impulse_noise, 5, rows).accuracy);
    }
}

TEST(CorruptionsView, ComparesRunsOnTheSameImages)
{
    const RunSnapshot both[] = {corrupted_run(), snapshot_of(study_of_strokes("point_estimate"))};
    const auto& compare      = view("corruptions").compare;
    const auto chart         = compare(both, {}, {}).value();
    for (const auto& panel : chart.panels) {
        EXPECT_EQ(series_of<Line>(panel).size(), 2U);
        EXPECT_TRUE(series_of<Band>(panel).empty());
    }
    EXPECT_EQ(series_of<Line>(chart.panels[0])[0].y, series_of<Line>(corruptions_chart().panels[0])[0].y);
    const auto& rows = chart.table->rows;
    ASSERT_EQ(rows.size(), 2U * corruption_kinds);
    EXPECT_EQ(rows[0][1], rows[1][1]) << "the runs of one kind are neighbours";
    EXPECT_NE(rows[0][0], rows[1][0]);

    EXPECT_THAT(compare({}, {}, {})->message, HasSubstr("No run is selected"));
    const RunSnapshot odd[] = {corrupted_run(), moons()};
    EXPECT_THAT(compare(odd, {}, {})->message,
                HasSubstr("cannot be compared. Corruptions need image data with classes."));
}

TEST(CorruptionsView, NeedsImagesWithClasses)
{
    EXPECT_EQ(refusal_of("corruptions", moons()), "Corruptions need image data with classes.");
    EXPECT_EQ(refusal_of("corruptions", snapshot_of(small_study("mean_field", ToyKind::blundell_curve))),
              "Corruptions need image data with classes.");
}

TEST(CorruptionsView, StopsOnRequest)
{
    std::stop_source source;
    source.request_stop();
    ViewOptions options;
    options.rows = 3;   // not cached by another test
    EXPECT_FALSE(view("corruptions").make(corrupted_run(), options, source.get_token()));
}

}   // namespace
}   // namespace credence
