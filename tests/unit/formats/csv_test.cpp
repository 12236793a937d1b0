// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv.h"

#include "foundation/progress.h"

#include "unit/formats/table_file.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>

using namespace credence;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

CsvPreview preview(std::string_view text, const CsvOptions& options = {}, std::size_t rows = 100)
{
    const TableFile file(text);
    return preview_csv(file.path(), options, rows);
}

/// Both readers must reject structure and options with the same words.
std::string refused(std::string_view text, const CsvOptions& options = {})
{
    const std::string sentence = refusal([&] { read_table(text, options); });
    EXPECT_EQ(refusal([&] { preview(text, options); }), sentence);
    return sentence;
}

std::string not_loaded(std::string_view text, const CsvOptions& options = {})
{
    EXPECT_EQ(refusal([&] { preview(text, options); }), "") << "the preview shows what the reader rejects";
    return refusal([&] { read_table(text, options); });
}

constexpr std::string_view flowers = "width,colour,height,kind\n1.5,red,10,rose\n2.5,blue,20,iris\n3.5,red,30,rose\n";

}   // namespace

TEST(Csv, ReadsNumbersWordsAndClasses)
{
    const Dataset data = read_table(flowers);
    EXPECT_EQ(data.name, "table");
    EXPECT_EQ(data.task, Task::classification);
    EXPECT_EQ(data.target_name, "kind");
    EXPECT_THAT(data.feature_names, ElementsAre("width", "colour=blue", "colour=red", "height"));
    EXPECT_THAT(data.inputs, ElementsAre(1.5f, 0, 1, 10, 2.5f, 1, 0, 20, 3.5f, 0, 1, 30));
    EXPECT_THAT(data.class_names, ElementsAre("iris", "rose"));
    EXPECT_THAT(data.labels, ElementsAre(1, 0, 1));
    EXPECT_THAT(data.targets, IsEmpty());
}

TEST(Csv, SelectsTheTargetByNameOrNumber)
{
    for (const char* target : {"height", "3"}) {
        const Dataset data = read_table(flowers, {.target = target, .task = Task::regression});
        EXPECT_EQ(data.target_name, "height");
        EXPECT_THAT(data.targets, ElementsAre(10, 20, 30));
        EXPECT_THAT(data.feature_names, ElementsAre("width", "colour=blue", "colour=red", "kind=iris", "kind=rose"));
    }
}

TEST(Csv, SelectsColumnsByNameOrNumberInTheGivenOrder)
{
    const Dataset data = read_table(flowers, {.columns = {"height", "1"}});
    EXPECT_THAT(data.feature_names, ElementsAre("height", "width"));
    EXPECT_THAT(data.inputs, ElementsAre(10, 1.5f, 20, 2.5f, 30, 3.5f));
}

TEST(Csv, PrefersNamesToNumbers)
{
    EXPECT_THAT(read_table("label,3,1\n7,8,9\n8,6,5\n", {.target = "label", .columns = {"1"}}).inputs,
                ElementsAre(9, 5));
}

TEST(Csv, DecidesTheTaskByTheTarget)
{
    EXPECT_EQ(read_table("x,y\n1,a\n2,b\n").task, Task::classification);
    EXPECT_EQ(read_table("x,y\n1,0\n2,1\n").task, Task::classification);
    EXPECT_EQ(read_table("x,y\n1,0.5\n2,1\n").task, Task::regression);
    std::string twenty = "x,y\n";
    for (int i = 1; i <= 20; ++i)
        twenty += "1," + std::to_string(i) + "\n";
    EXPECT_EQ(read_table(twenty).task, Task::classification);
    EXPECT_EQ(read_table(twenty + "1,21\n").task, Task::regression);
    EXPECT_EQ(read_table(twenty, {.task = Task::regression}).task, Task::regression);
    EXPECT_EQ(read_table(twenty + "1,21\n", {.task = Task::classification}).n_classes(), 21u);
}

TEST(Csv, SortsNumericClassesAsNumbers)
{
    const Dataset data = read_table("x,digit\n1,10\n2,9\n3,2\n4,9.0\n");
    EXPECT_THAT(data.class_names, ElementsAre("2", "9", "10"));
    EXPECT_THAT(data.labels, ElementsAre(2, 1, 0, 1));
}

