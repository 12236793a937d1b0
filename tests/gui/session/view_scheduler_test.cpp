// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/view_scheduler.h"

#include "foundation/error.h"
#include "foundation/progress.h"

#include "gui/wait_until.h"

#include <QTest>
#include <gmock/gmock.h>

#include <atomic>
#include <latch>

using namespace credence;
using namespace testing;
using Queue = ViewScheduler::Queue;
using Kind  = ViewScheduler::Kind;

namespace {

/// The scheduler's signals as text: "roc: new".
struct Reported {
    explicit Reported(ViewScheduler& scheduler)
    {
        QObject::connect(&scheduler, &ViewScheduler::pictures, &scheduler,
                         [this](const std::vector<ViewScheduler::Picture>& all) {
            for (const auto& picture : all)
                pictures.push_back(picture.place.toStdString() + ": " + picture.chart->message
                                   + (picture.study ? " by " + *picture.study : ""));
        });
        QObject::connect(&scheduler, &ViewScheduler::waiting, &scheduler,
                         [this](const QString& place, const QString& words) {
            waiting.push_back(place.toStdString() + ": " + words.toStdString());
        });
    }
    std::vector<std::string> pictures, waiting;
};

ViewScheduler::Request request(const char* place, Queue queue, long run, const std::string& message)
{
    return {place, place, queue, run, {}, [message](std::stop_token) { return Chart{.message = message}; }};
}

/// A picture that is being made until it is released or stopped.
struct Held {
    std::latch begun{1}, release{1};
    std::atomic<bool> stopped{false};
    ViewScheduler::Request request(const char* place, Queue queue, long run, const std::string& message)
    {
        return {place, place, queue, run, {}, [this, message](std::stop_token stop) {
                    begun.count_down();
                    while (!release.try_wait() && !stop.stop_requested())
                        std::this_thread::yield();
                    stopped = stop.stop_requested();
                    return Chart{.message = message};
                }};
    }
};

bool finish(ViewScheduler& scheduler)
{
    return waitUntil([&] { return !scheduler.busy(); }, 20000);
}

}   // namespace

TEST(ViewScheduler, ANewerRequestForAViewWinsInEitherQueue)
{
    ViewScheduler scheduler;
    const Reported reported(scheduler);
    Held old;
    scheduler.submit({old.request("roc", Queue::all_rows, 1, "old")}, Kind::still);
    old.begun.wait();
    scheduler.submit({request("roc", Queue::draws, 1, "new")}, Kind::still);
    ASSERT_TRUE(finish(scheduler));
    EXPECT_TRUE(old.stopped);
    EXPECT_THAT(reported.pictures, ElementsAre("roc: new"));
}

TEST(ViewScheduler, AnotherRunCancelsAllPicturesOfThePreviousOne)
{
    ViewScheduler scheduler;
    const Reported reported(scheduler);
    Held roc, lists;
    scheduler.submit(
        {roc.request("roc", Queue::all_rows, 1, "old"), lists.request("list_lengths", Queue::slow, 1, "old")},
        Kind::still);
    roc.begun.wait();
    lists.begun.wait();
    scheduler.submit({request("map", Queue::draws, 2, "new")}, Kind::live);
    ASSERT_TRUE(finish(scheduler));
    EXPECT_TRUE(roc.stopped);
    EXPECT_TRUE(lists.stopped);
    EXPECT_THAT(reported.pictures, ElementsAre("map: new"));
}

TEST(ViewScheduler, DuringTrainingTheCurrentPictureIsFinishedFirst)
{
    ViewScheduler scheduler;
    const Reported reported(scheduler);
    Held first;
    scheduler.submit({first.request("map", Queue::draws, 1, "first")}, Kind::live);
    first.begun.wait();
    scheduler.submit({request("map", Queue::draws, 1, "second")}, Kind::live);
    scheduler.submit({request("map", Queue::draws, 1, "third")}, Kind::live);
    first.release.count_down();
    ASSERT_TRUE(finish(scheduler));
    EXPECT_FALSE(first.stopped);
    EXPECT_THAT(reported.pictures, ElementsAre("map: first", "map: third"));
}

TEST(ViewScheduler, ASlowViewDoesNotDelayQuickOnes)
{
    ViewScheduler scheduler;
    const Reported reported(scheduler);
    Held slow;
    scheduler.submit({slow.request("bridge_scores", Queue::slow, 1, "slow")}, Kind::still);
    slow.begun.wait();
    scheduler.submit({request("layers", Queue::quick, 1, "quick")}, Kind::still);
    ASSERT_TRUE(waitUntil([&] { return !reported.pictures.empty(); }, 20000));
    EXPECT_THAT(reported.pictures, ElementsAre("layers: quick"));
    slow.release.count_down();
    ASSERT_TRUE(finish(scheduler));
    EXPECT_THAT(reported.pictures, ElementsAre("layers: quick", "bridge_scores: slow"));
}

