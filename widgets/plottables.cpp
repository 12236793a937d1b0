// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plottables.h"

#include "widgets/chart_layout.h"
#include "widgets/chart_palette.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace credence {

namespace {

constexpr double clipMargin = 40;    ///< pixels: hides caps, dashes and joins of the pen at the cut
constexpr double farOff     = 1e4;   ///< pixels beyond the panel

/// The part of a segment inside a rectangle (Liang and Barsky 1984).
std::optional<QLineF> clippedSegment(QPointF a, QPointF b, const QRectF& inside)
{
    double from = 0, to = 1;
    const QPointF d = b - a;
    for (const auto& [step, room] :
         {std::pair{-d.x(), a.x() - inside.left()}, std::pair{d.x(), inside.right() - a.x()},
          std::pair{-d.y(), a.y() - inside.top()}, std::pair{d.y(), inside.bottom() - a.y()}}) {
        if (step == 0 && room < 0)
            return {};
        if (step < 0)
            from = std::max(from, room / step);
        else if (step > 0)
            to = std::min(to, room / step);
    }
    if (from > to)
        return {};
    return QLineF(from > 0 ? a + from * d : a, to < 1 ? a + to * d : b);
}

}   // namespace

std::vector<QVector<QPointF>> clippedPolyline(const QVector<QPointF>& points, const QRectF& inside)
{
    std::vector<QVector<QPointF>> parts;
    bool open = false;   // is the last part still open?
    for (qsizetype k = 1; k < points.size(); ++k) {
        const QPointF a = points[k - 1], b = points[k];
        const bool known = std::isfinite(a.x()) && std::isfinite(a.y()) && std::isfinite(b.x()) && std::isfinite(b.y());
        const auto segment = known ? clippedSegment(a, b, inside) : std::nullopt;
        if (!segment) {
            open = false;
            continue;
        }
        if (!open)
            parts.push_back({segment->p1()});
        parts.back().append(segment->p2());
        open = segment->p2() == b;
    }
    return parts;
}

void ClippedGraph::drawLinePlot(QCPPainter* painter, const QVector<QPointF>& lines) const
{
    const QRectF inside = QRectF(clipRect()).adjusted(-clipMargin, -clipMargin, clipMargin, clipMargin);
    if (std::all_of(lines.begin(), lines.end(), [&inside](const QPointF& p) { return inside.contains(p); })) {
        QCPGraph::drawLinePlot(painter, lines);
        return;
    }
    for (const auto& part : clippedPolyline(lines, inside))
        QCPGraph::drawLinePlot(painter, part);
}

/// Area borders are only clamped, at a distance that preserves the slope inside the panel.
void ClippedGraph::drawFill(QCPPainter* painter, QVector<QPointF>* lines) const
{
    const QRectF panel = clipRect();
    for (QPointF& p : *lines)
        p.setY(std::clamp(p.y(), panel.top() - farOff, panel.bottom() + farOff));
    QCPGraph::drawFill(painter, lines);
}

void SpreadPlottable::setItems(std::vector<Item> items, double width, double pixelsPerPoint)
{
    m_items          = std::move(items);
    m_width          = width;
    m_pixelsPerPoint = pixelsPerPoint;
}

void SpreadPlottable::draw(QCPPainter* painter)
{
    applyAntialiasingHint(painter, true, QCP::aePlottables);
    for (const Item& item : m_items) {
        const auto values = {item.lower, item.low, item.centre, item.high, item.upper};
        if (std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); }))
            item.box ? drawBox(painter, item) : drawInterval(painter, item);
    }
}

/// Maps infinite values to points outside the panel.
QPointF SpreadPlottable::at(double position, double value) const
{
    const QRectF panel  = clipRect();
    const QPointF pixel = coordsToPixels(position, value);
    return {pixel.x(), std::clamp(pixel.y(), panel.top() - farOff, panel.bottom() + farOff)};
}

void SpreadPlottable::drawBox(QCPPainter* painter, const Item& item) const
{
    const double left = item.position - m_width / 2, right = item.position + m_width / 2;
    QPen pen(item.colour, 1.1 * m_pixelsPerPoint);
    painter->setPen(pen);
    painter->setBrush(Qt::NoBrush);
    painter->drawLine(QLineF(at(item.position, item.high), at(item.position, item.upper)));
    painter->drawLine(QLineF(at(item.position, item.low), at(item.position, item.lower)));
    for (const double end : {item.lower, item.upper})
        painter->drawLine(QLineF(at(item.position - m_width / 4, end), at(item.position + m_width / 4, end)));
    QColor fill = item.colour;
    fill.setAlphaF(0.3);
    painter->setBrush(fill);
    painter->drawRect(QRectF(at(left, item.high), at(right, item.low)).normalized());
    if (item.rim.isValid()) {
        const double around = 2.5 * m_pixelsPerPoint;
        painter->setPen(QPen(item.rim, 1.6 * m_pixelsPerPoint));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(
            QRectF(at(left, item.high), at(right, item.low)).normalized().adjusted(-around, -around, around, around));
    }
    pen.setWidthF(2.2 * m_pixelsPerPoint);
    pen.setCapStyle(Qt::FlatCap);
    painter->setPen(pen);
    painter->drawLine(QLineF(at(left, item.centre), at(right, item.centre)));
    painter->setPen(QPen(item.colour, 0.8 * m_pixelsPerPoint));
    painter->setBrush(Qt::NoBrush);
    const double radius = 1.5 * m_pixelsPerPoint;
    for (const double outlier : item.outliers)
        if (!std::isnan(outlier))
            painter->drawEllipse(at(item.position, outlier), radius, radius);
}

