// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class KeptRuns;
class QPushButton;
class QTableView;

/// The table of kept runs with what can be done with them.
class RunsPanel : public QWidget {
    Q_OBJECT
public:
    explicit RunsPanel(KeptRuns& runs, QWidget* parent = nullptr);
    void endComparison();

signals:
    void showRequested(int row);
    void studyRequested(int row);
    void compareRequested(bool on);
    void deleteRequested(int row);

private:
    void refreshButtons();
    int currentRow() const;

    KeptRuns& m_runs;
    QTableView* m_table;
    QPushButton *m_show, *m_reopen, *m_rename, *m_remove, *m_compare;
};
