// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/chart_axes.h"

#include "widgets/chart_layout.h"
#include "widgets/heat_map_plottable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace credence {
namespace {

constexpr double margin = 0.04;   ///< fraction of the range left free on each side

class Extent {
public:
    explicit Extent(const Axis& axis) : axis_(axis) {}

    void add(double value)
    {
        if (!std::isfinite(value) || (axis_.logarithmic && value <= 0))
            return;
        low_  = std::min(low_, value);
        high_ = std::max(high_, value);
    }
    void add(const std::vector<double>& values)
    {
        for (const double value : values)
            add(value);
    }
    void addExactly(Range range)
    {
        add(range.first);
        add(range.second);
        exact_ = true;
    }
    void standOn(double base) { base_ = base; }
    std::optional<double> highest() const { return low_ <= high_ ? std::optional(high_) : std::nullopt; }

    Range range() const
    {
        if (axis_.range && std::isfinite(axis_.range->first) && std::isfinite(axis_.range->second)
            && axis_.range->first != axis_.range->second
            && (!axis_.logarithmic || (axis_.range->first > 0 && axis_.range->second > 0)))
            return *axis_.range;
        if (!axis_.categories.empty())
            return {-0.5, static_cast<double>(axis_.categories.size()) - 0.5};
        if (!(low_ <= high_))
            return axis_.logarithmic ? Range{0.1, 10} : Range{0, 1};
        if (exact_ && low_ < high_)
            return {low_, high_};
        if (axis_.logarithmic) {
            const double factor = low_ == high_ ? 2 : std::pow(high_ / low_, margin);
            return {low_ / factor, high_ * factor};
        }
        const double widening = low_ == high_ ? std::max(0.5, 0.05 * std::abs(low_)) : margin * (high_ - low_);
        return {low_ == base_ ? low_ : low_ - widening, high_ == base_ ? high_ : high_ + widening};
    }

private:
    const Axis& axis_;
    double low_  = std::numeric_limits<double>::infinity();
    double high_ = -std::numeric_limits<double>::infinity();
    double base_ = std::numeric_limits<double>::quiet_NaN();   ///< base line of bars: no margin there
    bool exact_  = false;
};

}   // namespace

Range cellEdges(Range centres, int cells, bool logarithmic)
{
    if (logarithmic && cells > 1)
        return {position_between(centres, cells, -0.5, true), position_between(centres, cells, cells - 0.5, true)};
    const double half = cells > 1 ? (centres.second - centres.first) / (2.0 * (cells - 1))
                                  : std::max(0.5 * (centres.second - centres.first), 0.5);
    return {centres.first - half, centres.second + half};
}

namespace {

/// Returns the extents of all series in x and y.
std::pair<Extent, Extent> extentsOf(const Panel& panel)
{
    Extent x(panel.x), y(panel.y);
    struct Visitor {
        Extent &x, &y;
        void operator()(const HeatMap& s) const
        {
            if (s.nx > 0 && s.ny > 0) {
                x.addExactly(cellEdges(s.x, s.nx, s.x_logarithmic));
                y.addExactly(cellEdges(s.y, s.ny, s.y_logarithmic));
            }
        }
        void operator()(const Band& s) const { x.add(s.x), y.add(s.lower), y.add(s.upper); }
        void operator()(const Line& s) const { x.add(s.x), y.add(s.y); }
        void operator()(const Points& s) const { x.add(s.x), y.add(s.y); }
        void operator()(const Bars& s) const
        {
            Extent &along = s.horizontal ? y : x, &up = s.horizontal ? x : y;
            for (const double position : s.position)
                along.add(position - s.width / 2), along.add(position + s.width / 2);
            up.add(s.height), up.add(0), up.standOn(0);
        }
        void operator()(const Boxes& s) const
        {
            for (const Box& box : s.boxes) {
                x.add(box.position - s.width / 2), x.add(box.position + s.width / 2);
                y.add(box.lower_whisker), y.add(box.upper_whisker), y.add(box.median), y.add(box.outliers);
            }
        }
        void operator()(const IntervalBars& s) const
        {
            for (const IntervalBar& bar : s.bars)
                x.add(bar.position), y.add(bar.lower), y.add(bar.upper), y.add(bar.centre);
        }
        void operator()(const Pictures& s) const
        {
            for (const Picture& picture : s.pictures) {
                x.add(picture.x - picture.width / 2), x.add(picture.x + picture.width / 2);
                y.add(picture.y - picture.height / 2), y.add(picture.y + picture.height / 2);
            }
        }
        void operator()(const TernaryMap&) const {}   // the triangle's panel states its ranges
        void operator()(const Rule& s) const
        {
            if (s.direction == Rule::Direction::horizontal)
                y.add(s.at);
            if (s.direction == Rule::Direction::vertical)
                x.add(s.at);
        }
    };
    for (const Series& series : panel.series)
        std::visit(Visitor{x, y}, series);
    return {x, y};
}

}   // namespace

