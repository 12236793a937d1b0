// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "posterior/posterior.h"
#include "posterior/pruning.h"

#include <memory>
#include <mutex>

namespace credence {

/// A posterior of which some weights are taken away: they are 0 in every draw, in the mean and without spread; all others are as they were. With D the diagonal matrix that is 0
/// for removed weights and 1 for those that are left,
///     draws D w,  mean D μ,  covariance D Σ D
/// (Blundell et al. 2015, section 5.1, Table 2). It is what everything on screen reads while weights are pruned; it is never trained and never kept in a file.
class PrunedPosterior final : public Posterior {
public:
    /// Weights without spread have no σ to go by: whatever `rule` says, they are removed by |μ|, and `rule()` says so.
    /// @param whole   not null and not pruned itself
    /// @throws Error  if the share is outside [0, 1]
    PrunedPosterior(std::shared_ptr<const Posterior> whole, const PruneRule& rule);

    const std::shared_ptr<const Posterior>& whole() const { return whole_; }
    const PruneRule& rule() const { return rule_; }              ///< by which weights were removed
    std::span<const char> removed() const { return removed_; }   ///< 1 where a weight is gone [layout.size()]
    std::size_t n_removed() const { return n_removed_; }
    /// Has D Σ D a form of its own? Not where Σ is known along directions only (Kronecker factors, low rank): there the weights that are left vary together in a way that only draws show.
    bool says_covariance() const;

    NoiseIn noise_in() const override { return whole_->noise_in(); }
    std::optional<std::size_t> different_draws() const override { return whole_->different_draws(); }
    Draw<float> make_draw() const override { return whole_->make_draw(); }
    void draw(NoiseKey key, Draw<float>& out) const override;
    std::span<const float> means() const override { return means_; }
    void moments(std::span<float> mean, std::span<float> sd) const override;
    std::size_t first_uncertain_weight() const override { return whole_->first_uncertain_weight(); }
    /// Those of the whole: a weight that is gone has no spread.
    std::optional<std::vector<double>> neighbour_correlations() const override
    {
        return whole_->neighbour_correlations();
    }
    /// Of neighbours, determinants are those of the weights that are left. @throws Error unless `says_covariance`
    Covariance covariance() const override;
    /// τ, ρ and rates are those of the whole; sizes and spreads are of the weights that are left, 0 where none is.
    LayerUncertainty describe() const override;
    std::span<const float> numbers() const override { return means_; }   ///< the mean weights: no file keeps them

private:
    bool gone(std::size_t weight) const { return removed_[weight] != 0; }
    void clear(std::span<float> weights) const;   // those that are gone
    NeighbourCovariances without(NeighbourCovariances form) const;
    SampleCovariance without(const SampleCovariance& form) const;

    std::shared_ptr<const Posterior> whole_;
    PruneRule rule_;
    std::vector<char> removed_;
    std::size_t n_removed_ = 0;
    aligned_vector<float> means_;
    mutable std::once_flag draws_made_;
    mutable aligned_vector<float> draws_;   // of a set, made when its covariance is asked for [M × layout.size()]
};

/// What a posterior was before weights were removed; itself, if none were.
std::shared_ptr<const Posterior> whole_of(const std::shared_ptr<const Posterior>& posterior);

}   // namespace credence
