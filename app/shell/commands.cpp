// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/number_text.h"
#include "lessons/lesson_guide.h"
#include "parts/help_window.h"
#include "parts/palette.h"
#include "parts/workbench.h"
#include "parts/workspace_stack.h"
#include "runs/run_bar.h"
#include "session/settings.h"
#include "shell/main_window.h"
#include "study/field_editor.h"
#include "study/fields.h"
#include "study/study_panel.h"
#include "views/main_tabs.h"
#include "views/prediction_area.h"
#include "views/view_navigator.h"
#include "views/views.h"

#include "work/text.h"

#include <QAbstractButton>
#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QSpinBox>
#include <QTimer>

#include <algorithm>

using namespace credence;

namespace {

constexpr int commandsRemembered = 10;

QString withoutMnemonic(QString text) { return text.remove(QLatin1Char('&')); }

/// Returns why an action is disabled.
QString whyDisabled(const QAction& action)
{
    const std::pair<const char*, QString> reasons[] = {
        {"undo", MainWindow::tr("nothing to undo")},
        {"redo", MainWindow::tr("nothing to redo")},
        {"stop", MainWindow::tr("no run is in progress")},
        {"goOnInterrupted", MainWindow::tr("no run was interrupted, or one is in progress")},
        {"openForeignAction", MainWindow::tr("open predictions first")},
        {"repeatExport", MainWindow::tr("nothing has been exported yet")},
        {"quickComparison", MainWindow::tr("for tables and points, once the data are read")},
    };
    for (const auto& [name, reason] : reasons)
        if (action.objectName() == QLatin1String(name))
            return reason;
    if (action.objectName() == QLatin1String("exportFilm"))
        return action.toolTip();
    return MainWindow::tr("not with the displayed run");
}

/// Adds the entries of a menu and of its submenus.
/// @param path  "View › Theme"
void addMenu(std::vector<Command>& commands, const QMenu& menu, const QStringList& path, const QString& group)
{
    if (menu.property(commandsElsewhere).toBool())
        return;
    const QString own = menu.property(commandGroup).toString();
    for (auto* action : menu.actions()) {
        const QString text = withoutMnemonic(action->text());
        if (action->menu())
            addMenu(commands, *action->menu(), own.isEmpty() ? path + QStringList{text} : QStringList{text},
                    own.isEmpty() ? group : own);
        else if (!action->isSeparator())
            commands.push_back({own.isEmpty() ? group : own, text, path.join(QStringLiteral(" › ")),
                                action->shortcut().toString(QKeySequence::NativeText), [action] { action->trigger(); },
                                action->isEnabled() ? QString() : whyDisabled(*action)});
    }
}

}   // namespace

std::vector<Command> MainWindow::commands()
{
    std::vector<Command> all;
    const auto keysOf = [this](const char* action) {
        const auto* found = findChild<QAction*>(QLatin1String(action));
        return found ? found->shortcut().toString(QKeySequence::NativeText) : QString();
    };
    const auto& experiment = session().run().experiment;
    for (const auto& view : views()) {
        const auto why = experiment ? view.why_not(*experiment) : std::string("no run is displayed");
        all.push_back({tr("Views"),
                       toQString(view.title),
                       {},
                       view.id == "test_rows" ? keysOf("testRowsAction") : QString(),
                       [this, id = toQString(view.id)] { m_navigator->show(id); },
                       why ? toQString(*why) : QString()});
    }
    all.push_back({tr("Views"), tr("Simplex by hand"), {}, {}, [this] { m_navigator->show(ViewNavigator::simplex); }});
    all.push_back({tr("Views"), tr("Beta distribution"), {}, {}, [this] { m_navigator->show(ViewNavigator::beta); }});
    addViewButtons(all);
    for (const auto* menu : menuBar()->actions())
        addMenu(all, *menu->menu(), {withoutMnemonic(menu->text())}, tr("Actions"));
    addWorkspaces(all);
    addSettings(all);
    addDocuments(all);
    const auto& runs = m_context.runs;
    for (int row = 0; row < runs.rowCount(); ++row) {
        const auto words = [&](SavedRuns::Column column) {
            return runs.data(runs.index(row, column), Qt::DisplayRole).toString();
        };
        all.push_back(
            {tr("Saved runs"), words(SavedRuns::name), words(SavedRuns::family), {}, [this, entry = runs.at(row)] {
                 m_workbench->pages().showStage();
                 m_context.opener.show(m_context.runs.rowOf(*entry));
             }});
    }
    for (const auto& lesson : LessonGuide::shipped())
        all.push_back({tr("Lessons"),
                       lesson.title,
                       tr("%1 min").arg(toQString(plain_text(lesson.minutes))),
                       {},
                       [this, id = lesson.id] { m_lessons->open(id); }});
    for (const auto& [id, title] : m_help->topics())
        if (std::none_of(all.begin(), all.end(), [&title = title](const Command& one) { return one.title == title; }))
            all.push_back({tr("Help topics"), title, {}, {}, [this, id = id] { m_help->openTopic(id); }});
    // Commands of one group are adjacent, with the groups in order of first occurrence.
    QStringList groups;
    for (const auto& command : all)
        if (!groups.contains(command.group))
            groups += command.group;
    std::stable_sort(all.begin(), all.end(), [&](const Command& a, const Command& b) {
        return groups.indexOf(a.group) < groups.indexOf(b.group);
    });
    return all;
}

