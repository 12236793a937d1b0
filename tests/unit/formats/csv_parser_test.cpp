// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/csv_parser.h"

#include "unit/formats/table_file.h"
#include "unit/refusal.h"

#include <gmock/gmock.h>

#include <string>

using namespace credence;
using namespace std::string_literals;
using testing::ElementsAre;

namespace {

std::vector<char> bytes(const std::string& text) { return {text.begin(), text.end()}; }

/// The cells with / between columns and \n after rows.
std::string cut(const std::string& text, char separator = ',')
{
    const CsvTable table = parse_csv("table.csv", bytes(text), separator);
    std::string shown;
    for (std::size_t i = 0; i < table.n_records(); ++i)
        for (std::size_t j = 0; j < table.n_columns; ++j)
            shown.append(table.cell(i, j)).append(j + 1 < table.n_columns ? "/" : "\n");
    return shown;
}

std::string parser_refuses(const std::string& text, char separator = ',')
{
    return refusal([&] { cut(text, separator); });
}

std::string parsed(const std::string& text)
{
    const TableFile file(text);
    const std::vector<char> read = read_utf8(file.path());
    return {read.begin(), read.end()};
}

}   // namespace

TEST(CsvParser, SplitsLinesAndCells)
{
    EXPECT_EQ(cut("a,b,c\n1,2,3\n"), "a/b/c\n1/2/3\n");
    EXPECT_EQ(cut("a;b\n1;2\n", ';'), "a/b\n1/2\n");
    EXPECT_EQ(cut("a\tb\n1\t2\n", '\t'), "a/b\n1/2\n");
    EXPECT_EQ(cut("a|b\n1|2\n", '|'), "a/b\n1/2\n");
}

TEST(CsvParser, AcceptsAnyLineEndingAndNoneAtTheEnd)
{
    for (const char* text : {"a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\r1,2\r", "a,b\n1,2", "a,b\r\n1,2", "a,b\r1,2",
                             "a,b\r\n1,2\n", "a,b\n1,2\n\n\n", "\r\n\na,b\n\n1,2\n  \n"})
        EXPECT_EQ(cut(text), "a/b\n1/2\n") << testing::PrintToString(text);
}

TEST(CsvParser, KeepsEmptyCells)
{
    EXPECT_EQ(cut(",,\na,,c\n,b,\n\"\",\"\",x"), "//\na//c\n/b/\n//x\n");
    EXPECT_EQ(cut("\t\t\n1\t\t3\n", '\t'), "//\n1//3\n");
}

TEST(CsvParser, ReadsQuotesAsInRfc4180)
{
    EXPECT_EQ(cut("\"a,b\",c\n"), "a,b/c\n");
    EXPECT_EQ(cut("\"say \"\"yes\"\"\",2\n"), "say \"yes\"/2\n");
    EXPECT_EQ(cut("\"two\nlines\",2\n\"and\r\nthree\",4\n"), "two\nlines/2\nand\r\nthree/4\n");
    EXPECT_EQ(cut("\"\"\"\",\" kept \"\n"), "\"/ kept \n");
    EXPECT_EQ(cut("disk 5\"\",a\"b\n"), "disk 5\"\"/a\"b\n") << "a quote inside an unquoted cell is a character";
    EXPECT_EQ(cut("\"a\",\"b\""), "a/b\n") << "the file can end with a closing quote";
}

TEST(CsvParser, TrimsBlanksAroundCells) { EXPECT_EQ(cut(" a , b b\t,\tc\n \"q\" ,x, \"y\"\n"), "a/b b/c\nq/x/y\n"); }

TEST(CsvParser, TreatsRepeatedBlanksAsOneSeparator)
{
    EXPECT_EQ(cut("  1.0   2  3 \n4 5    6\n\"7 7\"  8 9", ' '), "1.0/2/3\n4/5/6\n7 7/8/9\n");
}

