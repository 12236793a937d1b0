// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/drawn_points.h"

#include "session/document/study_document.h"
#include "session/session.h"
#include "work/text.h"

#include "runs/changed_points.h"
#include "runs/experiment.h"
#include "study/method.h"

#include <algorithm>
#include <cmath>
#include <utility>

using namespace credence;

namespace {

constexpr std::size_t fewestPoints = 4;   ///< *Clear* leaves a data set that can still be trained on

std::size_t classesOf(const std::vector<DrawnPoint>& points)
{
    std::vector<int> labels;
    for (const auto& point : points)
        if (std::find(labels.begin(), labels.end(), point.label) == labels.end())
            labels.push_back(point.label);
    return labels.size();
}

bool isTooFew(const std::vector<DrawnPoint>& training, Task task)
{
    return training.size() < fewestPoints || (task == Task::classification && classesOf(training) < 2);
}

QString tooFew()
{
    return DrawnPoints::tr("These points cannot be removed: a data set needs at least %1 training points and two "
                           "classes.")
        .arg(fewestPoints);
}

/// Returns the change at the step where the run is held: a single change for any number of strokes.
PointsChange& changeOf(Study& study, const PausedRuns& held)
{
    auto& changes = study.data.changes;
    if (changes.size() <= held.study().data.changes.size())
        changes.push_back({.step = held.step()});
    return changes.back();
}

/// Returns true if both points are the same row of the data, which are in single precision.
bool isSameRow(const DrawnPoint& a, const DrawnPoint& b)
{
    return static_cast<float>(a.x) == static_cast<float>(b.x) && static_cast<float>(a.y) == static_cast<float>(b.y)
           && a.label == b.label;
}

bool splitsAlike(const Study& a, const Study& b)
{
    const auto unscaled = [](SplitOptions split) {
        // These settings do not move rows between the parts
        split.standardise_inputs = split.standardise_targets = false;
        return split;
    };
    return a.data == b.data && unscaled(a.split) == unscaled(b.split);
}

std::vector<DrawnPoint> testsOf(const Study& study)
{
    return study.data.test_points.value_or(std::vector<DrawnPoint>());
}

}   // namespace

DrawnPoints::DrawnPoints(Session& session, StudyDocument& document, QObject* parent)
    : QObject(parent), m_session(session), m_document(document)
{
    connect(&session, &Session::holdEnded, this, &DrawnPoints::changeWaiting);
}

/// The Study under edit with its rows as drawn points, in the same split.
Study DrawnPoints::studyWithPoints() const
{
    Study study         = m_session.study();
    const bool areDrawn = study.data.source == DataSource::drawn && study.data.changes.empty();
    if (areDrawn && study.data.test_points)
        return study;
    const auto& shown = m_session.run().experiment;
    if (areDrawn)   // split by seed so far
        for (const auto& experiment : {m_session.ready().experiment(), shown})
            if (experiment && splitsAlike(experiment->study, study))
                return with_points_from_start(std::move(study), *experiment->data);
    return areDrawn || !shown ? study : with_points_from_start(std::move(study), *shown->data);
}

DrawnPoints::Points DrawnPoints::points() const
{
    Points points;
    if (m_session.held().any()) {
        const auto& study = m_session.study();
        SplitData data    = *m_session.held().data();
        if (study.data.changes.size() > m_session.held().study().data.changes.size())
            data = with_change(data, study.data.changes.back());
        points = {points_of(data.training), points_of(data.test)};
    } else {
        const Study study = studyWithPoints();
        points            = {study.data.points, testsOf(study)};
    }
    points.training.insert(points.training.end(), m_waitingPoints.begin(), m_waitingPoints.end());
    return points;
}

bool DrawnPoints::ahead() const
{
    if (!m_waitingPoints.empty())
        return true;
    const auto& data   = m_session.study().data;
    const auto& shown  = m_session.run().experiment;
    const bool drawn   = data.source == DataSource::drawn || !data.changes.empty();
    const bool follows = m_session.held().any() || m_session.state() == Session::State::preparing;
    return drawn && follows && shown && !(shown->study.data == data);
}

