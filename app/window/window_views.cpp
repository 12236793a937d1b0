// SPDX-License-Identifier: GPL-3.0-or-later
// From moments of a run to pictures on screen.
#include "window/main_window.h"

#include "command/progress_line.h"
#include "docks/prediction_area.h"
#include "docks/run_bar.h"
#include "docks/runs_panel.h"
#include "docks/study_panel.h"
#include "docks/view_panel.h"
#include "images/image_area.h"
#include "images/image_grid.h"
#include "images/image_workbench.h"
#include "parts/delete_run.h"
#include "parts/message_bar.h"
#include "parts/row_table.h"
#include "session/settings.h"
#include "tools/law_choice.h"
#include "tools/simplex_workbench.h"
#include "work/in_background.h"

#include "study/fields.h"
#include "study/method.h"
#include "views/compare_boxplots.h"
#include "views/compare_decision_maps.h"
#include "views/compare_scores.h"
#include "views/overlay_training_curves.h"
#include "views/test_rows.h"
#include "widgets/chart_view.h"

#include <QDockWidget>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStatusBar>
#include <QTabWidget>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

const QString imagePlaces = QStringLiteral("image/");      ///< pictures of the workbench: these and their view
const QString rowsPlace   = QStringLiteral("test_rows");   ///< the table below the scores

constexpr int liveImageSamples = 5;      ///< weight draws for views of all images while training runs
constexpr int liveImageRows    = 1000;   ///< and images

/// Points drawn by hand are one data set, however many there are.
bool isOfData(const KeptRunEntry& run, const DataSpec& data)
{
    return run.run.study.data == data
           || (run.run.study.data.source == DataSource::drawn && data.source == DataSource::drawn);
}

/// The chosen input in the data's units; empty: there is none.
std::vector<double> inputOf(const Experiment& experiment, const ViewOptions& options)
{
    const auto& part = experiment.data->test.n_rows > 0 ? experiment.data->test : experiment.data->training;
    auto input       = options.input;
    if (input.empty() && !experiment.data->image && options.row < part.n_rows)   // an image goes by its row
        input.assign(part.row(options.row).begin(), part.row(options.row).end());
    return input;
}

/// The chosen input on the picture of all inputs, for print; on screen it is a mark over the picture.
void markInput(Chart& chart, const Experiment& experiment, const ViewOptions& options)
{
    if (experiment.data->image || chart.panels.empty())
        return;
    const auto input = inputOf(experiment, options);
    auto& panel      = chart.panels.front();
    if (chart.id == "decision_map" && input.size() == 2)
        panel.series.push_back(Points{.name   = "chosen input",
                                      .x      = {input[0]},
                                      .y      = {input[1]},
                                      .tone   = {Tone::Kind::accent},
                                      .marker = Marker::diamond,
                                      .size   = 11});
    else if (chart.id == "regression_band" && input.size() == 1)
        panel.series.push_back(Rule{.direction = Rule::Direction::vertical,
                                    .at        = input[0],
                                    .label     = "chosen input",
                                    .tone      = {Tone::Kind::accent}});
}

}   // namespace

