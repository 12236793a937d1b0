// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "docks/laplace_panel.h"
#include "docks/prediction_area.h"
#include "docks/run_bar.h"
#include "docks/runs_panel.h"
#include "docks/study_panel.h"
#include "docks/time_machine.h"
#include "docks/view_panel.h"
#include "images/image_area.h"
#include "parts/export_dialog.h"
#include "parts/help_window.h"
#include "parts/message_bar.h"
#include "session/settings.h"
#include "tools/simplex_workbench.h"

#include "widgets/chart_view.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <QSlider>
#include <QSpinBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>

#include <cmath>

using namespace credence;

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent), m_saved(m_session.study())
{
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    const QSize room = screen()->availableSize();
    resize(room.boundedTo(QSize(1280, 800).expandedTo(room * 0.9)));
    m_options.map_quantity = MapQuantity::predictive_entropy;

    m_runBar = new RunBar(m_editor, this);
    addToolBar(m_runBar);
    m_message     = new MessageBar(this);
    m_predictions = new PredictionArea(this);
    m_timeMachine = new TimeMachine(m_session, this);
    auto* centre  = new QWidget(this);
    auto* column  = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_message);
    buildCentre(column);
    column->addWidget(m_timeMachine);
    setCentralWidget(centre);
    for (auto* view : {m_predictions->picture(), m_predictions->comparison(), images()->confusion()})
        connect(view, &ViewPanel::exportRequested, this,
                [this, view] { exportDialog(QString::fromStdString(view->view().id)); });
    connect(m_predictions->picture(), &ViewPanel::becameVisible, this, [this] { request({m_predictions->picture()}); });
    m_panels[QStringLiteral("decision_map")]          = m_predictions->picture();
    m_panels[QStringLiteral("compare_decision_maps")] = m_predictions->comparison();

    addImagePages();
    buildDocks();
    m_progressBar = new QProgressBar(this);
    m_progressBar->setTextVisible(false);
    m_progressBar->setFixedSize(160, 12);
    m_progressBar->setAccessibleName(tr("Progress of the run"));
    m_progressWords = new QLabel(this);
    m_exportWords   = new QPushButton(this);
    m_exportWords->setObjectName(QStringLiteral("exportProgress"));
    m_exportWords->setFlat(true);
    m_exportWords->setToolTip(tr("Cancel the export"));
    m_exportWords->hide();
    statusBar()->addPermanentWidget(m_exportWords);
    statusBar()->addPermanentWidget(m_progressWords);
    statusBar()->addPermanentWidget(m_progressBar);
    m_help = new HelpWindow(this);
    buildMenus();
    connectSession();
    m_firstLayout = saveState(settings::layoutVersion);
    m_runs.load();
    refreshTitle();
    refreshStatus();
    m_predictions->picture()->chartView()->setFocus();
}

/// Members that end still tell of it (an undo stack that it is empty): the window no longer listens, for the members behind them have ended already.
MainWindow::~MainWindow()
{
    for (QObject* member : std::initializer_list<QObject*>{&m_session, &m_undo, &m_runs})
        member->disconnect(this);
}

ViewPanel* MainWindow::panel(const QString& view) const
{
    const auto found = m_panels.find(view);
    return found == m_panels.end() ? nullptr : found->second;
}

ImageArea* MainWindow::images() const { return m_predictions->images(); }

bool MainWindow::busy() const { return m_views.busy() || images()->busy() || m_simplex->busy(); }

QString MainWindow::message() const { return m_message->text(); }

ViewPanel* MainWindow::addView(const char* id)
{
    auto* made                        = new ViewPanel(credence::view(id), this);
    m_panels[QString::fromLatin1(id)] = made;
    connect(made, &ViewPanel::becameVisible, this, [this, made] { request({made}); });
    connect(made, &ViewPanel::exportRequested, this,
            [this, made] { exportDialog(QString::fromStdString(made->view().id)); });
    return made;
}

