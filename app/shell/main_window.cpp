// SPDX-License-Identifier: GPL-3.0-or-later
#include "shell/main_window.h"

#include "document/link_files.h"
#include "document/study_files.h"
#include "images/own_pictures.h"
#include "imports/outputs_files.h"
#include "lessons/lesson_guide.h"
#include "papers/paper_runs.h"
#include "parts/appearance.h"
#include "parts/area_splits.h"
#include "parts/form_controls.h"
#include "parts/help_mark.h"
#include "parts/help_window.h"
#include "parts/keyboard.h"
#include "parts/notifier.h"
#include "parts/rail.h"
#include "parts/sheet.h"
#include "parts/toasts.h"
#include "parts/view_binder.h"
#include "parts/view_panel.h"
#include "parts/window_part.h"
#include "parts/workbench.h"
#include "parts/workspace_stack.h"
#include "runs/comparison.h"
#include "runs/recovery_prompt.h"
#include "runs/run_actions.h"
#include "runs/run_bar.h"
#include "runs/run_status.h"
#include "runs/runs_panel.h"
#include "session/document/autosave.h"
#include "session/settings.h"
#include "shell/arrangements.h"
#include "shell/lecture_mode.h"
#include "shell/tool_pages.h"
#include "simplex/simplex_workbench.h"
#include "study/info_bars.h"
#include "study/method.h"
#include "study/study_panel.h"
#include "views/figure_export.h"
#include "views/findings_panel.h"
#include "views/input_dock.h"
#include "views/layers_dock.h"
#include "views/main_tabs.h"
#include "views/prediction_area.h"
#include "views/summary_card.h"
#include "views/training_dock.h"
#include "views/view_navigator.h"
#include "views/views.h"
#include "views/weights_dock.h"
#include "widgets/chart_view.h"
#include "work/text.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QIcon>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMenuBar>
#include <QMimeData>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>
#include <QTimer>
#include <QVBoxLayout>
#include <QWidget>

#include <functional>

namespace {

/// Hides the dialogs of a window, and its parts that have windows of their own, before it is destroyed.
/// Hiding a field commits the number being typed; a dialog destroyed while visible would do this last,
/// when its listeners are partly destroyed.
void hideDialogsOf(QWidget& window)
{
    QList<QPointer<QWidget>> dialogs;
    for (auto* each : window.findChildren<QWidget*>())
        if (each->isWindow() && (each->windowType() == Qt::Dialog || each->windowType() == Qt::Window))
            dialogs << each;
    for (const auto& dialog : dialogs)
        if (dialog)   // one may go with another
            dialog->hide();
}

/// Asks whether the window may close while work is in progress. Asked again, it shows the same sheet.
/// @param quit  called if it may; discarded work has been dropped by then
void askToQuit(const UnfinishedWork& work, QWidget* window, const std::function<void()>& quit)
{
    const auto name = QStringLiteral("quitQuestion");
    if (Sheet::isOpen(name, window))
        return;
    auto* question = new Sheet(name, Sheet::tr("Quit Credence?"), Sheet::tr("Work is in progress."), window);
    question->setDetails(work.sentences().join(QLatin1Char('\n')));
    const bool canDiscard = work.canDiscard();
    auto* stop            = question->addAnswer(canDiscard ? Sheet::tr("&Stop and keep") : Sheet::tr("&Stop and quit"),
                                     QStringLiteral("stopAndQuit"), quit);
    QPushButton* discard = nullptr;
    if (canDiscard)
        discard = question->addAnswer(Sheet::tr("&Discard"), QStringLiteral("discardAndQuit"), [&work, quit] {
            work.discard();
            quit();
        });
    auto* current = new QTimer(question);   // training continues while the question is open
    QObject::connect(current, &QTimer::timeout, question, [question, stop, discard, current, &work] {
        const auto sentences = work.sentences();
        question->setDetails(sentences.isEmpty() ? Sheet::tr("The work has finished. Nothing is lost.")
                                                 : sentences.join(QLatin1Char('\n')));
        if (!sentences.isEmpty())
            return;
        current->stop();
        question->setText(Sheet::tr("Quit now?"));
        stop->setText(Sheet::tr("&Quit"));
        if (discard)
            discard->hide();
    });
    current->start(200);   // milliseconds
    question->open();
}

/// The single dragged file; empty: none, or several.
QString fileIn(const QDropEvent& event)
{
    const auto urls = event.mimeData()->urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? urls.front().toLocalFile() : QString();
}

/// Sets the tab order to reading order: toolbar, rail, Study, charts, inspector, drawer.
void orderStops(QWidget* bar, QWidget* settings, QWidget* pictures, const Workbench& workbench)
{
    std::vector<QWidget*> parts{bar, static_cast<QWidget*>(&workbench.rail()), settings, pictures};
    for (auto* part : workbench.parts())
        if (part->content() != settings)
            parts.push_back(part->content());
    orderTabs(parts);
}

/// Lays out the stage, with a line of controls below it.
void stack(QWidget& middle, QWidget& stage, QWidget& line)
{
    auto* column = new QVBoxLayout(&middle);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(&stage, 1);
    column->addWidget(&line);
}

}   // namespace

