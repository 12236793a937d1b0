// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QPalette>
#include <QString>

class QWidget;

// Text size of the program, in percent of the desktop's font size.
inline constexpr int smallestText = 80, usualText = 100, largestText = 200, textStep = 10;

/// Sets the text size of the whole program, clamped to smallestText and largestText; charts and
/// table rows follow. @return the new size
int applyTextSize(int percent);
/// Sets the application font and notifies every widget, also before the event loop runs, when Qt
/// does not. Sizes set by fixWithText and limitWithText follow.
void applyFont(const QFont& font);
int textSize();   ///< current, percent

int withText(int pixels);                      ///< pixels at the usual text size, scaled to the current size
int withFont(int pixels);                      ///< the same for the current font, which lecture mode also enlarges
int atUsualFont(int pixels);                   ///< inverse of withFont: for a size measured in the current font
QFont scaledFont(QFont font, double factor);   ///< enlarged by this factor, also if its size is in pixels
/// Fixes a width or height that scales with the program's font; 0: not fixed.
void fixWithText(QWidget* widget, int width, int height = 0);
/// The same for a maximum width.
void limitWithText(QWidget* widget, int greatestWidth);

/// Gives a window this size, scaled with the font of the program and limited to its screen.
void resizeWithText(QWidget& window, int width, int height);

/// Paints the ground of a card drawn over the charts: the base colour with a rounded frame.
void paintCard(QWidget& card);
/// Dims a window until the returned widget is deleted, while a dialog in front of it waits for an
/// answer.
QWidget* shadeOver(QWidget& window);

/// Property of a tool button: its appearance does not change while it is on, since its text shows
/// the state.
inline constexpr const char* plainWhenOn = "plainWhenOn";

class QStyle;

enum class Theme {
    desktop,
    light,
    dark,
    projector,   ///< black on white, for lecture mode; never saved
};

Theme themeNamed(const QString& name);   ///< "light", "dark", else the desktop's
QString nameOf(Theme theme);
/// Returns the colours of a theme, with a text contrast of at least 4.5:1; desktop colours come
/// from the platform.
QPalette paletteOf(Theme theme);
/// Makes the style of the program's own themes: flat controls with hairlines.
QStyle* flatStyle();
/// Switches style and palette of the whole program. On a desktop that sets no colours, `desktop` is
/// `light` or `dark`, as Qt's own palette.
void applyTheme(Theme theme);
Theme themeInUse();   ///< the theme applied last
