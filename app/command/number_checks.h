// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

/// Makes number options of all commands refuse NaN, infinity and integers beyond 63 bits, and file
/// options refuse empty text. Options are recognised by their value name ("N", "SHARE", …), so all
/// options must have been added.
void addNumberChecks(CLI::App& app);
