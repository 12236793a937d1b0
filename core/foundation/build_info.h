// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace credence {

/// "0.1.0"
const char* version();

/// The instruction set that this core was compiled for: "x86-64-v4", "x86-64-v3", "x86-64-v2", or "baseline" for a lower one or another processor.
/// In a package the loader picks the core by what the machine has. Same instruction set, same bits; two of them may differ in the last bits.
const char* instruction_set();

}   // namespace credence
