// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_list_model.h"

#include "session/saved_run.h"
#include "session/settings.h"
#include "study/source.h"
#include "views/views.h"
#include "widgets/chart_palette.h"

#include <QCryptographicHash>
#include <QDir>
#include <QPainter>
#include <QSaveFile>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

using namespace credence;

namespace {

constexpr std::size_t mostKnown = 2000, mostWanted = 100;

/// The data needed to make a thumbnail on another thread.
struct WantedThumbnail {
    std::shared_ptr<const SavedRunEntry> entry;
    QString runFile;
    Study study;
    bool accuracy;   ///< the errors are shares of wrong classes
    QString file;    ///< in the cache
};

/// Returns the same name for runs with the same weights.
QString cacheFileOf(const SavedRun& run)
{
    constexpr int version = 1;   // of the pictures
    Study study           = run.study;
    study.name.clear();
    study.note.clear();
    const std::string all = to_json(study).dump() + '\n' + std::to_string(run.report.steps) + '\n' + run.started + '\n'
                            + std::to_string(version);
    const auto hash = QCryptographicHash::hash(QByteArray::fromStdString(all), QCryptographicHash::Sha1);
    return QStringLiteral("%1/%2.png").arg(thumbnailsFolder(), QString::fromLatin1(hash.toHex()));
}

QImage mapImage(const HeatMap& heat)
{
    const double low = heat.z_range.first, span = heat.z_range.second - low;
    QImage cells(heat.nx, heat.ny, QImage::Format_RGB32);
    for (int y = 0; y < heat.ny; ++y)
        for (int x = 0; x < heat.nx; ++x) {
            const double z =
                heat.z[static_cast<std::size_t>(y) * static_cast<std::size_t>(heat.nx) + static_cast<std::size_t>(x)];
            const double share = span > 0 && std::isfinite(z) ? std::clamp((z - low) / span, 0.0, 1.0) : 0;
            cells.setPixelColor(x, heat.ny - 1 - y, mapColour(heat.map, share));
        }
    return cells.scaled(RunThumbnails::width, RunThumbnails::height, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .convertToFormat(QImage::Format_RGB32);
}

Range rangeOf(const std::vector<double>& values)
{
    Range range{0, 0};
    bool any = false;
    for (const double value : values)
        if (std::isfinite(value)) {
            range = any ? Range{std::min(range.first, value), std::max(range.second, value)} : Range{value, value};
            any   = true;
        }
    return range;
}

/// Draws the bands and solid lines of a chart. The sampled functions are omitted, since they would
/// merge into a blot.
QImage curveImage(const std::vector<Series>& series, Range x, Range y)
{
    constexpr double margin = 6;
    QImage image(RunThumbnails::width, RunThumbnails::height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto at = [&](double across, double up) {
        const auto share = [](double value, Range range) {
            return range.second > range.first ? (value - range.first) / (range.second - range.first) : 0.5;
        };
        return QPointF(margin + share(across, x) * (RunThumbnails::width - 2 * margin),
                       RunThumbnails::height - margin - share(up, y) * (RunThumbnails::height - 2 * margin));
    };
    const auto ink = [](double alpha) { return QColor::fromRgbF(0, 0, 0, static_cast<float>(alpha)); };
    for (const auto& each : series) {
        if (const auto* band = std::get_if<Band>(&each)) {
            QPolygonF outline;
            for (std::size_t i = 0; i < band->x.size(); ++i)
                outline << at(band->x[i], band->upper[i]);
            for (std::size_t i = band->x.size(); i-- > 0;)
                outline << at(band->x[i], band->lower[i]);
            painter.setPen(Qt::NoPen);
            painter.setBrush(ink(band->opacity));
            painter.drawPolygon(outline);
        }
        const auto* line = std::get_if<Line>(&each);
        if (!line || line->style != LineStyle::solid || line->tone.kind == Tone::Kind::muted)
            continue;
        QPolygonF points;
        for (std::size_t i = 0; i < line->x.size(); ++i)
            if (std::isfinite(line->y[i]))
                points << at(line->x[i], line->y[i]);
        painter.setPen(QPen(ink(1), 3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(points);
    }
    return image;
}

/// Null: the run has fewer than two scores.
QImage scoreImage(const TrainingHistory& history, bool accuracy)
{
    Line line;
    for (const auto& point : history)
        if (point.test_error) {
            line.x.push_back(static_cast<double>(point.step));
            line.y.push_back(accuracy ? 1 - *point.test_error : *point.test_error);
        }
    if (line.x.size() < 2)
        return {};
    const Range x = rangeOf(line.x), y = rangeOf(line.y);
    return curveImage({line}, x, y);
}

QImage viewImage(const RunSnapshot& end, const std::stop_token& stop)
{
    if (!end.experiment || !end.snapshot)
        return {};
    ViewOptions options;
    options.map.cells = 36;
    options.samples   = 24;
    for (const char* id : {"decision_map", "regression_band"}) {
        if (!view(id).applies(*end.experiment))
            continue;
        const auto chart = view(id).make(end, options, stop);
        if (!chart || chart->panels.empty() || chart->panels.front().series.empty())
            return {};
        const auto& panel = chart->panels.front();
        if (const auto* heat = std::get_if<HeatMap>(&panel.series.front()))
            return mapImage(*heat);
        std::vector<double> heights;
        for (const auto& each : panel.series)
            if (const auto* band = std::get_if<Band>(&each)) {
                heights.insert(heights.end(), band->lower.begin(), band->lower.end());
                heights.insert(heights.end(), band->upper.begin(), band->upper.end());
            }
        return curveImage(panel.series, panel.x.range.value_or(Range{0, 1}), panel.y.range.value_or(rangeOf(heights)));
    }
    return scoreImage(*end.history, end.experiment->task() == Task::classification);
}

/// Makes a thumbnail. A run that is not in memory is read without caching it. The data of images
/// and tables are not read again: the recorded scores suffice.
QImage thumbnailOf(const WantedThumbnail& wanted, const std::stop_token& stop)
{
    const auto& source = source_of(wanted.study.data);
    const auto file    = pathOf(wanted.runFile);
    const bool memory  = wanted.entry->inMemory();
    if (source.gives_images() || source.place)
        return scoreImage(memory ? wanted.entry->whole()->history : load_run(file, WhichSnapshots::none).history,
                          wanted.accuracy);
    if (memory)
        return viewImage(wanted.entry->end(wanted.study.name), stop);
    const SavedRun run    = load_run(file, WhichSnapshots::last);
    const auto experiment = prepare(wanted.study, stop);
    if (!experiment)
        return {};
    return viewImage({experiment, endOf(run), std::make_shared<const TrainingHistory>(run.history)}, stop);
}

/// Returns the thumbnail from the cache, or makes it and stores it there atomically.
QImage readOrMade(const WantedThumbnail& wanted, const std::stop_token& stop)
{
    QImage image;
    if (image.load(wanted.file, "PNG"))
        return image;
    image = thumbnailOf(wanted, stop);
    if (image.isNull() || stop.stop_requested() || !QDir().mkpath(thumbnailsFolder()))
        return image;
    QSaveFile file(wanted.file);
    if (file.open(QIODevice::WriteOnly) && image.save(&file, "PNG"))
        file.commit();   // if caching fails, it is made again next time
    return image;
}

}   // namespace

RunThumbnails::RunThumbnails(QObject* parent) : QObject(parent)
{
    connect(&m_worker, &Worker::failed, this, [this] {   // a run that cannot be read has no thumbnail
        m_busy = false;
        makeNext();
    });
}

QImage RunThumbnails::of(const std::shared_ptr<SavedRunEntry>& entry)
{
    if (const auto known = m_known.find(entry); known != m_known.end())
        return known->second;
    if (entry->ofOutputs())
        return {};
    std::erase_if(m_wanted, [&](const auto& one) { return one.expired() || one.lock() == entry; });
    m_wanted.push_back(entry);
    // The oldest requests are no longer visible; they are repeated when they become visible
    if (m_wanted.size() > mostWanted)
        m_wanted.erase(m_wanted.begin());
    makeNext();
    return {};
}

void RunThumbnails::makeNext()
{
    while (!m_busy && !m_wanted.empty()) {
        const auto entry = m_wanted.back().lock();
        m_wanted.pop_back();
        if (!entry || m_known.contains(entry))
            continue;
        if (m_known.size() > mostKnown)
            m_known.clear();
        m_known[entry]  = {};   // not requested twice
        m_busy          = true;
        const auto& run = entry->run;
        const WantedThumbnail wanted{entry, entry->file, run.study,
                                     !run.score || run.score->metric == FinalScore::Metric::accuracy, cacheFileOf(run)};
        m_worker.submit(
            [this, entry, wanted](std::stop_token stop, Worker::Progress&) -> Worker::Show {
                const QImage image = readOrMade(wanted, stop);
                return [this, entry, image] {
                    m_busy         = false;
                    m_known[entry] = image;
                    makeNext();
                    Q_EMIT made(entry);
                };
            },
            Worker::Newer::stops_old, Worker::Pace::rested);
    }
}
