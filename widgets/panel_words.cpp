// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/heat_map_plottable.h"
#include "widgets/layout_elements.h"
#include "widgets/triangle_plottables.h"

#include <algorithm>
#include <utility>

namespace credence {
namespace {

constexpr double inset = 3;   ///< pixels between words and the edges of the panel

constexpr double cardMargin = 4;   ///< pixels at the left and right of words on a card

constexpr double wordGap = 8;   ///< between words of a legend

constexpr double besideTriangle = 0.66;   ///< share of the width to the left of a legend at the top of a triangle

constexpr double leftShare = 0.42;   ///< share of the width, for the names if a legend is next to them

/// Returns the width of a legend word with its symbol.
double wordWidth(const QString& text, const QFontMetricsF& metrics)
{
    return 0.9 * metrics.height() + 3 + metrics.horizontalAdvance(text) + 2;
}

QString numberText(double value) { return QString::number(value, 'g', 3).replace(QLatin1Char('-'), QChar(0x2212)); }

/// The highest value with its unit.
QString highText(const ColourScale& scale)
{
    const QString high = numberText(scale.range.second);
    return scale.unit.empty() ? high : high + QLatin1Char(' ') + QString::fromStdString(scale.unit);
}

}   // namespace

AxisName::AxisName(QCPAxisRect* rect) : QCPLayerable(rect->parentPlot(), QStringLiteral("grid")), m_rect(rect) {}

void AxisName::setContent(const QString& text, const QColor& colour, const QFont& font)
{
    m_text   = text;
    m_colour = colour;
    m_font   = font;
}

void AxisName::draw(QCPPainter* painter)
{
    const QRectF panel = QRectF(m_rect->rect()).adjusted(inset, inset, -inset, -inset);
    const QFontMetricsF metrics(m_font);
    if (m_text.isEmpty() || panel.height() < 2 * metrics.height() || panel.width() < 4 * metrics.height())
        return;
    const auto labels = m_rect->axis(QCPAxis::atBottom)->tickVectorLabels();
    if (!labels.isEmpty() && std::all_of(labels.begin(), labels.end(), [this](const QString& label) {
            return label.contains(m_text, Qt::CaseInsensitive);   // "class 0", "class 1" need no "Class"
        }))
        return;
    painter->setFont(m_font);
    painter->setPen(m_colour);
    const QRectF outside = nextToNumbers();
    painter->drawText(outside.isNull() ? panel : outside, static_cast<int>(Qt::AlignRight | Qt::AlignBottom),
                      metrics.elidedText(m_text, Qt::ElideRight, panel.width()));
}

/// Returns a place in the line of the numbers: after the last, before the first, or between two of
/// them. Null: no space.
QRectF AxisName::nextToNumbers() const
{
    const QRectF apart = nextToNumbers(QFontMetricsF(m_font).horizontalAdvance(QLatin1Char(' ')) + 2);
    return apart.isNull() ? nextToNumbers(3) : apart;
}

/// @param gap  pixels to the numbers
QRectF AxisName::nextToNumbers(double gap) const
{
    const QCPAxis* axis = m_rect->axis(QCPAxis::atBottom);
    const auto ticks    = axis->tickVector();
    const auto labels   = axis->tickVectorLabels();
    const QFontMetricsF metrics(axis->tickLabelFont()), own(m_font);
    const double needed = own.horizontalAdvance(m_text) + 1;
    const QRectF outer  = m_rect->outerRect();
    const double top = m_rect->bottom() + axis->tickLabelPadding(), height = metrics.height();
    if (top + height > outer.bottom() + 2)
        return {};
    std::vector<std::pair<double, double>> taken;   // occupied by the numbers, from left to right
    for (qsizetype k = 0; k < std::min(ticks.size(), labels.size()); ++k) {
        if (labels[k].contains(QLatin1Char('\n')))
            return {};
        const double at = axis->coordToPixel(ticks[k]), half = metrics.horizontalAdvance(labels[k]) / 2;
        if (axis->range().contains(ticks[k]) && !labels[k].isEmpty())
            taken.emplace_back(at - half, at + half);
    }
    std::sort(taken.begin(), taken.end());
    const double right = std::min(outer.right(), m_rect->right() + 6.0);   // in line with the numbers of the panel
    const auto place   = [&](double from, double to, double left) {
        return to - from >= needed + 2 * gap ? QRectF(left, top, needed, height) : QRectF();
    };
    if (taken.empty())
        return place(outer.left(), right, right - needed);
    QRectF found = place(taken.back().second, right + gap, right - needed);
    if (found.isNull())
        found = place(outer.left() - gap, taken.front().first, taken.front().first - gap - needed);
    for (std::size_t k = taken.size() - 1; k > 0 && found.isNull(); --k) {
        const double from = taken[k - 1].second, to = taken[k].first;
        found = place(from, to, (from + to - needed) / 2);
    }
    return found;
}

PanelWords::PanelWords(QCPAxisRect* rect, const QCPLayoutElement* cell)
    : QCPLayerable(rect->parentPlot(), QStringLiteral("legend")), m_axisName(std::make_unique<AxisName>(rect)),
      m_rect(rect), m_cell(cell)
{}

void PanelWords::setContent(Content content, const ChartPalette& palette, const QFont& font)
{
    m_content = std::move(content);
    m_palette = palette;
    m_ground  = palette.background;
    m_ground.setAlphaF(m_content.overMap ? 1.0F : 0.8F);
    m_font            = font;
    const bool inside = m_content.overMap && !m_content.cells;
    m_axisName->setContent(inside ? QString() : std::exchange(m_content.x, {}), palette.muted, font);
}

/// Returns the area of words: the panel, and for a triangle also the space to its left and right.
QRectF PanelWords::area() const
{
    QRectF area(m_rect->rect());
    if (m_content.triangle) {
        area.setLeft(m_cell->outerRect().left());
        area.setRight(m_cell->outerRect().right());
    }
    return area;
}

double PanelWords::widthAroundTop() const
{
    if (!m_content.triangle)
        return 0;
    const QFontMetricsF metrics(m_font);
    const double title = m_content.title.isEmpty() ? 0 : metrics.horizontalAdvance(m_content.title) + 2 * cardMargin;
    const double key   = m_content.scale ? scaleWidth() : 0;
    const double side  = std::max(title, key);
    return side > 0 ? 2 * (inset + side + wordGap) + m_content.triangle->topWidth() : 0;
}

/// Draws the words to the left and right of the name of the upper corner of a triangle. A zoomed
/// triangle may have other names at the same height.
void PanelWords::drawAroundTop(QCPPainter* painter, const QRectF& panel) const
{
    const double line = QFontMetricsF(m_font).height();
    const QRectF strip(panel.left(), panel.top(), panel.width(), line + 2);
    double left = panel.right(), right = panel.left();
    for (const auto& name : m_content.triangle->names())
        if (name.place.intersects(strip)) {
            left  = std::min(left, name.place.left() - wordGap);
            right = std::max(right, name.place.right() + wordGap);
        }
    if (left > right)   // there is no name
        left = right = panel.center().x();
    const QRectF title(panel.left() + cardMargin, panel.top() + 1, left - panel.left() - 2 * cardMargin, line);
    if (!m_content.title.isEmpty() && title.width() > 3 * line)
        drawText(painter, title, m_content.title, m_palette.text);
    if (m_content.scale)
        return drawScale(painter, QRectF(QPointF(right, panel.top()), panel.bottomRight()));
    right = std::max(right, panel.left() + besideTriangle * panel.width());
    if (!m_content.legend.empty() && panel.right() - right > 3 * line)
        drawLegend(painter, QRectF(QPointF(right, panel.top()), panel.bottomRight() - QPointF(0, line)));
}

void PanelWords::draw(QCPPainter* painter)
{
    const QFontMetricsF metrics(m_font);
    const QRectF panel = area().adjusted(inset, inset - m_above, -inset, -inset);
    const double line  = metrics.height();
    if (panel.height() < 2 * line || panel.width() < 4 * line)
        return;
    painter->setFont(m_font);
    if (m_content.triangle && m_above == 0)
        return drawAroundTop(painter, panel);
    const bool scale   = m_content.scale && scaleFits((1 - leftShare - 0.02) * panel.width());
    const bool key     = scale || !m_content.legend.empty();
    const bool oneLine = scale || fitsBeside(panel.size());
    const double names = key && oneLine ? namesWidth(panel.width()) : panel.width();
    const bool cards   = onCards();
    const QPointF gap(cards ? cardMargin : 0, cards ? 1 : 0);   // from the edge of a card to its words
    const QPointF in = m_content.filling ? QPointF(inset, inset) : QPointF();
    QRectF left(panel.topLeft() + in + gap, QSizeF(names - in.x() - gap.x(), line));
    for (const auto& [text, colour] :
         {std::pair{titleIn(left.width()), m_palette.text}, {m_content.y, m_palette.muted}}) {
        if (text.isEmpty() || left.bottom() > panel.bottom() - line)
            continue;
        drawText(painter, left, text, colour);
        left.translate(0, line + 2 * gap.y());
    }
    if (!m_content.x.isEmpty()) {
        const QString text = metrics.elidedText(m_content.x, Qt::ElideRight, panel.width());
        const double width = metrics.horizontalAdvance(text) + 2;
        const QPointF end  = panel.bottomRight() - in - gap + QPointF(cards ? 2 : 0, 0);
        drawText(painter, QRectF(end - QPointF(width, line), end), text, m_palette.muted);
    }
    const double from = oneLine ? panel.left() + namesWidth(panel.width()) + 0.02 * panel.width() : panel.left();
    const double top  = oneLine ? panel.top() : left.top();
    QRectF right(QPointF(from, top), QPointF(panel.right(), panel.bottom() - line));
    if (m_content.filling) {   // next to the short name of the y axis
        right.adjust(0, inset, -inset, 0);
        right.setLeft(panel.left() + 0.15 * panel.width());
    }
    if (m_content.scale)
        drawScale(painter, right);
    if (!m_content.legend.empty() && (!m_content.scale || m_content.filling))
        drawLegend(painter, right.adjusted(0, m_content.scale ? line + 2 + inset : 0, 0, 0));
}

/// Returns the title if it fits. A wider title is replaced by the name of the y axis, which states
/// the quantity drawn; likewise in a low panel.
QString PanelWords::titleIn(double width) const
{
    constexpr int leastLines = 6;
    const QFontMetricsF metrics(m_font);
    const bool room = metrics.horizontalAdvance(m_content.title) <= width
                      && m_rect->height() >= leastLines * metrics.height();
    return m_content.y.isEmpty() || room ? m_content.title : QString();
}

/// Returns the width of the shortest colour key.
double PanelWords::scaleWidth() const
{
    const QFontMetricsF metrics(m_font);
    return metrics.horizontalAdvance(numberText(m_content.scale->range.first)) + metrics.height() + 18
           + metrics.horizontalAdvance(highText(*m_content.scale));
}

/// Returns true if there is space for the colour key. Otherwise the names use the whole width.
bool PanelWords::scaleFits(double width) const { return scaleWidth() <= width; }

/// Returns the width of the names to the left of a legend: the space that a single-line legend
/// leaves, if that is enough for them.
double PanelWords::namesWidth(double panel) const
{
    const double share = leftShare * panel;
    if (m_content.scale || m_content.filling || m_content.legend.empty())
        return share;
    const QFontMetricsF metrics(m_font);
    double legend = -wordGap;
    for (const LegendEntry& entry : m_content.legend)
        legend += wordWidth(entry.text, metrics) + wordGap;
    const double left = panel - legend - 2 - 0.02 * panel;
    return std::max(metrics.horizontalAdvance(titleIn(panel)), metrics.horizontalAdvance(m_content.y)) <= left ? left
                                                                                                               : share;
}

/// Returns true if the names fit into the left part and the legend into a few lines of the right
/// part.
bool PanelWords::fitsBeside(const QSizeF& panel) const
{
    const QFontMetricsF metrics(m_font);
    const double left = namesWidth(panel.width()), right = panel.width() - left - 0.02 * panel.width();
    double legend = 0;
    for (const LegendEntry& entry : m_content.legend) {
        const double width = wordWidth(entry.text, metrics);
        if (width > right)
            return false;
        legend += width + wordGap;
    }
    return metrics.horizontalAdvance(titleIn(panel.width())) <= left && metrics.horizontalAdvance(m_content.y) <= left
           && legend <= 0.5 * panel.height() / metrics.height() * right;
}

void PanelWords::drawCard(QCPPainter* painter, const QRectF& place) const
{
    painter->setAntialiasing(true);
    painter->setPen(Qt::NoPen);
    painter->setBrush(m_ground);
    painter->drawRoundedRect(place, 3, 3);
}

void PanelWords::drawText(QCPPainter* painter, const QRectF& place, const QString& text, const QColor& colour) const
{
    const QFontMetricsF metrics(m_font);
    const bool whole    = metrics.horizontalAdvance(text) <= place.width();
    const QString named = whole ? text : text.section(QStringLiteral(": "), 0, 0);   // a name without its value
    const QString shown = metrics.elidedText(named, Qt::ElideRight, place.width());
    const double width  = metrics.horizontalAdvance(shown) + 2;
    if (onCards())
        drawCard(painter,
                 QRectF(place.left() - cardMargin, place.top() - 1, width - 2 + 2 * cardMargin, place.height() + 2));
    else
        painter->fillRect(QRectF(place.topLeft(), QSizeF(width, place.height())), m_ground);
    painter->setPen(colour);
    painter->drawText(place, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), shown);
}

