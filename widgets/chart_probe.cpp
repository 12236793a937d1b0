// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_probe.h"

#include "charts/triangle.h"
#include "simplex/ternary_grid.h"

#include <QStringList>

#include <cmath>

namespace credence {
namespace {

QString number(double value) { return QString::number(value, 'g', 4).replace(QLatin1Char('-'), QChar(0x2212)); }

QString withUnit(double value, const std::string& unit)
{
    return unit.empty() ? number(value) : QStringLiteral("%1 %2").arg(number(value), QString::fromStdString(unit));
}

QString named(const std::string& name, const QString& value)
{
    return name.empty() ? value : QStringLiteral("%1: %2").arg(QString::fromStdString(name), value);
}

QString onAxis(const Axis& axis, double value)
{
    if (axis.hidden)
        return {};
    if (axis.categories.empty())
        return named(axis.label, withUnit(value, axis.unit));
    const auto index = static_cast<std::ptrdiff_t>(std::lround(value));
    if (index < 0 || index >= static_cast<std::ptrdiff_t>(axis.categories.size()))
        return {};
    return named(axis.label, QString::fromStdString(axis.categories[static_cast<std::size_t>(index)]));
}

QString inMap(const HeatMap& map, double x, double y)
{
    const auto cell = [](double value, Range centres, int n) {
        return n > 1 ? std::lround((value - centres.first) / (centres.second - centres.first) * (n - 1)) : 0L;
    };
    const long column = cell(x, map.x, map.nx), row = cell(y, map.y, map.ny);
    if (column < 0 || column >= map.nx || row < 0 || row >= map.ny)
        return {};
    const double z = static_cast<double>(
        map.z[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.nx) + static_cast<std::size_t>(column)]);
    if (!std::isfinite(z))
        return {};
    if (!map.categories.empty()) {
        const auto index = static_cast<std::size_t>(std::max(0L, std::lround(z)));
        return index < map.categories.size() ? named(map.name, QString::fromStdString(map.categories[index]))
                                             : QString();
    }
    return named(map.name, withUnit(z, map.unit));
}

QString inPicture(const Picture& picture, double x, double y)
{
    const int column = static_cast<int>(
        std::floor((x - picture.x + picture.width / 2) / picture.width * picture.columns));
    const int row = static_cast<int>(std::floor((picture.y + picture.height / 2 - y) / picture.height * picture.rows));
    if (column < 0 || column >= picture.columns || row < 0 || row >= picture.rows)
        return {};
    QStringList shades;
    for (int channel = 0; channel < picture.channels; ++channel)
        shades << QString::number(
            picture.pixels[(static_cast<std::size_t>(channel) * static_cast<std::size_t>(picture.rows)
                            + static_cast<std::size_t>(row))
                               * static_cast<std::size_t>(picture.columns)
                           + static_cast<std::size_t>(column)]);
    const QString pixel =
        QStringLiteral("row %1, column %2: %3").arg(row).arg(column).arg(shades.join(QStringLiteral(", ")));
    const QString caption = QString::fromStdString(picture.caption);
    return caption.isEmpty() ? pixel : caption + QLatin1Char('\n') + pixel;
}

/// The three probabilities and the map value; empty outside the triangle.
QString inTriangle(const Panel& panel, double first, double second)
{
    const TrianglePlace place{first, second};
    if (!place.inside())
        return {};
    QStringList lines;
    const double probabilities[] = {first, second, place.third()};
    for (std::size_t k = 0; k < 3; ++k)
        lines << named(panel.triangle->corners[k], QString::number(probabilities[k], 'f', 3));
    for (const Series& series : panel.series)
        if (const auto* map = std::get_if<TernaryMap>(&series);
            map && map->z.size() == static_cast<std::size_t>(map->n) * static_cast<std::size_t>(map->n))
            lines << named(
                map->name,
                withUnit(static_cast<double>(
                             map->z[static_cast<std::size_t>(TernaryGrid{map->n, {}}.cell_of(first, second))]),
                         map->unit));
    return lines.join(QLatin1Char('\n'));
}

}   // namespace

QString describePoint(const Panel& panel, double x, double y)
{
    if (panel.triangle)
        return inTriangle(panel, x, y);
    QStringList lines{onAxis(panel.x, x), onAxis(panel.y, y)};
    for (const Series& series : panel.series) {
        if (const auto* pictures = std::get_if<Pictures>(&series))
            for (const Picture& picture : pictures->pictures)
                lines << inPicture(picture, x, y);
        if (const auto* map = std::get_if<HeatMap>(&series))
            lines << inMap(*map, x, y);
        if (const auto* boxes = std::get_if<Boxes>(&series))
            for (const Box& box : boxes->boxes)
                if (std::abs(box.position - x) <= boxes->width / 2)
                    lines << QStringLiteral("median %1, quartiles %2 to %3, whiskers %4 to %5, %6 outliers")
                                 .arg(number(box.median), number(box.lower_quartile), number(box.upper_quartile),
                                      number(box.lower_whisker), number(box.upper_whisker))
                                 .arg(box.outliers.size());
        if (const auto* bars = std::get_if<IntervalBars>(&series))
            for (const IntervalBar& bar : bars->bars)
                if (std::abs(bar.position - x) <= 0.3)
                    lines << named(bars->name, QStringLiteral("%1, from %2 to %3")
                                                   .arg(number(bar.centre), number(bar.lower), number(bar.upper)));
        if (const auto* bars = std::get_if<Bars>(&series))
            for (std::size_t k = 0; k < bars->position.size(); ++k)
                if (std::abs(bars->position[k] - x) < bars->width / 2)
                    lines << named(bars->name.empty() ? "height" : bars->name, number(bars->height[k]));
    }
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

}   // namespace credence
