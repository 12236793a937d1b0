// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

/// What the page of sweeps is for and how it is used, as HTML.
QString sweepHelp();
