// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/wait_until.h"
#include "gui/widgets/sample_charts.h"
#include "gui/widgets/showing.h"

#include "charts/chart.h"
#include "widgets/accessibility.h"
#include "widgets/chart_palette.h"
#include "widgets/layout_elements.h"

#include <QAccessible>
#include <QTest>

#include <gmock/gmock.h>

namespace credence {
namespace {

QAccessibleInterface& seenBy(QWidget& widget) { return *QAccessible::queryAccessibleInterface(&widget); }

TEST(ChartAccess, AnnouncesTitleAxesAndASummary)
{
    Shown shown(trainingChart());
    auto& seen = seenBy(shown.view);
    EXPECT_EQ(seen.role(), QAccessible::Chart);
    EXPECT_EQ(seen.text(QAccessible::Name), QString::fromStdString(trainingChart().title));
    const std::string words = seen.text(QAccessible::Description).toStdString();
    EXPECT_THAT(words, ::testing::HasSubstr(summary_in_words(trainingChart())));
    EXPECT_THAT(words, ::testing::HasSubstr(trainingChart().caption));
    shown.set(emptyChart());
    EXPECT_TRUE(seen.text(QAccessible::Description).contains("Choose a Bayesian family"));
    EXPECT_EQ(seen.tableInterface(), nullptr);
}

TEST(ChartAccess, ExposesTheDataTable)
{
    Shown shown(intervalsChart());
    auto& seen        = seenBy(shown.view);
    const Table table = data_table(intervalsChart());
    auto* cells       = seen.tableInterface();
    ASSERT_NE(cells, nullptr);
    ASSERT_EQ(cells->rowCount(), static_cast<int>(table.rows.size()));
    ASSERT_EQ(cells->columnCount(), static_cast<int>(table.columns.size()));
    for (int row = 0; row < cells->rowCount(); ++row)
        for (int column = 0; column < cells->columnCount(); ++column) {
            const auto r = static_cast<std::size_t>(row), c = static_cast<std::size_t>(column);
            auto* cell = cells->cellAt(row, column);
            ASSERT_NE(cell, nullptr);
            EXPECT_EQ(cell->text(QAccessible::Name).toStdString(), cell_text(table.rows[r][c], table.columns[c]));
            EXPECT_EQ(cell, cells->cellAt(row, column));
            EXPECT_EQ(cell->parent(), &seen);
            EXPECT_EQ(cell->tableCellInterface()->columnIndex(), column);
        }
    EXPECT_EQ(cells->columnDescription(0).toStdString(), label_with_unit(table.columns[0].name, table.columns[0].unit));
    EXPECT_EQ(cells->cellAt(cells->rowCount(), 0), nullptr);
    auto* last = cells->cellAt(cells->rowCount() - 1, 0);
    shown.set(unitChart({Points{.x = {0.5}, .y = {0.5}}}));
    EXPECT_EQ(cells->rowCount(), 1);
    EXPECT_FALSE(last->isValid());   // of the chart before
}

TEST(ChartAccess, AnnouncesTheValueAtTheCrosshair)
{
    HeatMap map{
        .name = "Entropy", .unit = "nats", .nx = 2, .ny = 2, .x = {0, 1}, .y = {0, 1}, .z = {0.5F, 0.5F, 0.5F, 0.5F}};
    Shown shown(unitChart({map}));
    auto& seen = seenBy(shown.view);
    EXPECT_EQ(seen.text(QAccessible::Value), "");
    QStringList reported;
    const auto listening = QObject::connect(&Announcer::instance(), &Announcer::notified, &shown.view,
                                            [&](QWidget* from, const QString& words, Announcer::Urgency how) {
        if (from == &shown.view && how == Announcer::Urgency::settled)
            reported += words;
    });
    for (int k = 0; k < 5; ++k)
        QTest::keyClick(&shown.view, Qt::Key_Right);
    EXPECT_TRUE(seen.text(QAccessible::Value).contains("Entropy: 0.5 nats"));
    EXPECT_EQ(seen.text(QAccessible::Description), seen.text(QAccessible::Value));
    EXPECT_TRUE(seen.text(QAccessible::Help).contains("map of Entropy"));
    EXPECT_LT(reported.size(), 5);   // throttled
    EXPECT_TRUE(waitUntil([&] { return !reported.isEmpty() && reported.last() == seen.text(QAccessible::Value); }));
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    EXPECT_EQ(seen.text(QAccessible::Value), "");
    QObject::disconnect(listening);
}

TEST(ChartAccess, TheFocusIsVisibleAfterTab)
{
    Shown shown(regressionChart());
    const auto highlights = [&shown] {
        const QImage picture = shown.picture();
        return countPixels(picture, QRect(0, 0, picture.width(), 1), shown.view.palette().color(QPalette::Highlight));
    };
    const int before = highlights();
    QFocusEvent by(QEvent::FocusIn, Qt::TabFocusReason), away(QEvent::FocusOut, Qt::TabFocusReason);
    QCoreApplication::sendEvent(&shown.view, &by);
    EXPECT_GT(highlights(), before + shown.view.width() / 2);
    QCoreApplication::sendEvent(&shown.view, &away);
    EXPECT_EQ(highlights(), before);
}

TEST(ChartAccess, AlertsAreAnnouncedImmediatelyAndEveryTime)
{
    QWidget widget;
    QStringList reported;
    QObject::connect(&Announcer::instance(), &Announcer::notified, &widget, [&](QWidget* from, const QString& words) {
        if (from == &widget)
            reported += words;
    });
    announce(&widget, QStringLiteral("The file is missing."), Announcer::Urgency::alert);
    announce(&widget, QStringLiteral("The file is missing."), Announcer::Urgency::alert);
    announce(&widget, {}, Announcer::Urgency::alert);
    EXPECT_EQ(reported.size(), 2);
}

TEST(ChartAccess, AChartWithoutTitleKeepsItsAssignedName)
{
    Shown shown(unitChart({}));
    EXPECT_EQ(shown.view.accessibleName(), "Unit square");
    Chart nameless;
    shown.set(nameless);
    EXPECT_EQ(seenBy(shown.view).text(QAccessible::Name), "Unit square");
}

TEST(Contrast, IsThatOfTheGuidelines)
{
    EXPECT_NEAR(contrastRatio(Qt::black, Qt::white), 21, 1e-9);
    EXPECT_NEAR(contrastRatio(Qt::white, Qt::white), 1, 1e-12);
    EXPECT_NEAR(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white), 4.48,
                0.005);   // the well known grey that just fails
    EXPECT_NEAR(contrastRatio(QColor(0x76, 0x76, 0x76), Qt::white), 4.54, 0.005);
}

TEST(Contrast, LegibleChangesAColourOnlyAsFarAsTextNeeds)
{
    const QColor orange(0xd5, 0x5e, 0x00), dark(0x1a, 0x1c, 0x20);
    EXPECT_EQ(legible(QColor(Qt::black), Qt::white), QColor(Qt::black));
    for (const QColor& ground : {QColor(Qt::white), dark, QColor(0xff, 0xfb, 0xe6), QColor(0x80, 0x80, 0x80)}) {
        const QColor text = legible(orange, ground);
        EXPECT_GE(contrastRatio(text, ground), leastTextContrast) << ground.name().toStdString();
        if (contrastRatio(orange, ground) < leastTextContrast && ground != QColor(0x80, 0x80, 0x80)) {
            EXPECT_LT(contrastRatio(text, ground), 5) << ground.name().toStdString();
        }
    }
    for (int grey = 0; grey < 256; ++grey)
        EXPECT_GE(contrastRatio(blackOrWhite(QColor(grey, grey, grey)), QColor(grey, grey, grey)), leastTextContrast)
            << grey;
}

TEST(CurveMarkers, DistinguishCurvesThatDifferOnlyInColour)
{
    const auto line = [](int k, LineStyle style) {
        return Line{.name  = "run " + std::to_string(k),
                    .x     = {0, 0.5, 1},
                    .y     = {0.2, 0.4, 0.1 * k},
                    .tone  = category(k),
                    .style = style};
    };
    const auto markers = [](const Panel& panel) {
        int n = 0;
        for (const auto& entry : legendEntries(panel, ChartPalette::light(), 1))
            n += entry.marker.isNone() ? 0 : 1;
        return n;
    };
    Panel panel;
    panel.series = {line(0, LineStyle::solid)};
    EXPECT_EQ(markers(panel), 0);   // alone
    panel.series.emplace_back(line(1, LineStyle::dashed));
    EXPECT_EQ(markers(panel), 0);   // told apart by style
    panel.series.emplace_back(line(2, LineStyle::solid));
    EXPECT_EQ(markers(panel), 2);
    const auto entries = legendEntries(panel, ChartPalette::light(), 1);
    EXPECT_NE(entries[0].marker.shape(), entries[2].marker.shape());
    EXPECT_EQ(betweenMarkers(3), 0);
    EXPECT_EQ(betweenMarkers(600), 100);
}

}   // namespace
}   // namespace credence
