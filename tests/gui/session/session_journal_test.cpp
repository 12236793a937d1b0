// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session_journal.h"

#include "session/session.h"
#include "session/settings.h"

#include "study/presets.h"

#include <QDir>
#include <QTest>
#include <gmock/gmock.h>

#include <filesystem>

using namespace credence;
namespace fs = std::filesystem;

namespace {

/// What lies on the disk when the process of a window is killed.
void leaveACopy(const std::string& name)
{
    const fs::path all = sessionsFolder().toStdString();
    fs::copy(all / "1", all / name, fs::copy_options::recursive);
}

}   // namespace

TEST(SessionJournal, AWindowThatIsClosedLeavesNothingAndOneThatIsKilledItsStudyPointsAndRun)
{
    QDir(sessionsFolder()).removeRecursively();
    Study drawn;
    {
        Session session;
        int written = 0;
        SessionJournal journal(session, [] { return QStringLiteral("/a/run.credence"); });
        QObject::connect(&journal, &SessionJournal::written, &session, [&] { ++written; });
        drawn              = session.study();
        drawn.name         = "Of my own";
        drawn.data.changes = {{.step = 3, .added = {{0.5, 0.5, 1}}}};
        session.setStudy(drawn);
        ASSERT_TRUE(QTest::qWaitFor([&] { return written == 1; }, 30000));
        EXPECT_FALSE(SessionJournal::left()) << "its window lives";
        leaveACopy("7");
    }
    EXPECT_FALSE(fs::exists(sessionsFolder().toStdString() + "/1"));
    {
        const auto left = SessionJournal::left();
        ASSERT_TRUE(left);
        EXPECT_EQ(left->shownRun, "/a/run.credence");
        EXPECT_TRUE(load_study(left->studyFile.toStdString()) == drawn);
        EXPECT_LT(left->when.secsTo(QDateTime::currentDateTime()), 600);
        EXPECT_FALSE(SessionJournal::left()) << "it is taken";
    }
    {
        const auto left = SessionJournal::left();
        ASSERT_TRUE(left) << "nobody has answered yet";
        left->forget();
    }
    EXPECT_FALSE(SessionJournal::left());
    EXPECT_TRUE(QDir(sessionsFolder()).isEmpty());
}
