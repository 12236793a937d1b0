// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/drawn_points.h"

#include "session/session.h"
#include "session/study_commands.h"

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

constexpr std::size_t fewestPoints = 4;   ///< what *Clear* leaves: a data set that still trains

std::size_t classesOf(const std::vector<DrawnPoint>& points)
{
    std::vector<int> labels;
    for (const auto& point : points)
        if (std::find(labels.begin(), labels.end(), point.label) == labels.end())
            labels.push_back(point.label);
    return labels.size();
}

QString keyOf(int stroke) { return QStringLiteral("stroke %1").arg(stroke); }

}   // namespace

DrawnPoints::DrawnPoints(Session& session, StudyEditor& editor, QObject* parent)
    : QObject(parent), m_session(session), m_editor(editor)
{}

Study DrawnPoints::studyWithPoints() const
{
    Study study            = m_session.study();
    const auto& experiment = m_session.run().experiment;
    if (study.data.source == DataSource::drawn || !experiment)
        return study;
    const auto& data      = *experiment->data;
    study.data.source     = DataSource::drawn;
    study.data.drawn_task = data.training.task;
    study.data.points.clear();
    for (const Dataset* part : {&data.training, &data.test})
        for (std::size_t i = 0; i < part->n_rows; ++i)
            if (part->task == Task::classification)
                study.data.points.push_back({part->row(i)[0], part->row(i)[1], part->labels[i]});
            else
                study.data.points.push_back({part->row(i)[0], part->targets[i], 0});
    return study;
}

void DrawnPoints::interruptRun()
{
    if (!m_session.active())
        return;
    m_resumeAfterStroke = m_resumeAfterStroke || m_session.state() == Session::State::running;
    m_session.cancel();
}

void DrawnPoints::draw(double x, double y, int label, int stroke)
{
    interruptRun();
    Study study = studyWithPoints();
    study.data.points.push_back({x, y, label});
    m_editor.edit(study, tr("Draw points"), keyOf(stroke));
}

void DrawnPoints::erase(double x, double y, double radiusX, double radiusY, int stroke)
{
    Study study       = studyWithPoints();
    auto& points      = study.data.points;
    const auto before = points.size();
    std::erase_if(points,
                  [&](const DrawnPoint& p) { return std::hypot((p.x - x) / radiusX, (p.y - y) / radiusY) <= 1; });
    if (points.size() == before)
        return;
    if (points.size() < fewestPoints || (study.data.drawn_task == Task::classification && classesOf(points) < 2)) {
        Q_EMIT said(tr("These points stay: a data set needs at least %1 points and two classes.").arg(fewestPoints));
        return;
    }
    interruptRun();
    m_editor.edit(study, tr("Erase points"), keyOf(stroke));
}

void DrawnPoints::clear()
{
    Study study = studyWithPoints();
    std::vector<DrawnPoint> kept;
    for (const auto& point : study.data.points) {
        const auto same = std::count_if(kept.begin(), kept.end(),
                                        [&](const DrawnPoint& p) { return p.label == point.label; });
        if (same < (study.data.drawn_task == Task::classification ? 2 : static_cast<long>(fewestPoints)))
            kept.push_back(point);
    }
    study.data.points = kept;
    m_session.cancel();
    m_editor.edit(study, tr("Clear points"));
}

void DrawnPoints::endStroke()
{
    if (std::exchange(m_resumeAfterStroke, false))
        m_session.train();   // from where it was
}
