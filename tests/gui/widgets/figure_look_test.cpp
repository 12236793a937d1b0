// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "gui/widgets/sample_charts.h"
#include "gui/widgets/showing.h"
#include "widgets/export_figure.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <gmock/gmock.h>

namespace credence {
namespace {

class FigureLookFile : public ::testing::Test {
protected:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QString written(const QString& name) const
    {
        QFile file(path(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return QString::fromUtf8(file.readAll());
    }
    /// The first number after `what` in the SVG of a figure.
    double numberIn(const QString& svg, const QString& what) const
    {
        const QRegularExpression number(what + "([0-9.]+)");
        const auto match = number.match(svg);
        EXPECT_TRUE(match.hasMatch()) << what.toStdString();
        return match.captured(1).toDouble();
    }
    QTemporaryDir m_folder;
};

TEST_F(FigureLookFile, LargerTextKeepsThePageSizeAndUsesMoreSpace)
{
    exportChart(boxplotsChart(), path("usual.svg"), {.widthMm = 160, .heightMm = 100}, {});
    exportChart(boxplotsChart(), path("large.svg"), {.widthMm = 160, .heightMm = 100, .fontPt = 16.5}, {});
    const QString usual = written("usual.svg"), large = written("large.svg");
    EXPECT_EQ(numberIn(usual, "<svg width=\""), 160);
    EXPECT_EQ(numberIn(large, "<svg width=\""), 160);
    EXPECT_NEAR(numberIn(usual, "viewBox=\"0 0 "), 2 * numberIn(large, "viewBox=\"0 0 "), 2)
        << "the same letters on half as many units are twice as large";
    const QImage image = exportedImage(boxplotsChart(), {.widthMm = 160, .heightMm = 100, .fontPt = 16.5}, 127);
    EXPECT_EQ(image.size(), QSize(800, 500));
    exportChart(boxplotsChart(), path("large.pdf"), {.widthMm = 127, .heightMm = 76.2, .fontPt = 16.5}, {});
    QFile pdf(path("large.pdf"));
    ASSERT_TRUE(pdf.open(QIODevice::ReadOnly));
    EXPECT_NEAR(numberIn(QString::fromLatin1(pdf.readAll()), "/MediaBox \\[0 0 "), 360, 1);
}

TEST_F(FigureLookFile, ASlideHasTheSizeOfTheScreen)
{
    const auto slide = slideOptions();
    EXPECT_EQ(exportedImage(boxplotsChart(), slide, slide.dpi).size(), QSize(1920, 1080));
}

TEST_F(FigureLookFile, ATitleIsAboveThePanelsOnRequest)
{
    Chart chart = boxplotsChart();
    chart.title = "Zebra crossing";   // in no label
    exportChart(chart, path("with.svg"), {.title = true}, {});
    exportChart(chart, path("without.svg"), {}, {});
    const auto drawn = [](const QString& svg) { return svg.mid(svg.indexOf("</desc>")).contains("Zebra"); };
    EXPECT_TRUE(drawn(written("with.svg")));
    EXPECT_FALSE(drawn(written("without.svg")));
    EXPECT_EQ(numberIn(written("with.svg"), "<svg width=\""), numberIn(written("without.svg"), "<svg width=\""));
}

TEST_F(FigureLookFile, ClippingOfPanelsMovesDownWithThemUnderATitle)
{
    const auto top = [&](bool title) {
        Line line{.name = "", .x = {0, 1}, .y = {0.5, 40}, .tone = {Tone::Kind::wrong}};
        Chart chart = unitChart({line});
        chart.title = "A title";
        exportChart(chart, path("clip.svg"), {.title = title}, {});
        const QRegularExpression clip("<clipPath id=\"panel0\"><rect x=\"[0-9]+\" y=\"([0-9]+)\"");
        const auto match = clip.match(written("clip.svg"));
        EXPECT_TRUE(match.hasMatch());
        return match.captured(1).toInt();
    };
    EXPECT_GT(top(true), top(false) + 8);
}

TEST_F(FigureLookFile, TheCaptionFileHasCaptionAndSettings)
{
    Chart chart   = boxplotsChart();
    chart.caption = "Boxes of 50 draws.";
    const Table settings{{{"Setting"}, {"Value"}, {"Unit"}}, {{"Steps", "200", "steps"}}};
    exportCaption(chart, path("boxes_caption.txt"), settings);
    EXPECT_TRUE(written("boxes_caption.txt").contains("Boxes of 50 draws.\n\nSettings\n  Steps: 200 steps\n"));
    exportCaption(chart, path("boxes_caption.tex"), settings);
    EXPECT_TRUE(written("boxes_caption.tex").contains("\\label{fig:boxes}\n"));
    EXPECT_THAT([&] { exportCaption(chart, path("boxes_caption.doc"), settings); },
                ::testing::ThrowsMessage<Error>("boxes_caption.doc: ends in \"doc\", expected txt or tex."));
    EXPECT_THAT([&] { exportChart(chart, path("tiny.svg"), {.fontPt = 1}, {}); },
                ::testing::ThrowsMessage<Error>(::testing::HasSubstr("a font size of 1 points cannot be drawn")));
}

}   // namespace
}   // namespace credence
