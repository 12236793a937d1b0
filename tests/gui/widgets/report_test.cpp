// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "gui/widgets/sample_charts.h"
#include "widgets/export_figure.h"
#include "widgets/study_metadata.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <gmock/gmock.h>

namespace credence {
namespace {

const QByteArray reportStudy =
    "{\"credence\": 1, \"name\": \"</script> & more\", \"training\": {\"steps\": 5000, \"learning_rate\": 0.001}}\n";

class ReportFile : public testing::Test {
protected:
    Report report() const { return {"Two moons <mean field>", "Everything of one run.", reportStudy, sampleCharts()}; }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QByteArray read(const QString& name) const
    {
        QFile file(path(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }
    QTemporaryDir m_folder;
};

TEST_F(ReportFile, BothKindsCarryTheStudy)
{
    for (const char* name : {"report.pdf", "report.html"}) {
        writeReport(report(), path(name));
        const auto found = studyIn(path(name));
        ASSERT_TRUE(found.has_value()) << name;
        EXPECT_EQ(*found, reportStudy) << name;
    }
}

TEST_F(ReportFile, APdfHasSeveralA4Pages)
{
    writeReport(report(), path("report.pdf"));
    const QString pdf = QString::fromLatin1(read("report.pdf"));
    static const QRegularExpression page("/Type /Page\\b(?!s)"), box("/MediaBox \\[0 0 595[.0-9]* 84[12][.0-9]*\\]");
    EXPECT_GE(pdf.count(page), 4);
    EXPECT_EQ(pdf.count(page), pdf.count(box));
}

TEST_F(ReportFile, AnHtmlNeedsNoOtherFile)
{
    writeReport(report(), path("report.html"));
    const QByteArray html = read("report.html");
    EXPECT_FALSE(html.contains("src=\"http"));
    EXPECT_FALSE(html.contains("href="));
    EXPECT_EQ(html.count("src=\"data:image/svg+xml;base64,"), 10);   // twelve samples, one only a table, one empty
    EXPECT_EQ(html.count("<figcaption>"), 12);
    EXPECT_EQ(html.count("</script>"), 1);
}

TEST_F(ReportFile, AnHtmlBeginsWithScoresAndSettings)
{
    Report all   = report();
    all.settings = {{{"Setting"}, {"Value"}, {"Unit"}}, {{"Learning rate η", "0.001", ""}, {"Steps", "5000", "steps"}}};
    Chart scores{.id = "scores", .title = "Scores of the test set"};
    scores.table = Table{{{"Score"}, {"Value", "", 2}}, {{"Accuracy", 0.97}}};
    all.charts.push_back(scores);
    writeReport(all, path("report.html"));
    const QByteArray html = read("report.html");
    EXPECT_TRUE(html.contains("<td>Learning rate η</td><td>0.001</td>"));
    EXPECT_TRUE(html.contains("Two moons &lt;mean field&gt;"));
    EXPECT_FALSE(html.contains("training.learning_rate</td>")) << "paths are for files and the command line";
    const auto figure = html.indexOf("<figure>");
    for (const char* head : {"Scores of the test set</h2>", "Settings</h2>"}) {
        EXPECT_GE(html.indexOf(head), 0) << head;
        EXPECT_LT(html.indexOf(head), figure) << head;
        EXPECT_EQ(html.count(head), 1) << head;
    }
}

TEST_F(ReportFile, SharedCaptionTextIsStatedOnce)
{
    Report all  = report();
    all.setting = "Data: Two moons (400 training and 100 test rows). Seed 1";
    for (Chart& chart : all.charts)
        chart.caption = "What is drawn. " + all.setting.toStdString() + ", step 200, 50 draws.";
    writeReport(all, path("report.html"));
    const QByteArray html = read("report.html");
    EXPECT_EQ(html.count("Two moons (400 training"), 1);
    EXPECT_EQ(html.count("<figcaption>What is drawn.</figcaption>"), 12);
    EXPECT_EQ(html.count("Unless a caption states otherwise: step 200, 50 draws."), 1);
}

TEST_F(ReportFile, ADifferentCaptionStatesTheDifference)
{
    Report all  = report();
    all.setting = "Data: Two moons. Seed 1";
    for (Chart& chart : all.charts)
        chart.caption = "What is drawn. " + all.setting.toStdString() + ", step 200, 50 draws.";
    all.charts.front().caption = "What is drawn. " + all.setting.toStdString() + ", step 200, 1000 draws.";
    writeReport(all, path("report.html"));
    const QByteArray html = read("report.html");
    EXPECT_EQ(html.count("<figcaption>What is drawn. 1000 draws.</figcaption>"), 1);
    EXPECT_EQ(html.count("<figcaption>What is drawn.</figcaption>"), 11);
}

TEST_F(ReportFile, ChaptersHaveHeadingsAndTextFollowsTheFirstPage)
{
    Report all = report();
    for (std::size_t i = 0; i < all.charts.size(); ++i)
        all.chapters += i < 3 ? "Predictions <here>" : "Weights";
    all.texts = {{"Findings", {"The KL is not weighted by 1/N.", "Few draws & many classes."}}, {"Remarks", {}}};
    writeReport(all, path("report.html"));
    const QByteArray html = read("report.html");
    const char* inOrder[] = {
        "<h2>Findings</h2>\n<p>The KL is not weighted by 1/N.</p>\n<p>Few draws &amp; many classes.</p>",
        "<h2>Remarks</h2>\n<p>Nothing found.</p>", "<h2>Predictions &lt;here&gt;</h2>", "<h2>Weights</h2>"};
    qsizetype last = 0;
    for (const char* part : inOrder) {
        EXPECT_EQ(html.count(part), 1) << part;
        EXPECT_GT(html.indexOf(part), last) << part;
        last = html.indexOf(part);
    }
    const auto pages = [&](const Report& written) {
        writeReport(written, path("report.pdf"));
        static const QRegularExpression page("/Type /Page\\b(?!s)");
        return QString::fromLatin1(read("report.pdf")).count(page);
    };
    Report words;
    words.title = "Words alone";
    words.texts = {{"Findings", QStringList(200, "A finding that takes a line.")}};
    EXPECT_GE(pages(words), 3) << "a text chapter continues on the next page";
    words.texts.clear();
    for (int i = 0; i < 60; ++i)
        words.settings.rows.push_back({"Setting " + std::to_string(i), std::to_string(i), "unit"});
    words.settings.columns = {{"Setting"}, {"Value"}, {"Unit"}};
    EXPECT_EQ(pages(words), 1) << "sixty settings in two columns fit on the first page";
}

TEST_F(ReportFile, AnUnknownSuffixIsRejected)
{
    try {
        writeReport(report(), path("report.doc"));
        FAIL();
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "report.doc: ends in \"doc\", expected pdf or html.");
    }
}

}   // namespace
}   // namespace credence