MainWindow::MainWindow(AppContext& context, QWidget* parent) : QMainWindow(parent), m_context(context)
{
    installSpokenParts();
    new FieldHelpKey(this);
    new MenuKeys(this);
    WheelGuard::install();
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    m_runBar = new RunBar(context.document, context.runs, context.queue, this);
    addToolBar(m_runBar);
    auto* middle = new QWidget(this);
    m_workbench  = new Workbench(middle, this);
    auto& pages  = m_workbench->pages();
    auto* toasts = new Toasts(&pages);
    setStatusBar(new StatusLine(this));
    m_notifier    = new Notifier(context, toasts, statusBar());
    m_binder      = new ViewBinder(context, this);
    m_mainTabs    = new MainTabs(context, *m_binder, *m_notifier, middle);
    m_areas       = new AreaSplits(*m_mainTabs, *m_binder, middle);
    m_navigator   = std::make_unique<ViewNavigator>(context, *m_binder, *m_mainTabs);
    m_timeMachine = new TimeMachine(context.session, middle);
    m_figures     = new FigureExport(context, *m_navigator, *m_notifier, statusBar(), this);
    m_files       = new StudyFiles(context, *m_notifier, this);
    m_outputs     = new OutputsFiles(context, *m_notifier, statusBar(), this);
    m_papers      = new PaperRuns(context, *m_notifier, this);
    m_help        = new HelpWindow(this);
    m_links       = new LinkFiles(context, *m_notifier, this);
    stack(*middle, *m_areas, *m_timeMachine);
    m_lecture = new LectureMode(*m_workbench, this);
    buildArrangements();
    setCentralWidget(m_workbench);
    const QSize room = screen()->availableSize();
    resize(room.boundedTo(QSize(1280, 800).expandedTo(room * 0.9)));
    toasts->setStage(m_areas);
    connect(&pages, &WorkspaceStack::shown, toasts,
            [this, toasts](QWidget* page) { toasts->setStage(page ? page : m_areas); });
    m_navigator->setFront([this, &pages](QWidget& control) {
        pages.reveal(control);
        m_workbench->endAlone(control);
    });
    addPruningToast(context, *toasts);
    addReferenceToast(context.reference, *toasts);
    buildParts();
    for (const char* summary : {"summaryCard", "imageStatus"})
        if (auto* part = m_mainTabs->findChild<QWidget*>(QLatin1String(summary)))
            toasts->keepClear(part);
    buildStatusBar();
    m_tools = new ToolPages(
        context, {*m_mainTabs->simplex(), *m_navigator, *m_files, *m_papers, *m_studyPanel, *m_notifier, pages}, *this);
    buildMenus();
    connectParts();
    buildWorkspaces();
    orderStops(m_runBar, m_studyPanel, middle, *m_workbench);
    labelBoxes(*this);
    m_binder->start();
    context.runs.load();
    m_autosave = new Autosave(
        context.document, [&opener = context.opener] { return opener.shownFile(); }, this);
    m_recoveryPrompt = new RecoveryPrompt(context, *m_notifier, this);
    m_mainTabs->predictions()->picture()->chartView()->setFocus();
}

