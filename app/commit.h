// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

/// The commit that the program was built from, see cmake/WriteCommit.cmake; empty: not known.
extern const char* const program_commit;
