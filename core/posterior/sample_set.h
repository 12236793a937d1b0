// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/chain_statistics.h"
#include "posterior/posterior.h"

#include <memory>

namespace credence {

/// Where the draws of a SampleSet come from. Each list is empty or has one entry a draw.
struct SampleOrigin {
    std::vector<int> chains;                               ///< 0-based: of which chain, or which member of an ensemble
    std::vector<long> steps;                               ///< after which step of its chain
    std::shared_ptr<const ChainStatistics> statistics{};   ///< of Hamiltonian chains; else null
    bool operator==(const SampleOrigin& other) const
    {
        return chains == other.chains && steps == other.steps
               && (statistics != nullptr) == (other.statistics != nullptr)
               && (!statistics || *statistics == *other.statistics);
    }
};

/// A posterior that consists of M draws with equal weight: states of a chain or of several, members of an ensemble.
class SampleSet final : public Posterior {
public:
    using Memory = std::shared_ptr<const aligned_vector<float>>;

    /// @param draws  weights [M × layout.size()], M >= 1
    /// @throws Error  for numbers that are no whole draws or are not finite, and for lists of another length than M
    SampleSet(const ParameterLayout& layout, aligned_vector<float> draws, SampleOrigin origin = {});
    /// The first M draws in a memory of more, so that the sets of a growing chain share it. Nobody may write to these M any more.
    SampleSet(const ParameterLayout& layout, Memory memory, std::size_t n_draws, SampleOrigin origin = {});

    std::size_t n_draws() const { return n_draws_; }
    std::span<const float> draw_number(std::size_t s) const
    {
        return numbers().subspan(s * layout_.size(), layout_.size());
    }
    const SampleOrigin& origin() const { return origin_; }
    /// The first of these draws as a set of their own, in the same memory. @throws Error if there are fewer
    std::shared_ptr<const SampleSet> first_draws(std::size_t n_draws, SampleOrigin origin = {}) const;

    /// One draw alone does not vary.
    NoiseIn noise_in() const override { return n_draws_ > 1 ? NoiseIn::weights : NoiseIn::nothing; }
    std::optional<std::size_t> different_draws() const override { return n_draws_; }
    Draw<float> make_draw() const override;   ///< without noise
    /// The draw that `number_of` names.
    void draw(NoiseKey key, Draw<float>& out) const override;
    /// Which draw a key stands for: keys of one seed and stream go through the set in even strides (golden section), so that any run of them is spread over chains and steps, and M
    /// keys in a row meet each draw once.
    std::size_t number_of(NoiseKey key) const;
    /// The same draws with these numbers of their chains. @throws Error unless there is one for each draw
    std::shared_ptr<const SampleSet> with_statistics(std::shared_ptr<const ChainStatistics> statistics) const;
    std::span<const float> means() const override { return mean_; }
    void moments(std::span<float> mean, std::span<float> sd) const override;   ///< sd by the divisor M − 1
    Covariance covariance() const override;
    LayerUncertainty describe() const override;
    std::span<const float> numbers() const override { return std::span(*memory_).first(n_draws_ * layout_.size()); }

private:
    Memory memory_;
    std::size_t n_draws_, stride_ = 1;
    aligned_vector<float> mean_, sd_;
    SampleOrigin origin_;
};

}   // namespace credence
