// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv_columns.h"
#include "formats/csv_styles.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

using namespace credence;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// A table of one column and its reading, without header.
struct OneColumn {
    CsvTable table;
    ColumnContent content;

    explicit OneColumn(const std::vector<std::string>& cells, bool decimal_comma = false, char separator = ';')
    {
        std::string text;
        for (const std::string& cell : cells)
            text.append(cell).append(";.\n");
        table   = parse_csv("t.csv", {text.begin(), text.end()}, ';');
        content = read_column(table, 0, 0, "size", {.separator = separator, .decimal_comma = decimal_comma});
    }
};

ColumnContent column(const std::vector<std::string>& cells, bool decimal_comma = false, char separator = ';')
{
    return OneColumn(cells, decimal_comma, separator).content;
}

std::vector<std::string> counted(int n, std::vector<std::string> more = {})
{
    std::vector<std::string> cells;
    for (int i = 0; i < n; ++i)
        cells.push_back(std::to_string(i) + ".5");
    cells.insert(cells.end(), more.begin(), more.end());
    return cells;
}

bool header(const std::string& text) { return has_header(parse_csv("t", {text.begin(), text.end()}, ','), false); }

std::vector<std::string> names(const std::string& text, bool with_header)
{
    return column_names(parse_csv("t", {text.begin(), text.end()}, ','), with_header);
}

}   // namespace

TEST(CsvNumbers, AreReadToTheLastBit)
{
    for (const double value : {0.1, -2.5e-300, 1.7976931348623157e308, 123456789.123456789, 5e-324, 3.0, -0.0}) {
        char text[64];
        std::snprintf(text, sizeof text, "%.17g", value);
        ASSERT_TRUE(parse_number(text, false)) << text;
        EXPECT_EQ(*parse_number(text, false), value) << text;
    }
}

TEST(CsvNumbers, UseTheRequestedDecimalMark)
{
    EXPECT_EQ(parse_number("1.5", false), 1.5);
    EXPECT_EQ(parse_number("1,5", true), 1.5);
    EXPECT_EQ(parse_number("-,5e1", true), -5);
    EXPECT_EQ(parse_number("1,5", false), std::nullopt);
    EXPECT_EQ(parse_number("1.5", true), std::nullopt);
    EXPECT_EQ(parse_number("1,234,5", true), std::nullopt);
}

TEST(CsvNumbers, CanHaveASignAndAnExponent)
{
    EXPECT_EQ(parse_number("+3", false), 3);
    EXPECT_EQ(parse_number("+.5E+2", false), 50);
    for (const char* text : {"", "+", "-", "+-3", "1e", "1 2", "0x10", "3a", "--1", ".", "e5", "1_000"})
        EXPECT_EQ(parse_number(text, false), std::nullopt) << text;
}

TEST(CsvNumbers, DetectOverflow)
{
    EXPECT_EQ(parse_number("1e400", false), INFINITY);
    EXPECT_EQ(parse_number("-1e400", false), -INFINITY);
    EXPECT_EQ(parse_number(std::string(400, '9'), false), INFINITY);
    EXPECT_EQ(parse_number("1e-400", false), 0);
    EXPECT_EQ(parse_number("-1e-400", false), 0);
    EXPECT_EQ(parse_number("0." + std::string(400, '0') + "1", false), 0);
    EXPECT_EQ(parse_number("-inf", false), -INFINITY);
    EXPECT_TRUE(std::isnan(parse_number("NaN", false).value()));
}

TEST(CsvColumn, OfNumbersIsNumeric)
{
    const ColumnContent content = column({"1", "2.5", "-3e2", "+4", "1e-400"});
    EXPECT_FALSE(content.categorical);
    EXPECT_EQ(content.problem, "");
    EXPECT_THAT(content.numbers, ElementsAre(1, 2.5, -300, 4, 0));
}

TEST(CsvColumn, WithWordsIsCategoricalAndItsValuesAreSorted)
{
    const ColumnContent content = column({"tall", "Small", "10", "?", "9", "\"\"", "tall"});
    EXPECT_TRUE(content.categorical);
    EXPECT_THAT(content.values, ElementsAre("9", "10", "", "?", "Small", "tall"));
    EXPECT_THAT(content.codes, ElementsAre(5, 4, 1, 3, 0, 2, 5));
    EXPECT_THAT(content.numbers, IsEmpty());
}

