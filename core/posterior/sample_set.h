// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/posterior.h"

#include <memory>
#include <string>
#include <vector>

namespace credence {

/// Statistics of one transition of a Hamiltonian chain, in addition to its draw.
struct DrawStatistics {
    double energy                                = 0;   ///< potential plus kinetic, nats
    double acceptance                            = 0;   ///< mean of min(1, e^{H(start) - H}) over its points
    int depth                                    = 0;   ///< of the tree; 0 for trajectories of fixed length
    int leapfrog_steps                           = 0;
    bool divergent                               = false;
    bool at_depth_limit                          = false;
    bool operator==(const DrawStatistics&) const = default;
};

/// Statistics of a whole chain.
struct ChainSummary {
    double step_size      = 0;   ///< used for the draws
    long gradients        = 0;   ///< including warm-up
    long warmup_gradients = 0;
    std::vector<std::string> warmup{};            ///< remarks on its warm-up, one sentence each
    std::vector<std::vector<float>> diverged{};   ///< weights at divergences; a selection if there are many
    bool operator==(const ChainSummary&) const = default;
};

/// Statistics of all draws of a set, in its order, and of all its chains.
struct ChainStatistics {
    std::vector<DrawStatistics> draws{};   ///< one per draw of the set
    std::vector<ChainSummary> chains{};
    bool operator==(const ChainStatistics&) const = default;
};

/// Origin of the draws of a SampleSet. Each list is empty or has one entry per draw.
struct SampleOrigin {
    std::vector<int> chains;                               ///< index of the chain or ensemble member, from 0
    std::vector<long> steps;                               ///< step of its chain
    std::shared_ptr<const ChainStatistics> statistics{};   ///< for Hamiltonian chains; otherwise null
    bool operator==(const SampleOrigin& other) const
    {
        return chains == other.chains && steps == other.steps
               && (statistics != nullptr) == (other.statistics != nullptr)
               && (!statistics || *statistics == *other.statistics);
    }
};

/// A posterior of M equally weighted draws: states of one or more chains, or ensemble members.
class SampleSet final : public Posterior {
public:
    using Memory = std::shared_ptr<const aligned_vector<float>>;

    /// @param draws  weights [M × layout.size()], M >= 1
    /// @throws Error  for incomplete draws, numbers that are not finite, and lists of another
    /// length than M
    SampleSet(const ParameterLayout& layout, aligned_vector<float> draws, SampleOrigin origin = {});
    /// Uses the first M draws of a larger block of memory, which the sets of a growing chain share.
    /// These M draws must not change afterwards.
    SampleSet(const ParameterLayout& layout, Memory memory, std::size_t n_draws, SampleOrigin origin = {});

    std::size_t n_draws() const { return n_draws_; }
    std::span<const float> draw_number(std::size_t s) const
    {
        return numbers().subspan(s * layout_.size(), layout_.size());
    }
    const SampleOrigin& origin() const { return origin_; }
    /// The first of these draws as a separate set that shares the memory. @throws Error if there
    /// are fewer
    std::shared_ptr<const SampleSet> first_draws(std::size_t n_draws, SampleOrigin origin = {}) const;

    /// A single draw has no noise.
    NoiseIn noise_in() const override { return n_draws_ > 1 ? NoiseIn::weights : NoiseIn::nothing; }
    std::optional<std::size_t> different_draws() const override { return n_draws_; }
    Draw<float> make_draw() const override;   ///< without noise
    /// Writes the draw with index `number_of(key)`.
    void draw(NoiseKey key, Draw<float>& out) const override;
    /// Index of the draw for a key. Consecutive keys of one seed and stream visit the set in even
    /// strides (golden section). Any sequence of them is spread over chains and steps, and M of them
    /// visit each draw once.
    std::size_t number_of(NoiseKey key) const;
    /// The same draws with these chain statistics. @throws Error unless there is one entry per draw
    std::shared_ptr<const SampleSet> with_statistics(std::shared_ptr<const ChainStatistics> statistics) const;
    std::span<const float> means() const override { return mean_; }
    void moments(std::span<float> mean, std::span<float> sd) const override;   ///< sd with divisor M − 1
    Covariance covariance() const override;
    LayerUncertainty describe() const override;
    std::span<const float> numbers() const override { return std::span(*memory_).first(n_draws_ * layout_.size()); }

private:
    Memory memory_;
    std::size_t n_draws_, stride_ = 1;
    aligned_vector<float> mean_, sd_;
    SampleOrigin origin_;
};

/// The posterior as a set of draws; null for any other posterior.
const SampleSet* sample_set_of(const Posterior& posterior);

}   // namespace credence
