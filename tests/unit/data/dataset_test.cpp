// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/dataset.h"

#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

using namespace credence;
using testing::ElementsAre;

namespace {

Dataset three_points()
{
    Dataset data;
    data.name          = "Three";
    data.n_rows        = 3;
    data.n_features    = 2;
    data.inputs        = {1, 2, 3, 4, 5, 6};
    data.labels        = {0, 1, 0};
    data.feature_names = {"x1", "x2"};
    data.class_names   = {"a", "b"};
    return data;
}

Dataset three_numbers()
{
    Dataset data = three_points();
    data.task    = Task::regression;
    data.labels.clear();
    data.class_names.clear();
    data.targets     = {0.5f, -1, 2};
    data.target_name = "height";
    return data;
}

TEST(TargetUnit, IsReadFromTheBracketsAtTheEndOfAName)
{
    EXPECT_EQ(target_unit("strength [MPa]"), "MPa");
    EXPECT_EQ(target_unit("age (days)"), "days");
    EXPECT_EQ(target_unit("y"), "units of y");
    EXPECT_EQ(target_unit("[MPa]"), "units of [MPa]");
    EXPECT_EQ(target_unit("f(x) measured"), "units of f(x) measured");
    EXPECT_EQ(target_unit("y []"), "units of y []");
    EXPECT_EQ(unit_in_name("height [ cm ] "), "cm");
    EXPECT_EQ(unit_in_name("x (2)"), "") << "the second of two columns";
    EXPECT_EQ(unit_in_name("mass [kg)"), "");
}

}   // namespace

TEST(Dataset, WithSizesThatFitIsAccepted)
{
    EXPECT_NO_THROW(three_points().check());
    EXPECT_NO_THROW(three_numbers().check());
}

TEST(Dataset, GivesItsRowsInOrder)
{
    EXPECT_THAT(three_points().row(0), ElementsAre(1, 2));
    EXPECT_THAT(three_points().row(2), ElementsAre(5, 6));
}

TEST(Dataset, SubsetKeepsTheOrderOfItsRowsAndMayRepeatThem)
{
    const std::vector<std::uint32_t> rows{2, 0, 2};
    const Dataset points = subset(three_points(), rows);
    EXPECT_THAT(points.inputs, ElementsAre(5, 6, 1, 2, 5, 6));
    EXPECT_THAT(points.labels, ElementsAre(0, 0, 0));
    EXPECT_THAT(points.class_names, ElementsAre("a", "b")) << "a class without rows is still a class";
    EXPECT_THAT(points.targets, ElementsAre());
    EXPECT_NO_THROW(points.check());

    const Dataset numbers = subset(three_numbers(), rows);
    EXPECT_THAT(numbers.targets, ElementsAre(2, 0.5f, 2));
    EXPECT_EQ(numbers.target_name, "height");
    EXPECT_EQ(numbers.name, "Three");
    EXPECT_NO_THROW(numbers.check());
}

TEST(Dataset, RejectsInconsistentSizes)
{
    const auto sentence = [](Dataset data, auto spoil) {
        spoil(data);
        return refusal([&] { data.check(); });
    };
    EXPECT_EQ(sentence(three_points(), [](Dataset& d) { d.n_rows = 0; }), "Three: found no rows, expected at least 1.");
    EXPECT_EQ(sentence(three_points(), [](Dataset& d) { d.n_features = 0; }),
              "Three: found no inputs, expected at least 1.");
    EXPECT_EQ(sentence(three_points(), [](Dataset& d) { d.inputs.pop_back(); }),
              "Three: found 5 input values, expected 6.");
    EXPECT_EQ(sentence(three_points(), [](Dataset& d) { d.feature_names.pop_back(); }),
              "Three: found 1 names of inputs, expected 2.");
    EXPECT_EQ(sentence(three_points(), [](Dataset& d) { d.labels.pop_back(); }), "Three: found 2 labels, expected 3.");
    EXPECT_EQ(sentence(three_points(), [](Dataset& d) { d.labels[1] = 2; }),
              "Three, row 2: label is 2, expected 0 to 1.");
    EXPECT_EQ(sentence(three_points(), [](Dataset& d) { d.labels[2] = -1; }),
              "Three, row 3: label is -1, expected 0 to 1.");
    EXPECT_EQ(sentence(three_points(), [](Dataset& d) { d.class_names = {"a"}; }),
              "Three: found 1 class names, expected at least 2.");
    EXPECT_EQ(sentence(three_numbers(), [](Dataset& d) { d.targets.pop_back(); }),
              "Three: found 2 targets, expected 3.");
    EXPECT_EQ(sentence(three_points(), [](Dataset& d) { d.name = "", d.n_rows = 0; }),
              "The data: found no rows, expected at least 1.");
}

TEST(Dataset, RejectsNaNAndInfinity)
{
    Dataset data   = three_points();
    data.inputs[3] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(refusal([&] { data.check(); }), "Three, row 2: x2 is inf, expected a finite number.");
    data            = three_numbers();
    data.targets[2] = std::nanf("");
    EXPECT_EQ(refusal([&] { data.check(); }), "Three, row 3: height is nan, expected a finite number.");
}
