// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// Help on the sweep page, as HTML.
QString sweepHelp();
