// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runs/archive.h"

#include <QObject>
#include <QString>

#include <functional>
#include <memory>
#include <utility>

class KeptRunEntry;
class KeptRuns;
class Session;
class StudyDocument;

/// Saves finished runs and displays saved ones. Files are read in the background; the newest
/// request wins.
class RunOpener : public QObject {
    Q_OBJECT
public:
    RunOpener(Session& session, StudyDocument& document, KeptRuns& runs, QObject* parent = nullptr);

    void show(int row);   ///< of the saved runs; -1: nothing
    enum class Pace { running, one_step };
    /// Continues a stopped run; its Study becomes the one under edit. Asks first if another build
    /// started it.
    void continueRun(int row, Pace pace = Pace::running);
    void continueShown(Pace pace = Pace::running);   ///< the displayed run
    int request() { return ++m_request; }
    bool isNewest(int request) const { return request == m_request; }
    QString shownFile() const;   ///< where the run on show is stored; empty: nowhere
    void picturesHaveCome();     ///< of what was put on show

signals:
    void displayed(std::shared_ptr<KeptRunEntry> entry);   ///< a saved run, or one that has just ended and is saved
    void opens();                                          ///< another run takes the place of what is compared
    void said(const QString& sentence);
    void over(const QString& sentence);   ///< what was said of the run on show: another one has taken its place
    /// Another build started the run to be continued.
    void asked(const QString& question, const std::function<void()>& goOn, const std::function<void()>& startAgain);
    void failed(const QString& sentence);

private:
    void continueNow(const std::shared_ptr<KeptRunEntry>& entry, Pace pace);
    void startAgain(const std::shared_ptr<KeptRunEntry>& entry);
    void editStudyOf(const KeptRunEntry& entry, const QString& undoText);
    void followRun();
    void keep(const std::shared_ptr<const credence::Experiment>& experiment, const credence::KeptRun& run,
              const QString& place);

    Session& m_session;
    StudyDocument& m_document;
    KeptRuns& m_runs;
    int m_request = 0;
    std::pair<long, QString> m_shown{-1, {}};   // RunOnShow::number and where that run is stored
    QString m_whenDrawn;                        // what is said when the pictures of a run that was put on show stand
    QString m_drawn;                            // and then was
};
