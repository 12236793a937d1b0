// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/render_chart.h"

#include "widgets/chart_layout.h"
#include "widgets/chart_painter.h"
#include "widgets/plottables.h"
#include "widgets/table_view.h"

#include <QApplication>
#include <QBuffer>
#include <QFontInfo>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace credence {
namespace {

constexpr int textUnits = 11;   ///< 8.25 points on paper

/// Replaces the group of a painted mark by `replacement`.
void replaceMark(QString& svg, const QColor& colour, const QString& replacement)
{
    const QRegularExpression group(QStringLiteral("<g [^>]*stroke=\"%1\"[^>]*>.*?</g>").arg(colour.name()),
                                   QRegularExpression::DotMatchesEverythingOption);
    const auto match = group.match(svg);
    if (match.hasMatch())
        svg.replace(match.capturedStart(), match.capturedLength(), replacement);
}

/// Written here, since only newer versions of QSvgGenerator escape title and description.
QString svgElement(const QString& name, const std::string& text)
{
    return text.empty() ? QString()
                        : QStringLiteral("<%1>%2</%1>\n").arg(name, QString::fromStdString(text).toHtmlEscaped());
}

/// Turns the marks around each panel's series into a clip path of the panel's inside.
void clipPanels(QString& svg, const std::vector<QRect>& panels)
{
    QString paths;
    for (std::size_t k = 0; k < panels.size(); ++k) {
        const int index    = static_cast<int>(k);
        const QRect& r     = panels[k];
        const QColor begin = ClipMark::colour(index, true), end = ClipMark::colour(index, false);
        if (!svg.contains(begin.name()) || !svg.contains(end.name()))
            continue;
        paths += QStringLiteral(
                     "<clipPath id=\"panel%1\"><rect x=\"%2\" y=\"%3\" width=\"%4\" height=\"%5\"/></clipPath>\n")
                     .arg(index)
                     .arg(r.x())
                     .arg(r.y())
                     .arg(r.width())
                     .arg(r.height());
        replaceMark(svg, begin, QStringLiteral("<g clip-path=\"url(#panel%1)\">").arg(index));
        replaceMark(svg, end, QStringLiteral("</g>"));
    }
    svg.replace(QStringLiteral("<defs>"), QStringLiteral("<defs>\n") + paths);
}

QFont printFont()
{
    QFont font = QApplication::font();
    font.setFamily(
        QFontInfo(font).family());   // the resolved family, not an alias that another machine may resolve differently
    font.setPixelSize(textUnits);
    return font;
}

bool hasTable(const Chart& chart) { return chart.table && !chart.table->columns.empty() && chart.message.empty(); }

constexpr QSize tableMargin(6, 4);   ///< units around a table
constexpr double smallestTable =
    0.8;   ///< font scale next to panels, if the last rows would not fit into half of the figure
constexpr double panelShare = 0.6;   ///< fraction of the stated height reserved for panels above a table

/// Paints all rows of a table, or as many as fit and the number of omitted rows.
void paintRows(QCPPainter& painter, const QRectF& place, const Table& table, const QFont& font,
               const ChartPalette& palette)
{
    const QSizeF size = tableSize(table, font);   // wide tables are scaled to the width
    if (size.height() * std::min(1.0, place.width() / size.width()) <= place.height() + 0.5) {   // rounded pages
        paintTable(painter, place, table, font, palette);
        return;
    }
    const double line     = QFontMetricsF(font).height();
    const std::size_t end = paintTable(painter, place.adjusted(0, 0, 0, -line), table, font, palette);
    if (end >= table.rows.size())
        return;
    painter.setFont(font);
    painter.setPen(palette.muted);
    painter.drawText(QRectF(place.left(), place.bottom() - line, place.width(), line), Qt::AlignCenter,
                     QStringLiteral("… and %1 more rows").arg(table.rows.size() - end));
}

/// Panels, and the table below them.
std::vector<QRect> paintBody(QCPPainter& painter, const Chart& chart, const ChartPalette& palette, QSize units)
{
    std::vector<QRect> panels;
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setRenderHint(QPainter::LosslessImageRendering);
    const int columns     = columnsFor(chart, units.width());
    const DrawScale scale = drawScale(chart, printFont(), textUnits, units, columns, true);
    const bool table      = hasTable(chart);
    QFont tableFont       = chart.panels.empty() ? printFont() : scale.font;
    if (table && !chart.panels.empty()) {
        const int least = static_cast<int>(std::ceil(smallestTable * scale.font.pixelSize()));
        while (tableFont.pixelSize() > least && tableSize(*chart.table, tableFont).height() > units.height() / 2.0 - 8)
            tableFont.setPixelSize(tableFont.pixelSize() - 1);
    }
    int used = units.height();
    if (table && chart.panels.empty())
        used = 0;
    else if (table)
        used -= std::min(static_cast<int>(std::ceil(tableSize(*chart.table, tableFont).height()))
                             + 2 * tableMargin.height(),
                         3 * units.height() / 4);
    if (used > 0) {
        QCustomPlot plot;
        ChartPainter chartPainter(&plot);
        chartPainter.show(chart, palette, scale, columns);
        plot.setPlottingHint(QCP::phCacheLabels, false);
        plot.setViewport(QRect(0, 0, units.width(), used));
        chartPainter.arrange();
        painter.save();
        plot.toPainter(&painter, units.width(), used);
        painter.restore();
        for (int k = 0; k < chartPainter.panelCount(); ++k)
            panels.push_back(chartPainter.panelRect(k));
    }
    if (table) {
        const QRectF place(0, used, units.width(), units.height() - used);
        painter.setAntialiasing(false);
        painter.fillRect(place, palette.background);
        paintRows(
            painter,
            place.adjusted(tableMargin.width(), tableMargin.height(), -tableMargin.width(), -tableMargin.height()),
            *chart.table, tableFont, palette);
    }
    return panels;
}

QFont titleLetters()
{
    QFont font = printFont();
    font.setPixelSize(textUnits + 2);
    font.setBold(true);
    return font;
}

/// The height of a title above a figure of this width; 0: no title.
int titleHeight(const Chart& chart, int width)
{
    if (chart.title.empty())
        return 0;
    const QRectF room(0, 0, std::max(1, width - 2 * tableMargin.width()), 1e5);
    const QRectF words = QFontMetricsF(titleLetters())
                             .boundingRect(room, Qt::TextWordWrap | Qt::AlignHCenter,
                                           QString::fromStdString(chart.title));
    return static_cast<int>(std::ceil(words.height())) + 2 * tableMargin.height();
}

/// Implements paintChart and returns the panel rectangles for the SVG.
std::vector<QRect> paint(QCPPainter& painter, const Chart& chart, const ChartPalette& palette, QSize units, bool title)
{
    const int top = title ? std::min(titleHeight(chart, units.width()), units.height() / 2) : 0;
    if (top == 0)
        return paintBody(painter, chart, palette, units);
    const QRect place(0, 0, units.width(), top);
    painter.save();
    painter.fillRect(place, palette.background);
    painter.setFont(titleLetters());
    painter.setPen(palette.text);
    painter.drawText(
        place.adjusted(tableMargin.width(), tableMargin.height(), -tableMargin.width(), -tableMargin.height()),
        Qt::TextWordWrap | Qt::AlignHCenter, QString::fromStdString(chart.title));
    painter.translate(0, top);
    auto panels = paintBody(painter, chart, palette, units - QSize(0, top));
    painter.restore();
    for (QRect& panel : panels)
        panel.translate(0, top);
    return panels;
}

}   // namespace

