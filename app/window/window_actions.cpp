// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, and the list of keys made from them.
#include "window/main_window.h"

#include "docks/prediction_area.h"
#include "docks/run_bar.h"
#include "docks/study_panel.h"
#include "docks/time_machine.h"
#include "docks/view_panel.h"
#include "images/image_area.h"
#include "images/image_grid.h"
#include "parts/help_window.h"
#include "parts/icons.h"
#include "parts/theme.h"
#include "session/settings.h"
#include "tools/simplex_workbench.h"

#include "study/presets.h"
#include "widgets/chart_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QFileInfo>
#include <QListView>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QShortcut>

#include <functional>

using namespace credence;

namespace {

QString plain(QString text) { return text.remove(QLatin1Char('&')).remove(QStringLiteral("…")); }

/// All keys of the menus as a table.
QString keysAsHtml(const QMenuBar& bar)
{
    QString html   = QStringLiteral("<h2>%1</h2><table cellpadding='3'>").arg(MainWindow::tr("Keys"));
    const auto add = [&html](const QString& keys, const QString& what) {
        html += QStringLiteral("<tr><td><b>%1</b></td><td>%2</td></tr>")
                    .arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    };
    const std::function<void(const QMenu&, const QString&)> addMenu = [&](const QMenu& menu, const QString& before) {
        for (const auto* action : menu.actions())
            if (action->menu())
                addMenu(*action->menu(), before + plain(action->text()) + QStringLiteral(" › "));
            else if (!action->shortcuts().isEmpty())
                add(QKeySequence::listToString(action->shortcuts(), QKeySequence::NativeText),
                    before + plain(action->text()));
    };
    for (const auto* menuAction : bar.actions()) {
        html += QStringLiteral("<tr><td colspan='2'><h3>%1</h3></td></tr>").arg(plain(menuAction->text()));
        addMenu(*menuAction->menu(), {});
    }
    html += QStringLiteral("<tr><td colspan='2'><h3>%1</h3></td></tr>")
                .arg(MainWindow::tr("In a picture and in a number field"));
    add(MainWindow::tr("Arrows, then Enter"), MainWindow::tr("Move the cross in a picture; choose that point"));
    add(MainWindow::tr("Wheel, double click"), MainWindow::tr("Closer and back to the whole picture"));
    add(MainWindow::tr("Arrows, Home, End, Page keys"), MainWindow::tr("Choose another image of the grid"));
    add(MainWindow::tr("Arrows, Space, +, − on the simplex"),
        MainWindow::tr("Move a handle; take the next one; widen and narrow the law"));
    add(MainWindow::tr("A class"), MainWindow::tr("Its next image in the grid"));
    add(MainWindow::tr("+, −, Ctrl and wheel"), MainWindow::tr("Larger and smaller images"));
    add(MainWindow::tr("Up, Down"), MainWindow::tr("Next round number in a number field: 1, 2, 5, 10"));
    add(MainWindow::tr("Shift+F1"), MainWindow::tr("What is this? for the setting under the pointer"));
    return html + QStringLiteral("</table>");
}

}   // namespace

