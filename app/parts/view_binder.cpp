// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/view_binder.h"

#include "parts/view_area.h"
#include "parts/view_panel.h"
#include "session/app_context.h"
#include "session/settings.h"
#include "work/text.h"

#include "widgets/chart_view.h"

#include <QElapsedTimer>

#include <algorithm>

using namespace credence;

namespace {

/// Returns true if both are point data with the same axes and classes, as before and after a
/// stroke.
bool areAlike(const Experiment& a, const Experiment& b)
{
    const auto& before = a.data->training;
    const auto& after  = b.data->training;
    return !a.data->image && !a.outputs && !b.outputs && before.task == after.task
           && before.feature_names == after.feature_names && before.class_names == after.class_names;
}

/// Returns true for a Study whose points are drawn, moved or erased.
bool drawsPoints(const Study& study) { return study.data.source == DataSource::drawn || !study.data.changes.empty(); }

const QString centrePlace = QStringLiteral("decision_map");   ///< the place in the centre: its chart is requested first

constexpr int restBeforeRefining   = 80;     ///< milliseconds
constexpr double longestRefinement = 3000;   ///< milliseconds; a map that would take longer keeps its cells
constexpr int pixelsPerCell = 3, mostCells = 256;

/// Cells along each side of a map in this panel, one for each three pixels of the screen.
int cellsFor(const ViewPanel& panel)
{
    const QSize axes = panel.chartView()->panelRect(0).size() * panel.devicePixelRatioF();
    return std::min(mostCells, std::max(axes.width(), axes.height()) / pixelsPerCell);
}

ViewScheduler::Maker timed(ViewScheduler::Maker make, std::shared_ptr<std::atomic<qint64>> milliseconds)
{
    return [make = std::move(make), milliseconds = std::move(milliseconds)](std::stop_token stop) {
        QElapsedTimer clock;
        clock.start();
        auto chart    = make(std::move(stop));
        *milliseconds = clock.elapsed();
        return chart;
    };
}

void append(std::vector<ViewScheduler::Request>& all, std::vector<ViewScheduler::Request> more)
{
    std::move(more.begin(), more.end(), std::back_inserter(all));
}

}   // namespace

ViewBinder::ViewBinder(AppContext& context, QObject* parent) : QObject(parent), m_context(context)
{
    m_preparing.setSingleShot(true);
    m_preparing.setInterval(300);
    connect(&m_preparing, &QTimer::timeout, this, &ViewBinder::clearForReading);
    m_rest.setSingleShot(true);
    m_rest.setInterval(restBeforeRefining);
    connect(&m_rest, &QTimer::timeout, this, &ViewBinder::refineAtRest);
}

ViewPanel* ViewBinder::make(const std::string& view, QWidget* parent)
{
    auto* panel = new ViewPanel(credence::view(view), parent);
    add(toQString(view), panel);
    return panel;
}

void ViewBinder::add(const QString& place, ViewPanel* panel, const QStringList& instead)
{
    m_panels[place] = panel;
    m_shown += place;
    m_shown += instead;
    connect(panel, &ViewPanel::becameVisible, this, [this, place] { request({place}); });
    connect(panel, &ViewPanel::exportRequested, this,
            [this, panel] { Q_EMIT exportRequested(toQString(panel->view().id)); });
    connect(panel->chartView(), &ChartView::rowClicked, this, [this](const DataRow& row) {
        m_context.selection.chooseDataRow(row, Selection::By::map);
        Q_EMIT rowChosen();
    });
    connect(panel->chartView(), &ChartView::barClicked, this,
            [this](const RowsOfBar& bar) { m_context.selection.list(bar); });
}

/// Marks the selected row in all charts whose points correspond to rows.
void ViewBinder::markRow()
{
    for (const auto& [place, panel] : m_panels)
        panel->chartView()->setMarkedRow(dataRowOf(m_context.selection.chosen()));
}

void ViewBinder::add(Places places)
{
    m_shown += places.views;
    m_others.push_back(std::move(places));
}

void ViewBinder::skipWhileMoving(const QString& place, std::function<bool()> unchanged)
{
    m_unchanged[place] = std::move(unchanged);
}

void ViewBinder::add(ViewArea* area)
{
    m_areas.push_back(area);
    connect(area, &QObject::destroyed, this, [this, area] { std::erase(m_areas, area); });
}

std::vector<const View*> ViewBinder::withoutPlace() const
{
    std::vector<const View*> found;
    for (const auto& view : views())
        if (!m_shown.contains(toQString(view.id)))
            found.push_back(&view);
    return found;
}

