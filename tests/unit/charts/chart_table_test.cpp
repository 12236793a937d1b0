// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "foundation/number_text.h"

#include <gmock/gmock.h>

#include <cmath>

using namespace credence;

namespace {

std::vector<std::string> names(const Table& table)
{
    std::vector<std::string> out;
    for (const auto& column : table.columns)
        out.push_back(column.name);
    return out;
}

Chart chart_of(std::vector<Series> series)
{
    Panel panel{.title = "left", .x = {.label = "x1"}, .y = {.label = "x2"}, .series = std::move(series)};
    return {.id = "test", .panels = {panel}};
}

}   // namespace

TEST(DataTable, OfAChartWithoutPanelsIsItsOwnTable)
{
    const Table own{.columns = {{"a"}}, .rows = {{1.0}}};
    const auto table = data_table({.table = own});
    EXPECT_THAT(names(table), testing::ElementsAre("a"));
    EXPECT_EQ(table.rows, own.rows);
}

TEST(DataTable, OfAnEmptyChartIsEmpty) { EXPECT_TRUE(data_table({}).columns.empty()); }

TEST(DataTable, HasOneRowForEachPointOfALine)
{
    const auto table = data_table(chart_of({Line{.name = "loss", .x = {1, 2}, .y = {3, 4}}}));
    EXPECT_THAT(names(table), testing::ElementsAre("panel", "series", "kind", "x1", "x2"));
    const std::vector<std::vector<Cell>> rows{{"left", "loss", "line", 1.0, 3.0}, {"left", "loss", "line", 2.0, 4.0}};
    EXPECT_EQ(table.rows, rows);
}

TEST(DataTable, OmitsEmptyColumnsAndLeavesMissingCellsEmpty)
{
    const auto table = data_table(
        chart_of({Band{.name = "95 %", .x = {1}, .lower = {2}, .upper = {3}}, Points{.x = {4}, .y = {5}}}));
    EXPECT_THAT(names(table), testing::ElementsAre("panel", "series", "kind", "x1", "x2", "lower", "upper"));
    const std::vector<std::vector<Cell>> rows{{"left", "95 %", "band", 1.0, "", 2.0, 3.0},
                                              {"left", "", "point", 4.0, 5.0, "", ""}};
    EXPECT_EQ(table.rows, rows);
}

TEST(DataTable, LabelsOfPointsAreACaption)
{
    const auto table = data_table(chart_of({Points{.name = "next", .x = {4, 5}, .y = {6, 7}, .labels = {"1", "2"}}}));
    EXPECT_THAT(names(table), testing::ElementsAre("panel", "series", "kind", "x1", "x2", "caption"));
    EXPECT_EQ(table.rows.at(1), (std::vector<Cell>{"left", "next", "point", 5.0, 7.0, "2"}));
}

TEST(DataTable, WritesAHeatMapCellByCellAtItsCentres)
{
    const auto table = data_table(chart_of(
        {HeatMap{.name = "H", .unit = "nats", .nx = 2, .ny = 2, .x = {0, 1}, .y = {-1, 1}, .z = {1, 2, 3, 4}}}));
    ASSERT_EQ(table.rows.size(), 4u);
    EXPECT_EQ(table.rows[1], (std::vector<Cell>{"left", "H [nats]", "cell", 1.0, -1.0, 2.0}));
    EXPECT_EQ(table.rows[2], (std::vector<Cell>{"left", "H [nats]", "cell", 0.0, 1.0, 3.0}));
}

TEST(DataTable, NamesRegionsAndCategories)
{
    auto chart = chart_of(
        {HeatMap{.nx = 2, .ny = 1, .x = {0, 1}, .y = {0, 0}, .z = {1, 0}, .categories = {"certain", "uncertain"}}});
    chart.panels[0].x.categories = {"cat", "dog"};
    const auto table             = data_table(chart);
    EXPECT_EQ(table.rows[0][3], Cell("cat"));
    EXPECT_EQ(table.rows[0][5], Cell("uncertain"));
    EXPECT_EQ(table.rows[1][3], Cell("dog"));
    EXPECT_EQ(table.rows[1][5], Cell("certain"));
}

TEST(DataTable, GivesABoxOneRowAndEachOutlierOne)
{
    const Box box{.position       = 0,
                  .lower_whisker  = 1,
                  .lower_quartile = 2,
                  .median         = 3,
                  .upper_quartile = 4,
                  .upper_whisker  = 5,
                  .outliers       = {9, 10}};
    const auto table = data_table(chart_of({Boxes{.name = "p", .boxes = {box}}}));
    EXPECT_THAT(names(table), testing::ElementsAre("panel", "series", "kind", "x1", "x2", "lower whisker",
                                                   "lower quartile", "median", "upper quartile", "upper whisker"));
    ASSERT_EQ(table.rows.size(), 3u);
    EXPECT_EQ(table.rows[0], (std::vector<Cell>{"left", "p", "box", 0.0, "", 1.0, 2.0, 3.0, 4.0, 5.0}));
    EXPECT_EQ(table.rows[2][4], Cell(10.0));
}

