// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/run_opener.h"

#include "foundation/build_info.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "runs/run_with_checkpoints.h"
#include "session/document/study_document.h"
#include "session/saved_runs.h"
#include "session/session.h"
#include "views/run_summary.h"
#include "views/scores.h"
#include "work/text.h"
#include "work/worker.h"

using namespace credence;

InterruptedRuns::InterruptedRuns(Session& session, StudyDocument& document, QObject* parent)
    : QObject(parent), m_session(session), m_document(document)
{}

void InterruptedRuns::look()
{
    if (m_found)
        return;
    m_reader.submit([this](std::stop_token, Worker::Progress&) -> Worker::Show {
        auto found = CheckpointSlot::interrupted();
        if (!found)
            return {};
        return [this, found = std::make_shared<std::optional<CheckpointSlot::Found>>(std::move(found))] {
            m_found = std::move(*found);
            Q_EMIT changed();
        };
    });
}

QString startedByOtherBuild(const QString& run, const Build& other)
{
    return InterruptedRuns::tr("Another build started %1: Credence %2. This is Credence %3. If you continue, the "
                               "results may differ in the last digits or, if the code has changed, in more")
        .arg(run, toQString(build_text(other)), toQString(build_text(this_build())));
}

QString InterruptedRuns::words() const
{
    if (!m_found)
        return {};
    const auto& run = m_found->run;
    QString words   = tr("%1: step %2 of %3")
                        .arg(toQString(run.study.name), toQString(grouped_text(run.step)),
                             toQString(grouped_text(run.steps)));
    if (byOtherBuild())
        words += QStringLiteral(". ") + startedByOtherBuild(tr("it"), run.build);
    return words;
}

void InterruptedRuns::continueNewest()
{
    if (!m_found || m_session.active())
        return;
    auto found = std::move(*m_found);
    m_found.reset();
    const Study now   = m_session.study();
    const bool isNow  = isSameUntil(found.run.study, now, found.run.step);
    const Study study = isNow ? now : found.run.study;
    if (!isNow)
        m_document.startNew(study, tr("Study of the interrupted run"), StudyDocument::Origin::unsaved);
    m_session.continueFrom(std::move(found.place), study);
    Q_EMIT changed();
}

void InterruptedRuns::startAgain()
{
    if (!m_found || m_session.active())
        return;
    const Study study = m_found->run.study;
    m_found->place->clear();
    m_found.reset();
    if (!sameTraining(m_session.study(), study))
        m_document.startNew(study, tr("Study of the interrupted run"), StudyDocument::Origin::unsaved);
    m_session.restart();
    Q_EMIT changed();
}

void InterruptedRuns::discard()
{
    if (!m_found)
        return;
    m_found->place->clear();
    m_found.reset();
    Q_EMIT changed();
    look();
}

RunOpener::RunOpener(Session& session, StudyDocument& document, SavedRuns& runs, QObject* parent)
    : QObject(parent), m_session(session), m_document(document), m_runs(runs)
{
    runs.setReference(session.study());
    connect(&session, &Session::studyChanged, this, [this] { m_runs.setReference(m_session.study()); });
    connect(&session.currentRun(), &CurrentRun::runEnded, this,
            [this](const std::shared_ptr<const Experiment>& experiment, const std::shared_ptr<SavedRun>& run,
                   const QString& place) { keep(experiment, *run, place); });
    connect(&session, &Session::runStopped, &runs, &SavedRuns::stateKept);
    connect(&runs, &SavedRuns::stateMoved, &session, &Session::setStateKept);
    connect(&session.currentRun(), &CurrentRun::snapshotChanged, this, &RunOpener::followRun);
}

void RunOpener::keep(const std::shared_ptr<const Experiment>& experiment, const SavedRun& run, const QString& place)
{
    const auto& entry = m_runs.at(m_runs.add(experiment, run, place));
    if (!m_session.currentRun().trainsInBackground())
        m_shown = {m_session.currentRun().number(), entry->file};
    Q_EMIT displayed(entry);
}

void RunOpener::continueRun(int row, Pace pace)
{
    if (row < 0 || !m_runs.at(row)->canContinue)
        return;
    const auto entry = m_runs.at(row);
    if (m_session.active()) {
        Q_EMIT notified(
            tr("Another run is in training. Stop it or wait until it has finished, then continue this one."));
        return;
    }
    inBackground(
        this, [place = CheckpointSlot::folderOf(entry->place())] { return interrupted_run(place); },
        [this, entry, pace, wanted = request()](const std::optional<std::optional<InterruptedRun>>& found,
                                                const QString& mistake) {
        if (!isNewest(wanted))
            return;
        if (!found) {
            Q_EMIT failed(mistake);
            return;
        }
        if (!*found) {   // deleted by another program or window
            m_runs.stateGone(entry->place());
            Q_EMIT failed(tr("%1 cannot continue: its checkpoint is missing. Train or Restart starts it from the "
                             "beginning.")
                              .arg(toQString(entry->run.name)));
            return;
        }
        if ((*found)->build == this_build())
            return continueNow(entry, pace);
        Q_EMIT asked(
            startedByOtherBuild(toQString(entry->run.name), (*found)->build) + QLatin1Char('.'),
            [this, entry, pace] { continueNow(entry, pace); }, [this, entry] { startAgain(entry); });
        });
}

