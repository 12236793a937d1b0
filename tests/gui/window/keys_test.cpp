// SPDX-License-Identifier: GPL-3.0-or-later
#include "window_driver.h"

#include "parts/help_window.h"
#include "parts/keyboard.h"
#include "parts/tool_page.h"

#include "unit/not_empty.h"

#include <QAbstractButton>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
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

TEST(Keys, NoTwoControlsOfTheWindowShareAMnemonic)
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

TEST(Keys, NoTwoMenuEntriesShareAMnemonicAndNoTwoActionsAShortcut)
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

/// Of all parts of the window, in a menu or not, including the keys named in tooltips.
TEST(Keys, TheTableHasEachKeyOfAnActionAndEachThatATooltipNames)
{
    WindowDriver window;
    const auto lines = keyLines(*window->menuBar());
    QString all;
    for (const auto& line : credence::not_empty(lines)) {
        EXPECT_FALSE(line.place.isEmpty() || line.keys.isEmpty() || line.what.isEmpty()) << line.keys.toStdString();
        all += line.keys + QLatin1Char('\n');
    }
    int keys = 0;
    for (const auto* action : credence::not_empty(window->findChildren<QAction*>()))
        for (const auto& key : action->shortcuts()) {
            EXPECT_TRUE(all.contains(key.toString(QKeySequence::NativeText)))
                << key.toString().toStdString() << ": " << action->text().toStdString();
            ++keys;
        }
    EXPECT_GE(keys, 25);
    const QRegularExpression named(
        QStringLiteral(R"(\(((?:(?:Ctrl|Alt|Shift)\+)*(?:F\d+|(?:Ctrl|Alt|Shift)\+[^)\s]+))\))"));
    int reported = 0;
    for (const auto* part : credence::not_empty(window->findChildren<QWidget*>()))
        if (const auto found = named.match(part->toolTip()); found.hasMatch()) {
            EXPECT_TRUE(all.contains(found.captured(1))) << part->toolTip().toStdString();
            ++reported;
        }
    EXPECT_GE(reported, 2);
}

TEST(Keys, OfFileEditAndRunDoNothingOnAToolPage)
{
    WindowDriver window;
    QStringList changing;
    for (const auto* top : window->menuBar()->actions())
        if (QString name = top->text().remove('&'); name == "File" || name == "Edit" || name == "Run")
            walk(*top->menu(), [&](const QAction& action) {
                for (const auto& key : action.shortcuts())
                    changing += key.toString();
            });
    ASSERT_TRUE(changing.contains("Ctrl+S") && changing.contains("Ctrl+Z") && changing.contains("F5"));
    for (const char* harmless : {"Ctrl+Q", "Ctrl+K", "Ctrl+N", "Ctrl+Shift+I"})
        changing.removeAll(harmless);
    for (const char* action : {"bridgeSamplingAction", "doubleWellAction", "banditAction", "activeLearningAction",
                               "sweepAction", "papersAction", "dataSetsAction"}) {
        window.find<QAction>(action)->trigger();
        for (const auto* top : window->menuBar()->actions())
            walk(*top->menu(), [&](const QAction& entry) {
                for (const auto& key : entry.shortcuts())
                    EXPECT_TRUE(entry.shortcutContext() == Qt::WidgetShortcut || !changing.contains(key.toString()))
                        << action << ": " << key.toString().toStdString();
            });
    }
    const auto pages = window->findChildren<ToolPage*>();
    EXPECT_EQ(pages.size(), 7);
    for (auto* page : pages)
        page->cancel();
}

/// Like Qt's line edit under X11, where Ctrl+E goes to the end of the line.
class FieldOfX11 : public QLineEdit {
public:
    using QLineEdit::QLineEdit;
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::ShortcutOverride)
            event->accept();
        return QLineEdit::event(event);
    }
};

TEST(Keys, UndoInANumberRevertsTheTypedTextAndThenTheSetting)
{
    WindowDriver window;
    auto* seed = window.find<QDoubleSpinBox>("seed");
    seed->setFocus();
    QTest::keyClick(seed, Qt::Key_Up);
    QTest::keyClick(seed, Qt::Key_Up);
    ASSERT_EQ(window.study().seed, 3);
    seed->selectAll();
    QTest::keyClicks(seed, "47");   // not yet the seed
    ASSERT_EQ(window.study().seed, 3);
    for (int typed = 0; typed < 3 && seed->cleanText() != "3"; ++typed)
        QTest::keyClick(seed, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(seed->cleanText(), "3");
    EXPECT_EQ(window.study().seed, 3);
    QTest::keyClick(seed, Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(window.study().seed, 1);   // both presses of the arrow are one step
    EXPECT_EQ(seed->value(), 1);
}

TEST(Keys, OfMenusWorkInALineEditToo)
{
    WindowDriver window;
    FieldOfX11 field(&window.window());
    field.show();
    field.setFocus();
    QAction exports(&window.window());
    exports.setShortcut(Qt::CTRL | Qt::Key_U);
    for (auto* taken : window->findChildren<QAction*>())
        if (taken != &exports && taken->shortcut() == exports.shortcut())
            taken->setShortcut({});
    window->addAction(&exports);
    int done = 0;
    QObject::connect(&exports, &QAction::triggered, [&] { ++done; });
    QTest::keyClick(&field, Qt::Key_U, Qt::ControlModifier);
    EXPECT_EQ(done, 1);
    QTest::keyClicks(&field, "words");
    QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
    EXPECT_EQ(field.selectedText(), "words");
    EXPECT_EQ(done, 1);
}

TEST(Keys, TheTableIsFilteredByWordsAndSavedForPrinting)
{
    WindowDriver window;
    for (auto* action : window->findChildren<QAction*>())
        if (action->shortcut() == QKeySequence(QStringLiteral("Ctrl+?")))
            action->trigger();
    auto* page  = window.find<QTextBrowser>("helpText");
    auto* words = window.find<QLineEdit>("keysFilter");
    EXPECT_TRUE(words->isVisibleTo(window->findChild<QWidget*>("helpWindow")));
    const auto all = page->toPlainText();
    QTest::keyClicks(words, "simplex handle");
    EXPECT_TRUE(page->toPlainText().contains(QStringLiteral("Move a handle")));
    EXPECT_LT(page->toPlainText().size(), all.size() / 4);
    const QTemporaryDir folder;
    const QString file = folder.filePath("keys.pdf");
    EXPECT_EQ(saveAsPdf(*page->document(), file), QString());
    EXPECT_GT(QFileInfo(file).size(), 500);
    EXPECT_TRUE(
        saveAsPdf(*page->document(), folder.filePath("none/keys.pdf")).contains(QStringLiteral("was not written")));
    words->setText(QStringLiteral("zzzz"));
    EXPECT_TRUE(page->toPlainText().contains(QStringLiteral("No key matches the search")));
    words->clear();
    EXPECT_EQ(page->toPlainText(), all);
}
