// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

/// Hides the pages and dialogs of a window before it is destroyed. Hiding a field commits the
/// number being typed; a dialog destroyed while visible would do this last, when its listeners are
/// partly destroyed.
void hideDialogsOf(QWidget& window);