void MainWindow::buildArrangements()
{
    m_arrangements = new Arrangements(
        *m_workbench, *m_notifier,
        [this](const QString& workspace) {
        m_lecture->setOn(false);
        enterWorkspace(workspace);
        if (const auto& experiment = session().run().experiment)
            followRun(*experiment);   // the workspace may not apply to it
        },
        this);
}

void MainWindow::buildStatusBar()
{
    auto* speed = new SpeedControl(m_context.session, statusBar());
    statusBar()->addPermanentWidget(speed);
    static_cast<StatusLine*>(statusBar())->letGiveWay(speed);
    new QueueStatus(m_context, *m_notifier, statusBar());
    new RunStatus(m_context, *m_notifier, statusBar());
    showSaving(m_context.runs.writer(), statusBar());
}

MainWindow::~MainWindow()
{
    hideDialogsOf(*this);
    hide();
}

void MainWindow::buildParts()
{
    using Place    = Workbench::Place;
    m_studyPanel   = new StudyPanel(m_context, *m_notifier, this);
    m_input        = new InputDock(m_context, *m_binder, m_mainTabs->logitSource(), m_mainTabs->ranking(),
                                   m_mainTabs->changedRow(), this);
    m_training     = new TrainingDock(m_context, *m_binder, *m_mainTabs, this);
    const auto add = [this](const char* name, const QString& title, const char* icon, QWidget* content, Place place) {
        return m_workbench->add(QLatin1String(name), title, QLatin1String(icon), content, place);
    };
    add("studyDock", tr("Study"), "part-data", m_studyPanel, Place::study);
    add("inputDock", tr("Selected input"), "part-input", m_input, Place::inspector);
    add("layersDock", tr("Layers"), "part-layers", new LayersDock(m_context, *m_binder, *m_notifier, this),
        Place::inspector);
    add("weightsDock", tr("Weights"), "part-weights", new WeightsDock(m_context, *m_binder, this), Place::inspector);
    add("trainingDock", tr("Training and scores"), "part-training", m_training, Place::drawer);
    auto* runs = new RunList(m_context, m_mainTabs->comparison(), *m_notifier, this);
    add("runsDock", tr("Runs"), "part-runs", runs, Place::inspector);
    auto* findings = new FindingsPanel(m_context.linting, m_context.document, this);
    add("findingsDock", tr("Findings"), "warning", findings, Place::drawer);
    connect(new FindingsStatus(m_context.linting, statusBar()), &FindingsStatus::clicked, this, [this, findings] {
        m_navigator->reveal(*findings);
        findings->takeFocus();
    });
    new SummaryCard(m_context, *findings, *m_navigator, *m_mainTabs->predictions());
    connect(findings, &FindingsPanel::notified, m_notifier, &Notifier::notify);
    connect(findings, &FindingsPanel::refused, this, [this](const QString& sentence) { m_notifier->keep(sentence); });
    m_context.unfinished.add(this, {[&job = m_context.exports] {
                                 return job.busy() ? tr("An export is in progress: %1 of %2 figures are finished.")
                                                         .arg(job.made())
                                                         .arg(job.wanted())
                                                   : QString();
                             }});
    m_context.unfinished.add(this, {[this] { return trainingInProgress(); }, [this] { session().discard(); }});
    m_figures->setFindings([this] { return findingsChapter(m_context.linting); });
    connect(findings, &FindingsPanel::viewWanted, this, [this](const QString& view) { m_navigator->show(view); });
    connect(m_mainTabs->simplex(), &SimplexWorkbench::variantChanged, &m_context.linting, &Linting::lookAgain);
    m_lessons = new LessonGuide({*this, m_context, *m_studyPanel, *m_navigator}, this);
    connect(m_lecture, &LectureMode::lessonStepWanted, m_lessons, &LessonGuide::showNextStep);
    m_lessons->setPart(*add("lessonDock", tr("Lesson"), "workspace-learn", m_lessons->panel(), Place::lesson));
    auto* runsTable = new RunsPanel(m_context, runs->compareAction(), *m_notifier, this);
    add("runsTableDock", tr("Table of runs"), "table", runsTable, Place::drawer);
    connect(runs, &RunList::tableRequested, this, [this, runsTable] {
        m_navigator->reveal(*runsTable);
        runsTable->setFocus();
    });
    constexpr int lowScreen    = 780;   // pixels at 100 % text: the inspector has room for the input and the runs only
    constexpr int lowestScreen = 640;   // for the input only
    const int height           = screen()->availableSize().height();
    QStringList folded{QStringLiteral("weightsDock")};
    if (height < withFont(lowScreen))
        folded += QStringLiteral("layersDock");
    if (height < withFont(lowestScreen))
        folded += QStringLiteral("runsDock");
    m_workbench->fold(folded);
    m_workbench->arrange();
    m_workbench->setAreas(*m_areas);
    // Views that no part of the window names are appended to the others of their kind.
    for (const auto* view : m_binder->withoutPlace()) {
        auto* area = view->needs_input ? m_input->views() : static_cast<ViewArea*>(m_training);
        area->add(view->id, toQString(view->title));
    }
}

