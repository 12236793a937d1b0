// SPDX-License-Identifier: GPL-3.0-or-later
#include "posterior/pruning.h"

#include "foundation/enum_names.h"
#include "foundation/error.h"
#include "foundation/number_text.h"
#include "foundation/parallel.h"
#include "posterior/weight_passes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>

namespace credence {
namespace {

/// The key by which weights are sorted, smallest first.
template <class T>
T key_of(PruneBy by, T mean, T sd)
{
    switch (by) {
    case PruneBy::signal_to_noise:
        return mean == 0
                   ? 0
                   : std::fabs(mean) / sd;   // a weight of 0 carries no information, even without spread: avoids 0/0
    case PruneBy::magnitude: return std::fabs(mean);
    case PruneBy::spread: return -sd;
    }
    return 0;
}

/// Returns the first floor(share · n) indices, ascending: everything below the value of the first
/// remaining weight, and as many of those with equal value as are needed. In O(n), since it runs
/// while a slider moves.
/// @param line  flat indices, ascending
template <class T>
void keep_first(std::vector<std::size_t>& line, PruneBy by, double share, std::span<const T> mean,
                std::span<const T> sd)
{
    const auto n_first = static_cast<std::size_t>(std::floor(share * static_cast<double>(line.size())));
    if (n_first >= line.size())
        return;
    std::vector<T> keys(line.size());
    for (std::size_t k = 0; k < line.size(); ++k)
        keys[k] = key_of(by, mean[line[k]], sd[line[k]]);
    auto ordered     = keys;
    const auto stays = ordered.begin() + static_cast<std::ptrdiff_t>(n_first);
    std::nth_element(ordered.begin(), stays, ordered.end());
    const T cut = *stays;

    std::vector<std::size_t> first, at_cut;
    for (std::size_t k = 0; k < line.size(); ++k)
        if (keys[k] < cut)
            first.push_back(line[k]);
        else if (keys[k] == cut)
            at_cut.push_back(line[k]);
    if (std::isinf(cut))
        std::stable_sort(at_cut.begin(), at_cut.end(),
                         [&](std::size_t a, std::size_t b) { return std::fabs(mean[a]) < std::fabs(mean[b]); });
    at_cut.resize(n_first - first.size());
    std::sort(at_cut.begin(), at_cut.end());
    line.resize(n_first);
    std::merge(first.begin(), first.end(), at_cut.begin(), at_cut.end(), line.begin());
}

void require_share(double share)
{
    if (!(share >= 0 && share <= 1))
        throw Error("The share of weights to prune is " + plain_text(share) + ", expected a number in [0, 1].");
}

}   // namespace

const char* symbol_of(PruneBy by)
{
    switch (by) {
    case PruneBy::signal_to_noise: return "|μ|/σ";
    case PruneBy::magnitude: return "|μ|";
    case PruneBy::spread: return "σ";
    }
    return "";
}

PruneBy prune_by_named(const std::string& name)
{
    constexpr EnumNames<PruneBy, 3> criteria{{{PruneBy::signal_to_noise, "signal_to_noise"},
                                              {PruneBy::magnitude, "magnitude"},
                                              {PruneBy::spread, "spread"}}};
    return criteria.value_of(name, "The pruning criterion");
}

std::string words_of(const PruneRule& rule)
{
    return number_text(100 * rule.share, 4) + " % of weights removed by " + symbol_of(rule.by)
           + (rule.by == PruneBy::spread ? " (largest first)" : "")
           + (rule.per_layer ? ", separately in each layer" : "") + (rule.biases ? "" : ", biases kept");
}

template <class T>
std::vector<std::size_t> pruned_weights(const PruneRule& rule, const ParameterLayout& layout, std::span<const T> mean,
                                        std::span<const T> sd)
{
    assert(mean.size() == layout.size() && sd.size() == layout.size());
    require_share(rule.share);
    std::map<int, std::vector<std::size_t>> lines;   // by layer, or one
    for (const Block& block : layout.blocks)
        if (rule.biases || block.kind != BlockKind::biases) {
            auto& line = lines[rule.per_layer ? block.layer : 0];
            line.resize(line.size() + block.size);
            std::iota(line.end() - static_cast<std::ptrdiff_t>(block.size), line.end(), block.begin);
        }
    std::vector<std::size_t> removed;
    for (auto& [layer, line] : lines) {
        keep_first(line, rule.by, rule.share, mean, sd);
        removed.insert(removed.end(), line.begin(), line.end());
    }
    return removed;   // layers are stored one after the other
}

template std::vector<std::size_t> pruned_weights(const PruneRule&, const ParameterLayout&, std::span<const float>,
                                                 std::span<const float>);
template std::vector<std::size_t> pruned_weights(const PruneRule&, const ParameterLayout&, std::span<const double>,
                                                 std::span<const double>);

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

bool PrunedPosterior::has_covariance() const
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
            // On this thread only: other threads may be waiting for this one.
            for (std::size_t i = 0; i < removed_.size(); ++i)
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
