// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layout_elements.h"

#include <algorithm>
#include <cmath>

namespace credence {

TextElement::TextElement(QCustomPlot* plot) : QCPLayoutElement(plot) { setMargins(QMargins(0, 0, 0, 0)); }

void TextElement::setText(const QString& text, const QFont& font, const QColor& colour)
{
    m_text   = text;
    m_font   = font;
    m_colour = colour;
    if (!m_wrapped) {
        setMinimumSize(0, height());
        setMaximumSize(QWIDGETSIZE_MAX, height());
    }
}

int TextElement::height() const
{
    return QFontMetrics(m_font).height() * (1 + static_cast<int>(m_text.count(QLatin1Char('\n')))) + 2;
}

QSize TextElement::minimumOuterSizeHint() const { return {0, m_wrapped ? 0 : height()}; }

void TextElement::draw(QCPPainter* painter)
{
    if (!rect().isValid())   // a plot of zero size has no layout
        return;
    painter->setFont(m_font);
    painter->setPen(m_colour);
    if (m_wrapped) {
        painter->drawText(rect().adjusted(12, 8, -12, -8),
                          static_cast<int>(Qt::AlignCenter) | static_cast<int>(Qt::TextWordWrap), m_text);
        return;
    }
    QStringList lines = m_text.split(QLatin1Char('\n'));
    for (QString& line : lines)
        line = QFontMetrics(m_font).elidedText(line, Qt::ElideRight, rect().width());
    painter->drawText(rect(), Qt::AlignCenter, lines.join(QLatin1Char('\n')));
}

namespace {

constexpr double iconEms = 1.5;   ///< width of the drawn symbol, in font heights
constexpr double gap     = 5;     ///< between symbol and text
constexpr double spacing = 12;    ///< between entries

}   // namespace

QPen linePen(const Line& line, const ChartPalette& palette, double pixelsPerPoint)
{
    QColor colour = palette.colour(line.tone);
    colour.setAlphaF(static_cast<float>(std::clamp(line.opacity, 0.0, 1.0)));
    QPen pen(colour, line.width * pixelsPerPoint);
    pen.setJoinStyle(Qt::RoundJoin);
    pen.setCapStyle(Qt::FlatCap);
    if (line.style == LineStyle::dashed)
        pen.setDashPattern({4, 2.5});
    if (line.style == LineStyle::dotted)
        pen.setDashPattern({1, 1.6});
    return pen;
}

QCPScatterStyle scatterStyle(const Points& points, const ChartPalette& palette, double pixelsPerPoint)
{
    Marker marker = points.marker;
    if (marker == Marker::by_category)
        marker = points.tone.kind == Tone::Kind::category ? categoryMarker(points.tone.index) : Marker::circle;
    const auto faded = [opacity = static_cast<float>(std::clamp(points.opacity, 0.0, 1.0))](QColor colour) {
        colour.setAlphaF(opacity * colour.alphaF());
        return colour;
    };
    const QColor colour = faded(palette.colour(points.tone));
    QCPScatterStyle style;
    double size = points.size * pixelsPerPoint;
    bool open   = !points.filled;
    switch (marker) {
    case Marker::by_category:
    case Marker::circle: style.setShape(QCPScatterStyle::ssCircle); break;
    case Marker::square:
        style.setShape(QCPScatterStyle::ssSquare);
        size *= 0.9;
        break;
    case Marker::triangle:
        style.setShape(QCPScatterStyle::ssTriangle);
        size *= 1.15;
        break;
    case Marker::diamond:
        style.setShape(QCPScatterStyle::ssDiamond);
        size *= 1.2;
        break;
    case Marker::cross:
        style.setShape(QCPScatterStyle::ssCross);
        open = true;
        break;
    case Marker::plus:
        style.setShape(QCPScatterStyle::ssPlus);
        open = true;
        size *= 1.2;
        break;
    }
    style.setSize(size);
    if (open) {
        style.setPen(QPen(colour, 1.2 * pixelsPerPoint));
        style.setBrush(Qt::NoBrush);
    } else {
        style.setPen(QPen(faded(palette.outline), 0.6 * pixelsPerPoint));
        style.setBrush(colour);
    }
    return style;
}

QCPScatterStyle curveMarker(const Line& line, const Panel& panel, const ChartPalette& palette, double pixelsPerPoint)
{
    const auto listed = [](const Line& one) { return one.tone.kind == Tone::Kind::category && !one.name.empty(); };
    if (!listed(line))
        return {};
    const bool alike = std::any_of(panel.series.begin(), panel.series.end(), [&](const Series& series) {
        const auto* other = std::get_if<Line>(&series);
        return other && listed(*other) && other->style == line.style && other->tone != line.tone;
    });
    if (!alike)
        return {};
    return scatterStyle(Points{.tone = line.tone, .size = 2.5 + 1.5 * line.width}, palette, pixelsPerPoint);
}

int betweenMarkers(std::size_t n)
{
    constexpr std::size_t markers = 6;   // enough to distinguish curves without hiding any
    return static_cast<int>(std::min<std::size_t>(n / markers, 1000000));
}

namespace {

/// Returns the tone of all items; neutral if they differ, as for boxes of classes.
template <class Item>
Tone commonTone(const std::vector<Item>& items)
{
    const auto other = [&](const Item& item) { return !(item.tone == items.front().tone); };
    return items.empty() || std::any_of(items.begin(), items.end(), other) ? Tone{} : items.front().tone;
}

template <class S>
Tone toneOf(const S& series)
{
    if constexpr (std::is_same_v<S, Boxes>)
        return commonTone(series.boxes);
    else if constexpr (std::is_same_v<S, IntervalBars>)
        return commonTone(series.bars);
    else
        return series.tone;
}

}   // namespace

void drawLegendIcon(QCPPainter* painter, const LegendEntry& entry, const QRectF& place)
{
    painter->setAntialiasing(true);
    if (entry.patch.style() != Qt::NoBrush)
        painter->fillRect(place.adjusted(2, 0, -2, 0), entry.patch);
    if (entry.line.style() != Qt::NoPen) {
        painter->setPen(entry.line);
        painter->drawLine(QLineF(place.left(), place.center().y(), place.right(), place.center().y()));
    }
    if (!entry.marker.isNone()) {
        entry.marker.applyTo(painter, QPen());
        entry.marker.drawShape(painter, place.center());
    }
}

std::vector<LegendEntry> legendEntries(const Panel& panel, const ChartPalette& palette, double pixelsPerPoint)
{
    std::vector<LegendEntry> entries;
    const auto list = [&entries](LegendEntry entry) {
        const bool known = std::any_of(entries.begin(), entries.end(),
                                       [&entry](const LegendEntry& other) { return other.text == entry.text; });
        if (!entry.text.isEmpty() && !known)
            entries.push_back(std::move(entry));
    };
    const auto translucent = [&palette](Tone tone, double opacity) {
        QColor colour = palette.colour(tone);
        colour.setAlphaF(static_cast<float>(std::clamp(opacity, 0.0, 1.0)));
        return colour;
    };
    if (!panel.legend)
        return entries;
    for (const Series& series : panel.series)
        std::visit(
            [&](const auto& s) {
            using S = std::decay_t<decltype(s)>;
            LegendEntry entry;
            if constexpr (std::is_same_v<S, HeatMap>) {
                for (std::size_t k = 0; k < s.categories.size(); ++k) {
                    LegendEntry region;
                    region.text   = QString::fromStdString(s.categories[k]);
                    region.patch  = palette.region(static_cast<int>(k));
                    region.colour = legible(palette.category(static_cast<int>(k)), palette.background);
                    list(region);
                }
                return;
            } else if constexpr (std::is_same_v<S,
                                                Rule> || std::is_same_v<S, Pictures> || std::is_same_v<S, TernaryMap>) {
                return;   // labelled inside the panel
            } else {
                entry.text   = QString::fromStdString(s.name);
                entry.colour = legible(palette.colour(toneOf(s)), palette.background);
                if constexpr (std::is_same_v<S, Line>) {
                    entry.line  = linePen(s, palette, pixelsPerPoint);
                    QColor full = entry.line.color();
                    full.setAlphaF(
                        std::max(full.alphaF(), 0.6F));   // keeps the colours of many faint lines visible in the legend
                    entry.line.setColor(full);
                    entry.marker = curveMarker(s, panel, palette, pixelsPerPoint);
                } else if constexpr (std::is_same_v<S, Band>)
                    entry.patch = translucent(s.tone, s.opacity);
                else if constexpr (std::is_same_v<S, Bars>)
                    entry.patch = translucent(s.tone, s.opacity);
                else if constexpr (std::is_same_v<S, Points>)
                    entry.marker = scatterStyle(s, palette, pixelsPerPoint);
                else if constexpr (std::is_same_v<S, Boxes>)
                    entry.patch = translucent(toneOf(s), 0.3);
                else if constexpr (std::is_same_v<S, IntervalBars>)
                    entry.line = QPen(palette.colour(toneOf(s)), 1.8 * pixelsPerPoint);
            }
            list(entry);
            },
            series);
    return entries;
}

LegendBox::LegendBox(QCustomPlot* plot) : QCPLayoutElement(plot) { setMargins(QMargins(0, 0, 0, 0)); }

void LegendBox::setEntries(std::vector<LegendEntry> entries, const QFont& font, const QColor& colour)
{
    m_entries = std::move(entries);
    m_font = m_stated = font;
    m_colour          = colour;
    m_places.clear();
    m_hidden = static_cast<int>(m_entries.size());
}

double LegendBox::entryWidth(const LegendEntry& entry) const
{
    const QFontMetricsF metrics(m_font);
    return iconEms * metrics.height() + gap + metrics.horizontalAdvance(entry.text) + 1;
}

void LegendBox::fit(int width, int heightLimit, bool whole)
{
    m_font = m_stated;
    place(width, heightLimit);
    const auto cut = [&] {
        return m_hidden > 0 || std::any_of(m_entries.begin(), m_entries.end(), [&](const LegendEntry& entry) {
                   return entryWidth(entry) > width;
               });
    };
    const int least = static_cast<int>(std::ceil(0.7 * m_stated.pixelSize()));
    while (whole && cut() && m_font.pixelSize() > least) {
        m_font.setPixelSize(m_font.pixelSize() - 1);
        place(width, heightLimit);
    }
}

void LegendBox::place(int width, int heightLimit)
{
    const double rowHeight = QFontMetricsF(m_font).height() + 2;
    const int rowLimit     = std::max(1, static_cast<int>(heightLimit / rowHeight));
    std::vector<std::vector<double>> rows(1);
    double used = 0;
    for (const LegendEntry& entry : m_entries) {
        const double w = std::min<double>(width, entryWidth(entry));
        if (!rows.back().empty() && used + spacing + w > width) {
            rows.emplace_back();
            used = 0;
        }
        used += (rows.back().empty() ? 0 : spacing) + w;
        rows.back().push_back(w);
    }
    m_places.clear();
    const auto shown = std::min(rows.size(), static_cast<std::size_t>(rowLimit));
    for (std::size_t r = 0; r < shown; ++r) {
        double total = -spacing;
        for (const double w : rows[r])
            total += w + spacing;
        double x = std::max(0.0, (width - total) / 2);
        for (const double w : rows[r]) {
            m_places.emplace_back(x, 3 + static_cast<double>(r) * rowHeight, w, rowHeight);
            x += w + spacing;
        }
    }
    m_hidden       = static_cast<int>(m_entries.size() - m_places.size());
    m_neededHeight = m_entries.empty() ? 0 : static_cast<int>(static_cast<double>(shown) * rowHeight) + 4;
    setHeight(m_neededHeight);
}

void LegendBox::setHeight(int height)
{
    setMinimumSize(0, height);
    setMaximumSize(QWIDGETSIZE_MAX, height);
}

void LegendBox::draw(QCPPainter* painter)
{
    const QFontMetricsF metrics(m_font);
    painter->setFont(m_font);
    for (std::size_t k = 0; k < m_places.size(); ++k) {
        const LegendEntry& entry = m_entries[k];
        const QRectF place       = m_places[k].translated(rect().topLeft());
        const double iconWidth   = iconEms * metrics.height();
        const QRectF icon(place.left(), place.center().y() - 0.3 * metrics.height(), iconWidth, 0.6 * metrics.height());
        const bool last = k + 1 == m_places.size() && m_hidden > 0;   // counts itself and the entries that do not fit
        painter->setAntialiasing(true);
        if (last) {
            painter->setPen(m_colour);
            painter->drawText(place, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                              QStringLiteral("+%1 …").arg(m_hidden + 1));
            continue;
        }
        drawLegendIcon(painter, entry, icon);
        painter->setPen(m_colour);
        const QRectF textPlace = place.adjusted(iconWidth + gap, 0, 0, 0);
        painter->drawText(textPlace, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                          metrics.elidedText(entry.text, Qt::ElideRight, textPlace.width()));
    }
}

}   // namespace credence