TEST(Csv, ReadsDecimalCommas)
{
    const Dataset data = read_table("\xEF\xBB\xBFgröße;preis\r\n1,5;2,25\r\n-0,5;1e3\r\n", {.decimal_comma = true});
    EXPECT_THAT(data.feature_names, ElementsAre("größe"));
    EXPECT_THAT(data.inputs, ElementsAre(1.5f, -0.5f));
    EXPECT_THAT(data.targets, ElementsAre(2.25f, 1000));
}

TEST(Csv, ReadsTheSameTableInEveryLayout)
{
    const Dataset plain = read_table("x,y,kind\n1,2,a\n3,4,b\n");
    for (const char* text :
         {"x,y,kind\r\n1,2,a\r\n3,4,b\r\n", "x;y;kind\n1;2;a\n3;4;b", "x\ty\tkind\r1\t2\ta\r3\t4\tb\r",
          "x|y|kind\n1|2|a\n\n3|4|b\n\n", "x y  kind\n1  2 a\n 3 4 b \n",
          "\"x\",\"y\",\"kind\"\n\"1\",\"2\",\"a\"\n\"3\",\"4\",\"b\"\n", " x , y , kind\n 1 , 2 , a\n 3 , 4 , b\n"}) {
        const Dataset data = read_table(text);
        EXPECT_EQ(data.inputs, plain.inputs) << text;
        EXPECT_EQ(data.labels, plain.labels) << text;
        EXPECT_EQ(data.feature_names, plain.feature_names) << text;
        EXPECT_EQ(data.class_names, plain.class_names) << text;
    }
}

TEST(Csv, LayoutsOfOtherProgramsAreTheSameTable)
{
    const Dataset plain = read_table("x,y,kind\n1.5,2,a\n3.5,4,b\n5.5,7,b\n6.5,9,a\n8.5,3,b\n");
    for (const char* text :
         {"sep=;\nx;y;kind\n1.5;2;a\n3.5;4;b\n5.5;7;b\n6.5;9;a\n8.5;3;b\n",
          "\xEF\xBB\xBF\"sep=,\"\r\nx,y,kind\r\n1.5,2,a\r\n3.5,4,b\r\n5.5,7,b\r\n6.5,9,a\r\n8.5,3,b\r\n",
          "SEP=|\nx|y|kind\n1.5|2|a\n3.5|4|b\n5.5|7|b\n6.5|9|a\n8.5|3|b\n",
          "x,y,kind,\n1.5,2,a,\n3.5,4,b,\n5.5,7,b,\n6.5,9,a,\n8.5,3,b,\n",
          "x;y;kind\n1.5;2;a;\n3.5;4;b;\n5.5;7;b;\n6.5;9;a;\n8.5;3;b;\n",
          ",x,y,kind\n0,1.5,2,a\n1,3.5,4,b\n2,5.5,7,b\n3,6.5,9,a\n4,8.5,3,b\n",
          "Unnamed: 0,x,y,kind\n17,1.5,2,a\n3,3.5,4,b\n8,5.5,7,b\n5,6.5,9,a\n40,8.5,3,b\n",
          "\"x\" \"y\" \"kind\"\n\"1\" 1.5 2 \"a\"\n\"2\" 3.5 4 \"b\"\n\"3\" 5.5 7 \"b\"\n\"4\" 6.5 9 "
          "\"a\"\n\"5\" 8.5 3 \"b\"\n",
          "x y kind\nFord 1.5 2 a\nAudi 3.5 4 b\nFiat 5.5 7 b\nSeat 6.5 9 a\nOpel 8.5 3 b\n"}) {
        const Dataset data = read_table(text);
        EXPECT_EQ(data.inputs, plain.inputs) << text;
        EXPECT_EQ(data.labels, plain.labels) << text;
        EXPECT_EQ(data.feature_names, plain.feature_names) << text;
        EXPECT_EQ(data.class_names, plain.class_names) << text;
    }
}

TEST(Csv, LinesBelowExcelsSeparatorLineKeepTheirNumbers)
{
    EXPECT_EQ(refused("sep=;\nx;y\n1;2\n1;2;3\n"), "table.csv, line 4: found 3 columns, expected 2.");
}

