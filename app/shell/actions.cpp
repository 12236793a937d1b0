// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/link_files.h"
#include "document/study_files.h"
#include "images/own_pictures.h"
#include "imports/outputs_files.h"
#include "imports/predict_dialog.h"
#include "lessons/lesson_guide.h"
#include "parts/appearance.h"
#include "parts/area_splits.h"
#include "parts/help_window.h"
#include "parts/icons.h"
#include "parts/keyboard.h"
#include "parts/notifier.h"
#include "parts/palette.h"
#include "parts/view_area.h"
#include "parts/view_panel.h"
#include "parts/window_part.h"
#include "parts/workbench.h"
#include "parts/workspace_stack.h"
#include "runs/comparison.h"
#include "runs/recovery_prompt.h"
#include "runs/run_bar.h"
#include "runs/run_status.h"
#include "session/document/study_document.h"
#include "session/settings.h"
#include "shell/arrangements.h"
#include "shell/lecture_mode.h"
#include "shell/main_window.h"
#include "shell/tool_pages.h"
#include "study/presets.h"
#include "study/study_panel.h"
#include "views/figure_export.h"
#include "views/main_tabs.h"
#include "views/training_dock.h"
#include "views/view_navigator.h"
#include "views/views.h"
#include "work/text.h"

#include <QActionGroup>
#include <QApplication>
#include <QCursor>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>

#include <functional>

using namespace credence;

namespace {

using Keys = QList<QKeySequence>;

struct MenuEntry {
    QString text;   ///< empty: a separator
    Keys keys{};
    std::function<void()> act{};
    const char* name = "";   ///< object name, for lessons and tests
    QString tip{};
    bool everywhere = false;   ///< also while a page is in front
};

/// Adds menu entries. Typed values are committed before an entry acts. @return  the last entry
QAction* addEntries(QMenu* menu, const StudyDocument& document, std::initializer_list<MenuEntry> entries)
{
    QAction* action = nullptr;
    for (const auto& entry : entries) {
        if (entry.text.isEmpty()) {
            menu->addSeparator();
            continue;
        }
        action = menu->addAction(entry.text, menu, [&document, act = entry.act] {
            document.commit();
            act();
        });
        action->setShortcuts(entry.keys);
        action->setObjectName(QLatin1String(entry.name));
        action->setProperty(keysEverywhere, entry.everywhere);
        if (!entry.tip.isEmpty()) {
            action->setToolTip(entry.tip);
            menu->setToolTipsVisible(true);
        }
    }
    return action;
}

/// Returns the desktop's standard key, or ours if there is none.
Keys standardOr(QKeySequence::StandardKey key, QKeyCombination ours)
{
    const auto keys = QKeySequence::keyBindings(key);
    return keys.isEmpty() ? Keys{ours} : keys;
}

void addPresets(QMenu* menu, StudyPanel* panel)
{
    menu->setProperty(commandGroup, QMenu::tr("Presets"));
    for (const auto group : preset_groups) {
        auto* submenu = menu->addMenu(toQString(title_of(group)));
        submenu->setToolTipsVisible(true);
        for (const auto& preset : presets())
            if (group_of(preset.study) == group)
                submenu
                    ->addAction(toQString(preset.study.name), panel,
                                [panel, id = toQString(preset.id)] { panel->choosePreset(id); })
                    ->setToolTip(toQString(preset.study.note));
    }
}

/// Comparisons of methods with the reference posterior.
void addComparisons(QMenu* menu, StudyPanel* panel)
{
    menu->setToolTipsVisible(true);
    for (const auto& one : comparisons()) {
        auto* action = menu->addAction(toQString(one.title), panel,
                                       [panel, id = toQString(one.id)] { Q_EMIT panel->comparisonRequested(id); });
        action->setObjectName("compare/" + toQString(one.id));
        action->setToolTip(toQString(one.help));
    }
}

void addThemes(QMenu* menu)
{
    auto* group = new QActionGroup(menu);
    for (const auto& [name, title] : {std::pair{QStringLiteral("desktop"), QMenu::tr("&Follow the desktop")},
                                      {QStringLiteral("light"), QMenu::tr("&Light")},
                                      {QStringLiteral("dark"), QMenu::tr("&Dark")}}) {
        auto* action = menu->addAction(title, menu, [name = name] {
            write(settings::theme, name);
            applyTheme(themeNamed(name));
        });
        action->setObjectName("theme/" + name);
        action->setCheckable(true);
        action->setChecked(nameOf(themeNamed(read(settings::theme))) == name);
        group->addAction(action);
    }
}

void addTextSizes(QMenu* menu, const StudyDocument& document, const std::function<void(const QString&)>& notify)
{
    const auto change = [notify](int percent) {
        const int now = applyTextSize(percent);
        write(settings::textSize, now);
        notify(QMenu::tr("Text size: %1 %").arg(now));
    };
    addEntries(menu, document,
               {{QMenu::tr("&Larger"),
                 {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal},
                 [change] { change(textSize() + textStep); },
                 "textLarger"},
                {QMenu::tr("&Smaller"),
                 {Qt::CTRL | Qt::Key_Minus},
                 [change] { change(textSize() - textStep); },
                 "textSmaller"},
                {QMenu::tr("&Default"), {Qt::CTRL | Qt::Key_0}, [change] { change(usualText); }, "textUsual"}});
}

void showAbout(QWidget* window)
{
    auto* about = new QMessageBox(window);
    about->setAttribute(Qt::WA_DeleteOnClose);
    about->setObjectName(QStringLiteral("about"));
    about->setWindowTitle(QMenu::tr("About Credence"));
    about->setIconPixmap(window->windowIcon().pixmap(64));
    about->setText(QMenu::tr("<h3>Credence %1</h3><p>Explore Bayesian neural networks interactively.</p><p>Free "
                             "software under the GNU General Public License, version 3 or later.</p>")
                       .arg(QCoreApplication::applicationVersion()));
    about->open();
}

}   // namespace

