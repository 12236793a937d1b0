// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/pictures_plottable.h"

#include <algorithm>
#include <cmath>

namespace credence {

QImage imageOf(const Picture& picture)
{
    const auto plane = static_cast<std::size_t>(std::max(0, picture.rows))
                       * static_cast<std::size_t>(std::max(0, picture.columns));
    if (plane == 0 || (picture.channels != 1 && picture.channels != 3)
        || picture.pixels.size() != plane * static_cast<std::size_t>(picture.channels))
        return {};
    const std::size_t green = picture.channels == 3 ? plane : 0, blue = 2 * green;
    QImage image(picture.columns, picture.rows, QImage::Format_RGB32);
    std::size_t at = 0;
    for (int row = 0; row < picture.rows; ++row) {
        auto* const line = reinterpret_cast<QRgb*>(image.scanLine(row));
        for (int column = 0; column < picture.columns; ++column, ++at)
            line[column] = qRgb(picture.pixels[at], picture.pixels[at + green], picture.pixels[at + blue]);
    }
    return image;
}

void PicturesPlottable::setPictures(const Pictures& pictures, const ChartPalette& palette, const QFont& font,
                                    double pixelsPerPoint)
{
    m_items.clear();
    for (const Picture& picture : pictures.pictures) {
        const QColor colour = picture.frame ? palette.colour(*picture.frame) : palette.muted;
        QPen frame(colour, (picture.frame ? 1.2 : 0.5) * pixelsPerPoint);
        frame.setJoinStyle(Qt::MiterJoin);
        m_items.push_back(
            {QRectF(picture.x - picture.width / 2, picture.y - picture.height / 2, picture.width, picture.height),
             imageOf(picture),
             picture.caption.empty() ? QStringList() : QString::fromStdString(picture.caption).split(QLatin1Char('\n')),
             frame});
    }
    m_captionRoom = pictures.caption_room;
    m_font        = font;
    m_text        = palette.text;
}

/// PDF and SVG viewers smooth enlarged images, so each pixel is drawn as many pixels.
void PicturesPlottable::draw(QCPPainter* painter)
{
    const bool file = painter->modes().testFlag(QCPPainter::pmVectorized);
    for (const Item& item : m_items) {
        const QRectF place = QRectF(coordsToPixels(item.place.left(), item.place.bottom()),
                                    coordsToPixels(item.place.right(), item.place.top()))
                                 .normalized();
        if (!item.image.isNull()) {
            constexpr int wanted = 280;   // pixels along the longer side
            const int many       = file ? std::max(1, wanted / std::max(item.image.width(), item.image.height())) : 1;
            painter->save();
            painter->setRenderHint(QPainter::SmoothPixmapTransform, false);
            painter->setRenderHint(QPainter::LosslessImageRendering, true);
            painter->setAntialiasing(false);
            painter->drawImage(place, many == 1 ? item.image
                                                : item.image.scaled(item.image.size() * many, Qt::IgnoreAspectRatio,
                                                                    Qt::FastTransformation));
            painter->restore();
        }
        painter->setAntialiasing(false);
        painter->setPen(item.frame);
        painter->setBrush(Qt::NoBrush);
        const double half = item.frame.widthF() / 2;
        painter->drawRect(place.adjusted(-half, -half, half, half));   // around the pixels, not over them
        if (!item.caption.isEmpty())
            drawCaption(painter, item.caption, place.translated(0, place.height() + 2 * half),
                        m_captionRoom > 0 ? m_captionRoom / item.place.height() * place.height() - 2 * half : 1e6);
    }
}

/// In all its lines; in a smaller font if it would overlap its neighbours or exceed its space, and
/// then cut, the last lines first.
void PicturesPlottable::drawCaption(QCPPainter* painter, QStringList lines, const QRectF& below, double height) const
{
    constexpr double tight = 0.95;   // slightly tighter than running text
    const double room      = below.width() * 1.12;
    const auto widest      = [&lines](const QFont& font) {
        const QFontMetricsF metrics(font);
        double width = 0;
        for (const QString& line : lines)
            width = std::max(width, metrics.horizontalAdvance(line));
        return width;
    };
    constexpr int smallest = 7;   // pixels
    QFont font             = m_font;
    const auto tall        = [&lines](const QFont& f) {
        return tight * QFontMetricsF(f).height() * static_cast<double>(lines.size());
    };
    while (font.pixelSize() > smallest && (widest(font) > room || tall(font) > height))
        font.setPixelSize(font.pixelSize() - 1);
    while (lines.size() > 1 && tall(font) > 1.1 * height)
        lines.removeLast();
    const QFontMetricsF metrics(font);
    painter->setFont(font);
    painter->setPen(m_text);
    double y = below.top();
    for (const QString& line : lines) {
        painter->drawText(QRectF(below.center().x() - room / 2, y, room, metrics.height()), Qt::AlignCenter,
                          metrics.elidedText(line, Qt::ElideRight, room));
        y += tight * metrics.height();
    }
}

}   // namespace credence
