// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/view_requests.h"

#include "charts/data_rows.h"
#include "foundation/error.h"
#include "foundation/text.h"
#include "runs/derived_runs.h"
#include "session/saved_runs.h"
#include "session/selection.h"
#include "session/session.h"
#include "session/settings.h"
#include "study/names.h"
#include "study/study_words.h"
#include "views/compare_runs.h"
#include "views/decision_map.h"
#include "views/scores.h"
#include "work/text.h"

#include <algorithm>
#include <cmath>

void ViewChoices::complete(credence::ViewOptions& options) const
{
    for (const auto& source : m_sources)
        source(options);
}

using namespace credence;

namespace {

constexpr int liveImageSamples = 5;      ///< weight samples for views of all images during training
constexpr int liveImageRows    = 1000;   ///< images for these views

/// Returns true if a run has these data. All sets of drawn points count as the same data.
bool isOfData(const SavedRunEntry& run, const DataSpec& data)
{
    return run.run.study.data == data
           || (run.run.study.data.source == DataSource::drawn && data.source == DataSource::drawn);
}

/// Returns the final snapshots of runs, with the names at the time of the request.
std::vector<RunSnapshot> endsOf(const std::vector<std::pair<std::shared_ptr<const SavedRunEntry>, std::string>>& runs,
                                const std::stop_token& stop)
{
    std::vector<RunSnapshot> all;
    for (const auto& [entry, name] : runs)
        if (!stop.stop_requested())
            all.push_back(entry->end(name));
    return all;
}

}   // namespace

Points chosenMark(double x, double y)
{
    return {.name   = "selected input",
            .x      = {x},
            .y      = {y},
            .tone   = {Tone::Kind::accent},
            .marker = Marker::diamond,
            .size   = 11};
}

std::string studyCarriedBy(const Experiment& experiment)
{
    return experiment.outputs ? std::string() : to_text(experiment.study);
}

namespace {

/// Adds the selected input to a chart for export; on screen it is an overlay.
void markInput(Chart& chart, const Experiment& experiment, const ChosenInput& chosen)
{
    if (const auto row = dataRowOf(chosen))
        mark_row(chart, *row);
    if (chart.panels.empty() || (experiment.data->image && chart.id != "points_map"))
        return;
    const auto input = numbersOf(chosen, experiment);
    auto& panel      = chart.panels.front();
    if (chart.id == "points_map") {
        const auto& at = experiment.outputs->own.inputs;
        panel.series.push_back(chosenMark(at[2 * chosen.row], at[2 * chosen.row + 1]));
    } else if (chart.id == "decision_map" && input.size() == 2)
        panel.series.push_back(chosenMark(input[0], input[1]));
    else if (chart.id == "regression_band" && input.size() == 1)
        panel.series.push_back(Rule{.direction = Rule::Direction::vertical,
                                    .at        = input[0],
                                    .label     = "selected input",
                                    .tone      = {Tone::Kind::accent}});
}

}   // namespace

ViewOptions ViewRequests::chosen() const
{
    auto options = m_choices.options();
    m_selection.addTo(options);
    return options;
}

ViewOptions ViewRequests::options() const
{
    auto options      = chosen();
    options.map.cells = read(settings::mapCells);
    m_choices.complete(options);
    return options;
}

ViewOptions ViewRequests::optionsFor(const View& view) const
{
    auto wanted = options();
    if (view.id == "simplex") {   // the inspector is small: a single triangle, with the numbers in its title
        wanted.simplex.look.over_one_another = true;
        wanted.simplex.look.table            = false;
    }
    wanted.slice.marks_input = false;   // it is a handle
    if (!m_session.currentRun().live())
        return wanted;
    const auto& experiment = *m_session.run().experiment;
    const auto queue       = ViewScheduler::queueOf(view, has_images(experiment));
    if (view.coarse_while_live) {
        wanted.map.cells = read(settings::liveCells);
        wanted.samples   = std::min(experiment.study.prediction.samples, read(settings::liveSamples));
    }
    if (queue == ViewScheduler::Queue::all_rows || queue == ViewScheduler::Queue::slow) {
        wanted.samples = std::min(experiment.study.prediction.samples, liveImageSamples);
        wanted.rows    = liveImageRows;
    }
    return wanted;
}