TEST(Csv, AnUnnamedRowNumberCanBeSelectedAndTheNoteStatesHow)
{
    const TableFile file(",x,kind\n0,1.5,a\n1,3.5,b\n2,5.5,b\n3,6.5,a\n4,8.5,b\n");
    EXPECT_THAT(
        csv_notes(file.path(), {}),
        ElementsAre("table.csv: the first column has no name and numbers the rows; it is not used. To use it as an "
                    "input, list it in data.columns."));
    EXPECT_THAT(preview_csv(file.path(), {}).resolved.columns, ElementsAre("x"));
    const CsvOptions all{.columns = {"1", "x"}};
    EXPECT_EQ(read_csv(file.path(), all).n_features, 2u);
    EXPECT_THAT(csv_notes(file.path(), all), IsEmpty());
}

TEST(Csv, AColumnCalledIdThatNumbersTheRowsIsUsedAndNoted)
{
    const TableFile file("Id,x,kind\n1,1.5,a\n2,3.5,b\n3,5.5,b\n4,6.5,a\n5,8.5,b\n");
    EXPECT_EQ(read_csv(file.path(), {}).n_features, 2u);
    EXPECT_THAT(csv_notes(file.path(), {}),
                ElementsAre(testing::HasSubstr("column “Id” only numbers the rows and is used as an input")));
    const TableFile time("t,x,y\n1,1.5,2.5\n2,3.5,3.5\n3,5.5,4.5\n4,6.5,2.5\n5,8.5,3.5\n");
    EXPECT_THAT(csv_notes(time.path(), {}), IsEmpty()) << "a time with a name is an input";
    EXPECT_EQ(preview_csv(file.path(), {}).notes, csv_notes(file.path(), {}));
}

TEST(Csv, ANoteStatesHowPointsAreReadIfNoColumnDecides)
{
    const TableFile file("x;y\n1.234;5.678\n2.345;6.789\n");
    EXPECT_THAT(csv_notes(file.path(), {}),
                ElementsAre("table.csv: column “x” is read with decimal points: “1.234” is 1.234. Set "
                            "data.decimal_comma to true if it is 1234, or data.decimal_point to true to omit this "
                            "note."));
    EXPECT_THAT(csv_notes(file.path(), {.decimal_point = true}), IsEmpty());
    EXPECT_THAT(csv_notes(file.path(), {.decimal_comma = true}),
                ElementsAre(testing::HasSubstr("“1.234” is 1234."), testing::HasSubstr("“5.678” is 5678.")));
    EXPECT_THAT(csv_notes(TableFile("x;y\n1.234;0.5\n2.345;0.7\n").path(), {}), IsEmpty()) << "0.5 decides";
    EXPECT_THAT(csv_notes(TableFile("x,y\n1.234,5.678\n2.345,6.789\n").path(), {}), IsEmpty());
    EXPECT_EQ(refused("x;y\n1;2\n", {.decimal_comma = true, .decimal_point = true}),
              "data.decimal_point | data.decimal_point and data.decimal_comma are both true, expected at most one of "
              "them.");
}

TEST(Csv, APreviewReportsIncreasingShares)
{
    std::string text = "x,y,kind\n";
    for (int i = 0; i < 5000; ++i)
        text += std::to_string(i) + ",0.5," + (i % 2 ? "a\n" : "b\n");
    const TableFile file(text);
    std::vector<double> shares;
    const ProgressScope scope([&](double share) { shares.push_back(share); });
    preview_csv(file.path(), {});
    EXPECT_TRUE(std::ranges::is_sorted(shares));
    ASSERT_GE(shares.size(), 6u) << "blocks of lines, then columns";
    EXPECT_GE(shares.front(), 0);
    EXPECT_GT(shares.back(), 0.5);
    EXPECT_LT(shares.back(), 1);
}

TEST(Csv, AnEmptyColumnIsUsedOnlyOnRequest)
{
    EXPECT_THAT(read_table("x,empty,y\n1,,2.5\n2,,3.5\n").feature_names, ElementsAre("x"));
    EXPECT_THAT(
        not_loaded("x,empty,y\n1,,2.5\n2,,3.5\n", {.columns = {"empty"}}),
        testing::HasSubstr("column “empty” is empty, expected a number; leave the column out with data.columns."));
    EXPECT_THAT(refused("empty,y\n,2.5\n,3.5\n"), testing::HasSubstr("found no column with values besides the target"));
}

