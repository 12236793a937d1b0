// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/main_tabs.h"

#include "docks/comparison.h"
#include "docks/notifier.h"
#include "docks/own_pictures.h"
#include "docks/prediction_area.h"
#include "docks/rows_panel.h"
#include "images/image_area.h"
#include "images/image_grid.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "parts/view_tabs.h"
#include "session/app_context.h"
#include "tools/logit_source.h"
#include "tools/simplex_workbench.h"
#include "views/decision_map.h"
#include "views/image_rows.h"
#include "widgets/chart_hand.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QComboBox>
#include <QTabWidget>

#include <set>
#include <string>
#include <variant>

using namespace credence;

namespace {

const QString mapPlace  = QStringLiteral("decision_map");
const QString bandView  = QStringLiteral("regression_band");   ///< there, of a number to predict
const QString rowsPlace = QStringLiteral("centre_rows");       ///< the table below the scores; elsewhere the drawer has it

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

}   // namespace

Predictions::Predictions(AppContext& context, ViewBinder& binder, Notifier& notifier, PredictionArea* area)
    : QObject(area), m_context(context), m_binder(binder), m_area(*area)
{
    binder.add(mapPlace, area->picture(), {bandView});
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
            showPoints();   // a picture that was on its way
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
    for (const auto& [id, title] :   // pages of charts are here, where there is space
         {std::pair{"certain_but_wrong", tr("Certain but wrong")}, {"image_list", tr("By uncertainty")}}) {
        auto* panel = m_binder.make(id, images);
        images->pages()->setTabToolTip(images->pages()->addTab(panel, title), toQString(panel->view().title));
    }
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
    if (has_images(*experiment))
        showTabsFor(*experiment, *m_area.images()->pages());
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
    const bool isRow       = chosen.input.empty() || chosen.madeOf;   // the mark stays with the image under the hands
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
    colour->setObjectName(QStringLiteral("pointsColour"));
    colour->setAccessibleName(tr("Point colours"));
    colour->setToolTip(
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

MainTabs::MainTabs(AppContext& context, ViewBinder& binder, Notifier& notifier, QWidget* parent)
    : QTabWidget(parent), m_predictions(new PredictionArea(this)),
      m_simplex(new SimplexWorkbench(context.document.undo(), this)),
      m_logitSource(new LogitSource(context, binder, m_simplex)), m_reference(new ReferencePage(context, binder, this)),
      m_points(new PointsPage(context, binder, this))
{
    setObjectName(QStringLiteral("centreTabs"));
    setDocumentMode(true);
    new Predictions(context, binder, notifier, m_predictions);
    m_comparison   = new Comparison(context, binder, m_predictions);   // compares what was chosen just before
    m_pictures     = new OwnPictures(context, binder, notifier, images());
    const auto add = [this](QWidget* page, const QString& title, const QString& tip) {
        setTabToolTip(addTab(page, title), tip);
    };
    auto* maps      = binder.make("laplace_maps", this);   // eight of them: here is room
    QWidget* points = m_points->panel();
    for (QWidget* page : std::initializer_list<QWidget*>{m_simplex, maps, m_reference, points})
        page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    add(m_predictions, tr("Predictions"), tr("Show the network's predictions: a map, a band or a grid of images"));
    add(points, tr("Points"),
        tr("Show the rows of imported predictions in the plane of their two inputs: predicted class, uncertainty "
           "and errors. Click to select a row"));
    add(m_simplex, tr("Simplex"),
        tr("Compare the distribution of the class probabilities with its Laplace Bridge, entered by hand or for "
           "the selected input; includes the Beta view"));
    add(maps, tr("Laplace maps"),
        tr("Show Laplace approximations of one network with every curvature structure over the plane, with the "
           "Dirichlet of the Laplace Bridge"));
    add(m_reference, tr("Against the reference"),
        tr("Compare the ticked runs with the displayed reference chains: distances, maps or bands, and boxplots at "
           "the selected input"));
    for (QWidget* page : std::initializer_list<QWidget*>{points, maps, m_reference})
        setTabThere(*this, indexOf(page), false);
    connect(&binder, &ViewBinder::fitted, this,
            [this](const std::shared_ptr<const Experiment>& experiment, bool other) {
        showTabsFor(*experiment, *this);
        if (other && m_points->applies() && !has_images(*experiment))
            setCurrentWidget(m_points->panel());   // otherwise a table would be in front
        setTabShown(*this, m_reference, m_reference->maps()->view().applies(*experiment));
        if (m_referenceRequested)
            showReference();
    });
}

void MainTabs::showReference()
{
    m_referenceRequested = !isTabVisible(indexOf(m_reference));
    if (!m_referenceRequested)
        setCurrentWidget(m_reference);
}

ImageArea* MainTabs::images() const { return m_predictions->images(); }

bool MainTabs::busy() const { return images()->busy() || m_pictures->busy() || m_simplex->busy(); }