TEST(CsvColumn, TreatsAQuestionMarkAsAValueOnlyAmongFewDistinctNumbers)
{
    const ColumnContent codes = column({"1", "3", "2", "?", "10", "1"});
    EXPECT_THAT(codes.values, ElementsAre("1", "2", "3", "10", "?"));
    EXPECT_THAT(column(counted(21, {"?"})).problem,
                testing::StartsWith("t.csv, line 22: column “size” is “?”, expected a number as in the other rows"));
    std::vector<std::string> codes_of_twenty(1, "?");
    for (int i = 0; i < 20; ++i)
        codes_of_twenty.push_back(std::to_string(i));
    EXPECT_TRUE(column(codes_of_twenty).categorical);
}

TEST(CsvColumn, OfMeasurementsRejectsAWordByItsLine)
{
    std::vector<std::string> cells = counted(30);
    cells[16]                      = "12.5kg";
    EXPECT_EQ(column(cells).problem,
              "t.csv, line 17: column “size” is “12.5kg”, expected a number as in most other rows.");
    EXPECT_EQ(column(counted(30, std::vector<std::string>(30, "none"))).problem, "") << "half of it words: categorical";
}

TEST(CsvColumn, WithoutWordsRejectsEmptyCellsNaNAndInfinity)
{
    EXPECT_EQ(column({"1", "2", "", "2"}).problem, "t.csv, line 3: column “size” is empty, expected a number.");
    EXPECT_EQ(column({"1", "NaN", "2"}).problem,
              "t.csv, line 2: column “size” is “NaN”, expected a finite number that fits into 32 bits.");
    EXPECT_EQ(column({"inf", "1", "2"}).problem,
              "t.csv, line 1: column “size” is “inf”, expected a finite number that fits into 32 bits.");
    EXPECT_EQ(column({"1", "2", "-1e39"}).problem,
              "t.csv, line 3: column “size” is “-1e39”, expected a finite number that fits into 32 bits.");
    EXPECT_EQ(column({"1", "?", ""}).problem, "t.csv, line 3: column “size” is empty, expected a number.");
    EXPECT_THAT(column({"inf", "nan", "word"}).values, ElementsAre("inf", "nan", "word"))
        << "among words they are words";
}

TEST(CsvColumn, WithTheOtherDecimalMarkIsRejected)
{
    EXPECT_EQ(column({"1,5", "2", "2,5"}).problem,
              "t.csv, line 1: column “size” is “1,5”, expected a number with a decimal point, or the option decimal "
              "comma on.");
    EXPECT_EQ(column({"1", "2.5", "3.5"}, true).problem,
              "t.csv, line 2: column “size” is “2.5”, expected a number with a decimal comma, or the option decimal "
              "comma off.");
    EXPECT_EQ(column({"1", "2,50"}, false, ',').problem,
              "t.csv, line 2: column “size” is “2,50”, expected a number without a comma in it.");
    EXPECT_THAT(column({"1", "2,5", "3,5"}, true).numbers, ElementsAre(1, 2.5, 3.5));
    EXPECT_EQ(column({"1,5", "2", "a"}).problem, "");
}

TEST(CsvColumn, HasAtMostAThousandCategories)
{
    std::vector<std::string> cells;
    for (int i = 0; i < 1000; ++i)
        cells.push_back("word" + std::to_string(i));
    EXPECT_EQ(column(cells).values.size(), 1000u);
    cells.push_back("one more");
    EXPECT_EQ(column(cells).problem,
              "t.csv: column “size” has more than 1000 different values, expected numbers or at most 1000 categories.");
}

TEST(CsvColumn, ShortensLongCellsInSentences)
{
    std::vector<std::string> cells = counted(30, {std::string(39, 'x') + "äöü"});
    EXPECT_EQ(column(cells).problem, "t.csv, line 31: column “size” is “" + std::string(39, 'x')
                                         + "ä…”, expected a number as in most other rows.");
}