void MainWindow::connectSession()
{
    connect(&m_session, &Session::momentChanged, this, &MainWindow::showMoment);
    connect(&m_session, &Session::stateChanged, this, &MainWindow::refreshStatus);
    connect(&m_session, &Session::stateChanged, this, &MainWindow::followPreparing);
    m_preparing.setSingleShot(true);
    m_preparing.setInterval(300);
    connect(&m_preparing, &QTimer::timeout, this, [this] {
        m_saidReading = true;
        m_views.forget();
        m_rowsOf = {};
        images()->setReading(tr("Reading the data …"));
        if (m_predictions->rows()->isVisible())
            showWaiting(rowsPlace, tr("Reading the data …"));
        for (const auto& [place, view] : m_panels)
            if (view->isVisible() && view != m_predictions->comparison())
                showWaiting(place, tr("Reading the data …"));
    });
    connect(&m_session, &Session::progressed, this, &MainWindow::refreshStatus);
    connect(&m_session, &Session::fittingChanged, this, &MainWindow::refreshStatus);
    connect(&m_session, &Session::studyChanged, this, [this] {
        m_runs.setReference(m_session.study());
        if (!(std::exchange(m_messageData, m_session.study().data) == m_session.study().data))
            m_message->happened(MessageBar::Until::other_data);
        refreshTitle();
        refreshStatus();
    });
    m_messageData = m_session.study().data;
    m_runs.setReference(m_session.study());
    connect(&m_session, &Session::studyRefused, this, [this](const QString&, const QString& sentence) {
        say(QString::fromStdString(with_labels(sentence.toStdString())));
    });
    connect(m_runBar, &RunBar::refused, this,
            [this](const QString& mistake) { m_message->say(tr("Not started. %1").arg(mistake)); });
    connect(&m_session, &Session::runEnded, this, &MainWindow::runEnded);
    connect(&m_views, &ViewScheduler::pictures, this, &MainWindow::showPictures);
    connect(&m_views, &ViewScheduler::waiting, this, &MainWindow::showWaiting);
    connect(&m_export, &ExportJob::progressed, this, &MainWindow::refreshExport);
    connect(&m_export, &ExportJob::ended, this, [this](const ExportReport& report) {
        refreshExport();
        const QString sentence = report.sentence(m_exportFolder);
        report.mistake.isEmpty() && report.notMade.isEmpty() ? say(sentence) : m_message->say(sentence);
        Q_EMIT exported(report.written, report.mistake);
    });
    connect(m_exportWords, &QPushButton::clicked, &m_export, &ExportJob::cancel);
    connect(images(), &ImageArea::imageChosen, this, &MainWindow::chooseImage);
    connect(images(), &ImageArea::predictionFailed, m_message,
            [this](const QString& sentence) { m_message->say(sentence); });
    connect(images(), &ImageArea::confusionMade, this, [this](const Chart& chart) {
        panel(QStringLiteral("confusion"))->chartView()->setStudyJson(images()->confusion()->chartView()->studyJson());
        panel(QStringLiteral("confusion"))->setChart(chart);
    });
    connect(panel(QStringLiteral("confusion"))->chartView(), &ChartView::pointClicked, this,
            [this](int, double x, double y) {
        if (m_predictions->showsImages())
            images()->showCell(x, y);
    });
    connect(&m_runs, &KeptRuns::message, m_message,
            [this](const QString& sentence) { m_message->say(sentence); });   // what was not stored stays said
    connect(&m_session, &Session::trainingFailed, m_message,
            [this](const QString& sentence) { m_message->say(sentence); });
    connect(&m_runs, &KeptRuns::checksChanged, this, [this] { request({panel(QStringLiteral("training_curves"))}); });
    connect(m_predictions, &PredictionArea::optionsChanged, this, [this] {
        m_options.map_quantity = m_predictions->quantity();
        m_options.map_class    = m_predictions->mapClass();
        m_options.region       = m_predictions->region();
        request({m_predictions->picture()});
        if (m_predictions->comparing())
            compare(true);
    });
    connect(m_predictions, &PredictionArea::inputChosen, this, &MainWindow::chooseInput);
    connect(m_predictions->rows(), &RowTable::becameVisible, this, &MainWindow::requestRows);
    connect(m_predictions->rows(), &RowTable::rowChosen, this, [this](int row) { m_inputRow->setValue(row); });
    connect(m_inputRow, &QSpinBox::valueChanged, m_predictions->rows(), &RowTable::choose);
    connect(m_predictions, &PredictionArea::pointDrawn, this, &MainWindow::drawPoint);
    connect(m_predictions, &PredictionArea::pointsErased, this, &MainWindow::erasePoints);
    connect(m_predictions, &PredictionArea::clearRequested, this, &MainWindow::clearPoints);
    connect(m_predictions, &PredictionArea::strokeEnded, this, &MainWindow::endStroke);
    connect(&m_undo, &QUndoStack::indexChanged, this, [this] {
        m_message->happened(MessageBar::Until::next_step);
        refreshTitle();
    });
    connect(&m_runs, &KeptRuns::trashRefused, this,
            [this](const std::shared_ptr<KeptRunEntry>& entry, const QString& sentence) {
        m_message->say(sentence,
                       {{tr("Delete for good"), [this, entry] { m_runs.removeForGood(*entry); }}, {tr("Keep"), {}}});
    });
}

