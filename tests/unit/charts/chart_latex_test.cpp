// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"
#include "charts/latex_parts.h"

#include <gmock/gmock.h>

using namespace credence;
using testing::HasSubstr;
using testing::Not;

namespace {

/// Is every { closed and every \begin ended, in order?
std::string first_imbalance(const std::string& tex)
{
    std::vector<std::string> open;
    for (std::size_t i = 0; i < tex.size(); ++i) {
        if (tex[i] == '%' && (i == 0 || tex[i - 1] != '\\')) {
            i = tex.find('\n', i);
            continue;
        }
        if (tex[i] == '\\') {
            for (const std::string command : {"begin", "end"})
                if (tex.compare(i + 1, command.size() + 1, command + "{") == 0) {
                    const auto from = i + command.size() + 2;
                    const auto name = tex.substr(from, tex.find('}', from) - from);
                    if (command == "begin")
                        open.push_back(name);
                    else if (open.empty() || open.back() != name)
                        return "\\end{" + name + "}";
                    else
                        open.pop_back();
                }
            ++i;
            continue;
        }
        if (tex[i] == '{')
            open.push_back("{");
        if (tex[i] == '}') {
            if (open.empty() || open.back() != "{")
                return tex.substr(i, 40);
            open.pop_back();
        }
    }
    return open.empty() ? "" : open.back();
}

Chart with_every_series()
{
    Panel panel{.title = "A & B", .x = {.label = "x_1"}, .y = {.label = "Entropy", .unit = "nats"}};
    panel.series = {HeatMap{.name     = "H",
                            .unit     = "nats",
                            .nx       = 2,
                            .ny       = 2,
                            .x        = {0, 1},
                            .y        = {0, 1},
                            .z        = {0, 1, 2, 3},
                            .z_range  = {0, 3},
                            .contours = {1.5}},
                    Band{.name = "95 %", .x = {0, 1}, .lower = {0, 0}, .upper = {1, 1}},
                    Bars{.name = "bars", .position = {0, 1}, .height = {2, 3}},
                    Line{.name = "line", .x = {0, 1}, .y = {0, 1}},
                    Boxes{.name = "boxes", .boxes = {{0, 1, 2, 3, 4, 5, {6, 7}, {}}}},
                    IntervalBars{.name = "intervals", .bars = {{0, 1, 2, 3, {}}}},
                    Points{.name = "points", .x = {0}, .y = {1}, .tone = category(3)},
                    Rule{.direction = Rule::Direction::vertical, .at = 0.5, .label = "cut"}};
    return {.id = "test", .title = "Test", .caption = "Moons, 50 %", .panels = {panel}};
}

}   // namespace

TEST(TexText, EscapesEverySpecialCharacter)
{
    EXPECT_EQ(tex_text("a_b & 5 % # $ {x} ^ ~ \\"),
              "a\\_b \\& 5 \\% \\# \\$ \\{x\\} \\textasciicircum{} \\textasciitilde{} \\textbackslash{}");
}

TEST(TexText, TypesetsGreekSignsAndPBarAsMathematics)
{
    EXPECT_EQ(tex_text("τ ≥ 0"), "\\ensuremath{\\tau} \\ensuremath{\\ge} 0");
    EXPECT_EQ(tex_text("max p\u0304"), "max \\ensuremath{\\bar{p}}");
    EXPECT_EQ(tex_text("é"), "é");
}

TEST(Latex, EverySeriesIsWrittenAndEverythingThatOpensCloses)
{
    const auto tex = to_latex(with_every_series());
    EXPECT_EQ(first_imbalance(tex), "");
    EXPECT_THAT(tex, HasSubstr("matrix plot*, mesh/cols=2"));
    EXPECT_THAT(tex, HasSubstr("-- cycle;"));
    EXPECT_THAT(tex, HasSubstr("ybar, bar width=1"));
    EXPECT_THAT(
        tex,
        HasSubstr(
            "boxplot prepared={draw position=0, box extend=0.6, lower whisker=1, lower quartile=2, median=3, upper "
            "quartile=4, upper whisker=5}"));
    EXPECT_THAT(tex, HasSubstr("{ 6\\\\ 7\\\\ };"));
    EXPECT_THAT(tex, HasSubstr("(0,2) += (0,1) -= (0,1)"));
    EXPECT_THAT(tex, HasSubstr("\\addlegendentry{95 \\%}"));
    EXPECT_THAT(tex, HasSubstr("title={A \\& B}"));
    EXPECT_THAT(tex, HasSubstr("xlabel={x\\_1}"));
    EXPECT_THAT(tex, HasSubstr("(axis cs:0.5,\\pgfkeysvalueof{/pgfplots/ymin}) -- (axis cs:0.5,"));
    EXPECT_THAT(tex, HasSubstr("ylabel={Entropy [nats]}"));
    EXPECT_THAT(tex, HasSubstr("\\caption{Moons, 50 \\%}"));
}

