// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCoreApplication;

/// Reads and writes numbers with a decimal point in any desktop language, in Qt and in the C
/// library, which Qt switches to the desktop's locale. A comma typed into a decimal box, as on many
/// number pads, becomes a point. Call it once the application exists.
void useDecimalPoints(QCoreApplication& application);