/// While data are read for long, nothing of the Study before stands there.
void MainWindow::followPreparing()
{
    if (m_session.state() == Session::State::preparing) {
        if (!m_preparing.isActive() && !m_saidReading)
            m_preparing.start();
        return;
    }
    m_preparing.stop();
    if (std::exchange(m_saidReading, false) && m_session.state() == Session::State::refused) {
        images()->setReading({});   // what was on show stays
        requestAll();
    }
}

void MainWindow::showMoment()
{
    const auto moment = m_session.moment();
    if (!moment.experiment)
        return;
    fitToExperiment(moment.experiment);
    images()->setMoment(moment, m_session.live());
    m_law->fit(moment);
    m_options.logits_by = m_law->logitsBy();
    requestAll();
    refreshStatus();
}

/// Tabs and tools for what the data allow.
void MainWindow::fitToExperiment(const std::shared_ptr<const Experiment>& experiment)
{
    if (experiment == m_fitted)
        return;
    const bool otherData  = !m_fitted || m_fitted->data != experiment->data;
    const bool nowLaplace = method_of(experiment->study).fits_curvature
                            && (!m_fitted || !method_of(m_fitted->study).fits_curvature);
    m_fitted = experiment;
    m_predictions->setExperiment(*experiment);
    auto all = m_tabs;
    all.push_back(m_centre);
    for (auto* tabs : all)
        for (int i = 0; i < tabs->count(); ++i)
            if (auto* view = qobject_cast<ViewPanel*>(tabs->widget(i)))
                tabs->setTabVisible(i, view->view().applies(*experiment));
    if (nowLaplace)   // where its precision is moved
        m_layersTabs->setCurrentWidget(panel(QStringLiteral("laplace_evidence")));
    fitImageTab(*experiment);
    const QSignalBlocker quietRow(m_inputRow), quietWeight(m_weight);
    const auto& part = experiment->data->test.n_rows > 0 ? experiment->data->test : experiment->data->training;
    m_inputRow->setSpecialValueText({});
    m_inputRow->setRange(0, std::max(0, static_cast<int>(part.n_rows) - 1));
    m_inputRow->setPrefix(experiment->data->test.n_rows > 0 ? tr("test row ") : tr("row "));
    m_weight->setRange(0, static_cast<int>(experiment->start->layout().size()) - 1);
    if (m_options.input.size() != part.n_features)
        m_options.input.clear();
    m_options.row = static_cast<std::size_t>(m_inputRow->value());
    if (otherData && !m_options.input.empty() && part.n_features > 2)
        m_options.input.clear();
    if (otherData) {
        m_options.input_name.clear();
        m_options.input_label.reset();
    }
    if (has_images(*experiment)) {
        m_inputRow->setPrefix(part.n_rows == 0                     ? tr("image ")
                              : has_validation_images(*experiment) ? tr("validation image ")
                                                                   : tr("test image "));
        if (otherData)
            images()->grid()->choose(ImagePart::test, static_cast<std::uint32_t>(m_options.row));
    }
    describeInput();
}

ViewOptions MainWindow::optionsNow() const
{
    auto options      = m_options;
    options.map_cells = read(settings::mapCells);
    m_image->addTo(options);
    options.simplex        = m_simplex->choice();
    options.bridge_variant = m_simplex->variant();
    return options;
}

/// With their names of now: those are edited on this thread, while makers run on others.
std::vector<std::pair<std::shared_ptr<const KeptRunEntry>, std::string>> MainWindow::tickedRuns() const
{
    std::vector<std::pair<std::shared_ptr<const KeptRunEntry>, std::string>> runs;
    for (const auto& entry : m_runs.checked())
        runs.emplace_back(entry, entry->run.name);
    return runs;
}

ViewScheduler::Maker MainWindow::makerFor(const View& view, const ViewOptions& options)
{
    const auto moment = m_session.moment();
    if (view.id == "training_curves" && !m_runs.checked().empty()) {
        auto runs = tickedRuns();
        std::erase_if(
            runs,
            [&](const auto&
                    run) {   // losses on other data are no comparison; the run on show stands there already, as far as its moment goes
            return !isOfData(*run.first, moment.experiment->study.data) || run.first->isEndOf(m_session.newest());
            });
        const bool trained = m_session.newest()->point.step > 0;
        if (!runs.empty())
            return [moment, runs, trained](std::stop_token stop) {
                std::vector<RunMoment> all;
                if (trained)   // at its first step, too: the others keep their colours
                    all.push_back(moment);
                for (const auto& [entry, name] : runs)
                    if (!stop.stop_requested())
                        all.push_back(entry->end(name));
                return overlay_training_curves(all);
            };
    }
    if (view.id == "boxplots" && m_predictions->comparing()) {
        auto same  = options;
        same.input = chosenInput();
        return [runs = tickedRuns(), same](std::stop_token stop) {
            std::vector<RunMoment> all;
            for (const auto& [entry, name] : runs)
                if (!stop.stop_requested())
                    all.push_back(entry->end(name));
            return compare_boxplots(all, same, stop);
        };
    }
    return [moment, options, &view](std::stop_token stop) { return view.make(moment, options, stop); };
}