TEST(Latex, LabelsOfPointsAreNodes)
{
    const Panel panel{.series = {Points{.name = "next", .x = {1, 2}, .y = {3, 4}, .labels = {"1", "a_b"}}}};
    const auto tex = to_latex({.id = "test", .title = "Test", .panels = {panel}});
    EXPECT_THAT(tex, HasSubstr("nodes near coords, point meta=explicit symbolic"));
    EXPECT_THAT(tex, HasSubstr("(1,3) [1] (2,4) [a\\_b]"));
}

TEST(Latex, LinesWithoutANameAreNotInTheLegend)
{
    Chart chart{.panels = {{.series = {Line{.x = {0}, .y = {0}}}}}};
    EXPECT_THAT(to_latex(chart), HasSubstr("forget plot"));
    EXPECT_THAT(to_latex(chart), Not(HasSubstr("addlegendentry")));
}

TEST(Latex, ANoteIsBelowTheTitleAndNotPartOfThePanelsNameInTheTable)
{
    Chart chart;
    chart.panels.push_back({.title = "Loss", .note = "Not drawn: run 3", .series = {Line{.x = {0, 1}, .y = {1, 2}}}});
    EXPECT_NE(to_latex(chart).find("title={Loss\\\\Not drawn: run 3}"), std::string::npos) << to_latex(chart);
    EXPECT_EQ(to_csv(data_table(chart)).find("Not drawn"), std::string::npos);
    EXPECT_EQ(heading({.note = "Not drawn: run 3"}), "Not drawn: run 3");
}

TEST(Latex, AnAxisThatRunsDownwardsStatesThis)
{
    Chart chart{.panels = {{.y = {.range = Range{1.5, -0.5}}, .series = {Line{.x = {0}, .y = {0}}}}}};
    EXPECT_THAT(to_latex(chart), HasSubstr("ymin=-0.5, ymax=1.5,\n  y dir=reverse,\n"));
}

TEST(Latex, RegionsHaveTheirNamesAtTheColourBar)
{
    HeatMap map{.nx = 1, .ny = 1, .z = {0}, .z_range = {0, 1}, .categories = {"certain", "50_50"}};
    const auto tex = to_latex({.panels = {{.series = {map}}}});
    EXPECT_THAT(tex, HasSubstr("yticklabels={{certain},{50\\_50}}"));
    EXPECT_EQ(first_imbalance(tex), "");
}

TEST(Latex, CategoriesBecomeTickLabels)
{
    const auto tex = to_latex({.panels = {{.x = {.categories = {"a", "b"}}}}});
    EXPECT_THAT(tex, HasSubstr("xtick={0,1}, xticklabels={{a},{b}},"));
}

TEST(Latex, ATableIsABooktabsTabular)
{
    const Chart chart{.id      = "scores",
                      .caption = "Scores",
                      .table   = Table{.columns = {{"score"}, {"value", "nats", 2}}, .rows = {{"NLL", 0.123}}}};
    const auto tex = to_latex(chart, "study");
    EXPECT_EQ(
        tex,
        "% study\n% needs: "
        "\\usepackage{booktabs}\n\\begin{table}[htbp]\n\\centering\n\\begin{tabular}{lr}\n\\toprule\nscore & value "
        "[nats] \\\\\n"
        "\\midrule\nNLL & 0.12 "
        "\\\\\n\\bottomrule\n\\end{tabular}\n\\caption{Scores}\n\\label{tab:scores}\n\\end{table}\n");
}

TEST(Latex, AnEmptyChartStatesWhy) { EXPECT_THAT(to_latex({.message = "No test set."}), HasSubstr("No test set.")); }
