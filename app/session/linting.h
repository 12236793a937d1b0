// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "work/worker.h"

#include "linter/lint.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <memory>
#include <vector>

class KeptRuns;
class Session;
class ViewChoices;

/// What the linter says of the run on show: asked by itself when a run ends, when a kept one or outputs from elsewhere are put on show, and when what it is compared with
/// changes. The newest run counts, whatever was being looked at before is stopped. No widget here.
class Linting : public QObject {
    Q_OBJECT
public:
    enum class State {
        no_run,     ///< nothing is trained yet
        training,   ///< it is looked at when it ends
        looking,    ///< `findings` is what was found of this run before, with other settings of its predictions
        looked,     ///< `findings` says what was found, which may be nothing
        failed,     ///< `mistake` says why
    };
    /// Any thread; empty: stopped.
    using Look = std::function<std::optional<credence::LintResult>(const credence::LintCase&, const std::stop_token&)>;

    /// @param runs     the ticked ones are what the run on show is compared with
    /// @param choices  which bridge is used
    /// @param look     asks the rules; another function in tests
    Linting(Session& session, KeptRuns& runs, const ViewChoices& choices, Look look = credence::lint,
            QObject* parent = nullptr);

    State state() const { return m_state; }
    const std::vector<credence::Finding>& findings() const { return m_result.findings; }   ///< the worst first
    /// The rules that could not be judged, a line for each reason: "r_hat, ess: The chains have 3 draws each …".
    QStringList notJudged() const;
    /// "2 wrong, 1 doubtful", "Nothing found", "3 rules could not be judged"
    QString counts() const;
    const QString& mistake() const { return m_mistake; }   ///< one sentence
    QString runName() const;                               ///< of the run that was looked at

    /// Are these findings of the run before, since its Study was mended and is not trained yet?
    bool awaitsTraining() const;
    /// The Study that a remedy changes: the one under edit, if it is that of the run or was mended since; else that of the run itself.
    credence::Study studyToMend() const;
    /// Has the Study under edit the settings of this remedy by now?
    bool isMended(const credence::Remedy& remedy) const;

public slots:
    void lookAgain();   ///< something else that the rules look at has changed

signals:
    void changed();

private:
    void follow();
    void look();
    void submit();
    void forget(State state);
    bool differsByRemediesAlone() const;

    Session& m_session;
    KeptRuns& m_runs;
    const ViewChoices& m_choices;
    const Look m_look;
    State m_state = State::no_run;
    credence::LintResult m_result;
    QString m_mistake;
    credence::Study m_study;                            // of the run that was looked at
    std::weak_ptr<const credence::Snapshot> m_newest;   // its end
    QTimer m_rest;                                      // pictures first
    Worker m_worker;                                    // last: its thread ends first
};

/// "Wrong", "Doubtful".
QString wordOf(credence::Severity severity);
/// Evidence, reason, idea and threshold of a finding in sentences: what stands below its title.
QString detailsOf(const credence::Finding& finding);
/// The chapter on the findings in a report, a paragraph each: a finding with what mends it; or one sentence that there are none, and why.
QStringList findingsChapter(const Linting& linting);
