// SPDX-License-Identifier: GPL-3.0-or-later
#include "docks/figure_export.h"
#include "docks/lecture_mode.h"
#include "docks/link_files.h"
#include "docks/main_tabs.h"
#include "docks/notifier.h"
#include "docks/outputs_files.h"
#include "docks/own_pictures.h"
#include "docks/run_bar.h"
#include "docks/speed_control.h"
#include "docks/study_files.h"
#include "docks/study_panel.h"
#include "docks/time_machine.h"
#include "docks/training_dock.h"
#include "docks/what_to_keep.h"
#include "lessons/lesson_guide.h"
#include "parts/appearance.h"
#include "parts/help_window.h"
#include "parts/icons.h"
#include "parts/menu_keys.h"
#include "parts/view_panel.h"
#include "runs/comparison.h"
#include "session/document/study_document.h"
#include "session/settings.h"
#include "study/presets.h"
#include "views/views.h"
#include "window/main_window.h"
#include "window/tool_windows.h"
#include "work/text.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>

#include <functional>

class StudyPanel;

using Keys = QList<QKeySequence>;

/// Returns the desktop's standard key, or ours if there is none.
Keys standardOr(QKeySequence::StandardKey key, QKeyCombination ours);

/// Commits typed values before the action.
template <class Act>
QAction* addEntry(QMenu* menu, const StudyDocument& document, const QString& text, const Keys& keys, Act act,
                  const char* name = "")
{
    auto* action = menu->addAction(text, menu, [&document, act] {
        document.commit();
        act();
    });
    action->setShortcuts(keys);
    action->setObjectName(QLatin1String(name));
    return action;
}

void addPresets(QMenu* menu, StudyPanel* panel);       ///< group by group
void addComparisons(QMenu* menu, StudyPanel* panel);   ///< of methods with the true posterior
void addThemes(QMenu* menu);
/// Larger, smaller and default text, each with its key.
void addTextSizes(QMenu* menu, const StudyDocument& document, const std::function<void(const QString&)>& notify);
void showAbout(QWidget* window);

using namespace credence;

Keys standardOr(QKeySequence::StandardKey key, QKeyCombination ours)
{
    const auto keys = QKeySequence::keyBindings(key);
    return keys.isEmpty() ? Keys{ours} : keys;
}

