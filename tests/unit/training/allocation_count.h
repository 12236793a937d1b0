// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace credence {

/// Calls of operator new and of malloc's family so far, in all threads of this program.
long allocation_count();

}   // namespace credence
