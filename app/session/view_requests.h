// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/saved_run.h"
#include "session/view_scheduler.h"
#include "views/views.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// The settings of the view controls: map quantity, pruned fraction, threshold, … The selected
/// input is in Selection.
class ViewChoices : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// @param views  affected by the change
    template <class Change>
    void set(const QStringList& views, Change change)
    {
        change(m_options);
        Q_EMIT changed(views);
    }
    /// @param moving  the control is still moving, so another change will follow soon
    template <class Change>
    void setForAll(bool moving, Change change)
    {
        change(m_options);
        Q_EMIT changedForAll(moving);
    }
    /// Adds a control that is read when charts are requested.
    void alsoFrom(std::function<void(credence::ViewOptions&)> source) { m_sources.push_back(std::move(source)); }

    const credence::ViewOptions& options() const { return m_options; }
    /// @param options  already contain the selected input
    void complete(credence::ViewOptions& options) const;

signals:
    void changed(const QStringList& views);
    void changedForAll(bool moving);   ///< affects all charts

private:
    credence::ViewOptions m_options;
    std::vector<std::function<void(credence::ViewOptions&)>> m_sources;
};

class SavedRuns;
class Selection;
class Session;

/// Returns the mark of the selected input for a map.
credence::Points chosenMark(double x, double y);

/// The JSON Study embedded in a run's figures; empty: none, see ViewRequests::study.
std::string studyCarriedBy(const credence::Experiment& experiment);

/// Creates requests for the ViewScheduler: the displayed snapshot with the selected input and view
/// settings. All inputs are captured with the request, so later changes do not affect it.
class ViewRequests {
public:
    ViewRequests(const Session& session, const SavedRuns& runs, const Selection& selection, const ViewChoices& choices)
        : m_session(session), m_runs(runs), m_selection(selection), m_choices(choices)
    {}

    /// The selected input and the view settings.
    credence::ViewOptions chosen() const;
    /// The options for full quality.
    credence::ViewOptions options() const;
    /// Options for a view on screen: reduced during training, so that it keeps up.
    credence::ViewOptions optionsFor(const credence::View& view) const;

    /// Returns true if this view changes with the ticked runs. Side-by-side maps have their own
    /// page, ofComparison.
    static bool drawsTickedRuns(const credence::View& view);
    ViewScheduler::Request of(const QString& place, const credence::View& view, const credence::ViewOptions& options);
    /// With `optionsFor`. @param samples  weight samples; 0: those of the options
    ViewScheduler::Request onScreen(const QString& place, const credence::View& view, int samples = 0);
    ViewScheduler::Request ofComparison(const QString& place, const QString& title);
    /// For files: draws the selected input into the chart.
    ViewScheduler::Maker print(const credence::View& view) const;
    /// The same for the final snapshot of a saved run, with its current name.
    ViewScheduler::Maker printEndOf(const std::shared_ptr<SavedRunEntry>& run, const credence::View& view) const;
    /// The same for one recorded step of the displayed run.
    ViewScheduler::Maker printAt(const credence::RunSnapshot& snapshot, const credence::View& view) const;
    /// Tables of the differences and scores of the ticked runs, independent of a view.
    ViewScheduler::Maker printDifferences() const;
    ViewScheduler::Maker printScoresSideBySide() const;
    /// The maps of the ticked runs on one colour scale, or their scores if there are no maps.
    ViewScheduler::Maker printComparison(const QString& place) const;
    ViewScheduler::Kind kind() const;

    /// During a comparison of the ticked runs, box plots show all of them.
    void setComparing(bool on) { m_comparing = on; }
    /// The JSON Study of the displayed run, created once per run; empty: imported predictions,
    /// which no Study can reproduce.
    std::shared_ptr<const std::string> study();

private:
    using NamedRun = std::pair<std::shared_ptr<const SavedRunEntry>, std::string>;
    std::vector<NamedRun> tickedRuns() const;
    ViewScheduler::Maker maker(const credence::View& view, const credence::ViewOptions& options) const;

    const Session& m_session;
    const SavedRuns& m_runs;
    const Selection& m_selection;
    const ViewChoices& m_choices;
    bool m_comparing = false;
    std::pair<std::shared_ptr<const credence::Experiment>, std::shared_ptr<const std::string>> m_study;
};
