// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fuzz/reader.h"

#include <cstdint>
#include <filesystem>
#include <random>
#include <vector>

namespace credence::fuzz {

using Input = std::vector<std::uint8_t>;

/// The stored inputs of a reader and real files, sorted by name.
/// @param sources  root folder of the sources
std::vector<Input> seeds_of(const Reader& reader, const std::filesystem::path& sources);

/// Mutated seeds, each a function of (seed, index): bits, bytes and words set to critical values,
/// pieces cut, repeated, moved and copied from other seeds; of text also numbers, keys and whole
/// lines.
class ChangedInputs {
public:
    /// @param seeds  not empty
    ChangedInputs(std::vector<Input> seeds, Repair repair, std::uint64_t seed = 1);
    Input input(std::uint64_t number) const;   ///< the first ones are the seeds as they are

private:
    std::vector<Input> seeds_;
    Repair repair_;
    std::uint64_t seed_;
};

}   // namespace credence::fuzz
