// SPDX-License-Identifier: GPL-3.0-or-later
#include "images/image_canvas.h"

#include "widgets/accessibility.h"
#include "widgets/chart_palette.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTabletEvent>

#include <algorithm>
#include <cmath>

using namespace credence;

QImage pictureOf(std::span<const float> pixels, ImageShape shape)
{
    const auto plane = static_cast<std::size_t>(shape.height) * static_cast<std::size_t>(shape.width);
    if (plane == 0 || pixels.size() < plane)
        return {};
    const bool colour = shape.channels == 3;
    QImage picture(shape.width, shape.height, QImage::Format_RGB32);
    const auto byte = [](float value) { return static_cast<int>(std::lround(std::clamp(value, 0.0F, 255.0F))); };
    for (int y = 0; y < shape.height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(picture.scanLine(y));
        for (int x = 0; x < shape.width; ++x) {
            const auto at = static_cast<std::size_t>(y * shape.width + x);
            line[x]       = colour ? qRgb(byte(pixels[at]), byte(pixels[plane + at]), byte(pixels[2 * plane + at]))
                                   : qRgb(byte(pixels[at]), byte(pixels[at]), byte(pixels[at]));
        }
    }
    return picture;
}

ImageCanvas::ImageCanvas(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("imageCanvas"));
    setAccessibleName(tr("Selected image"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setTabletTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ImageCanvas::setImage(std::vector<float> pixels, ImageShape shape)
{
    m_pixels  = std::move(pixels);
    m_shape   = shape;
    m_picture = pictureOf(m_pixels, m_shape);
    if (m_pointed)
        pointAt(m_pointed);
    update();
}

void ImageCanvas::setInset(const QImage& picture, const QString& words)
{
    m_inset      = picture;
    m_insetWords = words;
    update();
}

void ImageCanvas::setDrawing(bool on)
{
    lift();
    m_drawing = on;
    setCursor(on ? Qt::CrossCursor : Qt::ArrowCursor);
    update();
}

void ImageCanvas::setPen(double width, bool erases)
{
    lift();
    m_penWidth = width;
    m_erases   = erases;
}

void ImageCanvas::undoStroke()
{
    lift();
    if (m_strokes.empty())
        return;
    m_strokes.pop_back();
    Q_EMIT strokesChanged();
}

void ImageCanvas::clearStrokes()
{
    m_penDown = false;
    if (m_strokes.empty())
        return;
    m_strokes.clear();
    Q_EMIT strokesChanged();
}

/// The largest centred rectangle with square pixels, using an integer scale if possible.
QRectF ImageCanvas::frame() const
{
    if (m_shape.width < 1 || m_shape.height < 1)
        return rect();
    double scale       = std::min((width() - 2.0) / m_shape.width, (height() - 2.0) / m_shape.height);
    const double ratio = devicePixelRatioF();
    if (scale * ratio >= 1)
        scale = std::floor(scale * ratio) / ratio;
    const QSizeF size(scale * m_shape.width, scale * m_shape.height);
    return {QPointF(std::floor((width() - size.width()) / 2), std::floor((height() - size.height()) / 2)), size};
}

QPointF ImageCanvas::pixelAt(QPointF position) const
{
    const QRectF place = frame();
    return {(position.x() - place.x()) * m_shape.width / place.width() - 0.5,
            (position.y() - place.y()) * m_shape.height / place.height() - 0.5};
}

QPointF ImageCanvas::positionOf(double x, double y) const
{
    const QRectF place = frame();
    return {place.x() + (x + 0.5) * place.width() / m_shape.width,
            place.y() + (y + 0.5) * place.height() / m_shape.height};
}

void ImageCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (m_picture.isNull())
        return;
    const auto colours = ChartPalette::forScreen(palette());
    const QRectF place = frame();
    painter.drawImage(place, m_picture);
    painter.setPen(hasFocus() ? palette().color(QPalette::Highlight) : colours.frame);
    painter.drawRect(place.adjusted(-0.5, -0.5, 0.5, 0.5));
    if (!m_inset.isNull() && place.width() >= 3 * m_inset.width()) {
        const double side = std::max(std::floor(place.width() / 3 / m_inset.width()), 1.0);
        QRectF corner(QPointF(), QSizeF(m_inset.size()) * side);
        corner.moveBottomRight(place.bottomRight() - QPointF(2, 2));
        painter.drawImage(corner, m_inset);
        painter.setPen(colours.accent);
        painter.drawRect(corner.adjusted(-0.5, -0.5, 0.5, 0.5));
        if (!m_insetWords.isEmpty() && painter.fontMetrics().horizontalAdvance(m_insetWords) < corner.width() + 60) {
            const QPointF begin(corner.right() - painter.fontMetrics().horizontalAdvance(m_insetWords),
                                corner.top() - 4);
            painter.fillRect(QRectF(begin - QPointF(3, painter.fontMetrics().ascent() + 1),
                                    QSizeF(corner.right() - begin.x() + 5, painter.fontMetrics().height() + 1)),
                             Qt::black);   // ink can be white there
            painter.setPen(Qt::white);
            painter.drawText(begin, m_insetWords);
        }
    }
    if (m_pointed && (m_byKeyboard || m_drawing)) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colours.accent, 1.5));
        const double scale  = place.width() / m_shape.width;
        const double radius = m_drawing ? m_penWidth / 2 * scale : scale / 2;
        const QPointF at    = positionOf(m_pointed->x(), m_pointed->y());
        if (m_drawing)
            painter.drawEllipse(at, radius, radius);
        else
            painter.drawRect(QRectF(at - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius)));
    }
}

