// SPDX-License-Identifier: GPL-3.0-or-later
#include "parts/icons.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

namespace {

/// Paints `currentColor` of an SVG in the current text colour of the palette: a theme change needs
/// no new icon.
class PaletteIcon : public QIconEngine {
public:
    PaletteIcon(QByteArray svg, const QColor& fixed) : m_svg(std::move(svg)), m_fixed(fixed) {}

    void paint(QPainter* painter, const QRect& place, QIcon::Mode mode, QIcon::State) override
    {
        const QColor colour = m_fixed.isValid()
                                  ? m_fixed
                                  : QGuiApplication::palette().color(QPalette::Active, QPalette::ButtonText);
        QByteArray svg      = m_svg;
        svg.replace("currentColor", colour.name().toLatin1());
        QSvgRenderer renderer(svg);
        painter->save();
        painter->setOpacity(mode == QIcon::Disabled ? 0.35 : colour.alphaF());
        renderer.setAspectRatioMode(Qt::KeepAspectRatio);
        renderer.render(painter, QRectF(place));
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap made(size);
        made.fill(Qt::transparent);
        QPainter painter(&made);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return made;
    }
    QIconEngine* clone() const override { return new PaletteIcon(m_svg, m_fixed); }
    bool isNull() override { return m_svg.isEmpty(); }

private:
    QByteArray m_svg;
    QColor m_fixed;   ///< invalid: the palette's
};

}   // namespace

QIcon icon(const QString& name, const QColor& colour)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? QIcon(new PaletteIcon(file.readAll(), colour)) : QIcon();
}

QIcon icon(const QString& name) { return icon(name, QColor()); }