/// Connects the requests of one part to another.
void MainWindow::connectParts()
{
    connect(m_input, &InputDock::imagesShown, m_workbench, &Workbench::setImages);
    connect(m_input, &InputDock::tableShown, m_workbench, &Workbench::setTable);
    connect(m_input, &InputDock::failed, m_notifier, [this](const QString& sentence) { m_notifier->keep(sentence); });
    connect(&m_context.selection, &Selection::listedChanged, this, [this] {
        if (!m_context.selection.listed().rows.empty())
            m_navigator->show(QStringLiteral("test_rows"));
    });
    connect(m_input, &InputDock::rowsRequested, this, [this] { m_navigator->show(QStringLiteral("test_rows")); });
    connect(m_studyPanel, &StudyPanel::importRequested, m_files, [this] { m_files->importTable(); });
    connect(m_studyPanel, &StudyPanel::dataSetsRequested, m_tools,
            [this] { m_tools->show(ToolPages::Tool::data_sets); });
    auto& reference = m_context.reference;
    connect(m_studyPanel, &StudyPanel::comparisonRequested, this, [this, &reference](const QString& id) {
        reference.begin(credence::comparison(id.toStdString()));
        if (reference.active())
            m_navigator->show({});   // the predictions, where the runs are seen at work
    });
    connect(&reference, &ReferenceComparison::notified, m_notifier, &Notifier::notify);
    connect(&reference, &ReferenceComparison::warned, m_notifier,
            [this](const QString& sentence) { m_notifier->keep(sentence); });
    connect(&reference, &ReferenceComparison::finished, this, [this](bool shown) {
        if (shown)
            m_navigator->show(QStringLiteral("compare_truth"));
    });
    connect(m_runBar, &RunBar::refused, m_notifier,
            [this](const QString& mistake) { m_notifier->keep(tr("Not started. %1").arg(mistake)); });
    connect(m_runBar, &RunBar::continueWanted, &m_context.opener, &RunOpener::continueShown);
    connect(m_runBar, &RunBar::used, m_workbench, &Workbench::showAllEntries);
    connect(m_runBar, &RunBar::finishedAlready, this, &MainWindow::offerMoreTraining);
    connect(m_runBar->quickAction(), &QAction::triggered, this, [this] {
        if (const QString mistake = m_context.document.commit(); mistake.isEmpty())
            askQuickComparison(m_context, this);
        else
            Q_EMIT m_runBar->refused(mistake);
    });
    connect(&m_context.quick, &QuickTraining::finished, this, &MainWindow::showQuickComparison);
    connect(m_binder, &ViewBinder::exportRequested, m_figures, [this](const QString& view) {
        m_context.document.commit();   // as for the entries of the menu
        m_figures->ask(view);
    });
    connect(&m_mainTabs->pictures(), &OwnPictures::studyDropped, this, &MainWindow::openFile);
    connectFiles();
}

