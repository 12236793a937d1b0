// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace credence {

/// "0.1.0"
const char* version();

/// The instruction set that this core was compiled for: "x86-64-v4", "x86-64-v3", "x86-64-v2", or "baseline" for a lower one or another processor.
/// In a package the loader picks the core by what the machine has. Same instruction set, same bits; two of them may differ in the last bits.
const char* instruction_set();

/// Which program computed something. Two builds may differ in the last digits, or in more.
struct Build {
    std::string version;
    std::string commit;   ///< 12 digits, "-dirty" if files differed from it; empty: not known, as from a source archive
    std::string instruction_set;
    std::string compiler;   ///< "GCC 12.2.0"

    bool operator==(const Build&) const = default;
};
/// Returns the running program.
const Build& this_build();
/// Sets the commit of the running program. Before any thread is started: only the program itself is compiled again at each commit, not its libraries.
void set_commit(std::string commit);
/// "0.1.0 (commit 1a2b3c4d5e6f, instruction set x86-64-v3, GCC 12.2.0)"
std::string build_text(const Build& build);

}   // namespace credence
