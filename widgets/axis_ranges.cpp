// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/axis_ranges.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

Range cellEdges(Range centres, int cells)
{
    const double half = cells > 1 ? (centres.second - centres.first) / (2.0 * (cells - 1))
                                  : std::max(0.5 * (centres.second - centres.first), 0.5);
    return {centres.first - half, centres.second + half};
}

PanelRanges panelRanges(const Panel& panel)
{
    Extent x(panel.x), y(panel.y);
    struct Visitor {
        Extent &x, &y;
        void operator()(const HeatMap& s) const
        {
            if (s.nx > 0 && s.ny > 0) {
                x.addExactly(cellEdges(s.x, s.nx));
                y.addExactly(cellEdges(s.y, s.ny));
            }
        }
        void operator()(const Band& s) const { x.add(s.x), y.add(s.lower), y.add(s.upper); }
        void operator()(const Line& s) const { x.add(s.x), y.add(s.y); }
        void operator()(const Points& s) const { x.add(s.x), y.add(s.y); }
        void operator()(const Bars& s) const
        {
            for (const double position : s.position)
                x.add(position - s.width / 2), x.add(position + s.width / 2);
            y.add(s.height), y.add(0), y.standOn(0);
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
    return {x.range(), y.range()};
}

}   // namespace credence