ViewPanel* ViewBinder::panel(const QString& place) const
{
    const auto found = m_panels.find(place);
    return found == m_panels.end() ? nullptr : found->second;
}

const ViewBinder::Places* ViewBinder::placesOf(const QString& place) const
{
    const auto found = std::find_if(m_others.begin(), m_others.end(),
                                    [&](const Places& other) { return place.startsWith(other.prefix); });
    return found == m_others.end() ? nullptr : &*found;
}

/// Connected after other listeners, so that tools, tabs and the selected input have been updated
/// when this runs.
void ViewBinder::start()
{
    connect(&m_context.session, &Session::snapshotChanged, this, &ViewBinder::showSnapshot);
    connect(&m_context.session, &Session::stateChanged, this, &ViewBinder::followPreparing);
    connect(&m_context.selection, &Selection::changed, this,
            [this](bool moving) { moving ? askWhileMoving(Which::input) : ask(Which::input); });
    connect(&m_context.selection, &Selection::changed, this, &ViewBinder::markRow);
    connect(&m_context.choices, &ViewChoices::changed, this, &ViewBinder::request);
    connect(&m_context.choices, &ViewChoices::changedForAll, this,
            [this](bool moving) { moving ? askWhileMoving(Which::all) : showSnapshot(); });
    connect(&m_context.runs, &SavedRuns::checksChanged, this, [this] {
        QStringList places;
        for (const auto& [place, panel] : m_panels)
            if (ViewRequests::drawsTickedRuns(panel->view()))
                places.append(place);
        request(places);
    });
    connect(&m_context.scheduler, &ViewScheduler::pictures, this, &ViewBinder::show);
    connect(&m_context.scheduler, &ViewScheduler::waiting, this, &ViewBinder::wait);
}

void ViewBinder::showSnapshot()
{
    const auto run = m_context.session.run().current();
    if (!run.experiment)
        return;
    fit();
    Q_EMIT snapshotArrived(run);
    ask(Which::all);
}

void ViewBinder::fit()
{
    const auto& experiment = m_context.session.run().experiment;
    if (!experiment || experiment == m_fitted)
        return;
    const bool otherData = !m_fitted || m_fitted->data != experiment->data;
    if (otherData && (!m_fitted || !areAlike(*m_fitted, *experiment)))
        for (const auto& [place, panel] : m_panels)
            panel->outdate();
    m_fitted = experiment;
    m_context.selection.fit(m_fitted);
    markRow();
    Q_EMIT fitted(m_fitted, otherData);
}

/// While reading data takes long, charts of the previous Study are removed.
void ViewBinder::followPreparing()
{
    const auto state = m_context.session.state();
    if (state == Session::State::preparing) {
        if (!m_preparing.isActive() && !m_showsReading)
            m_preparing.start();
        return;
    }
    m_preparing.stop();
    if (std::exchange(m_showsReading, false) && state == Session::State::refused) {
        Q_EMIT readingRefused();
        ask(Which::all);   // the display does not change
    }
}

void ViewBinder::clearForReading()
{
    if (m_fitted && drawsPoints(m_context.session.study()) && !has_images(*m_fitted))
        return;   // a stroke: the charts stay until the new ones arrive
    const QString words = tr("Reading the data …");
    m_showsReading      = true;
    m_context.scheduler.forget();
    Q_EMIT reading(words);
    for (const auto& [place, panel] : m_panels)
        if (panel->isVisible() && !placesOf(place))
            wait(place, words);
}

bool ViewBinder::wantsPicture(const QString& place, const ViewPanel& panel) const
{
    const auto& experiment = *m_context.session.run().experiment;
    return panel.isVisible() && !placesOf(place) && panel.view().applies(experiment);
}

void ViewBinder::request(const QStringList& places) { ask(Which::named, places); }

void ViewBinder::requestOthers(const QString& prefix)
{
    fit();
    const auto* others = placesOf(prefix);
    if (m_context.session.run().experiment)
        m_context.scheduler.submit(others->wanted(0), m_context.requests.kind());
}

