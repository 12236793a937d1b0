// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

class QWidget;

/// Lists what the Tab key stops at in these parts, one part after the other, each in the order in which its layouts place it: lines from above, each from its
/// beginning. Controls were made in the order that suited the code; who goes through them by Tab meets them as they are read.
std::vector<QWidget*> stopsAsLaidOut(const std::vector<QWidget*>& parts);

/// Makes Tab go through these parts in that order.
void orderTabs(const std::vector<QWidget*>& parts);