PanelRanges panelRanges(const Panel& panel)
{
    const auto [x, y] = extentsOf(panel);
    return {x.range(), y.range()};
}

std::optional<double> highestValue(const Panel& panel) { return extentsOf(panel).second.highest(); }

namespace {

/// Replaces the hyphen by a minus sign.
QString typeset(QString number)
{
    if (number.startsWith(QLatin1Char('-')))
        number[0] = QChar(0x2212);
    return number;
}

class NumberTicker : public QCPAxisTicker {
public:
    using QCPAxisTicker::QCPAxisTicker;

protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override
    {
        return typeset(QCPAxisTicker::getTickLabel(std::abs(tick) < 1e-14 ? 0.0 : tick, locale, format, precision));
    }
};

/// A ticker for counts: no ticks between integers.
class WholeTicker : public NumberTicker {
protected:
    double getTickStep(const QCPRange& range) override { return std::max(1.0, NumberTicker::getTickStep(range)); }
    int getSubTickCount(double tickStep) override { return tickStep > 1 ? NumberTicker::getSubTickCount(tickStep) : 0; }
};

/// Wraps a name into at most three lines of `width` pixels; empty: it needs more.
QString wrapped(const QString& name, const QFontMetrics& metrics, double width)
{
    QStringList lines;
    for (const QString& word : name.split(QLatin1Char(' '))) {
        if (metrics.horizontalAdvance(word) > width)
            return {};
        const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
        if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= width)
            lines.back() = longer;
        else
            lines << word;
    }
    return lines.size() <= 3 ? lines.join(QLatin1Char('\n')) : QString();
}

/// Fits a label into `length` pixels: in one line, else in two, else elided.
QString fittedLabel(const QString& text, const QFontMetrics& metrics, int length)
{
    if (metrics.horizontalAdvance(text) <= length)
        return text;
    qsizetype cut = text.indexOf(QStringLiteral(" / "));   // try moving the unit to the second line first
    if (cut < 0 || metrics.horizontalAdvance(text.left(cut)) > length) {
        cut = -1;
        for (qsizetype k = 0; k < text.size(); ++k)
            if (text[k] == QLatin1Char(' ')
                && (cut < 0 || std::abs(2 * k - text.size()) < std::abs(2 * cut - text.size())))
                cut = k;
    }
    if (cut < 0)
        return metrics.elidedText(text, Qt::ElideRight, length);
    return metrics.elidedText(text.left(cut), Qt::ElideRight, length) + QLatin1Char('\n')
           + metrics.elidedText(text.mid(cut + 1), Qt::ElideRight, length);
}

/// The complete label in as few lines of `length` pixels as possible; a sign and its unit stay
/// together.
QStringList wholeLabel(const QString& text, const QFontMetrics& metrics, int length)
{
    QStringList lines;
    QString joined = text;
    joined.replace(QStringLiteral(" / "), QStringLiteral(" /\u00a0"));
    for (const QString& word : joined.split(QLatin1Char(' '))) {
        const QString longer = lines.isEmpty() ? word : lines.back() + QLatin1Char(' ') + word;
        if (!lines.isEmpty() && metrics.horizontalAdvance(longer) <= length)
            lines.back() = longer;
        else
            lines << word;
    }
    return lines;
}

