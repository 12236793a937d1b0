// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// Tells assistive technology what the window's own controls are: message bars are alerts, strips of thumbnails lists of pictures, the canvas a picture with the
/// number under its cursor. Once for the program; more calls do nothing.
void installSpokenParts();
