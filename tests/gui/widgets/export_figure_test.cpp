// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/build_info.h"
#include "foundation/error.h"
#include "gui/widgets/sample_charts.h"
#include "gui/widgets/showing.h"
#include "widgets/export_figure.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <gmock/gmock.h>

namespace credence {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const QByteArray study =
    "{\n  \"credence\": 1,\n  \"name\": \"Two moons – τ < ρ & </script> --> ]]> \\\"quoted\\\"\",\n\n  \"seed\": "
    "18446744073709551615,\n  \"rate\": 0.001\n}\n";

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

TEST_F(ExportFigure, ATableNamesALongStudyByItsHashAndReadingItBackStatesThis)
{
    const QByteArray large = R"({"credence": 1, "note": ")" + QByteArray(200'000, 'a') + "\"}";
    for (const char* suffix : {"csv", "tex"}) {
        const QString file = path(QString("long.") + suffix);
        exportChart(boxplotsChart(), file, {}, large);
        EXPECT_LT(QFileInfo(file).size(), 100'000) << suffix;
        EXPECT_THAT(refusal([&] { studyIn(file); }),
                    AllOf(HasSubstr("contains only the hash of its Study, "), HasSubstr("open study.json of the run")))
            << suffix;
    }
    exportChart(boxplotsChart(), path("long.svg"), {}, large);
    EXPECT_EQ(studyIn(path("long.svg")), large) << "pictures contain all of it";
}

TEST_F(ExportFigure, EveryPictureNamesTheBuildThatDrewIt)
{
    const auto set = std::string("instruction set ") + instruction_set();
    for (const QByteArray& json : {study, QByteArray()}) {
        for (const char* suffix : {"svg", "pdf"}) {
            const QString name = QString("built.") + suffix;
            exportChart(boxplotsChart(), path(name), {}, json);
            EXPECT_TRUE(read(name).contains(QByteArray::fromStdString(set))) << suffix;
        }
        exportChart(boxplotsChart(), path("built.png"), {}, json);
        EXPECT_THAT(QImage(path("built.png")).text("Software").toStdString(), HasSubstr(set));
    }
}

TEST_F(ExportFigure, AStudyIsFoundInATableOfAnySizeWithoutReadingTheRows)
{
    exportChart(boxplotsChart(), path("large.csv"), {}, study);
    write("plain.csv", "a,b\n1,2\n");
    for (const char* name : {"large.csv", "plain.csv"})
        ASSERT_TRUE(QFile::resize(path(name), qint64{3} << 30));   // without taking room on the disk
    EXPECT_EQ(studyIn(path("large.csv")), study);
    EXPECT_EQ(studyIn(path("plain.csv")), std::nullopt);
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

TEST_F(ExportFigure, FilesUseThePrintColours)
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
    Chart chart   = boxplotsChart();
    chart.title   = "a < b & c";
    chart.caption = "\"q\" > p";
    exportChart(chart, path("figure.svg"), {}, {});
    QXmlStreamReader xml(read("figure.svg"));
    QStringList titles, captions;
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement) {
            if (xml.name() == QLatin1String("title"))
                titles += xml.readElementText();
            else if (xml.name() == QLatin1String("desc"))
                captions += xml.readElementText();
        }
    EXPECT_EQ(titles, QStringList{"a < b & c"});
    EXPECT_EQ(captions, QStringList{"\"q\" > p"});
}

/// The texts of an SVG, one per line.
QStringList textsOf(const QByteArray& svg)
{
    QStringList texts;
    QXmlStreamReader xml(svg);
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("text"))
            texts << xml.readElementText().trimmed();
    return texts;
}

TEST_F(ExportFigure, LabelsAndLegendsAreNotCutOff)
{
    Chart chart;
    const std::vector<std::string> labels{"Loss / nats per training example",
                                          "Weight of the Kullback-Leibler divergence / nats per example",
                                          "Test error / %"};
    for (const std::string& label : labels) {
        Panel panel{.x = {.label = "Step"},
                    .y = {.label = label.substr(0, label.find(" / ")), .unit = label.substr(label.find(" / ") + 3)}};
        for (int run = 0; run < 6; ++run)
            panel.series.push_back(Line{.name = "Two moons, mean field, run number " + std::to_string(run) + ", test",
                                        .x    = {0, 1},
                                        .y    = {0.0, 1.0 + run},
                                        .tone = category(run)});
        chart.panels.push_back(panel);
    }
    exportChart(chart, path("figure.svg"), {.widthMm = 120, .heightMm = 90}, {});
    const QString words = textsOf(read("figure.svg")).join(QLatin1Char(' ')).replace(QChar(0xa0), QLatin1Char(' '));
    EXPECT_FALSE(words.contains(QChar(0x2026))) << words.toStdString();
    for (const std::string& label : labels)
        EXPECT_TRUE(words.contains(QString::fromStdString(label))) << label << " in: " << words.toStdString();
    for (int run = 0; run < 6; ++run)
        EXPECT_TRUE(words.contains(QStringLiteral("run number %1, test").arg(run)));
}