constexpr int compactTicks = 4;   ///< the most in a compact panel

/// A ticker with given ticks.
class FewTicker : public NumberTicker {
public:
    explicit FewTicker(QVector<double> ticks) : m_ticks(std::move(ticks)) {}

protected:
    int getSubTickCount(double) override { return 0; }
    QVector<double> createTickVector(double, const QCPRange&) override { return m_ticks; }

private:
    QVector<double> m_ticks;
};

/// Leaves the axis two to `most` ticks: those of a longer step, or every second, third, … of its own.
void thinTicks(QCPAxis& axis, int most)
{
    const QCPRange range = axis.range();
    QVector<double> tooMany;
    for (int count = most; count > 0; --count) {
        QVector<double> ticks, inside;
        axis.ticker()->setTickCount(count);
        axis.ticker()->generate(range, QLocale::c(), QLatin1Char('g'), 6, ticks, nullptr, nullptr);
        std::copy_if(ticks.begin(), ticks.end(), std::back_inserter(inside),
                     [&range](double tick) { return range.contains(tick); });
        if (inside.size() > most)
            tooMany = inside;
        else if (inside.size() > 1 || (count == 1 && tooMany.isEmpty()))
            return;
    }
    const qsizetype every = (tooMany.size() + most - 1) / most;
    QVector<double> kept;
    for (qsizetype k = 0; k < tooMany.size(); k += every)
        kept.append(tooMany[k]);
    axis.setTicker(QSharedPointer<FewTicker>::create(kept));
}

/// Returns ticks for a logarithmic axis of few decades. The candidates range from 1, 2, 5, 10, 20,
/// … to whole decades; the densest one whose labels do not overlap is used.
/// @param most     maximum number of ticks
/// @param thinned  starts from 1, 3, 10, …
QVector<double> logTicks(const QCPAxis& axis, const QFontMetrics& metrics, int length, qsizetype most, bool thinned)
{
    const QCPRange range = axis.range();
    const double span    = std::log(range.upper / range.lower);
    const bool across    = axis.orientation() == Qt::Horizontal;
    const auto fits      = [&](const QVector<double>& ticks) {
        double end = -1e9;   // of the label before
        for (const double tick : ticks) {
            const double at   = std::log(tick / range.lower) / span * length;
            const double half = (across ? metrics.horizontalAdvance(QString::number(tick)) : metrics.height()) / 2.0;
            if (at - half < end)
                return false;
            end = at + half + (across ? metrics.horizontalAdvance(QLatin1Char('0')) : 0);
        }
        return ticks.size() <= most;
    };
    QVector<double> ticks;
    const auto from = static_cast<int>(std::floor(std::log10(range.lower)));
    for (const auto& factors : {std::vector<double>{1, 2, 5}, std::vector<double>{1, 3}, std::vector<double>{1}}) {
        if (thinned && factors.size() == 3)
            continue;
        ticks.clear();
        for (int power = from; std::pow(10.0, power) <= range.upper; ++power)
            for (const double factor : factors)
                if (const double tick = factor * std::pow(10.0, power); range.contains(tick))
                    ticks.append(tick);
        if (ticks.size() > 1 && fits(ticks))
            return ticks;
    }
    return ticks;
}

/// Reduces the number of ticks if their labels would overlap on a horizontal axis of this length.
/// @return  the number of ticks
int spaceLabels(QCPAxis& axis, const QFontMetrics& metrics, int count, int length)
{
    for (; count > 1; --count) {
        axis.ticker()->setTickCount(count);
        QVector<double> ticks;
        QVector<QString> labels;
        axis.ticker()->generate(axis.range(), QLocale::c(), QLatin1Char('g'), 6, ticks, nullptr, &labels);
        if (ticks.size() < 2)
            return count;
        int widest = 0;
        for (const auto& label : labels)
            widest = std::max(widest, metrics.horizontalAdvance(label));
        if (widest + metrics.horizontalAdvance(QLatin1Char('0'))
            <= (ticks[1] - ticks[0]) / axis.range().size() * length)
            return count;
    }
    axis.ticker()->setTickCount(count);
    return count;
}

