// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/sample_set.h"
#include "runs/archive.h"

#include <QObject>

class Notifier;
class QLabel;
class QProgressBar;
class QPushButton;
class QStatusBar;
struct AppContext;

/// Status of the run: progress in the status bar, and a message when it has finished.
class RunStatus : public QObject {
    Q_OBJECT
public:
    RunStatus(AppContext& context, Notifier& notifier, QStatusBar* line);

private:
    void refresh();
    QString words(bool curving) const;
    static QString warmUpWords(const credence::ChainStatistics& statistics);
    void reportEnd(const credence::TrainingReport& report);
    void reportNotFinite(const credence::TrainingReport& report);

    AppContext& m_context;
    Notifier& m_notifier;
    QLabel* m_words;
    QProgressBar* m_bar;
    QPushButton* m_training;   ///< the run that trains while another one is displayed; a click displays it
};

class RunWriter;

/// Shows in the status bar which run is being saved if this takes long; a click cancels it.
void showSaving(RunWriter& writer, QStatusBar* line);