TEST(ViewScheduler, AViewOfAnotherRunIsMarkedAsComputing)
{
    ViewScheduler scheduler;
    Reported reported(scheduler);
    scheduler.submit({request("roc", Queue::draws, 1, "old")}, Kind::still);
    ASSERT_TRUE(finish(scheduler));
    reported.waiting.clear();   // on a busy machine the old picture was late, too
    Held roc;
    scheduler.submit({roc.request("roc", Queue::all_rows, 2, "new")}, Kind::live);
    EXPECT_THAT(reported.waiting, ElementsAre("roc: Computing: roc …"));   // immediately: this queue takes seconds
    roc.release.count_down();
    ASSERT_TRUE(finish(scheduler));
    EXPECT_THAT(reported.pictures, ElementsAre("roc: old", "roc: new"));
    reported.waiting.clear();   // the new picture may have been late, too
    scheduler.submit({request("roc", Queue::all_rows, 2, "newer")}, Kind::still);
    EXPECT_THAT(reported.waiting, IsEmpty()) << "not at once: a picture of this run is shown there";
    ASSERT_TRUE(finish(scheduler));
}

TEST(ViewScheduler, AQuickViewIsMarkedAsComputingWhenItIsLate)
{
    ViewScheduler scheduler;
    const Reported reported(scheduler);
    Held map;
    scheduler.submit({map.request("map", Queue::draws, 1, "map")}, Kind::still);
    EXPECT_THAT(reported.waiting, IsEmpty());
    ASSERT_TRUE(waitUntil([&] { return !reported.waiting.empty(); }, 20000));
    EXPECT_EQ(reported.waiting.front(), "map: Computing: map …");
    map.release.count_down();
    ASSERT_TRUE(finish(scheduler));
}

TEST(ViewScheduler, AFailedViewShowsAMessageAndTheOthersAreMade)
{
    ViewScheduler scheduler;
    const Reported reported(scheduler);
    scheduler.submit(
        {{"roc", "ROC", Queue::draws, 1, {}, [](std::stop_token) -> Chart { throw Error("There is no test set."); }},
         request("map", Queue::draws, 1, "map")},
        Kind::still);
    ASSERT_TRUE(finish(scheduler));
    EXPECT_THAT(reported.pictures, ElementsAre("roc: There is no test set.", "map: map"));
}

TEST(ViewScheduler, APictureCarriesTheStudyOfItsRequest)
{
    ViewScheduler scheduler;
    const Reported reported(scheduler);
    auto map  = request("map", Queue::draws, 1, "map");
    map.study = std::make_shared<const std::string>("the first Study");
    scheduler.submit({std::move(map)}, Kind::still);
    ASSERT_TRUE(finish(scheduler));
    EXPECT_THAT(reported.pictures, ElementsAre("map: map by the first Study"));
}

TEST(ViewScheduler, ComparedRunsAreNotCancelledByAnotherRun)
{
    ViewScheduler scheduler;
    const Reported reported(scheduler);
    Held both;
    scheduler.submit({both.request("comparison", Queue::slow, ViewScheduler::ofNoRun, "both")}, Kind::still);
    both.begun.wait();
    scheduler.submit({request("map", Queue::draws, 2, "map")}, Kind::still);
    both.release.count_down();
    ASSERT_TRUE(finish(scheduler));
    EXPECT_THAT(reported.pictures, UnorderedElementsAre("map: map", "comparison: both"));
}

TEST(ViewScheduler, QueuesFollowTheCostOfAView)
{
    EXPECT_EQ(ViewScheduler::queueOf(view("training_curves"), true), Queue::quick);
    EXPECT_EQ(ViewScheduler::queueOf(view("boxplots"), true), Queue::draws);
    EXPECT_EQ(ViewScheduler::queueOf(view("roc"), true), Queue::all_rows);
    EXPECT_EQ(ViewScheduler::queueOf(view("roc"), false), Queue::draws);
    EXPECT_EQ(ViewScheduler::queueOf(view("laplace_maps"), false), Queue::slow);
}

TEST(ViewScheduler, AWaitingViewShowsItsProgress)
{
    ViewScheduler scheduler;
    const Reported reported(scheduler);
    std::latch release(1);
    scheduler.submit({{"scores",
                       "Scores",
                       Queue::all_rows,
                       1,
                       {},
                       [&release](std::stop_token) {
        report_share(0.25);
        release.wait();
        return Chart{.message = "made"};
                       }}},
                     Kind::still);
    const bool shown = waitUntil(
        [&] { return !reported.waiting.empty() && reported.waiting.back().find("25 %") != std::string::npos; }, 20000);
    release.count_down();
    EXPECT_TRUE(shown) << (reported.waiting.empty() ? "no signal was emitted" : reported.waiting.back());
    ASSERT_TRUE(finish(scheduler));
    EXPECT_THAT(reported.pictures, ElementsAre("scores: made"));
}
