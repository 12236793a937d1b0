// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/main_tabs.h"

#include "images/image_area.h"
#include "images/image_grid.h"
#include "images/own_pictures.h"
#include "parts/form_controls.h"
#include "parts/notifier.h"
#include "parts/row_table.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "session/app_context.h"
#include "simplex/logit_source.h"
#include "simplex/simplex_workbench.h"
#include "views/changed_row.h"
#include "views/comparison.h"
#include "views/decision_map.h"
#include "views/image_rows.h"
#include "views/input_ranking.h"
#include "views/prediction_area.h"
#include "views/slice_controls.h"
#include "views/view_navigator.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QComboBox>
#include <QSignalBlocker>

#include <algorithm>
#include <set>
#include <string>
#include <variant>

using namespace credence;

namespace {

const QString mapPlace  = QStringLiteral("decision_map");
const QString bandView  = QStringLiteral("regression_band");   ///< there, of a number to predict
const QString sliceView = QStringLiteral("slice");             ///< there, of a table with more than two inputs
const QString rowsPlace = QStringLiteral("centre_rows");       ///< the table below the scores; else in the drawer

/// @param ofClass  only points of the class with the series' colour
void fill(Points& series, const std::vector<DrawnPoint>& points, bool ofClass)
{
    series.x.clear();
    series.y.clear();
    for (const auto& point : points)
        if (!ofClass || point.label == series.tone.index) {
            series.x.push_back(point.x);
            series.y.push_back(point.y);
        }
}

/// Adds a control that selects the target shown in all views, for a run with several targets.
void addTargetChoice(ViewChoices& choices, const ViewBinder& binder, ViewPanel* panel)
{
    auto* target = new QComboBox(panel);
    describeControl(target, QStringLiteral("viewTarget"), Predictions::tr("Target of the views"),
                    Predictions::tr("Select which of the targets the views show"));
    target->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);   // names can be long
    target->setMinimumContentsLength(10);
    panel->addControl(target, 0);
    target->hide();
    QObject::connect(&binder, &ViewBinder::fitted, target, [&choices, target](const auto& experiment, bool) {
        QStringList names;
        for (const auto& name : experiment->data->training.target_names())
            names += toQString(name);
        QStringList before;
        for (int i = 0; i < target->count(); ++i)
            before += target->itemText(i);
        target->setVisible(names.size() > 1);
        if (names == before)
            return;
        {
            const QSignalBlocker quiet(target);
            target->clear();
            target->addItems(names);
        }
        if (choices.options().target > 0)
            choices.setForAll(false, [](ViewOptions& options) { options.target = 0; });
    });
    QObject::connect(target, &QComboBox::currentIndexChanged, &choices, [&choices](int index) {
        choices.setForAll(
            false, [index](ViewOptions& options) { options.target = static_cast<std::size_t>(std::max(0, index)); });
    });
}

}   // namespace

Predictions::Predictions(AppContext& context, ViewBinder& binder, Notifier& notifier, InputRanking& ranking,
                         ChangedRow& row, PredictionArea* area)
    : QObject(area), m_context(context), m_binder(binder), m_area(*area),
      m_slice(new SliceControls(context, ranking, row, area))
{
    new SliceHandle(context, row, area->picture());
    binder.add(mapPlace, area->picture(), {bandView, sliceView});
    binder.skipWhileMoving(mapPlace, [&context, &row, panel = area->picture()] {
        if (panel->view().id != sliceView.toStdString() || !panel->hasChart() || panel->chart().panels.size() != 1
            || !row.movedInput())
            return false;
        if (context.choices.options().slice.hold != SliceHold::row)
            return true;   // the slice is not through the row, or the row moves along the slice
        const auto& name  = row.inputs()[*row.movedInput()].name;
        const auto& shown = panel->chart().panels[0];
        return shown.x.label == name || shown.y.label == name;
    });
    area->picture()->addControl(m_slice, 0);
    m_slice->hide();
    addTargetChoice(context.choices, binder, area->picture());
    area->rows()->join(context, binder, rowsPlace);
    connectMap();
    connectImages(notifier);
    connect(&binder, &ViewBinder::fitted, this, &Predictions::fit);
    connect(&context.selection, &Selection::changed, this, &Predictions::followSelection);
}