ViewScheduler::Kind ViewRequests::kind() const
{
    return m_session.currentRun().live() ? ViewScheduler::Kind::live : ViewScheduler::Kind::still;
}

std::shared_ptr<const std::string> ViewRequests::study()
{
    const auto& experiment = m_session.run().experiment;
    if (m_study.first != experiment)
        m_study = {experiment, std::make_shared<const std::string>(studyCarriedBy(*experiment))};
    return m_study.second;
}

/// With the current names: they are edited on this thread while makers run on others.
std::vector<ViewRequests::NamedRun> ViewRequests::tickedRuns() const
{
    std::vector<NamedRun> runs;
    for (const auto& entry : m_runs.checked())
        runs.emplace_back(entry, entry->run.name);
    return runs;
}

namespace {

/// Returns true for views of the history, which the displayed run lacks before its first step.
bool drawsHistory(const View& view) { return view.id == "training_curves" || view.id == "overlay_training_curves"; }

/// The note on ticked runs that are not drawn; empty: none.
std::string leftOut(const std::vector<std::string>& names)
{
    return names.empty() ? std::string() : "Not drawn because of other data: " + some_names(names, 2);
}

/// Adds a note above the chart's first panel and to its caption.
void append_note(Chart& chart, const std::string& note)
{
    if (note.empty())
        return;
    chart.caption += " " + note + ".";
    if (!chart.panels.empty()) {
        auto& shown = chart.panels.front().note;
        shown += (shown.empty() ? "" : "\n") + note;
    }
}

/// The options for a file: a map has one cell for each 0.6 mm, and the painter interpolates between them.
ViewOptions printed(ViewOptions options, const View& view)
{
    const int cells = std::min(200, static_cast<int>(std::lround(read(settings::exportWidth) / 0.6)));
    if (view.id == "decision_map")
        options.map.cells = std::max(options.map.cells, cells);
    return options;
}

}   // namespace

bool ViewRequests::drawsTickedRuns(const View& view) { return view.compare && view.id != "decision_map"; }

ViewScheduler::Maker ViewRequests::maker(const View& view, const ViewOptions& options) const
{
    const auto snapshot = m_session.run().current();
    if (drawsTickedRuns(view)) {
        auto runs = tickedRuns();
        // The displayed run is already drawn up to the displayed step; imported predictions have no
        // weights.
        std::erase_if(runs, [&](const NamedRun& run) {
            return run.first->isEndOf(m_session.run().newest) || (view.asks == Asks::weights && run.first->ofOutputs());
        });
        // Losses, uncertainties and attacks on other data are not comparable.
        std::vector<std::string> others;
        std::erase_if(runs, [&](const NamedRun& run) {
            if (view.compares_any_data || isOfData(*run.first, snapshot.experiment->study.data))
                return false;
            others.push_back(run.second);
            return true;
        });
        const std::string note = leftOut(others);
        return [snapshot, runs, options, note, &view,
                shown = !drawsHistory(view) || m_session.run().trained()](std::stop_token stop) {
            auto all = endsOf(runs, stop);
            if (shown)   // drawn even at its first step, so that the colours of the others do not change
                all.insert(all.begin(), snapshot);
            auto chart = runs.empty() ? view.make(snapshot, options, stop) : view.compare(all, options, stop);
            if (chart)
                append_note(*chart, note);
            return chart;
        };
    }
    if (view.id == "boxplots" && m_comparing) {
        auto same         = options;
        same.input.values = m_selection.numbers();
        return [runs = tickedRuns(), same](std::stop_token stop) {
            return compare_boxplots(pruned(endsOf(runs, stop), same.prune), same, stop);
        };
    }
    return [snapshot, options, &view](std::stop_token stop) { return view.make(snapshot, options, stop); };
}

