// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/contrast.h"

#include <algorithm>
#include <cmath>

namespace credence {

double relativeLuminance(const QColor& colour)
{
    const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
    return 0.2126 * linear(static_cast<double>(colour.redF())) + 0.7152 * linear(static_cast<double>(colour.greenF()))
           + 0.0722 * linear(static_cast<double>(colour.blueF()));
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double first = relativeLuminance(a), second = relativeLuminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

QColor laidOver(const QColor& over, const QColor& ground, double opacity)
{
    const auto channel = [opacity](int a, int b) {
        return static_cast<int>(std::lround(opacity * a + (1 - opacity) * b));
    };
    return {channel(over.red(), ground.red()), channel(over.green(), ground.green()),
            channel(over.blue(), ground.blue())};
}

QColor blackOrWhite(const QColor& ground)
{
    const QColor black(0, 0, 0), white(255, 255, 255);
    return contrastRatio(black, ground) >= contrastRatio(white, ground) ? black : white;
}

QColor legible(const QColor& colour, const QColor& ground, double least)
{
    constexpr int steps = 50;
    const QColor end    = blackOrWhite(ground);
    for (int step = 0; step < steps; ++step) {
        const QColor tried = laidOver(end, colour, static_cast<double>(step) / steps);
        if (contrastRatio(tried, ground) >= least)
            return tried;
    }
    return end;
}

}   // namespace credence