/// Returns the usual page for a figure at scale 1.
static QSizeF usualPage(const Chart& chart, QSizeF millimetres)
{
    constexpr double most = 600;   // millimetres
    if (!hasTable(chart))
        return millimetres;
    QFont font        = printFont();
    const auto needed = [&] { return (tableSize(*chart.table, font) + QSizeF(2 * tableMargin)) * 25.4 / 96; };
    if (chart.panels.empty())
        return needed().boundedTo({most, most}).expandedTo({10, 10});
    font.setPixelSize(static_cast<int>(std::ceil(smallestTable * textUnits)));
    const QSizeF table = needed();
    const double width = std::max(millimetres.width(), std::min(most, table.width()));
    const int columns  = columnsFor(chart, figureUnits({width, millimetres.height()}).width());
    // A page sized for one row of panels is too small for several rows, as in a comparison of all
    // methods.
    const double panels = std::max(panelShare * millimetres.height(), leastHeight(chart, columns) * 25.4 / 96);
    return {width, std::max(millimetres.height(), std::min(most, panels + table.height()))};
}

QSizeF pageSize(const Chart& chart, QSizeF millimetres, const FigureLook& look)
{
    const QSizeF page = usualPage(chart, millimetres / look.scale);
    // A figure keeps the stated page with or without a title; a table gets additional space for it.
    const double title = look.title && chart.panels.empty() && hasTable(chart)
                             ? titleHeight(chart, figureUnits(page).width()) * 25.4 / 96
                             : 0;
    return (page + QSizeF(0, title)) * look.scale;
}

