// SPDX-License-Identifier: GPL-3.0-or-later
// The actions, menu by menu.
#include "docks/centre.h"
#include "docks/figure_export.h"
#include "docks/lecture_mode.h"
#include "docks/link_files.h"

#include "docks/messages.h"
#include "docks/outputs_files.h"
#include "docks/own_pictures.h"
#include "docks/run_bar.h"
#include "docks/speed_control.h"
#include "docks/study_files.h"
#include "docks/study_panel.h"
#include "docks/time_machine.h"
#include "docks/training_dock.h"
#include "lessons/lesson_guide.h"

#include "docks/view_panel.h"
#include "parts/help_window.h"
#include "parts/icons.h"
#include "parts/keys_list.h"
#include "parts/text_size.h"
#include "parts/theme.h"
#include "session/settings.h"
#include "window/main_window.h"
#include "work/text.h"

#include "runs/comparison.h"
#include "study/presets.h"
#include "views/views.h"

#include <QActionGroup>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStatusBar>

#include <functional>

using namespace credence;

namespace {

using Keys = QList<QKeySequence>;

/// A desktop without this key has ours.
Keys standardOr(QKeySequence::StandardKey key, QKeyCombination ours)
{
    const auto keys = QKeySequence::keyBindings(key);
    return keys.isEmpty() ? Keys{ours} : keys;
}

/// What is typed counts, whatever is done next.
template <class Act>
QAction* add(QMenu* menu, const StudyEditor& editor, const QString& text, const Keys& keys, Act act,
             const char* name = "")
{
    auto* action = menu->addAction(text, menu, [&editor, act] {
        editor.commit();
        act();
    });
    action->setShortcuts(keys);
    action->setObjectName(QLatin1String(name));
    return action;
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
    for (const auto& [name, title] : {std::pair{QStringLiteral("desktop"), MainWindow::tr("&Follow the desktop")},
                                      {QStringLiteral("light"), MainWindow::tr("&Light")},
                                      {QStringLiteral("dark"), MainWindow::tr("&Dark")}}) {
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

/// Of the picture that was clicked last; empty: the focus is elsewhere.
QString viewAround(const QWidget* focused)
{
    for (const auto* widget = focused; widget; widget = widget->parentWidget())
        if (const auto* panel = qobject_cast<const ViewPanel*>(widget))
            return toQString(panel->view().id);
    return {};
}

/// Larger, smaller and usual texts, each with its key.
void addTextSizes(QMenu* menu, const StudyEditor& editor, const std::function<void(const QString&)>& say)
{
    const auto change = [say](int percent) {
        const int now = applyTextSize(percent);
        write(settings::textSize, now);
        say(MainWindow::tr("Text size: %1 %").arg(now));
    };
    add(
        menu, editor, MainWindow::tr("&Larger"), {Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal},
        [change] { change(textSize() + textStep); }, "textLarger");
    add(
        menu, editor, MainWindow::tr("&Smaller"), {Qt::CTRL | Qt::Key_Minus},
        [change] { change(textSize() - textStep); }, "textSmaller");
    add(
        menu, editor, MainWindow::tr("&Usual"), {Qt::CTRL | Qt::Key_0}, [change] { change(usualText); }, "textUsual");
}

void showAbout(QWidget* window)
{
    auto* about = new QMessageBox(window);
    about->setAttribute(Qt::WA_DeleteOnClose);
    about->setObjectName(QStringLiteral("about"));
    about->setWindowTitle(MainWindow::tr("About Credence"));
    about->setIconPixmap(window->windowIcon().pixmap(64));
    about->setText(MainWindow::tr("<h3>Credence %1</h3><p>Explore Bayesian neural networks by hand.</p>"
                                  "<p>Free software under the GNU General Public License, version 3 or later.</p>")
                       .arg(QCoreApplication::applicationVersion()));
    about->open();
}

}   // namespace

void MainWindow::buildMenus()
{
    const auto& editor = m_workspace.editor;
    buildFileMenu();

    auto* edit = menuBar()->addMenu(tr("&Edit"));
    auto* undo = m_workspace.undo.createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));   // the desktop's other key, F14, is on no keyboard
    auto* redo = m_workspace.undo.createRedoAction(this, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    for (const auto& [action, name] : {std::pair{undo, QStringLiteral("undo")}, {redo, QStringLiteral("redo")}}) {
        action->setObjectName(name);
        action->setIcon(icon(name));
        edit->addAction(action);
    }
    edit->addSeparator();
    add(edit, editor, tr("&Copy picture"), {Qt::CTRL | Qt::SHIFT | Qt::Key_C}, [this] { m_centre->copyPicture(); });
    auto* pictures = &m_centre->pictures();
    add(
        edit, editor, tr("&Paste picture as input"), {Qt::CTRL | Qt::Key_V}, [pictures] { pictures->paste(); },
        "pastePicture");
    edit->addSeparator();
    add(
        edit, editor, tr("Choose a picture as &input…"), {}, [pictures] { pictures->askForPicture(); },
        "choosePicture");
    add(
        edit, editor, tr("Choose a &folder of pictures…"), {}, [pictures] { pictures->askForFolder(); },
        "choosePictures");

    buildRunMenu();
    buildViewMenu();

    auto* tools = menuBar()->addMenu(tr("&Tools"));
    add(
        tools, editor, tr("Laplace Bridge against &sampling…"), {Qt::CTRL | Qt::Key_B},
        [this] { showPage(Page::bridge_sampling); }, "bridgeSamplingAction");
    add(
        tools, editor, tr("&Double well…"), {Qt::CTRL | Qt::Key_D}, [this] { showPage(Page::double_well); },
        "doubleWellAction");
    add(
        tools, editor, tr("&Bandit…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_B}, [this] { showPage(Page::bandit); },
        "banditAction");
    add(
        tools, editor, tr("S&weep…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_W}, [this] { showPage(Page::sweep); },
        "sweepAction");

    auto* help       = menuBar()->addMenu(tr("&Help"));
    const auto topic = [this](const char* name) { return [this, name] { m_help->openTopic(QLatin1String(name)); }; };
    add(help, editor, tr("&Getting started"), {Qt::Key_F1}, topic("getting_started"));
    add(help, editor, tr("The &views"), {}, topic("views"));
    add(help, editor, tr("&Outputs from elsewhere"), {}, topic("outputs"));
    add(help, editor, tr("The linte&r"), {}, topic("linter"));
    add(help, editor, tr("G&lossary"), {}, topic("glossary"));
    add(help, editor, tr("&Keys"), {QKeySequence(QStringLiteral("Ctrl+?")), QKeySequence(QStringLiteral("Ctrl+/"))},
        topic("keys"));
    help->addSeparator();
    add(
        help, editor, tr("Le&ssons…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_L}, [this] { m_lessons->showList(); },
        "lessonsAction");
    add(
        help, editor, tr("&Papers…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_P}, [this] { showPapers(); }, "papersAction");
    add(
        help, editor, tr("&About Credence"), {}, [this] { showAbout(this); }, "aboutAction");

    m_help->setShortcuts(keyLines(*menuBar()));
    for (const auto* menu : menuBar()->actions())   // a menu takes no focus from a field, and its keys none either
        connect(menu->menu(), &QMenu::aboutToShow, this, [&editor] { editor.commit(); });
}

void MainWindow::buildFileMenu()
{
    const auto& editor = m_workspace.editor;
    auto* file         = menuBar()->addMenu(tr("&File"));
    addPresets(file->addMenu(tr("&New from preset")), m_studyPanel);
    add(
        file, editor, tr("&Choose a preset…"), {Qt::CTRL | Qt::Key_N}, [this] { m_studyPanel->browsePresets(); },
        "choosePreset");
    add(file, editor, tr("&Open…"), QKeySequence::keyBindings(QKeySequence::Open), [this] { m_files->open(); });
    add(
        file, editor, tr("O&pen lesson…"), {}, [this] { m_lessons->ask(); }, "openLessonAction");
    auto* recent = file->addMenu(tr("Recen&t files"));
    connect(recent, &QMenu::aboutToShow, m_files, [this, recent] { m_files->fillRecent(recent); });
    file->addSeparator();
    add(file, editor, tr("&Save study"), QKeySequence::keyBindings(QKeySequence::Save),
        [this] { m_files->save(false); });
    add(
        file, editor, tr("Save study &as…"), standardOr(QKeySequence::SaveAs, Qt::CTRL | Qt::SHIFT | Qt::Key_S),
        [this] { m_files->save(true); }, "saveStudyAs");
    add(
        file, editor, tr("Save lin&k…"), {Qt::CTRL | Qt::Key_K},
        [this] {
        const QString clicked = viewAround(focusWidget());
        m_links->save(clicked.isEmpty() ? m_centre->viewInFront() : clicked);
        },
        "saveLink")
        ->setToolTip(tr(
            "A small file that opens this picture: study or run, step, view and chosen input, for a slide or for a student"));
    file->addSeparator();
    add(file, editor, tr("&Import table…"), {Qt::CTRL | Qt::Key_I}, [this] { m_files->importTable(); });
    add(
        file, editor, tr("Open o&utputs…"), {Qt::CTRL | Qt::Key_U}, [this] { m_outputs->ask(); }, "openOutputsAction")
        ->setToolTip(
            tr("Draws of class probabilities or logits that a net of PyTorch, JAX or R made, as NumPy saves them"));
    auto* foreign = add(
        file, editor, tr("Open outputs of &foreign data…"), {}, [this] { m_outputs->askForeign(); },
        "openForeignAction");
    foreign->setToolTip(
        tr("Outputs of the same net for inputs that it has not learned, beside those that are on show"));
    foreign->setEnabled(false);
    connect(m_outputs, &OutputsFiles::onShow, foreign, &QAction::setEnabled);
    file->setToolTipsVisible(true);
    add(
        file, editor, tr("Open &logits…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_O}, [this] { m_files->openLogits(); },
        "openLogitsAction");
    add(
        file, editor, tr("&Data sets…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_I}, [this] { showDataSets(); },
        "dataSetsAction");

    auto* exports = new QMenu(tr("&Export"), this);
    add(exports, editor, tr("&Figure…"), {Qt::CTRL | Qt::Key_E}, [this] { m_figures->ask(m_centre->viewInFront()); });
    add(
        exports, editor, tr("&All figures…"), {Qt::CTRL | Qt::SHIFT | Qt::Key_E}, [this] { m_figures->ask({}); },
        "exportAll");
    add(
        exports, editor, tr("Figures of &ticked runs…"), {},
        [this] { m_figures->askForTicked(m_centre->viewInFront()); }, "exportTicked");
    add(exports, editor, tr("&Report…"), {Qt::CTRL | Qt::ALT | Qt::Key_E}, [this] { m_figures->askReport(); });
    add(
        exports, editor, tr("&Outputs…"), {}, [this] { m_files->exportOutputs(); }, "exportOutputs");
    file->addMenu(exports);
    m_runBar->addExport(exports);
    file->addSeparator();
    add(file, editor, tr("&Quit"), standardOr(QKeySequence::Quit, Qt::CTRL | Qt::Key_Q), [this] { close(); });
}

void MainWindow::buildRunMenu()
{
    const auto& editor = m_workspace.editor;
    auto* run          = menuBar()->addMenu(tr("&Run"));
    run->addActions({m_runBar->trainAction(), m_runBar->stepAction(), m_runBar->restartAction(),
                     m_runBar->newSeedAction(), m_runBar->cancelAction()});
    auto& interrupted = m_workspace.interrupted;
    auto* goOn        = add(
               run, editor, tr("&Go on with the interrupted run"), {}, [&interrupted] { interrupted.goOn(); },
               "goOnInterrupted");
    goOn->setToolTip(tr(
        "A run that was going on when the program ended goes on from its last minute, with the same numbers as if nothing had happened"));
    const auto refresh = [this, goOn] {
        goOn->setEnabled(m_workspace.interrupted.any() && !m_workspace.session.active());
    };
    connect(&interrupted, &InterruptedRuns::changed, goOn, refresh);
    connect(&m_workspace.session, &Session::stateChanged, goOn, refresh);
    refresh();
    run->setToolTipsVisible(true);
    run->addSeparator();
    add(run, editor, tr("Recorded step &before"), {Qt::ALT | Qt::Key_Left}, [this] { m_timeMachine->move(-1); });
    add(run, editor, tr("Recorded step &after"), {Qt::ALT | Qt::Key_Right}, [this] { m_timeMachine->move(1); });
    run->addMenu(statusBar()->findChild<SpeedControl*>()->menu());
    run->addSeparator();
    addComparisons(run->addMenu(tr("Compare wit&h the truth")), m_studyPanel);
}

void MainWindow::buildViewMenu()
{
    const auto& editor = m_workspace.editor;
    auto* view         = menuBar()->addMenu(tr("&View"));
    int number         = 1;
    for (auto* dock : m_layout.docks()) {
        auto* toggle = dock->toggleViewAction();
        if (number <= 9)   // behind the 9 comes no digit
            toggle->setShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number++)));
        connect(toggle, &QAction::triggered, dock, [dock](bool shown) {
            if (shown)
                dock->raise();   // before the tabs beside it
        });
        view->addAction(toggle);
    }
    view->addSeparator();
    add(
        view, editor, tr("Table of test ro&ws"), {Qt::CTRL | Qt::Key_T}, [this] { m_training->showRows(); },
        "testRowsAction");
    addThemes(view->addMenu(tr("&Theme")));
    addTextSizes(view->addMenu(tr("Te&xt size")), editor, [this](const QString& words) { m_messages->say(words); });
    add(
        view, editor, tr("F&ull screen"), {Qt::Key_F11},
        [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); }, "fullScreen");
    m_lecture->fill(view->addMenu(tr("&Lecture")));
    add(
        view, editor, tr("&Reset layout"), {},
        [this] {
        m_lecture->setOn(false);
        m_layout.reset();
        },
        "resetLayout");
}
