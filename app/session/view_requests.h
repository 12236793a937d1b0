// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "session/kept_run_entry.h"
#include "session/view_scheduler.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

class KeptRuns;
class Selection;
class Session;
class ViewChoices;

/// The mark of the chosen input on a map.
credence::Points chosenMark(double x, double y);

/// The Study that figures of a run carry, as JSON; empty: none, see ViewRequests::study.
std::string studyCarriedBy(const credence::Experiment& experiment);

/// What is asked of the ViewScheduler: the run on show at the moment on show, with the chosen input and what the controls are set to. Everything that a
/// picture needs is taken when it is asked for: what is changed meanwhile changes no picture.
class ViewRequests {
public:
    ViewRequests(const Session& session, const KeptRuns& runs, const Selection& selection, const ViewChoices& choices)
        : m_session(session), m_runs(runs), m_selection(selection), m_choices(choices)
    {}

    /// The chosen input and what the controls are set to.
    credence::ViewOptions chosen() const;
    /// The same with what belongs to a picture in full quality.
    credence::ViewOptions options() const;
    /// What the place of a view asks for: while training goes on less, so that it keeps up.
    credence::ViewOptions optionsFor(const credence::View& view) const;

    /// Does a picture of this view change with the runs that are ticked? Maps beside one another have a page of their own, ofComparison.
    static bool drawsTickedRuns(const credence::View& view);
    ViewScheduler::Request of(const QString& place, const credence::View& view, const credence::ViewOptions& options);
    ViewScheduler::Request ofComparison(const QString& place, const QString& title);
    /// For files: with the chosen input in the picture.
    ViewScheduler::Maker print(const credence::View& view) const;
    /// The same of the end of a kept run, with its name of now.
    ViewScheduler::Maker printEndOf(const std::shared_ptr<KeptRunEntry>& run, const credence::View& view) const;
    /// What the ticked runs differ in, and their scores, as tables: they know no view.
    ViewScheduler::Maker printDifferences() const;
    ViewScheduler::Maker printScoresSideBySide() const;
    /// Their maps on one colour scale, or their scores where there are none.
    ViewScheduler::Maker printComparison(const QString& place) const;
    ViewScheduler::Kind kind() const;

    /// Are the ticked runs set beside one another? Then boxplots are of all of them.
    void setComparing(bool on) { m_comparing = on; }
    /// The Study of the run on show as JSON, made once for each; empty: it is of outputs from elsewhere, which no Study of ours makes again.
    std::shared_ptr<const std::string> study();

private:
    using NamedRun = std::pair<std::shared_ptr<const KeptRunEntry>, std::string>;
    std::vector<NamedRun> tickedRuns() const;
    ViewScheduler::Maker maker(const credence::View& view, const credence::ViewOptions& options) const;

    const Session& m_session;
    const KeptRuns& m_runs;
    const Selection& m_selection;
    const ViewChoices& m_choices;
    bool m_comparing = false;
    std::pair<std::shared_ptr<const credence::Experiment>, std::shared_ptr<const std::string>> m_study;
};