QSize figureUnits(QSizeF millimetres, double scale)
{
    return (millimetres / scale * 96 / 25.4).toSize().expandedTo({1, 1});
}

void paintChart(QCPPainter& painter, const Chart& chart, const ChartPalette& palette, QSize units, bool title)
{
    paint(painter, chart, palette, units, title);
}

QImage chartImage(const Chart& chart, const ChartPalette& palette, QSizeF millimetres, int dpi, const FigureLook& look)
{
    QImage image((millimetres * dpi / 25.4).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    image.fill(palette.background);
    const QSize units = figureUnits(millimetres, look.scale);
    QCPPainter painter(&image);
    painter.scale(static_cast<double>(image.width()) / units.width(),
                  static_cast<double>(image.height()) / units.height());
    paint(painter, chart, palette, units, look.title);
    painter.end();
    image.setDotsPerMeterX(static_cast<int>(std::lround(dpi / 0.0254)));
    image.setDotsPerMeterY(static_cast<int>(std::lround(dpi / 0.0254)));
    return image;
}

QByteArray chartSvg(const Chart& chart, const ChartPalette& palette, QSizeF millimetres, const QByteArray& metadata,
                    const FigureLook& look)
{
    const QSize units = figureUnits(millimetres, look.scale);
    QBuffer buffer;
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(96);
    generator.setSize(units);
    generator.setViewBox(QRect(QPoint(0, 0), units));
    generator.setTitle({});   // its own one otherwise
    generator.setDescription({});
    std::vector<QRect> panels;
    {
        QCPPainter painter(&generator);
        panels = paint(painter, chart, palette, units, look.title);
    }
    QString svg = QString::fromUtf8(buffer.data());
    clipPanels(svg, panels);
    // The stated size to the micrometre, and a font family available in every viewer.
    static const QRegularExpression size(QStringLiteral("<svg width=\"[^\"]*\" height=\"[^\"]*\""));
    svg.replace(
        size, QStringLiteral("<svg width=\"%1mm\" height=\"%2mm\"").arg(millimetres.width()).arg(millimetres.height()));
    static const QRegularExpression family(QStringLiteral("font-family=\"([^\",]*)\""));
    svg.replace(family, QStringLiteral("font-family=\"\\1, Helvetica, Arial, sans-serif\""));
    QString head = svgElement(QStringLiteral("title"), chart.title) + svgElement(QStringLiteral("desc"), chart.caption);
    if (!metadata.isEmpty())
        head += QString::fromUtf8(metadata) + QLatin1Char('\n');
    svg.insert(svg.indexOf(QStringLiteral("<defs>")), head);
    return svg.toUtf8();
}

}   // namespace credence
