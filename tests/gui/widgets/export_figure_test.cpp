// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "gui/widgets/sample_charts.h"
#include "gui/widgets/showing.h"
#include "widgets/export_figure.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QPainter>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <gmock/gmock.h>

namespace credence {
namespace {

using testing::HasSubstr;

const QByteArray study = "{\n  \"credence\": 1,\n  \"name\": \"Two moons – τ < ρ & </script> --> ]]> \\\"quoted\\\"\",\n\n  \"seed\": 18446744073709551615,\n  \"rate\": 0.001\n}\n";

class ExportFigure : public testing::Test {
protected:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QByteArray read(const QString& name) const
    {
        QFile file(path(name));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name.toStdString();
        return file.readAll();
    }
    void write(const QString& name, const QByteArray& content) const
    {
        QFile file(path(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
    std::string refusal(const std::function<void()>& act) const
    {
        try {
            act();
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was refused";
    }
    QTemporaryDir m_folder;
};

TEST_F(ExportFigure, EveryKindOfFileGivesItsStudyBackByteForByte)
{
    for (const Chart& chart : {decisionMapChart(20), certaintyChart(), emptyChart()})
        for (const QString& suffix : exportSuffixes()) {
            const QString file = path("figure." + suffix);
            exportChart(chart, file, {}, study);
            const auto found = studyIn(file);
            ASSERT_TRUE(found.has_value()) << suffix.toStdString();
            EXPECT_EQ(*found, study) << suffix.toStdString();
        }
}

TEST_F(ExportFigure, AFileWithoutAStudyHasNone)
{
    for (const QString& suffix : exportSuffixes()) {
        exportChart(boxplotsChart(), path("plain." + suffix), {}, {});
        EXPECT_FALSE(studyIn(path("plain." + suffix)).has_value()) << suffix.toStdString();
    }
}

TEST_F(ExportFigure, APngHasTheStatedSizeAndDensity)
{
    exportChart(regressionChart(), path("figure.png"), {.widthMm = 80, .heightMm = 60, .dpi = 254}, study);
    const QImage image(path("figure.png"));
    EXPECT_EQ(image.size(), QSize(800, 600));
    EXPECT_EQ(image.dotsPerMeterX(), 10000);
    EXPECT_EQ(image.dotsPerMeterY(), 10000);
}

TEST_F(ExportFigure, FilesAreInTheColoursOfPrint)
{
    Shown dark(regressionChart(), {400, 300}, darkPalette());
    exportChart(dark.view.chart(), path("figure.png"), {}, {});
    const QImage image(path("figure.png"));
    EXPECT_EQ(image.pixelColor(3, 3), QColor(Qt::white));
    EXPECT_GT(countPixels(image, image.rect(), ChartPalette::print().posterior, 12), 100);
    EXPECT_EQ(countPixels(image, image.rect(), ChartPalette::dark().background, 0), 0);
}

TEST_F(ExportFigure, AnSvgHasItsSizeInMillimetresAndTextAsText)
{
    exportChart(boxplotsChart(), path("figure.svg"), {.widthMm = 123.4, .heightMm = 56.7}, study);
    const QByteArray svg = read("figure.svg");
    EXPECT_TRUE(svg.contains("width=\"123.4mm\" height=\"56.7mm\""));
    QXmlStreamReader xml(svg);
    QStringList texts;
    QString title;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement) {
            if (xml.name() == QLatin1String("text"))
                texts << xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
            else if (xml.name() == QLatin1String("title"))
                title = xml.readElementText();
        }
    EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
    EXPECT_EQ(title, "Sampled outputs");
    for (const char* text : {"Class probability", "class 0", "class 3", "0.2", "true class"})
        EXPECT_TRUE(texts.contains(text)) << text;
}

TEST_F(ExportFigure, AnSvgCarriesTitleAndCaptionWithAnyCharacter)
{
    Chart chart = boxplotsChart();
    chart.title = "a < b & c";
    chart.caption = "\"q\" > p";
    exportChart(chart, path("figure.svg"), {}, {});
    QXmlStreamReader xml(read("figure.svg"));
    QString title, caption;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement) {
            if (xml.name() == QLatin1String("title"))
                title = xml.readElementText();
            else if (xml.name() == QLatin1String("desc"))
                caption = xml.readElementText();
        }
    EXPECT_EQ(title, "a < b & c");
    EXPECT_EQ(caption, "\"q\" > p");
}

TEST_F(ExportFigure, AnSvgClipsWhatLeavesThePanel)
{
    Line line{.name = "", .x = {0, 1}, .y = {0.5, 40}, .tone = {Tone::Kind::wrong}};
    exportChart(unitChart({line}), path("figure.svg"), {}, {});
    const QByteArray svg = read("figure.svg");
    EXPECT_EQ(svg.count("<clipPath"), 1);
    EXPECT_EQ(svg.count("url(#panel0)"), 1);
    EXPECT_FALSE(svg.contains("#fe01"));   // no mark is left
    EXPECT_FALSE(svg.contains("#fe02"));
}

TEST_F(ExportFigure, APanelOfAnSvgIsClippedByItself)
{
    exportChart(decisionMapsChart(), path("figure.svg"), {.widthMm = 200}, {});
    const QByteArray svg = read("figure.svg");
    EXPECT_EQ(svg.count("<clipPath"), 3);
    EXPECT_EQ(svg.count("<g"), svg.count("</g>"));
}

TEST_F(ExportFigure, AMapInAnSvgHasManyPixelsACell)
{
    HeatMap map;
    map.name = "z";
    map.nx = map.ny = 4;
    map.x = map.y = {0.125, 0.875};
    map.z_range = {0, 1};
    for (int k = 0; k < 16; ++k)
        map.z.push_back(static_cast<float>((k + k / 4) % 2));
    exportChart(unitChart({map}), path("figure.svg"), {}, {});
    static const QRegularExpression embedded("data:image/png;base64,([^\"]*)\"");
    auto found = embedded.globalMatch(QString::fromUtf8(read("figure.svg")));
    bool seen = false;
    while (found.hasNext()) {
        const QImage image = QImage::fromData(QByteArray::fromBase64(found.next().captured(1).toLatin1()), "PNG");
        if (image.width() < 1000)
            continue;   // the colour bar
        seen = true;
        const int cell = image.width() / 4;
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 4; ++column)
                for (const int shift : {2, cell / 2, cell - 3})
                    EXPECT_EQ(image.pixelColor(column * cell + shift, image.height() - 1 - row * cell - shift), mapColour(ColourMap::viridis, (row + column) % 2));
    }
    EXPECT_TRUE(seen);
}

TEST_F(ExportFigure, ASvgCanBeDrawn)
{
    exportChart(decisionMapChart(30), path("figure.svg"), {}, study);
    QSvgRenderer renderer(path("figure.svg"));
    ASSERT_TRUE(renderer.isValid());
    QImage image(454, 340, QImage::Format_RGB32);
    image.fill(Qt::red);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    EXPECT_EQ(image.pixelColor(2, 2), QColor(Qt::white));
    EXPECT_GT(countPixels(image, image.rect(), mapColour(ColourMap::viridis, 0.02), 12), 300);
}

TEST_F(ExportFigure, APdfIsOnePageOfTheStatedSizeWithEmbeddedFonts)
{
    exportChart(regressionChart(), path("figure.pdf"), {.widthMm = 127, .heightMm = 76.2}, study);
    const QByteArray pdf = read("figure.pdf");
    EXPECT_TRUE(pdf.startsWith("%PDF-1."));
    EXPECT_TRUE(pdf.contains("/FontFile2"));
    static const QRegularExpression box("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]");
    const auto size = box.match(QString::fromLatin1(pdf));
    ASSERT_TRUE(size.hasMatch());
    EXPECT_NEAR(size.captured(1).toDouble(), 360, 1);
    EXPECT_NEAR(size.captured(2).toDouble(), 216, 1);
    EXPECT_TRUE(pdf.contains("<credence:study>"));
    EXPECT_FALSE(pdf.contains("/DCTDecode"));   // nothing is compressed with loss
}

TEST_F(ExportFigure, ACsvHoldsWhatIsDrawn)
{
    exportChart(certaintyChart(), path("figure.csv"), {}, study);
    EXPECT_TRUE(read("figure.csv").endsWith(QByteArray::fromStdString(to_csv(*certaintyChart().table))));
}

TEST_F(ExportFigure, OneSentenceSaysWhatIsWrong)
{
    EXPECT_EQ(refusal([&] { exportChart(boxplotsChart(), path("figure.bmp"), {}, {}); }), "figure.bmp: ends in \"bmp\", expected pdf, svg, png, csv, tex.");
    EXPECT_THAT(refusal([&] { exportChart(boxplotsChart(), path("figure.png"), {.widthMm = 0}, {}); }), HasSubstr("0 mm × 90 mm"));
    EXPECT_THAT(refusal([&] { exportChart(boxplotsChart(), path("figure.png"), {.dpi = 5}, {}); }), HasSubstr("5 dpi"));
    EXPECT_THAT(refusal([&] { exportChart(boxplotsChart(), path("no/such/folder/figure.svg"), {}, {}); }), HasSubstr("no/such/folder/figure.svg: the file cannot be written (No such file or directory)"));
    EXPECT_THAT(refusal([&] { studyIn(path("absent.pdf")); }), HasSubstr("absent.pdf: the file cannot be read (No such file or directory)"));
    EXPECT_THAT(refusal([&] { studyIn(path("figure.doc")); }), HasSubstr("\"doc\", expected pdf"));
}

TEST_F(ExportFigure, ARefusedExportLeavesTheOldFile)
{
    write("figure.png", "old");
    EXPECT_NE(refusal([&] { exportChart(boxplotsChart(), path("figure.png"), {.dpi = 100000}, {}); }), "nothing was refused");
    EXPECT_EQ(read("figure.png"), "old");
    EXPECT_EQ(QDir(m_folder.path()).entryList(QDir::Files).size(), 1);
}

TEST_F(ExportFigure, ADamagedFileIsNamedAndNotBelieved)
{
    for (const QString& suffix : exportSuffixes()) {
        exportChart(boxplotsChart(), path("whole." + suffix), {}, study);
        const QByteArray whole = read("whole." + suffix);
        write("half." + suffix, whole.left(suffix == "csv" || suffix == "tex" ? whole.indexOf("credence-study end") : whole.size() / 2));
        EXPECT_THAT(refusal([&] { studyIn(path("half." + suffix)); }), HasSubstr("half." + suffix.toStdString())) << suffix.toStdString();
        write("empty." + suffix, {});
        if (suffix != "csv" && suffix != "tex") {
            EXPECT_THAT(refusal([&] { studyIn(path("empty." + suffix)); }), HasSubstr("damaged")) << suffix.toStdString();
        }
    }
}

TEST_F(ExportFigure, AStudyThatIsNoJsonIsRefused)
{
    exportChart(boxplotsChart(), path("figure.csv"), {}, "{\"credence\": 1");
    EXPECT_THAT(refusal([&] { studyIn(path("figure.csv")); }), HasSubstr("its Study is damaged"));
}

}  // namespace
}  // namespace credence
