// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <utility>

class SavedRunEntry;
class SavedRuns;
class Session;
class StudyDocument;

/// Saves finished runs and displays saved ones. Files are read in the background; the newest
/// request wins.
class RunOpener : public QObject {
    Q_OBJECT
public:
    RunOpener(Session& session, StudyDocument& document, SavedRuns& runs, QObject* parent = nullptr);

    void show(int row);   ///< a row of the saved runs; -1: none
    enum class Pace { running, one_step };
    /// Continues a stopped run; its Study becomes the one under edit. Asks first if another build
    /// started it.
    void continueRun(int row, Pace pace = Pace::running);
    void continueShown(Pace pace = Pace::running);   ///< Continues the displayed run.
    int request() { return ++m_request; }
    bool isNewest(int request) const { return request == m_request; }
    QString shownFile() const;   ///< File of the displayed run; empty: not saved.
    void picturesHaveCome();     ///< The charts of the displayed run have been drawn.

signals:
    /// a saved run, or one that has just finished and been saved
    void displayed(std::shared_ptr<SavedRunEntry> entry);
    void opens();   ///< another run replaces the compared ones
    void said(const QString& sentence);
    /// A message on the displayed run no longer applies, since another one has replaced it.
    void over(const QString& sentence);
    /// Another build started the run to be continued.
    void asked(const QString& question, const std::function<void()>& goOn, const std::function<void()>& startAgain);
    void failed(const QString& sentence);

private:
    void continueNow(const std::shared_ptr<SavedRunEntry>& entry, Pace pace);
    void startAgain(const std::shared_ptr<SavedRunEntry>& entry);
    void editStudyOf(const SavedRunEntry& entry, const QString& undoText);
    void followRun();
    void keep(const std::shared_ptr<const credence::Experiment>& experiment, const credence::SavedRun& run,
              const QString& place);

    Session& m_session;
    StudyDocument& m_document;
    SavedRuns& m_runs;
    int m_request = 0;
    std::pair<long, QString> m_shown{-1, {}};   // CurrentRun::number and the file of that run
    QString m_whenDrawn;                        // message for when the charts of a newly displayed run are drawn
    QString m_drawn;                            // the message shown then
};
