// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/settle.h"
#include "gui/wait_until.h"
#include "session/export_job.h"

#include "foundation/error.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <gmock/gmock.h>

#include <atomic>
#include <latch>

using namespace credence;
using namespace testing;

namespace {

Chart drawn(const std::string& title) { return {.title = title, .panels = {Panel{}}}; }

ExportJob::Figure figure(const QString& id)
{
    return {id, id, [id](std::stop_token) { return drawn(id.toStdString()); }};
}

/// Runs the job to its end.
ExportReport finished(ExportJob& job)
{
    ExportReport report;
    bool ended = false;
    const QObject here;   // the connection ends with this call
    QObject::connect(&job, &ExportJob::ended, &here, [&](const ExportReport& reported) {
        report = reported;
        ended  = true;
    });
    EXPECT_TRUE(waitUntil([&] { return ended; }, 20000));
    return report;
}

}   // namespace

TEST(ExportJob, EachFigureIsWrittenInEachFormat)
{
    ExportJob job;
    std::vector<std::string> written;
    ASSERT_TRUE(job.start(
        {{"map", "roc"}, {"pdf", "csv"}, "/folder", {}, {}}, {figure("map"), figure("roc")},
        {[&](const Chart& chart, const QString& file) { written.push_back(chart.title + " " + file.toStdString()); },
         {}}));
    EXPECT_TRUE(job.busy());
    const auto report = finished(job);
    EXPECT_FALSE(job.busy());
    EXPECT_THAT(written, ElementsAre("map /folder/map.pdf", "map /folder/map.csv", "roc /folder/roc.pdf",
                                     "roc /folder/roc.csv"));
    EXPECT_EQ(report.sentence("/folder").toStdString(), "Wrote 4 files to /folder.");
}

TEST(ExportJob, AFigureThatCannotBeMadeIsReportedAndNotWritten)
{
    ExportJob job;
    std::vector<std::string> written;
    job.start({{"map", "roc", "simplex"}, {"pdf"}, "/folder", {}, {}},
              {{"map", "Decision map", [](std::stop_token) -> Chart { throw Error("The net has three inputs."); }},
               figure("roc"),
               {"simplex", "Simplex", [](std::stop_token) { return Chart{}; }}},
              {[&](const Chart&, const QString& file) { written.push_back(file.toStdString()); }, {}});
    const auto report = finished(job);
    EXPECT_THAT(written, ElementsAre("/folder/roc.pdf"));
    EXPECT_EQ(report.mistake, QString());
    EXPECT_EQ(
        report.sentence("/folder").toStdString(),
        "Wrote /folder/roc.pdf. Not written: Decision map: The net has three inputs.; Simplex: There is nothing to "
        "show.");
}

TEST(ExportJob, AReportHoldsAllFiguresInOrderAndIsWrittenOnceInEachFormat)
{
    ExportJob job;
    std::vector<std::string> written;
    job.start({{"map", "roc"}, {"pdf", "html"}, "/folder", "report", {}}, {figure("map"), figure("roc")},
              {{}, [&](const std::vector<Chart>& charts, const QString& file) -> ExportJob::Step {
                   return [&, charts, file] {
                       written.push_back(charts.at(0).title + charts.at(1).title + " " + file.toStdString());
                       return false;
                   };
               }});
    finished(job);
    EXPECT_THAT(written, ElementsAre("maproc /folder/report.pdf", "maproc /folder/report.html"));
}

TEST(ExportJob, ASecondExportIsRejectedWhileTheFirstIsBeingWritten)
{
    ExportJob job;
    std::latch release{1};
    std::vector<std::string> written;
    const ExportJob::Writers writers{[&](const Chart& chart, const QString&) { written.push_back(chart.title); }, {}};
    job.start({{"map"}, {"pdf"}, "/folder", {}, {}},
              {{"map", "map",
                [&](std::stop_token) {
        release.wait();
        return drawn("first");
                }}},
              writers);
    EXPECT_FALSE(job.start({{"roc"}, {"pdf"}, "/folder", {}, {}}, {figure("roc")}, writers));
    release.count_down();
    finished(job);
    EXPECT_THAT(written, ElementsAre("first"));
    EXPECT_TRUE(job.start({{"roc"}, {"pdf"}, "/folder", {}, {}}, {figure("roc")}, writers));
    finished(job);
    EXPECT_THAT(written, ElementsAre("first", "roc"));
}

TEST(ExportJob, CancelStopsTheCurrentFigureAndKeepsTheWrittenOnes)
{
    ExportJob job;
    std::latch begun{1};
    std::atomic<bool> stopped = false;
    std::vector<std::string> written;
    job.start({{"map", "roc"}, {"pdf"}, "/folder", {}, {}},
              {figure("map"),
               {"roc", "roc",
                [&](std::stop_token stop) {
        begun.count_down();
        while (!stop.stop_requested())
            std::this_thread::yield();
        stopped = true;
        return drawn("roc");
                }}},
              {[&](const Chart& chart, const QString&) { written.push_back(chart.title); }, {}});
    ASSERT_TRUE(waitUntil([&] { return written.size() == 1; }, 20000));
    begun.wait();
    QObject::connect(
        &job, &ExportJob::ended, &job,
        [](const ExportReport& report) {
        EXPECT_TRUE(report.cancelled);
        EXPECT_EQ(report.sentence("/folder").toStdString(), "The export was cancelled. Wrote /folder/map.pdf.");
        },
        Qt::SingleShotConnection);
    QSignalSpy ended(&job, &ExportJob::ended);
    job.cancel();
    EXPECT_EQ(ended.size(), 1);
    EXPECT_TRUE(waitUntil([&] { return stopped.load(); }, 20000));
    job.start({{"map"}, {"pdf"}, "/folder", {}, {}}, {figure("map")},
              {[&](const Chart&, const QString&) { written.emplace_back("next"); }, {}});
    finished(job);
    EXPECT_THAT(written, ElementsAre("map", "next")) << "nothing of the cancelled export is written later";
}