void Predictions::connectMap()
{
    connect(&m_area, &PredictionArea::optionsChanged, this, [this] {
        m_context.choices.set({mapPlace, QStringLiteral("attack_arrows")}, [this](ViewOptions& options) {
            options.map.quantity    = m_area.quantity();
            options.map.class_index = m_area.mapClass();
            options.map.region      = m_area.region();
        });
    });
    connect(&m_area, &PredictionArea::inputChosen, this,
            [this](const std::vector<double>& input) { m_context.selection.choosePoint(input, Selection::By::map); });
    auto& points = m_context.points;
    connect(&m_area, &PredictionArea::pointDrawn, &points, &DrawnPoints::draw);
    connect(&m_area, &PredictionArea::pointsErased, &points, &DrawnPoints::erase);
    connect(&m_area, &PredictionArea::pointGrabbed, &points, &DrawnPoints::grab);
    connect(&m_area, &PredictionArea::pointMoved, &points, &DrawnPoints::move);
    connect(&m_area, &PredictionArea::clearRequested, &points, &DrawnPoints::clear);
    connect(&m_area, &PredictionArea::strokeEnded, &points, &DrawnPoints::endStroke);
    connect(&points, &DrawnPoints::changed, this, &Predictions::showPoints);
    connect(m_area.picture(), &ViewPanel::chartShown, this, [this] {
        if (!m_showsPoints && m_context.points.ahead())
            showPoints();   // a chart that was in transit has replaced the points
    });
}

/// Overlays drawn points on the displayed chart, so that a stroke is visible at once while the new
/// chart is computed.
void Predictions::showPoints()
{
    const auto& experiment = m_context.session.run().experiment;
    auto* panel            = m_area.picture();
    if (!experiment || !panel->hasChart() || panel->chart().panels.empty())
        return;
    const auto points  = m_context.points.points();
    auto chart         = std::make_shared<Chart>(panel->chart());
    auto& series       = chart->panels.front().series;
    const bool classes = chart->id == "decision_map" && !has_images(*experiment);
    if (!classes && chart->id != "regression_band")
        return;
    std::set<int> known;
    for (auto& one : series)
        if (auto* shown = std::get_if<Points>(&one)) {
            fill(*shown, shown->filled ? points.training : points.test, classes);
            if (shown->filled)
                known.insert(shown->tone.index);
        }
    if (classes)
        for (const auto& point : points.training)
            if (known.insert(point.label).second) {   // of a class that had no point until now
                Points ofClass{
                    .name = "class " + std::to_string(point.label), .tone = category(point.label), .size = 4};
                fill(ofClass, points.training, true);
                series.emplace_back(std::move(ofClass));
            }
    m_showsPoints = true;
    panel->setChart(std::move(chart));
    m_showsPoints = false;
}

void Predictions::connectImages(Notifier& notifier)
{
    auto* images = m_area.images();
    connect(images->confusion(), &ViewPanel::exportRequested, this,
            [this, images] { Q_EMIT m_binder.exportRequested(toQString(images->confusion()->view().id)); });
    connect(images, &ImageArea::imageChosen, this, &Predictions::chooseImage);
    connect(images, &ImageArea::predictionFailed, this,
            [&notifier](const QString& sentence) { notifier.keep(sentence); });
    connect(&m_binder, &ViewBinder::reading, images, &ImageArea::setReading);
    connect(&m_binder, &ViewBinder::readingRefused, images, [images] { images->setReading({}); });
    connect(&m_binder, &ViewBinder::snapshotArrived, this, [this, images](const RunSnapshot& run) {
        images->setSnapshot(run, m_context.session.currentRun().live(), m_context.choices.options().prune);
    });
}

void Predictions::chooseImage(ImagePart part, int image)
{
    auto& selection = m_context.selection;
    const auto ood  = m_area.images()->grid()->ood();
    if (part != ImagePart::ood)
        return selection.chooseImage(part, image, Selection::By::grid);
    const auto row = static_cast<std::size_t>(image);
    auto chosen    = other_input(*m_context.session.run().experiment, *ood->other, row);
    selection.chooseOutside({.input = std::move(chosen.input), .name = std::move(chosen.name)}, Selection::By::grid);
}

void Predictions::fit(const std::shared_ptr<const Experiment>& experiment, bool otherData)
{
    m_area.setExperiment(*experiment);
    const bool slice = toQString(m_area.picture()->view().id) == sliceView;
    slice ? m_slice->fit(*experiment) : m_slice->release();
    m_slice->setVisible(slice);
    if (has_images(*experiment) && otherData)
        m_area.images()->grid()->choose(ImagePart::test, static_cast<std::uint32_t>(m_context.selection.chosen().row));
    mark();
}

