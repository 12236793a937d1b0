// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QFont;
class QWidget;

// All texts of the program, in percent of the size that the desktop gives them.
inline constexpr int smallestText = 80, usualText = 100, largestText = 200, textStep = 10;

/// Sets the size of all texts, kept within smallestText and largestText, in the whole program at once; charts, rows of tables and what was fixed by fixWithText
/// follow. @return the size that holds now
int applyTextSize(int percent);
/// Sets the font of the program and tells every widget of it, also before the event loop runs, when Qt itself does not.
void applyFont(const QFont& font);
int textSize();   ///< of now, percent

int withText(int pixels);   ///< so many pixels at the usual size of text are how many now?
int withFont(int pixels);   ///< the same by the font of now, which a lecture makes larger, too
/// Fixes a width or height that holds so and so much text, now and whenever the size of text changes; 0: it is free.
void fixWithText(QWidget* widget, int width, int height = 0);
/// The same of a greatest width.
void limitWithText(QWidget* widget, int greatestWidth);