void ViewBinder::ask(Which which, const QStringList& places)
{
    fit();   // the caller may have been notified of another run first
    const auto& experiment = m_context.session.run().experiment;
    if (!experiment)
        return;
    const auto asked = [&](const QString& place, const ViewPanel& panel) {
        return which == Which::all || (which == Which::input && panel.view().needs_input) || places.contains(place);
    };
    const bool input = std::any_of(m_panels.begin(), m_panels.end(), [&](const auto& one) {
        return one.second->view().needs_input && asked(one.first, *one.second);
    });
    if (input)
        Q_EMIT inputAsked();
    std::vector<ViewScheduler::Request> requests;
    for (const auto& others : m_others)
        if (others.wanted && (which == Which::all || (input && others.followInput)))
            append(requests, others.wanted(0));
    for (const auto& [place, panel] : m_panels) {
        const auto& view = panel->view();
        if (!asked(place, *panel) || !wantsPicture(place, *panel)
            || (view.id == "confusion" && has_images(*experiment)))   // that of the image grid
            continue;
        requests.push_back(m_context.requests.onScreen(place, view));
        if (place == centrePlace) {
            m_refined            = false;
            requests.back().make = timed(std::move(requests.back().make), m_mapTook);
        }
    }
    std::stable_partition(requests.begin(), requests.end(),
                          [](const auto& request) { return request.place == centrePlace; });
    m_context.scheduler.submit(std::move(requests), m_context.requests.kind());
}

/// Requests charts during a drag. Unfinished charts are completed, so that they keep updating with
/// fewer samples; slow charts are updated after the drag.
void ViewBinder::askWhileMoving(Which which)
{
    fit();   // the caller may have been notified of another run first
    const auto& experiment = m_context.session.run().experiment;
    if (!experiment)
        return;
    const int draws = std::min(experiment->study.prediction.samples, read(settings::draftSamples));
    std::vector<ViewScheduler::Request> requests;
    for (const auto& others : m_others)
        if (others.wanted && others.followInput)
            append(requests, others.wanted(draws));
    for (const auto& [place, panel] : m_panels) {
        const auto& view   = panel->view();
        const bool quick   = view.cost == Cost::quick || view.cost == Cost::draws;
        const bool follows = which == Which::all ? quick : view.needs_input;
        if (!follows || view.id == "disturbance_curve" || view.id == "attack_input" || !wantsPicture(place, *panel))
            continue;
        if (const auto skip = m_unchanged.find(place);
            which == Which::input && skip != m_unchanged.end() && skip->second())
            continue;
        requests.push_back(m_context.requests.onScreen(place, view, draws));
    }
    m_context.scheduler.submit(std::move(requests), ViewScheduler::Kind::live);
}

void ViewBinder::show(const std::vector<ViewScheduler::Picture>& pictures)
{
    m_context.opener.picturesHaveCome();
    for (const auto& picture : pictures) {
        auto* here = panel(picture.place);
        if (here)
            here->chartView()->setStudyJson(QByteArray::fromStdString(*picture.study));
        if (const auto* others = placesOf(picture.place))
            others->show(picture.place.mid(others->prefix.size()), *picture.chart);
        else if (here)
            here->setChart(picture.chart);
        if (here && picture.place == centrePlace && !m_refined)
            m_rest.start();
    }
}

/// Requests the map again with finer cells that suit the window size, when nothing else is being
/// computed. The coarse map stays if the fine one would take too long.
void ViewBinder::refineAtRest()
{
    auto* map           = panel(centrePlace);
    const auto& current = m_context.session.run().experiment;
    if (m_refined || !map || map->view().id != "decision_map" || !current || m_context.session.currentRun().live()
        || !wantsPicture(centrePlace, *map))
        return;
    if (m_context.scheduler.busy()) {
        m_rest.start();
        return;
    }
    auto options       = m_context.requests.optionsFor(map->view());
    const double finer = static_cast<double>(cellsFor(*map)) / options.map.cells;
    if (finer < 1.2 || finer * finer * static_cast<double>(*m_mapTook) > longestRefinement)
        return;
    m_refined         = true;
    options.map.cells = cellsFor(*map);
    m_context.scheduler.submit({m_context.requests.of(centrePlace, map->view(), options)}, ViewScheduler::Kind::still);
}

void ViewBinder::wait(const QString& place, const QString& words)
{
    if (auto* here = panel(place))
        here->wait(words, !m_showsReading && keepsPicture(*here));
    else if (const auto* others = placesOf(place))
        others->show(place.mid(others->prefix.size()), {.id = place.toStdString(), .message = words.toStdString()});
}

/// Keeps a chart until the next one is ready, unless that takes long.
bool ViewBinder::keepsPicture(const ViewPanel& panel) const
{
    if (!m_fitted)
        return false;
    const auto queue = ViewScheduler::queueOf(panel.view(), has_images(*m_fitted));
    return queue == ViewScheduler::Queue::quick || queue == ViewScheduler::Queue::draws;
}
