// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/state_bytes.h"
#include "random/noise.h"

#include <array>

namespace credence {

/// The random numbers of one chain. Those of a transition are a pure function of (seed, chain,
/// transition): no transition's choices affect the numbers of the next.
class ChainNoise {
public:
    /// The use of the numbers. Two purposes never share numbers.
    enum class Purpose { transitions, step_size_search, start };

    ChainNoise(std::uint64_t seed, std::uint32_t chain, Purpose purpose = Purpose::transitions);

    /// Moves to the first numbers of a transition. @param transition  0-based, below 2^34
    void begin(long transition);
    /// Reads or writes the position of the next numbers, for those requested in sequence without
    /// `begin`.
    void serialise(StateBytes& state);
    /// The next standard normals: at most 2^23 per transition.
    void normals(std::span<double> out);
    /// The next number uniform on (0, 1). At most 2^23 in one transition.
    double uniform();

private:
    static constexpr std::size_t at_once = 64;

    NoiseKey key_;
    std::uint64_t next_normal_ = 0, next_block_ = 0;
    std::array<double, at_once> block_;
    std::size_t used_ = at_once;
};

}   // namespace credence
