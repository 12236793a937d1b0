// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "parts/rail.h"
#include "parts/workbench.h"
#include "study/presets.h"
#include "views/scored_predictions.h"
#include "views/views.h"
#include "widgets/chart_hand.h"

#include <QClipboard>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLineF>
#include <QSpinBox>
#include <QTableView>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

/// The tab of test rows, with its table.
struct RowsTab {
    explicit RowsTab(WindowDriver& window)
        : panel(window->panel("test_rows")), area(window.find<QWidget>("trainingTabs")),
          table(panel->findChild<QTableView*>("rowTable")), filter(area->findChild<QComboBox*>("rowFilter")),
          ofClass(area->findChild<QLineEdit*>("rowClass")), words(area->findChild<QLabel*>("rowWords"))
    {}

    int n() const { return table->model()->rowCount(); }
    QVariant cell(int row, int column) const { return table->model()->index(row, column).data(Qt::UserRole); }
    double number(int row, int column) const { return cell(row, column).toDouble(); }
    int count(const std::function<bool(int)>& wanted) const
    {
        int found = 0;
        for (int row = 0; row < n(); ++row)
            found += wanted(row) ? 1 : 0;
        return found;
    }

    ViewPanel* panel;
    QWidget* area;   ///< its header has the controls of the view in front
    QTableView* table;
    QComboBox* filter;
    QLineEdit* ofClass;
    QLabel* words;
};

}   // namespace

TEST(TestRowsTab, ChoosesTheInputOfAllViewsByClickAndKeyboardAndFollowsTheMap)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const RowsTab rows(window);
    EXPECT_FALSE(rows.panel->isVisible());
    window.clickButton("toRows");
    ASSERT_TRUE(rows.panel->isVisible());
    const auto& data = *window->session().run().current().experiment->data;
    const int all    = static_cast<int>(data.test.n_rows);
    ASSERT_TRUE(window.waitFor([&] { return rows.n() == all; }));
    EXPECT_EQ(rows.table->horizontalHeader()->logicalIndex(1), test_row::probable + 1);   // two features: at the front
    EXPECT_EQ(rows.table->currentIndex().row(), 0);

    rows.table->sortByColumn(test_row::entropy, Qt::DescendingOrder);
    for (int row = 1; row < all; ++row)
        EXPECT_GE(rows.number(row - 1, test_row::entropy), rows.number(row, test_row::entropy));
    rows.table->scrollToTop();
    QTest::mouseClick(rows.table->viewport(), Qt::LeftButton, {},
                      rows.table->visualRect(rows.table->model()->index(0, test_row::row)).center());
    EXPECT_EQ(static_cast<double>(window->context().requests.chosen().input.row), rows.number(0, test_row::row));
    QTest::keyClick(rows.table, Qt::Key_Down);
    const int chosen = static_cast<int>(rows.number(1, test_row::row));
    EXPECT_EQ(window->context().requests.chosen().input.row, static_cast<std::size_t>(chosen));
    EXPECT_EQ(window.find<QSpinBox>("inputRow")->value(), chosen);
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_THAT(window->panel("boxplots")->chart().caption, testing::HasSubstr("test row " + std::to_string(chosen)));
    QTest::keyClick(rows.table, Qt::Key_Down, Qt::ShiftModifier);
    EXPECT_EQ(rows.table->selectionModel()->selectedRows().size(), 2);
    EXPECT_EQ(static_cast<double>(window->context().requests.chosen().input.row), rows.number(2, test_row::row));
    QTest::keyClick(rows.table, Qt::Key_C, Qt::ControlModifier);
    const auto lines = QGuiApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 3);
    EXPECT_THAT(lines[0].toStdString(), testing::StartsWith("Row\tx1\tx2\tTrue class\t"));
    EXPECT_EQ(lines[1].section('\t', 0, 0).toInt(), chosen);

    auto& hand       = window->panel("decision_map")->chartView()->hand();
    const auto exact = data.test.row(7);
    Q_EMIT hand.pointClicked(0, static_cast<double>(exact[0]), static_cast<double>(exact[1]));
    EXPECT_TRUE(window->context().requests.chosen().input.values.empty());
    EXPECT_EQ(window->context().requests.chosen().input.row, 7U);
    EXPECT_EQ(rows.number(rows.table->currentIndex().row(), test_row::row), 7);
    EXPECT_EQ(rows.table->selectionModel()->selectedRows().size(), 1);
    window.clickMap(1.0, 0.5);   // no row of the data
    EXPECT_FALSE(window->context().requests.chosen().input.values.empty());
    EXPECT_FALSE(rows.table->selectionModel()->hasSelection());
}

