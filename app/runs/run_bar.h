// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/run_opener.h"

#include <QElapsedTimer>
#include <QToolBar>

#include <functional>
#include <vector>

class QAction;
class TrainAction;
class QDoubleSpinBox;
class QLabel;
class QToolButton;
class QuietParts;
class RunQueue;
class SavedRuns;
class Session;
class StudyDocument;

/// The toolbar: Train/Pause/Queue/Continue, Quick comparison (tables), Stop, Step, Restart, New seed, the seed,
/// progress as text and Export.
/// Before the first step of the first run, only Train and the seed are shown.
class RunBar : public QToolBar {
    Q_OBJECT
public:
    RunBar(StudyDocument& document, const SavedRuns& runs, RunQueue& queue, QWidget* parent = nullptr);

    QAction* trainAction() const;
    QToolButton* buttonOf(const QAction* action) const;   ///< shown or not
    QAction* stepAction() const { return m_step; }
    QAction* restartAction() const { return m_restart; }
    QAction* newSeedAction() const { return m_newSeed; }
    QAction* stopAction() const { return m_stop; }
    /// Opens the quick comparison; its button is shown for tables only.
    QAction* quickAction() const { return m_quick; }
    void addExport(QMenu* menu);
    void newSeed();   ///< and trains with it

    /// "step 12,400 · epoch 31 · 1,850 steps/s · 0:07 left"; for chains "transition 640 of 2,000, 4
    /// chains, warm-up · 90 transitions/s · 0:15 left"
    static QString progressText(const Session& session);

signals:
    void refused(const QString& sentence);       ///< a field has an invalid value: nothing was started
    void continueWanted(RunOpener::Pace pace);   ///< of the displayed run
    void used();                                 ///< something was trained or opened
    void finishedAlready();   ///< Train or Step was pressed, but the run is complete: nothing was started

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildActions();
    void fitButtons();
    void addSecondary(QToolButton* button);
    void connectAll();
    void afterCommit(const QAction* action, std::function<void()> then);
    void refresh();
    void refreshTime();
    void refreshStop();
    void refreshQuick();
    void refreshProgress();

    StudyDocument& m_document;
    const SavedRuns& m_runs;
    RunQueue& m_queue;
    TrainAction* m_train;
    QAction *m_step, *m_restart, *m_newSeed, *m_stop, *m_quick;
    QAction* m_quickPlace = nullptr;   ///< its button in the toolbar
    QDoubleSpinBox* m_seed;
    QLabel* m_progress;
    std::vector<QToolButton*> m_named;   ///< buttons whose picture alone is shown in a narrow window
    QuietParts* m_secondary;             ///< buttons that appear with the first step
    long m_displayed = 0;                // number of the run it describes
    QElapsedTimer m_reported;            ///< since the last progress announcement
};