TEST(Csv, InvalidTablesAreReportedByName)
{
    EXPECT_EQ(refused("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"),
              "table.csv: found a Git LFS pointer instead of the file (“git lfs pull” downloads it), expected a table "
              "in text.");
    EXPECT_EQ(refused("PK\x03\x04 and so on"),
              "table.csv: found a zip archive, expected a table in text; save an Excel workbook as CSV first.");
    EXPECT_EQ(refused("<!DOCTYPE html><html>a,b"), "table.csv: found a web page (HTML), expected a table in text.");
}

TEST(Csv, HeaderCanBeForcedEitherWay)
{
    EXPECT_EQ(read_table("1,2\n3,4\n5,6\n", {.header = CsvHeader::yes}).n_rows, 2u);
    EXPECT_THAT(read_table("1,2\n3,4\n5,6\n", {.header = CsvHeader::yes}).feature_names, ElementsAre("1"));
    const Dataset words = read_table("a,b\nc,d\n", {.header = CsvHeader::no});
    EXPECT_THAT(words.feature_names, ElementsAre("column 1=a", "column 1=c"));
    EXPECT_EQ(words.target_name, "column 2");
}

TEST(Csv, PreviewShowsWhatWasDecided)
{
    const CsvPreview shown = preview(flowers, {.columns = {"1", "colour"}}, 2);
    EXPECT_EQ(shown.resolved.header, CsvHeader::yes);
    EXPECT_EQ(shown.resolved.separator, ',');
    EXPECT_EQ(shown.resolved.target, "kind");
    EXPECT_EQ(shown.resolved.task, Task::classification);
    EXPECT_THAT(shown.resolved.columns, ElementsAre("width", "colour"));
    EXPECT_EQ(shown.n_rows, 3u);
    EXPECT_THAT(shown.rows,
                ElementsAre(ElementsAre("1.5", "red", "10", "rose"), ElementsAre("2.5", "blue", "20", "iris")));
    ASSERT_EQ(shown.columns.size(), 4u);
    EXPECT_FALSE(shown.columns[0].categorical);
    EXPECT_TRUE(shown.columns[1].categorical);
    EXPECT_THAT(shown.columns[1].values, ElementsAre("blue", "red"));
    EXPECT_THAT(shown.columns[3].values, ElementsAre("iris", "rose"));
}

TEST(Csv, PreviewListsTheColumnsOfItsTargets)
{
    const std::string_view text = "a,\"b, c\",b,c\n1.5,2.5,3.5,4.5\n5.5,6.5,7.5,8.5\n";
    EXPECT_THAT(preview(text).targets, ElementsAre(3));
    EXPECT_THAT(preview(text, {.target = "b, c"}).targets, ElementsAre(1)) << "a column that is called so";
    EXPECT_THAT(preview(text, {.target = "c, 1"}).targets, ElementsAre(3, 0));
}

TEST(Csv, PreviewResolvesToOptionsThatReadTheSame)
{
    const TableFile file(flowers);
    const CsvOptions resolved = preview_csv(file.path(), {.target = "2"}).resolved;
    EXPECT_EQ(preview_csv(file.path(), resolved).resolved, resolved);
    const Dataset first = read_csv(file.path(), {.target = "2"}), again = read_csv(file.path(), resolved);
    EXPECT_EQ(first.inputs, again.inputs);
    EXPECT_EQ(first.labels, again.labels);
}

TEST(Csv, PreviewListsTheClassesOfANumericTarget)
{
    const CsvPreview shown = preview("x,y\n1,2\n2,10\n3,2\n");
    EXPECT_TRUE(shown.columns[1].categorical);
    EXPECT_THAT(shown.columns[1].values, ElementsAre("2", "10"));
    EXPECT_FALSE(preview("x,y\n1,2\n2,10\n3,2\n", {.task = Task::regression}).columns[1].categorical);
}

TEST(Csv, AnUnusedColumnCanContainErrors)
{
    constexpr std::string_view text = "x,bad,y\n1,2,a\n3,,b\n";
    const std::string sentence      = "table.csv, line 3: column “bad” is empty, expected a number.";
    EXPECT_EQ(not_loaded(text), "data.columns | " + sentence);
    EXPECT_EQ(preview(text).columns[1].problem, sentence);
    EXPECT_EQ(preview(text).columns[0].problem, "");
    EXPECT_THAT(read_table(text, {.columns = {"x"}}).inputs, ElementsAre(1, 3));
    EXPECT_EQ(not_loaded(text, {.target = "bad"}), "data.target | " + sentence);
}