constexpr double slant = 40;   ///< degrees

/// Maximum length of a slanted name of this height that ends `along` pixels from the left end of an
/// axis, so that it starts inside its panel.
int slantedRoom(const QCPAxis& axis, double along, int height)
{
    const auto* rect   = axis.axisRect();
    const double left  = std::max(0, rect->left() - rect->outerRect().left());
    const double angle = slant * std::numbers::pi / 180;
    return static_cast<int>(std::max((left + along - height * std::sin(angle)) / std::cos(angle), 30.0));
}

}   // namespace

void AxisStyle::apply(QCPAxis* axis, const Axis& value, Range range, bool keepRange) const
{
    const double px   = scale.pixelsPerPoint;
    const double fine = std::max(
        1.0, std::round(0.75 * px));   // integer width: lines along the axes are drawn without antialiasing
    axis->setScaleType(value.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    axis->setRangeReversed(range.first > range.second);
    if (!keepRange)
        axis->setRange(std::min(range.first, range.second), std::max(range.first, range.second));
    axis->setVisible(!value.hidden);
    axis->setTickLabelFont(scale.tickFont());
    axis->setTickLabelColor(palette.text);
    axis->setLabelFont(scale.font);
    axis->setLabelColor(palette.text);
    axis->setBasePen(QPen(palette.frame, fine));
    axis->setTickPen(QPen(palette.frame, fine));
    axis->setSubTickPen(QPen(palette.frame, fine));
    axis->setTickLength(0, scale.compact ? 0 : static_cast<int>(std::lround(3 * px)));
    axis->setSubTickLength(0, scale.compact ? 0 : static_cast<int>(std::lround(1.5 * px)));
    axis->setTickLabelPadding(scale.compact ? 2 : static_cast<int>(std::lround(2 * px)));
    axis->setLabelPadding(static_cast<int>(std::lround(2 * px)));
    axis->grid()->setPen(QPen(palette.grid, fine));
    axis->grid()->setZeroLinePen(QPen(palette.grid, fine));
    axis->grid()->setSubGridVisible(false);
    axis->grid()->setVisible(!value.hidden && (value.categories.empty() || axis->orientation() == Qt::Vertical));
}

void AxisStyle::styleBar(QCPColorScale* bar, const ColourScale& measured) const
{
    const double px   = scale.pixelsPerPoint;
    const double fine = std::max(1.0, std::round(0.75 * px));
    bar->setType(QCPAxis::atRight);
    bar->setRangeDrag(false);
    bar->setRangeZoom(false);
    bar->setBarWidth(static_cast<int>(std::lround(8 * px)));
    bar->setGradient(HeatMapPlottable::gradient(measured.map, measured.stretched));
    if (!measured.logarithmic)
        bar->axis()->setTicker(
            QSharedPointer<NumberTicker>::create());   // the decade ticker cannot handle a range from 0
    bar->setDataScaleType(measured.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    bar->setDataRange(measured.range.first < measured.range.second
                          ? QCPRange(measured.range.first, measured.range.second)
                          : QCPRange(measured.range.first - 0.5, measured.range.first + 0.5));
    Axis axis;
    axis.label       = measured.name;
    axis.unit        = measured.unit;
    axis.logarithmic = measured.logarithmic;
    apply(bar->axis(), axis, {bar->dataRange().lower, bar->dataRange().upper}, true);
    bar->axis()->grid()->setVisible(false);
    for (const auto side : {QCPAxis::atLeft, QCPAxis::atTop, QCPAxis::atBottom, QCPAxis::atRight})
        bar->axis()->axisRect()->axis(side)->setBasePen(QPen(palette.frame, fine));
}

/// On screen in one or two lines, elided if necessary; in files complete, in up to three lines or a
/// smaller font.
void AxisStyle::fitLabel(QCPAxis* axis, const QString& text, int length) const
{
    if (scale.compact)
        return axis->setLabel({});   // see PanelWords
    if (!scale.whole) {
        axis->setLabel(fittedLabel(text, QFontMetrics(scale.font), std::max(length, 40)));
        return;
    }
    constexpr int mostLines = 3;
    QFont font              = scale.font;
    const int least         = static_cast<int>(std::ceil(0.7 * font.pixelSize()));
    for (;; font.setPixelSize(font.pixelSize() - 1)) {
        const QFontMetrics metrics(font);
        const QStringList lines = wholeLabel(text, metrics, length);
        const bool fits         = lines.size() <= mostLines
                          && std::all_of(lines.begin(), lines.end(), [&](const QString& line) {
                                 return metrics.horizontalAdvance(line) <= length;
                             });
        if (fits || font.pixelSize() <= least) {
            axis->setLabelFont(font);
            axis->setLabel(lines.join(QLatin1Char('\n')));
            return;
        }
    }
}

namespace {

/// "dense 1", "dense 2" → "1", "2"; "conv 1", "dense 1" → "c1", "d1"; empty: some names do not end in a number.
QStringList numbersOf(const std::vector<std::string>& categories)
{
    QStringList numbers, initials;
    for (const std::string& category : categories) {
        const QString name   = QString::fromStdString(category);
        const QString number = name.section(QLatin1Char(' '), -1);
        bool whole           = false;
        number.toInt(&whole);
        if (!whole || number == name)
            return {};
        numbers << number;
        initials << name.left(1) + number;
    }
    for (const auto& names : {numbers, initials})
        if (QStringList different = names; different.removeDuplicates() == 0)
            return names;
    return {};
}

}   // namespace

void AxisStyle::fitCategories(QCPAxis* axis, const Axis& value, int length) const
{
    const auto& categories = value.categories;
    const bool whole       = value.whole_names && axis->orientation() == Qt::Vertical;
    QFont font             = scale.tickFont();
    if (whole) {                      // as small as the rows are, if that can be read
        constexpr int smallest = 7;   // pixels
        while (font.pixelSize() > smallest
               && QFontMetrics(font).height() * static_cast<int>(categories.size()) > length)
            font.setPixelSize(font.pixelSize() - 1);
        axis->setTickLabelFont(font);
    }
    const QFontMetrics ticks(font);
    const bool horizontal = axis->orientation() == Qt::Horizontal;
    const auto ticker     = QSharedPointer<QCPAxisTickerText>::create();
    ticker->setSubTickCount(0);
    const double span = std::max(axis->range().size(), 1.0);
    const double room = length / span;   // pixels per category
    // At the bottom: wrapped to the category width, slanted if single words are wider. At the
    // side: unchanged.
    QStringList names;
    bool fits = true;
    for (const std::string& name : categories) {
        names << (horizontal ? wrapped(QString::fromStdString(name), ticks, room - 4) : QString::fromStdString(name));
        fits = fits && (!horizontal || !names.back().isEmpty());
    }
    const bool slanted  = !fits && !scale.compact;
    const double needed = slanted ? 1.15 * ticks.height() : horizontal ? 0 : ticks.height();
    // with 1,000 classes one pixel covers several
    const int all   = static_cast<int>(categories.size());
    const int every = std::max({1, static_cast<int>(std::ceil(needed / std::max(room, 1e-3))),
                                scale.compact && !whole ? (all + compactTicks - 1) / compactTicks : 1});
    if (scale.compact)   // one line as wide as the categories up to the next tick
        for (std::size_t k = 0; k < categories.size(); ++k)
            names[static_cast<qsizetype>(k)] = QString::fromStdString(categories[k]);
    if (scale.compact && horizontal && std::any_of(names.begin(), names.end(), [&](const QString& name) {
            return ticks.horizontalAdvance(name) > every * room - 4;
        }))
        if (const QStringList numbers = numbersOf(categories); !numbers.isEmpty())
            names = numbers;
    const int side   = whole           ? axis->parentPlot()->width() * 2 / 5
                       : scale.compact ? axis->parentPlot()->width() / 12
                                       : 9 * ticks.height();
    const int across = scale.compact ? static_cast<int>(every * room) - 4 : length;
    const int limit  = (scale.whole && !whole ? 2 : 1) * (slanted ? 7 * ticks.height() : horizontal ? across : side);
    for (std::size_t k = 0; k < categories.size(); k += static_cast<std::size_t>(every)) {
        const QString name = slanted ? QString::fromStdString(categories[k]) : names[static_cast<qsizetype>(k)];
        // A slanted name ends below its tick and starts to the left of it, so the first names
        // have less space.
        const int own = slanted
                            ? std::min(limit, slantedRoom(*axis, (static_cast<double>(k) + 0.5) * room, ticks.height()))
                            : limit;
        ticker->addTick(static_cast<double>(k),
                        name.contains(QLatin1Char('\n'))
                            ? name
                            : ticks.elidedText(name, slanted ? Qt::ElideMiddle : Qt::ElideRight, own));
    }
    axis->setTicker(ticker);
    axis->setTickLabelRotation(slanted ? -slant : 0);
}

void AxisStyle::fit(QCPAxis* axis, const Axis& value, int length, bool counted) const
{
    fitLabel(axis, axisLabel(value.label, value.unit), length);
    if (!value.categories.empty())
        return fitCategories(axis, value, length);
    const QFontMetrics ticks(scale.tickFont());
    const bool horizontal = axis->orientation() == Qt::Horizontal;
    const bool roomy      = length > 22 * ticks.height();
    axis->setTickLabelRotation(0);
    const double decades = value.logarithmic ? std::log10(axis->range().upper / std::max(axis->range().lower, 1e-300))
                                             : 0;
    const int room       = horizontal ? std::max(5 * ticks.horizontalAdvance(QLatin1Char('0')) + 14, 40)
                                      : static_cast<int>(2.2 * ticks.height());
    const int count      = std::clamp(length / std::max(room, 1), 2, 8);
    int most             = std::min(count, compactTicks);
    if (value.logarithmic && decades > 3) {
        const auto ticker = QSharedPointer<QCPAxisTickerLog>::create();
        ticker->setLogBase(10);
        ticker->setTickCount(count);
        ticker->setSubTickCount(roomy && decades < 7 ? 8 : 0);
        axis->setTicker(ticker);
        axis->setNumberFormat(QStringLiteral("eb"));
        axis->setNumberPrecision(0);
    } else {
        if (value.logarithmic && decades >= 1)
            axis->setTicker(QSharedPointer<FewTicker>::create(logTicks(
                *axis, ticks, length, scale.compact && !scale.filling ? compactTicks : 40, count < 3 * decades)));
        else if (counted)
            axis->setTicker(QSharedPointer<WholeTicker>::create());
        else
            axis->setTicker(QSharedPointer<NumberTicker>::create());
        axis->ticker()->setTickCount(count);
        if (horizontal && !value.logarithmic)
            most = std::min(most, spaceLabels(*axis, ticks, count, length));
        axis->setNumberFormat(QStringLiteral("gbc"));
        axis->setNumberPrecision(6);
    }
    if (scale.compact && !scale.filling && !(value.logarithmic && decades >= 1 && decades <= 3))
        thinTicks(*axis, std::max(most, 2));
    axis->setSubTicks(roomy && !scale.compact);
}

void AxisStyle::fitPart(QCPAxis* axis, const Axis& value, Range part, int length) const
{
    const QCPRange whole = axis->range();
    axis->setRange(part.first, part.second);
    fit(axis, value, length);
    if (value.categories.empty()) {
        QVector<double> ticks;
        axis->ticker()->generate(axis->range(), QLocale::c(), QLatin1Char('g'), 6, ticks, nullptr, nullptr);
        ticks.removeIf([&](double tick) { return !axis->range().contains(tick); });
        axis->setTicker(QSharedPointer<FewTicker>::create(ticks));
    }
    axis->setRange(whole);
}

void AxisStyle::fitBar(QCPColorScale* bar, const ColourScale& measured, int length) const
{
    fit(bar->axis(), {measured.name, measured.unit, {}, measured.logarithmic, {}}, length);
}

}   // namespace credence