void addPresets(QMenu* menu, StudyPanel* panel)
{
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
            applyTheme(*qApp, themeNamed(name));
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
    addEntry(
        menu, document, QMenu::tr("&Larger"), {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal},
        [change] { change(textSize() + textStep); }, "textLarger");
    addEntry(
        menu, document, QMenu::tr("&Smaller"), {Qt::CTRL | Qt::Key_Minus}, [change] { change(textSize() - textStep); },
        "textSmaller");
    addEntry(
        menu, document, QMenu::tr("&Default"), {Qt::CTRL | Qt::Key_0}, [change] { change(usualText); }, "textUsual");
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

// The actions, menu by menu.

void MainWindow::buildMenus()
{
    const auto& document = m_context.document;
    buildFileMenu();

    auto* edit = menuBar()->addMenu(tr("&Edit"));
    auto* undo = m_context.document.undo().createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));   // the desktop's other key, F14, is on no keyboard
    auto* redo = m_context.document.undo().createRedoAction(this, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    for (const auto& [action, name] : {std::pair{undo, QStringLiteral("undo")}, {redo, QStringLiteral("redo")}}) {
        action->setObjectName(name);
        action->setIcon(icon(name));
        edit->addAction(action);
    }
    edit->addSeparator();
    addEntry(edit, document, tr("&Copy figure"), {Qt::CTRL | Qt::SHIFT | Qt::Key_C},
             [this] { m_mainTabs->copyPicture(); });
    auto* pictures = &m_mainTabs->pictures();
    addEntry(
        edit, document, tr("&Paste image as input"), {Qt::CTRL | Qt::Key_V}, [pictures] { pictures->paste(); },
        "pastePicture");
    edit->addSeparator();
    addEntry(
        edit, document, tr("Choose image as &input…"), {}, [pictures] { pictures->askForPicture(); }, "choosePicture");
    addEntry(
        edit, document, tr("Choose &folder of images…"), {}, [pictures] { pictures->askForFolder(); },
        "choosePictures");

    buildRunMenu();
    buildViewMenu();

    auto* tools = menuBar()->addMenu(tr("&Tools"));
    tools->setProperty(keysEverywhere, true);
    addEntry(
        tools, document, tr("Laplace Bridge against &sampling…"), {Qt::CTRL | Qt::Key_B},
        [this] { m_tools->show(ToolWindows::Page::bridge_sampling); }, "bridgeSamplingAction");
    addEntry(
        tools, document, tr("&Double well…"), {Qt::CTRL | Qt::Key_D},
        [this] { m_tools->show(ToolWindows::Page::double_well); }, "doubleWellAction");
    addEntry(
        tools, document, tr("&Bandit…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_B},
        [this] { m_tools->show(ToolWindows::Page::bandit); }, "banditAction");
    addEntry(
        tools, document, tr("S&weep…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_W},
        [this] { m_tools->show(ToolWindows::Page::sweep); }, "sweepAction");

    auto* help = menuBar()->addMenu(tr("&Help"));
    help->setProperty(keysEverywhere, true);
    const auto topic = [this](const char* name) { return [this, name] { m_help->openTopic(QLatin1String(name)); }; };
    addEntry(help, document, tr("&Getting started"), {Qt::Key_F1}, topic("getting_started"));
    addEntry(help, document, tr("The &views"), {}, topic("views"));
    addEntry(help, document, tr("&Imported predictions"), {}, topic("outputs"));
    addEntry(help, document, tr("The linte&r"), {}, topic("linter"));
    addEntry(help, document, tr("G&lossary"), {}, topic("glossary"));
    addEntry(help, document, tr("&Keys"),
             {QKeySequence(QStringLiteral("Ctrl+?")), QKeySequence(QStringLiteral("Ctrl+/"))}, topic("keys"));
    help->addSeparator();
    addEntry(
        help, document, tr("Le&ssons…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_L}, [this] { m_lessons->showList(); },
        "lessonsAction");
    addEntry(
        help, document, tr("&Papers…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_P}, [this] { m_tools->showPapers(); },
        "papersAction");
    addEntry(
        help, document, tr("&About Credence"), {}, [this] { showAbout(this); }, "aboutAction");

    m_help->setShortcuts(keyLines(*menuBar()));
    for (const auto* menu : menuBar()->actions())   // a menu takes no focus from a field, and its keys none either
        connect(menu->menu(), &QMenu::aboutToShow, this, [&document] { document.commit(); });
}

void MainWindow::buildFileMenu()
{
    const auto& document = m_context.document;
    auto* file           = menuBar()->addMenu(tr("&File"));
    addPresets(file->addMenu(tr("&New from preset")), m_studyPanel);
    addEntry(
        file, document, tr("&Choose a preset…"), {Qt::CTRL | Qt::Key_N}, [this] { m_studyPanel->browsePresets(); },
        "choosePreset");
    addEntry(file, document, tr("&Open…"), QKeySequence::keyBindings(QKeySequence::Open), [this] { m_files->open(); });
    addEntry(
        file, document, tr("O&pen lesson…"), {}, [this] { m_lessons->ask(); }, "openLessonAction");
    auto* recent = file->addMenu(tr("Recen&t files"));
    connect(recent, &QMenu::aboutToShow, m_files, [this, recent] { m_files->fillRecent(recent); });
    auto* unsaved = file->addMenu(tr("Unsa&ved studies"));
    unsaved->setObjectName(QStringLiteral("unsavedStudies"));
    connect(unsaved, &QMenu::aboutToShow, m_files, [this, unsaved] { m_files->fillUnsaved(unsaved); });
    file->addSeparator();
    addEntry(file, document, tr("&Save study"), QKeySequence::keyBindings(QKeySequence::Save),
             [this] { m_files->save(false); });
    addEntry(
        file, document, tr("Save study &as…"), standardOr(QKeySequence::SaveAs, Qt::CTRL | Qt::SHIFT | Qt::Key_S),
        [this] { m_files->save(true); }, "saveStudyAs");
    addEntry(
        file, document, tr("Save lin&k…"), {Qt::CTRL | Qt::Key_K},
        [this] {
        const auto* clicked = ViewPanel::around(focusWidget());
        m_links->save(clicked ? toQString(clicked->view().id) : m_mainTabs->viewInFront());
        },
        "saveLink")
        ->setToolTip(
            tr("Save a small file that opens this view with its run, step and selected input, for slides or students"));
    file->addSeparator();
    addEntry(file, document, tr("&Import table…"), {Qt::CTRL | Qt::Key_I}, [this] { m_files->importTable(); });
    addEntry(
        file, document, tr("Open p&redictions…"), {Qt::CTRL | Qt::Key_U}, [this] { m_outputs->ask(); },
        "openOutputsAction")
        ->setToolTip(tr("Open sampled class probabilities or logits of a PyTorch, JAX or R network, saved by NumPy"));
    auto* ood = addEntry(
        file, document, tr("Open predictions &for OOD data…"), {}, [this] { m_outputs->askOod(); },
        "openForeignAction");
    ood->setToolTip(tr("Open predictions of the same network for out-of-distribution (OOD) inputs, to compare with the "
                       "displayed ones"));
    ood->setEnabled(false);
    connect(m_outputs, &OutputsFiles::currentRun, ood, &QAction::setEnabled);
    file->setToolTipsVisible(true);
    addEntry(
        file, document, tr("Open &logits…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_O}, [this] { m_files->openLogits(); },
        "openLogitsAction");
    addEntry(
        file, document, tr("&Data sets…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_I}, [this] { m_tools->showDataSets(); },
        "dataSetsAction");

    auto* exports = new QMenu(tr("&Export"), this);
    addEntry(exports, document, tr("&Figure…"), {Qt::CTRL | Qt::Key_E},
             [this] { m_figures->ask(m_mainTabs->viewInFront()); });
    addEntry(
        exports, document, tr("&All figures…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_E}, [this] { m_figures->ask({}); },
        "exportAll");
    addEntry(
        exports, document, tr("Figures of &ticked runs…"), {},
        [this] { m_figures->askForTicked(m_mainTabs->viewInFront()); }, "exportTicked");
    addEntry(exports, document, tr("&Report…"), {Qt::CTRL | Qt::ALT | Qt::Key_E}, [this] { m_figures->askReport(); });
    addEntry(
        exports, document, tr("&Predictions…"), {}, [this] { m_files->exportOutputs(); }, "exportOutputs");
    file->addMenu(exports);
    m_runBar->addExport(exports);
    file->addSeparator();
    addEntry(file, document, tr("&Quit"), standardOr(QKeySequence::Quit, Qt::CTRL | Qt::Key_Q), [this] {
        close();
    })->setProperty(keysEverywhere, true);
}

void MainWindow::buildRunMenu()
{
    const auto& document = m_context.document;
    auto* run            = menuBar()->addMenu(tr("&Run"));
    run->addActions({m_runBar->trainAction(), m_runBar->stopAction(), m_runBar->stepAction(), m_runBar->restartAction(),
                     m_runBar->newSeedAction()});
    auto& interrupted = m_context.interrupted;
    auto* goOn        = addEntry(
               run, document, tr("Continue &interrupted run"), {},
               [this, &interrupted] { interrupted.byOtherBuild() ? m_whatToKeep->ask() : interrupted.goOn(); },
               "goOnInterrupted");
    goOn->setToolTip(
        tr("Continue a run that was interrupted when the program ended; it loses at most a minute of work and gives "
           "the same numbers as an uninterrupted run"));
    const auto refresh = [this, goOn] { goOn->setEnabled(m_context.interrupted.any() && !m_context.session.active()); };
    connect(&interrupted, &InterruptedRuns::changed, goOn, refresh);
    connect(&m_context.session, &Session::stateChanged, goOn, refresh);
    refresh();
    run->setToolTipsVisible(true);
    run->addSeparator();
    addEntry(run, document, tr("Pre&vious recorded step"), {Qt::ALT | Qt::Key_Left},
             [this] { m_timeMachine->move(-1); });
    addEntry(run, document, tr("Ne&xt recorded step"), {Qt::ALT | Qt::Key_Right}, [this] { m_timeMachine->move(1); });
    run->addMenu(statusBar()->findChild<SpeedControl*>()->menu());
    run->addSeparator();
    addComparisons(run->addMenu(tr("Compare wit&h reference")), m_studyPanel);
}

void MainWindow::buildViewMenu()
{
    const auto& document = m_context.document;
    auto* view           = menuBar()->addMenu(tr("&View"));
    int number           = 1;
    for (auto* dock : m_layout.docks()) {
        auto* toggle = dock->toggleViewAction();
        if (number <= 9)   // there is no digit after 9
            toggle->setShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number++)));
        connect(toggle, &QAction::triggered, dock, [dock](bool shown) {
            if (shown)
                dock->raise();   // in front of the adjacent tabs
        });
        view->addAction(toggle);
    }
    view->addSeparator();
    addEntry(
        view, document, tr("Test-ro&w table"), {Qt::CTRL | Qt::Key_T}, [this] { m_training->showRows(); },
        "testRowsAction");
    addThemes(view->addMenu(tr("&Theme")));
    auto* textSizes = view->addMenu(tr("Te&xt size"));
    textSizes->setProperty(keysEverywhere, true);
    addTextSizes(textSizes, document, [this](const QString& words) { m_notifier->notify(words); });
    addEntry(
        view, document, tr("F&ull screen"), {Qt::Key_F11},
        [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); }, "fullScreen");
    m_lecture->fill(view->addMenu(tr("&Lecture")));
    addEntry(
        view, document, tr("&Reset layout"), {},
        [this] {
        m_lecture->setOn(false);
        m_layout.reset();
        },
        "resetLayout");
}
