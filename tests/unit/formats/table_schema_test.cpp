// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/split.h"
#include "data/table_schema.h"
#include "formats/csv.h"
#include "formats/encode_rows.h"

#include "unit/formats/table_file.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// The schema with the values of all rows as training rows.
TableSchema schema_of(std::string_view text, const CsvOptions& options = {})
{
    const SplitData parts = split(read_table(text, options), {.test_fraction = 0});
    return *parts.training.schema;
}

EncodedRows encoded(const TableSchema& schema, std::string_view text)
{
    const TableFile file(text);
    return encode_rows(schema, file.path());
}

constexpr std::string_view houses = "built,price,colour,area,sold\n"
                                    "13/04/2001,\"1,250.50\",red,80,250000\n"
                                    "02/03/1999,\"2,000.00\",blue,100,300000\n"
                                    "30/11/2005,900.25,red,120,410000\n"
                                    "01/02/2010,\"3,100.75\",green,95,512000\n";

}   // namespace

TEST(TableSchema, NamesKindStyleAndRangeOfEachColumn)
{
    const TableSchema schema = schema_of(houses, {.task = Task::regression});
    ASSERT_EQ(schema.columns.size(), 4u);
    EXPECT_EQ(schema.columns[0].kind, ColumnKind::date);
    EXPECT_EQ(schema.columns[0].style, CellStyle::day_month_year);
    EXPECT_EQ(schema.columns[1].style, CellStyle::point);
    EXPECT_EQ(schema.columns[1].lowest, 900.25);
    EXPECT_EQ(schema.columns[1].fill, (1250.5 + 2000) / 2);
    EXPECT_THAT(schema.columns[2].categories, ElementsAre("blue", "green", "red"));
    EXPECT_EQ(schema.columns[2].fill, 2) << "red is most frequent";
    EXPECT_EQ(schema.columns[3].highest, 120);
    EXPECT_EQ(schema.target.name, "sold");
    EXPECT_EQ(schema.target.highest, 512000);
    EXPECT_EQ(schema.input_names(), read_table(houses).feature_names);
    for (const auto kind :
         {ColumnKind::number, ColumnKind::date, ColumnKind::time, ColumnKind::ordered, ColumnKind::category})
        EXPECT_EQ(column_kind_from(name_of(kind)), kind);
}

TEST(EncodeRows, GivesTheInputsAndTargetsOfItsOwnTable)
{
    const Dataset data     = read_table(houses, {.task = Task::regression});
    const EncodedRows rows = encoded(schema_of(houses, {.task = Task::regression}), houses);
    EXPECT_EQ(rows.inputs, data.inputs);
    EXPECT_EQ(rows.targets, data.targets);
    EXPECT_THAT(rows.notes, testing::Each(""));
    EXPECT_THAT(rows.table_notes, IsEmpty());
    EXPECT_THAT(rows.lines, ElementsAre(2, 3, 4, 5));

    constexpr std::string_view flowers = "width,code,kind\n1.5,1,rose\n2.5,2,iris\n3.5,1,rose\n";
    const CsvOptions codes{.categories = {"code"}};
    const Dataset labelled      = read_table(flowers, codes);
    const EncodedRows of_labels = encoded(schema_of(flowers, codes), flowers);
    EXPECT_THAT(labelled.feature_names, ElementsAre("width", "code=1", "code=2"));
    EXPECT_EQ(of_labels.inputs, labelled.inputs);
    EXPECT_EQ(of_labels.labels, labelled.labels);
    const EncodedRows others = encoded(schema_of(flowers, codes), "width,code,kind\n1.5,1,tulip\n2.5,2,\n2,1,iris\n");
    EXPECT_THAT(others.labels, ElementsAre(-1, -1, labelled.labels[1]));
    EXPECT_THAT(others.notes,
                ElementsAre("kind “tulip” is not a class of the training table, left out of the scores", "", ""));
}

