// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
/// Switches the whole program at once: style and palette.
void applyTheme(QApplication& application, Theme theme);
Theme themeInUse();   ///< that was applied last
