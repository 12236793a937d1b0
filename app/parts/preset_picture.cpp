// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/preset_picture.h"

#include "work/text.h"

#include "runs/experiment.h"
#include "study/source.h"

#include <QFileInfo>
#include <QPainter>

#include <algorithm>

using namespace credence;

namespace {

constexpr int rowsOnPicture = 240, imagesInRow = 3;

void paintPoints(QPainter& painter, const Dataset& data, const ChartPalette& palette, double side)
{
    const bool classes  = data.task == Task::classification;
    const auto ordinate = [&](std::size_t i) { return classes ? data.row(i)[1] : data.targets[i]; };
    double left = data.row(0)[0], right = left, low = ordinate(0), high = low;
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        left  = std::min(left, data.row(i)[0]);
        right = std::max(right, data.row(i)[0]);
        low   = std::min(low, ordinate(i));
        high  = std::max(high, ordinate(i));
    }
    constexpr double margin = 4, radius = 1.2;
    const double width = std::max(1e-9, right - left), height = std::max(1e-9, high - low);
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < data.n_rows; ++i) {
        painter.setBrush(classes ? palette.category(data.labels[i]) : palette.data);
        painter.drawEllipse(QPointF(margin + (data.row(i)[0] - left) / width * (side - 2 * margin),
                                    side - margin - (ordinate(i) - low) / height * (side - 2 * margin)),
                            radius, radius);
    }
}

QImage presetImage(const ImageSet& set, std::size_t i)
{
    QImage image(static_cast<int>(set.width), static_cast<int>(set.height), QImage::Format_RGB32);
    const auto pixels = set.image(i);
    const auto plane  = set.width * set.height;
    for (std::size_t row = 0; row < set.height; ++row)
        for (std::size_t column = 0; column < set.width; ++column) {
            const auto at      = row * set.width + column;
            const auto channel = [&](std::size_t c) { return int{pixels[(set.channels == 3 ? c : 0) * plane + at]}; };
            image.setPixel(static_cast<int>(column), static_cast<int>(row), qRgb(channel(0), channel(1), channel(2)));
        }
    return image;
}

void paintImages(QPainter& painter, const ImageSet& set, double side)
{
    const double cell = (side - 4) / imagesInRow;
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    for (int i = 0; i < imagesInRow * imagesInRow && static_cast<std::size_t>(i) < set.n; ++i)
        painter.drawImage(QRectF(2 + i % imagesInRow * cell, 2 + i / imagesInRow * cell, cell - 1, cell - 1),
                          presetImage(set, static_cast<std::size_t>(i)));
}

void paintWords(QPainter& painter, const QString& words, const ChartPalette& palette, double side)
{
    painter.setPen(palette.muted);
    QFont font = painter.font();
    font.setPixelSize(std::max(8, static_cast<int>(side / 5)));
    painter.setFont(font);
    painter.drawText(QRectF(2, 2, side - 4, side - 4), Qt::AlignCenter | Qt::TextWrapAnywhere, words);
}

}   // namespace

QImage presetPicture(const DataSpec& data, const ChartPalette& palette, int side, double devicePixelRatio)
{
    QImage picture(QSize(side, side) * devicePixelRatio, QImage::Format_ARGB32_Premultiplied);
    picture.setDevicePixelRatio(devicePixelRatio);
    picture.fill(palette.background);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool fromFiles = data.source == DataSource::images || data.source == DataSource::csv;
    try {
        DataSpec few               = data;
        few.toy.n                  = std::min(few.toy.n, rowsOnPicture);
        few.images.training_images = few.images.test_images = 40;
        if (fromFiles)
            paintWords(painter,
                       QFileInfo(toQString(data.source == DataSource::csv ? data.file : data.images.set)).baseName(),
                       palette, side);
        else if (const auto& source = source_of(few); source.gives_images())
            paintImages(painter, source.load_images(few).training, side);
        else
            paintPoints(painter, load_data(few), palette, side);
    } catch (const std::exception&) {   // errors are reported with the Study, not in a preview
        paintWords(painter, QStringLiteral("–"), palette, side);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.grid, 1));
    painter.drawRect(QRectF(0.5, 0.5, side - 1, side - 1));
    return picture;
}