TEST(ExportJob, AFileThatCannotBeWrittenEndsItWithAnError)
{
    ExportJob job;
    int tried = 0;
    job.start({{"map", "roc"}, {"pdf"}, "/folder", {}, {}}, {figure("map"), figure("roc")},
              {[&](const Chart&, const QString&) {
        ++tried;
        throw Error("/folder/map.pdf: the disk is full.");
               },
               {}});
    EXPECT_EQ(finished(job).mistake.toStdString(), "/folder/map.pdf: the disk is full.");
    settle();
    EXPECT_EQ(tried, 1);
}

TEST(ExportJob, FiguresOfSeveralRunsAreWrittenEachByItsOwnRun)
{
    ExportJob job;
    std::vector<std::string> written;
    const auto writes = [&](const std::string& run) {
        return ExportJob::Writers{
            [&written, run](const Chart&, const QString& file) { written.push_back(run + ":" + file.toStdString()); },
            {},
            [&written, run](const Chart&, const QString& file) {
            written.push_back(run + " caption:" + file.toStdString());
            }};
    };
    ExportOrder order{{"map"}, {"pdf"}, "/folder", {}, {}};
    order.runs    = {"one", "two"};
    order.caption = "txt";
    auto one = figure("one_map"), two = figure("two_map");
    two.writers = std::make_shared<const ExportJob::Writers>(writes("own"));
    job.start(order, {one, two}, writes("job"));
    const auto report = finished(job);
    EXPECT_THAT(written, ElementsAre("job:/folder/one_map.pdf", "job caption:/folder/one_map_caption.txt",
                                     "own:/folder/two_map.pdf", "own caption:/folder/two_map_caption.txt"));
    EXPECT_EQ(report.written, order.files());
}

TEST(ExportJob, AReportLetsTheWindowRespondBetweenItsPartsAndCancelStopsIt)
{
    ExportJob job;
    int parts = 0, turns = 0;
    const QObject here;
    // Another event of the window, queued whenever the last one was handled.
    std::function<void()> turn = [&] {
        ++turns;
        if (job.busy())
            QTimer::singleShot(0, &here, turn);
    };
    job.start({{"map", "roc"}, {"pdf", "html"}, "/folder", "report", {}}, {figure("map"), figure("roc")},
              {{}, [&](const std::vector<Chart>&, const QString&) -> ExportJob::Step {
                   QTimer::singleShot(0, &here, turn);
                   return [&] {
                       EXPECT_EQ(turns > 0, parts > 0) << "a turn of the event loop between two parts";
                       if (++parts == 3)
                           job.cancel();
                       return true;   // it would never end
                   };
               }});
    const auto report = finished(job);
    EXPECT_TRUE(report.cancelled);
    EXPECT_EQ(parts, 3);
    EXPECT_GE(turns, 2);
    EXPECT_THAT(report.written, IsEmpty());
}

TEST(ExportJob, AReportOfTextOnlyIsWrittenOnceInEachFormat)
{
    ExportJob job;
    std::vector<std::string> written;
    job.start({{"words"}, {"pdf", "html"}, "/folder", "report", {}}, {},
              {{}, [&](const std::vector<Chart>& charts, const QString& file) -> ExportJob::Step {
                   EXPECT_THAT(charts, IsEmpty());
                   return [&, file] {
                       written.push_back(file.toStdString());
                       return false;
                   };
               }});
    finished(job);
    EXPECT_THAT(written, ElementsAre("/folder/report.pdf", "/folder/report.html"));
}

TEST(ExportReport, NamesTheFirstOfManyFiguresThatCouldNotBeMade)
{
    ExportReport report;
    for (int i = 0; i < 40; ++i)
        report.notMade += QStringLiteral("run %1: No.").arg(i);
    const auto sentence = report.sentence("/folder").toStdString();
    EXPECT_THAT(sentence, HasSubstr("run 0: No."));
    EXPECT_THAT(sentence, EndsWith("; and 34 more"));
}

TEST(ExportOrder, KnowsTheFilesThatItWouldReplace)
{
    const QTemporaryDir folder;
    const ExportOrder order{{"map", "roc"}, {"pdf", "csv"}, folder.path(), {}, {}};
    EXPECT_THAT(order.existing(), IsEmpty());
    QFile there(folder.filePath("roc.csv"));
    ASSERT_TRUE(there.open(QIODevice::WriteOnly));
    EXPECT_EQ(order.existing(), QStringList{folder.filePath("roc.csv")});
    const ExportOrder report{{"map", "roc"}, {"pdf", "html"}, folder.path(), "report", {}};
    EXPECT_EQ(report.files(), QStringList({folder.filePath("report.pdf"), folder.filePath("report.html")}));
}
