// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace credence {

/// Minimum contrast of text and background: WCAG 2.2, success criterion 1.4.3.
inline constexpr double leastTextContrast = 4.5;

/// Returns the relative luminance of an opaque sRGB colour, 0 (black) to 1 (white): 0.2126 R +
/// 0.7152 G + 0.0722 B of linear channels (WCAG 2.2).
double relativeLuminance(const QColor& colour);

/// Returns the contrast of two opaque colours, (L1 + 0.05) / (L2 + 0.05) with L1 >= L2: 1 (equal)
/// to 21 (black on white) (WCAG 2.2).
double contrastRatio(const QColor& a, const QColor& b);

/// Returns `colour`, darkened on a light background or lightened on a dark one until text has this
/// contrast.
QColor legible(const QColor& colour, const QColor& ground, double least = leastTextContrast);

/// Returns black or white, whichever has more contrast with the background: at least 4.58 with any.
QColor blackOrWhite(const QColor& ground);

/// Returns `over` blended onto `ground` with this opacity in [0, 1].
QColor laidOver(const QColor& over, const QColor& ground, double opacity);

}   // namespace credence