void MainWindow::buildMenus()
{
    const auto add = [this](QMenu* menu, const QString& text, const QList<QKeySequence>& keys, auto slot,
                            const QString& iconName = {}) {
        auto* action = menu->addAction(text, this, [this, slot] {
            m_editor.commit();   // what is typed counts, whatever is done next
            slot();
        });
        action->setShortcuts(keys);
        if (!iconName.isEmpty())
            action->setIcon(icon(iconName));
        return action;
    };
    const auto standard = [](QKeySequence::StandardKey key) { return QKeySequence::keyBindings(key); };

    const auto standardOr =
        [](QKeySequence::StandardKey key, QKeyCombination where) {   // a desktop without this key has ours
        const auto keys = QKeySequence::keyBindings(key);
        return keys.isEmpty() ? QList{QKeySequence(where)} : keys;
    };

    auto* file    = menuBar()->addMenu(tr("&File"));
    auto* presets = file->addMenu(tr("&New from preset"));
    for (const auto group : preset_groups) {
        auto* submenu = presets->addMenu(QString::fromUtf8(credence::title_of(group)));
        for (const auto& preset : credence::presets())
            if (group_of(preset.study) == group)
                submenu
                    ->addAction(QString::fromStdString(preset.study.name), this,
                                [this, id = QString::fromStdString(preset.id)] { m_studyPanel->choosePreset(id); })
                    ->setToolTip(QString::fromStdString(preset.study.note));
        submenu->setToolTipsVisible(true);
    }
    add(file, tr("&Open…"), standard(QKeySequence::Open), [this] { openDialog(); });
    m_recent = file->addMenu(tr("Recent s&tudies"));
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::refreshRecent);
    file->addSeparator();
    add(file, tr("&Save study"), standard(QKeySequence::Save), [this] { save(false); });
    add(file, tr("Save study &as…"), standardOr(QKeySequence::SaveAs, Qt::CTRL | Qt::SHIFT | Qt::Key_S),
        [this] { save(true); });
    file->addSeparator();
    add(file, tr("&Import table…"), {QKeySequence(Qt::CTRL | Qt::Key_I)}, [this] { importTable(); });
    add(file, tr("Open &logits…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)}, [this] {
        openLogitsDialog();
    })->setObjectName(QStringLiteral("openLogitsAction"));
    add(file, tr("&Data sets…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_I)}, [this] {
        showDataSets();
    })->setObjectName(QStringLiteral("dataSetsAction"));
    m_exportMenu = new QMenu(this);
    m_exportMenu->setTitle(tr("&Export"));
    add(m_exportMenu, tr("&Figure…"), {QKeySequence(Qt::CTRL | Qt::Key_E)}, [this] { exportDialog(centreView()); });
    add(m_exportMenu, tr("&All figures…"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)}, [this] {
        exportDialog({});
    })->setObjectName(QStringLiteral("exportAll"));
    add(m_exportMenu, tr("&Report…"), {QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_E)}, [this] { reportDialog(); });
    file->addMenu(m_exportMenu);
    m_runBar->addExport(m_exportMenu);
    file->addSeparator();
    add(file, tr("&Quit"), standardOr(QKeySequence::Quit, Qt::CTRL | Qt::Key_Q), [this] { close(); });

    auto* edit = menuBar()->addMenu(tr("&Edit"));
    auto* undo = m_undo.createUndoAction(this, tr("&Undo"));
    undo->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Z));   // the desktop's other key, F14, is on no keyboard
    auto* redo = m_undo.createRedoAction(this, tr("&Redo"));
    redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
    undo->setObjectName(QStringLiteral("undo"));
    redo->setObjectName(QStringLiteral("redo"));
    undo->setIcon(icon(QStringLiteral("undo")));
    redo->setIcon(icon(QStringLiteral("redo")));
    edit->addActions({undo, redo});
    edit->addSeparator();
    add(edit, tr("&Copy picture"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C)}, [this] { copyPicture(); });

    auto* run = menuBar()->addMenu(tr("&Run"));
    run->addActions({m_runBar->trainAction(), m_runBar->stepAction(), m_runBar->restartAction(),
                     m_runBar->newSeedAction(), m_runBar->cancelAction()});
    run->addSeparator();
    add(run, tr("Recorded step &before"), {QKeySequence(Qt::ALT | Qt::Key_Left)}, [this] { m_timeMachine->move(-1); });
    add(run, tr("Recorded step &after"), {QKeySequence(Qt::ALT | Qt::Key_Right)}, [this] { m_timeMachine->move(1); });

    auto* view = menuBar()->addMenu(tr("&View"));
    int number = 1;
    for (auto* dock : m_docks) {
        auto* toggle = dock->toggleViewAction();
        if (number <= 9)   // behind the 9 comes no digit
            toggle->setShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number++)));
        view->addAction(toggle);
    }
    view->addSeparator();
    auto* themes = view->addMenu(tr("&Theme"));
    auto* group  = new QActionGroup(this);
    for (const auto& [name, title] : {std::pair{QStringLiteral("desktop"), tr("&Follow the desktop")},
                                      {QStringLiteral("light"), tr("&Light")},
                                      {QStringLiteral("dark"), tr("&Dark")}}) {
        auto* action = themes->addAction(title, this, [this, name = name] { chooseTheme(name); });
        action->setObjectName("theme/" + name);
        action->setCheckable(true);
        action->setChecked(nameOf(themeNamed(read(settings::theme))) == name);
        group->addAction(action);
    }
    auto* full = add(view, tr("F&ull screen"), {QKeySequence(Qt::Key_F11)},
                     [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    full->setObjectName(QStringLiteral("fullScreen"));
    add(view, tr("&Reset layout"), {}, [this] { resetLayout(); });

    auto* tools = menuBar()->addMenu(tr("&Tools"));
    add(tools, tr("Laplace Bridge against &sampling…"), {QKeySequence(Qt::CTRL | Qt::Key_B)}, [this] {
        showBridgeSampling();
    })->setObjectName(QStringLiteral("bridgeSamplingAction"));

    auto* help = menuBar()->addMenu(tr("&Help"));
    add(help, tr("&Getting started"), {QKeySequence(Qt::Key_F1)},
        [this] { m_help->openTopic(QStringLiteral("getting_started")); });
    add(help, tr("The &views"), {}, [this] { m_help->openTopic(QStringLiteral("views")); });
    add(help, tr("G&lossary"), {}, [this] { m_help->openTopic(QStringLiteral("glossary")); });
    add(help, tr("&Keys"), {QKeySequence(QStringLiteral("Ctrl+?")), QKeySequence(QStringLiteral("Ctrl+/"))},
        [this] { m_help->openTopic(QStringLiteral("keys")); });
    help->addSeparator();
    add(help, tr("&About Credence"), {}, [this] {
        QMessageBox::about(this, tr("About Credence"),
                           tr("<h3>Credence %1</h3><p>Explore Bayesian neural networks by hand.</p>"
                              "<p>Free software under the GNU General Public License, version 3 or later.</p>")
                               .arg(QCoreApplication::applicationVersion()));
    });
    m_help->setShortcuts(keysAsHtml(*menuBar()));
    for (const auto* menu : menuBar()->actions())   // a menu takes no focus from a field, and its keys none either
        connect(menu->menu(), &QMenu::aboutToShow, this, [this] { m_editor.commit(); });
}

/// The keys of the menus act in windows of tools, too, but for those that a tool has for itself.
void MainWindow::shareKeys(QWidget* tool) const
{
    QList<QKeySequence> own;
    for (const auto* shortcut : tool->findChildren<QShortcut*>())
        own += shortcut->key();
    const std::function<void(const QMenu&)> share = [&](const QMenu& menu) {
        for (auto* action : menu.actions())
            if (action->menu())
                share(*action->menu());
            else if (!action->shortcuts().isEmpty() && !own.contains(action->shortcut()))
                tool->addAction(action);
    };
    for (const auto* top : menuBar()->actions())
        share(*top->menu());
}

void MainWindow::copyPicture()
{
    if (m_centre->currentWidget() == m_simplex)
        return m_simplex->copyFigure();
    if (const auto* page = qobject_cast<ViewPanel*>(m_centre->currentWidget()))
        return page->chartView()->copy();
    if (!m_predictions->showsImages() || m_predictions->comparing())
        (m_predictions->comparing() ? m_predictions->comparison() : m_predictions->picture())->chartView()->copy();
    else if (images()->confusion()->isVisible())
        images()->confusion()->chartView()->copy();
    else
        QGuiApplication::clipboard()->setPixmap(images()->grid()->list()->viewport()->grab());
}

void MainWindow::refreshRecent()
{
    m_recent->clear();
    for (const auto& file : read(settings::recentStudies)) {
        auto* action = m_recent->addAction(QFileInfo(file).fileName(), this, [this, file] { openFile(file); });
        action->setToolTip(file);
        action->setEnabled(QFileInfo::exists(file));
    }
    m_recent->setToolTipsVisible(true);
    m_recent->addSeparator();
    auto* last = m_recent->addAction(tr("Study of the last session"), this, [this] { openFile(lastStudyFile()); });
    last->setEnabled(QFileInfo::exists(lastStudyFile()));
}

void MainWindow::chooseTheme(const QString& name)
{
    write(settings::theme, name);
    applyTheme(*qApp, themeNamed(name));
}