TEST(CsvColumn, OfNumbersMakesClassesInTheirOrder)
{
    ColumnContent content = column({"10", "9", "-1", "9.0", "1e1", "2.5", "-0", "0"});
    number_classes(content);
    EXPECT_TRUE(content.categorical);
    EXPECT_THAT(content.values, ElementsAre("-1", "0", "2.5", "9", "10"));
    EXPECT_THAT(content.codes, ElementsAre(4, 3, 0, 3, 4, 2, 1, 1));
}

TEST(CsvHeader, IsPresentIfAWordIsAboveNumbers)
{
    EXPECT_TRUE(header("x,y\n1,2\n3,4\n"));
    EXPECT_TRUE(header("x,kind\n1,a\n3,b\n"));
    EXPECT_TRUE(header("kind,kind\na,1\nb,3\n"));
    EXPECT_TRUE(header(",x\n0,1\n1,2\n")) << "the unnamed column of row numbers";
    EXPECT_TRUE(header("label,0,1,2\n5,0,0,1\n"));
    EXPECT_TRUE(header("x,y\n1,?\n2,\n"));
}

TEST(CsvHeader, IsAbsentIfTheFirstLineHasNumbers)
{
    EXPECT_FALSE(header("1,2\n3,4\n"));
    EXPECT_FALSE(header("5.1,3.5,Iris-setosa\n4.9,3.0,Iris-setosa\n"));
    EXPECT_FALSE(header("1,a\n2,b\n"));
    EXPECT_FALSE(header("5.5,oops\n4.5,2\n")) << "a number with a decimal point is not a name";
}

TEST(CsvHeader, IsAbsentIfTheFirstLineHasNoNames)
{
    EXPECT_FALSE(header("?,x\n1,2\n3,4\n"));
    EXPECT_FALSE(header("a,a\nb,c\n")) << "equal names";
}

TEST(CsvHeader, OfWordsAboveWordsDoesNotRecur)
{
    EXPECT_TRUE(header("colour,shape\nred,round\nblue,flat\n"));
    EXPECT_FALSE(header("red,round\nblue,flat\nred,square\n"));
    EXPECT_TRUE(header("colour,shape\n"));
}

TEST(CsvHeader, GivesEachColumnAUniqueName)
{
    EXPECT_THAT(names("x,x,,x (2),x\n1,2,3,4,5", true), ElementsAre("x", "x (2)", "column 3", "x (2) (2)", "x (3)"));
    EXPECT_THAT(names("1,2\n", false), ElementsAre("column 1", "column 2"));
}

TEST(CsvValues, AreInNaturalOrder)
{
    std::vector<std::string> values{"b", "10", "a", "9", "?", "nan", "2.5", "B", "1e1"};
    std::sort(values.begin(), values.end(), value_order);
    EXPECT_THAT(values, ElementsAre("2.5", "9", "10", "1e1", "?", "B", "a", "b", "nan"));
}

using testing::HasSubstr;

