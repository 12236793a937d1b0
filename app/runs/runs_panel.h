// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <memory>
#include <vector>

class Notifier;
class QAction;
class QLineEdit;
class QModelIndex;
class QSortFilterProxyModel;
class QTableView;
class RunActions;
class SavedRunEntry;
class SavedRuns;
struct AppContext;
namespace credence {
class ColumnWidths;
}

/// The table of saved runs, which can be sorted by each column, and its actions.
class RunsPanel : public QWidget {
    Q_OBJECT
public:
    /// @param compare  compares the ticked runs, see CompareAction
    RunsPanel(AppContext& context, QAction& compare, Notifier& notifier, QWidget* parent);
    QSize sizeHint() const override;          ///< as high as its rows, within limits
    QSize minimumSizeHint() const override;   ///< with all lines of buttons

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void buildTable();
    void fitColumns();
    void connectTable();
    void refreshActions();
    int currentRow() const;                              ///< in the list of runs; -1: none
    QModelIndex shownIndex(int row, int column) const;   ///< in the table
    std::vector<std::shared_ptr<SavedRunEntry>> selectedRuns() const;
    void forgetClick();
    void rename();

    SavedRuns& m_runs;
    RunActions* m_actions;
    QSortFilterProxyModel* m_shown;   ///< the runs in the order of the table, without those that are not searched for
    QTableView* m_table;
    QLineEdit* m_search;
    credence::ColumnWidths* m_widths = nullptr;
};

class CompareAction;
class Comparison;
class RunListModel;
class RunView;

/// The saved runs as a list with thumbnails, in groups of equal data, from 240 pixels wide. Eye,
/// Enter or double click: display; box or Space: tick for comparison; Delete, F2, and a context
/// menu.
class RunList : public QWidget {
    Q_OBJECT
public:
    RunList(AppContext& context, Comparison& comparison, Notifier& notifier, QWidget* parent);
    QAction& compareAction() const;   ///< compares the ticked runs
    QSize sizeHint() const override;

signals:
    void tableRequested();   ///< the table of all columns

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void buildView();
    void refresh();
    void refreshActions();
    void display(const QModelIndex& index);
    void showMenu(const QPoint& at);

    AppContext& m_context;
    RunListModel* m_model;
    RunActions* m_actions;
    CompareAction* m_compare;
    RunView* m_view;
    QLineEdit* m_search;
};
