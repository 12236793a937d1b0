// SPDX-License-Identifier: GPL-3.0-or-later
#include "program.h"

#include <QTest>
#include <gmock/gmock.h>

#include <csignal>

// `credence data …`, with a catalogue whose mirrors are a server of this test.

using namespace credence;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

using Command = Program;

}   // namespace

TEST_F(Command, FetchesASetAndListsItAsAtHand)
{
    EXPECT_THAT(call({"data", "list"}).out,
                AllOf(HasSubstr("Tiny digits"), HasSubstr("not here (credence data fetch tiny)")));
    const Answer fetched = call({"data", "fetch", "tiny"});
    EXPECT_EQ(fetched.status, 0);
    EXPECT_THAT(fetched.error, IsEmpty());
    EXPECT_THAT(fetched.out, AllOf(HasSubstr("Tiny digits is at hand in " + target.string() + ": 4 files fetched"),
                                   HasSubstr("Licence: none.")));
    EXPECT_EQ(filesBelow(target).size(), 4u);
    EXPECT_THAT(call({"data", "list"}).out, HasSubstr("at hand in " + target.string()));
    const Answer again = call({"data", "fetch", "tiny"});
    EXPECT_EQ(again.status, 0);
    EXPECT_THAT(again.out, HasSubstr("all files have the right SHA-256"));
}

TEST_F(Command, SaysWhatADistributionInstalled)
{
    for (const auto& [name, bytes] : set.files)
        write(home / "usr/share/datasets/tiny/" / name, bytes);
    set.entry.installed = {(home / "usr/share/datasets/tiny").string()};
    EXPECT_THAT(call({"data", "list"}).out,
                HasSubstr("installed by the distribution in " + set.entry.installed.front()));
    EXPECT_THAT(call({"data", "fetch", "tiny"}).out,
                HasSubstr("Tiny digits is at hand in " + set.entry.installed.front()));
    EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(Command, ListsWhatTheProgramDraws)
{
    EXPECT_THAT(call({"data", "list"}).out, AllOf(HasSubstr("stroke-digits"), HasSubstr("drawn by the program")));
}

TEST_F(Command, EndsWithOneWhenEveryMirrorFails)
{
    server.pages.clear();
    const Answer answer = call({"data", "fetch", "tiny"});
    EXPECT_EQ(answer.status, 1);
    EXPECT_THAT(answer.out, IsEmpty());
    EXPECT_THAT(
        answer.error,
        HasSubstr(
            "credence: train-images-idx3-ubyte.gz of Tiny digits could not be fetched: 127.0.0.1 answered 404 (Not Found)."));
    EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(Command, EndsWithTwoForASetThatNobodyKnows)
{
    const Answer answer = call({"data", "fetch", "tinny"});
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error, HasSubstr("There is no data set “tinny”, expected one of tiny."));
    EXPECT_EQ(call({"data"}).status, 2);
    EXPECT_EQ(call({"data", "fetch"}).status, 2);
    EXPECT_EQ(call({"data", "eat"}).status, 2);
}

TEST_F(Command, CtrlCEndsADownloadAndLeavesNothing)
{
    auto& page      = server.pages["/first/train-images-idx3-ubyte.gz"];
    page.body       = someBytes(500000);
    page.pieceEvery = 20;
    QProcess program;
    start(program, {"data", "fetch", "tiny"});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !filesBelow(target).empty() && !server.asked.isEmpty(); }, 20000));
    ::kill(static_cast<pid_t>(program.processId()), SIGINT);
    const Answer answer = end(program);
    EXPECT_EQ(answer.status, 130);
    EXPECT_THAT(answer.error, HasSubstr("credence: Cancelled."));
    EXPECT_FALSE(std::filesystem::exists(target));
}

TEST_F(Command, WhatAKilledDownloadLeftIsRemovedByTheNext)
{
    auto& page      = server.pages["/first/train-images-idx3-ubyte.gz"];
    page.pieceEvery = 1000;
    QProcess program;
    start(program, {"data", "fetch", "tiny"});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !server.asked.isEmpty(); }, 20000));
    program.kill();
    end(program);
    EXPECT_FALSE(filesBelow(target).empty());
    page.pieceEvery = 0;
    EXPECT_EQ(call({"data", "fetch", "tiny"}).status, 0);
    EXPECT_EQ(filesBelow(target).size(), 4u);
}

TEST_F(Command, ACatalogueThatIsNoneIsSaid)
{
    set.entry.mirrors   = {"ftp://127.0.0.1/"};
    const Answer answer = call({"data", "list"});
    EXPECT_EQ(answer.status, 2);
    EXPECT_THAT(answer.error,
                HasSubstr("credence: catalogue.json, set 1: mirrors is “ftp://127.0.0.1/”, expected addresses"));
}
