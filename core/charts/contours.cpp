// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/contours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

namespace credence {

std::vector<ContourSegment> contour_segments(const HeatMap& map, double level)
{
    std::vector<ContourSegment> lines;
    if (map.nx < 2 || map.ny < 2)
        return lines;
    const auto z = [&map](int column, int row) {
        return static_cast<double>(
            map.z[static_cast<std::size_t>(row) * static_cast<std::size_t>(map.nx) + static_cast<std::size_t>(column)]);
    };

    for (int row = 0; row + 1 < map.ny; ++row)
        for (int column = 0; column + 1 < map.nx; ++column) {
            // Corners counterclockwise from the lower left, as corners of the unit square.
            const std::array<double, 4> value{z(column, row), z(column + 1, row), z(column + 1, row + 1),
                                              z(column, row + 1)};
            constexpr std::array<std::array<double, 2>, 4> corner{{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
            unsigned above = 0;
            bool known     = true;
            for (std::size_t k = 0; k < 4; ++k) {
                known = known && std::isfinite(value[k]);
                above |= value[k] >= level ? 1U << k : 0U;
            }
            if (!known || above == 0 || above == 15)
                continue;
            const auto crossing = [&](std::size_t side) {   // side k joins corners k and k + 1
                const std::size_t a = side, b = (side + 1) % 4;
                const double t = (level - value[a]) / (value[b] - value[a]);
                return std::pair(map.x_at(column + corner[a][0] + t * (corner[b][0] - corner[a][0])),
                                 map.y_at(row + corner[a][1] + t * (corner[b][1] - corner[a][1])));
            };
            const auto join = [&](std::size_t from, std::size_t to) {
                const auto [x1, y1] = crossing(from);
                const auto [x2, y2] = crossing(to);
                lines.push_back({x1, y1, x2, y2});
            };
            std::array<std::size_t, 4> crossed{};
            std::size_t n = 0;
            for (std::size_t side = 0; side < 4; ++side)
                if (((above >> side) & 1U) != ((above >> ((side + 1) % 4)) & 1U))
                    crossed[n++] = side;
            if (n == 2) {
                join(crossed[0], crossed[1]);
            } else {   // saddle: joins the corners on the side of the mean
                const bool centre_above = (value[0] + value[1] + value[2] + value[3]) / 4 >= level;
                const bool first_above  = (above & 1U) != 0;
                if (centre_above == first_above) {   // corners 0 and 2 are joined: cut off 1 and 3
                    join(0, 1);
                    join(2, 3);
                } else {
                    join(3, 0);
                    join(1, 2);
                }
            }
        }
    return lines;
}

Line contour_line(const HeatMap& map, double level)
{
    Line line;
    for (const auto& [x1, y1, x2, y2] : contour_segments(map, level)) {
        if (!line.x.empty()) {
            line.x.push_back(std::numeric_limits<double>::quiet_NaN());
            line.y.push_back(std::numeric_limits<double>::quiet_NaN());
        }
        line.x.insert(line.x.end(), {x1, x2});
        line.y.insert(line.y.end(), {y1, y2});
    }
    return line;
}

namespace {

/// The corners of the cells: π_1 = a/n, π_2 = b/n, a + b <= n.
struct Corners {
    int n;
    std::size_t size() const { return static_cast<std::size_t>(n + 1) * static_cast<std::size_t>(n + 2) / 2; }
    int index(int a, int b) const { return a * (n + 1) - a * (a - 1) / 2 + b; }
};

using CellCorners = std::array<std::pair<int, int>, 3>;

template <class Visit>
void for_each_cell(int n, const Visit& visit)
{
    int cell = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n - i; ++j) {
            visit(cell++, CellCorners{{{i, j}, {i + 1, j}, {i, j + 1}}});
            if (j < n - 1 - i)
                visit(cell++, CellCorners{{{i + 1, j}, {i, j + 1}, {i + 1, j + 1}}});
        }
}

struct Segment {
    std::uint64_t end[2];   ///< the sides that it joins
    bool used = false;
};
struct Side {
    double first = 0, second = 0;   ///< where the level crosses it
    int segment[2] = {-1, -1};
};

/// The curves of one level, appended to the line.
void add_level(const TernaryGrid& grid, const std::vector<double>& value, double level, Line& line)
{
    const Corners corners{grid.n};
    std::vector<Segment> segments;
    std::unordered_map<std::uint64_t, Side> sides;
    for_each_cell(grid.n, [&](int, const CellCorners& c) {
        double v[3];
        int at[3];
        for (int k = 0; k < 3; ++k) {
            at[k] = corners.index(c[k].first, c[k].second);
            v[k]  = value[static_cast<std::size_t>(at[k])];
        }
        const int above = (v[0] >= level) + (v[1] >= level) + (v[2] >= level);
        if (above == 0 || above == 3)
            return;
        Segment segment{};
        int found = 0;
        for (int k = 0; k < 3; ++k) {
            const int l = (k + 1) % 3;
            if ((v[k] >= level) == (v[l] >= level))
                continue;
            const auto key = (static_cast<std::uint64_t>(std::min(at[k], at[l])) << 32)
                             | static_cast<std::uint64_t>(std::max(at[k], at[l]));
            Side& side                                = sides[key];
            const double t                            = (level - v[k]) / (v[l] - v[k]);
            side.first                                = (c[k].first + t * (c[l].first - c[k].first)) / grid.n;
            side.second                               = (c[k].second + t * (c[l].second - c[k].second)) / grid.n;
            side.segment[side.segment[0] < 0 ? 0 : 1] = static_cast<int>(segments.size());
            segment.end[found++]                      = key;
        }
        segments.push_back(segment);
    });
    const auto follow = [&](std::size_t start, int from) {
        if (!line.x.empty()) {
            line.x.push_back(std::numeric_limits<double>::quiet_NaN());
            line.y.push_back(std::numeric_limits<double>::quiet_NaN());
        }
        const auto put = [&](std::uint64_t key) {
            line.x.push_back(sides[key].first);
            line.y.push_back(sides[key].second);
        };
        put(segments[start].end[from]);
        auto at = static_cast<int>(start);
        for (int enter = from; at >= 0 && !segments[static_cast<std::size_t>(at)].used;) {
            Segment& segment = segments[static_cast<std::size_t>(at)];
            segment.used     = true;
            const auto key   = segment.end[1 - enter];
            put(key);
            const Side& side = sides[key];
            at               = side.segment[0] == at ? side.segment[1] : side.segment[0];
            enter            = at >= 0 && segments[static_cast<std::size_t>(at)].end[0] == key ? 0 : 1;
        }
    };
    for (std::size_t s = 0; s < segments.size(); ++s)   // first the curves that end at the border, starting from their
                                                        // ends
        for (int end = 0; end < 2; ++end)
            if (!segments[s].used && sides[segments[s].end[end]].segment[1] < 0)
                follow(s, end);
    for (std::size_t s = 0; s < segments.size(); ++s)   // then the closed curves
        if (!segments[s].used)
            follow(s, 0);
}

}   // namespace

std::vector<double> levels_holding(const TernaryGrid& grid, std::span<const double> shares)
{
    std::vector<float> mass;   // single precision is enough for sorting
    mass.reserve(grid.mass.size());
    double sum = 0;
    for (const double m : grid.mass) {
        sum += m;
        if (m > 1e-12)
            mass.push_back(static_cast<float>(m));
    }
    std::sort(mass.begin(), mass.end(), std::greater<>());
    std::vector<double> levels;
    double held = 0;
    auto next   = mass.begin();
    for (const double share : shares) {
        while (next != mass.end() && held < share * sum)
            held += static_cast<double>(*next++);
        levels.push_back(next == mass.begin() ? 0 : static_cast<double>(*(next - 1)) * 2.0 * grid.n * grid.n);
    }
    return levels;
}

Line contours_of(const TernaryGrid& grid, std::span<const double> levels)
{
    const Corners corners{grid.n};
    std::vector<double> sum(corners.size(), 0), count(corners.size(), 0);
    for_each_cell(grid.n, [&](int cell, const CellCorners& c) {
        for (const auto& [a, b] : c) {
            const auto at = static_cast<std::size_t>(corners.index(a, b));
            sum[at] += grid.density(cell);
            count[at] += 1;
        }
    });
    for (std::size_t k = 0; k < sum.size(); ++k)
        sum[k] /= count[k];
    Line line{.halo = true};
    for (const double level : levels)
        add_level(grid, sum, level, line);
    return line;
}

}   // namespace credence