/// Connects what opens files: Studies, links, logits and predictions.
void MainWindow::connectFiles()
{
    connect(m_files, &StudyFiles::linkRead, m_links, [this](const credence::PictureLink& link, const QString& file) {
        m_links->open(link, tr("Open %1").arg(QFileInfo(file).fileName()));
        m_files->remember(file);
    });
    connect(m_links, &LinkFiles::runWanted, m_files, qOverload<const QString&>(&StudyFiles::open));
    connect(m_links, &LinkFiles::studyWanted, m_studyPanel, &StudyPanel::chooseStudy);
    connect(m_links, &LinkFiles::quantityWanted, m_mainTabs->predictions(), &PredictionArea::setQuantity);
    connect(m_links, &LinkFiles::viewWanted, m_papers, &PaperRuns::viewWanted);
    connect(m_files, &StudyFiles::logitsOpened, m_tools, &ToolPages::openLogits);
    connect(m_files, &StudyFiles::arraysOpened, m_outputs, &OutputsFiles::openByArrays);
    connect(m_studyPanel, &StudyPanel::oodRequested, m_outputs, &OutputsFiles::askOod);
    connect(m_files, &StudyFiles::outputsWanted, m_outputs, &OutputsFiles::open);
    connect(m_outputs, &OutputsFiles::logitsFound, m_tools, &ToolPages::openLogits);
    connect(m_outputs, &OutputsFiles::opened, m_files, &StudyFiles::remember);
    connect(m_outputs, &OutputsFiles::helpRequested, m_help, [this] { m_help->openTopic(QStringLiteral("outputs")); });
    const auto refreshTitle = [this] {
        setWindowTitle(tr("%1[*] — Credence").arg(m_files->title()));
        setWindowModified(m_context.document.modified() && !m_context.session.displaysSaved());
    };
    connect(m_files, &StudyFiles::titleChanged, this, refreshTitle);
    refreshTitle();
}

ViewPanel* MainWindow::panel(const QString& view) const { return m_navigator->panel(view); }

ImageWorkbench* MainWindow::imageWorkbench() const { return m_input->workbench(); }

bool MainWindow::busy() const { return m_navigator->busy(); }

QString MainWindow::message() const { return m_notifier->kept(); }

void MainWindow::openFile(const QString& file)
{
    m_workbench->pages().showStage();
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
            m_recoveryPrompt->askAboutRestored(*state);
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
    m_notifier->note(
        tr("Unsaved changes in other windows: %1. File › Unsaved Studies lists them.")
            .arg(names.join(QStringLiteral(", "))),
        {{tr("Open %1").arg(found.front().name()), [this, document = found.front()] { m_files->resume(document); }}});
}

void MainWindow::saveLayout()
{
    const QByteArray parts = QJsonDocument(m_workbench->state()).toJson(QJsonDocument::Compact);
    const QByteArray now   = saveGeometry() + parts;
    if (std::exchange(m_savedLayout, now) == now)
        return;
    write(settings::layout, settings::layoutVersion);
    write(settings::geometry, saveGeometry());
    write(settings::workbench, parts);
}

