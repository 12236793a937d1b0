// SPDX-License-Identifier: GPL-3.0-or-later
// Files, undo and unsaved changes, by the keys that a user presses.
#include "window_driver.h"

#include "lessons/lesson_guide.h"
#include "parts/sheet.h"
#include "session/document/autosave.h"
#include "session/settings.h"
#include "study/study_panel.h"

#include "results/picture_link.h"
#include "study/presets.h"

#include <QAction>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QStatusBar>
#include <QTemporaryDir>

using namespace credence;
using ::testing::HasSubstr;

namespace {

constexpr auto ctrl  = Qt::ControlModifier;
constexpr auto shift = Qt::ShiftModifier;

/// A user with a folder of studies, who knows the keys.
class Documents : public ::testing::Test {
protected:
    Documents()
    {
        for (const auto& left : {windowsFolder(), unsavedStudiesFolder()})
            QDir(left).removeRecursively();
    }

    QString fileWith(const QString& name, long steps)
    {
        Study study          = preset("two_moons_point_estimate");
        study.training.steps = steps;
        const QString file   = folder.filePath(name);
        save_study(study, file.toStdString());
        return file;
    }
    static long stepsIn(const QString& file) { return load_study(file.toStdString()).training.steps; }
    static void activate(WindowDriver& window)
    {
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&window.window()));
    }
    static void press(WindowDriver& window, Qt::Key key, Qt::KeyboardModifiers modifiers = ctrl)
    {
        activate(window);
        QTest::keyClick(&window.window(), key, modifiers);
    }
    static QFileDialog* dialogOf(WindowDriver& window) { return window->findChild<QFileDialog*>(); }
    /// Gives the open dialog a path.
    static void answer(WindowDriver& window, const QString& path)
    {
        auto* dialog = dialogOf(window);
        ASSERT_NE(dialog, nullptr);
        dialog->findChild<QLineEdit*>()->setText(path);
        static_cast<QDialog*>(dialog)->accept();   // Return goes to the list of completions, if it is shown by then
        ASSERT_TRUE(window.waitFor([&] { return dialogOf(window) == nullptr; }));
    }
    static void open(WindowDriver& window, const QString& path)
    {
        press(window, Qt::Key_O);
        answer(window, path);
        ASSERT_TRUE(window.waitFor([&] { return window->context().document.file() == path; }));
    }
    static bool asksForAFile(WindowDriver& window)
    {
        auto* dialog     = dialogOf(window);
        const bool asked = dialog && dialog->isVisible() && dialog->acceptMode() == QFileDialog::AcceptSave;
        if (dialog) {
            dialog->reject();
            EXPECT_TRUE(window.waitFor([&] { return dialogOf(window) == nullptr; }));
        }
        return asked;
    }
    static std::string title(WindowDriver& window) { return window->windowTitle().toStdString(); }
    static QStringList unsaved(WindowDriver& window)
    {
        auto* menu = window.find<QMenu>("unsavedStudies");
        Q_EMIT menu->aboutToShow();
        QStringList entries;
        for (const auto* action : menu->actions())
            entries += action->text();
        return entries;
    }

    QTemporaryDir folder;
};

}   // namespace

TEST_F(Documents, AfterUndoPastOpenSaveWritesTheFileThatTheTitleNames)
{
    const QString a = fileWith("a.json", 100), b = fileWith("b.json", 200);
    WindowDriver window;
    open(window, a);
    window.type("training.steps/editor", "150");
    EXPECT_THAT(title(window), HasSubstr("a.json"));
    EXPECT_TRUE(window->isWindowModified());
    open(window, b);
    EXPECT_THAT(title(window), HasSubstr("b.json"));
    EXPECT_FALSE(window->isWindowModified());
    press(window, Qt::Key_Z);
    EXPECT_THAT(title(window), HasSubstr("a.json"));
    EXPECT_TRUE(window->isWindowModified());
    press(window, Qt::Key_S);
    EXPECT_EQ(stepsIn(a), 150);
    EXPECT_EQ(stepsIn(b), 200);
    EXPECT_FALSE(window->isWindowModified());
}

