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

/// The draws of the chains of a run, in one memory that all sets made of them on the way share. Chains that go on side by side keep theirs at the same time.
class KeptDraws {
public:
    /// @param draws    of each chain, at most
    /// @param at_once  so many chains go on side by side, then the next so many
    KeptDraws(const ParameterLayout& layout, int n_chains, std::size_t draws, int at_once);

    /// Keeps these weights as the next draw of the chain, unless one of them is not finite: then the training is about to end and to say so. Different chains may call at once.
    void keep(std::span<const float> weights, int chain, long step);

    /// Passes all that is kept. No chain keeps anything meanwhile.
    void serialise(StateBytes& state);

    std::size_t count() const;   ///< of all chains
    std::size_t count(int chain) const { return counts_[static_cast<std::size_t>(chain)]; }
    std::span<const float> draw(int chain, std::size_t i) const { return at(slot(chain, i)); }
    long step(int chain, std::size_t i) const { return origin_.steps[slot(chain, i)]; }   ///< after which it was kept

    // None of these while a chain keeps something.
    /// What all chains at work have kept: their first draws chain by chain, their second ones, …; behind those of the chains that went before. Null: none are kept yet.
    std::shared_ptr<const SampleSet> set() const;
    /// All that is kept, chain by chain, in a memory of its own where these are several. Null: nothing is kept.
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
    SampleOrigin origin_;                            // of each slot
    mutable std::shared_ptr<const SampleSet> set_;   // of now; null: not made yet
};

/// Weights of several chains as they stand, one draw each.
std::shared_ptr<const SampleSet> set_of_states(const ParameterLayout& layout,
                                               const std::vector<std::span<const float>>& weights, SampleOrigin origin);

}   // namespace credence::method_parts
