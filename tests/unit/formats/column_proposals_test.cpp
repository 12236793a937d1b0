// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/column_proposals.h"

#include "unit/formats/table_file.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

namespace {

using Kind = ColumnProposal::Kind;

/// Twelve rows with one column of each kind.
std::string mixed_table()
{
    std::string text = "id,code,size,day,comment,same,empty,area,price\n";
    for (int i = 0; i < 12; ++i)
        text += std::to_string(40 - i) + "," + std::to_string(i % 3) + "," + (i % 2 ? "small" : "large") + ",2024-01-"
                + std::to_string(10 + i) + ",remark " + std::to_string(i) + ",1,," + std::to_string(i) + ".5,"
                + std::to_string(100 * i) + ".25\n";
    return text;
}

/// Rows whose last two repeat the first two, with row numbers.
std::string rows_with_ids(int n)
{
    std::string text = "\n";
    for (int i = 0; i < n; ++i)
        text += std::to_string(i) + "," + std::to_string(i % (n - 2)) + ".5,2.5\n";
    return text;
}

}   // namespace

TEST(ProposedColumns, LeaveOutRowNumbersAndNamesWithAReason)
{
    const TableFile file(mixed_table());
    const auto columns = propose_columns(preview_csv(file.path(), {.ordered = "size: small < large"}));
    ASSERT_EQ(columns.size(), 9u);
    const std::vector<std::pair<Kind, bool>> expected{
        {Kind::index, false},    {Kind::number, true}, {Kind::ordered, true}, {Kind::date, true},   {Kind::text, false},
        {Kind::constant, false}, {Kind::empty, false}, {Kind::number, true},  {Kind::target, false}};
    for (std::size_t c = 0; c < columns.size(); ++c) {
        EXPECT_EQ(name_of(columns[c].kind), name_of(expected[c].first)) << columns[c].name;
        EXPECT_EQ(columns[c].use, expected[c].second) << columns[c].name;
        EXPECT_NE(columns[c].reason, "") << columns[c].name;
    }
    EXPECT_TRUE(columns[1].may_be_codes);
    EXPECT_EQ(columns[1].reason, "3 different whole numbers, 0 to 2");
    EXPECT_EQ(columns[2].reason, "small to large");
    EXPECT_EQ(columns[3].reason, "2024-01-10 to 2024-01-21, as days since 1970-01-01");
    EXPECT_EQ(columns[8].reason, "a quantity, 0.25 to 1100");
}

TEST(ProposedColumns, WithEmptyCellsAreNumbersThatNeedAChoice)
{
    const TableFile file("x,y\n1.5,1\n,2\n2.25,3\n");
    const auto columns = propose_columns(preview_csv(file.path(), {}));
    EXPECT_EQ(columns[0].kind, Kind::number);
    EXPECT_EQ(columns[0].reason, "1 cell is empty: drop these rows or impute (data.missing)");
    EXPECT_TRUE(columns[0].use);
}

TEST(ProposedColumns, OfferToReadNumbersWithLeadingZerosAsCategories)
{
    std::string text = "postcode,y\n";
    for (int i = 0; i < 30; ++i)
        text += (i < 10 ? "0100" : "010") + std::to_string(i) + "," + std::to_string(i) + ".5\n";
    const TableFile file(text);
    const auto preview = preview_csv(file.path(), {});
    const auto column  = propose_columns(preview)[0];
    EXPECT_TRUE(column.may_be_codes);
    EXPECT_EQ(column.reason, "1000 to 1029, written with leading zeros: codes?");
    EXPECT_THAT(preview.notes, Contains(HasSubstr("“01000” is 1000. If these are codes, name it in data.categories")));

    const auto codes = preview_csv(file.path(), {.categories = {"postcode"}});
    EXPECT_TRUE(codes.columns[0].categorical);
    EXPECT_THAT(codes.notes, Not(Contains(HasSubstr("leading zeros"))));
}

TEST(ProposedColumns, EndsOfASmallRangeWithALargeOffsetDiffer)
{
    const TableFile file("unix,y\n1700000004,2459000.25\n1700000123,2459000.5\n1700000087,2459000.75\n");
    const auto columns = propose_columns(preview_csv(file.path(), {}));
    EXPECT_THAT(columns[0].reason, HasSubstr("1700000004 to 1700000123"));
    EXPECT_THAT(columns[1].reason, HasSubstr("2459000.25 to 2459000.75"));
}

