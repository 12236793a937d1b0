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

class SavedRuns;
class Session;
class ViewChoices;

/// Runs the linter on the displayed run: when a run ends, when a saved run or imported predictions
/// are displayed, and when the compared runs change. A newer run cancels the previous check. No
/// widgets here.
class Linting : public QObject {
    Q_OBJECT
public:
    enum class State {
        no_run,     ///< nothing trained yet
        training,   ///< checked when the run ends
        looking,    ///< `findings` are those of the same run with earlier prediction settings
        looked,     ///< `findings` has the result, possibly empty
        failed,     ///< `mistake` has the reason
    };
    /// Thread-safe; empty: stopped.
    using Look = std::function<std::optional<credence::LintResult>(const credence::LintCase&, const std::stop_token&)>;

    /// @param runs     the ticked ones are compared with the displayed run
    /// @param choices  selects the bridge
    /// @param look     applies the rules; replaced in tests
    Linting(Session& session, SavedRuns& runs, const ViewChoices& choices, Look look = credence::lint,
            QObject* parent = nullptr);

    State state() const { return m_state; }
    const std::vector<credence::Finding>& findings() const { return m_result.findings; }   ///< most severe first
    const credence::LintResult& result() const { return m_result; }
    /// The rules that could not be checked, one line per reason: "r_hat, ess: The chains have 3
    /// draws each …".
    QStringList notJudged() const;
    /// "2 errors, 1 warning", "No findings", "3 rules could not be checked"
    QString counts() const;
    const QString& mistake() const { return m_mistake; }   ///< one sentence
    QString runName() const;                               ///< name of the checked run

    /// Do the findings belong to the previous run, because its Study was fixed but not trained yet?
    bool awaitsTraining() const;
    /// The Study that a remedy changes: the one under edit if it is that of the run, possibly with
    /// remedies; else that of the run.
    credence::Study studyToFix() const;
    /// Does the Study under edit already have the settings of this remedy?
    bool isFixed(const credence::Remedy& remedy) const;

public slots:
    void lookAgain();   ///< Something else that the rules depend on has changed.

signals:
    void changed();

private:
    void follow();
    void look();
    void submit();
    void forget(State state);
    bool differsByRemediesAlone() const;

    Session& m_session;
    SavedRuns& m_runs;
    const ViewChoices& m_choices;
    const Look m_look;
    State m_state = State::no_run;
    credence::LintResult m_result;
    QString m_mistake;
    credence::Study m_study;                            // Study of the checked run
    std::weak_ptr<const credence::Snapshot> m_newest;   // its final step
    QTimer m_rest;                                      // delays the check, so that charts come first
    Worker m_worker;                                    // last: its thread ends first
};

/// "Error", "Warning".
QString wordOf(credence::Severity severity);
/// Evidence, reason, source and threshold of a finding in sentences, as shown below its title.
QString detailsOf(const credence::Finding& finding);
/// The report chapter on findings, one paragraph each with its remedy; or one sentence saying that
/// there are none, and why.
QStringList findingsChapter(const Linting& linting);
