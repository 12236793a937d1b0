// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/input_groups.h"
#include "data/table_schema.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {

Dataset table_of(std::vector<std::string> names, std::vector<double> inputs)
{
    Dataset data;
    data.task          = Task::regression;
    data.n_features    = names.size();
    data.n_rows        = inputs.size() / names.size();
    data.feature_names = std::move(names);
    data.inputs        = std::move(inputs);
    data.targets.assign(data.n_rows, 0);
    return data;
}

/// Age, and a colour in three columns.
Dataset coloured()
{
    return table_of({"age", "colour=red", "colour=blue", "colour=dark=green"}, {1, 1, 0, 0,   //
                                                                                2, 0, 1, 0,   //
                                                                                9, 0, 1, 0,   //
                                                                                4, 0, 0, 1});
}

}   // namespace

TEST(InputGroups, TheColumnsOfACategoryAreOneInput)
{
    const auto data   = coloured();
    const auto groups = input_groups(data);
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0], (InputGroup{.name = "age"}));
    EXPECT_EQ(groups[1],
              (InputGroup{.name = "colour", .first = 1, .n_features = 3, .categories = {"red", "blue", "dark=green"}}));
    EXPECT_EQ(groups[1].value_of(data.row(3)), 2);
    std::vector<double> row(data.row(3).begin(), data.row(3).end());
    groups[1].set(row, 0);
    EXPECT_THAT(row, testing::ElementsAre(4, 1, 0, 0));
    groups[0].set(row, 7);
    EXPECT_THAT(row, testing::ElementsAre(7, 1, 0, 0));
}

TEST(InputGroups, NumbersWithAnEqualsSignInTheirNamesStaySeparate)
{
    const auto groups = input_groups(table_of({"a=b", "a=c"}, {1, 1, 0, 1}));   // both are 1 in the first row
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[1].name, "a=c");
    EXPECT_FALSE(groups[1].is_category());
    EXPECT_EQ(input_groups(table_of({"a=b", "a=c"}, {0.5, 0.5})).size(), 2U) << "not 0 or 1";
}

TEST(InputGroups, FollowTheSchemaOfTheTable)
{
    TableSchema schema;
    schema.columns    = {{.name = "size", .kind = ColumnKind::ordered, .categories = {"S", "M", "L"}},
                         {.name = "age", .imputed = true},
                         {.name = "colour", .kind = ColumnKind::category, .categories = {"red"}}};
    auto data         = table_of({"size", "age", "age missing", "colour=red"}, {2, 40, 0, 1, 0, 35, 1, 1});
    data.schema       = std::make_shared<const TableSchema>(schema);
    const auto groups = input_groups(data);
    ASSERT_EQ(groups.size(), 3U);
    EXPECT_EQ(groups[0].value_of(data.row(0)), 2) << "L";
    EXPECT_EQ(groups[1].n_features, 2U);
    std::vector<double> row(data.row(1).begin(), data.row(1).end());
    groups[0].set(row, 1);
    groups[1].set(row, 50);
    EXPECT_THAT(row, testing::ElementsAre(1, 50, 0, 1)) << "the age is no longer missing";
    EXPECT_TRUE(groups[2].is_category());
}

TEST(InputGroups, ATypicalRowHasTheMediansAndTheMostFrequentCategories)
{
    const auto data = coloured();
    EXPECT_THAT(typical_row(data, input_groups(data)), testing::ElementsAre(3, 0, 1, 0));
}

TEST(InputGroups, DistancesAreInStandardDeviationsAndCountACategoryOnce)
{
    const auto data   = coloured();
    const auto groups = input_groups(data);
    const double sd   = std::sqrt((9.0 + 4 + 25 + 0) / 4);   // of 1, 2, 9, 4 with mean 4
    const InputDistance age(data, {groups[0]}), both(data, groups);
    EXPECT_NEAR(age(data.row(0), data.row(2)), 8 / sd, 1e-12);
    EXPECT_NEAR(both(data.row(0), data.row(2)), std::sqrt((64 / (sd * sd) + 2) / 2), 1e-12);
    EXPECT_EQ(both(data.row(1), data.row(1)), 0);
    EXPECT_EQ(InputDistance(data, {})(data.row(0), data.row(1)), 0);
}