TEST_F(Documents, AStudyFromAPresetIsUntitledAndSaveAsksForAFile)
{
    const QString mine = fileWith("mine.json", 100);
    WindowDriver window;
    open(window, mine);
    // Alt+F, W: New from preset; the first group, its last preset.
    press(window, Qt::Key_F, Qt::AltModifier);
    for (const auto key : {Qt::Key_W, Qt::Key_Right}) {
        auto* menu = QApplication::activePopupWidget();
        ASSERT_NE(menu, nullptr);
        QTest::keyClick(menu, key);
        ASSERT_TRUE(window.waitFor([menu] { return QApplication::activePopupWidget() != menu; })) << "its menu opens";
    }
    for (const auto key : {Qt::Key_Up, Qt::Key_Return})
        QTest::keyClick(QApplication::activePopupWidget(), key);
    ASSERT_TRUE(window.waitFor([&] { return !(window.study() == load_study(mine.toStdString())); }));
    EXPECT_THAT(title(window), HasSubstr(window.study().name + " (untitled)"));
    press(window, Qt::Key_S);
    EXPECT_TRUE(asksForAFile(window));
    EXPECT_EQ(stepsIn(mine), 100);

    press(window, Qt::Key_S);
    answer(window, folder.filePath("new"));
    EXPECT_TRUE(load_study(folder.filePath("new.json").toStdString()) == window.study());
    EXPECT_THAT(title(window), HasSubstr("new.json"));
    press(window, Qt::Key_Z);
    EXPECT_THAT(title(window), HasSubstr("mine.json"));
}

TEST_F(Documents, SaveSuggestsAFileNamedAfterTheStudyAndSaveAsSuggestsTheCurrentFile)
{
    const QString mine = fileWith("mine.json", 100);
    WindowDriver window;
    const auto suggested = [&](Qt::KeyboardModifiers modifiers) {
        press(window, Qt::Key_S, modifiers);
        const auto* dialog = dialogOf(window);
        const QString name = dialog ? dialog->selectedFiles().value(0) : QString();
        EXPECT_TRUE(asksForAFile(window));
        return name;
    };
    ASSERT_EQ(window.study().name, "Two moons, mean field");
    EXPECT_EQ(QFileInfo(suggested(Qt::ControlModifier)).fileName(), "two-moons-mean-field.json");
    open(window, mine);
    EXPECT_EQ(suggested(Qt::ControlModifier | Qt::ShiftModifier), mine);
}

TEST_F(Documents, ALessonDoesNotChangeAnyFile)
{
    const QString mine = fileWith("mine.json", 100);
    WindowDriver window;
    open(window, mine);
    const QString lesson = folder.filePath("lesson.md");
    QFile text(lesson);
    ASSERT_TRUE(text.open(QIODevice::WriteOnly));
    text.write("---\ntitle: A lesson of my own\nminutes: 1\nabout: Tries things out.\n---\n"
               "## One setting\n\nText.\n\n```do\nset training.steps 321\n```\n");
    text.close();
    window->openFile(lesson);
    ASSERT_EQ(window->message(), QString());
    window.clickButton("lessonShow");
    ASSERT_TRUE(window.waitFor([&] { return window.study().training.steps == 321; }))
        << window->message().toStdString();
    EXPECT_THAT(title(window), HasSubstr("(untitled)"));
    press(window, Qt::Key_S);
    EXPECT_TRUE(asksForAFile(window));
    EXPECT_EQ(stepsIn(mine), 100);
}

