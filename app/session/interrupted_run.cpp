// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/interrupted_run.h"

#include "session/document/study_document.h"
#include "session/session.h"
#include "work/text.h"

#include "foundation/number_text.h"

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

void InterruptedRuns::goOn()
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
    m_session.goOnWith(std::move(found.place), study);
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
