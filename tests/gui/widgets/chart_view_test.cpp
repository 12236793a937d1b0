// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/widgets/sample_charts.h"
#include "gui/widgets/showing.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_layout.h"
#include "widgets/export_figure.h"
#include "widgets/render_chart.h"
#include "widgets/table_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QFontInfo>
#include <QImage>
#include <QMimeData>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <gmock/gmock.h>

#include <cstdio>

namespace credence {
namespace {

QWidget* plotOf(ChartView& view) { return view.findChild<QWidget*>("plot"); }

QPoint inPlot(Shown& shown, double x, double y, int panel = 0)
{
    return plotOf(shown.view)->mapFrom(&shown.view, shown.view.positionOf(panel, x, y)).toPoint();
}

void expectPoint(const QList<QVariant>& arguments, int panel, double x, double y, double tolerance)
{
    EXPECT_EQ(arguments.at(0).toInt(), panel);
    EXPECT_NEAR(arguments.at(1).toDouble(), x, tolerance);
    EXPECT_NEAR(arguments.at(2).toDouble(), y, tolerance);
}

void scroll(Shown& shown, double x, double y, int notches)
{
    const QPoint at = inPlot(shown, x, y);
    QWheelEvent event(at, plotOf(shown.view)->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(plotOf(shown.view), &event);
    settle();
}

/// How often a widget was resized.
class Resizes : public QObject {
public:
    explicit Resizes(QWidget* of) { of->installEventFilter(this); }
    int count = 0;

private:
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::Resize ? 1 : 0;
        return false;
    }
};

// Tick labels and legends change their width with the chart. The view must not depend on it, or it
// would oscillate forever.
TEST(ChartView, FindsItsLayoutAtEveryWidth)
{
    for (const Chart& chart : {decisionMapsChart(), confusionChart(), intervalsChart(), histogramsChart()}) {
        Shown shown(chart);
        QWidget* picture = plotOf(shown.view)->parentWidget();
        Resizes resizes(picture);
        for (int width = 140; width <= 260; width += 6) {
            resizes.count = 0;
            shown.view.resize(width, 179);
            QApplication::processEvents();
            EXPECT_LE(resizes.count, 12) << width;
            EXPECT_EQ(plotOf(shown.view)->width(), picture->parentWidget()->width())
                << "nothing is cut off at the right";
        }
    }
}

TEST(ChartView, ReportsTheClickedPoint)
{
    Shown shown(decisionMapChart());
    QSignalSpy clicked(&shown.view.hand(), &ChartHand::pointClicked);
    QTest::mouseClick(plotOf(shown.view), Qt::LeftButton, {}, inPlot(shown, 1.25, -0.5));
    ASSERT_EQ(clicked.count(), 1);
    expectPoint(clicked.first(), 0, 1.25, -0.5, 0.02);
}

TEST(ChartView, ReportsTheRowOfAClickedPointAndMarksIt)
{
    const DataRow first{DataRow::Part::scored, 3}, second{DataRow::Part::training, 8};
    Chart chart = unitChart({Points{.x = {0.25, 0.75}, .y = {0.25, 0.75}, .data_rows = {first, second}}});
    chart.table = Table{.columns = {{"Row"}}, .rows = {{3L}, {8L}}, .data_rows = {first, second}};
    Shown shown(chart);
    std::vector<DataRow> rows;
    QObject::connect(&shown.view, &ChartView::rowClicked, &shown.view,
                     [&rows](const DataRow& row) { rows.push_back(row); });
    QTest::mouseClick(plotOf(shown.view), Qt::LeftButton, {}, inPlot(shown, 0.75, 0.75) + QPoint(3, -2));
    QTest::mouseClick(plotOf(shown.view), Qt::LeftButton, {}, inPlot(shown, 0.5, 0.5));   // nothing is near
    EXPECT_THAT(rows, testing::ElementsAre(second));

    shown.view.setMarkedRow(first);
    const QRect around = QRect(shown.view.positionOf(0, 0.25, 0.25).toPoint() - QPoint(14, 14), QSize(28, 28));
    const QColor mark  = lightPalette().color(QPalette::Highlight);
    EXPECT_GT(countPixels(shown.picture(), around, mark), 20);
    shown.view.setMarkedRow({});
    EXPECT_EQ(countPixels(shown.picture(), around, mark), 0);
}

TEST(ChartView, ReportsThePanel)
{
    Shown shown(decisionMapsChart(), {900, 400});
    QSignalSpy clicked(&shown.view.hand(), &ChartHand::pointClicked);
    QTest::mouseClick(plotOf(shown.view), Qt::LeftButton, {}, inPlot(shown, 0, 1, 2));
    ASSERT_EQ(clicked.count(), 1);
    expectPoint(clicked.first(), 2, 0, 1, 0.05);
}

TEST(ChartView, IgnoresClicksOutsideThePanels)
{
    Shown shown(decisionMapChart());
    QSignalSpy clicked(&shown.view.hand(), &ChartHand::pointClicked);
    QTest::mouseClick(plotOf(shown.view), Qt::LeftButton, {}, QPoint(2, 2));
    EXPECT_EQ(clicked.count(), 0);
}

TEST(ChartView, ADragContinuesWhileAChartWithoutPanelsWaits)
{
    Shown shown(decisionMapChart());
    QSignalSpy dragged(&shown.view.hand(), &ChartHand::pointDragged);
    QTest::mousePress(plotOf(shown.view), Qt::LeftButton, {}, inPlot(shown, -1, 0));
    const QPoint to = inPlot(shown, 1, 1);
    Chart words;
    words.message = "Computing";
    shown.view.setChart(words);
    QMouseEvent move(QEvent::MouseMove, to, plotOf(shown.view)->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(plotOf(shown.view), &move);
    ASSERT_EQ(dragged.count(), 1);
    expectPoint(dragged.first(), 0, 1, 1, 0.02);
    QTest::mouseRelease(plotOf(shown.view), Qt::LeftButton, {}, to);
    EXPECT_EQ(shown.view.chart().message, "Computing");
}

TEST(ChartView, ADragIsNotAClick)
{
    Shown shown(decisionMapChart());
    QSignalSpy clicked(&shown.view.hand(), &ChartHand::pointClicked),
        dragged(&shown.view.hand(), &ChartHand::pointDragged), released(&shown.view.hand(), &ChartHand::pointReleased);
    QTest::mousePress(plotOf(shown.view), Qt::LeftButton, {}, inPlot(shown, -1, 0));
    QMouseEvent move(QEvent::MouseMove, inPlot(shown, 1, 1), plotOf(shown.view)->mapToGlobal(inPlot(shown, 1, 1)),
                     Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(plotOf(shown.view), &move);
    QTest::mouseRelease(plotOf(shown.view), Qt::LeftButton, {}, inPlot(shown, 1, 1));
    EXPECT_EQ(clicked.count(), 0);
    ASSERT_EQ(dragged.count(), 1);
    expectPoint(dragged.first(), 0, 1, 1, 0.02);
    ASSERT_EQ(released.count(), 1);
    expectPoint(released.first(), 0, 1, 1, 0.02);
}

TEST(ChartView, KeyboardMovesACrossAndEnterChoosesItsPoint)
{
    Shown shown(decisionMapChart());
    QSignalSpy clicked(&shown.view.hand(), &ChartHand::pointClicked);
    QTest::keyClick(&shown.view, Qt::Key_Return);
    EXPECT_EQ(clicked.count(), 0);   // there is no cross yet
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QTest::keyClick(&shown.view, Qt::Key_Return);
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QTest::keyClick(&shown.view, Qt::Key_Return);
    ASSERT_EQ(clicked.count(), 2);
    expectPoint(clicked.first(), 0, 0.5, 0.25, 0.05);   // starts in the middle
    EXPECT_GT(clicked.last().at(1).toDouble(), clicked.first().at(1).toDouble());
}

/// Relative position of a point in its panel, from 0 to 1: the panel moves a little when its tick
/// labels become wider.
QPointF share(const ChartView& view, double x, double y)
{
    const QRect panel = view.panelRect(0);
    const QPointF at  = view.positionOf(0, x, y) - panel.topLeft();
    return {at.x() / panel.width(), at.y() / panel.height()};
}

TEST(ChartView, TheWheelZoomsAroundThePointer)
{
    Shown shown(decisionMapChart());
    const QPointF before = share(shown.view, 1, 1), other = share(shown.view, 1.2, 1);
    scroll(shown, 1, 1, 2);
    EXPECT_NEAR(share(shown.view, 1, 1).x(), before.x(), 0.003);
    EXPECT_NEAR(share(shown.view, 1, 1).y(), before.y(), 0.003);
    EXPECT_NEAR((share(shown.view, 1.2, 1).x() - before.x()) / (other.x() - before.x()), 1 / (0.85 * 0.85), 0.03);
    EXPECT_TRUE(shown.view.offers().resetZoom->isEnabled());
    shown.view.resetZoom();
    settle();
    EXPECT_NEAR(share(shown.view, 1.2, 1).x(), other.x(), 1e-9);
    EXPECT_FALSE(shown.view.offers().resetZoom->isEnabled());
}

TEST(ChartView, TheWheelZoomsAChartOfManyPanels)
{
    Chart many;
    for (int i = 0; i < 8; ++i)
        many.panels.push_back(decisionMapChart().panels[0]);
    Shown shown(many);
    EXPECT_EQ(shown.view.findChild<QScrollArea*>(), nullptr) << "charts do not scroll";
    const QPointF before = share(shown.view, 1, 1), other = share(shown.view, 1.2, 1);
    scroll(shown, 1, 1, 2);
    EXPECT_GT(share(shown.view, 1.2, 1).x() - before.x(), 1.2 * (other.x() - before.x()));
}

TEST(ChartView, ZoomPersistsWhileDataUpdateAndEndsWithAnotherChart)
{
    Shown shown(decisionMapChart());
    scroll(shown, 1, 1, 3);
    const QPointF zoomed                             = shown.view.positionOf(0, 1.5, 1);
    Chart next                                       = decisionMapChart();
    std::get<HeatMap>(next.panels[0].series[0]).z[0] = 0;
    shown.set(next);
    EXPECT_NEAR(shown.view.positionOf(0, 1.5, 1).x(), zoomed.x(), 1);
    next.panels[0].x.range = Range{-4, 4};
    shown.set(next);
    EXPECT_FALSE(shown.view.offers().resetZoom->isEnabled());
}

TEST(ChartView, ZoomCanBeSwitchedOff)
{
    Shown shown(decisionMapChart());
    shown.view.hand().setZoomEnabled(false);
    const QPointF before = shown.view.positionOf(0, 2, 1);
    scroll(shown, 1, 1, 3);
    EXPECT_EQ(shown.view.positionOf(0, 2, 1), before);
}

TEST(ChartView, TheSameStructureKeepsItsPlottables)
{
    Shown shown(trainingChart(50));
    const int made = shown.view.rebuilds();
    for (int k = 51; k < 60; ++k)
        shown.set(trainingChart(k));
    EXPECT_EQ(shown.view.rebuilds(), made);
    shown.set(boxplotsChart());
    EXPECT_EQ(shown.view.rebuilds(), made + 1);
}

TEST(ChartView, KeptPlottablesShowTheNewData)
{
    Line line{.name = "", .x = {0, 1}, .y = {0.55, 0.55}, .tone = {Tone::Kind::wrong}, .width = 3};
    Shown shown(unitChart({line}));
    line.y = {0.33, 0.33};
    shown.set(unitChart({line}));
    const ChartPalette palette = ChartPalette::forScreen(lightPalette());
    EXPECT_EQ(shown.at(0.45, 0.33), palette.wrong);
    EXPECT_NE(shown.at(0.45, 0.55), palette.wrong);
}

TEST(ChartView, LiveUpdatesMoveDataOnlyAndCostWhatIsPrinted)
{
    for (const Chart& chart : sampleCharts()) {
        Shown shown(chart);
        const int made      = shown.view.rebuilds();
        constexpr int times = 20;
        QElapsedTimer clock;
        clock.start();
        for (int k = 0; k < times; ++k)
            shown.set(chart);
        std::printf("%-16s %6.2f ms for a new chart with its replot\n", chart.id.c_str(),
                    static_cast<double>(clock.nsecsElapsed()) / 1e6 / times);
        EXPECT_EQ(shown.view.rebuilds(), made) << chart.id;
    }
}

TEST(ChartView, GivesNoPositionInAMissingPanel)
{
    Shown shown(emptyChart());
    EXPECT_TRUE(shown.view.panelRect(0).isNull());
    EXPECT_TRUE(shown.view.positionOf(3, 0, 0).isNull());
}

TEST(ChartView, EverySampleLooksTheSameAfterAnyOther)
{
    const auto charts = sampleCharts();
    Shown reused(charts.back());
    for (const Chart& chart : charts) {
        reused.set(chart);
        if (chart.table)
            continue;   // the cell with the keyboard's focus is marked
        Shown fresh(chart);
        EXPECT_EQ(reused.picture(), fresh.picture()) << chart.id;
    }
}

TEST(ChartView, ShowsTheDataTable)
{
    Shown shown(boxplotsChart());
    QSignalSpy reported(&shown.view, &ChartView::dataShown);
    shown.view.offers().showData->trigger();
    ASSERT_EQ(reported.count(), 1);
    const Table expected = data_table(boxplotsChart());
    int found            = 0;
    for (const auto* table : shown.view.findChildren<TableView*>())
        if (table->isVisible()) {
            ++found;
            EXPECT_EQ(table->model()->rowCount(), static_cast<int>(expected.rows.size()));
            EXPECT_EQ(table->model()->columnCount(), static_cast<int>(expected.columns.size()));
        }
    EXPECT_EQ(found, 1);
    shown.view.showData(false);
    EXPECT_FALSE(shown.view.offers().showData->isChecked());
}

TEST(ChartView, ShowsAChartThatIsATableAsATable)
{
    Shown shown(certaintyChart());
    const auto tables = shown.view.findChildren<TableView*>();
    EXPECT_TRUE(std::any_of(tables.begin(), tables.end(),
                            [](const TableView* t) { return t->isVisible() && t->model()->rowCount() == 6; }));
    shown.set(boxplotsChart());
    EXPECT_TRUE(std::none_of(tables.begin(), tables.end(), [](const TableView* t) { return t->isVisible(); }));
}

TEST(ChartView, GivesScreenReadersTitleCaptionAndMessage)
{
    Shown shown(emptyChart());
    EXPECT_EQ(shown.view.accessibleName(), "Weights");
    EXPECT_TRUE(shown.view.accessibleDescription().contains("mean field"));
    EXPECT_TRUE(shown.view.accessibleDescription().contains("Choose a Bayesian family"));
}

TEST(ChartView, CopiesSvgAndPng)
{
    Shown shown(regressionChart());
    shown.view.setStudyJson("{\"credence\": 1}");
    shown.view.offers().copy->trigger();
    const QMimeData* data = QApplication::clipboard()->mimeData();
    ASSERT_TRUE(data->hasFormat("image/svg+xml"));
    ASSERT_TRUE(data->hasFormat("image/png"));
    EXPECT_TRUE(data->data("image/svg+xml").contains("credence-study"));
    const QImage image = QImage::fromData(data->data("image/png"), "PNG");
    ASSERT_FALSE(image.isNull());
    EXPECT_EQ(image.pixelColor(2, 2), QColor(Qt::white));
    EXPECT_EQ(image.text("credence-study"), "{\"credence\": 1}");
    EXPECT_EQ(image.size(), QSize(1920, 1080)) << "as large as a slide";
    EXPECT_NEAR(image.width() / (image.dotsPerMeterX() / 1000.0), 338.67, 0.1);
    EXPECT_TRUE(data->data("image/svg+xml").contains("<svg width=\"338.667mm\" height=\"190.5mm\""));
}

TEST(ChartView, ACopiedTableIsNoLargerThanASlide)
{
    Chart chart     = certaintyChart();
    const auto rows = chart.table->rows;
    for (int copy = 0; copy < 100; ++copy)
        chart.table->rows.insert(chart.table->rows.end(), rows.begin(), rows.end());
    Shown shown(chart);
    shown.view.copy();
    const QImage image = QImage::fromData(QApplication::clipboard()->mimeData()->data("image/png"), "PNG");
    ASSERT_FALSE(image.isNull());
    EXPECT_LE(image.width(), 1920);
    EXPECT_LE(image.height(), 1080);
}

TEST(ChartView, ScreenLinesBecomeThickerAndFileLinesDoNot)
{
    Shown shown(regressionChart());
    const auto inked = [&shown] {
        QFont other = shown.view.font();   // as in lecture mode the type changes with the lines
        other.setPixelSize(QFontInfo(other).pixelSize() + 1);
        shown.view.setFont(other);
        settle();
        const QImage picture = shown.picture();
        int count            = 0;
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                count += picture.pixelColor(x, y).saturation() > 100 ? 1 : 0;
        return count;
    };
    const QImage file = chartImage(regressionChart(), ChartPalette::print(), {80, 60}, 100);
    const int thin    = inked();
    setScreenLines(3);
    EXPECT_GT(inked(), thin);
    EXPECT_EQ(chartImage(regressionChart(), ChartPalette::print(), {80, 60}, 100), file);
    setScreenLines(1);
}

TEST(ChartView, RequestsAnExport)
{
    Shown shown(regressionChart());
    QSignalSpy asked(&shown.view, &ChartView::exportRequested);
    shown.view.offers().exportFigure->trigger();
    EXPECT_EQ(asked.count(), 1);
}

TEST(ChartProbe, NamesCoordinatesAndTheValueOfAMap)
{
    HeatMap map;
    map.name = "Entropy";
    map.unit = "nats";
    map.nx = map.ny = 2;
    map.x = map.y = {0, 1};
    map.z         = {0.125F, 0.25F, 0.5F, 1};
    Panel panel;
    panel.x.label = "x₁";
    panel.y.label = "x₂";
    panel.series  = {map};
    EXPECT_EQ(describePoint(panel, 0.9, 0.1), "x₁: 0.9\nx₂: 0.1\nEntropy: 0.25 nats");
    EXPECT_EQ(describePoint(panel, 5, 0.1), "x₁: 5\nx₂: 0.1");
}

TEST(ChartProbe, NamesTheHorizontalBarOfARow)
{
    Panel panel;
    panel.x.label      = "Distance";
    panel.y.label      = "Run";
    panel.y.categories = {"near", "far"};
    panel.series       = {Bars{.position = {0, 1}, .height = {0.1, 0.4}, .width = 0.6, .horizontal = true}};
    EXPECT_EQ(describePoint(panel, 0.2, 1.1), "Distance: 0.2\nRun: far\nlength: 0.4");
}

TEST(ChartProbe, NamesTheCategoryAndItsInterval)
{
    const Panel panel = intervalsChart().panels.front();
    EXPECT_EQ(describePoint(panel, 1.1, 0.5),
              "Class: class 1\nClass probability: 0.5\n95 % credible interval: 0.42, from 0.3 to 0.6");
}

}   // namespace
}   // namespace credence