TEST_F(Documents, ATypedSeedIsSaved)
{
    const QString mine = fileWith("mine.json", 100);
    WindowDriver window;
    open(window, mine);
    activate(window);
    auto* seed = window.find<QDoubleSpinBox>("seed");
    seed->setFocus();
    ASSERT_TRUE(seed->hasFocus());
    seed->selectAll();
    QTest::keyClicks(seed, "77");
    window->session().pause();   // even if the session reports something meanwhile
    Q_EMIT window->session().stateChanged();
    EXPECT_EQ(window.study().seed, 1U) << "typed, and not yet part of the Study";
    press(window, Qt::Key_S);
    EXPECT_EQ(load_study(mine.toStdString()).seed, 77U);
}

TEST_F(Documents, ATypedSeedIsInALink)
{
    WindowDriver window;
    ASSERT_TRUE(window.train(30));
    activate(window);
    auto* seed = window.find<QDoubleSpinBox>("seed");
    seed->setFocus();
    seed->selectAll();
    QTest::keyClicks(seed, "77");
    press(window, Qt::Key_K, ctrl | shift);
    const QString file = folder.filePath("slide.credence-link");
    answer(window, file);
    ASSERT_TRUE(QFile::exists(file)) << window->message().toStdString();
    const auto link = load_picture_link(file.toStdString());
    ASSERT_TRUE(link.study);
    EXPECT_EQ(link.study->seed, 77U);
    EXPECT_TRUE(link.run.empty()) << "the saved run has another seed";
    EXPECT_EQ(link.step, 0);
}

TEST_F(Documents, ATypedFieldIsSaved)
{
    const QString mine = fileWith("mine.json", 100);
    WindowDriver window;
    open(window, mine);
    activate(window);
    window->findChild<StudyPanel*>()->unfold("training.steps");
    auto* steps = window.find<QLineEdit>("training.steps/editor");
    steps->setFocus();
    ASSERT_TRUE(steps->hasFocus());
    steps->selectAll();
    QTest::keyClicks(steps, "4321");
    EXPECT_EQ(window.study().training.steps, 100) << "typed, and not yet part of the Study";
    press(window, Qt::Key_S);
    EXPECT_EQ(stepsIn(mine), 4321);
}

TEST_F(Documents, AWindowIsRestoredWithItsFileAndUnsavedMark)
{
    const QString mine = fileWith("mine.json", 100);
    {
        WindowDriver window;
        open(window, mine);
        window.type("training.steps/editor", "150");
        press(window, Qt::Key_Q);
        EXPECT_FALSE(window->isVisible()) << "nothing is in progress, so no question appears";
    }
    EXPECT_EQ(stepsIn(mine), 100);
    WindowDriver window;
    window->restoreSession();
    EXPECT_THAT(title(window), HasSubstr("mine.json"));
    EXPECT_TRUE(window->isWindowModified());
    EXPECT_EQ(window->message(), QString()) << "it was closed by its user";
    press(window, Qt::Key_S);
    EXPECT_EQ(dialogOf(window), nullptr);
    EXPECT_EQ(stepsIn(mine), 150);
    EXPECT_FALSE(window->isWindowModified());
}

TEST_F(Documents, UnsavedChangesOfAnotherWindowAreOfferedAtTheNextStart)
{
    const QString c = fileWith("c.json", 100), d = fileWith("d.json", 200);
    {
        WindowDriver window;
        open(window, c);
        window.type("training.steps/editor", "777");
        press(window, Qt::Key_Q);
    }
    {
        WindowDriver window;
        window->leaveSession();
        window->openFile(d);
        ASSERT_TRUE(window.waitFor([&] { return window->context().document.file() == d; }));
        QTest::qWait(20);   // file times of the two states differ
        press(window, Qt::Key_Q);
    }
    WindowDriver window;
    window->restoreSession();
    EXPECT_THAT(title(window), HasSubstr("d.json"));
    EXPECT_THAT(window->message().toStdString(), HasSubstr("c.json"));
    EXPECT_THAT(unsaved(window).join('\n').toStdString(), HasSubstr("c.json"));
    window.clickButton("offer0");
    EXPECT_THAT(title(window), HasSubstr("c.json"));
    EXPECT_TRUE(window->isWindowModified());
    EXPECT_EQ(window.study().training.steps, 777);
    press(window, Qt::Key_S);
    EXPECT_EQ(stepsIn(c), 777);
    EXPECT_EQ(stepsIn(d), 200);
    EXPECT_EQ(unsaved(window), QStringList{"None"});
}

