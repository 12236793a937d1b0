// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/film.h"

#include "foundation/error.h"
#include "foundation/files.h"
#include "widgets/chart_axes.h"
#include "widgets/export_figure.h"
#include "widgets/render_chart.h"

#include <QApplication>
#include <QFile>
#include <QFileInfo>
#include <QFontInfo>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace credence {
namespace {

namespace fs = std::filesystem;

/// The range of the colour scale of a series; null: it has none.
Range* colourRange(Series& series)
{
    if (auto* map = std::get_if<HeatMap>(&series))
        return map->categories.empty() ? &map->z_range : nullptr;
    if (auto* map = std::get_if<TernaryMap>(&series))
        return &map->z_range;
    return nullptr;
}

/// Widens a range to contain another, in its own direction.
void include(std::optional<Range>& all, const Range& next)
{
    if (!all)
        all = next;
    else if (all->first <= all->second)
        all = {std::min({all->first, next.first, next.second}), std::max({all->second, next.first, next.second})};
    else
        all = {std::max({all->first, next.first, next.second}), std::min({all->second, next.first, next.second})};
}

/// The common ranges of one panel over all frames.
struct CommonRanges {
    std::optional<Range> x, y;
    std::vector<std::optional<Range>> colours;

    void add(Panel& panel)
    {
        if (panel.series.empty())
            return;   // its axes have no numbers yet
        const auto [across, up] = panelRanges(panel);
        include(x, across);
        include(y, up);
        std::size_t k = 0;
        for (Series& series : panel.series)
            if (const auto* range = colourRange(series)) {
                colours.resize(std::max(colours.size(), ++k));
                include(colours[k - 1], *range);
            }
    }
    void apply(Panel& panel) const
    {
        if (x)
            panel.x.range = x;
        if (y)
            panel.y.range = y;
        std::size_t k = 0;
        for (Series& series : panel.series)
            if (auto* range = colourRange(series))
                *range = *colours[k++];
    }
};

constexpr double slideWidth = 1280, slideHeight = 720;   // pixels at which the sizes below are stated
constexpr double pixelsPerMm = 96 / 25.4;

}   // namespace

void holdScales(std::span<Chart> charts)
{
    std::vector<CommonRanges> common;
    for (Chart& chart : charts) {
        common.resize(std::max(common.size(), chart.panels.size()));
        for (std::size_t p = 0; p < chart.panels.size(); ++p)
            common[p].add(chart.panels[p]);
    }
    for (Chart& chart : charts)
        for (std::size_t p = 0; p < chart.panels.size(); ++p)
            common[p].apply(chart.panels[p]);
}

QImage filmFrame(const Chart& chart, const FilmFrame& frame, const FilmStyle& style)
{
    const auto palette = style.dark ? ChartPalette::dark() : ChartPalette::print();
    const double unit  = std::min(style.width / slideWidth, style.height / slideHeight);
    const double gap = 16 * unit, foot = 48 * unit, line = 6 * unit;
    QImage image(style.width, style.height, QImage::Format_RGB32);
    image.fill(palette.background);
    QPainter painter(&image);

    const QRectF room(gap, gap, style.width - 2 * gap, style.height - gap - foot - line);
    const FigureLook look{2 * unit};
    const QSizeF page = pageSize(chart, room.size() / pixelsPerMm, look);   // larger than the room for a long table
    const QSizeF full = page * pixelsPerMm;
    const double fit  = std::min({1.0, room.width() / full.width(), room.height() / full.height()});
    const QImage body = chartImage(chart, palette, page, std::max(1, static_cast<int>(96 * fit)), look);
    painter.drawImage(QPoint(static_cast<int>(std::lround(room.center().x() - body.width() / 2.0)),
                             static_cast<int>(std::lround(room.center().y() - body.height() / 2.0))),
                      body);

    QFont font = QApplication::font();
    font.setFamily(QFontInfo(font).family());
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(24 * unit))));
    const QRectF below(gap, room.bottom(), room.width(), foot);
    painter.setFont(font);
    painter.setPen(palette.text);
    painter.drawText(
        below, Qt::AlignCenter | Qt::TextSingleLine,
        QFontMetricsF(font).elidedText(QString::fromStdString(frame.caption), Qt::ElideMiddle, below.width()));
    painter.fillRect(QRectF(0, style.height - line, style.width, line), palette.grid);
    painter.fillRect(QRectF(0, style.height - line, style.width * std::clamp(frame.share, 0.0, 1.0), line),
                     palette.accent);
    return image;
}

