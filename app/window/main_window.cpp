// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/main_window.h"

#include "docks/centre.h"
#include "docks/figure_export.h"
#include "docks/findings_panel.h"
#include "docks/findings_status.h"
#include "docks/input_dock.h"
#include "docks/layers_dock.h"
#include "docks/lecture_mode.h"
#include "docks/link_files.h"
#include "docks/messages.h"
#include "docks/outputs_files.h"
#include "docks/own_pictures.h"
#include "docks/paper_runs.h"
#include "docks/prediction_area.h"
#include "docks/pruning_bar.h"
#include "docks/run_bar.h"
#include "docks/run_status.h"
#include "docks/runs_panel.h"
#include "docks/saving_status.h"
#include "docks/speed_control.h"
#include "docks/study_files.h"
#include "docks/study_panel.h"
#include "docks/time_machine.h"
#include "docks/training_dock.h"
#include "docks/truth_bar.h"
#include "docks/weights_dock.h"
#include "docks/what_to_keep.h"
#include "images/spoken_parts.h"
#include "lessons/lesson_guide.h"
#include "lessons/lesson_stage.h"
#include "parts/field_help_key.h"
#include "parts/help_window.h"
#include "parts/hide_dialogs.h"
#include "parts/menu_keys.h"
#include "parts/picture_desk.h"
#include "parts/tab_order.h"
#include "parts/view_panel.h"
#include "parts/view_tabs.h"
#include "parts/wheel_guard.h"
#include "session/document/autosave.h"
#include "tools/simplex_workbench.h"
#include "window/quit_question.h"
#include "window/tool_windows.h"
#include "work/text.h"

#include "runs/comparison.h"
#include "study/method.h"
#include "views/views.h"
#include "widgets/chart_view.h"

#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QStatusBar>
#include <QTimer>
#include <QVBoxLayout>

