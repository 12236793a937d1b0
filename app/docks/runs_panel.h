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

private:
    void buildTable();
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
};