TEST(EncodeRows, FindsColumnsByNameAndNamesWhatIsMissingUnusedOrNew)
{
    const TableSchema schema = schema_of(houses, {.task = Task::regression});
    const EncodedRows rows   = encoded(schema, "area,colour,id,built\n"
                                                 "90,purple,1,01/02/2003\n"
                                                 "400,,2,05/06/2001\n"
                                                 "many,red,3,01/02/1950\n"
                                                 "1e300,red,4,01/02/2003\n");
    ASSERT_EQ(rows.n_rows, 4u);
    EXPECT_THAT(rows.table_notes, ElementsAre(HasSubstr("column “price” is missing"), HasSubstr("not used: id.")));
    EXPECT_TRUE(rows.targets.empty());
    const double date = rows.inputs[0];
    EXPECT_EQ(date, 12084) << "the day comes first, as in the training table";
    EXPECT_EQ(rows.inputs[1], 1625.25) << "the median replaces a missing column";
    EXPECT_THAT(std::vector<double>(rows.inputs.begin() + 2, rows.inputs.begin() + 6), ElementsAre(0, 0, 0, 90));
    EXPECT_THAT(rows.notes[0], HasSubstr("colour “purple” is not a category of the training table"));
    EXPECT_THAT(rows.notes[0], HasSubstr("price is missing, replaced by the median 1625.25"));
    EXPECT_THAT(rows.notes[1], HasSubstr("colour is missing, replaced by the most frequent category “red”"));
    EXPECT_THAT(rows.notes[1], HasSubstr("area 400 is outside the training range 80 to 120"));
    EXPECT_THAT(rows.notes[2], HasSubstr("area “many” cannot be read as a number, replaced by the median 97.5"));
    EXPECT_THAT(rows.notes[3], HasSubstr("area “1e300” is beyond ±3.4e38, replaced by the median 97.5"));
    EXPECT_THAT(rows.notes[2], HasSubstr("built 1950-02-01 is outside the training range 1999-03-02 to 2010-02-01"));
}

TEST(EncodeRows, WordsOfAValueKeepTheTimeAndTheDigitsThatMatter)
{
    TableColumn day;
    day.kind = ColumnKind::date;
    EXPECT_EQ(value_words(day, 18783), "2021-06-05");
    EXPECT_EQ(value_words(day, 18783.739583333332), "2021-06-05 17:45");
    EXPECT_EQ(value_words(day, 18783 + 86399.0 / 86400), "2021-06-05 23:59:59");
    EXPECT_EQ(value_words(day, -0.5), "1969-12-31 12:00");
    const TableSchema schema = schema_of("t,y\n1700000000,1\n1700000050,2\n1700000020,3\n", {.task = Task::regression});
    EXPECT_THAT(encoded(schema, "t\n1700000051\n").notes[0],
                HasSubstr("t 1700000051 is outside the training range 1700000000 to 1700000050"));
}

TEST(EncodeRows, ReadsTheOtherDecimalMarkIfOnlyThatFits)
{
    const std::string_view points = "x,price,y\n1.5,\"1,250.5\",1\n2.25,900.25,2\n3,\"3,100.75\",3\n";
    const std::string_view commas = "x;price;y\n1,5;1.250,5;1\n2,25;900,25;2\n3;3.100,75;3\n";
    const TableSchema schema      = schema_of(points, {.task = Task::regression});
    const TableSchema german      = schema_of(commas, {.decimal_comma = true, .task = Task::regression});
    const auto known              = encoded(schema, points);
    EXPECT_EQ(known.decimal_mark, "");
    for (const auto& rows : {encoded(schema, commas), encoded(german, points), encoded(german, commas)}) {
        EXPECT_EQ(rows.inputs, known.inputs);
        EXPECT_EQ(rows.targets, known.targets);
        EXPECT_THAT(rows.notes, ElementsAre("", "", ""));
    }
    EXPECT_EQ(encoded(schema, commas).decimal_mark,
              "Numbers are read with decimal commas, unlike those of the training table.");
    EXPECT_EQ(encoded(german, points).decimal_mark,
              "Numbers are read with decimal points, unlike those of the training table.");

    const auto mixed = encoded(schema, "x;price\n1,5;900.25\n2.5;900.25\n");
    EXPECT_EQ(mixed.decimal_mark, "");
    EXPECT_THAT(mixed.notes[0], HasSubstr("x “1,5” cannot be read as a number"))
        << "both marks occur: the training table's counts";
    EXPECT_EQ(encoded(schema, "x;price\n1,234;900\n2;900\n").decimal_mark, "") << "1,234 can have thousands";
}

TEST(EncodeRows, WithoutNamesGoesByOrder)
{
    const TableSchema schema = schema_of("1,2,10\n3,4,20\n5,7,30\n", {.task = Task::regression});
    EXPECT_THAT(encoded(schema, "5,6\n").inputs, ElementsAre(5, 6));
    const EncodedRows all = encoded(schema, "5,6,70\n");
    EXPECT_THAT(all.inputs, ElementsAre(5, 6));
    EXPECT_THAT(all.targets, ElementsAre(70));
    EXPECT_THAT(refusal([&] { encoded(schema, "1,2,3,4\n"); }),
                HasSubstr("found 4 columns without names, expected 2 inputs or all 3 columns of the training table."));
    EXPECT_THAT(refusal([&] { encoded(schema_of(houses), "a,b\n1,2\n"); }), HasSubstr("found no input column"));
}