namespace {

/// The single dragged file; empty: none, or several.
QString fileIn(const QDropEvent& event)
{
    const auto urls = event.mimeData()->urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

/// Sets the tab order to reading order: toolbar, settings, charts, right docks, bottom docks.
void orderStops(QWidget* bar, QWidget* settings, QWidget* pictures, const DockLayout& layout)
{
    std::vector<QWidget*> parts{bar, settings, pictures};
    for (auto* dock : layout.docks())
        if (dock->widget() != settings)
            parts.push_back(dock->widget());
    orderTabs(parts);
}

}   // namespace

MainWindow::MainWindow(Workspace& workspace, QWidget* parent) : QMainWindow(parent), m_workspace(workspace)
{
    installSpokenParts();
    new FieldHelpKey(this);
    new MenuKeys(this);
    WheelGuard::install();
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    m_runBar = new RunBar(workspace.document, this);
    addToolBar(m_runBar);
    auto* middle  = new QWidget(this);
    auto* bar     = new MessageBar(middle);
    m_messages    = new Messages(workspace, bar, statusBar());
    m_desk        = new PictureDesk(workspace, this);
    m_centre      = new Centre(workspace, *m_desk, *m_messages, middle);
    m_timeMachine = new TimeMachine(workspace.session, middle);
    m_figures     = new FigureExport(workspace, *m_centre, *m_messages, statusBar(), this);
    m_files       = new StudyFiles(workspace, *m_messages, this);
    m_outputs     = new OutputsFiles(workspace, *m_messages, statusBar(), this);
    m_papers      = new PaperRuns(workspace, *m_messages, this);
    m_help        = new HelpWindow(this);
    m_lecture     = new LectureMode(m_layout, this);
    m_links       = new LinkFiles(workspace, *m_messages, this);
    auto* column  = new QVBoxLayout(middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(new TruthBar(workspace.truth, middle));
    column->addWidget(new PruningBar(workspace, middle));
    column->addWidget(m_centre, 1);
    column->addWidget(m_timeMachine);
    setCentralWidget(middle);
    buildDocks();
    statusBar()->addPermanentWidget(new SpeedControl(workspace.session, statusBar()));
    new RunStatus(workspace, *m_messages, statusBar());
    new SavingStatus(workspace.runs.writer(), statusBar());
    m_tools = new ToolWindows(workspace, {*m_centre, *m_desk, *m_files, *m_papers, *m_studyPanel, *m_messages}, *this);
    buildMenus();
    connectParts();
    orderStops(m_runBar, m_studyPanel, middle, m_layout);
    labelBoxes(*this);
    m_desk->start();
    workspace.runs.load();
    m_autosave = new Autosave(
        workspace.document, [&opener = workspace.opener] { return opener.shownFile(); }, this);
    m_whatToKeep = new WhatToKeep(workspace, *m_messages, this);
    m_centre->predictions()->picture()->chartView()->setFocus();
}

MainWindow::~MainWindow()
{
    hideDialogsOf(*this);
    hide();
}

void MainWindow::buildDocks()
{
    m_studyPanel = new StudyPanel(m_workspace, *m_messages, this);
    m_input      = new InputDock(m_workspace, *m_desk, m_centre->laws(), this);
    m_layout.add(QStringLiteral("studyDock"), tr("Study"), m_studyPanel, Qt::LeftDockWidgetArea);
    m_layout.add(QStringLiteral("inputDock"), tr("Selected input"), m_input, Qt::RightDockWidgetArea);
    m_layout.add(QStringLiteral("layersDock"), tr("Layers"), new LayersDock(m_workspace, *m_desk, *m_messages, this),
                 Qt::RightDockWidgetArea);
    m_layout.add(QStringLiteral("weightsDock"), tr("Weights"), new WeightsDock(m_workspace, *m_desk, this),
                 Qt::RightDockWidgetArea);
    m_training = new TrainingDock(m_workspace, *m_desk, *m_centre, this);
    m_layout.add(QStringLiteral("trainingDock"), tr("Training"), m_training, Qt::BottomDockWidgetArea);
    m_layout.add(QStringLiteral("runsDock"), tr("Runs"),
                 new RunsPanel(m_workspace, m_centre->comparison(), *m_messages, this), Qt::BottomDockWidgetArea);
    auto* findings = new FindingsPanel(m_workspace.linting, m_workspace.document, this);
    m_layout.add(QStringLiteral("findingsDock"), tr("Findings"), findings, Qt::BottomDockWidgetArea);
    new FindingsStatus(m_workspace.linting, *findings, statusBar());
    connect(findings, &FindingsPanel::said, m_messages, &Messages::say);
    connect(findings, &FindingsPanel::refused, this, [this](const QString& sentence) { m_messages->keep(sentence); });
    m_workspace.unfinished.add(this, {[&job = m_workspace.exports] {
                                   return job.busy() ? tr("An export is in progress: %1 of %2 figures are finished.")
                                                           .arg(job.made())
                                                           .arg(job.wanted())
                                                     : QString();
                               }});
    m_workspace.unfinished.add(this, {[this] { return trainingInProgress(); }, [this] { session().discard(); }});
    m_figures->setFindings([this] { return findingsChapter(m_workspace.linting); });
    connect(findings, &FindingsPanel::viewWanted, this, [this](const QString& view) {
        if (view == QLatin1String("test_rows"))   // of images their grid
            m_training->showRows();
        else
            m_desk->bringToFront(view, *m_centre->predictions());
    });
    connect(m_centre->simplex(), &SimplexWorkbench::variantChanged, &m_workspace.linting, &Linting::lookAgain);
    m_lessons = new LessonGuide(lessonStage(*this, m_workspace, *m_studyPanel, *m_desk, *m_centre), this);
    connect(m_lecture, &LectureMode::lessonStepWanted, m_lessons, &LessonGuide::showNextStep);
    auto* tour = m_layout.add(QStringLiteral("lessonDock"), tr("Lesson"), m_lessons->panel(), Qt::LeftDockWidgetArea);
    tour->hide();   // before the layout is remembered as the first one
    m_lessons->setDock(tour);
    m_layout.arrange();
    // Views that no part of the window names are appended to the others of their kind.
    for (const auto* view : m_desk->withoutPlace()) {
        auto* tabs = view->needs_input ? m_input->tabs() : static_cast<ViewTabs*>(m_training);
        tabs->add(*m_desk, view->id, toQString(view->title));
    }
}

/// Connects the requests of one part to another.
void MainWindow::connectParts()
{
    connect(m_input, &InputDock::imagesShown, this, [this](bool images) { m_layout.arrangeForImages(images); });
    connect(m_input, &InputDock::failed, m_messages, [this](const QString& sentence) { m_messages->keep(sentence); });
    connect(m_input, &InputDock::rowsRequested, m_training, &TrainingDock::showRows);
    connect(m_studyPanel, &StudyPanel::importRequested, m_files, [this] { m_files->importTable(); });
    connect(m_studyPanel, &StudyPanel::dataSetsRequested, m_tools, &ToolWindows::showDataSets);
    auto& truth = m_workspace.truth;
    connect(m_studyPanel, &StudyPanel::comparisonRequested, this, [this, &truth](const QString& id) {
        truth.begin(credence::comparison(id.toStdString()));
        if (truth.active())
            m_centre->setCurrentWidget(m_centre->predictions());   // where the runs are seen at work
    });
    connect(&truth, &TruthComparison::said, m_messages, &Messages::say);
    connect(&truth, &TruthComparison::warned, m_messages,
            [this](const QString& sentence) { m_messages->keep(sentence); });
    connect(&truth, &TruthComparison::finished, m_centre, [this](bool shown) {
        if (shown)
            m_centre->showTruth();
    });
    connect(m_runBar, &RunBar::refused, m_messages,
            [this](const QString& mistake) { m_messages->keep(tr("Not started. %1").arg(mistake)); });
    connect(m_runBar, &RunBar::continueWanted, &m_workspace.opener, &RunOpener::continueShown);
    connect(m_runBar, &RunBar::finishedAlready, this, &MainWindow::offerMoreTraining);
    connect(m_desk, &PictureDesk::exportRequested, m_figures, [this](const QString& view) {
        m_workspace.document.commit();   // as for the entries of the menu
        m_figures->ask(view);
    });
    connect(&m_centre->pictures(), &OwnPictures::studyDropped, this, &MainWindow::openFile);
    connect(m_files, &StudyFiles::linkRead, m_links, [this](const credence::PictureLink& link, const QString& file) {
        m_links->open(link, tr("Open %1").arg(QFileInfo(file).fileName()));
        m_files->remember(file);
    });
    connect(m_links, &LinkFiles::runWanted, m_files, qOverload<const QString&>(&StudyFiles::open));
    connect(m_links, &LinkFiles::studyWanted, m_studyPanel, &StudyPanel::chooseStudy);
    connect(m_links, &LinkFiles::quantityWanted, m_centre->predictions(), &PredictionArea::setQuantity);
    connect(m_links, &LinkFiles::viewWanted, m_papers, &PaperRuns::viewWanted);
    connect(m_files, &StudyFiles::logitsOpened, m_tools, &ToolWindows::openLogits);
    connect(m_files, &StudyFiles::arraysOpened, m_outputs, &OutputsFiles::openByArrays);
    connect(m_studyPanel, &StudyPanel::foreignRequested, m_outputs, &OutputsFiles::askForeign);
    connect(m_files, &StudyFiles::outputsWanted, m_outputs, &OutputsFiles::open);
    connect(m_outputs, &OutputsFiles::logitsFound, m_tools, &ToolWindows::openLogits);
    connect(m_outputs, &OutputsFiles::opened, m_files, &StudyFiles::remember);
    connect(m_outputs, &OutputsFiles::helpRequested, m_help, [this] { m_help->openTopic(QStringLiteral("outputs")); });
    const auto refreshTitle = [this] {
        setWindowTitle(tr("%1[*] — Credence").arg(m_files->title()));
        setWindowModified(m_workspace.document.modified() && !m_workspace.session.displaysSaved());
    };
    connect(m_files, &StudyFiles::titleChanged, this, refreshTitle);
    refreshTitle();
}

ViewPanel* MainWindow::panel(const QString& view) const { return m_desk->panel(view); }

ImageWorkbench* MainWindow::imageWorkbench() const { return m_input->workbench(); }

bool MainWindow::busy() const { return m_workspace.scheduler.busy() || m_centre->busy(); }

QString MainWindow::message() const { return m_messages->kept(); }

void MainWindow::openFile(const QString& file)
{
    if (file.endsWith(QStringLiteral(".md"), Qt::CaseInsensitive))
        m_lessons->open(file);
    else
        m_files->open(file);
}

void MainWindow::openLink(const credence::PictureLink& link) { m_links->open(link, tr("Open link")); }

void MainWindow::restoreSession()
{
    if (const auto state = m_autosave->restoreNewest()) {
        m_files->restore(*state);
        if (!state->closed)
            m_whatToKeep->cameBack(*state);
    }
    offerUnsaved();
    saveLayoutOften();
}

void MainWindow::leaveSession()
{
    m_autosave->leaveNewest();
    saveLayoutOften();
}

/// Offers documents left by other windows.
void MainWindow::offerUnsaved()
{
    const auto& found = m_autosave->foundUnsaved();
    if (found.empty())
        return;
    QStringList names;
    for (const auto& document : found)
        names += document.name();
    m_messages->note(
        tr("Unsaved changes of other windows: %1. File ▸ Unsaved studies lists them.")
            .arg(names.join(QStringLiteral(", "))),
        {{tr("Open %1").arg(found.front().name()), [this, document = found.front()] { m_files->resume(document); }}});
}

void MainWindow::saveLayoutOften()
{
    auto* often = new QTimer(this);
    connect(often, &QTimer::timeout, this, [this] { m_layout.saveIfChanged(); });
    often->start(10000);   // milliseconds
}

/// A sentence for the quit question; empty: nothing is in training.
QString MainWindow::trainingInProgress() const
{
    const auto& run = m_workspace.session.onShow().training();
    if (!m_workspace.session.active())
        return {};
    return tr("%1 is in training: step %2 of %3.")
        .arg(toQString(run.experiment->study.name), toQString(run.newest->point.step),
             toQString(credence::steps_of(run.experiment->study)));
}

/// The run is complete, and the same Study would reproduce it.
void MainWindow::offerMoreTraining()
{
    std::vector<MessageBar::Offer> offers{{tr("New seed"), [this] { m_runBar->newSeed(); }}};
    auto longer = session().study();
    longer.training.steps *= 2;
    if (credence::steps_of(longer) > credence::steps_of(session().study()))   // chains count otherwise
        offers.push_back({tr("Train twice as long"), [this, longer] {
                              m_workspace.document.editSettings(longer);
                              session().train();
                          }});
    m_messages->keep(tr("This run is complete. The same study with the same seed would give the same numbers again."),
                     offers, MessageBar::Until::next_step);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!fileIn(*event).isEmpty())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    if (const QString file = fileIn(*event); !file.isEmpty()) {
        event->acceptProposedAction();
        openFile(file);
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_mayClose && !m_workspace.unfinished.sentences().isEmpty()) {
        event->ignore();
        askToQuit(m_workspace.unfinished, this, [this] {
            m_mayClose = true;
            close();
        });
        return;
    }
    m_lecture->setOn(false);   // the layout that is remembered is the other one
    m_layout.save();
    m_workspace.session.stop();   // a run in progress is saved with the steps that it has made
    m_autosave->close();
    hideDialogsOf(*this);
    event->accept();
}