ViewScheduler::Maker ViewRequests::print(const View& view) const
{
    return [make = maker(view, printed(options(), view)), experiment = m_session.run().experiment,
            chosen = m_selection.chosen(), &view](std::stop_token stop) {
        if (const auto why = experiment ? view.why_not(*experiment)
                                        : std::nullopt)   // another run may be displayed in the meantime
            throw Error(*why);
        auto chart = make(stop);
        if (chart)
            markInput(*chart, *experiment, chosen);
        return chart;
    };
}

ViewScheduler::Maker ViewRequests::printEndOf(const std::shared_ptr<SavedRunEntry>& run, const View& view) const
{
    return [run, name = run->run.name, wanted = printed(options(), view), chosen = m_selection.chosen(),
            &view](std::stop_token stop) -> std::optional<Chart> {
        const bool kept     = run->inMemory();
        const auto snapshot = run->end(name);
        if (!kept && !run->ofOutputs())
            run->unload();   // so that only one of many runs is in memory at a time
        if (const auto why = view.why_not(*snapshot.experiment))
            throw Error(*why);
        auto chart = view.make(snapshot, wanted, stop);
        if (chart)
            markInput(*chart, *snapshot.experiment, chosen);
        return chart;
    };
}

ViewScheduler::Maker ViewRequests::printAt(const RunSnapshot& snapshot, const View& view) const
{
    return [snapshot, wanted = options(), chosen = m_selection.chosen(), &view](std::stop_token stop) {
        auto chart = view.make(snapshot, wanted, stop);
        if (chart)
            markInput(*chart, *snapshot.experiment, chosen);
        return chart;
    };
}

ViewScheduler::Maker ViewRequests::printDifferences() const
{
    std::vector<Study> studies;
    for (const auto& [entry, name] : tickedRuns()) {
        studies.push_back(entry->run.study);
        studies.back().name = name;
    }
    return [studies = std::move(studies)](std::stop_token) -> std::optional<Chart> {
        std::vector<const Study*> each;
        for (const auto& study : studies)
            each.push_back(&study);
        Chart chart{.id = "compare_settings", .title = "Differences between the runs"};
        chart.table   = differing_settings(each, distinct_names(each));
        chart.caption = "Settings that differ among the " + std::to_string(each.size()) + " ticked runs.";
        if (chart.table->rows.empty())
            chart.message = "The ticked runs have the same settings.";
        return chart;
    };
}

ViewScheduler::Maker ViewRequests::printScoresSideBySide() const
{
    return [runs = tickedRuns(), rule = options().prune](std::stop_token stop) {
        return compare_scores(pruned(endsOf(runs, stop), rule), stop);
    };
}

ViewScheduler::Request ViewRequests::of(const QString& place, const View& view, const ViewOptions& options)
{
    return {place,
            toQString(view.title),
            ViewScheduler::queueOf(view, has_images(*m_session.run().experiment)),
            m_session.currentRun().number(),
            study(),
            maker(view, options)};
}

ViewScheduler::Request ViewRequests::onScreen(const QString& place, const View& view, int samples)
{
    auto options = optionsFor(view);
    if (samples > 0)
        options.samples = samples;
    return of(place, view, options);
}

ViewScheduler::Request ViewRequests::ofComparison(const QString& place, const QString& title)
{
    return {place, title, ViewScheduler::Queue::slow, ViewScheduler::ofNoRun, study(), printComparison(place)};
}

ViewScheduler::Maker ViewRequests::printComparison(const QString& place) const
{
    return [id = place.toStdString(), runs = tickedRuns(), wanted = options()](std::stop_token stop) {
        const auto all  = pruned(endsOf(runs, stop), wanted.prune);
        const bool maps = std::all_of(all.begin(), all.end(), [](const RunSnapshot& run) {
            return view("decision_map").applies(*run.experiment);
        });
        auto chart      = maps ? compare_decision_maps(all, wanted, stop) : compare_scores(all, stop);
        if (chart)
            chart->id = id;
        return chart;
    };
}