QTabWidget* MainWindow::tabs(std::initializer_list<std::pair<const char*, QString>> views)
{
    auto* made = new QTabWidget(this);
    made->setDocumentMode(true);
    made->setUsesScrollButtons(true);
    auto* corner = new QStackedWidget(made);   // the small buttons of the view in front
    corner->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Maximum);
    for (const auto& [id, title] : views) {
        auto* view = addView(id);
        corner->addWidget(view->takeTools());
        made->setTabToolTip(made->addTab(view, title), QString::fromStdString(view->view().title));
    }
    made->setCornerWidget(corner);
    connect(made, &QTabWidget::currentChanged, corner, &QStackedWidget::setCurrentIndex);
    m_tabs.push_back(made);
    return made;
}

QWidget* MainWindow::buildInputDock()
{
    auto* all   = new QWidget(this);
    m_inputText = new QLabel(all);
    m_inputText->setObjectName(QStringLiteral("chosenInput"));
    m_inputText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_inputText->setSizePolicy(QSizePolicy::Ignored,
                               QSizePolicy::Preferred);   // long names of inputs are cut; the tip has them whole
    m_inputRow = new QSpinBox(all);
    m_inputRow->setObjectName(QStringLiteral("inputRow"));
    m_inputRow->setPrefix(tr("test row "));
    m_inputRow->setAccessibleName(tr("Choose an input by its row in the test set"));
    m_inputRow->setToolTip(tr("Choose an input by its row in the test set, or click in the map"));
    connect(m_inputRow, &QSpinBox::valueChanged, this, &MainWindow::chooseRow);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 2, 4, 0);
    row->addWidget(m_inputText, 1);
    row->addWidget(m_inputRow);
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(row);
    column->addWidget(addImageTab(tabs({{"boxplots", tr("Boxplots")},
                                        {"intervals", tr("Intervals")},
                                        {"simplex", tr("Simplex")},
                                        {"beta_marginals", tr("Marginals")},
                                        {"disturbance_curve", tr("Disturbed")}})),
                      1);
    panel(QStringLiteral("beta_marginals"))->addControl(buildTopK());
    return all;
}

/// The threshold of the uncertainty-aware top-k, for the chosen input and for the list lengths of the test set.
QWidget* MainWindow::buildTopK()
{
    constexpr int steps = 200;   // of the slider, logarithmic from 0.001 to 0.9
    const auto place    = [](double threshold) {
        return static_cast<int>(std::lround(steps * std::log(threshold / 0.001) / std::log(900.0)));
    };
    auto* all    = new QWidget(this);
    m_topKSlider = new QSlider(Qt::Horizontal, all);
    m_topKSlider->setObjectName(QStringLiteral("topKSlider"));
    m_topKSlider->setRange(0, steps);
    m_topKSlider->setMinimumWidth(60);
    m_topKSlider->setAccessibleName(tr("Threshold T of the uncertainty-aware top-k"));
    m_topKSlider->setToolTip(tr("Threshold T: to the left more classes remain, to the right fewer"));
    m_topK = new QDoubleSpinBox(all);
    m_topK->setObjectName(QStringLiteral("topKThreshold"));
    m_topK->setPrefix(tr("T = "));
    m_topK->setDecimals(3);
    m_topK->setRange(0.001, 0.9);
    m_topK->setSingleStep(0.01);
    m_topK->setAccessibleName(m_topKSlider->accessibleName());
    m_topK->setToolTip(
        tr("Threshold T: a class remains while its 1 − T/2 quantile is above the T/2 quantile of the class before it"));
    m_topK->setValue(m_options.top_k_threshold);
    m_topKSlider->setValue(place(m_options.top_k_threshold));
    connect(m_topKSlider, &QSlider::valueChanged, this,
            [this](int at) { m_topK->setValue(0.001 * std::pow(900.0, static_cast<double>(at) / steps)); });
    connect(m_topK, &QDoubleSpinBox::valueChanged, this, [this, place](double threshold) {
        const QSignalBlocker quiet(m_topKSlider);
        m_topKSlider->setValue(place(threshold));
        m_options.top_k_threshold = threshold;
        request({panel(QStringLiteral("beta_marginals")), panel(QStringLiteral("list_lengths"))});
    });
    auto* row = new QHBoxLayout(all);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_topKSlider, 1);
    row->addWidget(m_topK);
    return all;
}