TEST(DataTable, WritesBarsIntervalsAndRules)
{
    const auto table = data_table(
        chart_of({Bars{.position = {1}, .height = {2}, .width = 0.5}, IntervalBars{.bars = {{1, 2, 3, 4, {}}}},
                  Rule{.direction = Rule::Direction::vertical, .at = 7, .label = "cut"},
                  Rule{.direction = Rule::Direction::diagonal}}));
    const std::vector<std::vector<Cell>> rows{{"left", "", "bar", 1.0, 2.0, "", "", 0.5},
                                              {"left", "", "interval", 1.0, 3.0, 2.0, 4.0, ""},
                                              {"left", "cut", "rule", 7.0, "", "", "", ""},
                                              {"left", "", "diagonal", "", "", "", "", ""}};
    EXPECT_EQ(table.rows, rows);
}

TEST(DataTable, CallsAxesXAndYWherePanelsDiffer)
{
    auto chart = chart_of({Line{.x = {0}, .y = {0}}});
    chart.panels.push_back(chart.panels[0]);
    chart.panels[1].x.label = "other";
    EXPECT_THAT(names(data_table(chart)), testing::ElementsAre("panel", "series", "kind", "x", "x2"));
}

TEST(CellText, UsesTheColumnsDecimals)
{
    EXPECT_EQ(cell_text(0.123456, {"a", "", 2}), "0.12");
    EXPECT_EQ(cell_text(0.123456, {"a"}), "0.1235");
    EXPECT_EQ(cell_text(12L, {"a", "", 2}), "12");
    EXPECT_EQ(cell_text("moon", {"a"}), "moon");
}

namespace {

/// Reads RFC 4180 text back into cells, written apart from the program's own reader.
std::vector<std::vector<std::string>> parse(const std::string& csv)
{
    std::vector<std::vector<std::string>> rows{{""}};
    bool in_quotes = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        const char c = csv[i];
        auto& cell   = rows.back().back();
        if (in_quotes) {
            if (c == '"' && i + 1 < csv.size() && csv[i + 1] == '"')
                cell += csv[++i];
            else if (c == '"')
                in_quotes = false;
            else
                cell += c;
        } else if (c == '"')
            in_quotes = true;
        else if (c == ',')
            rows.back().emplace_back();
        else if (c == '\r' && csv[i + 1] == '\n') {
            rows.push_back({""});
            ++i;
        } else
            cell += c;
    }
    rows.pop_back();
    return rows;
}

}   // namespace

TEST(Csv, RoundTripIsTheIdentity)
{
    const Table table{.columns = {{"class, name"}, {"entropy", "nats"}, {"count"}},
                      .rows    = {{"a \"b\", c", 0.1, 3L},
                                  {"two\nlines", -1.0 / 3, -4L},
                                  {"", 1e-310, 0L},
                                  {"#5", std::nextafter(1.0, 2.0), 1L}}};
    const auto rows = parse(to_csv(table));
    ASSERT_EQ(rows.size(), 5u);
    EXPECT_THAT(rows[0], testing::ElementsAre("class, name", "entropy [nats]", "count"));
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        EXPECT_EQ(rows[i + 1][0], std::get<std::string>(table.rows[i][0]));
        EXPECT_EQ(number_from(rows[i + 1][1]), std::get<double>(table.rows[i][1]));   // in every locale
        EXPECT_EQ(std::stol(rows[i + 1][2]), std::get<long>(table.rows[i][2]));
    }
}

TEST(Csv, StartsWithTheCommentsLineByLine)
{
    EXPECT_EQ(to_csv({.columns = {{"a"}}, .rows = {{1.5}}}, "one\ntwo"), "# one\r\n# two\r\na\r\n1.5\r\n");
}

TEST(Csv, ATextThatLooksLikeACommentIsQuoted) { EXPECT_EQ(to_csv({.columns = {{"#"}}, .rows = {}}), "\"#\"\r\n"); }

TEST(Csv, WritesWhatIsNotANumberAsNanAndInf)
{
    EXPECT_EQ(to_csv({.columns = {{"a"}}, .rows = {{std::nan("")}, {HUGE_VAL}, {-HUGE_VAL}}}),
              "a\r\nnan\r\ninf\r\n-inf\r\n");
}

TEST(ChartTable, NumbersOfAColumnHaveTheSameDecimalsUnlessManyWouldBeHidden)
{
    Table table{.columns = {{"Row"}, {"Strength", "MPa"}, {"Count"}, {"Wide"}, {"Fixed", "", 3}, {"Name"}}};
    const std::vector<double> wide{1e-5, 2e-4, 3000};
    const std::vector<double> strengths{38.07, 29, 40.2};
    for (long i = 0; i < 3; ++i)
        table.rows.push_back({i, strengths[static_cast<std::size_t>(i)], 10.0 * static_cast<double>(i),
                              wide[static_cast<std::size_t>(i)], 1.0, std::string("a")});
    align_decimals(table);
    const auto text = [&](std::size_t row, std::size_t column) {
        return cell_text(table.rows[row][column], table.columns[column]);
    };
    EXPECT_EQ(text(1, 0), "1");
    EXPECT_EQ(text(0, 1), "38.07");
    EXPECT_EQ(text(1, 1), "29.00");
    EXPECT_EQ(text(2, 1), "40.20");
    EXPECT_EQ(text(2, 2), "20") << "whole numbers stay whole";
    EXPECT_EQ(text(0, 3), "1e-05");
    EXPECT_EQ(text(0, 4), "1.000");
    EXPECT_EQ(text(0, 5), "a");
}
