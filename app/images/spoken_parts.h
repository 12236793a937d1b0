// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

/// Tells assistive technology what the window's own controls are: message bars are alerts, strips of thumbnails lists of pictures, the canvas a picture with the
/// number under its cursor. Once for the program; more calls do nothing.
void installSpokenParts();

/// Gives the choice boxes of a window that no visible label stands before a hidden one with their accessible name: on Linux Qt tells a box by its label and its choice,
/// and passes the name over. More calls add nothing twice.
void labelBoxes(QWidget& window);
