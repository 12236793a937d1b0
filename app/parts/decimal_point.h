// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCoreApplication;

/// Numbers are read and written with a point, whatever the desktop's language: in fields and boxes, by Qt, and by the C library, which Qt has put into
/// the desktop's locale. A comma typed into a box of decimals, as the number pad of many keyboards does, becomes a point. Call it once the application is made.
void useDecimalPoints(QCoreApplication& application);
