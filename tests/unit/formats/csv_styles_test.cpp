// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv_styles.h"

#include "formats/csv_columns.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// One column of a bar-separated table, so that cells can contain any other character.
ColumnContent styled_column(const std::vector<std::string>& cells, bool decimal_comma = false, char separator = ';')
{
    std::string text;
    for (const std::string& cell : cells)
        text.append(cell).append("|.\n");
    return read_column(parse_csv("t.csv", {text.begin(), text.end()}, '|'), 0, 0, "size", decimal_comma, separator);
}

std::string note_of(const std::vector<std::string>& cells, bool decimal_comma = false, char separator = ';')
{
    return styled_column(cells, decimal_comma, separator).note;
}

}   // namespace

TEST(CsvStyles, ThousandsSeparatorsAreReadWhereTheyCannotBeDecimalMarks)
{
    EXPECT_THAT(styled_column({"1,234,567", "950", "12,000"}).numbers, ElementsAre(1234567, 950, 12000));
    EXPECT_THAT(styled_column({"1,234.5", "12.25"}).numbers, ElementsAre(1234.5, 12.25));
    EXPECT_THAT(styled_column({"1,234", "5,678"}, false, ',').numbers, ElementsAre(1234, 5678))
        << "a comma separates the columns";
    EXPECT_THAT(styled_column({"950", "1,234"}).numbers, ElementsAre(950, 1234)) << "950 would not be thousandths";
    EXPECT_THAT(styled_column({"1.234,5", "12,25", "1.000.000"}).numbers, ElementsAre(1234.5, 12.25, 1e6));
    EXPECT_THAT(styled_column({"1.234", "5.678.901"}, true).numbers, ElementsAre(1234, 5678901));
    EXPECT_THAT(styled_column({"1 234", "5 678 901,5"}, true).numbers, ElementsAre(1234, 5678901.5));
    EXPECT_THAT(styled_column({"1\u00A0234", "12\u202F345", "7"}).numbers, ElementsAre(1234, 12345, 7));
    EXPECT_THAT(styled_column({"1'234.50", "2\u2019345.25"}).numbers, ElementsAre(1234.5, 2345.25));
    EXPECT_EQ(note_of({"1,234,567", "950"}),
              "t.csv: column “size” is read as numbers with commas as thousands separators: “1,234,567” is 1234567.");
}

TEST(CsvStyles, AmbiguousCommasAreRejected)
{
    EXPECT_THAT(styled_column({"1,234", "5,678"}).problem,
                HasSubstr("t.csv, line 1: column “size” is “1,234”, expected an unambiguous number"));
    EXPECT_THAT(styled_column({"1,234", "12345"}).problem, HasSubstr("data.decimal_comma"));
    EXPECT_EQ(
        styled_column({"0,234", "5,678"}).problem,
        "t.csv, line 1: column “size” is “0,234”, expected a number with a decimal point, or the option decimal comma on.")
        << "no thousands start with 0";
    EXPECT_TRUE(styled_column({"12,34,567", "1,2345"}).categorical) << "no groups of three digits";
}

TEST(CsvStyles, SignsOfCurrenciesAndPerCentAreLeftOutIfAllCellsAgree)
{
    EXPECT_THAT(styled_column({"$1,234.50", "-$5.00", "($2.50)"}).numbers, ElementsAre(1234.5, -5, -2.5));
    EXPECT_THAT(styled_column({"5 €", "12,5 €"}, true).numbers, ElementsAre(5, 12.5));
    EXPECT_THAT(styled_column({"12%", "7.5 %"}).numbers, ElementsAre(12, 7.5));
    EXPECT_TRUE(styled_column({"12%", "0.5"}).categorical) << "0.5 can mean 50 %";
    EXPECT_TRUE(styled_column({"$5", "€5"}).categorical);
    EXPECT_EQ(note_of({"12%", "7%"}), "t.csv: column “size” is read as numbers with per cent signs: “12%” is 12.");
    std::vector<std::string> mixed;
    for (int i = 0; i < 30; ++i)
        mixed.push_back(std::to_string(i) + (i % 3 ? ".5%" : ".5"));
    EXPECT_EQ(
        styled_column(mixed).problem,
        "t.csv, line 2: column “size” is “1.5%”, expected numbers or dates that are all written in the same way (with or without a sign, in one order).");
}