/// Buttons in the title lines of views.
void MainWindow::addViewButtons(std::vector<Command>& commands)
{
    const auto add = [&](const char* name, const QString& where, const QString& whyNot) {
        auto* button = findChild<QAbstractButton*>(QLatin1String(name));
        commands.push_back({tr("Views"),
                            button->accessibleName(),
                            where,
                            {},
                            [this, button] {
            m_navigator->reveal(*button);
            button->click();
                            },
                            whyNot});
    };
    const auto& experiment = session().run().experiment;
    const auto& prior      = view("prior_predictive");
    const auto why         = experiment ? prior.why_not(*experiment) : std::string("no run is displayed");
    add("resamplePrior", toQString(prior.title), why ? toQString(*why) : QString());
    const auto* curtain = findChild<QAbstractButton*>(QStringLiteral("curtain"));
    add("curtain", tr("Compare"),
        !m_mainTabs->predictions()->comparing() ? tr("compare two ticked runs first")
        : curtain->isEnabled()                  ? QString()
                                                : curtain->toolTip());
}

/// Adds recent documents. Whether a file still exists is checked when it is opened, since its disk
/// may be slow.
void MainWindow::addDocuments(std::vector<Command>& commands)
{
    for (const auto& file : read(settings::recentStudies))
        commands.push_back(
            {tr("Recent documents"), QFileInfo(file).fileName(), QFileInfo(file).path(), {}, [this, file] {
                 openFile(file);
             }});
}

void MainWindow::addSettings(std::vector<Command>& commands)
{
    const Study& study = session().panelStudy();
    const bool saved   = session().displaysSaved();
    auto* allSettings  = findChild<QAbstractButton*>(QStringLiteral("allSettings"));
    commands.push_back({tr("Settings"), allSettings->text(), allSettings->toolTip(), {}, [this, allSettings] {
                            m_navigator->reveal(*allSettings);
                            allSettings->setChecked(true);
                        }});
    for (const auto& field : study_fields()) {
        if (field.path == "note")   // it has no editor
            continue;
        const bool seed = field.path == "seed";   // in the toolbar
        QString group   = toQString(field.group());
        group[0]        = group[0].toUpper();
        QString whyNot;
        if (!field.applies(study))
            whyNot = tr("no effect with the other settings");
        else if (saved && !seed)
            whyNot = tr("a saved run is displayed");
        commands.push_back({tr("Settings"),
                            toQString(field.label),
                            tr("%1: %2").arg(group, toQString(value_text(field.get(study)))),
                            {},
                            [this, path = toQString(field.path)] { showSetting(path); },
                            whyNot});
    }
}

void MainWindow::showSetting(const QString& path)
{
    if (path == QLatin1String("seed"))
        return m_runBar->findChild<QWidget*>(path)->setFocus();
    auto* field = m_studyPanel->findChild<FieldEditor*>(path);
    if (!field)
        return;
    m_studyPanel->unfold(path);
    m_navigator->reveal(*field);
    field->editor()->setFocus(Qt::ShortcutFocusReason);
    QTimer::singleShot(0, field, [this, field] { m_navigator->reveal(*field); });   // the section has its layout then
}

void MainWindow::search()
{
    auto all          = commands();
    const auto recent = read(settings::recentCommands);
    for (auto& command : all) {
        const QString name = command.group + QLatin1Char('\n') + command.title;
        const auto place   = recent.indexOf(name);
        command.recent     = place < 0 ? 0 : static_cast<int>(recent.size() - place);
        command.run        = [name, run = std::move(command.run)] {
            auto used = read(settings::recentCommands);
            used.removeAll(name);
            used.prepend(name);
            write(settings::recentCommands, QStringList(used.mid(0, commandsRemembered)));
            run();
        };
    }
    auto* palette = new Palette(
        std::move(all), tr("Search actions, views, settings, presets, runs, documents, lessons and help"), this);
    palette->show();
}
