// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include <QAbstractButton>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTextBrowser>

#include <map>

using namespace credence;

namespace {

QString mnemonicOf(const QString& text) { return QKeySequence::mnemonic(text).toString(); }

/// Calls `visit` for each action that does something, in all menus and the menus in them.
void walk(const QMenu& menu, const std::function<void(const QAction&)>& visit)
{
    for (const auto* action : menu.actions())
        action->menu() ? walk(*action->menu(), visit) : visit(*action);
}

void expectDifferent(std::map<QString, QString>& taken, const QString& key, const QString& owner)
{
    if (key.isEmpty())
        return;
    const auto [at, fresh] = taken.emplace(key, owner);
    EXPECT_TRUE(fresh) << key.toStdString() << " belongs to " << at->second.toStdString() << " and to "
                       << owner.toStdString();
}

void expectDifferentIn(const QMenu& menu)
{
    std::map<QString, QString> taken;
    for (const auto* action : menu.actions()) {
        expectDifferent(taken, mnemonicOf(action->text()), action->text());
        if (action->menu())
            expectDifferentIn(*action->menu());
    }
}

}   // namespace

TEST(Keys, NoTwoControlsOfTheWindowAnswerToOneLetter)
{
    WindowDriver window;
    std::map<QString, QString> taken;
    for (const auto* action : window->menuBar()->actions())
        expectDifferent(taken, mnemonicOf(action->text()), action->text());
    for (const auto* button : window->findChildren<QAbstractButton*>())
        if (button->window() == &window.window())
            expectDifferent(taken, button->shortcut().toString(), button->text());
    for (const auto* label : window->findChildren<QLabel*>())
        if (label->window() == &window.window() && label->buddy())
            expectDifferent(taken, mnemonicOf(label->text()), label->text());
    EXPECT_GE(taken.size(), 12U);
}

TEST(Keys, NoTwoLinesOfAMenuAnswerToOneLetterAndNoTwoActionsToOneKey)
{
    WindowDriver window;
    std::map<QString, QString> taken;
    for (const auto* top : window->menuBar()->actions()) {
        expectDifferentIn(*top->menu());
        walk(*top->menu(), [&](const QAction& action) {
            for (const auto& key : action.shortcuts())
                expectDifferent(taken, key.toString(), action.text());
        });
    }
}

TEST(Keys, ThePageOfKeysNamesEachKeyOfEachMenu)
{
    WindowDriver window;
    for (auto* top : window->menuBar()->actions())
        walk(*top->menu(), [](const QAction& action) {
            if (action.shortcut() == QKeySequence(QStringLiteral("Ctrl+?")))
                const_cast<QAction&>(action).trigger();
        });
    const QString page = window.find<QTextBrowser>("helpText")->toPlainText();
    int count          = 0;
    for (const auto* top : window->menuBar()->actions())
        walk(*top->menu(), [&](const QAction& action) {
            for (const auto& key : action.shortcuts()) {
                EXPECT_TRUE(page.contains(key.toString(QKeySequence::NativeText)))
                    << key.toString().toStdString() << ": " << action.text().toStdString();
                ++count;
            }
        });
    EXPECT_GE(count, 25);
    EXPECT_TRUE(page.contains(QStringLiteral("Export › Figure")));
    EXPECT_FALSE(page.contains(QStringLiteral("Alt+:")));
}
