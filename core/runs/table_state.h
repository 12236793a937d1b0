// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study/study.h"

#include <string>

namespace credence {

/// Identifies the state of the file that a Study's table is read from: "4,711 bytes, hash
/// 1c291ca3f0e4b7d2". Empty: the data are not from such a file, or it cannot be read.
std::string table_state(const DataSpec& data);

}   // namespace credence