std::vector<PanelWords::LegendRow> PanelWords::legendRows(const QSizeF& place) const
{
    const QFontMetricsF metrics(m_font);
    const auto rowLimit = std::max<std::size_t>(1, static_cast<std::size_t>(0.5 * place.height() / metrics.height()));
    std::vector<LegendRow> rows(1);
    double used       = 0;
    std::size_t shown = 0;
    for (const LegendEntry& entry : m_content.legend) {
        const double width = std::min(wordWidth(entry.text, metrics), place.width());
        if (!rows.back().empty() && used + wordGap + width > place.width()) {
            if (rows.size() == rowLimit)
                break;
            rows.emplace_back();
            used = 0;
        }
        used += (rows.back().empty() ? 0 : wordGap) + width;
        rows.back().emplace_back(&entry, width);
        ++shown;
    }
    if (shown < m_content.legend.size()) {   // the last word is replaced by the number of missing ones
        rows.back().pop_back();
        rows.back().emplace_back(nullptr, metrics.horizontalAdvance(QStringLiteral("+000")) + 2);
    }
    return rows;
}

double PanelWords::headHeight(const QSizeF& panel) const
{
    const double line = QFontMetricsF(m_font).height();
    const QSizeF inside(panel.width() - 2 * inset, panel.height() - 2 * inset);
    if (inside.height() < 2 * line || inside.width() < 4 * line)
        return 0;   // nothing is drawn
    const bool scale    = m_content.scale && scaleFits((1 - leftShare - 0.02) * inside.width());
    const bool beside   = scale || fitsBeside(inside);
    const QString title = titleIn(beside ? namesWidth(inside.width()) : inside.width());
    const double names  = line * ((title.isEmpty() ? 0 : 1) + (m_content.y.isEmpty() ? 0 : 1));
    double key          = m_content.scale ? line + 2 : 0;
    if (!m_content.scale && !m_content.legend.empty()) {
        const double width = beside ? 0.98 * inside.width() - namesWidth(inside.width()) : inside.width();
        const double above = beside ? 0 : names;
        key                = line * static_cast<double>(legendRows({width, inside.height() - line - above}).size());
    }
    const double words = beside ? std::max(names, key) : names + key;
    return words > 0 ? inset + words : 0;
}

