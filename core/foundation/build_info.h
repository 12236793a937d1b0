// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace credence {

/// "0.1.0"
const char* version();

/// The instruction set this core was compiled for: "x86-64-v4", "x86-64-v3", "x86-64-v2", or
/// "baseline" for a lower one or another processor. In a package, the loader picks the core that
/// matches the machine. Results have the same bits within one instruction set; between two, the
/// last bits may differ.
const char* instruction_set();

/// Identifies the build that computed a result. Two builds may differ in the last digits or more.
struct Build {
    std::string version;
    /// 12 digits, plus "-dirty" for modified files; empty if unknown, as for a source archive
    std::string commit;
    std::string instruction_set;
    std::string compiler;   ///< "GCC 12.2.0"

    bool operator==(const Build&) const = default;
};
/// Returns the build of the running program.
const Build& this_build();
/// Sets the commit of the running program. Call it before starting any thread. The program passes
/// the commit in at run time so that the libraries are not recompiled at each commit.
void set_commit(std::string commit);
/// "0.1.0 (commit 1a2b3c4d5e6f, instruction set x86-64-v3, GCC 12.2.0)"
std::string build_text(const Build& build);

}   // namespace credence