/// The same for files: with the chosen input in it.
ViewScheduler::Maker MainWindow::printMakerFor(const View& view)
{
    return [make = makerFor(view, optionsNow()), experiment = m_session.shownExperiment(),
            options = m_options](std::stop_token stop) {
        auto chart = make(stop);
        if (chart)
            markInput(*chart, *experiment, options);
        return chart;
    };
}

/// What the panel of a view asks for: while training goes on less, so that it keeps up.
ViewOptions MainWindow::optionsFor(const View& view) const
{
    auto options = optionsNow();
    if (view.id == "simplex") {   // the dock is small: one triangle, the numbers in its title
        options.simplex.look.over_one_another = true;
        options.simplex.look.table            = false;
    }
    if (!m_session.live())
        return options;
    const auto& experiment = *m_session.moment().experiment;
    const auto lane        = ViewScheduler::laneOf(view, has_images(experiment));
    if (view.coarse_while_live) {
        options.map_cells = read(settings::liveCells);
        options.samples   = std::min(experiment.study.prediction.samples, read(settings::liveSamples));
    }
    if (lane == ViewScheduler::Lane::all_rows || lane == ViewScheduler::Lane::slow) {
        options.samples = std::min(experiment.study.prediction.samples, liveImageSamples);
        options.rows    = liveImageRows;
    }
    return options;
}

/// The Study of the run on show as JSON, made once for each.
std::shared_ptr<const std::string> MainWindow::shownStudy()
{
    const auto& experiment = m_session.shownExperiment();
    if (m_shownStudy.first != experiment)
        m_shownStudy = {experiment, std::make_shared<const std::string>(to_text(experiment->study))};
    return m_shownStudy.second;
}

ViewScheduler::Request MainWindow::requestFor(const QString& place, const View& view, const ViewOptions& options)
{
    return {place,
            QString::fromStdString(view.title),
            ViewScheduler::laneOf(view, has_images(*m_session.shownExperiment())),
            m_session.shownRun(),
            shownStudy(),
            makerFor(view, options)};
}

void MainWindow::request(const std::vector<ViewPanel*>& panels)
{
    const auto& experiment = m_session.shownExperiment();
    if (!experiment)
        return;
    const bool input = std::any_of(panels.begin(), panels.end(),
                                   [](const ViewPanel* panel) { return panel && panel->view().needs_input; });
    auto requests    = input ? imageRequests(0) : std::vector<ViewScheduler::Request>{};
    if (input)
        followSimplex();
    for (const auto& [place, panel] : m_panels) {
        if (std::find(panels.begin(), panels.end(), panel) == panels.end() || !panel->isVisible()
            || panel == m_predictions->comparison() || !panel->view().applies(*experiment))
            continue;
        if (panel->view().id == "confusion" && has_images(*experiment))
            continue;   // that of the image grid
        requests.push_back(requestFor(place, panel->view(), optionsFor(panel->view())));
    }
    std::stable_partition(requests.begin(), requests.end(), [this](const auto& request) {
        return panel(request.place) == m_predictions->picture();
    });   // the largest first
    m_views.submit(std::move(requests), m_session.live() ? ViewScheduler::Kind::live : ViewScheduler::Kind::still);
}