/// Runs the change at once, or as soon as training is held between two steps. Does not block.
void DrawnPoints::whenHeld(std::function<void()> change)
{
    if (!m_session.holding()) {
        const bool wasRunning = m_session.state() == Session::State::running;
        if (!m_session.holdForPoints())
            return change();
        m_wasRunning = wasRunning;
    }
    m_waiting.push_back(std::move(change));
}

void DrawnPoints::changeWaiting()
{
    if (m_waiting.empty())
        return;
    m_waitingPoints.clear();
    const auto& report = m_session.run().report;
    if (m_wasRunning && !m_session.active() && report && report->stop != StopReason::cancelled)
        m_resumeAfterStroke = true;   // finished in the meantime without being stopped
    for (const auto& change : std::exchange(m_waiting, {}))
        change();
}

void DrawnPoints::interruptRun()
{
    if (!m_session.active())
        return;
    if (const Method& method = method_of(m_session.run().experiment->study); !method.training.accepts_new_points) {
        m_reportedMore = true;
        Q_EMIT notified(
            tr("%1 cannot continue with changed points; training restarts with them.").arg(toQString(method.title)));
    }
    m_resumeAfterStroke = m_resumeAfterStroke || m_session.state() == Session::State::running
                          || m_session.held().wasRunning();
    m_session.stop(Session::Keep::what_took_long);
}

/// A saved run cannot be changed.
bool DrawnPoints::displaysOther()
{
    if (!m_session.displaysSaved())
        return false;
    Q_EMIT notified(tr("A saved run is displayed. Press Edit a copy to change its points."));
    return true;
}

void DrawnPoints::edit(const Study& study, const QString& text, int stroke)
{
    m_document.edit(study, text, QStringLiteral("stroke %1").arg(stroke));
    Q_EMIT changed();
}

void DrawnPoints::draw(double x, double y, int label, int stroke)
{
    if (displaysOther())
        return;
    const DrawnPoint point{x, y, label};
    const auto& experiment = m_session.run().experiment;
    const bool isKnown     = experiment
                         && (experiment->task() == Task::regression
                             || static_cast<std::size_t>(label) < experiment->data->training.n_classes());
    if (isKnown || m_session.holding()) {
        whenHeld([this, point, stroke] { drawNow(point, stroke); });
        if (m_session.holding()) {
            m_waitingPoints.push_back(point);
            Q_EMIT changed();
        }
        return;
    }
    if (m_session.active()) {
        m_reportedMore = true;
        Q_EMIT notified(tr("A new class needs another network output; training restarts with it."));
    }
    interruptRun();
    drawNow(point, stroke);
}

void DrawnPoints::drawNow(const DrawnPoint& point, int stroke)
{
    ++m_added;
    const auto& held   = m_session.held();
    const bool isKnown = held.any()
                         && (held.data()->training.task == Task::regression
                             || static_cast<std::size_t>(point.label) < held.data()->training.n_classes());
    if (!isKnown)
        interruptRun();
    Study study = isKnown ? m_session.study() : studyWithPoints();
    (isKnown ? changeOf(study, held).added : study.data.points).push_back(point);
    edit(study, tr("Draw points"), stroke);
}

void DrawnPoints::erase(double x, double y, double radiusX, double radiusY, int stroke)
{
    if (displaysOther())
        return;
    whenHeld([=, this] { eraseNow(x, y, radiusX, radiusY, stroke); });
}

void DrawnPoints::eraseNow(double x, double y, double radiusX, double radiusY, int stroke)
{
    const auto isNear = [&](const DrawnPoint& p) { return std::hypot((p.x - x) / radiusX, (p.y - y) / radiusY) <= 1; };
    const bool held   = m_session.held().any();
    Study study       = held ? m_session.study() : studyWithPoints();
    std::size_t gone  = 0;
    std::vector<DrawnPoint> left;
    Task task = study.data.drawn_task;
    if (held) {
        auto& change   = changeOf(study, m_session.held());
        gone           = std::erase_if(change.added, isNear);
        const auto now = with_change(*m_session.held().data(), change);
        task           = now.training.task;
        for (const Dataset* part : {&now.training, &now.test})
            for (const auto& point : points_of(*part))
                if (isNear(point)) {
                    change.erased.push_back(point);
                    ++gone;
                } else if (part == &now.training) {
                    left.push_back(point);
                }
    } else {
        auto tests = testsOf(study);
        gone       = std::erase_if(study.data.points, isNear) + std::erase_if(tests, isNear);
        left       = study.data.points;
        if (study.data.test_points)
            study.data.test_points = tests;
    }
    if (gone == 0)
        return;
    if (isTooFew(left, task)) {
        m_reportedMore = true;
        Q_EMIT notified(tooFew());
        return;
    }
    m_erased += static_cast<int>(gone);
    if (!held)
        interruptRun();
    edit(study, tr("Erase points"), stroke);
}

