// SPDX-License-Identifier: GPL-3.0-or-later
#include "gallery/gallery.h"

#include <gmock/gmock.h>

#include <map>

namespace credence {
namespace {

using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

PrintedValue value_of(const char* name, const char* printed, const char* ours)
{
    return {.name = name, .printed = printed, .ours = ours, .score = {}, .cell = {}};
}

GalleryEntry table_entry(const char* id, const char* number, std::vector<PrintedValue> values)
{
    GalleryEntry entry;
    entry.id     = id;
    entry.paper  = "U";
    entry.number = number;
    entry.values = std::move(values);
    return entry;
}

/// Two tables, and the figure of both.
Gallery two_tables()
{
    Gallery all;
    all.papers.push_back({.id = "U", .short_title = "Benchmark", .title = {}, .citation = {}});
    GalleryEntry figure = table_entry("U.all", "All", {});
    figure.kind         = EntryKind::figure;
    const std::vector<PrintedValue> first{value_of("RMSE, PBP", "3.0 ± 0.2", ""), value_of("NLL, PBP", "2.5 ± 0.1", ""),
                                          value_of("NLL, dropout", "2.4 ± 0.1", "2.6 ± 0.2"),
                                          value_of("NLL, SWAG", "-", "90.0 ± 9.0")};
    const std::vector<PrintedValue> second{value_of("NLL, PBP", "−0.9 ± 0.1", ""),
                                           value_of("NLL, dropout", "−1.0 ± 0.1", "−1.2 ± 0.1 (3 of 20 splits)")};
    all.entries = {figure, table_entry("U.a", "A", first), table_entry("U.b", "B", second)};
    return all;
}

template <class S>
std::vector<S> series_of(const Panel& panel)
{
    std::vector<S> found;
    for (const auto& series : panel.series)
        if (const auto* one = std::get_if<S>(&series))
            found.push_back(*one);
    return found;
}

TEST(BenchmarkChart, ReadsMeansWithErrors)
{
    EXPECT_EQ(mean_and_error_from("−0.90 ± 0.01"), (MeanAndError{-0.9, 0.01}));
    EXPECT_EQ(mean_and_error_from("2.64 ± 0.09 (12 of 20 splits)"), (MeanAndError{2.64, 0.09}));
    EXPECT_EQ(mean_and_error_from("2.64"), (MeanAndError{2.64, {}}));
    for (const char* text : {"", "-", "not run yet", "2.64 ± "})
        EXPECT_FALSE(mean_and_error_from(text)) << text;
}

TEST(BenchmarkChart, OfATableHasAPanelPerScoreAndNamesMeansOutsideTheAxis)
{
    const Gallery all = two_tables();
    const auto chart  = benchmark_chart(all, all.entry("U.a"));
    ASSERT_TRUE(chart);
    ASSERT_EQ(chart->panels.size(), 2u);
    const Panel& nll = chart->panels[1];
    EXPECT_THAT(nll.x.categories, ElementsAre("PBP", "dropout", "SWAG"));
    const auto points = series_of<Points>(nll);
    ASSERT_EQ(points.size(), 2u);
    EXPECT_THAT(points[0].y, ElementsAre(2.5, 2.4)) << "printed";
    EXPECT_THAT(points[1].y, ElementsAre(2.6)) << "ours";
    EXPECT_THAT(nll.note, HasSubstr("Outside the axis: SWAG 90"));
    ASSERT_TRUE(nll.y.range);
    EXPECT_LT(nll.y.range->second, 4);
    const auto bars = series_of<IntervalBars>(nll);
    ASSERT_EQ(bars[1].bars.size(), 1u);
    EXPECT_DOUBLE_EQ(bars[1].bars[0].lower, 2.4);
    EXPECT_DOUBLE_EQ(bars[1].bars[0].upper, 2.8);
}

TEST(BenchmarkChart, OfAFigureShowsAllTablesRelativeToTheFirstMethod)
{
    const Gallery all = two_tables();
    const auto chart  = benchmark_chart(all, all.entry("U.all"));
    ASSERT_TRUE(chart);
    ASSERT_EQ(chart->panels.size(), 1u);
    const Panel& panel = chart->panels[0];
    EXPECT_THAT(panel.x.categories, ElementsAre("A", "B"));
    EXPECT_EQ(panel.y.label, "NLL relative to PBP, printed");
    const auto points = series_of<Points>(panel);
    ASSERT_EQ(points.size(), 3u);
    EXPECT_EQ(points[0].name, "dropout, printed");
    EXPECT_THAT(points[0].y, ElementsAre(DoubleNear(-0.1, 1e-12), DoubleNear(-0.1, 1e-12)));
    EXPECT_FALSE(points[0].filled);
    EXPECT_EQ(points[1].name, "dropout");
    EXPECT_EQ(points[1].tone, points[0].tone) << "the same colour for printed and ours";
    EXPECT_THAT(points[1].y, ElementsAre(DoubleNear(0.1, 1e-12), DoubleNear(-0.3, 1e-12)));
    EXPECT_THAT(panel.note, HasSubstr("A, SWAG 87.5"));
}

TEST(BenchmarkChart, IsThatOfTheUciEntriesAlone)
{
    int charts = 0;
    for (const auto& entry : gallery().entries) {
        const auto chart = benchmark_chart(gallery(), entry);
        if (chart && entry.values.empty()) {
            std::map<int, std::string> methods;   // by colour
            for (const auto& series : chart->panels.at(0).series)
                if (const auto* points = std::get_if<Points>(&series)) {
                    const std::string method = points->name.substr(0, points->name.find(", "));
                    EXPECT_EQ(methods.emplace(points->tone.index, method).first->second, method);
                    EXPECT_LT(points->tone.index, 8) << "colours would be used twice";
                }
        }
        charts += chart ? 1 : 0;
        if (chart) {
            EXPECT_EQ(entry.paper, "U") << entry.id;
        }
    }
    EXPECT_EQ(charts, 10) << "nine tables and the figure of all";
}

}   // namespace
}   // namespace credence
