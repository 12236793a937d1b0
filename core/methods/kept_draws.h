// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "foundation/aligned_vector.h"
#include "foundation/state_bytes.h"
#include "posterior/sample_set.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace credence::method_parts {

/// The draws of a run's chains, in one block of memory shared by all intermediate sample sets.
/// Parallel chains store their draws at the same time.
class KeptDraws {
public:
    /// @param draws    largest number per chain
    /// @param at_once  number of chains per group; groups run one after the other
    KeptDraws(const ParameterLayout& layout, int n_chains, std::size_t draws, int at_once);

    /// Keeps these weights as the next draw of the chain. Ignores weights that are not finite; the
    /// training then ends with an error. Different chains may call it at the same time.
    void keep(std::span<const float> weights, int chain, long step);

    /// Reads or writes all kept draws. No chain may keep a draw meanwhile.
    void serialise(StateBytes& state);

    std::size_t count() const;   ///< over all chains
    std::size_t count(int chain) const { return counts_[static_cast<std::size_t>(chain)]; }
    std::span<const float> draw(int chain, std::size_t i) const { return at(slot(chain, i)); }
    long step(int chain, std::size_t i) const
    {
        return origin_.steps[slot(chain, i)];
    }   ///< step after which the draw was kept

    // Not to be called while a chain keeps a draw.
    /// Returns the draws of the running group, the first draws chain by chain, then the second
    /// ones, …, after those of earlier groups. Null: no draws yet.
    std::shared_ptr<const SampleSet> set() const;
    /// Returns all draws chain by chain, in newly allocated memory if there are several chains.
    /// Null: no draws.
    std::shared_ptr<const SampleSet> in_order() const;

private:
    std::size_t slot(int chain, std::size_t i) const;
    std::span<const float> at(std::size_t slot) const
    {
        return std::span<const float>(*memory_).subspan(slot * layout_.size(), layout_.size());
    }

    ParameterLayout layout_;
    int n_chains_, at_once_;
    std::size_t draws_;
    std::shared_ptr<aligned_vector<float>> memory_;
    std::vector<std::size_t> counts_;                // [n_chains]
    SampleOrigin origin_;                            // per slot
    mutable std::shared_ptr<const SampleSet> set_;   // current set; null: not made yet
};

/// The current weights of several chains, one draw each.
std::shared_ptr<const SampleSet> set_of_states(const ParameterLayout& layout,
                                               const std::vector<std::span<const float>>& weights, SampleOrigin origin);

}   // namespace credence::method_parts
