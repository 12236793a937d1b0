// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QWidget;

/// Lists the tab stops of these parts in layout order: lines from top to bottom, each from its
/// start. Creation order would follow the code instead of the reading order.
std::vector<QWidget*> stopsAsLaidOut(const std::vector<QWidget*>& parts);

/// Sets the tab order of these parts accordingly.
void orderTabs(const std::vector<QWidget*>& parts);