void SpreadPlottable::drawInterval(QCPPainter* painter, const Item& item) const
{
    const QPointF lower = at(item.position, item.lower), upper = at(item.position, item.upper);
    if (item.thin) {
        QColor pale = item.colour;
        pale.setAlphaF(0.45F);
        painter->setPen(QPen(pale, m_pixelsPerPoint, Qt::SolidLine, Qt::FlatCap));
        painter->drawLine(QLineF(lower, upper));
        return;
    }
    const double cap = 3.5 * m_pixelsPerPoint;
    painter->setPen(QPen(item.colour, 1.8 * m_pixelsPerPoint, Qt::SolidLine, Qt::FlatCap));
    painter->drawLine(QLineF(lower, upper));
    for (const QPointF& end : {lower, upper})
        painter->drawLine(QLineF(end.x() - cap, end.y(), end.x() + cap, end.y()));
    painter->setBrush(item.colour);
    painter->setPen(Qt::NoPen);
    painter->drawEllipse(at(item.position, item.centre), 2.8 * m_pixelsPerPoint, 2.8 * m_pixelsPerPoint);
    if (!item.rim.isValid())
        return;
    painter->setBrush(Qt::NoBrush);
    painter->setPen(QPen(item.rim, 1.6 * m_pixelsPerPoint));
    painter->drawEllipse(at(item.position, item.centre), 5.5 * m_pixelsPerPoint, 5.5 * m_pixelsPerPoint);
}

void LabelledBars::setLabels(const std::vector<std::string>& labels, const QColor& colour, const QFont& font)
{
    m_labels.clear();
    for (const std::string& label : labels)
        m_labels << QString::fromStdString(label);
    m_colour = colour;
    m_font   = font;
}

void LabelledBars::draw(QCPPainter* painter)
{
    QCPBars::draw(painter);
    constexpr double gap = 4;   // pixels
    constexpr int least  = 7;
    const bool aside     = keyAxis()->orientation() == Qt::Vertical;
    const int shown      = std::min(dataCount(), static_cast<int>(m_labels.size()));
    QFont font           = m_font;
    if (aside && shown > 1) {   // no taller than their rows
        const double row = std::abs(keyAxis()->coordToPixel(dataMainKey(1)) - keyAxis()->coordToPixel(dataMainKey(0)));
        while (font.pixelSize() > least && QFontMetricsF(font).height() > row)
            font.setPixelSize(font.pixelSize() - 1);
    }
    const QFontMetricsF metrics(font);
    painter->setFont(font);
    painter->setPen(m_colour);
    for (int k = 0; k < shown; ++k) {
        const QPointF end = coordsToPixels(dataMainKey(k), dataMainValue(k));
        const QSizeF size(metrics.horizontalAdvance(m_labels[k]) + 2, metrics.height());
        QRectF place(QPointF(), size);
        if (aside)
            place.moveTopLeft(end + QPointF(gap, -size.height() / 2));
        else
            place.moveTopLeft(end + QPointF(-size.width() / 2, -size.height()));
        painter->drawText(place, Qt::AlignCenter, m_labels[k]);
    }
}

void RulePlottable::setRule(const Rule& rule, const QColor& colour, const QColor& ground, const DrawScale& scale)
{
    m_rule   = rule;
    m_lower  = scale.compact;
    m_colour = legible(colour, ground);   // of the label
    m_ground = ground;
    m_font   = scale.tickFont();
    QPen pen(colour, 1.1 * scale.pixelsPerPoint);
    pen.setCapStyle(Qt::FlatCap);
    switch (rule.style) {
    case LineStyle::solid: break;
    case LineStyle::dashed: pen.setDashPattern({5, 3}); break;
    case LineStyle::dotted: pen.setDashPattern({1, 2}); break;
    }
    setPen(pen);
}

