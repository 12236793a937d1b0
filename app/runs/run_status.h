// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "parts/buttons.h"
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
    QPushButton* m_training;   ///< the run that trains while another run is displayed; a click displays it
    QString m_refusal;         ///< the last message about a refused Study
};

class RunWriter;

/// Shows in the status bar which run is being saved if saving takes long; a click cancels it.
void showSaving(RunWriter& writer, QStatusBar* line);

class QFrame;
class QListWidget;

/// Shows the number of queued runs in the status bar while there are any. A click opens their list,
/// where they can be reordered and removed.
class QueueStatus : public QObject {
    Q_OBJECT
public:
    QueueStatus(AppContext& context, Notifier& notifier, QStatusBar* line);

private:
    void buildList(QStatusBar* line);
    void refresh();
    void refreshButtons();
    void open();
    void moveBy(int rows);

    AppContext& m_context;
    QPushButton* m_chip;
    QFrame* m_popup     = nullptr;
    QListWidget* m_list = nullptr;
    QPushButton *m_up = nullptr, *m_down = nullptr, *m_remove = nullptr;
};

class QActionGroup;
class Session;

/// Sets the training speed: full speed, or slow motion with a number of steps per second. The
/// results do not change.
class SpeedControl : public MenuButton {
    Q_OBJECT
public:
    /// Placed in the status bar; its menu can be used elsewhere too.
    SpeedControl(Session& session, QWidget* parent);
    void restore();   ///< sets the last selected speed

private:
    void choose(int stepsPerSecond);   ///< sets and saves the speed
    void set(int stepsPerSecond);
    void move(int by);   ///< moves along the list; 1: slower

    Session& m_session;
    QActionGroup* m_speeds;
};
