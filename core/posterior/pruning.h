// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "network/architecture.h"
#include "posterior/posterior.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace credence {

/// The criterion by which weights are removed.
enum class PruneBy {
    /// Smallest |μ|/σ first: weights that are small compared with their uncertainty carry least
    /// information (Blundell et al. 2015, section 5.1)
    signal_to_noise,
    magnitude,   ///< smallest |μ| first, ignoring uncertainty: the usual order for networks without a posterior
    spread,      ///< largest σ first, ignoring the size of the weight
};
/// "|μ|/σ", "|μ|", "σ"
const char* symbol_of(PruneBy by);
/// Returns the criterion "signal_to_noise", "magnitude" or "spread". @throws Error that lists them
PruneBy prune_by_named(const std::string& name);

/// Selects the weights that are set to zero.
struct PruneRule {
    double share   = 0;   ///< of the removable weights, in [0, 1]
    PruneBy by     = PruneBy::signal_to_noise;
    bool per_layer = false;   ///< applies the share to each layer separately; otherwise to all layers together
    bool biases    = true;    ///< removes biases as well as weights

    bool on() const { return share > 0; }
    bool operator==(const PruneRule&) const = default;
};
/// "95 % of weights removed by |μ|/σ, separately in each layer, biases kept"
std::string words_of(const PruneRule& rule);

/// Returns the weights that a rule removes: the first floor(share · n) of n weights, over all
/// layers or per layer. Equal weights are removed in the order of their index.
/// If |μ|/σ is infinite because σ = 0, the smaller |μ| is removed first, so that weights without
/// spread are removed by |μ|.
///
/// @param mean, sd  of every weight [layout.size()]
/// @return          flat indices, ascending
/// @throws Error    if the share is outside [0, 1]
/// Source: Blundell et al. 2015, section 5.1, Table 2
template <class T>
std::vector<std::size_t> pruned_weights(const PruneRule& rule, const ParameterLayout& layout, std::span<const T> mean,
                                        std::span<const T> sd);

/// A posterior with some weights removed: they are 0 in every sample and in the mean, and have no
/// spread; all others are unchanged. With D the diagonal matrix that is 0 for removed weights and 1
/// for the remaining ones,
///     samples D w,  mean D μ,  covariance D Σ D
/// (Blundell et al. 2015, section 5.1, Table 2). All views use it while weights are pruned; it is
/// never trained and never saved.
class PrunedPosterior final : public Posterior {
public:
    /// Weights without spread have no σ: regardless of `rule`, they are removed by |μ|, and
    /// `rule()` reports that.
    /// @param whole   not null and not already pruned
    /// @throws Error  if the share is outside [0, 1]
    PrunedPosterior(std::shared_ptr<const Posterior> whole, const PruneRule& rule);

    const std::shared_ptr<const Posterior>& whole() const { return whole_; }
    const PruneRule& rule() const { return rule_; }              ///< the rule that was applied
    std::span<const char> removed() const { return removed_; }   ///< 1 for removed weights [layout.size()]
    std::size_t n_removed() const { return n_removed_; }
    NoiseIn noise_in() const override { return whole_->noise_in(); }
    std::optional<std::size_t> different_draws() const override { return whole_->different_draws(); }
    Draw<float> make_draw() const override { return whole_->make_draw(); }
    void draw(NoiseKey key, Draw<float>& out) const override;
    std::span<const float> means() const override { return means_; }
    void moments(std::span<float> mean, std::span<float> sd) const override;
    std::size_t first_uncertain_weight() const override { return whole_->first_uncertain_weight(); }
    /// Those of the full posterior; removed weights have no spread.
    std::optional<std::vector<double>> neighbour_correlations() const override
    {
        return whole_->neighbour_correlations();
    }
    /// For neighbour correlations, determinants are those of the remaining weights. @throws Error
    /// unless `has_covariance`
    Covariance covariance() const override;
    /// D Σ D has no closed form if Σ is known along directions only (Kronecker factors, low rank).
    bool has_covariance() const override;
    /// τ, ρ and rates are those of the full posterior; sizes and spreads are those of the remaining
    /// weights, 0 if there are none.
    LayerUncertainty describe() const override;
    std::span<const float> numbers() const override { return means_; }   ///< the mean weights; never saved

private:
    bool gone(std::size_t weight) const { return removed_[weight] != 0; }
    void clear(std::span<float> weights) const;   // sets removed weights to 0
    NeighbourCovariances without(NeighbourCovariances form) const;
    SampleCovariance without(const SampleCovariance& form) const;

    std::shared_ptr<const Posterior> whole_;
    PruneRule rule_;
    std::vector<char> removed_;
    std::size_t n_removed_ = 0;
    aligned_vector<float> means_;
    mutable std::once_flag draws_made_;
    mutable aligned_vector<float> draws_;   // of a set, made when its covariance is requested [M × layout.size()]
};

/// The posterior before weights were removed; the posterior itself if none were.
std::shared_ptr<const Posterior> whole_of(const std::shared_ptr<const Posterior>& posterior);

}   // namespace credence