TEST(CsvParser, StoresTheLineOfEachRecord)
{
    const CsvTable table = parse_csv("t", bytes("a,b\n\n\"1\n2\r3\r\n4\",x\r\ny,z\rlast,one"), ',');
    EXPECT_THAT(table.lines, ElementsAre(1, 3, 7, 8));
}

TEST(CsvParser, RejectsRaggedRowsByTheirLine)
{
    EXPECT_EQ(parser_refuses("a,b,c\n1,2,3\n1,2\n"), "table.csv, line 3: found 2 columns, expected 3.");
    EXPECT_EQ(parser_refuses("a,b\r\n\r\n\"x\ny\",2\r\nz\r\n"), "table.csv, line 5: found 1 column, expected 2.");
    EXPECT_EQ(parser_refuses("a b\n1 2 3 4\n", ' '), "table.csv, line 2: found 4 columns, expected 2.");
}

TEST(CsvParser, RejectsBrokenQuotes)
{
    EXPECT_EQ(parser_refuses("a,b\n1,\"2\n3,4\n"),
              "table.csv, line 2: found a quote that is never closed, expected a second \".");
    EXPECT_EQ(
        parser_refuses("a,b\n\"1\"x,2\n"),
        "table.csv, line 2: found text after the closing quote of “1”, expected the separator or the end of the line.");
    EXPECT_EQ(
        parser_refuses("\"a\"b c\n", ' '),
        "table.csv, line 1: found text after the closing quote of “a”, expected the separator or the end of the line.");
}

TEST(CsvParser, FindsTheSeparator)
{
    const auto found = [](const std::string& text, bool decimal_comma = false) {
        return detect_separator(bytes(text), decimal_comma);
    };
    EXPECT_EQ(found("a,b\n1,2\n"), ',');
    EXPECT_EQ(found("a;b\n1,5;2,5\n3,5;4,5\n"), ';');
    EXPECT_EQ(found("1,5;2,5\n3,5;4,5\n", true), ';') << "commas separate these lines evenly, too";
    EXPECT_EQ(found("1,5;2,5\n3,5;4,5\n"), ';');
    EXPECT_EQ(found("1,5 2,5\n3,5 4,5\n", true), ' ');
    EXPECT_EQ(found("a\tb c\td\n1\t2 3\t4\n"), '\t');
    EXPECT_EQ(found("a|b\n1|2"), '|');
    EXPECT_EQ(found("  1  2\n3 4  \n"), ' ');
    EXPECT_EQ(found("name,what it is\nx,one two three\n"), ',');
    EXPECT_EQ(found("\"a;b\",c\n\"d;e\",f\n"), ',') << "separators in quotes do not count";
    EXPECT_EQ(found("\"a\nb\",c\n1,2\n"), ',');
    EXPECT_EQ(found("5\" disk,2;3\nx,4;5;6\n"), ',') << "a quote inside an unquoted cell is a character";
    EXPECT_EQ(found("\"say \"\"a;b\"\"\",c\n\"d;e\",f\n"), ',');
    EXPECT_EQ(found("a,b,c\n1,2,3\n1,2\n"), ',')
        << "a ragged table still has its separator, so that its bad line can be reported";
    EXPECT_EQ(found("one\ntwo\n"), 0);
}

TEST(CsvParser, ReadsUtf8WithOrWithoutByteOrderMark)
{
    EXPECT_EQ(parsed("\xEF\xBB\xBF"
                     "a,b\n"),
              "a,b\n");
    EXPECT_EQ(parsed("größe,€,😀\n"), "größe,€,😀\n");
    EXPECT_EQ(parsed("\xF4\x8F\xBF\xBF"), "\xF4\x8F\xBF\xBF") << "the last character of Unicode";
}

