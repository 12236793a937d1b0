// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/linting.h"

#include "session/saved_runs.h"
#include "session/session.h"
#include "session/view_requests.h"
#include "work/text.h"

#include "foundation/error.h"
#include "study/fields.h"

#include <algorithm>

using namespace credence;

namespace {

constexpr int lintingNiceness = viewNiceness + 2;   ///< charts come first

/// The final step of the run, whichever step is displayed.
RunSnapshot endOnShow(DisplayedRun run)
{
    run.at = -1;
    return run.current();
}

/// Returns true if there is something to check. A run cancelled before its first step is skipped; a
/// run that diverged at once is not.
bool hasEnded(const DisplayedRun& run)
{
    return run.experiment && run.report
           && (run.trained() || run.experiment->outputs || run.report->stop == StopReason::not_finite);
}

}   // namespace

Linting::Linting(Session& session, SavedRuns& runs, const ViewChoices& choices, Look look, QObject* parent)
    : QObject(parent), m_session(session), m_runs(runs), m_choices(choices), m_look(std::move(look)),
      m_worker({.niceness = lintingNiceness})
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(100);
    connect(&m_rest, &QTimer::timeout, this, &Linting::submit);
    connect(&m_worker, &Worker::failed, this, [this](const QString&, const QString& sentence) {
        m_state   = State::failed;
        m_mistake = sentence;
        m_result  = {};
        Q_EMIT changed();
    });
    for (const auto signal : {&Session::snapshotChanged, &Session::stateChanged, &Session::studyChanged})
        connect(&session, signal, this, &Linting::follow);
    connect(&runs, &SavedRuns::checksChanged, this, &Linting::lookAgain);
}

void Linting::lookAgain()
{
    const bool hasRun = m_state == State::looking || m_state == State::looked || m_state == State::failed;
    if (hasRun && !awaitsTraining())
        look();
}

QString Linting::counts() const
{
    const auto& findings = m_result.findings;
    const auto errors    = std::ranges::count(findings, Severity::error, &Finding::severity);
    const auto warnings  = std::ssize(findings) - errors;
    QStringList counts;
    if (errors > 0)
        counts += errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors);
    if (warnings > 0)
        counts += warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings);
    if (const auto n = std::ssize(m_result.not_judged); n > 0)
        counts += n == 1 ? tr("1 rule could not be checked") : tr("%1 rules could not be checked").arg(n);
    return counts.isEmpty() ? tr("No findings") : counts.join(QStringLiteral(", "));
}

QStringList Linting::notJudged() const
{
    QStringList lines;
    for (const auto& line : not_judged_lines(m_result))
        lines += toQString(line);
    return lines;
}

QString Linting::runName() const { return toQString(m_study.name); }

bool Linting::awaitsTraining() const { return m_state == State::looked && !hasEnded(m_session.run()); }

Study Linting::studyToFix() const
{
    const bool ofNow = m_session.run().ofOutputs() || differsByRemediesAlone();
    return ofNow ? m_session.study() : m_study;
}

bool Linting::isFixed(const Remedy& remedy) const
{
    const Study& now = m_session.study();
    try {
        return !remedy.settings.empty() && with_remedy(now, remedy) == now;
    } catch (const Error&) {   // the button shows what is wrong
        return false;
    }
}

/// Returns true if the Study under edit differs from that of the run only by remedies.
bool Linting::differsByRemediesAlone() const
{
    const auto changes = changes_between(m_study, m_session.study());
    return std::all_of(changes.begin(), changes.end(), [this](const Change& change) {
        return std::any_of(m_result.findings.begin(), m_result.findings.end(), [&change](const Finding& finding) {
            const auto& settings = finding.remedy.settings;
            return std::any_of(settings.begin(), settings.end(),
                               [&change](const auto& setting) { return setting.first == change.path; });
        });
    });
}

