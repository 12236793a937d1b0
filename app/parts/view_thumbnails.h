// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

class QPainter;
class QRectF;

namespace credence {
struct ChartPalette;
}

/// Small schematic pictures of views for menus: one for each kind of chart, in the colours of the
/// palette. They show no data and need no computation.
namespace view_thumbnails {

inline constexpr int width = 56, height = 36;   ///< logical pixels at the usual size of text

QStringList kinds();
/// Returns the kind of picture of a view or of another page of the view menu. @param id  of the view
/// @return  empty: it has none
QString kindOf(const QString& id);
/// Returns the drawing of a kind as SVG. @param kind  empty: a document without shapes
QByteArray svgOf(const QString& kind, const credence::ChartPalette& colours);
/// Draws the picture of a view into a rounded frame.
void paint(QPainter& painter, const QRectF& box, const QString& id, const credence::ChartPalette& colours);

}   // namespace view_thumbnails