void RulePlottable::draw(QCPPainter* painter)
{
    if (!std::isfinite(m_rule.at))
        return;
    const QRectF panel = clipRect();
    const QCPRange x = mKeyAxis->range(), y = mValueAxis->range();
    QLineF line;
    switch (m_rule.direction) {
    case Rule::Direction::horizontal:
        line = QLineF(coordsToPixels(x.lower, m_rule.at), coordsToPixels(x.upper, m_rule.at));
        break;
    case Rule::Direction::vertical:
        line = QLineF(coordsToPixels(m_rule.at, y.lower), coordsToPixels(m_rule.at, y.upper));
        break;
    case Rule::Direction::diagonal: {
        const double from = std::max(x.lower, y.lower), to = std::min(x.upper, y.upper);
        if (from >= to)
            return;
        line = QLineF(coordsToPixels(from, from), coordsToPixels(to, to));
        break;
    }
    }
    if (!panel.adjusted(-1, -1, 1, 1).contains(line.center()))
        return;
    applyAntialiasingHint(painter, m_rule.direction == Rule::Direction::diagonal, QCP::aePlottables);
    painter->setPen(mPen);
    painter->drawLine(line);
    if (m_rule.label.empty())
        return;

    const QFontMetricsF metrics(m_font);
    const QString text = metrics.elidedText(QString::fromStdString(m_rule.label), Qt::ElideRight, panel.width() * 0.6);
    const QSizeF size(metrics.horizontalAdvance(text) + 4, metrics.height());
    QPointF corner;
    if (m_rule.direction == Rule::Direction::horizontal) {
        corner = QPointF(panel.right() - size.width() - 2, line.y1() - size.height() - 1);
        if (corner.y() < panel.top() + (m_lower ? panel.height() / 3 : 0))
            corner.setY(line.y1() + 1);
    } else if (m_rule.direction == Rule::Direction::vertical) {
        corner = QPointF(line.x1() + 2, panel.top() + (m_lower ? panel.height() / 3 : 2));
        if (corner.x() + size.width() > panel.right())
            corner.setX(line.x1() - size.width() - 2);
    } else if (m_lower) {
        const QPointF middle = line.pointAt(line.y1() > line.y2() ? 0.45 : 0.55);
        corner               = middle - QPointF(size.width() + 4, size.height() + 2);
    } else {
        const QPointF end = line.y1() < line.y2() ? line.p1() : line.p2();
        corner            = QPointF(std::max(panel.left(), end.x() - size.width() - 1.5 * size.height()),
                                    std::max(panel.top() + 1, end.y() + 1));
    }
    QColor ground = m_ground;
    ground.setAlphaF(0.7F);
    const QRectF place(corner, size);
    painter->fillRect(place, ground);
    painter->setFont(m_font);
    painter->setPen(m_colour);
    painter->drawText(place, Qt::AlignCenter, text);
}

void LabelsPlottable::setLabels(const Points& points, const ChartPalette& palette, const QFont& font,
                                double pixelsPerPoint)
{
    m_points = points;
    m_text   = palette.text;
    m_ground = palette.background;
    m_ground.setAlphaF(0.8F);
    m_font   = font;
    m_radius = points.size * pixelsPerPoint / 2;
}

void LabelsPlottable::draw(QCPPainter* painter)
{
    const QRectF panel = clipRect();
    const QFontMetricsF metrics(m_font);
    painter->setFont(m_font);
    painter->setPen(m_text);
    for (std::size_t i = 0; i < std::min(m_points.labels.size(), m_points.x.size()); ++i) {
        if (!std::isfinite(m_points.x[i]) || !std::isfinite(m_points.y[i]))
            continue;
        const QPointF at = coordsToPixels(m_points.x[i], m_points.y[i]);
        if (!panel.contains(at))
            continue;
        const QString text = QString::fromStdString(m_points.labels[i]);
        const QSizeF size(metrics.horizontalAdvance(text) + 3, metrics.height());
        QRectF place(at + QPointF(m_radius, -m_radius - size.height()), size);
        if (place.right() > panel.right())
            place.moveRight(at.x() - m_radius);
        if (place.top() < panel.top())
            place.moveTop(at.y() + m_radius);
        painter->fillRect(place, m_ground);
        painter->drawText(place, Qt::AlignCenter, text);
    }
}

ClipMark::ClipMark(QCPAxisRect* rect, int panel, bool begin)
    : QCPLayerable(rect->parentPlot(), QStringLiteral("main")), m_rect(rect), m_panel(panel), m_begin(begin)
{}

QColor ClipMark::colour(int panel, bool begin) { return {0xfe, begin ? 1 : 2, panel & 0xff}; }

void ClipMark::draw(QCPPainter* painter)
{
    if (painter->paintEngine()->type() != QPaintEngine::SVG)
        return;
    painter->setPen(QPen(colour(m_panel, m_begin), 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(m_rect->rect());
}

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
        painter->drawRect(place.adjusted(-half, -half, half, half));   // surrounds the pixels without covering them
        if (!item.caption.isEmpty())
            drawCaption(painter, item.caption, place.translated(0, place.height() + 2 * half),
                        m_captionRoom > 0 ? m_captionRoom / item.place.height() * place.height() - 2 * half : 1e6);
    }
}

/// Draws all lines of the caption. If it would overlap its neighbours or exceed its space, a
/// smaller font is used; if that is not enough, the last lines are dropped.
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
