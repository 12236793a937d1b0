// SPDX-License-Identifier: GPL-3.0-or-later
#include "foundation/error.h"
#include "gui/widgets/sample_charts.h"
#include "widgets/chart_axes.h"
#include "widgets/chart_palette.h"
#include "widgets/film.h"
#include "widgets/study_metadata.h"

#include <QDir>
#include <QFile>
#include <QImageReader>
#include <QTemporaryDir>
#include <QtEndian>
#include <gmock/gmock.h>

#include <zlib.h>

namespace credence {
namespace {

/// Curves that reach further from frame to frame, and maps whose scale does.
std::vector<Chart> filmCharts(int count)
{
    std::vector<Chart> charts;
    for (int k = 1; k <= count; ++k) {
        Chart chart                                                    = decisionMapChart(10);
        std::get<HeatMap>(chart.panels.front().series.front()).z_range = {0.1 / k, 1.0 * k};
        Panel curve{.x = {.label = "Step"}, .y = {.label = "Loss"}};
        curve.series.push_back(Line{.x = {0, 10.0 * k}, .y = {-1.0 * k, 5}});
        chart.panels.push_back(std::move(curve));
        chart.columns = 2;
        charts.push_back(std::move(chart));
    }
    return charts;
}

std::vector<FilmFrame> filmFrames(int count)
{
    std::vector<FilmFrame> frames;
    for (int k = 0; k < count; ++k)
        frames.push_back({static_cast<std::size_t>(k), "Two moons · mean field · step " + std::to_string(k),
                          static_cast<double>(k) / (count - 1)});
    return frames;
}

constexpr FilmStyle smallFilm{.width = 480, .height = 270, .duration = 25, .hold = 100};

/// The pictures that a film of these charts has.
std::vector<QImage> drawnFrames(int count)
{
    auto charts       = filmCharts(count);
    const auto frames = filmFrames(count);
    holdScales(charts);
    std::vector<QImage> images;
    for (std::size_t k = 0; k < charts.size(); ++k)
        images.push_back(filmFrame(charts[k], frames[k], smallFilm));
    return images;
}

struct PngChunk {
    QByteArray name, content;
    bool whole = false;   ///< its checksum is right
};

std::vector<PngChunk> chunksOf(const QByteArray& png)
{
    std::vector<PngChunk> chunks;
    for (qsizetype at = 8; at + 12 <= png.size();) {
        const auto length     = static_cast<qsizetype>(qFromBigEndian<quint32>(png.constData() + at));
        const QByteArray body = png.mid(at + 4, 4 + length);
        const auto checksum   = crc32(0, reinterpret_cast<const Bytef*>(body.constData()),
                                      static_cast<uInt>(body.size()));
        chunks.push_back(
            {body.left(4), body.mid(4), checksum == qFromBigEndian<quint32>(png.constData() + at + 8 + length)});
        at += 12 + length;
    }
    return chunks;
}

QByteArray wholeChunk(const QByteArray& name, const QByteArray& content)
{
    const QByteArray body = name + content;
    QByteArray length(4, 0), checksum(4, 0);
    qToBigEndian(static_cast<quint32>(content.size()), length.data());
    qToBigEndian(static_cast<quint32>(
                     crc32(0, reinterpret_cast<const Bytef*>(body.constData()), static_cast<uInt>(body.size()))),
                 checksum.data());
    return length + body + checksum;
}

quint32 numberAt(const QByteArray& bytes, qsizetype at) { return qFromBigEndian<quint32>(bytes.constData() + at); }

class Film : public testing::Test {
protected:
    QString path(const QString& name) const { return m_folder.filePath(name); }
    QByteArray write(const QString& name, int frames = 4) const
    {
        FilmWriter writer(filmCharts(frames), filmFrames(frames), smallFilm, path(name), study);
        int steps = 0;
        while (writer.step())
            ++steps;
        EXPECT_EQ(steps, frames);
        QFile file(path(name));
        return QFileInfo(file).isDir() || !file.open(QIODevice::ReadOnly) ? QByteArray() : file.readAll();
    }
    const QByteArray study = "{\n  \"credence\": 1\n}\n";
    QTemporaryDir m_folder;
};

TEST_F(Film, AnAnimatedPngHasEveryFrameWithItsDurationAndChecksums)
{
    const QByteArray png = write("film.png");
    const auto images    = drawnFrames(4);
    QByteArray header;
    std::vector<QByteArray> pixels;   // compressed, of each frame
    quint32 number = 0;               // of the chunks of the animation
    for (const auto& [name, content, whole] : chunksOf(png)) {
        EXPECT_TRUE(whole) << name.toStdString();
        if (name == "IHDR")
            header = content;
        else if (name == "acTL") {
            EXPECT_TRUE(pixels.empty()) << "before the first picture";
            EXPECT_EQ(numberAt(content, 0), 4u);
            EXPECT_EQ(numberAt(content, 4), 0u) << "forever";
        } else if (name == "fcTL") {
            EXPECT_EQ(numberAt(content, 0), number++);
            EXPECT_EQ(numberAt(content, 4), 480u);
            EXPECT_EQ(numberAt(content, 8), 270u);
            EXPECT_EQ(qFromBigEndian<quint16>(content.constData() + 20), pixels.size() == 3 ? 125 : 25);
            EXPECT_EQ(qFromBigEndian<quint16>(content.constData() + 22), 100);
            pixels.emplace_back();
        } else if (name == "IDAT") {
            ASSERT_EQ(pixels.size(), 1u);
            pixels.back() += content;
        } else if (name == "fdAT") {
            EXPECT_EQ(numberAt(content, 0), number++);
            ASSERT_GT(pixels.size(), 1u);
            pixels.back() += content.mid(4);
        }
    }
    ASSERT_EQ(pixels.size(), 4u);
    for (std::size_t k = 0; k < pixels.size(); ++k) {
        const auto frame = QImage::fromData(
            png.left(8) + wholeChunk("IHDR", header) + wholeChunk("IDAT", pixels[k]) + wholeChunk("IEND", {}), "PNG");
        EXPECT_EQ(frame.convertToFormat(QImage::Format_RGB32), images[k]) << "frame " << k;
    }
}

TEST_F(Film, AProgramWithoutAnimationsShowsTheFirstFrameAndFindsTheStudy)
{
    write("film.png");
    const QImage first(path("film.png"));
    EXPECT_EQ(first.convertToFormat(QImage::Format_RGB32).size(), QSize(480, 270));
    EXPECT_EQ(first.text("Description").toStdString(), "Two moons · mean field · step 0");
    EXPECT_EQ(studyIn(path("film.png")), study);
}

TEST_F(Film, AGifHasEveryFrameWithItsDuration)
{
    write("film.gif");
    const auto images = drawnFrames(4);
    QImageReader reader(path("film.gif"));
    EXPECT_EQ(reader.imageCount(), 4);
    EXPECT_EQ(reader.loopCount(), -1) << "forever";
    for (std::size_t k = 0; k < images.size(); ++k) {
        const QImage frame = reader.read();
        ASSERT_EQ(frame.size(), QSize(480, 270)) << reader.errorString().toStdString();
        EXPECT_EQ(reader.nextImageDelay(), k == 3 ? 1250 : 250);
        EXPECT_EQ(frame.pixelColor(2, 2), QColor(Qt::white)) << "frequent colours are exact";
        int worst = 0;
        for (int y = 0; y < frame.height(); ++y)
            for (int x = 0; x < frame.width(); ++x) {
                const QColor a = frame.pixelColor(x, y), b = images[k].pixelColor(x, y);
                worst = std::max({worst, std::abs(a.red() - b.red()), std::abs(a.green() - b.green()),
                                  std::abs(a.blue() - b.blue())});
            }
        EXPECT_LE(worst, 32) << "frame " << k;
    }
}

TEST_F(Film, ASeriesIsAFolderThatAppearsOnceItIsComplete)
{
    {
        FilmWriter cancelled(filmCharts(3), filmFrames(3), smallFilm, path("series"), {});
        EXPECT_TRUE(cancelled.step());
        EXPECT_FALSE(QFile::exists(path("series")));
    }
    EXPECT_TRUE(QDir(m_folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot))
        << "no part of it is left";
    write("series", 3);
    EXPECT_EQ(QDir(path("series")).entryList(QDir::Files),
              QStringList({"frame-001.png", "frame-002.png", "frame-003.png"}));
    const auto images = drawnFrames(3);
    for (int k = 0; k < 3; ++k) {
        const QString file = path(QStringLiteral("series/frame-00%1.png").arg(k + 1));
        EXPECT_EQ(QImage(file).convertToFormat(QImage::Format_RGB32), images[static_cast<std::size_t>(k)]);
        EXPECT_EQ(studyIn(file), study);
    }
}

TEST_F(Film, AllFramesHaveTheSameAxesAndColourScale)
{
    auto charts = filmCharts(3);
    holdScales(charts);
    for (const Chart& chart : charts) {
        EXPECT_EQ(std::get<HeatMap>(chart.panels[0].series[0]).z_range, Range(0.1 / 3, 3.0));
        const auto [x, y] = panelRanges(chart.panels[1]);
        EXPECT_EQ(x, *charts[0].panels[1].x.range);
        EXPECT_LE(x.first, 0);
        EXPECT_GE(x.second, 30) << "the last frame fits";
        EXPECT_LE(y.first, -3);
        EXPECT_GE(y.second, 5);
    }
}

TEST_F(Film, AReversedAxisStaysReversed)
{
    auto charts                 = filmCharts(2);
    charts[0].panels[1].y.range = Range{5, 1};
    charts[1].panels[1].y.range = Range{7, 2};
    holdScales(charts);
    EXPECT_EQ(charts[1].panels[1].y.range, Range(7, 1));
}

TEST_F(Film, TwoFilmsOfOneRunAreTheSameBytes)
{
    for (const char* suffix : {"png", "gif"}) {
        const QByteArray first = write(QStringLiteral("first.%1").arg(QLatin1String(suffix)));
        EXPECT_FALSE(first.isEmpty());
        EXPECT_TRUE(first == write(QStringLiteral("second.%1").arg(QLatin1String(suffix)))) << suffix;
    }
}

TEST_F(Film, TheLineAtTheBottomShowsHowMuchOfTrainingHasPassed)
{
    const Chart chart = trainingChart();
    for (const bool dark : {false, true}) {
        const auto palette = dark ? ChartPalette::dark() : ChartPalette::print();
        const FilmStyle style{.dark = dark};
        const QImage image = filmFrame(chart, {.caption = "step 5", .share = 0.5}, style);
        EXPECT_EQ(image.size(), QSize(1280, 720));
        EXPECT_EQ(image.pixelColor(600, 718), palette.accent);
        EXPECT_EQ(image.pixelColor(680, 718), palette.grid);
        EXPECT_EQ(image.pixelColor(2, 2), palette.background);
        bool caption = false;
        for (int y = 670; y < 712; ++y)
            for (int x = 560; x < 720; ++x)
                caption = caption || image.pixelColor(x, y) != palette.background;
        EXPECT_TRUE(caption);
    }
}

TEST_F(Film, ATableOfAnySizeFitsIntoTheFrame)
{
    Chart chart = certaintyChart();
    for (int row = 0; row < 200; ++row)
        chart.table->rows.push_back(chart.table->rows.front());
    const QImage image = filmFrame(chart, {.caption = "step 1"}, smallFilm);
    EXPECT_EQ(image.pixelColor(2, 2), QColor(Qt::white)) << "the margin is free";
    EXPECT_EQ(image.size(), QSize(480, 270));
}

TEST_F(Film, ARefusalNamesTheFile)
{
    const auto refusal = [&](const QString& name, int frames) {
        try {
            FilmWriter(filmCharts(frames), filmFrames(frames), smallFilm, path(name), {});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("nothing was refused");
    };
    EXPECT_THAT(refusal("film.mp4", 2),
                testing::HasSubstr("film.mp4: the suffix is \".mp4\", expected .png (animated), .gif, or the name of "
                                   "a new folder without suffix."));
    EXPECT_EQ(refusal("film.gif", 1), "film.gif: found 1 frames, expected at least 2.");
    ASSERT_TRUE(QDir(m_folder.path()).mkdir("there"));
    EXPECT_THAT(refusal("there", 2), testing::HasSubstr("there: already exists, expected the name of a new folder."));
}

}   // namespace
}   // namespace credence