void Predictions::followSelection()
{
    const auto& selection  = m_context.selection;
    const auto& chosen     = selection.chosen();
    const auto& experiment = m_context.session.run().experiment;
    auto* grid             = m_area.images()->grid();
    const bool isRow       = chosen.input.empty() || chosen.madeOf;   // the mark stays with the edited image
    if (experiment && has_images(*experiment) && isRow)
        grid->choose(scoredImages(*experiment), static_cast<std::uint32_t>(chosen.row));
    else if (chosen.drawn)
        grid->chooseNone();
    mark();
}

/// Marks the selected input on the chart of all inputs.
void Predictions::mark()
{
    const auto& experiment = m_context.session.run().experiment;
    if (!experiment || has_images(*experiment))
        return;
    const auto input  = m_context.selection.numbers();
    const auto& shown = m_area.picture()->view().id;
    auto* picture     = m_area.picture()->chartView();
    if (shown == "decision_map" && input.size() == 2)
        picture->setMark(ChartView::Mark{input[0], input[1]});
    else if (shown == "regression_band" && input.size() == 1)
        picture->setMark(ChartView::Mark{input[0], {}});
    else
        picture->setMark({});
}

PointsPage::PointsPage(AppContext& context, ViewBinder& binder, QWidget* parent)
    : QObject(parent), m_context(context), m_panel(binder.make("points_map", parent))
{
    auto* colour = new QComboBox(m_panel);
    describeControl(
        colour, QStringLiteral("pointsColour"), tr("Point colours"),
        tr("Select the colours: the predicted or true class of each point, or the mean predictive entropy of points "
           "in small cells"));
    colour->addItem(tr("Predicted class"), static_cast<int>(PointsColour::predicted_class));
    colour->addItem(tr("True class"), static_cast<int>(PointsColour::true_class));
    colour->addItem(tr("Predictive entropy"), static_cast<int>(PointsColour::entropy));
    m_panel->addControl(colour);
    connect(colour, &QComboBox::currentIndexChanged, this, [this, colour] {
        m_context.choices.set({QStringLiteral("points_map")}, [colour](ViewOptions& options) {
            options.map.points_colour = static_cast<PointsColour>(colour->currentData().toInt());
        });
    });
    connect(&m_panel->chartView()->hand(), &ChartHand::pointClicked, this,
            [this](int, double x, double y) { choose(x, y); });
    connect(&binder, &ViewBinder::fitted, this, &PointsPage::mark);
    connect(&context.selection, &Selection::changed, this, &PointsPage::mark);
}

bool PointsPage::applies() const
{
    const auto& experiment = m_context.session.run().experiment;
    return experiment && m_panel->view().applies(*experiment);
}

void PointsPage::choose(double x, double y)
{
    if (applies())
        m_context.selection.chooseRow(
            static_cast<int>(nearest_point(m_context.session.run().experiment->outputs->own, x, y)),
            Selection::By::map);
}

/// Marks the selected row on the points.
void PointsPage::mark()
{
    if (!applies())
        return;
    const auto& own       = m_context.session.run().experiment->outputs->own;
    const std::size_t row = m_context.selection.chosen().row;
    if (row < own.n)
        m_panel->chartView()->setMark(ChartView::Mark{own.inputs[2 * row], own.inputs[2 * row + 1]});
}

namespace {

/// Adds the control for the colours of the view embedding above the view.
void addEmbeddingColour(ViewChoices& choices, ViewPanel* panel)
{
    auto* colour = new QComboBox(panel);
    describeControl(
        colour, QStringLiteral("embeddingColour"), MainTabs::tr("Colours of the embedding"),
        MainTabs::tr("Select the colours: the class or target of each row, or the epistemic part of its uncertainty"));
    colour->addItem(MainTabs::tr("Class or target"), static_cast<int>(EmbeddingColour::target));
    colour->addItem(MainTabs::tr("Epistemic uncertainty"), static_cast<int>(EmbeddingColour::uncertainty));
    panel->addControl(colour);
    QObject::connect(colour, &QComboBox::currentIndexChanged, &choices, [&choices, colour] {
        choices.set({QStringLiteral("embedding")}, [colour](ViewOptions& options) {
            options.embedding_colour = static_cast<EmbeddingColour>(colour->currentData().toInt());
        });
    });
}

}   // namespace