void RunOpener::continueNow(const std::shared_ptr<SavedRunEntry>& entry, Pace pace)
{
    if (m_session.active())
        return;   // another run started while the question was open
    try {
        auto place = CheckpointSlot::named(entry->place());
        editStudyOf(*entry, tr("Continue %1"));
        m_session.continueFrom(std::move(place), m_session.study(), pace == Pace::one_step);
    } catch (const Error& error) {   // another window continues it
        Q_EMIT failed(toQString(error.what()));
    }
}

/// The stopped run stays in the list.
void RunOpener::startAgain(const std::shared_ptr<SavedRunEntry>& entry)
{
    if (m_session.active())
        return;
    editStudyOf(*entry, tr("Start %1 again"));
    m_session.restart();
}

void RunOpener::editStudyOf(const SavedRunEntry& entry, const QString& undoText)
{
    Q_EMIT opens();
    if (!sameTraining(m_session.study(), entry.run.study))
        m_document.startNew(entry.run.study, undoText.arg(toQString(entry.run.name)));
}

void RunOpener::continueShown(Pace pace)
{
    const int row = m_runs.rowOfPlace(m_session.run().place);
    if (row >= 0 && m_runs.at(row)->canContinue)
        continueRun(row, pace);
    else if (pace == Pace::one_step)
        m_session.stepOnce();
    else
        m_session.train();
}

QString RunOpener::shownFile() const
{
    return m_shown.first == m_session.currentRun().number() ? m_shown.second : QString();
}

void RunOpener::picturesHaveCome()
{
    if (m_whenDrawn.isEmpty())
        return;
    m_drawn = std::exchange(m_whenDrawn, {});
    Q_EMIT notified(m_drawn);
}

void RunOpener::followRun()
{
    if (m_shown.first == m_session.currentRun().number())
        return;
    m_whenDrawn.clear();
    if (!m_drawn.isEmpty())
        Q_EMIT over(std::exchange(m_drawn, {}));
}

void RunOpener::show(int row)
{
    if (row < 0)
        return;
    const auto entry = m_runs.at(row);
    Q_EMIT opens();
    const QString name = toQString(entry->run.name);
    Q_EMIT notified(tr("Reading the data of %1 …").arg(name));   // a run from a file reads its data again
    using Whole = std::pair<std::shared_ptr<const SavedRun>, RunSnapshot>;
    inBackground(
        this, [entry, words = entry->run.name] { return Whole(entry->whole(), entry->end(words)); },
        [this, entry, name, wanted = request()](const std::optional<Whole>& read, const QString& mistake) {
        m_runs.used(entry);
        if (!isNewest(wanted))
            return;
        if (!read) {
            Q_EMIT failed(mistake);
        } else if (m_session.showRun(read->second.experiment, *read->first, entry->place(), entry->canContinue)) {
            m_shown = {m_session.currentRun().number(), entry->file};
            Q_EMIT displayed(entry);
            m_whenDrawn = tr("Displayed: %1.").arg(name);
            Q_EMIT notified(tr("Drawing %1 …").arg(name));   // until its charts are drawn
        }
        });
}

RunScores::RunScores(const RunOpener& opener, SavedRuns& runs, QObject* parent) : QObject(parent), m_runs(runs)
{
    connect(&opener, &RunOpener::displayed, this, &RunScores::compute);
}

void RunScores::compute(const std::shared_ptr<SavedRunEntry>& entry)
{
    if (entry->summary || entry->run.report.stop == StopReason::not_finite)
        return;
    const bool known = entry->run.score.has_value();
    auto& worker     = known ? m_again : m_worker;
    worker.submit(
        [this, entry, known, name = entry->run.name](std::stop_token stop, Worker::Progress& progress) -> Worker::Show {
            if (stop.stop_requested())
                return {};
            const RunSnapshot end = entry->end(name);
            if (!end.snapshot)
                return {};
            const auto scores = score_table(end, stop);
            const auto score  = final_score_in(scores.table);
            if (stop.stop_requested())
                return {};
            if (score && !known)   // the diagnostics of chains take longer
                progress.show([this, entry, score = *score] { m_runs.setScore(entry, score); });
            const auto chains = chain_numbers(end, stop);
            if (stop.stop_requested())
                return {};
            return [this, entry, numbers = summary_numbers(scores, chains)] {
                entry->summary = numbers;
                Q_EMIT summarised(entry);
            };
        });
}

void RunScores::summariseChanged(const std::shared_ptr<SavedRunEntry>& entry, const RunSnapshot& end)
{
    m_changed.submit([this, entry, end](const std::stop_token& stop, Worker::Progress&) -> Worker::Show {
        const auto scores = score_table(end, stop);
        if (stop.stop_requested())
            return {};
        const auto chains = chain_numbers(end, stop);
        if (stop.stop_requested())
            return {};
        return [this, entry, prediction = end.experiment->study.prediction, numbers = summary_numbers(scores, chains)] {
            entry->changedSummary.emplace(prediction, numbers);
            Q_EMIT summarised(entry);
        };
    });
}
