// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace credence {
struct PictureLink;
}
class QApplication;

/// Opens the window and runs the event loop.
/// @param fileToOpen  a Study, a saved run, or a figure with its Study; empty: the default Study
/// @param theme       "light" or "dark"; empty: as remembered
/// @param link        shown instead of a file; null: the file
/// @return            the program's exit status
int runWindow(QApplication& application, const QString& fileToOpen, const QString& theme = {},
              const credence::PictureLink* link = nullptr);