TEST_F(ExportFigure, CountsHaveIntegerTicks)
{
    Chart chart;
    Panel panel{.x = {.label = "Classes in the list", .range = Range{0.4, 3.6}},
                .y = {.label = "Share of rows", .range = Range{10, 90}}};
    panel.series.push_back(Bars{.position = {1, 2, 3}, .height = {80, 15, 5}, .width = 0.85});
    chart.panels.push_back(panel);
    exportChart(chart, path("figure.svg"), {}, {});
    const QStringList texts = textsOf(read("figure.svg"));
    for (const char* tick : {"1", "2", "3"})
        EXPECT_TRUE(texts.contains(QLatin1String(tick))) << tick;
    EXPECT_FALSE(texts.contains(QStringLiteral("1.5")));
}

TEST_F(ExportFigure, ThePageOfATableFitsTheTable)
{
    Chart chart = certaintyChart();
    ASSERT_TRUE(chart.panels.empty());
    for (int column = 0; column < 8; ++column) {   // wider than any page that was stated
        chart.table->columns.push_back({"Column number " + std::to_string(column)});
        for (auto& row : chart.table->rows)
            row.emplace_back("the content of the cell");
    }
    exportChart(chart, path("table.svg"), {.widthMm = 120, .heightMm = 80}, {});
    const QByteArray svg = read("table.svg");
    static const QRegularExpression size("<svg width=\"([0-9.]+)mm\" height=\"([0-9.]+)mm\""),
        letters("font-size=\"([0-9.]+)\"");
    const auto page = size.match(QString::fromUtf8(svg));
    EXPECT_GT(page.captured(1).toDouble(), 200);
    EXPECT_LT(page.captured(2).toDouble(), 8.0 * static_cast<double>(chart.table->rows.size() + 2));
    EXPECT_FALSE(svg.contains("scale(0.")) << "text is not shrunk to the page";
    EXPECT_EQ(textsOf(svg).count(QStringLiteral("the content of the cell")),
              8 * static_cast<qsizetype>(chart.table->rows.size()));
}

TEST_F(ExportFigure, ATableNextToPanelsHasAllItsRowsAndThePanelsTheirSpace)
{
    Chart chart = decisionMapChart(20);
    chart.table = Table{{{"Way"}, {"Mean confidence, in-distribution", "", 4}}, {}};
    for (int row = 0; row < 12; ++row)
        chart.table->rows.push_back({"way number " + std::to_string(row), 0.5});
    exportChart(chart, path("figure.svg"), {.widthMm = 120, .heightMm = 80}, {});
    const QStringList texts = textsOf(read("figure.svg"));
    for (int row = 0; row < 12; ++row)
        EXPECT_TRUE(texts.contains(QStringLiteral("way number %1").arg(row))) << row;
}

TEST_F(ExportFigure, ManyPanelsNextToATableGetALegiblePage)
{
    Chart chart = decisionMapChart(20);
    chart.table = Table{{{"Way"}, {"Distance"}}, {{"a way", 0.5}}};
    while (chart.panels.size() < 12)
        chart.panels.push_back(chart.panels.front());
    chart.columns = 5;
    exportChart(chart, path("many.svg"), {.widthMm = 120, .heightMm = 80}, {});
    static const QRegularExpression size("<svg width=\"([0-9.]+)mm\" height=\"([0-9.]+)mm\"");
    const auto page = size.match(QString::fromUtf8(read("many.svg")));
    EXPECT_NEAR(page.captured(1).toDouble(), 120, 0.5);
    EXPECT_GT(page.captured(2).toDouble(), 6 * 35) << "two in a row, six rows";
}

TEST_F(ExportFigure, TwoRowsOfPanelsNextToATableAreNotSquashed)
{
    Chart chart = decisionMapChart(20);
    chart.table = Table{{{"Run"}, {"Distance"}}, {{"mean field", 0.5}, {"SWAG", 0.7}, {"Laplace", 0.9}}};
    while (chart.panels.size() < 4)
        chart.panels.push_back(chart.panels.front());
    chart.columns = 2;
    EXPECT_GT(exportedPage(chart, {.widthMm = 120, .heightMm = 80}).height(), 2 * 35 + 10);
}

