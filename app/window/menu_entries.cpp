// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/menu_entries.h"

#include "docks/study_panel.h"
#include "parts/text_size.h"
#include "parts/theme.h"
#include "session/settings.h"
#include "work/text.h"

#include "runs/comparison.h"
#include "study/presets.h"

#include <QActionGroup>
#include <QApplication>
#include <QMessageBox>

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

void addTextSizes(QMenu* menu, const StudyDocument& document, const std::function<void(const QString&)>& say)
{
    const auto change = [say](int percent) {
        const int now = applyTextSize(percent);
        write(settings::textSize, now);
        say(QMenu::tr("Text size: %1 %").arg(now));
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
