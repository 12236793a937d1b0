// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>

class QApplication;

enum class Theme {
    desktop,
    light,
    dark,
    projector,   ///< black on white, of lecture mode: it is never remembered
};

Theme themeNamed(const QString& name);   ///< "light", "dark", else the desktop's
QString nameOf(Theme theme);
/// Returns the colours of a theme, with a text contrast of at least 4.5:1; desktop colours come
/// from the platform.
QPalette paletteOf(Theme theme);
/// Switches style and palette of the whole program.
void applyTheme(QApplication& application, Theme theme);
Theme themeInUse();   ///< that was applied last
