// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/document/study_document.h"

#include "session/session.h"

#include "study/presets.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <gmock/gmock.h>

using namespace credence;

namespace {

struct Desk {
    QTemporaryDir folder;
    Session session;
    StudyDocument document{session};

    QString fileWith(const QString& name, long steps)
    {
        Study study;
        study.training.steps = steps;
        const QString file   = folder.filePath(name);
        save_study(study, file.toStdString());
        return file;
    }
    void setSteps(long steps, const QString& key = {})
    {
        Study after          = session.study();
        after.training.steps = steps;
        document.editSettings(after, key);
    }
    void open(const QString& file) { document.open(file, load_study(file.toStdString())); }
    long steps() const { return session.study().training.steps; }
    static long stepsIn(const QString& file) { return load_study(file.toStdString()).training.steps; }
};

}   // namespace

TEST(StudyDocument, UndoPastOpenReturnsToTheDocumentBeforeWithItsFileAndItsUnsavedMark)
{
    Desk desk;
    const QString a = desk.fileWith("a.json", 100), b = desk.fileWith("b.json", 200);
    desk.open(a);
    desk.setSteps(150);
    desk.open(b);
    EXPECT_EQ(desk.document.file(), b);
    EXPECT_FALSE(desk.document.modified());
    desk.document.undo().undo();
    EXPECT_EQ(desk.document.file(), a);
    EXPECT_EQ(desk.steps(), 150);
    EXPECT_TRUE(desk.document.modified());
    desk.document.undo().undo();
    EXPECT_EQ(desk.steps(), 100);
    EXPECT_FALSE(desk.document.modified());
    desk.document.undo().undo();
    EXPECT_EQ(desk.document.file(), QString()) << "the Study of the start has no file";
    for (int i = 0; i < 3; ++i)
        desk.document.undo().redo();
    EXPECT_EQ(desk.document.file(), b);
    EXPECT_EQ(desk.steps(), 200);
}

TEST(StudyDocument, SaveAfterUndoPastOpenWritesTheFileOfThatDocument)
{
    Desk desk;
    const QString a = desk.fileWith("a.json", 100), b = desk.fileWith("b.json", 200);
    desk.open(a);
    desk.setSteps(150);
    desk.open(b);
    desk.document.undo().undo();
    desk.document.save();
    EXPECT_EQ(Desk::stepsIn(a), 150);
    EXPECT_EQ(Desk::stepsIn(b), 200);
    EXPECT_FALSE(desk.document.modified());
    desk.document.undo().redo();
    EXPECT_FALSE(desk.document.modified()) << "b was not touched";
}

TEST(StudyDocument, ANewDocumentIsUntitled)
{
    Desk desk;
    desk.open(desk.fileWith("a.json", 100));
    desk.document.startNew(preset("circles"), "Preset Circles");
    EXPECT_EQ(desk.document.file(), QString());
    EXPECT_FALSE(desk.document.modified()) << "the preset can be chosen again";
    desk.setSteps(7);
    EXPECT_TRUE(desk.document.modified());
    desk.document.startNew(preset("xor"), "Import", StudyDocument::Origin::unsaved);
    EXPECT_TRUE(desk.document.modified()) << "stored nowhere";
}

TEST(StudyDocument, TheUnsavedMarkDisappearsWhenTheStudyEqualsItsFile)
{
    Desk desk;
    desk.open(desk.fileWith("a.json", 100));
    desk.setSteps(150);
    desk.document.save();
    EXPECT_FALSE(desk.document.modified());
    desk.document.undo().undo();
    EXPECT_TRUE(desk.document.modified());
    desk.document.undo().redo();
    EXPECT_FALSE(desk.document.modified());
}