void DrawnPoints::grab(double x, double y, double radiusX, double radiusY)
{
    m_grabbed.reset();
    if (displaysOther())
        return;
    double least     = 1;
    const auto there = points();
    for (const auto* part : {&there.training, &there.test})
        for (const auto& point : *part) {
            const double distance = std::hypot((point.x - x) / radiusX, (point.y - y) / radiusY);
            if (distance <= least) {
                least     = distance;
                m_grabbed = point;
            }
        }
}

void DrawnPoints::move(double x, double y, int stroke)
{
    if (m_grabbed)
        whenHeld([=, this] { moveNow(x, y, stroke); });
}

void DrawnPoints::moveNow(double x, double y, int stroke)
{
    const DrawnPoint there{x, y, m_grabbed->label};
    const auto isGrabbed = [this](const DrawnPoint& point) { return isSameRow(point, *m_grabbed); };
    Study study;
    if (m_session.held().any()) {
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
        auto& points     = study.data.points;
        auto tests       = testsOf(study);
        const auto found = std::find_if(points.begin(), points.end(), isGrabbed);
        const auto test  = std::find_if(tests.begin(), tests.end(), isGrabbed);
        if (found != points.end()) {
            *found = there;
        } else if (test != tests.end()) {   // points set by the user are training points
            tests.erase(test);
            study.data.test_points = tests;
            points.push_back(there);
        } else {
            return;   // gone in the meantime
        }
    }
    m_grabbed = there;
    edit(study, tr("Move a point"), stroke);
}

void DrawnPoints::clear()
{
    m_waiting.clear();
    m_waitingPoints.clear();
    Study study = studyWithPoints();
    std::vector<DrawnPoint> kept;
    for (const auto& point : study.data.points) {
        const auto same = std::count_if(kept.begin(), kept.end(),
                                        [&](const DrawnPoint& p) { return p.label == point.label; });
        if (same < (study.data.drawn_task == Task::classification ? 2 : static_cast<long>(fewestPoints)))
            kept.push_back(point);
    }
    study.data.points      = kept;
    study.data.test_points = std::vector<DrawnPoint>();
    m_session.stop(Session::Keep::what_took_long);
    m_document.edit(study, tr("Clear points"));
    Q_EMIT changed();
}

void DrawnPoints::endStroke()
{
    if (m_waiting.empty())
        endStrokeNow();
    else
        m_waiting.push_back([this] { endStrokeNow(); });
}

void DrawnPoints::endStrokeNow()
{
    reportDifference();
    if (std::exchange(m_resumeAfterStroke, false) || m_session.held().wasRunning())
        m_session.train();   // from the step where it was held
}

/// "+3 points", "−1 point".
QString DrawnPoints::pointsText(int added, int erased)
{
    const auto counted = [](const QString& sign, int n) {
        return n == 1 ? tr("%1%2 point").arg(sign).arg(n) : tr("%1%2 points").arg(sign).arg(n);
    };
    QStringList parts;
    if (added > 0)
        parts += counted(QStringLiteral("+"), added);
    if (erased > 0)
        parts += counted(QStringLiteral("−"), erased);
    return parts.join(QStringLiteral(", "));
}

/// "+3 points: 403 for training, 100 for testing".
void DrawnPoints::reportDifference()
{
    const int added = std::exchange(m_added, 0), erased = std::exchange(m_erased, 0);
    if (std::exchange(m_reportedMore, false) || (added == 0 && erased == 0))
        return;
    const auto now = points();
    Q_EMIT notified(tr("%1: %2 for training, %3 for testing")
                        .arg(pointsText(added, erased))
                        .arg(now.training.size())
                        .arg(now.test.size()));
}
