// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/contours.h"

#include <array>
#include <cmath>
#include <limits>

namespace credence {

std::vector<ContourSegment> contour_segments(const HeatMap& map, double level)
{
    std::vector<ContourSegment> lines;
    if (map.nx < 2 || map.ny < 2)
        return lines;
    const double step_x = (map.x.second - map.x.first) / (map.nx - 1);
    const double step_y = (map.y.second - map.y.first) / (map.ny - 1);
    const auto z        = [&map](int column, int row) {
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
                return std::pair(map.x.first + step_x * (column + corner[a][0] + t * (corner[b][0] - corner[a][0])),
                                 map.y.first + step_y * (row + corner[a][1] + t * (corner[b][1] - corner[a][1])));
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

}   // namespace credence
