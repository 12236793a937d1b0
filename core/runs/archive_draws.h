// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/function_ref.h"
#include "posterior/sample_set.h"
#include "runs/archive.h"

#include <cstdint>

namespace SQLite {
class Database;
}

namespace credence {

// The draws of a set in an archive: parts "draws N/0", "draws N/1", … of snapshot N, one mebibyte
// each, the last with the rest. Sets of a growing chain are the first draws of the last set, and
// are stored once.

/// Returns for each snapshot whether its draws are the first draws of the last snapshot of the run.
/// False for the last itself.
std::vector<bool> parts_of_last(const SavedRun& run);

/// Writes the draws of snapshot `number`, calls written(bytes) after each piece of so many bytes.
/// @throws Error for more than `most_bytes_of_draws`
void write_draws(SQLite::Database& base, std::int64_t number, std::span<const float> draws,
                 function_ref<void(std::size_t bytes)> written);
/// Reads so many draws of so many weights. Checks every piece before allocating memory. @throws
/// Error that describes the mismatch
aligned_vector<float> read_draws(const SQLite::Database& base, std::int64_t number, std::size_t draws,
                                 std::size_t weights);

inline constexpr std::size_t most_bytes_of_draws = std::size_t{4} << 30;   ///< of one set

}   // namespace credence