TEST(TestRowsTab, FiltersByVerdictAndClassAndStatesWhenNoRowIsLeft)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    const RowsTab rows(window);
    window->findChild<QAction*>("testRowsAction")->trigger();
    ASSERT_TRUE(window.waitForPictures());
    const auto is = [&](int row, int column) { return rows.number(row, column) != 0; };
    const int all = rows.n();
    ASSERT_GT(all, 0);
    const auto certain = [&](int row) { return is(row, test_row::no_overlap) && is(row, test_row::probable); };
    const auto wrong   = [&](int row) { return !is(row, test_row::right); };
    const int expected[]{all, rows.count(wrong), all - rows.count(certain),
                         rows.count([&](int row) { return wrong(row) && certain(row); })};
    ASSERT_EQ(rows.filter->count(), 4);
    for (int i = 3; i >= 0; --i) {
        rows.filter->setCurrentIndex(i);
        EXPECT_EQ(rows.n(), expected[i]);
        EXPECT_EQ(rows.table->isVisible(), expected[i] > 0);
        EXPECT_EQ(rows.words->isVisible(), expected[i] == 0);
    }
    const auto name    = rows.cell(0, test_row::truth).toString();
    const auto ofClass = [&](int row) {
        return rows.cell(row, test_row::truth) == name || rows.cell(row, test_row::predicted) == name;
    };
    const int some = rows.count(ofClass);
    rows.ofClass->setText(name);
    EXPECT_EQ(rows.n(), some);
    EXPECT_EQ(rows.count(ofClass), some);
    rows.ofClass->setText("owl");
    EXPECT_EQ(rows.n(), 0);
    EXPECT_TRUE(rows.words->isVisible());
    EXPECT_EQ(rows.words->text().toStdString(), "None of these rows has “owl” as its true or predicted class.");
    rows.ofClass->clear();
    EXPECT_EQ(rows.n(), all);

    window->session().setStudy(preset("sine_gap"));   // a number to predict
    ASSERT_TRUE(window.waitFor([&] { return window->panel("decision_map")->view().id == "regression_band"; }));
    ASSERT_TRUE(window.waitForPictures());
    ASSERT_TRUE(window.waitFor([&] { return rows.table->model()->columnCount() == test_row::function_sd + 2; }));
    EXPECT_EQ(rows.table->model()
                  ->headerData(test_row::residual, Qt::Horizontal)
                  .toString()
                  .section('\n', 0, 0)
                  .section(' ', 0, 0)
                  .toStdString(),
              "|Residual|");
    EXPECT_FALSE(rows.ofClass->isVisible());
    ASSERT_EQ(rows.filter->count(), 2);
    const int far = rows.count([&](int row) { return std::abs(rows.number(row, test_row::standardised)) > 2; });
    rows.filter->setCurrentIndex(1);
    EXPECT_EQ(rows.n(), far);
    EXPECT_EQ(rows.words->isVisible(), far == 0);
}

TEST(TestRowsTab, TheWorkspaceTableShowsObservedValuesAndAClickOnAPointSelectsItsRowEverywhere)
{
    WindowDriver window;
    window->session().setStudy(preset("sine_gap"));   // a numeric target
    ASSERT_TRUE(window.waitFor([&] { return window->panel("decision_map")->view().id == "regression_band"; }));
    window.clickButton("workspace/table");
    auto* panel = window->panel("observed_predicted");
    ASSERT_TRUE(
        window.waitFor([&] { return panel->isVisible() && panel->hasChart() && !panel->chart().panels.empty(); }));
    ASSERT_TRUE(window.waitForPictures());
    EXPECT_EQ(window->workbench().rail().current(), "table");
    auto* view = panel->chartView();
    std::vector<std::pair<QPointF, DataRow>> points;
    for (const auto& series : panel->chart().panels[0].series)
        if (const auto* each = std::get_if<Points>(&series))
            for (std::size_t i = 0; i < each->x.size(); ++i)
                points.emplace_back(view->positionOf(0, each->x[i], each->y[i]), each->data_rows[i]);
    ASSERT_EQ(points.size(), window->session().run().current().experiment->data->test.n_rows);
    const auto room = [&](const auto& point) {   // distance to the nearest other point
        double least = 1e9;
        for (const auto& [at, row] : points)
            if (row != point.second)
                least = std::min(least, QLineF(at, point.first).length());
        return least;
    };
    std::erase_if(points,
                  [&](const auto& point) { return point.second.row == window->context().selection.chosen().row; });
    const auto [at, row] = *std::max_element(points.begin(), points.end(),
                                             [&](const auto& a, const auto& b) { return room(a) < room(b); });
    auto* plot           = view->findChild<QWidget*>("plot");
    QTest::mouseClick(plot, Qt::LeftButton, {}, plot->mapFrom(view, at).toPoint());
    EXPECT_TRUE(window->context().requests.chosen().input.values.empty());
    EXPECT_EQ(window->context().requests.chosen().input.row, row.row);
    EXPECT_EQ(window.find<QSpinBox>("inputRow")->value(), static_cast<int>(row.row));
    EXPECT_EQ(view->markedRow(), row);
    EXPECT_EQ(window->panel("residuals")->chartView()->markedRow(), row);
}

TEST(TestRowsTab, ListsTheRowsOfAClickedBarOfTheCalibration)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(60));
    window->navigator().show(QStringLiteral("calibration"));
    auto* panel = window->panel("calibration");
    ASSERT_TRUE(window.waitFor([&] { return panel->isVisible() && panel->chart().panels.size() == 3; }));
    const auto& reliability = panel->chart().panels.front();
    const auto* bars        = std::get_if<Bars>(&reliability.series.front());
    ASSERT_TRUE(bars);
    ASSERT_FALSE(bars->data_rows.empty());
    const auto expected = bars->data_rows.back();
    const double at     = bars->position.back();
    std::uint32_t other = 0;   // a row of another bar
    while (std::ranges::any_of(expected, [&](const DataRow& row) { return row.row == other; }))
        ++other;
    window->context().selection.chooseRow(static_cast<int>(other), Selection::By::map);
    Q_EMIT panel->chartView()->hand().pointClicked(0, at, 0.99);
    const RowsTab rows(window);
    ASSERT_TRUE(
        window.waitFor([&] { return rows.panel->isVisible() && rows.n() == static_cast<int>(expected.size()); }));
    EXPECT_THAT(rows.filter->currentText().toStdString(), testing::StartsWith("Confidence "));
    EXPECT_EQ(window->context().selection.chosen().row, other) << "listing rows selects none of them";
    for (const auto& row : expected)
        EXPECT_EQ(rows.count([&](int i) { return rows.number(i, test_row::row) == row.row; }), 1) << row.row;
    rows.filter->setCurrentIndex(0);
    EXPECT_GE(rows.n(), static_cast<int>(expected.size())) << "all rows again";
}