TEST_F(Documents, AReplacedStudyIsListedWithItsUnsavedChanges)
{
    const QString a = fileWith("a.json", 100), b = fileWith("b.json", 200);
    WindowDriver window;
    open(window, a);
    window.type("training.steps/editor", "150");
    open(window, b);
    ASSERT_THAT(unsaved(window).join('\n').toStdString(), HasSubstr("a.json"));
    window.find<QMenu>("unsavedStudies")->actions().front()->trigger();
    EXPECT_THAT(title(window), HasSubstr("a.json"));
    EXPECT_TRUE(window->isWindowModified());
    EXPECT_EQ(window.study().training.steps, 150);
    press(window, Qt::Key_Z);
    EXPECT_THAT(title(window), HasSubstr("b.json"));
}

TEST_F(Documents, TwoWindowsSaveTheirOwnStudies)
{
    const QString a = fileWith("a.json", 100), b = fileWith("b.json", 200);
    WindowDriver first, second;
    open(first, a);
    open(second, b);
    first.type("training.steps/editor", "111");
    second.type("training.steps/editor", "222");
    press(first, Qt::Key_S);
    press(second, Qt::Key_S);
    EXPECT_EQ(stepsIn(a), 111);
    EXPECT_EQ(stepsIn(b), 222);
    // Both open the same file: the second save asks before it replaces the first one's.
    open(second, a);
    first.type("training.steps/editor", "333");
    second.type("training.steps/editor", "444");
    press(first, Qt::Key_S);
    press(second, Qt::Key_S);
    EXPECT_EQ(stepsIn(a), 333);
    EXPECT_THAT(second->message().toStdString(),
                HasSubstr("Not saved: a.json was changed by another program or window"));
    second.clickButton("offer0");
    EXPECT_EQ(stepsIn(a), 444);
}

TEST_F(Documents, ARunOpenedFromAnotherFolderIsRestored)
{
    const QString elsewhere = folder.filePath("elsewhere.credence");
    {
        WindowDriver window;
        ASSERT_TRUE(window.train(30));
        ASSERT_TRUE(window.waitFor([&] { return QFile::exists(window->context().opener.shownFile()); }));
        ASSERT_TRUE(QFile::copy(window->context().opener.shownFile(), elsewhere));
        window->openFile(elsewhere);
        ASSERT_TRUE(window.waitFor([&] { return window->context().opener.shownFile() == elsewhere; }));
        press(window, Qt::Key_Q);
    }
    WindowDriver window;
    window->restoreSession();
    EXPECT_TRUE(window.waitFor([&] { return window->context().opener.shownFile() == elsewhere; }));
    EXPECT_EQ(window->session().run().current().snapshot->point.step, 30);
}

TEST_F(Documents, QuittingAsksOnceWhileWorkIsInProgress)
{
    WindowDriver window;
    bool working = true;
    window->context().unfinished.add(&window.window(),
                                     {[&] { return working ? QString("A sweep is running.") : QString(); }});
    press(window, Qt::Key_Q);
    auto* question = window.find<Sheet>("quitQuestion");
    ASSERT_NE(question, nullptr);
    EXPECT_TRUE(window->isVisible());
    EXPECT_EQ(question->details(), "A sweep is running.");
    const auto* title = question->findChild<QLabel*>("sheetTitle");
    EXPECT_EQ(title->text(), "Quit Credence?");
    EXPECT_GE(title->width(), title->fontMetrics().horizontalAdvance(title->text()))
        << "there is room for the whole title";
    EXPECT_EQ(question->focusWidget(), question->back()) << "Enter and Escape change nothing";
    QTest::keyClick(question, Qt::Key_Escape);
    ASSERT_TRUE(window.waitFor([&] { return !window->findChild<Sheet*>("quitQuestion"); }));
    EXPECT_TRUE(window->isVisible());
    press(window, Qt::Key_Q);
    window.clickButton("stopAndQuit");
    EXPECT_FALSE(window->isVisible());
    working = false;
}

