// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "gui/wait_until.h"
#include "work/worker.h"

#include <QCoreApplication>
#include <QTest>
#include <gmock/gmock.h>

#include <atomic>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace testing;
using credence::Error;
using Newer = Worker::Newer;

namespace {

bool waitFor(const std::function<bool()>& condition) { return waitUntil(condition, 20000); }

/// Works until it is released or stopped; shows its name.
struct Held {
    std::latch begun{1}, release{1};
    std::atomic<bool> stopped{false};

    Worker::Work work(std::vector<std::string>& shown, const std::string& name)
    {
        return [this, &shown, name](std::stop_token stop, Worker::Progress&) -> Worker::Show {
            begun.count_down();
            while (!release.try_wait() && !stop.stop_requested())
                std::this_thread::yield();
            stopped = stop.stop_requested();
            return [&shown, name] { shown.push_back(name); };
        };
    }
};

Worker::Work shows(std::vector<std::string>& shown, const std::string& name)
{
    return [&shown, name](std::stop_token, Worker::Progress&) -> Worker::Show {
        return [&shown, name] { shown.push_back(name); };
    };
}

}   // namespace

TEST(Worker, ANewerTaskStopsTheCurrentOneAndOnlyTheNewestIsShown)
{
    std::vector<std::string> shown;
    Held first;
    Worker worker({.newer = Newer::stops_old});
    worker.submit(first.work(shown, "first"));
    first.begun.wait();
    worker.submit(shows(shown, "second"));
    worker.submit(shows(shown, "third"));
    ASSERT_TRUE(waitFor([&] { return !worker.busy(); }));
    EXPECT_TRUE(first.stopped);
    EXPECT_THAT(shown, ElementsAre("third"));
}

TEST(Worker, ATaskIsFinishedAndShownBeforeOnlyTheNewestWaitingOne)
{
    std::vector<std::string> shown;
    Held first;
    Worker worker({.newer = Newer::waits_for_old});
    worker.submit(first.work(shown, "first"));
    first.begun.wait();
    worker.submit(shows(shown, "second"));
    worker.submit(shows(shown, "third"));
    first.release.count_down();
    ASSERT_TRUE(waitFor([&] { return !worker.busy(); }));
    EXPECT_FALSE(first.stopped);
    EXPECT_THAT(shown, ElementsAre("first", "third"));
}

TEST(Worker, ATaskCanStopTheOldOneEvenInWaitMode)
{
    std::vector<std::string> shown;
    Held first;
    Worker worker({.newer = Newer::waits_for_old});
    worker.submit(first.work(shown, "first"));
    first.begun.wait();
    worker.submit(shows(shown, "second"), Newer::stops_old);
    ASSERT_TRUE(waitFor([&] { return !worker.busy(); }));
    EXPECT_THAT(shown, ElementsAre("second"));
}

TEST(Worker, QueuedTasksAreAllDoneInOrderEvenWhenTheWorkerEnds)
{
    std::vector<int> done;   // written by the worker's thread alone until it is joined
    Held first;
    std::vector<std::string> shown;
    {
        Worker worker({.newer = Newer::in_line});
        worker.submit(first.work(shown, "first"));
        for (int i = 0; i < 5; ++i)
            worker.submit([&done, i](std::stop_token, Worker::Progress&) -> Worker::Show {
                done.push_back(i);
                return {};
            });
    }
    EXPECT_THAT(done, ElementsAre(0, 1, 2, 3, 4));
}

TEST(Worker, AnExceptionArrivesAsAnErrorWithItsFieldAndTheNextTaskRuns)
{
    std::vector<std::string> shown, failures;
    Worker worker({.newer = Newer::in_line});
    QObject::connect(&worker, &Worker::failed, &worker, [&](const QString& field, const QString& sentence) {
        failures.push_back((field + '|' + sentence).toStdString());
    });
    worker.submit([](std::stop_token, Worker::Progress&) -> Worker::Show {
        throw Error("data.file", "data.csv is not there, expected a table.");
    });
    worker.submit([](std::stop_token, Worker::Progress&) -> Worker::Show { throw std::runtime_error("Plain words."); });
    worker.submit([](std::stop_token, Worker::Progress&) -> Worker::Show { throw 7; });
    worker.submit(shows(shown, "next"));
    ASSERT_TRUE(waitFor([&] { return !worker.busy(); }));
    EXPECT_THAT(failures, ElementsAre("data.file|data.csv is not there, expected a table.", "|Plain words.",
                                      "|An unknown error occurred."));
    EXPECT_THAT(shown, ElementsAre("next"));
}