TEST(Csv, RejectsFilesThatAreNotTables)
{
    EXPECT_EQ(refused(""), "table.csv: found an empty file, expected a table.");
    EXPECT_EQ(refused("x,y\n"), "table.csv: found a header and no rows, expected at least one row.");
    EXPECT_EQ(refused("1,2\n", {.header = CsvHeader::yes}),
              "table.csv: found a header and no rows, expected at least one row.");
    EXPECT_EQ(refused("one\ntwo\n"),
              "table.csv: found one column, expected at least 2, inputs and a target, with a separator between them.");
    EXPECT_EQ(refused("1;2\n3;4\n", {.separator = ','}),
              "table.csv: found one column, expected at least 2, inputs and a target, with a separator between them.");
    EXPECT_EQ(refused("x,y\n1,2\n1,2,3\n"), "table.csv, line 3: found 3 columns, expected 2.");
    EXPECT_EQ(refused("a,b,c\n1,2,3,4\n"), "table.csv, line 2: found 4 columns, expected 3.");
    EXPECT_EQ(refused("a,b\n1,2,3\n1,5,6\n2,2,3\n1,8,9\n4,5,7\n"), "table.csv, line 2: found 3 columns, expected 2.")
        << "the first column recurs: it names no rows";
    EXPECT_EQ(refused("x,y\n1,\"2\n"), "table.csv, line 2: found a quote that is never closed, expected a second \".");
}

TEST(Csv, RejectsInvalidOptionsByField)
{
    EXPECT_EQ(refused(flowers, {.separator = 'x'}),
              "data.separator | Separator is “x”, expected a comma, semicolon, tab, blank or vertical bar.");
    EXPECT_EQ(refused(flowers, {.separator = ',', .decimal_comma = true}),
              "data.decimal_comma | Separator and decimal mark are both a comma, expected a different separator or no "
              "decimal comma.");
    EXPECT_EQ(refused(flowers, {.target = "weight"}),
              "data.target | table.csv: found no column “weight”, expected a number from 1 to 4 or one of "
              "“width”, “colour”, “height”, “kind”.");
    EXPECT_THAT(refused(flowers, {.target = "5"}),
                StartsWith("data.target | table.csv: found no column “5”, expected"));
    EXPECT_THAT(refused(flowers, {.columns = {"0"}}),
                StartsWith("data.columns | table.csv: found no column “0”, expected"));
    EXPECT_EQ(refused(flowers, {.columns = {"width", "kind"}}),
              "data.columns | table.csv: column “kind” is the target, expected other columns as inputs.");
    EXPECT_EQ(refused(flowers, {.columns = {"width", "1"}}),
              "data.columns | table.csv: column “width” is chosen twice, expected each input once.");
}

TEST(Csv, NamesAtMostTenColumnsInASentence)
{
    EXPECT_EQ(refused("1,2,3,4,5,6,7,8,9,10,11,12\n", {.target = "z"}),
              "data.target | table.csv: found no column “z”, expected a number from 1 to 12 or one of “column 1”, "
              "“column 2”, “column 3”, "
              "“column 4”, “column 5”, “column 6”, “column 7”, “column 8”, “column 9”, “column 10”, ….");
}

TEST(Csv, RejectsTargetsThatDoNotSuitTheTask)
{
    EXPECT_EQ(not_loaded("x,y\n1,e\n2,e\n"),
              "data.target | table.csv: column “y” is “e” in every row, expected at least 2 classes.");
    EXPECT_EQ(not_loaded("x,y\n1,3\n2,3\n"),
              "data.target | table.csv: column “y” is “3” in every row, expected at least 2 classes.");
    EXPECT_EQ(not_loaded("x,y\n1,a\n2,\n3,b\n"),
              "data.target | table.csv, line 3: column “y” is empty, expected a class.");
    EXPECT_EQ(not_loaded("x,y\n1,2\n2,high\n", {.task = Task::regression}),
              "data.task | table.csv, line 3: column “y” is “high”, expected a number for regression.");
    std::string many = "x,y\n";
    for (int i = 0; i <= 1000; ++i)
        many += "1," + std::to_string(i) + "\n";
    EXPECT_EQ(not_loaded(many, {.task = Task::classification}),
              "data.task | table.csv: column “y” has more than 1000 different numbers, expected at most 1000 classes "
              "for classification.");
}

