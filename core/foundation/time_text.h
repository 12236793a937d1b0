// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace credence {

/// Returns the current local time with its UTC offset: "2026-11-23T01:05:07+0000".
std::string local_time_text();

}   // namespace credence