QWidget* MainWindow::buildLayers()
{
    auto* all   = new QWidget(this);
    auto* views = tabs(
        {{"layers", tr("Now")}, {"layers_over_training", tr("Over training")}, {"laplace_evidence", tr("Laplace")}});
    auto* laplace = new LaplacePanel(m_editor, all);
    views->setObjectName(QStringLiteral("layersTabs"));
    laplace->hide();
    m_layersTabs = views;
    connect(laplace, &LaplacePanel::refused, this, &MainWindow::say);
    connect(&m_session, &Session::fitSaid, this, &MainWindow::say);
    connect(views, &QTabWidget::currentChanged, this, [this, views, laplace] {
        laplace->setVisible(views->currentWidget() == panel(QStringLiteral("laplace_evidence")));
    });
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(views, 1);
    column->addWidget(laplace);
    return all;
}

QWidget* MainWindow::buildWeights()
{
    auto* made = tabs({{"weights", tr("Histograms")},
                       {"signal_to_noise", tr("SNR")},
                       {"one_weight", tr("One")},
                       {"prior_and_start", tr("Prior")},
                       {"kernels", tr("Kernels")}});
    m_weight   = new QSpinBox(this);
    m_weight->setObjectName(QStringLiteral("weightIndex"));
    m_weight->setPrefix(tr("weight "));
    m_weight->setAccessibleName(tr("Weight on show, by its place in the flat vector of weights"));
    connect(m_weight, &QSpinBox::valueChanged, this, [this](int index) {
        m_options.weight = static_cast<std::size_t>(index);
        request({panel(QStringLiteral("one_weight"))});
    });
    panel(QStringLiteral("one_weight"))->addControl(m_weight);

    auto* prune = new QWidget(this);
    m_prune     = new QSlider(Qt::Horizontal, prune);
    m_prune->setObjectName(QStringLiteral("prune"));
    m_prune->setRange(0, 100);
    m_prune->setAccessibleName(
        tr("Share of weights with the smallest signal-to-noise ratio that are set to zero, percent"));
    m_prune->setToolTip(tr("Prune: sets the weights with the smallest |μ|/σ to zero"));
    m_pruneText = new QLabel(tr("Prune 0 %"), prune);
    m_pruneText->setMinimumWidth(m_pruneText->fontMetrics().horizontalAdvance(tr("Prune 100 % ")));
    connect(m_prune, &QSlider::valueChanged, this, [this](int percent) {
        m_pruneText->setText(tr("Prune %1 %").arg(percent));
        m_options.prune_share = percent / 100.0;
        request({panel(QStringLiteral("weights")), panel(QStringLiteral("signal_to_noise"))});
    });
    auto* row = new QHBoxLayout(prune);
    row->setContentsMargins(6, 0, 6, 2);
    row->addWidget(m_pruneText);
    row->addWidget(m_prune, 1);
    auto* all    = new QWidget(this);
    auto* column = new QVBoxLayout(all);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(made, 1);
    column->addWidget(prune);
    connect(made, &QTabWidget::currentChanged, this, [prune](int tab) { prune->setVisible(tab < 2); });
    return all;
}

QDockWidget* MainWindow::addDock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setWidget(content);
    addDockWidget(area, dock);
    m_docks.push_back(dock);
    return dock;
}

