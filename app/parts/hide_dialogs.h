// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

/// Hides the pages and dialogs that belong to a window, while all their parts are still there. A number that is being typed is taken when its field is hidden, and a dialog
/// that ends while it is shown hides its fields last of all: whoever hears of the number is half gone by then.
void hideDialogsOf(QWidget& window);