TEST(CsvParser, RejectsInvalidUtf8ByLine)
{
    const auto sentence = [](const std::string& text) { return refusal([&] { parsed(text); }); };
    EXPECT_EQ(sentence("a,b\ngr\xF6\xDF"
                       "e,2\n"),
              "table.csv, line 2: found the byte 0xF6, expected text in UTF-8.");
    EXPECT_EQ(sentence("a\r\nb\r\xFF"), "table.csv, line 3: found the byte 0xFF, expected text in UTF-8.");
    EXPECT_EQ(sentence("a\0b"s), "table.csv, line 1: found the byte 0x00, expected text in UTF-8.");
    EXPECT_EQ(sentence("\xC0\xAF"), "table.csv, line 1: found the byte 0xC0, expected text in UTF-8.") << "overlong";
    EXPECT_EQ(sentence("\xE0\x80\xAF"), "table.csv, line 1: found the byte 0xE0, expected text in UTF-8.")
        << "overlong";
    EXPECT_EQ(sentence("\xED\xA0\x80"), "table.csv, line 1: found the byte 0xED, expected text in UTF-8.")
        << "surrogate";
    EXPECT_EQ(sentence("abc\xE2\x82"), "table.csv, line 1: found the byte 0xE2, expected text in UTF-8.") << "cut off";
    EXPECT_EQ(sentence("\xF5\x80\x80\x80"), "table.csv, line 1: found the byte 0xF5, expected text in UTF-8.")
        << "beyond Unicode";
    EXPECT_EQ(sentence("\xFF\xFE"
                       "a\0,\0"s),
              "table.csv: found text in UTF-16, expected text in UTF-8.");
    EXPECT_EQ(sentence("\x1F\x8B\x08\0"s), "table.csv: found a gzip file, expected a table in text.");
    EXPECT_EQ(sentence("\xFD"
                       "7zXZ\0"s),
              "table.csv: found an xz file, expected a table in text.");
}

TEST(CsvParser, RejectsFilesWithNothingInThem)
{
    for (const char* text : {"", "\n\n", " \r\n\t\n", "\xEF\xBB\xBF", "\xEF\xBB\xBF\n"})
        EXPECT_EQ(refusal([&] { parsed(text); }), "table.csv: found an empty file, expected a table.")
            << testing::PrintToString(text);
}

TEST(CsvParser, RejectsFilesThatCannotBeRead)
{
    EXPECT_EQ(refusal([] { read_utf8("/no/such/file.csv"); }),
              "/no/such/file.csv: the file cannot be read (No such file or directory), expected a table.");
    EXPECT_EQ(refusal([] { read_utf8("/usr"); }), "/usr: the file cannot be read (it is a folder), expected a table.");
}

TEST(CsvParser, ParsesOrRejectsAllShortTexts)
{
    // All texts of up to six special characters: split or rejected, nothing else, and cells stay inside the text.
    const std::string alphabet = "a,\"\n\r ";
    std::size_t cut_texts = 0, refused_texts = 0;
    for (std::size_t length = 1; length <= 6; ++length) {
        std::size_t count = 1;
        for (std::size_t i = 0; i < length; ++i)
            count *= alphabet.size();
        for (std::size_t code = 0; code < count; ++code) {
            std::string text;
            for (std::size_t i = 0, rest = code; i < length; ++i, rest /= alphabet.size())
                text += alphabet[rest % alphabet.size()];
            for (const char separator : {',', ' '}) {
                try {
                    const CsvTable table = parse_csv("t", bytes(text), separator);
                    ASSERT_EQ(table.cells.size(), table.n_records() * table.n_columns);
                    for (const std::string_view cell : table.cells)
                        ASSERT_TRUE(cell.data() >= table.text.data()
                                    && cell.data() + cell.size() <= table.text.data() + table.text.size());
                    ++cut_texts;
                } catch (const Error&) {
                    ++refused_texts;
                }
            }
            detect_separator(bytes(text), code % 2 == 0);
        }
    }
    EXPECT_GT(cut_texts, 0u);
    EXPECT_GT(refused_texts, 0u);
}
