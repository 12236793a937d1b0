// SPDX-License-Identifier: GPL-3.0-or-later
#include "unit/study/image_studies.h"
#include "unit/views/drawn.h"
#include "views/scores.h"

#include <gmock/gmock.h>

using namespace credence;
using ::testing::HasSubstr;

namespace {

/// A few digits with a small network, some of them used for validation.
const RunSnapshot& with_validation()
{
    static const auto snapshot = [] {
        Study study = with(Study{}, {"data.source=strokes", "data.training_images=120", "data.test_images=30",
                                     "data.validation_images=40", "network.kind=mlp", "network.hidden=8",
                                     "posterior.family=point_estimate", "training.batch_size=20", "training.steps=20"});
        study.name  = "validated";
        return snapshot_of(study);
    }();
    return snapshot;
}

std::vector<std::string> names_of_lines(const Chart& chart)
{
    std::vector<std::string> names;
    for (const auto& series : chart.panels.at(0).series)
        names.push_back(std::get<Line>(series).name);
    return names;
}

}   // namespace

TEST(ErrorCurves, OfOneRunAreNamedByTheSetThatTheyAreAbout)
{
    EXPECT_THAT(names_of_lines(drawn("overlay_training_curves", moons())), ::testing::ElementsAre("training", "test"));
    EXPECT_THAT(names_of_lines(drawn("overlay_training_curves", with_validation())),
                ::testing::ElementsAre("training", "validation"));
}

TEST(ErrorCurves, OfSeveralRunsAreInOnePanelWithTheSettingOfEach)
{
    const auto chart = view("overlay_training_curves").compare(std::vector{moons(), with_validation()}, {}, {}).value();
    EXPECT_EQ(chart.id, "overlay_training_curves");
    ASSERT_EQ(chart.panels.size(), 1u);
    EXPECT_THAT(names_of_lines(chart), ::testing::ElementsAre("small, training", "small, test", "validated, training",
                                                              "validated, validation"));
    EXPECT_THAT(chart.caption, HasSubstr("Two moons"));
    EXPECT_THAT(chart.caption, HasSubstr("80 training, 40 validation and 30 test images"));
    ViewOptions options;
    options.curves = {CurveQuantity::kl, true};
    const auto kl =
        view("overlay_training_curves").compare(std::vector{moons(), with_validation()}, options, {}).value();
    EXPECT_THAT(names_of_lines(kl), ::testing::ElementsAre("small"));   // a point estimate has none
    EXPECT_TRUE(kl.panels[0].y.logarithmic);
    EXPECT_THAT(drawn("overlay_training_curves", with_validation(), options).message, HasSubstr("variational methods"));
}

TEST(Validation, IsScoredNextToTheTestSetAndBothAreNamed)
{
    const auto& run  = with_validation();
    const auto chart = drawn("scores", run);
    ASSERT_TRUE(chart.table);
    EXPECT_EQ(chart.table->columns.at(1).name, "Validation set");
    EXPECT_EQ(chart.table->columns.at(2).name, "Test set");
    EXPECT_EQ(chart.table->rows.at(0), (std::vector<Cell>{std::string("Inputs"), 40L, 30L, std::string()}));
    EXPECT_THAT(chart.caption, HasSubstr("Scores on the validation set, and on the test set of 30 rows."));
    const auto validation = scores(run), test = final_test_scores(run);
    EXPECT_EQ(chart.table->rows.at(1).at(1), validation.rows.at(1).at(1));
    EXPECT_EQ(chart.table->rows.at(1).at(2), test.rows.at(1).at(1));
    EXPECT_TRUE(final_test_scores(moons()).rows.empty());
}

TEST(Validation, OfAComparisonHasItsOwnRows)
{
    const auto table = compare_scores(std::vector{moons(), with_validation()})->table.value();
    const auto row   = [&](const std::string& name) {
        for (const auto& one : table.rows)
            if (one.front() == Cell(name))
                return one;
        return std::vector<Cell>();
    };
    ASSERT_FALSE(row("Inputs").empty());
    EXPECT_EQ(row("Inputs").at(2), Cell(30L));
    ASSERT_FALSE(row("Inputs, validation set").empty());
    EXPECT_EQ(row("Inputs, validation set").at(2), Cell(40L));
    EXPECT_EQ(row("Inputs, validation set").at(1), Cell(std::string()));
}

TEST(Validation, ScoresOfOneSetAloneLeaveTheOtherCellEmpty)
{
    const Table one{.columns = {}, .rows = {{std::string("Inputs"), 4L, std::string()}}};
    const Table two{.columns = {},
                    .rows = {{std::string("Inputs"), 5L, std::string()}, {std::string("AUROC"), 0.5, std::string()}}};
    const auto both = scores_side_by_side(one, two).rows;
    ASSERT_EQ(both.size(), 2u);
    EXPECT_EQ(both[0], (std::vector<Cell>{std::string("Inputs"), 4L, 5L, std::string()}));
    EXPECT_EQ(both[1], (std::vector<Cell>{std::string("AUROC"), std::string(), 0.5, std::string()}));
}