TEST_F(Documents, SaveWhileASavedRunIsDisplayedNamesTheStudyThatIsSaved)
{
    const QString mine = fileWith("mine.json", 30);
    WindowDriver window;
    open(window, mine);
    ASSERT_TRUE(window.train(30));
    window.type("training.steps/editor", "40");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    window.displayRun(0);
    ASSERT_TRUE(window.waitFor([&] { return window->session().displaysSaved(); }));
    press(window, Qt::Key_S);
    EXPECT_EQ(stepsIn(mine), 40);
    EXPECT_EQ(window->statusBar()->currentMessage(),
              "Saved mine.json: the Study that you are editing, not that of the displayed run.");
}

TEST_F(Documents, AWriteProtectedFileIsNotReplaced)
{
    const QString mine = fileWith("mine.json", 100);
    WindowDriver window;
    open(window, mine);
    ASSERT_TRUE(QFile::setPermissions(mine, QFileDevice::ReadOwner));
    window.type("training.steps/editor", "150");
    press(window, Qt::Key_S);
    EXPECT_THAT(window->message().toStdString(), HasSubstr("mine.json: the file is write-protected"));
    EXPECT_EQ(stepsIn(mine), 100);
    EXPECT_TRUE(window->isWindowModified()) << "nothing was saved";
}

TEST_F(Documents, ChartsOfTheStudyBeforeAreNamedWhileAnOpenedOneHasAnError)
{
    Study study       = preset("two_moons_point_estimate");
    study.data.source = DataSource::csv;
    study.data.file   = folder.filePath("gone.csv").toStdString();
    save_study(study, folder.filePath("table.json").toStdString());
    WindowDriver window;
    auto* other = window.find<QWidget>("otherStudy");
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_TRUE(other->isHidden());
    open(window, folder.filePath("table.json"));
    ASSERT_TRUE(window.waitForState(Session::State::refused));
    EXPECT_FALSE(other->isHidden());
    EXPECT_EQ(window.find<QLabel>("otherStudyWords")->text(),
              "The settings below have an error, so the charts still show Two moons, mean field.");
    press(window, Qt::Key_Z);
    ASSERT_TRUE(window.waitForState(Session::State::ready));
    EXPECT_TRUE(other->isHidden());
}

TEST_F(Documents, TheStudyOfASweepIsOpenedUntitled)
{
    const QString cell = sweepsFolder() + "/a/cells/b";
    ASSERT_TRUE(QDir().mkpath(cell));
    const QString file = cell + "/study.json";
    save_study(preset("circles"), file.toStdString());
    WindowDriver window;
    window->openFile(file);
    ASSERT_TRUE(window.waitFor([&] { return window.study() == preset("circles"); }));
    EXPECT_THAT(title(window), HasSubstr("(untitled)"));
    press(window, Qt::Key_S);
    EXPECT_TRUE(asksForAFile(window));
    QDir(sweepsFolder()).removeRecursively();
}

TEST_F(Documents, RecentFilesAreAbsolute)
{
    fileWith("a.json", 100);
    const QString before = QDir::currentPath();
    ASSERT_TRUE(QDir::setCurrent(folder.path()));
    WindowDriver window;
    window->openFile("a.json");
    QDir::setCurrent(before);
    ASSERT_TRUE(window.waitFor([&] { return window->context().document.file() == folder.filePath("a.json"); }));
    EXPECT_EQ(read(settings::recentStudies).front(), folder.filePath("a.json"));
    window.type("training.steps/editor", "150");
    press(window, Qt::Key_S);
    EXPECT_EQ(stepsIn(folder.filePath("a.json")), 150);
}