/// The table of test rows, of data that have no picture of all inputs.
void MainWindow::requestRows()
{
    const auto moment = m_session.moment();
    if (!moment.experiment || !m_predictions->rows()->isVisible())
        return;
    const std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>> wanted{moment.experiment,
                                                                                     moment.snapshot};
    if (std::exchange(m_rowsOf, wanted) == wanted && !m_session.live())
        return;   // another chosen input changes no row
    auto options = optionsNow();
    if (m_session.live())
        options.samples = std::min(moment.experiment->study.prediction.samples, read(settings::liveSamples));
    m_views.submit({{rowsPlace, tr("the test rows"), ViewScheduler::Lane::all_rows, m_session.shownRun(), shownStudy(),
                     [moment, options](std::stop_token stop) { return test_rows(moment, options, stop); }}},
                   m_session.live() ? ViewScheduler::Kind::live : ViewScheduler::Kind::still);
}

void MainWindow::requestAll()
{
    requestRows();
    std::vector<ViewPanel*> panels;
    for (const auto& [id, view] : m_panels)
        panels.push_back(view);
    request(panels);
}

void MainWindow::showPictures(const std::vector<ViewScheduler::Picture>& pictures)
{
    if (!m_onShow.isEmpty())
        say(std::exchange(m_onShow, {}));
    for (const auto& picture : pictures) {
        if (picture.place == rowsPlace) {
            m_predictions->rows()->setChart(*picture.chart);
            m_predictions->rows()->choose(m_options.input.empty() ? static_cast<int>(m_options.row) : -1);
        } else if (picture.place.startsWith(imagePlaces)) {
            m_image->setPicture(picture.place.mid(imagePlaces.size()).toStdString(), *picture.chart);
        } else if (auto* view = panel(picture.place)) {
            view->chartView()->setStudyJson(QByteArray::fromStdString(*picture.study));
            if (view == m_predictions->comparison()) {
                m_compared = *picture.chart;
                markComparison();
                continue;
            }
            view->setChart(picture.chart);
        }
    }
}

/// Nothing of another run stays where a picture takes its time.
void MainWindow::showWaiting(const QString& place, const QString& words)
{
    const Chart chart{.id = place.toStdString(), .message = words.toStdString()};
    if (place == rowsPlace)
        m_predictions->rows()->setChart(chart);
    else if (place.startsWith(imagePlaces))
        m_image->setPicture(place.mid(imagePlaces.size()).toStdString(), chart);
    else if (auto* view = panel(place)) {
        if (view == m_predictions->comparison())
            m_compared = chart;   // a mark is put into nothing older
        view->setChart(chart);
    }
}

void MainWindow::chooseInput(const std::vector<double>& input)
{
    m_options.input = input;
    m_options.input_name.clear();
    m_options.input_label.reset();
    describeInput();
    requestInput();
    if (m_predictions->comparing())
        markComparison();
}

void MainWindow::chooseRow(int row)
{
    m_options.input.clear();
    m_options.input_name.clear();
    m_options.input_label.reset();
    m_options.row = static_cast<std::size_t>(row);
    if (m_fitted && has_images(*m_fitted))
        images()->grid()->choose(m_fitted->data->test.n_rows > 0 ? ImagePart::test : ImagePart::training,
                                 static_cast<std::uint32_t>(row));
    describeInput();
    requestInput();
    if (m_predictions->comparing())
        markComparison();
}

void MainWindow::chooseImage(ImagePart part, int image)
{
    if (!m_fitted)
        return;
    if (part == ImagePart::test || m_fitted->data->test.n_rows == 0) {
        const QSignalBlocker quiet(m_inputRow);
        m_inputRow->setValue(image);
        chooseRow(image);
        return;
    }
    const auto bytes = image_bytes(*m_fitted, part, static_cast<std::size_t>(image));
    m_options.input.assign(bytes.begin(), bytes.end());
    m_options.input_name  = tr("training image %1").arg(image).toStdString();
    m_options.input_label = m_fitted->data->training.labels[static_cast<std::size_t>(image)];
    describeInput();
    requestInput();
}

/// What follows the chosen input: never the pictures of all inputs, which only mark it.
void MainWindow::requestInput()
{
    std::vector<ViewPanel*> panels;
    for (const auto& [id, view] : m_panels)
        if (view->view().needs_input)
            panels.push_back(view);
    request(panels);
}

/// In the data's units; empty without data.
std::vector<double> MainWindow::chosenInput() const
{
    return m_fitted ? inputOf(*m_fitted, m_options) : m_options.input;
}

