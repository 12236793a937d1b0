// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class Comparison;
class KeptRuns;
class Messages;
class QPushButton;
class QTableView;
struct Workspace;

/// The table of kept runs with what can be done with them.
class RunsPanel : public QWidget {
    Q_OBJECT
public:
    RunsPanel(Workspace& workspace, Comparison& comparison, Messages& messages, QWidget* parent);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void buildTable();
    void fitColumns();
    void buildButtons();
    void connectTable();
    void refreshButtons();
    int currentRow() const;
    void reopenStudy();
    void forgetClick();
    void rename();
    void askToDelete();

    Workspace& m_workspace;
    KeptRuns& m_runs;
    Comparison& m_comparison;
    Messages& m_messages;
    QTableView* m_table;
    QPushButton *m_show, *m_reopen, *m_rename, *m_remove, *m_compare;
    bool m_fits           = false;   ///< the widths of columns change by themselves
    bool m_widthsAreUsers = false;
};