TEST(CsvStyles, TypographicMinusSignsAndFortranExponentsAreNumbers)
{
    EXPECT_THAT(styled_column({"\u22125", "3.5", "\u22120.25"}).numbers, ElementsAre(-5, 3.5, -0.25));
    EXPECT_THAT(styled_column({"1.0D+03", "-2.5d-01", "4.0E+00", "1e\u22122"}).numbers,
                ElementsAre(1000, -0.25, 4, 0.01));
}

TEST(CsvStyles, DatesBecomeDaysAndTimesOfDayHours)
{
    EXPECT_THAT(styled_column({"1970-01-02", "2000-03-01", "1969-12-31"}).numbers, ElementsAre(1, 11017, -1));
    EXPECT_THAT(styled_column({"2024-02-29 06:00", "2024-03-01T12:00:00Z"}).numbers, ElementsAre(19782.25, 19783.5));
    EXPECT_THAT(styled_column({"1970-01-01T01:30:00+01:30"}).numbers, ElementsAre(0));
    EXPECT_THAT(styled_column({"31.12.1970", "1.1.1970"}).numbers, ElementsAre(364, 0));
    EXPECT_THAT(styled_column({"13/01/1970", "02/01/1970"}).numbers, ElementsAre(12, 1)) << "13 is not a month";
    EXPECT_THAT(styled_column({"01/13/1970", "01/02/1970"}).numbers, ElementsAre(12, 1));
    EXPECT_THAT(styled_column({"01/02/1970", "03/04/1970"}).problem,
                HasSubstr("the first number can be the day or the month"));
    EXPECT_THAT(styled_column({"6:30", "18:45:36"}).numbers, ElementsAre(6.5, 18.76));
    EXPECT_TRUE(styled_column({"2023-02-29"}).categorical) << "there is no such day";
    EXPECT_EQ(note_of({"1970-01-02"}), "t.csv: column “size” is read as days since 1970-01-01: “1970-01-02” is 1.");
    EXPECT_THAT(note_of(std::vector<std::string>(10, "20240331")), HasSubstr("write them as 2024-03-31"));
}

TEST(CsvStyles, AMissingValueAmongMeasurementsIsRejectedByItsLine)
{
    for (const char* mark : {"n/a", "N/A", "NA", "-", "?", "null", "."})
        EXPECT_EQ(
            styled_column({"0.5", "1.5", mark, "3.0", "0.5"}).problem,
            std::string("t.csv, line 3: column “size” is “") + mark
                + "”, expected a number as in the other rows: fill in or remove the row without one, or leave the column out with data.columns.");
    EXPECT_THAT(styled_column({"1,000,000", "-", "2,000", "?"}).problem,
                HasSubstr("line 2: column “size” is “-”, expected"));
    EXPECT_THAT(styled_column({"2020-01-01", "NA"}).problem, HasSubstr("line 2: column “size” is “NA”, expected"));
}

TEST(CsvStyles, CodesWithAMissingValueStayCategoriesAndTheNoteSaysSo)
{
    EXPECT_EQ(
        note_of({"1", "2", "n/a", "2"}),
        "t.csv: column “size” is read as 3 categories, not as numbers, because of “n/a” in line 3. Remove such rows if it is a quantity.");
    EXPECT_EQ(note_of({"red", "blue", "red"}), "") << "text is categorical without a note";
}

TEST(CsvStyles, CategoriesThatHardlyRecurAreNoted)
{
    std::vector<std::string> names;
    for (int i = 0; i < 12; ++i)
        names.push_back("name " + std::to_string(i));
    EXPECT_THAT(note_of(names), HasSubstr("is read as 12 categories in 12 rows"));
}

TEST(CsvStyles, ASingleCellHasOneInterpretation)
{
    EXPECT_EQ(styled_number("1,234,567.5"), 1234567.5);
    EXPECT_EQ(styled_number("\u22122.5"), -2.5);
    EXPECT_EQ(styled_number("1970-01-03"), 2);
    EXPECT_EQ(styled_number("$ 5"), 5);
    for (const char* cell : {"1,234", "01/02/1970", "abc", ""})
        EXPECT_EQ(styled_number(cell), std::nullopt) << cell;
}

TEST(CsvStyles, WordsAndCodesAreNotNumbers)
{
    for (const char* word : {"12kg", "1-2", "1.2.3", "192.168.0.1", "030-123", "1,,2", "1 2", "2020-13-01", "25:00", "",
                             "-", "e5", "$", "%"})
        EXPECT_FALSE(looks_like_number(word, false)) << word;
}
