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
/// Returns the colours of a theme, each text at least 4.5:1 on each of its grounds; those of the desktop are the platform's own.
QPalette paletteOf(Theme theme);
/// Switches the whole program at once: style and palette.
void applyTheme(QApplication& application, Theme theme);
Theme themeInUse();   ///< that was applied last
