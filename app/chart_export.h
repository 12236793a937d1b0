// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "figures/chart.h"

#include <QString>

#include <functional>
#include <vector>

class QWidget;

/// Asks which of these charts to write, how and where, and writes them, one at a time, so that the window answers between two. For charts that no Study made.
/// @param chosen  id of the one that is ticked at first; empty: all
/// @param say     what was written, or why not
void exportCharts(std::vector<credence::Chart> charts, const std::string& chosen, QWidget* parent, std::function<void(const QString&)> say);