void ImageCanvas::pointAt(std::optional<QPointF> pixel)
{
    if (pixel
        && (pixel->x() < -0.5 || pixel->y() < -0.5 || pixel->x() >= m_shape.width - 0.5
            || pixel->y() >= m_shape.height - 0.5)
        && !m_penDown)
        pixel.reset();
    m_pointed = pixel;
    QString words;
    if (pixel) {
        const int x = std::clamp(static_cast<int>(std::lround(pixel->x())), 0, m_shape.width - 1);
        const int y = std::clamp(static_cast<int>(std::lround(pixel->y())), 0, m_shape.height - 1);
        QStringList values;
        for (int c = 0; c < m_shape.channels; ++c) {
            const auto at = static_cast<std::size_t>((c * m_shape.height + y) * m_shape.width + x);
            if (at < m_pixels.size())
                values += QString::number(std::lround(m_pixels[at]));
        }
        words = tr("row %1, column %2: %3").arg(y).arg(x).arg(values.join(QStringLiteral(", ")));
    }
    m_words = words;
    Q_EMIT pixelPointedAt(words);
    if (m_byKeyboard)
        announce(this, words, Announcer::Urgency::settled);
    update();
}

QString ImageCanvas::spoken(bool pixelAlone) const
{
    if (!m_words.isEmpty() || pixelAlone)
        return m_words;
    if (m_pixels.empty())
        return tr("no image");
    const QString size = tr("%1 × %2 pixels, %3")
                             .arg(m_shape.width)
                             .arg(m_shape.height)
                             .arg(m_shape.channels == 3 ? tr("colour") : tr("grey"));
    return size
           + (m_drawing ? tr(". Arrows move the pen, Space lowers or lifts it")
                        : tr(". Arrows move through the pixels"));
}

void ImageCanvas::penTo(QPointF pixel, double pressure, bool begins)
{
    const double radius = m_penWidth / 2 * (pressure > 0 ? 0.5 + pressure / 2 : 1);
    if (begins) {
        m_penDown = true;
        m_strokes.push_back({{{pixel.x(), pixel.y(), radius}}, m_erases});
    } else if (m_penDown) {
        auto& line = m_strokes.back().line;
        if (std::hypot(pixel.x() - line.back().x, pixel.y() - line.back().y) < 0.15)
            return;
        line.push_back({pixel.x(), pixel.y(), radius});
    } else {
        return;
    }
    Q_EMIT strokesChanged();
}

void ImageCanvas::lift()
{
    if (std::exchange(m_penDown, false))
        Q_EMIT strokesChanged();
}

void ImageCanvas::mousePressEvent(QMouseEvent* event)
{
    setFocus(Qt::MouseFocusReason);
    m_byKeyboard        = false;
    const QPointF pixel = pixelAt(event->position());
    if (m_drawing && event->button() == Qt::LeftButton)
        penTo(pixel, 0, true);
    pointAt(pixel);
}

void ImageCanvas::mouseMoveEvent(QMouseEvent* event)
{
    m_byKeyboard        = false;
    const QPointF pixel = pixelAt(event->position());
    if (m_penDown && event->buttons().testFlag(Qt::LeftButton))
        penTo(pixel, 0, false);
    pointAt(pixel);
}

void ImageCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        lift();
}

void ImageCanvas::tabletEvent(QTabletEvent* event)
{
    if (!m_drawing)
        return QWidget::tabletEvent(event);
    m_byKeyboard        = false;
    const QPointF pixel = pixelAt(event->position());
    if (event->type() == QEvent::TabletPress)
        penTo(pixel, event->pressure(), true);
    else if (event->type() == QEvent::TabletMove)
        penTo(pixel, event->pressure(), false);
    else
        lift();
    pointAt(pixel);
    event->accept();
}

bool ImageCanvas::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride && m_drawing
        && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Undo)) {
        event->accept();   // while drawing, Ctrl+Z undoes a stroke, not a setting
        return true;
    }
    return QWidget::event(event);
}

void ImageCanvas::keyPressEvent(QKeyEvent* event)
{
    if (m_drawing && event->matches(QKeySequence::Undo))
        return undoStroke();
    QPointF by;
    switch (event->key()) {
    case Qt::Key_Left: by = {-1, 0}; break;
    case Qt::Key_Right: by = {1, 0}; break;
    case Qt::Key_Up: by = {0, -1}; break;
    case Qt::Key_Down: by = {0, 1}; break;
    case Qt::Key_Escape:
        if (!m_penDown && !m_byKeyboard)
            return QWidget::keyPressEvent(event);
        lift();
        m_byKeyboard = false;
        return pointAt({});
    case Qt::Key_Space:
        if (!m_drawing)
            return QWidget::keyPressEvent(event);
        if (!m_pointed)
            pointAt(QPointF((m_shape.width - 1) / 2.0, (m_shape.height - 1) / 2.0));
        m_byKeyboard = true;
        m_penDown ? lift() : penTo(*m_pointed, 0, true);
        return update();
    default: return QWidget::keyPressEvent(event);
    }
    m_byKeyboard  = true;
    QPointF pixel = m_pointed ? *m_pointed + by : QPointF((m_shape.width - 1) / 2, (m_shape.height - 1) / 2);
    pixel         = {std::clamp(pixel.x(), 0.0, m_shape.width - 1.0), std::clamp(pixel.y(), 0.0, m_shape.height - 1.0)};
    if (m_penDown)
        penTo(pixel, 0, false);
    pointAt(pixel);
}

void ImageCanvas::leaveEvent(QEvent*)
{
    if (!m_byKeyboard && !m_penDown)
        pointAt({});
}

void ImageCanvas::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    if (m_byKeyboard) {
        lift();
        m_byKeyboard = false;
        pointAt({});
    }
    update();
}