void MainWindow::buildDocks()
{
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    m_studyPanel = new StudyPanel(m_editor, this);
    connect(m_studyPanel, &StudyPanel::importRequested, this, [this] { importTable(); });
    connect(m_studyPanel, &StudyPanel::message, this, &MainWindow::say);
    connect(m_studyPanel, &StudyPanel::dataSetsRequested, this, &MainWindow::showDataSets);
    connect(m_studyPanel, &StudyPanel::settingsWentAlong, this, [this](const QStringList& changes) {
        m_message->say(tr("Also set: %1. Ctrl+Z takes it back.").arg(changes.join(QStringLiteral("; "))),
                       {{tr("Undo"), [this] { m_undo.undo(); }}}, MessageBar::Until::next_step);
    });
    m_runsPanel = new RunsPanel(m_runs, this);
    connect(m_runsPanel, &RunsPanel::showRequested, this, &MainWindow::showRun);
    connect(m_runsPanel, &RunsPanel::compareRequested, this, &MainWindow::compare);
    connect(m_runsPanel, &RunsPanel::deleteRequested, this, &MainWindow::deleteRun);
    connect(m_predictions, &PredictionArea::comparisonClosed, m_runsPanel, &RunsPanel::endComparison);
    connect(m_runsPanel, &RunsPanel::studyRequested, this, [this](int row) {
        m_editor.edit(m_runs.at(row)->run.study,
                      tr("Reopen the study of %1").arg(QString::fromStdString(m_runs.at(row)->run.name)));
    });

    auto* study   = addDock(QStringLiteral("studyDock"), tr("Study"), m_studyPanel, Qt::LeftDockWidgetArea);
    auto* input   = addDock(QStringLiteral("inputDock"), tr("Chosen input"), buildInputDock(), Qt::RightDockWidgetArea);
    auto* layers  = addDock(QStringLiteral("layersDock"), tr("Layers"), buildLayers(), Qt::RightDockWidgetArea);
    auto* weights = addDock(QStringLiteral("weightsDock"), tr("Weights"), buildWeights(), Qt::RightDockWidgetArea);
    auto* training = addDock(QStringLiteral("trainingDock"), tr("Training"),
                             tabs({{"training_curves", tr("Curves")},
                                   {"scores", tr("Scores")},
                                   {"certainty", tr("Certainty")},
                                   {"confusion", tr("Confusion")},
                                   {"roc", tr("ROC")},
                                   {"calibration", tr("Calibration")},
                                   {"out_of_distribution", tr("Foreign data")},
                                   {"list_lengths", tr("List lengths")},
                                   {"bridge_scores", tr("Bridge")}}),
                             Qt::BottomDockWidgetArea);
    addLawControls();
    auto* runs = addDock(QStringLiteral("runsDock"), tr("Runs"), m_runsPanel, Qt::BottomDockWidgetArea);
    tabifyDockWidget(layers, weights);
    layers->raise();
    resizeDocks({study, input}, {316, 330}, Qt::Horizontal);
    resizeDocks({training, runs}, {500, 480}, Qt::Horizontal);
    resizeDocks({training}, {height() * 28 / 100}, Qt::Vertical);
    resizeDocks({input, layers}, {height() / 3, height() / 3}, Qt::Vertical);
}

void MainWindow::restoreLayout()
{
    if (read(settings::layout) != settings::layoutVersion)
        return;   // none yet, or one of another version
    restoreGeometry(read(settings::geometry));
    restoreState(read(settings::docks), settings::layoutVersion);
}

/// Study, points and run of the window that was closed last.
void MainWindow::restoreSession()
{
    if (!QFileInfo::exists(lastStudyFile()))
        return;
    try {
        m_session.setStudy(load_study(lastStudyFile().toStdString()));
        m_saved = m_session.study();
        refreshTitle();
    } catch (const std::exception&) {
        return;   // the Study that the program opens on is as good
    }
    const QString file = read(settings::lastRun);
    if (file.isEmpty())
        return;
    const auto showIfThere = [this, file](int first, int last) {
        for (int row = first; row <= last; ++row)
            if (m_runs.at(row)->file == file && m_session.state() != Session::State::running) {
                showRun(row);
                return true;
            }
        return false;
    };
    if (showIfThere(0, m_runs.rowCount() - 1))
        return;
    auto* waiting = new QObject(this);   // until the list has it
    connect(&m_runs, &KeptRuns::rowsInserted, waiting, [waiting, showIfThere](const QModelIndex&, int first, int last) {
        if (showIfThere(first, last))
            waiting->deleteLater();
    });
}

void MainWindow::resetLayout() { restoreState(m_firstLayout, settings::layoutVersion); }

void MainWindow::closeEvent(QCloseEvent* event)
{
    write(settings::layout, settings::layoutVersion);
    write(settings::geometry, saveGeometry());
    write(settings::docks, saveState(settings::layoutVersion));
    m_session.cancel();   // a run that goes on is kept with the steps that it has made
    write(settings::lastRun, m_shownFile.first == m_session.shownRun() ? m_shownFile.second : QString());
    try {   // drawn points and settings that were not saved are there again at the next start
        save_study(m_session.study(), lastStudyFile().toStdString());
    } catch (const std::exception&) {
        // the window closes all the same
    }
    event->accept();
}
