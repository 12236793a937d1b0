// SPDX-License-Identifier: GPL-3.0-or-later
// Points drawn by hand. The first stroke turns the toy data on show into drawn points; each stroke is one step of undo.
#include "window/main_window.h"

#include "docks/prediction_area.h"

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

}   // namespace

Study MainWindow::studyWithPoints() const
{
    Study study = m_session.study();
    if (study.data.source == DataSource::drawn || !m_fitted)
        return study;
    const auto& data      = *m_fitted->data;
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

void MainWindow::drawPoint(double x, double y, int label, int stroke)
{
    if (m_session
            .active()) {   // new points make a new data set: the run ends here and goes on with them when the stroke ends
        m_resumeAfterStroke = m_resumeAfterStroke || m_session.state() == Session::State::running;
        m_session.cancel();
    }
    Study study = studyWithPoints();
    study.data.points.push_back({x, y, label});
    m_editor.edit(study, tr("Draw points"), QStringLiteral("stroke %1").arg(stroke));
}

void MainWindow::erasePoints(double x, double y, double radiusX, double radiusY, int stroke)
{
    Study study       = studyWithPoints();
    auto& points      = study.data.points;
    const auto in     = [&](const DrawnPoint& p) { return std::hypot((p.x - x) / radiusX, (p.y - y) / radiusY) <= 1; };
    const auto before = points.size();
    std::erase_if(points, in);
    if (points.size() == before)
        return;
    if (points.size() < fewestPoints || (study.data.drawn_task == Task::classification && classesOf(points) < 2)) {
        say(tr("These points stay: a data set needs at least %1 points and two classes.").arg(fewestPoints));
        return;
    }
    if (m_session.active()) {
        m_resumeAfterStroke = m_resumeAfterStroke || m_session.state() == Session::State::running;
        m_session.cancel();
    }
    m_editor.edit(study, tr("Erase points"), QStringLiteral("stroke %1").arg(stroke));
}

/// Leaves two points of each class (regression: four), so that there is always something to train on.
void MainWindow::clearPoints()
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

void MainWindow::endStroke()
{
    if (std::exchange(m_resumeAfterStroke, false))
        m_session.train();   // from where it was
}
