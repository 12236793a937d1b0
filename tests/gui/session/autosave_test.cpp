// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/document/autosave.h"

#include "session/document/study_document.h"
#include "session/session.h"
#include "session/settings.h"

#include "gui/wait_until.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <gmock/gmock.h>

#include <filesystem>

using namespace credence;
namespace fs = std::filesystem;

namespace {

/// A window without its widgets.
struct Window {
    Session session;
    StudyDocument document{session};
    QString run;
    Autosave autosave{document, [this] { return run; }};
    int written = 0;

    Window()
    {
        QObject::connect(&autosave, &Autosave::written, &session, [this] { ++written; });
        QObject::connect(&document, &StudyDocument::left, &session, unsavedStudies::add);
    }
    void setSteps(long steps)
    {
        Study after          = session.study();
        after.training.steps = steps;
        document.editSettings(after);
    }
    bool waitUntilWritten(int times = 1)
    {
        return waitUntil([&] { return written >= times; }, 30000);
    }
};

/// Copies the saved state of the only open window, as after a kill.
void leaveACopy(const std::string& name)
{
    const fs::path all = windowsFolder().toStdString();
    fs::copy(all / "1", all / name, fs::copy_options::recursive);
}

class AutosaveTest : public ::testing::Test {
protected:
    AutosaveTest()
    {
        for (const auto& left : {windowsFolder(), unsavedStudiesFolder()})
            QDir(left).removeRecursively();
    }
    QString fileWith(const QString& name, long steps)
    {
        Study study;
        study.training.steps = steps;
        const QString file   = folder.filePath(name);
        save_study(study, file.toStdString());
        return file;
    }
    QTemporaryDir folder;
};

}   // namespace

TEST_F(AutosaveTest, AKilledWindowIsRestoredWithItsFileUnsavedChangesAndRun)
{
    const QString file = fileWith("mine.json", 100);
    Study edited;
    {
        Window window;
        window.run = "/a/run.credence";
        window.document.open(file, load_study(file.toStdString()));
        window.setSteps(200);
        edited = window.session.study();
        ASSERT_TRUE(window.waitUntilWritten());
        leaveACopy("7");
        EXPECT_TRUE(QDir(windowsFolder()).exists("1"));
        Window other;
        other.autosave.leaveNewest();
        EXPECT_TRUE(QDir(windowsFolder()).exists("1")) << "its window is still open";
        fs::remove_all(windowsFolder().toStdString() + "/1");
    }
    for (const char* closed : {"1", "2"})
        fs::remove_all(windowsFolder().toStdString() + "/" + closed);
    Window next;
    const auto left = next.autosave.restoreNewest();
    ASSERT_TRUE(left);
    EXPECT_FALSE(left->closed);
    EXPECT_EQ(left->run, "/a/run.credence");
    EXPECT_EQ(left->document.file, file);
    EXPECT_TRUE(left->document.study == edited);
    EXPECT_TRUE(left->document.modified());
    EXPECT_LT(left->when.secsTo(QDateTime::currentDateTime()), 600);
    Window third;
    EXPECT_FALSE(third.autosave.restoreNewest()) << "the second window continues in that folder";
}

TEST_F(AutosaveTest, AClosedWindowIsRestoredWithItsFile)
{
    const QString file = fileWith("mine.json", 100);
    {
        Window window;
        window.document.open(file, load_study(file.toStdString()));
    }
    Window next;
    const auto left = next.autosave.restoreNewest();
    ASSERT_TRUE(left);
    EXPECT_TRUE(left->closed);
    EXPECT_EQ(left->document.file, file);
    EXPECT_FALSE(left->document.modified());
}

TEST_F(AutosaveTest, WithoutUnsavedChangesTheFileIsReadAgain)
{
    const QString file = fileWith("mine.json", 100);
    {
        Window window;
        window.document.open(file, load_study(file.toStdString()));
    }
    fileWith("mine.json", 300);
    Window next;
    const auto left = next.autosave.restoreNewest();
    ASSERT_TRUE(left);
    EXPECT_EQ(left->document.study.training.steps, 300);
    EXPECT_FALSE(left->document.modified());
}

TEST_F(AutosaveTest, AMissingFileLeavesAnUntitledStudyWithUnsavedChanges)
{
    const QString file = fileWith("mine.json", 100);
    {
        Window window;
        window.document.open(file, load_study(file.toStdString()));
    }
    QFile::remove(file);
    Window next;
    const auto left = next.autosave.restoreNewest();
    ASSERT_TRUE(left);
    EXPECT_EQ(left->document.file, QString());
    EXPECT_EQ(left->document.study.training.steps, 100);
    EXPECT_TRUE(left->document.modified());
}

TEST_F(AutosaveTest, UnsavedChangesOfAnOlderWindowAreListed)
{
    const QString c = fileWith("c.json", 100), d = fileWith("d.json", 300);
    {
        Window window;
        window.document.open(c, load_study(c.toStdString()));
        window.setSteps(777);
    }
    {
        Window window;
        window.autosave.leaveNewest();
        window.document.open(d, load_study(d.toStdString()));
        QTest::qWait(20);   // so that its state is the newer one on every file system
    }
    Window next;
    const auto left = next.autosave.restoreNewest();
    ASSERT_TRUE(left);
    EXPECT_EQ(left->document.file, d);
    ASSERT_EQ(next.autosave.foundUnsaved().size(), 1U);
    const auto entries = unsavedStudies::all();
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries.front().document.file, c);
    EXPECT_EQ(entries.front().document.study.training.steps, 777);
    EXPECT_EQ(entries.front().document.name(), "c.json");

    next.document.resume(entries.front().document, "Open c.json");
    EXPECT_EQ(next.document.file(), c);
    EXPECT_TRUE(next.document.modified());
    next.document.save();
    EXPECT_EQ(load_study(c.toStdString()).training.steps, 777);
    EXPECT_EQ(unsavedStudies::all().size(), 0U) << "it is saved";
}

TEST_F(AutosaveTest, OpenWindowsDoNotShareAState)
{
    const QString a = fileWith("a.json", 100), b = fileWith("b.json", 300);
    {
        Window first, second;
        first.document.open(a, load_study(a.toStdString()));
        second.document.open(b, load_study(b.toStdString()));
        first.setSteps(111);
        second.setSteps(333);
        ASSERT_TRUE(first.waitUntilWritten());
        ASSERT_TRUE(second.waitUntilWritten());
        EXPECT_EQ(QDir(windowsFolder()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size(), 2);
    }
    Window next;
    const auto newest = next.autosave.restoreNewest();
    ASSERT_TRUE(newest);
    ASSERT_EQ(next.autosave.foundUnsaved().size(), 1U);
    std::vector<long> steps{newest->document.study.training.steps,
                            next.autosave.foundUnsaved().front().study.training.steps};
    EXPECT_THAT(steps, ::testing::UnorderedElementsAre(111, 333));
}

TEST_F(AutosaveTest, TheNewestUnsavedStudiesAreListedAndOlderOnesForgotten)
{
    Window window;
    for (int i = 0; i < 30; ++i) {
        Study study;
        study.training.steps = 1000 + i;
        window.document.startNew(study, "New", StudyDocument::Origin::unsaved);
    }
    const auto entries = unsavedStudies::all();
    ASSERT_EQ(entries.size(), 20U);
    EXPECT_EQ(entries.front().document.study.training.steps, 1028) << "the last one is open";
    EXPECT_EQ(entries.back().document.study.training.steps, 1009);
}
