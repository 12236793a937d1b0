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

/// The table of saved runs, which can be sorted by each column, and its actions.
class RunsPanel : public QWidget {
    Q_OBJECT
public:
    /// @param compare  compares the ticked runs, see CompareAction
    RunsPanel(AppContext& context, QAction& compare, Notifier& notifier, QWidget* parent);
    QSize sizeHint() const override;   ///< as high as its rows, within limits

protected:
    void changeEvent(QEvent* event) override;
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
    bool m_fits           = false;   ///< the widths of columns change by themselves
    bool m_widthsAreUsers = false;
};