TEST_F(ExportFigure, WithoutItsTableAFigureHasTheStatedSize)
{
    Chart chart = decisionMapChart(20);
    chart.table = Table{{{"Run"}},
                        {{"a name that is far wider than a column of a journal, and has no line break, so "
                          "that the page becomes wider than the column"}}};
    ExportOptions options{.widthMm = 80, .heightMm = 60};
    EXPECT_GT(exportedPage(chart, options).width(), 80);
    options.table = false;
    EXPECT_EQ(exportedPage(chart, options), QSizeF(80, 60));
    exportChart(chart, path("figure.svg"), options, {});
    EXPECT_FALSE(textsOf(read("figure.svg")).contains(QStringLiteral("Run")));
    exportChart(chart, path("figure.pdf"), options, {});
    exportChart(chart, path("figure.csv"), options, {});
    EXPECT_THAT(read("figure.csv").toStdString(), HasSubstr("x₁")) << "a data file is the same with and without";
}

TEST_F(ExportFigure, NoCoordinateIsFarOffThePage)
{
    Line line{
        .name = "", .x = {0, 0.5, 1}, .y = {0.5, 6e8, 0.2}, .tone = {Tone::Kind::wrong}, .style = LineStyle::dashed};
    exportChart(unitChart({line}), path("figure.svg"), {}, {});
    static const QRegularExpression point("points=\"([^\"]*)\"| d=\"([^\"]*)\""), number("-?[0-9.]+(e[+-]?[0-9]+)?");
    auto lists      = point.globalMatch(QString::fromUtf8(read("figure.svg")));
    double furthest = 0;
    while (lists.hasNext()) {
        const auto list = lists.next();
        auto numbers    = number.globalMatch(list.captured(1) + list.captured(2));
        while (numbers.hasNext())
            furthest = std::max(furthest, std::abs(numbers.next().captured().toDouble()));
    }
    EXPECT_GT(furthest, 100);
    EXPECT_LT(furthest, 2000);
}