TEST(Csv, RejectsTablesThatWouldFillTheMemory)
{
    std::string text = "y";
    for (int c = 0; c < 30; ++c)
        text += ",c" + std::to_string(c);
    text += "\n";
    for (int i = 0; i < 18000; ++i) {
        text += std::to_string(i % 2);
        for (int c = 0; c < 30; ++c)
            text += ",w" + std::to_string(i % 1000);
        text += "\n";
    }
    EXPECT_EQ(not_loaded(text, {.target = "y"}),
              "data.columns | table.csv: 18000 rows of 30000 inputs do not fit, expected at most 500 million numbers.");
}

TEST(Csv, ReadsAHundredThousandRowsWhole)
{
    std::string text = "a,b,word,y\n";
    for (int i = 0; i < 100000; ++i)
        text += std::to_string(i) + "." + std::to_string(i % 10) + "," + std::to_string(-i) + ",w"
                + std::to_string(i % 7) + "," + std::to_string(i) + "\n";
    const Dataset data = read_table(text);
    ASSERT_EQ(data.n_rows, 100000u);
    ASSERT_EQ(data.n_features, 9u);
    EXPECT_EQ(data.task, Task::regression);
    for (std::size_t i = 0; i < 100000; i += 997) {
        EXPECT_FLOAT_EQ(data.row(i)[0], static_cast<float>(static_cast<double>(i) + 0.1 * static_cast<double>(i % 10)));
        EXPECT_EQ(data.row(i)[1], -static_cast<float>(i));
        EXPECT_EQ(data.row(i)[2 + i % 7], 1);
        EXPECT_EQ(data.targets[i], static_cast<float>(i));
    }
}

TEST(Csv, ReadsTheMushroomsAsTheReferenceHasThem)
{
    const char* folder = std::getenv("CREDENCE_DATA_DIR");
    if (!folder)
        GTEST_SKIP() << "CREDENCE_DATA_DIR is not set: mushroom/agaricus-lepiota.data not read.";
    const std::filesystem::path file = std::filesystem::path(folder) / "mushroom" / "agaricus-lepiota.data";
    if (!std::filesystem::exists(file))
        GTEST_SKIP() << file << " is not there.";
    std::ifstream reference(CREDENCE_REFERENCE_DIR "/tasks.json");
    const auto mushroom = nlohmann::json::parse(reference).at("mushroom");
    const Dataset data  = read_csv(file, {.target = "1"});
    ASSERT_NO_THROW(data.check());
    EXPECT_EQ(data.n_rows, mushroom["n_rows"].get<std::size_t>());
    EXPECT_EQ(data.n_features, mushroom["n_features"].get<std::size_t>());
    EXPECT_THAT(data.class_names, ElementsAre("e", "p"));
    EXPECT_EQ(std::count(data.labels.begin(), data.labels.end(), 0), mushroom["n_edible"].get<long>());

    const CsvPreview shown = preview_csv(file, {.target = "1"}, 5);
    EXPECT_EQ(shown.resolved.header, CsvHeader::no);
    EXPECT_EQ(shown.resolved.task, Task::classification);
    ASSERT_EQ(shown.columns.size(), 23u);
    for (std::size_t a = 0; a < 22; ++a) {
        std::string values;
        for (const std::string& value : shown.columns[a + 1].values)
            values += value;
        EXPECT_EQ(values, mushroom["categories"][a].get<std::string>()) << "attribute " << a;
        EXPECT_EQ(values.size(), mushroom["category_counts"][a].get<std::size_t>());
        const auto first = mushroom["offsets"][a].get<std::size_t>();
        EXPECT_EQ(data.feature_names[first], "column " + std::to_string(a + 2) + "=" + values.substr(0, 1));
    }
    for (const auto& row : mushroom["rows"]) {
        const auto i = row["row"].get<std::size_t>();
        std::vector<std::size_t> active;
        for (std::size_t j = 0; j < data.n_features; ++j)
            if (data.row(i)[j] != 0)
                active.push_back(j);
        EXPECT_EQ(active, row["active"].get<std::vector<std::size_t>>()) << "row " << i;
        EXPECT_EQ(data.class_names[static_cast<std::size_t>(data.labels[i])], row["label"].get<std::string>())
            << "row " << i;
    }
}
