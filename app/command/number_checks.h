// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

/// Options of numbers in all commands refuse what only looks like one: NaN, infinity, whole numbers that do not fit 63 bits. They are known by the name of their value ("N",
/// "SHARE", …). Folders and files refuse an empty text. Call it once all options are there.
void addNumberChecks(CLI::App& app);