namespace {

/// One column of a bar-separated table, so that cells can contain any other character.
ColumnContent styled_column(const std::vector<std::string>& cells, const CsvOptions& options)
{
    std::string text;
    for (const std::string& cell : cells)
        text.append(cell).append("|.\n");
    return read_column(parse_csv("t.csv", {text.begin(), text.end()}, '|'), 0, 0, "size", options);
}

ColumnContent styled_column(const std::vector<std::string>& cells, bool decimal_comma = false, char separator = ';')
{
    return styled_column(cells, {.separator = separator, .decimal_comma = decimal_comma});
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
    const ColumnContent asks = styled_column({"1,234", "12345"});
    EXPECT_THAT(asks.problem, HasSubstr("set data.decimal_comma to true for 1.234, or data.decimal_point to true for "
                                        "1234."));
    EXPECT_EQ(asks.fault, ColumnFault::ambiguous_comma);
    EXPECT_EQ(asks.readings->with_comma, 1.234);
    EXPECT_EQ(styled_column({"1,5", "2,5"}).fault, ColumnFault::decimal_commas);
    EXPECT_THAT(styled_column({"1,234", "5,678"}, {.separator = ';', .decimal_point = true}).numbers,
                ElementsAre(1234, 5678));
    EXPECT_THAT(styled_column({"1,234", "5,678"}, true).numbers, ElementsAre(1.234, 5.678));
    EXPECT_EQ(styled_column({"0,234", "5,678"}).problem,
              "t.csv, line 1: column “size” is “0,234”, expected a number with a decimal point, or the option decimal "
              "comma on.")
        << "no thousands start with 0";
    EXPECT_TRUE(styled_column({"12,34,567", "1,2345"}).categorical) << "no groups of three digits";
}

TEST(CsvStyles, PointsThatCouldSeparateThousandsAreReported)
{
    const ColumnContent asks = styled_column({"7", "1.234", "-56.789"});
    EXPECT_THAT(asks.numbers, ElementsAre(7, 1.234, -56.789));
    EXPECT_EQ(asks.readings->cell, "1.234");
    EXPECT_EQ(asks.readings->with_point, 1.234);
    EXPECT_EQ(asks.readings->with_comma, 1234);
    for (const char* settled : {"0.234", "1234.567", "1.25", "12345"})
        EXPECT_TRUE(styled_column({"1.234", settled}).decimal_points) << settled;
    EXPECT_FALSE(styled_column({"0.234", "1.234"}).readings);
    EXPECT_FALSE(styled_column({"1.234", "5.678"}, false, ',').readings) << "the decimal mark cannot be a comma";
    EXPECT_FALSE(styled_column({"1.234", "5.678"}, {.separator = ';', .decimal_point = true}).readings);
    EXPECT_FALSE(styled_column({"7", "12"}).readings);
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
    EXPECT_EQ(styled_column(mixed).problem,
              "t.csv, line 2: column “size” is “1.5%”, expected numbers or dates that are all written in the same way "
              "(with or without a sign, in one order).");
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

TEST(CsvNotes, LeadingZerosOfPostcodesAreReportedAndThoseOfQuantitiesAreNot)
{
    const auto postcodes = column({"10115", "01067", "04109"});
    EXPECT_THAT(postcodes.numbers, ElementsAre(10115, 1067, 4109)) << "a note, not a refusal";
    EXPECT_EQ(postcodes.note, "t.csv: column “size” is read as numbers, without leading zeros: “01067” is 1067. If "
                              "these are codes, name it in data.categories, or leave it out with data.columns.");
    EXPECT_TRUE(postcodes.leading_zeros);
    for (const auto& quantities : std::vector<std::vector<std::string>>{{"0.5", "00.25", "3"},       // decimals
                                                                        {"00", "15", "05"},          // minutes, months
                                                                        {"-0075", "0075", "0010"},   // has signs
                                                                        {"0", "100", "1000"},
                                                                        {"007.5", "0010"},
                                                                        {"1e3", "0100"}}) {
        EXPECT_EQ(column(quantities).note, "") << quantities.front();
        EXPECT_FALSE(column(quantities).leading_zeros) << quantities.front();
    }
}

TEST(CsvStyles, AMissingValueAmongMeasurementsIsRejectedByItsLine)
{
    for (const char* mark : {"n/a", "N/A", "NA", "-", "?", "null", "."})
        EXPECT_EQ(styled_column({"0.5", "1.5", mark, "3.0", "0.5"}).problem,
                  std::string("t.csv, line 3: column “size” is “") + mark
                      + "”, expected a number as in the other rows: fill in or remove the row without one, or leave "
                        "the column out with data.columns.");
    EXPECT_THAT(styled_column({"1,000,000", "-", "2,000", "?"}).problem,
                HasSubstr("line 2: column “size” is “-”, expected"));
    EXPECT_THAT(styled_column({"2020-01-01", "NA"}).problem, HasSubstr("line 2: column “size” is “NA”, expected"));
}

TEST(CsvStyles, CodesWithAMissingValueStayCategoriesAndTheNoteStatesThis)
{
    EXPECT_EQ(note_of({"1", "2", "n/a", "2"}),
              "t.csv: column “size” is read as 3 categories, not as numbers, because of “n/a” in line 3. Remove such "
              "rows if it is a quantity.");
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