/// Draws the words in right-aligned rows; words that do not fit are counted.
void PanelWords::drawLegend(QCPPainter* painter, const QRectF& place) const
{
    const QFontMetricsF metrics(m_font);
    const double line = metrics.height(), icon = 0.9 * line, gap = 3;
    const auto rows   = legendRows(place.size());
    std::size_t shown = 0;
    for (const auto& row : rows)
        shown += static_cast<std::size_t>(std::ranges::count_if(row, [](const auto& word) { return word.first; }));
    double top = place.top();
    for (const auto& row : rows) {
        double left = place.right();
        for (std::size_t k = 0; k < row.size(); ++k)
            left -= row[k].second + (k > 0 ? wordGap : 0);
        if (m_content.filling) {   // a card like that of the key
            drawCard(painter, QRectF(left - cardMargin, top, place.right() - left + cardMargin, line + 2));
            left -= 3;
        } else {
            painter->fillRect(QRectF(left - 2, top, place.right() - left + 2, line), m_ground);
        }
        for (const auto& [entry, width] : row) {
            const QRectF words(left, top, width, line);
            if (entry) {
                drawLegendIcon(painter, *entry, QRectF(left, top + 0.2 * line, icon, 0.6 * line));
                painter->setPen(entry->colour);
                painter->drawText(words.adjusted(icon + gap, 0, 0, 0),
                                  static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                                  metrics.elidedText(entry->text, Qt::ElideRight, width - icon - gap));
            } else {
                painter->setPen(m_palette.muted);
                painter->drawText(words, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter),
                                  QStringLiteral("+%1").arg(m_content.legend.size() - shown));
            }
            left += width + wordGap;
        }
        top += line;
    }
}

