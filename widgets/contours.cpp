// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/contours.h"

#include <array>
#include <cmath>

namespace credence {

std::vector<QLineF> contourLines(const HeatMap& map, double level)
{
    std::vector<QLineF> lines;
    if (map.nx < 2 || map.ny < 2)
        return lines;
    const double stepX = (map.x.second - map.x.first) / (map.nx - 1);
    const double stepY = (map.y.second - map.y.first) / (map.ny - 1);
    const auto z       = [&map](int column, int row) {
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
                return QPointF(map.x.first + stepX * (column + corner[a][0] + t * (corner[b][0] - corner[a][0])),
                               map.y.first + stepY * (row + corner[a][1] + t * (corner[b][1] - corner[a][1])));
            };
            std::array<std::size_t, 4> crossed{};
            std::size_t n = 0;
            for (std::size_t side = 0; side < 4; ++side)
                if (((above >> side) & 1U) != ((above >> ((side + 1) % 4)) & 1U))
                    crossed[n++] = side;
            if (n == 2) {
                lines.emplace_back(crossing(crossed[0]), crossing(crossed[1]));
            } else {   // saddle: corners on the side of the mean are joined
                const bool centreAbove = (value[0] + value[1] + value[2] + value[3]) / 4 >= level;
                const bool firstAbove  = (above & 1U) != 0;
                if (centreAbove == firstAbove) {   // corners 0 and 2 are joined: cut off 1 and 3
                    lines.emplace_back(crossing(0), crossing(1));
                    lines.emplace_back(crossing(2), crossing(3));
                } else {
                    lines.emplace_back(crossing(3), crossing(0));
                    lines.emplace_back(crossing(1), crossing(2));
                }
            }
        }
    return lines;
}

}   // namespace credence
