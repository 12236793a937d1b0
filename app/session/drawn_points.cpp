// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/drawn_points.h"

#include "session/session.h"
#include "session/study_commands.h"
#include "work/text.h"

#include "runs/changed_points.h"
#include "runs/experiment.h"
#include "study/method.h"

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

bool isTooFew(const std::vector<DrawnPoint>& points, Task task)
{
    return points.size() < fewestPoints || (task == Task::classification && classesOf(points) < 2);
}

QString tooFew()
{
    return DrawnPoints::tr("These points stay: a data set needs at least %1 points and two classes.").arg(fewestPoints);
}

/// What changes where the run stands: one change, however many strokes there are.
PointsChange& changeOf(Study& study, const HeldRuns& held)
{
    auto& changes = study.data.changes;
    if (changes.size() <= held.study().data.changes.size())
        changes.push_back({.step = held.step()});
    return changes.back();
}

/// Are they one row of the data, which are in single precision?
bool isSameRow(const DrawnPoint& a, const DrawnPoint& b)
{
    return static_cast<float>(a.x) == static_cast<float>(b.x) && static_cast<float>(a.y) == static_cast<float>(b.y)
           && a.label == b.label;
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
    const bool areDrawn    = study.data.source == DataSource::drawn && study.data.changes.empty();
    return areDrawn || !experiment ? study : with_points_from_start(std::move(study), *experiment->data);
}

/// All that are there, as the Study under edit has them.
std::vector<DrawnPoint> DrawnPoints::pointsOfNow() const
{
    if (!m_session.held().any())
        return studyWithPoints().data.points;
    const auto& study = m_session.study();
    auto data         = *m_session.held().data();
    if (study.data.changes.size() > m_session.held().study().data.changes.size())
        data = with_change(data, study.data.changes.back());
    auto points      = points_of(data.training);
    const auto tests = points_of(data.test);
    points.insert(points.end(), tests.begin(), tests.end());
    return points;
}

/// Does a run stand whose points may be changed?
bool DrawnPoints::holdRun()
{
    const bool wasRunning = m_session.state() == Session::State::running;
    if (m_session.holdForPoints())
        return true;
    m_resumeAfterStroke = m_resumeAfterStroke || (wasRunning && !m_session.active());   // it ended meanwhile
    return false;
}

void DrawnPoints::interruptRun()
{
    if (!m_session.active())
        return;
    if (const Method& method = method_of(m_session.run().experiment->study); !method.takes_new_points)
        Q_EMIT said(
            tr("%1 cannot go on with other points: its training begins anew with them.").arg(toQString(method.title)));
    m_resumeAfterStroke = m_resumeAfterStroke || m_session.state() == Session::State::running
                          || m_session.held().wasRunning();
    m_session.stop(Session::Keep::what_took_long);
}

/// A saved run stays as it is.
bool DrawnPoints::displaysOther()
{
    if (!m_session.displaysSaved())
        return false;
    Q_EMIT said(tr("A saved run is displayed. Press Edit a copy to change its points."));
    return true;
}

void DrawnPoints::draw(double x, double y, int label, int stroke)
{
    if (displaysOther())
        return;
    const auto& experiment = m_session.run().experiment;
    const bool isKnown     = experiment
                         && (experiment->task() == Task::regression
                             || static_cast<std::size_t>(label) < experiment->data->training.n_classes());
    if (m_session.active() && !isKnown)
        Q_EMIT said(tr("A new class needs a net with one more output: training begins anew with it."));
    if (isKnown && holdRun()) {
        Study study = m_session.study();
        changeOf(study, m_session.held()).added.push_back({x, y, label});
        m_editor.edit(study, tr("Draw points"), keyOf(stroke));
        return;
    }
    interruptRun();
    Study study = studyWithPoints();
    study.data.points.push_back({x, y, label});
    m_editor.edit(study, tr("Draw points"), keyOf(stroke));
}

/// @return  false: no run goes on, or it cannot go on with other points
bool DrawnPoints::eraseOnTheWay(double x, double y, double radiusX, double radiusY, const QString& key)
{
    if (!holdRun())
        return false;
    const auto isNear = [&](const DrawnPoint& p) { return std::hypot((p.x - x) / radiusX, (p.y - y) / radiusY) <= 1; };
    Study study       = m_session.study();
    auto& change      = changeOf(study, m_session.held());
    const std::size_t before = std::erase_if(change.added, isNear);
    const auto now           = with_change(*m_session.held().data(), change);
    std::vector<DrawnPoint> left;
    std::size_t gone = 0;
    for (const Dataset* part : {&now.training, &now.test})
        for (const auto& point : points_of(*part))
            if (isNear(point)) {
                change.erased.push_back(point);
                ++gone;
            } else if (part == &now.training) {
                left.push_back(point);
            }
    if (before + gone == 0)
        return true;
    if (isTooFew(left, now.training.task))
        Q_EMIT said(tooFew());
    else
        m_editor.edit(study, tr("Erase points"), key);
    return true;
}

void DrawnPoints::erase(double x, double y, double radiusX, double radiusY, int stroke)
{
    if (displaysOther())
        return;
    if (m_session.active() && eraseOnTheWay(x, y, radiusX, radiusY, keyOf(stroke)))
        return;
    Study study       = studyWithPoints();
    auto& points      = study.data.points;
    const auto before = points.size();
    std::erase_if(points,
                  [&](const DrawnPoint& p) { return std::hypot((p.x - x) / radiusX, (p.y - y) / radiusY) <= 1; });
    if (points.size() == before)
        return;
    if (isTooFew(points, study.data.drawn_task)) {
        Q_EMIT said(tooFew());
        return;
    }
    interruptRun();
    m_editor.edit(study, tr("Erase points"), keyOf(stroke));
}

void DrawnPoints::grab(double x, double y, double radiusX, double radiusY)
{
    m_grabbed.reset();
    if (displaysOther())
        return;
    double least = 1;
    for (const auto& point : pointsOfNow()) {
        const double distance = std::hypot((point.x - x) / radiusX, (point.y - y) / radiusY);
        if (distance <= least) {
            least     = distance;
            m_grabbed = point;
        }
    }
}

void DrawnPoints::move(double x, double y, int stroke)
{
    if (!m_grabbed)
        return;
    const DrawnPoint there{x, y, m_grabbed->label};
    const auto isGrabbed = [this](const DrawnPoint& point) { return isSameRow(point, *m_grabbed); };
    Study study;
    if (holdRun()) {   // it goes from where it was and comes where it is
        study        = m_session.study();
        auto& change = changeOf(study, m_session.held());
        if (const auto found = std::find_if(change.added.begin(), change.added.end(), isGrabbed);
            found != change.added.end()) {
            *found = there;
        } else {
            change.erased.push_back(*m_grabbed);
            change.added.push_back(there);
        }
    } else {
        interruptRun();
        study            = studyWithPoints();
        const auto found = std::find_if(study.data.points.begin(), study.data.points.end(), isGrabbed);
        if (found == study.data.points.end())
            return;   // it has gone meanwhile
        *found = there;
    }
    m_grabbed = there;
    m_editor.edit(study, tr("Move a point"), keyOf(stroke));
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
    m_session.stop(Session::Keep::what_took_long);
    m_editor.edit(study, tr("Clear points"));
}

void DrawnPoints::endStroke()
{
    if (std::exchange(m_resumeAfterStroke, false))
        m_session.train();   // from where it was
    else if (m_session.held().wasRunning())
        m_session.train();
}
