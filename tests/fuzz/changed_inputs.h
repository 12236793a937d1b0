// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "fuzz/reader.h"

#include <cstdint>
#include <filesystem>
#include <random>
#include <vector>

namespace credence::fuzz {

using Input = std::vector<std::uint8_t>;

/// The kept inputs of a reader and real files, in the order of their names.
/// @param sources  root folder of the sources
std::vector<Input> seeds_of(const Reader& reader, const std::filesystem::path& sources);

/// Changed seeds, each a function of (seed, its number): bits, bytes and words set to what readers stumble over, pieces cut, repeated, moved and taken from other
/// seeds; of text also numbers, keys and whole lines.
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