TEST(StudyDocument, TypingBeforeAndAfterASaveIsTwoSteps)
{
    Desk desk;
    desk.open(desk.fileWith("a.json", 100));
    desk.setSteps(15, "training.steps");
    desk.setSteps(150, "training.steps");
    desk.document.save();
    desk.setSteps(1500, "training.steps");
    desk.document.undo().undo();
    EXPECT_EQ(desk.steps(), 150);
    EXPECT_FALSE(desk.document.modified());
    desk.document.undo().undo();
    EXPECT_EQ(desk.steps(), 100);
}

TEST(StudyDocument, AFileOverwrittenByAnotherDocumentBelongsToThatDocument)
{
    Desk desk;
    const QString a = desk.fileWith("a.json", 100), b = desk.fileWith("b.json", 200);
    desk.open(a);
    desk.open(b);
    desk.document.saveAs(a);
    EXPECT_EQ(Desk::stepsIn(a), 200);
    desk.document.undo().undo();
    EXPECT_EQ(desk.document.file(), QString()) << "the other Study in a.json has lost its file";
    EXPECT_EQ(desk.steps(), 100);
    EXPECT_TRUE(desk.document.modified());
}

TEST(StudyDocument, AFileOpenedAgainIsOneDocument)
{
    Desk desk;
    const QString a = desk.fileWith("a.json", 100);
    desk.open(a);
    desk.setSteps(150);
    QSignalSpy left(&desk.document, &StudyDocument::left);
    desk.open(a);
    EXPECT_EQ(left.size(), 1) << "the changes can be opened again";
    EXPECT_EQ(desk.steps(), 100);
    desk.document.undo().undo();
    EXPECT_EQ(desk.document.file(), a);
    EXPECT_EQ(desk.steps(), 150);
    EXPECT_TRUE(desk.document.modified());
}

TEST(StudyDocument, ADocumentLeftWithUnsavedChangesIsReportedAndOneWithoutIsNot)
{
    Desk desk;
    const QString a = desk.fileWith("a.json", 100), b = desk.fileWith("b.json", 200);
    QSignalSpy left(&desk.document, &StudyDocument::left);
    desk.open(a);
    desk.open(b);
    EXPECT_EQ(left.size(), 0);
    desk.setSteps(222);
    desk.document.startNew(preset("circles"), "Preset Circles");
    ASSERT_EQ(left.size(), 1);
    const auto state = left.front().front().value<DocumentState>();
    EXPECT_EQ(state.file, b);
    EXPECT_EQ(state.study.training.steps, 222);
}

TEST(StudyDocument, PathsAreAbsolute)
{
    Desk desk;
    desk.fileWith("a.json", 100);
    const QString before = QDir::currentPath();
    ASSERT_TRUE(QDir::setCurrent(desk.folder.path()));
    desk.open("a.json");
    EXPECT_EQ(desk.document.file(), QDir(desk.folder.path()).absoluteFilePath("a.json"));
    desk.document.saveAs("../" + QDir(desk.folder.path()).dirName() + "/c.json");
    EXPECT_EQ(desk.document.file(), QDir(desk.folder.path()).absoluteFilePath("c.json"));
    QDir::setCurrent(before);
}

TEST(StudyDocument, AChangeOfTheFileByAnotherProgramIsDetected)
{
    Desk desk;
    const QString a = desk.fileWith("a.json", 100);
    desk.open(a);
    EXPECT_FALSE(desk.document.changedOnDisk());
    desk.setSteps(150);
    EXPECT_FALSE(desk.document.changedOnDisk());
    desk.fileWith("a.json", 300);
    EXPECT_TRUE(desk.document.changedOnDisk());
    desk.document.save();
    EXPECT_FALSE(desk.document.changedOnDisk());
    QFile::remove(a);
    EXPECT_FALSE(desk.document.changedOnDisk()) << "nothing is lost by writing it again";
}

TEST(StudyDocument, OnlyTheNewest200StepsCanBeUndone)
{
    Desk desk;
    for (long steps = 1; steps <= 250; ++steps)
        desk.setSteps(steps);
    EXPECT_EQ(desk.document.undo().count(), 200);
}