MainTabs::MainTabs(AppContext& context, ViewBinder& binder, Notifier& notifier, QWidget* parent)
    : ViewArea(QStringLiteral("centreTabs"), binder, parent), m_predictions(new PredictionArea(this)),
      m_ranking(new InputRanking(context, binder, this)), m_changedRow(new ChangedRow(context, binder, this)),
      m_simplex(new SimplexWorkbench(context.document.undo(), this)),
      m_logitSource(new LogitSource(context, binder, m_simplex)), m_reference(new ReferencePage(context, binder, this)),
      m_points(new PointsPage(context, binder, this))
{
    new Predictions(context, binder, notifier, *m_ranking, *m_changedRow, m_predictions);
    m_comparison = new Comparison(context, binder, m_predictions);   // compares what was chosen just before
    m_pictures   = new OwnPictures(context, binder, notifier, images());
    addPages();
    addEmbeddingColour(context.choices, binder.panel(QStringLiteral("embedding")));
    for (const auto& page : pages())
        if (page.body != m_predictions)
            page.body->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    connect(images(), &ImageArea::gridWanted, this, [this] { show(m_predictions); });
    connect(&context.selection, &Selection::listedChanged, images()->grid(),
            [this, &selection = context.selection] { images()->grid()->list(selection.listed()); });
    connect(m_predictions, &PredictionArea::comparisonBegan, this, [this] { show(m_predictions); });
    connect(m_predictions, &PredictionArea::rankingRequested, this, &MainTabs::showReference);
    connect(&binder, &ViewBinder::fitted, this, &MainTabs::fit);
}

void MainTabs::addPages()
{
    addPage({.body     = m_predictions,
             .id       = QStringLiteral("predictions"),
             .entry    = {.title  = tr("Predictions"),
                          .detail = tr("Show the network's predictions: a map, a band, a slice or a grid of images")},
             .group    = ViewGroup::predictions,
             .controls = m_predictions->headControls(),
             .tools    = m_predictions->headTools()});
    addPage(images()->confusion(), tr("Confusion"));
    add({{"observed_predicted", tr("Observed and predicted")}, {"residuals", tr("Residuals")}});
    add("embedding", tr("Embedding"));
    add({{"certain_but_wrong", tr("Certain but wrong")}, {"image_list", tr("By uncertainty")}});
    add(m_points->panel(), tr("Points"));
    addPage({.body  = m_simplex,
             .id    = ViewNavigator::simplex,
             .entry = {.title  = tr("Simplex"),
                       .detail = tr(
                           "Compare the distribution of the class probabilities with its Laplace Bridge, entered by "
                           "hand or for the selected input; includes the Beta view")},
             .whole = tr("Simplex by hand"),
             .group = ViewGroup::predictions});
    add("laplace_maps", tr("Laplace maps"));
    addPage({.body  = m_reference,
             .id    = toQString(m_reference->maps()->view().id),
             .entry = {.title  = tr("Against the reference"),
                       .detail = tr(
                           "Compare the ticked runs with the displayed reference chains: distances, maps or bands, and "
                           "boxplots at the selected input")},
             .group = ViewGroup::reference});
}

void MainTabs::fit(const std::shared_ptr<const Experiment>& experiment, bool otherData)
{
    if (otherData && m_points->applies() && !has_images(*experiment))
        show(m_points->panel());   // otherwise a table would be in front
    const auto noReference = m_reference->maps()->view().why_not(*experiment);
    setThere(m_reference, !noReference, toQString(noReference.value_or("")));
    m_predictions->setWhyNotRanked(toQString(noReference.value_or("")));
    auto* confusion        = images()->confusion();
    const auto noConfusion = has_images(*experiment) ? confusion->view().why_not(*experiment)
                                                     : tr("There are no images.").toStdString();
    setThere(confusion, !noConfusion, toQString(noConfusion.value_or("")));
    if (m_referenceRequested)
        showReference();
}

void MainTabs::showReference()
{
    m_referenceRequested = !isThere(m_reference);
    show(m_reference);
}

ImageArea* MainTabs::images() const { return m_predictions->images(); }

bool MainTabs::busy() const { return images()->busy() || m_pictures->busy() || m_simplex->busy(); }