void MainWindow::restoreLayout()
{
    m_mainTabs->predictions()->restoreQuantity();
    findChild<SpeedControl*>()->restore();
    if (read(settings::layout) != settings::layoutVersion)
        return;   // none yet, or one of another version
    restoreGeometry(read(settings::geometry));
    m_workbench->restore(QJsonDocument::fromJson(read(settings::workbench)).object());
}

void MainWindow::saveLayoutOften()
{
    auto* often = new QTimer(this);
    connect(often, &QTimer::timeout, this, [this] { saveLayout(); });
    often->start(10000);   // milliseconds
}

/// A sentence for the quit question; empty: nothing is in training.
QString MainWindow::trainingInProgress() const
{
    const auto& run = m_context.session.currentRun().training();
    if (!m_context.session.active())
        return {};
    return tr("%1 is in training: step %2 of %3.")
        .arg(toQString(run.experiment->study.name), toQString(run.newest->point.step),
             toQString(credence::steps_of(run.experiment->study)));
}

/// The ticked runs side by side, in the workspace Compare; offered only while another page is in front.
void MainWindow::showQuickComparison(int ticked)
{
    if (ticked < 2)
        return m_notifier->notify(tr("Quick comparison: fewer than two runs have finished."));
    const auto compare = [this] {
        enterWorkspace(QStringLiteral("compare"));
        findChild<RunList*>()->compareAction().setChecked(true);
    };
    if (!m_workbench->pages().page())
        return compare();
    m_notifier->note(tr("The quick comparison has finished: %1 runs are ticked.").arg(ticked),
                     {{tr("Compare"), compare}});
}

/// The run is complete, and the same Study would reproduce it.
void MainWindow::offerMoreTraining()
{
    std::vector<Toasts::Offer> offers{{tr("New seed"), [this] { m_runBar->newSeed(); }}};
    auto longer = session().study();
    longer.training.steps *= 2;
    if (credence::steps_of(longer) > credence::steps_of(session().study()))   // chains count otherwise
        offers.push_back({tr("Train twice as long"), [this, longer] {
                              m_context.document.editSettings(longer);
                              session().train();
                          }});
    m_notifier->note(tr("This run is complete. The same Study with the same seed would give the same numbers again."),
                     offers, Toasts::Until::next_step);
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
    if (!m_mayClose && !m_context.unfinished.sentences().isEmpty()) {
        event->ignore();
        askToQuit(m_context.unfinished, this, [this] {
            m_mayClose = true;
            close();
        });
        return;
    }
    m_lecture->setOn(false);   // the layout that is remembered is the other one
    saveLayout();
    m_context.queue.clear();    // else the end of the run would start the next
    m_context.session.stop();   // a run in progress is saved with the steps that it has made
    m_autosave->close();
    hideDialogsOf(*this);
    event->accept();
}

int runWindow(QApplication& application, const QString& fileToOpen, const QString& theme,
              const credence::PictureLink* link)
{
    Q_INIT_RESOURCE(app);
    useDecimalPoints(application);
    QCoreApplication::setApplicationName(
        QStringLiteral("org.credence.Credence"));   // the class of the window under X11
    QGuiApplication::setApplicationDisplayName(QStringLiteral("Credence"));
    QCoreApplication::setApplicationVersion(QStringLiteral(CREDENCE_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.credence.Credence"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/org.credence.Credence.svg")));
    applyTheme(themeNamed(theme.isEmpty() ? read(settings::theme) : theme));
    applyTextSize(read(settings::textSize));
    AppContext context;
    MainWindow window(context);
    window.restoreLayout();
    window.show();
    if (!link && fileToOpen.isEmpty()) {
        window.greet();
        window.restoreSession();
    } else {
        window.leaveSession();
        link ? window.openLink(*link) : window.openFile(fileToOpen);
    }
    return QApplication::exec();
}
