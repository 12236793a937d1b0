// SPDX-License-Identifier: GPL-3.0-or-later
#include "icons.h"

#include <QApplication>
#include <QFile>
#include <QPainter>
#include <QPalette>
#include <QSvgRenderer>

namespace {

QPixmap draw(QByteArray svg, const QColor& colour, int size)
{
    svg.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(svg);
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setOpacity(colour.alphaF());
    renderer.render(&painter);
    return pixmap;
}

}  // namespace

QIcon icon(const QString& name, const QColor& colour)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray svg = file.readAll();
    QColor pale = colour;
    pale.setAlphaF(0.35F);
    QIcon made;
    for (const int size : {16, 24, 32, 48, 64}) {
        made.addPixmap(draw(svg, colour, size));
        made.addPixmap(draw(svg, pale, size), QIcon::Disabled);
    }
    return made;
}

QIcon icon(const QString& name) { return icon(name, QApplication::palette().color(QPalette::ButtonText)); }
