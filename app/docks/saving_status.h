// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QPushButton;
class QStatusBar;
class RunWriter;

/// Shows in the status bar which run is being saved if this takes long; a click cancels it.
class SavingStatus : public QObject {
    Q_OBJECT
public:
    SavingStatus(RunWriter& writer, QStatusBar* line);

private:
    void refresh();

    const RunWriter& m_writer;
    QPushButton* m_button;
};