TEST_F(ExportFigure, TheSameFigureIsTheSameSvgInEveryProcess)
{
    QByteArray first;
    for (int process = 0; process < 5; ++process) {
        QHashSeed::resetRandomGlobalSeed();   // as another process has it: no order of a hash may show
        exportChart(decisionMapsChart(), path("figure.svg"), {.widthMm = 200}, study);
        first = first.isEmpty() ? read("figure.svg") : first;
        ASSERT_TRUE(read("figure.svg") == first) << "in process " << process;
    }
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

TEST_F(ExportFigure, DiscreteCellsInAnSvgHaveManyPixelsEach)
{
    HeatMap map;
    map.name = "z";
    map.nx = map.ny = 4;
    map.x = map.y = {0.125, 0.875};
    map.z_range   = {0, 1};
    map.discrete  = true;
    for (int k = 0; k < 16; ++k)
        map.z.push_back(static_cast<float>((k + k / 4) % 2));
    exportChart(unitChart({map}), path("figure.svg"), {}, {});
    static const QRegularExpression embedded("data:image/png;base64,([^\"]*)\"");
    auto found = embedded.globalMatch(QString::fromUtf8(read("figure.svg")));
    bool seen  = false;
    while (found.hasNext()) {
        const QImage image = QImage::fromData(QByteArray::fromBase64(found.next().captured(1).toLatin1()), "PNG");
        if (image.width() < 1000)
            continue;   // the colour bar
        seen           = true;
        const int cell = image.width() / 4;
        for (int row = 0; row < 4; ++row)
            for (int column = 0; column < 4; ++column)
                for (const int shift : {2, cell / 2, cell - 3})
                    EXPECT_EQ(image.pixelColor(column * cell + shift, image.height() - 1 - row * cell - shift),
                              mapColour(ColourMap::viridis, (row + column) % 2));
    }
    EXPECT_TRUE(seen);
}

TEST_F(ExportFigure, AFieldIsInterpolatedInFiles)
{
    HeatMap map;
    map.name = "z";
    map.nx = map.ny = 2;
    map.x = map.y = {0.25, 0.75};
    map.z         = {0, 1, 0, 1};
    map.z_range   = {0, 1};
    exportChart(unitChart({map}), path("figure.svg"), {}, {});
    static const QRegularExpression embedded("data:image/png;base64,([^\"]*)\"");
    auto found = embedded.globalMatch(QString::fromUtf8(read("figure.svg")));
    bool seen  = false;
    while (found.hasNext()) {
        const QImage image = QImage::fromData(QByteArray::fromBase64(found.next().captured(1).toLatin1()), "PNG");
        if (image.width() < 1000)
            continue;   // the colour bar
        seen = true;
        for (const double share : {0.3, 0.4, 0.5, 0.6, 0.7})
            expectColour(image.pixelColor(static_cast<int>(share * image.width()), image.height() / 3),
                         mapColour(ColourMap::viridis, 2 * (share - 0.25)), 4);
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

TEST_F(ExportFigure, ACsvContainsWhatIsDrawn)
{
    exportChart(certaintyChart(), path("figure.csv"), {}, study);
    EXPECT_TRUE(read("figure.csv").endsWith(QByteArray::fromStdString(to_csv(*certaintyChart().table))));
}

TEST_F(ExportFigure, ErrorsAreOneSentence)
{
    EXPECT_EQ(refusal([&] { exportChart(boxplotsChart(), path("figure.bmp"), {}, {}); }),
              "figure.bmp: ends in \"bmp\", expected pdf, svg, png, csv, tex.");
    EXPECT_THAT(refusal([&] { exportChart(boxplotsChart(), path("figure.png"), {.widthMm = 0}, {}); }),
                HasSubstr("0 mm × 90 mm"));
    EXPECT_THAT(refusal([&] { exportChart(boxplotsChart(), path("figure.png"), {.dpi = 5}, {}); }), HasSubstr("5 dpi"));
    EXPECT_THAT(refusal([&] { exportChart(boxplotsChart(), path("no/such/folder/figure.svg"), {}, {}); }),
                HasSubstr("no/such/folder/figure.svg: the file cannot be written (No such file or directory)"));
    EXPECT_THAT(refusal([&] { studyIn(path("absent.pdf")); }),
                HasSubstr("absent.pdf: the file cannot be read (No such file or directory)"));
    EXPECT_THAT(refusal([&] { studyIn(path("figure.doc")); }), HasSubstr("\"doc\", expected pdf"));
}

TEST_F(ExportFigure, ARejectedExportLeavesTheOldFile)
{
    write("figure.png", "old");
    EXPECT_NE(refusal([&] { exportChart(boxplotsChart(), path("figure.png"), {.dpi = 100000}, {}); }),
              "nothing was refused");
    EXPECT_EQ(read("figure.png"), "old");
    EXPECT_EQ(QDir(m_folder.path()).entryList(QDir::Files).size(), 1);
}

TEST_F(ExportFigure, ADamagedFileIsReportedAndNotUsed)
{
    for (const QString& suffix : exportSuffixes()) {
        exportChart(boxplotsChart(), path("whole." + suffix), {}, study);
        const QByteArray whole = read("whole." + suffix);
        write("half." + suffix,
              whole.left(suffix == "csv" || suffix == "tex" ? whole.indexOf("credence-study end") : whole.size() / 2));
        EXPECT_THAT(refusal([&] { studyIn(path("half." + suffix)); }), HasSubstr("half." + suffix.toStdString()))
            << suffix.toStdString();
        write("empty." + suffix, {});
        if (suffix != "csv" && suffix != "tex") {
            EXPECT_THAT(refusal([&] { studyIn(path("empty." + suffix)); }), HasSubstr("damaged"))
                << suffix.toStdString();
        }
    }
}

TEST_F(ExportFigure, APngChunkLargerThanTheFileIsRejectedBeforeAllocation)
{
    exportChart(boxplotsChart(), path("long.png"), {}, study);
    QByteArray bytes = read("long.png");
    bytes.replace(bytes.indexOf("IDAT") - 4, 4, QByteArray::fromHex("60600000"));
    write("long.png", bytes);
    EXPECT_THAT(refusal([&] { studyIn(path("long.png")); }),
                StartsWith("long.png: is damaged: a chunk IDAT claims 1616904192 bytes, of which "));
}

TEST_F(ExportFigure, AStudyThatIsNotJsonIsRejected)
{
    exportChart(boxplotsChart(), path("figure.csv"), {}, "{\"credence\": 1");
    EXPECT_THAT(refusal([&] { studyIn(path("figure.csv")); }), HasSubstr("its Study is damaged"));
}

}   // namespace
}   // namespace credence
