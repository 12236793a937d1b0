// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/table_view.h"

#include "gui/real_input.h"

#include "widgets/column_widths.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <gmock/gmock.h>

#include <cmath>

namespace credence {
namespace {

Table scores()
{
    return {{{"Score", "", -1}, {"Value", "nats", 3}, {"n", "", -1}},
            {{std::string("NLL"), 0.12345, 12L}, {std::string("Brier"), std::nan(""), -3L}}};
}

TEST(TableView, WritesNumbersToTheRightWithTheDecimalsOfTheirColumn)
{
    TableModel model;
    model.setTable(scores());
    EXPECT_EQ(model.data(model.index(0, 1)), "0.123");
    EXPECT_EQ(model.data(model.index(0, 1), Qt::TextAlignmentRole).toInt(),
              static_cast<int>(Qt::AlignVCenter | Qt::AlignRight));
    EXPECT_EQ(model.data(model.index(0, 0), Qt::TextAlignmentRole).toInt(),
              static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft));
    EXPECT_EQ(model.data(model.index(0, 1), Qt::UserRole).toDouble(), 0.12345);
}

TEST(TableView, ADashAndAWordAreBelowTheNumbersOfTheirColumn)
{
    TableModel model;
    model.setTable({{{"Exact", "", 3}}, {{0.5}, {std::string("–")}, {std::string("fails")}}});
    const auto side = [&model](int row) {
        return model.data(model.index(row, 0), Qt::TextAlignmentRole).toInt() & Qt::AlignHorizontal_Mask;
    };
    EXPECT_EQ(side(0), Qt::AlignRight);
    EXPECT_EQ(side(1), Qt::AlignRight);
    EXPECT_EQ(side(2), Qt::AlignRight);
    model.setTable({{{"Exact", "", 3}}, {{0.5}, {std::string("a sentence that is too long for a column of numbers")}}});
    EXPECT_EQ(side(0), Qt::AlignLeft);
}

TEST(TableView, WritesAMissingNumberAsADash)
{
    TableModel model;
    model.setTable(scores());
    EXPECT_EQ(model.data(model.index(1, 1)), "–");
}

TEST(TableView, ColumnsGrowWithLongerCellsAndDoNotShrinkAgain)
{
    TableView view;
    view.resize(600, 300);
    view.show();
    const auto with = [](const std::string& cell) {
        return Table{{{"Score", "", -1}, {"Value", "", -1}, {"Note", "", -1}},
                     {{std::string("Brier"), cell, std::string("–")}}};
    };
    view.setTable(with("0.1"));
    const int before = view.columnWidth(1);
    view.setTable(with("0.000281234567890123"));
    const int wide = view.columnWidth(1);
    EXPECT_GT(wide, before);
    EXPECT_GE(wide, view.fontMetrics().horizontalAdvance("0.000281234567890123"));
    view.setTable(with("0.1"));
    EXPECT_EQ(view.columnWidth(1), wide);
}

TEST(TableView, ColumnsAndRowsFollowTheSizeOfTheText)
{
    TableView view;
    view.setTable(scores());
    const int before = view.columnWidth(1);
    QFont large      = view.font();
    large.setPixelSize(2 * QFontInfo(large).pixelSize());
    view.setFont(large);
    EXPECT_NEAR(view.columnWidth(1), 2 * before, 0.3 * before);
    EXPECT_GE(view.rowHeight(0), view.fontMetrics().height());
    view.setFont({});
    EXPECT_EQ(view.columnWidth(1), before);
}

TEST(TableView, SentencesInTheLastColumnHaveTheWidthThatIsLeft)
{
    TableView view;
    view.show();
    const std::string sentence(120, 'x');
    view.setTable({{{"Diagnostic", "", -1}, {"Where", "", -1}}, {{std::string("Chains"), sentence}}});
    for (const int width : {1200, 500, 1600}) {
        view.resize(width, 300);
        EXPECT_EQ(view.columnWidth(0) + view.columnWidth(1), view.viewport()->width()) << width;
    }
    view.resize(view.columnWidth(0) + 20, 300);
    EXPECT_GT(view.columnWidth(1), 100) << "too narrow to read: the table scrolls";
    view.resize(1200, 300);
    view.setTable(scores());
    EXPECT_LT(view.columnWidth(2), 300) << "numbers stay next to each other";
}

TEST(TableView, SentencesWrapInANarrowTableInsteadOfScrollingSideways)
{
    TableView view;
    view.show();
    view.setTable(
        {{{"Diagnostic", "", -1}, {"Value", "", -1}, {"Note", "", -1}},
         {{std::string("Probability of such a difference if the chains agree"), 0.123,
           std::string("given their autocorrelation; smallest of all quantities, with Bonferroni's correction")},
          {std::string("Chains"), 4L, std::string()}}});
    const auto sum   = [&] { return view.columnWidth(0) + view.columnWidth(1) + view.columnWidth(2); };
    const int letter = view.fontMetrics().averageCharWidth();
    view.resize(60 * letter, 300);
    EXPECT_LE(sum(), view.viewport()->width());
    EXPECT_GE(view.columnWidth(2), 16 * letter);
    EXPECT_GT(view.rowHeight(0), 2 * view.rowHeight(1)) << "at least three lines";
    view.resize(300 * letter, 300);
    EXPECT_EQ(view.rowHeight(0), view.rowHeight(1));
    EXPECT_GE(view.columnWidth(0), view.fontMetrics().horizontalAdvance("Probability of such a difference if the"));
    EXPECT_EQ(sum(), view.viewport()->width());
}

TEST(TableView, AColumnThatTheUserHasDraggedKeepsItsWidthAndReturnsWithIt)
{
    const auto others = [] { return Table{{{"Seed", "", -1}, {"Result", "", -1}, {"n", "", -1}}, {{1L, 0.5, 2L}}}; };
    TableView view, untouched;
    for (auto* each : {&view, &untouched}) {
        each->resize(600, 300);
        each->show();
        each->setTable(scores());
    }
    const int before = view.columnWidth(1);
    dragEdge(*view.horizontalHeader(), 1, 60);
    EXPECT_EQ(view.columnWidth(1), before + 60);
    EXPECT_EQ(view.widths().all().size(), 1) << "no other column was touched";
    view.setTable(scores());
    EXPECT_EQ(view.columnWidth(1), before + 60);
    for (auto* each : {&view, &untouched})
        each->setTable(others());
    for (int c = 0; c < 3; ++c)
        EXPECT_EQ(view.columnWidth(c), untouched.columnWidth(c)) << "column " << c << " of another table";
    view.setTable(scores());
    EXPECT_EQ(view.columnWidth(1), before + 60);
    QTest::mouseDClick(view.horizontalHeader()->viewport(), Qt::LeftButton, {}, edgeOf(*view.horizontalHeader(), 1));
    EXPECT_EQ(view.columnWidth(1), before) << "a double click makes it automatic again";
    EXPECT_TRUE(view.widths().all().isEmpty());
}

TEST(TableView, TheColumnWithTheWidthThatIsLeftIsNeverTakenForTheUsersChoice)
{
    TableView view;
    view.resize(900, 300);
    view.show();
    const Table sentences{{{"Diagnostic", "", -1}, {"Where", "", -1}},
                          {{std::string("Chains"), std::string(120, 'x')}}};
    view.setTable(sentences);
    dragEdge(*view.horizontalHeader(), 0, 70);
    dragEdge(*view.horizontalHeader(), 1, -50);
    view.setTable(sentences);
    EXPECT_EQ(view.widths().all().keys(), QStringList{"Diagnostic"});
    view.resize(1300, 300);
    EXPECT_EQ(view.columnWidth(0) + view.columnWidth(1), view.viewport()->width());
}

TEST(TableView, PutsUnitsInTheHeading)
{
    TableModel model;
    model.setTable(scores());
    EXPECT_EQ(model.headerData(1, Qt::Horizontal), "Value / nats");
    EXPECT_EQ(columnTitle({"Wrong", "%", 1}), "Wrong / %");
}

TEST(TableView, WrapsALongHeadingAboveShortCells)
{
    const Table table{{{"Correct, uncertain", "%", 1}, {"Level", "", -1}}, {{1.5, 0.9}}};
    EXPECT_EQ(headText(table, 0), (QStringList{"Correct,", "uncertain / %"}));
    EXPECT_EQ(headText(table, 1), QStringList{"Level"});
}

TEST(TableView, NewNumbersInTheSameShapeKeepTheSelection)
{
    TableModel model;
    model.setTable(scores());
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
    Table next      = scores();
    next.rows[0][1] = 0.5;
    model.setTable(next);
    EXPECT_EQ(reset.count(), 0);
    EXPECT_EQ(changed.count(), 1);
    EXPECT_EQ(model.data(model.index(0, 1)), "0.500");
    next.rows.pop_back();
    model.setTable(next);
    EXPECT_EQ(reset.count(), 1);
}

TEST(TableView, CopiesAllDigits)
{
    TableView view;
    view.setTable(scores());
    view.copy();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), "Score\tValue / nats\tn\nNLL\t0.12345\t12\nBrier\tnan\t-3\n");
}

TEST(TableView, CopiesTheSelectedRowsInTheirCurrentOrder)
{
    TableView view;
    QSortFilterProxyModel sorted;
    sorted.setSortRole(Qt::UserRole);
    view.showThrough(sorted);
    view.setTable(scores());
    sorted.sort(2);   // Brier, then NLL
    view.horizontalHeader()->moveSection(2, 0);
    view.copy();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), "n\tScore\tValue / nats\n-3\tBrier\tnan\n12\tNLL\t0.12345\n");
    view.selectRow(1);
    view.copy();
    EXPECT_EQ(QGuiApplication::clipboard()->text(), "n\tScore\tValue / nats\n12\tNLL\t0.12345\n");
    view.setModel(nullptr);   // which ends before it
}

}   // namespace
}   // namespace credence