/// Receives the frames and writes the target once it is complete.
struct FilmWriter::Target {
    virtual ~Target()                                                                                     = default;
    virtual void add(const QImage& image, const Chart& chart, const std::string& caption, int hundredths) = 0;
    virtual void finish()                                                                                 = 0;
};

struct FilmWriter::PngFile : Target {
    PngFile(QString name, int frames, QByteArray study)
        : file(std::move(name)), studyJson(std::move(study)), film(frames)
    {}
    void add(const QImage& image, const Chart& chart, const std::string& caption, int hundredths) override
    {
        film.add(pngOf(image, chart.title, caption, studyJson), hundredths);
    }
    void finish() override { writeWhole(file, film.bytes()); }

    QString file;
    QByteArray studyJson;
    AnimatedPng film;
};

struct FilmWriter::GifFile : Target {
    GifFile(QString name, QSize size) : file(std::move(name)), film(size) {}
    void add(const QImage& image, const Chart&, const std::string&, int hundredths) override
    {
        film.add(image, hundredths);
    }
    void finish() override { writeWhole(file, film.bytes()); }

    QString file;
    AnimatedGif film;
};

struct FilmWriter::Folder : Target {
    Folder(const QString& name, std::size_t frames, QByteArray study)
        : folder(QFile::encodeName(name).toStdString()), temporary(begin_replacement(folder)),
          digits(std::max<std::size_t>(3, std::to_string(frames).size())), studyJson(std::move(study))
    {
        if (fs::exists(folder))
            throw Error(folder.string() + ": already exists, expected the name of a new folder.");
        std::error_code failed;
        fs::create_directory(temporary, failed);
        if (failed)
            refuse_to_write(folder, failed.value());
    }
    ~Folder() override
    {
        std::error_code ignored;
        if (!temporary.empty())
            fs::remove_all(temporary, ignored);
    }
    void add(const QImage& image, const Chart& chart, const std::string& caption, int) override
    {
        std::string number = std::to_string(++written);
        number.insert(0, digits - number.size(), '0');
        const QByteArray png = pngOf(image, chart.title, caption, studyJson);
        write_whole(temporary / ("frame-" + number + ".png"), {png.data(), static_cast<std::size_t>(png.size())});
    }
    void finish() override { finish_replacement(std::exchange(temporary, {}), folder); }

    fs::path folder, temporary;
    std::size_t digits, written = 0;
    QByteArray studyJson;
};

FilmWriter::FilmWriter(std::vector<Chart> charts, std::vector<FilmFrame> frames, const FilmStyle& style,
                       const QString& file, const QByteArray& studyJson)
    : m_charts(std::move(charts)), m_frames(std::move(frames)), m_style(style)
{
    const std::string suffix = film_suffix(QFile::encodeName(file).toStdString());
    if (m_charts.size() < 2 || m_frames.size() != m_charts.size())
        throw Error(QFileInfo(file).fileName().toStdString() + ": found " + std::to_string(m_charts.size())
                    + " frames, expected at least 2.");
    holdScales(m_charts);
    if (suffix.empty())
        m_target = std::make_unique<Folder>(file, m_charts.size(), studyJson);
    else if (suffix == ".gif")
        m_target = std::make_unique<GifFile>(file, QSize(style.width, style.height));
    else
        m_target = std::make_unique<PngFile>(file, static_cast<int>(m_charts.size()), studyJson);
}

FilmWriter::~FilmWriter() = default;

bool FilmWriter::step()
{
    if (m_next == m_charts.size()) {
        m_target->finish();
        return false;
    }
    const Chart& chart  = m_charts[m_next];
    const auto& frame   = m_frames[m_next];
    const bool last     = ++m_next == m_charts.size();
    const int displayed = m_style.duration + (last ? m_style.hold : 0);
    m_target->add(filmFrame(chart, frame, m_style), chart, frame.caption, displayed);
    return true;
}

}   // namespace credence
