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
    Desk binder;
    const QString a = binder.fileWith("a.json", 100), b = binder.fileWith("b.json", 200);
    binder.open(a);
    binder.setSteps(150);
    binder.open(b);
    EXPECT_EQ(binder.document.file(), b);
    EXPECT_FALSE(binder.document.modified());
    binder.document.undo().undo();
    EXPECT_EQ(binder.document.file(), a);
    EXPECT_EQ(binder.steps(), 150);
    EXPECT_TRUE(binder.document.modified());
    binder.document.undo().undo();
    EXPECT_EQ(binder.steps(), 100);
    EXPECT_FALSE(binder.document.modified());
    binder.document.undo().undo();
    EXPECT_EQ(binder.document.file(), QString()) << "the Study of the start has no file";
    for (int i = 0; i < 3; ++i)
        binder.document.undo().redo();
    EXPECT_EQ(binder.document.file(), b);
    EXPECT_EQ(binder.steps(), 200);
}

TEST(StudyDocument, SaveAfterUndoPastOpenWritesTheFileOfThatDocument)
{
    Desk binder;
    const QString a = binder.fileWith("a.json", 100), b = binder.fileWith("b.json", 200);
    binder.open(a);
    binder.setSteps(150);
    binder.open(b);
    binder.document.undo().undo();
    binder.document.save();
    EXPECT_EQ(Desk::stepsIn(a), 150);
    EXPECT_EQ(Desk::stepsIn(b), 200);
    EXPECT_FALSE(binder.document.modified());
    binder.document.undo().redo();
    EXPECT_FALSE(binder.document.modified()) << "b was not touched";
}

TEST(StudyDocument, ANewDocumentIsUntitled)
{
    Desk binder;
    binder.open(binder.fileWith("a.json", 100));
    binder.document.startNew(preset("circles"), "Preset Circles");
    EXPECT_EQ(binder.document.file(), QString());
    EXPECT_FALSE(binder.document.modified()) << "the preset can be chosen again";
    binder.setSteps(7);
    EXPECT_TRUE(binder.document.modified());
    binder.document.startNew(preset("xor"), "Import", StudyDocument::Origin::unsaved);
    EXPECT_TRUE(binder.document.modified()) << "stored nowhere";
}

TEST(StudyDocument, TheUnsavedMarkDisappearsWhenTheStudyEqualsItsFile)
{
    Desk binder;
    binder.open(binder.fileWith("a.json", 100));
    binder.setSteps(150);
    binder.document.save();
    EXPECT_FALSE(binder.document.modified());
    binder.document.undo().undo();
    EXPECT_TRUE(binder.document.modified());
    binder.document.undo().redo();
    EXPECT_FALSE(binder.document.modified());
}

TEST(StudyDocument, TypingBeforeAndAfterASaveIsTwoSteps)
{
    Desk binder;
    binder.open(binder.fileWith("a.json", 100));
    binder.setSteps(15, "training.steps");
    binder.setSteps(150, "training.steps");
    binder.document.save();
    binder.setSteps(1500, "training.steps");
    binder.document.undo().undo();
    EXPECT_EQ(binder.steps(), 150);
    EXPECT_FALSE(binder.document.modified());
    binder.document.undo().undo();
    EXPECT_EQ(binder.steps(), 100);
}

TEST(StudyDocument, AFileOverwrittenByAnotherDocumentBelongsToThatDocument)
{
    Desk binder;
    const QString a = binder.fileWith("a.json", 100), b = binder.fileWith("b.json", 200);
    binder.open(a);
    binder.open(b);
    binder.document.saveAs(a);
    EXPECT_EQ(Desk::stepsIn(a), 200);
    binder.document.undo().undo();
    EXPECT_EQ(binder.document.file(), QString()) << "the other Study in a.json has lost its file";
    EXPECT_EQ(binder.steps(), 100);
    EXPECT_TRUE(binder.document.modified());
}

TEST(StudyDocument, AFileOpenedAgainIsOneDocument)
{
    Desk binder;
    const QString a = binder.fileWith("a.json", 100);
    binder.open(a);
    binder.setSteps(150);
    QSignalSpy left(&binder.document, &StudyDocument::left);
    binder.open(a);
    EXPECT_EQ(left.size(), 1) << "the changes can be opened again";
    EXPECT_EQ(binder.steps(), 100);
    binder.document.undo().undo();
    EXPECT_EQ(binder.document.file(), a);
    EXPECT_EQ(binder.steps(), 150);
    EXPECT_TRUE(binder.document.modified());
}

TEST(StudyDocument, ADocumentLeftWithUnsavedChangesIsReportedAndOneWithoutIsNot)
{
    Desk binder;
    const QString a = binder.fileWith("a.json", 100), b = binder.fileWith("b.json", 200);
    QSignalSpy left(&binder.document, &StudyDocument::left);
    binder.open(a);
    binder.open(b);
    EXPECT_EQ(left.size(), 0);
    binder.setSteps(222);
    binder.document.startNew(preset("circles"), "Preset Circles");
    ASSERT_EQ(left.size(), 1);
    const auto state = left.front().front().value<DocumentState>();
    EXPECT_EQ(state.file, b);
    EXPECT_EQ(state.study.training.steps, 222);
}

TEST(StudyDocument, PathsAreAbsolute)
{
    Desk binder;
    binder.fileWith("a.json", 100);
    const QString before = QDir::currentPath();
    ASSERT_TRUE(QDir::setCurrent(binder.folder.path()));
    binder.open("a.json");
    EXPECT_EQ(binder.document.file(), QDir(binder.folder.path()).absoluteFilePath("a.json"));
    binder.document.saveAs("../" + QDir(binder.folder.path()).dirName() + "/c.json");
    EXPECT_EQ(binder.document.file(), QDir(binder.folder.path()).absoluteFilePath("c.json"));
    QDir::setCurrent(before);
}

TEST(StudyDocument, AChangeOfTheFileByAnotherProgramIsDetected)
{
    Desk binder;
    const QString a = binder.fileWith("a.json", 100);
    binder.open(a);
    EXPECT_FALSE(binder.document.changedOnDisk());
    binder.setSteps(150);
    EXPECT_FALSE(binder.document.changedOnDisk());
    binder.fileWith("a.json", 300);
    EXPECT_TRUE(binder.document.changedOnDisk());
    binder.document.save();
    EXPECT_FALSE(binder.document.changedOnDisk());
    QFile::remove(a);
    EXPECT_FALSE(binder.document.changedOnDisk()) << "nothing is lost by writing it again";
}

TEST(StudyDocument, OnlyTheNewest200StepsCanBeUndone)
{
    Desk binder;
    for (long steps = 1; steps <= 250; ++steps)
        binder.setSteps(steps);
    EXPECT_EQ(binder.document.undo().count(), 200);
}
