// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace credence {

double position_between(Range ends, int n, double at, bool logarithmic)
{
    if (n < 2)
        return ends.first;
    return logarithmic ? ends.first * std::pow(ends.second / ends.first, at / (n - 1))
                       : ends.first + (ends.second - ends.first) * at / (n - 1);
}

std::string cell_text(const Cell& cell, const Column& column)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* whole = std::get_if<long>(&cell))
        return std::to_string(*whole);
    const double value = std::get<double>(cell);
    return column.decimals >= 0 ? fixed_text(value, column.decimals) : display_text(value, 4);
}

void align_decimals(Table& table)
{
    constexpr std::size_t most = 8;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        std::vector<double> sizes;   // of the numbers except 0
        std::size_t needed = 0;      // decimals
        for (const auto& row : table.rows)
            if (const auto* number = c < row.size() ? std::get_if<double>(&row[c]) : nullptr;
                number && std::isfinite(*number)) {
                const auto text  = display_text(*number, 4);
                const auto point = text.find('.');
                needed           = std::max(needed, text.find('e') != text.npos ? most
                                                    : point == text.npos        ? 0
                                                                                : text.size() - point - 1);
                if (*number != 0)
                    sizes.push_back(std::abs(*number));
            }
        if (sizes.empty() || table.columns[c].decimals >= 0)
            continue;
        const int digits     = 3 - static_cast<int>(std::floor(std::log10(*std::ranges::max_element(sizes))));
        const int decimals   = std::clamp(digits, 0, static_cast<int>(std::min(most, needed)));
        const double shown   = std::pow(10, -decimals);
        const auto too_small = std::ranges::count_if(sizes, [shown](double size) { return size < shown; });
        if (10 * too_small <= std::ssize(sizes))
            table.columns[c].decimals = decimals;
    }
}

std::string label_with_unit(const std::string& label, const std::string& unit)
{
    return unit.empty() ? label : label + " [" + unit + "]";
}

namespace {

/// Marks the points to keep. Pending pieces are stored in a list instead of using recursion, so
/// that long lines do not overflow the stack.
std::vector<char> kept(const std::vector<double>& x, const std::vector<double>& y, double x_scale, double y_scale,
                       double tolerance)
{
    std::vector<char> keep(x.size(), 0);
    keep.front() = keep.back() = 1;
    std::vector<std::pair<std::size_t, std::size_t>> pieces{{0, x.size() - 1}};
    while (!pieces.empty()) {
        const auto [a, b] = pieces.back();
        pieces.pop_back();
        const double dx = (x[b] - x[a]) * x_scale, dy = (y[b] - y[a]) * y_scale, length = std::hypot(dx, dy);
        double far           = tolerance;
        std::size_t farthest = a;
        for (std::size_t i = a + 1; i < b; ++i) {
            const double px = (x[i] - x[a]) * x_scale, py = (y[i] - y[a]) * y_scale;
            const double along    = length > 0 ? std::clamp((px * dx + py * dy) / (length * length), 0.0, 1.0) : 0;
            const double distance = std::hypot(px - along * dx, py - along * dy);
            if (distance > far) {
                far      = distance;
                farthest = i;
            }
        }
        if (farthest == a)
            continue;
        keep[farthest] = 1;
        pieces.emplace_back(a, farthest);
        pieces.emplace_back(farthest, b);
    }
    return keep;
}

}   // namespace

double thin_line(std::vector<double>& x, std::vector<double>& y, std::size_t most, double tolerance)
{
    if (x.size() <= std::max<std::size_t>(most, 2) || x.size() != y.size())
        return 0;
    const auto scale = [](const std::vector<double>& values) {
        const auto [low, high] = std::minmax_element(values.begin(), values.end());
        return *high > *low ? 1 / (*high - *low) : 1;
    };
    const double x_scale = scale(x), y_scale = scale(y);
    auto keep = kept(x, y, x_scale, y_scale, tolerance);
    while (std::count(keep.begin(), keep.end(), 1) > static_cast<std::ptrdiff_t>(most))
        keep = kept(x, y, x_scale, y_scale, tolerance *= 2);
    std::size_t to = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (keep[i]) {
            x[to] = x[i];
            y[to] = y[i];
            ++to;
        }
    x.resize(to);
    y.resize(to);
    return tolerance;
}

}   // namespace credence