TEST(Worker, ACancelledTaskIsStoppedAndShowsNothing)
{
    std::vector<std::string> shown;
    std::vector<bool> busy;
    Held first;
    Worker worker;
    QObject::connect(&worker, &Worker::busyChanged, &worker, [&](bool now) { busy.push_back(now); });
    worker.submit(first.work(shown, "first"));
    first.begun.wait();
    worker.submit(shows(shown, "waiting"), Newer::waits_for_old);
    worker.cancel();
    EXPECT_FALSE(worker.busy());
    ASSERT_TRUE(waitFor([&] { return first.stopped.load(); }));
    worker.submit(shows(shown, "after"));
    ASSERT_TRUE(waitFor([&] { return !worker.busy(); }));
    EXPECT_THAT(shown, ElementsAre("after"));
    EXPECT_FALSE(busy.back());
}

TEST(Worker, DestructionStopsTheCurrentTaskAndNeverStartsTheWaitingOne)
{
    std::vector<std::string> shown;
    Held first;
    bool begun = false;
    {
        Worker worker({.newer = Newer::waits_for_old});
        worker.submit(first.work(shown, "first"));
        first.begun.wait();
        worker.submit([&](std::stop_token, Worker::Progress&) -> Worker::Show {
            begun = true;
            return {};
        });
    }
    QTest::qWait(0);
    EXPECT_TRUE(first.stopped);
    EXPECT_FALSE(begun);
    EXPECT_THAT(shown, IsEmpty());
}

TEST(Worker, PartialResultsAreShownInOrderBeforeTheLast)
{
    std::vector<std::string> shown;
    std::vector<double> shares;
    Worker worker;
    QObject::connect(&worker, &Worker::progressed, &worker, [&](double share) { shares.push_back(share); });
    worker.submit([&](std::stop_token, Worker::Progress& progress) -> Worker::Show {
        progress.report(0.25);
        for (const char* part : {"one", "two"})
            progress.show([&shown, part] { shown.emplace_back(part); });
        return [&shown] { shown.emplace_back("all"); };
    });
    ASSERT_TRUE(waitFor([&] { return !worker.busy(); }));
    EXPECT_THAT(shown, ElementsAre("one", "two", "all"));
    EXPECT_THAT(shares, ElementsAre(0.25));
}

TEST(Worker, APausedTaskWaitsAtItsGateAndAStepPassesItOnce)
{
    std::atomic<int> passed = 0, by_steps = 0;
    Worker worker;
    worker.pause();
    worker.submit([&](std::stop_token, Worker::Progress& progress) -> Worker::Show {
        while (progress.gate() && passed < 1000) {
            by_steps += progress.paused();
            ++passed;
        }
        return {};
    });
    worker.step();
    ASSERT_TRUE(waitFor([&] { return passed == 1; }));
    worker.step();
    worker.step();
    ASSERT_TRUE(waitFor([&] { return passed == 3; }));
    EXPECT_TRUE(worker.busy());
    worker.resume();
    ASSERT_TRUE(waitFor([&] { return !worker.busy(); }));
    EXPECT_EQ(passed, 1000);
    EXPECT_EQ(by_steps, 3) << "the task knows which gates it passed so";
}

TEST(Worker, APausedTaskEndsWithItsWorker)
{
    std::latch begun{1};
    bool went_on = true;
    {
        Worker worker;
        worker.pause();
        worker.submit([&](std::stop_token, Worker::Progress& progress) -> Worker::Show {
            begun.count_down();
            went_on = progress.gate();
            return {};
        });
        begun.wait();
    }
    EXPECT_FALSE(went_on);
}