void MainWindow::describeInput()
{
    if (!m_fitted)
        return;
    m_image->setChosen(m_fitted, m_options);
    const auto& part = m_fitted->data->test.n_rows > 0 ? m_fitted->data->test : m_fitted->data->training;
    if (has_images(*m_fitted)) {
        const auto label = m_options.input.empty() && m_options.row < part.n_rows
                               ? std::optional(part.labels[m_options.row])
                               : m_options.input_label;
        QString words    = QString::fromStdString(m_options.input_name);
        if (label)
            words += (words.isEmpty() ? QString() : QStringLiteral(", "))
                     + tr("true class %1")
                           .arg(QString::fromStdString(part.class_names[static_cast<std::size_t>(*label)]));
        m_inputText->setText(words);
        m_inputText->setToolTip(words);
        return;
    }
    const auto input  = chosenInput();
    const auto& shown = m_predictions->picture()->view().id;
    auto* picture     = m_predictions->picture()->chartView();
    if (shown == "decision_map" && input.size() == 2)
        picture->setMark(ChartView::Mark{input[0], input[1]});
    else if (shown == "regression_band" && input.size() == 1)
        picture->setMark(ChartView::Mark{input[0], {}});
    else
        picture->setMark({});
    QStringList parts;
    for (std::size_t i = 0; i < input.size() && i < 2; ++i)
        parts += QStringLiteral("%1 = %2").arg(QString::fromStdString(part.feature_names[i])).arg(input[i], 0, 'g', 3);
    if (input.size() > 2)
        parts += tr("… (%1 inputs)").arg(input.size());
    m_inputText->setText(parts.join(QStringLiteral(", ")));
    const bool clicked =
        !m_options.input.empty();   // not of the data: no row's number stands in the box, and every row is a step away
    const QSignalBlocker quiet(m_inputRow);
    m_inputRow->setSpecialValueText(clicked ? tr("map point") : QString());
    m_inputRow->setMinimum(clicked ? -1 : 0);
    m_inputRow->setValue(clicked ? -1 : static_cast<int>(m_options.row));
    m_inputText->setToolTip(m_inputText->text());
}

void MainWindow::runEnded(const std::shared_ptr<const Experiment>& experiment, const std::shared_ptr<KeptRun>& run)
{
    m_runs.add(experiment, *run);
    m_shownFile = {m_session.shownRun(), m_runs.at(0)->file};
    if (run->report.stop == StopReason::not_finite) {
        const QString step = QLocale(QLocale::English)
                                 .toString(static_cast<qlonglong>(m_session.moment().snapshot->point.step));
        m_message->say(
            QString::fromStdString(run->report.message) + QLatin1Char(' ')
                + tr("All views show the last good step, %1.").arg(step),
            {{tr("Go back further"),
              [this] { m_session.showRecorded(std::max(0, static_cast<int>(m_session.recorded().size()) / 2)); }},
             {tr("Divide learning rate by 10"), [this] {
                  Study after = m_session.study();
                  after.training.schedule.learning_rate /= 10;
                  m_editor.editSettings(after);
              }}});
    } else if (run->report.stop == StopReason::steps_done || run->report.stop == StopReason::cancelled) {
        say(QString::fromStdString(run->report.message));
    } else {   // a run that stopped by itself, before its time, says why where it stays
        m_message->say(QString::fromStdString(run->report.message));
    }
}

void MainWindow::showRun(int row)
{
    if (row < 0)
        return;
    const auto entry = m_runs.at(row);
    if (m_session.active()) {
        say(tr("A run goes on: cancel it, or wait for its end, to put a kept run on show."));
        return;
    }
    m_runsPanel->endComparison();
    const QString name = QString::fromStdString(entry->run.name);
    say(tr("Reading the data of %1 …")
            .arg(name));   // a run of this session has them at hand; one from a file reads them again
    inBackground(
        this, [entry, words = entry->run.name] { return std::pair(entry->whole(), entry->end(words)); },
        [this, entry, name, wish = ++m_opening](
            const std::optional<std::pair<std::shared_ptr<const KeptRun>, RunMoment>>& read, const QString& mistake) {
        m_runs.used(entry);
        if (wish != m_opening)
            return;
        if (!read) {
            statusBar()->clearMessage();
            m_message->say(mistake);
        } else if (m_session.showRun(read->second.experiment, *read->first)) {
            m_shownFile = {m_session.shownRun(), entry->file};
            m_onShow    = m_session.showsOtherStudy()
                              ? tr("On show: %1. The Study panel keeps its own settings.").arg(name)
                              : tr("On show: %1.").arg(name);
            say(tr("Drawing %1 …").arg(name));   // until its pictures stand
        }
        });
}

