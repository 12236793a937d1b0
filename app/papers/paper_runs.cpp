// SPDX-License-Identifier: GPL-3.0-or-later
#include "papers/paper_runs.h"

#include "parts/notifier.h"
#include "session/app_context.h"
#include "work/text.h"

#include "foundation/error.h"
#include "runs/comparison.h"
#include "study/fields.h"
#include "sweeps/sweep.h"
#include "views/views.h"

using namespace credence;

PaperRuns::PaperRuns(AppContext& context, Notifier& notifier, QObject* parent)
    : QObject(parent), m_context(context), m_notifier(notifier)
{
    for (const auto signal : {&Session::snapshotChanged, &Session::stateChanged})
        connect(&context.session, signal, this, &PaperRuns::follow);
    connect(&context.session, &Session::studyRefused, this,
            [this](const QString&, const QString& sentence) { giveUp(sentence); });
    connect(&context.opener, &RunOpener::failed, this, [this] { m_request.reset(); });
}

QString PaperRuns::run(const GalleryEntry& entry, bool quick)
{
    if (std::holds_alternative<MadeByPreset>(entry.how))
        return runStudy(entry, quick);
    if (std::holds_alternative<MadeBySweep>(entry.how)) {
        if (!openSweep)
            return tr("Run sweeps on the command line: %1").arg(toQString(command_of(entry)));
        return openSweep(sweep_of(entry, quick));
    } else if (const auto* comparison = std::get_if<MadeByComparison>(&entry.how)) {
        Q_EMIT comparisonWanted(toQString(comparison->id));
    } else if (const auto* page = std::get_if<MadeByPage>(&entry.how)) {
        Q_EMIT pageWanted(*page);
    } else if (const auto* bandit = std::get_if<MadeByBandit>(&entry.how)) {
        Q_EMIT pageWanted({.page = GalleryPage::bandit, .preset = bandit->ids.front()});
    }
    return {};
}

QString PaperRuns::runStudy(const GalleryEntry& entry, bool quick)
{
    if (m_context.session.active() || m_context.reference.active())
        return tr("Not started: a run is in progress. Cancel it in the window or wait.");
    try {
        Study study = study_of(entry, quick);
        if (quick)
            study.name += ", quick version";
        m_request = Request{study, entry.views, entry.row};
        Q_EMIT studyWanted(study, tr("Papers: %1").arg(toQString(entry.number)));
        m_context.session.train();
    } catch (const Error& error) {
        m_request.reset();
        return toQString(with_labels(error.what()));
    }
    return {};
}

QString PaperRuns::open(const GalleryEntry& entry)
{
    if (std::holds_alternative<MadeBySweep>(entry.how))
        return run(entry, false);
    const int row = keptRowOf(entry);
    if (row < 0)
        return tr("No results yet.");
    if (m_context.session.active())
        return tr("Not opened: a run is in progress. Cancel it in the window or wait.");
    m_request = Request{m_context.runs.at(row)->run.study, entry.views, entry.row, true};
    m_context.opener.show(row);
    follow();   // it may already be displayed
    return {};
}

bool PaperRuns::canOpen(const GalleryEntry& entry) const
{
    return std::holds_alternative<MadeBySweep>(entry.how) ? openSweep != nullptr : keptRowOf(entry) >= 0;
}

int PaperRuns::keptRowOf(const GalleryEntry& entry) const
{
    if (!std::holds_alternative<MadeByPreset>(entry.how))
        return -1;
    try {
        for (const bool quick : {false, true}) {
            const Study study = study_of(entry, quick);
            for (int row = 0; row < m_context.runs.rowCount(); ++row)
                if (const auto& run = m_context.runs.at(row)->run;
                    run.report.stop == StopReason::steps_done && same_run(run.study, study))
                    return row;
        }
    } catch (const Error&) {   // run() reports what is wrong
    }
    return -1;
}

/// Shows the first of the requested views that the run supports.
void PaperRuns::follow()
{
    const auto& session = m_context.session;
    if (!m_request)
        return;
    const auto& shown = session.run().experiment;
    if (!shown || !same_run(shown->study, m_request->study)) {
        if (session.active())   // another run was begun meanwhile
            m_request.reset();
        return;
    }
    m_request->begun = m_request->begun || session.active();
    if (!m_request->begun || session.active() || !session.run().report)
        return;
    const auto request = *std::exchange(m_request, std::nullopt);
    if (request.row && static_cast<std::size_t>(*request.row) < scoredPart(*shown).n_rows)
        m_context.selection.chooseRow(static_cast<int>(*request.row), Selection::By::box);
    for (const auto& id : request.views)
        if (view(id).applies(*shown))
            return Q_EMIT viewWanted(toQString(id));
    Q_EMIT viewWanted({});
}

/// The Study cannot be trained, for example because its data are missing.
void PaperRuns::giveUp(const QString& sentence)
{
    if (m_request && !m_request->begun) {
        m_request.reset();
        m_notifier.keep(tr("Not started. %1").arg(toQString(with_labels(sentence.toStdString()))));
    }
}