/// Draws the name (if there is space), the lowest value, the colours, and the highest value with
/// its unit.
void PanelWords::drawScale(QCPPainter* painter, const QRectF& place) const
{
    const ColourScale& scale = *m_content.scale;
    const QFontMetricsF metrics(m_font);
    const double line = metrics.height(), gap = 4;
    const QString low     = numberText(scale.range.first);
    const QString high    = highText(scale);
    const double lowWidth = metrics.horizontalAdvance(low) + 1, highWidth = metrics.horizontalAdvance(high) + 1;
    const double bar = std::min(4.5 * line, place.width() - lowWidth - highWidth - 4 * gap);
    if (bar < line)
        return;
    const QString name = QString::fromStdString(scale.name);
    double nameWidth   = name.isEmpty() ? 0 : metrics.horizontalAdvance(name) + gap;
    if (lowWidth + bar + highWidth + 4 * gap + nameWidth > place.width())
        nameWidth = 0;
    const double width = nameWidth + lowWidth + bar + highWidth + 4 * gap;
    const QRectF ground(place.right() - width, place.top(), width, line + 2);
    painter->setAntialiasing(true);
    painter->setPen(Qt::NoPen);
    QColor opaque = m_palette.background;
    painter->setBrush(opaque);
    painter->drawRoundedRect(ground, 3, 3);
    QCPColorGradient gradient = HeatMapPlottable::gradient(scale.map, scale.stretched);
    QImage colours(128, 1, QImage::Format_RGB32);
    for (int k = 0; k < colours.width(); ++k)
        colours.setPixel(k, 0, gradient.color(k, {0, colours.width() - 1.0}));
    const double from = ground.left() + gap + nameWidth, left = from + lowWidth + gap;
    painter->drawImage(QRectF(left, ground.center().y() - 0.22 * line, bar, 0.44 * line), colours);
    if (nameWidth > 0) {
        painter->setPen(m_palette.muted);
        painter->drawText(QRectF(ground.left() + gap, ground.top(), nameWidth, ground.height()),
                          static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), name);
    }
    painter->setPen(m_palette.text);
    painter->drawText(QRectF(from, ground.top(), lowWidth, ground.height()),
                      static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), low);
    painter->drawText(QRectF(left + bar + gap, ground.top(), highWidth, ground.height()),
                      static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), high);
}

}   // namespace credence
