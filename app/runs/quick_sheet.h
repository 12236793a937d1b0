// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;
struct AppContext;

/// Lists the methods of a quick comparison on the data of the Study with their expected times, and trains the
/// ticked ones. @pre the Study is prepared and its data are no images
void askQuickComparison(AppContext& context, QWidget* window);