void Linting::follow()
{
    const auto& run = m_session.run();
    if (m_session.active() && !m_session.currentRun().trainsInBackground())
        return forget(State::training);
    if (!hasEnded(run)) {
        // Findings stay while they are being fixed, since there can be several.
        if (m_state == State::looked && differsByRemediesAlone())
            Q_EMIT changed();
        else
            forget(State::no_run);
        return;
    }
    const bool same = m_state != State::no_run && m_state != State::training && m_newest.lock() == run.newest
                      && m_study == run.experiment->study;
    if (!same)
        look();
    else if (m_state == State::looked)
        Q_EMIT changed();   // the edited Study offers other fixes
}

void Linting::look()
{
    const auto& run = m_session.run();
    m_worker.cancel();
    if (m_newest.lock() != run.newest)   // previous findings of the same run stay until the new ones arrive
        m_result = {};
    m_state   = State::looking;
    m_study   = run.experiment->study;
    m_newest  = run.newest;
    m_mistake = QString();
    m_rest.start();
    Q_EMIT changed();
}

void Linting::submit()
{
    const auto& run = m_session.run();
    std::vector<std::pair<std::shared_ptr<const SavedRunEntry>, std::string>> others;
    for (const auto& entry : m_runs.checked())
        if (!entry->isEndOf(run.newest))
            others.emplace_back(entry, entry->run.name);
    LintCase asked;
    asked.run      = endOnShow(run);
    ViewOptions by = m_choices.options();
    m_choices.complete(by);
    // The other options affect charts only; the linter checks the whole run.
    asked.options.simplex.density.variant = by.simplex.density.variant;
    if (!run.experiment->outputs)   // the training of imported predictions was not observed
        asked.report = run.report;
    asked.table = run.table;
    m_worker.submit([this, ask = m_look, asked = std::move(asked),
                     others = std::move(others)](std::stop_token stop, Worker::Progress&) -> Worker::Show {
        LintCase whole = asked;
        for (const auto& [entry, name] : others)
            try {
                whole.others.push_back(entry->end(name));
            } catch (const Error&) {   // unreadable runs are not compared
            }
        auto result = ask(whole, stop);
        if (!result)
            return {};   // stopped
        return [this, result = std::move(*result)] {
            m_state  = State::looked;
            m_result = result;
            Q_EMIT changed();
        };
    });
}

void Linting::forget(State state)
{
    if (m_state == state)
        return;
    m_rest.stop();
    m_worker.cancel();
    m_state   = state;
    m_study   = {};
    m_mistake = QString();
    m_newest.reset();
    m_result = {};
    Q_EMIT changed();
}

QString wordOf(Severity severity)
{
    return severity == Severity::error ? Linting::tr("Error") : Linting::tr("Warning");
}

QString detailsOf(const Finding& finding)
{
    QStringList sentences;
    for (const auto& words : {finding.evidence, finding.reason})
        if (!words.empty())
            sentences += toQString(words);
    if (const auto origin = origin_of(finding); !origin.empty())
        sentences += toQString(origin);
    return sentences.join(QLatin1Char(' '));
}

QStringList findingsChapter(const Linting& linting)
{
    switch (linting.state()) {
    case Linting::State::no_run: return {Linting::tr("No run has finished yet.")};
    case Linting::State::training: return {Linting::tr("The run was in progress; it is checked when it finishes.")};
    case Linting::State::looking: return {Linting::tr("The run was still being checked.")};
    case Linting::State::failed: return {Linting::tr("The run could not be checked. %1").arg(linting.mistake())};
    case Linting::State::looked: break;
    }
    QStringList paragraphs;
    for (const auto& finding : linting.findings()) {
        paragraphs += Linting::tr("%1: %2 %3")
                          .arg(wordOf(finding.severity), toQString(finding.title), detailsOf(finding));
        if (!finding.remedy.settings.empty())
            paragraphs.back() += Linting::tr(" Remedy: %1.").arg(toQString(finding.remedy.label));
    }
    for (const auto& line : linting.notJudged())
        paragraphs += Linting::tr("Could not be checked: %1").arg(line);
    return paragraphs.isEmpty() ? QStringList{Linting::tr("No findings.")} : paragraphs;
}
