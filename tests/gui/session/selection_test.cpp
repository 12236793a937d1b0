// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/selection.h"

#include "study/presets.h"

#include <gmock/gmock.h>

using namespace credence;
using namespace testing;

namespace {

/// A selection in the test set of two moons, and its signals: "moving" or "at rest".
struct InMoons {
    InMoons()
    {
        QObject::connect(&selection, &Selection::changed, &selection,
                         [this](bool moving) { told.push_back(moving ? "moving" : "at rest"); });
        selection.fit(experiment);
    }
    std::vector<double> row(std::size_t i) const
    {
        const auto numbers = experiment->data->test.row(i);
        return {numbers.begin(), numbers.end()};
    }
    std::shared_ptr<const Experiment> experiment = prepare(default_study());
    Selection selection;
    std::vector<std::string> told;
};

}   // namespace

TEST(Selection, StartsAtTheFirstTestRow)
{
    const InMoons moons;
    EXPECT_EQ(moons.selection.chosen().row, 0U);
    EXPECT_EQ(moons.selection.numbers(), moons.row(0));
    EXPECT_THAT(moons.told, IsEmpty()) << "it was not chosen";
}

TEST(Selection, IsTheLastChosenInputAndKnowsItsSender)
{
    InMoons moons;
    moons.selection.choosePoint({0.5, -0.25}, Selection::By::map);
    EXPECT_THAT(moons.selection.numbers(), ElementsAre(0.5, -0.25));
    EXPECT_EQ(moons.selection.by(), Selection::By::map);
    moons.selection.chooseRow(3, Selection::By::table);
    EXPECT_EQ(moons.selection.numbers(), moons.row(3));
    EXPECT_EQ(moons.selection.by(), Selection::By::table);
    EXPECT_THAT(moons.told, ElementsAre("at rest", "at rest"));
}

TEST(Selection, ADraggedInputIsMarkedAsMoving)
{
    InMoons moons;
    moons.selection.chooseMade({.input = {1, 2}, .name = "test row 7, moved", .madeOf = 7}, true);
    EXPECT_EQ(moons.selection.chosen().row, 7U) << "its number stays with what it was made of";
    moons.selection.chooseMade({.input = {1, 3}, .drawn = true}, false);
    EXPECT_EQ(moons.selection.chosen().row, 7U);
    EXPECT_THAT(moons.told, ElementsAre("moving", "at rest"));
}

TEST(Selection, APointStaysWithOtherPlaneDataAndIsDroppedWithDataOfAnotherKind)
{
    InMoons moons;
    moons.selection.choosePoint({0.5, -0.25}, Selection::By::map);
    Study other      = default_study();
    other.data.toy.n = 60;
    moons.selection.fit(prepare(other));
    EXPECT_THAT(moons.selection.numbers(), ElementsAre(0.5, -0.25));
    const auto line = prepare(preset("blundell_mean_field"));
    moons.selection.fit(line);
    EXPECT_THAT(moons.selection.chosen().input, IsEmpty());
    EXPECT_THAT(moons.selection.numbers(), SizeIs(1));
}

TEST(Selection, ARowBeyondOtherDataIsTheLastOne)
{
    InMoons moons;
    moons.selection.chooseRow(static_cast<int>(moons.experiment->data->test.n_rows) - 1, Selection::By::box);
    Study other           = default_study();
    other.data.toy.n      = 60;
    const auto experiment = prepare(other);
    moons.selection.fit(experiment);
    EXPECT_EQ(moons.selection.chosen().row, experiment->data->test.n_rows - 1);
}

TEST(Selection, AnOutsideInputKeepsTheRowAndIsDroppedWithOtherData)
{
    Study digits                       = default_study();
    digits.data.source                 = DataSource::strokes;
    digits.data.images.training_images = 40;
    digits.data.images.test_images     = 20;
    digits.network.hidden              = {8};
    Selection selection;
    selection.fit(prepare(digits));
    selection.chooseRow(5, Selection::By::grid);
    selection.chooseOutside({.input = std::vector<double>(784, 7.0), .name = "picture seven.png", .drawn = true},
                            Selection::By::picture);
    EXPECT_EQ(selection.by(), Selection::By::picture);
    EXPECT_EQ(selection.chosen().row, 5U);
    ViewOptions options;
    selection.addTo(options);
    EXPECT_EQ(options.input_name, "picture seven.png");
    EXPECT_EQ(options.input_draws, DrawsOf::outputs) << "it is in no table";
    EXPECT_FALSE(options.input_label);
    EXPECT_THAT(options.input, SizeIs(784));
    digits.data.images.test_images = 30;
    selection.fit(prepare(digits));
    EXPECT_THAT(selection.chosen().input, IsEmpty()) << "back to a row of the test set";
    EXPECT_EQ(selection.chosen().row, 5U);
    EXPECT_THAT(selection.chosen().name, IsEmpty());
    EXPECT_FALSE(selection.chosen().drawn);
    EXPECT_EQ(selection.by(), Selection::By::data);
}