/// Asks, without a box in the way; what was deleted can be had back.
void MainWindow::deleteRun(int row)
{
    if (row < 0)
        return;
    const auto entry   = m_runs.at(row);
    const QString name = QString::fromStdString(entry->run.name);
    m_message->say(tr("Delete the run %1? Its file goes to the trash.").arg(name), {{tr("Delete"),
                                                                                     [this, entry, name] {
        const int at = m_runs.rowOf(*entry);
        if (at < 0)
            return;
        m_undo.push(new DeleteRunCommand(m_runs, at));
        m_message->say(tr("The run %1 is deleted. Ctrl+Z brings it back.").arg(name),
                       {{tr("Undo"), [this] { m_undo.undo(); }}}, MessageBar::Until::next_step);
                                                                                     }},
                                                                                    {tr("Keep"), {}}});
}

/// The chosen input on every map of the comparison.
void MainWindow::markComparison()
{
    Chart chart      = m_compared;
    const auto input = chosenInput();
    if (input.size() == 2)
        for (auto& panel : chart.panels)
            panel.series.push_back(Points{.name   = "chosen input",
                                          .x      = {input[0]},
                                          .y      = {input[1]},
                                          .tone   = {Tone::Kind::accent},
                                          .marker = Marker::diamond,
                                          .size   = 11});
    m_predictions->comparison()->setChart(chart);
}

void MainWindow::compare(bool on)
{
    m_predictions->setComparing(on);
    request({panel(QStringLiteral("boxplots"))});   // of all compared runs, or of the one on show
    if (!on)
        return;
    const QString place = QStringLiteral("compare_decision_maps");
    showWaiting(place, tr("Comparing the runs …"));
    m_views.submit(
        {{place, tr("the runs beside one another"), ViewScheduler::Lane::slow, ViewScheduler::ofNoRun, shownStudy(),
          [runs = tickedRuns(), options = optionsNow()](std::stop_token stop) {
        std::vector<RunMoment> all;
        for (const auto& [entry, name] : runs)
            if (!stop.stop_requested())
                all.push_back(entry->end(name));
        const bool maps = std::all_of(all.begin(), all.end(), [](const RunMoment& run) {
            return credence::view("decision_map").applies(*run.experiment);
        });
        auto chart      = maps ? compare_decision_maps(all, options, stop) : compare_scores(all, stop);
        if (chart)
            chart->id = "compare_decision_maps";
        return chart;
          }}},
        ViewScheduler::Kind::still);
}

void MainWindow::refreshStatus()
{
    const auto& progress = m_session.progress();
    const bool active    = m_session.active();
    const auto& fitting  = m_session.fitting();
    const bool curving   = fitting && fitting->work == Session::Work::curvature;
    m_progressBar->setVisible(active || curving);
    if (curving || (active && progress)) {
        const double share = curving               ? fitting->share
                             : progress->curvature ? *progress->curvature
                             : progress->steps > 0
                                 ? static_cast<double>(progress->step) / static_cast<double>(progress->steps)
                                 : 0;
        m_progressBar->setRange(0, 1000);
        m_progressBar->setValue(static_cast<int>(1000 * share));
    }
    QString words;
    switch (m_session.state()) {
    case Session::State::preparing: words = tr("Preparing data …"); break;
    case Session::State::refused: words = tr("The study has a mistake"); break;
    case Session::State::ready:
        words = m_session.goesOn() ? tr("Ready: Train goes on from this net, Restart begins anew")
                                   : tr("Ready: press Train");
        break;
    case Session::State::running:
        words = progress && progress->curvature ? tr("Fitting the curvature") : tr("Training");
        break;
    case Session::State::paused: words = tr("Paused"); break;
    case Session::State::ended: words = tr("Run ended"); break;
    }
    if (curving)
        words = tr("Fitting the curvature");
    if (m_session.changedSinceStart())
        words += tr(" · settings changed: Restart trains with them");
    else if (active && progress && progress->seconds_left)
        words += tr(" · %1 left").arg(QString::fromStdString(clockText(*progress->seconds_left)));
    m_progressWords->setText(words);
}
