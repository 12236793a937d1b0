// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/link_files.h"

#include "parts/ask_path.h"
#include "parts/notifier.h"
#include "session/app_context.h"
#include "work/text.h"

#include "foundation/error.h"
#include "views/views.h"

#include <QFileInfo>

#include <algorithm>

using namespace credence;

LinkFiles::LinkFiles(AppContext& context, Notifier& notifier, QWidget* window)
    : QObject(window), m_context(context), m_notifier(notifier), m_window(window)
{
    for (const auto signal : {&Session::snapshotChanged, &Session::stateChanged, &Session::recordedChanged})
        connect(&context.session, signal, this, &LinkFiles::follow, Qt::QueuedConnection);   // when all have heard it
    connect(&context.opener, &RunOpener::notified, this, &LinkFiles::follow, Qt::QueuedConnection);
    connect(&context.session, &Session::studyRefused, this, [this] { m_request.reset(); });
    connect(&context.opener, &RunOpener::failed, this, [this] { m_request.reset(); });
}

/// A saved run is linked by its file, and by its Study in case the file is missing; imported
/// predictions have no Study.
PictureLink LinkFiles::linkNow(const QString& view) const
{
    const auto& session = m_context.session;
    const auto& run     = session.run();
    PictureLink link;
    if (session.displaysStudyOnceReady()) {   // its settings were typed just before
        link.study = session.study();
        if (!session.currentRun().remembered(session.study()))
            link.step = 0;
    } else if (const QString file = m_context.opener.shownFile(); !file.isEmpty()) {
        link.run = QFileInfo(file).absoluteFilePath().toStdString();
    }
    if (!link.study && !run.ofOutputs()) {
        if (!run.continued)   // else the Study alone does not make this network
            link.study = run.experiment->study;
        if (const auto& snapshot = run.current().snapshot; run.at >= 0 || !run.report) {
            link.step  = snapshot->point.step;
            link.pause = *link.step > 0 && run.at < 0
                         && std::none_of(run.recorded().begin(), run.recorded().end(),
                                         [&](const auto& one) { return one->point.step == *link.step; });
        }
    }
    for (const auto& one : views())
        if (toQString(one.id) == view)
            link.view = one.id;
    if (const auto& options = m_context.choices.options(); link.view == "decision_map") {
        link.quantity  = options.map.quantity;
        link.map_class = options.map.class_index;
    }
    const auto& chosen = m_context.selection.chosen();
    link.input         = chosen.input;
    if (link.input.empty())
        link.row = chosen.row;
    return link;
}

void LinkFiles::save(const QString& view)
{
    if (!m_context.session.run().experiment)
        return;   // the first Study is being made ready
    const auto link = linkNow(view);
    if (!link.study && link.run.empty())
        return m_notifier.keep(
            tr("Not saved: this run continues an earlier one, so a link needs its saved file. Wait until the run has "
               "finished."));
    askWhereToSave(tr("Save a link to this view"), tr("Links (*%1)").arg(toQString(picture_link_suffix)),
                   QStringLiteral("picture") + toQString(picture_link_suffix), toQString(picture_link_suffix).mid(1),
                   m_window, [this, link](const QString& file) { write(link, file); });
}

void LinkFiles::write(const PictureLink& link, const QString& file)
{
    try {
        save_picture_link(link, file.toStdString());
    } catch (const std::exception& error) {
        return m_notifier.keep(toQString(error.what()));
    }
    m_notifier.notify(tr("Saved %1. To open this view: credence open").arg(QFileInfo(file).fileName()));
}

void LinkFiles::open(const PictureLink& link, const QString& words)
{
    auto& session = m_context.session;
    if (session.active() || m_context.reference.active())
        return m_notifier.keep(
            tr("The link was not opened because a run is in progress. Cancel the run or wait, then open the link "
               "again."));
    if (link.run.empty() && !link.study)
        return;
    m_context.opener.request();   // what is being read meanwhile comes too late
    m_request = Request{link};
    if (!link.run.empty()) {
        if (!currentRun(link))
            Q_EMIT runWanted(toQString(link.run.string()));
    } else {
        Q_EMIT studyWanted(*link.study, words);
        const bool there = currentRun(link) && session.run().report && session.run().trained();
        if (link.pause && link.step) {
            session.trainTo(*link.step);
            return follow();
        }
        const bool start = link.step == 0 && (currentRun(link) || session.state() == Session::State::preparing);
        if (!there && !start)
            session.train();
    }
    follow();   // it may already be displayed
}

bool LinkFiles::currentRun(const PictureLink& link) const
{
    const auto& session = m_context.session;
    if (!session.run().experiment)
        return false;
    if (!link.run.empty())
        return QFileInfo(m_context.opener.shownFile()) == QFileInfo(toQString(link.run.string()));
    return session.state() != Session::State::preparing && session.showsStudy();
}

void LinkFiles::follow()
{
    if (!m_request)
        return;
    if (!currentRun(m_request->link)) {
        if (m_context.session.active())   // another run was begun meanwhile
            m_request.reset();
        return;
    }
    if (!m_request->restored) {
        m_request->restored = true;   // the selection sends its own signal
        look(PictureLink(m_request->link));
    }
    if (m_request && showStep(PictureLink(m_request->link)))
        m_request.reset();
}

/// Selects view and input.
void LinkFiles::look(const PictureLink& link)
{
    const auto& experiment = *m_context.session.run().experiment;
    auto& selection        = m_context.selection;
    const auto& part       = scoredPart(experiment);
    if (!link.input.empty() && link.input.size() != part.n_features)
        m_notifier.keep(tr("The selected input of the link has %1 numbers, expected %2, one for each input of the "
                           "data.")
                            .arg(link.input.size())
                            .arg(part.n_features));
    else if (!link.input.empty() && experiment.data->image)
        selection.chooseOutside({.input = link.input, .name = tr("input of the link").toStdString()},
                                Selection::By::picture);
    else if (!link.input.empty())
        selection.choosePoint(link.input, Selection::By::box);
    else if (link.row && *link.row >= part.n_rows)
        m_notifier.keep(tr("The selected input of the link is row %1, expected one of 0 to %2.")
                            .arg(*link.row)
                            .arg(part.n_rows - 1));
    else if (link.row)
        selection.chooseRow(static_cast<int>(*link.row), Selection::By::box);
    if (link.quantity)
        Q_EMIT quantityWanted(*link.quantity, link.map_class);
    if (link.view.empty())
        return Q_EMIT viewWanted({});
    if (const auto sentence = view(link.view).why_not(experiment)) {
        m_notifier.keep(tr("%1 is not shown: %2").arg(toQString(view(link.view).title), toQString(*sentence)));
        return Q_EMIT viewWanted({});
    }
    Q_EMIT viewWanted(toQString(link.view));
}

/// @return  true: nothing more to wait for
bool LinkFiles::showStep(const PictureLink& link)
{
    auto& session    = m_context.session;
    const auto& run  = session.run();
    const bool ended = run.report.has_value();
    if (!link.step)
        return ended;   // the last one: views follow the newest
    if (link.pause && session.state() == Session::State::paused && run.newest->point.step >= *link.step)
        return true;   // it is shown
    std::vector<long> steps;
    for (const auto& snapshot : run.recorded())
        steps.push_back(snapshot->point.step);
    if (*link.step == 0 && !run.trained())
        return true;   // the initial network is displayed
    if (steps.empty() || (!ended && (link.pause || steps.back() < *link.step)))
        return ended;
    m_request.reset();   // the step sends its own signal
    session.currentRun().showRecorded(static_cast<int>(nearest_step(steps, link.step)));
    return true;
}