TEST(MissingValues, AreRefusedByDefault)
{
    constexpr std::string_view gaps = "x,colour,y\n1.5,red,1.5\n,blue,2.5\n3.5,,3.5\nNaN,red,4.5\n9.25,red,\n";
    EXPECT_THAT(refusal([&] { read_table("x,y\n1.5,1\n,2.5\n"); }), HasSubstr("line 3: column “x” is empty"));

    const Dataset complete = read_table(gaps, {.missing = MissingValues::drop});
    EXPECT_THAT(complete.targets, ElementsAre(1.5));
    EXPECT_EQ(complete.n_rows, 1u);

    const Dataset imputed = read_table(gaps, {.missing = MissingValues::impute});
    EXPECT_THAT(imputed.feature_names, ElementsAre("x", "x missing", "colour=blue", "colour=red", "colour=missing"));
    EXPECT_THAT(imputed.targets, ElementsAre(1.5, 2.5, 3.5, 4.5)) << "a row without a target is left out";
    EXPECT_THAT(imputed.table_rows, ElementsAre(0, 1, 2, 3));
    EXPECT_EQ(imputed.row(1)[1], 1);
    EXPECT_EQ(imputed.row(2)[4], 1);
    EXPECT_THAT(refusal([&] { read_table("x,y\n,1\n1,\n", {.missing = MissingValues::drop}); }),
                HasSubstr("data.missing | table.csv: every row has a missing value"));
}

TEST(MissingValues, AreImputedFromTheTrainingRowsOnly)
{
    std::string text = "x,y\n";
    for (int i = 0; i < 40; ++i)
        text += (i % 4 == 0 ? "?" : std::to_string(i) + ".5") + "," + std::to_string(i) + ".25\n";
    const SplitData parts = split(read_table(text, {.missing = MissingValues::impute}),
                                  {.test_fraction = 0.5, .seed = 3});
    std::vector<double> present;
    for (std::size_t i = 0; i < parts.training.n_rows; ++i)
        if (parts.training.row(i)[1] == 0)
            present.push_back(parts.training.row(i)[0]);
    std::ranges::sort(present);
    const std::size_t n = present.size();
    const double median = n % 2 ? present[n / 2] : (present[n / 2 - 1] + present[n / 2]) / 2;
    int filled          = 0;
    for (const Dataset* part : {&parts.training, &parts.test})
        for (std::size_t i = 0; i < part->n_rows; ++i)
            if (part->row(i)[1] == 1) {
                EXPECT_EQ(part->row(i)[0], median);
                ++filled;
            }
    EXPECT_EQ(filled, 10);
    const EncodedRows rows = encoded(*parts.training.schema, "x\nNA\n7.5\n");
    EXPECT_THAT(rows.inputs, ElementsAre(median, 1, 7.5, 0));
    EXPECT_THAT(rows.notes[0], HasSubstr("x is missing, replaced by the median"));
}

TEST(OrderedCategories, BecomeOneInputInTheirOrder)
{
    constexpr std::string_view shirts = "size,fit,y\nmedium,low,1.5\nsmall,high,2.5\nlarge,low,3.5\n";
    const CsvOptions ordered{.ordered = "size: small < medium<large; low<high"};
    const Dataset data = read_table(shirts, ordered);
    EXPECT_THAT(data.feature_names, ElementsAre("size", "fit"));
    EXPECT_THAT(data.inputs, ElementsAre(1, 0, 0, 1, 2, 0));
    const EncodedRows rows = encoded(schema_of(shirts, ordered), "size,fit\nhuge,low\nlarge,high\n");
    EXPECT_THAT(rows.notes[0],
                HasSubstr("size “huge” is not a category of the training table, replaced by the median “medium”"));
    EXPECT_THAT(rows.inputs, ElementsAre(1, 0, 2, 1));

    const auto refused = [&](const std::string& text) {
        return refusal([&] { read_table(shirts, {.ordered = text}); });
    };
    EXPECT_THAT(refused("size: small<large"),
                HasSubstr("line 2: column “size” is “medium”, expected one of small < large (data.ordered)."));
    EXPECT_THAT(refused("a<b"), HasSubstr("data.ordered | table.csv: found no input column for the order"));
    EXPECT_THAT(refused("colour: a<b"), HasSubstr("data.ordered | table.csv: found no column “colour”"));
    EXPECT_THAT(refused("size: small<small"), HasSubstr("data.ordered has “small” twice"));
    EXPECT_THAT(refused("size: small"), HasSubstr("expected at least two categories"));
}
