// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <memory>
#include <vector>

class Comparison;
class SavedRuns;
class Notifier;
class SavedRunEntry;
class QLineEdit;
class QModelIndex;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;
struct AppContext;

/// The table of saved runs and its actions.
class RunsPanel : public QWidget {
    Q_OBJECT
public:
    RunsPanel(AppContext& context, Comparison& comparison, Notifier& notifier, QWidget* parent);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void buildTable();
    void fitColumns();
    void buildButtons();
    void connectTable();
    void refreshButtons();
    int currentRow() const;                              ///< in the list of runs; -1: none
    QModelIndex shownIndex(int row, int column) const;   ///< in the table
    std::vector<std::shared_ptr<SavedRunEntry>> selectedRuns() const;
    void reopenStudy();
    void forgetClick();
    void rename();
    void askToDelete();

    AppContext& m_context;
    SavedRuns& m_runs;
    Comparison& m_comparison;
    Notifier& m_notifier;
    QSortFilterProxyModel* m_shown;   ///< the runs in the order of the table, without those that are not searched for
    QTableView* m_table;
    QLineEdit* m_search;
    QPushButton *m_show, *m_continue, *m_reopen, *m_rename, *m_remove, *m_compare;
    bool m_fits           = false;   ///< the widths of columns change by themselves
    bool m_widthsAreUsers = false;
};