TEST(ProposedColumns, ImputedCellsAreNotPartOfTheRange)
{
    const TableFile file("x,y\n1.5,1\n,2\n2.25,3\n");
    const auto preview = preview_csv(file.path(), {.missing = MissingValues::impute});
    EXPECT_THAT(propose_columns(preview)[0].reason, HasSubstr("1.5 to 2.25"));
    EXPECT_EQ(preview.columns[0].summary.missing, 1u);
    EXPECT_EQ(preview.columns[0].summary.distinct, 2u);
}

TEST(ProposedColumns, OfMoreThanAThousandWordsAreText)
{
    std::string text = "name,x,y\n";
    for (int i = 0; i < 2500; ++i)
        text += "word " + std::to_string(i % 1200) + "," + std::to_string(i) + ".5,1.5\n";
    const TableFile file(text);
    const auto columns = propose_columns(preview_csv(file.path(), {}));
    EXPECT_EQ(name_of(columns[0].kind), "text");
    EXPECT_FALSE(columns[0].use);
}

TEST(RareClasses, AreNotedByName)
{
    const auto notes = [](int rare) {
        std::string text = "x,class\n";
        for (int i = 0; i < 40; ++i)
            text += std::to_string(i) + ".5," + (i < rare ? "c" : i % 2 ? "a" : "b") + "\n";
        const TableFile file(text);
        return preview_csv(file.path(), {}).notes;
    };
    EXPECT_THAT(notes(1), Contains(HasSubstr("“c” is a class of column “class” with fewer than 3 rows. A split can "
                                             "leave such a class without training rows")));
    EXPECT_THAT(notes(2), Contains(HasSubstr("“c” is a class")));
    EXPECT_THAT(notes(3), Not(Contains(HasSubstr("is a class"))));
}

TEST(Targets, ThatCannotBeMeantSoAreNoted)
{
    const auto notes = [](const std::vector<std::string>& cells, Task task) {
        std::string text = "x,y\n";
        for (int i = 0; i < 12; ++i)
            text += std::to_string(i) + ".5," + cells[static_cast<std::size_t>(i) % cells.size()] + "\n";
        const TableFile file(text);
        return preview_csv(file.path(), {.task = task}).notes;
    };
    EXPECT_THAT(
        notes({"Yes", "no", "yes"}, Task::classification),
        Contains(HasSubstr("“Yes” and “yes” are classes of column “y” that differ only in upper and lower case")));
    EXPECT_THAT(notes({"yes", "no"}, Task::classification), Not(Contains(HasSubstr("differ only"))));
    EXPECT_THAT(notes({"1.5"}, Task::regression),
                Contains(HasSubstr("column “y” is 1.5 in every row, so there is nothing to predict.")));
    EXPECT_THAT(notes({"1.5", "2"}, Task::regression), Not(Contains(HasSubstr("in every row"))));
}

TEST(RepeatedRows, AreCountedAndNoted)
{
    std::string text = "x,z,y\n";
    for (int i = 0; i < 12; ++i)
        text += std::to_string(i % 10) + ".5,1,2.5\n";
    const TableFile file(text);
    const CsvPreview preview = preview_csv(file.path(), {});
    EXPECT_EQ(preview.repeated_rows, 2u);
    EXPECT_THAT(preview.notes, Contains(HasSubstr("2 of 12 rows repeat an earlier row in all inputs and the target")));
    const TableFile numbered("id,x,y" + rows_with_ids(12));
    const CsvPreview of_numbered = preview_csv(numbered.path(), {});
    EXPECT_EQ(of_numbered.repeated_rows, 2u) << "row numbers do not make rows different";
    EXPECT_THAT(of_numbered.notes, Contains(HasSubstr("in all inputs, except row numbers, and the target")));
    EXPECT_EQ(preview_csv(TableFile("x,y\n1,2.5\n2,2.5\n").path(), {}).repeated_rows, 0u);
}

TEST(RepeatedRows, ATableWhoseOnlyInputNumbersTheRowsHasNone)
{
    for (const long first : {1L, 20000001L}) {
        std::string text = "id,y\n";
        for (long i = 0; i < 40; ++i)
            text += std::to_string(first + i) + (i % 2 ? ",p\n" : ",q\n");
        const TableFile file(text);
        const CsvPreview preview = preview_csv(file.path(), {});
        ASSERT_TRUE(preview.columns[0].numbers_rows);
        EXPECT_EQ(preview.repeated_rows, 0u);
        EXPECT_THAT(preview.notes, Not(Contains(HasSubstr("an earlier row"))));
    }
}