TEST(Worker, AnImmediateTaskEndsADelayedOne)
{
    std::vector<std::string> shown;
    Worker worker({.newer = Newer::in_line, .rest = 1e9});
    worker.submit(
        [&shown](std::stop_token, Worker::Progress&) -> Worker::Show {
            const double begin = threadSeconds();
            while (threadSeconds() - begin < 0.001) {}
            return [&shown] { shown.emplace_back("live"); };
        },
        Newer::waits_for_old, Worker::Pace::rested);
    ASSERT_TRUE(waitFor([&] { return !worker.busy(); }));
    worker.submit(shows(shown, "next live"), Newer::waits_for_old, Worker::Pace::rested);
    std::vector<std::string> meanwhile;
    Worker other;
    other.submit(shows(meanwhile, "of another worker"));
    ASSERT_TRUE(waitFor([&] { return !other.busy(); }));
    EXPECT_THAT(shown, ElementsAre("live"));
    EXPECT_TRUE(worker.busy());
    worker.submit(shows(shown, "still"), Newer::stops_old);
    ASSERT_TRUE(waitFor([&] { return !worker.busy(); }));
    EXPECT_THAT(shown, ElementsAre("live", "still"));
}

TEST(InBackground, TheResultOrErrorArrivesAndDestroyingTheOwnerStopsTheWork)
{
    QObject owner;
    std::optional<int> result;
    QString mistake;
    inBackground(
        &owner, [] { return 7; }, [&](std::optional<int> made, const QString&) { result = made; });
    inBackground(
        &owner, []() -> int { throw Error("The file is empty."); },
        [&](const std::optional<int>&, const QString& words) { mistake = words; });
    ASSERT_TRUE(waitFor([&] { return result && !mistake.isEmpty(); }));
    EXPECT_EQ(result, 7);
    EXPECT_EQ(mistake, "The file is empty.");

    std::latch begun{1};
    bool stopped = false, reported = false;
    {
        QObject shortLived;
        inBackground(
            &shortLived,
            [&](std::stop_token stop) {
            begun.count_down();
            while (!stop.stop_requested())
                std::this_thread::yield();
            return stopped = true;
            },
            [&](std::optional<bool>, const QString&) { reported = true; });
        begun.wait();
    }
    EXPECT_TRUE(stopped);
    EXPECT_FALSE(reported);
}

TEST(Mailbox, RunsWhatOtherThreadsPostOnItsOwnInTheirOrder)
{
    Mailbox box;
    std::vector<int> first, second;
    std::vector<std::thread::id> where;
    const auto posts = [&](std::vector<int>& into) {
        return std::jthread([&box, &into, &where] {
            for (int k = 0; k < 100; ++k)
                box.post([&into, &where, k] {
                    into.push_back(k);
                    where.push_back(std::this_thread::get_id());
                });
        });
    };
    posts(first).join();
    {
        const auto one = posts(first), other = posts(second);
    }
    EXPECT_THAT(first, IsEmpty()) << "nothing before the event loop";
    QCoreApplication::sendPostedEvents(&box);
    ASSERT_THAT(first, SizeIs(200));
    ASSERT_THAT(second, SizeIs(100));
    for (int k = 0; k < 100; ++k) {
        EXPECT_EQ(first[100 + k], k);
        EXPECT_EQ(second[k], k);
    }
    EXPECT_THAT(where, Each(std::this_thread::get_id()));
}

TEST(Mailbox, PendingTasksAreReleasedAndNeverRunWhenItEnds)
{
    auto box         = std::make_unique<Mailbox>();
    const auto held  = std::make_shared<int>(1);
    int runs         = 0;
    const auto again = [&] { ++runs; };
    box->post([&box] { box.reset(); });   // a call may end it
    box->post([held, again] { again(); });
    EXPECT_EQ(held.use_count(), 2);
    QCoreApplication::sendPostedEvents();
    EXPECT_EQ(box, nullptr);
    EXPECT_EQ(runs, 0);
    EXPECT_EQ(held.use_count(), 1);
}