void MainWindow::buildMenus()
{
    buildFileMenu();
    buildEditMenu();
    buildRunMenu();
    buildViewMenu();
    auto* tools = menuBar()->addMenu(tr("&Tools"));
    tools->setProperty(keysEverywhere, true);
    const auto page = [this](ToolPages::Tool which) { return [this, which] { m_tools->show(which); }; };
    using Tool      = ToolPages::Tool;
    addEntries(tools, m_context.document,
               {{tr("Laplace Bridge against &sampling…"),
                 {Qt::CTRL | Qt::Key_B},
                 page(Tool::bridge_sampling),
                 "bridgeSamplingAction"},
                {tr("&Double well…"), {Qt::CTRL | Qt::Key_D}, page(Tool::double_well), "doubleWellAction"},
                {tr("&Bandit…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_B}, page(Tool::bandit), "banditAction"},
                {tr("&Active learning…"), {}, page(Tool::active_learning), "activeLearningAction"},
                {tr("S&weep…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_W}, page(Tool::sweep), "sweepAction"}});
    buildHelpMenu();

    m_help->setShortcuts(keyLines(*menuBar()));
    // A menu does not take the focus from a field, and its shortcuts must not either
    for (const auto* menu : menuBar()->actions()) {
        connect(menu->menu(), &QMenu::aboutToShow, this, [this] { m_context.document.commit(); });
        connect(menu->menu(), &QMenu::triggered, m_workbench, [this](const QAction* action) {
            if (!worksEverywhere(*action))
                m_workbench->pages().showStage();   // shows the Study, which the entry concerns
        });
    }
}

void MainWindow::buildFileMenu()
{
    const auto& document = m_context.document;
    auto* file           = menuBar()->addMenu(tr("&File"));
    addPresets(file->addMenu(tr("Ne&w from preset")), m_studyPanel);
    addEntries(file, document,
               {{tr("&New…"),
                 {Qt::CTRL | Qt::Key_N},
                 [this] { showStart(true); },
                 "choosePreset",
                 tr("Show the start page: the example, your own data, all presets and recent documents"),
                 true},
                {tr("&Open…"), QKeySequence::keyBindings(QKeySequence::Open), [this] { m_files->open(); }},
                {tr("O&pen lesson…"), {}, [this] { m_lessons->ask(); }, "openLessonAction"}});
    auto* recent = file->addMenu(tr("Recen&t files"));
    recent->setProperty(commandsElsewhere, true);
    connect(recent, &QMenu::aboutToShow, m_files, [this, recent] { m_files->fillRecent(recent); });
    auto* unsaved = file->addMenu(tr("Unsa&ved Studies"));
    unsaved->setObjectName(QStringLiteral("unsavedStudies"));
    connect(unsaved, &QMenu::aboutToShow, m_files, [this, unsaved] { m_files->fillUnsaved(unsaved); });
    const auto saveLink = [this] {
        const auto* clicked = ViewPanel::around(focusWidget());
        m_links->save(clicked ? toQString(clicked->view().id) : m_navigator->current());
    };
    addEntries(
        file, document,
        {{},
         {tr("&Save Study"), QKeySequence::keyBindings(QKeySequence::Save), [this] { m_files->save(false); }},
         {tr("Save Study &as…"), standardOr(QKeySequence::SaveAs, Qt::CTRL | Qt::SHIFT | Qt::Key_S),
          [this] { m_files->save(true); }, "saveStudyAs"},
         {tr("Save lin&k…"),
          {Qt::CTRL | Qt::SHIFT | Qt::Key_K},
          saveLink,
          "saveLink",
          tr("Save a small file that opens this view with its run, step and selected input, for slides or students")},
         {}});
    addDataEntries(file);
    auto* exports = exportMenu();
    file->addMenu(exports);
    m_runBar->addExport(exports);
    addEntries(file, document,
               {{}, {tr("&Quit"), standardOr(QKeySequence::Quit, Qt::CTRL | Qt::Key_Q), [this] { close(); }}})
        ->setProperty(keysEverywhere, true);
}

/// The entries that open tables, predictions, logits and data sets.
void MainWindow::addDataEntries(QMenu* file)
{
    const auto& document = m_context.document;
    auto* ood            = addEntries(
                   file, document,
                   {{tr("&Import table…"), {Qt::CTRL | Qt::Key_I}, [this] { m_files->importTable(); }},
                    {tr("Paste table…"),
                     {},
                     [this] { m_files->pasteTable(); },
                     "pasteTable",
                     tr("Import the table in the clipboard, for example cells copied from a spreadsheet")},
                    {tr("Predict a table…"),
                     {},
                     [this] { PredictDialog::ask(m_context.session.run().current(), this); },
                     "predictTableAction"},
                    {tr("Open p&redictions…"),
                     {Qt::CTRL | Qt::Key_U},
                     [this] { m_outputs->ask(); },
                     "openOutputsAction",
                     tr("Open sampled class probabilities or logits of a PyTorch, JAX or R network, saved by NumPy")},
                    {tr("Open predictions &for OOD data…"),
                     {},
                     [this] { m_outputs->askOod(); },
                     "openForeignAction",
                     tr("Open predictions of the same network for out-of-distribution (OOD) inputs, to compare with "
                                   "the "
                                   "displayed ones")}});
    ood->setEnabled(false);
    connect(m_outputs, &OutputsFiles::currentRun, ood, &QAction::setEnabled);
    followTable(file->findChild<QAction*>(QStringLiteral("predictTableAction")));
    addEntries(file, document,
               {{tr("Open &logits…"),
                 {Qt::CTRL | Qt::SHIFT | Qt::Key_O},
                 [this] { m_files->openLogits(); },
                 "openLogitsAction"},
                {tr("&Data sets…"),
                 {Qt::CTRL | Qt::SHIFT | Qt::Key_I},
                 [this] { m_tools->show(ToolPages::Tool::data_sets); },
                 "dataSetsAction",
                 {},
                 true}});
}

/// Enables predictions of new rows while the displayed run can predict a table.
void MainWindow::followTable(QAction* predict)
{
    const auto refresh = [this, predict] {
        const QString why = PredictDialog::whyNot(m_context.session.run());
        predict->setEnabled(why.isEmpty());
        predict->setToolTip(why.isEmpty() ? tr("Predict the rows of a new table with the displayed run and write them "
                                               "to a file")
                                          : why);
    };
    for (const auto signal : {&Session::recordedChanged, &Session::snapshotChanged, &Session::stateChanged})
        connect(&m_context.session, signal, predict, refresh);
    refresh();
}

QMenu* MainWindow::exportMenu()
{
    auto* menu = new QMenu(tr("&Export"), this);
    addEntries(menu, m_context.document,
               {{tr("&Figure…"), {Qt::CTRL | Qt::Key_E}, [this] { m_figures->ask(m_navigator->current()); }},
                {tr("&All figures…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_E}, [this] { m_figures->ask({}); }, "exportAll"},
                {tr("Figures of &ticked runs…"),
                 {},
                 [this] { m_figures->askForTicked(m_navigator->current()); },
                 "exportTicked"},
                {tr("&Report…"), {Qt::CTRL | Qt::ALT | Qt::Key_E}, [this] { m_figures->askReport(); }},
                {tr("Fil&m of the run…"), {}, [this] { m_figures->askFilm(m_navigator->current()); }, "exportFilm"},
                {tr("&Predictions…"), {}, [this] { m_files->exportOutputs(); }, "exportOutputs"}});
    auto* repeat = addEntries(
        menu, m_context.document,
        {{},
         {m_figures->repeatText(),
          {Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_E},
          [this] { m_figures->repeat(); },
          "repeatExport",
          tr("Write the same figures of the displayed run in the same formats, size and folder")}});
    repeat->setEnabled(false);
    connect(m_figures, &FigureExport::repeatChanged, repeat, [this, repeat] {
        repeat->setText(m_figures->repeatText());
        repeat->setEnabled(m_figures->canRepeat());
    });
    followRecorded(menu->findChild<QAction*>(QStringLiteral("exportFilm")));
    return menu;
}

/// Enables the film of the run while the displayed run has recorded steps.
void MainWindow::followRecorded(QAction* film)
{
    const auto refresh = [this, film] {
        const QString why = m_figures->whyNoFilm();
        film->setEnabled(why.isEmpty());
        film->setToolTip(why.isEmpty() ? tr("Animate a view over the recorded steps of training") : why);
    };
    for (const auto signal : {&Session::recordedChanged, &Session::snapshotChanged, &Session::stateChanged})
        connect(&m_context.session, signal, film, refresh);
    refresh();
}

void MainWindow::buildEditMenu()
{
    auto* edit = menuBar()->addMenu(tr("&Edit"));
    auto* undo = m_context.document.undo().createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));   // the desktop's alternative key, F14, is on no keyboard
    auto* redo = m_context.document.undo().createRedoAction(this, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    for (const auto& [action, name] : {std::pair{undo, QStringLiteral("undo")}, {redo, QStringLiteral("redo")}}) {
        action->setObjectName(name);
        action->setIcon(icon(name));
        edit->addAction(action);
    }
    auto* pictures = &m_mainTabs->pictures();
    addEntries(
        edit, m_context.document,
        {{},
         {tr("&Search…"),
          {Qt::CTRL | Qt::Key_K},
          [this] { search(); },
          "searchAction",
          tr("Search actions, views, workspaces, settings, presets, saved runs, recent documents, lessons and help"),
          true},
         {},
         {tr("&Copy figure"), {Qt::CTRL | Qt::SHIFT | Qt::Key_C}, [this] { m_navigator->copyCurrent(); }},
         {tr("&Paste image as input"), {Qt::CTRL | Qt::Key_V}, [pictures] { pictures->paste(); }, "pastePicture"},
         {},
         {tr("Choose image as &input…"), {}, [pictures] { pictures->askForPicture(); }, "choosePicture"},
         {tr("Choose &folder of images…"), {}, [pictures] { pictures->askForFolder(); }, "choosePictures"}});
}

void MainWindow::buildRunMenu()
{
    auto* run = menuBar()->addMenu(tr("&Run"));
    run->addActions({m_runBar->trainAction(), m_runBar->stopAction(), m_runBar->stepAction(), m_runBar->restartAction(),
                     m_runBar->newSeedAction(), m_runBar->quickAction()});
    auto& interrupted    = m_context.interrupted;
    auto* continueAction = addEntries(
        run, m_context.document,
        {{tr("Continue &interrupted run"),
          {},
          [this, &interrupted] { interrupted.byOtherBuild() ? m_recoveryPrompt->ask() : interrupted.continueNewest(); },
          "goOnInterrupted",
          tr("Continue a run that was interrupted when the program ended; it loses at most a minute of work "
             "and gives the same numbers as an uninterrupted run")}});
    const auto refresh = [this, continueAction] {
        continueAction->setEnabled(m_context.interrupted.any() && !m_context.session.active());
    };
    connect(&interrupted, &InterruptedRuns::changed, continueAction, refresh);
    connect(&m_context.session, &Session::stateChanged, continueAction, refresh);
    refresh();
    addEntries(run, m_context.document,
               {{},
                {tr("Pre&vious recorded step"), {Qt::ALT | Qt::Key_Left}, [this] { m_timeMachine->move(-1); }},
                {tr("Ne&xt recorded step"), {Qt::ALT | Qt::Key_Right}, [this] { m_timeMachine->move(1); }}});
    run->addMenu(statusBar()->findChild<SpeedControl*>()->menu());
    run->addSeparator();
    addComparisons(run->addMenu(tr("Compare wit&h reference")), m_studyPanel);
}

void MainWindow::buildViewMenu()
{
    const auto& document = m_context.document;
    auto* view           = menuBar()->addMenu(tr("&View"));
    int number           = 1;
    for (const auto* part : m_workbench->parts()) {
        if (number <= 9)   // there is no digit after 9
            part->toggle()->setShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number++)));
        view->addAction(part->toggle());
    }
    view->addSeparator();
    addEntries(view, document,
               {{tr("Test-ro&w table"),
                 {Qt::CTRL | Qt::Key_T},
                 [this] { m_navigator->show(QStringLiteral("test_rows")); },
                 "testRowsAction"}});
    auto* themes = view->addMenu(tr("&Theme"));
    themes->setProperty(keysEverywhere, true);
    addThemes(themes);
    auto* textSizes = view->addMenu(tr("Te&xt size"));
    textSizes->setProperty(keysEverywhere, true);
    addTextSizes(textSizes, document, [this](const QString& words) { m_notifier->notify(words); });
    addEntries(view, document,
               {{tr("F&ull screen"),
                 {Qt::Key_F11},
                 [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); },
                 "fullScreen",
                 {},
                 true}});
    auto* lecture = view->addMenu(tr("&Lecture"));
    lecture->setProperty(keysEverywhere, true);
    m_lecture->fill(lecture);
    addAreaEntries(view->addMenu(tr("Area&s")));
    const auto alone = [this] {
        auto* under = QApplication::widgetAt(QCursor::pos());
        m_workbench->toggleAlone(under && under->window() == this ? under : focusWidget());
    };
    addEntries(view, document,
               {{tr("&Only this area"),
                 {Qt::Key_F12},
                 alone,
                 "onePartAlone",
                 tr("Show only the area or part of the window under the pointer; do it again to show all of them")},
                {tr("Show &all parts"), {}, [this] { m_workbench->openAll(); }, "showAllParts"}});
    m_arrangements->fill(view->addMenu(tr("Arran&gements")), [this] {
        m_lecture->setOn(false);
        m_workbench->reset();
    });
}

ViewArea& MainWindow::areaInUse() const
{
    for (auto* around = focusWidget(); around; around = around->parentWidget())
        if (auto* area = qobject_cast<ViewArea*>(around))
            return *area;
    return *m_mainTabs;
}

void MainWindow::addAreaEntries(QMenu* menu)
{
    const auto splits = [this](Qt::Orientation orientation) {
        return [this, orientation] { Q_EMIT m_areas->areaAround(&areaInUse()).splitRequested(orientation); };
    };
    addEntries(menu, m_context.document,
               {{tr("Split &right"), {Qt::CTRL | Qt::ALT | Qt::Key_R}, splits(Qt::Horizontal), "splitRight"},
                {tr("Split &below"), {Qt::CTRL | Qt::ALT | Qt::Key_B}, splits(Qt::Vertical), "splitBelow"},
                {tr("&Close this half"),
                 {Qt::CTRL | Qt::ALT | Qt::Key_W},
                 [this] { m_areas->close(m_areas->areaAround(&areaInUse())); },
                 "closeHalf"},
                {tr("Open in its own &window"),
                 {Qt::CTRL | Qt::ALT | Qt::Key_N},
                 [this] { areaInUse().openWindow(); },
                 "areaWindow"}});
}

void MainWindow::buildHelpMenu()
{
    auto* help = menuBar()->addMenu(tr("&Help"));
    help->setProperty(keysEverywhere, true);
    const auto topic = [this](const char* name) { return [this, name] { m_help->openTopic(QLatin1String(name)); }; };
    addEntries(
        help, m_context.document,
        {{tr("&Getting started"), {Qt::Key_F1}, topic("getting_started")},
         {tr("The &views"), {}, topic("views")},
         {tr("&Imported predictions"), {}, topic("outputs")},
         {tr("The linte&r"), {}, topic("linter")},
         {tr("G&lossary"), {}, topic("glossary")},
         {tr("&Keys"), {QKeySequence(QStringLiteral("Ctrl+?")), QKeySequence(QStringLiteral("Ctrl+/"))}, topic("keys")},
         {},
         {tr("Le&ssons…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_L}, [this] { m_lessons->showList(); }, "lessonsAction"},
         {tr("&Papers…"),
          {Qt::CTRL | Qt::SHIFT | Qt::Key_P},
          [this] { m_tools->show(ToolPages::Tool::papers); },
          "papersAction"},
         {tr("&About Credence"), {}, [this] { showAbout(this); }, "aboutAction"}});
}
