// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/pruned_posterior.h"

#include "foundation/error.h"
#include "foundation/parallel.h"
#include "posterior/quantiles.h"

#include <cassert>
#include <cmath>

namespace credence {

PrunedPosterior::PrunedPosterior(std::shared_ptr<const Posterior> whole, const PruneRule& rule)
    : Posterior(whole->layout()), whole_(std::move(whole)), rule_(rule), removed_(layout_.size(), 0),
      means_(whole_->means().begin(), whole_->means().end())
{
    assert(!std::dynamic_pointer_cast<const PrunedPosterior>(whole_));
    std::vector<float> mean(layout_.size()), sd(layout_.size());
    whole_->moments(mean, sd);
    if (!whole_->has_weight_noise())
        rule_.by = PruneBy::magnitude;
    const auto gone = pruned_weights<float>(rule_, layout_, mean, sd);
    for (const std::size_t i : gone)
        removed_[i] = 1;
    n_removed_ = gone.size();
    clear(means_);
}

void PrunedPosterior::clear(std::span<float> weights) const
{
    if (n_removed_ == 0)
        return;
    parallel_chunks(weights.size(), elementwise_chunk, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (gone(i))
                weights[i] = 0;
    });
}

void PrunedPosterior::draw(NoiseKey key, Draw<float>& out) const
{
    whole_->draw(key, out);
    clear(out.weights);
}

void PrunedPosterior::moments(std::span<float> mean, std::span<float> sd) const
{
    whole_->moments(mean, sd);
    clear(mean);
    clear(sd);
}

bool PrunedPosterior::says_covariance() const
{
    if (n_removed_ == 0)
        return true;
    const auto form = whole_->covariance();
    return !std::holds_alternative<KroneckerCovariance>(form) && !std::holds_alternative<LowRankCovariance>(form);
}

Covariance PrunedPosterior::covariance() const
{
    auto form = whole_->covariance();
    if (n_removed_ == 0)
        return form;
    if (auto* independent = std::get_if<IndependentCovariance>(&form)) {
        for (std::size_t i = 0; i < removed_.size(); ++i)
            if (gone(i))
                independent->variances[i] = 0;
        return form;
    }
    if (auto* neighbours = std::get_if<NeighbourCovariances>(&form))
        return without(std::move(*neighbours));
    if (const auto* samples = std::get_if<SampleCovariance>(&form))
        return without(*samples);
    if (!std::holds_alternative<NoCovariance>(form))
        throw Error(
            "The covariance of the pruned weights has no closed form, because this Laplace approximation stores its "
            "covariance along directions only. Sample the logits, choose a diagonal curvature, or undo the pruning.");
    return form;
}

/// ln det of the remaining weights, t_i = d_i − c_{i−1}²/t_{i−1}: the pivots of a tridiagonal
/// matrix, which separates at each removed weight.
NeighbourCovariances PrunedPosterior::without(NeighbourCovariances form) const
{
    for (std::size_t b = 0; b < form.blocks.size(); ++b) {
        auto& block             = form.blocks[b];
        const std::size_t begin = layout_.blocks[b].begin, n = block.diagonal.size();
        block.log_determinant = block.log_det_correlation = 0;
        double pivot                                      = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const bool joined = i > 0 && !gone(begin + i) && !gone(begin + i - 1);
            if (i > 0 && !joined)
                block.off_diagonal[i - 1] = 0;
            if (gone(begin + i)) {
                block.diagonal[i] = 0;
                continue;
            }
            const double c = joined ? block.off_diagonal[i - 1] : 0;
            pivot          = block.diagonal[i] - (joined ? c * c / pivot : 0);
            block.log_determinant += std::log(pivot);
            block.log_det_correlation += std::log(pivot / block.diagonal[i]);
        }
    }
    return form;
}

SampleCovariance PrunedPosterior::without(const SampleCovariance& form) const
{
    std::call_once(draws_made_, [&] {
        draws_.assign(form.draws.begin(), form.draws.end());
        for (std::size_t first = 0; first < draws_.size(); first += removed_.size())
            for (std::size_t i = 0; i < removed_.size(); ++i)   // on this thread only: others can be waiting for it
                if (gone(i))
                    draws_[first + i] = 0;
    });
    return {draws_, means_};
}

LayerUncertainty PrunedPosterior::describe() const
{
    auto layers = whole_->describe();
    std::vector<float> mean(layout_.size()), sd(layout_.size());
    whole_->moments(mean, sd);
    for (std::size_t b = 0; b < layers.size() && b < layout_.blocks.size(); ++b) {
        const Block& block = layout_.blocks[b];
        std::vector<float> means, sds;
        for (std::size_t i = block.begin; i < block.end(); ++i)
            if (!gone(i)) {
                means.push_back(mean[i]);
                sds.push_back(sd[i]);
            }
        const std::size_t n = means.size();
        if (n == block.size)
            continue;
        layers[b].mean_abs           = mean_of_absolute(means.data(), n);
        layers[b].median_sd          = median_over_block(n, [&](std::size_t i) { return sds[i]; });
        layers[b].median_relative_sd = median_over_block(
            n, [&](std::size_t i) { return relative_spread(sds[i], means[i]); });
    }
    return layers;
}

std::shared_ptr<const Posterior> whole_of(const std::shared_ptr<const Posterior>& posterior)
{
    const auto pruned = std::dynamic_pointer_cast<const PrunedPosterior>(posterior);
    return pruned ? pruned->whole() : posterior;
}

}   // namespace credence
