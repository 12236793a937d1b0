// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/sample_charts.h"
#include "gui/widgets/showing.h"
#include "widgets/chart_layout.h"
#include "widgets/layout_elements.h"

#include <QDir>
#include <QScrollArea>
#include <gmock/gmock.h>
#include <qcustomplot.h>

namespace credence {
namespace {

QCustomPlot& plotIn(ChartView& view) { return *view.findChild<QCustomPlot*>(QStringLiteral("plot")); }

/// The most ticks of an axis inside its range.
int mostTicks(ChartView& view)
{
    int most = 0;
    for (QCPAxisRect* rect : plotIn(view).axisRects())
        for (const auto side : {QCPAxis::atBottom, QCPAxis::atLeft}) {
            const QCPAxis* axis = rect->axis(side);
            if (!axis->visible())
                continue;
            const auto ticks = axis->tickVector();
            most = std::max(most, static_cast<int>(std::count_if(ticks.begin(), ticks.end(), [axis](double tick) {
                                return axis->range().contains(tick);
                            })));
        }
    return most;
}

std::vector<Chart> chartsOfOnePanel()
{
    std::vector<Chart> charts = sampleCharts();
    std::erase_if(charts, [](const Chart& chart) { return chart.panels.size() != 1 || chart.table; });
    return charts;
}

std::vector<Chart> chartsWithPanels()
{
    std::vector<Chart> charts = sampleCharts();
    std::erase_if(charts, [](const Chart& chart) { return chart.panels.empty(); });
    return charts;
}

template <class Element>
int elements(QCPLayout* layout)
{
    int n = 0;
    for (QCPLayoutElement* element : layout->elements(true))
        n += dynamic_cast<Element*>(element) != nullptr;
    return n;
}

TEST(CompactChart, GivesDataMostOfItsArea)
{
    for (const QSize size : {QSize(240, 160), QSize(300, 240)})
        for (const Chart& chart : chartsOfOnePanel()) {
            Shown shown(chart, size);
            const QRect panel = shown.view.panelRect(0);
            EXPECT_GE(panel.width() * panel.height(), 0.7 * size.width() * size.height())
                << chart.id << ": " << panel.width() << " × " << panel.height();
            EXPECT_TRUE(shown.view.rect().contains(panel)) << chart.id;
        }
}

TEST(CompactChart, NoWordCoversACellOfATableOfClasses)
{
    for (const QSize size : {QSize(240, 160), QSize(800, 180)}) {
        Shown shown(confusionChart(), size);
        const auto font = plotIn(shown.view).axisRect()->axis(QCPAxis::atBottom)->tickLabelFont();
        EXPECT_GE(shown.view.panelRect(0).top(), QFontMetrics(font).height()) << size.width();
    }
}

TEST(CompactChart, HasMarginsOfTenPixelsWhereNothingIsWritten)
{
    Shown shown(regressionChart(), {240, 160});
    const QRect panel = shown.view.panelRect(0);
    EXPECT_LE(panel.top(), 10);
    EXPECT_LE(240 - 1 - panel.right(), 10);
}

TEST(CompactChart, HasWholeDecadesOnALogarithmicAxis)
{
    Chart chart{.id = "log", .title = "Logarithmic axis"};
    chart.panels.push_back({.x      = {.label = "age", .unit = "days", .range = Range{1, 365}, .logarithmic = true},
                            .series = {Line{.x = {1, 28, 365}, .y = {10, 40, 60}}}});
    Shown shown(chart, {240, 160});
    const auto* axis = plotIn(shown.view).axisRect()->axis(QCPAxis::atBottom);
    EXPECT_THAT(axis->tickVector(), testing::ElementsAre(1, 10, 100));
    Shown wide(chart, {800, 500});
    EXPECT_GE(plotIn(wide.view).axisRect()->axis(QCPAxis::atBottom)->tickVector().size(), 6);
}

TEST(CompactChart, HasAtMostFourTicksPerAxis)
{
    for (const Chart& chart : chartsWithPanels())
        for (const QSize size : {QSize(240, 160), QSize(800, 250)}) {
            Shown shown(chart, size);
            EXPECT_LE(mostTicks(shown.view), 4) << chart.id << " " << size.width();
            EXPECT_GE(mostTicks(shown.view), 1) << chart.id << " " << size.width();
        }
    Shown full(regressionChart(), {800, 600});
    EXPECT_GT(mostTicks(full.view), 4);
    Shown classes(boxplotsChart(10), {240, 160});
    EXPECT_LE(mostTicks(classes.view), 4);
}

TEST(CompactChart, NumbersBelowNarrowPanelsDoNotTouch)
{
    Chart chart{.id = "steps", .title = "Steps"};
    for (int k = 0; k < 3; ++k)
        chart.panels.push_back({.x = {.label = "Step"}, .series = {Line{.x = {0, 10000}, .y = {1, 0}}}});
    for (const int width : {300, 360, 420, 600}) {
        Shown shown(chart, {width, 150});
        for (const QCPAxisRect* rect : plotIn(shown.view).axisRects()) {
            const auto* axis      = rect->axis(QCPAxis::atBottom);
            QVector<double> ticks = axis->tickVector();
            ticks.removeIf([axis](double tick) { return !axis->range().contains(tick); });
            const int label = QFontMetrics(axis->tickLabelFont()).horizontalAdvance("10000");
            for (qsizetype k = 1; k < ticks.size(); ++k)
                EXPECT_GT(axis->coordToPixel(ticks[k]) - axis->coordToPixel(ticks[k - 1]), label) << width;
        }
    }
}

TEST(CompactChart, HasNoTitleNoAxisLabelAndNoLegendAroundItsPanels)
{
    const auto around = [](const Chart& chart, QSize size) {
        Shown shown(chart, size);
        QCPLayout* layout = plotIn(shown.view).plotLayout();
        int labels        = 0;
        for (QCPAxisRect* rect : plotIn(shown.view).axisRects())
            for (QCPAxis* axis : rect->axes())
                labels += !axis->label().isEmpty();
        return elements<TextElement>(layout) + elements<LegendBox>(layout) + elements<QCPColorScale>(layout) + labels;
    };
    for (const Chart& chart : chartsWithPanels()) {
        EXPECT_EQ(around(chart, {240, 160}), 0) << chart.id;
        EXPECT_GT(around(chart, {800, 900}), 0) << chart.id;
    }
}

TEST(CompactChart, NamesAxesAtTheirEnds)
{
    for (const auto& palette : {lightPalette(), darkPalette()}) {
        Panel panel;
        panel.x        = {.label = "Step", .range = Range{0, 1}};
        panel.y        = {.label = "Loss", .unit = "nats", .range = Range{0, 1}};
        const Chart of = {.id = "x", .title = "Curve", .panels = {panel}};
        panel.x.label = panel.y.label = panel.y.unit = "";
        const Chart without                          = {.id = "x", .title = "Curve", .panels = {panel}};
        Shown named(of, {240, 160}, palette), unnamed(without, {240, 160}, palette);
        const QRect inside  = named.view.panelRect(0).adjusted(2, 2, -2, -2);
        const QColor colour = ChartPalette::forScreen(palette).muted;
        ASSERT_EQ(inside, unnamed.view.panelRect(0).adjusted(2, 2, -2, -2));
        for (const bool x : {true, false}) {
            QRect corner(inside.topLeft(), QSize(70, 18));
            if (x)   // in the line of the numbers, between 0.5 and 1
                corner = QRect(inside.center().x() + 16, inside.bottom() + 5, inside.width() / 2 - 26, 14);
            EXPECT_GT(countPixels(named.picture(), corner, colour, 60), 15) << x;
            EXPECT_EQ(countPixels(unnamed.picture(), corner, colour, 20), 0) << x;
        }
    }
}

TEST(CompactChart, LegendWordsHaveTheColourOfTheirSeriesWithEnoughContrast)
{
    for (const auto& palette : {lightPalette(), darkPalette()}) {
        const ChartPalette colours = ChartPalette::forScreen(palette);
        Line line{.name = "temperature", .x = {0, 1}, .y = {0.05, 0.05}, .tone = category(1)};
        Shown shown(unitChart({line}), {240, 160}, palette);
        const auto entries = legendEntries(unitChart({line}).panels.front(), colours, 1);
        ASSERT_EQ(entries.size(), 1U);
        EXPECT_GE(contrastRatio(entries.front().colour, colours.background), leastTextContrast);
        const QRect panel = shown.view.panelRect(0);
        const QRect upper(panel.center().x(), panel.top() + 1, panel.width() / 2, panel.height() / 4);
        EXPECT_GT(countPixels(shown.picture(), upper, entries.front().colour, 70), 15);
        EXPECT_LT(countPixels(shown.picture(), upper, colours.text, 30), 5) << "a word in the colour of text";
    }
    for (const ChartPalette& palette : {ChartPalette::light(), ChartPalette::dark()})
        for (const Chart& chart : chartsWithPanels())
            for (const Panel& panel : chart.panels)
                for (const LegendEntry& entry : legendEntries(panel, palette, 1))
                    EXPECT_GE(contrastRatio(entry.colour, palette.background), leastTextContrast)
                        << chart.id << " " << entry.text.toStdString();
}

TEST(CompactChart, WordsAtTheTopCoverNoData)
{
    for (const auto& palette : {lightPalette(), darkPalette()})
        for (const QSize size : {QSize(240, 200), QSize(300, 240)}) {
            Points weights{
                .name = "Weights", .x = {0.2, 1.2, 2.2, 3.2}, .y = {9.2, 9.7, 5.3, 9.7}, .tone = category(0)};
            Points biases{.name = "Biases", .x = {0.7, 1.7, 2.7}, .y = {9.7, 4.3, 9.7}, .tone = category(1)};
            Chart chart{.id = "layers", .title = "Layers"};
            chart.panels.push_back({.y = {.label = "Size"}, .series = {weights, biases}});
            Shown shown(chart, size, palette);
            const QImage picture = shown.picture();
            const auto at        = [&](double x, double y) {
                return picture.pixelColor(shown.view.positionOf(0, x, y).toPoint());
            };
            for (const double x : {1.2, 3.2})
                expectColour(at(x, 9.7), at(2.2, 5.3));
            for (const double x : {0.7, 2.7})
                expectColour(at(x, 9.7), at(1.7, 4.3));
            const auto [across, up] = *shown.view.shownRange(0);
            EXPECT_GE((9.7 - up.first) / (up.second - up.first), 0.7 - 1e-9) << "data have most of the height";
            for (const double tick : plotIn(shown.view).axisRect()->axis(QCPAxis::atLeft)->tickVector())
                EXPECT_LE(tick, 10) << "no ticks beyond the data";
        }
    Chart low = unitChart({Points{.name = "Weights", .x = {0.5}, .y = {0.5}}});
    Shown roomy(low, {240, 160});
    EXPECT_EQ(roomy.view.shownRange(0)->second, Range(0, 1)) << "words cover nothing";
    const auto map = decisionMapChart();
    Shown wide(map, {800, 600}), compact(map, {240, 160});
    EXPECT_EQ(wide.view.shownRange(0), compact.view.shownRange(0)) << "maps fill their axes";
}

TEST(CompactChart, WordsCoverNoValuesOfAPanelWithEqualUnits)
{
    const auto equalUnits = [](double height) {
        Chart chart = unitChart(
            {Points{.name = "Observed frequency of test rows", .x = {0.5, 0.95}, .y = {0.3, height}}});
        chart.panels.front().y.label      = "Frequency";
        chart.panels.front().equal_aspect = true;
        return chart;
    };
    Shown low(equalUnits(0.4), {250, 245}), high(equalUnits(1), {250, 245});
    EXPECT_EQ(low.view.shownRange(0)->second, Range(0, 1));
    EXPECT_NEAR(low.view.panelRect(0).width(), low.view.panelRect(0).height(), 2);
    const auto [bottom, top] = high.view.shownRange(0)->second;
    EXPECT_GT(top, 1.1) << "equal units give way to words";
    EXPECT_EQ(bottom, 0);
}

TEST(CompactChart, HasAsFewTicksAsItsHeightAllows)
{
    Shown low(regressionChart(), {240, 70});
    const auto* axis = plotIn(low.view).axisRect()->axis(QCPAxis::atLeft);
    const auto ticks = axis->tickVector();
    EXPECT_LE(std::ranges::count_if(ticks, [axis](double tick) { return axis->range().contains(tick); }), 2);
    for (const double high : {0.02, 0.027, 0.03, 0.07, 1.0, 2.2, 240.0}) {
        Chart chart                  = unitChart({});
        chart.panels.front().y.range = Range{0, high};
        Shown panel(chart, {120, 80});
        const auto* scale = plotIn(panel.view).axisRect()->axis(QCPAxis::atLeft);
        const auto shown  = scale->tickVector();
        EXPECT_EQ(std::ranges::count_if(shown, [scale](double tick) { return scale->range().contains(tick); }), 2)
            << "one number is no scale: up to " << high;
    }
}

TEST(CompactChart, NamesItsXAxisInTheLineOfItsNumbersIfThereIsRoom)
{
    Panel panel;
    panel.x = {.label = "Layer", .categories = {"a", "b"}};
    panel.y = {.range = Range{0, 1}};
    Shown shown({.id = "x", .title = "Layers", .panels = {panel}}, {240, 160});
    const QRect inside  = shown.view.panelRect(0).adjusted(2, 2, -2, -2);
    const QColor colour = screenPalette().muted;
    QRect below(inside.center().x(), inside.bottom() + 4, inside.width() / 2 + 8, 16);
    EXPECT_GT(countPixels(shown.picture(), below, colour, 60), 10);
    EXPECT_EQ(countPixels(shown.picture(), inside, colour, 20), 0) << "values are not covered";
    panel.x.categories = {"layer a", "layer b"};
    Shown said({.id = "x", .title = "Layers", .panels = {panel}}, {240, 160});
    below.setLeft(inside.right() - 12);
    EXPECT_EQ(countPixels(said.picture(), below, colour, 20), 0) << "the categories say it";
}

TEST(CompactChart, ATitleThatIsTooLongGivesWayToTheNameOfTheYAxis)
{
    const auto dark = [](const std::string& title) {
        Chart chart = unitChart({});
        chart.panels.resize(2, chart.panels.front());
        for (Panel& panel : chart.panels) {
            panel.title   = title;
            panel.y.label = "Median";
        }
        chart.columns = 2;
        Shown shown(chart, {260, 150});
        return countPixels(shown.picture(), shown.view.panelRect(0).adjusted(1, 1, -1, -1), screenPalette().text, 60);
    };
    EXPECT_GT(dark("Size"), 5);
    EXPECT_EQ(dark("Relative standard deviation of all weights and biases"), 0);
}

TEST(CompactChart, ShowsTheKeyOfItsColoursInACorner)
{
    Shown shown(decisionMapChart(), {300, 200});
    const QRect panel = shown.view.panelRect(0);
    const QRect upper(panel.center().x(), panel.top() + 2, panel.width() / 2, 20);
    const QImage picture = shown.picture();
    EXPECT_GT(countPixels(picture, upper, mapColour(ColourMap::viridis, 0), 12), 10);
    EXPECT_GT(countPixels(picture, upper, mapColour(ColourMap::viridis, 1), 12), 3);
    EXPECT_GT(countPixels(picture, upper, screenPalette().text, 60), 10);
}

TEST(CompactChart, PanelsWithTheSameColoursHaveOneKey)
{
    Chart chart = decisionMapChart();
    chart.panels.resize(2, chart.panels.front());
    chart.columns = 2;
    for (Panel& panel : chart.panels)
        panel.title.clear();
    const auto withNames = [&chart](const char* first, const char* second, double highest) {
        for (std::size_t k = 0; k < 2; ++k)
            for (Series& series : chart.panels[k].series)
                if (auto* map = std::get_if<HeatMap>(&series)) {
                    map->name           = k == 0 ? first : second;
                    map->z_range.second = k == 0 ? 1 : highest;
                }
        Shown shown(chart, {600, 200});
        const QRect panel = shown.view.panelRect(1);
        return countPixels(shown.picture(), QRect(panel.center().x(), panel.top() + 2, panel.width() / 2, 20),
                           screenPalette().text, 60);
    };
    const int without = withNames("Total", "Epistemic", 1);
    EXPECT_GT(withNames("Total", "Epistemic", 2), without + 10);
}

TEST(CompactChart, ALabelOfAVerticalLineLeavesTheTitleFree)
{
    const auto titleWith = [](const char* label) {
        Chart chart = unitChart({Rule{.direction = Rule::Direction::vertical, .at = 0.9, .label = label}});
        chart.panels.resize(2, chart.panels.front());
        chart.panels[0].title = "Standard basis";
        chart.columns         = 2;
        Shown shown(chart, {320, 160});
        const QRect panel = shown.view.panelRect(0);
        return shown.picture().copy(panel.left(), panel.top(), panel.width(), 14);
    };
    EXPECT_EQ(titleWith("end of [0, 1]"), titleWith(""));
}

TEST(CompactChart, WordsAreAboveAMapOfEqualUnitsIfThereIsRoom)
{
    Chart chart      = decisionMapChart();
    Panel& map       = chart.panels.front();
    map.equal_aspect = map.x.hidden = map.y.hidden = true;
    Shown tall(chart, {120, 250});
    const auto paper = [](Shown& shown, int from) {
        const QRect panel = shown.view.panelRect(0);
        return countPixels(shown.picture(), QRect(panel.left() + 4, panel.top() + from, panel.width() - 8, 14),
                           ChartPalette::forScreen(lightPalette()).background, 2);
    };
    EXPECT_LT(paper(tall, 2), 60) << "the map is not covered";
    EXPECT_GT(paper(tall, -16), 300);
    EXPECT_GT(tall.view.panelRect(0).top(), 16);
}

TEST(CompactChart, NamesItsPanelsOnlyIfThereAreSeveral)
{
    const auto dark = [](std::size_t panels) {
        Chart chart = unitChart({});
        chart.panels.resize(panels, chart.panels.front());
        for (Panel& panel : chart.panels)
            panel.title = "Mean field";
        chart.columns = static_cast<int>(panels);
        Shown shown(chart, {200 * static_cast<int>(panels), 160});
        return countPixels(shown.picture(), shown.view.panelRect(0).adjusted(1, 1, -1, -1), screenPalette().text, 90);
    };
    EXPECT_EQ(dark(1), 0);
    EXPECT_GT(dark(2), 20);
}

TEST(CompactChart, ATitleWithoutRoomForItsValueIsTheNameAlone)
{
    const auto titled = [](const char* title) {
        Chart chart = unitChart({});
        chart.panels.resize(2, chart.panels.front());
        chart.panels[0].title = title;
        chart.columns         = 2;
        return Shown(chart, {260, 160}).picture();
    };
    EXPECT_EQ(titled("Epistemic: 0.0512 nats per image"), titled("Epistemic"));
    EXPECT_NE(titled("Epistemic: 5"), titled("Epistemic"));
}

TEST(CompactChart, ShortensNumberedNamesThatDoNotFit)
{
    const auto shortened = [](std::vector<std::string> names) {
        Panel panel;
        panel.x       = {.label      = "Layer",
                         .range      = Range{-0.5, static_cast<double>(names.size()) - 0.5},
                         .categories = std::move(names)};
        panel.y       = {.label = "Size", .range = Range{0, 1}};
        Chart chart   = {.id = "x", .title = "Layers", .panels = {panel, panel}};
        chart.columns = 2;
        Shown shown(chart, {280, 150});
        const auto* axis  = plotIn(shown.view).axisRects().front()->axis(QCPAxis::atBottom);
        const auto ticker = qSharedPointerDynamicCast<QCPAxisTickerText>(axis->ticker());
        return ticker->ticks().values();
    };
    EXPECT_EQ(shortened({"dense 1", "dense 2", "dense 3", "dense 4"}), QStringList({"1", "2", "3", "4"}));
    EXPECT_EQ(shortened({"conv 1", "conv 2", "dense 1", "dense 2"}), QStringList({"c1", "c2", "d1", "d2"}));
}

TEST(CompactChart, IsForLowPanelsOnScreenOnly)
{
    const auto compact = [](QSize size, bool whole = false) {
        return drawScale(regressionChart(), QFont(), 13, size, 1, whole).compact;
    };
    EXPECT_TRUE(compact({400, 259}));
    EXPECT_FALSE(compact({400, 260}));
    EXPECT_FALSE(compact({200, 150}, true)) << "files";
    EXPECT_TRUE(drawScale(trainingChart(20), QFont(), 13, {400, 500}, 1).compact) << "two rows of 250 pixels";
    EXPECT_FALSE(drawScale(trainingChart(20), QFont(), 13, {400, 500}, 2).compact);
}

TEST(EqualUnits, GiveWayInANarrowAreaOnScreen)
{
    Chart chart                       = unitChart({Points{.name = "rows", .x = {0.2, 0.8}, .y = {0.2, 0.8}}});
    chart.panels.front().equal_aspect = true;
    Shown wide(chart, {700, 560}), narrow(chart, {380, 760});
    EXPECT_NEAR(wide.view.panelRect(0).width(), wide.view.panelRect(0).height(), 2);
    EXPECT_GT(narrow.view.panelRect(0).height(), 1.5 * narrow.view.panelRect(0).width());
}

TEST(FillingMap, HasNamesKeyAndLegendInsideItsAxesAtAnySize)
{
    const QSize size(800, 600);
    Shown shown(decisionMapChart(), size);
    shown.view.setMapFills(true);
    settle();
    QCPLayout* layout = plotIn(shown.view).plotLayout();
    EXPECT_EQ(elements<TextElement>(layout) + elements<LegendBox>(layout) + elements<QCPColorScale>(layout), 0);
    const QRect panel = shown.view.panelRect(0);
    EXPECT_GE(panel.width() * panel.height(), 0.8 * size.width() * size.height());
    EXPECT_GT(mostTicks(shown.view), 4) << "there is room for more than in a small panel";
    const QImage picture = shown.picture();
    const QRect upper(panel.center().x(), panel.top() + 2, panel.width() / 2, 40);
    EXPECT_GT(countPixels(picture, upper, mapColour(ColourMap::viridis, 0), 12), 10);
    EXPECT_GT(countPixels(picture, upper, screenPalette().text, 60), 10);
    shown.set(regressionChart());
    EXPECT_GT(elements<LegendBox>(plotIn(shown.view).plotLayout()), 0) << "curves have their legend below";
    shown.set(decisionMapChart());
    shown.view.setMapFills(false);
    settle();
    EXPECT_EQ(elements<QCPColorScale>(plotIn(shown.view).plotLayout()), 1);
}

TEST(CompactChart, NoChartScrolls)
{
    std::vector<Chart> charts = chartsWithPanels();
    Chart tall;
    tall.id = "tall";
    for (int k = 0; k < 12; ++k)
        tall.panels.push_back(decisionMapChart(10).panels[0]);
    charts.push_back(tall);
    for (const QSize size : {QSize(240, 160), QSize(400, 280), QSize(800, 600)})
        for (const Chart& chart : charts) {
            Shown shown(chart, size);
            for (int k = 0; k < static_cast<int>(chart.panels.size()); ++k) {
                const QRect panel = shown.view.panelRect(k);
                EXPECT_TRUE(shown.view.rect().contains(panel)) << chart.id << " " << k << " " << size.width();
                EXPECT_GT(panel.width(), 20) << chart.id << " " << size.width();
                EXPECT_GT(panel.height(), 15) << chart.id << " " << size.width();
            }
            EXPECT_TRUE(shown.view.findChildren<QScrollArea*>().isEmpty()) << chart.id;
        }
}

/// Writes every sample at three sizes, light and dark, to look at, if CREDENCE_PICTURES names a folder.
TEST(CompactChart, PicturesOfEachSize)
{
    const QString folder = qEnvironmentVariable("CREDENCE_PICTURES");
    if (folder.isEmpty())
        GTEST_SKIP() << "CREDENCE_PICTURES names no folder";
    for (const QSize size : {QSize(240, 160), QSize(400, 280), QSize(800, 600)})
        for (const bool dark : {false, true}) {
            const std::vector<Chart> charts = sampleCharts();
            const int across                = size.width() > 500 ? 3 : 4;
            const int rows                  = (static_cast<int>(charts.size()) + across - 1) / across;
            QImage sheet((size.width() + 8) * across, (size.height() + 8) * rows, QImage::Format_RGB32);
            sheet.fill(QColor(128, 128, 128));
            QPainter painter(&sheet);
            for (int k = 0; k < static_cast<int>(charts.size()); ++k) {
                Shown shown(charts[static_cast<std::size_t>(k)], size, dark ? darkPalette() : lightPalette());
                painter.drawImage(k % across * (size.width() + 8) + 4, k / across * (size.height() + 8) + 4,
                                  shown.picture());
            }
            painter.end();
            EXPECT_TRUE(sheet.save(
                QDir(folder).filePath(QStringLiteral("%1-%2.png").arg(size.width()).arg(dark ? "dark" : "light"))));
        }
}

}   // namespace
}   // namespace credence
